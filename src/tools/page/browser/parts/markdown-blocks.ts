/** Discord's Markdown as a tree. Reading takes time that grows with the text, whatever it has. */

/** A part of a line. */
export type Mark =
  | string
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: Style; readonly content: readonly Mark[] }
  | { readonly kind: 'link'; readonly content: readonly Mark[]; readonly url: string }
  | { readonly kind: 'user' | 'role' | 'channel'; readonly id: string }
  | { readonly kind: 'mention'; readonly text: string }
  | { readonly kind: 'time'; readonly seconds: number; readonly style: string | undefined }

type Style = 'bold' | 'italic' | 'bold-italic' | 'underline' | 'strike' | 'spoiler'

export interface ListItem {
  /** The lists around its own. */
  readonly depth: number
  readonly number: number | undefined
  readonly content: readonly Mark[]
}

export type Block =
  | { readonly kind: 'text' | 'small'; readonly content: readonly Mark[] }
  | { readonly kind: 'heading'; readonly level: number; readonly content: readonly Mark[] }
  | { readonly kind: 'list'; readonly items: readonly ListItem[] }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'code'; readonly text: string }

/** Marks that hold others nest so deep, and within them the text stays as it is. */
const DEEPEST = 8

// --- Marks ----------------------------------------------------------------------------------------------------

/** A mark from an opening to the first closing after it, which does not depend on where it was opened. */
interface Span {
  readonly kind: Style | 'code'
  /** Sticky. */
  readonly open: RegExp
  /** Global. */
  readonly close: RegExp
}

/** A mark that one expression finds. It is sticky, and has no opening of another one within. */
interface Pattern {
  readonly pattern: RegExp
  read(match: RegExpExecArray, depth: number): Mark
}

const span = (kind: Span['kind'], open: RegExp, close: RegExp): Span => ({ kind, open, close })
const one = (pattern: RegExp, read: Pattern['read']): Pattern => ({ pattern, read })
const mention = (pattern: RegExp, textOf: (match: RegExpExecArray) => string) =>
  one(pattern, (match) => ({ kind: 'mention', text: textOf(match) }))

