import { describe, expect, it } from 'vitest'
import { validateCommands, validatePatch, validatePermissions, type ApplicationCommand } from 'commandry'
import { createPing, validateFollowUp } from 'commandry/interactions'
import { large, option, several, slash } from '../support/bodies.ts'
import {
  badLength,
  command,
  duplicate,
  errors,
  invalidName,
  late,
  maxLength,
  noMatch,
  required,
  tooLarge,
  unknownLocale,
} from './error-tree.ts'

const withOption = (type: unknown, fields: object) => command(slash({ options: [option(type, fields)] }))
const withOptions = (...options: object[]) => command(slash({ options }))
const named = (name: string, fields: object = {}) => option(3, { name, ...fields })
const coerce = (value: string, kind: string) => `NUMBER_TYPE_COERCE: Value "${value}" is not ${kind}.`
const notInt = (value: string) =>
  /^\d+$/.test(value) ? `NUMBER_TYPE_COERCE: Value "${value}" is a string, not int.` : coerce(value, 'int')
const most = (type: string, max: number | string) =>
  `NUMBER_TYPE_MAX: ${type} value should be less than or equal to ${max}.`
const least = (type: string, min: number) =>
  `NUMBER_TYPE_MIN: ${type} value should be greater than or equal to ${min}.`
const oneOf = (...values: number[]) => `BASE_TYPE_CHOICES: Value must be one of (${values.join(', ')}).`
const embeds = (list: readonly unknown[]) => errors(validateFollowUp(createPing('1001'), { embeds: list }))
const exclusive =
  'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID: Sub-command and sub-command group option types are mutually exclusive to all other types'

it('[2.1-24] [7-01] items that are not objects are converted or missing, by their value', () => {
  const model = 'MODEL_TYPE_CONVERT: Only dictionaries may be used in a ModelType'
  const missing = 'LIST_ITEM_VALUE_REQUIRED: List item values of ModelType are required'
  for (const value of ['a', 5, true, [], [1]]) {
    expect(withOption(3, { choices: [value] })).toEqual([`options.0.choices.0 ${model}`])
    expect(withOptions(value as never)).toEqual([`options.0 ${model}`])
    expect(errors(validateCommands([value]))).toEqual([
      '0 MODEL_TYPE_CONVERT: Expected an object/dictionary.',
    ])
    expect(errors(validatePermissions({ permissions: [value] }))).toEqual([`permissions.0 ${model}`])
  }
  for (const value of [null, '']) {
    expect(withOption(3, { choices: [value] })).toEqual([`options.0.choices.0 ${missing}`])
    expect(errors(validateCommands([value]))).toEqual([`0 ${missing}`])
    expect(embeds([value])).toEqual([`embeds.0 ${missing}`])
  }
  expect(embeds(['a'])).toEqual([`embeds.0 ${model}`])
  const dictionary = 'DICT_TYPE_CONVERT: Only dictionaries may be used in a DictType'
  expect(command(slash({ name_localizations: ['de'] }))).toEqual([`name_localizations ${dictionary}`])
})

it('[2.1-22] [7-01] missing fields are reported as required', () => {
  const both = [`name ${required}`, `description ${required}`]
  expect(command({})).toEqual(both)
  expect(command({ name: null, description: null })).toEqual(both)
  const fields = (at: string, ...names: string[]) => names.map((name) => `${at}.${name} ${required}`)
  expect(withOptions({})).toEqual(fields('options.0', 'type', 'name', 'description'))
  expect(withOption(3, { choices: [{}] })).toEqual(fields('options.0.choices.0', 'name', 'value'))
  expect(errors(validatePermissions([{}])).sort()).toEqual(fields('0', 'id', 'permission', 'type'))
  expect(errors(validatePermissions({}))).toEqual([`permissions ${required}`])
})

