/** The state of servers, their members and their messages while a service runs. Every change publishes its events. */
import { ChannelType } from '../../model/command-types.ts'
import { BoundedMap } from '../../core/bounded-map.ts'
import type { Clock } from '../../core/clock.ts'
import { Emitter, type Subscription } from '../../core/emitter.ts'
import { compareSnowflakes, snowflakes, takeId } from '../../core/snowflake.ts'
import { quoted } from '../../core/text.ts'
import { PermissionFlag } from '../../model/permission-flags.ts'
import type { Conversations } from '../../interactions/bot/conversations.ts'
import type { AnswerFile, AnswerMessage } from '../../model/answer-types.ts'
import { isEphemeral } from '../../interactions/answer/rendered.ts'
import { editMessage, type AppMessage } from '../../interactions/bot/bot-message.ts'
import { completeRole, completeUser } from '../../interactions/usage/complete.ts'
import type { InteractionMessage } from '../../model/interaction-payload.ts'
import { effectivePermissions } from '../../commands/access/effective.ts'
import type {
  ChannelOverwrite,
  ServerBan,
  ServerChannel,
  ServerMember,
  ServerRole,
  ServerSettings,
  ServerUser,
} from '../../model/server.ts'
import {
  emojiKey,
  messageFor,
  newMessage,
  type Emoji,
  type MessageContext,
  type WorldMessage,
} from './world-message.ts'
import { guildChannel, guildMember, guildOf, isDirect, voiceState, type DirectChannel } from './wire.ts'

export type WorldEventName =
  | `GUILD_${'CREATE' | 'DELETE'}`
  | `GUILD_MEMBER_${'ADD' | 'UPDATE' | 'REMOVE'}`
  | `GUILD_BAN_${'ADD' | 'REMOVE'}`
  | `GUILD_ROLE_${'CREATE' | 'UPDATE' | 'DELETE'}`
  | `MESSAGE_${'CREATE' | 'UPDATE' | 'DELETE' | 'DELETE_BULK'}`
  | `MESSAGE_REACTION_${'ADD' | 'REMOVE' | 'REMOVE_ALL'}`
  | `CHANNEL_${'CREATE' | 'UPDATE' | 'DELETE'}`
  | 'TYPING_START'
  | 'VOICE_STATE_UPDATE'

/** A change, in the form of the gateway. */
export interface WorldEvent {
  readonly name: WorldEventName
  /** The server; null for a DM. */
  readonly guildId: string | null
  readonly data: object
  /** Whether a bot may get the event: it is in the server and sees the channel, or the DM is its own. */
  readonly sees: (botId: string) => boolean
}

export interface WorldChannel extends ServerChannel {
  readonly guild_id: string
}

export type MemberChanges = Partial<Omit<ServerMember, 'user'>>

type RoleFields = Partial<Omit<ServerRole, 'id'>>

// The oldest messages of a channel beyond this number are forgotten.
const MAX_MESSAGES_PER_CHANNEL = 1_000

/**
 * Servers, members, channels and messages that bots and people change. Values are never changed in place: a server or a
 * message that was taken before a change stays as it was.
 *
 * Methods that change something throw a TypeError for an unknown id. Whether somebody may change it, the caller checks.
 */
export class World {
  readonly #servers = new Map<string, ServerSettings>()
  readonly #directs = new Map<string, DirectChannel>()
  readonly #messages = new Map<string, BoundedMap<string, WorldMessage>>()
  /** Everybody who was ever seen, also after they left. */
  readonly #users = new Map<string, ServerUser>()
  readonly #events = new Emitter<WorldEvent>(console.error)
  readonly #nextId: () => string
  /** The time, in milliseconds since 1970. */
  readonly now: () => number
  #answers: Conversations | null = null

  /** @param servers complete ones; see `completeServer` */
  constructor(servers: readonly ServerSettings[], clock: Clock) {
    const ids = snowflakes({ clock, worker: 4 })
    this.#nextId = () => takeId(ids)
    this.now = () => clock.now()
    for (const server of servers) this.addServer(server)
  }

