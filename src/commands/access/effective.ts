/** The permissions of a member in a channel. */
import { systemClock } from '../../core/clock.ts'
import { compareSnowflakes } from '../../core/snowflake.ts'
import { allPermissions, permissionBits } from '../../model/permission-bits.ts'
import { PermissionFlag } from '../../model/permission-flags.ts'
import { isThread, type GuildChannel, type GuildMember, type GuildRole } from '../../model/server.ts'

const { ADMINISTRATOR, READ_MESSAGE_HISTORY, VIEW_CHANNEL } = PermissionFlag

/** The permissions of a member who is timed out. */
const TIMED_OUT = VIEW_CHANNEL | READ_MESSAGE_HISTORY

/** The guild, its owner and the time, for `effectivePermissions`. */
export interface PermissionContext {
  /** The guild. Default: the channel's `guild_id`, else the smallest role id: `@everyone` is as old as the guild. */
  readonly guildId?: string
  /** The user who owns the guild. */
  readonly ownerId?: string
  /** The current time in milliseconds since 1970, for timeouts. Default: the system's clock. */
  readonly now?: number
}

/** `effectivePermissions` of values that were checked before. */
export function memberPermissions(
  member: GuildMember,
  roles: readonly GuildRole[],
  channel: GuildChannel | null,
  context: PermissionContext = {},
): bigint {
  const guildId = context.guildId ?? channel?.guild_id ?? roles.map(({ id }) => id).sort(compareSnowflakes)[0]
  const base = guildPermissions(member, roles, guildId) ?? 0n
  if (isAdministrator(member, base, context.ownerId)) return base | allPermissions
  const { permissions, canView } = channelPermissions(base, member, roles, channel, guildId)
  if (!canView) return 0n
  return isTimedOut(member, context.now) ? permissions & TIMED_OUT : permissions
}

/** The permissions of a member in the guild, before steps 2 to 7; null if unknown. */
export function guildPermissions(
  member: GuildMember,
  roles: readonly GuildRole[] = [],
  guildId: string | undefined,
): bigint | null {
  // Every guild has `@everyone`, so an empty list means that the roles are unknown.
  if (roles.length === 0)
    return member.permissions === undefined ? null : permissionBits(member.permissions, 'member.permissions')
  const own = roles.filter(({ id }) => id === guildId || member.roles.includes(id))
  return own.reduce((bits, { id, permissions }) => bits | permissionBits(permissions, `role ${id}`), 0n)
}

/** Whether a member with these permissions in the guild has every permission everywhere. */
export function isAdministrator(member: GuildMember, base: bigint, ownerId: string | undefined): boolean {
  return (base & ADMINISTRATOR) !== 0n || member.user.id === ownerId
}

/**
 * A member's permissions in a channel after steps 3 to 5, and whether they include VIEW_CHANNEL: without it, none of
 * them counts (clause 2.9-10).
 *
 * If `member.permissions` lacks VIEW_CHANNEL, it is assumed, because a member who uses a command in a channel can view
 * it. Overwrites can still deny it.
 */
export function channelPermissions(
  base: bigint,
  member: GuildMember,
  roles: readonly GuildRole[] = [],
  channel: GuildChannel | null,
  guildId: string | undefined,
) {
  if (channel === null) return { permissions: base, canView: true }
  const permissions = applyOverwrites(base, member, channel, guildId)
  const isAssumed = roles.length === 0 && base !== 0n && (base & VIEW_CHANNEL) === 0n
  const visible = isAssumed ? applyOverwrites(VIEW_CHANNEL, member, channel, guildId) : permissions
  return { permissions, canView: (visible & VIEW_CHANNEL) !== 0n }
}

function applyOverwrites(
  base: bigint,
  member: GuildMember,
  channel: GuildChannel,
  guildId: string | undefined,
): bigint {
  const holder = isThread(channel) ? (channel.parent ?? channel) : channel
  const overwrites = holder.permission_overwrites ?? []
  // @everyone, the roles and the member, in the order in which they count.
  const levels = [
    overwrites.filter(({ id, type }) => type !== 1 && id === guildId),
    overwrites.filter(({ id, type }) => type !== 1 && id !== guildId && member.roles.includes(id)),
    overwrites.filter(({ id, type }) => type === 1 && id === member.user.id),
  ]
  let permissions = base
  for (const level of levels) {
    for (const { id, deny } of level) permissions &= ~permissionBits(deny, `deny of overwrite ${id}`)
    for (const { id, allow } of level) {
      permissions |= permissionBits(allow, `allow of overwrite ${id}`) & ~ADMINISTRATOR
    }
  }
  return permissions
}

/** Whether a member is timed out at a time in milliseconds since 1970. */
export function isTimedOut(member: GuildMember, now: number = systemClock.now()): boolean {
  const until = member.communication_disabled_until
  return typeof until === 'string' && Date.parse(until) > now
}
