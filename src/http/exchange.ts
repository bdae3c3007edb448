/**
 * From a request to its answer. What is wrong with a request is looked for in this order, and the first thing
 * found is answered:
 *
 *  1. 404 the path is none of the service's (whatever the method, whoever asks)
 *  2. an `OPTIONS` request is answered here
 *  3. 405 the path does not have the method
 *  4. 401 the token is missing or unknown
 *  5. 429 the token has used up its requests, where a host limits them
 *  6. 400 an id in the path is no snowflake, code 50035
 *  7. 403 the token may not do this: another application's, then a bot where bots may not, then a scope, then the
 *     permissions of its user
 *  8. 400 a query parameter cannot be read, code 50035
 *  9. the body: 400 its content type, 413 its size, 408 its time, 400 its JSON (code 50109), 400 no object
 * 10. what the registry says: 404 the application is unknown, 403 code 50001 it is not authorized in the guild,
 *     404 an edited or deleted command is unknown, 400 faults of the body, then the limits of the scope
 */
import { isSnowflake } from '../core/snowflake.ts'
import type { ErrorNode } from '../issues/error-body.ts'
import { isLocale } from '../locale/locales.ts'
import { negotiateLocale } from '../locale/negotiate.ts'
import type { ApplicationDirectory } from '../registry/directory.ts'
import type { RegistryError } from '../registry/error.ts'
import { globalScope, guildScope } from '../registry/scope.ts'
import type { ListView } from '../registry/view.ts'
import { after, readBody, type BodyLimits, type Deadline } from './body.ts'
import { checkCors, withCors, type Cors } from './cors.ts'
import type { Answer, Exchange, Incoming } from './message.ts'
import { checkMilliseconds } from './milliseconds.ts'
import { createPages } from './pages.ts'
import { denial, readCredentials, type Authenticate, type Place, type Principal } from './principal.ts'
import { rateLimiter, type RateLimit } from './rate-limit.ts'
import {
  notBoolean,
  notSnowflake,
  refuse,
  refuseError,
  refuseForm,
  refuseLimited,
  refuseMethod,
  refuseUnknown,
  showMethods,
  withBucket,
  withoutBody,
} from './respond.ts'
import { router, type Match } from './router.ts'
import { routes, type Commands, type Route } from './routes.ts'

export interface HandlerOptions {
  /** Where the commands are: a `CommandRegistry`, or what wraps one. */
  readonly registry: Commands
  /** Whom a token stands for; see `tokenDirectory`. */
  readonly authenticate: Authenticate
  /** What every path begins with. Default `/api/v10`; empty for none. */
  readonly basePath?: string
  /** Where clients read their application's name and flags. Default: any application, nothing known of it. */
  readonly applications?: ApplicationDirectory
  /** Bytes of the largest body that is taken. Default 8 MiB. */
  readonly maxBodyBytes?: number
  /** How deep lists and objects of a body may stand inside one another. Default 100; commands need 11. */
  readonly maxBodyDepth?: number
  /** Milliseconds a body may take to arrive, `Infinity` for any time, or a clock for it. Default 30 seconds. */
  readonly bodyTimeout?: number | Deadline
  /** Which pages of other origins may call. Default `false`, none. */
  readonly cors?: Cors
  /** Default: requests are not limited. */
  readonly rateLimit?: RateLimit
  /** Told what failed when the answer is 500 or 503. Default: `console.error`. */
  readonly onError?: (error: unknown) => void
}

export const DEFAULT_BASE_PATH = '/api/v10'
export const DEFAULT_MAX_BODY_BYTES = 8 * 1024 * 1024
export const DEFAULT_MAX_BODY_DEPTH = 100
export const DEFAULT_BODY_TIMEOUT = 30_000

