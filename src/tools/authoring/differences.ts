import { isObject, sameJson, type JsonObject } from '../../core/json.ts'
import { counted, quoted } from '../../core/text.ts'
import { setFields, type CommandUpdate } from '../../commands/registry/changes.ts'

/** A value that differs. `before` or `after` is absent where there is no such value. */
export interface Difference {
  /** The path of the value, with the names of options and choices instead of indices. */
  readonly path: readonly string[]
  readonly before?: unknown
  readonly after?: unknown
}

/** Every value that an update changes, in the order of the command's fields. */
export function differencesOf({ before, after, fields }: CommandUpdate): readonly Difference[] {
  const [left, right] = [before, after] as unknown as [JsonObject, JsonObject]
  return fields.flatMap((field) => between(left[field], right[field], [field]))
}

function between(before: unknown, after: unknown, path: readonly string[]): readonly Difference[] {
  const key = path.at(-1)!
  if (sameJson({ [key]: before }, { [key]: after }, setFields)) return []
  const within = inside(before, after, path)
  return within.length > 0 ? within : [{ path, before, after }]
}

/** The differences inside two values; none if they can only be compared as a whole. */
function inside(before: unknown, after: unknown, path: readonly string[]): readonly Difference[] {
  const lists = [named(before ?? []), named(after ?? [])] as const
  if (lists[0] !== undefined && lists[1] !== undefined) return inLists(lists[0], lists[1], path)
  const [left, right] = [before ?? {}, after ?? {}]
  if (!isObject(left) || !isObject(right)) return []
  const keys = new Set([...Object.keys(right), ...Object.keys(left)])
  return [...keys].flatMap((key) => between(ownValue(left, key), ownValue(right, key), [...path, key]))
}

function ownValue(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

type Named = ReadonlyMap<string, unknown>

/** The items of a list by name; `undefined` if names are missing or repeated. */
function named(list: unknown): Named | undefined {
  if (!Array.isArray(list)) return undefined
  const items = new Map<string, unknown>()
  for (const item of list) {
    if (!isObject(item) || typeof item.name !== 'string' || items.has(item.name)) return undefined
    items.set(item.name, item)
  }
  return items
}

function inLists(before: Named, after: Named, path: readonly string[]): readonly Difference[] {
  const found: Difference[] = []
  for (const [name, item] of after) {
    const at = [...path, name]
    if (before.has(name)) found.push(...between(before.get(name), item, at))
    else found.push({ path: at, after: item })
  }
  for (const [name, item] of before) if (!after.has(name)) found.push({ path: [...path, name], before: item })
  const [left, right] = [kept(before, after), kept(after, before)]
  if (!sameJson(left, right)) found.push({ path, before: left, after: right })
  return found
}

function kept(names: Named, others: Named): readonly string[] {
  return [...names.keys()].filter((name) => others.has(name))
}

// --- For people -----------------------------------------------------------------------------------------------

// The length of an excerpt, and of its part before the first difference.
const EXCERPT = 40
const LEAD = 12

/** A difference in a line: `options.level.description  "How much" → "How loud"`. */
export function differenceText({ path, before, after }: Difference): string {
  const place = path
    .map((step) => (/^[\p{L}\p{M}\p{N}_'-]+$/u.test(step) ? step : quoted(step, EXCERPT)))
    .join('.')
  if (before === undefined && isObject(after)) return `${place}  new`
  if (after === undefined && isObject(before)) return `${place}  removed`
  const [old, now] =
    typeof before === 'string' && typeof after === 'string'
      ? excerpts(before, after)
      : [valueText(before), valueText(after)]
  return `${place}  ${old} → ${now}`
}

/** Excerpts of two texts that contain the first difference. */
function excerpts(before: string, after: string): readonly [string, string] {
  const [left, right] = [Array.from(before), Array.from(after)]
  let same = 0
  while (same < left.length && left[same] === right[same]) same++
  const start = Math.max(left.length, right.length) > EXCERPT && same > LEAD ? same - LEAD : 0
  const cut = (characters: readonly string[]) =>
    quoted(`${start > 0 ? '…' : ''}${characters.slice(start).join('')}`, EXCERPT)
  return [cut(left), cut(right)]
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return 'none'
  if (typeof value === 'string') return quoted(value, EXCERPT)
  if (!Array.isArray(value)) return isObject(value) ? '{…}' : String(value)
  if (value.some(isObject)) return counted(value.length, 'item')
  const shown = value.slice(0, 6).map(valueText)
  return `[${[...shown, ...(value.length > shown.length ? ['…'] : [])].join(', ')}]`
}
