/**
 * Bots in the servers of a world: how they log in and are reached, and the people who use them. With the routes, it is the
 * service that the testbed, `commandry serve` and `--run` host.
 */
import { pendingAnswers, type PendingAnswers } from '../../../interactions/bot/pending.ts'
import { BotSession, type BotSessionOptions } from '../../../interactions/bot/bot-session.ts'
import type { Traffic } from '../../../interactions/bot/traffic.ts'
import { deadlines } from '../../../core/deadlines.ts'
import { isAuthorizedIn } from '../../../model/application.ts'
import { Emitter } from '../../../core/emitter.ts'
import { listed } from '../../../core/text.ts'
import { loadedClock, type MovingClock } from '../../../core/timers.ts'
import { processIds } from '../../../model/id-source.ts'
import { HIDDEN_CHANNELS } from '../../../model/platform.ts'
import { TAKES_HIDDEN_CHANNELS } from '../../../service/gateway/frames.ts'
import type { Deflate } from '../../../service/gateway/frames.ts'
import { hasBot } from '../../../service/world/installation.ts'
import { hasEmoji } from '../../../service/world/emojis.ts'
import type { World } from '../../../service/world/world.ts'
import { passTime } from '../../../service/world/polls.ts'
import type { GatewayHost } from '../../../service/gateway/gateway-session.ts'
import { openGateway, type Gateway, type WorldGateway } from '../../../service/gateway/gateway.ts'
import { createExchange } from '../../../service/http/exchange.ts'
import { worldRoutes } from '../../../service/http/world/world-routes.ts'
import type { Exchange } from '../../../core/http-message.ts'
import type { TokenCheck } from '../../../service/http/principal.ts'
import { findSettings, type ApplicationDirectory } from '../../../commands/registry/directory.ts'
import type { CommandRegistry } from '../../../commands/registry/registry.ts'
import type { PortSocket } from '../../../service/node/gateway-sockets.ts'
import { followAnswers } from '../../../service/world/messages.ts'
import { requestVoice } from '../../../service/world/acts/voice-acts.ts'
import { followProcess } from '../../activity/follower.ts'
import type { Participant, People } from '../people/people.ts'
import { Actor } from '../people/actor.ts'
import type { Routes } from '../routes/test-routes.ts'
import { CoverageLog } from '../../coverage/coverage-log.ts'
import { BotWatch } from '../answers/bot-watch.ts'
import { OwnAnswers } from '../answers/own-answers.ts'
import { Quiet } from '../answers/quiet.ts'

interface StageOptions extends Pick<BotSessionOptions, 'endpoint'> {
  readonly registry: CommandRegistry
  readonly applications: ApplicationDirectory
  readonly answers: PendingAnswers
  readonly people: People
  readonly clock: MovingClock
  readonly routes: Routes
  /** Returns the bot of a token, which may log in. */
  readonly authenticate: TokenCheck
  /** Milliseconds of real time to wait for a bot. Default 3000. */
  readonly timeout?: number
  /** Milliseconds for which a bot must have sent nothing before a person acts. Default 0. */
  readonly pace?: number
  /** The code with which the gateway closes its connections. Default: that of a service that may come back. */
  readonly closeCode?: number
  /** The compressor of the gateway. Default: none. */
  readonly deflate?: Deflate
}

const DAY = 86_400_000
/** What an error lists of what is going on. */
const LISTED_WORK = 5

export type Stage = ReturnType<typeof openStage>

