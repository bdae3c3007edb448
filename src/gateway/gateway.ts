/** The gateway: bots connect, identify, and receive interactions over any WebSocket implementation. */
import { knownOptions } from '../core/options.ts'
import { checkSnowflake } from '../core/snowflake.ts'
import type { AnyInteraction } from '../interaction/payload.ts'
import type { RegistryEvent, RegistryListener } from '../registry/events.ts'
import type { WorldEvent } from '../world/world.ts'
import {
  Connection,
  type GatewayConnection,
  type GatewaySocket,
  type Scheduler,
  type Sessions,
} from './connection.ts'
import { withEncoding, type Deflate } from './encoding.ts'
import { GatewayCloseCode, type Identify } from './frames.ts'
import { eventFor } from './intents.ts'
import { Session, type GatewayApplication } from './session.ts'

/** The options of `createGateway`. */
export interface GatewayOptions {
  /** The application of a bot token; undefined or null for an unknown one. The token has no prefix `Bot `. */
  readonly authenticate: (
    token: string,
  ) => GatewayApplication | null | undefined | Promise<GatewayApplication | null | undefined>
  readonly scheduler: Scheduler
  /** Creates unique session ids that are hard to guess, such as `() => crypto.randomUUID()`. */
  readonly sessionIds: () => string
  /** The compressor for clients with `compress=zlib-stream`. Default: none, they get text frames. */
  readonly deflate?: Deflate
  /** Milliseconds between the heartbeats of a client. Default 45 seconds. */
  readonly heartbeatInterval?: number
  /** Milliseconds before HELLO. Default 100: some clients lose a frame that arrives with the upgrade. */
  readonly helloDelay?: number
  /** Milliseconds in which a bot can resume after its connection broke. Default 5 minutes. */
  readonly resumeWithin?: number
  /** The number of IDENTIFYs of an application in 5 seconds. Default 16. */
  readonly maxConcurrency?: number
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

/** A bot that is logged in. */
export interface GatewaySession {
  readonly id: string
  readonly applicationId: string
  /** The index and the number of shards; null for a bot without shards. */
  readonly shard: readonly [number, number] | null
  /** False while the connection is closed and the bot can resume. */
  readonly connected: boolean
  /** Closes the connection, by default with 4000, so that the bot resumes. Does nothing while it is closed. */
  drop(code?: number): void
  /** Asks the bot to reconnect and resume (opcode 7). */
  reconnect(): void
}

/** A gateway for bots. */
export interface Gateway {
  /**
   * Takes over the WebSocket of a client.
   *
   * @param query the text after the `?` of the requested URL
   * @param url the address for resuming, such as `ws://127.0.0.1:8787`
   * @returns the connection, which the host must notify of every frame and of the end
   */
  open(socket: GatewaySocket, query: string, url: string): GatewayConnection
  /**
   * Sends an interaction to every session of its application that has its server. Sessions without a connection get it
   * when they resume.
   *
   * @returns the number of sessions; 0 if the bot is not logged in
   * @throws TypeError when the id of the server is not a snowflake
   */
  dispatch(interaction: AnyInteraction): number
  /** A listener for `registry.subscribe`: sends interactions and changed permissions to the bots of the application. */
  readonly listener: RegistryListener
  readonly sessions: readonly GatewaySession[]
  /** The remaining IDENTIFYs of an application. */
  sessionStartLimit(applicationId: string): SessionStartLimit
  /** Closes all connections and ends all sessions. Later connections are closed at once. */
  close(): void
}

const IDENTIFIES_A_DAY = 1_000
const DAY = 86_400_000
const CONCURRENCY_WINDOW = 5_000
const MOST_SESSIONS = 1_000
const MOST_CONNECTIONS = 2_000
const MOST_APPLICATIONS_COUNTED = 10_000
/** The close code of a WebSocket for "try again later". */
const TRY_AGAIN_LATER = 1013

/**
 * A gateway without connections. It uses no network itself: the host opens sockets and calls `open`.
 *
 * @throws TypeError when an option is unknown
 */
export function createGateway(options: GatewayOptions): Gateway {
  return openGateway(options)
}

/** A gateway that also sends the events of a world. */
export interface WorldGateway extends Gateway {
  /** A listener for a world: sends each event to the sessions whose intents and permissions let them see it. */
  readonly publish: (event: WorldEvent) => void
}

/** @throws TypeError when an option is unknown */
export function openGateway(options: GatewayOptions): WorldGateway {
  knownOptions('createGateway', options, [
    'authenticate',
    'scheduler',
    'sessionIds',
    'deflate',
    'heartbeatInterval',
    'helloDelay',
    'resumeWithin',
    'maxConcurrency',
    'onError',
  ])
  return new Hub(options)
}

interface Identifies {
  readonly began: number
  readonly count: number
  /** The times of the last IDENTIFYs, as many as are allowed in 5 seconds. */
  readonly recent: readonly number[]
}

class Hub implements WorldGateway, Sessions {
  readonly scheduler: Scheduler
  readonly heartbeatInterval: number
  readonly helloDelay: number
  readonly listener: RegistryListener = (event) => this.#hear(event)
  readonly #options: GatewayOptions
  readonly #maxConcurrency: number
  readonly #sessions = new Map<string, Session>()
  readonly #connections = new Set<Connection>()
  readonly #identifies = new Map<string, Identifies>()
  #isClosed = false

