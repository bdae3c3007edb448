import { describe, expect, it } from 'vitest'
import {
  allChannelsId,
  ApplicationFlag,
  applicationDirectory,
  CommandRegistry,
  CommandType,
  everyoneId,
  formatIssues,
  globalScope,
  guildScope,
  HandlerType,
  IntegrationType,
  memoryStore,
  RegistryError,
  snowflakes,
  validateCommand,
  type ApplicationCommand,
  type RegistryEvent,
  type Store,
} from 'commandry'
import { attempt } from '../support/attempt.ts'
import { DAY, handClock, HOUR } from '../support/clock.ts'

const app = '1001'
const guild = '2001'
const everywhere = globalScope(app)
const here = guildScope(app, guild)
const ping = { name: 'ping', description: 'Says pong' }
const allow = [{ id: '3001', type: 1, permission: true }]

function several(count: number, body: (i: number) => object): object[] {
  return Array.from({ length: count }, (_, i) => body(i))
}
const slashes = (count: number, from = 0) =>
  several(count, (i) => ({ name: `s${from + i}`, description: 'b' }))
const menus = (type: number, count: number) => several(count, (i) => ({ type, name: `Menu ${i}` }))

describe('one command', () => {
  it('[4.1-02] is created by an upsert, and overwritten by the next of its name', async () => {
    const registry = new CommandRegistry()
    const first = await registry.upsert(everywhere, ping)
    const second = await registry.upsert(everywhere, { ...ping, description: 'Still says pong' })
    expect(first.created).toBe(true)
    expect(second.created).toBe(false)
    expect(second.command.id).toBe(first.command.id)
    expect(await registry.list(everywhere)).toEqual([second.command])
  })

  it('[2.1-21] [4.1-03] answers with exactly the keys of the service', async () => {
    const registry = new CommandRegistry({ clock: handClock() })
    const { command } = await registry.upsert(everywhere, ping)
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

  it('[2.1-03] [2.1-21] [2.8-04] carries its guild exactly when it is not global, and nothing of contexts then', async () => {
    const registry = new CommandRegistry()
    const body = { ...ping, contexts: [0, 1, 2], integration_types: [0], dm_permission: false }
    const { command } = await registry.upsert(here, body)
    expect(Object.keys(command).sort()).toEqual(
      [
        ...[
          'application_id',
          'default_member_permissions',
          'description',
          'description_localizations',
          'guild_id',
        ],
        ...['id', 'name', 'name_localizations', 'nsfw', 'type', 'version'],
      ].sort(),
    )
    expect(command.guild_id).toBe(guild)
    const { command: global } = await registry.upsert(everywhere, body)
    expect(global).not.toHaveProperty('guild_id')
    expect(global).toMatchObject({ contexts: [0, 1, 2], integration_types: [0], dm_permission: false })
  })

  it('[2.1-09] [2.10-11] a user command has an empty description and null dictionaries', async () => {
    const registry = new CommandRegistry()
    const { command } = await registry.upsert(everywhere, { type: CommandType.USER, name: 'Who Is This' })
    expect(command).toMatchObject({
      description: '',
      description_localizations: null,
      name_localizations: null,
    })
    expect(command).not.toHaveProperty('options')
  })

  it('[2.1-21] omits options when there are none, and answers them as given when there are', async () => {
    const registry = new CommandRegistry()
    const { command } = await registry.upsert(everywhere, { ...ping, options: [] })
    expect(command).not.toHaveProperty('options')
    const options = [{ type: 4, name: 'count', description: 'How often', min_value: 0, required: true }]
    const { command: counted } = await registry.upsert(everywhere, { ...ping, options })
    expect(counted.options).toEqual([
      { ...options[0], name_localizations: null, description_localizations: null },
    ])
  })

  it('[2.1-12] answers member permissions as a canonical string, whatever form they came in', async () => {
    const registry = new CommandRegistry()
    const of = async (bits: unknown) =>
      (await registry.upsert(everywhere, { ...ping, default_member_permissions: bits })).command
        .default_member_permissions
    expect(await of(8)).toBe('8')
    expect(await of('0008')).toBe('8')
    expect(await of('18446744073709551615')).toBe('18446744073709551615')
    expect(await of('0')).toBe('0')
    expect(await of(0)).toBe('0')
    expect(await of(null)).toBeNull()
  })

  it('[2.1-01] has ids and versions that are strings, unique, and later than each other', async () => {
    const registry = new CommandRegistry({ clock: handClock() })
    const commands = await registry.overwrite(everywhere, slashes(100))
    const ids = commands.flatMap(({ id, version }) => [BigInt(id), BigInt(version)])
    expect(new Set(ids).size).toBe(200)
    expect([...ids].sort((a, b) => (a < b ? -1 : 1))).toEqual(ids)
    for (const { id, version } of commands) expect([typeof id, typeof version]).toEqual(['string', 'string'])
  })

  it('[2.1-18] [9-02] a change moves the version on, and nothing else does', async () => {
    const clock = handClock()
    const registry = new CommandRegistry({ clock })
    const { command } = await registry.upsert(here, ping)
    const same = await registry.upsert(here, { description: 'Says pong', name: 'ping', type: 1, options: [] })
    expect(same.command).toBe(command)
    expect(await registry.edit(here, command.id, { description: 'Says pong' })).toBe(command)
    expect(await registry.overwrite(here, [ping])).toEqual([command])
    await registry.setPermissions(app, guild, command.id, allow)
    expect((await registry.get(here, command.id)).version).toBe(command.version)
    // Even a clock that went back makes no earlier version.
    clock.advance(-DAY)
    const edited = await registry.edit(here, command.id, { description: 'Says pong!' })
    expect(BigInt(edited.version)).toBeGreaterThan(BigInt(command.version))
  })

  it('[9-02] a version grows even when another instance with a slower clock writes it', async () => {
    const store = memoryStore()
    const ahead = new CommandRegistry({ store, clock: handClock(Date.UTC(2030, 0, 1)) })
    const behind = new CommandRegistry({ store, clock: handClock(Date.UTC(2020, 0, 1)) })
    const { command } = await ahead.upsert(everywhere, ping)
    const edited = await behind.edit(everywhere, command.id, { description: 'Later, by an earlier clock' })
    expect(BigInt(edited.version)).toBe(BigInt(command.version) + 1n)
  })

  it('[2.1-16] is as the app supports it, in a form that can be sent back', async () => {
    for (const integration_types of [[], [0, 0], [1, 0, 1]]) {
      const applications = applicationDirectory([{ id: app, integration_types } as never])
      const registry = new CommandRegistry({ applications })
      const { command } = await registry.upsert(everywhere, ping)
      expect(command.integration_types).toEqual(
        [...new Set(integration_types)].length ? [...new Set(integration_types)] : [0],
      )
      expect(
        (await registry.edit(everywhere, command.id, { ...command, description: 'c' })).description,
      ).toBe('c')
    }
  })

  it('[2.9-02] hands out what nobody can change', async () => {
    const registry = new CommandRegistry()
    expect(Object.isFrozen(await registry.list(everywhere, { locale: 'de' }))).toBe(true)
    const refused = await attempt(() => registry.upsert(everywhere, { name: 'A B' }))
    for (const thing of [
      refused!.issues,
      refused!.issues[0],
      refused!.issues[0]!.path,
      refused!.issues[0]!.params,
    ])
      expect(Object.isFrozen(thing)).toBe(true)
    const { command } = await registry.upsert(everywhere, {
      ...ping,
      name_localizations: { de: 'klopf' },
      options: [{ type: 3, name: 'to', description: 'b', choices: [{ name: 'a', value: 'a' }] }],
    })
    const change = () => {
      ;(command.options![0]!.choices![0] as { name: string }).name = 'changed'
    }
    expect(change).toThrow(TypeError)
    expect(Object.isFrozen(command.name_localizations)).toBe(true)
    expect(Object.isFrozen(await registry.list(everywhere))).toBe(true)
    expect(await registry.get(everywhere, command.id)).toBe(command)
  })

  it('[4.1-05] [4.2-05] is gone once it is deleted', async () => {
    const registry = new CommandRegistry()
    for (const scope of [everywhere, here]) {
      const { command } = await registry.upsert(scope, ping)
      expect(await registry.delete(scope, command.id)).toBeUndefined()
      expect(await registry.list(scope)).toEqual([])
      for (const call of [
        () => registry.get(scope, command.id),
        () => registry.edit(scope, command.id, {}),
        () => registry.delete(scope, command.id),
      ]) {
        expect(await attempt(call)).toMatchObject({ code: 'unknown_command' })
      }
    }
  })

  it('[7-01] is refused with every problem at once, and nothing changes', async () => {
    const registry = new CommandRegistry()
    const body = { name: 'Bad Name', description: '', options: [{ type: 99, name: 'x', description: 'b' }] }
    const error = await attempt(() => registry.upsert(everywhere, body))
    expect(error?.code).toBe('invalid')
    expect(error?.issues.map(({ code, path }) => `${code} ${path.join('.')}`)).toEqual([
      'name.characters name',
      'name.case name',
      'description.length description',
      'option.type options.0.type',
    ])
    expect(error?.message).toContain(formatIssues(error!.issues, body))
    expect(await registry.list(everywhere)).toEqual([])
  })
})

describe('scopes', () => {
  it('[1-02] [4.2-01] keep global and guild commands apart, and guilds from one another', async () => {
    const registry = new CommandRegistry()
    const { command } = await registry.upsert(here, ping)
    expect(await registry.list(here)).toEqual([command])
    expect(await registry.list(everywhere)).toEqual([])
    expect(await registry.list(guildScope(app, '2002'))).toEqual([])
    expect(await attempt(() => registry.get(everywhere, command.id))).toMatchObject({
      code: 'unknown_command',
    })
    expect(await attempt(() => registry.get(guildScope('1002', guild), command.id))).toMatchObject({
      code: 'unknown_command',
    })
  })

  it('[4.4-01] names are shared across scopes, types and applications, and nowhere else', async () => {
    const registry = new CommandRegistry()
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
    ] as const) {
      expect((await registry.upsert(scope, body)).created).toBe(false)
    }
  })

  it('[4.4-02] a guild has no entry point', async () => {
    const registry = new CommandRegistry()
    const error = await attempt(() => registry.upsert(here, { type: 4, name: 'Launch' }))
    expect(error).toMatchObject({ code: 'invalid', issues: [{ code: 'entry_point.guild', path: ['type'] }] })
  })

  it('[1-03] a guild that has not authorized the app is closed to it', async () => {
    const registry = new CommandRegistry({
      applications: applicationDirectory([{ id: app, guilds: [guild] }]),
    })
    const away = guildScope(app, '2002')
    expect((await registry.upsert(here, ping)).created).toBe(true)
    for (const call of [
      () => registry.upsert(away, ping),
      () => registry.overwrite(away, []),
      () => registry.list(away),
      () => registry.setPermissions(app, '2002', app, allow),
    ]) {
      expect(await attempt(call)).toMatchObject({ code: 'missing_access' })
    }
  })

  it('an application the directory does not know has no commands', async () => {
    const registry = new CommandRegistry({ applications: applicationDirectory([{ id: app }]) })
    expect(await attempt(() => registry.list(globalScope('1002')))).toMatchObject({
      code: 'unknown_application',
    })
  })

  it('scopes are made of snowflakes', () => {
    expect(() => globalScope('my app')).toThrow(
      new TypeError('applicationId: expected a snowflake such as "1029384756", got the string "my app"'),
    )
    expect(() => guildScope(app, 2001 as unknown as string)).toThrow(/guildId: expected a snowflake/)
  })

  it('[2.1-16] integration types default to those of the app, and have to be among them', async () => {
    const applications = applicationDirectory([
      { id: app, integration_types: [IntegrationType.USER_INSTALL] },
      { id: '1002' },
    ])
    const registry = new CommandRegistry({ applications })
    expect((await registry.upsert(everywhere, ping)).command.integration_types).toEqual([1])
    expect((await registry.upsert(globalScope('1002'), ping)).command.integration_types).toEqual([0])
    const error = await attempt(() => registry.upsert(everywhere, { ...ping, integration_types: [1, 0] }))
    expect(error?.issues).toMatchObject([
      { code: 'integration_types.supported', path: ['integration_types', 1] },
    ])
  })

  it('[2.1-15] an app with discovery enabled has no age-restricted commands', async () => {
    const registry = new CommandRegistry({
      applications: applicationDirectory([{ id: app, discoverable: true }]),
    })
    const error = await attempt(() => registry.upsert(everywhere, { ...ping, nsfw: true }))
    expect(error?.issues).toMatchObject([{ code: 'nsfw.discoverable', path: ['nsfw'] }])
    expect((await registry.upsert(everywhere, { ...ping, nsfw: false })).created).toBe(true)
  })

  it('lists of application 1 never show those of application 10', async () => {
    const registry = new CommandRegistry()
    await registry.upsert(globalScope('10'), ping)
    await registry.upsert(guildScope('10', '20'), ping)
    expect(await registry.list(globalScope('1'))).toEqual([])
    expect(await registry.list(guildScope('1', '2'))).toEqual([])
  })
})

