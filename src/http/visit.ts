/** Requests of bots in the world: what a bot may see and change, and how it is refused. */
import { PermissionFlag } from '../command/permission-flags.ts'
import { permissionNames } from '../permission/bits.ts'
import { everyoneId } from '../permission/entry.ts'
import type { ServerMember, ServerRole, ServerSettings, ServerUser } from '../world/server.ts'
import type { WorldMessage } from '../world/message.ts'
import type { DirectChannel } from '../world/wire.ts'
import { compareRoles, type World, type WorldChannel } from '../world/world.ts'
import type { Field, Read } from './fields.ts'
import { refusals, type Refusal } from './refusals.ts'
import type { Outgoing } from './message.ts'
import { json, refuse, success } from './respond.ts'
import type { Call, ServedRoute } from './route.ts'

type Permission = keyof typeof PermissionFlag

/** A request of a bot that is refused. */
export class Refused extends Error {
  readonly refusal: Refusal
  /** Further fields of the body. */
  readonly fields: object

  constructor(refusal: Refusal, reason = '', fields: object = {}) {
    const { message } = refusals[refusal]
    super(reason === '' ? message : `${message}: ${reason}`)
    this.refusal = refusal
    this.fields = fields
  }
}

/** The ids in the paths of the routes. */
type PathId = 'guild' | 'user' | 'role' | 'channel' | 'message' | 'overwrite'

