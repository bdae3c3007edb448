/** One connection of a bot, as a state machine. */
import { isObject, type JsonObject } from '../../core/json.ts'
import { realTimers } from '../../core/timers.ts'
import { hasPrivilege, privilegedIntents } from '../../model/application-flags.ts'
import {
  Close,
  closing,
  frameOf,
  GatewayCloseCode,
  GatewayOpcode,
  readFrame,
  readIdentify,
  readResume,
  type GatewaySocket,
  type Identify,
  type Resume,
} from './frames.ts'
import { Intent } from './intents.ts'
import {
  checkApplication,
  type GatewayApplication,
  type GatewayOptions,
  type Session,
  type Sessions,
} from './gateway-session.ts'

/** A connection, which the host notifies of frames. Its methods never throw. */
export interface GatewayConnection {
  /** Takes a frame: a string for a text frame, bytes for a binary frame. */
  receive(data: string | Uint8Array): void
  /** Notifies that the connection closed, with the code of the client's close frame if there was one. */
  closed(code?: number): void
}

/** What the connections of a gateway share. */
export interface Hub extends Required<Pick<GatewayOptions, 'scheduler' | 'heartbeatInterval'>> {
  readonly authenticate: (token: string) => Promise<GatewayApplication | null | undefined>
  readonly sessions: Sessions
  /** What waits at all connections until their clients have read more. */
  readonly waiting: { characters: number }
  /** The open connections, oldest first. */
  readonly connections: Set<Connection>
  /** Called when a bot asks for a voice channel, or leaves one. */
  readonly onVoiceState: (applicationId: string, request: JsonObject) => void
  /** Called with the intents that a request of a bot needs. */
  readonly onIntents: (session: Session, needed: number) => void
  /** Never throws. */
  readonly onError: (error: unknown) => void
}

/** Milliseconds before HELLO, at most: some clients lose a frame that arrives with the upgrade. */
const HELLO_AFTER = 100
/** Milliseconds between READY and what follows: a bot adds listeners after its login. */
const SERVERS_AFTER = 50
/** The longest such time for a host that can ping its client: a busy client reads READY later. */
const SERVERS_LATEST = 2_000
/** About how many characters of the frames that wait follow each other, and when the next do at the latest. */
const HELD_CHARACTERS_NEXT = 1024 * 1024
const NEXT_LATEST = 30_000
/** Of all connections. */
const MAX_WAITING_CHARACTERS = 128 * 1024 * 1024
const FRAMES_A_MINUTE = 120
/** Milliseconds after which a client that does not read is cut off. */
const HUNG_AFTER = 300
const MINUTE = 60_000

export class Connection implements GatewayConnection, GatewaySocket {
  readonly #hub: Hub
  readonly #socket: GatewaySocket
  readonly #url: string
  #state: 'open' | 'identifying' | 'identified' | 'closed' = 'open'
  #session: Session | null = null
  #framesSeen = 0
  #minuteBegan: number
  #stopHello: () => void
  /** The frames after READY that wait. */
  #held: string[] | null = null
  #stopHolding: () => void = () => {}
  #stopWaiting: () => void = () => {}
  /** Ends the fences that the client has not passed, with the times at which they began. */
  readonly #fences = new Map<() => void, number>()

