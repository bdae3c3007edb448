/** Requests of bots in the world: what a bot may see and change, and how it is refused. */
import type { Reader } from '../../../core/rules/readers.ts'
import { noteOf, type Issue } from '../../../core/rules/report.ts'
import { hasPrivilege, type PrivilegedIntent } from '../../../model/application-flags.ts'
import { isThread, type ServerMember, type ServerRole, type ServerUser } from '../../../model/server.ts'
import {
  carryOutAct,
  needRights,
  type Act,
  type ActFacts,
  type ObjectName,
  type Objects,
  type Sent,
} from '../../world/acts/act.ts'
import type { AuditActionName } from '../../world/audit-log.ts'
import {
  isDirect,
  type AnyChannel,
  type Emoji,
  type Invite,
  type OwnEmoji,
  type ServerState,
  type Thread,
  type Webhook,
  type WorldChannel,
} from '../../world/entities.ts'
import type { WorldEventName } from '../../world/world-events.ts'
import { hasBot } from '../../world/installation.ts'
import { hasEmoji } from '../../world/emojis.ts'
import { findInvite } from '../../world/invites.ts'
import { findWebhook } from '../../world/webhooks.ts'
import { passTime } from '../../world/polls.ts'
import { messageFor, withoutContent, type WorldMessage } from '../../world/world-message.ts'
import { ActingBot } from '../../world/acting-bot.ts'
import { throwRefusal, type Permission, type Place } from '../../world/party.ts'
import { readEmoji } from '../../world/reactions.ts'
import type { World } from '../../world/world.ts'
import { findSettings } from '../../../commands/registry/directory.ts'
import type { Call, Route } from '../call.ts'
import { success, type Success } from '../respond.ts'
import { Refused } from '../../refusals.ts'
import { readFields } from '../../world/body-fields.ts'

export { lacks, throwRefusal, type Permission } from '../../world/party.ts'

const MAX_REASON = 512

/** A request of a bot in the world. What its path names exists and is visible, or else its getter throws `Refused`. */
export class Visit extends ActingBot implements Objects {
  readonly call: Call
  readonly #flags: number | undefined

  /** @param flags of its application, where a privileged intent counts */
  constructor(world: World, call: Call, flags?: number) {
    super(world, call.principal.applicationId)
    this.call = call
    this.#flags = flags
  }

