/**
 * From a request to its response. A request is checked in this order, and the first problem is answered:
 *
 *  1. 404 no route has the path, for any method and any token
 *  2. `OPTIONS` is answered here
 *  3. 405 the path does not have the method
 *  4. 401 the token is missing or unknown
 *  5. 429 the token has used up its requests, if requests are limited
 *  6. 400 an id in the path is not a snowflake, code 50035
 *  7. 403 the token may not do this: it belongs to another application, then bots may not, then a scope is missing,
 *     then its user lacks permissions
 *  8. 400 a query parameter is invalid, code 50035
 *  9. 404, 401, 400 the interaction of an answer is unknown, expired or already answered
 * 10. the body: 400 its content type, 413 its size, 408 its time, 400 its JSON (code 50109), 400 not an object
 * 11. the registry: 404 the application is unknown, 403 code 50001 it is not authorized in the guild, 404 the command
 *     to edit or delete is unknown, 400 invalid body, then the limits of the scope
 */
import type { AnswerFile } from '../answer/message.ts'
import * as shape from '../command/shape.ts'
import { Report, type Issue } from '../core/report.ts'
import { isSnowflake } from '../core/snowflake.ts'
import { isLocale } from '../locale/locales.ts'
import { negotiateLocale } from '../locale/negotiate.ts'
import { toErrorBody, type ErrorNode } from '../reference/error-body.ts'
import type { RegistryError } from '../registry/error.ts'
import { scopeOf } from '../registry/scope.ts'
import type { ListView } from '../registry/view.ts'
import { readAnswerBody, readBody, type ReadBody } from './body.ts'
import { channelRoutes } from './channel-routes.ts'
import { withCors } from './cors.ts'
import type { Outgoing, Exchange, Incoming } from './message.ts'
import { resolveHandlerOptions, type ExchangeOptions, type HandlerOptions, type Service } from './options.ts'
import { denial, readCredentials, type Place, type Principal } from './principal.ts'
import { refuseLimited, withBucket } from './rate-limit.ts'
import { refuse, refuseMethod, refusePath, refuseRegistryError, showMethods, withoutBody } from './respond.ts'
import { router, type Match, type PathParams } from './router.ts'
import type { ServedRoute } from './route.ts'
import { routes } from './routes.ts'
import { serverRoutes } from './server-routes.ts'
import { handlerOf, type Handler } from './web-handler.ts'

/**
 * A handler for every endpoint of the service: a function from a Web `Request` to a `Response` (sections 4, 5, 7 and
 * 9 of the specification). `serve` of `commandry/node` listens with it.
 *
 * @throws TypeError when an option is invalid
 */
export function createHandler(options: HandlerOptions): Handler {
  return handlerOf(createExchange(options))
}

/** @throws TypeError when an option is invalid */
export function createExchange(options: ExchangeOptions): Exchange {
  const service = resolveHandlerOptions(options)
  const ofWorld = service.world === null ? [] : [...serverRoutes, ...channelRoutes]
  const find = router([...routes, ...ofWorld], service.basePath)
  return async (incoming) => {
    const match = find(incoming.path)
    const response =
      match === undefined
        ? refusePath(incoming.path, service.basePath)
        : await guarded(respond(match, incoming, service), incoming, service)
    const allowed = withCors(response, incoming, service.cors)
    return incoming.method === 'HEAD' ? withoutBody(allowed) : allowed
  }
}

/** A response whatever happens: to an error of the registry, and to an unexpected one. */
async function guarded(
  responding: Promise<Outgoing>,
  incoming: Incoming,
  service: Service,
): Promise<Outgoing> {
  try {
    return await responding
  } catch (error) {
    const isWrite = incoming.method !== 'GET' && incoming.method !== 'HEAD'
    const refusal = isRegistryError(error) ? refuseRegistryError(error, isWrite) : refuse('server_fault')
    if (refusal.status >= 500) service.report(error)
    return refusal
  }
}

async function respond(match: Match<ServedRoute>, incoming: Incoming, service: Service): Promise<Outgoing> {
  const { method } = incoming
  if (method === 'OPTIONS') return showMethods(match.allow)
  const route = match.methods.get(method === 'HEAD' ? 'GET' : method)
  if (route === undefined) return refuseMethod(match.allow)
  const request = { route, params: match.params, place: placeIn(match.params), incoming }
  if (route.grant === 'anyone') return carryOut(request, ANONYMOUS, service)

  const { place } = request
  const credentials = readCredentials(incoming.header('authorization'))
  const principal = credentials && (await service.authenticate(credentials, place))
  if (credentials === undefined || principal === undefined || principal === null) {
    // RFC 9110 requires `WWW-Authenticate` to list the schemes.
    return refuse('unauthorized', {}, { 'WWW-Authenticate': 'Bot, Bearer' })
  }
  if (service.limiter === null) return authorized(request, principal, service)

  const about = `${place.applicationId} ${place.guildId}`
  const bucket = service.limiter.take(credentials, `${route.method}:${route.path}`, about)
  if (!bucket.allowed) return refuseLimited(bucket)
  return withBucket(await guarded(authorized(request, principal, service), incoming, service), bucket)
}

