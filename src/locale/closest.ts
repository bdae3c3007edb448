/** From a language tag of any origin to the locale of the service that is nearest to it. */
import { locales, type Locale } from './locales.ts'

// Only the first subtags matter; no language in use needs as many characters for them.
const LONGEST = 35

const byTag: ReadonlyMap<string, Locale> = new Map(locales.map((locale) => [locale.toLowerCase(), locale]))

// The two written forms of Norwegian, and the codes that Hebrew and Indonesian had before 1989.
const languages: ReadonlyMap<string, string> = new Map([
  ['nb', 'no'],
  ['nn', 'no'],
  ['iw', 'he'],
  ['in', 'id'],
])

// The service tells the two ways to write Chinese apart by region.
const chinese: ReadonlyMap<string, string> = new Map([
  ['hant', 'tw'],
  ['hans', 'cn'],
])

// What a language means for which every key of the service names a region.
const usual: ReadonlyMap<string, Locale> = new Map([
  ['en', 'en-US'],
  ['es', 'es-ES'],
  ['pt', 'pt-BR'],
  ['sv', 'sv-SE'],
  ['zh', 'zh-CN'],
])

// Regions with a key of another region's that is nearer to them than what their language usually means.
const regional: ReadonlyMap<string, Locale> = new Map<string, Locale>([
  ['zh-hk', 'zh-TW'],
  ['zh-mo', 'zh-TW'],
  ...'ar bo br bz cl co cr cu do ec gt hn mx ni pa pe pr py sv us uy ve'
    .split(' ')
    .map((region): [string, Locale] => [`es-${region}`, 'es-419']),
])

/**
 * A language tag in the form in which tags can be compared: lower case, hyphens, the service's code of the
 * language, Chinese by region, other scripts left out. Of tags longer than 35 characters only the beginning.
 */
export function canonicalTag(tag: string): string {
  const subtags = tag.slice(0, LONGEST).toLowerCase().split(/[-_]/)
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
 * `de`, `en` is `en-US`, `es-MX` is `es-419`, `zh-Hant` is `zh-TW`, `nb` is `no`. Letter case does not matter,
 * and an underscore counts as a hyphen. Null for languages the service does not have and for what is no tag.
 */
export function closestLocale(tag: string): Locale | null {
  const [language = '', region = ''] = canonicalTag(tag).split('-')
  const place = `${language}-${region}`
  return byTag.get(place) ?? regional.get(place) ?? byTag.get(language) ?? usual.get(language) ?? null
}
