/** Edits a JSON text and keeps its formatting and order. */
import { childrenAt, keyText, locateAll, type Child, type ValuePosition, type Span } from './locate.ts'
import type { Edit, PathStep } from './rule.ts'

interface Replacement extends Span {
  readonly text: string
}

/**
 * The text with edits applied. All other characters are unchanged. Edits of missing paths, and edits that
 * overlap an earlier one, are skipped: read the result again to apply the rest.
 *
 * @param text valid JSON
 * @param edits with paths of that text
 */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const places = locateAll(
    text,
    edits.flatMap(({ path }) => [path, path.slice(0, -1)]),
  )
  const children = childrenOf(text)
  const accepted: Replacement[] = []
  edits.forEach((edit, index) => {
    const replacement = replacementOf(text, edit, places[2 * index]!, places[2 * index + 1]!, children)
    if (replacement !== undefined && !accepted.some((other) => overlaps(other, replacement)))
      accepted.push(replacement)
  })
  accepted.sort((a, b) => a.start - b.start)
  let result = ''
  let end = 0
  for (const replacement of accepted) {
    result += text.slice(end, replacement.start) + replacement.text
    end = replacement.end
  }
  return result + text.slice(end)
}

// Adjacent edits overlap too: a new member after a removed one would lose its comma.
function overlaps(a: Span, b: Span): boolean {
  return a.start <= b.end && b.start <= a.end
}

type Children = (start: number) => readonly Child[]

/** The children of each value, cached. */
function childrenOf(text: string): Children {
  const known = new Map<number, readonly Child[]>()
  return (start) => {
    const children = known.get(start) ?? childrenAt(text, start)
    known.set(start, children)
    return children
  }
}

function replacementOf(
  text: string,
  edit: Edit,
  { key, value, depth }: ValuePosition,
  parent: ValuePosition,
  children: Children,
): Replacement | undefined {
  const { path } = edit
  const isThere = depth === path.length
  if (edit.op === 'set') {
    if (isThere) return { ...value, text: JSON.stringify(edit.value) }
    return depth === path.length - 1 ? insertion(text, value, path.at(-1)!, edit.value, children) : undefined
  }
  if (!isThere || path.length === 0) return undefined
  const siblings = children(parent.value.start)
  const index = siblings.findIndex(({ start }) => start === value.start)
  switch (edit.op) {
    case 'remove':
      return removal(siblings, index)
    case 'rename':
      if (
        key === null ||
        siblings.some((other) => other.key !== null && keyText(text, other.key) === edit.to)
      )
        return undefined
      return { ...key, text: JSON.stringify(edit.to) }
    case 'move':
      return key === null ? move(text, siblings, index, edit.to) : undefined
  }
}

/** Adds a member at the end of an object, with the layout of the others. */
function insertion(
  text: string,
  object: Span,
  key: PathStep,
  value: unknown,
  children: Children,
): Replacement | undefined {
  if (typeof key !== 'string' || text[object.start] !== '{') return undefined
  const member = `${JSON.stringify(key)}: ${JSON.stringify(value)}`
  const members = children(object.start)
  const last = members.at(-1)
  if (last === undefined) return { start: object.start + 1, end: object.start + 1, text: member }
  const before = members.at(-2)?.end ?? object.start
  const layout = /\s*$/.exec(text.slice(before, last.key!.start))![0]
  return { start: last.end, end: last.end, text: `,${layout}${member}` }
}

/** Removes a member or item with the comma before it, or after it if it is the first. */
function removal(siblings: readonly Child[], index: number): Replacement {
  const { key, start, end } = siblings[index]!
  const begin = key?.start ?? start
  if (index > 0) return { start: siblings[index - 1]!.end, end, text: '' }
  const next = siblings[1]
  return { start: begin, end: next === undefined ? end : (next.key?.start ?? next.start), text: '' }
}

/** Moves an item; the text between items stays in place. */
function move(text: string, items: readonly Child[], from: number, to: number): Replacement | undefined {
  if (from === to || items[to] === undefined) return undefined
  const [first, last] = from < to ? [from, to] : [to, from]
  const order = items.slice(first, last + 1)
  const [moved] = order.splice(from - first, 1)
  order.splice(to - first, 0, moved!)
  let moves = ''
  order.forEach(({ start, end }, index) => {
    const place = items[first + index]!
    const next = items[first + index + 1]
    moves += text.slice(start, end) + (first + index < last ? text.slice(place.end, next!.start) : '')
  })
  return { start: items[first]!.start, end: items[last]!.end, text: moves }
}
