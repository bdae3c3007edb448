import { describe, expect, it } from 'vitest'
import { isLocale, Locale, localeNames, locales } from 'commandry'
import { serviceFallbacks } from '../../src/model/locales.ts'
import { localeCodes } from '../support/locale-codes.ts'

describe('the locales', () => {
  it('[2.10-10] are 34, in the order of the service', () => {
    expect(locales).toEqual(localeCodes)
    expect(Object.keys(Locale)).toEqual(localeCodes)
    for (const code of localeCodes) {
      expect(Locale[code]).toBe(code)
      expect(isLocale(code)).toBe(true)
    }
    for (const none of ['en', 'pt_BR', 'DE', 'nb', '', '__proto__', 'constructor', null, undefined, 5])
      expect(isLocale(none)).toBe(false)
  })

  it('[2.10-10] have a name in English and in their own language', () => {
    expect(Object.keys(localeNames).toSorted()).toEqual(localeCodes.toSorted())
    const nameOf = (locale: string, language: string) =>
      new Intl.DisplayNames(language, { type: 'language' }).of(locale.split('-')[0]!)!.toLowerCase()
    // ICU has another form of this name, and of Chinese one name for both scripts.
    const others: { readonly [locale: string]: string } = { lt: 'lietuviškai', 'zh-TW': '繁體中文' }
    for (const [locale, [english, native]] of Object.entries(localeNames)) {
      expect(english.toLowerCase()).toContain(nameOf(locale, 'en'))
      expect(native.toLowerCase()).toContain(others[locale] ?? nameOf(locale, locale))
    }
  })

  it('[2.10-03] fall back in three cases and no other', () => {
    expect([...serviceFallbacks]).toEqual([
      ['en-US', 'en-GB'],
      ['en-GB', 'en-US'],
      ['es-419', 'es-ES'],
    ])
  })
})