  constructor(options: GatewayOptions) {
    const { scheduler, heartbeatInterval = 45_000, helloDelay = 100, maxConcurrency = 16 } = options
    this.#options = options
    this.#maxConcurrency = maxConcurrency
    this.scheduler = scheduler
    this.heartbeatInterval = heartbeatInterval
    this.helloDelay = helloDelay
  }

  // --- For the host ---------------------------------------------------------------------------------------------

  open(socket: GatewaySocket, query: string, url: string): GatewayConnection {
    if (this.#connections.size >= MOST_CONNECTIONS) this.#closeOldestAnonymous()
    if (this.#isClosed || this.#connections.size >= MOST_CONNECTIONS) {
      socket.close(TRY_AGAIN_LATER, 'The gateway takes no more connections.')
      return closedConnection
    }
    const link = withEncoding(socket, new URLSearchParams(query), this.#options.deflate)
    if ('code' in link) {
      socket.close(link.code, link.reason)
      return closedConnection
    }
    const connection = new Connection(this, link, url)
    this.#connections.add(connection)
    return connection
  }

  dispatch(interaction: AnyInteraction): number {
    const { guild_id = null } = interaction as { readonly guild_id?: string }
    if (guild_id !== null) checkSnowflake(guild_id, 'interaction.guild_id')
    return this.#dispatch(interaction.application_id, guild_id, 'INTERACTION_CREATE', interaction)
  }

  readonly publish = (event: WorldEvent): void => {
    for (const session of [...this.#sessions.values()]) {
      const { application, intents } = session
      if (!session.receives(event.guildId) || !event.sees(application.id)) continue
      const data = eventFor(event, application.id, intents)
      if (data !== null) session.dispatch(event.name, data)
    }
  }

  get sessions(): readonly GatewaySession[] {
    return [...this.#sessions.values()].map(handleOf)
  }

  sessionStartLimit(applicationId: string): SessionStartLimit {
    const { began, count } = this.#identifiesOf(applicationId)
    return {
      total: IDENTIFIES_A_DAY,
      remaining: IDENTIFIES_A_DAY - count,
      reset_after: count === 0 ? 0 : began + DAY - this.scheduler.now(),
      max_concurrency: this.#maxConcurrency,
    }
  }

  close(): void {
    this.#isClosed = true
    for (const connection of [...this.#connections]) connection.close(1001, 'The gateway is closing.')
    for (const session of [...this.#sessions.values()]) this.end(session)
  }

  // --- For its connections --------------------------------------------------------------------------------------

  async authenticate(token: string): Promise<GatewayApplication | null | undefined> {
    return this.#options.authenticate(token)
  }

  begin(application: GatewayApplication, identify: Identify): Session | undefined {
    if (!this.#countIdentify(application.id)) return undefined
    if (this.#sessions.size >= MOST_SESSIONS && !this.#endOldestAway()) return undefined
    const session = new Session(this.#options.sessionIds(), application, identify)
    this.#sessions.set(session.id, session)
    return session
  }

  find(id: string): Session | undefined {
    return this.#sessions.get(id)
  }

  leave(session: Session): void {
    const { resumeWithin = 300_000 } = this.#options
    session.stopExpiry = this.scheduler.after(resumeWithin, () => this.end(session))
  }

  end(session: Session): void {
    session.stopExpiry()
    this.#sessions.delete(session.id)
  }

  forget(connection: Connection): void {
    this.#connections.delete(connection)
  }

  report(error: unknown): void {
    const { onError = (cause: unknown) => console.error(cause) } = this.#options
    try {
      onError(error)
    } catch {
      // A failing `onError` must not end the process.
    }
  }

  // --------------------------------------------------------------------------------------------------------------

  #hear(event: RegistryEvent): void {
    if (event.type === 'interaction_created') {
      if (event.handledBy === 'app') this.dispatch(event.interaction)
    } else if (event.type === 'permissions_updated') {
      const { applicationId, guildId, permissions } = event
      const isIn = ({ application: { servers } }: Session) =>
        servers === undefined || servers.some(({ id }) => id === guildId)
      this.#dispatch(applicationId, guildId, 'APPLICATION_COMMAND_PERMISSIONS_UPDATE', permissions, isIn)
    }
  }

  #dispatch(
    applicationId: string,
    guildId: string | null,
    event: string,
    data: object,
    isFor: (session: Session) => boolean = () => true,
  ): number {
    let count = 0
    for (const session of [...this.#sessions.values()]) {
      if (session.application.id !== applicationId || !session.receives(guildId) || !isFor(session)) continue
      session.dispatch(event, data)
      count++
    }
    return count
  }

  /** The IDENTIFYs of an application in the day that is being counted. */
  #identifiesOf(applicationId: string): Identifies {
    const now = this.scheduler.now()
    const counted = this.#identifies.get(applicationId)
    return counted !== undefined && now - counted.began < DAY ? counted : { began: now, count: 0, recent: [] }
  }

  /** Counts an IDENTIFY; false after too many. */
  #countIdentify(applicationId: string): boolean {
    const now = this.scheduler.now()
    const { began, count, recent: earlier } = this.#identifiesOf(applicationId)
    const recent = earlier.filter((time) => now - time < CONCURRENCY_WINDOW)
    if (recent.length >= this.#maxConcurrency || count >= IDENTIFIES_A_DAY) return false
    const isFull = this.#identifies.size >= MOST_APPLICATIONS_COUNTED
    if (isFull && !this.#identifies.has(applicationId)) this.#identifies.clear()
    this.#identifies.set(applicationId, { began, count: count + 1, recent: [...recent, now] })
    return true
  }

  #closeOldestAnonymous(): void {
    for (const connection of this.#connections) {
      if (!connection.isLoggedIn)
        return connection.close(TRY_AGAIN_LATER, 'Newer connections need the place.')
    }
  }

  #endOldestAway(): boolean {
    for (const session of this.#sessions.values()) {
      if (session.connection !== null) continue
      this.end(session)
      return true
    }
    return false
  }
}

/** The connection of a socket that was closed at once. */
const closedConnection: GatewayConnection = { receive() {}, closed() {} }

function handleOf(session: Session): GatewaySession {
  return {
    id: session.id,
    applicationId: session.application.id,
    shard: session.shard,
    connected: session.connection !== null,
    drop: (code = GatewayCloseCode.UNKNOWN_ERROR) =>
      session.connection?.close(code, 'The connection was dropped.'),
    reconnect: () => session.connection?.askToReconnect(),
  }
}
