import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ChannelType } from '../../src/command/kinds.ts'
import { canUse, explainAccess, type AccessRequest } from '../../src/permission/evaluate.ts'
import { PermissionFlag } from '../../src/permission/kinds.ts'
import type { GuildMember } from '../../src/permission/member.ts'
import { allChannelsId, type CommandPermission } from '../../src/permission/overwrite.ts'

const { ADMINISTRATOR, BAN_MEMBERS, KICK_MEMBERS, MANAGE_GUILD, USE_APPLICATION_COMMANDS } = PermissionFlag

// One more than a double can hold: computed with numbers, All Channels would be wrong.
const guildId = '9007199254740993'
const everywhere = '9007199254740992'
const user = '7'
const first = '201'
const second = '202'
const here = '300'

const use = String(USE_APPLICATION_COMMANDS)
const member = (over: Partial<GuildMember> = {}): GuildMember => ({
  user: { id: user },
  roles: [first, second],
  permissions: use,
  ...over,
})
const channel = { id: here, type: ChannelType.GUILD_TEXT }
const open = { default_member_permissions: null }

const ask = (over: Partial<AccessRequest> = {}): AccessRequest => ({
  command: open,
  member: member(),
  channel,
  guildId,
  now: 0,
  ...over,
})

const forUser = (permission: boolean, id = user): CommandPermission => ({ id, type: 2, permission })
const forRole = (permission: boolean, id = first): CommandPermission => ({ id, type: 1, permission })
const forEveryone = (permission: boolean): CommandPermission => ({ id: guildId, type: 1, permission })
const forChannel = (permission: boolean, id = here): CommandPermission => ({ id, type: 3, permission })
const forAllChannels = (permission: boolean): CommandPermission => ({ id: everywhere, type: 3, permission })

/** What is configured, without ids and lists: undefined for no entry. */
interface Settings {
  readonly channel: boolean | undefined
  readonly allChannels: boolean | undefined
  readonly user: boolean | undefined
  readonly roles: readonly [boolean | undefined, boolean | undefined]
  readonly everyone: boolean | undefined
}

const three = [undefined, false, true] as const
const rolePairs = [
  [undefined, undefined],
  [undefined, false],
  [true, undefined],
  [false, true],
  [true, false],
] as const

const everySetting: readonly Settings[] = three.flatMap((channel) =>
  three.flatMap((allChannels) =>
    three.flatMap((user) =>
      rolePairs.flatMap((roles) =>
        three.map((everyone) => ({ channel, allChannels, user, roles, everyone })),
      ),
    ),
  ),
)

function entriesOf({ channel, allChannels, user, roles, everyone }: Settings): CommandPermission[] {
  const entries: CommandPermission[] = [
    forUser(false, '999'),
    forRole(false, '999'),
    forChannel(false, '999'),
  ]
  if (everyone !== undefined) entries.push(forEveryone(everyone))
  if (user !== undefined) entries.push(forUser(user))
  if (roles[0] !== undefined) entries.push(forRole(roles[0]))
  if (allChannels !== undefined) entries.push(forAllChannels(allChannels))
  if (roles[1] !== undefined) entries.push(forRole(roles[1], second))
  if (channel !== undefined) entries.push(forChannel(channel))
  return entries
}

function ofMember({ user, roles, everyone }: Settings): boolean | undefined {
  const any = roles.includes(true) ? true : roles.includes(false) ? false : undefined
  return user ?? any ?? everyone
}

/** The decision table, as a person would look things up in it. */
function expected(own: Settings, app: Settings, byDefault: boolean): boolean {
  const inChannel = own.channel ?? own.allChannels ?? app.channel ?? app.allChannels ?? true
  const byCommand = ofMember(own)
  const byApp = ofMember(app) ?? true
  return inChannel && (byCommand ?? (byApp && byDefault))
}