  /** Whether its application has a privileged intent that the request needs. */
  usesPrivilege(intent: PrivilegedIntent): boolean {
    this.world.access.usedIntent(this.botId, intent)
    return hasPrivilege(this.#flags, intent)
  }

  override readsContent(message: WorldMessage): boolean {
    return (
      this.world.guildOf(message.channel_id) === null ||
      message.author.id === this.botId ||
      message.mentions.some(({ id }) => id === this.botId) ||
      this.usesPrivilege('MESSAGE_CONTENT')
    )
  }

  /** A message as the bot sees it: without its content, if the bot may not read that. */
  messageFor(message: WorldMessage): object {
    const shown = messageFor(message, this.botId)
    return this.readsContent(message) ? shown : withoutContent(shown)
  }

  override get hasEmoji(): (id: string) => boolean {
    return (id) => hasEmoji(this.world, this.botId, id)
  }

  override noteIssues(issues: readonly Issue[]): void {
    this.call.notes.push(...issues.map(noteOf))
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

  override get reason(): string | null {
    const given = this.call.incoming.header('x-audit-log-reason')?.slice(0, 3 * MAX_REASON) ?? null
    try {
      return given && decodeURIComponent(given).slice(0, MAX_REASON)
    } catch {
      return given
    }
  }

  /** The server, or that of the channel. */
  get server(): ServerState {
    const { guild_id: id = '' } = this.call.params.channel_id ? this.serverChannel : this.call.params
    const server = this.world.server(id)
    if (server === undefined) throw new Refused('unknown_guild')
    if (!hasBot(this.world, id, this.botId))
      throw new Refused('missing_access', `the bot is not in ${server.name}`)
    return server
  }

  get bot(): ServerUser {
    return this.user
  }

  get userId(): string {
    return this.path('user')
  }

  /** The user of the path. */
  get target(): ServerUser {
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

  get emoji(): Emoji {
    return readEmoji(this.path('emoji')) ?? throwRefusal('unknown_emoji')
  }

  get overwriteId(): string {
    return this.path('overwrite')
  }

  get webhook(): Webhook {
    return findWebhook(this.world, this.path('webhook'))?.webhook ?? throwRefusal('unknown_webhook')
  }

  get invite(): Invite {
    return findInvite(this.world, this.path('invite_code'))?.invite ?? throwRefusal('unknown_invite')
  }

  get ownEmoji(): OwnEmoji {
    const id = this.path('emoji')
    return this.server.emojis.find((emoji) => emoji.id === id) ?? throwRefusal('missing_emoji')
  }

  /** The channel of the path, or the server. */
  get place(): Place {
    return this.call.params.channel_id ? this.channel : this.server
  }

  /** Whether the bot has a permission in a place. Default: that of the path. */
  has(permission: Permission, place: Place = this.place): boolean {
    return this.hasIn(place, permission)
  }

  /** @throws Refused as `needIn`, for the place of the path */
  need(...permissions: readonly Permission[]): void {
    this.needIn(this.place, ...permissions)
  }
}

/** What is known of a route besides its answer. */
export interface RowFacts {
  /** What the bot needs in the channel or the server of the path. */
  readonly needs?: readonly Permission[]
  /** The place of these permissions, for a path that names neither. It throws for what does not exist. */
  readonly place?: (visit: Visit) => AnyChannel
  /** Whether this request needs none of them, such as that of the owner of a thread. */
  readonly exempt?: (visit: Visit, place: Place) => boolean
  /** Permissions without which it answers with less, and does not refuse. */
  readonly quiet?: readonly Permission[]
  /** The event that tells of the change. `intents` has the intent that it needs. */
  readonly event?: WorldEventName
  /** The entry of the audit log. */
  readonly logs?: AuditActionName
  /** The outcome of a request with a response. Default: found, 200. */
  readonly outcome?: Success
  /** The acts that it carries out, one for each request. */
  readonly acts?: readonly ActFacts<any>[]
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
  const { needs = [], quiet = [], place, exempt, body = 'fields', outcome = 'found' } = facts
  return {
    ...facts,
    ...{ method, path, summary, needs, grant: 'read' },
    ...(method !== 'GET' && method !== 'DELETE' && { body }),
    call: async (call) => {
      const { principal, service } = call
      if (principal.type !== 'Bot' || service.world === null) throw new Refused('unauthorized')
      const { world } = service
      passTime(world)
      const { flags } = (await findSettings(service.applications, principal.applicationId)) ?? {}
      const visit = new Visit(world, call, flags)
      if (place !== undefined || hasPlace) {
        const where = place === undefined ? visit.place : place(visit)
        // What the bot does not see, it does not own either.
        visit.needIn(where)
        if (exempt?.(visit, where) !== true) visit.needIn(where, ...needs)
        for (const permission of quiet) visit.uses(where, permission)
      }
      world.access.reached(visit.botId, `${method} ${path}`)
      const found = visit.acting(() => answer(visit))
      return found === undefined ? success('removed', null) : success(outcome, JSON.stringify(found))
    },
  }
}

/** What a route has of its act, or of the first of several that it chooses from. */
export function factsOf(first: ActFacts<any>, ...others: readonly ActFacts<any>[]): RowFacts {
  const { needs, exempt, event, logs } = first
  return {
    acts: [first, ...others],
    ...(needs && { needs }),
    ...(event && { event }),
    ...(logs && { logs }),
    ...(exempt && { exempt }),
  }
}

const sentWith = ({ call: { body: fields, files } }: Visit): Sent => ({ fields, files })

function objectsOf<On extends ObjectName>(on: readonly On[], visit: Visit): Pick<Objects, On> {
  return Object.fromEntries(on.map((name) => [name, visit[name]])) as Pick<Objects, On>
}

/** An endpoint that carries out an act on what its path names. @param answer the body of the response */
export function actRow<On extends ObjectName, Body, Out, Where extends Place>(
  method: Route['method'],
  path: string,
  record: Act<On, Body, Out, Where>,
  answer: (out: Out, visit: Visit) => object | void = () => undefined,
  options: Pick<RowFacts, 'body' | 'place' | 'outcome'> & { readonly sent?: (visit: Visit) => Sent } = {},
): WorldRoute {
  const { sent = sentWith, ...more } = options
  return row(method, path, record.summary, { ...factsOf(record), ...more }, (visit) => {
    const place = (more.place?.(visit) ?? visit.place) as Where
    return answer(carryOutAct(record, visit, place, objectsOf(record.on, visit), sent(visit)), visit)
  })
}

/** Carries out an act that a route chooses by its path and its body, and checks its permissions. @throws Refused */
export function carryOutFor<On extends ObjectName, Body, Out, Where extends Place>(
  record: Act<On, Body, Out, Where>,
  visit: Visit,
): Out {
  const place = visit.place as Where
  needRights(record, visit, place)
  return carryOutAct(record, visit, place, objectsOf(record.on, visit), sentWith(visit))
}
