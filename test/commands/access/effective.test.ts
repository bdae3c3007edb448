import { describe, expect, test } from 'vitest'
import { ChannelType, effectivePermissions, PermissionFlag } from 'commandry'
import type { GuildChannel, GuildMember, GuildRole } from 'commandry'
import type { ChannelOverwrite } from 'commandry/testbed'
import { fc, forAny } from '../../support/properties.ts'
import { combinations } from './combinations.ts'

const { ADMINISTRATOR, KICK_MEMBERS, MANAGE_GUILD, READ_MESSAGE_HISTORY, SEND_MESSAGES, VIEW_CHANNEL } =
  PermissionFlag

const allPermissions = Object.values(PermissionFlag).reduce((bits, bit) => bits | bit)

const guild = '100'
const user = '7'
const now = Date.parse('2026-11-21T12:00:00Z')
const context = { guildId: guild, now }

const member = (over: Partial<GuildMember> = {}) => ({ user: { id: user }, roles: ['201', '202'], ...over })
const channel = (permission_overwrites: ChannelOverwrite[] = [], over: Partial<GuildChannel> = {}) => ({
  id: '300',
  type: ChannelType.GUILD_TEXT,
  permission_overwrites,
  ...over,
})
/** @everyone sees channels unless a test denies it. */
const roles = (everyone = 0n, first = 0n, second = 0n, foreign = 0n, seen = VIEW_CHANNEL): GuildRole[] => [
  { id: '201', permissions: String(first) },
  { id: guild, permissions: String(everyone | seen) },
  { id: '203', permissions: String(foreign) },
  { id: '202', permissions: String(second) },
]
const overwrite = (id: string, type: 0 | 1, allow: bigint, deny: bigint): ChannelOverwrite => ({
  id,
  type,
  allow: String(allow),
  deny: String(deny),
})

const permissionsOf = (
  own: readonly GuildRole[],
  where: GuildChannel | null = channel(),
  who = member(),
  facts: Parameters<typeof effectivePermissions>[3] = context,
) => effectivePermissions(who, own, where, facts)

describe('permissions in the guild', () => {
  test("[2.9-08] are those of @everyone and the member's roles, and of no other role", () => {
    expect(permissionsOf(roles(1n, 2n, 4n, 64n))).toBe(7n | VIEW_CHANNEL)
    expect(permissionsOf(roles(1n, 2n, 4n, 64n), channel(), member({ roles: [] }))).toBe(1n | VIEW_CHANNEL)
  })

  test('[2.9-08] keep bits beyond 2^53', () => {
    const bits = (1n << 63n) | (1n << 53n) | 1n
    expect(permissionsOf(roles(bits))).toBe(bits | VIEW_CHANNEL)
  })

  test.each([
    ['the everyone role', roles(ADMINISTRATOR)],
    ['a role', roles(0n, 0n, ADMINISTRATOR)],
  ])('[2.9-06] are all with ADMINISTRATOR through %s, whatever the channel denies', (_, roles) => {
    const denying = channel([overwrite(guild, 0, 0n, allPermissions), overwrite(user, 1, 0n, allPermissions)])
    const out = member({ communication_disabled_until: '2099-01-01T00:00:00Z' })
    expect(permissionsOf(roles, denying, out)).toBe(allPermissions)
  })

  test('[2.9-06] are all for the owner', () => {
    const denying = channel([overwrite(user, 1, 0n, allPermissions)])
    const owner = { ...context, ownerId: user }
    expect(permissionsOf(roles(), denying, member(), owner)).toBe(allPermissions)
    expect(permissionsOf(roles(), denying, member(), { ...context, ownerId: '8' })).toBe(0n)
  })

  test('[2.9-06] do not include ADMINISTRATOR from an overwrite', () => {
    const granting = channel([overwrite(user, 1, ADMINISTRATOR | KICK_MEMBERS, 0n)])
    expect(permissionsOf(roles(), granting)).toBe(KICK_MEMBERS | VIEW_CHANNEL)
  })

  test('[2.9-08] are member.permissions when roles are absent', () => {
    const known = member({ permissions: String(MANAGE_GUILD) })
    expect(permissionsOf([], channel(), known)).toBe(MANAGE_GUILD)
    expect(permissionsOf(roles(VIEW_CHANNEL), channel(), known)).toBe(VIEW_CHANNEL)
    expect(permissionsOf([])).toBe(0n)
    expect(permissionsOf([], channel(), member({ permissions: 8n }))).toBe(allPermissions)
  })

  test('[2.9-08] are those of the guild without a channel', () => {
    expect(permissionsOf(roles(1n, 2n, 0n, 0n, 0n), null)).toBe(3n)
  })

  test('[2.9-04] find the guild from the context, the channel, or the oldest role', () => {
    const denying = [overwrite(guild, 0, 0n, 1n)]
    const inGuild = channel(denying, { guild_id: guild })
    const older = [{ id: '50', permissions: '8' }, ...roles(3n)]
    expect(effectivePermissions(member(), roles(3n), channel(denying))).toBe(2n | VIEW_CHANNEL)
    expect(effectivePermissions(member(), roles(3n), inGuild)).toBe(2n | VIEW_CHANNEL)
    expect(effectivePermissions(member(), older, inGuild)).toBe(2n | VIEW_CHANNEL)
    // A shorter id is smaller, although it sorts later as a string.
    const young: GuildRole[] = [
      { id: '1000', permissions: '4' },
      { id: '99', permissions: String(1n | VIEW_CHANNEL) },
    ]
    expect(effectivePermissions(member({ roles: [] }), young, channel())).toBe(1n | VIEW_CHANNEL)
  })
})

