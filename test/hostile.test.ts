import { describe, expect, it } from 'vitest'
import {
  CommandRegistry,
  formatIssues,
  globalScope,
  validateCommand,
  validateCommands,
  validatePermissions,
  type Validation,
} from 'commandry'
import { toErrorBody } from 'commandry/http'
import { codeOf } from './support/attempt.ts'
import { words } from './support/words.ts'

// Each test shows that a call ends with named issues, without exhausting the stack or the memory. The benchmarks
// measure how fast.

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
  it('refuses a definition nested 100,000 deep', () => {
    const found = validateCommand(nested(100_000))
    expect(codesOf(found)).toEqual(['options.nesting'])
  })

  it('refuses any JSON nested 100,000 deep in every field', () => {
    const deep: unknown = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
    for (const field of words('name description options contexts name_localizations nsfw unknown')) {
      const found = validateCommand(slash({ [field]: deep }))
      if (field !== 'unknown') expect(found.ok).toBe(false)
      if (!found.ok) expect(formatIssues(found.issues, slash({ [field]: deep })).length).toBeLessThan(2_000)
    }
    expect(validateCommands(deep).ok).toBe(false)
    expect(validatePermissions(deep).ok).toBe(false)
  })

  it('bounds the issues of 100,000 keys in a command and in a dictionary', () => {
    const keys: Record<string, string> = {}
    for (let i = 0; i < 100_000; i++) keys[`key${i}`] = 'x'
    const command = validateCommand({ ...keys, ...slash({}) })
    expect(command.ok).toBe(true)
    expect(command.warnings.length).toBeLessThanOrEqual(2_000)
    const dictionary = validateCommand(slash({ name_localizations: keys }))
    expect(codesOf(dictionary)).toEqual(['localization.locale'])
    if (!dictionary.ok) expect(dictionary.issues.length).toBeLessThanOrEqual(2_000)
  })

  it.each([
    ['a command', (keys: object) => validateCommand(keys)],
    ['an option', (keys: object) => validateCommand(slash({ options: [keys] }))],
    ['translations', (keys: object) => validateCommand(slash({ name_localizations: keys }))],
    ['a permission entry', (keys: object) => validatePermissions([keys])],
  ])('reads each of 20,000 unknown keys of %s at most five times', (_, validate) => {
    const keys: Record<string, string> = {}
    for (let i = 0; i < 20_000; i++) keys[`key${i}`] = 'x'
    const looks = new Map<string | symbol, number>()
    const count = (key: string | symbol) => looks.set(key, (looks.get(key) ?? 0) + 1)
    const found = validate(
      new Proxy(keys, {
        get: (target, key) => (count(key), Reflect.get(target, key)),
        has: (target, key) => (count(key), Reflect.has(target, key)),
        getOwnPropertyDescriptor: (target, key) => (
          count(key),
          Reflect.getOwnPropertyDescriptor(target, key)
        ),
        ownKeys: (target) => (count('all keys'), Reflect.ownKeys(target)),
      }),
    )
    const issues = found.ok ? [] : found.issues
    expect(issues.length + found.warnings.length).toBeGreaterThan(1_000)
    expect(issues.length + found.warnings.length).toBeLessThan(4_100)
    expect(looks.get('key19999')).toBeGreaterThan(0)
    expect(Math.max(...looks.values())).toBeLessThanOrEqual(5)
  })

  it('refuses 100,000 options, choices, commands and permissions', () => {
    const many = (item: unknown) => Array.from({ length: 100_000 }, () => item)
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

  it('refuses strings of 5 MB in every field, with short messages', () => {
    const long = 'x'.repeat(5_000_000)
    const option = { type: 3, name: 'a', description: 'b' }
    const bodies = [
      { name: long, description: 'b' },
      { name: 'a', description: long },
      slash({ name_localizations: { de: long } }),
      slash({ name_localizations: { [long]: 'a' } }),
      slash({ default_member_permissions: '1'.repeat(5_000_000) }),
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

  it('[2.1-08] refuses __proto__ and similar keys as locales, and accepts __proto__ as a name', () => {
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

  it('stores commands named like members of Object.prototype', async () => {
    const registry = new CommandRegistry()
    const scope = globalScope('1001')
    for (const name of ['__proto__', 'constructor', 'tostring'])
      await registry.upsert(scope, { name, description: 'b' })
    expect((await registry.list(scope)).map(({ name }) => name)).toEqual([
      '__proto__',
      'constructor',
      'tostring',
    ])
    for (const id of ['__proto__', 'constructor', '', '1/global', '-1'])
      await expect(registry.get(scope, id)).rejects.toThrow(TypeError)
    expect(await codeOf(() => registry.get(scope, '1'))).toBe('unknown_command')
  })

  it('refuses values that JSON does not support', () => {
    for (const value of [1n, Symbol('s'), () => 1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(validateCommand(value).ok).toBe(false)
      for (const field of ['name', 'description', 'type', 'options', 'default_member_permissions', 'nsfw']) {
        // The only field that accepts a bigint.
        const isAccepted = field === 'default_member_permissions' && typeof value === 'bigint'
        expect(validateCommand(slash({ [field]: value })).ok, field).toBe(isAccepted)
      }
    }
  })
})
