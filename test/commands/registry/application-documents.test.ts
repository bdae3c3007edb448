import { describe, expect, it } from 'vitest'
import {
  CommandRegistry,
  globalScope,
  guildScope,
  memoryStore,
  type RegistryEvent,
  type Store,
} from 'commandry'
import { codeOf } from '../../support/attempt.ts'
import { handClock, HOUR } from '../../support/clock.ts'
import { app, guild } from '../../support/fixtures.ts'
import { storeWith } from '../../support/stores.ts'
import { documents, filled } from './filled.ts'

const allow = [{ id: '5', type: 1, permission: true }]
const body = { name: 'one', description: 'b' }

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

/** Creates commands and permissions of an application: three documents. */
async function fill(registry: CommandRegistry, id: string): Promise<void> {
  const { command } = await registry.upsert(globalScope(id), body)
  await registry.upsert(guildScope(id, guild), { type: 2, name: 'Two' })
  await registry.setPermissions(id, guild, command.id, allow)
}

describe('applications of a store', () => {
  it('are listed once each, with those that only have permissions', async () => {
    const { registry, store } = await filled()
    await registry.upsert(globalScope('10010'), body)
    await registry.setPermissions('7', guild, '7', allow)
    await store.write('scope/foreign', null, 1)
    await store.write('other', null, 1)
    expect((await collect(registry.applications())).sort()).toEqual([app, '10010', '7'].sort())
    expect(await collect(new CommandRegistry().applications())).toEqual([])
  })

  it('reject when the store fails', async () => {
    const keys = async function* () {
      yield 'scope/1/global'
      throw new Error('gone')
    }
    const registry = new CommandRegistry({ store: { ...memoryStore(), keys } })
    expect(await codeOf(() => collect(registry.applications()))).toBe('storage')
  })

  it('leave no document, a thousand of them created and removed', async () => {
    const store = memoryStore()
    const registry = new CommandRegistry({ store })
    for (let id = 1; id <= 1000; id++) await fill(registry, String(id))
    expect(Object.keys(await documents(store))).toHaveLength(3000)
    for await (const id of registry.applications()) expect(await registry.deleteApplication(id)).toBe(3)
    expect(await documents(store)).toEqual({})
  })
})

describe('deleting an application', () => {
  it('removes its documents and no others, and publishes what ended', async () => {
    const { store, registry, commands } = await filled()
    await fill(registry, `${app}0`)
    const before = await documents(store)
    const events: RegistryEvent[] = []
    registry.subscribe((event) => events.push(event))
    expect(await registry.deleteApplication(app)).toBe(3)
    const others = Object.entries(before).filter(([key]) => key.includes(`/${app}0/`))
    expect(await documents(store)).toEqual(Object.fromEntries(others))
    expect(events).toEqual([
      { type: 'command_deleted', scope: globalScope(app), command: commands[0] },
      { type: 'command_deleted', scope: guildScope(app, guild), command: commands[1] },
      {
        type: 'permissions_updated',
        applicationId: app,
        guildId: guild,
        permissions: { id: app, application_id: app, guild_id: guild, permissions: [] },
      },
    ])
    expect(await registry.deleteApplication(app)).toBe(0)
    await expect(registry.deleteApplication('x')).rejects.toThrow('applicationId: expected a snowflake')
  })

  it('removes one that the directory does not know any more', async () => {
    const { store } = await filled()
    const registry = new CommandRegistry({ store, applications: { get: () => undefined } })
    expect(await codeOf(() => registry.list(globalScope(app)))).toBe('unknown_application')
    await registry.deleteApplication(app)
    expect(await documents(store)).toEqual({})
  })

  it('never leaves a command without its permissions, and ends what was interrupted when it is repeated', async () => {
    for (let writes = 0; writes < 3; writes++) {
      const { store, registry, commands } = await filled()
      let left = writes
      const dying = storeWith((apply) => (left-- > 0 ? apply() : Promise.reject(new Error('died'))), store)
      const removal = new CommandRegistry({ store: dying })
      expect(await codeOf(() => removal.deleteApplication(app))).toBe('storage')
      const isListed = (await registry.list(globalScope(app))).length === 1
      const permissions = (await registry.listPermissions(app, guild)).map(({ id }) => id)
      expect(permissions.includes(commands[0]!.id)).toBe(isListed)
      await registry.deleteApplication(app)
      expect(await documents(store)).toEqual({})
    }
  })
})