const defaults = [
  { name: 'null', command: open, permissions: use, met: true },
  { name: "'0'", command: { default_member_permissions: '0' }, permissions: use, met: false },
  {
    name: 'bits the member has',
    command: { default_member_permissions: String(MANAGE_GUILD | BAN_MEMBERS) },
    permissions: String(MANAGE_GUILD | BAN_MEMBERS | KICK_MEMBERS | USE_APPLICATION_COMMANDS),
    met: true,
  },
  {
    name: 'bits of which the member has one',
    command: { default_member_permissions: String(MANAGE_GUILD | BAN_MEMBERS) },
    permissions: String(MANAGE_GUILD | USE_APPLICATION_COMMANDS),
    met: false,
  },
  {
    name: 'null with default_permission false',
    command: { default_member_permissions: null, default_permission: false as const },
    permissions: use,
    met: false,
  },
]

const configured = everySetting.map((settings) => ({ settings, entries: entriesOf(settings) }))

describe('the decision table', () => {
  test.each(defaults)(
    '[2.9-08] every combination of entries of the command and the app, default $name',
    ({ command, permissions, met }) => {
      const request = { command, member: member({ permissions }), channel, guildId, now: 0 }
      const wrong: unknown[] = []
      for (const own of configured)
        for (const app of configured) {
          const answer = canUse({ ...request, overwrites: own.entries, appOverwrites: app.entries })
          if (answer !== expected(own.settings, app.settings, met)) wrong.push([own.settings, app.settings])
        }
      expect(configured).toHaveLength(405)
      expect(wrong).toEqual([])
    },
  )

  test.each(defaults)('[2.9-06] every combination for an administrator, default $name', ({ command }) => {
    const request = { command, member: member({ permissions: ADMINISTRATOR }), channel, guildId, now: 0 }
    for (const own of configured)
      for (const app of [configured[0]!, own, configured.at(-1)!]) {
        if (!canUse({ ...request, overwrites: own.entries, appOverwrites: app.entries })) {
          expect.unreachable(JSON.stringify([own.settings, app.settings]))
        }
      }
  })

  test('[2.9-08] the explanation gives the same answer, and its last step the same outcome', () => {
    for (const { command, permissions } of defaults)
      for (const [index, own] of configured.entries())
        for (const app of [own, configured[(index * 7) % 405]!, configured[404 - index]!]) {
          const request = ask({
            command,
            member: member({ permissions }),
            overwrites: own.entries,
            appOverwrites: app.entries,
          })
          const { allowed, trace } = explainAccess(request)
          const outcomes = trace.map(({ outcome }) => outcome)
          const answer = canUse(request)
          if (allowed !== answer || outcomes.pop() !== (answer ? 'allowed' : 'denied')) {
            expect.unreachable(JSON.stringify([own.settings, app.settings]))
          }
          if (outcomes.some((outcome) => outcome !== 'continue')) expect.unreachable(JSON.stringify(trace))
        }
  })
})

describe('1 and 2: who may use commands at all', () => {
  const closed = { default_member_permissions: '0' }
  const deny = [forUser(false), forChannel(false), forAllChannels(false), forEveryone(false)]

  test('[2.9-06] the owner and administrators use everything, by roles or by permissions, timed out or not', () => {
    const until = { communication_disabled_until: '2099-01-01T00:00:00Z' }
    const all = { command: closed, overwrites: deny, appOverwrites: deny }
    expect(canUse(ask({ ...all, member: member({ permissions: '8', ...until }) }))).toBe(true)
    expect(canUse(ask({ ...all, ownerId: user, member: member({ permissions: '0', ...until }) }))).toBe(true)
    const roles = [
      { id: guildId, permissions: '0' },
      { id: first, permissions: '8' },
    ]
    expect(canUse(ask({ ...all, roles }))).toBe(true)
    expect(canUse(ask({ ...all, roles, member: member({ roles: [second] }) }))).toBe(false)
    expect(canUse(ask({ ...all, ownerId: '8' }))).toBe(false)
  })

  test('[2.9-08] USE_APPLICATION_COMMANDS is needed in the channel, whatever the entries allow', () => {
    const allow = { overwrites: [forUser(true), forChannel(true)] }
    expect(canUse(ask({ ...allow, member: member({ permissions: '0' }) }))).toBe(false)
    const denied = {
      id: here,
      permission_overwrites: [{ id: guildId, type: 0 as const, allow: '0', deny: use }],
    }
    expect(canUse(ask({ ...allow, channel: denied }))).toBe(false)
    const granted = {
      id: here,
      permission_overwrites: [{ id: user, type: 1 as const, allow: use, deny: '0' }],
    }
    expect(canUse(ask({ ...allow, channel: granted, member: member({ permissions: '0' }) }))).toBe(true)
  })

  test('[2.9-08] a member of whom nothing is known may use commands, but has no bits a command asks for', () => {
    const unknown: GuildMember = { user: { id: user }, roles: [] }
    expect(canUse(ask({ member: unknown }))).toBe(true)
    expect(canUse(ask({ member: unknown, command: { default_member_permissions: '32' } }))).toBe(false)
    expect(canUse(ask({ member: unknown, command: closed, overwrites: [forUser(true)] }))).toBe(true)
  })

  test('[2.9-08] a member who is timed out uses nothing until the timeout is over', () => {
    const out = { communication_disabled_until: '1970-01-01T00:00:01Z' }
    for (const about of [member(out), { user: { id: user }, roles: [], ...out }]) {
      const request = ask({ overwrites: [forUser(true)], member: about })
      expect(canUse({ ...request, now: 999 })).toBe(false)
      expect(canUse({ ...request, now: 1000 })).toBe(true)
    }
  })
})

