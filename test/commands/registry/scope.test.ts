import { inspect } from 'node:util'
import { describe, expect } from 'vitest'
import {
  applicationDirectory,
  CommandRegistry,
  globalScope,
  guildScope,
  IntegrationType,
  validateCommand,
  type ApplicationDirectory,
  memoryStore,
  snowflakes,
} from 'commandry'
import { attempt, codeOf, issuesOf } from '../../support/attempt.ts'
import { DAY, handClock } from '../../support/clock.ts'
import { accepted } from '../../support/found.ts'
import { allow, it, registryOf, slashes } from './bodies.ts'
import { app, everywhere, guild, here, ping } from '../../support/fixtures.ts'

describe('scopes', () => {
  it('[1-02] [4.2-01] keep the commands of each guild and global ones apart', async ({ registry }) => {
    const { command } = await registry.upsert(here, ping)
    expect(await registry.list(here)).toEqual([command])
    expect(await registry.list(everywhere)).toEqual([])
    expect(await registry.list(guildScope(app, '2002'))).toEqual([])
    expect(await codeOf(() => registry.get(everywhere, command.id))).toBe('unknown_command')
    expect(await codeOf(() => registry.get(guildScope('1002', guild), command.id))).toBe('unknown_command')
  })

  it('[4.4-01] share names across scopes, types and applications only', async ({ registry }) => {
    const made = [
      await registry.upsert(everywhere, { name: 'same', description: 'b' }),
      await registry.upsert(everywhere, { type: 2, name: 'same' }),
      await registry.upsert(everywhere, { type: 3, name: 'same' }),
      await registry.upsert(here, { name: 'same', description: 'b' }),
      await registry.upsert(guildScope(app, '2002'), { name: 'same', description: 'b' }),
      await registry.upsert(globalScope('1002'), { name: 'same', description: 'b' }),
    ]
    expect(made.every(({ created }) => created)).toBe(true)
    expect(new Set(made.map(({ command }) => command.id)).size).toBe(6)
    for (const [scope, body] of [
      [everywhere, { name: 'same', description: 'c' }],
      [everywhere, { type: 2, name: 'same', nsfw: true }],
      [here, { name: 'same', description: 'c' }],
    ] as const)
      expect((await registry.upsert(scope, body)).created).toBe(false)
  })

  it('[4.4-02] refuse an entry point in a guild', async ({ registry }) => {
    const error = await attempt(() => registry.upsert(here, { type: 4, name: 'Launch' }))
    expect(error).toMatchObject({ code: 'invalid', issues: [{ code: 'entry_point.guild', path: ['type'] }] })
  })

  it('[1-03] refuse a guild that has not authorized the app', async () => {
    const registry = registryOf({ guilds: [guild] })
    const away = guildScope(app, '2002')
    expect((await registry.upsert(here, ping)).created).toBe(true)
    for (const call of [
      () => registry.upsert(away, ping),
      () => registry.overwrite(away, []),
      () => registry.list(away),
      () => registry.setPermissions(app, '2002', app, allow),
    ])
      expect(await codeOf(call)).toBe('missing_access')
  })

  it('refuse an application that the directory does not have', async () => {
    expect(await codeOf(() => registryOf({}).list(globalScope('1002')))).toBe('unknown_application')
  })

  it('[1-03] accept null for an unknown application, and await any thenable of a directory', async () => {
    const directories = [null, { id: app, guilds: [] }].map((settings): ApplicationDirectory => ({
      get: () => ({ then: (resolve: (value: unknown) => void) => resolve(settings) }) as Promise<undefined>,
    }))
    const [missing, closed] = directories.map((applications) => new CommandRegistry({ applications }))
    expect(await codeOf(() => missing!.upsert(here, ping))).toBe('unknown_application')
    expect(await codeOf(() => closed!.upsert(here, ping))).toBe('missing_access')
  })

  it('require snowflakes', () => {
    expect(() => globalScope('my app')).toThrow(
      new TypeError('applicationId: expected a snowflake such as "1029384756", got the string "my app"'),
    )
    expect(() => guildScope(app, 2001 as unknown as string)).toThrow(/guildId: expected a snowflake/)
  })

  it('[2.1-16] accept only integration types of the app, which are the default', async () => {
    const applications = applicationDirectory([
      { id: app, integration_types: [IntegrationType.USER_INSTALL] },
      { id: '1002' },
    ])
    const registry = new CommandRegistry({ applications })
    expect((await registry.upsert(everywhere, ping)).command.integration_types).toEqual([1])
    expect((await registry.upsert(globalScope('1002'), ping)).command.integration_types).toEqual([0])
    const both = { ...ping, integration_types: [1, 0] }
    expect(await issuesOf(() => registry.upsert(everywhere, both))).toEqual([
      'integration_types.supported integration_types.1',
    ])
  })

  it('[2.1-15] refuse age-restricted commands of an app with discovery enabled', async () => {
    const registry = registryOf({ discoverable: true })
    const restricted = { ...ping, nsfw: true }
    expect(await issuesOf(() => registry.upsert(everywhere, restricted))).toEqual(['nsfw.discoverable nsfw'])
    expect((await registry.upsert(everywhere, { ...ping, nsfw: false })).created).toBe(true)
  })

  it('separate application 1 from application 10', async ({ registry }) => {
    await registry.upsert(globalScope('10'), ping)
    await registry.upsert(guildScope('10', '20'), ping)
    expect(await registry.list(globalScope('1'))).toEqual([])
    expect(await registry.list(guildScope('1', '2'))).toEqual([])
  })
})

