/** The people, roles and channels of a testbed, found by name. */
import { type KnownObjects, objectsById, serverObjects } from '../../../interactions/usage/complete.ts'
import { expectedLocale, type ChatClientOptions } from '../../../interactions/client/chat-client.ts'
import { ChannelType } from '../../../model/command-types.ts'
import type { Clock } from '../../../core/clock.ts'
import { argument, demandText, optionsOf } from '../../../core/rules/arguments.ts'
import { optional } from '../../../core/rules/readers.ts'
import { Emitter } from '../../../core/emitter.ts'
import { once } from '../../../core/once.ts'
import { describeValue, quoted, listed, sameText } from '../../../core/text.ts'
import { isLocale, type Locale } from '../../../model/locales.ts'
import { PermissionFlag } from '../../../model/permission-flags.ts'
import { ComponentError } from '../../../interactions/usage/component-error.ts'
import type { ComponentUse } from '../../../interactions/usage/component.ts'
import { idOfName, namesText } from '../../../interactions/usage/known-names.ts'
import type { KnownFields } from '../../../model/interaction-payload.ts'
import type { Platform } from '../../../model/platform.ts'
import type { MentionKind } from '../../../interactions/usage/usage-rules.ts'
import { completeServer, type ServerInput } from '../../../model/demo-server.ts'
import {
  memberInChannel,
  type ServerChannel,
  type ServerMember,
  type ServerSettings,
  type ServerUser,
} from '../../../model/server.ts'
import { messageViews, type MessageView } from './server-view.ts'
import { isWritable, openDirectMessage } from '../../../service/world/channels.ts'
import { hasBot, installedFor, type InstalledTo } from '../../../service/world/installation.ts'
import { addBot, removeMember } from '../../../service/world/members.ts'
import { InputError } from './input-error.ts'
import type { AnyChannel, Thread } from '../../../service/world/entities.ts'
import { withParent } from '../../../service/world/visibility.ts'
import type { WorldMessage } from '../../../service/world/world-message.ts'
import { known, World } from '../../../service/world/world.ts'

/** A user of the testbed's servers, whom a test finds by user name. */
export interface Person extends Pick<ServerUser, 'id' | 'username' | 'global_name'> {}

type Rank = 'member' | 'moderator' | 'administrator'

export type PersonName = Rank | (string & {})

/** The place of a person, and the language of their client. */
export interface PersonOptions {
  /** The language of their client. Default `'en-US'`. */
  readonly locale?: Locale
  /** A channel by name or id, `'dm'` for the DM with the bot, or `'group'` for a group DM. Default: the first channel with messages. */
  readonly channel?: string
  /** A server by name or id. Default: the first one that has the person. */
  readonly server?: string
  /**
   * Where the bot is installed: in the server, or only for the user, who then acts in a server without the bot; where there
   * is none, the bot leaves that of the person. Default: for the user, and in each server that has the bot.
   */
  readonly installed?: InstalledTo
}

export interface ServerOption {
  /** A server by name or id. Default: the first one, or the first one that has the person. */
  readonly server?: string
}

const { ADMINISTRATOR, MODERATE_MEMBERS, BAN_MEMBERS, KICK_MEMBERS } = PermissionFlag
/** What an app that only the user installed can do in a channel, as far as the member can. */
const OF_USER_APPS =
  PermissionFlag.VIEW_CHANNEL |
  PermissionFlag.SEND_MESSAGES |
  PermissionFlag.ATTACH_FILES |
  PermissionFlag.EMBED_LINKS |
  PermissionFlag.MENTION_EVERYONE |
  PermissionFlag.USE_EXTERNAL_EMOJIS
const MODERATION = MODERATE_MEMBERS | BAN_MEMBERS | KICK_MEMBERS
export const GROUP = { id: '4901', type: ChannelType.GROUP_DM }
export function invalidArgument(name: string, expected: string, value: unknown): InputError {
  return new InputError(`${name}: expected ${expected}, got ${describeValue(value)}`)
}

