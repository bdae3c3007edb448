import { describe, expect, test, vi } from 'vitest'
import { locales, negotiateLocale } from 'commandry'
import { anyCharacter, fc, forAny } from '../support/properties.ts'

const accept = (acceptLanguage: string, userLocale?: string) =>
  negotiateLocale({ acceptLanguage, userLocale })

describe('the sources of a locale', () => {
  test("[2.10-09] are the service's header, then Accept-Language, then the user's settings", () => {
    const all = { serviceLocale: 'ja', acceptLanguage: 'de', userLocale: 'fr' }
    expect(negotiateLocale(all)).toBe('ja')
    expect(negotiateLocale({ ...all, serviceLocale: null })).toBe('de')
    expect(negotiateLocale({ userLocale: 'fr' })).toBe('fr')
    expect(negotiateLocale({ ...all, serviceLocale: undefined, acceptLanguage: null })).toBe('fr')
    expect(negotiateLocale({})).toBeNull()
  })

  const unknown = ['undefined', 'null', '', 'en', 'pt_BR', 'xx', '*', '__proto__']
  test.each(unknown)("[2.10-09] ignore %j in the service's header", (serviceLocale) => {
    expect(negotiateLocale({ serviceLocale, acceptLanguage: 'de' })).toBe('de')
    expect(negotiateLocale({ serviceLocale, userLocale: 'fr' })).toBe('fr')
  })

  test.each(locales)('[2.10-09] accept %s in every source', (locale) => {
    expect(negotiateLocale({ serviceLocale: locale, acceptLanguage: 'xx', userLocale: 'yy' })).toBe(locale)
    expect(accept(locale)).toBe(locale)
    expect(negotiateLocale({ userLocale: locale })).toBe(locale)
  })

  test("[2.10-09] ignore an unknown locale in the user's settings", () => {
    expect(negotiateLocale({ userLocale: 'constructor' })).toBeNull()
  })
})

describe('Accept-Language', () => {
  test.each([
    ['de', 'de'],
    ['DE-at', 'de'],
    ['de, fr', 'de'],
    ['de;q=0.5, fr', 'fr'],
    ['de;q=0.5, fr;q=0.501', 'fr'],
    ['fr;q=1, de', 'fr'],
    ['de;q=0.7, fr;q=0.7, ja;q=0.7', 'de'],
    ['xx, yy;q=0.9, ja;q=0.1', 'ja'],
    ['de-AT;q=0.2,pl;q=0.3,\tfr-CH ;\tQ=1.000', 'fr'],
    ['en-GB;q=0.5, en;q=0.9', 'en-US'],
    ['es-MX, es;q=0.9', 'es-419'],
    ['zh-Hant-HK', 'zh-TW'],
    ['nb-NO, nb;q=0.9, no;q=0.8, en;q=0.6', 'no'],
    [',, ,de,', 'de'],
  ])('[2.10-09] selects, for %j, %s', (header, locale) => {
    expect(accept(header)).toBe(locale)
    expect(accept(header, 'th')).toBe(locale)
  })

  test.each([
    ...['d', 'xx', '', ' , ;', 'de;q=1.1', 'de;q=2', 'de;q=-1', 'de;q=', 'de;q=abc', 'de;level=1'],
    ...['de;q=1;q=1', 'de fr', 'de_DE', '"de"', 'ab-', '-de', 'deutscheste', 'dé'],
  ])("[2.10-09] falls back to the user's settings for %j", (header) => {
    expect(accept(header, 'th')).toBe('th')
    expect(accept(header)).toBeNull()
  })

  test('[2.10-09] ignores invalid parts', () => {
    expect(accept('de;q=oops, fr;q=0.1, ;;;')).toBe('fr')
  })

  test("[2.10-09] uses the user's settings for *", () => {
    expect(accept('*', 'th')).toBe('th')
    expect(accept('*')).toBeNull()
    expect(accept('de, *;q=0.5', 'th')).toBe('de')
    expect(accept('*, de;q=0.5', 'th')).toBe('th')
    expect(accept('*, de;q=0.5')).toBe('de')
    expect(accept('xx, *;q=0.1', 'th')).toBe('th')
  })

  test('[2.10-09] excludes a range with a weight of 0', () => {
    expect(accept('de;q=0')).toBeNull()
    expect(accept('de;q=0.000, fr;q=0.1')).toBe('fr')
    expect(accept('de-AT;q=0', 'th')).toBe('th')
    expect(accept('de, de;q=0')).toBeNull()
    expect(accept('de;q=0, de')).toBeNull()
    expect(accept('en;q=0, fr', 'en-GB')).toBe('fr')
    expect(accept('de-AT, de;q=0')).toBeNull()
    expect(accept('nb;q=0', 'no')).toBeNull()
    expect(accept('zh-Hant;q=0', 'zh-TW')).toBeNull()
  })

  test('[2.10-09] prefers a longer range to a shorter one', () => {
    expect(accept('en-US;q=0, en')).toBe('en-GB')
    expect(accept('en;q=0, en-US')).toBe('en-US')
    expect(accept('en;q=0, en-US;q=0.1', 'en-GB')).toBe('en-US')
    expect(accept('de-AT;q=0, de')).toBe('de')
  })

  test("[2.10-09] excludes a locale from the user's settings too", () => {
    expect(accept('de;q=0', 'de')).toBeNull()
    expect(accept('en;q=0, *', 'en-GB')).toBeNull()
    expect(accept('en;q=0', 'de')).toBe('de')
    expect(accept('xx, *;q=0', 'de')).toBeNull()
    expect(accept('de;q=0.5, *;q=0', 'th')).toBe('de')
    expect(accept('de-AT, *;q=0')).toBe('de')
  })

  test('[2.10-09] selects the known locale with the highest weight, the first of equals', () => {
    const range = fc.record({
      locale: fc.constantFrom(...locales, 'xx', 'tlh'),
      thousandths: fc.integer({ min: 1, max: 1000 }),
    })
    forAny([fc.array(range, { maxLength: 12 })], 100, (ranges) => {
      const header = ranges.map(({ locale, thousandths }) => `${locale};q=${thousandths / 1000}`).join(', ')
      let best: { locale: string; thousandths: number } | undefined
      for (const range of ranges) {
        if (range.locale === 'xx' || range.locale === 'tlh') continue
        if (best === undefined || range.thousandths > best.thousandths) best = range
      }
      expect(accept(header)).toBe(best?.locale ?? null)
    })
  })
})

