/**
 * A text with its dictionary, read and checked as one: every localization obeys the rules of the default
 * (clauses 2.1-08, 2.1-10, 2.4-04, 2.6-01).
 */
import { jsonValue, type JsonObject } from '../core/json.ts'
import type { PathStep, Rule } from '../core/rule.ts'
import { localeIndex } from '../locale/locales.ts'
import type { Localizations } from './definition.ts'
import { isLocaleAt } from './locale-keys.ts'
import { localeKnown, localizationDefault, localizationFallback } from './localized-text-rules.ts'
import { isFaulty, scanName } from './name-characters.ts'
import type { NameTable } from './name-table.ts'
import { nameApostrophe, nameCase, nameCharacters, nameLength } from './name.ts'
import type { Reading } from './reading.ts'
import * as shape from './shape.ts'

type Field = 'name' | 'description'

/** One kind of text: the field that holds it, and its rules beside being a string. */
export interface TextKind {
  readonly field: Field
  readonly dictionary: `${Field}_localizations`
  readonly length: Rule<string, { actual: number }, [text: string]>
  /** The limits of the length rule as numbers, to tell without a call that a text is well within. */
  readonly min: number
  readonly max: number
  /** Follows the alphabet and the letter case of slash command and option names. */
  readonly strict: boolean
}

/* @__NO_SIDE_EFFECTS__ */
export function textKind(field: Field, length: TextKind['length'], strict: boolean): TextKind {
  const { min = 0, max = Infinity } = length.limit ?? {}
  return { field, dictionary: `${field}_localizations`, length, min: Number(min), max: Number(max), strict }
}

/** The names of slash commands and of options. */
export const strictName = textKind('name', nameLength, true)

/** Reads a strict name that has to be given, and adds it to a table of names if there is one. */
export function readStrictName(
  reading: Reading,
  value: unknown,
  names: NameTable | null = null,
): string | undefined {
  const name = readText(reading, value, strictName)
  if (name !== undefined) checkCharacters(reading, name, undefined, names)
  return name
}

/** Reads a text that has to be given: present, then a string, then of the right length. Its characters may be any. */
export function readText(reading: Reading, value: unknown, kind: TextKind): string | undefined {
  if (typeof value !== 'string') {
    reading.required(shape.string, value, kind.field)
    return undefined
  }
  checkLength(reading, value, kind)
  return value
}

/** Checks the length of a text that is not a localization. */
export function checkLength(reading: Reading, text: string, kind: TextKind): void {
  if (text.length > kind.max || text.length < kind.min) reading.run(kind.length, text, kind.field)
}

/**
 * Checks the characters of a strict name.
 *
 * @param locale the locale of a localized name; absent for the default
 */
function checkCharacters(
  reading: Reading,
  name: string,
  locale: string | undefined,
  names: NameTable | null,
): void {
  const scan = scanName(name)
  if (isFaulty(scan)) reportCharacters(reading, name, locale)
  if (names !== null && name !== '') names.add(scan)
}

function reportCharacters(reading: Reading, name: string, locale: string | undefined): void {
  const key = locale === undefined ? strictName.field : strictName.dictionary
  reading.run(nameCharacters, name, locale ?? null, key, locale)
  reading.run(nameCase, name, locale ?? null, key, locale)
  reading.run(nameApostrophe, name, key, locale)
}

/**
 * Reads a dictionary, checks each text as its default is checked, and adds the longest of them all, default included,
 * to the reading's size. Null, an empty dictionary and an absent one read as null (2.1-23).
 */
export function readLocalizations(
  reading: Reading,
  value: unknown,
  text: string | undefined,
  kind: TextKind,
  names: NameTable | null = null,
): Localizations | null {
  const isGiven = value !== undefined && value !== null && reading.object(value, kind.dictionary)
  if (isGiven) return readDictionary(reading, value, text, kind, names)
  reading.units += text?.length ?? 0
  return null
}

function readDictionary(
  reading: Reading,
  value: JsonObject,
  text: string | undefined,
  kind: TextKind,
  names: NameTable | null,
): Localizations | null {
  const own = text ?? ''
  const { length } = own
  const { min, max, strict, dictionary: key } = kind
  let longest = length
  let texts = 0
  // A copy of the texts so far; null while every entry is a text under a locale, because then one step copies them all.
  let copied: Record<string, string> | null = null
  for (const locale in value) {
    const entry: unknown = value[locale]
    let localized: string | undefined
    if (typeof entry === 'string' && isLocaleAt(locale, texts)) localized = entry
    else {
      // Thousands of unknown locales are not listed a second time.
      copied ??= texts === 0 ? {} : textsBefore(locale, value)
      localized = readOddEntry(reading, entry, locale, key)
      if (localized === undefined) continue
    }
    if (copied !== null) copied[locale] = localized
    texts++
    const units = localized.length
    if (units > longest) longest = units
    if (units > max || units < min) reading.run(kind.length, localized, key, locale)
    if (strict) checkCharacters(reading, localized, locale, names)
    if (units === length && localized === own)
      reading.run(localizationDefault, locale, value, text, key, locale)
  }
  reading.units += longest
  const { 'en-GB': british, 'en-US': american } = value
  if (british !== undefined || american !== undefined)
    reading.run(localizationFallback, british, american, text, key)
  if (texts === 0) return null
  return copied ?? { ...(value as Localizations) }
}

/** Reports an entry of a dictionary that is not a text under a locale; a value may still become one by `toJSON`. */
function readOddEntry(reading: Reading, value: unknown, locale: string, key: PathStep): string | undefined {
  if (localeIndex(locale) < 0) {
    // Suggestions cost too much to make for a flood of keys.
    if (value !== undefined && !reading.isFull('error')) reading.run(localeKnown, locale, key, locale)
    return undefined
  }
  const text = jsonValue(value, locale)
  if (text === undefined || typeof text === 'string') return text
  if (reading.run(shape.present, text, key, locale)) reading.run(shape.string, text, key, locale)
  return undefined
}

/** A copy of the entries of a dictionary that stand before a key. */
function textsBefore(last: string, dictionary: JsonObject): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const key in dictionary) {
    if (key === last) break
    texts[key] = dictionary[key] as string
  }
  return texts
}
