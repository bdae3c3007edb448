/** The three sorts of facts about names: how long, of which characters, in which case (clauses 2.1-04 to 2.1-08). */
import { rule, warning, type Broken, type Pick } from '../core/rule.ts'
import { counted, fits, listed, quoted } from '../core/text.ts'
import { badLength } from '../core/wire.ts'
import { breakText, broken, contextMenu, slash, type Body } from './breaking.ts'

export const NAME_MIN = 1
export const NAME_MAX = 32

const INVALID_NAME = { code: 'APPLICATION_COMMAND_INVALID_NAME', message: 'Command name is invalid' }
const NO_MATCH = { code: 'STRING_TYPE_REGEX', message: 'String value did not match validation regex.' }

export interface NameParams {
  /** `beginning` of it. */
  readonly text: string
  /** The locale key of a localized name, null for a default one. */
  readonly locale: string | null
}

/** One of the names of a body that follow the strict rules: those of a slash command and of its options. */
function breakName(body: Body, pick: Pick, text: string): Broken {
  return breakText(slash(body), pick, 'name', text)
}

export const nameLength = rule({
  code: 'name.length',
  clause: '2.1-04',
  limit: { min: NAME_MIN, max: NAME_MAX },
  summary: `Names of commands and options have ${NAME_MIN} to ${NAME_MAX} characters.`,
  check: (text: string) => text.length >= NAME_MIN && fits(text, NAME_MAX),
  message: ({ actual }: { actual: number }) =>
    actual === 0
      ? 'is empty; a name has at least 1 character'
      : `has ${counted(actual, 'character')}; at most ${NAME_MAX} are allowed`,
  wire: badLength(NAME_MIN, NAME_MAX),
  breaks(body: Body, pick) {
    const text = pick(2) === 0 ? '' : 'x'.repeat(NAME_MAX + 1)
    return breakText(body, pick, 'name', text)
  },
})

export const nameCharacters = rule({
  code: 'name.characters',
  clause: '2.1-05',
  summary: "Names of slash commands and of options are made of letters, digits, `-`, `_` and `'`.",
  check: (text: string) => (scanName(text) & FOREIGN) === 0,
  message: ({ text }: NameParams) => `has ${strangers(text)}; use letters, digits, "-", "_" and "'"`,
  wire: ({ locale }: NameParams) => (locale === null ? NO_MATCH : INVALID_NAME),
  breaks: (body: Body, pick) => breakName(body, pick, 'a b'),
})

export const nameCase = rule({
  code: 'name.case',
  clause: '2.1-06',
  summary: 'Names of slash commands and of options use the lowercase form of every letter that has one.',
  check: (text: string) => (scanName(text) & UPPER) === 0,
  message: ({ text }: NameParams) => {
    const suggestion = lowered(text)
    // Where that would be refused again, the other issue says what else to change.
    return (scanName(suggestion) & FOREIGN) === 0
      ? `has upper case; write ${quoted(suggestion)}`
      : 'has upper case; use lowercase letters'
  },
  wire: INVALID_NAME,
  breaks: (body: Body, pick) => breakName(body, pick, 'É'),
})

export const nameSpace = warning({
  code: 'name.white_space',
  clause: '2.1-07',
  summary: 'Names of user, message and entry point commands neither start nor end with white space.',
  check: (text: string) => text.trim() === text,
  message: ({ text }: { text: string }) =>
    text.trim() === ''
      ? 'is nothing but white space; people see an empty entry'
      : 'starts or ends with white space, which is kept as it is',
  breaks: (body: Body) => broken(contextMenu(body), ['name'], 'A '),
})

// --- One look at every character ----------------------------------------------------------------------------

/** A bit of `scanName`'s answer: a character outside the alphabet. */
export const FOREIGN = 1
/** A bit of `scanName`'s answer: a letter that has a lowercase form. */
export const UPPER = 2

const ALPHABET = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]$/u

// What is known of each UTF-16 unit: 0 nothing yet, else its bits plus 4. Surrogates are looked at in pairs.
const classes = new Uint8Array(0x10000)
const KNOWN = 4

// No name that fits is half as long. The rest of a longer one is not worth the time: it is wrong already.
const MOST_UNITS = 100
const BEGINNING = new RegExp(`^[^]{0,${MOST_UNITS}}`, 'u')

/** As much of a text as `scanName` looks at, without half a surrogate pair at its end. */
export function beginning(text: string): string {
  return BEGINNING.exec(text)![0]
}

/** A hash of the text `scanName` saw last, for whoever wants to compare many names. */
export let nameHash = 0

/**
 * What is wrong with the characters of a strict name, as a union of `FOREIGN` and `UPPER`: alphabet and case in
 * one pass over the UTF-16 units. The Unicode tables are asked once per unit and remembered. Sets `nameHash`.
 */
export function scanName(text: string): number {
  const units = Math.min(text.length, MOST_UNITS)
  let hash = units
  let seen = 0
  for (let i = 0; i < units; i++) {
    const unit = text.charCodeAt(i)
    hash = Math.imul(hash ^ unit, 0x01000193)
    seen |= classes[unit] || classify(text, i)
  }
  nameHash = hash
  return seen & (FOREIGN | UPPER)
}

function classify(text: string, index: number): number {
  const unit = text.charCodeAt(index)
  if ((unit & 0xf800) === 0xd800) {
    // The second half of a pair was judged with the first; alone it is in no alphabet.
    const before = index > 0 ? text.charCodeAt(index - 1) : 0
    if (unit >= 0xdc00 && (before & 0xfc00) === 0xd800) return KNOWN
    return KNOWN | judge(String.fromCodePoint(text.codePointAt(index)!))
  }
  return (classes[unit] = KNOWN | judge(String.fromCharCode(unit)))
}

function judge(character: string): number {
  return (ALPHABET.test(character) ? 0 : FOREIGN) | (character.toLowerCase() === character ? 0 : UPPER)
}

// --- Words for the messages -----------------------------------------------------------------------------------

const spoken: ReadonlyMap<string, string> = new Map([
  [' ', 'a space'],
  ['\t', 'a tab'],
  ['\n', 'a line break'],
  ['\u00a0', 'a no-break space'],
  ['\u200b', 'a zero-width space'],
])

function strangers(text: string): string {
  const characters = new Set(Array.from(text).filter((character) => judge(character) & FOREIGN))
  const words = Array.from(characters, say)
  return listed(words.length > 5 ? [...words.slice(0, 4), `${words.length - 4} more such characters`] : words)
}

function say(character: string): string {
  const word = spoken.get(character)
  if (word !== undefined) return word
  if (/^\p{M}$/u.test(character)) return `the combining mark ${codePoint(character)}`
  if (/^[\p{C}\p{Z}]$/u.test(character) || character.length === 0)
    return `the character ${codePoint(character)}`
  return `"${character}"`
}

function codePoint(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}

/** One character for each: the lowercase of `İ` is `i` and a dot, and the dot is in no name's alphabet. */
function lowered(text: string): string {
  return Array.from(text, (character) => Array.from(character.toLowerCase())[0]).join('')
}

export const nameRules = [nameLength, nameCharacters, nameCase, nameSpace] as const
