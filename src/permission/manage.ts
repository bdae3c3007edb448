/** Who may change the permissions of a command (clause 5-02). */
import { deepFreeze } from '../core/freeze.ts'
import { listed } from '../core/text.ts'
import type { ApplicationCommand } from '../command/definition.ts'
import { permissionBits, permissionNames } from './bits.ts'
import { effectivePermissions, guildPermissions, isAdministrator } from './effective.ts'
import { explainAccess } from './evaluate.ts'
import { PermissionFlag, PermissionTargetType } from './kinds.ts'
import type { GuildChannel, GuildMember, GuildRole } from './member.ts'
import { allChannelsId, everyoneId, type CommandPermission } from './overwrite.ts'

const { MANAGE_CHANNELS, MANAGE_GUILD, MANAGE_ROLES, USE_APPLICATION_COMMANDS } = PermissionFlag

/** Who wants to change permissions, with as much as is known of them and of the guild. */
export interface PermissionManager {
  /** Roles may be unknown, and then they are taken to be those that help the member most. */
  readonly member: Omit<GuildMember, 'roles'> & { readonly roles?: readonly string[] }
  /** The guild's roles, @everyone among them; without them or the member's own, `member.permissions` counts. */
  readonly roles?: readonly RankedRole[]
  /** The user who owns the guild. */
  readonly ownerId?: string
  /** The members that entries are about, as far as they are known. */
  readonly members?: readonly Pick<GuildMember, 'user' | 'roles'>[]
  /** The channels that entries are about, as far as they are known. */
  readonly channels?: readonly GuildChannel[]
}

export interface RankedRole extends GuildRole {
  /** A member manages the roles whose position is lower than the highest of their own. Absent: not known. */
  readonly position?: number
}

export interface ManagementRequest {
  readonly manager: PermissionManager
  readonly guildId: string
  /** The command whose permissions are changed; null for those of the app as a whole. */
  readonly command: Pick<ApplicationCommand, 'default_member_permissions' | 'default_permission'> | null
  /** What is set for the command, or for the app when there is no command. */
  readonly before: readonly CommandPermission[]
  /** What is to be set. */
  readonly after: readonly CommandPermission[]
  /** What is set for the app as a whole. */
  readonly appOverwrites?: readonly CommandPermission[] | null
  /** Milliseconds since 1970, to tell whether a timeout is over. Absent: the system's clock. */
  readonly now?: number
}

/** Something that somebody who changes permissions lacks. */
export interface MissingPermission {
  /** What they may not do: manage the guild and its roles, run the command, manage what an entry is about. */
  readonly code: 'manage_guild' | 'run_command' | 'manage_role' | 'manage_user' | 'manage_channel'
  /** The role, user or channel. */
  readonly id?: string
  /** The permissions they lack, by name. */
  readonly permissions: readonly string[]
  /** The same for people: a sentence of English. */
  readonly text: string
}

/**
 * What somebody lacks to change the permissions of a command; empty when they may (clause 5-02, service facts
 * 6.2). Administrators and the owner of the guild lack nothing. Everybody else needs:
 *
 * 1. MANAGE_GUILD and MANAGE_ROLES in the guild;
 * 2. to be able to run the command, in whichever channel;
 * 3. to manage the roles, users and channels whose entries change: their highest role above the role, or above
 *    the user's highest role; MANAGE_CHANNELS in the channel. The guild's owner is above everybody.
 *
 * What is not known is not held against them: roles without positions, members and channels that are not given.
 * While the member's own roles are not given, one role that an entry allows is enough to run the command, and
 * one that is denied does no harm; the entry for @everyone counts, because everybody has that role. Nor is held
 * against them what `member.permissions` lack when they are no full account of what the member may do, which they
 * cannot be without USE_APPLICATION_COMMANDS; if their roles are not given either, only entries for users count.
 *
 * @throws TypeError when the guild id is no snowflake, or a set of permissions is no decimal string or bigint
 */
export function missingToManage(request: ManagementRequest): readonly MissingPermission[] {
  const { manager, guildId, now } = request
  const member = { ...manager.member, roles: manager.member.roles ?? [] }
  const roles = tellingRoles(manager)
  const base = guildPermissions(member, roles, guildId) ?? 0n
  if (isAdministrator(member, base, manager.ownerId)) return none
  const time = now === undefined ? {} : { now }
  const missing: MissingPermission[] = []
  const lacking = missingToManageGuild(effectivePermissions(member, roles, null, { guildId, ...time }))
  if (lacking.length > 0) {
    const text = `The member lacks ${listed(lacking)} in the guild.`
    missing.push({ code: 'manage_guild', permissions: lacking, text })
  }
  const reason = request.command === null ? null : whyNotRun(request, member, base)
  if (reason !== null) missing.push({ code: 'run_command', permissions: [], text: reason })
  for (const entry of changed(request.before, request.after)) {
    const fault = whyNotManage(entry, request, member)
    if (fault !== null) missing.push(fault)
  }
  return deepFreeze(missing)
}