/** Codes that a language has besides its own; for `found` they are as good. */
const otherCodes = new Map([
  ['no', ['nb', 'nn']],
  ['id', ['in']],
])

describe('hostile headers', () => {
  // A property found it, with a seed that was drawn.
  test('[2.10-09] name a language by its former code too', () => {
    expect(accept('in', 'th')).toBe('id')
    expect(accept('nn', 'th')).toBe('no')
  })

  test('[2.10-09] return only locales that the header or the settings name, for any text', () => {
    const piece = fc.constantFrom('de', 'EN', 'GB', '*', ';q=', '0', '1', '.', ',', ' ', '-', ';', '\t', 'é')
    const header = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))
    forAny([fc.oneof(header, fc.string({ unit: anyCharacter }))], 100, (text) => {
      const found = accept(text, 'th')
      const code = found?.slice(0, 2) ?? '*'
      const codes = [code, ...(otherCodes.get(code) ?? [])]
      expect(found === 'th' || codes.some((one) => text.toLowerCase().includes(one))).toBe(true)
    })
  })

  test('[2.10-09] are read up to 100 parts and 8192 characters', () => {
    expect(accept(`${'xx,'.repeat(99)}de`)).toBe('de')
    expect(accept(`${'xx,'.repeat(100)}de`)).toBeNull()
    const filled = (length: number) => `${' '.repeat(length)},de,`
    expect(accept(filled(8_192 - 4))).toBe('de')
    expect(accept(filled(8_192))).toBeNull()
  })

  test('[2.10-09] lose the part that the limit cuts in two', () => {
    for (let spaces = 8_170; spaces < 8_200; spaces++) {
      expect(accept(`${' '.repeat(spaces)},de;q=0`, 'th')).toBe('th')
      expect(accept(`x,${' '.repeat(spaces)}de-AT`, 'th')).toBe(spaces <= 8_185 ? 'de' : 'th')
    }
    expect(accept('de'.repeat(9_000), 'th')).toBe('th')
    expect(accept(`de,${'x'.repeat(9_000)}`)).toBe('de')
  })

  test.each([
    ['commas', ','],
    ['spaces', ' '],
    ['subtags', 'a-'],
    ['weights', ';q=0'],
    ['zeros', '0'],
    ['tabs and semicolons', '\t;'],
  ])('[2.10-09] are read only at the beginning, for millions of %s', (_, unit) => {
    const looked: number[] = []
    const exec = RegExp.prototype.exec
    const spy = vi.spyOn(RegExp.prototype, 'exec').mockImplementation(function (this: RegExp, text: string) {
      looked.push(text.length)
      return exec.call(this, text)
    })
    try {
      accept(`de;q=0.${unit.repeat(4_000_000)}`)
    } finally {
      spy.mockRestore()
    }
    const characters = looked.reduce((sum, length) => sum + length, 0)
    expect(looked.length).toBeLessThanOrEqual(500)
    expect(characters).toBeLessThanOrEqual(2 * 8_192)
  })
})
