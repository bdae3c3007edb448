/** One connection of a bot, as a state machine. */
import { isObject } from '../core/json.ts'
import {
  GatewayCloseCode,
  GatewayOpcode,
  readFrame,
  readIdentify,
  readResume,
  type ClientFrame,
  type Identify,
  type CloseReason,
  type Resume,
} from './frames.ts'
import { membersChunk, sendReady } from './ready.ts'
import { checkApplication, type GatewayApplication, type Session, type SessionConnection } from './session.ts'

/** A source of time and of timers. */
export interface Scheduler {
  /** Milliseconds since any fixed moment. */
  now(): number
  /** Calls the task once, unless the returned function is called before. */
  after(milliseconds: number, task: () => void): () => void
}

/** A WebSocket, as the host passes it. Its methods must not call back into the gateway. */
export interface GatewaySocket {
  /** Sends a text frame for a string, a binary frame for bytes. */
  send(data: string | Uint8Array): void
  /** Closes the connection; ends it soon even if the client does not answer the close frame. */
  close(code: number, reason: string): void
}

/** A connection, which the host notifies of frames. Its methods never throw. */
export interface GatewayConnection {
  /** Takes a frame: a string for a text frame, bytes for a binary frame. */
  receive(data: string | Uint8Array): void
  /** Notifies that the connection closed, with the code of the client's close frame if there was one. */
  closed(code?: number): void
}

/** The methods of the gateway that a connection calls. */
export interface Sessions {
  readonly scheduler: Scheduler
  readonly heartbeatInterval: number
  readonly helloDelay: number
  authenticate(token: string): Promise<GatewayApplication | null | undefined>
  /** A new session; undefined after too many IDENTIFYs of the application. */
  begin(application: GatewayApplication, identify: Identify): Session | undefined
  find(id: string): Session | undefined
  /** Starts the period in which the bot can resume. */
  leave(session: Session): void
  end(session: Session): void
  forget(connection: Connection): void
  /** Tells the host of an error of its own functions or data. */
  report(error: unknown): void
}

/** Frames a client may send in a minute. */
const FRAMES_A_MINUTE = 120
const MINUTE = 60_000

type State = 'open' | 'identifying' | 'identified' | 'closed'

export class Connection implements GatewayConnection, SessionConnection {
  readonly #sessions: Sessions
  readonly #socket: GatewaySocket
  readonly #url: string
  #state: State = 'open'
  #session: Session | null = null
  #seen = 0
  #minuteBegan: number
  #stopHello: () => void
  #stopWaiting: () => void = () => {}

