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
import * as shape from '../command/shape.ts'
import { parseIds } from '../core/json.ts'
import { Report } from '../core/report.ts'
import { isSnowflake } from '../core/snowflake.ts'
import { isLocale } from '../locale/locales.ts'
import { negotiateLocale } from '../locale/negotiate.ts'
import { toErrorBody } from '../reference/error-body.ts'
import { scopeOf } from '../registry/scope.ts'
import type { ListView } from '../registry/view.ts'
import { readAnswerBody, readBody, type Body } from './body.ts'
import { channelRoutes } from './channel-routes.ts'
import { withCors } from './cors.ts'
import type { Outgoing, Exchange, Incoming } from '../core/http-message.ts'
import { resolveHandlerOptions, type ExchangeOptions, type HandlerOptions, type Service } from './options.ts'
import { denial, readCredentials, type Place, type Principal } from './principal.ts'
import { refuseLimited, withBucket } from './rate-limit.ts'
import {
  invalidField,
  refuse,
  refuseError,
  Refused,
  refuseMethod,
  refusePath,
  showMethods,
  withoutBody,
} from './respond.ts'
import { router, type Match, type PathParams } from './router.ts'
import type { ServedRoute } from './call.ts'
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
        ? refusePath(incoming, service.basePath)
        : await guarded(() => respond(match, incoming, service), incoming, service)
    const allowed = withCors(response, incoming, service.cors)
    return incoming.method === 'HEAD' ? withoutBody(allowed) : allowed
  }
}

/** A response whatever is thrown. */
async function guarded(
  responding: () => Promise<Outgoing>,
  { method }: Incoming,
  service: Service,
): Promise<Outgoing> {
  try {
    return await responding()
  } catch (error) {
    const refusal = refuseError(error, method !== 'GET' && method !== 'HEAD')
    if (refusal.status >= 500) service.onError(error)
    return refusal
  }
}

async function respond(
  { methods, allow, params }: Match<ServedRoute>,
  incoming: Incoming,
  service: Service,
): Promise<Outgoing> {
  const { method } = incoming
  if (method === 'OPTIONS') return showMethods(allow)
  const route = methods.get(method === 'HEAD' ? 'GET' : method)
  if (route === undefined) return refuseMethod(allow)
  const { grant } = route
  const place = placeIn(params)
  const { applicationId, guildId } = place
  /** Checks the ids, the grant, the query and the body of the request, and calls its route. */
  const carryOut = async (principal: Principal): Promise<Outgoing> => {
    if (grant !== 'anyone') {
      checkIds(params)
      const reason = denial(principal, grant, place)
      if (reason !== null) throw new Refused(reason)
    }
    const view = route.localized ? viewOf(incoming, principal) : undefined
    route.checkEarly?.(params, service)
    return route.call({
      ...{ service, incoming, params, principal, view },
      ...(await bodyOf(route, incoming, service)),
      scope: scopeOf(applicationId ?? NO_ID, guildId),
      guildId: guildId ?? NO_ID,
      commandId: params.command_id ?? NO_ID,
    })
  }
  if (grant === 'anyone') return carryOut(ANONYMOUS)

  const credentials = readCredentials(incoming.header('authorization'))
  const principal = credentials && (await service.authenticate(credentials, place))
  if (credentials === undefined || principal === undefined || principal === null) {
    // RFC 9110 requires `WWW-Authenticate` to list the schemes.
    return refuse('unauthorized', {}, { 'WWW-Authenticate': 'Bot, Bearer' })
  }
  const about = `${applicationId} ${guildId}`
  const bucket = service.limiter?.(credentials, `${route.method}:${route.path}`, about)
  if (bucket === undefined) return carryOut(principal)
  if (!bucket.allowed) return refuseLimited(bucket)
  return withBucket(await guarded(() => carryOut(principal), incoming, service), bucket)
}

async function bodyOf({ body }: ServedRoute, incoming: Incoming, { limits }: Service): Promise<Body> {
  if (body === undefined) return NO_BODY
  // Libraries send no body where they have no fields; some of them, as its type, `application/octet-stream`.
  const isEmpty = incoming.header('content-type') === null || incoming.header('content-length') === '0'
  if (body === 'fields' && isEmpty) return { body: {}, files: [] }
  if (body === 'InteractionCallback' || body === 'Message') return readAnswerBody(incoming, limits)
  return readBody(incoming, limits, body !== 'CommandsOverwrite', body === 'fields' ? parseIds : undefined)
}

const NO_BODY: Body = { body: undefined, files: [] }

// Stands for an id that the path of a route does not have.
const NO_ID = '0'

/** The principal of a route that needs no token. */
const ANONYMOUS: Principal = Object.freeze({ type: 'Bot', applicationId: NO_ID })

/** The application and the guild of a path; null where there is none, or an invalid one. */
function placeIn({ application_id, guild_id }: PathParams): Place {
  return {
    applicationId: isSnowflake(application_id) ? application_id : null,
    guildId: isSnowflake(guild_id) ? guild_id : null,
  }
}

/** @throws Refused 50035 for ids of a path that are not snowflakes */
function checkIds(params: PathParams): void {
  const report = new Report()
  for (const name in params)
    if (name.endsWith('_id')) report.at(name, () => report.check(shape.snowflake, params[name]))
  if (report.errors.length > 0) throw new Refused('invalid', '', toErrorBody(report.errors))
}

/**
 * The view of a list in the language of the requester (clause 2.10-09); `undefined` for all dictionaries.
 *
 * @throws Refused 50035 for a `with_localizations` that is neither true nor false
 */
function viewOf(incoming: Incoming, principal: Principal): ListView | undefined {
  const isFull = new URLSearchParams(incoming.query).get('with_localizations') ?? ''
  if (/^(?:[Tt]rue|1)$/.test(isFull)) return undefined
  if (!/^(?:[Ff]alse|0|)$/.test(isFull))
    throw invalidField('with_localizations', 'Must be either true or false.', 'BOOLEAN_TYPE_CONVERT')
  const names = [incoming.header('x-service-locale'), incoming.header('x-discord-locale')]
  const locale = negotiateLocale({
    serviceLocale: names.find(isLocale),
    acceptLanguage: incoming.header('accept-language'),
    userLocale: principal.type === 'Bearer' ? principal.user?.locale : undefined,
  })
  return { locale }
}