/** @throws TypeError when an option is not what it should be */
export function createExchange(options: HandlerOptions): Exchange {
  const { registry, authenticate, basePath = DEFAULT_BASE_PATH, cors = false } = options
  check(typeof registry?.list === 'function', 'registry: expected a CommandRegistry')
  check(typeof authenticate === 'function', 'authenticate: expected a function; see tokenDirectory')
  checkBasePath(basePath)
  checkCors(cors)
  const limits = limitsOf(options)
  const route = router(routes, basePath)
  const pages = createPages(options.applications)
  const limiter = options.rateLimit === undefined ? null : rateLimiter(options.rateLimit)
  const onError = options.onError ?? ((error: unknown) => console.error(error))

  async function answer(incoming: Incoming): Promise<Answer> {
    const { method } = incoming
    const match = route(incoming.path)
    if (match === undefined) return refuse('not_found')
    if (method === 'OPTIONS') return showMethods(match.allow)
    const found = match.methods.get(method === 'HEAD' ? 'GET' : method)
    if (found === undefined) return refuseMethod(match.allow)
    if (found.grant === 'anyone') return call(found, incoming, placeOf(match), nobody)

    const place = placeOf(match)
    const credentials = readCredentials(incoming.header('authorization'))
    if (credentials === undefined) return refuseUnknown()
    const principal = await authenticate(credentials, place)
    if (principal === undefined || principal === null) return refuseUnknown()
    if (limiter === null) return admit(found, match, incoming, place, principal)

    const about = `${place.applicationId} ${place.guildId}`
    const bucket = limiter.take(credentials, `${found.method}:${found.path}`, about)
    if (!bucket.allowed) return refuseLimited(bucket)
    return withBucket(await guarded(admit(found, match, incoming, place, principal)), bucket)
  }

  async function admit(
    found: Route,
    match: Match,
    incoming: Incoming,
    place: PathIds,
    principal: Principal,
  ): Promise<Answer> {
    const wrong = wrongIds(match)
    if (wrong !== null) return refuseForm(wrong)
    if (found.grant !== 'anyone') {
      const denied = denial(principal, found.grant, place)
      if (denied !== null) return refuse(denied)
    }
    return call(found, incoming, place, principal)
  }

  async function call(
    found: Route,
    incoming: Incoming,
    { applicationId, guildId, commandId }: PathIds,
    principal: Principal,
  ): Promise<Answer> {
    let view: ListView | undefined
    if (found.localized) {
      const dictionaries = readFlag(incoming.query, 'with_localizations')
      if (dictionaries === undefined) return refuseForm({ with_localizations: notBoolean })
      if (!dictionaries) view = { locale: localeOf(incoming, principal) }
    }
    let body: unknown
    if (found.body !== null) {
      const read = await readBody(incoming, limits, found.body !== 'commandsOverwrite')
      if (read.refusal !== null) return read.refusal
      body = read.value
    }
    return found.call({
      registry,
      pages,
      scope:
        guildId === null
          ? globalScope(applicationId ?? NOWHERE)
          : guildScope(applicationId ?? NOWHERE, guildId),
      guildId: guildId ?? NOWHERE,
      commandId: commandId ?? NOWHERE,
      body,
      principal,
      view,
    })
  }

  /** An answer whatever happens: what the registry refuses, and what nobody has foreseen. */
  async function guarded(answering: Promise<Answer>): Promise<Answer> {
    try {
      return await answering
    } catch (error) {
      const refusal = isRegistryError(error) ? refuseError(error) : refuse('server_fault')
      if (refusal.status >= 500) tell(error)
      return refusal
    }
  }

  function tell(error: unknown): void {
    try {
      onError(error)
    } catch {
      // Who cannot be told does not keep the client waiting.
    }
  }

  return async (incoming) => {
    const answered = withCors(await guarded(answer(incoming)), incoming, cors)
    return incoming.method === 'HEAD' ? withoutBody(answered) : answered
  }
}

interface PathIds extends Place {
  readonly commandId: string | null
}

// A call gets no more than its route names in its path; this stands for the rest.
const NOWHERE = '0'

const nobody: Principal = Object.freeze({ type: 'Bot', applicationId: NOWHERE })

/** By name, so that the registry may come from another copy of the library. */
function isRegistryError(error: unknown): error is RegistryError {
  return error instanceof Error && error.name === 'RegistryError'
}

function check(holds: boolean, message: string): void {
  if (!holds) throw new TypeError(message)
}

/** @throws TypeError when paths cannot begin so */
export function checkBasePath(basePath: unknown): void {
  check(
    isBasePath(basePath),
    'basePath: expected a path such as "/api/v10" that begins with a slash and ends without, as a URL writes it',
  )
}

/** Whether paths can begin so: nothing of it may be a query, or become another path in a URL. */
function isBasePath(text: unknown): boolean {
  if (text === '') return true
  if (typeof text !== 'string' || !/^\/.*[^/]$/.test(text)) return false
  const url = `http://localhost${text}`
  return URL.canParse(url) && new URL(url).pathname === text
}

function limitsOf(options: HandlerOptions): BodyLimits {
  const {
    maxBodyBytes: bytes = DEFAULT_MAX_BODY_BYTES,
    maxBodyDepth: depth = DEFAULT_MAX_BODY_DEPTH,
    bodyTimeout = DEFAULT_BODY_TIMEOUT,
  } = options
  for (const [name, value] of Object.entries({ maxBodyBytes: bytes, maxBodyDepth: depth })) {
    check(
      Number.isInteger(value) && value > 0,
      `${name}: expected a whole number above 0, got ${String(value)}`,
    )
  }
  if (typeof bodyTimeout === 'function') return { bytes, depth, deadline: bodyTimeout }
  checkMilliseconds('bodyTimeout', bodyTimeout)
  return { bytes, depth, deadline: after(bodyTimeout) }
}

/** The ids of a path; null for those it does not have, and for what is no id. */
function placeOf({ names, values }: Match): PathIds {
  const id = (name: string): string | null => {
    const value = values[names.indexOf(name)]
    return isSnowflake(value) ? value : null
  }
  return { applicationId: id('application_id'), guildId: id('guild_id'), commandId: id('command_id') }
}

/** What in a path is no snowflake, all at once; null when there is nothing. */
function wrongIds({ names, values }: Match): ErrorNode | null {
  let errors: Record<string, ErrorNode> | null = null
  for (const [i, value] of values.entries()) {
    if (!isSnowflake(value)) (errors ??= {})[names[i]!] = { _errors: [notSnowflake(value)] }
  }
  return errors
}

const flags: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['True', true],
  ['1', true],
  ['false', false],
  ['False', false],
  ['0', false],
  ['', false],
])

/** A flag of the query, false when it is not given; `undefined` when it is neither true nor false. */
function readFlag(query: string, name: string): boolean | undefined {
  if (query === '') return false
  return flags.get(new URLSearchParams(query).get(name) ?? '')
}

/** The language the requester wants a list in (clause 2.10-09). */
function localeOf(incoming: Incoming, principal: Principal): ListView['locale'] {
  const [serviceLocale] = [incoming.header('x-service-locale'), incoming.header('x-discord-locale')].filter(
    isLocale,
  )
  return negotiateLocale({
    serviceLocale,
    acceptLanguage: incoming.header('accept-language'),
    userLocale: principal.type === 'Bearer' ? principal.user?.locale : undefined,
  })
}