describe('texts', () => {
  it('[2.1-04] [2.1-05] [2.1-06] have the messages of names', () => {
    expect(command(slash({ name: 'x'.repeat(33) }))).toEqual([`name ${badLength(1, 32)}`])
    expect(command(slash({ name: 'a b' }))).toEqual([`name ${noMatch}`])
    expect(command(slash({ name: 'camelCase' }))).toEqual([`name ${invalidName}`])
    expect(command({ type: 2, name: '' })).toEqual([`name ${badLength(1, 32)}`])
    expect(withOptions(named('a b'))).toEqual([`options.0.name ${noMatch}`])
    expect(withOptions(named('aB'))).toEqual([`options.0.name ${invalidName}`])
    expect(withOption(1, { options: [named('a b')] })).toEqual([`options.0.options.0.name ${noMatch}`])
  })

  it('[2.1-08] have one error for all localized names of a command, without the locale', () => {
    for (const texts of [{ de: 'a b' }, { de: 'aB' }, { de: 'A b', fr: 'C', nl: 'ok' }])
      expect(command(slash({ name_localizations: texts }))).toEqual([`name_localizations ${invalidName}`])
    const list = [slash(), slash({ name: 'b', name_localizations: { de: 'B' } })]
    expect(errors(validateCommands(list))).toEqual([`1.name_localizations ${invalidName}`])
  })

  it('[2.4-04] have one error for each localized name of an option or subcommand', () => {
    const at = 'options.0.name_localizations'
    for (const type of [1, 2, 3]) {
      const names = withOption(type, { name_localizations: { de: 'a b', fr: 'B' } })
      expect(names).toEqual([`${at}.de ${invalidName}`, `${at}.fr ${invalidName}`])
    }
    const list = [slash({ options: [option(3, { name_localizations: { de: 'B' } })] })]
    expect(errors(validateCommands(list))).toEqual([`0.${at}.de ${invalidName}`])
  })

  const fields = ['name_localizations', 'description_localizations']
  it.each(fields)('[2.1-08] report an unknown locale at its key in %s, with all known ones', (field) => {
    expect(command(slash({ [field]: { pt_BR: 'x' } }))).toEqual([`${field}.pt_BR ${unknownLocale}`])
  })

  it('[2.1-09] [2.4-05] [2.6-01] have the messages of descriptions and choice names', () => {
    const long = 'x'.repeat(101)
    const length = badLength(1, 100)
    expect(command(slash({ description: '' }))).toEqual([`description ${length}`])
    expect(command(slash({ description_localizations: { de: '' } }))).toEqual([
      `description_localizations.de ${length}`,
    ])
    expect(withOption(3, { description: long })).toEqual([`options.0.description ${length}`])
    expect(command({ type: 4, name: 'a', description: long })).toEqual([`description ${maxLength(100)}`])
    const choices = [{ name: long, value: 'v' }]
    expect(withOption(3, { choices })).toEqual([`options.0.choices.0.name ${length}`])
  })

  it('[2.1-09] [2.1-11] report the description and options of a context menu command', () => {
    const none = (what: string) =>
      `${what} APPLICATION_COMMAND_CONTEXT_MENU_${what.toUpperCase()}_INVALID: Context menu commands cannot have ${what}`
    for (const type of [2, 3])
      expect(command({ type, name: 'a', description: 'b', options: [option(3)] })).toEqual([
        none('description'),
        none('options'),
      ])
  })

  it('[8-04] report the size at the root, without the index', () => {
    expect(command(large())).toEqual([tooLarge])
    expect(errors(validateCommands([slash({ name: 'b' }), large()]))).toEqual([tooLarge])
    expect(errors(validateCommands([large('b'), large()]))).toEqual([tooLarge])
  })
})

describe('lists of options', () => {
  it('[2.4-03] [2.10-06] report duplicate names', () => {
    const used = 'APPLICATION_COMMAND_OPTIONS_NAME_INVALID: Option name x is already used in these options'
    const again = withOptions(named('x'), named('y'), named('x'), named('x'))
    expect(again).toEqual([`options.2 ${used}`, `options.3 ${used}`])
    const localized = withOptions(named('x'), named('y', { name_localizations: { de: 'x' } }))
    expect(localized).toEqual([`options.1.name_localizations.de ${used}`])
  })

  it('[2.4-07] report required options after optional ones, at every depth', () => {
    const options = [option(3), named('p', { required: true })]
    expect(withOptions(...options)).toEqual([`options.1 ${late}`])
    expect(withOption(1, { options })).toEqual([`options.0.options.1 ${late}`])
  })

  it('[2.7-02] [2.7-03] report misplaced subcommands', () => {
    expect(withOptions(option(4), option(1, { name: 's' }))).toEqual([`options.1 ${exclusive}`])
    expect(withOption(2, { options: [option(3)] })).toEqual([`options.0.options.0 ${exclusive}`])
    for (const [outer, inner] of [
      [1, 1],
      [1, 2],
      [2, 2],
    ])
      expect(withOption(outer, { options: [option(inner)] })).toEqual([
        expect.stringMatching(
          /^options\.0\.options\.0 .*: Nesting of sub-commands is unsupported at this time$/,
        ),
      ])
  })

  it('[8-03] [8-05] report too many items', () => {
    expect(withOptions(...several(26, (i) => named(`o${i}`)))).toEqual([`options ${maxLength(25)}`])
    const choices = several(26, (i) => ({ name: `c${i}`, value: `v${i}` }))
    expect(withOption(3, { choices })).toEqual([`options.0.choices ${maxLength(25)}`])
    const permissions = several(101, (i) => ({ id: `${i}`, type: 1, permission: true }))
    expect(errors(validatePermissions({ permissions }))).toEqual([`permissions ${maxLength(100)}`])
  })

  it('[4.4-01] report duplicate command names', () => {
    const list = [slash(), slash({ name: 'b' }), slash(), slash()]
    expect(errors(validateCommands(list))).toEqual([`2 ${duplicate}`, `3 ${duplicate}`])
  })

  it('[2.1-02] report a changed type', () => {
    const current = { ...slash(), type: 1, id: '1', application_id: '2', version: '3' }
    const error = 'APPLICATION_COMMAND_TYPE_IMMUTABLE: Application command types are immutable'
    const result = validatePatch({ type: 2 }, current as unknown as ApplicationCommand)
    expect(errors(result)).toEqual([`type ${error}`])
  })
})

