import { describe, expect } from 'vitest'
import { CommandRegistry, CommandType, formatIssues, memoryStore } from 'commandry'
import { attempt, codeOf, issuesOf } from '../../support/attempt.ts'
import { DAY, handClock } from '../../support/clock.ts'
import { allow, it, registryOf, slashes } from './bodies.ts'
import { app, everywhere, guild, here, ping } from '../../support/fixtures.ts'
import { isDeeplyFrozen } from '../../support/found.ts'
import { words } from '../../support/words.ts'

describe('one command', () => {
  it('[4.1-02] is created by an upsert, and overwritten by the next of its name', async ({ registry }) => {
    const first = await registry.upsert(everywhere, ping)
    const second = await registry.upsert(everywhere, { ...ping, description: 'Still says pong' })
    expect(first.created).toBe(true)
    expect(second.created).toBe(false)
    expect(second.command.id).toBe(first.command.id)
    expect(await registry.list(everywhere)).toEqual([second.command])
  })

  it('[2.1-21] [4.1-03] has exactly the keys of Discord', async ({ registry, command }) => {
    expect(await registry.get(everywhere, command.id)).toEqual({
      id: command.id,
      application_id: app,
      version: command.version,
      default_member_permissions: null,
      type: 1,
      name: 'ping',
      name_localizations: null,
      description: 'Says pong',
      description_localizations: null,
      dm_permission: true,
      contexts: null,
      integration_types: [0, 1],
      nsfw: false,
    })
  })

  it('[2.1-03] [2.1-21] [2.8-04] has a guild id and no contexts only in a guild', async ({ registry }) => {
    const body = { ...ping, contexts: [0, 1, 2], integration_types: [0], dm_permission: false }
    const { command } = await registry.upsert(here, body)
    expect(Object.keys(command).sort()).toEqual(
      words(`
        application_id default_member_permissions description description_localizations guild_id id name
        name_localizations nsfw type version
      `),
    )
    expect(command.guild_id).toBe(guild)
    const { command: global } = await registry.upsert(everywhere, body)
    expect(global).not.toHaveProperty('guild_id')
    expect(global).toMatchObject({ contexts: [0, 1, 2], integration_types: [0], dm_permission: false })
  })

  it('[2.1-01] has unique, increasing ids and versions as strings', async () => {
    const registry = new CommandRegistry({ clock: handClock() })
    const commands = await registry.overwrite(everywhere, slashes(100))
    const ids = commands.flatMap(({ id, version }) => [BigInt(id), BigInt(version)])
    expect(new Set(ids).size).toBe(200)
    expect([...ids].sort((a, b) => (a < b ? -1 : 1))).toEqual(ids)
    for (const { id, version } of commands) expect([typeof id, typeof version]).toEqual(['string', 'string'])
  })

  it('[2.1-18] [9-02] gets a new version only by a change', async () => {
    const clock = handClock()
    const registry = new CommandRegistry({ clock })
    const { command } = await registry.upsert(here, ping)
    const same = await registry.upsert(here, { description: 'Says pong', name: 'ping', type: 1, options: [] })
    expect(same.command).toBe(command)
    expect(await registry.edit(here, command.id, { description: 'Says pong' })).toBe(command)
    expect(await registry.overwrite(here, [ping])).toEqual([command])
    await registry.setPermissions(app, guild, command.id, allow)
    expect((await registry.get(here, command.id)).version).toBe(command.version)
    // Even a clock that goes back gives no earlier version.
    clock.advance(-DAY)
    const edited = await registry.edit(here, command.id, { description: 'Says pong!' })
    expect(BigInt(edited.version)).toBeGreaterThan(BigInt(command.version))
  })

  it.each([
    [ping, { description: 'Says pong!' }],
    [ping, { name_localizations: { de: 'pong' } }],
    [ping, { description_localizations: { de: 'Sagt pong' } }],
    [ping, { default_member_permissions: '8' }],
    [ping, { nsfw: true }],
    [ping, { default_permission: false }],
    [ping, { dm_permission: false }],
    [ping, { contexts: [0] }],
    [ping, { integration_types: [0] }],
    [ping, { options: [{ type: 3, name: 'a', description: 'b' }] }],
    [{ type: CommandType.PRIMARY_ENTRY_POINT, name: 'Launch' }, { handler: 2 }],
  ])('[2.1-18] gets a new version by a change of any field, and back again: %j %j', async (body, change) => {
    const registry = new CommandRegistry()
    const first = (await registry.upsert(everywhere, body)).command
    const second = (await registry.upsert(everywhere, { ...body, ...change })).command
    const back = 'handler' in change ? { ...body, handler: 1 } : body
    const third = (await registry.upsert(everywhere, back)).command
    expect(second).toMatchObject(change)
    expect(isDeeplyFrozen(second)).toBe(true)
    expect(third).toEqual({ ...first, version: third.version })
    expect(new Set([first, second, third].map(({ version }) => version)).size).toBe(3)
  })

  it('[9-02] gets a greater version even from an instance with a slower clock', async () => {
    const store = memoryStore()
    const ahead = new CommandRegistry({ store, clock: handClock(Date.UTC(2030, 0, 1)) })
    const behind = new CommandRegistry({ store, clock: handClock(Date.UTC(2020, 0, 1)) })
    const { command } = await ahead.upsert(everywhere, ping)
    const edited = await behind.edit(everywhere, command.id, { description: 'Later, by an earlier clock' })
    expect(BigInt(edited.version)).toBe(BigInt(command.version) + 1n)
  })

  it('[2.1-16] has the installations of the app, in a form that can be sent back', async () => {
    for (const [integration_types, stored] of [
      [[], [0]],
      [[0, 0], [0]],
      [
        [1, 0, 1],
        [1, 0],
      ],
    ]) {
      const registry = registryOf({ integration_types } as never)
      const { command } = await registry.upsert(everywhere, ping)
      expect(command.integration_types).toEqual(stored)
      const edited = await registry.edit(everywhere, command.id, { ...command, description: 'c' })
      expect(edited.description).toBe('c')
    }
  })

  it('[2.9-02] is returned frozen', async ({ registry }) => {
    expect(Object.isFrozen(await registry.list(everywhere, { locale: 'de' }))).toBe(true)
    const refused = await attempt(() => registry.upsert(everywhere, { name: 'A B' }))
    expect(isDeeplyFrozen(refused!.issues)).toBe(true)
    const { command } = await registry.upsert(everywhere, {
      ...ping,
      name_localizations: { de: 'klopf' },
      options: [{ type: 3, name: 'to', description: 'b', choices: [{ name: 'a', value: 'a' }] }],
    })
    const change = () => {
      ;(command.options![0]!.choices![0] as { name: string }).name = 'changed'
    }
    expect(change).toThrow(TypeError)
    expect(await registry.get(everywhere, command.id)).toBe(command)
    const edited = await registry.edit(everywhere, command.id, {
      contexts: [0],
      options: [{ type: 7, name: 'where', description: 'c', channel_types: [0] }],
    })
    const replaced = await registry.overwrite(here, [
      edited,
      { ...ping, name: 'pong', description_localizations: { de: 'd' } },
    ])
    const launch = await registry.enableActivities(everywhere.applicationId)
    for (const thing of [command, edited, replaced, launch, await registry.list(everywhere)])
      expect(isDeeplyFrozen(thing)).toBe(true)
  })

  it('[4.1-05] [4.2-05] is unknown after it was deleted', async ({ registry }) => {
    for (const scope of [everywhere, here]) {
      const { command } = await registry.upsert(scope, ping)
      expect(await registry.delete(scope, command.id)).toBeUndefined()
      expect(await registry.list(scope)).toEqual([])
      for (const call of [
        () => registry.get(scope, command.id),
        () => registry.edit(scope, command.id, {}),
        () => registry.delete(scope, command.id),
      ])
        expect(await codeOf(call)).toBe('unknown_command')
    }
  })

  it('[7-01] is refused with every problem at once, without a change', async ({ registry }) => {
    const body = { name: 'Bad Name', description: '', options: [{ type: 99, name: 'x', description: 'b' }] }
    const error = await attempt(() => registry.upsert(everywhere, body))
    expect(error?.code).toBe('invalid')
    expect(await issuesOf(() => registry.upsert(everywhere, body))).toEqual([
      'name.characters name',
      'name.case name',
      'description.length description',
      'option.type options.0.type',
    ])
    expect(error?.message).toContain(formatIssues(error!.issues, body))
    expect(await registry.list(everywhere)).toEqual([])
  })
})

