/** Requests of bots in the world: what a bot may see and change, and how it is refused. */
import type { Reader } from '../../../core/rules/readers.ts'
import { permissionNames } from '../../../model/permission-bits.ts'
import { PermissionFlag } from '../../../model/permission-flags.ts'
import { everyoneId } from '../../../model/permission-entry.ts'
import { isThread, type ServerMember, type ServerRole, type ServerUser } from '../../../model/server.ts'
import type { AuditActionName } from '../../world/audit-log.ts'
import {
  isDirect,
  type AnyChannel,
  type ServerState,
  type Thread,
  type WorldChannel,
} from '../../world/entities.ts'
import type { WorldEventName } from '../../world/events.ts'
import { archiveIdleThreads } from '../../world/threads.ts'
import type { WorldMessage } from '../../world/world-message.ts'
import { compareRoles, type World } from '../../world/world.ts'
import type { Call, Route } from '../call.ts'
import { type Refusal, Refused, json, success } from '../respond.ts'
import { isAnimated, readFields } from './request-fields.ts'

export type Permission = keyof typeof PermissionFlag

/** What stands in a thread for a permission of its channel. */
const IN_THREADS: { readonly [Name in Permission]?: Permission } = {
  SEND_MESSAGES: 'SEND_MESSAGES_IN_THREADS',
  MANAGE_CHANNELS: 'MANAGE_THREADS',
}

