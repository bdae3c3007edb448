/** Counting characters the way the specification counts them: in code points (clause 2.1-04). */

/** Code points in a text; an unpaired surrogate counts as one. */
export function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Texts longer than this in UTF-16 units are not counted: no rule allows them. */
const COUNTED_UNITS = 20_000

/** The code points of a text for a message; of texts far beyond any limit the UTF-16 units. */
export function lengthOf(text: string): number {
  return text.length > COUNTED_UNITS ? text.length : countCharacters(text)
}

/** Whether a text has at most `max` code points. Counts them only if the length is near the limit. */
export function fits(text: string, max: number): boolean {
  const units = text.length
  return units <= max || (units <= 2 * max && countCharacters(text) <= max)
}

// U+2800, the braille pattern without dots, is a symbol that shows nothing.
const BLANK = /^[\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]+$/u

// A cache of the UTF-16 units that are a visible character: most texts begin with one, and the regular expression is slow.
const VISIBLE = 1
const units = /* @__PURE__ */ new Uint8Array(0xd800)

/** Whether a text has white space and invisible characters only. */
export function isInvisible(text: string): boolean {
  return units[text.charCodeAt(0)] !== VISIBLE && hasOnlyBlank(text)
}

function hasOnlyBlank(text: string): boolean {
  const first = text.charCodeAt(0)
  if (first < units.length && !BLANK.test(text.charAt(0))) units[first] = VISIBLE
  return BLANK.test(text)
}

/** A number with its noun: `1 character`, `3 characters`, `2 classes`. */
export function counted(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : plural(noun)}`
}

/** A noun in the plural: `options`, `aliases`, `entries`. */
export function plural(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`
  return noun + (noun.endsWith('s') ? 'es' : 's')
}

/** The exit code of Node for an error in a handler of `uncaughtException`. */
const HANDLER_FAILED = 7

/** How a process ended. @param code its exit code; null for a signal */
export function endOfProcess(code: number | null): string {
  if (code === null) return 'ended by a signal'
  return `ended with code ${code}${code === HANDLER_FAILED ? ': its handler of uncaught errors failed' : ''}`
}

/** Whether a text is empty or white space alone. Discord removes white space at both ends of a text. */
export function isBlank(text: string): boolean {
  return text.trim() === ''
}

/** Whether two texts look the same: equal, or equal once their characters are composed (NFC). */
export function sameText(a: string, b: string): boolean {
  return a === b || a.normalize('NFC') === b.normalize('NFC')
}

/** A text without some characters at its end. An expression such as `/x+$/` is slow where many of them end elsewhere. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text[end - 1]!)) end--
  return text.slice(0, end)
}

/** `minLength` for `min_length`. */
export function camelCase(name: string): string {
  return name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
}

/** `a, b and c`. */
export function listed(items: readonly string[], conjunction = 'and'): string {
  if (items.length < 2) return items.join('')
  return `${items.slice(0, -1).join(', ')} ${conjunction} ${items[items.length - 1]}`
}

// What would break a line, turn its direction or move a cursor; `JSON.stringify` escapes only some of it.
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

// Most texts are like this, and to escape them changes nothing.
const PLAIN = /^[ !#-[\]-~]*$/

/** A text in quotes for a message, shortened when it is long, its control characters made visible. */
export function quoted(text: string, most = 60): string {
  if (text.length <= most && PLAIN.test(text)) return `"${text}"`
  return escaped(JSON.stringify(shortened(text, most)))
}

/** A text of others for a line of the terminal: without line breaks, shortened, its control characters made visible. */
export function printable(text: string, most = 2_000): string {
  return escaped(shortened(text.replace(/[\t\r\n]+ */g, ' '), most))
}

/** A text without the sequences that color it on a terminal. */
export function withoutColors(text: string): string {
  return text.replace(/\u001b\[[\d;]*m/g, '')
}

function escaped(text: string): string {
  return text.replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const characters = Array.from(text.slice(0, 2 * most))
  const isWhole = characters.length <= most && text.length <= 2 * most
  return isWhole ? text : `${characters.slice(0, most - 1).join('')}…`
}

/** A JSON value as the params of an issue hold it: small, and the same again after JSON. */
export type ParamValue = string | number | boolean | null

/** Texts are shortened; of a list or an object only the word remains. */
export function given(value: unknown): ParamValue {
  if (typeof value === 'string') return shortened(value, 100)
  if (typeof value === 'boolean' || value === null) return value
  // Adding 0 takes the sign from -0, which JSON loses too.
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : String(value)
  return typeof value === 'bigint' ? shortened(String(value), 100) : describeValue(value)
}

/** A JSON value in words: `the number 5`, `a list`, `null`. */
export function describeValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `the string ${quoted(value, 40)}`
    case 'number':
      return `the number ${value}`
    case 'boolean':
      return `${value}`
    case 'bigint':
      return `a bigint, which JSON cannot carry`
    case 'undefined':
      return 'missing'
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object'
    case 'symbol':
      // `readable.ts` has a symbol in place of what cannot be read.
      return value.description?.startsWith('a value that throws ') ? value.description : 'a symbol'
    default:
      return `a ${typeof value}`
  }
}

/** A text with long runs of one character shortened. */
export function withoutRuns(text: string): string {
  return text.replace(/(.)\1{49,}/gsu, (run, one: string) => `${one.repeat(3)}…(${[...run].length})`)
}

/** The lines of a text at most `width` columns wide, broken at spaces. A longer word has a line of its own. */
export function wrapText(text: string, width: number): readonly string[] {
  const [first = '', ...words] = text.split(' ')
  const lines = [first]
  for (const word of words) {
    const line = lines.at(-1)!
    if (line !== '' && line.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}
