/** The gateway: bots connect, identify, and receive interactions over any WebSocket implementation. */
import { aFunction, aDuration, optionsOf, withMethods } from '../../core/rules/arguments.ts'
import { optional } from '../../core/rules/readers.ts'
import { newSecret } from '../../core/secrets.ts'
import { checkSnowflake } from '../../core/snowflake.ts'
import type { AnyInteraction } from '../../model/interaction-payload.ts'
import type { RegistryListener } from '../../commands/registry/events.ts'
import type { WorldEvent } from '../world/world-events.ts'
import { Connection, type GatewayConnection, type Hub } from './connection.ts'
import {
  Close,
  frameOf,
  GatewayCloseCode,
  GatewayOpcode,
  withEncoding,
  type GatewaySocket,
} from './frames.ts'
import { eventTexts, sharedTexts } from './event-texts.ts'
import { IntentUses, type IntentUse } from './intent-use.ts'
import { Intent, intentNames } from './intents.ts'
import {
  Sessions,
  systemScheduler,
  type GatewayHost,
  type GatewayOptions,
  type Session,
  type SessionStartLimit,
} from './gateway-session.ts'

/** A session of a bot that logged in. */
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
  /**
   * A listener for `registry.subscribe`: sends interactions to the bots of their application, and changed permissions
   * to the bots of every application in the server.
   */
  readonly listener: RegistryListener
  readonly sessions: readonly GatewaySession[]
  /** The remaining IDENTIFYs of an application. */
  sessionStartLimit(applicationId: string): SessionStartLimit
  /** Closes all connections and ends all sessions. Later connections are closed at once. */
  close(): void
}

const MAX_CONNECTIONS = 2_000
/** The close code of a WebSocket whose server ends. */
const GOING_AWAY = 1001
/** The close code of a WebSocket for "try again later". */
const TRY_AGAIN_LATER = 1013

/**
 * A gateway without connections. It uses no network itself: the host opens sockets and calls `open`.
 *
 * @throws TypeError when an option is invalid
 */
export function createGateway(options: GatewayOptions): Gateway {
  return openGateway(options)
}

/** A gateway that also sends the events of a world. */
export interface WorldGateway extends Gateway {
  /** A listener for a world: sends each event to the sessions whose intents and permissions let them see it. */
  readonly publish: (event: WorldEvent) => void
  /** The intents with which a bot has logged in, and those by which something was sent to it; bit sets. */
  intentsOf(applicationId: string): IntentUse
  /** @param code of the connections. Default 1001, after which bots try to connect again */
  close(code?: number): void
  /** Resolves when all connected bots have read what was sent before, but for those that have hung. */
  fence(): Promise<void>
}

const checkedOptions = /* @__PURE__ */ optionsOf<GatewayOptions>('createGateway', {
  authenticate: aFunction,
  scheduler: optional(withMethods('a Scheduler with now and after', 'now', 'after')),
  sessionIds: optional(aFunction),
  deflate: optional(aFunction),
  heartbeatInterval: optional(aDuration),
  onError: optional(aFunction),
})

/**
 * @throws TypeError when an option is invalid
 */