/** The end of a sentence is not of it, nor a bracket that was opened before it. */
const ADDRESS = /https?:\/\/(?:[^\s<>|()]|\([^\s<>|()]*\))*(?:[^\s<>|().,:;"'\]]|\([^\s<>|()]*\))/y

/** The rules by the character with which they begin, the first that fits first. */
const rules: Readonly<Record<string, readonly (Span | Pattern)[]>> = {
  '\\': [one(/\\([^0-9A-Za-z\s])/y, ([, character]) => character!)],
  '¯': [one(/¯\\_\(ツ\)_\/¯/y, ([text]) => text)],
  '`': [span('code', /``(?!`)/y, /(?<!`)``(?!`)/g), span('code', /`(?!`)/y, /(?<!`)`(?!`)/g)],
  '*': [
    span('bold-italic', /\*\*\*(?!\s)/y, /\*\*\*/g),
    span('bold', /\*\*/y, /(?<!\\)\*\*(?!\*)/g),
    // Two together are of a bold text within.
    span('italic', /\*(?!\s)/y, /(?<![\s\\]|(?<!\*)\*)\*(?!\*)/g),
  ],
  _: [span('underline', /__/y, /__(?!_)/g), span('italic', /(?<!\w)_/y, /_(?!\w)/g)],
  '~': [span('strike', /~~/y, /~~/g)],
  '|': [span('spoiler', /\|\|/y, /\|\|/g)],
  '[': [
    // A text that looks like an address would hide the other one.
    one(
      /\[(?![^[\]\n]*https?:\/\/)([^[\]\n]+)\]\(<?(https?:\/\/[^\s<>)[]+)>?(?:[ \t]+"[^"\n]*")?\)/y,
      ([, text, url], depth) => ({
        kind: 'link',
        content: marksIn(text!, depth + 1),
        url: url!,
      }),
    ),
  ],
  '<': [
    one(/<(https?:\/\/[^\s<>]+)>/y, ([, url]) => ({ kind: 'link', content: [url!], url: url! })),
    one(/<@!?(\d+)>/y, ([, id]) => ({ kind: 'user', id: id! })),
    one(/<@&(\d+)>/y, ([, id]) => ({ kind: 'role', id: id! })),
    one(/<#(\d+)>/y, ([, id]) => ({ kind: 'channel', id: id! })),
    mention(/<\/([^:<>\n]+):\d+>/y, ([, name]) => `/${name}`),
    one(/<t:(-?\d{1,13})(?::([tTdDfFR]))?>/y, ([, seconds, style]) => ({
      kind: 'time',
      seconds: Number(seconds),
      style,
    })),
    one(/<a?(:\w+:)\d+>/y, ([, name]) => name!),
  ],
  h: [one(ADDRESS, ([url]) => ({ kind: 'link', content: [url], url }))],
  '@': [mention(/@(?:everyone|here)\b/y, ([text]) => text)],
}

/** Where a rule may fit: no other character begins one. */
const BEGINNINGS = /[\\`*_~|[<@¯]|https?:\/\//g

interface Found {
  readonly mark: Mark
  readonly end: number
}

export function marksOf(text: string): readonly Mark[] {
  return marksIn(text, 0)
}

function marksIn(text: string, depth: number): readonly Mark[] {
  if (depth > DEEPEST) return [text]
  const marks: Mark[] = []
  const closings = new Closings(text)
  let end = 0
  for (const { index } of text.matchAll(BEGINNINGS)) {
    if (index < end) continue
    const found = markAt(text, index, closings, depth)
    if (found === undefined) continue
    if (index > end) marks.push(text.slice(end, index))
    marks.push(found.mark)
    end = found.end
  }
  return end < text.length ? [...marks, text.slice(end)] : marks
}

function markAt(text: string, index: number, closings: Closings, depth: number): Found | undefined {
  for (const rule of rules[text[index]!]!) {
    const found =
      'open' in rule ? spanAt(text, index, rule, closings, depth) : patternAt(text, index, rule, depth)
    if (found !== undefined) return found
  }
  return undefined
}

function patternAt(
  text: string,
  index: number,
  { pattern, read }: Pattern,
  depth: number,
): Found | undefined {
  pattern.lastIndex = index
  const match = pattern.exec(text)
  return match === null ? undefined : { mark: read(match, depth), end: index + match[0].length }
}

function spanAt(
  text: string,
  index: number,
  rule: Span,
  closings: Closings,
  depth: number,
): Found | undefined {
  rule.open.lastIndex = index
  const opening = rule.open.exec(text)
  if (opening === null) return undefined
  const start = index + opening[0].length
  const closing = closings.after(rule, start + 1)
  if (closing === null) return undefined
  const inner = text.slice(start, closing.start)
  const { kind } = rule
  const mark: Mark = kind === 'code' ? { kind, text: inner } : { kind, content: marksIn(inner, depth + 1) }
  return { mark, end: closing.end }
}

interface Closing {
  readonly start: number
  readonly end: number
}

/** The next closing of each span in one text. Each is searched once, from left to right. */
class Closings {
  readonly #text: string
  readonly #next = new Map<Span, Closing | null>()

  constructor(text: string) {
    this.#text = text
  }

  /** @param from no less than in the call before */
  after(span: Span, from: number): Closing | null {
    const known = this.#next.get(span)
    if (known === null || (known !== undefined && known.start >= from)) return known
    span.close.lastIndex = from
    const match = span.close.exec(this.#text)
    const next = match && { start: match.index, end: match.index + match[0].length }
    this.#next.set(span, next)
    return next
  }
}

// --- Blocks ---------------------------------------------------------------------------------------------------

const CODE = /```(?:[\w+-]+\n)?\n?([^]+?)\n?```\n?/g
/** Code, or a quote with all in it: of lines, or of the rest. */
const CODE_OR_QUOTE = /```(?:[\w+-]+\n)?\n?([^]+?)\n?```\n?|^>>> ([^]*)|((?:^> .*\n?)+)/gm
const HEADING = /^(#{1,3}) +([^ ].*)$/
const SMALL = /^-# +([^ ].*)$/
const ITEM = /^( *)(?:[-*]|(\d+)\.) +([^ ].*|)$/
const OTHERS = [HEADING, SMALL, ITEM]

/** The blocks of a text. A quote has no quotes within, as on Discord. */
export function blocksOf(text: string, isInQuote = false): readonly Block[] {
  const blocks: Block[] = []
  let end = 0
  for (const { 0: whole, 1: code, 2: rest, 3: lines, index } of text.matchAll(
    isInQuote ? CODE : CODE_OR_QUOTE,
  )) {
    blocks.push(...blocksIn(text.slice(end, index).split('\n')))
    end = index + whole.length
    if (code !== undefined) blocks.push({ kind: 'code', text: code })
    else blocks.push({ kind: 'quote', blocks: blocksOf(rest ?? lines!.replace(/^> /gm, ''), true) })
  }
  return [...blocks, ...blocksIn(text.slice(end).split('\n'))]
}

function blocksIn(given: readonly string[]): readonly Block[] {
  const blocks: Block[] = []
  for (let at = 0; at < given.length;) {
    const start = at
    const take = (fits: (line: string) => boolean) => {
      while (at < given.length && fits(given[at]!)) at++
      return given.slice(start, at)
    }
    const line = given[at]!
    const [, level, heading] = HEADING.exec(line) ?? []
    const [, small] = SMALL.exec(line) ?? []
    if (heading !== undefined) {
      at++
      blocks.push({ kind: 'heading', level: level!.length, content: marksOf(heading) })
    } else if (small !== undefined) {
      at++
      blocks.push({ kind: 'small', content: marksOf(small) })
    } else if (ITEM.test(line)) {
      blocks.push({ kind: 'list', items: itemsOf(take((each) => ITEM.test(each))) })
    } else {
      const plain = take((each) => !OTHERS.some((pattern) => pattern.test(each)))
      const words = plain.join('\n').replace(/\n$/, '')
      if (words !== '') blocks.push({ kind: 'text', content: marksOf(words) })
    }
  }
  return blocks
}

/** Items with their depths. The first number of a list counts, the others follow it. */
function itemsOf(lines: readonly string[]): readonly ListItem[] {
  const lists: { readonly indent: number; next: number | undefined }[] = []
  return lines.map((line) => {
    const [, { length: indent } = '', number, words] = ITEM.exec(line)!
    while (lists.length > 1 && indent < lists.at(-1)!.indent) lists.pop()
    if (indent > (lists.at(-1)?.indent ?? -2) + 1) lists.push({ indent, next: undefined })
    const list = lists.at(-1)!
    const own = number === undefined ? undefined : (list.next ?? Number(number))
    list.next = own === undefined ? undefined : own + 1
    return { depth: lists.length - 1, number: own, content: marksOf(words!) }
  })
}
