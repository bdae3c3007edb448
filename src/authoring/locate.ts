/** Finds the positions of paths in a JSON text. One pass over the text, no recursion, any depth. */
import type { Path, PathStep } from '../core/rule.ts'

// A quote, a bracket, or a literal without quotes. Commas and colons tell nothing more.
const TOKEN = /["{}[\]]|[^\s,:[\]{}"]+/g

/** Offsets in a text, in UTF-16 units: `text.slice(start, end)`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A line and a column, both from 1. Columns count UTF-16 units, as editors and browsers do. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** A value of a text, or the nearest parent of one that does not exist. */
export interface FoundNode {
  readonly node: ValueNode
  /** What holds the value; null for the document itself. */
  readonly holder: ValueNode | null
  /** Steps of the path that exist. */
  readonly depth: number
}

/**
 * Finds the values of paths in a text, which it reads once. Of duplicate keys the last one counts, as for `JSON.parse`.
 *
 * @param text valid JSON; the result of another text is undefined behaviour, but never an error
 */
export function nodeFinder(text: string): (path: Path) => FoundNode {
  const root = readValue(text)
  return (path) => {
    let node = root
    let holder: ValueNode | null = null
    let depth = 0
    for (const step of path) {
      const next = memberOf(text, node, step)
      if (next === undefined) break
      holder = node
      node = next
      depth++
    }
    return { node, holder, depth }
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

/** The keys of a JSON text that an earlier key of the same object has already: their paths and offsets. */
export function duplicateKeys(text: string): readonly { readonly path: Path; readonly start: number }[] {
  interface Open {
    readonly node: ValueNode
    readonly step: PathStep
    readonly holder: Open | null
  }
  const found: { path: Path; start: number }[] = []
  const open: Open[] = [{ node: readValue(text), step: '', holder: null }]
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

/** A value, with everything in it. */
export interface ValueNode extends Span {
  /** The key of a member, quotes included; null for an item and for the document. */
  readonly key: Span | null
  end: number
  readonly isObject: boolean
  /** The members or items in the order of the text; empty for other values. */
  readonly children: ValueNode[]
  /** The children by key or index; null until one is looked up. */
  byStep: Map<PathStep, ValueNode> | null
}

function readValue(text: string): ValueNode {
  let root: ValueNode | undefined
  const open: ValueNode[] = []
  let key: Span | null = null
  const tokens = new RegExp(TOKEN)
  for (let match = tokens.exec(text); match !== null; match = tokens.exec(text)) {
    const { 0: token, index: start } = match
    // An expression that matches long strings would exceed the stack.
    if (token === '"') tokens.lastIndex = stringEnd(text, start + 1)
    const end = tokens.lastIndex
    const holder = open.at(-1)
    if (token === ']' || token === '}') {
      if (holder !== undefined) holder.end = end
      open.pop()
    } else if (token === '"' && holder?.isObject && key === null) key = { start, end }
    else {
      const node = { key, start, end, isObject: token === '{', children: [], byStep: null }
      root ??= node
      holder?.children.push(node)
      if (token === '{' || token === '[') open.push(node)
      key = null
    }
    if (open.length === 0) break
  }
  return root ?? { key, start: text.length, end: text.length, isObject: false, children: [], byStep: null }
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

function stringEnd(text: string, start: number): number {
  for (let at = start; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === 0x22) return at + 1
    if (unit === 0x5c) at++
  }
  return text.length
}
