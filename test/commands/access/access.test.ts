import { describe, expect, test } from 'vitest'
import { allChannelsId, canUse, ChannelType, explainAccess } from 'commandry'
import type { GuildMember } from 'commandry'
import { defaults, wrongDecisions } from './decision-table.ts'
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
  role,
  channel,
  open,
  closed,
  requiring,
  ask,
  forUser,
  forRole,
  forEveryone,
  forChannel,
  forAllChannels,
  overwritten,
  allows,
} from './requests.ts'

/** Shares no factor with the numbers of values, so that each setting of a command meets those of the app in turn. */
const STEP = 53

test.each(defaults.map((each, turn) => [each[0], turn] as const))(
  '[2.9-03] [2.9-04] [2.9-08] the decision table covers combinations of entries of the command and the app, default %s',
  (_, turn) => {
    // decision-table.deep.test.ts tries every combination.
    expect(wrongDecisions(defaults[turn]!, (app, own) => (app + own) % STEP === turn)).toEqual([])
  },
)

describe('1 and 2: administrators and the permission to use commands', () => {
  const deny = [forUser(false), forChannel(false), forAllChannels(false), forEveryone(false)]

  test('[2.9-06] allows the owner and administrators everything, by roles or permissions, timed out or not', () => {
    const until = { communication_disabled_until: '2099-01-01T00:00:00Z' }
    const all = { command: closed, overwrites: deny, appOverwrites: deny }
    expect(allows({ ...all, member: member({ permissions: '8', ...until }) })).toBe(true)
    expect(allows({ ...all, ownerId: user, member: member({ permissions: '0', ...until }) })).toBe(true)
    const roles = [role(guildId, 0n), role(first, 8n)]
    expect(allows({ ...all, roles })).toBe(true)
    expect(allows({ ...all, roles, member: member({ roles: [second] }) })).toBe(false)
    expect(allows({ ...all, ownerId: '8' })).toBe(false)
  })

  test('[2.9-08] requires USE_APPLICATION_COMMANDS in the channel, whatever the entries', () => {
    const allow = { overwrites: [forUser(true), forChannel(true)] }
    expect(allows({ ...allow, member: member({ permissions: '0' }) })).toBe(false)
    const denied = overwritten(guildId, 0, 0n, USE_APPLICATION_COMMANDS)
    expect(allows({ ...allow, channel: denied })).toBe(false)
    const granted = overwritten(user, 1, VIEW_CHANNEL | USE_APPLICATION_COMMANDS, 0n)
    expect(allows({ ...allow, channel: granted, member: member({ permissions: '0' }) })).toBe(true)
  })

  test('[2.9-10] requires VIEW_CHANNEL in the channel, whatever the entries', () => {
    const hidden = (id: string, type: 0 | 1) => overwritten(id, type, USE_APPLICATION_COMMANDS, VIEW_CHANNEL)
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
    expect(allows({ member: unknown, command: requiring(32n) })).toBe(false)
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
    const largest = '9223372036854775807'
    expect(allows({ guildId: largest, overwrites: [forChannel(false, '9223372036854775806')] })).toBe(false)
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
    const inside = { id: here, parent_id: '299' }
    for (const channel of [inside, { ...inside, type: 0 }])
      expect(allows({ channel, overwrites: [forChannel(false, '299')] })).toBe(true)
  })

  test('[2.9-05] uses the permissions of the channel in a thread', () => {
    const command = requiring(MANAGE_GUILD)
    const parent = overwritten(first, 0, MANAGE_GUILD, 0n)
    const thread = { id: '301', type: ChannelType.PUBLIC_THREAD, parent_id: here }
    expect(allows({ command, channel: thread })).toBe(false)
    expect(allows({ command, channel: { ...thread, parent } })).toBe(true)
  })
})

