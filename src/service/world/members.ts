/** Members and bans. */
import { quoted } from '../../core/text.ts'
import { completeUser } from '../../interactions/usage/complete.ts'
import { PermissionFlag } from '../../model/permission-flags.ts'
import type { ServerBan, ServerMember, ServerSettings, ServerUser } from '../../model/server.ts'
import type { ServerState } from './entities.ts'
import { hasBot } from './installation.ts'
import { logAction, logChange } from './audit-log.ts'
import { memberOf, withChangedMember, withMember } from './member-lists.ts'
import { dropMessages } from './messages.ts'
import { syncThreads } from './threads.ts'
import { setVoice } from './voice.ts'
import { guildMember, guildOf } from './wire.ts'
import { known, type World } from './world.ts'

export type MemberChanges = Partial<Omit<ServerMember, 'user' | 'voice_channel_id' | 'mute' | 'deaf'>>

const MAX_BOTS_OF_SERVER = 250

/**
 * Adds a bot to servers that it is not in, that take bots, and that have room for it.
 *
 * @param roles the ids of its roles. Default: a new managed role above all others, with ADMINISTRATOR
 */
export function addBot(
  world: World,
  bot: ServerUser,
  servers: readonly ServerSettings[],
  roles?: readonly string[],
): void {
  const user = { ...bot, bot: true }
  if (world.user(bot.id) === undefined) world.setUser(user)
  for (const { id } of servers) {
    const server = known(world.server(id))
    if (server.bot === false || hasBot(world, id, bot.id) || isFull(server)) continue
    const member = { user, roles: roles ?? [addBotRole(world, id, bot)] }
    const joined = world.change(id, ({ members }) => ({ members: withMember(members, member) }))
    world.publish('GUILD_CREATE', id, guildOf(joined, bot.id), (botId) => botId === bot.id)
  }
}

/** Whether a server takes no further bot. In open mode, every application that is named by a token joins. */
const isFull = ({ members }: ServerState) =>
  members.filter(({ user }) => user.bot === true).length >= MAX_BOTS_OF_SERVER

function addBotRole(world: World, serverId: string, { id: bot_id, username: name }: ServerUser): string {
  const { roles } = known(world.server(serverId))
  const position = Math.max(...roles.map((role) => role.position ?? 0)) + 1
  const permissions = String(PermissionFlag.ADMINISTRATOR)
  const role = { id: world.nextId(), name, permissions, position, managed: true, tags: { bot_id } }
  world.change(serverId, () => ({ roles: [...roles, role] }))
  return role.id
}

/** Adds a member who joins, with the time of the clock. @throws TypeError for a member */
export function addMember(
  world: World,
  serverId: string,
  user: ServerUser,
  roles: readonly string[] = [],
): void {
  if (world.member(serverId, user.id) !== undefined)
    throw new TypeError(`user: ${quoted(user.username)} is a member already`)
  const member = { user, roles, joined_at: new Date(world.now()).toISOString() }
  world.setUser(user)
  world.change(serverId, ({ members }) => ({ members: withMember(members, member) }))
  world.publish('GUILD_MEMBER_ADD', serverId, { ...guildMember(member), guild_id: serverId })
}

export function setMember(
  world: World,
  serverId: string,
  userId: string,
  changes: MemberChanges,
): ServerMember {
  const before = known(world.member(serverId, userId))
  if (Object.keys(changes).length === 0) return before
  const member = { ...before, ...changes }
  const server = known(world.server(serverId))
  replaceMember(world, serverId, before, member)
  world.publish('GUILD_MEMBER_UPDATE', serverId, { ...guildMember(member), guild_id: serverId })
  const { roles: had, user: _user, ...old } = before
  const { roles: has, user: _same, ...next } = member
  logChange(world, serverId, 'MEMBER_UPDATE', userId, old, next)
  const namesOf = (ids: readonly string[], others: readonly string[]) =>
    known(world.server(serverId))
      .roles.filter(({ id }) => ids.includes(id) && !others.includes(id))
      .map(({ id, name }) => ({ id, name }))
  const [added, removed] = [namesOf(has, had), namesOf(had, has)]
  const given = { ...(added.length > 0 && { $add: added }), ...(removed.length > 0 && { $remove: removed }) }
  logChange(world, serverId, 'MEMBER_ROLE_UPDATE', userId, {}, given)
  if (changes.roles !== undefined) syncThreads(world, server)
  return member
}

