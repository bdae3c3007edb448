import { describe, expect, test } from 'vitest'
import { type AccessRequest, canUse, ChannelType, explainAccess } from 'commandry'
import {
  BAN_MEMBERS,
  KICK_MEMBERS,
  USE_APPLICATION_COMMANDS,
  guildId,
  everywhere,
  user,
  first,
  second,
  here,
  use,
  member,
  channel,
  open,
  ask,
  forUser,
  forRole,
  forEveryone,
  forChannel,
  forAllChannels,
} from './decisions.ts'

describe('the explanation', () => {
  test('[2.9-08] lists every step up to the deciding one', () => {
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
      ['administrator', 'continue', 'The member is not an administrator.'],
      ['use_application_commands', 'continue', 'The member has USE_APPLICATION_COMMANDS in this channel.'],
      [
        'channel',
        'continue',
        "The command's entry for channel 300 allows it. The command's entry for All Channels, which denies it, does not count.",
      ],
      ['command', 'continue', 'No entry of the command is about this member.'],
      ['application', 'continue', "The app's entry for @everyone allows it."],
      [
        'default_member_permissions',
        'denied',
        'Default permissions: the command requires KICK_MEMBERS and BAN_MEMBERS in this channel; the member lacks BAN_MEMBERS.',
      ],
    ])
    expect(trace.at(-1)).toMatchObject({ missing: ['BAN_MEMBERS'], otherwise: null })
  })

  test('[2.9-08] has the deciding entry, the overruled ones, and the decision without it', () => {
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

  test('[2.9-08] prefers an allowing role to a denying one', () => {
    const { trace } = explainAccess(ask({ overwrites: [forRole(false), forRole(true, second)] }))
    expect(trace.at(-1)).toMatchObject({
      outcome: 'allowed',
      entries: [{ id: second }],
      overruled: [{ id: first }],
      otherwise: { step: 'command', outcome: 'denied', entries: [{ id: first }] },
    })
  })

  test('[2.9-02] marks a repeated entry as overruled by the last, even when both are equal', () => {
    const { trace } = explainAccess(
      ask({ overwrites: [forRole(true), forRole(true), forRole(true, second)] }),
    )
    expect(trace.at(-1)).toMatchObject({ entries: [{ index: 1 }, { index: 2 }], overruled: [{ index: 0 }] })
    expect(trace.at(-1)!.text).toBe("The command's entries for role 201 and role 202 allow it.")
  })

  test('[2.9-06] shows for an administrator the decision for other members', () => {
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
      text: 'Default permissions: administrators only, unless an entry of the command allows it.',
    })
  })

  test('[2.9-08] shows why a member may not use commands, and the decision of the entries', () => {
    const out = member({ communication_disabled_until: '2099-01-01T00:00:00Z' })
    expect(explainAccess(ask({ member: out, overwrites: [forUser(true)] })).trace.at(-1)).toMatchObject({
      step: 'use_application_commands',
      outcome: 'denied',
      text: 'The member is timed out and cannot use commands.',
      otherwise: { step: 'command', outcome: 'allowed' },
    })
    const without = explainAccess(
      ask({ member: member({ permissions: '0' }), overwrites: [forChannel(false)] }),
    )
    expect(without.trace.at(-1)).toMatchObject({
      outcome: 'denied',
      missing: ['VIEW_CHANNEL', 'USE_APPLICATION_COMMANDS'],
      otherwise: { step: 'channel', outcome: 'denied' },
    })
  })

  test('[2.9-08] shows the entry of the app that denies a channel, and the next decision', () => {
    const { trace } = explainAccess(ask({ appOverwrites: [forAllChannels(false)] }))
    expect(trace.at(-1)).toMatchObject({
      step: 'channel',
      outcome: 'denied',
      entries: [{ of: 'application', target: 'all_channels', id: everywhere }],
      otherwise: { step: 'default_member_permissions', outcome: 'allowed' },
      text: "The app's entry for All Channels denies it.",
    })
  })

  test('[2.9-08] is frozen data that survives JSON', () => {
    const explanation = explainAccess(
      ask({ overwrites: [forUser(true)], member: member({ permissions: 1n << 31n }) }),
    )
    expect(JSON.parse(JSON.stringify(explanation))).toEqual(explanation)
    expect(Object.isFrozen(explanation.trace) && Object.isFrozen(explanation.trace.at(-1)!.entries[0])).toBe(
      true,
    )
  })

  test('[2.9-08] does not change the given entries', () => {
    const overwrites = [forUser(true), forRole(false)]
    explainAccess(ask({ overwrites }))
    expect(overwrites).toEqual([forUser(true), forRole(false)])
    expect(Object.isFrozen(overwrites[0])).toBe(false)
  })
})

describe('an invalid request', () => {
  const stored = { id: '1', application_id: '2', guild_id: guildId, permissions: [forUser(false)] }
  const denying = { id: user, type: 1, allow: '0', deny: use }

  const overwrites = (permission_overwrites: unknown) => ({ channel: { ...channel, permission_overwrites } })
  const thread = { ...channel, type: ChannelType.PUBLIC_THREAD }

  // Each of these would allow the member if it were not validated.
  test.each<[string, object]>([
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
    [
      'channel.parent.permission_overwrites[0].id',
      { channel: { ...thread, parent: { id: here, permission_overwrites: [{}] } } },
    ],
    ['roles', { roles: { [guildId]: use } }],
    ['roles[0].permissions', { roles: [{ id: guildId }] }],
    ['ownerId', { ownerId: 8 }],
    ['now', { now: Number.NaN }],
    ['command', { command: undefined }],
    ['command.default_permission', { command: { ...open, default_permission: 'false' } }],
    ['command.default_member_permissions', { command: { default_member_permissions: 8 } }],
  ])('[2.9-08] is rejected with the name of the field: %s', (field, over) => {
    for (const question of [canUse, explainAccess]) {
      expect(() => question({ ...ask(), ...over } as AccessRequest)).toThrow(
        expect.objectContaining({
          name: 'TypeError',
          message: expect.stringContaining(`${field}: expected `),
        }),
      )
    }
  })
})
