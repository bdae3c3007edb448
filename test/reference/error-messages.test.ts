import { describe, expect, it } from 'vitest'
import {
  locales,
  validateCommands,
  validatePatch,
  validatePermissions,
  type ApplicationCommand,
} from 'commandry'
import { option, several, slash } from '../support/found.ts'
import { badLength, command, errors, invalidName, leaf, maxLength, noMatch, required } from './error-tree.ts'

const withOption = (type: unknown, fields: object) => command(slash({ options: [option(type, fields)] }))
const inOption = (node: object) => ({ options: { 0: node } })
const notInt = (value: string) => leaf(['NUMBER_TYPE_COERCE', `Value "${value}" is not int.`])
const most = (type: string, max: number | string) =>
  leaf(['NUMBER_TYPE_MAX', `${type} value should be less than or equal to ${max}.`])
const least = (type: string, min: number) =>
  leaf(['NUMBER_TYPE_MIN', `${type} value should be greater than or equal to ${min}.`])
const oneOf = (...values: number[]) =>
  leaf(['BASE_TYPE_CHOICES', `Value must be one of {${values.join(', ')}}.`])
describe('missing fields', () => {
  it('[2.1-22] [7-01] are reported as required', () => {
    expect(command({})).toEqual({ name: required, description: required })
    expect(command({ name: null, description: null })).toEqual({ name: required, description: required })
    expect(command(slash({ options: [{}] }))).toEqual(
      inOption({ type: required, name: required, description: required }),
    )
    expect(withOption(3, { choices: [{}] })).toEqual(
      inOption({ choices: { 0: { name: required, value: required } } }),
    )
    expect(errors(validatePermissions([{}]))).toEqual({
      0: { id: required, type: required, permission: required },
    })
    expect(errors(validatePermissions({}))).toEqual({ permissions: required })
  })
})

describe('texts', () => {
  it('[2.1-04] [2.1-05] [2.1-06] have the messages of names', () => {
    expect(command(slash({ name: 'x'.repeat(33) }))).toEqual({ name: badLength(1, 32) })
    expect(command(slash({ name: 'a b' }))).toEqual({ name: leaf(noMatch) })
    expect(command(slash({ name: 'camelCase' }))).toEqual({ name: leaf(invalidName) })
    expect(command({ type: 2, name: '' })).toEqual({ name: badLength(1, 32) })
    expect(withOption(3, { name: 'a b' })).toEqual(inOption({ name: leaf(noMatch) }))
    expect(withOption(3, { name: 'aB' })).toEqual(inOption({ name: leaf(invalidName) }))
    const inner = option(1, { options: [option(3, { name: 'a b' })] })
    expect(command(slash({ options: [inner] }))).toEqual({
      options: { 0: { options: { 0: { name: leaf(noMatch) } } } },
    })
  })

  it('[2.1-08] have one error for all localized names of a command, without the locale', () => {
    for (const text of ['a b', 'aB']) {
      expect(command(slash({ name_localizations: { de: text } }))).toEqual({
        name_localizations: leaf(invalidName),
      })
    }
    expect(command(slash({ name_localizations: { de: 'A b', fr: 'C', nl: 'ok' } }))).toEqual({
      name_localizations: leaf(invalidName),
    })
    expect(
      errors(validateCommands([slash(), slash({ name: 'b', name_localizations: { de: 'B' } })])),
    ).toEqual({
      1: { name_localizations: leaf(invalidName) },
    })
  })

  it('[2.4-04] have one error for each localized name of an option or subcommand', () => {
    for (const type of [1, 2, 3]) {
      expect(withOption(type, { name_localizations: { de: 'a b', fr: 'B' } })).toEqual(
        inOption({ name_localizations: { de: leaf(invalidName), fr: leaf(invalidName) } }),
      )
    }
    expect(
      errors(validateCommands([slash({ options: [option(3, { name_localizations: { de: 'B' } })] })])),
    ).toEqual({
      0: inOption({ name_localizations: { de: leaf(invalidName) } }),
    })
  })

  it('[2.1-08] report an unknown locale at its key, with all known ones', () => {
    const all = locales.map((locale) => `'${locale}'`).join(', ')
    const unknown = leaf(['BASE_TYPE_CHOICES', `Value must be one of (${all}).`])
    expect(command(slash({ description_localizations: { pt_BR: 'x' } }))).toEqual({
      description_localizations: { pt_BR: unknown },
    })
    expect(command(slash({ name_localizations: { pt_BR: 'x' } }))).toEqual({
      name_localizations: { pt_BR: unknown },
    })
  })

  it('[2.1-09] [2.4-05] [2.6-01] have the messages of descriptions and choice names', () => {
    expect(command(slash({ description: '' }))).toEqual({ description: badLength(1, 100) })
    expect(command(slash({ description_localizations: { de: '' } }))).toEqual({
      description_localizations: { de: badLength(1, 100) },
    })
    expect(withOption(3, { description: 'x'.repeat(101) })).toEqual(
      inOption({ description: badLength(1, 100) }),
    )
    expect(command({ type: 4, name: 'a', description: 'x'.repeat(101) })).toEqual({
      description: maxLength(100),
    })
    expect(withOption(3, { choices: [{ name: 'x'.repeat(101), value: 'v' }] })).toEqual(
      inOption({ choices: { 0: { name: badLength(1, 100) } } }),
    )
  })

  it('[2.1-09] [2.1-11] report the description and options of a context menu command', () => {
    for (const type of [2, 3]) {
      expect(command({ type, name: 'a', description: 'b', options: [option(3)] })).toEqual({
        description: leaf([
          'APPLICATION_COMMAND_CONTEXT_MENU_DESCRIPTION_INVALID',
          'Context menu commands cannot have description',
        ]),
        options: leaf([
          'APPLICATION_COMMAND_CONTEXT_MENU_OPTIONS_INVALID',
          'Context menu commands cannot have options',
        ]),
      })
    }
  })

  it('[8-04] report the size at the root, without the index', () => {
    const choices = several(25, (i) => ({
      name: `${i}`.padStart(100, 'x'),
      value: `${i}`.padStart(100, 'x'),
    }))
    const large = slash({ options: ['p', 'q'].map((name) => option(3, { name, choices })) })
    const tooLarge = leaf(['APPLICATION_COMMAND_TOO_LARGE', 'Command exceeds maximum size (8000)'])
    expect(command(large)).toEqual(tooLarge)
    expect(errors(validateCommands([slash({ name: 'b' }), large]))).toEqual(tooLarge)
    expect(errors(validateCommands([{ ...large, name: 'b' }, large]))).toEqual(tooLarge)
  })
})

