/** The entities of servers while a service runs: how they are found, changed and published. */
import { BoundedMap, bytesOfJson } from '../../core/bounded-map.ts'
import type { Clock } from '../../core/clock.ts'
import { Emitter, type Subscription } from '../../core/emitter.ts'
import { processIds, takeId } from '../../model/id-source.ts'
import { compareSnowflakes } from '../../core/snowflake.ts'
import { ChannelType } from '../../model/command-types.ts'
import { platformOn, type Platform } from '../../model/platform.ts'
import { PermissionFlag } from '../../model/permission-flags.ts'
import {
  isThread,
  type ServerMember,
  type ServerRole,
  type ServerSettings,
  type ServerUser,
} from '../../model/server.ts'
import type { AppMessage } from '../../interactions/bot/bot-message.ts'
import type { Conversations } from '../../interactions/bot/conversations.ts'
import {
  isDirect,
  type AnyChannel,
  type ChannelState,
  type DirectChannel,
  type LogEntry,
  type OwnEmoji,
  type ServerState,
  type Thread,
  type WorldActor,
} from './entities.ts'
import type { WorldEvent, WorldEventName } from './world-events.ts'
import { memberOf } from './member-lists.ts'
import { AccessLog } from './access-log.ts'
import { MessageLog } from './message-log.ts'
import { permissionsIn, seesChannel } from './visibility.ts'
import { messageFor, type WorldMessage } from './world-message.ts'

const EMPTY: Omit<ServerState, keyof ServerSettings> & Pick<ServerState, 'bans'> = {
  ...{ bans: [], threads: [], emojis: [], webhooks: [], invites: [] },
  ...{ fields: {}, selfVoice: {} },
}

// The oldest are forgotten beyond these sizes. What is kept of a bot, such as the routes that it uses, is less than its
// bytes; a DM and an emoji have a few texts of the length of a name.
const MAX_BOT_BYTES = 64 * 1024 * 1024
const BOT_BYTES = 32 * 1024
const MAX_DIRECT_BYTES = 8 * 1024 * 1024
const DIRECT_BYTES = 1024
const MAX_APPLICATION_EMOJI_BYTES = 16 * 1024 * 1024
const EMOJI_BYTES = 1024

/** What an entry of the audit log says beside who acted. */
type LoggedAction = Omit<LogEntry, 'id' | 'user_id' | 'reason'>

// The oldest entries of audit logs beyond these sizes are forgotten, of one server and of all. An entry of a channel has
// its overwrites.
const MAX_LOG_BYTES = 32 * 1024 * 1024
const MAX_LOG_BYTES_OF_ONE = 4 * 1024 * 1024
const MAX_LOGGED = 1_000
const SMALLEST_LOGGED = Math.floor(MAX_LOG_BYTES_OF_ONE / MAX_LOGGED)

interface Logged {
  readonly serverId: string
  readonly entry: LogEntry
  readonly size: number
}

/**
 * Servers, members, channels and messages that bots and people change, each kind by the functions of its own file. Values
 * are never changed in place: a server or a message that was taken before a change stays as it was.
 *
 * Functions that change something throw a TypeError for an unknown id. The caller checks the permissions.
 */
