/** What a test has in its hands: the service, the servers, and the parts of both. */
import type { Traffic } from '../../interactions/bot/traffic.ts'
import type { MovingClock } from '../../core/timers.ts'
import type { RateLimit } from '../../service/http/rate-limit.ts'
import type { ServerInput } from '../../model/demo-server.ts'
import type { CommandRegistry } from '../../commands/registry/registry.ts'
import type { BotCoverage } from '../coverage/coverage.ts'
import type { People, Person, PersonName, PersonOptions, ServerOption } from './people/people.ts'
import type { TestbedServer } from './people/server-actions.ts'
import type { Actor } from './people/actor.ts'
import type { RouteHandler, RouteOptions } from './routes/test-routes.ts'
import type { BotAccess } from './stage/bot-access.ts'
import type { BotWatch } from './answers/bot-watch.ts'
import type { LoggedRequest } from './answers/transcript.ts'
import type { ChannelView, MessageView } from './people/server-view.ts'
import type { Endpoint } from '../../interactions/bot/endpoint.ts'

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
  /** A person by username or id, also one who has left, or the first of a rank. @throws TypeError for an unknown name */
  person(name: PersonName): Person
  /** The first server as it is now: members, bans, roles and channels, with names, and what the test changes about it. */
  readonly server: TestbedServer
  /** All servers as they are now. */
  readonly servers: readonly TestbedServer[]
  /** A channel as it is now, with its messages. @throws TypeError for an unknown name */
  channel(name: string, options?: ServerOption): ChannelView
  /** The messages in the DM of a person with the bot, oldest first. @throws TypeError for an unknown name */
  directMessages(name: PersonName): readonly MessageView[]
  /** Adds a server that the bot joins, with GUILD_CREATE, unless it has `bot: false`. @throws TypeError when it is invalid, or its id is taken */
  addServer(server: ServerInput): TestbedServer
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
  /** What the tests have used of the commands that are deployed now, and of the buttons, menus and modals that were shown. */
  coverage(): Promise<BotCoverage>
  /** Frames and requests in order, one per line, with masked tokens. */
  transcript(): string
  /** Closes every connection. */
  close(): Promise<void>
  /** The same as `close`, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

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

/** The parts of a testbed that its users do not see. */
export const partsOf = new WeakMap<Testbed, PartsOfTestbed>()

export interface EndpointOfBot extends Endpoint {
  readonly privateKey: CryptoKey
}