describe('permissions in a channel', () => {
  // All states of one bit: absent, denied, allowed, or both, which means allowed.
  const states = [
    { allow: 0n, deny: 0n, verdict: undefined },
    { allow: 0n, deny: 1n, verdict: false },
    { allow: 1n, deny: 0n, verdict: true },
    { allow: 1n, deny: 1n, verdict: true },
  ]

  test('[2.9-08] apply @everyone, then all roles, then the member: every combination of one bit', () => {
    const bases = [0n, 1n]
    const all = combinations({ base: bases, everyone: states, first: states, second: states, own: states })
    for (const { base, everyone, first, second, own } of all) {
      const overwrites = [
        overwrite(user, 1, own.allow, own.deny),
        overwrite('201', 0, first.allow, first.deny),
        overwrite('202', 0, second.allow, second.deny),
        overwrite(guild, 0, everyone.allow, everyone.deny),
      ]
      const either = [first.verdict, second.verdict]
      const ofRoles = either.includes(true) ? true : either.includes(false) ? false : undefined
      const expected = own.verdict ?? ofRoles ?? everyone.verdict ?? base === 1n
      const permissions = permissionsOf(roles(base), channel(overwrites))
      expect(permissions).toBe(expected ? 1n | VIEW_CHANNEL : VIEW_CHANNEL)
    }
  })

  test('[2.9-08] ignore overwrites of other roles, other members, and of an id of the other type', () => {
    const overwrites = [
      overwrite('203', 0, 2n, 1n),
      overwrite('8', 1, 2n, 1n),
      overwrite(user, 0, 2n, 1n),
      overwrite('201', 1, 2n, 1n),
      overwrite(guild, 1, 2n, 1n),
    ]
    expect(permissionsOf(roles(1n), channel(overwrites))).toBe(1n | VIEW_CHANNEL)
  })

  test('[2.9-05] use the overwrites of the channel in a thread', () => {
    const parent = channel([overwrite(guild, 0, 0n, SEND_MESSAGES)])
    for (const type of [10, 11, 12]) {
      const thread = channel([overwrite(guild, 0, 0n, VIEW_CHANNEL)], { id: '301', type, parent_id: '300' })
      const base = roles(SEND_MESSAGES | VIEW_CHANNEL)
      expect(permissionsOf(base, { ...thread, parent })).toBe(VIEW_CHANNEL)
      expect(permissionsOf(base, thread)).toBe(0n)
    }
  })

  test('[2.9-05] ignore the category of a channel', () => {
    const parent = channel([overwrite(guild, 0, 0n, SEND_MESSAGES)], { type: ChannelType.GUILD_CATEGORY })
    const inside = channel([], { parent, parent_id: '300' })
    expect(permissionsOf(roles(SEND_MESSAGES), inside)).toBe(SEND_MESSAGES | VIEW_CHANNEL)
  })

  test('[2.9-08] do not change permissions that were computed in the channel', () => {
    const bits = fc.bigInt(0n, 2n ** 54n - 1n)
    const ofRole = fc.tuple(fc.constantFrom(guild, '201', '202', '203'), fc.constant(0 as const))
    const ofMember = fc.tuple(fc.constantFrom(user, '8'), fc.constant(1 as const))
    const any = fc
      .tuple(fc.oneof(ofRole, ofMember), bits, bits)
      .map(([[id, type], allow, deny]) => overwrite(id, type, allow, deny))
    forAny([bits, bits, fc.array(any, { maxLength: 6 })], 100, (everyone, first, overwrites) => {
      const here = channel(overwrites)
      const once = permissionsOf(roles(everyone, first), here)
      const again = permissionsOf([], here, member({ permissions: String(once) }))
      expect(again).toBe(once)
    })
  })
})

