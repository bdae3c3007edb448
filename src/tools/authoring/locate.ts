/** Reads a JSON text: the positions of paths, and the first syntax error. One pass, no recursion, any depth. */
import { findTooDeep, MAX_JSON_DEPTH } from '../../core/json.ts'
import type { Path, PathStep } from '../../core/rules/rule.ts'

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
  /** Steps of the path that exist. */
  readonly depth: number
}

/**
 * Finds the values of paths in a text, which it reads once. Of duplicate keys the last one counts, as for `JSON.parse`.
 *
 * @param text JSON; of a text that is not valid, only the part before the first error is read
 */
export function nodeFinder(text: string): (path: Path) => FoundNode {
  const { root } = scanText(text)
  return (path) => {
    let node = root
    let depth = 0
    for (const step of path) {
      node.byStep ??= new Map(node.children.map((child) => [child.step, child]))
      const next = node.byStep.get(step)
      if (next === undefined) break
      node = next
      depth++
    }
    return { node, depth }
  }
}

/**
 * The index of the first syntax error, or of the list or object that is nested too deep; the length of the text if its
 * end is missing; `undefined` for valid JSON.
 */
export function jsonFault(text: string): number | undefined {
  // What is nested deeper is not read: without it the end of the text is missing.
  return scanText(text.slice(0, findTooDeep(text))).fault
}

/** What to change at the first syntax error of a text. */
export function jsonRemedy(text: string, offset: number): string {
  const before = text.slice(0, offset).trimEnd().at(-1) ?? ''
  const rest = text.slice(offset)
  if (findTooDeep(text) === offset) return `at most ${MAX_JSON_DEPTH} levels of lists and objects are allowed`
  if (rest.trim() === '') return before === '' ? 'the file is empty' : 'the end is missing'
  if (/^(?:\/[/*]|#)/.test(rest)) return 'JSON has no comments; remove it'
  if (/^[}\]]/.test(rest) && before === ',') return 'remove the comma before it'
  if (/^[\w-]/.test(rest) && before === '') return 'expected JSON, or a module such as commands.js'
  if (/^['‘’“”`]|^[a-z_$]/i.test(rest)) return 'write keys and texts in double quotes'
  // A text without a quote at its end, in the last line.
  if (/^"(?:[^"\\\n]|\\.)*\s*$/.test(rest)) return 'the end is missing'
  if (rest.startsWith('"') && /["}\]\w]/.test(before)) return 'a comma or a colon is missing before it'
  if (rest.startsWith('"'))
    return 'write \\n, \\t and \\\\ for the line breaks, tabs and backslashes of this text'
  return 'expected another character'
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
  const found: { path: Path; start: number }[] = []
  const open = [scanText(text).root]
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    const seen = new Set<PathStep>()
    for (const node of holder.children) {
      if (seen.has(node.step)) found.push({ path: pathOf(node), start: node.key!.start })
      seen.add(node.step)
      open.push(node)
    }
  }
  return found
}

function pathOf(node: ValueNode): Path {
  const path: PathStep[] = []
  for (let at = node; at.holder !== null; at = at.holder) path.unshift(at.step)
  return path
}

/** A value, with everything in it. */
export interface ValueNode extends Span {
  /** Null for the document itself. */
  readonly holder: ValueNode | null
  /** The key or the index in the holder. */
  readonly step: PathStep
  /** The place of the key of a member, quotes included; null for an item and for the document. */
  readonly key: Span | null
  end: number
  readonly isObject: boolean
  /** The members or items in the order of the text; empty for other values. */
  readonly children: ValueNode[]
  /** The children by their steps, the last of duplicate keys; null until one is looked up. */
  byStep: Map<PathStep, ValueNode> | null
}

// Blanks, and after them a token or the beginning of a string.
const TOKEN = /[ \t\r\n]*(-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null|[[\]{},:"])?/y
const STRING_PART = /[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

// What may come, by what a token begins with; `0` stands for a number, `true`, `false` and `null`.
const VALUE = '"0[{'
const KEY = '"'

/** The values of a text up to its first syntax error, and where that is. */
function scanText(text: string): { readonly root: ValueNode; readonly fault: number | undefined } {
  let root: ValueNode | undefined
  const open: ValueNode[] = []
  let key: Span | null = null
  const nodeOf = (start: number, end: number, isObject: boolean): ValueNode => {
    const holder = open.at(-1) ?? null
    const step = key === null ? (holder?.children.length ?? 0) : keyText(text, key)
    return { holder, step, key, start, end, isObject, children: [], byStep: null }
  }
  let expected = VALUE
  // A file may begin with a byte order mark.
  let at = text.startsWith('\ufeff') ? 1 : 0
  for (;;) {
    TOKEN.lastIndex = at
    const [{ length }, token = ''] = TOKEN.exec(text)!
    const start = at + length - token.length
    if (start === text.length && expected === '') return { root: root!, fault: undefined }
    const end = token === '"' ? stringEnd(text, start + 1) : start + token.length
    const kind = '"[]{},:'.includes(token) ? token : '0'
    if (kind === '' || !expected.includes(kind) || end === undefined)
      return { root: root ?? nodeOf(text.length, text.length, false), fault: start }
    at = end
    if (kind === ',' || kind === ':') expected = kind === ',' && open.at(-1)!.isObject ? KEY : VALUE
    else if (kind === '"' && !expected.includes('0')) {
      key = { start, end }
      expected = ':'
    } else {
      if (kind === ']' || kind === '}') open.pop()!.end = end
      else {
        const node = nodeOf(start, end, kind === '{')
        root ??= node
        node.holder?.children.push(node)
        key = null
        if (kind === '[' || kind === '{') open.push(node)
      }
      const holder = open.at(-1)
      if (kind === '[') expected = `${VALUE}]`
      else if (kind === '{') expected = `${KEY}}`
      else expected = holder === undefined ? '' : holder.isObject ? ',}' : ',]'
    }
  }
}

/** The end of a string; undefined if it is not closed. One expression for all of it would exceed the stack. */
function stringEnd(text: string, start: number): number | undefined {
  STRING_PART.lastIndex = start
  let end = start
  while (STRING_PART.test(text)) end = STRING_PART.lastIndex
  return text[end] === '"' ? end + 1 : undefined
}

/** The text of a key: escapes are rare. */
function keyText(text: string, { start, end }: Span): string {
  const raw = text.slice(start + 1, end - 1)
  return raw.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : raw
}
