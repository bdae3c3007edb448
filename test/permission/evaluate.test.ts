import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AccessRequest,
  allChannelsId,
  canUse,
  ChannelType,
  type CommandPermission,
  explainAccess,
  type GuildMember,
} from 'commandry'
import { memberAccess } from '../../src/permission/access.ts'
import {
  BAN_MEMBERS,
  KICK_MEMBERS,
  MANAGE_GUILD,
  USE_APPLICATION_COMMANDS,
  VIEW_CHANNEL,
  guildId,
  everywhere,
  user,
  first,
  second,
  here,
  use,
  seeAndUse,
  member,
  channel,
  open,
  ask,
  forUser,
  forRole,
  forEveryone,
  forChannel,
  forAllChannels,
  expected,
  defaults,
  configured,
} from './decisions.ts'

const allows = (over: Partial<AccessRequest>) => canUse(ask(over))

describe('the decision table', () => {
  test.each(defaults)(
    '[2.9-03] [2.9-04] [2.9-08] covers every combination of entries of the command and the app, default $name',
    ({ command, permissions, met }) => {
      const request = { member: member({ permissions }), channel, guildId, now: 0 }
      const turn = defaults.findIndex((each) => each.command === command)
      const wrong: unknown[] = []
      for (const [i, app] of configured.entries()) {
        const access = memberAccess({ ...request, appOverwrites: app.entries }, '')
        for (const [j, own] of configured.entries()) {
          const answers = [access.canUse(command, own.entries)]
          // The same decision, but its checks take most of the time: every combination once among the defaults.
          if ((i + j) % defaults.length === turn)
            answers.push(canUse({ ...request, command, overwrites: own.entries, appOverwrites: app.entries }))
          if (answers.includes(!expected(own.settings, app.settings, met)))
            wrong.push([own.settings, app.settings])
        }
      }
      expect(configured).toHaveLength(405)
      expect(wrong).toEqual([])
    },
  )
})

describe('1 and 2: administrators and the permission to use commands', () => {
  const closed = { default_member_permissions: '0' }
  const deny = [forUser(false), forChannel(false), forAllChannels(false), forEveryone(false)]

  test('[2.9-06] allows the owner and administrators everything, by roles or permissions, timed out or not', () => {
    const until = { communication_disabled_until: '2099-01-01T00:00:00Z' }
    const all = { command: closed, overwrites: deny, appOverwrites: deny }
    expect(allows({ ...all, member: member({ permissions: '8', ...until }) })).toBe(true)
    expect(allows({ ...all, ownerId: user, member: member({ permissions: '0', ...until }) })).toBe(true)
    const roles = [
      { id: guildId, permissions: '0' },
      { id: first, permissions: '8' },
    ]
    expect(allows({ ...all, roles })).toBe(true)
    expect(allows({ ...all, roles, member: member({ roles: [second] }) })).toBe(false)
    expect(allows({ ...all, ownerId: '8' })).toBe(false)
  })

  test('[2.9-08] requires USE_APPLICATION_COMMANDS in the channel, whatever the entries', () => {
    const allow = { overwrites: [forUser(true), forChannel(true)] }
    expect(allows({ ...allow, member: member({ permissions: '0' }) })).toBe(false)
    const denied = {
      id: here,
      permission_overwrites: [{ id: guildId, type: 0 as const, allow: '0', deny: use }],
    }
    expect(allows({ ...allow, channel: denied })).toBe(false)
    const granted = {
      id: here,
      permission_overwrites: [{ id: user, type: 1 as const, allow: seeAndUse, deny: '0' }],
    }
    expect(allows({ ...allow, channel: granted, member: member({ permissions: '0' }) })).toBe(true)
  })

  test('[2.9-10] requires VIEW_CHANNEL in the channel, whatever the entries', () => {
    const hidden = (id: string, type: 0 | 1) => ({
      id: here,
      permission_overwrites: [{ id, type, allow: use, deny: String(VIEW_CHANNEL) }],
    })
    for (const channel of [hidden(guildId, 0), hidden(first, 0), hidden(user, 1)]) {
      const request = ask({ channel, overwrites: [forUser(true)] })
      expect(canUse(request)).toBe(false)
      expect(explainAccess(request).trace.at(-1)).toMatchObject({
        step: 'use_application_commands',
        outcome: 'denied',
        missing: ['VIEW_CHANNEL'],
        text: 'The member lacks VIEW_CHANNEL, so no other permission counts in this channel.',
        otherwise: { step: 'command', outcome: 'allowed' },
      })
      expect(canUse({ ...request, member: { user: { id: user }, roles: [first] } })).toBe(false)
      expect(canUse({ ...request, ownerId: user })).toBe(true)
    }
    const roles = [{ id: guildId, permissions: use }]
    expect(allows({ roles, overwrites: [forUser(true)] })).toBe(false)
    expect(allows({ roles: [{ id: guildId, permissions: seeAndUse }] })).toBe(true)
  })

  test('[2.9-08] assumes that an unknown member may use commands, but lacks default permissions', () => {
    const unknown: GuildMember = { user: { id: user }, roles: [] }
    expect(allows({ member: unknown })).toBe(true)
    expect(allows({ member: unknown, command: { default_member_permissions: '32' } })).toBe(false)
    expect(allows({ member: unknown, command: closed, overwrites: [forUser(true)] })).toBe(true)
  })

  test('[2.9-08] denies everything until a timeout is over', () => {
    const out = { communication_disabled_until: '1970-01-01T00:00:01Z' }
    for (const about of [member(out), { user: { id: user }, roles: [], ...out }]) {
      const request = ask({ overwrites: [forUser(true)], member: about })
      expect(canUse({ ...request, now: 999 })).toBe(false)
      expect(canUse({ ...request, now: 1000 })).toBe(true)
    }
  })
})

