/** The sessions of bots. A session keeps the events that it sent, so that none is lost when its bot resumes. */
import { BoundedMap } from '../../core/bounded-map.ts'
import { deadlines } from '../../core/deadlines.ts'
import type { JsonObject } from '../../core/json.ts'
import { anId, argument, aString, demand, listArgument, objectArgument } from '../../core/rules/arguments.ts'
import { optional } from '../../core/rules/readers.ts'
import { botTimers } from '../../core/timers.ts'
import { flagsOf } from '../../model/application.ts'
import { completeUser } from '../../interactions/usage/complete.ts'
import type { ServerInput } from '../../model/demo-server.ts'
import { guildMember, guildOf } from '../world/wire.ts'
import { ChannelFilter } from './channel-filter.ts'
import { eventText, EventTexts, type EventText, type KeptText } from './event-texts.ts'
import { GatewayOpcode, type Deflate, type GatewaySocket, type Identify } from './frames.ts'
import { guildFor, Intent } from './intents.ts'

/** A source of time and of timers. */
export interface Scheduler {
  /** Milliseconds since any fixed moment. */
  now(): number
  /** Calls the task once, unless the returned function is called before. */
  after(milliseconds: number, task: () => void): () => void
}

/** The time of bots, which heartbeats follow. Its timers do not keep a process alive. */
export const systemScheduler: Scheduler = /* @__PURE__ */ Object.freeze<Scheduler>({
  now: () => botTimers.now(),
  after(milliseconds, task) {
    const timer = botTimers.start(task, milliseconds)
    // Node, Bun and Deno; in browsers a timer is a number.
    ;(timer as { unref?(): void }).unref?.()
    return () => botTimers.stop(timer)
  },
})

/** The application of a token, and the data for its bot. */
export interface GatewayApplication {
  readonly id: string
  /** The name of the bot. Default: one that contains the id. */
  readonly name?: string
  /**
   * `ApplicationFlag` bits. A login with a privileged intent that they do not have ends with 4014. Default: none, and
   * every privileged intent.
   */
  readonly flags?: number
  /**
   * The servers the bot is in, which READY names and whose events it gets. Absent: READY names none, and the bot gets
   * the events of every server.
   */
  readonly servers?: readonly ServerInput[]
}

/** The options of `createGateway`. */
export interface GatewayOptions {
  /** The application of a bot token; undefined or null for an unknown one. The token has no prefix `Bot `. */
  readonly authenticate: (
    token: string,
  ) => GatewayApplication | null | undefined | Promise<GatewayApplication | null | undefined>
  /** The time, for tests. Default: that of the system. */
  readonly scheduler?: Scheduler
  /** Creates unique session ids that are hard to guess. Default: 32 random digits in hex. */
  readonly sessionIds?: () => string
  /** The compressor for clients with `compress=zlib-stream`. Default: none, they get text frames. */
  readonly deflate?: Deflate
  /** Milliseconds between the heartbeats of a client. Default 45 seconds. */
  readonly heartbeatInterval?: number
  /**
   * Called with the error behind a login that ends with 4000: of `authenticate` or `sessionIds`, or of data without
   * valid ids. Default: `console.error`.
   */
  readonly onError?: (error: unknown) => void
}

/** The limits on IDENTIFYs of an application, in the form of `GET /gateway/bot`. */
export interface SessionStartLimit {
  /** IDENTIFYs allowed in 24 hours. */
  readonly total: number
  /** The IDENTIFYs left in these 24 hours. */
  readonly remaining: number
  /** Milliseconds until the count is reset. */
  readonly reset_after: number
  /** The number of IDENTIFYs in 5 seconds. */
  readonly max_concurrency: number
}

const identified = /* @__PURE__ */ objectArgument({ id: anId })
const ids = /* @__PURE__ */ optional(listArgument(identified))

const checkFields = /* @__PURE__ */ demand(
  objectArgument({
    id: anId,
    name: optional(aString),
    flags: optional(argument('an integer of ApplicationFlag bits', Number.isSafeInteger)),
    servers: optional(
      listArgument(
        objectArgument({
          id: anId,
          roles: ids,
          channels: ids,
          members: optional(listArgument(objectArgument({ user: identified }))),
        }),
        'a list of servers',
      ),
    ),
  }),
)

/** @throws TypeError when the application or something in its servers has no valid id, without which no client works */
export function checkApplication(application: GatewayApplication): void {
  checkFields(application, 'application')
}

/** An event of a session: only its number is its own. */
interface KeptEvent {
  readonly name: string
  readonly text: KeptText
}

/** A bot that missed more events must identify again. */
const MAX_EVENTS_KEPT = 1_000

