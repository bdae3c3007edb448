import { describe, expect, it } from 'vitest'
import {
  locales,
  toErrorBody,
  validateCommand,
  validateCommands,
  validatePatch,
  validatePermissions,
  type ApplicationCommand,
  type ErrorNode,
  type Validation,
  type ValidationContext,
} from 'commandry'
import { option, several, slash } from '../support/found.ts'

/** The tree of errors for a refused body. */
function errors(found: Validation<unknown>): unknown {
  if (found.ok) throw new Error('nothing was refused')
  return toErrorBody(found.issues).errors
}

const leaf = (...all: [code: string, message: string][]) => ({
  _errors: all.map(([code, message]) => ({ code, message })),
})
const command = (body: unknown, context?: ValidationContext) => errors(validateCommand(body, context))
const withOption = (type: unknown, fields: object) => command(slash({ options: [option(type, fields)] }))
const inOption = (node: object) => ({ options: { 0: node } })

const required = leaf(['BASE_TYPE_REQUIRED', 'This field is required'])
const badLength = (min: number, max: number) =>
  leaf(['BASE_TYPE_BAD_LENGTH', `Must be between ${min} and ${max} in length.`])
const maxLength = (max: number) => leaf(['BASE_TYPE_MAX_LENGTH', `Must be ${max} or fewer in length.`])
const noMatch: [string, string] = ['STRING_TYPE_REGEX', 'String value did not match validation regex.']
const invalidName: [string, string] = ['APPLICATION_COMMAND_INVALID_NAME', 'Command name is invalid']
const notInt = (value: string) => leaf(['NUMBER_TYPE_COERCE', `Value "${value}" is not int.`])
const most = (type: string, max: number | string) =>
  leaf(['NUMBER_TYPE_MAX', `${type} value should be less than or equal to ${max}.`])
const least = (type: string, min: number) =>
  leaf(['NUMBER_TYPE_MIN', `${type} value should be greater than or equal to ${min}.`])
const oneOf = (...values: number[]) =>
  leaf(['BASE_TYPE_CHOICES', `Value must be one of {${values.join(', ')}}.`])

