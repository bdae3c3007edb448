/** A local service and people, for tests of a bot. */
import { createEndpointKeys } from '../answer/deliver.ts'
import { pendingAnswers } from '../answer/pending.ts'
import type { CommandBody } from '../command/definition.ts'
import { systemClock } from '../core/clock.ts'
import { createGateway, type Gateway } from '../gateway/gateway.ts'
import { DEFAULT_BASE_PATH } from '../http/base-path.ts'
import { createExchange } from '../http/exchange.ts'
import { handlerOf } from '../http/web-handler.ts'
import { tokenDirectory } from '../http/principal.ts'
import { systemScheduler, type WebSocketModule } from '../node/gateway.ts'
import { serve } from '../node/serve.ts'
import { completeServer, demoServer, type ServerInput } from '../permission/server.ts'
import { CommandRegistry } from '../registry/registry.ts'
import { globalScope } from '../registry/scope.ts'
import { testClock } from '../testing/clock.ts'
import { scene } from '../testing/scene.ts'
import { Cast, type Person, type PersonOptions } from './cast.ts'
import { Desk, type Actor } from './desk.ts'
import { Log, type LoggedRequest } from './log.ts'

/** The options of `testbed`; all are optional. */
export interface TestbedOptions {
  /** Commands to deploy at the start. Default: none, because the bot deploys its own. */
  readonly commands?: readonly CommandBody[]
  /** The servers the bot is in. Default: the demo server, with Ada, Grace and Alan. */
  readonly servers?: readonly ServerInput[]
  /** A bot that receives interactions over HTTP: the URL of its endpoint, or its handler. Default: a gateway. */
  readonly endpoint?: string | URL | ((request: Request) => Response | Promise<Response>)
  /** The id of the application. Default: `scene.applicationId`. */
  readonly applicationId?: string
  /** Milliseconds of real time to wait for the bot. Default 3000. */
  readonly patience?: number
  /** The module `ws`, which the gateway requires. Default: the installed one. */
  readonly ws?: WebSocketModule
}

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
  as(name: string, options?: PersonOptions): Actor
  /** Adds a member to the first server, with roles by name or id. */
  addPerson(username: string, roles?: readonly string[]): Person
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

/** The seed of the keys: always the same, so that a bot can be configured with the public key. */
const ENDPOINT_SEED = '01'.repeat(32)

/**
 * Starts the service on a free port of this machine. Gateway bots log in with `token`, at `rest` and `gateway`.
 *
 * @throws RegistryError `invalid` when a command is invalid
 * @throws Error when the gateway is used and the package `ws` is not installed
 */
export async function testbed(options: TestbedOptions = {}): Promise<Testbed> {
  const { applicationId = scene.applicationId, commands, patience, endpoint } = options
  const clock = testClock(systemClock.now())
  const registry = new CommandRegistry({ clock })
  const names = deployedNames(registry)
  if (commands !== undefined) await registry.overwrite(globalScope(applicationId), commands)
  const cast = new Cast((options.servers ?? [demoServer()]).map(completeServer))
  const token = tokenOf(applicationId)
  const answers = pendingAnswers({ clock })
  const log = new Log()
  const keys = await createEndpointKeys(ENDPOINT_SEED)
  const gateway = endpoint === undefined ? gatewayFor(applicationId, token, cast) : undefined
  const desk = new Desk({
    registry,
    answers,
    cast,
    clock,
    log,
    ...(gateway && { gateway }),
    ...(endpoint !== undefined && { endpoint: endpointOf(endpoint, keys.privateKey) }),
    ...(patience !== undefined && { patience }),
  })
  let url = ''
  const exchange = createExchange({
    registry,
    answers,
    authenticate: tokenDirectory([{ type: 'Bot', token, applicationId }]),
    gateway: () => webSocketUrl(url),
  })
  const handler = handlerOf(log.recording(exchange, () => desk.changed()))
  const serving = await serve({
    handler,
    ...(gateway && { gateway: log.listening(gateway, () => desk.changed()) }),
    ...(options.ws && { ws: options.ws }),
  })
  url = serving.url
  const close = async () => {
    desk.close()
    await serving.close()
  }

  return {
    rest: url + DEFAULT_BASE_PATH.replace(/\/v\d+$/, ''),
    gateway: webSocketUrl(url),
    token,
    applicationId,
    publicKey: keys.publicKey,
    registry,
    get people() {
      return cast.people
    },
    get requests() {
      return log.requests
    },
    as: (name, person = {}) => desk.actor(applicationId, cast.person(name), person),
    addPerson: (username, roles) => cast.add(username, roles),
    async online() {
      const found = await desk.until(() => gateway?.sessions.find(({ connected }) => connected))
      if (found === undefined) throw desk.fail('not_connected', 'the bot did not log in in time')
    },
    async deployed(command) {
      const found = await desk.until(() => [...names.values()].find((name) => name === command))
      if (found === undefined) throw desk.fail('not_deployed', `the bot did not deploy ${command} in time`)
    },
    drop() {
      for (const session of gateway?.sessions ?? []) session.drop()
    },
    advance(duration) {
      clock.advance(duration)
      desk.changed()
    },
    transcript: () => log.since(0),
    close,
    [Symbol.asyncDispose]: close,
  }
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

function gatewayFor(applicationId: string, token: string, cast: Cast): Gateway {
  return createGateway({
    authenticate: (given) =>
      given === token ? { id: applicationId, name: 'testbed', servers: cast.servers } : undefined,
    scheduler: systemScheduler,
    sessionIds: () => crypto.randomUUID(),
  })
}

function endpointOf(endpoint: NonNullable<TestbedOptions['endpoint']>, privateKey: CryptoKey) {
  if (typeof endpoint !== 'function') return { url: endpoint, privateKey }
  const call: typeof fetch = async (url, init) => endpoint(new Request(url, init))
  return { url: 'http://bot.invalid/', privateKey, fetch: call }
}

function webSocketUrl(url: string): string {
  return url.replace(/^http/, 'ws')
}

/** Libraries read the id of the bot from the first part of its token. */
function tokenOf(applicationId: string): string {
  return `${btoa(applicationId).replaceAll('=', '')}.testbd.${'x'.repeat(27)}`
}
