import { describe, expect, it } from 'vitest'
import { OptionType, validateCommand } from 'commandry'
import { option, slash } from '../../../support/bodies.ts'
import { accepted, reasons, refused, warned } from '../../../support/found.ts'

const describeValue = (description: unknown) => validateCommand({ name: 'a', description })
const typed = (type: number, fields: object = {}) => validateCommand({ type, name: 'A', ...fields })

const invisible =
  'has only white space or invisible characters, which counts as empty; a description has at least 1 character'

const fitting = [
  ['one character', 'x'],
  ['100 characters', 'x'.repeat(100)],
  ['100 emoji, which are 200 UTF-16 units', '🎉'.repeat(100)],
  ['a combining mark and white space', ' \u0301'],
  ['any characters in any case', 'Ärger?\n\t— “Yes”, said İ. \ud83d'],
] as const

const unfitting = [
  ['nothing', '', 'is empty; a description has at least 1 character'],
  ['101 characters', 'x'.repeat(101), 'has 101 characters; at most 100 are allowed'],
  ['101 emoji', '🎉'.repeat(101), 'has 101 characters; at most 100 are allowed'],
  ['a space', ' ', invisible],
  ['white space', '\n\t\u00a0\u3000', invisible],
  ['zero-width characters', '\u200b\u2060\ufeff', invisible],
  ['fillers', '\u3164\u2800', invisible],
] as const

describe('the description of a slash command', () => {
  it.each(fitting)('[2.1-09] may be %s and is stored unchanged', (_, text) => {
    expect(accepted(describeValue(text)).description).toBe(text)
  })

  it.each(unfitting)('[2.1-09] [2.1-26] may not be %s', (_, text, message) => {
    expect(reasons(describeValue(text))).toEqual([`description.length description 2.1-09: ${message}`])
  })

  it('[2.1-09] [2.1-22] is required', () => {
    for (const body of [{ name: 'a' }, { name: 'a', type: 1 }, { name: 'a', description: undefined }])
      expect(refused(validateCommand(body))).toEqual(['shape.required description 2.1-22'])
    expect(reasons(describeValue(null))).toEqual([
      'shape.required description 2.1-22: is null, but it is required',
    ])
  })

  it.each(fitting)('[2.1-10] may be %s in a translation', (_, text) => {
    const found = validateCommand(slash({ description_localizations: { de: text } }))
    expect(accepted(found).description_localizations).toEqual({ de: text })
  })

  it.each(unfitting)('[2.1-10] [2.1-26] may not be %s in a translation', (_, text, message) => {
    const found = validateCommand(slash({ description_localizations: { fr: 'oui', de: text } }))
    expect(reasons(found)).toEqual([`description.length description_localizations.de 2.1-09: ${message}`])
  })
})

describe.each([2, 3, 4])('the description of a command of type %i', (type) => {
  const blank = [{}, { description: '' }, { description: null }, { description: undefined }]
  it.each(blank)('[2.1-09] [2.1-22] reads as an empty string from %j, with a warning for null', (fields) => {
    const found = typed(type, fields)
    expect(accepted(found)).toMatchObject({ description: '', description_localizations: null })
    expect(warned(found)).toEqual(fields.description === null ? ['shape.null description 2.1-22'] : [])
  })
})

describe.each([
  ['user', 2],
  ['message', 3],
])('the description of a %s command', (_, type) => {
  it('[2.1-09] may not be given', () => {
    const found = typed(type, { description: 'b' })
    expect(reasons(found)).toEqual([
      'description.forbidden description 2.1-09: cannot be given: user and message commands have no description, so leave it out',
    ])
    expect(refused(typed(type, { description: ' ' }))).toHaveLength(1)
  })

  it('[2.1-09] [2.1-10] rejects translations but accepts an empty dictionary', () => {
    for (const description_localizations of [null, {}, undefined, { de: undefined }])
      expect(accepted(typed(type, { description_localizations })).description_localizations).toBe(null)
    // A key that is not a locale is a translation too.
    for (const description_localizations of [{ de: 'b' }, { '': 'b' }, { '': '' }])
      expect(refused(typed(type, { description_localizations }))).toEqual([
        'description.forbidden description_localizations 2.1-09',
      ])
  })

  it('[2.1-09] reports the description and its translations', () => {
    const both = { description: 'b', description_localizations: { de: 'b' } }
    expect(refused(typed(type, both))).toEqual([
      'description.forbidden description 2.1-09',
      'description.forbidden description_localizations 2.1-09',
    ])
  })
})

it.each(fitting)('[2.1-09] the description of an entry point command may be %s', (_, text) => {
  const found = typed(4, { description: text, description_localizations: { de: text } })
  expect(accepted(found).description).toBe(text)
  expect(accepted(found).description_localizations).toEqual({ de: text })
})

it('[2.1-09] [2.1-26] the description of an entry point command may be empty or invisible', () => {
  for (const description of ['', ' ', '\u200b'])
    expect(accepted(typed(4, { description })).description).toBe(description)
})

it.each(['', ' ', '\u3164'])(
  '[2.1-10] the description of an entry point command has no translation %j',
  (de) => {
    const found = typed(4, { description: 'Play', description_localizations: { de } })
    expect(refused(found)).toEqual(['description.length description_localizations.de 2.1-09'])
  },
)

it.each(unfitting.slice(1, 3))(
  '[2.1-09] [2.1-10] the description of an entry point command cannot be %s',
  (_, text, message) => {
    const found = typed(4, { description: text, description_localizations: { de: text } })
    expect(reasons(found)).toEqual([
      `description.entry_point description 2.1-09: ${message}`,
      `description.length description_localizations.de 2.1-09: ${message}`,
    ])
  },
)

describe.each(Object.entries(OptionType))('the description of an option of type %s', (_, type) => {
  const found = (description: unknown) =>
    validateCommand(slash({ options: [{ ...option(type), description }] }))
  const at = 'options[0].description'

  it('[2.4-05] is required and has 1 to 100 characters', () => {
    for (const [, text] of fitting) expect(accepted(found(text)).options?.[0]?.description).toBe(text)
    for (const [, text, message] of unfitting)
      expect(reasons(found(text))).toEqual([`description.length ${at} 2.1-09: ${message}`])
    for (const nothing of [undefined, null])
      expect(refused(found(nothing))).toEqual([`shape.required ${at} 2.1-22`])
  })

  it('[2.4-04] has 1 to 100 characters in every locale', () => {
    const body = (text: string) =>
      slash({ options: [option(type, { description_localizations: { de: text } })] })
    expect(refused(validateCommand(body('🎉'.repeat(100))))).toEqual([])
    const problem = 'description.length options[0].description_localizations.de 2.1-09'
    for (const text of ['', 'x'.repeat(101)]) expect(refused(validateCommand(body(text)))).toEqual([problem])
  })
})
