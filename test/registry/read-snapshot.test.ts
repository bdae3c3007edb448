import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ApplicationSnapshot, CommandRegistry, memoryStore } from 'commandry'
import { attempt } from '../support/attempt.ts'
import { documents, filled, viaText } from './filled.ts'
import { app } from '../support/fixtures.ts'

describe('an edited snapshot', () => {
  /** The problems of a changed snapshot, as code and path; expects that nothing is written. */
  async function faults(change: (snapshot: any) => unknown): Promise<string[]> {
    const { store, registry } = await filled()
    const snapshot = viaText(await registry.snapshot(app))
    const body = change(snapshot) ?? snapshot
    const before = await documents(store)
    const error = await attempt(() => registry.restore(body))
    expect(error?.code).toBe('invalid')
    expect(await documents(store)).toEqual(before)
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
