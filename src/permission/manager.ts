/** A member who changes the permissions of commands, and what such a member can lack (clause 5-02). */
import type { GuildChannel, GuildMember, GuildRole } from './member.ts'

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

/** A role with its position. */
export interface RankedRole extends GuildRole {
  /** The position of the role; a member manages the roles below their own highest. Absent: unknown. */
  readonly position?: number
}

/** A reason why a member may not change permissions. */
export interface MissingPermission {
  /** The missing right: to manage the guild and its roles, to run the command, or to manage the target of an entry. */
  readonly code: 'manage_guild' | 'run_command' | 'manage_role' | 'manage_user' | 'manage_channel'
  /** The role, user or channel of `manage_role`, `manage_user` and `manage_channel`. */
  readonly id?: string
  /** The names of the permissions that the member lacks. */
  readonly permissions: readonly string[]
  /** The reason as an English sentence. */
  readonly text: string
}
