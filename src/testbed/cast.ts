/** The people, roles and channels of a testbed, found by name. */
import type { KnownObjects } from '../interaction/complete.ts'
import type { ChatClientOptions } from '../client/client-options.ts'
import { ChannelType } from '../command/types.ts'
import { quoted, listed } from '../core/text.ts'
import type { Locale } from '../locale/locales.ts'
import { PermissionFlag } from '../command/permission-flags.ts'
import type { ServerMember, ServerSettings } from '../permission/server.ts'

/** A user of the testbed's servers. */
export interface Person {
  /** The id of the user. */
  readonly id: string
  /** The user name, by which a test finds the person. */
  readonly username: string
  /** The display name. Absent: none. */
  readonly global_name?: string
}

/** The place of a person, and the language of their client. */
export interface PersonOptions {
  /** The language of their client. Default `'en-US'`. */
  readonly locale?: Locale
  /** A channel by name or id, or `'dm'` for the DM with the bot. Default: the first channel. */
  readonly channel?: string
  /** A server by name or id. Default: the first one. */
  readonly server?: string
}

/** The kinds of objects that a mention can refer to. */
export type MentionKind = 'users' | 'roles' | 'channels'

const { ADMINISTRATOR, MODERATE_MEMBERS, BAN_MEMBERS, KICK_MEMBERS } = PermissionFlag
const MODERATION = MODERATE_MEMBERS | BAN_MEMBERS | KICK_MEMBERS
const DM_CHANNEL = '4900'

/** The members of all servers, with the changes of a test. */
export class Cast {
  readonly #servers: ServerSettings[]
  #nextId = 3900n

  constructor(servers: readonly ServerSettings[]) {
    if (servers.length === 0) throw new TypeError('servers: expected at least one server')
    this.#servers = [...servers]
  }

  get servers(): readonly ServerSettings[] {
    return this.#servers
  }

  /** Every person by username. */
  get people(): { readonly [username: string]: Person } {
    return Object.fromEntries(this.#members().map(({ user }) => [user.username, user]))
  }

  /** Adds a member to the first server, with roles by name or id. */
  add(username: string, roles: readonly string[] = []): Person {
    const [server] = this.#servers as [ServerSettings]
    const user = { id: String(this.#nextId++), username }
    const member = { user, roles: roles.map((name) => findByName('role', server.roles, name).id) }
    this.#servers[0] = { ...server, members: [...server.members, member] }
    return user
  }

  /**
   * The person with a username or an id; for `member`, `moderator` and `administrator` the first person with that rank.
   *
   * @throws TypeError for an unknown name
   */
  person(name: string): Person {
    const members = this.#members()
    const member =
      members.find(({ user }) => user.username === name || user.id === name) ??
      members.find(({ user, roles }) => rankOf(this.#bits(user.id, roles)) === name)
    if (member !== undefined) return member.user
    const names = [...members.map(({ user }) => user.username), 'member', 'moderator', 'administrator']
    throw new TypeError(`unknown person ${quoted(name)}; the names are ${listed(names)}`)
  }

  /** The options of the chat client of a person. */
  clientOptions(applicationId: string, person: Person, options: PersonOptions): ChatClientOptions {
    const { locale = 'en-US' } = options
    const server = this.server(options.server)
    const resolved = knownObjects(server)
    if (options.channel === 'dm') {
      const channel = { id: DM_CHANNEL, type: ChannelType.DM }
      return { applicationId, locale, user: person, channel, resolved }
    }
    const roles = server.members.find(({ user }) => user.id === person.id)?.roles ?? []
    const [first] = server.channels
    const channel =
      options.channel === undefined ? first : findByName('channel', server.channels, options.channel)
    if (channel === undefined) throw new TypeError(`the server ${quoted(server.name)} has no channels`)
    return {
      applicationId,
      locale,
      guildId: server.id,
      channel,
      member: { user: person, roles },
      roles: server.roles,
      ...(server.owner_id !== undefined && { ownerId: server.owner_id }),
      resolved,
    }
  }

  /** The server with a name or id; the first one if undefined. @throws TypeError for an unknown name */
  server(name: string | undefined): ServerSettings {
    return name === undefined ? this.#servers[0]! : findByName('server', this.#servers, name)
  }

  /** The id of a mention such as `@alan`, `<@3003>`, `#general` or `@Moderators`; undefined for other texts. */
  idOfMention(text: string, kinds: readonly MentionKind[], server: ServerSettings): string | undefined {
    const tag = /^<(?:@[!&]?|#)(\d+)>$/.exec(text)
    if (tag !== null) return tag[1]
    const users = this.#members().map(({ user }) => ({ id: user.id, name: user.username }))
    const objects: { readonly [Kind in MentionKind]: readonly NamedObject[] } = {
      users,
      roles: server.roles,
      channels: server.channels,
    }
    return kinds
      .filter((kind) => text.startsWith(kind === 'channels' ? '#' : '@'))
      .flatMap((kind) => objects[kind])
      .find(({ name }) => name === text.slice(1) || name === text)?.id
  }

  #members(): readonly ServerMember[] {
    return this.#servers.flatMap(({ members }) => members)
  }

  #bits(userId: string, roles: readonly string[]): bigint {
    return this.#servers
      .filter(({ members }) => members.some(({ user }) => user.id === userId))
      .flatMap((server) => server.roles)
      .filter(({ id }) => roles.includes(id))
      .reduce((bits, role) => bits | BigInt(role.permissions), 0n)
  }
}

function rankOf(bits: bigint): 'administrator' | 'moderator' | 'member' {
  if ((bits & ADMINISTRATOR) !== 0n) return 'administrator'
  return (bits & MODERATION) === 0n ? 'member' : 'moderator'
}

interface NamedObject {
  readonly id: string
  readonly name: string
}

function findByName<T extends NamedObject>(kind: string, list: readonly T[], name: string): T {
  const item = list.find((one) => one.id === name || one.name === name || `#${one.name}` === name)
  if (item !== undefined) return item
  throw new TypeError(`unknown ${kind} ${quoted(name)}; the names are ${listed(list.map((one) => one.name))}`)
}

function knownObjects({ roles, channels, members }: ServerSettings): KnownObjects {
  return {
    users: byId(members.map(({ user }) => user)),
    members: Object.fromEntries(members.map(({ user, roles: own }) => [user.id, { roles: own }])),
    roles: byId(
      roles.map(({ id, name, permissions, position }) => ({
        id,
        name,
        permissions,
        ...(position !== undefined && { position }),
      })),
    ),
    channels: byId(channels) as KnownObjects['channels'] & object,
  }
}

function byId<T extends { readonly id: string }>(list: readonly T[]): { readonly [id: string]: T } {
  return Object.fromEntries(list.map((one) => [one.id, one]))
}