describe('3: the channel', () => {
  test('[2.9-04] All Channels is the guild id less one, exactly', () => {
    expect(allChannelsId(guildId)).toBe(everywhere)
    expect(canUse(ask({ overwrites: [forAllChannels(false)] }))).toBe(false)
    expect(canUse(ask({ overwrites: [forChannel(false, '9007199254740991')] }))).toBe(true)
    expect(canUse(ask({ overwrites: [forChannel(false, guildId)] }))).toBe(true)
    expect(
      canUse(ask({ guildId: '9223372036854775807', overwrites: [forChannel(false, '9223372036854775806')] })),
    ).toBe(false)
  })

  test.each([10, 11, 12])('[2.9-05] entries for a channel cover its threads (type %i)', (type) => {
    const thread = { id: '301', type, parent_id: here }
    expect(canUse(ask({ channel: thread, overwrites: [forChannel(false)] }))).toBe(false)
    expect(canUse(ask({ channel: thread, overwrites: [forAllChannels(false), forChannel(true)] }))).toBe(true)
    expect(canUse(ask({ channel: thread, overwrites: [forChannel(false, '301')] }))).toBe(true)
    const parent = { id: here }
    expect(canUse(ask({ channel: { id: '301', type, parent }, overwrites: [forChannel(false)] }))).toBe(false)
  })

  test('[2.9-05] entries for a category do not cover its channels', () => {
    for (const inside of [
      { id: here, type: 0, parent_id: '299' },
      { id: here, parent_id: '299' },
    ]) {
      expect(canUse(ask({ channel: inside, overwrites: [forChannel(false, '299')] }))).toBe(true)
    }
  })

  test('[2.9-05] permissions in a thread are those of its channel', () => {
    const command = { default_member_permissions: String(MANAGE_GUILD) }
    const parent = {
      id: here,
      permission_overwrites: [{ id: first, type: 0 as const, allow: String(MANAGE_GUILD), deny: '0' }],
    }
    const thread = { id: '301', type: ChannelType.PUBLIC_THREAD, parent_id: here }
    expect(canUse(ask({ command, channel: thread }))).toBe(false)
    expect(canUse(ask({ command, channel: { ...thread, parent } }))).toBe(true)
  })

  test('[2.9-08] a channel that is allowed does not let in whom other entries keep out', () => {
    expect(canUse(ask({ overwrites: [forChannel(true), forUser(false)] }))).toBe(false)
    expect(
      canUse(ask({ overwrites: [forChannel(true)], command: { default_member_permissions: '0' } })),
    ).toBe(false)
  })
})