it('a scope is a plain frozen object; a copy with another guild is another scope', async ({ registry }) => {
  await registry.upsert(here, ping)
  expect(here).toStrictEqual({ kind: 'guild', applicationId: app, guildId: guild })
  expect(Object.isFrozen(here)).toBe(true)
  expect(await registry.list({ kind: 'guild', applicationId: app, guildId: guild })).toHaveLength(1)
  expect(await registry.list({ ...here, guildId: '2' })).toEqual([])
})

describe('wrong arguments', () => {
  it.each<[unknown, string]>([
    ['1001', 'guildScope(applicationId, guildId), got the string "1001"'],
    [undefined, 'globalScope(applicationId)'],
    [null, 'globalScope(applicationId)'],
    [{ kind: 'gulid', applicationId: app, guildId: guild }, 'kind the string "gulid"'],
    [{ applicationId: app }, 'globalScope(applicationId)'],
    [{ kind: 'global', applicationId: 1001 }, 'scope.applicationId: expected a snowflake'],
    [{ kind: 'global', applicationId: 'my app' }, 'scope.applicationId:'],
    [{ kind: 'guild', applicationId: app }, 'scope.guildId:'],
    [{ kind: 'guild', applicationId: app, guildId: '01' }, 'scope.guildId:'],
  ])('cause a TypeError that names what is wrong for the scope %j', async (scope, words) => {
    const registry = new CommandRegistry()
    const wrong = scope as typeof everywhere
    for (const call of [
      () => registry.list(wrong),
      () => registry.get(wrong, '1'),
      () => registry.upsert(wrong, ping),
      () => registry.edit(wrong, '1', {}),
      () => registry.delete(wrong, '1'),
      () => registry.overwrite(wrong, []),
      () => registry.plan(wrong, []),
    ]) {
      const error: unknown = await call().catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(TypeError)
      expect(String(error)).toContain(words)
    }
  })

  const wrongIds = [undefined, Promise.resolve('5'), 5, 'five']
  it.each(wrongIds)('cause a TypeError, without a change, for the id %j', async (id) => {
    const registry = new CommandRegistry({ ids: { next: () => id as string } })
    await expect(registry.upsert(everywhere, ping)).rejects.toThrow(
      /^ids: expected next\(\) to return a snowflake/,
    )
    expect(await registry.list(everywhere)).toEqual([])
  })

  it('cause a TypeError for a clock that does not return a time', async () => {
    const registry = new CommandRegistry({ clock: { now: () => Number.NaN }, ids: snowflakes() })
    await expect(registry.upsert(everywhere, ping)).rejects.toThrow(/^clock: expected now\(\)/)
  })

  it('[2.9-01] never give a command the id of its application', async () => {
    let next = Number(app) - 2
    const registry = new CommandRegistry({ ids: { next: () => String(next++) } })
    const commands = await registry.overwrite(everywhere, slashes(3))
    const ids = commands.flatMap(({ id, version }) => [id, version])
    expect(ids).not.toContain(app)
    expect(new Set(ids).size).toBe(6)
  })

  it('[2.1-01] cause a TypeError, without a change, for an id after the largest snowflake', async () => {
    const registry = new CommandRegistry({ ids: { next: () => '9223372036854775807' } })
    await expect(registry.upsert(everywhere, ping)).rejects.toThrow(
      /^ids: there is no id after 9223372036854775807$/,
    )
    expect(await registry.list(everywhere)).toEqual([])
  })

  it('name an unknown command with its scope', async ({ registry }) => {
    const messageOf = async (call: () => Promise<unknown>) => (await attempt(call))?.message
    expect(await messageOf(() => registry.get(everywhere, '7'))).toBe(
      'unknown command 7: it is not among the global commands of application 1001',
    )
    expect(await messageOf(() => registry.delete(here, '7'))).toBe(
      'unknown command 7: it is not among the commands of application 1001 in guild 2001',
    )
    expect(await messageOf(() => registry.edit(here, '7', {}))).toContain('unknown command 7')
  })

  it('[8-01] name a full scope', async ({ registry }) => {
    await registry.overwrite(everywhere, slashes(100))
    const error = await attempt(() => registry.upsert(everywhere, ping))
    expect(error?.code).toBe('too_many_commands')
    expect(error?.message).toBe(
      'command "ping" among the global commands of application 1001: is slash command number 101; at most 100 of the type are allowed',
    )
  })
})

