import { describe, expect, it } from 'vitest'
import {
  ApplicationFlag,
  CommandRegistry,
  formatIssues,
  globalScope,
  PermissionFlag,
  RegistryError,
  validateCommand,
  validateCommands,
  validatePermissions,
} from 'commandry'
import { toErrorBody } from 'commandry/http'
import { rules } from 'commandry/reference'
import { createInteraction } from 'commandry/interactions'
import {
  assertAnswers,
  assertBreaksRule,
  assertNoWarnings,
  assertRefusedWith,
  assertValidCommand,
  assertValidCommands,
  assertVisibleTo,
  interactionFor,
  people,
  sampleCommands,
  scene,
  slashCommand,
  violating,
} from 'commandry/testing'
import 'commandry/vitest'
import { attempt } from '../../support/attempt.ts'

const scope = globalScope('1001')
const faulty = slashCommand({ name: 'Remind Me', description: '' })
const faults = `command "Remind Me", name: "Remind Me" has a space; use letters, digits, "-" and "_"
command "Remind Me", name: "Remind Me" has upper case; use lowercase letters
command "Remind Me", description: is empty; a description has at least 1 character`

/** The message of a failed expectation in a runner. */
function failure(expectation: () => void): string {
  try {
    expectation()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('the expectation was met')
}

/** The message of a failed plain assertion, which must be an AssertionError. */
function assertion(assert: () => void): string {
  try {
    assert()
  } catch (error) {
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ name: 'AssertionError', code: 'ERR_ASSERTION' })
    return (error as Error).message
  }
  throw new Error('the assertion held')
}

/** The common part of client libraries' builders. */
class Builder {
  toJSON() {
    return slashCommand()
  }
}

describe('toBeValidCommand', () => {
  it('passes for commands that validateCommand accepts, with or without warnings', () => {
    expect(slashCommand()).toBeValidCommand()
    expect(violating('options.empty_group').body).toBeValidCommand()
    expect(new Builder()).toBeValidCommand()
    expect(faulty).not.toBeValidCommand()
    assertValidCommand(slashCommand())
  })

  it('fails with what formatIssues prints', () => {
    expect(failure(() => expect(faulty).toBeValidCommand())).toBe(`expected a valid command, but\n${faults}`)
    const found = validateCommand(faulty)
    expect(found.ok ? '' : formatIssues(found.issues, faulty)).toBe(faults)
    expect(assertion(() => assertValidCommand(faulty))).toBe(`expected a valid command, but\n${faults}`)
    expect(failure(() => expect(slashCommand()).not.toBeValidCommand())).toBe(
      'expected an invalid command, but no problem was found',
    )
  })

  it('respects the scope', () => {
    const { body, context } = violating('entry_point.guild')
    expect(body).toBeValidCommand()
    expect(body).not.toBeValidCommand(context)
    expect(failure(() => expect(body).toBeValidCommand(context))).toContain('command "Launch", type: ')
    expect(assertion(() => assertValidCommand(body, context))).toContain('command "Launch", type: ')
  })

  it('names the command of a builder', () => {
    const builder = { toJSON: () => faulty }
    expect(failure(() => expect(builder).toBeValidCommand())).toContain(faults)
    expect(failure(() => expect([builder]).toBeValidCommands())).toContain(faults)
    expect(failure(() => expect(builder).toBreakRule('name.length'))).toContain(faults.split('\n')[0])
  })

  it("fails for warnings with warnings: 'error'", () => {
    const { body } = violating('options.empty_group')
    expect(body).toBeValidCommand({ warnings: 'ignore' })
    expect(body).not.toBeValidCommand({ warnings: 'error' })
    expect(failure(() => expect(body).toBeValidCommand({ warnings: 'error' }))).toMatch(
      /^expected a valid command, but\ncommand "a"/,
    )
    expect([body]).not.toBeValidCommands({ warnings: 'error' })
    expect(() => assertValidCommand(body, { warnings: 'error' })).toThrow('expected a valid command')
  })

  it('rejects a list, negated or not, and names toBeValidCommands', () => {
    expect(() => expect([slashCommand()]).toBeValidCommand()).toThrow('use toBeValidCommands')
    expect(() => expect([slashCommand()]).not.toBeValidCommand()).toThrow('use toBeValidCommands')
  })

  it('rejects modules of commands, and names the field with the definition', () => {
    const module = { data: slashCommand(), execute: () => {} }
    const message = 'expected a definition, got an object with "data"; pass its data'
    expect(() => expect(module).toBeValidCommand()).toThrow(message)
    expect(() => expect([slashCommand(), module]).toBeValidCommands()).toThrow(message)
    expect(() => expect([module]).not.toBeValidCommands()).toThrow(message)
  })

  it('reads a definition with an unknown field "data", and a value that is not an object, as any other', () => {
    expect({ ...slashCommand(), data: {} }).toBeValidCommand()
    for (const value of ['kick', 5, null]) {
      expect(value).not.toBeValidCommand()
      expect([value]).not.toBeValidCommands()
    }
  })

  it('works as an asymmetric matcher', () => {
    expect({ commands: [slashCommand()] }).toEqual({ commands: [expect.toBeValidCommand()] })
    expect({ commands: [faulty] }).not.toEqual({ commands: [expect.toBeValidCommand()] })
  })
})

