const STRING_PART = /[^"\\\u0000-\u001f]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const BLANKS = /[ \t\r\n]*/y
const TOKEN = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null|[[\]{},:]/y

// What may come, by what a token begins with; `0` stands for a number, `true`, `false` and `null`.
const VALUE = '"0[{'
const KEY = '"'

/** The index of the first syntax error; the length of the text if its end is missing; `undefined` for valid JSON. */
export function jsonFault(text: string): number | undefined {
  // The closing characters of the open lists and objects.
  const closers: string[] = []
  let expected = VALUE
  let isKey = false
  let end = 0
  for (;;) {
    const start = end + matched(BLANKS, text, end).length
    if (start === text.length && expected === '') return undefined
    const token = text[start] === '"' ? stringAt(text, start) : matched(TOKEN, text, start)
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

function matched(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0] ?? ''
}

/** The string that starts at an index; empty if it has no end. One expression for all of it would exceed the stack. */
function stringAt(text: string, start: number): string {
  let end = start + 1
  for (let part = '"'; part !== ''; end += part.length) part = matched(STRING_PART, text, end)
  return text[end] === '"' ? text.slice(start, end + 1) : ''
}