const sub = { type: 1, name: 'sub', description: 'b' }
const to = { type: 3, name: 'to', description: 'b' }
const choice = { name: 'c', value: 'v' }
const choices = [{ ...choice, name_localizations: { de: 'wahl' } }]
const options = [{ ...to, name_localizations: { de: 'an' }, choices }]
const body = {
  ...ping,
  name_localizations: { de: 'klopf', 'en-GB': 'knock' },
  options: [{ ...sub, description_localizations: { de: 'unter' }, options }],
}

it('[4.1-01] [2.10-08] lists have the texts of one locale at every depth, with a view', async ({
  registry,
}) => {
  const { command } = await registry.upsert(everywhere, body)
  const { name_localizations: _n, description_localizations: _d, ...rest } = command
  const seen = [{ ...to, name_localized: 'an', choices: [{ ...choice, name_localized: 'wahl' }] }]
  const list = await registry.list(everywhere, { locale: 'de' })
  const [{ options: subs } = {}] = list
  expect([list[0], subs, subs?.[0]].every((each) => each !== undefined && Object.isFrozen(each))).toBe(true)
  expect(list).toEqual([
    {
      ...rest,
      name_localized: 'klopf',
      options: [{ ...sub, description_localized: 'unter', options: seen }],
    },
  ])
  for (const locale of ['en-US', null] as const) {
    const text = JSON.stringify(await registry.list(everywhere, { locale }))
    expect(text).not.toContain('_locali')
  }
  expect(await registry.list(everywhere)).toEqual([command])
})