describe('3: the channel', () => {
  test('[2.9-04] uses the guild id minus one for All Channels, exactly', () => {
    expect(allChannelsId(guildId)).toBe(everywhere)
    expect(allows({ overwrites: [forAllChannels(false)] })).toBe(false)
    expect(allows({ overwrites: [forChannel(false, '9007199254740991')] })).toBe(true)
    expect(allows({ overwrites: [forChannel(false, guildId)] })).toBe(true)
    expect(
      allows({ guildId: '9223372036854775807', overwrites: [forChannel(false, '9223372036854775806')] }),
    ).toBe(false)
  })

  test.each([10, 11, 12])('[2.9-05] applies entries for a channel to its threads (type %i)', (type) => {
    const thread = { id: '301', type, parent_id: here }
    expect(allows({ channel: thread, overwrites: [forChannel(false)] })).toBe(false)
    expect(allows({ channel: thread, overwrites: [forAllChannels(false), forChannel(true)] })).toBe(true)
    expect(allows({ channel: thread, overwrites: [forChannel(false, '301')] })).toBe(true)
    const parent = { id: here }
    expect(allows({ channel: { id: '301', type, parent }, overwrites: [forChannel(false)] })).toBe(false)
  })

  test('[2.9-05] does not apply entries for a category to its channels', () => {
    for (const inside of [
      { id: here, type: 0, parent_id: '299' },
      { id: here, parent_id: '299' },
    ]) {
      expect(allows({ channel: inside, overwrites: [forChannel(false, '299')] })).toBe(true)
    }
  })

  test('[2.9-05] uses the permissions of the channel in a thread', () => {
    const command = { default_member_permissions: String(MANAGE_GUILD) }
    const parent = {
      id: here,
      permission_overwrites: [{ id: first, type: 0 as const, allow: String(MANAGE_GUILD), deny: '0' }],
    }
    const thread = { id: '301', type: ChannelType.PUBLIC_THREAD, parent_id: here }
    expect(allows({ command, channel: thread })).toBe(false)
    expect(allows({ command, channel: { ...thread, parent } })).toBe(true)
  })
})

describe('4 and 5: the entries of the command and of the app', () => {
  const closed = { default_member_permissions: '0' }

  test('[2.9-04] treats @everyone separately from roles, even for a member who lists it', () => {
    const listed = member({ roles: [guildId, first] })
    expect(allows({ member: listed, overwrites: [forEveryone(true), forRole(false)] })).toBe(false)
    expect(allows({ member: listed, overwrites: [forEveryone(false), forRole(true)] })).toBe(true)
  })

  test('[2.9-02] matches an id only by the type of its entry', () => {
    const twins: CommandPermission[] = [
      { id: user, type: 1, permission: false },
      { id: user, type: 3, permission: false },
      { id: first, type: 2, permission: false },
      { id: here, type: 2, permission: false },
      { id: guildId, type: 2, permission: false },
      { id: everywhere, type: 1, permission: false },
    ]
    expect(allows({ overwrites: twins, appOverwrites: twins })).toBe(true)
  })

  test('[2.9-03] treats an absent list, null and an empty list alike', () => {
    for (const entries of [null, []]) {
      expect(allows({ overwrites: entries, appOverwrites: entries, command: closed })).toBe(false)
      expect(allows({ overwrites: entries, appOverwrites: entries })).toBe(true)
    }
  })
})

