/** The state of servers, their members and their messages while a service runs. Every change publishes its events. */
import { ChannelType } from '../command/types.ts'
import { BoundedMap } from '../core/bounded-map.ts'
import { systemClock, type Clock } from '../core/clock.ts'
import { Emitter, type Subscription } from '../core/emitter.ts'
import { compareSnowflakes, snowflakes, takeId, type IdSource } from '../core/snowflake.ts'
import { quoted } from '../core/text.ts'
import { PermissionFlag } from '../command/permission-flags.ts'
import type { AnswerMessage } from '../answer/answer-types.ts'
import type { Conversations } from '../bot/conversations.ts'
import { isEphemeral, type AnswerFile, type AppMessage } from '../answer/message.ts'
import { completeRole, completeUser } from '../interaction/complete.ts'
import type { InteractionMessage } from '../interaction/payload.ts'
import { effectivePermissions } from '../permission/effective.ts'
import type {
  ServerBan,
  ServerChannel,
  ServerMember,
  ServerRole,
  ServerSettings,
  ServerUser,
} from './server.ts'
import type { WorldEvent, WorldEventName } from './event.ts'
import {
  editedMessage,
  emojiKey,
  messageFor,
  newMessage,
  type Emoji,
  type MessageContext,
  type WorldMessage,
} from './message.ts'
import { guildChannel, guildMember, guildOf, voiceState, type DirectChannel } from './wire.ts'

/** The servers at the start, the time and the ids. */
export interface WorldOptions {
  /** The servers, complete; see `completeServer`. */
  readonly servers: readonly ServerSettings[]
  /** The time of messages, joins and timeouts. Default: the system's clock. */
  readonly clock?: Clock
  /** The ids of messages, roles and DM channels. Default: ids by the clock. */
  readonly ids?: IdSource
  /** Called with the error of a listener. Default: `console.error`. */
  readonly onListenerError?: (error: unknown) => void
}

/** A channel of a server, with its server. */
export interface WorldChannel extends ServerChannel {
  readonly guild_id: string
}