/** A server, which is looked up later. */
const server = /* @__PURE__ */ optional(
  argument<string>('the name or the id of a server', (value) => typeof value === 'string'),
)

const readPersonOptions = /* @__PURE__ */ optionsOf<PersonOptions>('as', {
  // Read below, where the nearest one is named.
  locale: optional((_, value): any => value),
  channel: optional(
    argument('the name or the id of a channel, "dm" or "group"', (value) => typeof value === 'string'),
  ),
  server,
  installed: optional(
    argument<'server' | 'user'>('"server" or "user"', (value) => value === 'server' || value === 'user'),
  ),
})

/** The options of a person. @throws TypeError for an unknown option, or a value of another type */
export function checkedPersonOptions(options: PersonOptions): PersonOptions {
  const read = readPersonOptions(options)
  const { locale } = read
  if (locale !== undefined && !isLocale(locale)) throw new InputError(`locale: ${expectedLocale(locale)}`)
  return read
}

/** A server that an option names. @throws TypeError for another option */
export function serverOf(caller: string, options: ServerOption = {}): string | undefined {
  return optionsOf<ServerOption>(caller, { server })(options).server
}

/** It has the id of the server, because a server that is kept keeps everything that it had. */
export interface PersonInServer {
  readonly person: Person
  readonly serverId: string
}

export interface Participant extends PersonInServer {
  readonly applicationId: string
  readonly options: PersonOptions
}

/** @throws TypeError for an invalid server, and for an id that two servers or two members have */
export function worldOf(inputs: readonly ServerInput[], clock: Clock, platform?: Platform): World {
  if (inputs.length === 0) throw new InputError('servers: expected at least one server')
  const servers = inputs.map(completeServer)
  checkUnique(servers, (one) => `servers: the id ${quoted(one)} is that of two servers`)
  for (const { name, members } of servers) {
    const users = members.map(({ user }) => user)
    checkUnique(users, (one) => `servers: ${quoted(name)} has the member ${quoted(one)} twice`)
  }
  return new World(servers, clock, platform)
}

/** What a person did in a channel, or what happened to a server (by null), as the call that does it again. */
export interface TestAct {
  readonly by: { readonly userId: string; readonly channelId: string } | null
  /** The server, of what happened to it. */
  readonly serverId?: string
  /** The action below `/people/` that does it, with the names of its fields. */
  readonly post?: { readonly action: string; readonly fields: readonly string[] }
  readonly verb: string
  /** Messages, channels and files as they are in the world, and texts. */
  readonly values: readonly unknown[]
  /** The message that it wrote. */
  readonly message?: WorldMessage
  /** The code of the error with which it was refused. */
  readonly failure?: string
}

export class People {
  readonly world: World
  /** Publishes each act after it is done. */
  readonly acts = new Emitter<TestAct>(console.error)

  constructor(world: World) {
    this.world = world
  }

  get servers(): readonly ServerSettings[] {
    return this.world.servers
  }

  /** Every person in a server by username; of several with one name, the first. */
  get byUsername(): { readonly [username: string]: Person } {
    const people = new Map<string, Person>()
    for (const { user } of this.servers.flatMap(peopleOf))
      if (!people.has(user.username)) people.set(user.username, user)
    return Object.fromEntries(people)
  }

  /** @throws TypeError when it is invalid, or another one has its id */
  addServer(input: ServerInput): ServerSettings {
    const server = completeServer(input)
    if (this.world.server(server.id) !== undefined)
      throw new InputError(`server: the id ${quoted(server.id)} is that of another server`)
    this.world.addServer(server)
    return server
  }

  /** Adds a bot to a server, with roles by name or id. Default: a role of its own that may do everything. */
  addBot(bot: Person, server: ServerSettings, roles?: readonly string[]): void {
    addBot(this.world, bot, [server], roles && roleIds(server, roles))
  }

  /** A person by name, also one who has left. @throws TypeError for an unknown name */
  person(name: string): Person {
    demandText(name, 'name')
    const named = this.world.users.find(({ id, username }) => id === name || sameText(username, name))
    return named ?? this.find(name).person
  }

