import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalTag, closestLocale } from '../../src/locale/closest.ts'
import { isLocale, locales } from 'commandry'
import { forAny } from '../support/properties.ts'

describe('the nearest locale to a language tag', () => {
  test.each(locales)('[2.10-10] is %s itself, in any letter case and with an underscore', (locale) => {
    for (const tag of [locale, locale.toLowerCase(), locale.toUpperCase(), locale.replace('-', '_')])
      expect(closestLocale(tag)).toBe(locale)
  })

  test.each([
    ['de-AT', 'de'],
    ['de-Latn-CH-1996', 'de'],
    ['fr-CA', 'fr'],
    ['en', 'en-US'],
    ['en-AU', 'en-US'],
    ['en-GB-oed', 'en-GB'],
    ['es', 'es-ES'],
    ['es-ES', 'es-ES'],
    ['es-GQ', 'es-ES'],
    ['es-MX', 'es-419'],
    ['es-AR', 'es-419'],
    ['es-US', 'es-419'],
    ['es-Latn-CO', 'es-419'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['sv', 'sv-SE'],
    ['sv-FI', 'sv-SE'],
    ['nb', 'no'],
    ['nb-NO', 'no'],
    ['nn', 'no'],
    ['zh', 'zh-CN'],
    ['zh-SG', 'zh-CN'],
    ['zh-Hans', 'zh-CN'],
    ['zh-Hans-TW', 'zh-CN'],
    ['zh-Hant', 'zh-TW'],
    ['zh-Hant-CN', 'zh-TW'],
    ['zh-Hant-HK', 'zh-TW'],
    ['zh-HK', 'zh-TW'],
    ['zh-MO', 'zh-TW'],
    ['iw', 'he'],
    ['in-ID', 'id'],
  ])('[2.10-09] is, for %s, %s', (tag, locale) => {
    expect(closestLocale(tag)).toBe(locale)
  })

  const unknown = ['', '-', '*', 'xx', 'eo-001', 'd', 'deutsch', 'undefined', '__proto__', 'constructor']
  test.each(unknown)('[2.10-09] does not exist for %j', (tag) => {
    expect(closestLocale(tag)).toBeNull()
  })

  test('[2.10-09] is a known locale or absent for any text', () => {
    forAny([fc.string({ unit: 'binary' })], 100, (tag) => {
      const closest = closestLocale(tag)
      expect(closest === null || isLocale(closest)).toBe(true)
    })
  })

  test('[2.10-09] depends only on the beginning of a long tag', () => {
    expect(closestLocale(`de-${'x-'.repeat(1_000_000)}`)).toBe('de')
    expect(canonicalTag('a'.repeat(1_000_000))).toHaveLength(35)
  })
})