it('toBeValidCommands passes for a list that can be deployed', () => {
  expect(sampleCommands).toBeValidCommands()
  assertValidCommands(sampleCommands)
  expect(sampleCommands).not.toBeValidCommands({ scope: 'guild' })
})

it('toBeValidCommands fails with what formatIssues prints', () => {
  const twice = [slashCommand(), slashCommand()]
  const message =
    'expected a valid list of commands, but\n' +
    'command "command": has the same name "command" as slash command 1 of the list; names of one type must differ'
  expect(failure(() => expect(twice).toBeValidCommands())).toBe(message)
  expect(assertion(() => assertValidCommands(twice))).toBe(message)
  expect(failure(() => expect([]).not.toBeValidCommands())).toBe(
    'expected an invalid list of commands, but no problem was found',
  )
})

it('toHaveNoWarnings passes for a command or a list without warnings, whatever its errors', () => {
  expect(slashCommand()).toHaveNoWarnings()
  expect(faulty).toHaveNoWarnings()
  expect([slashCommand()]).toHaveNoWarnings()
})

it('toHaveNoWarnings fails with every warning', () => {
  const { body } = violating('options.empty_group')
  expect(body).not.toHaveNoWarnings()
  expect([body]).not.toHaveNoWarnings()
  expect(failure(() => expect(body).toHaveNoWarnings())).toMatch(/^expected no warnings, but\ncommand "a"/)
  expect(failure(() => expect(slashCommand()).not.toHaveNoWarnings())).toBe(
    'expected warnings, but there are none',
  )
  expect(() => assertNoWarnings(body)).toThrow('expected no warnings')
})

describe('toBeVisibleTo', () => {
  const ban = slashCommand({ name: 'ban', default_member_permissions: String(PermissionFlag.BAN_MEMBERS) })

  it('passes when the user sees the command in their picker', () => {
    expect(ban).toBeVisibleTo({ member: people.moderator })
    expect(ban).toBeVisibleTo({ member: people.administrator })
    expect(ban).not.toBeVisibleTo({ member: people.member })
    expect(slashCommand()).toBeVisibleTo({})
    assertVisibleTo(ban, { member: people.moderator })
  })

  it('fails with the reasons', () => {
    expect(failure(() => expect(ban).toBeVisibleTo({}))).toMatch(
      /^expected "ban" to be visible, but\n.*BAN_MEMBERS/,
    )
    expect(failure(() => expect(ban).not.toBeVisibleTo({ member: people.moderator }))).toBe(
      'expected "ban" to be hidden, but it is visible',
    )
    expect(() => assertVisibleTo(ban, {})).toThrow('expected "ban" to be visible')
  })

  it('respects permissions of commands', () => {
    const denied = {
      id: scene.commandId,
      application_id: scene.applicationId,
      guild_id: scene.guildId,
      permissions: [{ id: people.moderator.user.id, type: 2, permission: false }],
    } as const
    expect(ban).not.toBeVisibleTo({ member: people.moderator, permissions: [denied] })
  })

  it('passes for an age-restricted command only in an age-restricted channel', () => {
    const adult = slashCommand({ nsfw: true })
    expect(adult).not.toBeVisibleTo({})
    expect(adult).toBeVisibleTo({ channel: { id: '4003', nsfw: true } })
  })

  it('fails with the issues of an invalid command', () => {
    expect(failure(() => expect(faulty).toBeVisibleTo({}))).toContain(faults.split('\n')[0])
  })
})

