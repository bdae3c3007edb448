/** Finds the position of a path in a JSON text. One pass, no recursion, any depth. */
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
  const root = wanted(null)
  const ends = paths.map((path) => path.reduce((node, step) => child(node, step), root))
  scan(text, root)
  return ends.map((end, index) => placeOf(end, paths[index]!.length))
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
export function childrenAt(text: string, start: number): readonly (Span & { readonly key: Span | null })[] {
  const children: { key: Span | null; start: number; end: number }[] = []
  const tokens = new Tokens(text, start)
  const opening = tokens.next()
  if (opening !== '{' && opening !== '[') return children
  let key: Span | null = null
  let depth = 1
  while (depth > 0) {
    const token = tokens.next()
    if (token === '') break
    if (depth === 1 && key === null && opening === '{' && token === '"') {
      key = { start: tokens.start, end: tokens.end }
      continue
    }
    if (token === ':' || token === ',') continue
    if (depth === 1 && token !== ']' && token !== '}') {
      children.push({ key, start: tokens.start, end: tokens.end })
      key = null
    }
    if (token === '{' || token === '[') depth++
    if (token === '}' || token === ']') depth--
    if (depth === 1 && children.length > 0 && (token === '}' || token === ']'))
      children.at(-1)!.end = tokens.end
  }
  return children
}

// --- What is looked for: a tree of the wanted paths -----------------------------------------------------------

interface Wanted {
  readonly parent: Wanted | null
  readonly children: Map<PathStep, Wanted>
  place: { key: Span | null; start: number; end: number } | null
  /** How often the parent and this value were seen: a later duplicate of the parent hides what stood in an earlier. */
  seen: number
  seenInParent: number
}

function wanted(parent: Wanted | null): Wanted {
  return { parent, children: new Map(), place: null, seen: 0, seenInParent: 0 }
}

function child(parent: Wanted, step: PathStep): Wanted {
  let node = parent.children.get(step)
  if (node === undefined) parent.children.set(step, (node = wanted(parent)))
  return node
}

function placeOf(end: Wanted, length: number): ValuePosition {
  // From the end to the root and back: a place counts only where every parent is the one that counts.
  const chain: Wanted[] = []
  for (let node: Wanted | null = end; node !== null; node = node.parent) chain.push(node)
  let found = chain.pop()!
  let depth = 0
  while (depth < length) {
    const next = chain.pop()!
    if (next.place === null || next.seenInParent !== found.seen) break
    found = next
    depth++
  }
  const { key, start, end: stop } = found.place ?? { key: null, start: 0, end: 0 }
  return { key, value: { start, end: stop }, depth }
}

function scan(text: string, root: Wanted): void {
  const tokens = new Tokens(text, 0)
  // The open objects and lists, and the wanted path of each; undefined where nothing below is wanted.
  const open: { node: Wanted | undefined; index: number }[] = []
  let key: Span | null = null
  let expectsKey = false
  for (let token = tokens.next(); token !== ''; token = tokens.next()) {
    const top = open.at(-1)
    if (token === ',') {
      if (top !== undefined && top.index >= 0) top.index++
      else expectsKey = top !== undefined
    } else if (token === ':') expectsKey = false
    else if (token === ']' || token === '}') {
      const closed = open.pop()
      if (closed?.node?.place) closed.node.place.end = tokens.end
      expectsKey = false
    } else if (expectsKey && token === '"') key = { start: tokens.start, end: tokens.end }
    else {
      const node = top === undefined ? root : top.node && entered(text, top.node, top.index, key)
      if (node !== undefined) {
        node.place = {
          key: top !== undefined && top.index < 0 ? key : null,
          start: tokens.start,
          end: tokens.end,
        }
        node.seen++
        node.seenInParent = node.parent?.seen ?? 0
      }
      if (token === '[') open.push({ node, index: 0 })
      if (token === '{') open.push({ node, index: -1 })
      expectsKey = token === '{'
      key = null
    }
  }
}

/** The wanted path of a value in an object or list; `undefined` when nothing there is wanted. */
function entered(text: string, parent: Wanted, index: number, key: Span | null): Wanted | undefined {
  if (parent.children.size === 0) return undefined
  if (index >= 0) return parent.children.get(index)
  return key === null ? undefined : parent.children.get(keyText(text, key))
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
