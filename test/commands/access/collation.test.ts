import { describe, expect, it } from 'vitest'
import { comparer, foldText, searchForm } from '../../../src/commands/access/collation.ts'
import { locales } from 'commandry'
import { anyCharacter, fc, forAny } from '../../support/properties.ts'

const sorted = (locale: string, ...texts: string[]) => texts.sort(comparer(locale)).join(' ')

it('the order of a language sorts as readers of the language expect', () => {
  expect(sorted('de', 'zeigen', 'ändern', 'bannen', 'aufheben')).toBe('ändern aufheben bannen zeigen')
  expect(sorted('sv-SE', 'zebra', 'ändra', 'ålägga', 'avsluta')).toBe('avsluta zebra ålägga ändra')
  expect(sorted('cs', 'hodiny', 'chléb', 'cihla', 'idea')).toBe('cihla hodiny chléb idea')
  expect(sorted('en-US', 'roll10', 'roll9', 'Roll')).toBe('Roll roll9 roll10')
})

it('the order of a language sorts as English for an unknown locale', () => {
  const list = ['zeta', 'äpfel', 'apple']
  for (const locale of ['', 'xx', 'not a tag!', '__proto__', 'constructor'])
    expect(sorted(locale, ...list)).toBe(sorted('en-US', ...list))
})

describe('search keys', () => {
  it('ignore case and accents where the language treats the letters as equal', () => {
    expect(foldText('Löschen', 'de')).toBe('loschen')
    expect(foldText('Straße', 'de')).toBe('strasse')
    expect(foldText('crème brûlée', 'fr')).toBe('creme brulee')
    expect(foldText('NIÑO', 'es-ES')).toBe('niño')
    expect(foldText('Åsa', 'sv-SE')).toBe('åsa')
    expect(foldText('Åsa', 'de')).toBe('asa')
    expect(foldText('IĞDIR', 'tr')).not.toBe(foldText('iğdır', 'tr').replace('ı', 'i'))
  })

  it('keep marks that form separate letters', () => {
    expect(foldText('हिन्दी', 'hi')).toBe('हिन्दी'.normalize('NFC'))
    expect(foldText('กำ', 'th')).not.toBe(foldText('ก', 'th'))
  })

  it('match a Korean syllable by its beginning', () => {
    expect(foldText('각하', 'ko').startsWith(foldText('가', 'ko'))).toBe(true)
    expect(foldText('각하', 'ko').startsWith(foldText('나', 'ko'))).toBe(false)
  })

  it('are equal in capitals of any language', () => {
    for (const locale of locales) {
      for (const text of ['invite', 'list', 'ışık', 'list ışık', 'straße', 'löschen', 'ελλάς', 'удалить']) {
        expect(searchForm(text.toUpperCase(), locale)).toBe(searchForm(text, locale))
        if (!/[ıi]/.test(text) || locale === 'tr') {
          expect(searchForm(text.toLocaleUpperCase(locale), locale)).toBe(searchForm(text, locale))
        }
      }
    }
    expect(searchForm('İNVİTE', 'tr')).toBe('invite')
  })

  it('are equal for any number and kind of spaces', () => {
    for (const text of [' mix set', 'mix set ', 'mix  set', '\tmix \u00a0 set\n', 'mix\u3000set'])
      expect(searchForm(text, 'en-US')).toBe('mix set')
    expect(searchForm(' \n', 'ja')).toBe('')
  })

  it('are equal for any composition of letters, and idempotent', () => {
    forAny(
      [fc.constantFrom(...locales, 'xx'), fc.string({ unit: anyCharacter, maxLength: 20 })],
      100,
      (locale, text) => {
        expect(foldText(text.normalize('NFD'), locale)).toBe(foldText(text.normalize('NFC'), locale))
        expect(foldText(text, locale)).toBe(foldText(text, locale))
      },
    )
  })

  it('never miss a text that begins with the typed one', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'abcäöüßéñåø한국어ıİIişğकिข้า日本'), maxLength: 12 })
    forAny([fc.constantFrom(...locales), letters, fc.nat(12)], 100, (locale, text, length) => {
      const typed = Array.from(text.normalize('NFC')).slice(0, length).join('')
      expect(foldText(text, locale).startsWith(foldText(typed, locale))).toBe(true)
    })
  })
})