describe('4 and 5: the entries of the command and of the app', () => {
  test('[2.9-04] treats @everyone separately from roles, even for a member who lists it', () => {
    const listed = member({ roles: [guildId, first] })
    expect(allows({ member: listed, overwrites: [forEveryone(true), forRole(false)] })).toBe(false)
    expect(allows({ member: listed, overwrites: [forEveryone(false), forRole(true)] })).toBe(true)
  })

  test('[2.9-02] matches an id only by the type of its entry', () => {
    const twins = [
      ...[user, everywhere].map((id) => forRole(false, id)),
      ...[first, here, guildId].map((id) => forUser(false, id)),
      forChannel(false, user),
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
  const roles = [role(guildId, seeAndUse), role(first, KICK_MEMBERS), role(second, 0n)]
  const command = requiring(KICK_MEMBERS)

  test('[2.1-12] requires all bits in the channel', () => {
    expect(allows({ command, roles })).toBe(true)
    expect(allows({ command, roles, channel: overwritten(first, 0, 0n, KICK_MEMBERS) })).toBe(false)
    const kickAndBan = requiring(KICK_MEMBERS | BAN_MEMBERS)
    expect(allows({ command: kickAndBan, roles })).toBe(false)
    expect(allows({ command: kickAndBan, roles, channel: overwritten(user, 1, BAN_MEMBERS, 0n) })).toBe(true)
  })

  test('[2.1-12] distinguishes bits that a double cannot represent', () => {
    const asks = requiring((1n << 60n) | 1n)
    const has = (bits: bigint) => member({ permissions: bits | USE_APPLICATION_COMMANDS })
    expect(allows({ command: asks, member: has((1n << 60n) | 1n) })).toBe(true)
    expect(allows({ command: asks, member: has(1n << 60n) })).toBe(false)
  })

  test('[2.1-14] uses default_permission false only when default_member_permissions is null', () => {
    const old = { default_permission: false as const }
    expect(allows({ command: { ...open, ...old } })).toBe(false)
    expect(allows({ command: { ...command, ...old }, roles })).toBe(true)
  })
})

describe('an invalid request', () => {
  const stored = { id: '1', application_id: '2', guild_id: guildId, permissions: [forUser(false)] }
  const denying = { id: user, type: 1, allow: '0', deny: use }

  const overwrites = (permission_overwrites: unknown) => ({ channel: { ...channel, permission_overwrites } })
  const thread = { ...channel, type: ChannelType.PUBLIC_THREAD }
  const parent = { id: here, permission_overwrites: [{}] }

  test('[2.9-08] is rejected as a list or null', () => {
    for (const value of [[], null])
      expect(() => canUse(value as never)).toThrow(/^access: expected an object/)
  })

  test('[2.9-08] is rejected without a list of roles of the member, whatever the entries', () => {
    const { roles: _none, ...rest } = member()
    for (const overwrites of [[], [forRole(true)]])
      expect(() => canUse(ask({ member: rest as GuildMember, overwrites }))).toThrow(
        new TypeError("member.roles: expected the ids of the member's roles, got missing"),
      )
  })

  // Each of these would allow the member if it were not validated.
  test.each<[string, object]>([
    ...['command', 'member', 'channel'].flatMap((name): [string, object][] => [
      [name, { [name]: [] }],
      [name, { [name]: null }],
    ]),
    ['guildId', { guildId: 'home' }],
    ['overwrites', { overwrites: stored }],
    ['appOverwrites', { appOverwrites: stored }],
    ['overwrites[0].id', { overwrites: [{ ...forUser(false), id: 7 }] }],
    ['overwrites[0].permission', { overwrites: [{ ...forUser(true), permission: 'false' }] }],
    ['appOverwrites[0].type', { appOverwrites: [{ ...forUser(false), type: '2' }] }],
    ['overwrites[0]', { overwrites: [, forUser(false)] }],
    ['member.user.id', { member: { ...member(), user: { id: 7 } } }],
    ['member.roles[0]', { member: member({ roles: [201] as never }) }],
    ['member.roles', { member: member({ roles: new Set([first]) as never }) }],
    ['member.communication_disabled_until', { member: member({ communication_disabled_until: 'soon' }) }],
    ['channel.id', { channel: { id: 300 } }],
    ['channel.type', { channel: { ...channel, type: '11' } }],
    ['channel.parent_id', { channel: { ...thread, parent_id: 300 } }],
    ['channel.permission_overwrites', overwrites({})],
    ['channel.permission_overwrites[0].type', overwrites([{ ...denying, type: '1' }])],
    ['channel.parent.permission_overwrites[0].id', { channel: { ...thread, parent } }],
    ['roles', { roles: { [guildId]: use } }],
    ['roles[0].permissions', { roles: [{ id: guildId }] }],
    ['ownerId', { ownerId: 8 }],
    ['now', { now: Number.NaN }],
    ['command', { command: undefined }],
    ['command.default_permission', { command: { ...open, default_permission: 'false' } }],
    ['command.default_member_permissions', { command: { default_member_permissions: 8 } }],
  ])('[2.9-08] is rejected with the name of the field: %s', (field, over) => {
    for (const question of [canUse, explainAccess]) {
      const run = () => question(ask(over))
      expect(run).toThrow(TypeError)
      expect(run).toThrow(`${field}: expected `)
    }
  })
})
