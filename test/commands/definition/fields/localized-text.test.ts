import { describe, expect, it } from 'vitest'
import { locales, validateCommand } from 'commandry'
import { commandOf, option, slash } from '../../../support/bodies.ts'
import { accepted, advice, messages, refused, warned, warnings } from '../../../support/found.ts'
import { localeCodes } from '../../../support/locale-codes.ts'

/** A body with a dictionary at one of the places that allow one, and the path of that place. */
interface Place {
  readonly what: string
  readonly path: string
  body(dictionary: unknown): unknown
}
const at = (what: string, path: string, body: Place['body']): Place => ({ what, path, body })

const name = 'name_localizations'
const description = 'description_localizations'
const inOption = (type: number, fields: object) => slash({ options: [option(type, fields)] })
const choice = (dictionary: unknown) => ({ name: 'c', [name]: dictionary, value: 'v' })

const names = [
  at('the name of a slash command', name, (it) => slash({ [name]: it })),
  at('the name of an option', `options[0].${name}`, (it) => inOption(3, { [name]: it })),
  at('the name of a group', `options[0].${name}`, (it) => inOption(2, { [name]: it, options: [option(1)] })),
  at('the name of a subcommand in a group', `options[0].options[0].${name}`, (it) =>
    inOption(2, { options: [option(1, { [name]: it })] }),
  ),
  at('the name of an option of a subcommand', `options[0].options[0].${name}`, (it) =>
    inOption(1, { options: [option(3, { [name]: it })] }),
  ),
]
const freeNames = [2, 3, 4].map((type) =>
  at(`the name of a command of type ${type}`, name, (it) => ({ type, name: 'A', [name]: it })),
)
const places = [
  ...names,
  ...freeNames,
  at('the name of a choice', `options[0].choices[0].${name}`, (it) => inOption(3, { choices: [choice(it)] })),
  at('the description of a slash command', description, (it) => slash({ [description]: it })),
  at('the description of an entry point command', description, (it) => commandOf(4, { [description]: it })),
  at('the description of an option', `options[0].${description}`, (it) => inOption(3, { [description]: it })),
]

/** The value that was read at the path of a place. */
function read(place: Place, dictionary: unknown): unknown {
  const value: unknown = accepted(validateCommand(place.body(dictionary)))
  return place.path.split(/[.[\]]+/).reduce((held, step) => (held as Record<string, unknown>)[step], value)
}

it('[2.10-10] defines 34 locales, with ar and he', () => {
  expect(localeCodes).toHaveLength(34)
  expect([...locales].sort()).toEqual([...localeCodes].sort())
})