  /** @param url the address for resuming */
  constructor(hub: Hub, socket: GatewaySocket, url: string) {
    this.#hub = hub
    this.#socket = socket
    this.#url = url
    const { scheduler, heartbeatInterval } = hub
    this.#minuteBegan = scheduler.now()
    this.#stopHello = this.#afterRead(HELLO_AFTER, () => {
      this.send(frameOf(GatewayOpcode.HELLO, { heartbeat_interval: heartbeatInterval }))
    })
    this.#awaitHeartbeat()
    hub.connections.add(this)
  }

  get isLoggedIn(): boolean {
    return this.#session !== null
  }

  receive(data: string | Uint8Array): void {
    if (this.#state === 'closed') return
    try {
      this.#countFrame()
      this.#handle(readFrame(data))
    } catch (error) {
      this.#fail(error)
    }
  }

  closed(code?: number): void {
    if (this.#state === 'closed') return
    // A client that closes normally does not resume.
    this.#leave(code === 1000 || code === 1001)
  }

  close(code: number, reason: string): void {
    if (this.#state === 'closed') return
    this.#leave(code === 1000 || code === 1001 || code === GatewayCloseCode.SESSION_TIMED_OUT)
    try {
      this.#socket.close(code, reason)
    } catch {
      // The socket is closed already.
    }
  }

  /** Resolves when the client has read what was sent before; never with a host that cannot find out. */
  async whenRead(): Promise<void> {
    try {
      if (this.#socket.whenRead !== undefined) return await this.#socket.whenRead()
    } catch {
      // A socket that is closed cannot find out.
    }
    return new Promise(() => {})
  }

  /**
   * Resolves when the client has read what was sent before, and when it closes; at once for a client that has hung since an
   * earlier call. Only for hosts that can find out.
   */
  fence(): Promise<void> {
    const [oldest = Infinity] = this.#fences.values()
    const isHung = realTimers.now() - oldest > HUNG_AFTER
    if (isHung) return Promise.resolve()
    return new Promise((resolve) => {
      const pass = () => {
        this.#fences.delete(pass)
        resolve()
      }
      this.#fences.set(pass, realTimers.now())
      void this.whenRead().then(pass)
    })
  }

  send(text: string): void {
    if (this.#state === 'closed') return
    if (this.#held !== null) {
      this.#held.push(text)
      this.#hub.waiting.characters += text.length
      if (this.#hub.waiting.characters > MAX_WAITING_CHARACTERS)
        this.close(GatewayCloseCode.UNKNOWN_ERROR, 'Too many frames wait for bots that log in.')
      return
    }
    this.#send(text)
  }

  #send(text: string): void {
    try {
      this.#socket.send(text)
    } catch (error) {
      // A socket that cannot send has closed; the session keeps the events for the bot.
      const { message } = error instanceof Close ? error : { message: 'The frame could not be sent.' }
      this.close(GatewayCloseCode.UNKNOWN_ERROR, message)
    }
  }

  #handle({ op, d }: ReturnType<typeof readFrame>): void {
    switch (op) {
      case GatewayOpcode.HEARTBEAT:
        // Heartbeats do not extend the time for IDENTIFY.
        if (this.#session !== null) this.#awaitHeartbeat()
        return this.send(frameOf(GatewayOpcode.HEARTBEAT_ACK, null))
      case GatewayOpcode.IDENTIFY:
        return this.#login(() => readIdentify(d))
      case GatewayOpcode.RESUME:
        return this.#login(() => readResume(d))
      case GatewayOpcode.PRESENCE_UPDATE:
      case GatewayOpcode.VOICE_STATE_UPDATE:
      case GatewayOpcode.REQUEST_GUILD_MEMBERS:
      case GatewayOpcode.REQUEST_SOUNDBOARD_SOUNDS:
      case GatewayOpcode.REQUEST_CHANNEL_INFO:
        if (this.#session === null)
          throw closing('NOT_AUTHENTICATED', 'IDENTIFY or RESUME has to come first.')
        if (!isObject(d)) return
        if (op === GatewayOpcode.REQUEST_GUILD_MEMBERS)
          this.#hub.onIntents(this.#session, this.#session.sendMembers(d))
        if (op === GatewayOpcode.VOICE_STATE_UPDATE) this.#hub.onVoiceState(this.#session.application.id, d)
        return
      default:
        throw closing('UNKNOWN_OPCODE', `A client does not send opcode ${op}.`)
    }
  }

  #login(readCredentials: () => Identify | Resume): void {
    if (this.#state !== 'open')
      throw closing('ALREADY_AUTHENTICATED', 'The connection has identified or resumed already.')
    const credentials = readCredentials()
    this.#state = 'identifying'
    this.#hub
      .authenticate(credentials.token)
      .then((application) => {
        if (this.#state !== 'identifying') return
        this.#state = 'open'
        // Databases return null for a missing row.
        if (application === undefined || application === null)
          throw closing('AUTHENTICATION_FAILED', 'The token is not known.')
        checkApplication(application)
        if ('intents' in credentials) this.#identify(application, credentials)
        else this.#resume(application, credentials)
      })
      .catch((error: unknown) => {
        this.#fail(error)
        // Its bot has no READY, so it must not resume.
        if (!(error instanceof Close) && this.#session !== null) this.#hub.sessions.end(this.#session)
      })
  }

  #identify(application: GatewayApplication, identify: Identify): void {
    const refused = privilegedIntents.filter(
      (name) => (identify.intents & Intent[name]) !== 0 && !hasPrivilege(application.flags, name),
    )
    if (refused.length > 0)
      throw closing('DISALLOWED_INTENTS', `The application does not have the intent ${refused.join(', ')}.`)
    const session = this.#hub.sessions.begin(application, identify)
    if (session === undefined) return this.#sendInvalidSession()
    this.#attach(session)
    session.sendReady(this.#url)
    this.#hold()
    session.sendServers()
  }

  #hold(): void {
    if (this.#state === 'closed') return
    this.#held = []
    const latest = this.#socket.whenRead === undefined ? SERVERS_AFTER : SERVERS_LATEST
    this.#stopHolding = this.#afterRead(latest, () => this.#sendHeld())
  }

  /** Some at a time, so that a client has read those of one large server before the next. */
  #sendHeld(): void {
    const held = this.#held ?? []
    for (let sent = 0; sent < HELD_CHARACTERS_NEXT && held.length > 0;) {
      const text = held.shift()!
      this.#hub.waiting.characters -= text.length
      sent += text.length
      this.#send(text)
      if (this.#state === 'closed') return
    }
    this.#stopHolding()
    if (held.length === 0) this.#held = null
    else this.#stopHolding = this.#afterRead(NEXT_LATEST, () => this.#sendHeld())
  }

  /** Does a task when the client has read what was sent, or after milliseconds. @returns cancels it */
  #afterRead(milliseconds: number, task: () => void): () => void {
    const cancel = () => {
      isOver = true
      stop()
    }
    const run = () => {
      if (isOver) return
      cancel()
      task()
    }
    let isOver = false
    const stop = this.#hub.scheduler.after(milliseconds, run)
    void this.whenRead().then(run)
    return cancel
  }

  #resume(application: GatewayApplication, { sessionId, seq }: Resume): void {
    const session = this.#hub.sessions.find(sessionId)
    if (session?.application.id !== application.id) return this.#sendInvalidSession()
    if (seq > session.seq) throw closing('INVALID_SEQ', `"seq" is ${seq}; the last event was ${session.seq}.`)
    const missed = session.since(seq)
    if (missed === undefined) {
      this.#hub.sessions.end(session)
      return this.#sendInvalidSession()
    }
    const reason = 'The session was resumed on another connection.'
    session.connection?.close(GatewayCloseCode.UNKNOWN_ERROR, reason)
    this.#attach(session)
    for (const text of missed) this.send(text)
    session.dispatch('RESUMED', {})
  }

  #attach(session: Session): void {
    session.stopExpiry()
    session.connection = this
    this.#session = session
    this.#state = 'identified'
    this.#awaitHeartbeat()
  }

  /** The client may identify again on this connection. */
  #sendInvalidSession(): void {
    this.send(frameOf(GatewayOpcode.INVALID_SESSION, false))
  }

  /** @throws Close after too many frames in this minute */
  #countFrame(): void {
    const now = this.#hub.scheduler.now()
    if (now - this.#minuteBegan >= MINUTE) {
      this.#minuteBegan = now
      this.#framesSeen = 0
    }
    if (++this.#framesSeen > FRAMES_A_MINUTE)
      throw closing('RATE_LIMITED', `A connection sends at most ${FRAMES_A_MINUTE} frames a minute.`)
  }

  #awaitHeartbeat(): void {
    this.#stopWaiting()
    const { scheduler, heartbeatInterval } = this.#hub
    this.#stopWaiting = scheduler.after(heartbeatInterval * 1.5, () => {
      const missing = this.#session === null ? 'IDENTIFY' : 'heartbeat'
      this.#fail(closing('SESSION_TIMED_OUT', `No ${missing} came in time.`))
    })
  }

  #fail(error: unknown): void {
    if (error instanceof Close) return this.close(error.code, error.message)
    this.#hub.onError(error)
    this.close(GatewayCloseCode.UNKNOWN_ERROR, 'The login failed; the host of the gateway was told why.')
  }

  #leave(isFinal: boolean): void {
    this.#state = 'closed'
    this.#stopHello()
    this.#stopHolding()
    this.#stopWaiting()
    for (const { length } of this.#held ?? []) this.#hub.waiting.characters -= length
    this.#held = null
    this.#hub.connections.delete(this)
    for (const pass of this.#fences.keys()) pass()
    const session = this.#session
    if (session === null || session.connection !== this) return
    session.connection = null
    if (isFinal) this.#hub.sessions.end(session)
    else this.#hub.sessions.leave(session)
  }
}
