import { describe, expect, it } from 'vitest'
import { toErrorBody, validateCommand, validateCommands } from 'commandry'
import { option, several, slash } from '../support/found.ts'
import { badLength, command, errors, invalidName, leaf, maxLength, noMatch } from './error-tree.ts'
import type { ErrorNode } from '../../src/reference/error-body.ts'
import { words } from '../support/words.ts'

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
      code: 'own.code',
      clause: '7-01',
      params: {},
      message,
      path,
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
    expect(leaves.toSorted()).toEqual(
      words(`
      APPLICATION_COMMANDS_DUPLICATE_NAME APPLICATION_COMMAND_OPTIONS_NAME_INVALID
      APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID BASE_TYPE_BAD_LENGTH BOOLEAN_TYPE_CONVERT
    `),
    )
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
