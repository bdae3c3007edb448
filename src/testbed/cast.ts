/** The people, roles and channels of a testbed: found by name, and as a chat client describes them. */
import type { KnownObjects } from '../interaction/complete.ts'
import type { ChatClientOptions } from '../client/client-options.ts'
import { ChannelType } from '../command/types.ts'
import { quoted, listed } from '../core/text.ts'
import type { Locale } from '../locale/locales.ts'
import { PermissionFlag } from '../command/permission-flags.ts'
import type { ServerMember, ServerSettings } from '../permission/server.ts'

/** A user of the testbed's servers. */
export interface Person {
  readonly id: string
  readonly username: string
  readonly global_name?: string
}

/** Where a person is, and the language of their client. */
export interface PersonOptions {
  /** The language of their client. Default `'en-US'`. */
  readonly locale?: Locale
  /** A channel by name or id, or `'dm'` for the DM with the bot. Default: the first channel. */
  readonly channel?: string
  /** A server by name or id. Default: the first one. */
  readonly server?: string
}

/** What a mention can stand for. */
export type Mentioned = 'users' | 'roles' | 'channels'

const { ADMINISTRATOR, MODERATE_MEMBERS, BAN_MEMBERS, KICK_MEMBERS } = PermissionFlag
const MODERATION = MODERATE_MEMBERS | BAN_MEMBERS | KICK_MEMBERS
const DM_CHANNEL = '4900'

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
    const member = { user, roles: roles.map((name) => found('role', server.roles, name).id) }
    this.#servers[0] = { ...server, members: [...server.members, member] }
    return user
  }

  /**
   * The person with a username, an id or one of the names `member`, `moderator` and `administrator`, which stand for
   * the first person with that rank.
   *
   * @throws TypeError when there is nobody of that name
   */
  person(name: string): Person {
    const members = this.#members()
    const member =
      members.find(({ user }) => user.username === name || user.id === name) ??
      members.find(({ user, roles }) => rankOf(this.#bits(user.id, roles)) === name)
    if (member !== undefined) return member.user
    const names = [...members.map(({ user }) => user.username), 'member', 'moderator', 'administrator']
    throw new TypeError(`there is no person ${quoted(name)}; there are ${listed(names)}`)
  }

  /** What a chat client of a person needs. */
  clientOptions(applicationId: string, person: Person, options: PersonOptions): ChatClientOptions {
    const { locale = 'en-US' } = options
    const server = this.server(options.server)
    const resolved = knownThings(server)
    if (options.channel === 'dm') {
      const channel = { id: DM_CHANNEL, type: ChannelType.DM }
      return { applicationId, locale, user: person, channel, resolved }
    }
    const roles = server.members.find(({ user }) => user.id === person.id)?.roles ?? []
    const [first] = server.channels
    const channel = options.channel === undefined ? first : found('channel', server.channels, options.channel)
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

  /** @throws TypeError when there is no server of that name */
  server(name: string | undefined): ServerSettings {
    return name === undefined ? this.#servers[0]! : found('server', this.#servers, name)
  }

  /** The id behind a mention such as `@alan`, `<@3003>`, `#general` or `@Moderators`; undefined if it is none. */
  mentioned(text: string, kinds: readonly Mentioned[], server: ServerSettings): string | undefined {
    const tag = /^<(?:@[!&]?|#)(\d+)>$/.exec(text)
    if (tag !== null) return tag[1]
    const [sign, name] = [text[0], text.slice(1)]
    for (const kind of kinds) {
      if (sign !== (kind === 'channels' ? '#' : '@')) continue
      const things =
        kind === 'channels'
          ? server.channels
          : kind === 'roles'
            ? server.roles
            : this.#members().map(({ user }) => ({ id: user.id, name: user.username }))
      const thing = things.find((one) => one.name === name || one.name === text)
      if (thing !== undefined) return thing.id
    }
    return undefined
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

function found<T extends { readonly id: string; readonly name: string }>(
  what: string,
  list: readonly T[],
  name: string,
): T {
  const thing = list.find((one) => one.id === name || one.name === name || `#${one.name}` === name)
  if (thing !== undefined) return thing
  throw new TypeError(`there is no ${what} ${quoted(name)}; there are ${listed(list.map((one) => one.name))}`)
}

function knownThings({ roles, channels, members }: ServerSettings): KnownObjects {
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