describe('an edit', () => {
  const full = {
    name: 'config',
    description: 'Changes a setting',
    name_localizations: { de: 'einstellung', fr: 'reglage' },
    options: [
      { type: 3, name: 'key', description: 'Which', required: true },
      { type: 3, name: 'value', description: 'To what' },
    ],
    default_member_permissions: '32',
    nsfw: true,
    contexts: [0],
  }

  it('[4.1-04] [4.2-04] replaces what is given as a whole and keeps the rest', async () => {
    const registry = new CommandRegistry()
    const { command } = await registry.upsert(everywhere, full)
    const edited = await registry.edit(everywhere, command.id, {
      name_localizations: { pl: 'ustawienie' },
      options: [{ type: 5, name: 'all', description: 'Everything' }],
    })
    expect(edited).toEqual({
      ...command,
      version: edited.version,
      name_localizations: { pl: 'ustawienie' },
      options: [
        {
          type: 5,
          name: 'all',
          name_localizations: null,
          description: 'Everything',
          description_localizations: null,
        },
      ],
    })
    expect(await registry.get(everywhere, command.id)).toBe(edited)
    const { command: local } = await registry.upsert(here, ping)
    expect(await registry.edit(here, local.id, { nsfw: true })).toMatchObject({
      ...local,
      version: expect.anything(),
      nsfw: true,
    })
  })

  it('[2.1-22] null puts a field back to its default', async () => {
    const registry = new CommandRegistry()
    const { command } = await registry.upsert(everywhere, full)
    const edited = await registry.edit(everywhere, command.id, {
      name_localizations: null,
      options: null,
      default_member_permissions: null,
      nsfw: null,
      contexts: null,
    })
    expect(edited).toMatchObject({
      name_localizations: null,
      default_member_permissions: null,
      nsfw: false,
      contexts: null,
    })
    expect(edited).not.toHaveProperty('options')
    for (const field of ['name', 'description']) {
      const error = await attempt(() => registry.edit(everywhere, command.id, { [field]: null }))
      expect(error?.issues).toMatchObject([{ code: 'shape.required', path: [field] }])
    }
  })

  it('[2.1-02] cannot change the type', async () => {
    const registry = new CommandRegistry()
    const { command } = await registry.upsert(everywhere, ping)
    const error = await attempt(() => registry.edit(everywhere, command.id, { type: 2 }))
    expect(error?.issues).toMatchObject([{ code: 'patch.type', path: ['type'] }])
    expect(await registry.edit(everywhere, command.id, { type: 1 })).toBe(command)
    const again = await attempt(() =>
      registry.overwrite(everywhere, [{ id: command.id, type: 2, name: 'ping' }]),
    )
    expect(again?.issues).toMatchObject([{ code: 'patch.type', path: [0, 'type'] }])
  })

  it('[4.2-07] onto a name in use is refused; onto its own is not', async () => {
    const registry = new CommandRegistry()
    const { command } = await registry.upsert(everywhere, ping)
    await registry.upsert(everywhere, { ...ping, name: 'pong' })
    await registry.upsert(everywhere, { type: 2, name: 'free' })
    const error = await attempt(() => registry.edit(everywhere, command.id, { name: 'pong' }))
    expect(error).toMatchObject({
      code: 'name_taken',
      issues: [{ code: 'scope.name_taken', path: ['name'] }],
    })
    expect((await registry.get(everywhere, command.id)).name).toBe('ping')
    expect((await registry.edit(everywhere, command.id, { name: 'ping' })).name).toBe('ping')
    expect((await registry.edit(everywhere, command.id, { name: 'free' })).name).toBe('free')
  })

  it('[4.1-04] checks the command as it would be', async () => {
    const settings = { id: app, discoverable: false }
    const applications = applicationDirectory([settings])
    const registry = new CommandRegistry({ applications })
    const { command } = await registry.upsert(everywhere, { ...ping, nsfw: true })
    await applications.put!(app, { ...settings, discoverable: true })
    const error = await attempt(() =>
      registry.edit(everywhere, command.id, { description: 'Still age-restricted' }),
    )
    expect(error?.issues).toMatchObject([{ code: 'nsfw.discoverable', path: ['nsfw'] }])
    expect((await registry.edit(everywhere, command.id, { nsfw: false })).nsfw).toBe(false)
  })
})

