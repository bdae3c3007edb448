import { describe, expect, it } from 'vitest'
import {
  applicationDirectory,
  CommandRegistry,
  globalScope,
  guildScope,
  memoryStore,
  StoreError,
  type RegistryEvent,
  type Store,
} from 'commandry'
import { commandSet, permissions } from 'commandry/arbitraries'
import { attempt, codeOf } from '../../support/attempt.ts'
import { handClock, HOUR } from '../../support/clock.ts'
import { documents, filled, viaText } from './filled.ts'
import { compareWithModel, guilds, moves, scopes } from './model.ts'
import { app, guild } from '../../support/fixtures.ts'
import { fc, forAnyAsync } from '../../support/properties.ts'
import { storeWith } from '../../support/stores.ts'

/** Everything that the registry returns for the application. */
async function visible(registry: CommandRegistry): Promise<unknown> {
  return {
    lists: await Promise.all(scopes.map((scope) => registry.list(scope))),
    permissions: await Promise.all(guilds.map((id) => registry.listPermissions(app, id))),
    left: await Promise.all(scopes.map(async (scope) => (await registry.plan(scope, [])).createsLeft)).catch(
      String,
    ),
  }
}

/** A store that fails after a number of writes. */
const full = (left: number, error: Error, store?: Store) =>
  storeWith((apply) => (left-- > 0 ? apply() : Promise.reject(error)), store)