function openStage(options: StageOptions) {
  const { registry, people, answers, clock, routes, timeout = deadlines.ANSWER_TIMEOUT, closeCode } = options
  const { world } = people
  const gateway = gatewayOf(
    options,
    noticesIn((text) => session.traffic.note('out', text)),
  )
  followAnswers(world, answers.conversations)
  world.subscribe(gateway.publish)
  const stop = registry.subscribe((event) => {
    // The session sends interactions itself.
    if (event.type !== 'interaction_created') gateway.listener(event)
  })
  const session = new BotSession({ ...options, gateway, timeout, hasEmoji: emojisIn(world) })
  const isBlind = options.endpoint !== undefined
  const ports = new Map<object, number | undefined>()
  const quiet = new Quiet({ traffic: session.traffic, gateway, ports, clock, isBlind }, options.pace)
  const watch = new BotWatch(session, gateway, quiet, timeout, new OwnAnswers(session.messages, world))
  const { services } = followProcess()
  let port = NaN
  const moves = new Emitter<number>((error) => console.error(error))
  /** Moves the clock, and ends what is late by it. */
  const move = (milliseconds: number) => {
    moves.publish([milliseconds])
    return clock.advance(milliseconds, () => {
      session.checkTime()
      passTime(world)
    })
  }
  const coverage = coverageLog(world, answers)
  const actorOptions = { registry, people, clock, watch, coverage, ids: processIds(clock) }
  return {
    people,
    watch,
    clock,
    coverage,
    actorOf: (by: Participant) => new Actor(actorOptions, by),
    gateway,
    routes,
    session,
    /** The gateway for a listener; its frames are recorded. */
    sockets: recorded(gateway, session.traffic, closeCode, ports),
    /** Publishes by how many milliseconds the clock is about to move. */
    moves,
    move,
    /** @throws TestbedError `not_settled` with what is still going on after milliseconds of real time */
    async settled(limit = timeout) {
      const since = session.traffic.lastId
      const goingOn = await quiet.settled(limit)
      if (goingOn.length === 0) return
      const what = `still going on after ${limit / 1_000} s: ${listed(goingOn.slice(0, LISTED_WORK))}`
      throw watch.fail('not_settled', what, { since })
    },
    /** Moves the clock between what bots do: they are quiet before and after it. */
    async advance(milliseconds: number) {
      await quiet.alone(() => move(milliseconds))
      await quiet.person()
    },
    /** Does an act of a person for a request, whose client may be in this process: its request is not one of the bot. */
    async acting<T>(act: () => Promise<T>): Promise<T> {
      services.set(port, (services.get(port) ?? 0) + 1)
      try {
        return await act()
      } finally {
        if (services.has(port)) services.set(port, services.get(port)! - 1)
      }
    },
    /** Sets the address of the service once it listens. */
    listening(url: string) {
      port = Number(new URL(url).port)
      services.set(port, 0)
    },
    close() {
      services.delete(port)
      stop()
      watch.ownAnswers.close()
      session.close()
    },
  }
}

const emojisIn = (world: World) => (applicationId: string, emojiId: string) =>
  hasEmoji(world, applicationId, emojiId)

type Notices = Pick<GatewayHost, 'onEmptyContent' | 'onMissingIntents'>

/** What a bot does not get for want of an intent, in the transcript. */
function noticesIn(note: (text: string) => void): Notices {
  return {
    onEmptyContent: (id) => note(`the bot ${id} has no MESSAGE_CONTENT: it gets messages with empty content`),
    onMissingIntents: (id, names) =>
      note(`the bot ${id} has no ${listed(names)}: its request for members has no answer`),
  }
}

/** A gateway where bots log in with their tokens, and see the servers in which their application is authorized. */
function gatewayOf(
  { authenticate, applications, people, deflate }: StageOptions,
  notices: Notices,
): WorldGateway {
  return openGateway(
    {
      async authenticate(token) {
        const principal = await authenticate({ type: 'Bot', token }, { applicationId: null, guildId: null })
        if (principal?.type !== 'Bot') return undefined
        const { applicationId: id } = principal
        const settings = await findSettings(applications, id)
        if (settings === undefined) return undefined
        const { flags } = settings
        // A bot may have changed its name.
        const name = people.world.user(id)?.username ?? settings.name
        return {
          id,
          // A session lives longer than a state of the servers.
          get servers() {
            return people.servers.filter(
              (server) => isAuthorizedIn(settings, server.id) && hasBot(people.world, server.id, id),
            )
          },
          ...(name !== undefined && { name }),
          ...(flags !== undefined && { flags }),
        }
      },
      ...(deflate && { deflate }),
      // Heartbeats are timers of the bot: an advance of a day would wait for 1920 of them.
      ...(loadedClock() && { heartbeatInterval: DAY }),
    },
    {
      onVoiceState: (botId, request) => requestVoice(people.world, botId, request),
      hidesChannels: (capabilities) =>
        people.world.platform.has(HIDDEN_CHANNELS) || (capabilities & TAKES_HIDDEN_CHANNELS) !== 0,
      now: people.world.now,
      isAvailable: (serverId) => !people.world.unavailable.has(serverId),
      ...notices,
    },
  )
}

