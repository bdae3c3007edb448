/** What the actions below `/people/` share: the answers that later actions name, and who acts. */
import { BoundedMap, bytesOfJson, bytesOfText } from '../../../core/bounded-map.ts'
import type { MovingClock } from '../../../core/timers.ts'
import { listed, quoted } from '../../../core/text.ts'
import { expectedLocale } from '../../../interactions/client/chat-client.ts'
import type { InteractionMessage } from '../../../model/interaction-payload.ts'
import { isLocale } from '../../../model/locales.ts'
import type { Gateway } from '../../../service/gateway/gateway.ts'
import { isShown, type Shown } from '../answers/shown.ts'
import type { Routes } from './test-routes.ts'
import type { Actor } from '../people/actor.ts'
import type { MessageTarget } from '../people/message-targets.ts'
import {
  InputError,
  type Participant,
  type People,
  type Person,
  type PersonOptions,
} from '../people/people.ts'
import { serverActions, type ServerActions } from '../people/server-actions.ts'
import { messageView } from '../people/server-view.ts'

export interface ActionOptions {
  readonly actorOf: (by: Participant) => Actor
  readonly people: People
  readonly gateway: Gateway
  readonly routes: Routes
  readonly clock: Pick<MovingClock, 'movesBots'>
  /** Moves the clock by milliseconds. */
  readonly advance: (milliseconds: number) => Promise<void>
  /** Does an act for a request. */
  readonly acting: <T>(act: () => Promise<T>) => Promise<T>
  readonly settled: (milliseconds?: number) => Promise<void>
}

// The answers that later actions can name, of one application and of all.
const MAX_SHOWN_BYTES = 32 * 1024 * 1024
const MAX_SHOWN_BYTES_OF_ONE = 16 * 1024 * 1024
/** A message with as much text as is allowed: 2,000 characters beside 6,000 in embeds. */
const LONGEST_MESSAGE = 16 * 1024
// The responses of `route`; each request of a bot is compared with all of them.
const MAX_ROUTE_BYTES = 4 * 1024 * 1024
const MAX_ROUTES = 500
const SMALLEST_ROUTE = Math.floor(MAX_ROUTE_BYTES / MAX_ROUTES)

/** An answer of the bot, and the person who got it. */
interface KnownAnswer {
  readonly shown: Shown
  readonly actor: Actor
  readonly size: number
}

interface AddedRoute {
  readonly size: number
  readonly remove: () => void
}

/** The fields that name a person, their client and the bot. */
interface ActingFields {
  readonly as?: string
  readonly application?: string
  readonly locale?: string
  readonly channel?: string
  readonly server?: string
  readonly installed?: 'server' | 'user'
}

interface MessageFields {
  readonly id: string
  readonly as?: string
}

