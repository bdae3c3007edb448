import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  applicationDirectory,
  CommandRegistry,
  globalScope,
  guildScope,
  memoryStore,
  StoreError,
  type ApplicationCommand,
  type RegistryEvent,
  type Store,
} from 'commandry'
import { commandSet, permissions } from 'commandry/arbitraries'
import type { ApplicationSnapshot } from '../../src/registry/snapshot.ts'
import { attempt } from '../support/attempt.ts'
import { handClock, HOUR } from '../support/clock.ts'
import { compareWithModel, guilds, moves, scopes } from './model.ts'

const app = '1001'
const guild = '2001'
const viaText = (snapshot: ApplicationSnapshot): unknown => JSON.parse(JSON.stringify(snapshot))

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

async function texts(store: Store): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for await (const key of store.keys('')) found[key] = JSON.stringify((await store.read([key]))[0]!.value)
  return found
}

async function filled(): Promise<{
  store: Store
  registry: CommandRegistry
  commands: ApplicationCommand[]
}> {
  const store = memoryStore()
  const registry = new CommandRegistry({ store, clock: handClock() })
  const { command: one } = await registry.upsert(globalScope(app), { name: 'one', description: 'b' })
  const { command: two } = await registry.upsert(guildScope(app, guild), { type: 2, name: 'Two' })
  await registry.setPermissions(app, guild, one.id, [{ id: '5', type: 1, permission: true }])
  await registry.setPermissions(app, guild, app, [{ id: '6', type: 2, permission: false }])
  return { store, registry, commands: [one, two] }
}