describe('lists of options', () => {
  it('[2.4-03] [2.10-06] report duplicate names', () => {
    const used = (name: string) =>
      leaf([
        'APPLICATION_COMMAND_OPTIONS_NAME_INVALID',
        `Option name ${name} is already used in these options`,
      ])
    const options = ['x', 'y', 'x', 'x'].map((name) => option(3, { name }))
    expect(command(slash({ options }))).toEqual({ options: { 2: used('x'), 3: used('x') } })
    const localized = [option(3, { name: 'x' }), option(3, { name: 'y', name_localizations: { de: 'x' } })]
    expect(command(slash({ options: localized }))).toEqual({
      options: { 1: { name_localizations: { de: used('x') } } },
    })
  })

  it('[2.4-07] report required options after optional ones, at every depth', () => {
    const late = leaf([
      'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
      'Required options must be placed before non-required options',
    ])
    const options = [option(3), option(3, { name: 'p', required: true })]
    expect(command(slash({ options }))).toEqual({ options: { 1: late } })
    expect(withOption(1, { options })).toEqual(inOption({ options: { 1: late } }))
  })

  it('[2.7-02] [2.7-03] report misplaced subcommands', () => {
    const exclusive = leaf([
      'APPLICATION_COMMAND_OPTIONS_TYPE_INVALID',
      'Sub-command and sub-command group option types are mutually exclusive to all other types',
    ])
    expect(command(slash({ options: [option(4), option(1, { name: 's' })] }))).toEqual({
      options: { 1: exclusive },
    })
    expect(withOption(2, { options: [option(3)] })).toEqual(inOption({ options: { 0: exclusive } }))
    const nested = {
      options: { 0: { _errors: [{ message: 'Nesting of sub-commands is unsupported at this time' }] } },
    }
    for (const [outer, inner] of [
      [1, 1],
      [1, 2],
      [2, 2],
    ]) {
      expect(withOption(outer, { options: [option(inner)] })).toMatchObject(inOption(nested))
    }
  })

  it('[8-03] [8-05] report too many items', () => {
    expect(command(slash({ options: several(26, (i) => option(5, { name: `o${i}` })) }))).toEqual({
      options: maxLength(25),
    })
    expect(withOption(3, { choices: several(26, (i) => ({ name: `c${i}`, value: `v${i}` })) })).toEqual(
      inOption({ choices: maxLength(25) }),
    )
    const entries = several(101, (i) => ({ id: `${i}`, type: 1, permission: true }))
    expect(errors(validatePermissions({ permissions: entries }))).toEqual({ permissions: maxLength(100) })
  })

  it('[4.4-01] report duplicate command names', () => {
    const unique = leaf(['APPLICATION_COMMANDS_DUPLICATE_NAME', 'Application command names must be unique'])
    expect(errors(validateCommands([slash(), slash({ name: 'b' }), slash(), slash()]))).toEqual({
      2: unique,
      3: unique,
    })
  })

  it('[2.1-02] report a changed type', () => {
    const current = {
      ...slash(),
      type: 1,
      id: '1',
      application_id: '2',
      version: '3',
    } as unknown as ApplicationCommand
    expect(errors(validatePatch({ type: 2 }, current))).toMatchObject({
      type: { _errors: [{ message: 'Application command types are immutable' }] },
    })
  })
})

