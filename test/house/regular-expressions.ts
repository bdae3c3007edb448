/** Reads regular expressions, as far as is needed to write texts on which they may be slow. */

type Node =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'any'; readonly nodes: readonly Node[] }
  | { readonly kind: 'all'; readonly nodes: readonly Node[] }
  | { readonly kind: 'repeat'; readonly node: Node; readonly min: number; readonly isLong: boolean }

/** A text that may be slow to search: a start, a part that is repeated, and an end that no match has. */
export interface Pump {
  readonly start: string
  readonly part: string
  readonly end: string
}

const SAMPLES = [
  'a',
  'A',
  '0',
  '_',
  ' ',
  '\n',
  '\t',
  '-',
  '.',
  '/',
  '\\',
  '"',
  "'",
  '<',
  ':',
  '=',
  '%',
  'é',
  '\u0001',
]
/** Repetitions of more than this count as unlimited. */
const LONG = 50

class Reader {
  readonly #source: string
  readonly #flags: string
  #at = 0

  constructor({ source, flags }: RegExp) {
    this.#source = source
    this.#flags = flags.replace(/[gy]/g, '')
  }

  read(): Node {
    const nodes: Node[] = []
    const branches: Node[] = []
    while (this.#at < this.#source.length && this.#source[this.#at] !== ')') {
      if (this.#source[this.#at] === '|') {
        this.#at++
        branches.push({ kind: 'all', nodes: nodes.splice(0) })
      } else {
        const node = this.#repeated(this.#atom())
        if (node !== undefined) nodes.push(node)
      }
    }
    const last: Node = { kind: 'all', nodes }
    return branches.length === 0 ? last : { kind: 'any', nodes: [...branches, last] }
  }

  #take(form: RegExp): string | undefined {
    const [text] = new RegExp(form.source, 'suy').exec(this.#source.slice(this.#at)) ?? []
    if (text !== undefined) this.#at += text.length
    return text
  }

  /** Undefined for an assertion, and for a reference to a group. What a lookahead or lookbehind repeats counts as if it were there. */
  #atom(): Node | undefined {
    if (this.#take(/\^|\$|\\[bB1-9]|\\k<[^>]*>/) !== undefined) return undefined
    if (this.#take(/\((?:\?(?:<?[=!]|<[^>]*>|[a-z-]*:))?/) !== undefined) {
      const node = this.read()
      this.#at++
      return node
    }
    const one = this.#take(
      /\[(?:\\.|[^\]\\])*\]|\\u\{[^}]*\}|\\[pP]\{[^}]*\}|\\u[\dA-Fa-f]{4}|\\x[\dA-Fa-f]{2}|\\.|./,
    )!
    return this.#samplesOf(one)
  }

  /** The characters of a class, of which there may be very many, by some samples. */
  #samplesOf(source: string): Node {
    const form = new RegExp(`^(?:${source})$`, this.#flags.replace(/[im]/g, ''))
    const own = [...source].filter((character) => form.test(character))
    const known = [...new Set([...SAMPLES, ...own])].filter((character) => form.test(character))
    const texts = known.length > 0 ? known : [this.#special(form)]
    const nodes = texts.map((text): Node => ({ kind: 'text', text }))
    return nodes.length === 1 ? nodes[0]! : { kind: 'any', nodes }
  }

  #special(form: RegExp): string {
    for (let code = 0; code < 0x3000; code++)
      if (form.test(String.fromCharCode(code))) return String.fromCharCode(code)
    return '\u{1F44D}'
  }

  #repeated(node: Node | undefined): Node | undefined {
    const quantifier = this.#take(/[*+?]\??|\{\d+(?:,\d*)?\}\??/)
    if (quantifier === undefined || node === undefined) return node
    const [, least = '0', more, most = least] = /\{(\d+)(,)?(\d+)?\}/.exec(quantifier) ?? []
    const isUnlimited =
      /^[*+]/.test(quantifier) || (more !== undefined && most === least && !/,\d/.test(quantifier))
    const min = quantifier.startsWith('+') ? 1 : Number(least)
    return { kind: 'repeat', node, min, isLong: isUnlimited || Number(most) > LONG }
  }
}

/** Some of the texts of a node, the first of each choice in front. */
function textsOf(node: Node, most: number): readonly string[] {
  switch (node.kind) {
    case 'text':
      return [node.text]
    case 'any': {
      // One of each choice before the others.
      const lists = node.nodes.map((one) => textsOf(one, most))
      const first = lists.flatMap(([text]) => text ?? [])
      return [...new Set([...first, ...lists.flat()])].slice(0, most)
    }
    case 'repeat': {
      const texts = textsOf(node.node, most)
      const repeated = texts.map((text) => text.repeat(Math.min(Math.max(node.min, 1), LONG)))
      return [...new Set(node.min === 0 ? [...repeated, ''] : repeated)].slice(0, most)
    }
    case 'all': {
      const lists = node.nodes.map((one) => textsOf(one, most))
      const longest = Math.max(1, ...lists.map(({ length }) => length))
      return [
        ...new Set(
          Array.from({ length: Math.min(longest, most) }, (_, index) =>
            lists.map((list) => list[index % list.length] ?? '').join(''),
          ),
        ),
      ]
    }
  }
}

const TEXTS_OF_PART = 24

/** The texts of a repetition and of a whole expression, which a hostile text may repeat. */
export function pumpsOf(expression: RegExp): readonly Pump[] {
  const tree = new Reader(expression).read()
  const pumps = new Map<string, Pump>()
  const add = (start: string, part: string) => {
    // Some ends match, and others do not; both kinds are slow somewhere.
    for (const end of ['\u0000', '\u0000\n'])
      if (part !== '') pumps.set(JSON.stringify([start, part, end]), { start, part, end })
  }
  const visit = (node: Node, start: string): void => {
    if (node.kind === 'repeat') {
      if (node.isLong) {
        for (const part of textsOf(node.node, TEXTS_OF_PART)) {
          add('', part)
          if (start !== '') {
            add(start, part)
            // Each start of a match is followed by a part.
            add('', start + part)
          }
        }
        if (start !== '') add('', start)
      }
      visit(node.node, start)
    }
    if (node.kind === 'any') for (const one of node.nodes) visit(one, start)
    if (node.kind === 'all') {
      let before = start
      for (const one of node.nodes) {
        visit(one, before)
        before += textsOf(one, 1)[0] ?? ''
      }
    }
  }
  visit(tree, '')
  return [...pumps.values()]
}
