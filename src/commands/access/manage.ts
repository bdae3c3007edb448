/** Who may change the permissions of a command (clause 5-02). */
import { deepFreeze } from '../../core/freeze.ts'
import { demandObject } from '../../core/rules/arguments.ts'
import { listed } from '../../core/text.ts'
import { permissionBits, permissionNames } from '../../model/permission-bits.ts'
import { checkManagement } from './checks.ts'
import { memberPermissions, guildPermissions, isAdministrator } from './effective.ts'
import { explainAccess, type AccessRequest } from './access.ts'
import { PermissionFlag } from '../../model/permission-flags.ts'
import {
  entryKey,
  PermissionTargetType,
  allChannelsId,
  type CommandPermission,
  type MissingPermission,
} from '../../model/permission-entry.ts'
import type { GuildChannel, GuildMember, GuildRole, RankedRole } from '../../model/server.ts'

const { MANAGE_CHANNELS, MANAGE_GUILD, MANAGE_ROLES, USE_APPLICATION_COMMANDS, VIEW_CHANNEL } = PermissionFlag

/** A member who changes permissions, and the known roles, members and channels of the guild. */
export interface PermissionManager {
  /** The member. If `roles` is absent, the roles that grant the most are assumed. */
  readonly member: Omit<GuildMember, 'roles'> & { readonly roles?: readonly string[] }
  /** The guild's roles, including `@everyone`. If they or the member's own are absent, `member.permissions` is used. */
  readonly roles?: readonly RankedRole[]
  /** The user who owns the guild. */
  readonly ownerId?: string
  /** The known members that entries are for. */
  readonly members?: readonly Pick<GuildMember, 'user' | 'roles'>[]
  /** The known channels that entries are for. */
  readonly channels?: readonly GuildChannel[]
}

/** A change of permissions, and the member who makes it. */
export interface ManagementRequest extends Pick<AccessRequest, 'guildId' | 'appOverwrites' | 'now'> {
  readonly manager: PermissionManager
  /** The command whose permissions are changed; null for those of the app as a whole. */
  readonly command: AccessRequest['command'] | null
  /** The stored entries of the command, or of the app if `command` is null. */
  readonly before: readonly CommandPermission[]
  readonly after: readonly CommandPermission[]
}

/**
 * Every reason why a member may not change the permissions of a command; empty if the member may (clause 5-02).
 * Administrators and the owner of the guild may. Every other member needs:
 *
 * 1. MANAGE_GUILD and MANAGE_ROLES in the guild;
 * 2. to be able to run the command in some channel;
 * 3. to manage the targets of the entries that change: a highest role above the role, or above the user's highest role;
 *    MANAGE_CHANNELS in the channel. The guild's owner is above every member.
 *
 * Unknown facts are assumed in the member's favour: roles without positions, members and channels that are not given.
 * If the member's own roles are unknown, one role that an entry allows is enough to run the command, and an entry that
 * denies a role does not count; the entry for `@everyone` counts, because every member has that role. If
 * `member.permissions` lacks USE_APPLICATION_COMMANDS, it is taken for a part of the member's permissions, and missing
 * bits do not count; if the roles are unknown too, only entries for users count.
 *
 * @throws TypeError if the guild id is not a snowflake, or a set of permissions is not a decimal string or a bigint
 */
export function missingToManage(request: ManagementRequest): readonly MissingPermission[] {
  demandObject(request, 'request')
  const { manager, guildId } = request
  const given = demandObject(demandObject(manager, 'manager').member, 'manager.member')
  // Only absent roles are unknown ones, which count in the member's favour.
  const member = { ...manager.member, roles: given.roles === undefined ? [] : manager.member.roles! }
  checkManagement({ ...request, manager: { ...manager, member } }, '')
  // If the member's own roles are unknown, those of the guild do not help.
  const roles = manager.member.roles === undefined ? [] : (manager.roles ?? [])
  const base = guildPermissions(member, roles, guildId) ?? 0n
  if (isAdministrator(member, base, manager.ownerId)) return Object.freeze([])
  const missing: MissingPermission[] = []
  const lacking = missingToManageGuild(memberPermissions(member, roles, null, request))
  if (lacking.length > 0) {
    const text = `The member lacks ${listed(lacking)} in the guild.`
    missing.push({ code: 'manage_guild', permissions: lacking, text })
  }
  const reason = request.command === null ? null : whyNotRun(request, member, roles, base)
  if (reason !== null) missing.push({ code: 'run_command', permissions: [], text: reason })
  for (const entry of changedEntries(request)) {
    const reason = whyNotManage(entry, request, member, roles)
    if (reason !== null) missing.push(reason)
  }
  return deepFreeze(missing)
}