describe('4 and 5: the entries of the command and of the app', () => {
  const closed = { default_member_permissions: '0' }

  test('[2.9-03] entries of the app count where the command has none about the member', () => {
    expect(canUse(ask({ appOverwrites: [forEveryone(false)] }))).toBe(false)
    expect(canUse(ask({ appOverwrites: [forEveryone(false)], overwrites: [forRole(true)] }))).toBe(true)
    expect(canUse(ask({ appOverwrites: [forEveryone(false)], overwrites: [forRole(true, '999')] }))).toBe(
      false,
    )
    expect(canUse(ask({ appOverwrites: [forUser(true)], overwrites: [forEveryone(false)] }))).toBe(false)
  })

  test('[2.9-08] an entry of the command replaces the default permissions, one of the app does not', () => {
    expect(canUse(ask({ command: closed, overwrites: [forEveryone(true)] }))).toBe(true)
    expect(canUse(ask({ command: closed, appOverwrites: [forUser(true)] }))).toBe(false)
  })

  test('[2.9-04] @everyone is no role among others, even for a member who lists it', () => {
    const listed = member({ roles: [guildId, first] })
    expect(canUse(ask({ member: listed, overwrites: [forEveryone(true), forRole(false)] }))).toBe(false)
    expect(canUse(ask({ member: listed, overwrites: [forEveryone(false), forRole(true)] }))).toBe(true)
  })

  test('[2.9-02] an id is of the sort its entry says', () => {
    const twins: CommandPermission[] = [
      { id: user, type: 1, permission: false },
      { id: user, type: 3, permission: false },
      { id: first, type: 2, permission: false },
      { id: here, type: 2, permission: false },
      { id: guildId, type: 2, permission: false },
      { id: everywhere, type: 1, permission: false },
    ]
    expect(canUse(ask({ overwrites: twins, appOverwrites: twins }))).toBe(true)
  })

  test.each([
    ['a user', forUser],
    ['a role', forRole],
    ['@everyone', forEveryone],
    ['a channel', forChannel],
    ['all channels', forAllChannels],
  ])('[2.9-02] of several entries for %s, the last counts', (_, entry) => {
    for (const list of ['overwrites', 'appOverwrites']) {
      expect(canUse(ask({ [list]: [entry(true), entry(false)] }))).toBe(false)
      expect(canUse(ask({ [list]: [entry(false), entry(true)] }))).toBe(true)
      expect(canUse(ask({ [list]: [entry(true), forRole(false, second), entry(true), entry(false)] }))).toBe(
        false,
      )
    }
  })

  test('[2.9-03] no list, null and an empty list are the same', () => {
    for (const entries of [null, []]) {
      expect(canUse(ask({ overwrites: entries, appOverwrites: entries, command: closed }))).toBe(false)
      expect(canUse(ask({ overwrites: entries, appOverwrites: entries }))).toBe(true)
    }
  })
})

describe('6: the default permissions', () => {
  const roles = [
    { id: guildId, permissions: use },
    { id: first, permissions: String(KICK_MEMBERS) },
    { id: second, permissions: '0' },
  ]
  const command = { default_member_permissions: String(KICK_MEMBERS) }

  test('[2.1-12] all bits have to be had in the channel', () => {
    const overwrite = (id: string, type: 0 | 1, allow: bigint, deny: bigint) => ({
      id: here,
      permission_overwrites: [{ id, type, allow: String(allow), deny: String(deny) }],
    })
    expect(canUse(ask({ command, roles }))).toBe(true)
    expect(canUse(ask({ command, roles, channel: overwrite(first, 0, 0n, KICK_MEMBERS) }))).toBe(false)
    const both = { default_member_permissions: String(KICK_MEMBERS | BAN_MEMBERS) }
    expect(canUse(ask({ command: both, roles }))).toBe(false)
    expect(canUse(ask({ command: both, roles, channel: overwrite(user, 1, BAN_MEMBERS, 0n) }))).toBe(true)
  })

  test('[2.1-12] bits no double can hold are told apart', () => {
    const asks = { default_member_permissions: String((1n << 60n) | 1n) }
    const has = (bits: bigint) => member({ permissions: bits | USE_APPLICATION_COMMANDS })
    expect(canUse(ask({ command: asks, member: has((1n << 60n) | 1n) }))).toBe(true)
    expect(canUse(ask({ command: asks, member: has(1n << 60n) }))).toBe(false)
  })

  test('[2.1-14] default_permission false counts only where default_member_permissions is null', () => {
    const old = { default_permission: false as const }
    expect(canUse(ask({ command: { ...open, ...old } }))).toBe(false)
    expect(canUse(ask({ command: { ...open, ...old }, overwrites: [forRole(true)] }))).toBe(true)
    expect(canUse(ask({ command: { ...command, ...old }, roles }))).toBe(true)
  })

  test('[2.9-04] a guild id that is no snowflake is a mistake', () => {
    expect(() => canUse(ask({ guildId: 'home' }))).toThrow(TypeError)
  })

  test('[2.9-08] a member without a list of roles is a mistake, whether an entry is for a role or not', () => {
    const { roles: _none, ...rest } = member()
    for (const overwrites of [[], [forRole(true)]]) {
      expect(() => canUse(ask({ member: rest as GuildMember, overwrites }))).toThrow(
        new TypeError("member.roles: expected the ids of the member's roles, got missing"),
      )
    }
  })
})