function coverageLog(world: World, answers: PendingAnswers): CoverageLog {
  const coverage = new CoverageLog()
  answers.conversations.subscribe(({ message }) => coverage.shows(message))
  world.subscribe(({ name, data }) => {
    if (name === 'MESSAGE_CREATE' || name === 'MESSAGE_UPDATE') coverage.shows(data)
  })
  return coverage
}

/** A gateway whose frames are recorded, in both directions. @param ports gets those of the connected bots */
function recorded(
  gateway: WorldGateway,
  traffic: Traffic,
  closeCode: number | undefined,
  ports: Map<object, number | undefined>,
): Pick<Gateway, 'open' | 'close'> {
  return {
    open(socket, query, url) {
      traffic.note('in', 'the bot connects')
      const { port } = socket as Partial<PortSocket>
      const key = {}
      ports.set(key, port)
      const connection = gateway.open(
        {
          send(data) {
            traffic.frame('out', data)
            socket.send(data)
          },
          close(code, reason) {
            traffic.note('out', `closed with ${code}: ${reason}`)
            socket.close(code, reason)
          },
          ...(socket.whenRead && { whenRead: () => socket.whenRead!() }),
        },
        query,
        url,
      )
      return {
        receive(data) {
          traffic.frame('in', data)
          connection.receive(data)
        },
        closed(code) {
          ports.delete(key)
          // Who reads the note asks which bots are connected.
          connection.closed(code)
          traffic.note('in', 'the connection closed')
        },
      }
    },
    close: () => gateway.close(closeCode),
  }
}

/** What serves the commands. */
type CommandOptions = Pick<StageOptions, 'registry' | 'applications' | 'authenticate' | 'clock'>

/** The people of the servers, and how bots are reached. */
interface ServerOptions extends Omit<StageOptions, keyof CommandOptions | 'answers'> {
  /** The address of the gateway, for a client that used this name of the service. */
  readonly gatewayAt: (host: string | null) => string
}

interface OpenService<OwnStage extends Stage | undefined> {
  readonly answers: PendingAnswers
  readonly session: BotSession
  /** The routes of commands, and those of the servers. */
  readonly exchange: Exchange
  readonly stage: OwnStage
}

/** @param servers without it, the service has the routes of commands alone, and no bot logs in */
export function openService(commands: CommandOptions, servers: ServerOptions): OpenService<Stage>
export function openService(commands: CommandOptions, servers?: ServerOptions): OpenService<Stage | undefined>
export function openService(
  commands: CommandOptions,
  servers?: ServerOptions,
): OpenService<Stage | undefined> {
  const { clock, ...rest } = commands
  const answers = pendingAnswers({
    clock,
    ids: processIds(clock),
    bot: (id) => servers?.people.world.user(id),
    ...(servers && { hasEmoji: emojisIn(servers.people.world) }),
  })
  const served = { ...rest, answers }
  if (servers === undefined) {
    const session = new BotSession({ ...served, clock })
    return { answers, session, exchange: createExchange(served), stage: undefined }
  }
  const { gatewayAt, ...bots } = servers
  const stage = openStage({ ...served, clock, ...bots })
  const { world } = servers.people
  const sessionStartLimit = (applicationId: string) => stage.gateway.sessionStartLimit(applicationId)
  const exchange = createExchange({ ...served, world, gateway: gatewayAt, sessionStartLimit }, worldRoutes)
  return { answers, session: stage.session, exchange, stage }
}