describe('6: the default permissions', () => {
  const roles = [
    { id: guildId, permissions: seeAndUse },
    { id: first, permissions: String(KICK_MEMBERS) },
    { id: second, permissions: '0' },
  ]
  const command = { default_member_permissions: String(KICK_MEMBERS) }

  test('[2.1-12] requires all bits in the channel', () => {
    const overwrite = (id: string, type: 0 | 1, allow: bigint, deny: bigint) => ({
      id: here,
      permission_overwrites: [{ id, type, allow: String(allow), deny: String(deny) }],
    })
    expect(allows({ command, roles })).toBe(true)
    expect(allows({ command, roles, channel: overwrite(first, 0, 0n, KICK_MEMBERS) })).toBe(false)
    const both = { default_member_permissions: String(KICK_MEMBERS | BAN_MEMBERS) }
    expect(allows({ command: both, roles })).toBe(false)
    expect(allows({ command: both, roles, channel: overwrite(user, 1, BAN_MEMBERS, 0n) })).toBe(true)
  })

  test('[2.1-12] distinguishes bits that a double cannot represent', () => {
    const asks = { default_member_permissions: String((1n << 60n) | 1n) }
    const has = (bits: bigint) => member({ permissions: bits | USE_APPLICATION_COMMANDS })
    expect(allows({ command: asks, member: has((1n << 60n) | 1n) })).toBe(true)
    expect(allows({ command: asks, member: has(1n << 60n) })).toBe(false)
  })

  test('[2.1-14] uses default_permission false only when default_member_permissions is null', () => {
    const old = { default_permission: false as const }
    expect(allows({ command: { ...open, ...old } })).toBe(false)
    expect(allows({ command: { ...command, ...old }, roles })).toBe(true)
  })

  test('[2.9-04] rejects an invalid guild id', () => {
    expect(() => canUse(ask({ guildId: 'home' }))).toThrow(TypeError)
  })

  test('rejects lists and null as the whole request', () => {
    for (const value of [[], null])
      expect(() => canUse(value as never)).toThrow(/^access: expected an object/)
  })

  test.each(['command', 'member', 'channel'])('rejects lists and null as the %s', (name) => {
    for (const value of [[], null]) {
      expect(() => canUse(ask({ [name]: value }))).toThrow(new RegExp(`^${name}: expected `))
    }
  })

  test('[2.9-08] rejects a member without a list of roles, whatever the entries', () => {
    const { roles: _none, ...rest } = member()
    for (const overwrites of [[], [forRole(true)]]) {
      expect(() => canUse(ask({ member: rest as GuildMember, overwrites }))).toThrow(
        new TypeError("member.roles: expected the ids of the member's roles, got missing"),
      )
    }
  })
})

const entry: fc.Arbitrary<CommandPermission> = fc.record({
  id: fc.constantFrom(user, '8', first, second, '203', guildId, everywhere, here, '301'),
  type: fc.constantFrom(1, 2, 3),
  permission: fc.boolean(),
})
const bits = fc.constantFrom('0', '8', use, seeAndUse, String(USE_APPLICATION_COMMANDS | KICK_MEMBERS))
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
const lists = fc.constantFrom('overwrites' as const, 'appOverwrites' as const)

describe('any request', () => {
  test('[2.9-08] gets the same result from canUse and explainAccess', () => {
    fc.assert(
      fc.property(request, (request) => {
        const { allowed, trace } = explainAccess(request)
        expect(canUse(request)).toBe(allowed)
        const outcomes = trace.map(({ outcome }) => outcome)
        expect(outcomes.pop()).toBe(allowed ? 'allowed' : 'denied')
        expect(outcomes.every((outcome) => outcome === 'continue')).toBe(true)
        expect(trace.every(({ text }) => /^(?:The|No|Default permissions:) .*\.$/.test(text))).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('[2.9-08] is decided by the "otherwise" step once the deciding entries are removed', () => {
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

  test('[2.9-07] never loses a command by an allow for the user', () => {
    fc.assert(
      fc.property(request, lists, fc.nat(8), (request, list, place) => {
        const entries = [...(request[list] ?? [])]
        entries.splice(place, 0, forUser(true))
        if (canUse(request)) expect(canUse({ ...request, [list]: entries })).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('[2.9-07] never gains a command by a deny for the user', () => {
    fc.assert(
      fc.property(request, lists, (request, list) => {
        const entries = [...(request[list] ?? []), forUser(false)]
        if (!canUse(request)) expect(canUse({ ...request, [list]: entries })).toBe(false)
      }),
      { numRuns: 500 },
    )
  })

  test('[2.9-06] is always allowed for administrators and owners', () => {
    fc.assert(
      fc.property(request, (request) => {
        expect(canUse({ ...request, ownerId: user })).toBe(true)
        const { roles: _, ...without } = request
        expect(canUse({ ...without, member: { ...request.member, permissions: '8' } })).toBe(true)
      }),
    )
  })

  test('[2.9-02] follows the last entry of a repeated target', () => {
    fc.assert(
      fc.property(
        request,
        lists,
        fc.array(entry, { minLength: 1, maxLength: 4 }),
        (request, list, entries) => {
          const unique = [...new Map(entries.map((entry) => [`${entry.type} ${entry.id}`, entry])).values()]
          const opposite = unique.map((entry) => ({ ...entry, permission: !entry.permission }))
          expect(canUse({ ...request, [list]: [...opposite, ...unique] })).toBe(
            canUse({ ...request, [list]: unique }),
          )
        },
      ),
      { numRuns: 500 },
    )
  })
})
