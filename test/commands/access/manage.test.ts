import { describe, expect, it } from 'vitest'
import { canUse, CommandRegistry, globalScope, missingToManage, PermissionFlag } from 'commandry'
import type { CommandPermission } from 'commandry'
import { missingToManageGuild } from '../../../src/commands/access/manage.ts'
import { attempt } from '../../support/attempt.ts'
import { handClock, HOUR } from '../../support/clock.ts'
import { app } from '../../support/fixtures.ts'
import { fc, forAny } from '../../support/properties.ts'

const { BAN_MEMBERS, MANAGE_CHANNELS, MANAGE_GUILD, MANAGE_ROLES, VIEW_CHANNEL } = PermissionFlag
const { ADMINISTRATOR, USE_APPLICATION_COMMANDS: USE } = PermissionFlag

type ManagementRequest = Parameters<typeof missingToManage>[0]
type PermissionManager = ManagementRequest['manager']

const guildId = '2001'
const me = '3001'
const both = MANAGE_GUILD | MANAGE_ROLES

const manager = (
  permissions: bigint,
  over: Partial<PermissionManager> = {},
  roles: string[] = [],
): PermissionManager => ({ member: { user: { id: me }, roles, permissions }, ...over })

const open = { default_member_permissions: null }
const deniedByDefault = { default_member_permissions: '0' }
const unchanged = { manager: manager(both | USE), guildId, command: open, before: [], after: [], now: 0 }
const ask = (over: Partial<ManagementRequest> = {}) => missingToManage({ ...unchanged, ...over })
const codes = (over: Partial<ManagementRequest> = {}) => ask(over).map(({ code }) => code)

const forRole = (id: string, permission = true): CommandPermission => ({ id, type: 1, permission })
const forUser = (id: string, permission = true): CommandPermission => ({ id, type: 2, permission })
/** A change that keeps the entries. */
const keeping = (...entries: CommandPermission[]) => ({ before: entries, after: entries })
const forChannel = (id: string, permission = true): CommandPermission => ({ id, type: 3, permission })

it('[5-02] permissions of a manager must be MANAGE_GUILD and MANAGE_ROLES, or ADMINISTRATOR', () => {
  for (const [bits, missing] of [
    [0n, ['MANAGE_GUILD', 'MANAGE_ROLES']],
    [MANAGE_GUILD, ['MANAGE_ROLES']],
    [MANAGE_ROLES, ['MANAGE_GUILD']],
    [both, []],
    [ADMINISTRATOR, []],
  ] as const) {
    expect(missingToManageGuild(bits)).toEqual(missing)
    expect(missingToManageGuild(String(bits))).toEqual(missing)
    expect(ask({ manager: manager(bits | USE) }).flatMap(({ permissions }) => permissions)).toEqual(missing)
  }
  expect(codes({ manager: { member: { user: { id: me }, roles: [] } } })).toEqual(['manage_guild'])
  expect(codes({ manager: manager(0n, { ownerId: me }) })).toEqual([])
})

it('[5-02] permissions of a manager are computed from roles, and restricted by a timeout', () => {
  const roles = [
    { id: guildId, permissions: String(USE) },
    { id: '9', permissions: String(both) },
  ]
  expect(codes({ manager: manager(0n, { roles }, ['9']) })).toEqual([])
  expect(codes({ manager: manager(both, { roles }) })).toEqual(['manage_guild'])
  const member = { user: { id: me }, roles: ['9'], communication_disabled_until: '1970-01-01T00:00:01Z' }
  expect(codes({ manager: { member, roles }, now: 0 })).toEqual(['manage_guild', 'run_command'])
  expect(codes({ manager: { member, roles }, now: 2_000 })).toEqual([])
})

