/** Requests of bots in the world: what a bot may see and change, and how it is refused. */
import { PermissionFlag } from '../../model/permission-flags.ts'
import type { Reader } from '../../core/rules/readers.ts'
import { permissionNames } from '../../model/permission-bits.ts'
import { everyoneId } from '../../model/permission-entry.ts'
import type { ServerMember, ServerRole, ServerSettings, ServerUser } from '../../model/server.ts'
import type { WorldMessage } from '../world/world-message.ts'
import { isDirect, type DirectChannel } from '../world/wire.ts'
import { compareRoles, type World, type WorldChannel } from '../world/world.ts'
import { readFields } from './request-fields.ts'
import { type Refusal, Refused, json, success } from './respond.ts'
import type { Call, Route } from './call.ts'

export type Permission = keyof typeof PermissionFlag

type Channel = WorldChannel | DirectChannel

/** A request of a bot in the world. What its path names exists and is visible, or else its getter throws `Refused`. */
export class Visit {
  readonly world: World
  readonly call: Call

  constructor(world: World, call: Call) {
    this.world = world
    this.call = call
  }

  /** The bot's user has the id of its application. */
  get botId(): string {
    return this.call.principal.applicationId
  }

  path(name: 'guild' | 'user' | 'role' | 'channel' | 'message' | 'overwrite'): string {
    return this.call.params[`${name}_id`] ?? ''
  }

  /** The fields of the body. @throws Refused 50035 with every problem */
  body<T>(fields: Reader<T>): T {
    return readFields(fields, this.call.body)
  }

  /** The fields of the query, whose numbers are digits. */
  query<T>(fields: Reader<T>): T {
    const pairs = [...new URLSearchParams(this.call.incoming.query)].map(([name, value]) => [
      name,
      /^\d{1,15}$/.test(value) && name !== 'query' ? Number(value) : value,
    ])
    return readFields(fields, Object.fromEntries(pairs))
  }

  get reason(): string | null {
    const given = this.call.incoming.header('x-audit-log-reason')
    try {
      return given && decodeURIComponent(given)
    } catch {
      return given
    }
  }

  /** The server, or that of the channel. */
  get server(): ServerSettings {
    const { guild_id: id = '' } = this.call.params.channel_id ? this.serverChannel : this.call.params
    const server = this.world.server(id)
    if (server === undefined) throw new Refused('unknown_guild')
    if (this.world.member(id, this.botId) === undefined)
      throw new Refused('missing_access', `the bot is not in ${server.name}`)
    return server
  }

  get user(): ServerUser {
    return this.world.user(this.path('user')) ?? refused('unknown_user')
  }

  get member(): ServerMember {
    return this.memberOf(this.path('user'))
  }

  memberOf(id: string): ServerMember {
    const member = this.world.member(this.server.id, id)
    // A client reads the owner of a server without one as 0.
    const reason = id === '0' ? `${this.server.name} has no owner; give it an owner_id` : ''
    if (member !== undefined) return member
    throw new Refused(this.world.user(id) === undefined ? 'unknown_user' : 'unknown_member', reason)
  }

  get role(): ServerRole {
    return this.roleOf(this.path('role'))
  }

  roleOf(id: string): ServerRole {
    return this.server.roles.find((role) => role.id === id) ?? refused('unknown_role')
  }

  get channel(): Channel {
    const channel = this.world.channel(this.path('channel')) ?? refused('unknown_channel')
    if (!isDirect(channel) || channel.botId === this.botId) return channel
    throw new Refused('missing_access')
  }

  get serverChannel(): WorldChannel {
    const { channel } = this
    return isDirect(channel) ? refused('not_in_dms') : channel
  }

  get message(): WorldMessage {
    return this.world.message(this.channel.id, this.path('message')) ?? refused('unknown_message')
  }