  /**
   * The person with a username or an id; for `member`, `moderator` and `administrator` the first person with that rank.
   * The first server that has such a person counts.
   *
   * @param serverName only this server. Default: all
   * @throws TypeError for an unknown name
   */
  find(name: string, serverName?: string): PersonInServer {
    demandText(name, 'name')
    const servers = serverName === undefined ? this.servers : [this.server(serverName)]
    for (const server of servers) {
      const { members } = server
      const member =
        members.find(({ user }) => user.id === name || sameText(user.username, name)) ??
        members.find((one) => one.user.bot !== true && rankOf(one, server) === name)
      if (member !== undefined) return { person: member.user, serverId: server.id }
    }
    const usernames = servers.flatMap(peopleOf).map(({ user }) => user.username)
    const names = [...usernames, 'member', 'moderator', 'administrator']
    throw new InputError(`unknown person ${quoted(name)}; the names are ${listed(names)}`)
  }

  /**
   * A person in the server in which they use a bot. One who alone installed it is in a server without the bot, or else the
   * bot leaves theirs.
   *
   * @throws TypeError for an unknown name
   */
  participantOf(applicationId: string, name: string, options: PersonOptions): Participant {
    const { installed, server, channel } = options
    const { person, serverId } = this.find(name, server)
    const isInServer = channel !== 'dm' && channel !== 'group'
    if (installed !== 'user' || !isInServer) return { applicationId, options, person, serverId }
    const has = (id: string) => hasBot(this.world, id, applicationId)
    const others = this.servers.filter(({ id }) => this.world.member(id, person.id) !== undefined && !has(id))
    const without = server === undefined ? (others[0]?.id ?? serverId) : serverId
    if (has(without)) removeMember(this.world, without, applicationId)
    return { applicationId, options, person, serverId: without }
  }

  /** The rank of a person in their server; `user` outside of it. */
  rankOf({ person, serverId, options: { channel } }: Participant): Rank | 'user' {
    const server = this.world.server(serverId)
    const member = this.world.member(serverId, person.id)
    const isOutside = channel === 'dm' || channel === 'group'
    return isOutside || server === undefined || member === undefined ? 'user' : rankOf(member, server)
  }

  /** The messages between a bot and a person. @throws InputError for an unknown name */
  directMessages(name: string, applicationId: string): readonly MessageView[] {
    const { person } = this.find(name)
    return messageViews(this.world, openDirectMessage(this.world, applicationId, person.id).id)
  }

  clientOptions({ applicationId, person, serverId, options }: Participant): ChatClientOptions {
    const { locale = 'en-US', channel: name, installed: only } = options
    const server = this.server(serverId)
    const isDirect = name === 'dm' || name === 'group'
    const place = isDirect ? null : serverId
    const shared = {
      applicationId,
      locale,
      installed: installedFor(this.world, applicationId, person.id, place, only),
    }
    if (isDirect) {
      const channel = name === 'group' ? GROUP : openDirectMessage(this.world, applicationId, person.id)
      return { ...shared, resolved: this.objects(server), user: person, channel }
    }
    const channel = this.channel(name, server)
    const member = this.#memberOf(person, server)
    const isHere = hasBot(this.world, serverId, applicationId)
    const appPermissions = isHere
      ? this.world.permissions(serverId, applicationId, channel)
      : this.world.permissions(serverId, person.id, channel) & OF_USER_APPS
    const resolved = this.objects(server, person.id, channel.id, applicationId)
    return { ...shared, resolved, ...memberInChannel(server, member, channel), appPermissions }
  }

  /** The channel of a person in the world. @throws InputError for a group DM, and for a person who has left */
  place({ applicationId, person, serverId, options: { channel: name } }: Participant): AnyChannel {
    if (name === 'group') throw new InputError('channel: the bot gets no messages of a group DM')
    if (name === 'dm') return openDirectMessage(this.world, applicationId, person.id)
    const server = this.server(serverId)
    const { id } = this.channel(name, server)
    this.#memberOf(person, server)
    return known(this.world.channel(id))
  }