/** What the host of a world adds to its gateway. */
export interface GatewayHost {
  /** Called when a bot asks for a voice channel. Default: such frames are ignored */
  readonly onVoiceState?: (applicationId: string, request: JsonObject) => void
  /** Whether a client with these capabilities gets channels that it may not view without name. Default: none does. */
  readonly hidesChannels?: (capabilities: number) => boolean
  /** The time of the world, in milliseconds since 1970. */
  readonly now?: () => number
  /** Called once for each bot that gets the content of messages empty, as it did not ask for MESSAGE_CONTENT. */
  readonly onEmptyContent?: (applicationId: string) => void
  /** Whether a server has no outage. Default: none has one. */
  readonly isAvailable?: (serverId: string) => boolean
  /** Called when a bot requests what it lacks intents for, which has no answer. */
  readonly onMissingIntents?: (applicationId: string, intents: readonly string[]) => void
}

export class Session {
  readonly id: string
  readonly application: GatewayApplication
  readonly intents: number
  readonly shard: readonly [number, number] | null
  /** The connection; null without one. */
  connection: (GatewaySocket & { fence(): Promise<void> }) | null = null
  /** Stops the timer that ends a session without a connection. */
  stopExpiry: () => void = () => {}
  /** The number of the last event. */
  seq = 0
  /** What hides channels; null for a session that gets all of them whole. */
  readonly channels: ChannelFilter | null
  readonly #isAvailable: (serverId: string) => boolean
  readonly #texts: EventTexts
  /** The last events, by number. */
  readonly #kept = new BoundedMap<number, KeptEvent>(MAX_EVENTS_KEPT, undefined, {
    onForget: ({ text }) => this.#texts.release(text),
  })

  constructor(
    id: string,
    application: GatewayApplication,
    { intents, shard, capabilities }: Identify,
    texts: EventTexts,
    host: GatewayHost,
  ) {
    this.#texts = texts
    this.id = id
    this.application = application
    this.intents = intents
    this.shard = shard
    const serverOf = (serverId: string) => application.servers?.find((one) => one.id === serverId)
    const { hidesChannels, now = Date.now, isAvailable = () => true } = host
    this.#isAvailable = isAvailable
    const bot = { id: application.id, intents }
    this.channels = hidesChannels?.(capabilities) === true ? new ChannelFilter(bot, serverOf, now) : null
  }

  /** Sends an event, or keeps it until the bot resumes. */
  dispatch(name: string, data: object): void {
    this.dispatchText(name, eventText(this.application.id, data))
  }

  /** The same with the text of an event, which several sessions share. */
  dispatchText(name: string, { body, kept }: EventText): void {
    const seq = ++this.seq
    this.#texts.hold(kept)
    this.#kept.set(seq, { name, text: kept })
    this.connection?.send(frameOfEvent(seq, name, body))
  }

  /** The frames after a number, in order; undefined if some of them were dropped. */
  since(seq: number): readonly string[] | undefined {
    const missed = this.seq - seq
    if (missed > this.#kept.size) return undefined
    const events = [...this.#kept].slice(this.#kept.size - missed)
    if (!events.every(([, { text }]) => this.#texts.has(text))) return undefined
    return events.map(([number, { name, text }]) => frameOfEvent(number, name, text.body))
  }

  /** Drops the kept events of a session that has ended. */
  end(): void {
    for (const { text } of this.#kept.values()) this.#texts.release(text)
    this.#kept.clear()
  }

  /** Whether events of a server, or of no server (null), go to this session. */
  receives(guildId: string | null): boolean {
    const [id, count] = this.shard ?? [0, 1]
    return guildId === null ? id === 0 : Number((BigInt(guildId) >> 22n) % BigInt(count)) === id
  }

  get #servers(): readonly ServerInput[] {
    return (this.application.servers ?? []).filter(({ id }) => this.receives(id))
  }

  /** @param url the address for resuming */
  sendReady(url: string): void {
    const { id, name = `application ${id}` } = this.application
    const flags = flagsOf(this.application)
    this.dispatch('READY', {
      v: 10,
      user: {
        ...completeUser({ id, username: name, bot: true }),
        verified: true,
        mfa_enabled: false,
        flags: 0,
      },
      guilds: this.#servers.map((server) => ({ id: server.id, unavailable: true })),
      session_id: this.id,
      session_type: 'normal',
      resume_gateway_url: url,
      ...(this.shard !== null && { shard: this.shard }),
      application: { id, flags, flags_new: String(flags) },
      private_channels: [],
      relationships: [],
      presences: [],
      user_settings: {},
    })
  }

  /** With the intent GUILDS, sends a GUILD_CREATE for each server without an outage. */
  sendServers(): void {
    if ((this.intents & Intent.GUILDS) === 0) return
    const { id } = this.application
    for (const server of this.#servers.filter((one) => this.#isAvailable(one.id)))
      this.dispatch(
        'GUILD_CREATE',
        this.channels?.guild(server) ?? guildFor(guildOf(server, id), id, this.intents),
      )
  }

  /**
   * Answers a REQUEST_GUILD_MEMBERS, unless its server lacks the bot or has an outage, or the session lacks an intent for it.
   *
   * @returns the intents that it needs (clause 6-07)
   */
  sendMembers(request: JsonObject): number {
    const { guild_id, query, limit, user_ids: ids, nonce, presences } = request
    const needed = intentsOfRequest(request)
    const server = this.application.servers?.find(({ id }) => id === String(guild_id))
    const isAnswered = (this.intents & needed) === needed
    if (server === undefined || !isAnswered || !this.#isAvailable(server.id)) return needed
    const { members: all = [] } = server
    const asked = Array.isArray(ids) ? ids.map(String) : typeof ids === 'string' ? [ids] : null
    const prefix = typeof query === 'string' ? query.toLowerCase() : ''
    const most = typeof limit === 'number' && limit > 0 ? limit : all.length
    const found = all.filter(({ user }) =>
      asked === null
        ? [user.username, user.global_name].some((name) => (name ?? '').toLowerCase().startsWith(prefix))
        : asked.includes(user.id),
    )
    this.dispatch('GUILD_MEMBERS_CHUNK', {
      guild_id: server.id,
      members: found.slice(0, most).map(guildMember),
      chunk_index: 0,
      chunk_count: 1,
      not_found: (asked ?? []).filter((id) => !all.some(({ user }) => user.id === id)),
      ...(presences === true && { presences: [] }),
      ...(typeof nonce === 'string' && { nonce }),
    })
    return needed
  }
}

/** The intents for all members of a server, and for their presences. */
function intentsOfRequest({ query, user_ids: ids, presences }: JsonObject): number {
  const isWhole = (ids === undefined || ids === null) && (query === '' || query === undefined)
  return (isWhole ? Intent.GUILD_MEMBERS : 0) | (presences === true ? Intent.GUILD_PRESENCES : 0)
}

function frameOfEvent(seq: number, name: string, body: string): string {
  return `{"op":${GatewayOpcode.DISPATCH},"d":${body},"s":${seq},"t":"${name}"}`
}

const IDENTIFIES_A_DAY = 1_000
const DAY = 86_400_000
const IDENTIFIES_AT_ONCE = 16
const AT_ONCE = 5_000
const MAX_SESSIONS = 1_000
const MAX_APPLICATIONS_COUNTED = 10_000

interface Identifies {
  readonly began: number
  readonly count: number
  /** The times of the last IDENTIFYs, as many as are allowed in 5 seconds. */
  readonly recent: readonly number[]
}

/** The sessions of a gateway, and how many each application may begin. */
export class Sessions {
  readonly #scheduler: Scheduler
  readonly #createId: () => string
  readonly #sessions = new Map<string, Session>()
  readonly #texts = new EventTexts()
  readonly #host: GatewayHost
  readonly #identifies = new BoundedMap<string, Identifies>(MAX_APPLICATIONS_COUNTED)

  constructor(
    { scheduler, sessionIds }: Required<Pick<GatewayOptions, 'scheduler' | 'sessionIds'>>,
    host: GatewayHost,
  ) {
    this.#host = host
    this.#scheduler = scheduler
    this.#createId = sessionIds
  }

  /** A copy: sessions may end while it is read. */
  get all(): readonly Session[] {
    return [...this.#sessions.values()]
  }

  find(id: string): Session | undefined {
    return this.#sessions.get(id)
  }

  /** A new session; undefined after too many IDENTIFYs of the application. */
  begin(application: GatewayApplication, identify: Identify): Session | undefined {
    if (!this.#countIdentify(application.id)) return undefined
    if (this.#sessions.size >= MAX_SESSIONS) {
      const away = this.all.find(({ connection }) => connection === null)
      if (away === undefined) return undefined
      this.end(away)
    }
    const session = new Session(this.#createId(), application, identify, this.#texts, this.#host)
    this.#sessions.set(session.id, session)
    return session
  }

  /** Starts the period in which the bot can resume. */
  leave(session: Session): void {
    session.stopExpiry = this.#scheduler.after(deadlines.RESUME_TIMEOUT, () => this.end(session))
  }

  end(session: Session): void {
    session.stopExpiry()
    session.end()
    this.#sessions.delete(session.id)
  }

  startLimit(applicationId: string): SessionStartLimit {
    const { began, count } = this.#identifiesOf(applicationId)
    return {
      total: IDENTIFIES_A_DAY,
      remaining: IDENTIFIES_A_DAY - count,
      reset_after: count === 0 ? 0 : began + DAY - this.#scheduler.now(),
      max_concurrency: IDENTIFIES_AT_ONCE,
    }
  }

  /** The IDENTIFYs of an application in the day that is being counted. */
  #identifiesOf(applicationId: string): Identifies {
    const now = this.#scheduler.now()
    const counted = this.#identifies.get(applicationId)
    return counted !== undefined && now - counted.began < DAY ? counted : { began: now, count: 0, recent: [] }
  }

  /** Counts an IDENTIFY; false after too many. */
  #countIdentify(applicationId: string): boolean {
    const now = this.#scheduler.now()
    const { began, count, recent: earlier } = this.#identifiesOf(applicationId)
    const recent = earlier.filter((time) => now - time < AT_ONCE)
    if (recent.length >= IDENTIFIES_AT_ONCE || count >= IDENTIFIES_A_DAY) return false
    this.#identifies.set(applicationId, { began, count: count + 1, recent: [...recent, now] })
    return true
  }
}
