import { describe, expect, test } from 'vitest'
import { canonicalTag, closestLocale } from '../../src/model/closest-locale.ts'
import { isLocale, locales } from 'commandry'
import { anyCharacter, fc, forAny } from '../support/properties.ts'
import { words } from '../support/words.ts'

describe('the nearest locale to a language tag', () => {
  test.each(locales)('[2.10-10] is %s itself, in any letter case and with an underscore', (locale) => {
    for (const tag of [locale, locale.toLowerCase(), locale.toUpperCase(), locale.replace('-', '_')])
      expect(closestLocale(tag)).toBe(locale)
  })

  const nearest = {
    de: 'de-AT de-Latn-CH-1996',
    fr: 'fr-CA',
    'en-US': 'en en-AU',
    'en-GB': 'en-GB-oed',
    'es-ES': 'es es-ES es-GQ',
    'es-419': 'es-MX es-AR es-US es-Latn-CO',
    'pt-BR': 'pt pt-PT',
    'sv-SE': 'sv sv-FI',
    no: 'nb nb-NO nn',
    'zh-CN': 'zh zh-SG zh-Hans zh-Hans-TW',
    'zh-TW': 'zh-Hant zh-Hant-CN zh-Hant-HK zh-HK zh-MO',
    he: 'iw',
    id: 'in-ID',
  }
  const tags = Object.entries(nearest).flatMap(([locale, tags]) => words(tags).map((tag) => [tag, locale]))
  test.each(tags)('[2.10-09] is, for %s, %s', (tag, locale) => {
    expect(closestLocale(tag)).toBe(locale)
  })

  const unknown = ['', '-', '*', 'xx', 'eo-001', 'd', 'deutsch', 'undefined', '__proto__', 'constructor']
  test.each(unknown)('[2.10-09] does not exist for %j', (tag) => {
    expect(closestLocale(tag)).toBeNull()
  })

  test('[2.10-09] is a known locale or absent for any text', () => {
    forAny([fc.string({ unit: anyCharacter })], 100, (tag) => {
      const closest = closestLocale(tag)
      expect(closest === null || isLocale(closest)).toBe(true)
    })
  })

  test('[2.10-09] depends only on the beginning of a long tag', () => {
    expect(closestLocale(`de-${'x-'.repeat(1_000_000)}`)).toBe('de')
    expect(canonicalTag('a'.repeat(1_000_000))).toHaveLength(35)
    expect(['zh-Hans', 'zh-Hant_HK', 'IW'].map(canonicalTag)).toEqual(['zh-cn', 'zh-tw-hk', 'he'])
  })
})