  /** The channel of the path; null if the path is that of a server. */
  get #place(): Channel | null {
    return this.call.params.channel_id ? this.channel : null
  }

  /** Whether the bot has a permission in the channel of the path, or else in its server. DMs have no permissions. */
  has(permission: Permission): boolean {
    const channel = this.#place
    if (channel !== null && isDirect(channel)) return true
    const held = this.world.permissions(this.server.id, this.botId, channel)
    return (held & PermissionFlag[permission]) !== 0n
  }

  /**
   * @throws Refused 50013, naming all missing permissions and the place; 50001 for a channel that the bot does not see;
   *   50003 in a DM for permissions to manage
   */
  need(...permissions: readonly Permission[]): void {
    const channel = this.#place
    if (channel !== null && isDirect(channel)) {
      if (permissions.some((name) => name.startsWith('MANAGE_'))) throw new Refused('not_in_dms')
      return
    }
    const { name } = this.server
    const place = channel === null ? name : `#${channel.name} of ${name}`
    if (channel !== null && !this.has('VIEW_CHANNEL'))
      throw new Refused('missing_access', `the bot lacks VIEW_CHANNEL in ${place}`)
    const missing = permissions.filter((permission) => !this.has(permission))
    if (missing.length > 0) throw lacks(`the bot lacks ${missing.join(' and ')} in ${place}`)
  }

  /** @throws Refused 50013 unless the bot's highest role is above that of the member, who does not own the server */
  needAbove({ user }: ServerMember): void {
    const { id, name, owner_id: owner } = this.server
    if (user.id === owner && user.id !== this.botId) throw lacks(`${user.username} owns ${name}`)
    this.needRoleBelow(this.world.highestRole(id, user.id), `, which ${user.username} has`)
  }

  /** @throws Refused for a role that is not below the bot's highest one */
  needRoleBelow(role: ServerRole, why = ''): void {
    const { id, name, owner_id: owner } = this.server
    const own = this.world.highestRole(id, this.botId)
    if (owner === this.botId || compareRoles(role, own) < 0) return
    const reason =
      own.name === role.name
        ? `the role ${role.name} is the bot's own highest role in ${name}`
        : `the bot's highest role in ${name}, ${own.name}, is not above the role ${role.name}`
    throw lacks(reason + why)
  }

  /** @throws Refused for a role that nobody can give or take */
  needGivable(role: ServerRole): void {
    if (role.id === everyoneId(this.server.id)) throw new Refused('invalid_role', 'everyone has @everyone')
    if (role.managed) throw new Refused('invalid_role', `${role.name} belongs to an app`)
    this.needRoleBelow(role)
  }

  /** @throws Refused when a set has permissions that the bot does not have */
  needAll(permissions: string | bigint): void {
    const beyond = BigInt(permissions) & ~this.world.permissions(this.server.id, this.botId)
    if (beyond !== 0n)
      throw lacks(`the bot cannot give ${permissionNames(beyond).join(' and ')}, which it lacks itself`)
  }
}

export function lacks(reason: string): Refused {
  return new Refused('lacks_permissions', reason)
}

function refused(refusal: Refusal): never {
  throw new Refused(refusal)
}

export interface WorldRoute extends Route {
  /** What the bot needs in the channel or the server of the path. */
  readonly needs: readonly Permission[]
}

/** An endpoint whose bot is in the server of the path, sees its channel, and has some permissions there. */
export function row(
  method: Route['method'],
  path: string,
  summary: string,
  needs: readonly Permission[],
  /** Returns the body of the response; nothing for a response without one. @throws Refused */
  answer: (visit: Visit) => object | void,
): WorldRoute {
  const hasPlace = /\{(?:guild|channel)\.id/.test(path)
  const isMessage = /\/messages(?:\/\{message\.id\})?$/.test(path)
  const body = { body: isMessage ? 'Message' : 'fields' }
  return {
    ...{ method, path, summary, needs, grant: 'read' },
    ...(method !== 'GET' && method !== 'DELETE' && body),
    call: (call) => {
      const { principal, service } = call
      if (principal.type !== 'Bot' || service.world === null) throw new Refused('unauthorized')
      const visit = new Visit(service.world, call)
      if (hasPlace) visit.need(...needs)
      const found = answer(visit)
      return found === undefined ? success('removed', null) : json(found)
    },
  }
}