describe('an upsert over an existing command', () => {
  it('[4.2-02] [4.2-07] resets what is left out, and keeps id and permissions', async () => {
    const registry = new CommandRegistry()
    const { command } = await registry.upsert(here, { ...ping, nsfw: true, default_member_permissions: '8' })
    await registry.setPermissions(app, guild, command.id, allow)
    const { command: again } = await registry.upsert(here, ping)
    expect(again).toMatchObject({ id: command.id, nsfw: false, default_member_permissions: null })
    expect((await registry.getPermissions(app, guild, command.id)).permissions).toEqual(allow)
  })
})

describe('an overwrite', () => {
  it('[4.1-06] [4.1-07] [4.2-06] replaces everything of every type, keeps the ids of what it matches', async () => {
    const registry = new CommandRegistry()
    for (const scope of [everywhere, here]) {
      const before = await registry.overwrite(scope, [...slashes(3), ...menus(2, 2), ...menus(3, 1)])
      const after = await registry.overwrite(scope, [
        { name: 's1', description: 'Changed' },
        { type: 2, name: 'Menu 1' },
        { name: 'new', description: 'b' },
      ])
      expect(after.map(({ name, type }) => [type, name])).toEqual([
        [1, 's1'],
        [2, 'Menu 1'],
        [1, 'new'],
      ])
      expect(after[0]!.id).toBe(before[1]!.id)
      expect(after[0]!.version).not.toBe(before[1]!.version)
      expect(after[1]).toBe(before[4])
      expect(before.map(({ id }) => id)).not.toContain(after[2]!.id)
      expect(await registry.list(scope)).toBe(after)
    }
  })

  it('[4.1-07] is all or nothing', async () => {
    const registry = new CommandRegistry()
    const before = await registry.overwrite(everywhere, slashes(3))
    const lists = [
      [...slashes(2), { name: 'Bad', description: 'b' }],
      slashes(101),
      [...slashes(1), ...slashes(1)],
      [...slashes(1), null],
    ]
    for (const list of lists) {
      expect(await attempt(() => registry.overwrite(everywhere, list))).toBeInstanceOf(RegistryError)
      expect(await registry.list(everywhere)).toBe(before)
    }
  })

  it('[4.1-07] matches by id first, so that commands can be renamed and swap names', async () => {
    const registry = new CommandRegistry()
    const [a, b] = (await registry.overwrite(everywhere, [
      { name: 'a', description: 'first' },
      { name: 'b', description: 'second' },
    ])) as [ApplicationCommand, ApplicationCommand]
    const swapped = await registry.overwrite(everywhere, [
      { id: a.id, name: 'b', description: 'first' },
      { id: b.id, name: 'a', description: 'second' },
      { name: 'c', description: 'new' },
    ])
    expect(swapped.map(({ id, name }) => [id, name])).toEqual([
      [a.id, 'b'],
      [b.id, 'a'],
      [swapped[2]!.id, 'c'],
    ])
    // A name that another item has claimed by id makes no match.
    const shifted = await registry.overwrite(everywhere, [
      { id: a.id, name: 'd', description: 'first' },
      { name: 'b', description: 'a new b' },
    ])
    expect(shifted[0]!.id).toBe(a.id)
    expect([a.id, b.id]).not.toContain(shifted[1]!.id)
  })

  it('[4.1-07] takes whole fetched commands back, and ids it does not know as new commands', async () => {
    const registry = new CommandRegistry()
    const before = await registry.overwrite(everywhere, slashes(3))
    expect(await registry.overwrite(everywhere, before)).toBe(before)
    const copied = await registry.overwrite(globalScope('1002'), before)
    expect(copied.map(({ name }) => name)).toEqual(before.map(({ name }) => name))
    for (const { id } of copied) expect(before.map((command) => command.id)).not.toContain(id)
  })

  it('[4.1-07] two items of one type and name, or of one id, are refused at the later', async () => {
    const registry = new CommandRegistry()
    const list = [ping, { type: 2, name: 'ping' }, ping]
    expect(await attempt(() => registry.overwrite(everywhere, list))).toMatchObject({
      code: 'invalid',
      issues: [{ code: 'commands.unique', path: [2] }],
    })
    const twice = [
      { id: '5', ...ping },
      { id: '5', ...ping, name: 'pong' },
    ]
    expect(await attempt(() => registry.overwrite(everywhere, twice))).toMatchObject({
      issues: [{ code: 'commands.id', path: [1, 'id'] }],
    })
  })

  it('[4.1-07] does not leave out the entry point', async () => {
    const registry = new CommandRegistry()
    const launch = await registry.enableActivities(app)
    expect(await attempt(() => registry.overwrite(everywhere, [ping]))).toMatchObject({
      code: 'entry_point_required',
    })
    expect(await attempt(() => registry.overwrite(everywhere, []))).toMatchObject({
      code: 'entry_point_required',
    })
    const after = await registry.overwrite(everywhere, [ping, { type: 4, name: 'Launch', handler: 2 }])
    expect(after[1]).toEqual(launch)
    await registry.delete(everywhere, launch.id)
    expect(await registry.overwrite(everywhere, [])).toEqual([])
  })

  it('[4.1-07] an empty list deletes everything', async () => {
    const registry = new CommandRegistry()
    await registry.overwrite(everywhere, slashes(3))
    expect(await registry.overwrite(everywhere, [])).toEqual([])
    expect(await registry.list(everywhere)).toEqual([])
  })

  it('[2.1-22] null is no list, and deletes nothing', async () => {
    const registry = new CommandRegistry()
    await registry.overwrite(everywhere, slashes(3))
    expect(await attempt(() => registry.overwrite(everywhere, null))).toMatchObject({
      code: 'invalid',
      issues: [{ code: 'shape.list', path: [] }],
    })
    expect(await registry.list(everywhere)).toHaveLength(3)
  })
})

