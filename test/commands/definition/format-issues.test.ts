import { describe, expect, it } from 'vitest'
import {
  formatIssues,
  validateCommand,
  validateCommands,
  validatePatch,
  validatePermissions,
} from 'commandry'
import type { ApplicationCommand, Validation } from 'commandry'
import { option, several, slash } from '../../support/bodies.ts'

/** The formatted issues of an invalid body, or the warnings of a valid one. */
function lines(validate: (body: unknown) => Validation<unknown>, body: unknown): string[] {
  const found = validate(body)
  return formatIssues(found.ok ? found.warnings : found.issues, body).split('\n')
}

describe('formatIssues', () => {
  it('[7-01] names the command, the option, the locale and the value', () => {
    const level = option(3, { name: 'level', name_localizations: { de: 'stufe 1' } })
    const body = slash({ name: 'config', options: [level] })
    expect(lines(validateCommand, body)).toEqual([
      'command "config", option "level", name in de: "stufe 1" has a space; use letters, digits, "-" and "_"',
    ])
  })

  it('[7-01] names subcommands, groups, choices and entries', () => {
    const choices = [{ name: 'All', value: 1 }]
    const body = slash({
      name: 'config',
      options: [
        option(2, { name: 'roles', options: [option(1, { name: 'add', description: '' })] }),
        option(1, { name: 'show', options: [option(3, { name: 'what', choices })] }),
      ],
    })
    expect(lines(validateCommand, body)).toEqual([
      'command "config", group "roles", subcommand "add", description: is empty; a description has at least 1 character',
      'command "config", subcommand "show", option "what", choice "All", value: is the number 1; choices of a STRING option have string values',
    ])
    expect(lines(validateCommand, slash({ contexts: [0, 9] }))).toEqual([
      'command "a", contexts, entry 2: is the number 9; expected 0 GUILD, 1 BOT_DM or 2 PRIVATE_CHANNEL',
    ])
    expect(lines(validateCommand, slash({ name_localizations: ['x'] }))).toEqual([
      'command "a", name localizations: is a list; expected an object',
    ])
  })

  it('[7-01] numbers unnamed options and commands from 1', () => {
    const body = slash({ options: [option(3), { type: 3, description: 'b' }] })
    expect(lines(validateCommand, body)).toEqual(['command "a", option 2, name: is missing'])
    expect(lines(validateCommand, { description: 'b' })).toEqual(['name: is missing'])
    expect(lines(validateCommands, [slash(), { description: 'b' }])).toEqual(['command 2, name: is missing'])
    expect(lines(validateCommand, slash({ options: [option(3, { choices: [{ value: 'v' }] })] }))).toEqual([
      'command "a", option "o", choice 1, name: is missing',
    ])
  })

  it('[7-01] names the command of a list', () => {
    expect(lines(validateCommands, [slash({ name: 'b' }), slash({ name: 'C' })])).toEqual([
      'command "C", name: "C" has upper case; write "c"',
    ])
    expect(lines(validateCommands, [slash(), slash()])).toEqual([
      'command "a": has the same name "a" as slash command 1 of the list; names of one type must differ',
    ])
  })

  it('[7-01] numbers permission entries', () => {
    const entries = [
      { id: '1', type: 1, permission: true },
      { id: 'x', type: 1, permission: true },
    ]
    const line = 'entry 2, id: is the string "x"; expected an id: a string of digits such as "1029384756"'
    expect(lines(validatePermissions, entries)[0]).toContain(line)
    expect(lines(validatePermissions, { permissions: entries })[0]).toContain(line)
  })

  it('[7-01] refers to a body, an item or an entry that is not an object', () => {
    expect(lines(validateCommands, null)).toEqual(['body: is null; expected a list'])
    expect(lines(validateCommand, [])).toEqual(['body: is a list; expected an object'])
    expect(lines(validatePermissions, null)).toEqual(['body: is null, but it is required'])
    expect(lines(validateCommands, [slash(), null])).toEqual(['command 2: is null; expected an object'])
    expect(lines(validateCommands, [null])).toEqual(['item 1: is null; expected an object'])
    expect(lines(validatePermissions, [null])).toEqual(['item 1: is null; expected an object'])
    expect(lines(validatePermissions, [{ id: 'x', type: 4 }])).toEqual([
      'entry 1, permission: is missing',
      'entry 1, id: is the string "x"; expected an id: a string of digits such as "1029384756", without leading zeros and below 2^63',
      'entry 1, type: is the number 4; expected 1 ROLE, 2 USER or 3 CHANNEL',
    ])
    const entry = { id: '1', type: 1, permission: true }
    expect(lines(validatePermissions, [entry, null])).toEqual(['entry 2: is null; expected an object'])
  })

  it('[7-01] omits the command when the body has no name', () => {
    const current = { id: '1', application_id: '2', version: '3', ...slash(), type: 1, nsfw: false }
    const edit = (body: unknown) => validatePatch(body, current as unknown as ApplicationCommand)
    expect(lines(edit, { description: 'x'.repeat(101) })[0]).toMatch(
      /^description: "x+…" has 101 characters; /,
    )
    expect(lines(edit, 5)).toEqual(['body: is the number 5; expected an object'])
  })

  it('[7-01] uses numbers without a body', () => {
    const found = validateCommands([slash({ options: [option(3), option(3, { name: 'X' })] })])
    expect(formatIssues(found.ok ? [] : found.issues)).toBe(
      'command 1, option 2, name: has upper case; write "x"',
    )
  })

  it('[7-01] writes a value once', () => {
    expect(lines(validateCommand, slash({ type: '1' }))[0]).toMatch(/^command "a", type: is the string "1"; /)
    expect(lines(validateCommand, slash({ name_localizations: { de: 'a' } }))).toEqual([
      'command "a", name in de: repeats the default "a"; you can omit it',
    ])
    const twins = [option(3, { name: 'x' }), option(3, { name: 'y', name_localizations: { de: 'x' } })]
    expect(lines(validateCommand, slash({ options: twins }))).toEqual([
      'command "a", option "y", name in de: is "x", the default name of the option "x" in the same list',
    ])
  })

  it('[2.1-20] [2.1-08] suggests a known key for an unknown one', () => {
    expect(lines(validateCommand, slash({ dmPermission: 'x' }))[0]).toContain('did you mean "dm_permission"?')
    expect(lines(validateCommand, slash({ name_localizations: { pt_BR: 'x' } }))[0]).toContain(
      'did you mean "pt-BR"?',
    )
  })

  it('[7-01] writes one line for each issue, in their order', () => {
    const options = several(3, (i) => option(3, { name: `O${i}` }))
    expect(lines(validateCommand, slash({ options }))).toEqual(
      [0, 1, 2].map((i) => `command "a", option "O${i}", name: "O${i}" has upper case; write "o${i}"`),
    )
    expect(formatIssues([])).toBe('')
  })

  it('[7-01] escapes line breaks and terminal control characters', () => {
    const hostile = 'a\nb\u0085c\u009b31md\u2028e\u202ef\u0007'
    const body = {
      name: hostile,
      description: 'b',
      [hostile]: hostile,
      name_localizations: { [hostile]: hostile },
      options: [
        option(3, { name: hostile }),
        option(3, { name: hostile, required: true, [hostile]: 1, choices: [{ name: hostile, value: 1 }] }),
        option(hostile),
      ],
    }
    const found = validateCommand(body)
    const issues = found.ok ? [] : found.issues
    expect(issues.length).toBeGreaterThan(7)
    for (const all of [issues, found.warnings]) {
      const text = formatIssues(all, body)
      expect(text.split('\n')).toHaveLength(all.length)
      expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u)
    }
  })

  it('[7-01] escapes line breaks in duplicate names', () => {
    const twins = [
      { type: 2, name: 'a\nb' },
      { type: 2, name: 'a\nb' },
    ]
    expect(lines(validateCommands, twins)).toEqual([
      'command "a\\nb": has the same name "a\\nb" as user command 1 of the list; names of one type must differ',
    ])
  })

  it('[7-01] shortens long names and values', () => {
    const long = 'X'.repeat(100_000)
    const options = [option(3, { name: long }), option(long, { name: long })]
    const body = { name: long, description: long, options }
    for (const line of lines(validateCommand, body)) expect(line.length).toBeLessThan(400)
  })
})
