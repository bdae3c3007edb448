import { expect } from 'vitest'
import { CommandRegistry, globalScope, memoryStore, snowflakes } from 'commandry'
import { attempt, codeOf, issuesOf } from '../../support/attempt.ts'
import { DAY, handClock, HOUR } from '../../support/clock.ts'
import { several } from '../../support/bodies.ts'
import { it, slashes, menus } from './bodies.ts'
import { app, everywhere, guild, here, ping } from '../../support/fixtures.ts'

it('[8-01] limits are 100 slash, 15 user, 15 message commands a scope, one entry point', async ({
  registry,
}) => {
  const full = [...slashes(100), ...menus(2, 15), ...menus(3, 15)]
  const cases = [
    [everywhere, [...full, { type: 4, name: 'Launch' }]],
    [here, full],
  ] as const
  for (const [scope, list] of cases) {
    expect(await registry.overwrite(scope, list)).toHaveLength(list.length)
    for (const body of [
      { name: 'more', description: 'b' },
      { type: 2, name: 'More' },
      { type: 3, name: 'More' },
    ]) {
      const error = await attempt(() => registry.upsert(scope, body))
      expect(error).toMatchObject({ code: 'too_many_commands', issues: [{ path: [] }] })
    }
    expect(await registry.list(scope)).toHaveLength(list.length)
  }
  const second = await attempt(() => registry.upsert(everywhere, { type: 4, name: 'Second' }))
  expect(second).toMatchObject({
    code: 'too_many_commands',
    issues: [{ code: 'commands.count_entry_point', params: { actual: 2 } }],
  })
  expect(await attempt(() => registry.overwrite(here, slashes(101)))).toMatchObject({
    code: 'too_many_commands',
    message: expect.stringContaining('"s100"'),
    issues: [{ path: [100] }],
  })
  expect(await codeOf(() => registry.overwrite(here, slashes(131)))).toBe('invalid')
  expect(await issuesOf(() => registry.overwrite(here, slashes(131)))).toEqual(['commands.count '])
})

it('[8-02] limits are 200 creates a UTC day and scope, without updates', async () => {
  const clock = handClock(Date.UTC(2026, 0, 1, 18))
  const registry = new CommandRegistry({ clock })
  await registry.overwrite(everywhere, slashes(100))
  await registry.overwrite(everywhere, slashes(100))
  await registry.overwrite(everywhere, slashes(100, 100))
  for (const { id } of await registry.list(everywhere))
    await registry.edit(everywhere, id, { description: 'c' })
  await registry.overwrite(everywhere, slashes(1, 100))
  const error = await attempt(() => registry.upsert(everywhere, ping))
  expect(error).toMatchObject({ code: 'daily_creates_exhausted', retryAfter: 6 * 3600 })
  expect(await codeOf(() => registry.overwrite(everywhere, [ping]))).toBe('daily_creates_exhausted')
  const update = { name: 's100', description: 'still an update' }
  expect((await registry.upsert(everywhere, update)).created).toBe(false)
  expect((await registry.upsert(here, ping)).created).toBe(true)
  expect((await registry.upsert(globalScope('1002'), ping)).created).toBe(true)
  clock.advance(6 * HOUR - 1)
  expect(await codeOf(() => registry.upsert(everywhere, ping))).toBe('daily_creates_exhausted')
  clock.advance(1)
  expect((await registry.upsert(everywhere, ping)).created).toBe(true)
})

it('[8-02] limits apply to one day for registries whose clocks disagree around midnight', async () => {
  const store = memoryStore()
  const midnight = Date.UTC(2026, 0, 2)
  const [early, late] = [midnight, midnight - 1].map(
    (now) => new CommandRegistry({ store, clock: { now: () => now } }),
  ) as [CommandRegistry, CommandRegistry]
  const all = slashes(100)
  await early.overwrite(everywhere, all)
  await late.overwrite(everywhere, slashes(100, 100))
  for (const registry of [early, late])
    expect(await codeOf(() => registry.overwrite(everywhere, all))).toBe('daily_creates_exhausted')
  // A clock further ahead does not block creates for long.
  const wrong = new CommandRegistry({ store, clock: { now: () => midnight + 400 * DAY } })
  await wrong.overwrite(everywhere, all)
  const right = new CommandRegistry({ store, clock: { now: () => midnight + 2 * DAY } })
  expect(await right.overwrite(everywhere, slashes(100, 100))).toHaveLength(100)
})

it('[2.1-01] [2.9-09] limits prevent repeated ids of registries whose clocks disagree', async () => {
  const store = memoryStore()
  const clock = handClock()
  const [a, b] = [5, 3].map(
    (worker) => new CommandRegistry({ store, clock, ids: snowflakes({ clock, worker }) }),
  ) as [CommandRegistry, CommandRegistry]
  const made = [
    await a.upsert(everywhere, ping),
    await b.upsert(everywhere, { ...ping, name: 'pong' }),
    await a.upsert(here, { ...ping, name: 'pang' }),
  ]
  const given = made.flatMap(({ command }) => [command.id, command.version])
  expect(new Set(given).size).toBe(given.length)
})

it('[8-02] limits report the end of the counted day to a registry whose clock is behind', async () => {
  const store = memoryStore()
  const midnight = Date.UTC(2026, 0, 2)
  const early = new CommandRegistry({ store, clock: { now: () => midnight } })
  await early.overwrite(everywhere, slashes(100))
  await early.overwrite(everywhere, slashes(100, 100))
  const late = new CommandRegistry({ store, clock: { now: () => midnight - 1000 } })
  const error = await attempt(() => late.overwrite(everywhere, [ping]))
  expect(error).toMatchObject({ code: 'daily_creates_exhausted', retryAfter: 86_401 })
})

it('[2.1-01] limits prevent repeated ids of registries that share a clock', async () => {
  const [store, clock] = [memoryStore(), handClock()]
  const ids = await Promise.all(
    [everywhere, here].map(async (scope) => {
      const { command } = await new CommandRegistry({ store, clock }).upsert(scope, ping)
      return command.id
    }),
  )
  expect(new Set(ids).size).toBe(2)
})

it('[8-02] limits refuse as a whole an overwrite that would exceed the day', async () => {
  const registry = new CommandRegistry({ clock: handClock() })
  await registry.overwrite(everywhere, slashes(100))
  await registry.overwrite(everywhere, slashes(60, 100))
  const before = await registry.list(everywhere)
  const error = await attempt(() => registry.overwrite(everywhere, slashes(50, 200)))
  expect(error?.issues).toMatchObject([{ code: 'scope.daily_creates', params: { actual: 50, used: 160 } }])
  expect(error?.message).toBe(
    'the change of the global commands of application 1001: needs 50 creates, but only 40 of 200 are left today',
  )
  expect(await registry.list(everywhere)).toBe(before)
  expect(await registry.overwrite(everywhere, slashes(40, 200))).toHaveLength(40)
})

it('[8-05] limits are 100 permission entries', async ({ registry, command }) => {
  const entries = several(101, (i) => ({ id: String(i + 1), type: 2, permission: true }))
  const error = await attempt(() => registry.setPermissions(app, guild, command.id, entries))
  expect(error?.issues).toMatchObject([{ code: 'permissions.count' }])
  const { permissions } = await registry.setPermissions(app, guild, command.id, entries.slice(1))
  expect(permissions).toHaveLength(100)
})
