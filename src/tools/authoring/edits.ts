import { nodeFinder, type FoundNode, type Span, type ValueNode } from './locate.ts'
import type { Edit, PathStep } from '../../core/rules/rule.ts'

interface Replacement extends Span {
  readonly text: string
}

/**
 * The text with edits applied; all other characters are unchanged. Skips edits of missing paths, and edits that overlap
 * an earlier one: read the result again to apply the rest.
 */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const find = nodeFinder(text)
  const accepted: Replacement[] = []
  for (const edit of edits) {
    const replacement = replacementOf(text, edit, find(edit.path))
    if (replacement !== undefined && !accepted.some((other) => overlaps(other, replacement)))
      accepted.push(replacement)
  }
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

function replacementOf(text: string, edit: Edit, { node, depth }: FoundNode): Replacement | undefined {
  const { path } = edit
  const { holder, key, start, end } = node
  const isThere = depth === path.length
  if (edit.op === 'set') {
    if (isThere) return { start, end, text: JSON.stringify(edit.value) }
    return depth === path.length - 1 ? insertion(text, node, path.at(-1)!, edit.value) : undefined
  }
  if (!isThere || holder === null) return undefined
  const siblings = holder.children
  const index = siblings.indexOf(node)
  switch (edit.op) {
    case 'remove':
      return removal(siblings, index)
    case 'rename':
      if (key === null || siblings.some((other) => other.step === edit.to)) return undefined
      return { ...key, text: JSON.stringify(edit.to) }
    case 'move':
      return key === null ? move(text, siblings, index, edit.to) : undefined
  }
}

/** Adds a member at the end of an object, with the layout of the others. */
function insertion(text: string, object: ValueNode, key: PathStep, value: unknown): Replacement | undefined {
  if (typeof key !== 'string' || !object.isObject) return undefined
  const member = `${JSON.stringify(key)}: ${JSON.stringify(value)}`
  const members = object.children
  const last = members.at(-1)
  if (last === undefined) return { start: object.start + 1, end: object.start + 1, text: member }
  const before = members.at(-2)?.end ?? object.start
  const between = text.slice(before, last.key!.start)
  const layout = between.slice(between.trimEnd().length)
  return { start: last.end, end: last.end, text: `,${layout}${member}` }
}

/** Removes a member or item with the comma before it, or after it if it is the first. */
function removal(siblings: readonly ValueNode[], index: number): Replacement {
  const { key, start, end } = siblings[index]!
  const begin = key?.start ?? start
  if (index > 0) return { start: siblings[index - 1]!.end, end, text: '' }
  const next = siblings[1]
  return { start: begin, end: next === undefined ? end : (next.key?.start ?? next.start), text: '' }
}

/** Moves an item; the text between items stays in place. */
function move(text: string, items: readonly ValueNode[], from: number, to: number): Replacement | undefined {
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
