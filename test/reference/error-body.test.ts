import { describe, expect, it } from 'vitest'
import { validateCommand, validateCommands, type Issue } from 'commandry'
import { toErrorBody } from 'commandry/http'
import { large, option, several, slash } from '../support/bodies.ts'
import {
  badLength,
  command,
  duplicate,
  errorLines,
  errors,
  errorTree,
  invalidName,
  late,
  maxLength,
  noMatch,
  tooLarge,
  unknownLocale,
} from './error-tree.ts'

const issuesOf = (body: unknown): readonly Issue[] => {
  const found = validateCommand(body)
  return found.ok ? [] : found.issues
}

describe('toErrorBody', () => {
  it('[7-01] has the message and code of an invalid form body', () => {
    expect(toErrorBody(issuesOf({ name: 'a' }))).toEqual({
      message: 'Invalid Form Body',
      code: 50035,
      errors: {
        description: { _errors: [{ code: 'BASE_TYPE_REQUIRED', message: 'This field is required' }] },
      },
    })
  })

  it('[7-01] nests objects by field and by decimal index, in a list of commands from the index on', () => {
    const options = [option(3), option(3, { name: 'p', choices: [{ name: '', value: 'v' }] })]
    const error = `options.1.choices.0.name ${badLength(1, 100)}`
    expect(command(slash({ options }))).toEqual([error])
    expect(errors(validateCommands([slash(), slash({ name: 'b', options })]))).toEqual([`1.${error}`])
  })

  it('[7-01] contains every error', () => {
    const list = [slash({ name: '' }), slash({ name: 'b' }), slash({ name: 'C', description: '' })]
    expect(errors(validateCommands(list))).toEqual([
      `0.name ${badLength(1, 32)}`,
      `2.name ${invalidName}`,
      `2.description ${badLength(1, 100)}`,
    ])
  })

  it('[7-01] puts several errors of one field into one leaf', () => {
    expect(command(slash({ name: 'A '.repeat(20) }))).toEqual(
      [badLength(1, 32), noMatch, invalidName].map((error) => `name ${error}`),
    )
  })

  it('[7-01] puts errors of the whole body at the root', () => {
    expect(command(5)).toEqual(['MODEL_TYPE_CONVERT: Only dictionaries may be used in a ModelType'])
    expect(errors(validateCommands({}))).toEqual([
      'LIST_TYPE_CONVERT: Only iterables may be used in a ListType',
    ])
    const many = several(132, (i) => slash({ name: `c${i}` }))
    expect(errors(validateCommands(many))).toEqual([maxLength(130)])
  })

  it('[7-01] moves an error of a node with two faulty children to the first child only', () => {
    const issue = (message: string, ...path: (string | number)[]) => ({
      ...{ code: 'own.code', clause: '7-01', params: {} },
      message,
      path,
    })
    const { errors } = toErrorBody([
      issue('is wrong', 'options'),
      issue('is first', 'options', 0, 'name'),
      issue('is second', 'options', 1, 'name'),
    ])
    expect(errorLines(errors!)).toEqual([
      'options.0.name BASE_TYPE_INVALID: is wrong',
      'options.0.name BASE_TYPE_INVALID: is first',
      'options.1.name BASE_TYPE_INVALID: is second',
    ])
  })

  it('[7-01] a node has errors or children, never both, and no error is lost', () => {
    const required = option(3, { name: 'p', description: '', required: true })
    const options = [option(3), required, option(3, { name: 'p' })]
    // A node cannot have both, so its own errors move to the field they concern.
    expect(errors(validateCommands([slash({ options }), slash({ nsfw: 5 })]))).toEqual([
      `0.options.1.description ${badLength(1, 100)}`,
      `0.options.1.required ${late}`,
      '0.options.2 APPLICATION_COMMAND_OPTIONS_NAME_INVALID: Option name p is already used in these options',
      expect.stringMatching(/^1\.nsfw BOOLEAN_TYPE_CONVERT: /),
      `1.name ${duplicate}`,
    ])
  })

  it('[7-01] [8-03] puts the length error at the first surplus item when other items are invalid', () => {
    const many = several(26, (i) => option(5, { name: i === 0 ? 'Bad' : `o${i}` }))
    expect(command(slash({ options: many }))).toEqual([
      `options.0.name ${invalidName}`,
      `options.25 ${maxLength(25)}`,
    ])
    const commands = several(132, (i) => slash({ name: i === 3 ? 'Bad' : `c${i}` }))
    expect(errors(validateCommands(commands))).toEqual([`3.name ${invalidName}`, `131 ${maxLength(130)}`])
  })

  it('[7-01] [8-04] puts the size error at the command that is too large when others are invalid', () => {
    expect(errors(validateCommands([slash({ description: '' }), large('b')]))).toEqual([
      `0.description ${badLength(1, 100)}`,
      `1 ${tooLarge}`,
    ])
  })

  it('[2.1-08] [7-01] keeps the errors of a localized name beside an unknown locale', () => {
    expect(command(slash({ name_localizations: { de: 'a b', pt_BR: 'x' } }))).toEqual([
      `name_localizations.pt_BR ${unknownLocale}`,
      `name_localizations.de ${invalidName}`,
    ])
  })

  it('[7-01] reports a key `_errors` at its parent', () => {
    const dictionary = (name_localizations: object) => command(slash({ name_localizations }))
    expect(dictionary({ _errors: 'x' })).toEqual([`name_localizations ${unknownLocale}`])
    expect(dictionary({ _errors: 'x', pt_BR: 'y' })).toEqual([`name_localizations.pt_BR ${unknownLocale}`])
    const own = { code: 'own', path: ['_errors'], message: 'is wrong', params: {}, clause: '' }
    expect(errorLines(toErrorBody([own]).errors!)).toEqual(['BASE_TYPE_INVALID: is wrong'])
  })

  it('[7-01] moves an error down once', () => {
    const both = option(3, { name: 'P', description: '', required: true })
    const found = command(slash({ options: [option(3), both] }))
    expect(found.filter((line) => line.endsWith(late))).toHaveLength(1)
  })

  it('[7-01] treats prototype keys like other keys', () => {
    const name_localizations: unknown = JSON.parse('{ "__proto__": "x" }')
    const tree = errorTree(validateCommand(slash({ name_localizations }))) as { name_localizations: object }
    expect(Object.keys(tree.name_localizations)).toEqual(['__proto__'])
    expect(JSON.parse(JSON.stringify(tree))).toEqual(tree)
    expect(Object.keys(Object.prototype)).toEqual([])
  })

  it('[7-01] has a string as the code of every error, and survives JSON', () => {
    const body = toErrorBody(issuesOf({ name: 5, type: 9, options: 5, default_member_permissions: {} }))
    expect(JSON.parse(JSON.stringify(body))).toEqual(body)
  })

  it('[7-01] has no form for warnings', () => {
    const { warnings } = validateCommand(slash({ dm_permission: true }))
    expect(() => toErrorBody(warnings)).toThrow('deprecated is a warning; warnings have no form on the wire')
  })
})