  /** @param url the address for resuming */
  constructor(sessions: Sessions, socket: GatewaySocket, url: string) {
    this.#sessions = sessions
    this.#socket = socket
    this.#url = url
    const { scheduler, heartbeatInterval, helloDelay } = sessions
    this.#minuteBegan = scheduler.now()
    this.#stopHello = scheduler.after(helloDelay, () => {
      this.#sendOp(GatewayOpcode.HELLO, { heartbeat_interval: heartbeatInterval })
    })
    this.#awaitHeartbeat()
  }

  /** Whether the client has identified or resumed. */
  get isLoggedIn(): boolean {
    return this.#session !== null
  }

  receive(data: string | Uint8Array): void {
    if (this.#state === 'closed') return
    if (this.#countFrame()) {
      return this.#refuse('RATE_LIMITED', `A connection sends at most ${FRAMES_A_MINUTE} frames a minute.`)
    }
    const frame = readFrame(data)
    if ('code' in frame) this.close(frame.code, frame.reason)
    else this.#handle(frame)
  }

  closed(code?: number): void {
    if (this.#state === 'closed') return
    // A client that closes normally does not resume.
    this.#leave(code === 1000 || code === 1001)
  }

  close(code: number, reason: string): void {
    if (this.#state === 'closed') return
    const isFinal = code === 1000 || code === 1001 || code === GatewayCloseCode.SESSION_TIMED_OUT
    this.#leave(isFinal)
    try {
      this.#socket.close(code, reason)
    } catch {
      // The socket is closed already.
    }
  }

  send(text: string): void {
    if (this.#state === 'closed') return
    try {
      this.#socket.send(text)
    } catch {
      // A socket that cannot send has closed; the session keeps the events for the bot.
      this.close(GatewayCloseCode.UNKNOWN_ERROR, 'The frame could not be sent.')
    }
  }

  /** Asks the client to reconnect and resume. */
  askToReconnect(): void {
    this.#sendOp(GatewayOpcode.RECONNECT, null)
  }

  // --- Frames of the client -----------------------------------------------------------------------------------

  #handle({ op, d }: ClientFrame): void {
    switch (op) {
      case GatewayOpcode.HEARTBEAT:
        // Heartbeats do not extend the time for IDENTIFY.
        if (this.#session !== null) this.#awaitHeartbeat()
        return this.#sendOp(GatewayOpcode.HEARTBEAT_ACK, null)
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
          return this.#refuse('NOT_AUTHENTICATED', 'IDENTIFY or RESUME has to come first.')
        if (op === GatewayOpcode.REQUEST_GUILD_MEMBERS) this.#sendMembers(this.#session, d)
        return
      default:
        this.#refuse('UNKNOWN_OPCODE', `A client does not send opcode ${op}.`)
    }
  }

  #login(readCredentials: () => Identify | Resume | CloseReason): void {
    if (this.#state !== 'open') {
      const reason = 'The connection has identified or resumed already.'
      return this.#refuse('ALREADY_AUTHENTICATED', reason)
    }
    const read = readCredentials()
    if ('code' in read) return this.close(read.code, read.reason)
    this.#state = 'identifying'
    this.#sessions
      .authenticate(read.token)
      .then((application) => {
        if (this.#state !== 'identifying') return
        this.#state = 'open'
        // Databases return null for a missing row.
        if (application === undefined || application === null)
          return this.#refuse('AUTHENTICATION_FAILED', 'The token is not known.')
        checkApplication(application)
        if ('intents' in read) this.#identify(application, read)
        else this.#resume(application, read)
      })
      .catch((error: unknown) => {
        this.#sessions.report(error)
        this.#refuse('UNKNOWN_ERROR', 'The login failed; the host of the gateway was told why.')
        // Its bot has no READY, so it must not resume.
        if (this.#session !== null) this.#sessions.end(this.#session)
      })
  }

  #identify(application: GatewayApplication, identify: Identify): void {
    const session = this.#sessions.begin(application, identify)
    if (session === undefined) return this.#sendInvalidSession()
    this.#attach(session)
    sendReady(session, this.#url)
  }

  #resume(application: GatewayApplication, { sessionId, seq }: Resume): void {
    const session = this.#sessions.find(sessionId)
    if (session?.application.id !== application.id) return this.#sendInvalidSession()
    if (seq > session.seq)
      return this.#refuse('INVALID_SEQ', `"seq" is ${seq}; the last event was ${session.seq}.`)
    const missed = session.since(seq)
    if (missed === undefined) {
      this.#sessions.end(session)
      return this.#sendInvalidSession()
    }
    session.connection?.close(
      GatewayCloseCode.UNKNOWN_ERROR,
      'The session was resumed on another connection.',
    )
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
    this.#sendOp(GatewayOpcode.INVALID_SESSION, false)
  }

  #sendMembers(session: Session, d: unknown): void {
    const chunk = isObject(d) ? membersChunk(session.application, d) : undefined
    if (chunk !== undefined) session.dispatch('GUILD_MEMBERS_CHUNK', chunk)
  }

  // --- Time ---------------------------------------------------------------------------------------------------

  /** Counts a frame; true after too many in this minute. */
  #countFrame(): boolean {
    const now = this.#sessions.scheduler.now()
    if (now - this.#minuteBegan >= MINUTE) {
      this.#minuteBegan = now
      this.#seen = 0
    }
    return ++this.#seen > FRAMES_A_MINUTE
  }

  #awaitHeartbeat(): void {
    this.#stopWaiting()
    const { scheduler, heartbeatInterval } = this.#sessions
    this.#stopWaiting = scheduler.after(heartbeatInterval * 1.5, () => {
      const missing = this.#session === null ? 'IDENTIFY' : 'heartbeat'
      this.#refuse('SESSION_TIMED_OUT', `No ${missing} came in time.`)
    })
  }

  // --- The end ------------------------------------------------------------------------------------------------

  #refuse(name: keyof typeof GatewayCloseCode, reason: string): void {
    this.close(GatewayCloseCode[name], reason)
  }

  #leave(isFinal: boolean): void {
    this.#state = 'closed'
    this.#stopHello()
    this.#stopWaiting()
    this.#sessions.forget(this)
    const session = this.#session
    if (session === null || session.connection !== this) return
    session.connection = null
    if (isFinal) this.#sessions.end(session)
    else this.#sessions.leave(session)
  }

  #sendOp(op: GatewayOpcode, d: unknown): void {
    this.send(JSON.stringify({ op, d, s: null, t: null }))
  }
}
