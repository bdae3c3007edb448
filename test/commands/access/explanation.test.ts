import { describe, expect, test } from 'vitest'
import {
  BAN_MEMBERS,
  KICK_MEMBERS,
  USE_APPLICATION_COMMANDS,
  everywhere,
  user,
  first,
  second,
  member,
  closed,
  requiring,
  forUser,
  forRole,
  forEveryone,
  forChannel,
  forAllChannels,
  explain,
  lastStep,
} from './requests.ts'

describe('the explanation', () => {
  test('[2.9-08] lists every step up to the deciding one', () => {
    const { allowed, trace } = explain({
      command: requiring(KICK_MEMBERS | BAN_MEMBERS),
      member: member({ permissions: USE_APPLICATION_COMMANDS | KICK_MEMBERS }),
      overwrites: [forAllChannels(false), forChannel(true)],
      appOverwrites: [forEveryone(true)],
    })
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
    const roles = [forRole(false), forRole(false, second)]
    const overwrites = [forUser(true), ...roles, forUser(false), forEveryone(true)]
    const of = (index: number, target: string) => ({ of: 'command', index, target, ...overwrites[index] })
    const { allowed, trace } = explain({ overwrites })
    expect(allowed).toBe(false)
    expect(trace.at(-1)).toEqual({
      step: 'command',
      outcome: 'denied',
      entries: [of(3, 'user')],
      overruled: [of(0, 'user'), of(1, 'role'), of(2, 'role'), of(4, 'everyone')],
      missing: [],
      text: "The command's entry for user 7 denies it. The command's entries for user 7 and @everyone, which allow it, do not count.",
      otherwise: {
        step: 'command',
        outcome: 'denied',
        // Without the entries for the user.
        entries: [
          { ...of(1, 'role'), index: 0 },
          { ...of(2, 'role'), index: 1 },
        ],
        overruled: [{ ...of(4, 'everyone'), index: 2 }],
        missing: [],
        text: "The command's entries for role 201 and role 202 deny it. The command's entry for @everyone, which allows it, does not count.",
      },
    })
  })

  test('[2.9-08] prefers an allowing role to a denying one', () => {
    expect(lastStep({ overwrites: [forRole(false), forRole(true, second)] })).toMatchObject({
      outcome: 'allowed',
      entries: [{ id: second }],
      overruled: [{ id: first }],
      otherwise: { step: 'command', outcome: 'denied', entries: [{ id: first }] },
    })
  })

  test('[2.9-02] marks a repeated entry as overruled by the last, even when both are equal', () => {
    expect(lastStep({ overwrites: [forRole(true), forRole(true), forRole(true, second)] })).toMatchObject({
      entries: [{ index: 1 }, { index: 2 }],
      overruled: [{ index: 0 }],
      text: "The command's entries for role 201 and role 202 allow it.",
    })
  })

  test('[2.9-06] shows for an administrator the decision for other members', () => {
    const { allowed, trace } = explain({ member: member({ permissions: '8' }), command: closed })
    expect(allowed).toBe(true)
    expect(trace).toHaveLength(1)
    expect(trace[0]).toMatchObject({ step: 'administrator', otherwise: { step: 'use_application_commands' } })
    const owner = explain({ ownerId: user, command: closed })
    expect(owner.trace[0]!.otherwise).toMatchObject({
      step: 'default_member_permissions',
      outcome: 'denied',
      text: 'Default permissions: administrators only, unless an entry of the command allows it.',
    })
  })

  test('[2.9-08] shows why a member may not use commands, and the decision of the entries', () => {
    const out = member({ communication_disabled_until: '2099-01-01T00:00:00Z' })
    expect(lastStep({ member: out, overwrites: [forUser(true)] })).toMatchObject({
      step: 'use_application_commands',
      outcome: 'denied',
      text: 'The member is timed out and cannot use commands.',
      otherwise: { step: 'command', outcome: 'allowed' },
    })
    const without = member({ permissions: '0' })
    expect(lastStep({ member: without, overwrites: [forChannel(false)] })).toMatchObject({
      outcome: 'denied',
      missing: ['VIEW_CHANNEL', 'USE_APPLICATION_COMMANDS'],
      otherwise: { step: 'channel', outcome: 'denied' },
    })
  })

  test('[2.9-08] shows the entry of the app that denies a channel, and the next decision', () => {
    expect(lastStep({ appOverwrites: [forAllChannels(false)] })).toMatchObject({
      step: 'channel',
      outcome: 'denied',
      entries: [{ of: 'application', target: 'all_channels', id: everywhere }],
      otherwise: { step: 'default_member_permissions', outcome: 'allowed' },
      text: "The app's entry for All Channels denies it.",
    })
  })

  test('[2.9-08] is frozen data that survives JSON', () => {
    const explanation = explain({ overwrites: [forUser(true)], member: member({ permissions: 1n << 31n }) })
    expect(JSON.parse(JSON.stringify(explanation))).toEqual(explanation)
    expect(Object.isFrozen(explanation.trace)).toBe(true)
    expect(Object.isFrozen(explanation.trace.at(-1)!.entries[0])).toBe(true)
  })

  test('[2.9-08] does not change the given entries', () => {
    const overwrites = [forUser(true), forRole(false)]
    explain({ overwrites })
    expect(overwrites).toEqual([forUser(true), forRole(false)])
    expect(Object.isFrozen(overwrites[0])).toBe(false)
  })
})
