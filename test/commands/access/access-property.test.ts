import { describe, expect, test } from 'vitest'
import { canUse, ChannelType, explainAccess } from 'commandry'
import type { AccessRequest, CommandPermission } from 'commandry'
import { fc, forAny } from '../../support/properties.ts'
import {
  KICK_MEMBERS,
  USE_APPLICATION_COMMANDS,
  guildId,
  everywhere,
  user,
  first,
  second,
  here,
  use,
  seeAndUse,
  role,
  forUser,
} from './requests.ts'

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
    roles: fc.tuple(bits, bits).map(([everyone, own]) => [role(guildId, everyone), role(first, own)]),
    ownerId: fc.constantFrom(user, '8'),
  },
  { requiredKeys: ['command', 'member', 'channel', 'guildId', 'now'] },
)
const lists = fc.constantFrom('overwrites' as const, 'appOverwrites' as const)

describe('any request', () => {
  test('[2.9-08] gets the same result from canUse and explainAccess', () => {
    forAny([request], 500, (request) => {
      const { allowed, trace } = explainAccess(request)
      expect(canUse(request)).toBe(allowed)
      const outcomes = trace.map(({ outcome }) => outcome)
      expect(outcomes.pop()).toBe(allowed ? 'allowed' : 'denied')
      expect(outcomes.every((outcome) => outcome === 'continue')).toBe(true)
      expect(trace.every(({ text }) => /^(?:The|No|Default permissions:) .*\.$/.test(text))).toBe(true)
    })
  })

  test('[2.9-08] is decided by the "otherwise" step once the deciding entries are removed', () => {
    forAny([request], 300, (request) => {
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
    })
  })

  test('[2.9-07] never loses a command by an allow for the user', () => {
    forAny([request, lists, fc.nat(8)], 500, (request, list, place) => {
      const entries = [...(request[list] ?? [])]
      entries.splice(place, 0, forUser(true))
      if (canUse(request)) expect(canUse({ ...request, [list]: entries })).toBe(true)
    })
  })

  test('[2.9-07] never gains a command by a deny for the user', () => {
    forAny([request, lists], 500, (request, list) => {
      const entries = [...(request[list] ?? []), forUser(false)]
      if (!canUse(request)) expect(canUse({ ...request, [list]: entries })).toBe(false)
    })
  })

  test('[2.9-06] is always allowed for administrators and owners', () => {
    forAny([request], 100, (request) => {
      expect(canUse({ ...request, ownerId: user })).toBe(true)
      const { roles: _, ...without } = request
      expect(canUse({ ...without, member: { ...request.member, permissions: '8' } })).toBe(true)
    })
  })

  test('[2.9-02] follows the last entry of a repeated target', () => {
    forAny(
      [request, lists, fc.array(entry, { minLength: 1, maxLength: 4 })],
      500,
      (request, list, entries) => {
        const unique = [...new Map(entries.map((entry) => [`${entry.type} ${entry.id}`, entry])).values()]
        const opposite = unique.map((entry) => ({ ...entry, permission: !entry.permission }))
        expect(canUse({ ...request, [list]: [...opposite, ...unique] })).toBe(
          canUse({ ...request, [list]: unique }),
        )
      },
    )
  })
})