  /** @throws InputError for a person who has left */
  #memberOf({ id, username }: Person, server: ServerSettings): ServerMember {
    const member = this.world.member(server.id, id)
    if (member === undefined) throw new InputError(`${username} has left ${quoted(server.name)}`)
    return member
  }

  /**
   * Who uses a component of a message.
   *
   * @param place the server, the channel and outside of servers the user of the message
   * @throws ComponentError `not_visible` when the person is not there
   */
  participant(
    place: Pick<KnownFields, 'guild_id' | 'channel_id' | 'user'>,
    { person, options }: Participant,
  ): Pick<ComponentUse, 'member' | 'user' | 'locale'> {
    const { locale = 'en-US', channel: name } = options
    const { guild_id: guildId, channel_id: channelId, user } = place
    const { username, id } = person
    if (guildId === undefined) {
      const isGroup = name === 'group' && channelId === GROUP.id
      if (isGroup || user?.id === id) return { user: person, locale }
      throw new ComponentError('not_visible', `${username} is not in the DM of the message`)
    }
    const server = this.server(guildId)
    const member = this.world.member(server.id, id)
    if (member === undefined)
      throw new ComponentError('not_visible', `${username} is not a member of ${quoted(server.name)}`)
    if (timeoutBinds(member, server, this.world.now()))
      throw new ComponentError('timed_out', `${username} is timed out in ${quoted(server.name)}`)
    const channel = this.#channelsOf(server).find((one) => one.id === channelId)
    const permissions = this.world.permissions(server.id, id, channel)
    if ((permissions & PermissionFlag.VIEW_CHANNEL) === 0n)
      throw new ComponentError('not_visible', `${username} cannot see the channel of the message`)
    return { member: { ...member, permissions }, locale }
  }

  /** The server with a name or id; the first one if undefined. @throws TypeError for an unknown name */
  server(name: string | undefined): ServerSettings {
    const named = name === undefined ? undefined : this.world.server(name)
    if (named !== undefined) return named
    return name === undefined ? this.servers[0]! : needByName('server', this.servers, name)
  }

  /**
   * The channel or thread with a name or id; the first channel with messages if undefined. A thread has its channel as `parent`.
   *
   * @throws TypeError for an unknown name
   */
  channel(name: string | undefined, server: ServerSettings): ServerChannel {
    const all = this.#channelsOf(server)
    const channel = name === undefined ? server.channels.find(isWritable) : needByName('channel', all, name)
    if (channel === undefined)
      throw new InputError(`the server ${quoted(server.name)} has no channel with messages`)
    return wholeChannel(server, channel)
  }

  /** Whether a server has a channel or a thread with a name or id. */
  hasChannel(name: string | undefined, server: ServerSettings): boolean {
    return name === undefined || this.#channelsOf(server).some((one) => isNamed(one, name))
  }

  /** The channels of a server, then its threads, with fields that payloads do not have. */
  #channelsOf({ id, channels }: ServerSettings): readonly ServerChannel[] {
    return channelsAndThreads(channels)(known(this.world.server(id)).threads)
  }

  /** What a server has, for a person in a channel of it, and the people who are not members there. */
  objects(server: ServerSettings, personId = '', channelId = '', appId = ''): KnownObjects {
    const member = this.world.member(server.id, personId)
    const channels = this.#channelsOf(server)
    const complete = (one: ServerChannel) => wholeChannel(server, one)
    const channel = channels.find(({ id }) => id === channelId)
    const place = member && channel && { member, channel: complete(channel), now: this.world.now(), complete }
    const app = this.world.member(server.id, appId)
    const own = serverObjects({ ...server, channels }, place && { ...place, app })
    return { ...own, ...everybodyIn(this.world.users)(server.members) }
  }

  /**
   * The id of a mention such as `@alan`, `@Alan`, `<@3003>`, `#general` or `@Moderators` in a server; undefined for other
   * texts. A username takes precedence over a display name.
   *
   * @param isName whether the text may also be a name without `@` and `#`. Default false
   */
  idOfMention(
    text: string,
    kinds: readonly MentionKind[],
    server: ServerSettings,
    isName = false,
  ): string | undefined {
    const tag = /^<(?:@[!&]?|#)(\d+)>$/.exec(text)
    if (tag !== null) return tag[1]
    const isMention = text.startsWith(kinds.includes('channels') ? '#' : '@')
    return isName || isMention ? idOfName(kinds, text, this.#namedIn(server)) : undefined
  }

  /** The problem of a name that nothing has, with what there is. */
  unknownName(text: string, kinds: readonly MentionKind[], server: ServerSettings): string {
    return `unknown name ${quoted(text)}${namesText(kinds, text, this.#namedIn(server))}`
  }

  #namedIn(server: ServerSettings) {
    return serverObjects({ ...server, channels: this.#channelsOf(server) })
  }
}

/** Whether a time-out binds a member: it does not bind those who may do everything. */
function timeoutBinds(member: ServerMember, server: ServerSettings, now: number): boolean {
  const until = member.communication_disabled_until
  const isFree = member.user.id === server.owner_id || rankOf(member, server) === 'administrator'
  return until != null && Date.parse(until) > now && !isFree
}

const channelsAndThreads = /* @__PURE__ */ once((channels: readonly ServerChannel[]) =>
  once((threads: readonly ServerChannel[]) => [...channels, ...threads]),
)

/** All users by id, and the members of a server by id; null for a user who is not one. */
const everybodyIn = /* @__PURE__ */ once((users: readonly ServerUser[]) =>
  once((members: readonly ServerMember[]) => ({
    users: { ...objectsById(users), ...objectsById(members.map(({ user }) => user)) },
    members: {
      ...Object.fromEntries(users.map(({ id }) => [id, null])),
      ...Object.fromEntries(members.map((one) => [one.user.id, one])),
    },
  })),
)

/** A channel as payloads have it: a thread with its parent, and without its members. */
function wholeChannel(server: ServerSettings, channel: ServerChannel): ServerChannel {
  const { members, active_at, ...whole } = channel as ServerChannel & Partial<Thread>
  return withParent(server, whole)
}

function rankOf(member: ServerMember, server: ServerSettings): Rank {
  const bits = server.roles
    .filter(({ id }) => member.roles.includes(id))
    .reduce((all, role) => all | BigInt(role.permissions), 0n)
  if ((bits & ADMINISTRATOR) !== 0n) return 'administrator'
  return (bits & MODERATION) === 0n ? 'member' : 'moderator'
}

function peopleOf({ members }: ServerSettings): readonly ServerMember[] {
  return members.filter(({ user }) => user.bot !== true)
}

/** @throws InputError for an unknown role */
export function roleIds(server: ServerSettings, names: readonly string[]): readonly string[] {
  return names.map((name) => needByName('role', server.roles, name).id)
}

/** @throws InputError when two objects have one id */
function checkUnique(objects: readonly { readonly id: string }[], message: (id: string) => string): void {
  const ids = objects.map(({ id }) => id)
  const twice = ids.find((id, index) => ids.indexOf(id) < index)
  if (twice !== undefined) throw new InputError(message(twice))
}

function isNamed(one: Pick<ServerChannel, 'id' | 'name'>, name: string): boolean {
  return one.id === name || ['', '#', '@'].some((mark) => sameText(mark + one.name, name))
}

function needByName<T extends Pick<ServerChannel, 'id' | 'name'>>(
  kind: string,
  list: readonly T[],
  name: string,
): T {
  demandText(name, kind)
  const item = list.find((one) => isNamed(one, name))
  if (item !== undefined) return item
  throw new InputError(
    `unknown ${kind} ${quoted(name)}; the names are ${listed(list.map((one) => one.name))}`,
  )
}

export { ActRefused, InputError } from './input-error.ts'
