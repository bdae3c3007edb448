/** `effectivePermissions`, which checks its arguments. */
import type { GuildChannel, GuildMember, GuildRole } from '../../model/server.ts'
import { checkEffective } from './checks.ts'
import { memberPermissions, type PermissionContext } from './effective.ts'

/**
 * The permissions of a member in a channel, or in the guild if the channel is null:
 *
 * 1. the permissions of `@everyone` and of the member's roles, or `member.permissions` if no roles are given;
 * 2. all permissions for the owner of the guild and for members with ADMINISTRATOR;
 * 3. remove the bits that the channel denies `@everyone`, add the bits it allows `@everyone`;
 * 4. remove the bits that it denies any of the member's roles, add the bits it allows any of them;
 * 5. remove the bits that it denies the member, add the bits it allows the member;
 * 6. no permissions without VIEW_CHANNEL in the channel (clause 2.9-10);
 * 7. only VIEW_CHANNEL and READ_MESSAGE_HISTORY while the member is timed out.
 *
 * The overwrites of a thread are those of its channel: `channel.parent`, or the thread's own list if `parent` is
 * absent. Overwrites never grant ADMINISTRATOR.
 *
 * Steps 3 to 5 are idempotent, so `member.permissions` may already be those of the channel.
 *
 * @param roles the roles of the guild, including `@everyone`
 * @throws TypeError that names the value, if an argument or a part of it has the wrong shape
 */
export function effectivePermissions(
  member: GuildMember,
  roles: readonly GuildRole[],
  channel: GuildChannel | null,
  context: PermissionContext = {},
): bigint {
  checkEffective({ member, roles, channel, context }, '')
  return memberPermissions(member, roles, channel, context)
}
