/**
 * A text with its dictionary, read and checked as one: whatever holds for the default holds for every
 * localization (clauses 2.1-08, 2.1-10, 2.4-04, 2.6-01), so no reader can forget the dictionaries.
 */
import { isObject } from '../core/json.ts'
import { rule, warning, type PathStep, type Rule } from '../core/rule.ts'
import { countCharacters, quoted } from '../core/text.ts'
import { oneOf } from '../core/wire.ts'
import { closestLocale } from '../locale/closest.ts'
import { localeIndex, locales } from '../locale/locales.ts'
import { broken, get, holders, put, slash, type Body } from './breaking.ts'
import type { Localizations } from './definition.ts'
import { beginning, nameCase, nameCharacters, nameHash, scanName } from './name.ts'
import type { Reading } from './reading.ts'
import * as shape from './shape.ts'

export const localeKnown = rule({
  code: 'localization.locale',
  clause: '2.1-08',
  summary: 'The keys of a dictionary are locales of the service.',
  check: (key: string) => localeIndex(key) >= 0,
  message: ({ key, suggestion }: { key: string; suggestion: string | null }) =>
    suggestion === null
      ? `${quoted(key)} is no locale of the service; \`Locale\` lists them all`
      : `${quoted(key)} is no locale of the service; did you mean "${suggestion}"?`,
  wire: oneOf(locales),
  breaks(body: Body, pick) {
    const places = holders(slash(body))
    const place = places[pick(places.length)]!
    const field = pick(2) === 0 ? 'name_localizations' : 'description_localizations'
    return broken(slash(body), [...place, field, 'pt_BR'], 'x')
  },
})

export interface Fallback {
  /** Whose readers are concerned. */
  readonly reader: string
  /** Whose text they are shown. */
  readonly shown: string
}

export const localizationFallback = warning({
  code: 'localization.fallback',
  clause: '2.10-05',
  summary: 'A default in English stands under its own key, or its readers are shown the other English text.',
  check: (reader: string | undefined, shown: string | undefined, text: string | undefined) =>
    shown === undefined || reader !== undefined || shown === text,
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
  check: (localized: string, text: string | undefined) => localized !== text,
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

/** What must hold for a text of some sort, beside being a string. */
export interface TextSort {
  readonly length: Rule<string, { actual: number }, [text: string]>
  /** The limits of the length rule again as numbers, to tell without a call that a text is well within. */
  readonly min: number
  readonly max: number
  /** Follows the alphabet and the letter case of slash command and option names. */
  readonly strict: boolean
}

/* @__NO_SIDE_EFFECTS__ */
export function textSort(length: TextSort['length'], strict: boolean): TextSort {
  return { length, min: length.limit?.min ?? 0, max: length.limit?.max ?? Infinity, strict }
}

/** Where the names of one list of options are gathered to find those that are used twice. */
export interface NameSink {
  /** `hash` of one name, default or localized, of the option at `owner`. */
  add(hash: number, owner: number): void
}

/** Checks one text of a sort, default or localized. */
export function checkText(
  reading: Reading,
  text: string,
  sort: TextSort,
  key: PathStep,
  locale?: string,
  sink?: NameSink,
  owner = 0,
): void {
  const units = text.length
  if ((units > sort.max || units < sort.min) && !sort.length.check(text)) {
    reading.add(sort.length, { actual: countCharacters(text) }, key, locale)
  }
  if (!sort.strict) return
  if (scanName(text) !== 0) {
    const params = { text: beginning(text), locale: locale ?? null }
    if (!nameCharacters.check(text)) reading.add(nameCharacters, params, key, locale)
    if (!nameCase.check(text)) reading.add(nameCase, params, key, locale)
  }
  if (sink !== undefined && units > 0) sink.add(nameHash, owner)
}

// Dictionaries of one command mostly have the same keys in the same order. What stood at each place last time is
// remembered, so that knowing a locale mostly takes one comparison of references.
const lastKeys: string[] = []

/**
 * Reads a dictionary, checks each text as its default is checked, and adds the longest of them all, default
 * included, to the reading's size. Null, an empty dictionary and none at all read as null (2.1-23).
 */
export function readLocalizations(
  reading: Reading,
  value: unknown,
  key: 'name_localizations' | 'description_localizations',
  text: string | undefined,
  sort: TextSort,
  sink?: NameSink,
  owner?: number,
): Localizations | null {
  let longest = text === undefined ? 0 : text.length
  if (!isObject(value)) {
    reading.units += longest
    if (value !== undefined && value !== null) reading.add(shape.object, shape.found(value), key)
    return null
  }
  let index = 0
  let incomplete = false
  const { min, max, strict } = sort
  const length = longest
  for (const locale in value) {
    if (locale !== lastKeys[index]) {
      if (localeIndex(locale) < 0) {
        if (value[locale] !== undefined)
          reading.add(localeKnown, { key: locale, suggestion: likely(locale) }, key, locale)
        incomplete = true
        continue
      }
      lastKeys[index] = locale
    }
    index++
    const localized = value[locale]
    if (typeof localized !== 'string') {
      incomplete = true
      if (localized === null) reading.add(shape.present, shape.found(null), key, locale)
      else if (localized !== undefined) reading.add(shape.string, shape.found(localized), key, locale)
      continue
    }
    const units = localized.length
    if (units > longest) longest = units
    if (strict || units > max || units < min) checkText(reading, localized, sort, key, locale, sink, owner)
    if (units === length && localized === text && isIdle(locale, value))
      reading.add(localizationDefault, { text }, key, locale)
  }
  const british = value['en-GB'] !== undefined
  const american = value['en-US'] !== undefined
  reading.units += longest
  if (british !== american) {
    const [reader, shown] = british ? ['en-US', 'en-GB'] : ['en-GB', 'en-US']
    if (!localizationFallback.check(undefined, value[shown!] as string, text)) {
      reading.add(localizationFallback, { reader: reader!, shown: shown! }, key)
    }
  }
  if (index === 0) return null
  return incomplete ? textsOf(value) : { ...(value as Localizations) }
}

/**
 * Whether a text equal to the default does nothing. In English it is what clause 2.10-05 advises; in es-419 it
 * keeps es-ES from being shown.
 */
function isIdle(locale: string, dictionary: Readonly<Record<string, unknown>>): boolean {
  if (locale === 'en-US' || locale === 'en-GB') return false
  return locale !== 'es-419' || dictionary['es-ES'] === undefined
}

/** The entries of a dictionary that are what they should be. */
function textsOf(dictionary: Readonly<Record<string, unknown>>): Localizations | null {
  const entries = Object.entries(dictionary).filter(
    ([key, text]) => typeof text === 'string' && localeIndex(key) >= 0,
  )
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

/** The locale somebody may have meant by a key that is none. */
function likely(key: string): string | null {
  return countries.get(key.slice(0, 3).toLowerCase()) ?? closestLocale(key)
}