export function openGateway(options: GatewayOptions, host: GatewayHost = {}): WorldGateway {
  const given = checkedOptions(options)
  const intents = new IntentUses()
  const hub = hubOf(given, host, intents)
  const { sessions, connections } = hub
  let isClosed = false

  function open(socket: GatewaySocket, query: string, url: string): GatewayConnection {
    try {
      if (connections.size >= MAX_CONNECTIONS) {
        const oldest = [...connections].find(({ isLoggedIn }) => !isLoggedIn)
        oldest?.close(TRY_AGAIN_LATER, 'Newer connections need the place.')
      }
      if (isClosed) throw new Close(TRY_AGAIN_LATER, 'The gateway takes no more connections.')
      return new Connection(hub, withEncoding(socket, new URLSearchParams(query), given.deflate), url)
    } catch (error) {
      if (!(error instanceof Close)) throw error
      socket.close(error.code, error.message)
      return { receive() {}, closed() {} }
    }
  }

  function dispatchInteraction(interaction: AnyInteraction): number {
    const { guild_id = null, application_id: id } = interaction as AnyInteraction & {
      readonly guild_id?: string
    }
    if (guild_id !== null) checkSnowflake(guild_id, 'interaction.guild_id')
    const isFor = ({ application }: Session) => application.id === id
    return dispatch(sessions.all, guild_id, 'INTERACTION_CREATE', interaction, isFor)
  }

  return {
    open,
    dispatch: dispatchInteraction,
    listener(event) {
      if (event.type === 'interaction_created' && event.handledBy === 'app')
        dispatchInteraction(event.interaction)
      if (event.type !== 'permissions_updated') return
      const { guildId, permissions } = event
      // The bots of other applications in the server get it too (clause 6-05).
      const isIn = ({ application: { servers } }: Session) =>
        servers === undefined || servers.some(({ id }) => id === guildId)
      dispatch(sessions.all, guildId, 'APPLICATION_COMMAND_PERMISSIONS_UPDATE', permissions, isIn)
    },
    publish(event) {
      const textOf = eventTexts(event)
      for (const session of sessions.all) {
        if (!session.receives(event.guildId)) continue
        const text = textOf(session.application.id, session.intents)
        if (text !== null) {
          event.received?.(session.application.id)
          if (intents.note(session, event)) host.onEmptyContent?.(session.application.id)
          const own = session.channels?.dataOf(event) ?? null
          if (own === null) session.dispatchText(event.name, text)
          else session.dispatch(event.name, own)
        }
        const changed = session.channels?.changesAfter(event) ?? []
        if ((session.intents & Intent.GUILDS) !== 0)
          for (const channel of changed) session.dispatch('CHANNEL_UPDATE', channel)
      }
    },
    get sessions() {
      return sessions.all.map(handleOf)
    },
    async fence() {
      await Promise.all(sessions.all.map(({ connection }) => connection?.fence()))
    },
    intentsOf: (applicationId) => intents.of(applicationId, sessions.all),
    sessionStartLimit: (applicationId) => sessions.startLimit(applicationId),
    close(code = GOING_AWAY) {
      isClosed = true
      for (const connection of [...connections]) connection.close(code, 'The gateway is closing.')
      for (const session of sessions.all) sessions.end(session)
    },
  }
}

/** Sends an event of a server, or of none (null), to those sessions that get it. @returns their number */
function dispatch(
  sessions: readonly Session[],
  guildId: string | null,
  event: string,
  data: object,
  isFor: (session: Session) => boolean,
): number {
  const receivers = sessions.filter((session) => session.receives(guildId) && isFor(session))
  const textOf = sharedTexts(data)
  for (const session of receivers) session.dispatchText(event, textOf(session.application.id))
  return receivers.length
}

/** A connection that sends no heartbeat for one and a half intervals ends. */
const HEARTBEAT_INTERVAL = 45_000

/** What the connections of a gateway share. */
function hubOf(options: GatewayOptions, host: GatewayHost, intents: IntentUses) {
  const {
    authenticate,
    scheduler = systemScheduler,
    sessionIds = () => newSecret(16),
    heartbeatInterval = HEARTBEAT_INTERVAL,
    onError = (error: unknown) => console.error(error),
  } = options
  return {
    authenticate: async (token) => authenticate(token),
    scheduler,
    heartbeatInterval,
    sessions: new Sessions({ scheduler, sessionIds }, host),
    waiting: { characters: 0 },
    connections: new Set<Connection>(),
    onVoiceState: host.onVoiceState ?? (() => {}),
    onIntents(session, needed) {
      intents.noteNeed(session, needed)
      const missing = needed & ~session.intents
      if (missing !== 0) host.onMissingIntents?.(session.application.id, intentNames(missing))
    },
    onError(error) {
      try {
        onError(error)
      } catch {
        // A failing `onError` must not end the process.
      }
    },
  } satisfies Hub
}

function handleOf(session: Session): GatewaySession {
  return {
    id: session.id,
    applicationId: session.application.id,
    shard: session.shard,
    connected: session.connection !== null,
    drop: (code = GatewayCloseCode.UNKNOWN_ERROR) =>
      session.connection?.close(code, 'The connection was dropped.'),
    reconnect: () => session.connection?.send(frameOf(GatewayOpcode.RECONNECT, null)),
  }
}
