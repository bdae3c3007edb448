/** Finds the first syntax error of a JSON text. */

const PLAIN = String.raw`[^"\\\u0000-\u001f]*`
const STRING = String.raw`"${PLAIN}(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})${PLAIN})*"`
const SCALAR = String.raw`-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null`
const BLANKS = /[ \t\r\n]*/y
const TOKEN = new RegExp(String.raw`${STRING}|${SCALAR}|[[\]{},:]`, 'y')

// What may come, by what a token begins with; `0` stands for a number, `true`, `false` and `null`.
const VALUE = '"0[{'
const KEY = '"'

/**
 * The index of the first syntax error of a text; its length if the end is missing. `undefined` for valid JSON.
 */
export function jsonFault(text: string): number | undefined {
  // The closing characters of the open lists and objects.
  const closers: string[] = []
  let expected = VALUE
  let isKey = false
  let end = 0
  for (;;) {
    const start = end + matched(BLANKS, text, end).length
    if (start === text.length && expected === '') return undefined
    const token = matched(TOKEN, text, start)
    const kind = /^[^"[\]{},:]/.test(token) ? '0' : token.slice(0, 1)
    if (kind === '' || !expected.includes(kind)) return start
    end = start + token.length

    const wasKey = isKey
    if (kind === '[') closers.push(']')
    else if (kind === '{') closers.push('}')
    else if (kind === ']' || kind === '}') closers.pop()
    const closer = closers.at(-1) ?? ''
    isKey = kind === '{' || (kind === ',' && closer === '}')
    if (kind === '[' || kind === '{') expected = (isKey ? KEY : VALUE) + closer
    else if (kind === ',' || kind === ':') expected = isKey ? KEY : VALUE
    else if (kind === KEY && wasKey) expected = ':'
    else expected = closer === '' ? '' : `,${closer}`
  }
}

/** The match of a pattern at an index; empty if it does not match there. */
function matched(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}