  /** Calls a listener after each change, in order. */
  subscribe(listener: (event: WorldEvent) => void): Subscription {
    return this.#events.add(listener)
  }

  // --- Servers and members --------------------------------------------------------------------------------------

  get servers(): readonly ServerSettings[] {
    return [...this.#servers.values()]
  }

  server(id: string): ServerSettings | undefined {
    return this.#servers.get(id)
  }

  member(serverId: string, userId: string): ServerMember | undefined {
    return this.server(serverId)?.members.find(({ user }) => user.id === userId)
  }

  /** Everybody who is or was in a server. */
  get users(): readonly ServerUser[] {
    return [...this.#users.values()]
  }

  user(id: string): ServerUser | undefined {
    return this.#users.get(id)
  }

  addServer(server: ServerSettings): void {
    this.#servers.set(server.id, server)
    for (const { user } of server.members) this.#users.set(user.id, user)
  }

  /**
   * Adds a bot to servers that it is not in.
   *
   * @param roles the ids of its roles. Default: a new managed role above all others, with ADMINISTRATOR
   */
  addBot(bot: ServerUser, servers: readonly ServerSettings[], roles?: readonly string[]): void {
    const user = { ...bot, bot: true }
    if (!this.#users.has(bot.id)) this.#users.set(bot.id, user)
    for (const { id } of servers) {
      if (this.member(id, bot.id) !== undefined) continue
      const member = { user, roles: roles ?? [this.#addBotRole(id, bot)] }
      const joined = this.#change(id, ({ members }) => ({ members: [...members, member] }))
      this.#publish('GUILD_CREATE', id, guildOf(joined, bot.id), bot.id)
    }
  }

  /** Adds somebody who joins, with the time of the clock. @throws TypeError for a member */
  addMember(serverId: string, user: ServerUser, roles: readonly string[] = []): void {
    if (this.member(serverId, user.id) !== undefined)
      throw new TypeError(`user: ${quoted(user.username)} is a member already`)
    const member = { user, roles, joined_at: new Date(this.now()).toISOString() }
    this.#users.set(user.id, user)
    this.#change(serverId, ({ members }) => ({ members: [...members, member] }))
    this.#publish('GUILD_MEMBER_ADD', serverId, { ...guildMember(member), guild_id: serverId })
  }

  setMember(serverId: string, userId: string, changes: MemberChanges): ServerMember {
    const before = known(this.member(serverId, userId))
    const member = { ...before, ...changes }
    this.#change(serverId, ({ members }) => ({ members: members.with(members.indexOf(before), member) }))
    const { voice_channel_id: voice, ...others } = changes
    if (Object.keys(others).length > 0)
      this.#publish('GUILD_MEMBER_UPDATE', serverId, { ...guildMember(member), guild_id: serverId })
    if (voice !== undefined && voice !== (before.voice_channel_id ?? null))
      this.#publish('VOICE_STATE_UPDATE', serverId, voiceState(serverId, member))
    return member
  }

  removeMember(serverId: string, userId: string): void {
    const member = known(this.member(serverId, userId))
    if (member.voice_channel_id) this.setMember(serverId, userId, { voice_channel_id: null })
    this.#change(serverId, ({ members }) => ({ members: members.filter(({ user }) => user.id !== userId) }))
    const data = { guild_id: serverId, user: completeUser(member.user) }
    this.#publish('GUILD_MEMBER_REMOVE', serverId, data)
    this.#publish('GUILD_DELETE', serverId, { id: serverId }, userId)
  }

  /**
   * Bans a user, who need not be a member.
   *
   * @param deleteSeconds deletes the messages of the user in these last seconds
   */
  ban(serverId: string, userId: string, reason: string | null = null, deleteSeconds = 0): void {
    const user = known(this.user(userId))
    if (this.banOf(serverId, userId) !== undefined) return
    const server = this.#change(serverId, ({ bans = [] }) => ({ bans: [...bans, { user, reason }] }))
    this.#publish('GUILD_BAN_ADD', serverId, { guild_id: serverId, user: completeUser(user) })
    if (this.member(serverId, userId) !== undefined) this.removeMember(serverId, userId)
    if (deleteSeconds <= 0) return
    const since = this.now() - deleteSeconds * 1000
    for (const { id: channelId } of server.channels) {
      const recent = this.messages(channelId).filter(
        ({ author, timestamp }) => author.id === userId && Date.parse(timestamp) >= since,
      )
      const ids = recent.map(({ id }) => id)
      this.deleteMessages(channelId, ids)
    }
  }

  banOf(serverId: string, userId: string): ServerBan | undefined {
    return this.server(serverId)?.bans?.find(({ user }) => user.id === userId)
  }

  /** Ends a ban; without one nothing happens. */
  unban(serverId: string, userId: string): void {
    if (this.banOf(serverId, userId) === undefined) return
    this.#change(serverId, ({ bans = [] }) => ({ bans: bans.filter(({ user }) => user.id !== userId) }))
    const user = completeUser(known(this.user(userId)))
    this.#publish('GUILD_BAN_REMOVE', serverId, { guild_id: serverId, user })
  }

  // --- Roles ----------------------------------------------------------------------------------------------------

  /** Creates a role above `@everyone`. */
  createRole(serverId: string, fields: RoleFields): ServerRole {
    const role = { name: 'new role', permissions: '0', position: 1, ...fields, id: this.#nextId() }
    this.#change(serverId, ({ roles }) => ({ roles: [...roles, role] }))
    this.#publish('GUILD_ROLE_CREATE', serverId, { guild_id: serverId, role: completeRole(role) })
    return role
  }

  setRole(serverId: string, before: ServerRole, changes: RoleFields): ServerRole {
    const role = { ...before, ...changes }
    this.#change(serverId, ({ roles }) => ({ roles: roles.with(roles.indexOf(before), role) }))
    this.#publish('GUILD_ROLE_UPDATE', serverId, { guild_id: serverId, role: completeRole(role) })
    return role
  }

  /** Deletes a role, which its members lose. */
  deleteRole(serverId: string, roleId: string): void {
    this.#change(serverId, ({ roles, members }) => ({
      roles: roles.filter(({ id }) => id !== roleId),
      members: members.map((member) => ({
        ...member,
        roles: member.roles.filter((id) => id !== roleId),
      })),
    }))
    this.#publish('GUILD_ROLE_DELETE', serverId, { guild_id: serverId, role_id: roleId })
  }

  // --- Channels -------------------------------------------------------------------------------------------------

  /** A channel of a server, or the DM channel of a bot. */
  channel(id: string): WorldChannel | DirectChannel | undefined {
    for (const server of this.#servers.values()) {
      const channel = server.channels.find((one) => one.id === id)
      if (channel !== undefined) return { ...channel, guild_id: server.id }
    }
    return this.#directs.get(id)
  }

  /** Creates a channel below the others. @param fields with an id for one that existed before */
  createChannel(serverId: string, fields: Omit<ServerChannel, 'id'> & Partial<ServerChannel>): ServerChannel {
    const channel = { type: ChannelType.GUILD_TEXT, id: this.#nextId(), ...fields }
    const { channels } = this.#change(serverId, (server) => ({ channels: [...server.channels, channel] }))
    this.#publish('CHANNEL_CREATE', serverId, guildChannel(channel, serverId, channels.length - 1))
    return channel
  }

  /** Deletes a channel with its messages. The channels of a category stay, without one. */
  deleteChannel(channelId: string): void {
    const guildId = known(this.#guildOf(channelId))
    const { channels, members } = known(this.server(guildId))
    for (const { user, voice_channel_id: voice } of members)
      if (voice === channelId) this.setMember(guildId, user.id, { voice_channel_id: null })
    const messages = this.messages(channelId)
    this.#messages.delete(channelId)
    const index = channels.findIndex(({ id }) => id === channelId)
    this.#change(guildId, () => ({ channels: channels.toSpliced(index, 1) }))
    this.#publish('CHANNEL_DELETE', guildId, guildChannel(channels[index]!, guildId, index))
    for (const { id } of messages) this.#answers?.replace(id, null)
    for (const { id, parent_id: parent } of channels)
      if (parent === channelId) this.setChannel(id, { parent_id: null })
  }

  setChannel(channelId: string, changes: Partial<Omit<ServerChannel, 'id'>>): void {
    const guildId = known(this.#guildOf(channelId))
    const { channels } = this.#change(guildId, (server) => ({
      channels: server.channels.map((one) => (one.id === channelId ? { ...one, ...changes } : one)),
    }))
    const index = channels.findIndex(({ id }) => id === channelId)
    this.#publish('CHANNEL_UPDATE', guildId, guildChannel(channels[index]!, guildId, index))
  }

  /** Sets or removes (null) what a channel of a server allows and denies a role or a member. */
  setOverwrite(
    { id, permission_overwrites: all = [] }: ServerChannel,
    targetId: string,
    overwrite: ChannelOverwrite | null,
  ): void {
    const others = all.filter((one) => one.id !== targetId)
    this.setChannel(id, { permission_overwrites: overwrite === null ? others : [...others, overwrite] })
  }

  /** The DM channel of a bot and a person. The first call creates it. */
  openDirectMessage(botId: string, userId: string): DirectChannel {
    const user = known(this.user(userId))
    for (const direct of this.#directs.values())
      if (direct.botId === botId && direct.user.id === userId) return direct
    const direct = { id: this.#nextId(), type: ChannelType.DM, botId, user }
    this.#directs.set(direct.id, direct)
    return direct
  }

  // --- Messages -------------------------------------------------------------------------------------------------

  /** The messages of a channel, oldest first. */
  messages(channelId: string): readonly WorldMessage[] {
    return [...(this.#messages.get(channelId)?.values() ?? [])]
  }

  message(channelId: string, id: string): WorldMessage | undefined {
    return this.#messages.get(channelId)?.get(id)
  }

  /** A message of any channel. */
  findMessage(id: string): WorldMessage | undefined {
    return [...this.#messages.values()].map((messages) => messages.get(id)).find((one) => one !== undefined)
  }

  /** Adds a message of a person or a bot, with the fields of the body of POST /channels/{id}/messages. */
  createMessage(
    channelId: string,
    author: ServerUser,
    body: AnswerMessage,
    files: readonly AnswerFile[] = [],
  ): WorldMessage {
    return this.#keep('MESSAGE_CREATE', newMessage(author, body, this.#context(channelId, files)))
  }

  /** Adds a message that was written before, without an event. The reactions of one with the same id stay. */
  addMessage(message: InteractionMessage): void {
    const { reactions = [] } = this.message(message.channel_id, message.id) ?? {}
    this.#store({ components: [], ...message, reactions })
  }

  /** Gives a message new content; absent fields keep the old one. */
  editMessage(
    channelId: string,
    id: string,
    body: AnswerMessage,
    files: readonly AnswerFile[] = [],
  ): WorldMessage {
    const edited = editMessage(known(this.message(channelId, id)), body, this.#context(channelId, files))
    // The answer to an interaction belongs to its conversation, which tells its change back.
    const { reactions: _reactions, ...answer } = edited
    if (this.#answers?.replace(id, answer as AppMessage) !== true) this.#keep('MESSAGE_UPDATE', edited)
    return known(this.message(channelId, id))
  }

  /** Deletes messages; ids of others are ignored. Two or more are one event. */
  deleteMessages(channelId: string, ids: readonly string[]): void {
    const all = this.#messages.get(channelId)
    const known = ids.filter((id) => all?.delete(id))
    const place = this.#placeOf(channelId)
    if (known.length === 1) this.#publishIn(channelId, 'MESSAGE_DELETE', { id: known[0], ...place })
    if (known.length > 1) this.#publishIn(channelId, 'MESSAGE_DELETE_BULK', { ids: known, ...place })
    for (const id of known) this.#answers?.replace(id, null)
  }

  /** Adds or removes the reaction of a user. Nothing happens if that is so already. */
  setReaction(channelId: string, messageId: string, userId: string, emoji: Emoji, isOn: boolean): void {
    const message = known(this.message(channelId, messageId))
    const key = emojiKey(emoji)
    const at = message.reactions.findIndex((one) => emojiKey(one.emoji) === key)
    const reaction = message.reactions[at] ?? { emoji, users: [] }
    if (reaction.users.includes(userId) === isOn) return
    const others = reaction.users.filter((id) => id !== userId)
    const changed = { ...reaction, users: isOn ? [...others, userId] : others }
    const all = at < 0 ? [...message.reactions, changed] : message.reactions.with(at, changed)
    this.#store({ ...message, reactions: all.filter(({ users }) => users.length > 0) })
    const member = this.#memberIn(channelId, userId)
    this.#publishIn(channelId, isOn ? 'MESSAGE_REACTION_ADD' : 'MESSAGE_REACTION_REMOVE', {
      message_id: messageId,
      ...this.#placeOf(channelId),
      user_id: userId,
      emoji: { ...emoji, animated: false },
      burst: false,
      type: 0,
      ...(isOn && { message_author_id: message.author.id, ...(member && { member: guildMember(member) }) }),
    })
  }

  clearReactions(channelId: string, messageId: string): void {
    this.#store({ ...known(this.message(channelId, messageId)), reactions: [] })
    const data = { message_id: messageId, ...this.#placeOf(channelId) }
    this.#publishIn(channelId, 'MESSAGE_REACTION_REMOVE_ALL', data)
  }

  type(channelId: string, userId: string): void {
    const member = this.#memberIn(channelId, userId)
    this.#publishIn(channelId, 'TYPING_START', {
      channel_id: channelId,
      user_id: userId,
      timestamp: Math.floor(this.now() / 1000),
      ...this.#placeOf(channelId),
      ...(member && { member: guildMember(member) }),
    })
  }

  /**
   * Takes the answers to interactions as messages of their channels, but for those that only one person sees. An edit
   * or a deletion of one of them here reaches its conversation.
   */
  follow(answers: Conversations): void {
    this.#answers = answers
    answers.subscribe(({ type, message }) => {
      const { id, channel_id: channelId } = message
      if (isEphemeral(message) || this.channel(channelId) === undefined) return
      if (type === 'message_deleted') return this.deleteMessages(channelId, [id])
      const before = this.message(channelId, id)
      if (type === 'message_updated' && before === undefined) return
      const name = type === 'message_created' ? 'MESSAGE_CREATE' : 'MESSAGE_UPDATE'
      this.#keep(name, { ...message, reactions: before?.reactions ?? [] })
    })
  }

  // --- Permissions ----------------------------------------------------------------------------------------------

  /** The milliseconds until a person may write in a channel again, because of its slow mode; 0 for at once. */
  slowModeLeft(
    { id, rate_limit_per_user: seconds = 0 }: Pick<ServerChannel, 'id' | 'rate_limit_per_user'>,
    userId: string,
  ): number {
    const last = this.messages(id).findLast(({ author }) => author.id === userId)
    return last === undefined ? 0 : Math.max(0, Date.parse(last.timestamp) + seconds * 1_000 - this.now())
  }

  /** The permissions of a member in a server or in one of its channels; none for somebody who is not in it. */
  permissions(serverId: string, userId: string, channel: ServerChannel | null = null): bigint {
    const server = this.server(serverId)
    const member = this.member(serverId, userId)
    if (server === undefined || member === undefined) return 0n
    const { owner_id: ownerId } = server
    const context = { guildId: serverId, now: this.now(), ...(ownerId !== undefined && { ownerId }) }
    return effectivePermissions(member, server.roles, channel, context)
  }

  /** The highest role of a member, which may be `@everyone`. */
  highestRole(serverId: string, userId: string): ServerRole {
    const own = [serverId, ...known(this.member(serverId, userId)).roles]
    const roles = known(this.server(serverId)).roles.filter(({ id }) => own.includes(id))
    return roles.sort(compareRoles).at(-1)!
  }

  // --------------------------------------------------------------------------------------------------------------

  #addBotRole(serverId: string, { id: bot_id, username: name }: ServerUser): string {
    const { roles } = known(this.server(serverId))
    const position = Math.max(...roles.map((role) => role.position ?? 0)) + 1
    const permissions = String(PermissionFlag.ADMINISTRATOR)
    const role = { id: this.#nextId(), name, permissions, position, managed: true, tags: { bot_id } }
    this.#change(serverId, () => ({ roles: [...roles, role] }))
    return role.id
  }

  /** The id of the server of a channel; null for a DM. */
  #guildOf(channelId: string): string | null {
    const channel = known(this.channel(channelId))
    return isDirect(channel) ? null : channel.guild_id
  }

  #memberIn(channelId: string, userId: string): ServerMember | undefined {
    return this.member(this.#guildOf(channelId) ?? '', userId)
  }

  /** The fields of events that name a channel and its server. */
  #placeOf(channelId: string): object {
    const guildId = this.#guildOf(channelId)
    return { channel_id: channelId, ...(guildId !== null && { guild_id: guildId }) }
  }

  #context(channelId: string, files: readonly AnswerFile[]): MessageContext {
    return {
      channelId,
      files,
      now: this.now(),
      nextId: this.#nextId,
      userOf: (id) => completeUser(this.user(id) ?? { id }),
      messageOf: (id) => this.message(channelId, id),
    }
  }

  #change(serverId: string, changesOf: (server: ServerSettings) => Partial<ServerSettings>): ServerSettings {
    const server = known(this.server(serverId))
    const changed = { ...server, ...changesOf(server) }
    this.#servers.set(serverId, changed)
    return changed
  }

  #store(message: WorldMessage): void {
    const { channel_id: channelId, id } = message
    const messages = this.#messages.get(channelId) ?? new BoundedMap(MAX_MESSAGES_PER_CHANNEL)
    this.#messages.set(channelId, messages.set(id, message))
  }

  #keep(name: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE', message: WorldMessage): WorldMessage {
    this.#store(message)
    const { channel_id: channelId, author, webhook_id } = message
    const member = webhook_id === undefined ? this.#memberIn(channelId, author.id) : undefined
    const { user: _user, ...withoutUser } = (member ? guildMember(member) : {}) as { readonly user?: unknown }
    this.#publishIn(channelId, name, {
      ...messageFor(message, ''),
      ...this.#placeOf(channelId),
      ...(member && { member: withoutUser }),
    })
    return message
  }

  /** @param onlyFor the bot that gets the event. Default: every bot of the server */
  #publish(name: WorldEventName, guildId: string, data: object, onlyFor?: string): void {
    const sees = (botId: string) =>
      onlyFor === undefined ? this.member(guildId, botId) !== undefined : botId === onlyFor
    this.#events.publish([{ name, guildId, data, sees }])
  }

  /** Publishes an event of a channel, to those who see it. */
  #publishIn(channelId: string, name: WorldEventName, data: object): void {
    const channel = known(this.channel(channelId))
    const sees = (botId: string) =>
      isDirect(channel)
        ? channel.botId === botId
        : (this.permissions(channel.guild_id, botId, channel) & PermissionFlag.VIEW_CHANNEL) !== 0n
    this.#events.publish([{ name, guildId: this.#guildOf(channelId), data, sees }])
  }
}

/** The order of roles: by position; of two with one position, the older is higher. */
export function compareRoles(a: ServerRole, b: ServerRole): number {
  return (a.position ?? 0) - (b.position ?? 0) || compareSnowflakes(b.id, a.id)
}

/** What the caller has looked up before. */
function known<T>(found: T | null | undefined): T {
  if (found === undefined || found === null) throw new TypeError('unknown id')
  return found
}