describe('deleting a guild', () => {
  it('removes the commands and permissions of one application in it, without access to it', async () => {
    const { store, registry } = await filled()
    await registry.setPermissions(app, '2002', app, allow)
    const applications = { get: () => ({ integrationTypes: [0], flags: 0, isAuthorizedIn: () => false }) }
    const later = new CommandRegistry({ store, applications: applications as never })
    expect(await later.deleteGuild(app, guild)).toBe(2)
    expect(Object.keys(await documents(store))).toEqual([`permissions/${app}/2002`, `scope/${app}/global`])
    expect(await later.deleteGuild(app, guild)).toBe(0)
    await expect(later.deleteGuild(app, 'x')).rejects.toThrow('guildId: expected a snowflake')
  })
})

describe('permissions of deleted commands', () => {
  it('are neither in a snapshot nor restored from an older one', async () => {
    const { registry, commands } = await filled()
    const old = await registry.snapshot(app)
    await registry.setPermissions(app, guild, app, [])
    await registry.delete(globalScope(app), commands[0]!.id)
    expect((await registry.snapshot(app)).permissions).toEqual([])
    const store = memoryStore()
    await new CommandRegistry({ store }).restore({ ...old, scopes: [] })
    const [text] = Object.values(await documents(store))
    expect(JSON.parse(text!)).toMatchObject({ sets: [{ id: app }], tenures: [null] })
  })

  it('are removed by sweep in every guild, and only they', async () => {
    const { store, registry, commands } = await filled()
    const { command: other } = await registry.upsert(globalScope(app), { ...body, name: 'other' })
    for (let i = 1; i <= 250; i++) await registry.setPermissions(app, `9${i}`, commands[0]!.id, allow)
    await registry.setPermissions(app, '91', other.id, allow)
    await registry.edit(globalScope(app), commands[0]!.id, { name: 'renamed' })
    const before = await registry.snapshot(app)
    expect(Object.keys(await documents(store))).toHaveLength(253)
    expect(await registry.sweep()).toBe(251)
    expect(Object.keys(await documents(store)).filter((key) => key.startsWith('permissions/'))).toEqual([
      `permissions/${app}/${guild}`,
      `permissions/${app}/91`,
    ])
    expect(await registry.snapshot(app)).toEqual(before)
    expect(await registry.sweep(app)).toBe(0)
  })

  it('go with a command of their guild, also if that guild cannot be cleaned up', async () => {
    const run = async (store: Store, swept: Store) => {
      const registry = new CommandRegistry({ store: swept })
      const { command } = await new CommandRegistry({ store }).upsert(guildScope(app, guild), body)
      await new CommandRegistry({ store }).setPermissions(app, guild, command.id, allow)
      await registry.delete(guildScope(app, guild), command.id)
      return Object.keys(await documents(store))
    }
    const store = memoryStore()
    expect(await run(store, store)).toEqual([`scope/${app}/guild/${guild}`])
    const other = memoryStore()
    const failing = storeWith(
      (apply, key) => (key.startsWith('scope/') ? apply() : Promise.reject(new Error('gone'))),
      other,
    )
    expect(await run(other, failing)).toHaveLength(2)
  })
})

describe('scopes without commands', () => {
  it('[8-02] are swept once a day has passed since their last command', async () => {
    const store = memoryStore()
    const clock = handClock()
    const registry = new CommandRegistry({ store, clock })
    const { command } = await registry.upsert(guildScope(app, guild), body)
    await registry.delete(guildScope(app, guild), command.id)
    expect(await registry.sweep()).toBe(0)
    expect((await registry.snapshot(app)).scopes).toHaveLength(1)
    clock.advance(25 * HOUR)
    expect((await registry.snapshot(app)).scopes).toHaveLength(0)
    expect(await registry.sweep()).toBe(1)
    expect(await documents(store)).toEqual({})
  })
})

describe('the text of a snapshot', () => {
  it.each([[0], [2]] as const)('is that of JSON.stringify with %d spaces, in pieces', async (space) => {
    const { registry } = await filled()
    await registry.setPermissions(app, '2002', app, allow)
    for (const id of [app, '77']) {
      const pieces = await collect(registry.snapshotText(id, { space }))
      expect(pieces.join('')).toBe(JSON.stringify(await registry.snapshot(id), null, space))
      const guilds = pieces.map((piece) => piece.split('"guild_id": null').length - 1)
      expect(Math.max(...guilds)).toBeLessThanOrEqual(1)
    }
    const misspelt = registry.snapshotText(app, { spaces: 2 } as never)
    await expect(collect(misspelt)).rejects.toThrow('unknown option "spaces"')
  })
})
