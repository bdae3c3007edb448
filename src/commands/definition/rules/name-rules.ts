/** Rules about names: their length, their characters, their letter case (clauses 2.1-04 to 2.1-08). */
import { replaceValue, textRule } from '../../../core/rules/rule-kinds.ts'
import { rule, warning, type ErrorPlace, type Path } from '../../../core/rules/rule.ts'
import { NAME_APOSTROPHE, since } from '../../../model/platform.ts'
import { listed, quoted } from '../../../core/text.ts'
import { APOSTROPHE, classifyName, INVALID, invalidCharacters, namePrefix, UPPER } from './name-characters.ts'

export const NAME_MIN = 1
export const NAME_MAX = 32

const INVALID_NAME = { code: 'APPLICATION_COMMAND_INVALID_NAME', message: 'Command name is invalid' }
const NO_MATCH = { code: 'STRING_TYPE_REGEX', message: 'String value did not match validation regex.' }

/** The service reports the localized names of a command together, those of an option one by one. */
function placeOfName(path: Path): ErrorPlace | null {
  return path.at(-2) === 'name_localizations' && !path.includes('options') ? 'parent' : null
}

const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u
// U+2800, the braille pattern without dots, is a symbol that shows nothing.
const INVISIBLE = /^[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]+$/u

// --- Words for the messages -----------------------------------------------------------------------------------

const characterNames: ReadonlyMap<string, string> = new Map([
  [' ', 'a space'],
  ['\t', 'a tab'],
  ['\n', 'a line break'],
  ['\u00a0', 'a no-break space'],
  ['\u200b', 'a zero-width space'],
])

function describeInvalid(text: string): string {
  const words = Array.from(invalidCharacters(text), describeCharacter)
  return listed(words.length > 5 ? [...words.slice(0, 4), `${words.length - 4} more such characters`] : words)
}

function describeCharacter(character: string): string {
  const name = characterNames.get(character)
  if (name !== undefined) return name
  if (/^\p{M}$/u.test(character)) return `the combining mark ${codePoint(character)}`
  if (/^[\p{C}\p{Z}]$/u.test(character)) return `the character ${codePoint(character)}`
  return `"${character}"`
}

function codePoint(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
}

/** One character for each: the lowercase of `İ` is `i` and a dot, and the dot is in no name's alphabet. */
function toLowerCase(text: string): string {
  return text.replace(/\p{Changes_When_Lowercased}/gu, (letter) =>
    String.fromCodePoint(letter.toLowerCase().codePointAt(0)!),
  )
}

export const nameRules = {
  nameLength: textRule({
    code: 'name.length',
    clause: '2.1-04',
    subject: 'Names of commands and options have',
    max: NAME_MAX,
    min: NAME_MIN,
    remedy: 'a name has at least 1 character',
  }),
  nameCharacters: rule({
    code: 'name.characters',
    clause: '2.1-05',
    summary: "Names of slash commands and of options consist of letters, digits, `-`, `_` and `'`.",
    check: (text: string, locale: string | null) =>
      classifyName(text) & INVALID ? { text: namePrefix(text), locale } : undefined,
    about: 'text',
    message({ text }) {
      const normalized = text.normalize('NFC')
      return normalized !== text && (classifyName(normalized) & INVALID) === 0
        ? `is not normalized to NFC: it has ${describeInvalid(text)}; write ${quoted(normalized)}`
        : `has ${describeInvalid(text)}; use letters, digits, "-" and "_"`
    },
    wire: ({ locale }) => (locale === null ? NO_MATCH : INVALID_NAME),
    at: placeOfName,
  }),
  nameCase: rule({
    code: 'name.case',
    clause: '2.1-06',
    summary: 'Names of slash commands and of options use the lowercase form of every letter that has one.',
    check: (text: string, locale: string | null) =>
      classifyName(text) & UPPER ? { text: namePrefix(text), locale } : undefined,
    about: 'text',
    message: ({ text }) => {
      const suggestion = toLowerCase(text)
      // Where the suggestion would be refused again, the other issue says what else to change.
      return (classifyName(suggestion) & INVALID) === 0
        ? `has upper case; write ${quoted(suggestion)}`
        : 'has upper case; use lowercase letters'
    },
    wire: INVALID_NAME,
    at: placeOfName,
    fix: replaceValue((text) => {
      const suggestion = toLowerCase(String(text))
      return (classifyName(suggestion) & INVALID) === 0 ? suggestion : undefined
    }),
  }),
  nameApostrophe: warning({
    code: 'name.apostrophe',
    clause: '2.1-05',
    ...since(NAME_APOSTROPHE),
    summary:
      "Names of slash commands and of options have no `'`: Discord documents it as allowed but refuses it.",
    check: (text: string) => (classifyName(text) & APOSTROPHE ? { text: namePrefix(text) } : undefined),
    about: 'text',
    message: () =>
      'has an apostrophe, which Discord refuses although it documents it as allowed; leave it out',
  }),
  nameDecomposed: warning({
    code: 'name.decomposed',
    clause: '2.1-07',
    summary:
      'Names of slash commands and of options are written in NFC, the form that keyboards enter; Discord takes other forms for other names.',
    check: (text: string) => {
      const read = namePrefix(text)
      return read.normalize('NFC') === read ? undefined : { text: read }
    },
    about: 'text',
    message: ({ text }) =>
      `is not normalized to NFC, so it differs from the same word as people type it; write ${quoted(text.normalize('NFC'))} in NFC`,
    fix: replaceValue((text) => String(text).normalize('NFC')),
  }),
  nameSpace: warning({
    code: 'name.white_space',
    clause: '2.1-07',
    summary: 'Names of user, message and entry point commands neither start nor end with white space.',
    check: (text: string) => (text.trim() === text ? undefined : { text: namePrefix(text) }),
    about: 'text',
    message: ({ text }) =>
      text.trim() === ''
        ? 'is only white space; people see an empty entry'
        : 'starts or ends with white space, which is kept as it is',
  }),
  nameInvisible: warning({
    code: 'name.invisible',
    clause: '2.1-07',
    summary: 'Names of user, message and entry point commands can be seen and have no control characters.',
    check(text: string) {
      // White space at the ends is reported by another rule.
      const read = namePrefix(text).trim()
      const [control] = CONTROL.exec(read) ?? []
      const isInvisible = INVISIBLE.test(read)
      return control === undefined && !isInvisible ? undefined : { control: control ?? null }
    },
    about: 'text',
    message: ({ control }) =>
      control === null
        ? 'has no visible character; people see an empty entry'
        : `has ${describeCharacter(control)}, which people cannot see; remove it`,
  }),
} as const
