/**
 * A text with its dictionary, read and checked as one: every localization obeys the rules of the default
 * (clauses 2.1-08, 2.1-10, 2.4-04, 2.6-01).
 */
import { renameToSuggestion } from '../core/fixes.ts'
import { isObject, jsonValue, type JsonObject } from '../core/json.ts'
import { rule, warning, type PathStep, type Rule } from '../core/rule.ts'
import { quoted } from '../core/text.ts'
import { oneOf } from '../core/wire.ts'
import { closestLocale } from '../locale/closest.ts'
import { localeIndex, locales } from '../locale/locales.ts'
import { broken, get, holders, put, slash, type Body } from './breaking.ts'
import type { Localizations } from './definition.ts'
import { isLocaleAt } from './locale-keys.ts'
import { isFaulty, scanName } from './name-characters.ts'
import type { NameTable } from './name-table.ts'
import { nameApostrophe, nameCase, nameCharacters } from './name.ts'
import type { Reading } from './reading.ts'
import * as shape from './shape.ts'

export const localeKnown = rule({
  code: 'localization.locale',
  clause: '2.1-08',
  summary: 'The keys of a dictionary are supported locales.',
  check: (key: string) => (localeIndex(key) >= 0 ? undefined : { key, suggestion: meantLocale(key) }),
  message: ({ key, suggestion }: { key: string; suggestion: string | null }) =>
    suggestion === null
      ? `${quoted(key)} is not a supported locale; \`Locale\` lists them all`
      : `${quoted(key)} is not a supported locale; did you mean "${suggestion}"?`,
  wire: oneOf(locales),
  fix: renameToSuggestion,
  breaks(body: Body, pick) {
    const places = holders(slash(body))
    const place = places[pick(places.length)]!
    const field = pick(2) === 0 ? 'name_localizations' : 'description_localizations'
    return broken(slash(body), [...place, field, 'pt_BR'], 'x')
  },
})

export interface Fallback {
  /** The locale without a text. */
  readonly reader: string
  /** The locale whose text its readers see. */
  readonly shown: string
}

export const localizationFallback = warning({
  code: 'localization.fallback',
  clause: '2.10-05',
  summary:
    'A default in English also stands under its own key; otherwise its readers see the other English text.',
  check(british: unknown, american: unknown, text: string | undefined): Fallback | undefined {
    if ((british === undefined) === (american === undefined) || (british ?? american) === text)
      return undefined
    return american === undefined ? { reader: 'en-US', shown: 'en-GB' } : { reader: 'en-GB', shown: 'en-US' }
  },
  message: ({ reader, shown }: Fallback) =>
    `has no ${reader}, so readers in ${reader} see the ${shown} text and not the default; add ${reader} if they should not`,
  breaks(body: Body, pick) {
    const places = holders(slash(body))
    const place = places[pick(places.length)]!
    const british = get(slash(body), [...place, 'description']) === 'x' ? 'y' : 'x'
    return {
      body: put(slash(body), [...place, 'description_localizations'], { 'en-GB': british }),
      path: [...place, 'description_localizations'],
    }
  },
})

export const localizationDefault = warning({
  code: 'localization.default',
  clause: '2.10-04',
  summary: 'A localization differs from the default, or keeps a fallback from being shown.',
  check: (locale: string, dictionary: Readonly<Record<string, unknown>>, text: string | undefined) =>
    text !== undefined && dictionary[locale] === text && isIdle(locale, dictionary) ? { text } : undefined,

  message: ({ text }: { text: string }) =>
    `is the default ${quoted(text)} again, which readers of this locale see anyway`,
  breaks(body: Body, pick) {
    const places = holders(slash(body))
    const place = places[pick(places.length)]!
    const path = [...place, 'description_localizations']
    return {
      body: put(slash(body), path, { de: get(slash(body), [...place, 'description']) }),
      path: [...path, 'de'],
    }
  },
})

export const localizedRules = [localeKnown, localizationFallback, localizationDefault] as const

/** The rules for one kind of text, beside being a string. */
export interface TextKind {
  readonly length: Rule<string, { actual: number }, [text: string]>
  /** The limits of the length rule as numbers, to tell without a call that a text is well within. */
  readonly min: number
  readonly max: number
  /** Follows the alphabet and the letter case of slash command and option names. */
  readonly strict: boolean
}

