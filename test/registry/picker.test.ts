import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  applicationDirectory,
  canUse,
  ChannelType,
  CommandRegistry,
  CommandType,
  everyoneId,
  globalScope,
  guildScope,
  LocalizationResolver,
  locales,
  memoryStore,
  PermissionFlag,
  type ApplicationCommand,
  type CommandPermission,
  type Store,
} from 'commandry'
import { commandSet, permissions as permissionEntries } from 'commandry/arbitraries'
import { isAvailable } from '../../src/permission/availability.ts'
import { placeOf, type GuildViewer, type Viewer } from '../../src/registry/picker.ts'
import { attempt } from '../support/attempt.ts'
import { handClock, HOUR } from '../support/clock.ts'

const { ADMINISTRATOR, BAN_MEMBERS, USE_APPLICATION_COMMANDS } = PermissionFlag

const app = '1001'
const guild = '2001'
const global = globalScope(app)
const here = guildScope(app, guild)
const staff = '4001'
const moderator = '5001'

const roles = [
  { id: guild, permissions: String(USE_APPLICATION_COMMANDS) },
  { id: moderator, permissions: String(BAN_MEMBERS) },
]

const viewer = (over: Partial<GuildViewer> = {}): GuildViewer => ({
  applicationId: app,
  guildId: guild,
  channel: { id: staff, type: ChannelType.GUILD_TEXT },
  member: { user: { id: '3001' }, roles: [] },
  roles,
  locale: 'en-US',
  ...over,
})
const direct = (over: Partial<Viewer & { guildId?: undefined }> = {}): Viewer => ({
  applicationId: app,
  channel: { id: '4009', type: ChannelType.DM },
  user: { id: '3001' },
  locale: 'en-US',
  ...over,
})

const slash = (name: string, over: object = {}) => ({ name, description: `About ${name}`, ...over })
const sub = (name: string, over: object = {}) => ({ type: 1, name, description: `About ${name}`, ...over })
const group = (name: string, options: object[] = [], over: object = {}) => ({
  type: 2,
  name,
  description: `About ${name}`,
  options,
  ...over,
})

let registry: CommandRegistry
beforeEach(() => {
  registry = new CommandRegistry()
})

/** The names a viewer is shown, in order. */
const names = async (who: Viewer) => (await registry.commandsFor(who)).entries.map(({ name }) => name)