describe('limits', () => {
  it('[8-01] 100 slash, 15 user, 15 message commands, in both scopes, and one entry point', async () => {
    const registry = new CommandRegistry()
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
        expect(await attempt(() => registry.upsert(scope, body))).toMatchObject({
          code: 'too_many_commands',
          issues: [{ path: [] }],
        })
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
    expect(await attempt(() => registry.overwrite(here, slashes(131)))).toMatchObject({
      code: 'invalid',
      issues: [{ code: 'commands.count', path: [] }],
    })
  })

  it('[8-02] 200 creates a UTC day and scope; updates and overwritten ones do not count', async () => {
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
    expect(await attempt(() => registry.overwrite(everywhere, [ping]))).toMatchObject({
      code: 'daily_creates_exhausted',
    })
    expect(
      (await registry.upsert(everywhere, { name: 's100', description: 'still an update' })).created,
    ).toBe(false)
    expect((await registry.upsert(here, ping)).created).toBe(true)
    expect((await registry.upsert(globalScope('1002'), ping)).created).toBe(true)
    clock.advance(6 * HOUR - 1)
    expect(await attempt(() => registry.upsert(everywhere, ping))).toMatchObject({
      code: 'daily_creates_exhausted',
    })
    clock.advance(1)
    expect((await registry.upsert(everywhere, ping)).created).toBe(true)
  })

  it('[8-02] two whose clocks disagree around midnight share one day, not one each', async () => {
    const store = memoryStore()
    const midnight = Date.UTC(2026, 0, 2)
    const [early, late] = [midnight, midnight - 1].map(
      (now) => new CommandRegistry({ store, clock: { now: () => now } }),
    ) as [CommandRegistry, CommandRegistry]
    const all = slashes(100)
    await early.overwrite(everywhere, all)
    await late.overwrite(everywhere, slashes(100, 100))
    for (const registry of [early, late]) {
      expect(await attempt(() => registry.overwrite(everywhere, all))).toMatchObject({
        code: 'daily_creates_exhausted',
      })
    }
    // A clock that was wrong by more than that does not stop anybody for long.
    const wrong = new CommandRegistry({ store, clock: { now: () => midnight + 400 * DAY } })
    await wrong.overwrite(everywhere, all)
    const right = new CommandRegistry({ store, clock: { now: () => midnight + 2 * DAY } })
    expect(await right.overwrite(everywhere, slashes(100, 100))).toHaveLength(100)
  })

  it('[2.1-01] [2.9-09] two whose clocks disagree give no id twice, in whatever scope', async () => {
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

  it('[8-02] who is late is told when the day ends in which creates are counted', async () => {
    const store = memoryStore()
    const midnight = Date.UTC(2026, 0, 2)
    const early = new CommandRegistry({ store, clock: { now: () => midnight } })
    await early.overwrite(everywhere, slashes(100))
    await early.overwrite(everywhere, slashes(100, 100))
    const late = new CommandRegistry({ store, clock: { now: () => midnight - 1000 } })
    const error = await attempt(() => late.overwrite(everywhere, [ping]))
    expect(error).toMatchObject({ code: 'daily_creates_exhausted', retryAfter: 86_401 })
  })

  it('[2.1-01] two that share a clock give no id twice', async () => {
    const [store, clock] = [memoryStore(), handClock()]
    const ids = await Promise.all(
      [everywhere, here].map(async (scope) => {
        const { command } = await new CommandRegistry({ store, clock }).upsert(scope, ping)
        return command.id
      }),
    )
    expect(new Set(ids).size).toBe(2)
  })

  it('[8-02] an overwrite that would exceed the day is refused as a whole', async () => {
    const registry = new CommandRegistry({ clock: handClock() })
    await registry.overwrite(everywhere, slashes(100))
    await registry.overwrite(everywhere, slashes(60, 100))
    const before = await registry.list(everywhere)
    const error = await attempt(() => registry.overwrite(everywhere, slashes(50, 200)))
    expect(error?.issues).toMatchObject([{ code: 'scope.daily_creates', params: { actual: 50, used: 160 } }])
    expect(error?.message).toBe('needs 50 creates, but only 40 of 200 are left today')
    expect(await registry.list(everywhere)).toBe(before)
    expect(await registry.overwrite(everywhere, slashes(40, 200))).toHaveLength(40)
  })

  it('[8-05] 100 permission entries', async () => {
    const registry = new CommandRegistry()
    const { command } = await registry.upsert(everywhere, ping)
    const entries = several(101, (i) => ({ id: String(i + 1), type: 2, permission: true }))
    const error = await attempt(() => registry.setPermissions(app, guild, command.id, entries))
    expect(error?.issues).toMatchObject([{ code: 'permissions.count' }])
    expect(
      (await registry.setPermissions(app, guild, command.id, entries.slice(1))).permissions,
    ).toHaveLength(100)
  })
})

describe('permissions', () => {
  it('[2.9-01] [4.3-01] [4.3-02] [4.3-03] are kept for each command and guild, as given', async () => {
    const registry = new CommandRegistry()
    const { command } = await registry.upsert(everywhere, ping)
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

  it('[2.9-03] can be set for the application itself', async () => {
    const registry = new CommandRegistry()
    const set = await registry.setPermissions(app, guild, app, allow)
    expect(set).toEqual({ id: app, application_id: app, guild_id: guild, permissions: allow })
    expect(await registry.getPermissions(app, guild, app)).toEqual(set)
  })

  it('[2.9-04] All Channels is the guild less one, exactly', () => {
    expect(allChannelsId('9007199254740993')).toBe('9007199254740992')
    expect(allChannelsId('1152921504606846977')).toBe('1152921504606846976')
    expect(everyoneId('1152921504606846977')).toBe('1152921504606846977')
    expect(() => allChannelsId('a guild')).toThrow(TypeError)
  })

  it('[4.3-02] that were never set are unknown', async () => {
    const registry = new CommandRegistry()
    const { command } = await registry.upsert(everywhere, ping)
    for (const id of [command.id, app, '999']) {
      expect(await attempt(() => registry.getPermissions(app, guild, id))).toMatchObject({
        code: 'unknown_permissions',
      })
    }
  })

  it('[4.3-03] an empty list removes them', async () => {
    const registry = new CommandRegistry()
    const { command } = await registry.upsert(everywhere, ping)
    await registry.setPermissions(app, guild, command.id, allow)
    expect(await registry.setPermissions(app, guild, command.id, [])).toMatchObject({ permissions: [] })
    expect(await registry.listPermissions(app, guild)).toEqual([])
    expect(await attempt(() => registry.getPermissions(app, guild, command.id))).toMatchObject({
      code: 'unknown_permissions',
    })
  })

  it('cannot be set for a command that is not there, or with faults', async () => {
    const registry = new CommandRegistry()
    expect(await attempt(() => registry.setPermissions(app, guild, '999', allow))).toMatchObject({
      code: 'unknown_command',
    })
    const { command } = await registry.upsert(guildScope(app, '2002'), ping)
    expect(await attempt(() => registry.setPermissions(app, guild, command.id, allow))).toMatchObject({
      code: 'unknown_command',
    })
    const error = await attempt(() =>
      registry.setPermissions(app, guild, app, { permissions: [{ id: 5, type: 4 }] }),
    )
    expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([
      'permissions.0.permission',
      'permissions.0.id',
      'permissions.0.type',
    ])
  })

  it.each([
    ['deleting', async (registry: CommandRegistry, id: string) => registry.delete(everywhere, id)],
    [
      'renaming',
      async (registry: CommandRegistry, id: string) => registry.edit(everywhere, id, { name: 'renamed' }),
    ],
    [
      'renaming by overwrite',
      async (registry: CommandRegistry, id: string) =>
        registry.overwrite(everywhere, [{ id, ...ping, name: 'renamed' }]),
    ],
    ['overwriting without it', async (registry: CommandRegistry) => registry.overwrite(everywhere, [])],
  ])('[2.9-09] %s a command drops its permissions in every guild with one write', async (_, change) => {
    let writes = 0
    const store = memoryStore()
    const counting: Store = {
      ...store,
      write: (...call) => {
        writes++
        return store.write(...call)
      },
    }
    const registry = new CommandRegistry({ store: counting })
    const { command } = await registry.upsert(everywhere, ping)
    const guilds = ['2001', '2002', '2003']
    for (const id of guilds) await registry.setPermissions(app, id, command.id, allow)
    await registry.setPermissions(app, guild, app, allow)
    writes = 0
    await change(registry, command.id)
    expect(writes).toBe(1)
    for (const id of guilds) {
      expect(await attempt(() => registry.getPermissions(app, id, command.id))).toMatchObject({
        code: 'unknown_permissions',
      })
    }
    expect(await registry.listPermissions(app, guild)).toHaveLength(1)
    // A command that takes the name, or the old name back, starts clean.
    await registry.upsert(everywhere, { ...ping, name: 'renamed' })
    const { command: next } = await registry.upsert(everywhere, ping)
    expect(await attempt(() => registry.getPermissions(app, guild, next.id))).toMatchObject({
      code: 'unknown_permissions',
    })
  })

  it('[2.9-09] a command that is renamed and renamed back starts clean too', async () => {
    const registry = new CommandRegistry()
    const { command } = await registry.upsert(everywhere, ping)
    await registry.setPermissions(app, guild, command.id, allow)
    await registry.edit(everywhere, command.id, { name: 'pong' })
    await registry.edit(everywhere, command.id, { name: 'ping' })
    expect(await registry.listPermissions(app, guild)).toEqual([])
  })

  it('[2.9-09] other changes keep them', async () => {
    const registry = new CommandRegistry()
    const { command } = await registry.upsert(everywhere, ping)
    await registry.setPermissions(app, guild, command.id, allow)
    await registry.edit(everywhere, command.id, { description: 'Another', name: 'ping' })
    await registry.overwrite(everywhere, [{ ...ping, nsfw: true }, ...slashes(3)])
    expect(await registry.listPermissions(app, guild)).toHaveLength(1)
  })
})

describe('Activities', () => {
  it('[2.3-02] enabling them creates Launch with handler 2, once', async () => {
    const registry = new CommandRegistry()
    const launch = await registry.enableActivities(app)
    expect(launch).toMatchObject({
      type: CommandType.PRIMARY_ENTRY_POINT,
      name: 'Launch',
      handler: HandlerType.SERVICE_LAUNCH_ACTIVITY,
    })
    expect(await registry.list(everywhere)).toEqual([launch])
    expect(await registry.enableActivities(app)).toBe(launch)
    await registry.edit(everywhere, launch.id, { name: 'Play', handler: HandlerType.APP_HANDLER })
    expect(await registry.enableActivities(app)).toMatchObject({ id: launch.id, name: 'Play', handler: 1 })
  })

  it('[2.3-02] [2.1-19] gives the app the flag without which there are no handlers', async () => {
    const applications = applicationDirectory([{ id: app }])
    const registry = new CommandRegistry({ applications })
    const body = { type: 4, name: 'Play', handler: 1 }
    expect((await attempt(() => registry.upsert(everywhere, body)))?.issues).toMatchObject([
      { code: 'handler.embedded' },
    ])
    const launch = await registry.enableActivities(app)
    expect((await applications.get(app))?.flags).toBe(ApplicationFlag.EMBEDDED)
    expect((await registry.edit(everywhere, launch.id, { handler: 1 })).handler).toBe(1)
  })

  it('[2.3-02] says so when the directory cannot store the flag', async () => {
    const registry = new CommandRegistry({ applications: { get: () => ({ flags: 0 }) } })
    expect(await attempt(() => registry.enableActivities(app))).toMatchObject({
      code: 'activities_unavailable',
    })
  })

  it('[2.1-19] the handler is APP_HANDLER when none is given', async () => {
    const registry = new CommandRegistry()
    expect((await registry.upsert(everywhere, { type: 4, name: 'Play' })).command.handler).toBe(
      HandlerType.APP_HANDLER,
    )
  })
})

describe('lists', () => {
  const body = {
    ...ping,
    name_localizations: { de: 'klopf', 'en-GB': 'knock' },
    options: [
      {
        type: 1,
        name: 'sub',
        description: 'b',
        description_localizations: { de: 'unter' },
        options: [
          {
            type: 3,
            name: 'to',
            description: 'b',
            name_localizations: { de: 'an' },
            choices: [{ name: 'c', value: 'v', name_localizations: { de: 'wahl' } }],
          },
        ],
      },
    ],
  }

  it('[4.1-01] [2.10-08] with a view show one locale at every depth, without fallback, in place of the dictionaries', async () => {
    const registry = new CommandRegistry()
    const { command } = await registry.upsert(everywhere, body)
    const { name_localizations: _n, description_localizations: _d, ...rest } = command
    expect(await registry.list(everywhere, { locale: 'de' })).toEqual([
      {
        ...rest,
        name_localized: 'klopf',
        options: [
          {
            type: 1,
            name: 'sub',
            description: 'b',
            description_localized: 'unter',
            options: [
              {
                type: 3,
                name: 'to',
                name_localized: 'an',
                description: 'b',
                choices: [{ name: 'c', name_localized: 'wahl', value: 'v' }],
              },
            ],
          },
        ],
      },
    ])
    for (const locale of ['en-US', null] as const) {
      const text = JSON.stringify(await registry.list(everywhere, { locale }))
      expect(text).not.toContain('_locali')
    }
    expect(await registry.list(everywhere)).toEqual([command])
  })
})

describe('plan', () => {
  it('tells what an overwrite would do, and does nothing', async () => {
    const clock = handClock()
    const registry = new CommandRegistry({ clock })
    const before = await registry.overwrite(everywhere, slashes(4))
    await registry.setPermissions(app, guild, before[0]!.id, allow)
    await registry.setPermissions(app, '2002', before[1]!.id, allow)
    await registry.setPermissions(app, guild, before[2]!.id, allow)
    const plan = await registry.plan(everywhere, [
      { id: before[1]!.id, name: 'renamed', description: 'b' },
      { name: 's2', description: 'c', nsfw: true },
      { name: 's3', description: 'b' },
      { name: 'new', description: 'b' },
    ])
    expect(plan.creates.map(({ name }) => name)).toEqual(['new'])
    expect(plan.updates.map(({ before: { name }, fields }) => [name, fields])).toEqual([
      ['s1', ['name']],
      ['s2', ['description', 'nsfw']],
    ])
    expect(plan.deletes).toEqual([before[0]])
    expect(plan.unchanged).toEqual([before[3]])
    expect(plan.createsLeft).toBe(195)
    expect(plan.permissionsLost.map(({ id, guild_id }) => [id, guild_id])).toEqual([
      [before[0]!.id, guild],
      [before[1]!.id, '2002'],
    ])
    expect(await registry.list(everywhere)).toBe(before)
    expect(await attempt(() => registry.plan(everywhere, [null]))).toMatchObject({ code: 'invalid' })
  })
})

describe('events', () => {
  async function recorded(act: (registry: CommandRegistry) => Promise<unknown>): Promise<RegistryEvent[]> {
    const registry = new CommandRegistry()
    const events: RegistryEvent[] = []
    registry.subscribe((event) => events.push(event))
    await act(registry)
    return events
  }

  it('[6-01] setting permissions tells the listeners the whole new set, once', async () => {
    const events = await recorded(async (registry) => {
      await registry.setPermissions(app, guild, app, allow)
      await attempt(() => registry.setPermissions(app, guild, '999', allow))
    })
    expect(events).toEqual([
      {
        type: 'permissions_updated',
        applicationId: app,
        guildId: guild,
        permissions: { id: app, application_id: app, guild_id: guild, permissions: allow },
      },
    ])
  })

  it('commands that are created, changed and deleted are told in the order of the writes; nothing else is', async () => {
    const events = await recorded(async (registry) => {
      const { command } = await registry.upsert(everywhere, ping)
      await registry.upsert(everywhere, ping)
      await registry.edit(everywhere, command.id, {})
      await Promise.all([
        registry.edit(everywhere, command.id, { description: 'one' }),
        registry.edit(everywhere, command.id, { description: 'two' }),
        registry.overwrite(everywhere, slashes(2)),
      ])
      await attempt(() => registry.upsert(everywhere, { name: 'Bad' }))
    })
    expect(
      events.map((event) =>
        event.type === 'permissions_updated' ? '' : `${event.type} ${event.command.description}`,
      ),
    ).toEqual([
      'command_created Says pong',
      'command_updated one',
      'command_updated two',
      'command_created b',
      'command_created b',
      'command_deleted two',
    ])
  })

  it('a listener that throws harms neither the change nor the others', async () => {
    const errors: unknown[] = []
    const registry = new CommandRegistry({ onListenerError: (error) => errors.push(error) })
    const heard: string[] = []
    registry.subscribe(() => {
      throw new Error('broken listener')
    })
    const stop = registry.subscribe(({ type }) => heard.push(type))
    await registry.upsert(everywhere, ping)
    stop()
    await registry.upsert(everywhere, { ...ping, name: 'pong' })
    expect(heard).toEqual(['command_created'])
    expect(errors).toHaveLength(2)
    expect(await registry.list(everywhere)).toHaveLength(2)
  })

  it('what was written was written, even if the one who is told of listeners fails too', async () => {
    const told: unknown[] = []
    const console_error = console.error
    console.error = (error) => told.push(error)
    try {
      const failure = new Error('another')
      const registry = new CommandRegistry({
        onListenerError() {
          throw failure
        },
      })
      registry.subscribe(() => {
        throw new Error('broken listener')
      })
      expect((await registry.upsert(everywhere, ping)).created).toBe(true)
      expect(told).toEqual([failure])
    } finally {
      console.error = console_error
    }
  })
})

describe('a store that fails', () => {
  const broken = (part: Partial<Store>): CommandRegistry =>
    new CommandRegistry({ store: { ...memoryStore(), ...part } })

  it('is told as a storage error, with whether the change may have happened', async () => {
    const cause = new Error('disk full')
    const reading = broken({ read: () => Promise.reject(cause) })
    expect(await attempt(() => reading.list(everywhere))).toMatchObject({
      code: 'storage',
      mayHaveHappened: false,
      cause,
    })
    const writing = broken({ write: () => Promise.reject(cause) })
    expect(await attempt(() => writing.upsert(everywhere, ping))).toMatchObject({
      code: 'storage',
      mayHaveHappened: true,
    })
    const knowing = broken({
      write: () => Promise.reject(Object.assign(new Error(), { mayHaveHappened: false })),
    })
    expect(await attempt(() => knowing.upsert(everywhere, ping))).toMatchObject({ mayHaveHappened: false })
  })

  it('does not keep later writes from succeeding', async () => {
    const store = memoryStore()
    let failing = true
    const registry = broken({
      ...store,
      write: (...call) => (failing ? Promise.reject(new Error('once')) : store.write(...call)),
    })
    const [first, second] = await Promise.all([
      attempt(() => registry.upsert(everywhere, ping)),
      attempt(async () => {
        await Promise.resolve()
        failing = false
        await registry.upsert(everywhere, ping)
      }),
    ])
    expect([first?.code, second?.code]).toContain(undefined)
    expect(await registry.list(everywhere)).toHaveLength(1)
  })

  it('that always has somebody else first is busy, after a bounded number of attempts', async () => {
    let writes = 0
    const store: Store = {
      ...memoryStore(),
      write: async () => {
        writes++
        return { ok: false }
      },
    }
    const registry = new CommandRegistry({ store, attempts: 4 })
    expect(await attempt(() => registry.upsert(everywhere, ping))).toMatchObject({ code: 'busy' })
    expect(writes).toBe(4)
  })

  it('that holds a document of another format is not guessed at', async () => {
    const store = memoryStore()
    await store.write('scope/1001/global', null, { format: 99 })
    const registry = new CommandRegistry({ store })
    expect(await attempt(() => registry.list(everywhere))).toMatchObject({ code: 'storage' })
  })
})

describe('options', () => {
  it('mistakes of the programmer are type errors at once', () => {
    expect(() => new CommandRegistry({ attempts: 0 })).toThrow(
      'attempts: expected a whole number from 1, got 0',
    )
    expect(() => new CommandRegistry({ store: {} as Store })).toThrow(
      'store: expected a Store, got an object',
    )
  })

  it('validates and registers alike', async () => {
    const registry = new CommandRegistry()
    const read = validateCommand(ping)
    const { command } = await registry.upsert(everywhere, ping)
    if (!read.ok) throw new Error('a valid command was refused')
    expect(command).toMatchObject(read.value)
  })
})
