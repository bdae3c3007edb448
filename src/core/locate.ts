/** Finds the positions of paths in a JSON text. One pass over the text, no recursion, any depth. */
import type { Path, PathStep } from './rule.ts'

/** Offsets in a text, in UTF-16 units: `text.slice(start, end)`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The position of a value. */
export interface ValuePosition {
  /** The key of the value, quotes included; null for an item of a list and for the document itself. */
  readonly key: Span | null
  readonly value: Span
  /** Steps of the path that exist; less than its length when the place is that of the nearest parent. */
  readonly depth: number
}

/** A line and a column, both from 1. Columns count UTF-16 units, as editors and browsers do. */
export interface Position {
  readonly line: number
  readonly column: number
}

/**
 * The place of a path in a JSON text. A path that does not exist, such as that of a missing field, gives the place of
 * its nearest parent. Of duplicate keys the last one counts, as for `JSON.parse`.
 *
 * @param text valid JSON; the result of another text is undefined behaviour, but never an error
 */
export function locate(text: string, path: Path): ValuePosition {
  return locateAll(text, [path])[0]!
}

/** The places of many paths, in one pass over the text. */
export function locateAll(text: string, paths: readonly Path[]): readonly ValuePosition[] {
  return paths.map(locator(text))
}

/** Finds the places of paths in a text, which it reads once. */
export function locator(text: string): (path: Path) => ValuePosition {
  const root = readValue(text, 0)
  return (path) => {
    let found = root
    let depth = 0
    for (const step of path) {
      const next = memberOf(text, found, step)
      if (next === undefined) break
      found = next
      depth++
    }
    return { key: found.key, value: { start: found.start, end: found.end }, depth }
  }
}

/** Finds the line and column of offsets in a text. */
export function positionsIn(text: string): (offset: number) => Position {
  const starts = [0]
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) starts.push(end + 1)
  return (offset) => {
    let [low, high] = [0, starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (starts[middle]! <= offset) low = middle
      else high = middle
    }
    return { line: low + 1, column: offset - starts[low]! + 1 }
  }
}

/** The members of an object or the items of a list, in the order of the text; empty for other values. */
export function childrenAt(text: string, start: number): readonly Child[] {
  return readValue(text, start).children
}

/** The keys of a JSON text that an earlier key of the same object has already: their paths and offsets. */
export function duplicateKeys(text: string): readonly { readonly path: Path; readonly start: number }[] {
  interface Open {
    readonly node: ValueNode
    readonly step: PathStep
    readonly holder: Open | null
  }
  const found: { path: Path; start: number }[] = []
  const open: Open[] = [{ node: readValue(text, 0), step: '', holder: null }]
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    const seen = new Set<PathStep>()
    for (const [index, node] of holder.node.children.entries()) {
      const step = node.key === null ? index : keyText(text, node.key)
      if (seen.has(step)) {
        const path = [step]
        for (let at = holder; at.holder !== null; at = at.holder) path.unshift(at.step)
        found.push({ path, start: node.key!.start })
      }
      seen.add(step)
      if (node.children.length > 0) open.push({ node, step, holder })
    }
  }
  return found
}

/** A member of an object, or an item of a list. */
export interface Child extends Span {
  /** The key of a member, quotes included; null for an item. */
  readonly key: Span | null
}

interface ValueNode extends Child {
  end: number
  readonly isObject: boolean
  readonly children: ValueNode[]
  /** The children by key or index; null until one is looked up. */
  byStep: Map<PathStep, ValueNode> | null
}

/** The value that starts at an offset, with everything in it; an empty one at the end of the text. */
function readValue(text: string, start: number): ValueNode {
  const tokens = new Tokens(text, start)
  const node = (key: Span | null, token: string): ValueNode => ({
    key,
    start: tokens.start,
    end: tokens.end,
    isObject: token === '{',
    children: [],
    byStep: null,
  })
  const first = tokens.next()
  const root = node(null, first)
  // The open objects and lists, the innermost last.
  const open = isOpening(first) ? [root] : []
  let key: Span | null = null
  for (let holder = open.at(-1); holder !== undefined; holder = open.at(-1)) {
    const token = tokens.next()
    if (token === '') break
    if (token === ',' || token === ':') continue
    if (token === ']' || token === '}') {
      holder.end = tokens.end
      open.pop()
    } else if (token === '"' && holder.isObject && key === null)
      key = { start: tokens.start, end: tokens.end }
    else {
      const child = node(key, token)
      holder.children.push(child)
      if (isOpening(token)) open.push(child)
      key = null
    }
  }
  return root
}

function isOpening(token: string): boolean {
  return token === '{' || token === '['
}

/** A member by its key or an item by its index. Of duplicate keys the last one counts. */
function memberOf(text: string, holder: ValueNode, step: PathStep): ValueNode | undefined {
  holder.byStep ??= new Map(
    holder.children.map((child, index) => [child.key === null ? index : keyText(text, child.key), child]),
  )
  return holder.byStep.get(step)
}

/** The text of a key: escapes are rare. */
export function keyText(text: string, { start, end }: Span): string {
  const raw = text.slice(start + 1, end - 1)
  if (!raw.includes('\\')) return raw
  try {
    return JSON.parse(text.slice(start, end)) as string
  } catch {
    return raw
  }
}

const LITERAL = /[^\s,:[\]{}"]+/y

/** The tokens of a JSON text: `{ } [ ] : ,` as themselves, `"` for a string, `0` for other literals, empty at the end. */
class Tokens {
  start = 0
  end: number
  readonly #text: string

  constructor(text: string, start: number) {
    this.#text = text
    this.end = start
  }

  next(): string {
    const text = this.#text
    let at = this.end
    for (let unit = text.charCodeAt(at); unit <= 0x20 || unit === 0xfeff; unit = text.charCodeAt(at)) at++
    this.start = at
    if (at >= text.length) return ''
    const character = text[at]!
    if (character === '"') {
      this.end = stringEnd(text, at + 1)
      return character
    }
    if ('{}[]:,'.includes(character)) {
      this.end = at + 1
      return character
    }
    LITERAL.lastIndex = at
    this.end = at + Math.max(1, LITERAL.exec(text)?.[0].length ?? 1)
    return '0'
  }
}

/** The offset behind the closing quote of a string. */
function stringEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x22) return at + 1
    if (unit === 0x5c) at++
  }
  return text.length
}