/** The names of the permissions, out of those that changing command permissions requires in a guild, that are missing. */
export function missingToManageGuild(permissions: string | bigint): readonly string[] {
  const bits = permissionBits(permissions, 'permissions')
  if ((bits & PermissionFlag.ADMINISTRATOR) !== 0n) return []
  return permissionNames((MANAGE_GUILD | MANAGE_ROLES) & ~bits)
}

function whyNotRun(
  request: ManagementRequest,
  member: GuildMember,
  roles: readonly GuildRole[],
  base: bigint,
): string | null {
  const { manager, guildId, now } = request
  const areComplete = roles.length > 0 || (base & USE_APPLICATION_COMMANDS) !== 0n
  const rolesCount = areComplete || manager.member.roles !== undefined
  const counts = ({ type }: CommandPermission) =>
    type === PermissionTargetType.USER || (type === PermissionTargetType.ROLE && rolesCount)
  const overwrites = request.before.filter(counts)
  const appOverwrites = (request.appOverwrites ?? []).filter(counts)
  const { permissions, ...person } = member
  const { allowed, trace } = explainAccess({
    command: areComplete ? request.command! : { default_member_permissions: null },
    overwrites,
    appOverwrites,
    member: {
      ...person,
      roles: manager.member.roles ?? helpfulRoles(overwrites, appOverwrites),
      ...(areComplete && permissions !== undefined && { permissions }),
    },
    // A channel that the member can view. No real channel has this id, so no entry for a channel applies.
    channel: {
      id: '0',
      permission_overwrites: [{ id: member.user.id, type: 1, allow: VIEW_CHANNEL, deny: 0n }],
    },
    roles,
    guildId,
    ...(now !== undefined && { now }),
  })
  return allowed ? null : `The member cannot run the command: ${trace.at(-1)!.text}`
}

/** The roles that grant the most: those that the command's entries allow or, without such an entry, the app's. */
function helpfulRoles(
  overwrites: readonly CommandPermission[],
  appOverwrites: readonly CommandPermission[],
): readonly string[] {
  const verdicts = new Map<string, boolean>()
  for (const { type, id, permission } of [...appOverwrites, ...overwrites]) {
    if (type === PermissionTargetType.ROLE) verdicts.set(id, permission)
  }
  return [...verdicts].filter(([, allows]) => allows).map(([id]) => id)
}

/** The entries that were added, removed or changed; of several for one target the last counts. */
function changedEntries({ before, after }: ManagementRequest): readonly CommandPermission[] {
  const byTarget = (entries: readonly CommandPermission[]) =>
    new Map(entries.map((entry) => [entryKey(entry), entry]))
  const [old, next] = [byTarget(before), byTarget(after)]
  const changed = [...next].filter(([target, { permission }]) => old.get(target)?.permission !== permission)
  const removed = [...old].filter(([target]) => !next.has(target))
  return [...changed, ...removed].map(([, entry]) => entry)
}

function whyNotManage(
  { type, id }: CommandPermission,
  request: ManagementRequest,
  member: GuildMember,
  roles: readonly GuildRole[],
): MissingPermission | null {
  const { manager, guildId } = request
  switch (type) {
    case PermissionTargetType.ROLE: {
      if (id === guildId || !outranks([id], manager)) return null
      const text = `The member's highest role is not above role ${id}.`
      return { code: 'manage_role', id, permissions: [], text }
    }
    case PermissionTargetType.USER: {
      if (id === member.user.id) return null
      const target = manager.members?.find(({ user }) => user.id === id)
      const isOwner = id === manager.ownerId
      if (!isOwner && !outranks(target?.roles, manager)) return null
      const text = isOwner
        ? `User ${id} owns the guild.`
        : `The member's highest role is not above that of user ${id}.`
      return { code: 'manage_user', id, permissions: [], text }
    }
    case PermissionTargetType.CHANNEL: {
      const { channels } = manager
      const channel = channels?.find((one) => one.id === id) ?? null
      if (channels === undefined || (channel === null && id !== allChannelsId(guildId))) return null
      const bits = memberPermissions(member, roles, channel, request)
      if ((bits & MANAGE_CHANNELS) !== 0n) return null
      const place = channel === null ? 'in all channels' : `in channel ${id}`
      const text = `The member lacks MANAGE_CHANNELS ${place}.`
      return { code: 'manage_channel', id, permissions: ['MANAGE_CHANNELS'], text }
    }
  }
}

/** Whether the highest of some roles is known to be at least the manager's own. */
function outranks(ids: readonly string[] | undefined, manager: PermissionManager): boolean {
  // A comparison with NaN is false.
  return highest(ids, manager) >= highest(manager.member.roles, manager)
}

/** The position of the highest of some roles; -1 without roles, NaN if unknown. */
function highest(ids: readonly string[] | undefined, { roles }: PermissionManager): number {
  if (ids === undefined || roles === undefined) return NaN
  return Math.max(-1, ...ids.map((id) => roles.find((role) => role.id === id)?.position ?? NaN))
}