describe('fields that a type does not allow', () => {
  it('[2.4-06] [2.4-08] [2.4-09] have the messages of Discord', () => {
    expect(withOption(1, { required: true })).toEqual(
      inOption({
        required: leaf([
          'APPLICATION_COMMAND_REQUIRED_INVALID',
          'Required cannot be configured for this type of option',
        ]),
      }),
    )
    const message = (text: string) => ({ _errors: [{ message: text }] })
    expect(withOption(5, { choices: [{ name: 'c', value: 1 }] })).toMatchObject(
      inOption({ choices: message('Choices cannot be configured for this type of option') }),
    )
    expect(withOption(3, { options: [option(3)] })).toMatchObject(
      inOption({ options: message('Sub-options cannot be configured for this type of option') }),
    )
  })
})

describe('numbers and enumerations', () => {
  it('[2.2-01] [2.4-01] [2.9-02] distinguish a type that is not an integer from an unknown integer', () => {
    expect(command(slash({ type: 'STRING' }))).toEqual({ type: notInt('STRING') })
    expect(command(slash({ type: '1' }))).toEqual({ type: notInt('1') })
    expect(command(slash({ type: 1.5 }))).toEqual({ type: notInt('1.5') })
    expect(command(slash({ type: 9 }))).toEqual({ type: oneOf(1, 2, 3, 4) })
    expect(withOption('STRING', {})).toEqual(inOption({ type: notInt('STRING') }))
    expect(withOption(true, {})).toEqual(inOption({ type: notInt('true') }))
    expect(withOption(12, {})).toEqual(inOption({ type: oneOf(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11) }))
    const entry = { id: '1', permission: true }
    expect(errors(validatePermissions([{ ...entry, type: 4 }]))).toEqual({ 0: { type: oneOf(1, 2, 3) } })
    expect(errors(validatePermissions([{ ...entry, type: 'ROLE' }]))).toEqual({ 0: { type: notInt('ROLE') } })
  })

  it('[2.3-01] [2.4-10] [2.8-01] [2.8-02] list the values of other enumerations', () => {
    expect(command({ type: 4, name: 'a', handler: 3 })).toEqual({ handler: oneOf(1, 2) })
    expect(withOption(7, { channel_types: [0, 7] })).toEqual(
      inOption({ channel_types: { 1: oneOf(0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 16) } }),
    )
    expect(command(slash({ contexts: [3, '0'] }))).toEqual({
      contexts: { 0: oneOf(0, 1, 2), 1: notInt('0') },
    })
    expect(command(slash({ integration_types: [2] }))).toEqual({ integration_types: { 0: oneOf(0, 1) } })
    expect(command(slash({ integration_types: [1] }), { application: {} })).toEqual({
      integration_types: { 0: oneOf(0) },
    })
  })

  it('[2.4-12] report lengths', () => {
    expect(withOption(3, { min_length: -1, max_length: 0 })).toEqual(
      inOption({ min_length: least('int', 0), max_length: least('int', 1) }),
    )
    expect(withOption(3, { min_length: 6001, max_length: 6001 })).toEqual(
      inOption({ min_length: most('int', 6000), max_length: most('int', 6000) }),
    )
    expect(withOption(3, { min_length: '1' })).toEqual(inOption({ min_length: notInt('1') }))
  })

  it('[2.5-01] [2.5-02] [2.6-02] report values of choices and bounds', () => {
    expect(withOption(4, { min_value: 0.5, max_value: 2 ** 53 })).toEqual(
      inOption({ min_value: notInt('0.5'), max_value: most('int', 2 ** 53 - 1) }),
    )
    expect(withOption(4, { choices: [{ name: 'c', value: 'x' }] })).toEqual(
      inOption({ choices: { 0: { value: notInt('x') } } }),
    )
    expect(withOption(10, { choices: [{ name: 'c', value: -1e300 }] })).toEqual(
      inOption({ choices: { 0: { value: least('float', -(2 ** 53)) } } }),
    )
    expect(withOption(3, { choices: [{ name: 'c', value: 'x'.repeat(101) }] })).toEqual(
      inOption({ choices: { 0: { value: maxLength(100) } } }),
    )
  })

  it('[2.1-12] report member permissions', () => {
    const bits = (value: unknown) => command(slash({ default_member_permissions: value }))
    expect(bits('0x8')).toEqual({ default_member_permissions: notInt('0x8') })
    expect(bits(true)).toEqual({ default_member_permissions: notInt('true') })
    expect(bits('-1')).toEqual({ default_member_permissions: least('int', 0) })
    expect(bits(-1)).toEqual({ default_member_permissions: least('int', 0) })
    expect(bits('18446744073709551616')).toEqual({
      default_member_permissions: most('int', '18446744073709551615'),
    })
  })

  it('[2.1-01] report ids', () => {
    const id = (value: unknown) => errors(validatePermissions([{ id: value, type: 1, permission: true }]))
    expect(id('undefined')).toEqual({
      0: { id: leaf(['NUMBER_TYPE_COERCE', 'Value "undefined" is not snowflake.']) },
    })
    expect(id(5)).toEqual({ 0: { id: leaf(['NUMBER_TYPE_COERCE', 'Value "5" is not snowflake.']) } })
    expect(id('9223372036854775808')).toEqual({ 0: { id: most('snowflake', '9223372036854775807') } })
  })
})