/** Of what permissions in a guild have to hold to change those of commands, the names of what they lack. */
export function missingToManageGuild(permissions: string | bigint): readonly string[] {
  const bits = permissionBits(permissions, 'permissions')
  if ((bits & PermissionFlag.ADMINISTRATOR) !== 0n) return []
  return permissionNames((MANAGE_GUILD | MANAGE_ROLES) & ~bits)
}

const none: readonly MissingPermission[] = Object.freeze([])

/** The guild's roles, as long as it is known which of them the member has; else they tell nothing of the member. */
function tellingRoles({ member, roles = [] }: PermissionManager): readonly RankedRole[] {
  return member.roles === undefined ? [] : roles
}

// No channel has this id, and entries for channels are not asked here.
const NO_CHANNEL = { id: '0' }

function whyNotRun(request: ManagementRequest, member: GuildMember, base: bigint): string | null {
  const { manager, guildId, now } = request
  const roles = tellingRoles(manager)
  const isFullAccount = roles.length > 0 || (base & USE_APPLICATION_COMMANDS) !== 0n
  const rolesCount = isFullAccount || manager.member.roles !== undefined
  const counts = ({ type }: CommandPermission) =>
    type === PermissionTargetType.USER || (type === PermissionTargetType.ROLE && rolesCount)
  const overwrites = request.before.filter(counts)
  const appOverwrites = (request.appOverwrites ?? []).filter(counts)
  const { permissions, ...person } = member
  const { allowed, trace } = explainAccess({
    command: isFullAccount ? request.command! : { default_member_permissions: null },
    overwrites,
    appOverwrites,
    member: {
      ...person,
      roles: manager.member.roles ?? helpfulRoles(overwrites, appOverwrites),
      ...(isFullAccount && permissions !== undefined && { permissions }),
    },
    channel: NO_CHANNEL,
    guildId,
    roles,
    ...(now !== undefined && { now }),
  })
  return allowed ? null : `The member cannot run the command: ${trace[trace.length - 1]!.text}`
}

/**
 * Somebody who can run the command with any roles at all can with these: those that the command's entries allow
 * or, where it has none for them, the app's.
 */
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

/** The entries that are new, gone, or say something else than before; of several for one target the last counts. */
function changed(
  before: readonly CommandPermission[],
  after: readonly CommandPermission[],
): readonly CommandPermission[] {
  const key = ({ type, id }: CommandPermission) => `${type} ${id}`
  const old = new Map(before.map((entry) => [key(entry), entry]))
  const next = new Map(after.map((entry) => [key(entry), entry]))
  const differs = (entry: CommandPermission, other: CommandPermission | undefined) =>
    other === undefined || other.permission !== entry.permission
  return [
    ...[...next].filter(([at, entry]) => differs(entry, old.get(at))),
    ...[...old].filter(([at]) => !next.has(at)),
  ].map(([, entry]) => entry)
}

function whyNotManage(
  { type, id }: CommandPermission,
  { manager, guildId, now }: ManagementRequest,
  member: GuildMember,
): MissingPermission | null {
  switch (type) {
    case PermissionTargetType.ROLE: {
      if (id === everyoneId(guildId) || !outranks(position(id, manager), member, manager)) return null
      const text = `The member's highest role is not above role ${id}.`
      return { code: 'manage_role', id, permissions: [], text }
    }
    case PermissionTargetType.USER: {
      if (id === member.user.id) return null
      const target = manager.members?.find(({ user }) => user.id === id)
      const isOwner = id === manager.ownerId
      if (!isOwner && !outranks(highest(target?.roles, manager), member, manager)) return null
      const text = isOwner
        ? `User ${id} owns the guild.`
        : `The member's highest role is not above that of user ${id}.`
      return { code: 'manage_user', id, permissions: [], text }
    }
    case PermissionTargetType.CHANNEL: {
      const { channels } = manager
      const channel = channels?.find((one) => one.id === id) ?? null
      if (channels === undefined || (channel === null && id !== allChannelsId(guildId))) return null
      const time = now === undefined ? {} : { now }
      const bits = effectivePermissions(member, tellingRoles(manager), channel, { guildId, ...time })
      if ((bits & MANAGE_CHANNELS) !== 0n) return null
      const place = channel === null ? 'in all channels' : `in channel ${id}`
      const text = `The member lacks MANAGE_CHANNELS ${place}.`
      return { code: 'manage_channel', id, permissions: ['MANAGE_CHANNELS'], text }
    }
  }
}

/** Whether a rank is known to be at least the member's own. */
function outranks(rank: number | undefined, member: GuildMember, manager: PermissionManager): boolean {
  const own = manager.member.roles === undefined ? undefined : highest(member.roles, manager)
  return rank !== undefined && own !== undefined && rank >= own
}

function position(id: string, { roles }: PermissionManager): number | undefined {
  return roles?.find((role) => role.id === id)?.position
}

/** The rank of somebody with these roles; below every role for somebody without any, undefined if not known. */
function highest(ids: readonly string[] | undefined, manager: PermissionManager): number | undefined {
  if (ids === undefined || manager.roles === undefined) return undefined
  let most = -1
  for (const id of ids) {
    const rank = position(id, manager)
    if (rank === undefined) return undefined
    if (rank > most) most = rank
  }
  return most
}