describe('a manager and the command', () => {
  it('[5-02] must be able to run it', () => {
    const banners = { default_member_permissions: String(BAN_MEMBERS) }
    const text =
      'The member cannot run the command: Default permissions: the command requires BAN_MEMBERS in this channel; the member lacks BAN_MEMBERS.'
    expect(ask({ command: banners })).toEqual([{ code: 'run_command', permissions: [], text }])
    expect(codes({ command: banners, ...keeping(forUser(me)) })).toEqual([])
    expect(codes({ command: banners, manager: manager(both | USE | BAN_MEMBERS) })).toEqual([])
    expect(codes({ command: deniedByDefault })).toEqual(['run_command'])
    expect(codes({ command: null })).toEqual([])
    const denied = [forRole(guildId, false)]
    expect(codes(keeping(...denied))).toEqual(['run_command'])
    expect(codes({ appOverwrites: denied })).toEqual(['run_command'])
    expect(codes({ before: denied, manager: manager(ADMINISTRATOR) })).toEqual([])
  })

  it('[5-02] may be able to run it in any channel', () => {
    expect(codes(keeping(forChannel('4001', false), forChannel('2000', false)))).toEqual([])
  })

  it('[5-02] is checked by entries only when the bits lack USE_APPLICATION_COMMANDS', () => {
    const partial = manager(both)
    expect(codes({ manager: partial, command: deniedByDefault })).toEqual([])
    expect(codes({ manager: partial, ...keeping(forUser(me, false)) })).toEqual(['run_command'])
    const denied = keeping(forRole(guildId, false))
    expect(codes({ manager: partial, ...denied })).toEqual(['run_command'])
    const rolesUnknown = { member: { user: { id: me }, permissions: both } }
    expect(codes({ manager: rolesUnknown, ...denied })).toEqual([])
    expect(codes({ manager: { ...partial, roles: [] }, command: deniedByDefault })).toEqual([])
  })

  it('[5-02] is not checked by entries of the app for roles while roles and permissions are unknown', () => {
    const unknown: PermissionManager = { member: { user: { id: me }, permissions: both } }
    const denied = [forRole(guildId, false), forRole('5001', false)]
    expect(codes({ manager: unknown, appOverwrites: denied })).toEqual([])
    expect(codes({ manager: unknown, appOverwrites: [forUser(me, false)] })).toEqual(['run_command'])
    expect(codes({ manager: manager(both), appOverwrites: denied })).toEqual(['run_command'])
  })

  it('[2.9-10] [5-02] may lack VIEW_CHANNEL in the server, because a channel may allow it', () => {
    const roles = [{ id: guildId, permissions: String(both | USE) }]
    expect(codes({ manager: { member: { user: { id: me }, roles: [] }, roles } })).toEqual([])
  })

  const roleMap = { ...manager(both | USE), roles: {} }
  it.each([
    ['before', { before: { permissions: [] } }, /^before: expected the list of permission entries/],
    ['after', { after: [{ id: 7, type: 1, permission: true }] }, /^after\[0\]\.id: expected a snowflake/],
    ['manager.roles', { manager: roleMap }, /^manager\.roles: expected the list/],
    ['manager.member', { manager: { member: { user: null } } }, /^manager\.member\.user: expected/],
    ['guildId', { guildId: 2001 }, /^guildId: expected a snowflake/],
  ])('[5-02] rejects a request whose %s has the wrong shape', (_, over, error) => {
    expect(() => ask(over as never)).toThrow(error)
  })

  const rolesUnknownManager: PermissionManager = { member: { user: { id: me }, permissions: both | USE } }

  it('[5-02] is not judged by the roles of the guild while their roles are unknown', () => {
    const roles = [{ id: guildId, permissions: '0' }]
    expect(codes({ manager: { ...rolesUnknownManager, roles } })).toEqual([])
    expect(codes({ manager: { member: { user: { id: me } }, roles } })).toEqual(['manage_guild'])
  })

  it('[5-02] [2.9-04] can run what a member with any roles could while their roles are unknown', () => {
    const ids = ['5001', '5002', '5003']
    const entry = fc.oneof(
      fc.tuple(fc.constantFrom(guildId, ...ids), fc.boolean()).map(([id, may]) => forRole(id, may)),
      fc.tuple(fc.constantFrom(me, '3002'), fc.boolean()).map(([id, may]) => forUser(id, may)),
    )
    const entries = fc.array(entry, { maxLength: 5 })
    const command = fc.record({
      default_member_permissions: fc.constantFrom(null, '0', String(BAN_MEMBERS), String(MANAGE_GUILD)),
    })
    const sets = ids.reduce<string[][]>((all, id) => [...all, ...all.map((set) => [...set, id])], [[]])
    forAny([command, entries, entries], 500, (asked, before, appOverwrites) => {
      const request = { command: asked, appOverwrites, channel: { id: '4001' }, guildId }
      const could = sets.some((roles) =>
        canUse({ ...request, overwrites: before, member: { ...rolesUnknownManager.member, roles } }),
      )
      expect(codes({ ...request, manager: rolesUnknownManager, before, after: before })).toEqual(
        could ? [] : ['run_command'],
      )
    })
  })
})

