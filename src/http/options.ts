/** The options of a handler, checked and completed with defaults. */
import { knownOptions } from '../core/options.ts'
import { pendingAnswers, type PendingAnswers } from '../bot/pending.ts'
import { describeValue } from '../core/text.ts'
import type { ApplicationDirectory } from '../registry/directory.ts'
import type { CommandRegistry } from '../registry/registry.ts'
import type { World } from '../world/world.ts'
import { checkBasePath, DEFAULT_BASE_PATH } from './base-path.ts'
import { deadlineAfter, type BodyLimits, type Deadline } from './body.ts'
import { CommandTexts } from './command-texts.ts'
import { checkCors, type Cors } from './cors.ts'
import { checkMilliseconds } from './milliseconds.ts'
import { createPages, type GatewayAddress, type Pages, type SessionStartLimits } from './pages.ts'
import type { Authenticate } from './principal.ts'
import { rateLimiter, type RateLimit, type RateLimiter } from './rate-limit.ts'

/** The methods that the handler calls on a registry. */
export type Commands = Pick<
  CommandRegistry,
  | 'list'
  | 'get'
  | 'upsert'
  | 'edit'
  | 'delete'
  | 'overwrite'
  | 'listPermissions'
  | 'getPermissions'
  | 'setPermissions'
>

/** What a handler serves, to whom, and within which limits. */
export interface HandlerOptions {
  /** The commands: a `CommandRegistry`, or an object that wraps one. */
  readonly registry: Commands
  /** Returns the principal of a token; see `tokenDirectory`. */
  readonly authenticate: Authenticate
  /** The start of every path. Default `/api/v10`; empty for none. */
  readonly basePath?: string
  /** The names and flags of applications, for the `@me` routes. Default: unnamed applications. */
  readonly applications?: ApplicationDirectory
  /** The interactions that expect an answer through the callback route. Default: none. */
  readonly answers?: PendingAnswers
  /** The WebSocket address for `GET /gateway` and `GET /gateway/bot`. Default: an address that cannot be reached. */
  readonly gateway?: GatewayAddress
  /** The limits of `GET /gateway/bot`: `(id) => gateway.sessionStartLimit(id)`. Default: 1000 logins a day. */
  readonly sessionStartLimit?: SessionStartLimits
  /** The size of the largest body, in bytes. Default 8 MiB. */
  readonly maxBodyBytes?: number
  /** How deep lists and objects of a body may be nested. Default 100; commands need 11. */
  readonly maxBodyDepth?: number
  /** Milliseconds a body may take to arrive, `Infinity` for no limit, or a clock of your own. Default 30 seconds. */
  readonly bodyTimeout?: number | Deadline
  /** The origins whose web pages may call the service. Default `false`: none. */
  readonly cors?: Cors
  /** Limits the requests of each token. Default: no limit. */
  readonly rateLimit?: RateLimit
  /** Called with the error behind each response 500 and 503. Default: `console.error`. */
  readonly onError?: (error: unknown) => void
}

/** The options of an exchange of this package. */
export interface ExchangeOptions extends HandlerOptions {
  /** The servers whose members, channels and messages are served. Default: none. */
  readonly world?: World
}

/** The default of `maxBodyBytes`. */
export const DEFAULT_MAX_BODY_BYTES = 8 * 1024 * 1024
/** The default of `maxBodyDepth`. */
export const DEFAULT_MAX_BODY_DEPTH = 100
/** The default of `bodyTimeout`, in milliseconds. */
export const DEFAULT_BODY_TIMEOUT = 30_000

/** All that requests share. */
export interface Service {
  readonly registry: Commands
  readonly authenticate: Authenticate
  readonly basePath: string
  readonly pages: Pages
  readonly answers: PendingAnswers
  readonly world: World | null
  readonly texts: CommandTexts
  readonly limits: BodyLimits
  readonly cors: Cors
  readonly limiter: RateLimiter | null
  /** Calls `onError`. Never throws: a failing `onError` must not fail the response. */
  readonly report: (error: unknown) => void
}

/** @throws TypeError when an option is invalid */
export function resolveHandlerOptions(options: ExchangeOptions): Service {
  knownOptions('createHandler', options, [
    'registry',
    'authenticate',
    'basePath',
    'applications',
    'answers',
    'world',
    'gateway',
    'sessionStartLimit',
    'maxBodyBytes',
    'maxBodyDepth',
    'bodyTimeout',
    'cors',
    'rateLimit',
    'onError',
  ])
  const { registry, authenticate, basePath = DEFAULT_BASE_PATH, cors = false, rateLimit } = options
  const {
    sessionStartLimit,
    answers = pendingAnswers(),
    onError = (error: unknown) => console.error(error),
  } = options
  check(typeof registry?.list === 'function', 'registry: expected a CommandRegistry')
  check(typeof authenticate === 'function', 'authenticate: expected a function; see tokenDirectory')
  check(
    sessionStartLimit === undefined || typeof sessionStartLimit === 'function',
    'sessionStartLimit: expected a function; see createGateway',
  )
  check(typeof answers?.receive === 'function', 'answers: expected the result of pendingAnswers')
  checkBasePath(basePath)
  checkCors(cors)
  return {
    registry,
    authenticate,
    basePath,
    pages: createPages(options.applications, options.gateway, sessionStartLimit),
    answers,
    world: options.world ?? null,
    texts: new CommandTexts(),
    limits: readLimits(options),
    cors,
    limiter: rateLimit === undefined ? null : rateLimiter(rateLimit),
    report: (error) => {
      try {
        onError(error)
      } catch {
        // See `Service.report`.
      }
    },
  }
}

function readLimits(options: HandlerOptions): BodyLimits {
  const {
    maxBodyBytes: bytes = DEFAULT_MAX_BODY_BYTES,
    maxBodyDepth: depth = DEFAULT_MAX_BODY_DEPTH,
    bodyTimeout = DEFAULT_BODY_TIMEOUT,
  } = options
  for (const [name, value] of Object.entries({ maxBodyBytes: bytes, maxBodyDepth: depth })) {
    check(
      Number.isInteger(value) && value > 0,
      `${name}: expected an integer above 0, got ${describeValue(value)}`,
    )
  }
  if (typeof bodyTimeout === 'function') return { bytes, depth, deadline: bodyTimeout }
  checkMilliseconds('bodyTimeout', bodyTimeout)
  return { bytes, depth, deadline: deadlineAfter(bodyTimeout) }
}

function check(holds: boolean, message: string): void {
  if (!holds) throw new TypeError(message)
}
