/** The request of a decision about access, checked, and the facts that follow from it. */
import type { ApplicationCommand } from '../command/definition.ts'
import { permissionBits } from './bits.ts'
import {
  checkChannel,
  checkCircumstances,
  checkDefaults,
  checkEntries,
  checkGuildRoles,
  checkMember,
  checkObject,
} from './checks.ts'
import { channelPermissions, guildPermissions, isAdministrator, isTimedOut } from './effective.ts'
import { PermissionFlag } from '../command/permission-flags.ts'
import { PermissionTargetType, allChannelsId, type CommandPermission } from './entry.ts'
import { permissionChannelId, type MemberInChannel } from '../world/server.ts'

/** A member, a command, a channel, and the permissions that apply. */
export interface AccessRequest extends MemberInChannel {
  /** The command; only its default permissions are read. */
  readonly command: Pick<ApplicationCommand, 'default_member_permissions' | 'default_permission'>
  /** The entries stored for the command in the guild. */
  readonly overwrites?: readonly CommandPermission[] | null
  /** The entries stored for the app as a whole in the guild. */
  readonly appOverwrites?: readonly CommandPermission[] | null
  /** The current time in milliseconds since 1970, for timeouts. Default: the system's clock. */
  readonly now?: number
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

/** The part of a request that does not depend on the command. */
export type MemberRequest = Omit<AccessRequest, 'command' | 'overwrites'>

/** The target of an entry, as seen from a member in a channel: the most specific first, for members and for channels. */
export type AccessTarget = 'user' | 'role' | 'everyone' | 'channel' | 'all_channels'

/** The facts that are the same for every command. */
interface MemberFacts {
  readonly application: readonly CommandPermission[]
  readonly userId: string
  readonly roles: ReadonlySet<string>
  readonly everyone: string
  readonly channel: string
  readonly allChannels: string
  readonly administrator: boolean
  readonly timedOut: boolean
  /** The permissions in the channel, before a timeout and `canView`; null if unknown. */
  readonly permissions: bigint | null
  /** Whether the member has VIEW_CHANNEL; without it no other permission counts there. */
  readonly canView: boolean
}

/** A checked request with computed permissions. */
export interface AccessFacts extends MemberFacts {
  readonly command: readonly CommandPermission[]
  /** The required bits: null for none, 0 for administrators only. */
  readonly required: bigint | null
}

const none: readonly CommandPermission[] = []

/** @throws TypeError if a value that the answer depends on has the wrong shape */
export function accessFacts(access: AccessRequest): AccessFacts {
  checkObject(access, 'access')
  checkDefaults(access.command, 'command')
  checkEntries(access.overwrites, 'overwrites')
  return withCommand(memberFacts(access), access.command, access.overwrites)
}

/**
 * @param label the prefix of field names in errors
 * @throws TypeError when the member, the channel, the roles or the app's entries have the wrong shape
 */
export function memberFacts(access: MemberRequest, label = ''): MemberFacts {
  const { member, channel, guildId, ownerId, roles } = access
  checkCircumstances({ guildId, ownerId, now: access.now }, label)
  checkMember(member, `${label}member`)
  checkChannel(channel, `${label}channel`)
  checkGuildRoles(roles, `${label}roles`)
  checkEntries(access.appOverwrites, `${label}appOverwrites`)
  const base = guildPermissions(member, roles, guildId)
  const { permissions, canView } = channelPermissions(
    base ?? PermissionFlag.VIEW_CHANNEL,
    member,
    roles,
    channel,
    guildId,
  )
  return {
    application: access.appOverwrites ?? none,
    userId: member.user.id,
    roles: new Set(member.roles),
    everyone: guildId,
    channel: permissionChannelId(channel),
    allChannels: allChannelsId(guildId),
    administrator: isAdministrator(member, base ?? 0n, ownerId),
    timedOut: isTimedOut(member, access.now),
    permissions: base === null ? null : permissions,
    canView,
  }
}

/** Adds a command and its entries, which must be valid. */
export function withCommand(
  member: MemberFacts,
  command: AccessRequest['command'],
  overwrites: AccessRequest['overwrites'],
): AccessFacts {
  return { ...member, command: overwrites ?? none, required: requiredBits(command) }
}

function requiredBits(command: AccessRequest['command']): bigint | null {
  const { default_member_permissions: bits, default_permission } = command
  if (bits === null || bits === undefined) return default_permission === false ? 0n : null
  return permissionBits(bits, 'default_member_permissions')
}

/** Whether permissions include USE_APPLICATION_COMMANDS, which is assumed if they are unknown. */
export function hasUse(permissions: bigint | null): boolean {
  return permissions === null || (permissions & PermissionFlag.USE_APPLICATION_COMMANDS) !== 0n
}

/** The target of an entry, as seen from a member in a channel; undefined if the entry is for another member or channel. */
export function targetOf({ type, id }: CommandPermission, at: AccessFacts): AccessTarget | undefined {
  switch (type) {
    case PermissionTargetType.USER:
      return id === at.userId ? 'user' : undefined
    case PermissionTargetType.ROLE:
      if (id === at.everyone) return 'everyone'
      return at.roles.has(id) ? 'role' : undefined
    case PermissionTargetType.CHANNEL:
      if (id === at.channel) return 'channel'
      return id === at.allChannels ? 'all_channels' : undefined
  }
}

/** Whether a later entry for the same target replaces this one. */
export function isRepeated(entries: readonly CommandPermission[], index: number): boolean {
  const { type, id } = entries[index]!
  for (let i = index + 1; i < entries.length; i++) {
    if (entries[i]!.id === id && entries[i]!.type === type) return true
  }
  return false
}