describe('targets of entries', () => {
  const roles = [
    { id: guildId, permissions: String(USE), position: 0 },
    { id: '10', permissions: '0', position: 1 },
    { id: '20', permissions: String(both), position: 2 },
    { id: '30', permissions: '0', position: 3 },
  ]
  const ranked = (over: Partial<PermissionManager> = {}) => manager(0n, { roles, ...over }, ['20'])

  it('[5-02] must be roles below the highest of the manager', () => {
    for (const id of [guildId, '10', '20', '30', '99']) {
      const expected = ['20', '30'].includes(id) ? ['manage_role'] : []
      expect(codes({ manager: ranked(), after: [forRole(id)] })).toEqual(expected)
      expect(codes({ manager: ranked({ ownerId: me }), after: [forRole(id)] })).toEqual([])
    }
    const unranked = roles.map(({ id, permissions }) => ({ id, permissions }))
    expect(codes({ manager: ranked({ roles: unranked }), after: [forRole('30')] })).toEqual([])
  })

  it('[5-02] may be @everyone for a manager without roles', () => {
    const without = manager(both | USE, { roles }, [])
    const lone = { ...ranked(), member: { user: { id: me }, roles: [] as string[], permissions: both | USE } }
    for (const known of [without, lone])
      expect(codes({ manager: known, after: [forRole(guildId)] })).not.toContain('manage_role')
    expect(codes({ manager: lone, after: [forRole('10')] })).toContain('manage_role')
  })

  it('[5-02] are checked only if their entries change', () => {
    const entry = forRole('30')
    const denied = forRole('30', false)
    const changing = (...after: CommandPermission[]) => codes({ manager: ranked(), before: [entry], after })
    expect(changing(entry)).toEqual([])
    expect(changing()).toEqual(['manage_role'])
    expect(changing(denied)).toEqual(['manage_role'])
    // The last entry for a target counts.
    expect(changing(denied, entry)).toEqual([])
  })

  it('[5-02] must be users below the manager, and never the owner', () => {
    const members = [
      { user: { id: '1' }, roles: [] },
      { user: { id: '2' }, roles: ['10'] },
      { user: { id: '3' }, roles: ['10', '20'] },
      { user: { id: '4' }, roles: ['30'] },
    ]
    const of = (id: string) => codes({ manager: ranked({ members, ownerId: '2' }), after: [forUser(id)] })
    for (const id of ['1', '5', me]) expect(of(id)).toEqual([])
    for (const id of ['2', '3', '4']) expect(of(id)).toEqual(['manage_user'])
  })

  it('[5-02] must be channels that the manager can manage; All Channels needs the permission in the guild', () => {
    const allow = String(MANAGE_CHANNELS | VIEW_CHANNEL)
    const overwrite = { id: me, type: 1, allow, deny: '0' } as const
    const channels = [{ id: '4001' }, { id: '4002', permission_overwrites: [overwrite] }]
    const of = (id: string, known = channels) =>
      codes({ manager: ranked({ channels: known }), after: [forChannel(id)] })
    expect(of('4001')).toEqual(['manage_channel'])
    expect(of('4002')).toEqual([])
    expect(of('4003')).toEqual([])
    expect(of('2000')).toEqual(['manage_channel'])
    expect(codes({ manager: ranked(), after: [forChannel('4001'), forChannel('2000')] })).toEqual([])
  })
})

describe('the registry', () => {
  const clock = handClock()
  const registry = new CommandRegistry({ clock })

  it('[5-02] checks the manager and changes nothing when they are refused', async () => {
    const { command } = await registry.upsert(globalScope(app), { name: 'ping', description: 'Says pong' })
    const set = (who: PermissionManager | undefined, entries: unknown, target = command.id) =>
      attempt(() => registry.setPermissions(app, guildId, target, entries, who && { manager: who }))
    const refused = await set(manager(USE), [forUser('7')])
    expect(refused?.code).toBe('missing_permissions')
    expect(refused?.missing.map(({ code }) => code)).toEqual(['manage_guild'])
    expect(refused?.message).toBe(
      'the manager may not set these permissions: The member lacks MANAGE_GUILD and MANAGE_ROLES in the guild.',
    )
    expect(await registry.listPermissions(app, guildId)).toEqual([])

    expect(await set(manager(both | USE), [forUser('7')])).toBeUndefined()
    expect(await set(manager(both | USE), [forRole(guildId, false)], app)).toBeUndefined()
    expect((await set(manager(both | USE), []))?.missing.map(({ code }) => code)).toEqual(['run_command'])
    expect(await set(manager(both | USE), [], app)).toBeUndefined()
    expect(await set(undefined, [])).toBeUndefined()

    // Invalid arguments are reported first.
    expect((await set(manager(0n), [], '999'))?.code).toBe('unknown_command')
    expect((await set(manager(0n), [{ id: 'x' }]))?.code).toBe('invalid')
  })

  it('[5-02] uses its own clock for timeouts', async () => {
    const until = new Date(clock.now() + HOUR).toISOString()
    const { member } = manager(both | USE)
    const timedOut = { member: { ...member, communication_disabled_until: until } }
    const set = () => attempt(() => registry.setPermissions(app, guildId, app, [], { manager: timedOut }))
    expect((await set())?.code).toBe('missing_permissions')
    clock.advance(2 * HOUR)
    expect(await set()).toBeUndefined()
  })
})