/* @__NO_SIDE_EFFECTS__ */
export function textKind(length: TextKind['length'], strict: boolean): TextKind {
  return { length, min: Number(length.limit?.min ?? 0), max: Number(length.limit?.max ?? Infinity), strict }
}

type Field = 'name' | 'description'
type DictionaryField = `${Field}_localizations`

/** Reads a text that has to be given: present, then a string, then the rules of its kind. */
export function readText(
  reading: Reading,
  value: unknown,
  field: Field,
  kind: TextKind,
  names: NameTable | null = null,
): string | undefined {
  if (typeof value === 'string') {
    checkText(reading, value, kind, field, undefined, names)
    return value
  }
  if (reading.run(shape.present, value, field)) reading.run(shape.string, value, field)
  return undefined
}

/** Checks one text of a kind, default or localized. */
export function checkText(
  reading: Reading,
  text: string,
  { length, min, max, strict }: TextKind,
  key: PathStep,
  locale: string | undefined,
  names: NameTable | null,
): void {
  const units = text.length
  if (units > max || units < min) reading.run(length, text, key, locale)
  if (!strict) return
  const scan = scanName(text)
  if (isFaulty(scan)) {
    reading.run(nameCharacters, text, locale ?? null, key, locale)
    reading.run(nameCase, text, locale ?? null, key, locale)
    reading.run(nameApostrophe, text, key, locale)
  }
  if (names !== null && units > 0) names.add(scan)
}

/**
 * Reads a dictionary, checks each text as its default is checked, and adds the longest of them all, default included,
 * to the reading's size. Null, an empty dictionary and an absent one read as null (2.1-23).
 */
export function readLocalizations(
  reading: Reading,
  value: unknown,
  key: DictionaryField,
  text: string | undefined,
  kind: TextKind,
  names: NameTable | null = null,
): Localizations | null {
  const own = text ?? ''
  const length = own.length
  if (!isObject(value)) {
    reading.units += length
    if (value !== undefined && value !== null) reading.run(shape.object, value, key)
    return null
  }
  const { min, max, strict } = kind
  let longest = length
  let texts = 0
  let isWhole = true
  for (const locale in value) {
    const entry: unknown = value[locale]
    let localized: string | undefined
    if (typeof entry === 'string' && isLocaleAt(locale, texts)) localized = entry
    else {
      isWhole = false
      localized = readOddEntry(reading, entry, locale, key)
      if (localized === undefined) continue
    }
    texts++
    const units = localized.length
    if (units > longest) longest = units
    if (strict || units > max || units < min) checkText(reading, localized, kind, key, locale, names)
    if (units === length && localized === own)
      reading.run(localizationDefault, locale, value, text, key, locale)
  }
  reading.units += longest
  const { 'en-GB': british, 'en-US': american } = value
  if (british !== undefined || american !== undefined)
    reading.run(localizationFallback, british, american, text, key)
  if (texts === 0) return null
  return isWhole ? { ...(value as Localizations) } : textsOf(value)
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

/**
 * Whether a text equal to the default has no effect. In English it is what clause 2.10-05 advises; in es-419 it
 * keeps es-ES from being shown.
 */
function isIdle(locale: string, dictionary: Readonly<Record<string, unknown>>): boolean {
  if (locale === 'en-US' || locale === 'en-GB') return false
  return locale !== 'es-419' || dictionary['es-ES'] === undefined
}

/** The texts of a dictionary that stand under a locale. */
function textsOf(dictionary: JsonObject): Localizations | null {
  const entries = Object.keys(dictionary)
    .filter((key) => localeIndex(key) >= 0)
    .map((key) => [key, jsonValue(dictionary[key], key)] as const)
    .filter(([, text]) => typeof text === 'string')
  return entries.length === 0 ? null : (Object.fromEntries(entries) as Localizations)
}

// The codes of countries that people write for the languages spoken there.
const countries: ReadonlyMap<string, string> = new Map([
  ['br', 'pt-BR'],
  ['cn', 'zh-CN'],
  ['cz', 'cs'],
  ['dk', 'da'],
  ['gr', 'el'],
  ['jp', 'ja'],
  ['kr', 'ko'],
  ['se', 'sv-SE'],
  ['tw', 'zh-TW'],
  ['ua', 'uk'],
  ['vn', 'vi'],
])

/** The locale an author may have meant by an unsupported key. */
function meantLocale(key: string): string | null {
  return countries.get(key.slice(0, 3).toLowerCase()) ?? closestLocale(key)
}
