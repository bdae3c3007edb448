/** Finds the nearest locale of the service for a language tag. */
import { locales, type Locale } from './locales.ts'

// Only the first subtags count; no language in use needs more characters for them.
const MAX_TAG_LENGTH = 35

const byTag: ReadonlyMap<string, Locale> = new Map(locales.map((locale) => [locale.toLowerCase(), locale]))

// The two written forms of Norwegian, and the codes of Hebrew and Indonesian before 1989.
const languages: ReadonlyMap<string, string> = new Map([
  ['nb', 'no'],
  ['nn', 'no'],
  ['iw', 'he'],
  ['in', 'id'],
])

// The service distinguishes the two scripts of Chinese by region.
const chinese: ReadonlyMap<string, string> = new Map([
  ['hant', 'tw'],
  ['hans', 'cn'],
])

// The default region of a language that has a region in every key of the service.
const usual: ReadonlyMap<string, Locale> = new Map([
  ['en', 'en-US'],
  ['es', 'es-ES'],
  ['pt', 'pt-BR'],
  ['sv', 'sv-SE'],
  ['zh', 'zh-CN'],
])

// Regions for which the key of another region is nearer than the default of the language.
const regional: ReadonlyMap<string, Locale> = new Map<string, Locale>([
  ['zh-hk', 'zh-TW'],
  ['zh-mo', 'zh-TW'],
  ...'ar bo br bz cl co cr cu do ec gt hn mx ni pa pe pr py sv us uy ve'
    .split(' ')
    .map((region): [string, Locale] => [`es-${region}`, 'es-419']),
])

/**
 * A language tag in a form that can be compared: lower case, hyphens, the service's code of the language, Chinese by
 * region, without other scripts, at most 35 characters.
 */
export function canonicalTag(tag: string): string {
  const subtags = tag.slice(0, MAX_TAG_LENGTH).toLowerCase().split(/[-_]/)
  const language = subtags[0]!
  const second = subtags[1]
  subtags[0] = languages.get(language) ?? language
  if (second !== undefined && /^[a-z]{4}$/.test(second)) {
    const region = language === 'zh' ? chinese.get(second) : undefined
    if (region === undefined) subtags.splice(1, 1)
    else subtags[1] = region
  }
  return subtags.join('-')
}

/**
 * The locale of the service nearest to a language tag: the same, its region's, or its language's. `de-AT` is
 * `de`, `en` is `en-US`, `es-MX` is `es-419`, `zh-Hant` is `zh-TW`, `nb` is `no`. Ignores letter case;
 * an underscore counts as a hyphen. Null for a language that the service does not have, and for an invalid tag.
 */
export function closestLocale(tag: string): Locale | null {
  const [language = '', region = ''] = canonicalTag(tag).split('-')
  const place = `${language}-${region}`
  return byTag.get(place) ?? regional.get(place) ?? byTag.get(language) ?? usual.get(language) ?? null
}