/** The changes of a member. */
export type MemberChanges = Partial<Omit<ServerMember, 'user'>>

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
  readonly #clock: Clock
  readonly #ids: IdSource
  readonly #events: Emitter<WorldEvent>
  #answers: Conversations | null = null

  constructor({ servers, clock = systemClock, ids, onListenerError = console.error }: WorldOptions) {
    this.#clock = clock
    this.#ids = ids ?? snowflakes({ clock, worker: 4 })
    this.#events = new Emitter(onListenerError)
    for (const server of servers) this.addServer(server)
  }

  /** Calls a listener after each change, in order. */
  subscribe(listener: (event: WorldEvent) => void): Subscription {
    return this.#events.add(listener)
  }

  /** The time, in milliseconds since 1970. */
  now(): number {
    return this.#clock.now()
  }

  // --- Servers --------------------------------------------------------------------------------------------------

  get servers(): readonly ServerSettings[] {
    return [...this.#servers.values()]
  }

  server(id: string): ServerSettings | undefined {
    return this.#servers.get(id)
  }

  /** A member of a server; undefined for somebody who is not in it. */
  member(serverId: string, userId: string): ServerMember | undefined {
    return this.server(serverId)?.members.find(({ user }) => user.id === userId)
  }

  /** Anybody who is or was in a server. */
  user(id: string): ServerUser | undefined {
    return this.#users.get(id)
  }

  /** Adds a server. */
  addServer(server: ServerSettings): void {
    this.#put(server)
    for (const { user } of server.members) this.#users.set(user.id, user)
  }

  /**
   * Adds a bot to servers that it is not in.
   *
   * @param roles the ids of its roles. Default: a new managed role above all others, with ADMINISTRATOR
   */
  addBot(
    bot: ServerUser,
    roles?: readonly string[],
    servers: readonly ServerSettings[] = this.servers,
  ): void {
    this.#users.set(bot.id, this.#users.get(bot.id) ?? { ...bot, bot: true })
    for (const { id } of servers) {
      if (this.member(id, bot.id) !== undefined) continue
      const own = roles ?? [this.#addBotRole(id, bot)]
      const server = this.#server(id)
      const known = own.filter((role) => server.roles.some((one) => one.id === role))
      const joined = {
        ...server,
        members: [...server.members, { user: { ...bot, bot: true }, roles: known }],
      }
      this.#put(joined)
      this.#publish('GUILD_CREATE', id, guildOf(joined, bot.id), (botId) => botId === bot.id)
    }
  }

  /** Adds somebody who joins, with the time of the clock. @throws TypeError for a member */
  addMember(serverId: string, user: ServerUser, roles: readonly string[] = []): ServerMember {
    const server = this.#server(serverId)
    if (this.member(serverId, user.id) !== undefined)
      throw new TypeError(`user: ${quoted(user.username)} is a member of ${quoted(server.name)} already`)
    const member = { user, roles, joined_at: new Date(this.now()).toISOString() }
    this.#users.set(user.id, user)
    this.#put({ ...server, members: [...server.members, member] })
    this.#publish('GUILD_MEMBER_ADD', serverId, { ...guildMember(member), guild_id: serverId })
    return member
  }

  /** Changes the roles, nickname, timeout or voice channel of a member. */
  setMember(serverId: string, userId: string, changes: MemberChanges): ServerMember {
    const server = this.#server(serverId)
    const before = this.#member(serverId, userId)
    const member = { ...before, ...changes }
    this.#put({ ...server, members: server.members.map((one) => (one === before ? member : one)) })
    const { voice_channel_id: voice, ...others } = changes
    if (Object.keys(others).length > 0)
      this.#publish('GUILD_MEMBER_UPDATE', serverId, { ...guildMember(member), guild_id: serverId })
    if (voice !== undefined && voice !== (before.voice_channel_id ?? null))
      this.#publish('VOICE_STATE_UPDATE', serverId, voiceState(serverId, member))
    return member
  }

  /** Removes somebody who leaves or is kicked. */
  removeMember(serverId: string, userId: string): void {
    const member = this.#member(serverId, userId)
    if (member.voice_channel_id) this.setMember(serverId, userId, { voice_channel_id: null })
    const server = this.#server(serverId)
    this.#put({ ...server, members: server.members.filter(({ user }) => user.id !== userId) })
    const data = { guild_id: serverId, user: completeUser(member.user) }
    this.#publish('GUILD_MEMBER_REMOVE', serverId, data)
    this.#publish('GUILD_DELETE', serverId, { id: serverId }, (botId) => botId === userId)
  }

  /**
   * Bans a user, who need not be a member.
   *
   * @param deleteSeconds deletes the messages of the user in these last seconds
   */
  ban(serverId: string, userId: string, reason: string | null = null, deleteSeconds = 0): void {
    const user = this.#user(userId)
    const server = this.#server(serverId)
    if (this.banOf(serverId, userId) !== undefined) return
    this.#put({ ...server, bans: [...(server.bans ?? []), { user, reason }] })
    this.#publish('GUILD_BAN_ADD', serverId, { guild_id: serverId, user: completeUser(user) })
    if (this.member(serverId, userId) !== undefined) this.removeMember(serverId, userId)
    if (deleteSeconds <= 0) return
    const since = this.now() - deleteSeconds * 1000
    for (const { id } of server.channels) {
      const recent = this.messages(id).filter(
        (one) => one.author.id === userId && Date.parse(one.timestamp) >= since,
      )
      if (recent.length > 0)
        this.deleteMessages(
          id,
          recent.map((one) => one.id),
        )
    }
  }

  /** The ban of a user; undefined for one who is not banned. */
  banOf(serverId: string, userId: string): ServerBan | undefined {
    return this.server(serverId)?.bans?.find(({ user }) => user.id === userId)
  }

  /** Ends a ban; without one nothing happens. */
  unban(serverId: string, userId: string): void {
    const server = this.#server(serverId)
    if (this.banOf(serverId, userId) === undefined) return
    this.#put({ ...server, bans: server.bans!.filter(({ user }) => user.id !== userId) })
    const user = completeUser(this.#user(userId))
    this.#publish('GUILD_BAN_REMOVE', serverId, { guild_id: serverId, user })
  }

  // --- Roles ----------------------------------------------------------------------------------------------------

  /** Creates a role above `@everyone`. */
  createRole(serverId: string, fields: Partial<Omit<ServerRole, 'id'>> = {}): ServerRole {
    const server = this.#server(serverId)
    const role = { name: 'new role', permissions: '0', position: 1, ...fields, id: takeId(this.#ids) }
    this.#put({ ...server, roles: [...server.roles, role] })
    this.#publish('GUILD_ROLE_CREATE', serverId, { guild_id: serverId, role: completeRole(role) })
    return role
  }

  setRole(serverId: string, roleId: string, changes: Partial<Omit<ServerRole, 'id'>>): ServerRole {
    const server = this.#server(serverId)
    const before = found('role', server.roles, roleId)
    const role = { ...before, ...changes }
    this.#put({ ...server, roles: server.roles.map((one) => (one === before ? role : one)) })
    this.#publish('GUILD_ROLE_UPDATE', serverId, { guild_id: serverId, role: completeRole(role) })
    return role
  }

  /** Deletes a role, which its members lose. */
  deleteRole(serverId: string, roleId: string): void {
    const server = this.#server(serverId)
    found('role', server.roles, roleId)
    this.#put({
      ...server,
      roles: server.roles.filter(({ id }) => id !== roleId),
      members: server.members.map((member) => ({
        ...member,
        roles: member.roles.filter((id) => id !== roleId),
      })),
    })
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

  setChannel(channelId: string, changes: Partial<Omit<ServerChannel, 'id'>>): WorldChannel {
    const before = this.#channel(channelId)
    if ('botId' in before) throw new TypeError(`channel: ${quoted(channelId)} is a DM`)
    const { guild_id, ...fields } = before
    const server = this.#server(guild_id)
    const channel = { ...fields, ...changes }
    const channels = server.channels.map((one) => (one.id === channelId ? channel : one))
    this.#put({ ...server, channels })
    const data = guildChannel(channel, guild_id, channels.indexOf(channel))
    this.#publish('CHANNEL_UPDATE', guild_id, data)
    return { ...channel, guild_id }
  }

  /** The DM channel of a bot and a person. The first call creates it. */
  openDirectMessage(botId: string, userId: string): DirectChannel {
    const user = this.#user(userId)
    for (const direct of this.#directs.values())
      if (direct.botId === botId && direct.user.id === userId) return direct
    const direct = { id: takeId(this.#ids), type: ChannelType.DM, botId, user }
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

  /** Adds a message of a person or a bot, with the fields of the body of POST /channels/{id}/messages. */
  createMessage(
    channelId: string,
    author: ServerUser,
    body: AnswerMessage,
    files: readonly AnswerFile[] = [],
  ): WorldMessage {
    this.#channel(channelId)
    return this.#keep('MESSAGE_CREATE', newMessage(author, body, this.#context(channelId, files)))
  }

  /** Adds a message that was written before, without an event. The reactions of one with the same id stay. */
  addMessage(message: InteractionMessage): void {
    const { channel_id: channelId, id } = message
    this.#channel(channelId)
    const { reactions = [] } = this.message(channelId, id) ?? {}
    this.#store({ components: [], ...message, reactions })
  }

  /** Gives a message new content; absent fields keep the old one. */
  editMessage(
    channelId: string,
    id: string,
    body: AnswerMessage,
    files: readonly AnswerFile[] = [],
  ): WorldMessage {
    const edited = editedMessage(this.#message(channelId, id), body, this.#context(channelId, files))
    // The answer to an interaction belongs to its conversation, which tells its change back.
    const { reactions: _reactions, ...answer } = edited
    if (this.#answers?.replace(id, answer as AppMessage) !== true) this.#keep('MESSAGE_UPDATE', edited)
    return this.#message(channelId, id)
  }

  /** Deletes messages; ids of others are ignored. Two or more are one event. */
  deleteMessages(channelId: string, ids: readonly string[]): void {
    this.#channel(channelId)
    const all = this.#messages.get(channelId)
    const known = ids.filter((id) => all?.delete(id))
    const guild_id = this.#guildOf(channelId)
    const place = { channel_id: channelId, ...(guild_id !== null && { guild_id }) }
    if (known.length === 1) this.#publishIn(channelId, 'MESSAGE_DELETE', { id: known[0], ...place })
    if (known.length > 1) this.#publishIn(channelId, 'MESSAGE_DELETE_BULK', { ids: known, ...place })
    for (const id of known) this.#answers?.replace(id, null)
  }

  /** Adds the reaction of a user; one that is there stays. */
  react(channelId: string, messageId: string, userId: string, emoji: Emoji): void {
    const message = this.#message(channelId, messageId)
    const key = emojiKey(emoji)
    const before = message.reactions.find((one) => emojiKey(one.emoji) === key)
    if (before?.users.includes(userId)) return
    const reaction = { emoji, users: [...(before?.users ?? []), userId] }
    const reactions =
      before === undefined
        ? [...message.reactions, reaction]
        : message.reactions.map((one) => (one === before ? reaction : one))
    this.#store({ ...message, reactions })
    this.#publishReaction('MESSAGE_REACTION_ADD', message, userId, emoji)
  }

  /** Removes the reaction of a user; without one nothing happens. */
  unreact(channelId: string, messageId: string, userId: string, emoji: Emoji): void {
    const message = this.#message(channelId, messageId)
    const key = emojiKey(emoji)
    const before = message.reactions.find((one) => emojiKey(one.emoji) === key)
    if (!before?.users.includes(userId)) return
    const users = before.users.filter((id) => id !== userId)
    const reactions = message.reactions
      .map((one) => (one === before ? { emoji, users } : one))
      .filter((one) => one.users.length > 0)
    this.#store({ ...message, reactions })
    this.#publishReaction('MESSAGE_REACTION_REMOVE', message, userId, emoji)
  }

  /** Removes all reactions of a message. */
  clearReactions(channelId: string, messageId: string): void {
    const message = this.#message(channelId, messageId)
    this.#store({ ...message, reactions: [] })
    this.#publishIn(channelId, 'MESSAGE_REACTION_REMOVE_ALL', this.#placeOf(message))
  }

  /** Shows that a user types. */
  type(channelId: string, userId: string): void {
    const guildId = this.#guildOf(channelId)
    this.#publishIn(channelId, 'TYPING_START', {
      channel_id: channelId,
      user_id: userId,
      timestamp: Math.floor(this.now() / 1000),
      ...(guildId !== null && { guild_id: guildId, member: guildMember(this.#member(guildId, userId)) }),
    })
  }

  /**
   * Takes the answers to interactions as messages of their channels, but for those that only one person sees. An edit
   * or a deletion of one of them here reaches its conversation.
   */
  follow(answers: Conversations): () => void {
    this.#answers = answers
    return answers.subscribe(({ type, message }) => {
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
  slowModeLeft({ id, rate_limit_per_user: seconds = 0 }: ServerChannel, userId: string): number {
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
    const { roles } = this.#server(serverId)
    const own = this.#member(serverId, userId).roles
    return roles
      .filter(({ id }) => id === serverId || own.includes(id))
      .sort(compareRoles)
      .at(-1)!
  }

  // --------------------------------------------------------------------------------------------------------------

  #addBotRole(serverId: string, { id: bot_id, username: name }: ServerUser): string {
    const server = this.#server(serverId)
    const position = Math.max(...server.roles.map((role) => role.position ?? 0)) + 1
    const permissions = String(PermissionFlag.ADMINISTRATOR)
    const role = { id: takeId(this.#ids), name, permissions, position, managed: true, tags: { bot_id } }
    this.#put({ ...server, roles: [...server.roles, role] })
    return role.id
  }

  #server(id: string): ServerSettings {
    return found('server', this.servers, id)
  }

  #member(serverId: string, userId: string): ServerMember {
    const member = this.member(serverId, userId)
    if (member !== undefined) return member
    throw new TypeError(
      `member: nobody in ${quoted(this.#server(serverId).name)} has the id ${quoted(userId)}`,
    )
  }

  #user(id: string): ServerUser {
    return found('user', [...this.#users.values()], id)
  }

  #channel(id: string): WorldChannel | DirectChannel {
    const channel = this.channel(id)
    return channel ?? found('channel', [], id)
  }

  #message(channelId: string, id: string): WorldMessage {
    return this.message(channelId, id) ?? found('message', [], id)
  }

  #guildOf(channelId: string): string | null {
    const channel = this.#channel(channelId)
    return 'botId' in channel ? null : channel.guild_id
  }

  #context(channelId: string, files: readonly AnswerFile[]): MessageContext {
    return {
      channelId,
      files,
      now: this.now(),
      nextId: () => takeId(this.#ids),
      userOf: (id) => completeUser(this.user(id) ?? { id }),
      messageOf: (id) => this.message(channelId, id),
    }
  }

  #put(server: ServerSettings): void {
    this.#servers.set(server.id, server)
  }

  #store(message: WorldMessage): void {
    const { channel_id: channelId, id } = message
    let channel = this.#messages.get(channelId)
    if (channel === undefined)
      this.#messages.set(channelId, (channel = new BoundedMap(MAX_MESSAGES_PER_CHANNEL)))
    channel.set(id, message)
  }

  #keep(name: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE', message: WorldMessage): WorldMessage {
    this.#store(message)
    const { channel_id: channelId, author, webhook_id } = message
    const guildId = this.#guildOf(channelId)
    const member = guildId === null ? undefined : this.member(guildId, author.id)
    this.#publishIn(channelId, name, {
      ...messageFor(message, ''),
      ...(guildId !== null && { guild_id: guildId }),
      ...(member !== undefined && webhook_id === undefined && { member: withoutUser(guildMember(member)) }),
    })
    return message
  }

  #placeOf({ id, channel_id }: WorldMessage): object {
    const guild_id = this.#guildOf(channel_id)
    return { message_id: id, channel_id, ...(guild_id !== null && { guild_id }) }
  }

  #publishReaction(
    name: 'MESSAGE_REACTION_ADD' | 'MESSAGE_REACTION_REMOVE',
    message: WorldMessage,
    user_id: string,
    emoji: Emoji,
  ): void {
    const guildId = this.#guildOf(message.channel_id)
    const member = guildId === null ? undefined : this.member(guildId, user_id)
    this.#publishIn(message.channel_id, name, {
      ...this.#placeOf(message),
      user_id,
      emoji: { ...emoji, animated: false },
      burst: false,
      type: 0,
      ...(name === 'MESSAGE_REACTION_ADD' && {
        message_author_id: message.author.id,
        ...(member !== undefined && { member: guildMember(member) }),
      }),
    })
  }

  #publish(
    name: WorldEventName,
    guildId: string,
    data: object,
    sees = (botId: string) => this.member(guildId, botId) !== undefined,
  ): void {
    this.#events.publish([{ name, guildId, data, sees }])
  }

  /** Publishes an event of a channel, to those who see it. */
  #publishIn(channelId: string, name: WorldEventName, data: object): void {
    const channel = this.#channel(channelId)
    const guildId = 'botId' in channel ? null : channel.guild_id
    const sees = (botId: string) =>
      'botId' in channel
        ? channel.botId === botId
        : (this.permissions(channel.guild_id, botId, channel) & PermissionFlag.VIEW_CHANNEL) !== 0n
    this.#events.publish([{ name, guildId, data, sees }])
  }
}

/** The order of roles: by position; of two with one position, the older is higher. */
export function compareRoles(a: ServerRole, b: ServerRole): number {
  return (a.position ?? 0) - (b.position ?? 0) || compareSnowflakes(b.id, a.id)
}

/** @throws TypeError for an unknown id */
function found<T extends { readonly id: string }>(kind: string, list: readonly T[], id: string): T {
  const one = list.find((item) => item.id === id)
  if (one !== undefined) return one
  throw new TypeError(`${kind}: no ${kind} has the id ${quoted(id)}`)
}

function withoutUser(member: object): object {
  const { user: _user, ...rest } = member as { readonly user?: unknown }
  return rest
}