it('a fork has the same documents, independent of the original', async () => {
  const applications = applicationDirectory([{ id: app }])
  const registry = new CommandRegistry({ applications, clock: handClock() })
  const { command } = await registry.upsert(everywhere, ping)
  await registry.upsert(here, ping)
  await registry.setPermissions(app, guild, command.id, allow)
  const before = await registry.snapshot(app)
  const heard: string[] = []
  registry.subscribe(({ type }) => heard.push(type))

  const fork = await registry.fork()
  expect(await fork.snapshot(app)).toEqual(before)
  await fork.delete(everywhere, command.id)
  await fork.enableActivities(app)
  expect(heard).toEqual([])
  expect(await registry.snapshot(app)).toEqual(before)
  expect((await applications.get(app))?.flags).toBeUndefined()
  const own = await fork.upsert(everywhere, { ...ping, name: 'own' })
  const other = await registry.upsert(everywhere, { ...ping, name: 'other' })
  expect(own.command.id).not.toBe(other.command.id)
  expect((await fork.list(everywhere)).map(({ name }) => name)).toEqual(['Launch', 'own'])
})

it('a fork uses the same clock and directory', async () => {
  const clock = handClock()
  const registry = registryOf({}, { clock })
  await registry.overwrite(everywhere, slashes(100))
  const fork = await registry.fork()
  await fork.overwrite(everywhere, slashes(100, 100))
  expect(await codeOf(() => fork.overwrite(everywhere, slashes(1, 300)))).toBe('daily_creates_exhausted')
  clock.advance(DAY)
  expect(await fork.overwrite(everywhere, slashes(1, 300))).toHaveLength(1)
  expect(await codeOf(() => fork.list(globalScope('1002')))).toBe('unknown_application')
})

it('inspection shows in one line the store and the number of listeners', () => {
  const registry = new CommandRegistry()
  registry.subscribe(() => undefined)
  expect(inspect(registry)).toMatch(/^CommandRegistry \{ documents in memory, 1 listener; .*list.* \}$/)
  expect(inspect(new CommandRegistry({ store: memoryStore() }))).toMatch(/in the given store, 0 listeners/)
})

it('options are rejected with a TypeError when invalid', () => {
  const { read, write, keys } = memoryStore()
  const notStore = 'store: expected a Store with read, write and keys, got an object'
  for (const [options, message] of [
    [{ store: {} }, notStore],
    [{ store: { read, write } }, notStore],
    [{ store: { read, keys } }, notStore],
    [{ store: { write, keys } }, notStore],
    [{ attempts: 0 }, 'attempts: expected a whole number from 1, got the number 0'],
    [{ applications: new Set() }, 'applications: expected an ApplicationDirectory with get, got a Set'],
    [{ clock: 5 }, 'clock: expected a Clock with now, got the number 5'],
    [{ ids: { next: '5' } }, 'ids: expected an IdSource with next, got an object'],
    [{ onListenerError: null }, 'onListenerError: expected a function, got null'],
  ] as const)
    expect(() => new CommandRegistry(options as object)).toThrow(new TypeError(message))
})

it('options are checked alike by validation and registration', ({ command }) => {
  expect(command).toMatchObject(accepted(validateCommand(ping)))
})
