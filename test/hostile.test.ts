import { describe, expect, it } from 'vitest'
import {
  CommandRegistry,
  formatIssues,
  globalScope,
  toErrorBody,
  validateCommand,
  validateCommands,
  validatePermissions,
  type Validation,
} from 'commandry'
import { attempt } from './support/attempt.ts'

// What matters here is that each of these ends, with an answer that says what is wrong, without an overflow of the
// stack or of the memory. How fast it ends is measured by the benchmarks.

const slash = (rest: object) => ({ name: 'a', description: 'b', ...rest })

function codesOf(found: Validation<unknown>): string[] {
  return found.ok ? [] : [...new Set(found.issues.map(({ code }) => code))]
}

function nested(depth: number): unknown {
  let option: object = { type: 1, name: 'a', description: 'b' }
  for (let i = 0; i < depth; i++) option = { type: 1, name: 'a', description: 'b', options: [option] }
  return slash({ options: [option] })
}

describe('hostile input', () => {
  it('a definition nested 100,000 deep', () => {
    const found = validateCommand(nested(100_000))
    expect(codesOf(found)).toEqual(['options.nesting'])
  })

  it('any JSON nested 100,000 deep in every field', () => {
    const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
    for (const field of [
      'name',
      'description',
      'options',
      'contexts',
      'name_localizations',
      'nsfw',
      'unknown',
    ]) {
      const found = validateCommand(slash({ [field]: deep }))
      if (field !== 'unknown') expect(found.ok).toBe(false)
      if (!found.ok) expect(formatIssues(found.issues, slash({ [field]: deep })).length).toBeLessThan(2_000)
    }
    expect(validateCommands(deep).ok).toBe(false)
    expect(validatePermissions(deep).ok).toBe(false)
  })

  it('a million keys, in a command and in a dictionary', () => {
    const keys: Record<string, string> = {}
    for (let i = 0; i < 1_000_000; i++) keys[`key${i}`] = 'x'
    const command = validateCommand({ ...keys, ...slash({}) })
    expect(command.ok).toBe(true)
    expect(command.warnings.length).toBeLessThanOrEqual(2_000)
    const dictionary = validateCommand(slash({ name_localizations: keys }))
    expect(codesOf(dictionary)).toEqual(['localization.locale'])
    if (!dictionary.ok) expect(dictionary.issues.length).toBeLessThanOrEqual(2_000)
  })

  it('a million options, choices, commands and permissions', () => {
    const many = (item: unknown) => Array.from({ length: 1_000_000 }, () => item)
    const option = { type: 3, name: 'a', description: 'b' }
    expect(codesOf(validateCommand(slash({ options: many(option) })))).toContain('options.count')
    expect(
      codesOf(validateCommand(slash({ options: [{ ...option, choices: many({ name: 'c', value: 'c' }) }] }))),
    ).toEqual(['choices.count'])
    expect(codesOf(validateCommand(slash({ contexts: many(0) })))).toEqual(['contexts.repeated'])
    expect(
      codesOf(validateCommand(slash({ options: [{ ...option, type: 7, channel_types: many(0) }] }))),
    ).toEqual(['channel_types.repeated'])
    expect(codesOf(validateCommands(many(slash({}))))).toContain('commands.count')
    expect(codesOf(validatePermissions(many({ id: '1', type: 1, permission: true })))).toEqual([
      'permissions.count',
    ])
  })

  it('strings of 50 MB wherever a string can stand', () => {
    const long = 'x'.repeat(50_000_000)
    const option = { type: 3, name: 'a', description: 'b' }
    const bodies = [
      { name: long, description: 'b' },
      { name: 'a', description: long },
      slash({ name_localizations: { de: long } }),
      slash({ name_localizations: { [long]: 'a' } }),
      slash({ default_member_permissions: '1'.repeat(50_000_000) }),
      slash({ options: [{ ...option, choices: [{ name: long, value: long }] }] }),
      { type: 2, name: long },
    ]
    for (const body of bodies) {
      const found = validateCommand(body)
      expect(found.ok).toBe(false)
      if (found.ok) continue
      expect(JSON.stringify(found.issues.map(({ message }) => message)).length).toBeLessThan(2_000)
    }
    expect(validatePermissions([{ id: long, type: 1, permission: true }]).ok).toBe(false)
  })

  it('[2.1-08] __proto__ and its like as locales, and as names', () => {
    for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const body: unknown = JSON.parse(`{"name":"a","description":"b","name_localizations":{"${key}":"x"}}`)
      const found = validateCommand(body)
      expect(found).toMatchObject({ ok: false, issues: [{ code: 'localization.locale' }] })
      if (found.ok) continue
      expect(found.issues[0]!.path).toEqual(['name_localizations', key])
      expect(Object.keys(toErrorBody(found.issues).errors as object)).toEqual(['name_localizations'])
    }
    expect(validateCommand({ name: '__proto__', description: 'b' })).toMatchObject({
      ok: true,
      value: { name: '__proto__' },
    })
    expect(({} as { x?: unknown }).x).toBeUndefined()
    expect(Object.getPrototypeOf({})).toBe(Object.prototype)
  })

  it('a registry whose commands are called like members of objects', async () => {
    const registry = new CommandRegistry()
    const scope = globalScope('1001')
    for (const name of ['__proto__', 'constructor', 'tostring'])
      await registry.upsert(scope, { name, description: 'b' })
    expect((await registry.list(scope)).map(({ name }) => name)).toEqual([
      '__proto__',
      'constructor',
      'tostring',
    ])
    for (const id of ['__proto__', 'constructor', '', '1/global', '-1']) {
      expect(await attempt(() => registry.get(scope, id))).toMatchObject({ code: 'unknown_command' })
    }
  })

  it('unpaired surrogates: refused in strict names, kept as they are elsewhere', () => {
    expect(codesOf(validateCommand({ name: '\ud800', description: 'b' }))).toEqual(['name.characters'])
    expect(codesOf(validateCommand({ name: '\udc00a', description: 'b' }))).toEqual(['name.characters'])
    expect(validateCommand({ name: 'a', description: '\ud800' })).toMatchObject({
      ok: true,
      value: { description: '\ud800' },
    })
  })

  it('values that JSON does not have', () => {
    for (const value of [
      1n,
      Symbol('s'),
      () => 1,
      new Date(Number.NaN),
      Number.NaN,
      Number.POSITIVE_INFINITY,
    ]) {
      expect(validateCommand(value).ok).toBe(false)
      for (const field of ['name', 'description', 'type', 'options', 'default_member_permissions', 'nsfw']) {
        expect(validateCommand(slash({ [field]: value })).ok, field).toBe(false)
      }
    }
  })
})