/** Puts a member in the place of the old one, without an event. */
function replaceMember(world: World, serverId: string, before: ServerMember, member: ServerMember): void {
  world.change(serverId, ({ members }) => ({ members: withChangedMember(members, before, member) }))
}

/** Changes the user of a bot, wherever it is a member. */
export function setBotUser(world: World, user: ServerUser): void {
  world.setUser(user)
  for (const { id, members } of world.servers) {
    const before = memberOf(members, user.id)
    if (before !== undefined) replaceMember(world, id, before, { ...before, user })
  }
  world.publish('USER_UPDATE', null, completeUser(user), (botId) => botId === user.id)
}

/** Removes a member, who leaves or is kicked. */
export function removeMember(world: World, serverId: string, userId: string): void {
  const member = known(world.member(serverId, userId))
  if (member.voice_channel_id) setVoice(world, serverId, userId, { voice_channel_id: null })
  world.change(serverId, ({ members, threads }) => ({
    members: members.filter(({ user }) => user.id !== userId),
    threads: threads.map((thread) =>
      thread.members.some((one) => one.user_id === userId)
        ? { ...thread, members: thread.members.filter((one) => one.user_id !== userId) }
        : thread,
    ),
  }))
  const data = { guild_id: serverId, user: completeUser(member.user) }
  world.publish('GUILD_MEMBER_REMOVE', serverId, data)
  world.publish('GUILD_DELETE', serverId, { id: serverId }, (botId) => botId === userId)
}

export function kick(world: World, serverId: string, userId: string): void {
  removeMember(world, serverId, userId)
  logAction(world, serverId, 'MEMBER_KICK', userId)
}

/**
 * Bans a user, who need not be a member.
 *
 * @param deleteSeconds deletes the messages of the user in these last seconds
 */
export function ban(
  world: World,
  serverId: string,
  userId: string,
  reason: string | null = null,
  deleteSeconds = 0,
): void {
  const user = known(world.user(userId))
  if (banOf(world, serverId, userId) !== undefined) return
  const server = world.change(serverId, ({ bans }) => ({ bans: [...bans, { user, reason }] }))
  world.publish('GUILD_BAN_ADD', serverId, { guild_id: serverId, user: completeUser(user) })
  logAction(world, serverId, 'MEMBER_BAN_ADD', userId)
  if (world.member(serverId, userId) !== undefined) removeMember(world, serverId, userId)
  if (deleteSeconds <= 0) return
  const since = world.now() - deleteSeconds * 1000
  for (const { id: channelId } of [...server.channels, ...server.threads]) {
    const recent = world
      .messages(channelId)
      .filter(({ author, timestamp }) => author.id === userId && Date.parse(timestamp) >= since)
    const ids = recent.map(({ id }) => id)
    dropMessages(world, channelId, ids)
  }
}

export function banOf(world: World, serverId: string, userId: string): ServerBan | undefined {
  return world.server(serverId)?.bans.find(({ user }) => user.id === userId)
}

/** Ends a ban; without one nothing happens. */
export function unban(world: World, serverId: string, userId: string): void {
  if (banOf(world, serverId, userId) === undefined) return
  world.change(serverId, ({ bans }) => ({ bans: bans.filter(({ user }) => user.id !== userId) }))
  const user = completeUser(known(world.user(userId)))
  world.publish('GUILD_BAN_REMOVE', serverId, { guild_id: serverId, user })
  logAction(world, serverId, 'MEMBER_BAN_REMOVE', userId)
}