export class World {
  readonly #servers = new Map<string, ServerState>()
  /** Everybody who was ever seen, also after they left. */
  readonly #users = new Map<string, ServerUser>()
  #userList: readonly ServerUser[] | null = null
  readonly #events = new Emitter<WorldEvent>(console.error)
  #lastStamp = 0
  #actor: WorldActor | null = null
  /** The bots that have joined the servers of their applications; they may have left some since. */
  readonly seenBots = new BoundedMap<string, true>(MAX_BOT_BYTES, () => BOT_BYTES, {
    onForget: (_, id) => this.#forgetBot(id),
  })
  readonly directs = new BoundedMap<string, DirectChannel>(MAX_DIRECT_BYTES, () => DIRECT_BYTES, {
    onForget: ({ id }) => this.log.clear(id),
  })
  readonly applicationEmojis = new BoundedMap<string, readonly OwnEmoji[]>(
    MAX_APPLICATION_EMOJI_BYTES,
    ({ length }) => (length + 1) * EMOJI_BYTES,
  )
  readonly #logged = new BoundedMap<string, Logged>(MAX_LOG_BYTES, ({ size }) => size, {
    share: { most: MAX_LOG_BYTES_OF_ONE, ownerOf: ({ serverId }) => serverId },
  })
  /** The channels of polls that have not ended, by the ids of their messages. */
  readonly openPolls = new Map<string, string>()
  /** The people who take no DMs from bots, and those who block them. */
  readonly closed = new Set<string>()
  readonly blocking = new Set<string>()
  /** The servers with an outage, which bots do not see meanwhile. */
  readonly unavailable = new Set<string>()
  /** Discord as of a day. */
  readonly platform: Platform
  /** With a message its files are forgotten; those of one that is deleted remain, as bots log them afterwards. */
  readonly log = new MessageLog(({ attachments }) => {
    for (const { id } of attachments) this.answers?.files.forget(id)
  })
  readonly access = new AccessLog()
  readonly nextId: () => string
  /** The time, in milliseconds since 1970. */
  readonly now: () => number
  /** The answers to interactions, which know of changes of their messages. */
  answers: Conversations | null = null

  /** @param servers complete ones; see `completeServer` */
  constructor(servers: readonly ServerSettings[], clock: Clock, platform: Platform = platformOn()) {
    this.platform = platform
    const ids = processIds(clock)
    this.nextId = () => takeId(ids)
    this.now = () => clock.now()
    for (const server of servers) this.addServer(server)
  }

  /** Calls a listener after each change, in order. */
  subscribe(listener: (event: WorldEvent) => void): Subscription {
    return this.#events.add(listener)
  }

  /** The time as ISO 8601, another one at each call: clients page through lists by such times. */
  stamp(): string {
    this.#lastStamp = Math.max(Math.floor(this.now()), this.#lastStamp + 1)
    return new Date(this.#lastStamp).toISOString()
  }

  // --- Looking up -----------------------------------------------------------------------------------------------

  get servers(): readonly ServerState[] {
    return [...this.#servers.values()]
  }

  server(id: string): ServerState | undefined {
    return this.#servers.get(id)
  }

  member(serverId: string, userId: string): ServerMember | undefined {
    const server = this.server(serverId)
    return server && memberOf(server.members, userId)
  }

  /** The member of the server of a channel; undefined in a DM. */
  memberIn(channelId: string, userId: string): ServerMember | undefined {
    return this.member(this.guildOf(channelId) ?? '', userId)
  }

  /** Everybody who is or was in a server; the same list until that changes. */
  get users(): readonly ServerUser[] {
    return (this.#userList ??= [...this.#users.values()])
  }

  user(id: string): ServerUser | undefined {
    return this.#users.get(id)
  }

  /** A channel or a thread of a server, or the DM channel of a bot. */
  channel(id: string): AnyChannel | undefined {
    for (const server of this.#servers.values()) {
      const channel = server.channels.find((one) => one.id === id)
      if (channel !== undefined) return { ...channel, guild_id: server.id }
      const thread = server.threads.find((one) => one.id === id)
      if (thread !== undefined) return thread
    }
    return this.directs.get(id)
  }

  thread(id: string): Thread | undefined {
    const channel = this.channel(id)
    return channel !== undefined && isThread(channel) ? (channel as Thread) : undefined
  }

  /** The id of the server of a channel; null for a DM. */
  guildOf(channelId: string): string | null {
    const channel = known(this.channel(channelId))
    return isDirect(channel) ? null : channel.guild_id
  }

  /** The messages of a channel, oldest first. */
  messages(channelId: string): readonly WorldMessage[] {
    return this.log.of(channelId)
  }

  message(channelId: string, id: string): WorldMessage | undefined {
    return this.log.get(channelId, id)
  }

  /** An answer as its channel has it: with reactions, and with the votes of its poll. Others stay as they are. */
  inChannel(answer: AppMessage): AppMessage {
    const message = this.message(answer.channel_id, answer.id)
    return message === undefined ? answer : (messageFor(message, answer.author.id) as AppMessage)
  }

  /** A message of any channel. */
  findMessage(id: string): WorldMessage | undefined {
    return this.log.find(id)
  }

  /** The audit log of a server, oldest first. */
  auditLog(serverId: string): readonly LogEntry[] {
    return [...this.#logged.values()].filter((one) => one.serverId === serverId).map(({ entry }) => entry)
  }

  // --- Permissions ----------------------------------------------------------------------------------------------

  /** The permissions of a user in a server or in one of its channels; none for a user who is not a member. */
  permissions(serverId: string, userId: string, channel: ChannelState | null = null): bigint {
    const server = this.server(serverId)
    return server === undefined ? 0n : permissionsIn(server, userId, channel, this.now())
  }

  /** Whether a user sees a channel: one of a server by their permissions, a DM as one of the two in it. */
  sees(userId: string, channel: AnyChannel): boolean {
    if (isDirect(channel)) return channel.botId === userId || channel.user.id === userId
    const server = this.server(channel.guild_id)
    return server !== undefined && seesChannel(server, userId, channel, this.now())
  }

  /** The highest role of a member, which may be `@everyone`. */
  highestRole(serverId: string, userId: string): ServerRole {
    const own = [serverId, ...known(this.member(serverId, userId)).roles]
    const roles = known(this.server(serverId)).roles.filter(({ id }) => own.includes(id))
    return roles.sort(compareRoles).at(-1)!
  }

  // --- Changing -------------------------------------------------------------------------------------------------

  addServer(server: ServerSettings): void {
    this.#servers.set(server.id, { ...server, ...EMPTY, bans: server.bans ?? [] })
    for (const { user } of server.members) this.setUser(user)
  }

  setUser(user: ServerUser): void {
    this.#userList = null
    this.#users.set(user.id, user)
  }

  /** Forgets a bot that is in no server, with its DMs and emojis. */
  #forgetBot(id: string): void {
    if (this.servers.some((server) => this.member(server.id, id) !== undefined)) return
    this.#users.delete(id)
    this.#userList = null
    this.applicationEmojis.delete(id)
    this.access.forget(id)
    for (const { id: direct, botId } of [...this.directs.values()])
      if (botId === id) {
        this.log.clear(direct)
        this.directs.delete(direct)
      }
  }

  change(serverId: string, changesOf: (server: ServerState) => Partial<ServerState>): ServerState {
    const server = known(this.server(serverId))
    const changed = { ...server, ...changesOf(server) }
    this.#servers.set(serverId, changed)
    return changed
  }

  /** The id of the user or bot that makes the present change; null without one. */
  get actor(): WorldActor | null {
    return this.#actor
  }

  /** Carries out changes in the name of a user, whom the audit log names. */
  acting<T>(actor: WorldActor, act: () => T): T {
    const before = this.#actor
    this.#actor = actor
    try {
      return act()
    } finally {
      this.#actor = before
    }
  }

  // --- Telling --------------------------------------------------------------------------------------------------

  /** The permissions by which a user sees a channel: none for a DM. */
  sightOf(userId: string, channel: AnyChannel): readonly (keyof typeof PermissionFlag)[] {
    if (isDirect(channel)) return []
    if (channel.type !== ChannelType.PRIVATE_THREAD) return ['VIEW_CHANNEL']
    const isIn = this.thread(channel.id)?.members.some(({ user_id }) => user_id === userId)
    return isIn ? ['VIEW_CHANNEL'] : ['VIEW_CHANNEL', 'MANAGE_THREADS']
  }

  /**
   * Publishes an event of a server.
   *
   * @param sees the bots that get it. Default: those in the server
   * @param needed the permissions by which a bot gets it. Default: none
   */
  publish(
    name: WorldEventName,
    guildId: string | null,
    data: object,
    sees: (botId: string) => boolean = (botId) => this.member(guildId ?? '', botId) !== undefined,
    needed?: (botId: string) => readonly (keyof typeof PermissionFlag)[],
  ): void {
    if (guildId !== null && this.unavailable.has(guildId)) return
    const received = needed && ((botId: string) => this.access.used(botId, needed(botId)))
    this.#events.publish([{ name, guildId, data, sees, ...(received && { received }) }])
  }

  /** Publishes an event of a channel, to those who see it. */
  publishIn(channelId: string, name: WorldEventName, data: object): void {
    const channel = known(this.channel(channelId))
    this.publish(
      name,
      this.guildOf(channelId),
      data,
      (botId) => this.sees(botId, channel),
      (botId) => this.sightOf(botId, channel),
    )
  }

  /** The fields of events that name a channel and its server. */
  placeOf(channelId: string): object {
    const guildId = this.guildOf(channelId)
    return { channel_id: channelId, ...(guildId !== null && { guild_id: guildId }) }
  }

  /** Adds an entry to the audit log, if a user acts. Bots with VIEW_AUDIT_LOG get it. */
  record(serverId: string, action: LoggedAction): void {
    if (this.#actor === null) return
    const { userId, reason } = this.#actor
    const entry: LogEntry = {
      id: this.nextId(),
      user_id: userId,
      ...action,
      ...(reason !== null && { reason }),
    }
    const size = Math.max(bytesOfJson(entry), SMALLEST_LOGGED)
    this.#logged.set(entry.id, { serverId, entry, size })
    this.publish(
      'GUILD_AUDIT_LOG_ENTRY_CREATE',
      serverId,
      { ...entry, guild_id: serverId },
      (botId) => (this.permissions(serverId, botId) & PermissionFlag.VIEW_AUDIT_LOG) !== 0n,
      () => ['VIEW_AUDIT_LOG'],
    )
  }
}

/** The order of roles: by position; of two with one position, the older is higher. */
export function compareRoles(a: ServerRole, b: ServerRole): number {
  return (a.position ?? 0) - (b.position ?? 0) || compareSnowflakes(b.id, a.id)
}

/** What the caller has looked up before. */
export function known<T>(found: T | null | undefined): T {
  if (found === undefined || found === null) throw new TypeError('unknown id')
  return found
}
