/** A local service and people, for tests of a bot. */
import {
  anId,
  argument,
  aString,
  listArgument,
  optionsOf,
  optionsReader,
} from '../../core/rules/arguments.ts'
import { optional } from '../../core/rules/readers.ts'
import { isDay } from '../../core/platform-day.ts'
import { platformOn } from '../../model/platform.ts'
import { isObject } from '../../core/json.ts'
import { createEndpointKeys, type Endpoint } from '../../interactions/bot/endpoint.ts'
import type { Traffic } from '../../interactions/bot/traffic.ts'
import type { Builder } from '../../commands/definition/builder.ts'
import type { CommandBody } from '../../model/command-definition.ts'
import { isEmbedded, openApplication, PRIVILEGED } from '../../model/application.ts'
import { systemClock } from '../../core/clock.ts'
import { loadedClock, type MovingClock } from '../../core/timers.ts'
import { API_PATH } from '../../service/http/base-path.ts'
import { withFiles } from '../../service/http/file-routes.ts'
import type { RateLimit } from '../../service/http/rate-limit.ts'
import { handlerOf } from '../../service/http/web-handler.ts'
import { placeholderToken } from '../../service/http/placeholder-token.ts'
import { type TokenCheck } from '../../service/http/principal.ts'
import { aSocketModule, webSocketUrl, type WebSocketModule } from '../../service/node/gateway-sockets.ts'
import { GatewayCloseCode } from '../../service/gateway/frames.ts'
import { serve } from '../../service/node/serve.ts'
import { demoServer, type ServerInput } from '../../model/demo-server.ts'
import type { ServerSettings } from '../../model/server.ts'
import { CommandRegistry } from '../../commands/registry/registry.ts'
import { globalScope } from '../../commands/registry/scope.ts'
import { milliseconds, testClock } from '../samples/test-clock.ts'
import { scene } from '../samples/scene.ts'
import {
  People,
  checkedPersonOptions,
  worldOf,
  type Person,
  type PersonName,
  type PersonOptions,
} from './people/people.ts'
import { serverActions, type ServerActions } from './people/server-actions.ts'
import type { Actor } from './people/actor.ts'
import { Routes, type RouteHandler, type RouteOptions } from './routes/test-routes.ts'
import { accessOf, type BotAccess } from './stage/access.ts'
import { openService } from './stage/stage.ts'
import { idsOf } from './programs/placeholders.ts'
import { BotPrograms, ClockOfBots } from './programs/bot-programs.ts'
import { isListening } from './programs/listening.ts'
import type { BotWatch } from './answers/bot-watch.ts'
import { linesAfter, requestsAfter, type LoggedRequest } from './answers/transcript.ts'
import { serverView, type MessageView, type ServerView } from './people/server-view.ts'

/** The options of `testbed`; all are optional. */
export interface TestbedOptions {
  /** Commands to deploy at the start. Default: none, because the bot deploys its own. */
  readonly commands?: readonly (CommandBody | Widened<CommandBody> | Builder)[]
  /** The servers; the bot is in those without `bot: false`. Default: the demo server, with Ada, Grace and Alan. */
  readonly servers?: readonly ServerInput[]
  /** A bot that receives interactions over HTTP: the URL of its endpoint, or its handler. Default: a gateway. */
  readonly endpoint?: string | URL | ((request: Request) => Response | Promise<Response>)
  /** The id of the application. Default: `scene.applicationId`. */
  readonly applicationId?: string
  /**
   * Bits of `ApplicationFlag`: EMBEDDED for a bot with an Activity, whose entry point is then there from the start, and the
   * privileged intents that the application has. Default: every privileged intent.
   */
  readonly flags?: number
  /**
   * The roles of the bot by name or id, which decide what it may do. Default: a role above all others that may do
   * everything.
   */
  readonly bot?: { readonly roles: readonly string[] }
  /** Handlers of routes such as `PUT /guilds/:guild/bans/:user`, as of `on`; `reset` keeps them. */
  readonly routes?: { readonly [route: string]: RouteHandler }
  /** Milliseconds of real time to wait for the bot. Default 3000. */
  readonly timeout?: number
  /**
   * Milliseconds of real time in which the bot must have sent nothing before a person acts: for a bot that awaits what
   * cannot be seen before it listens. Default 0.
   */
  readonly pace?: number
  /** The day of Discord, such as `2026-11-15`; docs/platform.md has what changed. Default: today. */
  readonly discord?: string
  /** The module `ws`, which the gateway requires. Default: the installed one. */
  readonly ws?: WebSocketModule
}