describe('a snapshot', () => {
  it('[2.1-18] [2.9-09] [8-02] [9-02] copies the result of any operations, and later versions follow', async () => {
    await fc.assert(
      fc.asyncProperty(moves(25), async (list) => {
        const store = memoryStore()
        await compareWithModel(store, list)
        const clock = handClock()
        for (const move of list) if (move.kind === 'wait') clock.advance(move.hours * HOUR)
        const before = new CommandRegistry({ store, clock })
        const other = memoryStore()
        // Restores into a registry whose clock is behind: later ids must still be greater.
        const after = new CommandRegistry({ store: other, clock })
        await after.restore(viaText(await before.snapshot(app)))

        expect(await texts(other)).toEqual(await texts(store))
        expect(await visible(after)).toEqual(await visible(before))
        expect(await after.snapshot(app)).toEqual(await before.snapshot(app))

        const late = new CommandRegistry({ store: other, clock: { now: () => Date.UTC(2016, 0, 1) } })
        for (const scope of scopes) {
          const [command] = (await late.list(scope)).filter(({ type }) => type === 1)
          if (command === undefined) continue
          const edited = await late.edit(scope, command.id, { description: 'three' })
          const seen = (await before.list(scope)).flatMap(({ id, version }) => [BigInt(id), BigInt(version)])
          expect(seen.every((one) => one < BigInt(edited.version))).toBe(true)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('copies commands of every form with all their fields', async () => {
    await fc.assert(
      fc.asyncProperty(
        commandSet({ maxCommands: 6 }),
        commandSet({ scope: 'guild', maxCommands: 6 }),
        permissions(),
        fc.boolean(),
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
      ),
      { numRuns: 100 },
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
    const watched: Store = {
      ...store,
      async write(...args) {
        const written = await store.write(...args)
        seen.push((await registry.listPermissions(app, guild)).find(({ id }) => id === commands[0]!.id))
        return written
      },
    }
    await new CommandRegistry({ store: watched }).restore(viaText(snapshot))
    // Later ids and versions stay reserved; everything else is restored.
    const latest = (await registry.snapshot(app)).scopes.map((scope) => scope.latest)
    const scopesAt = snapshot.scopes.map((scope, i) => ({ ...scope, latest: latest[i] }))
    expect(await registry.snapshot(app)).toEqual({ ...snapshot, scopes: scopesAt })
    const entries = [{ id: '5', type: 1, permission: true }]
    expect(seen.map((set) => (set as { permissions: unknown } | undefined)?.permissions)).toEqual([
      undefined,
      entries,
    ])
  })

  it('is safe to restore again, after a crash at any write', async () => {
    const { registry } = await filled()
    const snapshot = viaText(await registry.snapshot(app))
    for (let writes = 0; writes < 4; writes++) {
      const store = memoryStore()
      const target = new CommandRegistry({ store, clock: handClock() })
      await target.upsert(guildScope(app, '2002'), { name: 'old', description: 'b' })
      let left = writes
      const dying: Store = {
        ...store,
        write: async (...args) => (left-- > 0 ? store.write(...args) : Promise.reject(new Error('died'))),
      }
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
    const store = memoryStore()
    let left = 1
    const full: Store = {
      ...store,
      write: async (...args) =>
        left-- > 0
          ? store.write(...args)
          : Promise.reject(new StoreError('the disk is full', { cause: null, mayHaveHappened: false })),
    }
    expect(await attempt(() => new CommandRegistry({ store: full }).restore(snapshot))).toMatchObject({
      code: 'storage',
      mayHaveHappened: true,
    })
  })

  it('writes nothing and publishes nothing when nothing differs', async () => {
    const { store, registry } = await filled()
    const before = await texts(store)
    const events: RegistryEvent[] = []
    const writes: string[] = []
    const watching: Store = {
      ...store,
      write: (key, ...rest) => {
        writes.push(key)
        return store.write(key, ...rest)
      },
    }
    const again = new CommandRegistry({ store: watching })
    again.subscribe((event) => events.push(event))
    await again.restore(viaText(await registry.snapshot(app)))
    expect([writes, events]).toEqual([[], []])
    expect(await texts(store)).toEqual(before)
  })

  it('[6-01] publishes the changes of a restore', async () => {
    const { registry, commands } = await filled()
    const snapshot = await registry.snapshot(app)
    const target = new CommandRegistry({ clock: handClock() })
    const { command: old } = await target.upsert(globalScope(app), { name: 'old', description: 'b' })
    await target.setPermissions(app, '2002', app, [{ id: '6', type: 2, permission: false }])
    const told: unknown[] = []
    target.subscribe((event) => {
      told.push(
        event.type === 'permissions_updated'
          ? [event.guildId, event.permissions.id, event.permissions.permissions.length]
          : [event.type, 'command' in event && event.command.name],
      )
    })
    await target.restore(viaText(snapshot))
    expect(told).toEqual([
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
    expect((await attempt(() => registry.restore(empty)))?.code).toBe('unknown_application')
    expect((await attempt(() => registry.snapshot(app)))?.code).toBe('unknown_application')
  })
})

describe('an edited snapshot', () => {
  /** The problems of a changed snapshot, as code and path; expects that nothing is written. */
  async function faults(change: (snapshot: any) => unknown): Promise<string[]> {
    const { store, registry } = await filled()
    const snapshot = viaText(await registry.snapshot(app))
    const body = change(snapshot) ?? snapshot
    const before = await texts(store)
    const error = await attempt(() => registry.restore(body))
    expect(error?.code).toBe('invalid')
    expect(await texts(store)).toEqual(before)
    return error!.issues.map(({ code, path }) => `${code} ${path.join('.')}`)
  }

  it('is valid or refused as invalid, for any JSON at any place', async () => {
    const { registry } = await filled()
    const text = JSON.stringify(await registry.snapshot(app))
    const strange = fc.oneof(
      fc.constantFrom<unknown>(
        { toString: 0 },
        { valueOf: null },
        { __proto__: null },
        [],
        {},
        null,
        '',
        -1,
        true,
      ),
      fc.jsonValue({ maxDepth: 2 }),
    )
    await fc.assert(
      fc.asyncProperty(fc.nat(), strange, async (position, value) => {
        const body = JSON.parse(text) as object
        const places: [any, string][] = []
        const visit = (at: object): void => {
          for (const key of Object.keys(at)) {
            places.push([at, key])
            const inner = (at as Record<string, unknown>)[key]
            if (typeof inner === 'object' && inner !== null) visit(inner)
          }
        }
        visit(body)
        const [holder, key] = places[position % places.length]!
        holder[key] = value
        const store = memoryStore()
        const error = await attempt(() => new CommandRegistry({ store }).restore(body))
        // Some places accept other values; an accepted snapshot can be read again.
        if (error === undefined) await new CommandRegistry({ store }).snapshot(app)
        else expect(error.code).toBe('invalid')
      }),
      { numRuns: 2000 },
    )
  })

  it('is refused with holes in its lists', async () => {
    expect(await faults((s) => void (s.scopes = [s.scopes[0], , s.scopes[1]]))).toEqual([
      'shape.object scopes.1',
    ])
    expect(await faults((s) => void (s.scopes[0].tenures = [,]))).toEqual([
      'shape.snowflake scopes.0.tenures.0',
    ])
    expect(await faults((s) => void (s.scopes[0].commands = [,]))).toEqual([
      'shape.object scopes.0.commands.0',
    ])
  })

  it.each<[string, (snapshot: any) => unknown, string[]]>([
    [
      'a type that is an object',
      (s) => void (s.scopes[0].commands[0].type = { toString: 0 }),
      ['command.type scopes.0.commands.0.type'],
    ],
    [
      'a key whose value is undefined',
      (s) => void (s.scopes[0].commands[0].extra = undefined),
      ['snapshot.command scopes.0.commands.0.extra'],
    ],
    ['a text', () => 'text', ['shape.object ']],
    ['another format', (s) => void (s.format = 2), ['snapshot.format format']],
    ['no format', (s) => void delete s.format, ['snapshot.format format']],
    ['no application', (s) => void (s.application_id = 1001), ['shape.snowflake application_id']],
    [
      'no lists',
      (s) => ({ ...s, scopes: {}, permissions: null }),
      ['shape.list scopes', 'shape.list permissions'],
    ],
    ['an invalid scope', (s) => void (s.scopes[0] = 5), ['shape.object scopes.0']],
    ['a guild twice', (s) => void s.scopes.push(s.scopes[1]), ['snapshot.repeated scopes.2.guild_id']],
    [
      'an invalid guild',
      (s) => void (s.permissions[0].guild_id = '01'),
      [
        'shape.snowflake permissions.0.guild_id',
        'snapshot.owner permissions.0.sets.0.guild_id',
        'snapshot.owner permissions.0.sets.1.guild_id',
      ],
    ],
    [
      'an invalid name',
      (s) => void (s.scopes[0].commands[0].name = 'Not So'),
      ['name.characters scopes.0.commands.0.name', 'name.case scopes.0.commands.0.name'],
    ],
    [
      'an unknown key',
      (s) => void (s.scopes[0].commands[0].extra = 1),
      ['snapshot.command scopes.0.commands.0.extra'],
    ],
    [
      'a key that is missing',
      (s) => void delete s.scopes[0].commands[0].nsfw,
      ['snapshot.command scopes.0.commands.0.nsfw'],
    ],
    [
      "another application's command",
      (s) => void (s.scopes[0].commands[0].application_id = '7'),
      ['snapshot.command scopes.0.commands.0.application_id'],
    ],
    [
      "another guild's command",
      (s) => void (s.scopes[1].commands[0].guild_id = '7'),
      ['snapshot.command scopes.1.commands.0.guild_id'],
    ],
    [
      'no ids',
      (s) => Object.assign(s.scopes[0].commands[0], { id: 5, version: null }) && undefined,
      ['shape.snowflake scopes.0.commands.0.id', 'shape.snowflake scopes.0.commands.0.version'],
    ],
    [
      'a command twice',
      (s) => {
        s.scopes[0].commands.push(s.scopes[0].commands[0])
        s.scopes[0].tenures.push('1')
      },
      ['commands.unique scopes.0.commands.1', 'commands.id scopes.0.commands.1.id'],
    ],
    [
      'too many',
      (s) => {
        const [command] = s.scopes[1].commands
        s.scopes[1].commands = Array.from({ length: 16 }, (_, i) => ({
          ...command,
          id: String(i),
          name: `U${i}`,
        }))
        s.scopes[1].tenures = s.scopes[1].commands.map(() => '1')
      },
      ['commands.count_user scopes.1.commands.15'],
    ],
    [
      'an entry point in a guild',
      (s) => void (s.scopes[1].commands[0].type = 4),
      ['entry_point.guild scopes.1.commands.0.type'],
    ],
    [
      'too many tenures',
      (s) => void s.scopes[0].tenures.push('1', 2),
      ['snapshot.tenures scopes.0.tenures', 'shape.snowflake scopes.0.tenures.2'],
    ],
    [
      'a latest id before the versions',
      (s) => void (s.scopes[0].latest = '5'),
      ['snapshot.latest scopes.0.latest'],
    ],
    [
      'a latest id without room for later ones',
      (s) => void (s.scopes[0].latest = '9223372036854775807'),
      ['snapshot.latest_max scopes.0.latest'],
    ],
    [
      'one id in two scopes',
      (s) => void (s.scopes[1].commands[0].id = s.scopes[0].commands[0].id),
      ['snapshot.id scopes.1.commands.0.id'],
    ],
    [
      'the id of the application',
      (s) => void (s.scopes[1].commands[0].id = s.application_id),
      ['snapshot.id scopes.1.commands.0.id'],
    ],
    [
      'too many creates',
      (s) => void (s.scopes[0].creates.count = 201),
      ['snapshot.creates scopes.0.creates.count'],
    ],
    [
      'a fraction of a create',
      (s) => void (s.scopes[0].creates.count = 0.5),
      ['snapshot.creates scopes.0.creates.count'],
    ],
    [
      'an invalid day',
      (s) => void (s.scopes[0].creates.day = '2026-02-30'),
      ['snapshot.day scopes.0.creates.day'],
    ],
    ['no creates', (s) => void delete s.scopes[0].creates, ['shape.object scopes.0.creates']],
    [
      'an invalid entry',
      (s) => void (s.permissions[0].sets[1].permissions[0].type = 4),
      ['permission.type permissions.0.sets.1.permissions.0.type'],
    ],
    [
      'no entries',
      (s) => void (s.permissions[0].sets[0].permissions = []),
      ['snapshot.permissions permissions.0.sets.0.permissions'],
    ],
    [
      'a set twice',
      (s) => {
        s.permissions[0].sets.push(s.permissions[0].sets[0])
        s.permissions[0].tenures.push('1')
      },
      ['snapshot.repeated permissions.0.sets.2.id'],
    ],
    [
      "a command's permissions without tenure",
      (s) => void (s.permissions[0].tenures[0] = null),
      ['snapshot.own_tenure permissions.0.tenures.0'],
    ],
    [
      "the application's permissions with a tenure",
      (s) => void (s.permissions[0].tenures[1] = '1'),
      ['snapshot.own_tenure permissions.0.tenures.1'],
    ],
    [
      'several problems',
      (s) => {
        s.scopes[0].latest = 1
        s.scopes[1].commands[0].nsfw = 'no'
        s.permissions[0].sets = 1
      },
      [
        'shape.snowflake scopes.0.latest',
        'shape.boolean scopes.1.commands.0.nsfw',
        'shape.list permissions.0.sets',
        'snapshot.tenures permissions.0.tenures',
      ],
    ],
  ])('is refused at the path: %s', async (_, change, expected) => {
    expect(await faults(change)).toEqual(expected)
  })

  it('is refused or restored exactly, for any change', async () => {
    const { registry } = await filled()
    const good = JSON.stringify(await registry.snapshot(app))
    const paths = pathsOf(JSON.parse(good))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), fc.jsonValue({ maxDepth: 2 }), async (path, value) => {
        const body = replaced(JSON.parse(good), path, value)
        const target = new CommandRegistry()
        const error = await attempt(() => target.restore(body))
        if (error !== undefined) expect(error.issues.length).toBeGreaterThan(0)
        else if ((body as ApplicationSnapshot).application_id === app) {
          expect(await target.snapshot(app)).toMatchObject(
            JSON.parse(JSON.stringify(body)) as Record<string, unknown>,
          )
        }
      }),
      { numRuns: 400 },
    )
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (body) => {
        expect((await attempt(() => new CommandRegistry().restore(body)))?.code).toBe('invalid')
      }),
    )
  })
})

type Steps = readonly (string | number)[]

function pathsOf(value: unknown, path: Steps = []): Steps[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))]
}

function replaced(body: any, path: Steps, value: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return value
  const copy = Array.isArray(body) ? [...body] : { ...body }
  copy[step] = replaced(body[step], rest, value)
  return copy
}
