import { beforeEach, describe, expect, it } from 'vitest'
import {
  applicationDirectory,
  ChannelType,
  CommandRegistry,
  CommandType,
  everyoneId,
  globalScope,
  guildScope,
  memoryStore,
  type Store,
  type Viewer,
} from 'commandry'
import { attempt } from '../../support/attempt.ts'
import { handClock, HOUR } from '../../support/clock.ts'
import { BAN_MEMBERS, global, staff, moderator, viewer, direct, slash, sub, group } from './viewers.ts'
import { app, guild, here } from '../../support/fixtures.ts'

let registry: CommandRegistry
beforeEach(() => {
  registry = new CommandRegistry()
})

/** The names a viewer is shown, in order. */
const names = async (who: Viewer) => (await registry.commandsFor(who)).entries.map(({ name }) => name)

/** A registry whose app is installed in these servers, with a command for each way of installation. */
async function installIn(guilds: readonly string[]) {
  const applications = applicationDirectory([{ id: app, integration_types: [0, 1], guilds }])
  registry = new CommandRegistry({ applications })
  await registry.overwrite(global, [
    slash('by-guild', { integration_types: [0] }),
    slash('by-user', { integration_types: [1] }),
  ])
}

describe('commands in the picker', () => {
  it('[1-02] include global and guild commands in a guild, and global ones in DMs', async () => {
    await registry.overwrite(global, [slash('ping'), slash('help')])
    await registry.overwrite(here, [slash('local'), slash('help')])
    await registry.overwrite(guildScope(app, '2002'), [slash('elsewhere')])
    await registry.overwrite(globalScope('1002'), [slash('foreign')])
    const picker = await registry.commandsFor(viewer())
    expect(picker.entries.map(({ name }) => name)).toEqual(['help', 'help', 'local', 'ping'])
    expect(picker.commands.map(({ guild_id }) => guild_id)).toEqual([guild, undefined, guild, undefined])
    expect(await names(direct())).toEqual(['help', 'ping'])
  })

  it('[2.9-07] exclude commands that the member may not use', async () => {
    const [ban] = await registry.overwrite(global, [
      slash('ban', { default_member_permissions: String(BAN_MEMBERS) }),
      slash('ping'),
    ])
    expect(await names(viewer())).toEqual(['ping'])
    const asModerator = viewer({ member: { user: { id: '3002' }, roles: [moderator] } })
    expect(await names(asModerator)).toEqual(['ban', 'ping'])
    await registry.setPermissions(app, guild, ban!.id, [{ id: moderator, type: 1, permission: false }])
    expect(await names(asModerator)).toEqual(['ping'])
    await registry.setPermissions(app, guild, ban!.id, [{ id: '3001', type: 2, permission: true }])
    expect(await names(viewer())).toEqual(['ban', 'ping'])
  })

  it('[2.9-03] respect permissions of the app', async () => {
    await registry.overwrite(global, [slash('ping')])
    await registry.setPermissions(app, guild, app, [{ id: everyoneId(guild), type: 1, permission: false }])
    expect(await names(viewer())).toEqual([])
    expect(await names(viewer({ ownerId: '3001' }))).toEqual(['ping'])
  })

  it('[2.9-09] are not affected by permissions from before a rename', async () => {
    const { command } = await registry.upsert(global, slash('old'))
    await registry.setPermissions(app, guild, command.id, [{ id: guild, type: 1, permission: false }])
    expect(await names(viewer())).toEqual([])
    await registry.edit(global, command.id, { name: 'new' })
    expect(await names(viewer())).toEqual(['new'])
  })

  it('[2.11-08] exclude commands of other contexts', async () => {
    await registry.overwrite(global, [
      slash('guilds', { contexts: [0] }),
      slash('dms', { contexts: [1] }),
      slash('groups', { contexts: [2] }),
      slash('adults', { nsfw: true }),
    ])
    expect(await names(viewer())).toEqual(['guilds'])
    expect(await names(viewer({ channel: { id: staff, nsfw: true } }))).toEqual(['adults', 'guilds'])
    expect(await names(viewer({ channel: { id: staff, nsfw: true }, adult: false }))).toEqual(['guilds'])
    expect(await names(direct())).toEqual(['dms'])
    expect(await names(direct({ ageRestrictedInDirectMessages: true }))).toEqual(['adults', 'dms'])
    expect(await names(direct({ channel: { type: ChannelType.GROUP_DM } }))).toEqual(['groups'])
    expect(await names(direct({ context: 2 }))).toEqual(['groups'])
    expect(await names({ applicationId: app, locale: 'en-US' })).toEqual(['dms'])
  })

  it('[2.8-05] ignore permissions in DMs', async () => {
    await registry.overwrite(global, [slash('admin', { default_member_permissions: '0' })])
    expect(await names(viewer())).toEqual([])
    expect(await names(direct())).toEqual(['admin'])
  })

  it('[1-03] [2.1-16] depend on the installation in the directory, unless the viewer has it', async () => {
    await installIn(['2002'])
    expect(await names(viewer())).toEqual(['by-user'])
    const there = { guildId: '2002', roles: [] }
    expect(await names(viewer(there))).toEqual(['by-guild', 'by-user'])
    expect(await names(viewer({ ...there, installed: [0] }))).toEqual(['by-guild'])
    expect(await names(viewer({ installed: [] }))).toEqual([])
    expect(await names(direct())).toEqual(['by-guild', 'by-user'])
  })

  it('[2.8-06] are not available in the DM with an app that has no bot user', async () => {
    const inDm = async (bot: boolean | undefined) => {
      const registry = new CommandRegistry({
        applications: { get: () => ({ integration_types: [0, 1], ...(bot !== undefined && { bot }) }) },
      })
      await registry.upsert(globalScope('1001'), { name: 'ping', description: 'd', contexts: [0, 1, 2] })
      const viewer = { applicationId: '1001', locale: 'en-US' }
      const at = async (context: 1 | 2) =>
        (await registry.commandsFor({ ...viewer, context }, { explain: true })).hidden.map(({ why }) => why)
      return [await at(1), await at(2)]
    }
    expect(await inDm(undefined)).toEqual([[], []])
    expect(await inDm(true)).toEqual([[], []])
    const reason = 'Bot DM: the app has no bot user, so there is no DM with it.'
    expect(await inDm(false)).toEqual([[[reason]], []])
  })

  it('[2.8-06] are not available in DMs by a server install while the app is in no server', async () => {
    for (const [guilds, expected] of [
      [[], ['by-user']],
      [['2002'], ['by-guild', 'by-user']],
    ] as const) {
      await installIn(guilds)
      expect(await names(direct())).toEqual(expected)
    }
  })

  it.each([
    ['member', { member: undefined }, TypeError],
    ['channel', { channel: undefined }, TypeError],
    ['guildId', { guildId: 'x' }, TypeError],
    ['applicationId', { applicationId: 5 }, TypeError],
    [
      'member.roles',
      { member: { user: { id: '3001' } } },
      "viewer.member.roles: expected the ids of the member's roles, got missing",
    ],
    ['member.user.id', { member: { user: { id: 3001 }, roles: [] } }, /^viewer\.member/],
    ['member.roles[0]', { member: { user: { id: '3001' }, roles: [5001] } }, /^viewer\.member\.roles\[0\]/],
    ['channel.type', { channel: { id: staff, type: '11' } }, /^viewer\.channel\.type/],
    ['roles', { roles: { [guild]: '0' } }, /^viewer\.roles/],
    ['ownerId', { ownerId: 3001 }, /^viewer\.ownerId/],
  ])('[2.9-07] require a viewer with a valid %s', async (_, over, message) => {
    await registry.overwrite(global, [slash('ping')])
    await expect(registry.commandsFor(viewer(over as never))).rejects.toThrow(message)
  })

  it('[2.9-08] follow timeouts by the clock of the registry', async () => {
    const clock = handClock()
    registry = new CommandRegistry({ clock })
    await registry.overwrite(global, [slash('ping')])
    const until = new Date(clock.now() + HOUR).toISOString()
    const member = { user: { id: '3001' }, roles: [], communication_disabled_until: until }
    expect(await names(viewer({ member }))).toEqual([])
    clock.advance(2 * HOUR)
    expect(await names(viewer({ member }))).toEqual(['ping'])
  })
})