describe('a snapshot', () => {
  it('[2.1-18] [2.9-09] [8-02] [9-02] copies the result of any operations, and later versions follow', async () => {
    await forAnyAsync([moves(25)], 60, async (list) => {
      const store = memoryStore()
      await compareWithModel(store, list)
      const clock = handClock()
      for (const move of list) if (move.kind === 'wait') clock.advance(move.hours * HOUR)
      const before = new CommandRegistry({ store, clock })
      const other = memoryStore()
      // Restores into a registry whose clock is behind: later ids must still be greater.
      const after = new CommandRegistry({ store: other, clock })
      await after.restore(viaText(await before.snapshot(app)))
      const seen = await visible(before)
      await before.sweep(app)
      expect(await visible(before)).toEqual(seen)

      expect(await documents(other)).toEqual(await documents(store))
      expect(await visible(after)).toEqual(await visible(before))
      expect(await after.snapshot(app)).toEqual(await before.snapshot(app))

      const late = new CommandRegistry({ store: other, clock: { now: () => Date.UTC(2016, 0, 1) } })
      for (const scope of scopes) {
        const [command] = (await late.list(scope)).filter(({ type }) => type === 1)
        if (command === undefined) continue
        const edited = await late.edit(scope, command.id, { description: 'three' })
        const earlier = (await before.list(scope)).flatMap(({ id, version }) => [BigInt(id), BigInt(version)])
        expect(earlier.every((one) => one < BigInt(edited.version))).toBe(true)
      }
    })
  })

  it('copies commands of every form with all their fields', async () => {
    await forAnyAsync(
      [
        commandSet({ maxCommands: 6 }),
        commandSet({ scope: 'guild', maxCommands: 6 }),
        permissions(),
        fc.boolean(),
      ],
      100,
      async (global, local, entries, hasActivity) => {
        const applications = applicationDirectory([
          { id: app, integration_types: [0, 1], flags: hasActivity ? 1 << 17 : 0 },
        ])
        const bodies = hasActivity ? global : global.map(({ handler, ...body }) => body)
        const registry = new CommandRegistry({ applications })
        const commands = await registry.overwrite(globalScope(app), bodies)
        await registry.overwrite(guildScope(app, guild), local)
        for (const { id } of commands) await registry.setPermissions(app, guild, id, entries)
        const snapshot = await registry.snapshot(app)
        const after = new CommandRegistry({ applications })
        await after.restore(viaText(snapshot))
        expect(JSON.stringify(await after.snapshot(app))).toBe(JSON.stringify(snapshot))
        expect(await visible(after)).toEqual(await visible(registry))
      },
    )
  })

  it('replaces the data of the application in the target, and nothing else', async () => {
    const { registry } = await filled()
    const store = memoryStore()
    const target = new CommandRegistry({ store, clock: handClock(Date.UTC(2030, 0, 1)) })
    const { command: old } = await target.upsert(globalScope(app), { name: 'old', description: 'b' })
    await target.upsert(guildScope(app, '2002'), { name: 'old', description: 'b' })
    await target.setPermissions(app, '2002', old.id, [{ id: '5', type: 1, permission: true }])
    await target.upsert(globalScope('100'), { name: 'others', description: 'b' })
    await target.upsert(globalScope('10010'), { name: 'others', description: 'b' })
    await target.restore(viaText(await registry.snapshot(app)))
    expect(await visible(new CommandRegistry({ store, clock: handClock() }))).toEqual(await visible(registry))
    expect(await target.list(globalScope('100'))).toHaveLength(1)
    expect(await target.list(globalScope('10010'))).toHaveLength(1)
    // The scope assigned later ids than the restored ones, and must not repeat them.
    const { command } = await new CommandRegistry({ store, clock: handClock() }).upsert(globalScope(app), {
      name: 'next',
      description: 'b',
    })
    expect(BigInt(command.id)).toBeGreaterThan(BigInt(old.version))
  })

  it('[2.9-09] restores an earlier state without reviving permissions in between', async () => {
    const { store, registry, commands } = await filled()
    const snapshot = await registry.snapshot(app)
    await registry.edit(globalScope(app), commands[0]!.id, { name: 'renamed' })
    await registry.setPermissions(app, guild, commands[0]!.id, [{ id: '9', type: 1, permission: false }])
    const seen: unknown[] = []
    const watched = storeWith(async (apply) => {
      const written = await apply()
      seen.push((await registry.listPermissions(app, guild)).find(({ id }) => id === commands[0]!.id))
      return written
    }, store)
    await new CommandRegistry({ store: watched }).restore(viaText(snapshot))
    // Later ids and versions stay reserved; everything else is restored.
    const latest = (await registry.snapshot(app)).scopes.map((scope) => scope.latest)
    const scopesAt = snapshot.scopes.map((scope, i) => ({ ...scope, latest: latest[i] }))
    expect(await registry.snapshot(app)).toEqual({ ...snapshot, scopes: scopesAt })
    expect(seen).toMatchObject([undefined, { permissions: [{ id: '5', type: 1, permission: true }] }])
  })

  it('is safe to restore again, after a crash at any write', async () => {
    const { registry } = await filled()
    const snapshot = viaText(await registry.snapshot(app))
    for (let writes = 0; writes < 4; writes++) {
      const store = memoryStore()
      const target = new CommandRegistry({ store, clock: handClock() })
      await target.upsert(guildScope(app, '2002'), { name: 'old', description: 'b' })
      const dying = full(writes, new Error('died'), store)
      const error = await attempt(() => new CommandRegistry({ store: dying }).restore(snapshot))
      expect(error).toMatchObject({ code: 'storage', mayHaveHappened: true })
      expect(/run it again$/.test(error!.message)).toBe(writes > 0)
      await target.restore(snapshot)
      await target.restore(snapshot)
      expect(await visible(target)).toEqual(await visible(registry))
    }
  })

  it('reports a partial write when a later part was not written', async () => {
    const { registry } = await filled()
    const snapshot = viaText(await registry.snapshot(app))
    const store = full(1, new StoreError('the disk is full', { cause: null, mayHaveHappened: false }))
    const error = await attempt(() => new CommandRegistry({ store }).restore(snapshot))
    expect(error).toMatchObject({ code: 'storage', mayHaveHappened: true })
  })

  it('writes nothing and publishes nothing when nothing differs', async () => {
    const { store, registry } = await filled()
    const before = await documents(store)
    const events: RegistryEvent[] = []
    const writes: string[] = []
    const watching = storeWith((apply, key) => {
      writes.push(key)
      return apply()
    }, store)
    const again = new CommandRegistry({ store: watching })
    again.subscribe((event) => events.push(event))
    await again.restore(viaText(await registry.snapshot(app)))
    expect([writes, events]).toEqual([[], []])
    expect(await documents(store)).toEqual(before)
  })

  it('[6-01] publishes the changes of a restore', async () => {
    const { registry, commands } = await filled()
    const snapshot = await registry.snapshot(app)
    const target = new CommandRegistry({ clock: handClock() })
    const { command: old } = await target.upsert(globalScope(app), { name: 'old', description: 'b' })
    await target.setPermissions(app, '2002', app, [{ id: '6', type: 2, permission: false }])
    const published: unknown[] = []
    target.subscribe((event) => {
      published.push(
        event.type === 'permissions_updated'
          ? [event.guildId, event.permissions.id, event.permissions.permissions.length]
          : [event.type, 'command' in event && event.command.name],
      )
    })
    await target.restore(viaText(snapshot))
    expect(published).toEqual([
      [guild, commands[0]!.id, 1],
      [guild, app, 1],
      ['2002', app, 0],
      // Equal clocks may give both first commands one id: the same command by its id.
      old.id === commands[0]!.id ? ['command_updated', 'one'] : ['command_created', 'one'],
      ['command_created', 'Two'],
    ])
  })

  it('is empty for an empty application, and clears the target', async () => {
    const { registry } = await filled()
    const empty = await new CommandRegistry().snapshot(app)
    expect(empty).toEqual({ format: 1, application_id: app, scopes: [], permissions: [] })
    await registry.restore(empty)
    expect(await registry.list(globalScope(app))).toEqual([])
    expect(await registry.listPermissions(app, guild)).toEqual([])
  })

  it('is refused for an unknown application', async () => {
    const registry = new CommandRegistry({ applications: applicationDirectory([]) })
    const empty = { format: 1, application_id: app, scopes: [], permissions: [] }
    expect(await codeOf(() => registry.restore(empty))).toBe('unknown_application')
    expect(await codeOf(() => registry.snapshot(app))).toBe('unknown_application')
  })
})