it('people have USE_APPLICATION_COMMANDS', () => {
  for (const { permissions } of Object.values(people))
    expect(BigInt(permissions) & PermissionFlag.USE_APPLICATION_COMMANDS).not.toBe(0n)
  expect(BigInt(people.member.permissions) & PermissionFlag.BAN_MEMBERS).toBe(0n)
  expect(BigInt(people.moderator.permissions) & PermissionFlag.BAN_MEMBERS).not.toBe(0n)
  expect(BigInt(people.administrator.permissions) & PermissionFlag.ADMINISTRATOR).not.toBe(0n)
})

describe('toBreakRule', () => {
  it('suggests the nearest code for one that does not exist', () => {
    expect(() => expect(faulty).toBreakRule('name.lenght' as 'name.length')).toThrow(
      'did you mean "name.length"?',
    )
  })

  const ofCommands = rules.filter(({ on }) => on === 'command' || on === 'commands').map(({ code }) => code)
  it.each(ofCommands)('passes for a violation of %s', (code) => {
    const { body, path, context } = violating(code)
    expect(body).toBreakRule(code, path, context)
    expect(body).toBreakRule(code, undefined, context)
    assertBreaksRule(body, code, path, context)
  })

  it('accepts the result of a validator', () => {
    const { body, path } = violating('permission.type')
    expect(validatePermissions(body)).toBreakRule('permission.type', path)
    expect(validateCommand(violating('field.deprecated').body)).toBreakRule('field.deprecated')
    expect(validateCommand(slashCommand())).not.toBreakRule('name.case')
    const { command, request } = violating('argument.range').body
    expect(createInteraction(command, request)).toBreakRule('argument.range', ['options', 'o'])
  })

  it('accepts an error with issues', async () => {
    await expect(new CommandRegistry().upsert(scope, faulty)).rejects.toBreakRule('name.case', ['name'])
  })

  it('fails with every issue and its path', () => {
    const lines = faults.split('\n')
    const found = [
      `name.characters at ["name"]: ${lines[0]}`,
      `name.case at ["name"]: ${lines[1]}`,
      `description.length at ["description"]: ${lines[2]}`,
    ]
    expect(failure(() => expect(faulty).toBreakRule('name.length'))).toBe(
      ['expected name.length to be broken, but found', ...found].join('\n'),
    )
    expect(failure(() => expect(faulty).toBreakRule('name.case', ['options', 0, 'name']))).toBe(
      ['expected name.case at ["options",0,"name"] to be broken, but found', ...found].join('\n'),
    )
    expect(assertion(() => assertBreaksRule(faulty, 'name.case', []))).toBe(
      ['expected name.case at [] to be broken, but found', ...found].join('\n'),
    )
    expect(failure(() => expect(slashCommand()).toBreakRule('name.case'))).toBe(
      'expected name.case to be broken, but nothing is wrong',
    )
    expect(failure(() => expect(faulty).not.toBreakRule('name.case'))).toBe(
      `expected name.case to hold, but found\n${found[1]}`,
    )
    expect(failure(() => expect(validateCommand(faulty)).toBreakRule('name.length'))).toContain(
      `\ndescription.length at ["description"]: description: is empty;`,
    )
  })

  it('rejects an unknown code', () => {
    // @ts-expect-error There is no such rule.
    expect(() => expect(faulty).not.toBreakRule('name.colour')).toThrow(/^code: expected the code of a rule/)
  })
})

