/** The options of a handler, checked and completed with defaults. */
import { noAnswers, type NoAnswers } from '../../interactions/bot/no-answers.ts'
import type { PendingAnswers, SharedAnswers } from '../../interactions/bot/pending.ts'
import { deadlines } from '../../core/deadlines.ts'
import { aFunction, argument, aDuration, optionsOf, withMethods } from '../../core/rules/arguments.ts'
import { optional } from '../../core/rules/readers.ts'
import { isThenable } from '../../core/thenable.ts'
import { aDirectory, openDirectory, type ApplicationDirectory } from '../../commands/registry/directory.ts'
import type { CommandRegistry } from '../../commands/registry/registry.ts'
import type { World } from '../world/world.ts'
import { DEFAULT_BASE_PATH, isBasePath } from './base-path.ts'
import { deadlineAfter, type BodyLimits, type Deadline } from './body.ts'
import { CommandTexts } from './command-texts.ts'
import { readCors, type Cors } from './cors.ts'
import type { RequestContext, ResponseReport } from './hooks.ts'
import type { Authenticate } from './principal.ts'
import { rateLimiter, type RateLimit, type RateLimiter } from './rate-limit.ts'

/** The methods that the handler calls on a registry. */
export type Commands = Pick<CommandRegistry, 'list' | 'get' | 'upsert' | 'edit' | 'delete' | 'overwrite'> &
  Pick<CommandRegistry, 'listPermissions' | 'getPermissions' | 'setPermissions'>

/** What a handler serves, to whom, and within which limits. */
export interface HandlerOptions {
  /**
   * The commands: a `CommandRegistry`, or an object that wraps one. Its own errors are answered with 500, or as their
   * `refusal` says: `{ status, message, code, retryAfter }`, as `authenticate` may return.
   */
  readonly registry: Commands
  /** Returns the principal of a token; see `tokenDirectory`. */
  readonly authenticate: Authenticate
  /** The start of every path. Default `/api/v10`; empty for none. */
  readonly basePath?: string
  /** The names and flags of applications, for the `@me` routes. Default: unnamed applications. */
  readonly applications?: ApplicationDirectory
  /** The interactions that expect an answer through the callback route. Default: none. */
  readonly answers?: PendingAnswers | SharedAnswers
  /**
   * The WebSocket address for `GET /gateway` and `GET /gateway/bot`, such as `ws://127.0.0.1:8788`, or a function from
   * the `Host` header of the request to it (null without one). Default: an address that cannot be reached.
   */
  readonly gateway?: string | ((host: string | null) => string)
  /** The limits of `GET /gateway/bot`: `(id) => gateway.sessionStartLimit(id)`. Default: 1000 logins a day. */
  readonly sessionStartLimit?: (
    applicationId: string,
  ) => Readonly<Record<'total' | 'remaining' | 'reset_after' | 'max_concurrency', number>>
  /** The size of the largest body, in bytes. Default 8 MiB. */
  readonly maxBodyBytes?: number
  /** Milliseconds a body may take to arrive, `Infinity` for no limit, or a clock of your own. Default 30 seconds. */
  readonly bodyTimeout?: number | Deadline
  /** The origins whose web pages may call the service. Default `false`: none. */
  readonly cors?: Cors
  /** Limits the requests of each token. Default: no limit. */
  readonly rateLimit?: RateLimit
  /** Called with the error behind each response 500 and 503, and its request. Default: `console.error` of the error. */
  readonly onError?: (error: unknown, context: RequestContext) => void
  /** Called once for each response, when it is sent: for logs, metrics and traces. Default: nothing. */
  readonly onResponse?: (report: ResponseReport) => void
}

export interface ExchangeOptions extends HandlerOptions {
  /** The servers whose members, channels and messages are served. Default: none. */
  readonly world?: World
}

/** The options with their defaults, and what is made of them once for all requests. */
export interface Service extends Required<Omit<ExchangeOptions, 'rateLimit' | 'world' | 'answers'>> {
  readonly answers: PendingAnswers | SharedAnswers | NoAnswers
  readonly world: World | null
  readonly texts: CommandTexts
  readonly limits: BodyLimits
  readonly limiter: RateLimiter | null
}

const isFunction = (value: unknown) => typeof value === 'function'
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) > 0
const isGateway = (value: unknown) =>
  typeof value === 'string' && /^wss?:\/\//.test(value) && URL.canParse(value)

const checkedOptions = /* @__PURE__ */ optionsOf<ExchangeOptions>('createHandler', {
  registry: withMethods('a CommandRegistry', 'list'),
  authenticate: argument('a function', isFunction, 'see tokenDirectory'),
  basePath: optional(
    argument('a path such as "/api/v10", which starts with a slash and does not end with one', isBasePath),
  ),
  applications: optional(aDirectory),
  answers: optional(withMethods('the result of pendingAnswers or sharedAnswers', 'expect')),
  world: optional(withMethods('a World', 'server')),
  gateway: optional(
    argument(
      'an address such as "ws://127.0.0.1:8788" or a function',
      (value) => isFunction(value) || isGateway(value),
    ),
  ),
  sessionStartLimit: optional(argument('a function', isFunction, 'see createGateway')),
  maxBodyBytes: optional(argument('an integer above 0', isCount)),
  bodyTimeout: optional((report, value) => (isFunction(value) ? value : aDuration(report, value))),
  cors: optional(readCors),
  // Read by `rateLimiter`.
  rateLimit: optional((_, value) => value),
  onError: optional(aFunction),
  onResponse: optional(aFunction),
})

/** @throws TypeError when an option is invalid */
export function resolveHandlerOptions(options: ExchangeOptions): Service {
  const all = {
    basePath: DEFAULT_BASE_PATH,
    applications: openDirectory,
    answers: noAnswers(),
    world: null,
    // Placeholder address: no server answers there.
    gateway: 'wss://gateway.invalid',
    sessionStartLimit: () => ({ total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 1 }),
    maxBodyBytes: 8 * 1024 * 1024,
    bodyTimeout: deadlines.BODY_TIMEOUT,
    cors: false,
    onError: (error: unknown) => console.error(error),
    onResponse: () => {},
    ...checkedOptions(options),
  }
  const { maxBodyBytes: bytes, bodyTimeout, rateLimit } = all
  const deadline = typeof bodyTimeout === 'function' ? bodyTimeout : deadlineAfter(bodyTimeout)
  return {
    ...all,
    texts: new CommandTexts(),
    limits: { bytes, deadline },
    limiter: rateLimit === undefined ? null : rateLimiter(rateLimit),
    onError: harmless(all.onError),
    onResponse: harmless(all.onResponse),
  }
}

/** A hook whose failure must not fail the response. */
function harmless<Args extends readonly unknown[]>(
  hook: (...args: Args) => unknown,
): (...args: Args) => void {
  return (...args) => {
    try {
      const result = hook(...args)
      if (isThenable(result)) Promise.resolve(result).catch(() => {})
    } catch {
      // The host's own.
    }
  }
}
