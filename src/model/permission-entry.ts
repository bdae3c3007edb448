/** Permission entries: who may use a command in a guild, and the two ids with a special meaning. */
import { isSnowflake } from '../core/snowflake.ts'
import { describeValue } from '../core/text.ts'

/** The types of targets of permission entries. */
export const PermissionTargetType = Object.freeze({
  /** A role; the guild id stands for `@everyone`. */
  ROLE: 1,
  USER: 2,
  /** A channel; `allChannelsId` stands for all of them. */
  CHANNEL: 3,
})
export type PermissionTargetType = (typeof PermissionTargetType)[keyof typeof PermissionTargetType]

/** A permission entry: it allows or denies a command for a role, a user or a channel. */
export interface CommandPermission {
  /** The id of a role, user or channel, or the result of `everyoneId` or `allChannelsId`. */
  readonly id: string
  readonly type: PermissionTargetType
  /** True allows, false denies. */
  readonly permission: boolean
}

/** All entries of one command, or of the app as a whole, in one guild. */
export interface GuildCommandPermissions {
  /** The id of the command or, for entries of the app as a whole, of the application. */
  readonly id: string
  readonly application_id: string
  readonly guild_id: string
  /** The entries, in the order in which they were set. */
  readonly permissions: readonly CommandPermission[]
}

/** The id of `@everyone` in permission entries: the guild's own id (clause 2.9-04). */
export function everyoneId(guildId: string): string {
  if (!isSnowflake(guildId))
    throw new TypeError(`guildId: expected a snowflake, got ${describeValue(guildId)}`)
  return guildId
}

/**
 * The id of All Channels in permission entries: the guild's id minus one, exact at 64 bits (clause 2.9-04).
 *
 * @throws TypeError if the guild id is not a snowflake above 0
 */
export function allChannelsId(guildId: string): string {
  if (!isSnowflake(guildId) || guildId === '0')
    throw new TypeError(`guildId: expected a snowflake above 0, got ${describeValue(guildId)}`)
  return String(BigInt(guildId) - 1n)
}

/** A reason why a member may not change permissions. */
export interface MissingPermission {
  /** The missing right: to manage the guild and its roles, to run the command, or to manage the target of an entry. */
  readonly code: 'manage_guild' | 'run_command' | 'manage_role' | 'manage_user' | 'manage_channel'
  /** The role, user or channel of `manage_role`, `manage_user` and `manage_channel`. */
  readonly id?: string
  readonly permissions: readonly string[]
  readonly text: string
}

/** The target of a permission entry: one entry counts for each. */
export function entryKey({ type, id }: Pick<CommandPermission, 'type' | 'id'>): string {
  return `${type} ${id}`
}