describe('what is in the picker', () => {
  it('[1-02] shows global commands and those of the guild together, and in DMs the global ones alone', async () => {
    await registry.overwrite(global, [slash('ping'), slash('help')])
    await registry.overwrite(here, [slash('local'), slash('help')])
    await registry.overwrite(guildScope(app, '2002'), [slash('elsewhere')])
    await registry.overwrite(globalScope('1002'), [slash('foreign')])
    const picker = await registry.commandsFor(viewer())
    expect(picker.entries.map(({ name }) => name)).toEqual(['help', 'help', 'local', 'ping'])
    expect(picker.commands.map(({ guild_id }) => guild_id)).toEqual([guild, undefined, guild, undefined])
    expect(await names(direct())).toEqual(['help', 'ping'])
  })

  it('[2.9-07] leaves out what the member may not use', async () => {
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

  it('[2.9-03] counts what is set for the app as a whole', async () => {
    await registry.overwrite(global, [slash('ping')])
    await registry.setPermissions(app, guild, app, [{ id: everyoneId(guild), type: 1, permission: false }])
    expect(await names(viewer())).toEqual([])
    expect(await names(viewer({ ownerId: '3001' }))).toEqual(['ping'])
  })

  it('[2.9-09] forgets permissions of a command that was renamed', async () => {
    const { command } = await registry.upsert(global, slash('old'))
    await registry.setPermissions(app, guild, command.id, [{ id: guild, type: 1, permission: false }])
    expect(await names(viewer())).toEqual([])
    await registry.edit(global, command.id, { name: 'new' })
    expect(await names(viewer())).toEqual(['new'])
  })

  it('[2.11-08] leaves out what is not for this place', async () => {
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

  it('[2.8-05] permissions are not asked for in DMs', async () => {
    await registry.overwrite(global, [slash('admin', { default_member_permissions: '0' })])
    expect(await names(viewer())).toEqual([])
    expect(await names(direct())).toEqual(['admin'])
  })

  it('[1-03] [2.1-16] takes from the application directory how the app is installed, unless it is told', async () => {
    const applications = applicationDirectory([{ id: app, integration_types: [0, 1], guilds: ['2002'] }])
    registry = new CommandRegistry({ applications })
    await registry.overwrite(global, [
      slash('by-guild', { integration_types: [0] }),
      slash('by-user', { integration_types: [1] }),
    ])
    expect(await names(viewer())).toEqual(['by-user'])
    const there = { guildId: '2002', roles: [] }
    expect(await names(viewer(there))).toEqual(['by-guild', 'by-user'])
    expect(await names(viewer({ ...there, installed: [0] }))).toEqual(['by-guild'])
    expect(await names(viewer({ installed: [] }))).toEqual([])
    expect(await names(direct())).toEqual(['by-guild', 'by-user'])
  })

  it('[2.9-08] a timeout is over by the clock of the registry', async () => {
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

describe('how it is drawn', () => {
  it('[2.7-03] shows the subcommands of a command in its place, in groups and out of them', async () => {
    await registry.overwrite(global, [
      slash('permissions', {
        options: [
          group('user', [
            sub('get', { options: [{ type: 6, name: 'user', description: 'Whose' }] }),
            sub('edit'),
          ]),
          group('role', [sub('get')]),
          sub('reset'),
        ],
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
    const get = entries[3]!
    expect(get.description).toBe('About get')
    expect(get.options.map(({ name }) => name)).toEqual(['user'])
    expect(get.command).toBe(commands[0])
    expect(entries[4]!.options).toEqual([])
  })

  it('[2.7-04] does not show a group without subcommands, nor a command of nothing but those', async () => {
    await registry.overwrite(global, [
      slash('partly', { options: [group('empty'), group('full', [sub('one')])] }),
      slash('wholly', { options: [group('empty')] }),
    ])
    const { commands, entries, hidden } = await registry.commandsFor(viewer(), { explain: true })
    expect(entries.map(({ path }) => path)).toEqual(['partly full one'])
    expect(commands.map(({ options }) => options?.map(({ name }) => name))).toEqual([['full']])
    expect(hidden.map(({ command, why }) => [command.name, ...why])).toEqual([
      ['wholly', 'The command has nothing but groups without subcommands.'],
    ])
  })

  it('[2.10-02] [2.10-03] is in the language of the viewer, at every depth, with the one hop of fallback', async () => {
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
    for (const locale of ['fr', 'xx', '__proto__']) {
      expect(await entry(locale)).toEqual(['permissions user get', 'permissions user get', 'About get'])
    }
  })

  it('[1-01] is ordered by type, then as the language sorts the names it shows', async () => {
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

  it('is read-only', async () => {
    await registry.overwrite(global, [slash('ping'), slash('admin', { default_member_permissions: '0' })])
    const picker = await registry.commandsFor(viewer(), { explain: true })
    const held = [
      picker,
      picker.commands,
      picker.entries,
      picker.entries[0],
      picker.hidden,
      picker.hidden[0],
      picker.hidden[0]!.why,
      picker.search('p'),
    ]
    for (const value of held) expect(Object.isFrozen(value)).toBe(true)
  })
})

describe('typing', () => {
  const search = async (text: string, locale = 'de') =>
    (await registry.commandsFor(viewer({ locale }))).search(text).map(({ name }) => name)

  beforeEach(async () => {
    await registry.overwrite(global, [
      slash('ban', { name_localizations: { de: 'bannen' } }),
      slash('unban', { name_localizations: { de: 'entbannen' } }),
      slash('delete', { name_localizations: { de: 'löschen' } }),
      slash('permissions', {
        name_localizations: { de: 'rechte' },
        options: [sub('ban', { name_localizations: { de: 'sperre' } })],
      }),
      { type: CommandType.USER, name: 'Bannen' },
    ])
  })

  it('[2.9-07] [2.10-02] finds first what begins with the text, then what contains it', async () => {
    expect(await search('bann')).toEqual(['bannen', 'Bannen', 'entbannen'])
    expect(await search('')).toEqual(await search('/'.slice(1)))
    expect(await search('nothing like it')).toEqual([])
  })

  it('[2.10-07] finds commands by their default names too', async () => {
    expect(await search('del')).toEqual(['löschen'])
    expect(await search('permissions b')).toEqual(['rechte sperre'])
    expect(await search('rechte s')).toEqual(['rechte sperre'])
  })

  it('minds neither case nor accents where the language does not', async () => {
    for (const text of ['LÖSCH', 'losch', 'lösch', 'lo\u0308sch'])
      expect(await search(text)).toEqual(['löschen'])
    expect(await search('losch', 'sv-SE')).toEqual([])
  })

  it('minds no letter case, whatever the language makes of a capital I', async () => {
    await registry.overwrite(global, [
      slash('invite'),
      slash('list', { options: [sub('light', { name_localizations: { tr: 'ışık' } })] }),
    ])
    for (const locale of locales) {
      for (const text of ['INVITE', 'Invite', 'invite', 'INV']) {
        expect(await search(text, locale)).toEqual(['invite'])
      }
    }
    for (const text of ['LIST IŞIK', 'list ışık', 'IŞIK', 'LIST LIGHT', 'lİst']) {
      expect(await search(text, 'tr')).toEqual(['list ışık'])
    }
    expect(await search('İNVİTE', 'tr')).toEqual(['invite'])
  })

  it('minds neither spaces around a text nor several in it', async () => {
    await registry.overwrite(global, [
      slash('mix', { options: [sub('set'), sub('get')] }),
      slash('invite'),
      { type: CommandType.USER, name: 'Show  all' },
    ])
    for (const text of ['/invite ', '/ invite', ' invite', 'invite  ']) {
      expect(await search(text)).toEqual(['invite'])
    }
    for (const text of ['mix s', 'mix s ', 'mix  s', ' mix   set  ', '/mix\u00a0s']) {
      expect(await search(text)).toEqual(['mix set'])
    }
    expect(await search('mix ')).toEqual(['mix get', 'mix set'])
    for (const text of ['show all', 'Show  all', 'show   a'])
      expect(await search(text)).toEqual(['Show  all'])
    expect(await search('  ')).toHaveLength(4)
  })

  it('finds slash commands alone after a slash', async () => {
    expect(await search('/bann')).toEqual(['bannen', 'entbannen'])
    expect(await search('/')).toHaveLength(4)
    expect(await search('')).toHaveLength(5)
  })

  it('bears any text', async () => {
    for (const text of ['\ud800', '('.repeat(100_000), '__proto__', '\u0000', '  /'])
      expect(await search(text)).toEqual([])
  })
})

describe('what is hidden', () => {
  it('[2.9-07] [2.9-08] is told with every reason, as data and in words', async () => {
    const [admin] = await registry.overwrite(global, [
      slash('admin', { default_member_permissions: '0', name_localizations: { de: 'verwaltung' } }),
      slash('dms', { contexts: [1] }),
      slash('ping'),
    ])
    const { commands, hidden } = await registry.commandsFor(viewer({ locale: 'de' }), { explain: true })
    expect(commands.map(({ name }) => name)).toEqual(['ping'])
    expect(hidden.map(({ command, why }) => [command.name, ...why])).toEqual([
      ['dms', 'The command is for the DM with the bot, and not for guilds.'],
      ['verwaltung', 'The command is for administrators unless an entry of its own allows it.'],
    ])
    expect(hidden[0]!.availability.reasons[0]!.code).toBe('context')
    expect(hidden[0]!.access).toMatchObject({ allowed: true })
    expect(hidden[1]!.command.id).toBe(admin!.id)
    expect(hidden[1]!.access!.trace.map(({ step }) => step)).toContain('default_member_permissions')
    expect(hidden[1]!.availability.available).toBe(true)
    const inDm = await registry.commandsFor(direct({ channel: { type: ChannelType.GROUP_DM } }), {
      explain: true,
    })
    expect(inDm.hidden.map(({ access }) => access)).toEqual([null, null, null])
    expect(await registry.commandsFor(viewer())).not.toHaveProperty('hidden')
  })
})

describe('the registry', () => {
  it('answers with one round trip to the store', async () => {
    const inner = memoryStore()
    let trips = 0
    const store: Store = {
      read: (keys) => (trips++, inner.read(keys)),
      write: (...change) => inner.write(...change),
      keys: (prefix) => inner.keys(prefix),
    }
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

  it('refuses an application nobody knows, and viewers that are no viewers', async () => {
    const strict = new CommandRegistry({ applications: applicationDirectory([]) })
    expect((await attempt(() => strict.commandsFor(viewer())))?.code).toBe('unknown_application')
    const wrong: unknown[] = [
      { ...viewer(), member: undefined },
      { ...viewer(), channel: undefined },
      { ...viewer(), member: { user: { id: '3001' } } },
      { ...viewer(), guildId: 'x' },
      { ...viewer(), applicationId: 5 },
    ]
    for (const who of wrong) await expect(registry.commandsFor(who as Viewer)).rejects.toThrow(TypeError)
    await expect(registry.commandsFor(wrong[2] as Viewer)).rejects.toThrow(
      "viewer.member.roles: expected the ids of the member's roles, got missing",
    )
  })
})

describe('properties', () => {
  const bodies = fc.tuple(commandSet(), commandSet())
  const member = fc.record({
    user: fc.record({ id: fc.constantFrom('3001', '3002') }),
    roles: fc.subarray([moderator, '5002']),
  })
  const people: fc.Arbitrary<GuildViewer> = fc.record({
    applicationId: fc.constant(app),
    guildId: fc.constant(guild),
    channel: fc.record({ id: fc.constantFrom(staff, '4002'), nsfw: fc.boolean() }),
    member,
    roles: fc.constant(roles),
    locale: fc.constantFrom(...locales, 'xx'),
    adult: fc.boolean(),
    installed: fc.subarray([0, 1] as const),
  })
  const entry: fc.Arbitrary<CommandPermission> = fc.oneof(
    fc.record({
      id: fc.constantFrom(guild, moderator, '5002'),
      type: fc.constant(1 as const),
      permission: fc.boolean(),
    }),
    fc.record({
      id: fc.constantFrom('3001', '3002'),
      type: fc.constant(2 as const),
      permission: fc.boolean(),
    }),
    fc.record({
      id: fc.constantFrom(staff, '4002', '2000'),
      type: fc.constant(3 as const),
      permission: fc.boolean(),
    }),
  )
  const entries = fc.array(entry, { maxLength: 4 })

  async function build([ours, theirs]: readonly [readonly object[], readonly object[]]) {
    registry = new CommandRegistry()
    const own = await registry.overwrite(global, ours)
    const guilds = theirs.filter((body) => (body as { type?: number }).type !== 4)
    return [...own, ...(await registry.overwrite(here, guilds))]
  }

  it('[2.9-07] [2.11-08] the picker is the list filtered by who may use what and where', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, people, entries, entries, async (sets, who, first, common) => {
        const all = await build(sets)
        if (all[0] !== undefined) await registry.setPermissions(app, guild, all[0].id, first)
        await registry.setPermissions(app, guild, app, common)
        const expected = all.filter(
          (command) =>
            canUse({
              command,
              overwrites: command === all[0] ? first : null,
              appOverwrites: common,
              member: who.member,
              channel: who.channel,
              guildId: guild,
              roles,
            }) &&
            isAvailable({ command, place: placeOf(who, {}), user: who }) &&
            !hasOnlyEmptyGroups(command),
        )
        const { commands, entries: lines, hidden } = await registry.commandsFor(who, { explain: true })
        const ids = (list: readonly { id: string }[]) => list.map(({ id }) => id).sort()
        expect(ids(commands)).toEqual(ids(expected))
        expect(ids([...commands, ...hidden.map(({ command }) => command)])).toEqual(ids(all))
        for (const { why } of hidden) expect(why.length).toBeGreaterThan(0)
        expect(new Set(lines.map(({ command }) => command))).toEqual(new Set(commands))
        const resolver = new LocalizationResolver()
        for (const { id, name } of commands) {
          expect(name).toBe(
            resolver.localize(
              all.find((one) => one.id === id)!,
              who.locale,
            ).name,
          )
        }
      }),
      { numRuns: 60 },
    )
  })

  it('[2.9-06] administrators see everything that is for the place', async () => {
    await fc.assert(
      fc.asyncProperty(bodies, permissionEntries(), entries, async (sets, any, common) => {
        const all = await build(sets)
        if (all[0] !== undefined) await registry.setPermissions(app, guild, all[0].id, any)
        await registry.setPermissions(app, guild, app, common)
        const who = viewer({
          channel: { id: staff, nsfw: true },
          member: { user: { id: '9' }, roles: [], permissions: String(ADMINISTRATOR) },
          roles: [],
        })
        const { hidden } = await registry.commandsFor(who, { explain: true })
        for (const { access } of hidden) expect(access!.allowed).toBe(true)
      }),
      { numRuns: 40 },
    )
  })

  it('[2.9-08] an entry that allows a user never hides a command from them', async () => {
    await fc.assert(
      fc.asyncProperty(entries, entries, people, async (own, common, person) => {
        const [command] = await build([[slash('ping')], []])
        const who = { ...person, installed: [0] as const }
        await registry.setPermissions(app, guild, app, common)
        await registry.setPermissions(app, guild, command!.id, own)
        const before = await names(who)
        const allow: CommandPermission = { id: who.member.user.id, type: 2, permission: true }
        await registry.setPermissions(app, guild, command!.id, [...own, allow])
        expect(await names(who)).toEqual(expect.arrayContaining(before))
      }),
    )
  })

  it('typing the beginning of a shown name finds it, and nothing is found that is not shown', async () => {
    await fc.assert(
      fc.asyncProperty(commandSet(), people, fc.nat(20), async (set, who, length) => {
        await build([set, []])
        const { entries: lines, search } = await registry.commandsFor(who)
        expect(search('')).toEqual(lines)
        for (const line of lines) {
          const typed = Array.from(line.name.normalize('NFC')).slice(0, length).join('')
          const capitals = typed.replace(/[a-z]/g, (letter) => letter.toUpperCase())
          for (const text of [typed, capitals, ` ${typed} `]) {
            const found = search(text)
            if (!text.startsWith('/')) expect(found).toContain(line)
            for (const one of found) expect(lines).toContain(one)
          }
        }
      }),
      { numRuns: 50 },
    )
  })
})

function hasOnlyEmptyGroups({ options }: ApplicationCommand): boolean {
  return options !== undefined && options.every(({ type, options: inner }) => type === 2 && !inner?.length)
}