/** A request of a bot in the world. Methods return what exists and is visible, or throw `Refused`. */
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

  get bot(): ServerUser {
    const { botId: id } = this
    return this.world.user(id) ?? { id, username: `application ${id}`, bot: true }
  }

  // --- What the request says ------------------------------------------------------------------------------------

  path(name: PathId): string {
    return this.call.params[`${name}_id`] ?? ''
  }

  /** The fields of the body. @throws Refused 50035 with every problem */
  body<T>(fields: Field<T>): T {
    return valueOf(fields(this.call.body))
  }

  /** The fields of the query, whose numbers are digits. */
  query<T>(fields: Field<T>): T {
    const pairs = [...new URLSearchParams(this.call.incoming.query)].map(([name, value]) => [
      name,
      /^\d{1,15}$/.test(value) && name !== 'query' ? Number(value) : value,
    ])
    return valueOf(fields(Object.fromEntries(pairs)))
  }

  /** The refusal of one field of the body. */
  invalid(field: string, message: string, code = 'BASE_TYPE_INVALID'): Refused {
    return new Refused('invalid', '', { errors: { [field]: { _errors: [{ code, message }] } } })
  }

  /** The reason for the audit log. */
  get reason(): string | null {
    const given = this.call.incoming.header('x-audit-log-reason')
    try {
      return given && decodeURIComponent(given)
    } catch {
      return given
    }
  }

  // --- What exists ----------------------------------------------------------------------------------------------

  server(id = this.path('guild')): ServerSettings {
    const server = this.world.server(id)
    if (server === undefined) throw new Refused('unknown_guild')
    if (this.world.member(id, this.botId) === undefined)
      throw new Refused('missing_access', `the bot is not in ${server.name}`)
    return server
  }

  user(id = this.path('user')): ServerUser {
    return this.world.user(id) ?? refused('unknown_user')
  }

  member(server: ServerSettings, id = this.path('user')): ServerMember {
    const member = this.world.member(server.id, id)
    if (member !== undefined) return member
    throw new Refused(this.world.user(id) === undefined ? 'unknown_user' : 'unknown_member')
  }

  role(server: ServerSettings, id = this.path('role')): ServerRole {
    return server.roles.find((role) => role.id === id) ?? refused('unknown_role')
  }

  /** A channel that the bot sees and where it has some permissions, which count in servers alone. */
  channel(...permissions: readonly Permission[]): WorldChannel | DirectChannel {
    const id = this.path('channel')
    const channel = this.world.channel(id) ?? refused('unknown_channel')
    if ('botId' in channel) return channel.botId === this.botId ? channel : refused('missing_access')
    const server = this.server(channel.guild_id)
    if (!this.has(server, 'VIEW_CHANNEL', channel))
      throw new Refused('missing_access', `the bot lacks VIEW_CHANNEL in #${channel.name} of ${server.name}`)
    this.need(server, permissions, channel)
    return channel
  }

  /** A channel of a server. */
  serverChannel(...permissions: readonly Permission[]): WorldChannel {
    const channel = this.channel(...permissions)
    return 'botId' in channel ? refused('not_in_dms') : channel
  }

  message(channel: { readonly id: string }): WorldMessage {
    return this.world.message(channel.id, this.path('message')) ?? refused('unknown_message')
  }

  // --- What the bot may -----------------------------------------------------------------------------------------

  has(server: ServerSettings, permission: Permission, channel: WorldChannel | null = null): boolean {
    const held = this.world.permissions(server.id, this.botId, channel)
    return (held & PermissionFlag[permission]) !== 0n
  }

  /** @throws Refused 50013, naming all missing permissions and the place */
  need(
    server: ServerSettings,
    permissions: readonly Permission[],
    channel: WorldChannel | null = null,
  ): void {
    const missing = permissions.filter((permission) => !this.has(server, permission, channel))
    if (missing.length === 0) return
    const place = channel === null ? server.name : `#${channel.name} of ${server.name}`
    throw lacks(`the bot lacks ${missing.join(' and ')} in ${place}`)
  }

  /** @throws Refused 50013 unless the bot's highest role is above that of the member, who does not own the server */
  needAbove(server: ServerSettings, { user }: ServerMember): void {
    if (user.id === server.owner_id && user.id !== this.botId)
      throw lacks(`${user.username} owns ${server.name}`)
    const role = this.world.highestRole(server.id, user.id)
    if (!this.#isBelow(server, role))
      throw lacks(`${this.#tooHigh(server, role)}, which ${user.username} has`)
  }

  /** @throws Refused for a role that is not below the bot's highest one */
  needRoleBelow(server: ServerSettings, role: ServerRole): void {
    if (!this.#isBelow(server, role)) throw lacks(this.#tooHigh(server, role))
  }

  /** @throws Refused for a role that nobody can give or take */
  needGivable(server: ServerSettings, role: ServerRole): void {
    if (role.id === everyoneId(server.id)) throw new Refused('invalid_role', 'everyone has @everyone')
    if (role.managed) throw new Refused('invalid_role', `${role.name} belongs to an app`)
    this.needRoleBelow(server, role)
  }

  /** @throws Refused when a set has permissions that the bot does not have */
  needAll(server: ServerSettings, permissions: string): void {
    const beyond = BigInt(permissions) & ~this.world.permissions(server.id, this.botId)
    if (beyond !== 0n)
      throw lacks(`the bot cannot give ${permissionNames(beyond).join(' and ')}, which it lacks itself`)
  }

  #isBelow(server: ServerSettings, role: ServerRole): boolean {
    if (server.owner_id === this.botId) return true
    return compareRoles(role, this.world.highestRole(server.id, this.botId)) < 0
  }

  #tooHigh(server: ServerSettings, { name }: ServerRole): string {
    const own = this.world.highestRole(server.id, this.botId).name
    return own === name
      ? `the role ${name} is the bot's own highest role in ${server.name}`
      : `the bot's highest role in ${server.name}, ${own}, is not above the role ${name}`
  }
}

function valueOf<T>(read: Read<T>): T {
  if ('errors' in read) throw new Refused('invalid', '', { errors: read.errors })
  return read.value
}

function lacks(reason: string): Refused {
  return new Refused('lacks_permissions', reason)
}

function refused(refusal: Refusal): never {
  throw new Refused(refusal)
}

// --- Rows ---------------------------------------------------------------------------------------------------------

/** Returns the body of the response; nothing for a response without one. @throws Refused */
type Answer = (visit: Visit) => object | void

/** A row. A body is an object of fields, which may be left out, or a message. */
export function row(
  method: ServedRoute['method'],
  path: string,
  summary: string,
  answer: Answer,
  body: 'fields' | 'message' = 'fields',
): ServedRoute {
  const reads = method === 'GET' || method === 'DELETE' ? {} : { body }
  return { method, path, summary, grant: 'read', ...reads, call: (call) => respond(call, answer) }
}

function respond(call: Call, answer: Answer): Outgoing {
  const { principal, service } = call
  // These endpoints are for bots.
  if (principal.type !== 'Bot' || service.world === null) return refuse('unauthorized')
  try {
    const body = answer(new Visit(service.world, call))
    return body === undefined ? success('removed', null) : json(body)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return refuse(error.refusal, { message: error.message, ...error.fields })
  }
}