describe('toErrorBody', () => {
  it('[7-01] has the message and code of an invalid form body', () => {
    const found = validateCommand({ name: 'a' })
    expect(toErrorBody(found.ok ? [] : found.issues)).toEqual({
      message: 'Invalid Form Body',
      code: 50035,
      errors: {
        description: { _errors: [{ code: 'BASE_TYPE_REQUIRED', message: 'This field is required' }] },
      },
    })
  })

  it('[7-01] nests objects by field and by decimal index, in a list of commands from the index on', () => {
    const options = [option(3), option(3, { name: 'p', choices: [{ name: '', value: 'v' }] })]
    expect(command(slash({ options }))).toEqual({
      options: { 1: { choices: { 0: { name: badLength(1, 100) } } } },
    })
    expect(errors(validateCommands([slash(), slash({ name: 'b', options })]))).toEqual({
      1: { options: { 1: { choices: { 0: { name: badLength(1, 100) } } } } },
    })
  })

  it('[7-01] contains every error', () => {
    const found = validateCommands([
      slash({ name: '' }),
      slash({ name: 'b' }),
      slash({ name: 'C', description: '' }),
    ])
    expect(errors(found)).toEqual({
      0: { name: badLength(1, 32) },
      2: { name: leaf(invalidName), description: badLength(1, 100) },
    })
  })

  it('[7-01] puts several errors of one field into one leaf', () => {
    expect(command(slash({ name: 'My Command' }))).toEqual({ name: leaf(noMatch, invalidName) })
    expect(command(slash({ name: 'A '.repeat(20) }))).toEqual({
      name: leaf(['BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 32 in length.'], noMatch, invalidName),
    })
  })

  it('[7-01] puts errors of the whole body at the root', () => {
    expect(command(5)).toEqual(leaf(['DICT_TYPE_CONVERT', 'Only dictionaries may be used in a DictType']))
    expect(errors(validateCommands({}))).toEqual(
      leaf(['LIST_TYPE_CONVERT', 'Only iterables may be used in a ListType']),
    )
    expect(errors(validateCommands(several(132, (i) => slash({ name: `c${i}` }))))).toEqual(maxLength(131))
  })

  it('[7-01] moves an error of a node with two faulty children to the first child only', () => {
    const issue = (message: string, ...path: (string | number)[]) => ({
      ...{ code: 'own.code', clause: '7-01', params: {} },
      ...{ message, path },
    })
    const error = (message: string) => ['BASE_TYPE_INVALID', message] as [string, string]
    const { errors } = toErrorBody([
      issue('is wrong', 'options'),
      issue('is first', 'options', 0, 'name'),
      issue('is second', 'options', 1, 'name'),
    ])
    expect(errors).toEqual({
      options: {
        0: { name: leaf(error('is wrong'), error('is first')) },
        1: { name: leaf(error('is second')) },
      },
    })
  })

  it('[7-01] a node has errors or children, never both, and no error is lost', () => {
    const options = [
      option(3),
      option(3, { name: 'p', description: '', required: true }),
      option(3, { name: 'p' }),
    ]
    const found = validateCommands([slash({ options }), slash({ nsfw: 5 })])
    const tree = errors(found)
    const leaves: string[] = []
    const walk = (node: ErrorNode): void => {
      const keys = Object.keys(node)
      if (!keys.includes('_errors')) return Object.values(node as Record<string, ErrorNode>).forEach(walk)
      expect(keys).toEqual(['_errors'])
      leaves.push(...(node as unknown as { _errors: { code: string }[] })._errors.map(({ code }) => code))
    }
    walk(tree as ErrorNode)
    expect(leaves.toSorted()).toEqual([
      'APPLICATION_COMMANDS_DUPLICATE_NAME',
      'APPLICATION_COMMAND_OPTIONS_NAME_INVALID',
      'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
      'BASE_TYPE_BAD_LENGTH',
      'BOOLEAN_TYPE_CONVERT',
    ])
    // A node cannot have both, so its own errors move to the field they concern.
    expect(tree).toMatchObject({
      0: {
        options: {
          1: {
            required: leaf([
              'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
              'Required options must be placed before non-required options',
            ]),
            description: badLength(1, 100),
          },
        },
      },
      1: {
        name: leaf(['APPLICATION_COMMANDS_DUPLICATE_NAME', 'Application command names must be unique']),
      },
    })
  })

  it('[7-01] [8-03] puts the length error at the first surplus item when other items are invalid', () => {
    const many = several(26, (i) => option(5, { name: i === 0 ? 'Bad' : `o${i}` }))
    expect(command(slash({ options: many }))).toEqual({
      options: { 0: { name: leaf(invalidName) }, 25: maxLength(25) },
    })
    const commands = several(132, (i) => slash({ name: i === 3 ? 'Bad' : `c${i}` }))
    expect(errors(validateCommands(commands))).toEqual({
      3: { name: leaf(invalidName) },
      131: maxLength(131),
    })
  })

  it('[7-01] [8-04] puts the size error at the command that is too large when others are invalid', () => {
    const choices = several(25, (i) => ({
      name: `${i}`.padStart(100, 'x'),
      value: `${i}`.padStart(100, 'x'),
    }))
    const large = slash({ name: 'b', options: ['p', 'q'].map((name) => option(3, { name, choices })) })
    expect(errors(validateCommands([slash({ description: '' }), large]))).toEqual({
      0: { description: badLength(1, 100) },
      1: leaf(['APPLICATION_COMMAND_TOO_LARGE', 'Command exceeds maximum size (8000)']),
    })
  })

  it('[2.1-08] [7-01] keeps the errors of a localized name beside an unknown locale', () => {
    const tree = command(slash({ name_localizations: { de: 'a b', pt_BR: 'x' } }))
    expect(tree).toMatchObject({
      name_localizations: { de: leaf(invalidName), pt_BR: { _errors: [{ code: 'BASE_TYPE_CHOICES' }] } },
    })
  })

  it('[7-01] reports a key `_errors` at its parent', () => {
    const tree = command(slash({ name_localizations: { _errors: 'x' } })) as Record<string, object>
    expect(tree).toMatchObject({ name_localizations: { _errors: [{ code: 'BASE_TYPE_CHOICES' }] } })
    const both = command(slash({ name_localizations: { _errors: 'x', pt_BR: 'y' } }))
    expect(both).toMatchObject({
      name_localizations: { pt_BR: { _errors: [{ code: 'BASE_TYPE_CHOICES' }] } },
    })
    expect(Object.keys((both as Record<string, object>).name_localizations!)).toEqual(['pt_BR'])
  })

  it('[7-01] moves an error down once', () => {
    const late = option(3, { name: 'P', description: '', required: true })
    const tree = JSON.stringify(command(slash({ options: [option(3), late] })))
    expect(tree.match(/APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID/g)).toHaveLength(1)
  })

  it('[7-01] treats prototype keys like other keys', () => {
    const body: unknown = JSON.parse(
      '{ "name": "a", "description": "b", "name_localizations": { "__proto__": "x" } }',
    )
    const tree = command(body) as { name_localizations: object }
    expect(Object.keys(tree.name_localizations)).toEqual(['__proto__'])
    expect(JSON.parse(JSON.stringify(tree))).toEqual(tree)
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it('[7-01] has a string as the code of every error, and survives JSON', () => {
    const found = validateCommand({ name: 5, type: 9, options: 5, nsfw: 5, default_member_permissions: {} })
    const body = toErrorBody(found.ok ? [] : found.issues)
    expect(JSON.parse(JSON.stringify(body))).toEqual(body)
  })

  it('[7-01] has no form for warnings', () => {
    const { warnings } = validateCommand(slash({ dm_permission: true }))
    expect(() => toErrorBody(warnings)).toThrow(
      'field.deprecated is a warning; warnings have no form on the wire',
    )
  })
})

describe('what is missing', () => {
  it('[2.1-22] [7-01] is required', () => {
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
  it('[2.1-04] [2.1-05] [2.1-06] names', () => {
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

  it('[2.1-08] the localized names of a command are judged as one, without the locale', () => {
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

  it('[2.4-04] those of an option and of a subcommand one by one', () => {
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

  it('[2.1-08] an unknown locale stands at its key, with all there are', () => {
    const all = locales.map((locale) => `'${locale}'`).join(', ')
    const unknown = leaf(['BASE_TYPE_CHOICES', `Value must be one of (${all}).`])
    expect(command(slash({ description_localizations: { pt_BR: 'x' } }))).toEqual({
      description_localizations: { pt_BR: unknown },
    })
    expect(command(slash({ name_localizations: { pt_BR: 'x' } }))).toEqual({
      name_localizations: { pt_BR: unknown },
    })
  })

  it('[2.1-09] [2.4-05] [2.6-01] descriptions and the names of choices', () => {
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

  it('[2.1-09] [2.1-11] context menus have neither description nor options', () => {
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

  it('[8-04] puts the size error at the root, without the index', () => {
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
  it('[2.4-03] [2.10-06] names used twice', () => {
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

  it('[2.4-07] required after optional, at every depth', () => {
    const late = leaf([
      'APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID',
      'Required options must be placed before non-required options',
    ])
    const options = [option(3), option(3, { name: 'p', required: true })]
    expect(command(slash({ options }))).toEqual({ options: { 1: late } })
    expect(withOption(1, { options })).toEqual(inOption({ options: { 1: late } }))
  })

  it('[2.7-02] [2.7-03] subcommands where they do not belong', () => {
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

  it('[8-03] [8-05] too many', () => {
    expect(command(slash({ options: several(26, (i) => option(5, { name: `o${i}` })) }))).toEqual({
      options: maxLength(25),
    })
    expect(withOption(3, { choices: several(26, (i) => ({ name: `c${i}`, value: `v${i}` })) })).toEqual(
      inOption({ choices: maxLength(25) }),
    )
    const entries = several(101, (i) => ({ id: `${i}`, type: 1, permission: true }))
    expect(errors(validatePermissions({ permissions: entries }))).toEqual({ permissions: maxLength(100) })
  })

  it('[4.4-01] commands of one name', () => {
    const unique = leaf(['APPLICATION_COMMANDS_DUPLICATE_NAME', 'Application command names must be unique'])
    expect(errors(validateCommands([slash(), slash({ name: 'b' }), slash(), slash()]))).toEqual({
      2: unique,
      3: unique,
    })
  })

  it('[2.1-02] a type that would change', () => {
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

describe('fields that do not go with a type', () => {
  it('[2.4-06] [2.4-08] [2.4-09] use the messages of the service', () => {
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
  it('[2.2-01] [2.4-01] [2.9-02] distinguishes a type that is not an integer from an unknown integer', () => {
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

  it('[2.3-01] [2.4-10] [2.8-01] [2.8-02] the other enumerations', () => {
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

  it('[2.4-12] lengths', () => {
    expect(withOption(3, { min_length: -1, max_length: 0 })).toEqual(
      inOption({ min_length: least('int', 0), max_length: least('int', 1) }),
    )
    expect(withOption(3, { min_length: 6001, max_length: 6001 })).toEqual(
      inOption({ min_length: most('int', 6000), max_length: most('int', 6000) }),
    )
    expect(withOption(3, { min_length: '1' })).toEqual(inOption({ min_length: notInt('1') }))
  })

  it('[2.5-01] [2.5-02] [2.6-02] values and bounds of choices', () => {
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

  it('[2.1-12] member permissions', () => {
    const bits = (value: unknown) => command(slash({ default_member_permissions: value }))
    expect(bits('0x8')).toEqual({ default_member_permissions: notInt('0x8') })
    expect(bits(true)).toEqual({ default_member_permissions: notInt('true') })
    expect(bits('-1')).toEqual({ default_member_permissions: least('int', 0) })
    expect(bits(-1)).toEqual({ default_member_permissions: least('int', 0) })
    expect(bits('18446744073709551616')).toEqual({
      default_member_permissions: most('int', '18446744073709551615'),
    })
  })

  it('[2.1-01] ids', () => {
    const id = (value: unknown) => errors(validatePermissions([{ id: value, type: 1, permission: true }]))
    expect(id('undefined')).toEqual({
      0: { id: leaf(['NUMBER_TYPE_COERCE', 'Value "undefined" is not snowflake.']) },
    })
    expect(id(5)).toEqual({ 0: { id: leaf(['NUMBER_TYPE_COERCE', 'Value "5" is not snowflake.']) } })
    expect(id('9223372036854775808')).toEqual({ 0: { id: most('snowflake', '9223372036854775807') } })
  })
})