describe('entries of the picker', () => {
  it('[2.7-03] show the subcommands of a command in its place, with and without groups', async () => {
    const get = sub('get', { options: [{ type: 6, name: 'user', description: 'Whose' }] })
    await registry.overwrite(global, [
      slash('permissions', {
        options: [group('user', [get, sub('edit')]), group('role', [sub('get')]), sub('reset')],
      }),
      slash('ping'),
    ])
    const { commands, entries } = await registry.commandsFor(viewer())
    expect(commands.map(({ name }) => name)).toEqual(['permissions', 'ping'])
    expect(entries.map(({ path }) => path)).toEqual([
      'permissions reset',
      'permissions role get',
      'permissions user edit',
      'permissions user get',
      'ping',
    ])
    expect(entries[3]!.description).toBe('About get')
    expect(entries[3]!.options.map(({ name }) => name)).toEqual(['user'])
    expect(entries[3]!.command).toBe(commands[0])
    expect(entries[4]!.options).toEqual([])
  })

  it('[2.7-03] sort the subcommands of a group by name', async () => {
    for (const order of ['bca', 'cab', 'abc', 'cba']) {
      const subs = [...order].map((name) => sub(name))
      await registry.overwrite(global, [slash('permissions', { options: [group('user', subs)] })])
      const { entries } = await registry.commandsFor(viewer())
      const paths = ['a', 'b', 'c'].map((name) => `permissions user ${name}`)
      expect(entries.map(({ path }) => path)).toEqual(paths)
    }
  })

  it('[4.4-01] show a guild command before a global one of the same name', async () => {
    for (const scopes of [
      [global, here],
      [here, global],
    ]) {
      registry = new CommandRegistry()
      for (const scope of scopes) await registry.upsert(scope, slash('ping'))
      const { commands } = await registry.commandsFor(viewer())
      expect(commands.map(({ name, guild_id }) => [name, guild_id])).toEqual([
        ['ping', guild],
        ['ping', undefined],
      ])
    }
  })

  it('[2.7-04] omit groups without subcommands, and commands with only such groups', async () => {
    await registry.overwrite(global, [
      slash('partly', { options: [group('empty'), group('full', [sub('one')])] }),
      slash('wholly', { options: [group('empty')] }),
    ])
    const { commands, entries, hidden } = await registry.commandsFor(viewer(), { explain: true })
    expect(entries.map(({ path }) => path)).toEqual(['partly full one'])
    expect(commands.map(({ options }) => options?.map(({ name }) => name))).toEqual([['full']])
    expect(hidden.map(({ command, why }) => [command.name, ...why])).toEqual([
      ['wholly', 'The command has only groups without subcommands.'],
    ])
  })

  it('[2.10-02] [2.10-03] are in the language of the viewer at every depth, with one fallback', async () => {
    await registry.overwrite(global, [
      slash('permissions', {
        name_localizations: { de: 'rechte', 'es-ES': 'permisos' },
        options: [
          group('user', [sub('get', { description_localizations: { de: 'Zeigt sie' } })], {
            name_localizations: { de: 'nutzer' },
          }),
        ],
      }),
    ])
    const entry = async (locale: string) => {
      const [{ name, path, description }] = (await registry.commandsFor(viewer({ locale }))).entries as any
      return [name, path, description]
    }
    expect(await entry('de')).toEqual(['rechte nutzer get', 'permissions user get', 'Zeigt sie'])
    expect((await entry('es-419'))[0]).toBe('permisos user get')
    for (const locale of ['fr', 'xx', '__proto__'])
      expect(await entry(locale)).toEqual(['permissions user get', 'permissions user get', 'About get'])
  })

  it('[1-01] are ordered by type, then by shown name as the language sorts', async () => {
    const named = (name: string, other: object, type = 1) =>
      type === 1
        ? slash(name, { type, name_localizations: other })
        : { type, name, name_localizations: other }
    await registry.overwrite(global, [
      named('alpha', { de: 'zeta', 'sv-SE': 'zeta' }),
      named('beta', { de: 'ärger', 'sv-SE': 'ärger' }),
      named('gamma', { de: 'berg', 'sv-SE': 'berg' }),
      named('Pin', {}, CommandType.MESSAGE),
      named('Wave', {}, CommandType.USER),
      { type: CommandType.PRIMARY_ENTRY_POINT, name: 'Launch' },
    ])
    const menus = ['Wave', 'Pin', 'Launch']
    expect(await names(viewer())).toEqual(['alpha', 'beta', 'gamma', ...menus])
    expect(await names(viewer({ locale: 'de' }))).toEqual(['ärger', 'berg', 'zeta', ...menus])
    expect(await names(viewer({ locale: 'sv-SE' }))).toEqual(['berg', 'zeta', 'ärger', ...menus])
  })

  it('are read-only', async () => {
    await registry.overwrite(global, [slash('ping'), slash('admin', { default_member_permissions: '0' })])
    const picker = await registry.commandsFor(viewer(), { explain: true })
    const { commands, entries, hidden } = picker
    const [entry, command] = [entries[0], hidden[0]!]
    for (const value of [picker, commands, entries, entry, hidden, command, command.why, picker.search('p')])
      expect(Object.isFrozen(value)).toBe(true)
  })
})

