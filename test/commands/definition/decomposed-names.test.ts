import { describe, expect, it } from 'vitest'
import { validateCommand } from 'commandry'
import { accepted, advice, refused, warned } from '../../support/found.ts'

const composed = '한국'
const decomposed = composed.normalize('NFD')

describe('[2.1-07] [2.1-05] names in another form than NFC', () => {
  it('are accepted with a warning when they are Hangul, and kept as they are', () => {
    const found = validateCommand({ name: decomposed, description: 'b' })
    expect(accepted(found).name).toBe(decomposed)
    expect(advice(found)).toEqual([
      `name.decomposed name 2.1-07: is not normalized to NFC, so it differs from the same word as people type it; write "${composed}" in NFC`,
    ])
  })

  it('are warned of in options and translations', () => {
    const option = { type: 3, name: decomposed, description: 'b' }
    const whole = { name: 'a', name_localizations: { ko: decomposed }, description: 'b', options: [option] }
    expect(warned(validateCommand(whole))).toEqual([
      'name.decomposed name_localizations.ko 2.1-07',
      'name.decomposed options[0].name 2.1-07',
    ])
  })

  it('are one error, without a warning, when their marks are refused', () => {
    const found = validateCommand({ name: 'cafe\u0301', description: 'b' })
    expect(refused(found)).toEqual(['name.characters name 2.1-05'])
    expect(warned(found)).toEqual([])
  })

  it('are none when composed, or when a syllable has no other form', () => {
    for (const name of [composed, 'ㄱㄴ', 'ᄀ', 'ósemka'])
      expect(warned(validateCommand({ name, description: 'b' }))).toEqual([])
  })
})