describe('the explanation', () => {
  test('[2.9-08] names every step up to the one that decided', () => {
    const { allowed, trace } = explainAccess(
      ask({
        command: { default_member_permissions: String(KICK_MEMBERS | BAN_MEMBERS) },
        member: member({ permissions: USE_APPLICATION_COMMANDS | KICK_MEMBERS }),
        overwrites: [forAllChannels(false), forChannel(true)],
        appOverwrites: [forEveryone(true)],
      }),
    )
    expect(allowed).toBe(false)
    expect(trace.map(({ step, outcome, text }) => [step, outcome, text])).toEqual([
      ['administrator', 'continue', 'The member is no administrator.'],
      ['use_application_commands', 'continue', 'The member has USE_APPLICATION_COMMANDS in this channel.'],
      [
        'channel',
        'continue',
        "The command's entry for channel 300 allows it. The command's entry for all channels, which denies it, does not count.",
      ],
      ['command', 'continue', 'No entry of the command is for this member.'],
      ['application', 'continue', "The app's entry for @everyone allows it."],
      [
        'default_member_permissions',
        'denied',
        'The command asks for KICK_MEMBERS and BAN_MEMBERS in this channel; the member lacks BAN_MEMBERS.',
      ],
    ])
    expect(trace.at(-1)).toMatchObject({ missing: ['BAN_MEMBERS'], otherwise: null })
  })

  test('[2.9-08] an entry that decided, those it overruled, and what would have decided without it', () => {
    const overwrites = [
      forUser(true),
      forRole(false),
      forRole(false, second),
      forUser(false),
      forEveryone(true),
    ]
    const { allowed, trace } = explainAccess(ask({ overwrites }))
    expect(allowed).toBe(false)
    expect(trace.at(-1)).toEqual({
      step: 'command',
      outcome: 'denied',
      entries: [{ of: 'command', index: 3, target: 'user', id: user, type: 2, permission: false }],
      overruled: [
        { of: 'command', index: 0, target: 'user', id: user, type: 2, permission: true },
        { of: 'command', index: 1, target: 'role', id: first, type: 1, permission: false },
        { of: 'command', index: 2, target: 'role', id: second, type: 1, permission: false },
        { of: 'command', index: 4, target: 'everyone', id: guildId, type: 1, permission: true },
      ],
      missing: [],
      text: "The command's entry for user 7 denies it. The command's entries for user 7 and @everyone, which allow it, do not count.",
      otherwise: {
        step: 'command',
        outcome: 'denied',
        entries: [
          { of: 'command', index: 0, target: 'role', id: first, type: 1, permission: false },
          { of: 'command', index: 1, target: 'role', id: second, type: 1, permission: false },
        ],
        overruled: [{ of: 'command', index: 2, target: 'everyone', id: guildId, type: 1, permission: true }],
        missing: [],
        text: "The command's entries for role 201 and role 202 deny it. The command's entry for @everyone, which allows it, does not count.",
      },
    })
  })

  test('[2.9-08] of several roles, one that allows decides over one that denies', () => {
    const { trace } = explainAccess(ask({ overwrites: [forRole(false), forRole(true, second)] }))
    expect(trace.at(-1)).toMatchObject({
      outcome: 'allowed',
      entries: [{ id: second }],
      overruled: [{ id: first }],
      otherwise: { step: 'command', outcome: 'denied', entries: [{ id: first }] },
    })
  })

  test('[2.9-02] an entry that is repeated is overruled by the last, even when both say the same', () => {
    const { trace } = explainAccess(
      ask({ overwrites: [forRole(true), forRole(true), forRole(true, second)] }),
    )
    expect(trace.at(-1)).toMatchObject({ entries: [{ index: 1 }, { index: 2 }], overruled: [{ index: 0 }] })
    expect(trace.at(-1)!.text).toBe("The command's entries for role 201 and role 202 allow it.")
  })

  test('[2.9-06] of an administrator, what another member would have met', () => {
    const { allowed, trace } = explainAccess(
      ask({ member: member({ permissions: '8' }), command: { default_member_permissions: '0' } }),
    )
    expect(allowed).toBe(true)
    expect(trace).toHaveLength(1)
    expect(trace[0]).toMatchObject({ step: 'administrator', otherwise: { step: 'use_application_commands' } })
    const owner = explainAccess(ask({ ownerId: user, command: { default_member_permissions: '0' } }))
    expect(owner.trace[0]!.otherwise).toMatchObject({
      step: 'default_member_permissions',
      outcome: 'denied',
      text: 'The command is for administrators unless an entry of its own allows it.',
    })
  })

  test('[2.9-08] of a member who may use no commands, why, and what the entries would have said', () => {
    const out = member({ communication_disabled_until: '2099-01-01T00:00:00Z' })
    expect(explainAccess(ask({ member: out, overwrites: [forUser(true)] })).trace.at(-1)).toMatchObject({
      step: 'use_application_commands',
      outcome: 'denied',
      text: 'The member is timed out and may use no command.',
      otherwise: { step: 'command', outcome: 'allowed' },
    })
    const without = explainAccess(
      ask({ member: member({ permissions: '0' }), overwrites: [forChannel(false)] }),
    )
    expect(without.trace.at(-1)).toMatchObject({
      outcome: 'denied',
      missing: ['USE_APPLICATION_COMMANDS'],
      otherwise: { step: 'channel', outcome: 'denied' },
    })
  })

  test('[2.9-08] of a channel that is closed by the app, the entry and what is behind it', () => {
    const { trace } = explainAccess(ask({ appOverwrites: [forAllChannels(false)] }))
    expect(trace.at(-1)).toMatchObject({
      step: 'channel',
      outcome: 'denied',
      entries: [{ of: 'application', target: 'all_channels', id: everywhere }],
      otherwise: { step: 'default_member_permissions', outcome: 'allowed' },
      text: "The app's entry for all channels denies it.",
    })
  })

  test('[2.9-08] is data that survives JSON and cannot be changed', () => {
    const explanation = explainAccess(
      ask({ overwrites: [forUser(true)], member: member({ permissions: 1n << 31n }) }),
    )
    expect(JSON.parse(JSON.stringify(explanation))).toEqual(explanation)
    expect(Object.isFrozen(explanation.trace) && Object.isFrozen(explanation.trace.at(-1)!.entries[0])).toBe(
      true,
    )
  })

  test('[2.9-08] leaves the entries it was asked about as they were', () => {
    const overwrites = [forUser(true), forRole(false)]
    explainAccess(ask({ overwrites }))
    expect(overwrites).toEqual([forUser(true), forRole(false)])
    expect(Object.isFrozen(overwrites[0])).toBe(false)
  })
})

