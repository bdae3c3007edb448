import { expect, it } from 'vitest'
import { type ApplicationSnapshot, CommandRegistry } from 'commandry'
import { attempt, codeOf } from '../../support/attempt.ts'
import { documents, filled, missing, replaced, type Steps, viaText } from './filled.ts'
import { app } from '../../support/fixtures.ts'
import { several } from '../../support/bodies.ts'
import { fc, forAnyAsync } from '../../support/properties.ts'

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

const command = 'scopes.0.commands.0'
const sets = 'permissions.0.sets'

it.each<[path: string, value: unknown, found: string]>([
  ['', 'text', 'shape.object '],
  ['format', 2, 'snapshot.format format'],
  ['format', missing, 'snapshot.format format'],
  ['application_id', 1001, 'shape.snowflake application_id'],
  ['scopes', {}, 'shape.list scopes'],
  ['permissions', null, 'shape.list permissions'],
  ['scopes', [,], 'shape.object scopes.0'],
  ['scopes.0', 5, 'shape.object scopes.0'],
  ['scopes.0.commands', [,], `shape.object ${command}`],
  ['scopes.0.tenures', [,], 'shape.snowflake scopes.0.tenures.0'],
  [
    'scopes.0.tenures',
    ['1', '1', 2],
    'snapshot.tenures scopes.0.tenures, shape.snowflake scopes.0.tenures.2',
  ],
  [`${command}.type`, { toString: 0 }, `command.type ${command}.type`],
  [`${command}.extra`, undefined, `snapshot.command ${command}.extra`],
  [`${command}.extra`, 1, `snapshot.command ${command}.extra`],
  [`${command}.name`, 'Not So', `name.characters ${command}.name, name.case ${command}.name`],
  [`${command}.nsfw`, missing, `snapshot.command ${command}.nsfw`],
  [`${command}.application_id`, '7', `snapshot.command ${command}.application_id`],
  [`${command}.id`, 5, `shape.snowflake ${command}.id`],
  [`${command}.version`, '4000000000000000000', 'snapshot.latest scopes.0.latest'],
  [`${command}.version`, null, `shape.snowflake ${command}.version`],
  ['scopes.1.commands.0.guild_id', '7', 'snapshot.command scopes.1.commands.0.guild_id'],
  ['scopes.1.commands.0.type', 4, 'entry_point.guild scopes.1.commands.0.type'],
  ['scopes.1.commands.0.id', app, 'snapshot.id scopes.1.commands.0.id'],
  ['scopes.0.latest', '5', 'snapshot.latest scopes.0.latest'],
  ['scopes.0.latest', '9223372036854775807', 'snapshot.latest_max scopes.0.latest'],
  ['scopes.0.creates', missing, 'shape.object scopes.0.creates'],
  ['scopes.0.creates.count', 201, 'snapshot.creates scopes.0.creates.count'],
  ['scopes.0.creates.count', 0.5, 'snapshot.creates scopes.0.creates.count'],
  ['scopes.0.creates.day', '2026-02-30', 'snapshot.day scopes.0.creates.day'],
  [
    'permissions.0.guild_id',
    '01',
    `shape.snowflake permissions.0.guild_id, snapshot.owner ${sets}.0.guild_id, snapshot.owner ${sets}.1.guild_id`,
  ],
  [`${sets}.0.permissions`, [], `snapshot.permissions ${sets}.0.permissions`],
  [`${sets}.1.permissions.0.type`, 4, `permission.type ${sets}.1.permissions.0.type`],
  ['permissions.0.tenures.0', null, 'snapshot.own_tenure permissions.0.tenures.0'],
  ['permissions.0.tenures.1', '1', 'snapshot.own_tenure permissions.0.tenures.1'],
])('an edited snapshot is refused with %j as %j: %s', async (path, value, found) => {
  const steps = path === '' ? [] : path.split('.')
  expect((await faults((snapshot) => replaced(snapshot, steps, value))).join(', ')).toBe(found)
})