export class ActionContext {
  readonly people: People
  readonly gateway: Gateway
  readonly clock: ActionOptions['clock']
  readonly advance: ActionOptions['advance']
  readonly settled: ActionOptions['settled']
  readonly #routes: Routes
  readonly #actorOf: ActionOptions['actorOf']
  /** The answers of the bot and their people, by the ids that later actions name. */
  readonly #known = new BoundedMap<string, KnownAnswer>(MAX_SHOWN_BYTES, ({ size }) => size, {
    share: {
      most: MAX_SHOWN_BYTES_OF_ONE,
      ownerOf: ({ shown }) => shown.interaction.application_id,
    },
  })
  readonly #added = new BoundedMap<string, AddedRoute>(MAX_ROUTE_BYTES, ({ size }) => size, {
    onForget: ({ remove }) => remove(),
  })

  constructor({ actorOf, people, gateway, routes, clock, advance, settled }: ActionOptions) {
    this.#actorOf = actorOf
    this.people = people
    this.gateway = gateway
    this.clock = clock
    this.advance = advance
    this.settled = settled
    this.#routes = routes
  }

  /**
   * What is done to the server of a body, or else to the first one, or the first one that has a person.
   *
   * @throws InputError for an unknown name
   */
  inServer({ server }: { readonly server?: string }, person?: string): ServerActions {
    const { people } = this
    const id = person === undefined ? people.server(server).id : people.find(person, server).serverId
    return serverActions(people, id)
  }

  /** @throws InputError for an unknown name */
  actorOf(body: ActingFields & { readonly as: string }): Actor {
    const { as, application = this.#onlyApplication(), locale, channel, server, installed } = body
    if (locale !== undefined && !isLocale(locale)) throw new InputError(`locale: ${expectedLocale(locale)}`)
    const options: PersonOptions = {
      ...(locale !== undefined && { locale }),
      ...(channel !== undefined && { channel }),
      ...(installed !== undefined && { installed }),
      ...(server !== undefined && { server }),
    }
    return this.#actorOf(this.people.participantOf(application, as, options))
  }

  /** Another person than the one who has got an answer, if the body names one. @throws InputError for unknown names */
  actorOn(target: MessageTarget, { as, ...body }: ActingFields & MessageFields): Actor {
    if (as === undefined) return this.knownAnswer(body).actor
    const application = isShown(target) ? target.interaction.application_id : undefined
    return this.actorOf({ ...(application !== undefined && { application }), ...body, as })
  }

  /** The messages between the bot and a person. @throws InputError for an unknown name */
  directMessages({ name, application = this.#onlyApplication() }: { name: string; application?: string }) {
    return { messages: this.people.directMessages(name, application) }
  }

  #onlyApplication(): string {
    const ids = [...new Set(this.gateway.sessions.map(({ applicationId }) => applicationId))]
    const [id] = ids
    if (id === undefined) throw new InputError('application: required while no bot is logged in')
    if (ids.length === 1) return id
    throw new InputError(`application: required while several bots are logged in: ${listed(ids)}`)
  }

  /** @throws InputError for an unknown id */
  knownAnswer({ id }: Pick<MessageFields, 'id'>): KnownAnswer {
    const found = this.#known.get(id)
    if (found === undefined) throw new InputError(`id: unknown answer ${quoted(id)}`)
    return found
  }

  /** An answer, or a message of a channel. @throws InputError for an unknown id */
  messageTargetOf(body: MessageFields): MessageTarget {
    const { id } = body
    const message = this.#known.has(id) ? undefined : this.people.world.findMessage(id)
    if (message === undefined) return this.knownAnswer(body).shown
    if (body.as === undefined) throw new InputError('as: required for a message of a channel')
    return messageView(this.people.world, message)
  }

  /** The person or the message on which a command of a menu is used. @throws InputError for none, both or an unknown name */
  menuTargetOf(body: {
    readonly user?: string
    readonly message?: InteractionMessage
    readonly server?: string
  }): Person | InteractionMessage {
    const { user, message, server } = body
    if (user !== undefined && message === undefined) return this.people.find(user, server).person
    if (message !== undefined && user === undefined) return message
    throw new InputError('user: expected the name of a person, or "message"')
  }

  /** The JSON of an answer, which later actions may name. */
  answerJson(shown: Shown, actor: Actor): object {
    const id = shown.message?.id ?? shown.interaction.id
    const { kind, content, ephemeral, deleted, message, modal, followUps } = shown
    // The message may still be edited, such as that of a deferred answer.
    const size = bytesOfJson({ interaction: shown.interaction, modal }) + LONGEST_MESSAGE
    if (!this.#known.has(id)) this.#known.set(id, { shown, actor, size })
    const follow_ups = followUps.map((one) => this.answerJson(one, actor))
    return { id, kind, content, text: shown.text(), ephemeral, deleted, message, modal, follow_ups }
  }

  /** Answers a route of the bot; the newest response of a route replaces an older one. */
  addRoute(route: string, body: unknown, response: Response): void {
    const remove = this.#routes.on(route, () => response)
    this.#added.get(route)?.remove()
    this.#added.delete(route)
    const size = Math.max(bytesOfText(route) + bytesOfJson(body ?? null), SMALLEST_ROUTE)
    this.#added.set(route, { size, remove })
  }

  resetRoutes(): void {
    this.#added.clear()
    this.#routes.reset()
  }

  onlineJson(): readonly object[] {
    return this.gateway.sessions.map(({ applicationId: application, shard, connected }) => ({
      application,
      shard,
      connected,
    }))
  }
}
