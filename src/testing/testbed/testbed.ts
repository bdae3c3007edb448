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
import { isObject } from '../../core/json.ts'
import { createEndpointKeys } from '../../interactions/bot/endpoint.ts'
import { pendingAnswers } from '../../interactions/bot/pending.ts'
import type { Traffic } from '../../interactions/bot/traffic.ts'
import type { Builder } from '../../commands/definition/builder.ts'
import type { CommandBody } from '../../model/command-definition.ts'
import { openApplication } from '../../model/application.ts'
import { systemClock, type Clock } from '../../core/clock.ts'
import { API_PATH } from '../../service/http/base-path.ts'
import { createExchange } from '../../service/http/exchange.ts'
import { handlerOf } from '../../service/http/web-handler.ts'
import { placeholderToken, type TokenCheck } from '../../service/http/principal.ts'
import { aSocketModule, webSocketUrl, type WebSocketModule } from '../../service/node/gateway-sockets.ts'
import { openDirectMessage } from '../../service/world/channels.ts'
import { archiveIdleThreads } from '../../service/world/threads.ts'
import { serve } from '../../service/node/serve.ts'
import { demoServer, type ServerInput } from '../../model/demo-server.ts'
import { CommandRegistry } from '../../commands/registry/registry.ts'
import { globalScope } from '../../commands/registry/scope.ts'
import { testClock } from '../samples/test-clock.ts'
import { scene } from '../samples/scene.ts'
import {
  People,
  checkedPersonOptions,
  serverOf,
  worldOf,
  type ChannelPermissions,
  type Person,
  type PersonName,
  type PersonOptions,
  type ServerOption,
} from './people/people.ts'
import type { Actor } from './people/actor.ts'
import { Routes, type RouteHandler, type RouteOptions } from './stage/test-routes.ts'
import { openStage } from './stage/stage.ts'
import { linesAfter, requestsAfter, type LoggedRequest } from './stage/transcript.ts'
import {
  channelView,
  messageViews,
  serverView,
  type ChannelView,
  type MessageView,
  type ServerView,
} from './people/server-view.ts'

/** The options of `testbed`; all are optional. */
export interface TestbedOptions {
  /** Commands to deploy at the start. Default: none, because the bot deploys its own. */
  readonly commands?: readonly (CommandBody | Widened<CommandBody> | Builder)[]
  /** The servers the bot is in. Default: the demo server, with Ada, Grace and Alan. */
  readonly servers?: readonly ServerInput[]
  /** A bot that receives interactions over HTTP: the URL of its endpoint, or its handler. Default: a gateway. */
  readonly endpoint?: string | URL | ((request: Request) => Response | Promise<Response>)
  /** The id of the application. Default: `scene.applicationId`. */
  readonly applicationId?: string
  /** Bits of `ApplicationFlag`: EMBEDDED for a bot with an Activity. Default 0. */
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
export interface Testbed {
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
  /** A person by username or id, or the first of a rank. @throws TypeError for an unknown name */
  person(name: PersonName): Person
  /** The first server as it is now: members, bans, roles and channels, with names. */
  readonly server: ServerView
  /** All servers as they are now. */
  readonly servers: readonly ServerView[]
  /** A channel as it is now, with its messages. @throws TypeError for an unknown name */
  channel(name: string, options?: ServerOption): ChannelView
  /** The messages in the DM of a person with the bot, oldest first. @throws TypeError for an unknown name */
  directMessages(name: PersonName): readonly MessageView[]
  /** Adds a server that the bot joins, with GUILD_CREATE. @throws TypeError when it is invalid, or its id is taken */
  addServer(server: ServerInput): ServerView
  /** Adds a member, with roles by name or id. A person who has left joins again. */
  addPerson(username: string, roles?: readonly string[], options?: ServerOption): Person
  /** Gives a member these roles, by name or id, and takes the others away. @throws TypeError for an unknown name */
  setRoles(name: PersonName, roles: readonly string[], options?: ServerOption): void
  /** Removes a member, as if they left; by its name `testbed` the bot. @throws TypeError for an unknown name */
  leave(name: PersonName, options?: ServerOption): void
  /** Times a member out for milliseconds or a text such as `'5m'`; null ends it. @throws TypeError for an unknown name */
  timeout(name: PersonName, duration: number | string | null, options?: ServerOption): void
  /**
   * Allows (true) or denies (false) permissions to a role or a person in a channel; null leaves them to the roles.
   *
   * @throws TypeError for an unknown name
   */
  setPermissions(channel: string, name: string, permissions: ChannelPermissions, options?: ServerOption): void
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
   * Removes the handlers of `on`, and forgets the requests. Call it between tests. The servers stay as they are, because
   * bots keep copies of them: open a new testbed for other ones.
   */
  reset(): void
  /** Waits until the bot is logged in. @throws TestbedError `not_connected` after the time limit */
  online(): Promise<void>
  /**
   * Waits until the bot has deployed a command, by its default name.
   *
   * @throws TestbedError `not_deployed` after the time limit
   */
  deployed(command: string): Promise<void>
  /** Closes the connections of the bot, so that it resumes. */
  drop(): void
  /** Advances the clock by milliseconds or a text such as `'15m'`. Otherwise the clock does not move. */
  advance(duration: number | string): void
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
  ws: optional(aSocketModule),
})

const BOT_NAME = 'testbed'