it.each<[string, (snapshot: any) => unknown, string[]]>([
  ['a guild', (s) => s.scopes.push(s.scopes[1]), ['snapshot.repeated scopes.2.guild_id']],
  [
    'a command',
    ({ scopes: [scope] }) => [scope.commands.push(scope.commands[0]), scope.tenures.push('1')],
    ['commands.unique scopes.0.commands.1', 'commands.id scopes.0.commands.1.id'],
  ],
  [
    'an id in two scopes',
    ({ scopes: [one, two] }) => [(two.commands[0].id = one.commands[0].id)],
    ['snapshot.id scopes.1.commands.0.id'],
  ],
  [
    'a set',
    ({ permissions: [own] }) => [own.sets.push(own.sets[0]), own.tenures.push('1')],
    ['snapshot.repeated permissions.0.sets.2.id'],
  ],
])('an edited snapshot is refused when it repeats %s', async (_, change, expected) => {
  expect(await faults((snapshot) => void change(snapshot))).toEqual(expected)
})

it('an edited snapshot is refused with more commands than a scope can have', async () => {
  const tooMany = (snapshot: any) => {
    const scope = snapshot.scopes[1]
    scope.commands = several(16, (i) => ({ ...scope.commands[0], id: String(i), name: `U${i}` }))
    scope.tenures = scope.commands.map(() => '1')
  }
  expect(await faults(tooMany)).toEqual(['commands.count_user scopes.1.commands.15'])
})

it('an edited snapshot is refused with all its problems at once', async () => {
  const severalProblems = (snapshot: any) => {
    snapshot.scopes[0].latest = 1
    snapshot.scopes[1].commands[0].nsfw = 'no'
    snapshot.permissions[0].sets = 1
  }
  expect(await faults(severalProblems)).toEqual([
    'shape.snowflake scopes.0.latest',
    'shape.boolean scopes.1.commands.0.nsfw',
    'shape.list permissions.0.sets',
    'snapshot.tenures permissions.0.tenures',
  ])
})

it('an edited snapshot with the creates of a day at -0 is restored as JSON writes it', async () => {
  const { registry } = await filled()
  const snapshot = viaText(await registry.snapshot(app)) as any
  snapshot.scopes[0].creates.count = -0
  const target = new CommandRegistry()
  await target.restore(snapshot)
  const again = await target.snapshot(app)
  expect(again).toEqual(viaText(again))
  expect(again.scopes[0]!.creates.count).toBe(0)
})

it('an edited snapshot is refused or restored exactly, for any JSON at any place', async () => {
  const { registry } = await filled()
  const good = JSON.stringify(await registry.snapshot(app))
  const paths = fc.constantFrom(...pathsOf(JSON.parse(good)))
  const strange = fc.constantFrom<unknown>({ toString: 0 }, { valueOf: null }, [], {}, null, '', -1, -0, true)
  const anyValue = fc.oneof(strange, fc.jsonValue({ maxDepth: 2 }))
  await forAnyAsync([paths, anyValue], 2000, async (path, value) => {
    const body = replaced(JSON.parse(good), path, value) as ApplicationSnapshot
    const target = new CommandRegistry()
    const error = await attempt(() => target.restore(body))
    if (error !== undefined) {
      expect(error.code).toBe('invalid')
      expect(error.issues.length).toBeGreaterThan(0)
    } else {
      const again = await target.snapshot(app)
      if (body.application_id === app) expect(again).toMatchObject(whatCounts(viaText(body) as never))
    }
  })
  await forAnyAsync([fc.anything()], 100, async (body) => {
    expect(await codeOf(() => new CommandRegistry().restore(body))).toBe('invalid')
  })
})

/** The snapshot without permissions of commands that it does not have, and without scopes that are long empty. */
function whatCounts(snapshot: ApplicationSnapshot): object {
  const tenuresIn = (guildId: string) =>
    snapshot.scopes
      .filter(({ guild_id }) => guild_id === null || guild_id === guildId)
      .flatMap(({ commands, tenures }) => commands.map(({ id }, i) => `${id} ${tenures[i]}`))
  const permissions = snapshot.permissions.flatMap(({ guild_id, sets, tenures }) => {
    const kept = sets.map(({ id }, i) => id === app || tenuresIn(guild_id).includes(`${id} ${tenures[i]}`))
    const part = {
      guild_id,
      sets: sets.filter((_, i) => kept[i]),
      tenures: tenures.filter((_, i) => kept[i]),
    }
    return part.sets.length === 0 ? [] : [part]
  })
  const isRecent = (latest: string) => (BigInt(latest) >> 22n) + 1_420_156_800_000n > BigInt(Date.now())
  const scopes = snapshot.scopes.filter(({ commands, latest }) => commands.length > 0 || isRecent(latest))
  return { ...snapshot, scopes, permissions }
}

function pathsOf(value: unknown, path: Steps = []): Steps[] {
  if (typeof value !== 'object' || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...path, key]))]
}