const entry: fc.Arbitrary<CommandPermission> = fc.record({
  id: fc.constantFrom(user, '8', first, second, '203', guildId, everywhere, here, '301'),
  type: fc.constantFrom(1, 2, 3),
  permission: fc.boolean(),
})
const bits = fc.constantFrom('0', '8', use, String(USE_APPLICATION_COMMANDS | KICK_MEMBERS))
const request: fc.Arbitrary<AccessRequest> = fc.record(
  {
    command: fc.record(
      {
        default_member_permissions: fc.constantFrom(null, '0', String(KICK_MEMBERS)),
        default_permission: fc.constant(false as const),
      },
      { requiredKeys: ['default_member_permissions'] },
    ),
    member: fc.record(
      {
        user: fc.constant({ id: user }),
        roles: fc.subarray([first, second]),
        permissions: bits,
        communication_disabled_until: fc.constantFrom(null, '1970-01-02T00:00:00Z'),
      },
      { requiredKeys: ['user', 'roles'] },
    ),
    channel: fc.constantFrom({ id: here }, { id: '301', type: ChannelType.PUBLIC_THREAD, parent_id: here }),
    guildId: fc.constant(guildId),
    now: fc.constant(0),
    overwrites: fc.array(entry, { maxLength: 8 }),
    appOverwrites: fc.array(entry, { maxLength: 8 }),
    roles: fc.tuple(bits, bits).map(([everyone, role]) => [
      { id: guildId, permissions: everyone },
      { id: first, permissions: role },
    ]),
    ownerId: fc.constantFrom(user, '8'),
  },
  { requiredKeys: ['command', 'member', 'channel', 'guildId', 'now'] },
)