/** The parts of a testbed that its users do not see. */
export const partsOf = new WeakMap<Testbed, Readonly<{ people: People; traffic: Traffic; clock: Clock }>>()

/** The seed of the keys: always the same, so that a bot can be configured with the public key. */
const ENDPOINT_SEED = '01'.repeat(32)

/**
 * Starts the service on a free port of this machine. Gateway bots log in with `token`, at `rest` and `gateway`.
 *
 * @throws RegistryError `invalid` when a command is invalid
 * @throws Error when the gateway is used and the package `ws` is not installed
 */
export async function testbed(given: TestbedOptions = {}): Promise<Testbed> {
  const options = readOptions(given)
  const { applicationId = scene.applicationId, flags = 0, commands, timeout, endpoint } = options
  const clock = testClock(systemClock.now())
  const applications = { get: (id: string) => ({ ...openApplication, id, flags, name: BOT_NAME }) }
  const registry = new CommandRegistry({ clock, applications })
  const names = deployedNames(registry)
  if (commands !== undefined)
    await registry.overwrite(globalScope(applicationId), commands as readonly (CommandBody | Builder)[])
  const people = new People(worldOf(options.servers ?? [demoServer()], clock))
  const bot = { id: applicationId, username: BOT_NAME }
  for (const server of people.servers) people.addBot(bot, server, options.bot?.roles)
  // Many bots have a token of their own in a file.
  const authenticate: TokenCheck = ({ type }) => (type === 'Bot' ? { type, applicationId } : undefined)
  const answers = pendingAnswers({ clock, bot: () => bot })
  const { world } = people
  const keys = await createEndpointKeys(ENDPOINT_SEED)
  const routes = new Routes(bot, (route) => `answer it with bed.on('${route}', …)`, options.routes)
  const stage = openStage({
    registry,
    applications,
    answers,
    people,
    clock,
    routes,
    authenticate,
    ...(endpoint !== undefined && { endpoint: endpointOf(endpoint, keys.privateKey) }),
    ...(timeout !== undefined && { timeout }),
  })
  const { watch, session } = stage
  const { traffic } = session
  const gateway = endpoint === undefined ? stage.gateway : undefined
  let url = ''
  let resetAt = 0
  const exchange = createExchange({
    registry,
    applications,
    answers,
    authenticate,
    world,
    gateway: () => webSocketUrl(url),
    ...(gateway && { sessionStartLimit: (id) => gateway.sessionStartLimit(id) }),
  })
  const serving = await serve({
    handler: handlerOf(traffic.recording(routes.around(exchange))),
    ...(gateway && { gateway: stage.sockets }),
    ...(options.ws && { ws: options.ws }),
  })
  url = serving.url
  const close = async () => {
    stage.close()
    await serving.close()
  }

  const bed: Testbed = {
    rest: url + API_PATH,
    gateway: webSocketUrl(url),
    token: placeholderToken(applicationId),
    applicationId,
    publicKey: keys.publicKey,
    registry,
    get people() {
      return people.byUsername
    },
    get requests() {
      return requestsAfter(traffic, resetAt)
    },
    as: (name, person = {}) =>
      stage.actorOf({
        applicationId,
        options: checkedPersonOptions(person),
        ...people.find(name, person.server),
      }),
    person: (name) => people.person(name),
    get server() {
      return serverView(world, people.server(undefined).id)
    },
    get servers() {
      return world.servers.map(({ id }) => serverView(world, id))
    },
    channel: (name, options) =>
      channelView(world, people.channel(name, people.server(serverOf('channel', options)))),
    directMessages: (name) =>
      messageViews(world, openDirectMessage(world, applicationId, people.person(name).id).id),
    addServer(input) {
      const server = people.addServer(input)
      people.addBot(bot, server, options.bot?.roles)
      return serverView(world, server.id)
    },
    addPerson: (username, roles, options) => people.add(username, roles, serverOf('addPerson', options)),
    setRoles: (...given) => people.setRoles(...given),
    leave: (...given) => people.leave(...given),
    timeout: (...given) => people.timeout(...given),
    setPermissions: (...given) => people.setPermissions(...given),
    on: (route, handler, once) => routes.on(route, handler, once),
    reset() {
      routes.reset()
      resetAt = traffic.lastId
    },
    async online() {
      const found = await watch.until(() => gateway?.sessions.find(({ connected }) => connected))
      if (found === undefined) throw watch.fail('not_connected', 'the bot did not log in in time')
    },
    async deployed(command) {
      const found = await watch.until(() => [...names.values()].find((name) => name === command))
      if (found === undefined) throw watch.fail('not_deployed', `the bot did not deploy ${command} in time`)
    },
    drop() {
      for (const session of gateway?.sessions ?? []) session.drop()
    },
    advance(duration) {
      clock.advance(duration)
      session.checkTime()
      archiveIdleThreads(world)
    },
    transcript: () => linesAfter(traffic, 0).join('\n'),
    close,
    [Symbol.asyncDispose]: close,
  }
  partsOf.set(bed, { people, traffic, clock })
  return bed
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

function endpointOf(endpoint: NonNullable<TestbedOptions['endpoint']>, privateKey: CryptoKey) {
  if (typeof endpoint !== 'function') return { url: endpoint, privateKey }
  const call: typeof fetch = async (url, init) => endpoint(new Request(url, init))
  return { url: 'http://bot.invalid/', privateKey, fetch: call }
}
