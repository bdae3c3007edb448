/** Looks up what a message or a modal refers to, in one pass (clause 2.11-14). */
import { isObject, type JsonObject } from '../../core/json.ts'
import type { Report } from '../../core/rules/report.ts'
import type { Path } from '../../core/rules/rule.ts'
import { numberOf, partsOf, type Part } from './component-parts.ts'
import { cleanFileName } from './form.ts'
import { embedMediaOf, mediaOf, MOST_ITEMS } from './media-addresses.ts'
import { referenceRules as rules } from './reference-rules.ts'

/** A file beside a body. */
export interface BodyFile {
  readonly key: string
  readonly filename?: string
}

/** What references are looked up in. */
export interface ReferenceBase {
  /** The message that is edited; null for a new one. */
  readonly before: JsonObject | null
  /** The files beside the body; undefined when they are unknown. */
  readonly files?: readonly BodyFile[] | undefined
  /** Whether the app may use a custom emoji here. Absent: unknown. */
  readonly hasEmoji?: ((id: string) => boolean) | undefined
}

const OWN_FILE = /^attachment:\/\/(.+)$/

/** The file of a message that an address names, as the service keeps it; undefined for an address on the web. */
export function fileNamedBy(url: unknown): string | undefined {
  const name = typeof url === 'string' ? OWN_FILE.exec(url)?.[1] : undefined
  return name === undefined ? undefined : cleanFileName(name)
}

/** The entry of `attachments` for a file of the request: by its number, or else by its place in the list. */
export function entryOf<Entry extends JsonObject>(
  attachments: readonly Entry[] | undefined,
  key: string,
  index: number,
): Entry | undefined {
  return attachments?.find((one) => String(one.id ?? index) === key)
}

/** The names of the files that a message has afterwards; undefined when they are unknown. */
function namesOf(
  { attachments }: JsonObject,
  { before, files }: ReferenceBase,
): readonly string[] | undefined {
  const listed = Array.isArray(attachments) ? attachments.filter(isObject) : undefined
  const had = Array.isArray(before?.attachments) ? before.attachments.filter(isObject) : []
  const kept = had.filter(({ id }) => listed === undefined || listed.some((one) => String(one.id) === id))
  const names = [
    ...kept.map(({ filename }) => filename),
    ...(files ?? [undefined]).map((file, index) => {
      const named = file && entryOf(listed, file.key, index)?.filename
      const name = typeof named === 'string' ? named : file?.filename
      return name === undefined ? undefined : cleanFileName(name)
    }),
  ]
  return names.every((name) => typeof name === 'string') ? names : undefined
}

/** Looks up what the components, embeds and the poll of a message refer to. */
export function readReferences(report: Report, data: JsonObject, base: ReferenceBase): void {
  const names = namesOf(data, base)
  const parts = Array.isArray(data.components) ? partsOf(data.components, ['components']) : []
  readParts(report, parts, base)
  if (names !== undefined) {
    for (const { component, path } of parts)
      for (const [url, at] of mediaOf(component))
        checkFile(report, rules.mediaFile, url, [...path, ...at], names)
    for (const [url, at] of embedMediaOf(data)) checkFile(report, rules.embedFile, url, at, names)
  }
  const { poll } = data
  const answers = isObject(poll) && Array.isArray(poll.answers) ? poll.answers.filter(isObject) : []
  for (const [index, { poll_media: media }] of answers.entries())
    if (isObject(media)) checkEmoji(report, media, ['poll', 'answers', index, 'poll_media'], base)
}

/** Looks up what the components of a message or a modal refer to, but for files. */
export function readParts(
  report: Report,
  parts: readonly Part[],
  base: Pick<ReferenceBase, 'hasEmoji'>,
): void {
  const numbered = parts.filter(({ component }) => numberOf(component) !== undefined)
  const numbers = numbered.map(({ component }) => component.id)
  for (const [index, { path }] of numbered.entries())
    report.at([...path, 'id'], () => report.check(rules.componentNumbers, numbers, index))
  for (const { component, path } of parts) {
    checkEmoji(report, component, path, base)
    report.at([...path, 'sku_id'], () => report.check(rules.buttonSku, component.sku_id))
    const { options } = component
    if (!Array.isArray(options)) continue
    report.at([...path, 'options'], () => report.check(rules.menuMaxOptions, component))
    for (const [index, one] of options.slice(0, MOST_ITEMS).entries())
      if (isObject(one)) checkEmoji(report, one, [...path, 'options', index], base)
  }
}

function checkEmoji(
  report: Report,
  { emoji }: JsonObject,
  path: Path,
  { hasEmoji }: Pick<ReferenceBase, 'hasEmoji'>,
): void {
  if (!isObject(emoji)) return
  report.at([...path, 'emoji', 'name'], () => report.check(rules.emojiForm, emoji))
  const { id } = emoji
  if (hasEmoji === undefined || id === undefined || id === null) return
  report.at([...path, 'emoji', 'id'], () => report.check(rules.emojiUnknown, id, hasEmoji(String(id))))
}

function checkFile(
  report: Report,
  rule: typeof rules.mediaFile | typeof rules.embedFile,
  url: unknown,
  at: Path,
  names: readonly string[],
): void {
  const name = fileNamedBy(url)
  if (name !== undefined) report.at(at, () => report.check(rule, name, names))
}