describe('whatever is asked', () => {
  test('[2.9-08] canUse is the answer of explainAccess', () => {
    fc.assert(
      fc.property(request, (request) => {
        const { allowed, trace } = explainAccess(request)
        expect(canUse(request)).toBe(allowed)
        expect(trace.at(-1)!.outcome).toBe(allowed ? 'allowed' : 'denied')
        expect(trace.every(({ text }) => /^The .*\.$|^No .*\.$|^What .*\.$/.test(text))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('[2.9-08] what would have decided otherwise does, once the entries that decided are gone', () => {
    fc.assert(
      fc.property(request, (request) => {
        const last = explainAccess(request).trace.at(-1)!
        fc.pre(last.step === 'command' || last.step === 'channel' || last.step === 'application')
        const left = (of: string, entries: readonly CommandPermission[] | null | undefined) =>
          (entries ?? []).filter(
            ({ type, id }) =>
              !last.entries.some((gone) => gone.of === of && gone.type === type && gone.id === id),
          )
        const { otherwise: _, ...decider } = explainAccess({
          ...request,
          overwrites: left('command', request.overwrites),
          appOverwrites: left('application', request.appOverwrites),
        }).trace.at(-1)!
        expect(last.otherwise).toEqual(decider)
      }),
      { numRuns: 300 },
    )
  })

  test('[2.9-07] an allow for a user never hides a command from them', () => {
    fc.assert(
      fc.property(request, fc.boolean(), fc.nat(8), (request, common, place) => {
        const list = common ? 'appOverwrites' : 'overwrites'
        const entries = [...(request[list] ?? [])]
        entries.splice(place, 0, forUser(true))
        if (canUse(request)) expect(canUse({ ...request, [list]: entries })).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('[2.9-07] a deny for a user shows a command to nobody new', () => {
    fc.assert(
      fc.property(request, fc.boolean(), (request, common) => {
        const list = common ? 'appOverwrites' : 'overwrites'
        const entries = [...(request[list] ?? []), forUser(false)]
        if (!canUse(request)) expect(canUse({ ...request, [list]: entries })).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  test('[2.9-06] administrators and owners use everything', () => {
    fc.assert(
      fc.property(request, (request) => {
        expect(canUse({ ...request, ownerId: user })).toBe(true)
        const { roles: _, ...without } = request
        expect(canUse({ ...without, member: { ...request.member, permissions: '8' } })).toBe(true)
      }),
    )
  })

  test('[2.9-02] a target that is listed again at the end counts as it is there', () => {
    fc.assert(
      fc.property(request, fc.array(entry, { maxLength: 4 }), (request, entries) => {
        const unique = [...new Map(entries.map((entry) => [`${entry.type} ${entry.id}`, entry])).values()]
        const opposite = unique.map((entry) => ({ ...entry, permission: !entry.permission }))
        expect(canUse({ ...request, overwrites: [...opposite, ...unique] })).toBe(
          canUse({ ...request, overwrites: unique }),
        )
      }),
    )
  })
})