it.each<[field: string, type: number, value: unknown, code: string, words: string]>([
  ['required', 1, true, 'APPLICATION_COMMAND_REQUIRED_INVALID', 'Required'],
  ['choices', 5, [{ name: 'c', value: 1 }], '', 'Choices'],
  ['options', 3, [option(3)], '', 'Sub-options'],
])(
  '[2.4-06] [2.4-08] [2.4-09] a field that a type does not allow has the message of Discord: %s of type %i',
  (field, type, value, code, words) => {
    const [line, ...more] = withOption(type, { [field]: value })
    expect(line).toContain(`options.0.${field} ${code}`)
    expect(line).toMatch(new RegExp(`: ${words} cannot be configured for this type of option$`))
    expect(more).toEqual([])
  },
)

describe('numbers and enumerations', () => {
  it('[2.2-01] [2.4-01] [2.9-02] distinguish a type that is not an integer from an unknown integer', () => {
    for (const type of ['STRING', '1', 1.5])
      expect(command(slash({ type }))).toEqual([`type ${notInt(String(type))}`])
    expect(command(slash({ type: 9 }))).toEqual([`type ${oneOf(1, 2, 3, 4)}`])
    for (const type of ['STRING', true])
      expect(withOption(type, {})).toEqual([`options.0.type ${notInt(String(type))}`])
    expect(withOption(12, {})).toEqual([`options.0.type ${oneOf(...several(11, (i) => i + 1))}`])
    const entry = (type: unknown) => errors(validatePermissions([{ id: '1', type, permission: true }]))
    expect(entry(4)).toEqual([`0.type ${oneOf(1, 2, 3)}`])
    expect(entry('ROLE')).toEqual([`0.type ${notInt('ROLE')}`])
  })

  it('[2.3-01] [2.4-10] [2.8-01] [2.8-02] list the values of other enumerations', () => {
    expect(command({ type: 4, name: 'a', handler: 3 })).toEqual([`handler ${oneOf(1, 2)}`])
    expect(withOption(7, { channel_types: [0, 7] })).toEqual([
      `options.0.channel_types.1 ${oneOf(0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16)}`,
    ])
    const contexts = [`contexts.0 ${oneOf(0, 1, 2)}`, `contexts.1 ${notInt('0')}`]
    expect(command(slash({ contexts: [3, '0'] }))).toEqual(contexts)
    const at = 'integration_types.0'
    expect(command(slash({ integration_types: [2] }))).toEqual([`${at} ${oneOf(0, 1)}`])
    const supported = command(slash({ integration_types: [1] }), { application: {} })
    expect(supported).toEqual([`${at} ${oneOf(0)}`])
  })

  it.each<[min: unknown, max: unknown, tooSmall: string, tooLarge: string]>([
    [-1, 0, least('int', 0), least('int', 1)],
    [6001, 6001, most('int', 6000), most('int', 6000)],
    ['1', '2', notInt('1'), notInt('2')],
  ])('[2.4-12] report the lengths %j and %j', (min_length, max_length, min, max) => {
    expect(withOption(3, { min_length, max_length })).toEqual([
      `options.0.min_length ${min}`,
      `options.0.max_length ${max}`,
    ])
  })

  it('[2.5-01] [2.5-02] [2.6-02] report values of choices and bounds', () => {
    expect(withOption(4, { min_value: 0.5, max_value: 2 ** 53 })).toEqual([
      `options.0.min_value ${notInt('0.5')}`,
      `options.0.max_value ${most('int', 2 ** 53 - 1)}`,
    ])
    for (const [type, value, error] of [
      [4, 'x', notInt('x')],
      [10, -1e300, least('float', -(2 ** 53))],
      [3, 'x'.repeat(101), maxLength(100)],
    ] as const)
      expect(withOption(type, { choices: [{ name: 'c', value }] })).toEqual([
        `options.0.choices.0.value ${error}`,
      ])
  })

  it.each<[value: unknown, error: string]>([
    ['0x8', notInt('0x8')],
    [true, notInt('true')],
    ['-1', least('int', 0)],
    [-1, least('int', 0)],
    ['18446744073709551616', most('int', '18446744073709551615')],
  ])('[2.1-12] report the member permissions %j', (bits, error) => {
    const found = command(slash({ default_member_permissions: bits }))
    expect(found).toEqual([`default_member_permissions ${error}`])
  })

  it.each<[id: unknown, error: string]>([
    ['undefined', coerce('undefined', 'snowflake')],
    [5, coerce('5', 'snowflake')],
    ['9223372036854775808', most('snowflake', '9223372036854775807')],
  ])('[2.1-01] report the id %j', (id, error) => {
    expect(errors(validatePermissions([{ id, type: 1, permission: true }]))).toEqual([`0.id ${error}`])
  })
})