/** What the compiler makes of an object in a variable: `type` is a number, and no longer 3. */
type Widened<T> = T extends number
  ? number
  : T extends string
    ? string
    : T extends object
      ? { readonly [Key in keyof T]: Widened<T[Key]> }
      : T

/** A running service, and people who use the bot. */
export interface Testbed extends ServerActions {
  /** The base address of the REST API; libraries add `/v10`. */
  readonly rest: string
  /** The address of the gateway, which `GET /gateway` answers with. */
  readonly gateway: string
  /** The bot's token. */
  readonly token: string
  /** The application of the bot. */
  readonly applicationId: string
  /** The public key with which a bot over HTTP verifies interactions. */
  readonly publicKey: string
  /** The commands that the bot has deployed, and a way to change them. */
  readonly registry: CommandRegistry
  /** All people by username. */
  readonly people: { readonly [username: string]: Person }
  /** The REST requests of the bot, oldest first, with masked tokens. */
  readonly requests: readonly LoggedRequest[]
  /**
   * A person by username or id, or the first `member`, `moderator` or `administrator`.
   *
   * @throws TypeError for an unknown name
   */
  as(name: PersonName, options?: PersonOptions): Actor
  /** The first server as it is now: members, bans, roles and channels, with names. */
  readonly server: ServerView
  /** All servers as they are now. */
  readonly servers: readonly ServerView[]
  /** The messages in the DM of a person with the bot, oldest first. @throws TypeError for an unknown name */
  directMessages(name: PersonName): readonly MessageView[]
  /** Adds a server that the bot joins, with GUILD_CREATE, unless it has `bot: false`. @throws TypeError when it is invalid, or its id is taken */
  addServer(server: ServerInput): ServerView
  /**
   * Answers a route in place of the service. The newest handler of a path answers.
   *
   * @example
   * bed.on('PUT /guilds/:guild/bans/:user', ({ params }) => void banned.push(params.user))
   *
   * @param route a method and a path whose named segments begin with a colon
   * @returns removes the handler
   * @throws TypeError for a route of another form
   */
  on(route: string, handler: RouteHandler, options?: RouteOptions): () => void
  /**
   * Limits the requests of a route, for each channel, server and webhook: those beyond get 429, and all the headers
   * `X-RateLimit-…`, by which the library of the bot waits. The time is that of the clock if it moves the bot.
   *
   * @example
   * bed.rateLimit('POST /channels/:channel/messages', { limit: 5, seconds: 5 })
   *
   * @returns removes the limit
   * @throws TypeError for a route or a limit of another form
   */
  rateLimit(route: string, limit: Pick<RateLimit, 'limit' | 'seconds'>): () => void
  /**
   * Removes the handlers of `on` and the limits, and forgets the requests. Call it between tests. The servers stay as they are, because
   * bots keep copies of them: open a new testbed for other ones.
   */
  reset(): void
  /**
   * Starts a bot as it is started anywhere, such as `npm start`, and waits until it has logged in. On Node, Bun and Deno
   * its connections to Discord go to the testbed, and `advance` moves it; others get the address in COMMANDRY_URL. The
   * tokens and ids are in the usual variables of its environment. `close` ends it.
   *
   * @param command a line of the shell
   * @throws TestbedError `not_connected` with the last lines of its output, when it ends or does not log in
   */
  run(command: string): Promise<void>
  /** Waits until the bot is logged in and done with its start. @throws TestbedError `not_connected` after the time limit */
  online(): Promise<void>
  /**
   * Waits until the bot has deployed a command, by its default name.
   *
   * @throws TestbedError `not_deployed` after the time limit
   */
  deployed(command: string): Promise<void>
  /**
   * Waits until the bot is done with everything so far: none of its requests is open, it has read all that it was sent,
   * nothing that is known to be under way is left, and nothing new comes.
   *
   * @param options.timeout milliseconds of real time. Default: that of the testbed
   * @throws TestbedError `not_settled` with what is still going on
   */
  settled(options?: { readonly timeout?: number }): Promise<void>
  /** Closes the connections of the bot, so that it resumes. */
  drop(): void
  /**
   * Moves the clock by milliseconds or a text such as `'15m'`: tokens expire, timeouts of members end. With
   * `commandry/clock` the timers of the bot move too, and it is done with what they cause when the promise resolves.
   *
   * Rejects with a TypeError when it is not a duration.
   */
  advance(duration: number | string): Promise<void>
  /** The permissions, intents, scopes and routes that the bot has needed so far, and the smallest install link. */
  access(): BotAccess
  /** Frames and requests in order, one per line, with masked tokens. */
  transcript(): string
  /** Closes every connection. */
  close(): Promise<void>
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

const readOptions = /* @__PURE__ */ optionsOf<TestbedOptions>('testbed', {
  // The registry and the servers report their problems themselves.
  commands: optional(argument('a list of commands', Array.isArray)),
  servers: optional(argument('a list of servers', Array.isArray)),
  endpoint: optional(
    argument('a URL or a handler', (value) => typeof value === 'function' || URL.canParse(value)),
  ),
  applicationId: optional(anId),
  flags: optional(argument('a whole number', Number.isSafeInteger)),
  bot: optional(optionsReader<{ readonly roles: readonly string[] }>({ roles: listArgument(aString) })),
  routes: optional(argument('an object of handlers by route', isObject)),
  timeout: optional(argument('a number of milliseconds', (value) => typeof value === 'number' && value > 0)),
  pace: optional(argument('a number of milliseconds', (value) => typeof value === 'number' && value >= 0)),
  discord: optional(argument('a day such as "2026-11-16"', isDay)),
  ws: optional(aSocketModule),
})

const readSettledOptions = /* @__PURE__ */ optionsOf<{ readonly timeout?: number }>('settled', {
  timeout: optional(argument('a number of milliseconds', (value) => typeof value === 'number' && value > 0)),
})

const BOT_NAME = 'testbed'

export interface PartsOfTestbed {
  readonly people: People
  readonly traffic: Traffic
  readonly clock: MovingClock
  /** Moves the clock by milliseconds at once. */
  readonly move: (milliseconds: number) => Promise<void>
  readonly watch: BotWatch
  /** Whether the bot is connected to the gateway. */
  readonly isOnline: () => boolean
  /** The endpoint of a bot over HTTP. */
  readonly endpoint: EndpointOfBot | undefined
}

interface EndpointOfBot extends Endpoint {
  readonly privateKey: CryptoKey
}

/** The parts of a testbed that its users do not see. */
export const partsOf = new WeakMap<Testbed, PartsOfTestbed>()

/** The seed of the keys: always the same, so that a bot can be configured with the public key. */
const ENDPOINT_SEED = '01'.repeat(32)

/**
 * Starts the service on a free port of this machine. Gateway bots log in with `token`, at `rest` and `gateway`.
 *
 * @throws RegistryError `invalid` when a command is invalid
 * @throws Error when the gateway is used and the package `ws` is not installed
 */
export async function testbed(options: TestbedOptions = {}): Promise<Testbed> {
  return openTestbed(options, loadedClock() ?? standingClock())
}

/** A testbed with a clock. */
export async function openTestbed(options: TestbedOptions, given: MovingClock): Promise<Testbed> {
  const clock = new ClockOfBots(given)
  const service = await openBotService(readOptions(options), clock)
  const bed = bedOf(service)
  const { people, traffic, stage, gateway, endpoint } = service
  const isOnline = () => gateway?.sessions.some(({ connected }) => connected) ?? false
  const { move, watch } = stage
  partsOf.set(bed, { people, traffic, clock, move, watch, isOnline, endpoint })
  return bed
}

/** A service for one bot, on a free port. */
async function openBotService(options: TestbedOptions, clock: ClockOfBots) {
  const { applicationId = scene.applicationId, flags = PRIVILEGED } = options
  const { commands, timeout, pace, endpoint } = options
  const applications = { get: (id: string) => ({ ...openApplication, id, flags, name: BOT_NAME }) }
  const registry = new CommandRegistry({ clock, applications })
  const names = deployedNames(registry)
  if (commands !== undefined)
    await registry.overwrite(globalScope(applicationId), commands as readonly (CommandBody | Builder)[])
  // As when Activities are turned on: the commands that a test deploys may have an entry point of their own.
  if (isEmbedded({ flags })) await registry.enableActivities(applicationId)
  const people = new People(worldOf(options.servers ?? [demoServer()], clock, platformOn(options.discord)))
  const bot = { id: applicationId, username: BOT_NAME }
  const addBot = (server: ServerSettings) => people.addBot(bot, server, options.bot?.roles)
  people.servers.forEach(addBot)
  // Many bots have a token of their own in a file.
  const authenticate: TokenCheck = ({ type }) => (type === 'Bot' ? { type, applicationId } : undefined)
  const keys = await createEndpointKeys(ENDPOINT_SEED)
  const delivered = endpoint === undefined ? undefined : endpointOf(endpoint, keys.privateKey)
  const routes = new Routes(bot, (route) => `answer it with bed.on('${route}', …)`, options.routes)
  let url = ''
  const { stage, answers, exchange } = openService(
    { registry, applications, authenticate, clock },
    {
      people,
      routes,
      gatewayAt: () => webSocketUrl(url),
      // All libraries end at this code; at others they try to connect again for ever, also after they were destroyed.
      closeCode: GatewayCloseCode.INVALID_SHARD,
      ...(delivered && { endpoint: delivered }),
      ...(timeout !== undefined && { timeout }),
      ...(pace !== undefined && { pace }),
    },
  )
  const { traffic } = stage.session
  const gateway = endpoint === undefined ? stage.gateway : undefined
  const serving = await serve({
    // What a test fetches is no request of the bot.
    handler: handlerOf(
      withFiles(traffic.recording(routes.limiting(routes.around(exchange))), answers.conversations.files),
    ),
    ...(gateway && { gateway: stage.sockets }),
    ...(options.ws && { ws: options.ws }),
  })
  url = serving.url
  stage.listening(url)
  answers.conversations.files.origin = url
  const programs = new BotPrograms(clock)
  return {
    ...{ applicationId, registry, names, people, addBot, routes, stage, traffic, gateway, url, programs },
    publicKey: keys.publicKey,
    endpoint: delivered,
    async close() {
      await programs.stop()
      clock.close()
      stage.close()
      await serving.close()
    },
  }
}

/** What a test does with a service. */
function bedOf(service: Awaited<ReturnType<typeof openBotService>>): Testbed {
  const { applicationId, people, registry, names, routes, stage, traffic, gateway, url, close } = service
  const { watch } = stage
  const { world } = people
  let resetAt = 0
  return {
    ...serverActions(people),
    rest: url + API_PATH,
    gateway: webSocketUrl(url),
    token: placeholderToken(applicationId),
    applicationId,
    publicKey: service.publicKey,
    registry,
    get people() {
      return people.byUsername
    },
    get requests() {
      return requestsAfter(traffic, resetAt)
    },
    as: (name, person = {}) =>
      stage.actorOf(people.participantOf(applicationId, name, checkedPersonOptions(person))),
    get server() {
      return serverView(world, people.server(undefined).id)
    },
    get servers() {
      return world.servers.map(({ id }) => serverView(world, id))
    },
    directMessages: (name) => people.directMessages(name, applicationId),
    addServer(input) {
      const server = people.addServer(input)
      service.addBot(server)
      return serverView(world, server.id)
    },
    on: (route, handler, once) => routes.on(route, handler, once),
    rateLimit: (route, limit) =>
      routes.limit(route, { ...limit, clock: stage.clock.movesBots ? stage.clock : systemClock }),
    reset() {
      routes.reset()
      resetAt = traffic.lastId
    },
    run(command) {
      const { publicKey, endpoint, programs } = service
      const before = gateway?.sessions.map(({ id }) => id) ?? []
      const isConnected = () =>
        gateway?.sessions.some((one) => one.connected && !before.includes(one.id)) ?? false
      const isReady = async () =>
        endpoint === undefined || endpoint.fetch !== undefined ? isConnected() : isListening(endpoint.url)
      const ids = { applicationId, serverId: people.server(undefined).id }
      // Those of the shell may be of another bot.
      const env = idsOf(applicationId, ids.serverId, publicKey)
      return programs.start(command, { url, ...ids, publicKey, env }, isReady)
    },
    async online() {
      const found = await watch.until(() => gateway?.sessions.find(({ connected }) => connected))
      if (found === undefined) throw watch.fail('not_connected', 'the bot did not log in in time')
      // Libraries are ready once they have read their servers.
      await watch.quiet.settled(watch.timeout)
    },
    async deployed(command) {
      const found = await watch.until(() => [...names.values()].find((name) => name === command))
      if (found === undefined) throw watch.fail('not_deployed', `the bot did not deploy ${command} in time`)
    },
    settled: async (given = {}) => stage.settled(readSettledOptions(given).timeout),
    drop() {
      for (const session of gateway?.sessions ?? []) session.drop()
    },
    async advance(duration) {
      const time = milliseconds(duration)
      if (!stage.clock.movesBots) warnOfStandingBot()
      await stage.advance(time)
    },
    access: () => accessOf(world, applicationId, stage.gateway.intentsOf(applicationId), names.size > 0),
    transcript: () => linesAfter(traffic, 0).join('\n'),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** A clock that stands still until it is moved. Bots do not follow it. */
function standingClock(): MovingClock {
  const { now, advance } = testClock(systemClock.now())
  return {
    now,
    movesBots: false,
    advance(milliseconds, onStep) {
      advance(milliseconds)
      onStep?.()
      return Promise.resolve()
    },
  }
}

let hasWarned = false

/** Warns once that dates and timers of the bot stay as they are. */
function warnOfStandingBot(): void {
  if (hasWarned) return
  hasWarned = true
  process.emitWarning(
    'bed.advance moves the clock of the service, but not the timers and dates of the bot; load commandry/clock before the bot to move both',
    { code: 'COMMANDRY_CLOCK' },
  )
}

/** The names of all deployed commands by id, kept up to date. */
function deployedNames(registry: CommandRegistry): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  registry.subscribe((event) => {
    if (event.type === 'command_deleted') names.delete(event.command.id)
    else if ('command' in event && event.type !== 'interaction_created')
      names.set(event.command.id, event.command.name)
  })
  return names
}

function endpointOf(endpoint: NonNullable<TestbedOptions['endpoint']>, privateKey: CryptoKey): EndpointOfBot {
  if (typeof endpoint !== 'function') return { url: endpoint, privateKey }
  const call: typeof fetch = async (url, init) => endpoint(new Request(url, init))
  return { url: 'http://bot.invalid/', privateKey, fetch: call }
}