it('[2.9-07] [2.9-08] hidden commands have every reason, as data and in words', async () => {
  const [admin] = await registry.overwrite(global, [
    slash('admin', { default_member_permissions: '0', name_localizations: { de: 'verwaltung' } }),
    slash('dms', { contexts: [1] }),
    slash('ping'),
  ])
  const { commands, hidden } = await registry.commandsFor(viewer({ locale: 'de' }), { explain: true })
  expect(commands.map(({ name }) => name)).toEqual(['ping'])
  expect(hidden.map(({ command, why }) => [command.name, ...why])).toEqual([
    ['dms', 'Contexts: the command is available in Bot DM, not in Server.'],
    ['verwaltung', 'Default permissions: administrators only, unless an entry of the command allows it.'],
  ])
  expect(hidden[0]!.availability.reasons[0]!.code).toBe('context')
  expect(hidden[0]!.access).toMatchObject({ allowed: true })
  expect(hidden[1]!.command.id).toBe(admin!.id)
  expect(hidden[1]!.access!.trace.map(({ step }) => step)).toContain('default_member_permissions')
  expect(hidden[1]!.availability.available).toBe(true)
  const inGroup = direct({ channel: { type: ChannelType.GROUP_DM } })
  const { hidden: elsewhere } = await registry.commandsFor(inGroup, { explain: true })
  expect(elsewhere.map(({ access }) => access)).toEqual([null, null, null])
  expect(await registry.commandsFor(viewer())).not.toHaveProperty('hidden')
})

it('the registry reads the store in one round trip', async () => {
  const inner = memoryStore()
  let trips = 0
  const store: Store = { ...inner, read: (keys) => (trips++, inner.read(keys)) }
  registry = new CommandRegistry({ store })
  await registry.overwrite(global, [slash('ping')])
  await registry.overwrite(here, [slash('pong')])
  await registry.setPermissions(app, guild, app, [{ id: '3001', type: 2, permission: true }])
  for (const who of [viewer(), direct()]) {
    trips = 0
    await registry.commandsFor(who, { explain: true })
    expect(trips).toBe(1)
  }
})

it('the registry rejects unknown applications', async () => {
  const strict = new CommandRegistry({ applications: applicationDirectory([]) })
  expect((await attempt(() => strict.commandsFor(viewer())))?.code).toBe('unknown_application')
})
