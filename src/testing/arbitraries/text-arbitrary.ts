/** Generators of valid texts of commands. */
import { checkArbitrary, checkConstraints, checkLength } from './constraints.ts'
import fc, { type Arbitrary } from 'fast-check'
import { NAME_MAX } from '../../commands/definition/rules/name-rules.ts'
import { isInvisible } from '../../core/text.ts'
import { locales, type Locale } from '../../model/locales.ts'

/** The characters of generated texts. */
export interface TextConstraints {
  /** `'plain'`: readable words. Default `'any'`: every allowed character, including unusual ones. */
  readonly style?: 'any' | 'plain'
}

/** The characters and the locales of generated texts. */
export interface LocalizedConstraints extends TextConstraints {
  /** The locales of translations; `[]` for none. Default: all of them. */
  readonly locales?: readonly Locale[]
}

// Letters, digits and marks of every kind that names admit: ASCII, Latin without an upper case, numbers that are no
// digits, Devanagari and Thai with their marks, unicameral scripts, and letters outside the basic plane.
const nameCharacters = [
  ..."abcdefghijklmnopqrstuvwxyz0123456789-_'",
  ...'éßªñøłşğ²½αωςяїხაएकखीि้ที่กขアー漢字한국אبʼ𐐨𝒶𠀀',
].filter((character) => /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]$/u.test(character))

const FIRST_SURROGATE = 0xd800
const SURROGATES = 0x800

/** The place of a character among all characters. @throws Error for another value, as fast-check expects */
function placeOfCharacter(value: unknown): number {
  const code = typeof value === 'string' ? value.codePointAt(0) : undefined
  if (code === undefined || String.fromCodePoint(code) !== value) throw new Error('not a character')
  if (code < FIRST_SURROGATE) return code
  if (code < FIRST_SURROGATE + SURROGATES) throw new Error('a surrogate')
  return code - SURROGATES
}

/**
 * Any character but surrogates: the unit `'binary'` of fast-check, with the same values. That one fills a table of a million
 * characters first, which takes most of a second in each process.
 */
export const anyCharacter = fc
  .nat({ max: 0x10ffff - SURROGATES })
  .map(
    (place) => String.fromCodePoint(place < FIRST_SURROGATE ? place : place + SURROGATES),
    placeOfCharacter,
  )

const verbs =
  'add find list lock move open pin play read send set show sort start stop tag test vote warn watch'
const nouns =
  'ban card day file game group help item level list note page poll role rule score song team time user'
const verb = fc.constantFrom(...verbs.split(' '))
const noun = fc.constantFrom(...nouns.split(' '))

const joined = (separator: string, ...parts: readonly Arbitrary<string>[]) =>
  fc.tuple(...parts).map((list) => list.join(separator))
const capital = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}`

/**
 * A generator for each of some settings, made once: fast-check takes longer to prepare one than to take a value from it.
 * Settings are compared by identity, so they are kept as long as the generators that have them.
 */
export function madeOnce<Settings extends object, Key, T>(
  make: (key: Key, settings: Settings) => Arbitrary<T>,
): (key: Key, settings: Settings) => Arbitrary<T> {
  const known = new WeakMap<Settings, Map<Key, Arbitrary<T>>>()
  return (key, settings) => {
    const made = known.get(settings) ?? new Map<Key, Arbitrary<T>>()
    known.set(settings, made)
    const arbitrary = made.get(key) ?? make(key, settings)
    made.set(key, arbitrary)
    return arbitrary
  }
}

/** What has no settings of a caller. */
const ALWAYS = {}

const anyStrictName = /* @__PURE__ */ madeOnce((_: null) => {
  const unit = fc.constantFrom(...nameCharacters)
  const short = fc.string({ unit, minLength: 1, maxLength: 10 })
  return fc.oneof({ weight: 4, arbitrary: short }, { weight: 1, arbitrary: upTo(NAME_MAX, unit) })
})

/** A name that slash commands and options can have: 1 to 32 characters, in lowercase. */
export function strictName({ style }: TextConstraints = {}): Arbitrary<string> {
  if (style === 'plain') return fc.oneof(verb, joined('-', verb, noun))
  return anyStrictName(null, ALWAYS)
}

/** A name that user, message and entry point commands can have: 1 to 32 characters of any kind. */
export function freeName({ style }: TextConstraints = {}): Arbitrary<string> {
  if (style === 'plain') return joined(' ', verb, noun).map(capital)
  return fc.oneof(upTo(NAME_MAX, anyCharacter), fc.constantFrom('Report', 'Pin It', ' a '))
}

/** The longest of the short texts. */
const SHORT_MAX = 30

const shortText = /* @__PURE__ */ madeOnce((maxLength: number) =>
  fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength }),
)

/** A text of 1 to `maxLength` characters, of which one can be seen. */
export function text(maxLength: number, constraints: TextConstraints = {}): Arbitrary<string> {
  checkLength(maxLength, 'maxLength')
  checkConstraints(constraints)
  const { style } = constraints
  if (style === 'plain') {
    const sentence = joined(' ', verb, fc.constantFrom('the', 'a', 'every', 'your'), noun)
    return sentence.map((words) => capital(words).slice(0, maxLength))
  }
  const short = shortText(Math.min(maxLength, SHORT_MAX), ALWAYS)
  return fc
    .oneof({ weight: 4, arbitrary: short }, { weight: 1, arbitrary: upTo(maxLength, anyCharacter) })
    .filter((text) => !isInvisible(text))
}

/** A text of 1 to `maxLength` characters, half of them as long as the maximum. */
function upTo(maxLength: number, unit: Arbitrary<string>): Arbitrary<string> {
  return fc.oneof(
    fc.string({ unit, minLength: 1, maxLength }),
    fc.string({ unit, minLength: maxLength, maxLength }),
  )
}

/** Translations into some locales, each a text of the given kind. */
export function localizations(
  of: Arbitrary<string>,
  constraints: LocalizedConstraints = {},
): Arbitrary<{ [Key in Locale]?: string }> {
  checkArbitrary(of, 'of')
  checkConstraints(constraints)
  return inLocales(of, constraints)
}

/** A value of the given kind for some locales. */
export function inLocales<T>(
  of: Arbitrary<T>,
  { locales: some = locales }: LocalizedConstraints,
): Arbitrary<{ [Key in Locale]?: T }> {
  if (some.length === 0) return fc.constant({})
  const few = fc.dictionary(fc.constantFrom(...some), of, { maxKeys: 4, noNullPrototype: true })
  const all = fc.record(Object.fromEntries(some.map((locale) => [locale, of])))
  return fc.oneof({ weight: 30, arbitrary: few }, { weight: 1, arbitrary: all })
}

/** A snowflake, as a string. */
export function snowflake(): Arbitrary<string> {
  return fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }).map(String)
}

export function exactly<T>(length: number, of: Arbitrary<T>): Arbitrary<T[]> {
  return fc.array(of, { minLength: length, maxLength: length })
}

/** The length of a list: usually short, and the maximum in one of `weight` + 1 runs. */
export function lengths(maxLength: number, usual: number, weight = 8): Arbitrary<number> {
  if (maxLength <= usual) return fc.integer({ min: 0, max: maxLength })
  const short = fc.integer({ min: 0, max: usual })
  return fc.oneof({ weight, arbitrary: short }, { weight: 1, arbitrary: fc.constant(maxLength) })
}