describe.each(places)('a dictionary for $what', (place) => {
  const found = (dictionary: unknown) => validateCommand(place.body(dictionary))

  it('[2.1-08] [2.10-01] [2.10-10] accepts any subset of the locales and keeps it unchanged', () => {
    for (const locale of localeCodes) expect(read(place, { [locale]: 'ß' })).toEqual({ [locale]: 'ß' })
    const all = Object.fromEntries(localeCodes.map((locale, i) => [locale, `x${i}`]))
    const dictionary = read(place, all)
    expect(dictionary).toEqual(all)
    expect(Object.keys(dictionary as object)).toEqual(localeCodes)
    const backwards = Object.fromEntries(Object.entries(all).reverse())
    expect(Object.keys(read(place, backwards) as object)).toEqual([...localeCodes].reverse())
  })

  it.each([
    ...['pt_BR', 'EN-US', 'en', 'de-DE', 'nb', 'xx', '', ' de', 'constructor', 'toString', 'hasOwnProperty'],
  ])('[2.1-08] [2.10-10] rejects the locale %j', (locale) => {
    expect(refused(found({ de: 'x', [locale]: 'y' }))).toEqual([
      `localization.locale ${place.path}.${locale} 2.1-08`,
    ])
  })

  it('[2.1-08] rejects the locale `__proto__` and does not change the prototype', () => {
    const dictionary: unknown = JSON.parse('{ "__proto__": "polluted", "de": "x" }')
    expect(refused(found(dictionary))).toEqual([`localization.locale ${place.path}.__proto__ 2.1-08`])
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it('[2.1-08] suggests the nearest locale, also for the code of a country', () => {
    for (const [key, locale] of Object.entries({
      ...{ pt_BR: 'pt-BR', 'en-us': 'en-US', BR: 'pt-BR', cn: 'zh-CN', cz: 'cs', dk: 'da', gr: 'el' },
      ...{ jp: 'ja', kr: 'ko', se: 'sv-SE', tw: 'zh-TW', ua: 'uk', vn: 'vi' },
    }))
      expect(messages(found({ [key]: 'x' }))[0]).toContain(`did you mean "${locale}"?`)
    expect(messages(found({ xx: 'x' }))[0]).not.toContain('did you mean')
  })

  it('[2.1-22] rejects null and other values that are not strings, each at its locale', () => {
    expect(refused(found({ de: null, fr: 5, it: ['x'], nl: {}, pl: true }))).toEqual([
      `shape.required ${place.path}.de 2.1-22`,
      `shape.string ${place.path}.fr 2.1-24`,
      `shape.string ${place.path}.it 2.1-24`,
      `shape.string ${place.path}.nl 2.1-24`,
      `shape.string ${place.path}.pl 2.1-24`,
    ])
  })

  it('[2.1-22] [2.1-23] reads null, an empty and a missing dictionary as null, without a warning', () => {
    for (const nothing of [null, {}, undefined, { de: undefined }]) {
      expect(read(place, nothing)).toBe(null)
      expect(warned(found(nothing))).toEqual([])
    }
  })

  it('[2.1-08] drops undefined entries, as JSON does', () => {
    expect(read(place, { de: undefined, id: 'x', xx: undefined })).toEqual({ id: 'x' })
  })
})

describe('the rules of a text', () => {
  it.each(names)('[2.1-08] [2.4-04] apply in every locale: $what', ({ body, path }) => {
    const found = (text: string) => refused(validateCommand(body({ de: text })))
    expect(found('𝒶'.repeat(32))).toEqual([])
    expect(found('')).toEqual([`name.length ${path}.de 2.1-04`])
    expect(found('𝒶'.repeat(33))).toEqual([`name.length ${path}.de 2.1-04`])
    expect(found('x y')).toEqual([`name.characters ${path}.de 2.1-05`])
    expect(found('e\u0301')).toEqual([`name.characters ${path}.de 2.1-05`])
    expect(found('\ud800')).toEqual([`name.characters ${path}.de 2.1-05`])
    expect(found('Ärger')).toEqual([`name.case ${path}.de 2.1-06`])
    expect(found('ǅ')).toEqual([`name.case ${path}.de 2.1-06`])
  })

  it('[2.1-08] apply to every locale', () => {
    for (const locale of localeCodes)
      expect(refused(validateCommand(slash({ name_localizations: { [locale]: 'X' } })))).toEqual([
        `name.case name_localizations.${locale} 2.1-06`,
      ])
  })

  it.each(freeNames)('[2.1-08] [2.1-07] apply to context menu commands: $what', ({ body, path }) => {
    const found = (text: string) => refused(validateCommand(body({ de: text })))
    expect(found('Über Uns!')).toEqual([])
    expect(found('🎉'.repeat(32))).toEqual([])
    expect(found('')).toEqual([`name.length ${path}.de 2.1-04`])
    expect(found('x'.repeat(33))).toEqual([`name.length ${path}.de 2.1-04`])
  })
})

describe('a translation that repeats the default', () => {
  const dictionary = (name_localizations: object) =>
    validateCommand({ type: 2, name: 'Same', name_localizations })

  it('[2.10-04] is stored, with a warning', () => {
    const found = dictionary({ de: 'Same', fr: 'Autre' })
    expect(accepted(found).name_localizations).toEqual({ de: 'Same', fr: 'Autre' })
    expect(advice(found)).toEqual([
      'localization.default name_localizations.de 2.10-04: repeats the default "Same"; you can omit it',
    ])
  })

  it('[2.10-04] has a warning in every locale where it has no effect', () => {
    const idle = localeCodes.filter((locale) => warnings(dictionary({ [locale]: 'Same' })).length > 0)
    expect(idle).toEqual(localeCodes.filter((locale) => locale !== 'en-US' && locale !== 'en-GB'))
  })

  it('[2.10-04] [2.10-05] has no warning in English, where it prevents the fallback', () => {
    expect(warned(dictionary({ 'en-US': 'Same', 'en-GB': 'Other' }))).toEqual([])
    expect(warned(dictionary({ 'en-GB': 'Same', 'en-US': 'Other' }))).toEqual([])
  })

  it('[2.10-04] has no warning in es-419 beside es-ES, where it prevents the fallback', () => {
    expect(warned(dictionary({ 'es-419': 'Same', 'es-ES': 'Otro' }))).toEqual([])
    expect(warned(dictionary({ 'es-ES': 'Same', 'es-419': 'Otro' }))).toEqual([
      'localization.default name_localizations.es-ES 2.10-04',
    ])
  })

  const repeatable = places.filter(({ what }) => !what.includes('entry point'))
  it.each(repeatable)('[2.10-04] has a warning for $what', (place) => {
    const defaults = [
      [/choice/, 'c'],
      [/command of type/, 'A'],
      [/^the description/, 'b'],
      [/name of a slash/, 'a'],
    ] as const
    const text = defaults.find(([pattern]) => pattern.test(place.what))?.[1] ?? 'o'
    expect(warned(validateCommand(place.body({ de: text })))).toEqual([
      `localization.default ${place.path}.de 2.10-04`,
    ])
  })
})

it.each(places)('[2.10-05] a fallback that may surprise has a warning for $what', ({ body, path }) => {
  const found = (dictionary: object) => validateCommand(body(dictionary))
  const warning = `localization.fallback ${path} 2.10-05: has no`
  expect(advice(found({ 'en-GB': 'colour', de: 'farbe' }))).toEqual([
    `${warning} en-US, so readers in en-US see the en-GB text and not the default; add en-US if they should not`,
  ])
  expect(advice(found({ 'en-US': 'color' }))).toEqual([
    `${warning} en-GB, so readers in en-GB see the en-US text and not the default; add en-GB if they should not`,
  ])
  expect(warned(found({ 'en-GB': 'colour', 'en-US': 'color' }))).toEqual([])
  expect(warned(found({ de: 'farbe' }))).toEqual([])
})

it('[2.10-05] a fallback that may surprise has no warning when the shown text is the default', () => {
  expect(warned(validateCommand({ type: 2, name: 'Same', name_localizations: { 'en-GB': 'Same' } }))).toEqual(
    [],
  )
})
