/** Texts that commands are made of: valid ones, generated directly. */
import fc, { type Arbitrary } from 'fast-check'
import { locales, type Locale } from '../locale/locales.ts'

// Letters, digits and marks of every kind that names admit: ASCII, Latin without an upper case, numbers that are no
// digits, Devanagari and Thai with their marks, unicameral scripts, and letters outside the basic plane.
const nameCharacters = [
  ..."abcdefghijklmnopqrstuvwxyz0123456789-_'",
  ...'éßªñøłşğ²½αωςяїხაएकखีि้ที่กขアー漢字한국אبʼ𐐨𝒶𠀀',
].filter((character) => /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]$/u.test(character))

/** A name that slash commands and options can have: 1 to 32 characters, in lowercase. */
export function strictName(): Arbitrary<string> {
  const short = fc.string({ unit: fc.constantFrom(...nameCharacters), minLength: 1, maxLength: 10 })
  const any = fc.string({ unit: fc.constantFrom(...nameCharacters), minLength: 1, maxLength: 32 })
  return fc.oneof({ weight: 4, arbitrary: short }, { weight: 1, arbitrary: any })
}

/** A name that user, message and entry point commands can have: 1 to 32 characters of any kind. */
export function freeName(): Arbitrary<string> {
  return fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 32 }),
    fc.constantFrom('Report', 'Pin It', ' a '),
  )
}

/** A text of up to so many characters, not empty. */
export function text(maxLength: number): Arbitrary<string> {
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: Math.min(maxLength, 30) }),
    },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength }) },
  )
}

/** Some locales, each with a text of the given kind. */
export function localizations(of: Arbitrary<string>): Arbitrary<{ [Key in Locale]?: string }> {
  return fc.dictionary(fc.constantFrom(...locales), of, { maxKeys: 4, noNullPrototype: true })
}

/** A snowflake, as a string. */
export function snowflake(): Arbitrary<string> {
  return fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }).map(String)
}
