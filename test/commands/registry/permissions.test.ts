import { describe, expect } from 'vitest'
import { allChannelsId, CommandRegistry, everyoneId, guildScope } from 'commandry'
import { attempt, codeOf, issuesOf } from '../../support/attempt.ts'
import { allow, it, slashes } from './bodies.ts'
import { app, everywhere, guild, here, ping } from '../../support/fixtures.ts'
import { storeWith } from '../../support/stores.ts'

describe('permissions', () => {
  it('[2.9-01] [4.3-01] [4.3-02] [4.3-03] are stored for each command and guild, as given', async ({
    registry,
    command,
  }) => {
    const { command: local } = await registry.upsert(here, ping)
    const entries = [
      { id: everyoneId(guild), type: 1, permission: false },
      { id: allChannelsId(guild), type: 3, permission: true },
      { id: '3001', type: 2, permission: true },
      { id: '3001', type: 2, permission: false },
    ]
    const set = await registry.setPermissions(app, guild, command.id, entries)
    expect(set).toEqual({ id: command.id, application_id: app, guild_id: guild, permissions: entries })
    expect(await registry.getPermissions(app, guild, command.id)).toEqual(set)
    const other = await registry.setPermissions(app, guild, local.id, { permissions: allow })
    expect(await registry.listPermissions(app, guild)).toEqual([set, other])
    expect(await registry.listPermissions(app, '2002')).toEqual([])
    expect(await registry.setPermissions(app, guild, command.id, allow)).toMatchObject({ permissions: allow })
    expect(await registry.listPermissions(app, guild)).toHaveLength(2)
  })

  it('[2.9-03] may be set for the application itself', async ({ registry }) => {
    const set = await registry.setPermissions(app, guild, app, allow)
    expect(set).toEqual({ id: app, application_id: app, guild_id: guild, permissions: allow })
    expect(await registry.getPermissions(app, guild, app)).toEqual(set)
  })

  it('[1-05] are not changed by a list with a hole', async ({ registry, command }) => {
    const set = await registry.setPermissions(app, guild, command.id, allow)
    for (const permissions of [[, ...allow], { permissions: [, ...allow] }]) {
      const error = await attempt(() => registry.setPermissions(app, guild, command.id, permissions))
      expect(error).toMatchObject({ code: 'invalid', issues: [{ code: 'shape.object' }] })
      expect(error?.message).toContain('entry 1: is null; expected an object')
    }
    expect(await registry.getPermissions(app, guild, command.id)).toEqual(set)
  })

  it('[4.3-03] are removed by an empty list', async ({ registry, command }) => {
    await registry.setPermissions(app, guild, command.id, allow)
    expect(await registry.setPermissions(app, guild, command.id, [])).toMatchObject({ permissions: [] })
    expect(await registry.listPermissions(app, guild)).toEqual([])
    expect(await codeOf(() => registry.getPermissions(app, guild, command.id))).toBe('unknown_permissions')
  })

  it('are refused for an unknown command and with invalid entries', async ({ registry }) => {
    expect(await codeOf(() => registry.setPermissions(app, guild, '999', allow))).toBe('unknown_command')
    const { command } = await registry.upsert(guildScope(app, '2002'), ping)
    expect(await codeOf(() => registry.setPermissions(app, guild, command.id, allow))).toBe('unknown_command')
    const entries = { permissions: [{ id: 5, type: 4 }] }
    expect(await issuesOf(() => registry.setPermissions(app, guild, app, entries))).toEqual([
      'shape.required permissions.0.permission',
      'shape.snowflake permissions.0.id',
      'permission.type permissions.0.type',
    ])
  })

  it.each<[string, (registry: CommandRegistry, id: string) => Promise<unknown>]>([
    ['deleting', (registry, id) => registry.delete(everywhere, id)],
    ['renaming', (registry, id) => registry.edit(everywhere, id, { name: 'renamed' })],
    [
      'renaming by overwrite',
      (registry, id) => registry.overwrite(everywhere, [{ id, ...ping, name: 'renamed' }]),
    ],
    ['overwriting without it', (registry) => registry.overwrite(everywhere, [])],
  ])('[2.9-09] are dropped in every guild with one write: %s a command', async (_, change) => {
    let writes = 0
    const store = storeWith((apply) => {
      writes++
      return apply()
    })
    const registry = new CommandRegistry({ store })
    const { command } = await registry.upsert(everywhere, ping)
    const guilds = ['2001', '2002', '2003']
    for (const id of guilds) await registry.setPermissions(app, id, command.id, allow)
    await registry.setPermissions(app, guild, app, allow)
    writes = 0
    await change(registry, command.id)
    expect(writes).toBe(1)
    for (const id of guilds)
      expect(await codeOf(() => registry.getPermissions(app, id, command.id))).toBe('unknown_permissions')
    expect(await registry.listPermissions(app, guild)).toHaveLength(1)
    // A command with the old name, or renamed back, has no permissions.
    await registry.upsert(everywhere, { ...ping, name: 'renamed' })
    const { command: next } = await registry.upsert(everywhere, ping)
    expect(await codeOf(() => registry.getPermissions(app, guild, next.id))).toBe('unknown_permissions')
  })

  it('[2.9-09] are dropped also when a command is renamed and back', async ({ registry, command }) => {
    await registry.setPermissions(app, guild, command.id, allow)
    await registry.edit(everywhere, command.id, { name: 'pong' })
    await registry.edit(everywhere, command.id, { name: 'ping' })
    expect(await registry.listPermissions(app, guild)).toEqual([])
  })

  it('[2.9-09] are kept by other changes', async ({ registry, command }) => {
    await registry.setPermissions(app, guild, command.id, allow)
    await registry.edit(everywhere, command.id, { description: 'Another', name: 'ping' })
    await registry.overwrite(everywhere, [{ ...ping, nsfw: true }, ...slashes(3)])
    expect(await registry.listPermissions(app, guild)).toHaveLength(1)
  })

  it('[4.3-02] distinguish an unknown command from one without any', async ({ registry, command }) => {
    const messageOf = async (id: string) => {
      const error = await attempt(() => registry.getPermissions(app, guild, id))
      expect(error?.code).toBe('unknown_permissions')
      return error?.message
    }
    expect(await messageOf(app)).toContain('has no permissions in guild 2001')
    expect(await messageOf(command.id)).toBe(`command ${command.id} has no permissions in guild 2001`)
    expect(await messageOf('999')).toBe(
      'unknown command 999: application 1001 has no such command in guild 2001, so it has no permissions',
    )
    expect((await attempt(() => registry.setPermissions(app, guild, '999', allow)))?.message).toBe(
      'unknown command 999: application 1001 has no such command, neither globally nor in guild 2001',
    )
  })
})