/** A request whose route is known. */
interface Routed {
  readonly route: ServedRoute
  readonly params: PathParams
  readonly place: Place
  readonly incoming: Incoming
}

async function authorized(request: Routed, principal: Principal, service: Service): Promise<Outgoing> {
  const issues = issuesOfIds(request.params)
  if (issues !== null) return refuse('invalid', toErrorBody(issues))
  const { grant } = request.route
  const reason = grant === 'anyone' ? null : denial(principal, grant, request.place)
  return reason === null ? carryOut(request, principal, service) : refuse(reason)
}

/** Reads the query and the body of a request that is allowed, and calls its route. */
async function carryOut(request: Routed, principal: Principal, service: Service): Promise<Outgoing> {
  const { route, params, place, incoming } = request
  let view: ListView | undefined
  if (route.localized) {
    const dictionaries = readFlag(incoming.query, 'with_localizations')
    if (dictionaries === undefined) return refuse('invalid', { errors: { with_localizations: notBoolean } })
    if (!dictionaries) view = { locale: localeOf(incoming, principal) }
  }
  const early = route.refuseEarly?.(params, service) ?? null
  if (early !== null) return refuse(early)
  let body: unknown
  let files: readonly AnswerFile[] = []
  if (route.body !== undefined) {
    const read = await bodyOf(route.body, incoming, service)
    if (read.refusal !== null) return read.refusal
    body = read.value
    files = read.files
  }
  const { guildId } = place
  const applicationId = place.applicationId ?? NO_ID
  return route.call({
    service,
    incoming,
    params,
    scope: scopeOf(applicationId, guildId),
    guildId: guildId ?? NO_ID,
    commandId: params.command_id ?? NO_ID,
    body,
    files,
    principal,
    view,
  })
}

async function bodyOf(
  shape: NonNullable<ServedRoute['body']>,
  incoming: Incoming,
  { limits }: Service,
): Promise<ReadBody> {
  // Libraries send no body where they have no fields; some of them, as its type, `application/octet-stream`.
  const isEmpty = incoming.header('content-type') === null || incoming.header('content-length') === '0'
  if (shape === 'fields' && isEmpty) return { value: {}, files: [], refusal: null }
  return shape === 'interactionCallback' || shape === 'message'
    ? readAnswerBody(incoming, limits)
    : readBody(incoming, limits, shape !== 'commandsOverwrite')
}

// Stands for an id that the path of a route does not have.
const NO_ID = '0'

/** The principal of a route that needs no token. */
const ANONYMOUS: Principal = Object.freeze({ type: 'Bot', applicationId: NO_ID })

/** By name, because the registry may come from another copy of the library. */
function isRegistryError(error: unknown): error is RegistryError {
  return error instanceof Error && error.name === 'RegistryError'
}

/** The application and the guild of a path; null where there is none, or an invalid one. */
function placeIn({ application_id, guild_id }: PathParams): Place {
  return {
    applicationId: isSnowflake(application_id) ? application_id : null,
    guildId: isSnowflake(guild_id) ? guild_id : null,
  }
}

/** An issue for every id of a path that is not a snowflake; null when all are. */
function issuesOfIds(params: PathParams): readonly Issue[] | null {
  const report = new Report()
  for (const name in params)
    if (name.endsWith('_id')) report.at(name, () => report.check(shape.snowflake, params[name]))
  return report.errors.length > 0 ? report.errors : null
}

const notBoolean: ErrorNode = {
  _errors: [{ code: 'BOOLEAN_TYPE_CONVERT', message: 'Must be either true or false.' }],
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

/** A flag of the query, false when it is absent; `undefined` when it is neither true nor false. */
function readFlag(query: string, name: string): boolean | undefined {
  if (query === '') return false
  return flags.get(new URLSearchParams(query).get(name) ?? '')
}

/** The language of a list for the requester (clause 2.10-09). */
function localeOf(incoming: Incoming, principal: Principal): ListView['locale'] {
  const names = [incoming.header('x-service-locale'), incoming.header('x-discord-locale')]
  return negotiateLocale({
    serviceLocale: names.find(isLocale),
    acceptLanguage: incoming.header('accept-language'),
    userLocale: principal.type === 'Bearer' ? principal.user?.locale : undefined,
  })
}