describe('permissions in a hidden channel', () => {
  const all = SEND_MESSAGES | MANAGE_GUILD

  test('[2.9-10] are none without VIEW_CHANNEL in the roles', () => {
    expect(permissionsOf(roles(all, 0n, 0n, 0n, 0n))).toBe(0n)
    expect(permissionsOf(roles(all, 0n, 0n, 0n, 0n), null)).toBe(all)
    expect(permissionsOf(roles(all, VIEW_CHANNEL, 0n, 0n, 0n))).toBe(all | VIEW_CHANNEL)
  })

  test.each([
    ['@everyone', overwrite(guild, 0, SEND_MESSAGES, VIEW_CHANNEL)],
    ['a role', overwrite('201', 0, SEND_MESSAGES, VIEW_CHANNEL)],
    ['the member', overwrite(user, 1, SEND_MESSAGES, VIEW_CHANNEL)],
  ])('[2.9-10] are none when an overwrite for %s denies VIEW_CHANNEL', (_, denying) => {
    expect(permissionsOf(roles(all), channel([denying]))).toBe(0n)
    expect(permissionsOf([], channel([denying]), member({ permissions: all }))).toBe(0n)
    const back = overwrite(user, 1, VIEW_CHANNEL, 0n)
    if (denying.type === 0)
      expect(permissionsOf(roles(all), channel([denying, back]))).toBe(all | VIEW_CHANNEL)
  })

  test('[2.9-10] are all for administrators and the owner', () => {
    const hidden = channel([overwrite(guild, 0, 0n, VIEW_CHANNEL)])
    expect(permissionsOf(roles(ADMINISTRATOR), hidden)).toBe(allPermissions)
    expect(permissionsOf(roles(), hidden, member(), { ...context, ownerId: user })).toBe(allPermissions)
  })

  test('[2.9-10] treat VIEW_CHANNEL as unknown in a given set without it, except 0', () => {
    const given = (permissions: bigint) => member({ permissions })
    const granting = channel([overwrite(user, 1, SEND_MESSAGES, 0n)])
    expect(permissionsOf([], granting, given(MANAGE_GUILD))).toBe(all)
    expect(permissionsOf([], granting, given(0n))).toBe(0n)
  })
})

describe('permissions during a timeout', () => {
  const base = roles(VIEW_CHANNEL | SEND_MESSAGES | MANAGE_GUILD | READ_MESSAGE_HISTORY)

  test('[2.9-08] are at most VIEW_CHANNEL and READ_MESSAGE_HISTORY', () => {
    const out = member({ communication_disabled_until: '2026-11-21T12:00:00.001000+00:00' })
    expect(permissionsOf(base, channel(), out)).toBe(VIEW_CHANNEL | READ_MESSAGE_HISTORY)
    const hidden = channel([overwrite(user, 1, KICK_MEMBERS, VIEW_CHANNEL)])
    expect(permissionsOf(base, hidden, out)).toBe(0n)
  })

  const ended = [null, '2026-11-21T12:00:00Z', '2020-01-01T00:00:00Z']
  test.each(ended)('[2.9-08] are not restricted: %s', (until) => {
    const back = member({ communication_disabled_until: until })
    expect(permissionsOf(roles(SEND_MESSAGES), channel(), back)).toBe(SEND_MESSAGES | VIEW_CHANNEL)
  })

  test('[5-05] are refused for an end that is not a time', () => {
    expect(() => permissionsOf(base, channel(), member({ communication_disabled_until: 'soon' }))).toThrow(
      new TypeError(
        'member.communication_disabled_until: expected an ISO 8601 timestamp or null, got the string "soon"',
      ),
    )
  })

  test('[2.9-08] use the system clock by default', () => {
    const at = (time: number) => member({ communication_disabled_until: new Date(time).toISOString() })
    const until = (time: number) =>
      permissionsOf(roles(SEND_MESSAGES), channel(), at(time), { guildId: guild })
    expect(until(Date.now() + 3_600_000)).toBe(VIEW_CHANNEL)
    expect(until(Date.now() - 1)).toBe(SEND_MESSAGES | VIEW_CHANNEL)
  })
})