describe('toBeRefusedWith', () => {
  it('passes for an error of the library', async () => {
    const registry = new CommandRegistry()
    await expect(registry.get(scope, '1')).rejects.toBeRefusedWith('unknown_command')
    await expect(registry.get(scope, '1')).rejects.not.toBeRefusedWith('invalid')
    const error = await attempt(() => registry.upsert(scope, faulty))
    assertRefusedWith(error, 'invalid')
    // @ts-expect-error Its required option is missing.
    expect(() => interactionFor(sampleCommands[0])).toThrow(expect.toBeRefusedWith('invalid_options'))
  })

  it('passes for an error body, by its number or by the code of a leaf', () => {
    const found = validateCommand(faulty)
    const body = toErrorBody(found.ok ? [] : found.issues)
    expect(body).toBeRefusedWith(50035)
    expect(body).toBeRefusedWith('BASE_TYPE_BAD_LENGTH')
    expect(body).not.toBeRefusedWith('BASE_TYPE_REQUIRED')
    expect({ code: 10063, message: 'Unknown application command' }).toBeRefusedWith(10063)
  })

  it('fails with the codes of the refusal', async () => {
    const error = await attempt(() => new CommandRegistry().upsert(scope, faulty))
    const said = `invalid: 3 problems\n${faults}`
    expect(failure(() => expect(error).toBeRefusedWith('busy'))).toBe(
      `expected a refusal with busy, but got\n${said}`,
    )
    expect(failure(() => expect(error).not.toBeRefusedWith('invalid'))).toBe(
      `expected no refusal with invalid, but got\n${said}`,
    )
    expect(assertion(() => assertRefusedWith(error, 'busy'))).toContain(said)
    const found = validateCommands([faulty])
    const body = toErrorBody(found.ok ? [] : found.issues)
    expect(failure(() => expect(body).toBeRefusedWith('BASE_TYPE_REQUIRED'))).toBe(
      [
        'expected a refusal with BASE_TYPE_REQUIRED, but got',
        '50035: Invalid Form Body',
        '0.name STRING_TYPE_REGEX: String value did not match validation regex.',
        '0.name APPLICATION_COMMAND_INVALID_NAME: Command name is invalid',
        '0.description BASE_TYPE_BAD_LENGTH: Must be between 1 and 100 in length.',
      ].join('\n'),
    )
    const errors = { _errors: [{ code: 'A', message: 'b' }] }
    const whole = { code: 50035, message: 'Invalid Form Body', errors }
    expect(failure(() => expect(whole).toBeRefusedWith(10063))).toBe(
      'expected a refusal with 10063, but got\n50035: Invalid Form Body\nA: b',
    )
  })

  it('explains when there is no refusal', async () => {
    const made = new CommandRegistry().upsert(scope, slashCommand())
    expect(failure(() => expect(made).toBeRefusedWith('invalid'))).toBe(
      'expected a refusal with invalid, but got\na promise, which has to be awaited',
    )
    const value = await made
    expect(failure(() => expect(value).toBeRefusedWith('invalid'))).toBe(
      'expected a refusal with invalid, but got\nan object',
    )
    expect(value).not.toBeRefusedWith('invalid')
    expect(failure(() => expect(undefined).toBeRefusedWith('invalid'))).toContain('got\nmissing')
    for (const other of [{ code: 'invalid' }, { code: 'invalid', message: 5 }, { message: 'invalid' }])
      expect(failure(() => expect(other).toBeRefusedWith('invalid'))).toContain('got\nan object')
  })

  it('accepts only known codes at compile time', () => {
    const error = new RegistryError('busy')
    // @ts-expect-error No error has this code.
    expect(error).not.toBeRefusedWith('busyy')
  })
})

describe('toAnswer', () => {
  const [search, , , , launch] = sampleCommands
  const typing = interactionFor(search, { focused: 'query' })

  it('passes for a valid answer to the interaction', () => {
    expect({ type: 8, data: { choices: [{ name: 'parrots', value: 'parrots' }] } }).toAnswer(typing)
    const launching = interactionFor(launch)
    expect({ type: 12 }).toAnswer(launching)
    expect({ type: 12 }).not.toAnswer(launching, { application: { flags: 0 } })
    expect({ type: 12 }).toAnswer(launching, { application: { flags: ApplicationFlag.EMBEDDED } })
    assertAnswers({ type: 4, data: { content: 'Found' } }, launching)
  })

  it('rejects swapped arguments', () => {
    const answer = { type: 8, data: { choices: [] } }
    expect(() => assertAnswers(typing, answer as never)).toThrow(
      'expected an answer, got an interaction; the answer comes first',
    )
  })

  it('fails with what formatIssues prints', () => {
    const answer = { type: 8, data: { choices: [{ name: '', value: 1 }] } }
    const message = failure(() => expect(answer).toAnswer(typing))
    expect(message).toMatch(
      /^expected a fitting answer to the interaction, but\ndata, choice 1, name: .*\ndata, choice 1, value: /,
    )
    expect(assertion(() => assertAnswers(answer, typing))).toBe(message)
    expect(failure(() => expect({ type: 8, data: { choices: [] } }).not.toAnswer(typing))).toBe(
      'expected no fitting answer to the interaction, but no problem was found',
    )
  })
})
