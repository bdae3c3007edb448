/** Negotiates the locale of a response (clause 2.10-09). */
import { aString, optionsOf } from '../core/rules/arguments.ts'
import { nullable } from '../core/rules/readers.ts'
import { canonicalTag, closestLocale } from './closest-locale.ts'
import { isLocale, locales, type Locale } from './locales.ts'

/** The values that the locale of a response depends on. */
export interface LocaleSources {
  /** The value of the service's own locale header. An unknown locale counts as absent. */
  readonly serviceLocale?: string | null | undefined
  /** The value of the `Accept-Language` header. */
  readonly acceptLanguage?: string | null | undefined
  /** The locale of the user's settings. An unknown locale counts as absent. */
  readonly userLocale?: string | null | undefined
}

const aHeader = /* @__PURE__ */ nullable(aString)

const readSources = /* @__PURE__ */ optionsOf<LocaleSources>('negotiateLocale', {
  serviceLocale: aHeader,
  acceptLanguage: aHeader,
  userLocale: aHeader,
})

// Bounds the work for hostile headers. Browsers send a tenth of this; the rest is ignored.
const MAX_ACCEPT_LANGUAGE_LENGTH = 8_192
const MAX_RANGES = 100

/**
 * The locale of a response, or null if no source names a known one (clause 2.10-09):
 *
 * 1. the service's own header;
 * 2. `Accept-Language`: the range with the highest weight for which the service has a locale, the first of
 *    several with the same weight. A range finds the nearest locale, so `de-AT` finds `de` and `en` finds
 *    `en-US` (see `closestLocale`). `*` finds the locale of the user's settings;
 * 3. the user's settings.
 *
 * A weight of 0 refuses what its range covers, the user's settings included, unless a longer range allows it:
 * `en-US;q=0, en` finds `en-GB`, and `*;q=0` refuses everything that no other range names. Invalid parts
 * of the header are ignored, and everything after 100 parts or 8,192 characters. The time is linear in the length.
 */
export function negotiateLocale(sources: LocaleSources): Locale | null {
  const { serviceLocale, acceptLanguage, userLocale } = readSources(sources)
  if (isLocale(serviceLocale)) return serviceLocale
  const settings = isLocale(userLocale) ? userLocale : null
  if (typeof acceptLanguage !== 'string') return settings
  const ranges = readRanges(acceptLanguage)
  const verdicts = new Map<string, boolean>()
  for (const { tag, weight } of ranges) verdicts.set(tag, weight > 0 && verdicts.get(tag) !== false)
  for (const { tag, weight } of ranges.sort((a, b) => b.weight - a.weight)) {
    if (weight === 0) break
    const found = tag === '*' ? acceptable(settings, verdicts) : inLanguage(tag, verdicts)
    if (found !== null) return found
  }
  return acceptable(settings, verdicts)
}

interface LanguageRange {
  /** Canonical, or `*`. */
  readonly tag: string
  readonly weight: number
}

const RANGE = /^(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)(?:[ \t]*;[ \t]*q=(0(?:\.[0-9]*)?|1(?:\.0*)?))?$/i

function readRanges(header: string): LanguageRange[] {
  let text = header
  if (text.length > MAX_ACCEPT_LANGUAGE_LENGTH) {
    // Without the last part, which may be incomplete: `de` of `de;q=0`.
    text = text.slice(0, MAX_ACCEPT_LANGUAGE_LENGTH)
    text = text.slice(0, Math.max(0, text.lastIndexOf(',')))
  }
  const ranges: LanguageRange[] = []
  for (const part of text.split(',', MAX_RANGES)) {
    const read = RANGE.exec(part.trim())
    if (read !== null) ranges.push({ tag: canonicalTag(read[1]!), weight: Number(read[2] ?? 1) })
  }
  return ranges
}

/** Whether the longest range of a locale allows it; undefined without one. Ignores `*`. */
function verdict(locale: Locale, verdicts: ReadonlyMap<string, boolean>): boolean | undefined {
  const tag = locale.toLowerCase()
  return verdicts.get(tag) ?? verdicts.get(tag.split('-')[0]!)
}

/** The locale of the user's settings, unless the header refuses it. */
function acceptable(settings: Locale | null, verdicts: ReadonlyMap<string, boolean>): Locale | null {
  if (settings === null) return null
  return (verdict(settings, verdicts) ?? verdicts.get('*') ?? true) ? settings : null
}

/** The nearest locale of a range or, if it is refused, another one of the range. */
function inLanguage(tag: string, verdicts: ReadonlyMap<string, boolean>): Locale | null {
  const nearest = closestLocale(tag)
  if (nearest === null || verdict(nearest, verdicts) !== false) return nearest
  return (
    locales.find(
      (locale) => locale.toLowerCase().startsWith(`${tag}-`) && verdict(locale, verdicts) !== false,
    ) ?? null
  )
}