const MAX_REASON = 512

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

  get bot(): ServerUser {
    return this.world.user(this.botId) ?? { id: this.botId, username: `application${this.botId}`, bot: true }
  }

  /** A segment of the path by its name without `.id`. */
  path(name: string): string {
    return this.call.params[`${name}_id`] ?? this.call.params[name] ?? ''
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
    const given = this.call.incoming.header('x-audit-log-reason')?.slice(0, 3 * MAX_REASON) ?? null
    try {
      return given && decodeURIComponent(given).slice(0, MAX_REASON)
    } catch {
      return given
    }
  }

  #hashOf(image: string): string {
    const digits = BigInt(this.world.nextId()).toString(16).padStart(32, '0')
    const hash = isAnimated(image) ? `a_${digits}` : digits
    this.keepImage(hash, image)
    return hash
  }

  /** Keeps uploaded images, so that they can be fetched. @returns the hashes in their addresses; null for no image */
  hashesOf<const Name extends string>(
    images: Readonly<Record<Name, string | null | undefined>>,
  ): { readonly [Key in Name]?: string | null } {
    const given = Object.entries<string | null | undefined>(images)
    return Object.fromEntries(
      given.flatMap(([name, image]) => (image === undefined ? [] : [[name, image && this.#hashOf(image)]])),
    ) as { readonly [Key in Name]?: string | null }
  }

  /** Keeps an uploaded image under its hash or the id of its emoji. */
  keepImage(name: string, image: string): void {
    this.call.service.answers.conversations.files.addImage(name, image)
  }

  /** The server, or that of the channel. */
  get server(): ServerState {
    const { guild_id: id = '' } = this.call.params.channel_id ? this.serverChannel : this.call.params
    const server = this.world.server(id)
    if (server === undefined) throw new Refused('unknown_guild')
    if (this.world.member(id, this.botId) === undefined)
      throw new Refused('missing_access', `the bot is not in ${server.name}`)
    return server
  }

  get user(): ServerUser {
    return this.world.user(this.path('user')) ?? throwRefusal('unknown_user')
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
    return this.server.roles.find((role) => role.id === id) ?? throwRefusal('unknown_role')
  }

  get channel(): AnyChannel {
    return this.channelOf(this.path('channel'))
  }

  channelOf(id: string): AnyChannel {
    const channel = this.world.channel(id) ?? throwRefusal('unknown_channel')
    if (!isDirect(channel) || channel.botId === this.botId) return channel
    throw new Refused('missing_access')
  }

  get serverChannel(): WorldChannel {
    const { channel } = this
    return isDirect(channel) ? throwRefusal('not_in_dms') : channel
  }

  get thread(): Thread {
    const { serverChannel: channel } = this
    return isThread(channel) ? (channel as Thread) : throwRefusal('wrong_channel_type')
  }

  get message(): WorldMessage {
    return this.world.message(this.channel.id, this.path('message')) ?? throwRefusal('unknown_message')
  }

  /** The channel of the path; null if the path is that of a server. */
  get place(): AnyChannel | null {
    return this.call.params.channel_id ? this.channel : null
  }

  /** Whether the bot has a permission in a channel, or in the server (null). DMs have no permissions. */
  has(permission: Permission, channel = this.place): boolean {
    if (channel !== null && isDirect(channel)) return true
    const { id } = channel === null ? this.server : this.serverOf(channel)
    const held = this.world.permissions(id, this.botId, channel)
    return (held & PermissionFlag[this.#permissionIn(channel, permission)]) !== 0n
  }

  serverOf({ guild_id: id }: WorldChannel): ServerState {
    const server = this.world.server(id) ?? throwRefusal('unknown_guild')
    if (this.world.member(id, this.botId) !== undefined) return server
    throw new Refused('missing_access', `the bot is not in ${server.name}`)
  }

  #permissionIn(channel: WorldChannel | null, permission: Permission): Permission {
    return (channel !== null && isThread(channel) && IN_THREADS[permission]) || permission
  }

  /**
   * @throws Refused 50013, naming all missing permissions and the place; 50001 for a channel that the bot does not see;
   *   50003 in a DM for permissions to manage
   */
  need(...permissions: readonly Permission[]): void {
    this.needIn(this.place, ...permissions)
  }

  needIn(channel: AnyChannel | null, ...permissions: readonly Permission[]): void {
    if (channel !== null && isDirect(channel)) {
      if (permissions.some((name) => name.startsWith('MANAGE_'))) throw new Refused('not_in_dms')
      return
    }
    const { name } = channel === null ? this.server : this.serverOf(channel)
    const place = channel === null ? name : `#${channel.name} of ${name}`
    const { access } = this.world
    if (channel !== null && !this.has('VIEW_CHANNEL', channel)) {
      access.refused(this.botId, ['VIEW_CHANNEL'], place)
      throw new Refused('missing_access', `the bot lacks VIEW_CHANNEL in ${place}`)
    }
    const needed = permissions.map((permission) => this.#permissionIn(channel, permission))
    const missing = needed.filter((_, index) => !this.has(permissions[index]!, channel))
    access.used(this.botId, [...(channel === null ? [] : (['VIEW_CHANNEL'] as const)), ...needed])
    access.refused(this.botId, missing, place)
    if (missing.length > 0)
      throw lacks(`the bot lacks ${missing.join(' and ')} in ${place}${this.#helpOf(missing, channel)}`)
  }

  /** The lowest role with the missing permissions, if there is one: `; the role Moderators has it`. */
  #helpOf(missing: readonly Permission[], channel: WorldChannel | null): string {
    const { roles, id } = channel === null ? this.server : this.serverOf(channel)
    const bits = missing.reduce((all, name) => all | PermissionFlag[name], 0n)
    const held = ({ permissions }: ServerRole) => (BigInt(permissions) & bits) === bits
    const [role] = roles.filter((one) => one.id !== id && held(one)).sort((a, b) => compareRoles(a, b))
    return role === undefined ? '' : `; the role ${role.name} has ${missing.length === 1 ? 'it' : 'them'}`
  }

  /** @throws Refused for a change in an archived thread */
  needOpen(channel = this.place): void {
    if (channel === null || isDirect(channel) || !isThread(channel)) return
    if ((channel as Thread).thread_metadata.archived) throw new Refused('archived_thread')
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

export function throwRefusal(refusal: Refusal): never {
  throw new Refused(refusal)
}

/** What is known of a route besides its answer. */
export interface RowFacts {
  /** What the bot needs in the channel or the server of the path. */
  readonly needs?: readonly Permission[]
  /** The place of these permissions, for a path that names neither. It throws for what does not exist. */
  readonly place?: (visit: Visit) => AnyChannel
  /** Whether this request needs none of them, such as that of the owner of a thread. */
  readonly exempt?: (visit: Visit) => boolean
  /** The event that tells of the change. `intents` has the intent that it needs. */
  readonly event?: WorldEventName
  /** The entry of the audit log. */
  readonly logs?: AuditActionName
  /** The body, if it is not an object of fields: a message, which may have files, or a list. */
  readonly body?: 'Message' | 'list'
}

export interface WorldRoute extends Route, Omit<RowFacts, 'body'> {
  readonly needs: readonly Permission[]
}

/** An endpoint whose bot is in the server of the path, sees its channel, and has some permissions there. */
export function row(
  method: Route['method'],
  path: string,
  summary: string,
  facts: RowFacts,
  /** Returns the body of the response; nothing for a response without one. @throws Refused */
  answer: (visit: Visit) => object | void,
): WorldRoute {
  const hasPlace = /\{(?:guild|channel)\.id/.test(path)
  const { needs = [], place, exempt, body = 'fields' } = facts
  return {
    ...facts,
    ...{ method, path, summary, needs, grant: 'read' },
    ...(method !== 'GET' && method !== 'DELETE' && { body }),
    call: (call) => {
      const { principal, service } = call
      if (principal.type !== 'Bot' || service.world === null) throw new Refused('unauthorized')
      const { world } = service
      archiveIdleThreads(world)
      const visit = new Visit(world, call)
      if (place !== undefined || hasPlace) {
        const where = place === undefined ? visit.place : place(visit)
        // What the bot does not see, it does not own either.
        visit.needIn(where)
        if (exempt?.(visit) !== true) visit.needIn(where, ...needs)
      }
      const { botId: userId, reason } = visit
      world.access.reached(userId, `${method} ${path}`)
      const found = world.acting({ userId, reason }, () => answer(visit))
      return found === undefined ? success('removed', null) : json(found)
    },
  }
}
