/** Whose language to answer in (clause 2.10-09). */
import { canonicalTag, closestLocale } from './closest.ts'
import { isLocale, locales, type Locale } from './locales.ts'

export interface LocaleSources {
  /** The value of the header that names a locale of the service. Anything else it holds counts as absent. */
  readonly serviceLocale?: string | null | undefined
  /** The value of the `Accept-Language` header. */
  readonly acceptLanguage?: string | null | undefined
  /** The locale of the user's settings. Anything but a locale of the service counts as absent. */
  readonly userLocale?: string | null | undefined
}

// A header comes from anybody. What a browser sends is a tenth of this; the rest is not looked at.
const MOST_CHARACTERS = 8_192
const MOST_RANGES = 100

/**
 * The locale to answer in, or null when nothing names one the service has (clause 2.10-09):
 *
 * 1. the service's own header;
 * 2. `Accept-Language`: the range with the highest weight for which the service has a locale, the first of
 *    several with the same weight. A range finds the nearest locale, so `de-AT` finds `de` and `en` finds
 *    `en-US` (see `closestLocale`). `*` is no preference: it finds the locale of the user's settings;
 * 3. the user's settings.
 *
 * A weight of 0 refuses what its range covers, the user's settings included, unless a longer range asks for it:
 * `en-US;q=0, en` finds `en-GB`, and `*;q=0` refuses everything that is not named. Parts of the header that
 * cannot be read are ignored, and so is all beyond 100 parts or 8,192 characters. Takes time linear in that.
 */
export function negotiateLocale({ serviceLocale, acceptLanguage, userLocale }: LocaleSources): Locale | null {
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
  /** From 0 to 1. */
  readonly weight: number
}

const RANGE = /^(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)(?:[ \t]*;[ \t]*q=(0(?:\.[0-9]*)?|1(?:\.0*)?))?$/i

function readRanges(header: string): LanguageRange[] {
  let text = header
  if (text.length > MOST_CHARACTERS) {
    // A part that was cut in two could say something else: `de` of `de;q=0`.
    text = text.slice(0, MOST_CHARACTERS)
    text = text.slice(0, Math.max(0, text.lastIndexOf(',')))
  }
  const ranges: LanguageRange[] = []
  for (const part of text.split(',', MOST_RANGES)) {
    const read = RANGE.exec(part.trim())
    if (read !== null) ranges.push({ tag: canonicalTag(read[1]!), weight: Number(read[2] ?? 1) })
  }
  return ranges
}

/** What the longest range that covers a locale says of it; undefined when none does. `*` is not looked at. */
function verdict(locale: Locale, verdicts: ReadonlyMap<string, boolean>): boolean | undefined {
  const tag = locale.toLowerCase()
  return verdicts.get(tag) ?? verdicts.get(tag.split('-')[0]!)
}

/** The locale of the user's settings, unless the header refuses it. */
function acceptable(settings: Locale | null, verdicts: ReadonlyMap<string, boolean>): Locale | null {
  if (settings === null) return null
  return (verdict(settings, verdicts) ?? verdicts.get('*') ?? true) ? settings : null
}

/** The nearest locale to a range or, when that is refused, another one the range covers. */
function inLanguage(tag: string, verdicts: ReadonlyMap<string, boolean>): Locale | null {
  const nearest = closestLocale(tag)
  if (nearest === null || verdict(nearest, verdicts) !== false) return nearest
  return (
    locales.find(
      (locale) => locale.toLowerCase().startsWith(`${tag}-`) && verdict(locale, verdicts) !== false,
    ) ?? null
  )
}
