/** What a member may do in a channel. */
import { systemClock } from '../core/clock.ts'
import { compareSnowflakes } from '../core/snowflake.ts'
import { allPermissions, permissionBits } from './bits.ts'
import { PermissionFlag } from './kinds.ts'
import { isThread, type GuildChannel, type GuildMember, type GuildRole } from './member.ts'
import { everyoneId } from './overwrite.ts'

const { ADMINISTRATOR, READ_MESSAGE_HISTORY, VIEW_CHANNEL } = PermissionFlag

/** All that is left to a member who is timed out. */
const LEFT_WHEN_TIMED_OUT = VIEW_CHANNEL | READ_MESSAGE_HISTORY

export interface PermissionContext {
  /** Absent: the channel's `guild_id`, else the smallest role id, because @everyone is as old as the guild. */
  readonly guildId?: string
  /** The user who owns the guild. */
  readonly ownerId?: string
  /** Milliseconds since 1970, to tell whether a timeout is over. Absent: the system's clock. */
  readonly now?: number
}

/**
 * The permissions of a member in a channel, or in the guild at large when the channel is null:
 *
 * 1. what @everyone and the member's roles allow, or `member.permissions` when no roles are given;
 * 2. everything for the owner of the guild and for those who have ADMINISTRATOR by now;
 * 3. less what the channel denies @everyone, plus what it allows @everyone;
 * 4. less what it denies any of the member's roles, plus what it allows any of them;
 * 5. less what it denies the member, plus what it allows the member;
 * 6. nothing but VIEW_CHANNEL and READ_MESSAGE_HISTORY of that while the member is timed out.
 *
 * In a thread, the overwrites are those of the channel it is in: `channel.parent`, or the thread's own list when
 * there is no `parent`. Overwrites never make an administrator.
 *
 * Steps 3 to 5 change nothing when they are done twice, so `member.permissions` may have been computed in the
 * channel before.
 *
 * @param roles the roles of the guild, @everyone among them
 * @throws TypeError when a set of permissions is neither a decimal string nor a bigint
 */
export function effectivePermissions(
  member: GuildMember,
  roles: readonly GuildRole[],
  channel: GuildChannel | null,
  context: PermissionContext = {},
): bigint {
  const guildId = context.guildId ?? channel?.guild_id ?? oldest(roles)
  const base = guildPermissions(member, roles, guildId) ?? 0n
  if (isAdministrator(member, base, context.ownerId)) return base | allPermissions
  const permissions = permissionsInChannel(base, member, channel, guildId)
  return isTimedOut(member, context.now) ? permissions & LEFT_WHEN_TIMED_OUT : permissions
}

function oldest(roles: readonly GuildRole[]): string | undefined {
  return roles.map(({ id }) => id).sort(compareSnowflakes)[0]
}

/** What a member may do in the guild at large, before steps 2 to 6. Null when nothing is known of it. */
export function guildPermissions(
  member: GuildMember,
  roles: readonly GuildRole[] | undefined,
  guildId: string | undefined,
): bigint | null {
  // Every guild has @everyone, so no roles at all means that they are not known.
  if (roles === undefined || roles.length === 0) {
    return member.permissions === undefined ? null : permissionBits(member.permissions, 'member.permissions')
  }
  const everyone = guildId === undefined ? undefined : everyoneId(guildId)
  let base = 0n
  for (const { id, permissions } of roles) {
    if (id === everyone || member.roles.includes(id)) base |= permissionBits(permissions, `role ${id}`)
  }
  return base
}

/** Whether somebody may do everything everywhere, given what they may do in the guild at large. */
export function isAdministrator(member: GuildMember, base: bigint, ownerId: string | undefined): boolean {
  return (base & ADMINISTRATOR) !== 0n || member.user.id === ownerId
}

/** Steps 3 to 5: what a channel makes of what a member may do in the guild at large. */
export function permissionsInChannel(
  base: bigint,
  member: GuildMember,
  channel: GuildChannel | null,
  guildId: string | undefined,
): bigint {
  const holder = channel !== null && isThread(channel) ? (channel.parent ?? channel) : channel
  // The bits that @everyone, the roles and the member are denied and allowed, in the order in which they count.
  const denied: [bigint, bigint, bigint] = [0n, 0n, 0n]
  const allowed: [bigint, bigint, bigint] = [0n, 0n, 0n]
  for (const { id, type, allow, deny } of holder?.permission_overwrites ?? []) {
    const level =
      type === 1
        ? id === member.user.id
          ? 2
          : null
        : id === guildId
          ? 0
          : member.roles.includes(id)
            ? 1
            : null
    if (level === null) continue
    denied[level] |= permissionBits(deny, `deny of overwrite ${id}`)
    allowed[level] |= permissionBits(allow, `allow of overwrite ${id}`) & ~ADMINISTRATOR
  }
  let permissions = base
  for (const level of [0, 1, 2] as const) permissions = (permissions & ~denied[level]) | allowed[level]
  return permissions
}

/** Whether a member is timed out at a moment, in milliseconds since 1970; now when absent. */
export function isTimedOut(member: GuildMember, now: number = systemClock.now()): boolean {
  const until = member.communication_disabled_until
  return typeof until === 'string' && Date.parse(until) > now
}
