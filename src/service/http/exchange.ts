/**
 * From a request to its response. The first problem is answered, in the order of docs/http.md: the path, the method, the
 * token, its rate, the ids of the path, the grant, the query, the interaction of an answer, the body, then the registry.
 */
import * as shape from '../../core/rules/shape-rules.ts'
import { Report } from '../../core/rules/report.ts'
import { isSnowflake } from '../../core/snowflake.ts'
import { isLocale } from '../../model/locales.ts'
import { negotiateLocale } from '../../model/negotiate-locale.ts'
import { toErrorBody } from '../../reference/error-body.ts'
import type { ListView } from '../../commands/registry/list-view.ts'
import { readBodyOf } from './body.ts'
import { withCors } from './cors.ts'
import type { Outgoing, Exchange, Incoming, SendingFailure } from '../../core/http-message.ts'
import {
  resolveHandlerOptions,
  type ExchangeOptions,
  type HandlerOptions,
  type Service,
} from './handler-options.ts'
import { refusalInError, refusalOfHost, RequestProgress, type ResponseReport } from './hooks.ts'
import {
  actorOf,
  checkPrincipal,
  denial,
  readCredentials,
  type CheckedPrincipal,
  type Credentials,
  type RequestTarget,
} from './principal.ts'
import { refuseLimited, withBucket } from './rate-limit.ts'
import { refuseError, refuseMethod, refusePath, showMethods, withoutBody } from './respond.ts'
import { invalidField, Refused, refusals } from '../refusals.ts'
import { router, type Match, type PathParams } from './router.ts'
import type { Call, Route } from './call.ts'
import { withFiles } from './file-routes.ts'
import { routes } from './routes.ts'
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

/**
 * @param more the routes besides those of commands, such as those of a world, which a host that has none need not load
 * @throws TypeError when an option is invalid
 */
export function createExchange(options: ExchangeOptions, more: readonly Route[] = []): Exchange {
  const service = resolveHandlerOptions(options)
  const find = router([...routes, ...more], service.basePath)
  const exchange: Exchange = async (incoming) => {
    const progress = new RequestProgress(incoming)
    const match = find(incoming.path)
    const response =
      match === undefined
        ? refusePath(incoming, service.basePath)
        : await guarded(() => respond(match, incoming, service, progress), progress, service)
    const allowed = withCors(response, incoming, service.cors)
    const sent = incoming.method === 'HEAD' ? withoutBody(allowed) : allowed
    return { ...sent, report: (failure) => reportTo(service, progress, failure ?? null, sent.status) }
  }
  return withFiles(exchange, service.answers.conversations.files)
}

/** Reports a response, or the 500 that was sent because it could not be. */
function reportTo(
  service: Service,
  progress: RequestProgress,
  failure: SendingFailure | null,
  status: number,
): ResponseReport {
  if (failure !== null) progress.failed(failure.error, service)
  const report = progress.report(failure === null ? status : refusals.server_fault.status)
  service.onResponse(report)
  return report
}

/** A response whatever is thrown. */
async function guarded(
  responding: () => Promise<Outgoing>,
  progress: RequestProgress,
  service: Service,
): Promise<Outgoing> {
  try {
    return await responding()
  } catch (error) {
    return refuseCall(error, progress, service)
  }
}

/** The response to an error: that of the host if the error has one, else that of the service. */
function refuseCall(thrown: unknown, progress: RequestProgress, service: Service): Outgoing {
  const { method } = progress.request
  let error = thrown
  let refusal: Outgoing | undefined
  try {
    refusal = refusalInError(thrown)
  } catch (invalid) {
    error = invalid
  }
  refusal ??= refuseError(error, method !== 'GET' && method !== 'HEAD')
  if (refusal.status >= 500) progress.failed(error, service)
  return refusal
}

async function respond(
  { methods, allow, paramsOf }: Match<Route>,
  incoming: Incoming,
  service: Service,
  progress: RequestProgress,
): Promise<Outgoing> {
  const { method } = incoming
  for (const { path } of methods.values()) progress.route ??= path
  if (method === 'OPTIONS') return showMethods(allow)
  const route = methods.get(method === 'HEAD' ? 'GET' : method)
  if (route === undefined) return refuseMethod(allow)
  const { grant } = route
  progress.route = route.path
  const params = paramsOf(route)
  const request = { service, incoming, params }
  if (grant === 'anyone') return callRoute(route, { ...request, principal: ANONYMOUS })

  const place = placeIn(params)
  const credentials = readCredentials(incoming.header('authorization'))
  const authenticated = await service.authenticate(credentials, place, progress.request)
  const refusal = refusalOfHost(authenticated)
  if (refusal !== undefined) return refusal
  const principal = checkPrincipal(authenticated)
  if (!principal) throw new Refused('unauthorized')
  progress.principal = principal
  const reason = denial(principal, grant, place)
  const carryOut = async (): Promise<Outgoing> => {
    checkIds(params)
    if (reason !== null) throw new Refused(reason)
    return callRoute(route, { ...request, principal })
  }
  // What the caller may not reach has no window of its own, or else its ids would fill the windows there are.
  const counted = reason === null ? place : NOWHERE
  const caller = { ...limitedBy(credentials, principal), applicationId: principal.applicationId }
  const bucket = await service.limiter?.(caller, `${route.method}:${route.path}`, counted)
  if (bucket === undefined) return carryOut()
  if (!bucket.allowed) return refuseLimited(bucket)
  return withBucket(await guarded(carryOut, progress, service), bucket)
}

const NOWHERE: RequestTarget = Object.freeze({ applicationId: null, guildId: null })

/** Whose requests are counted together: those of a token, or without one those of a principal. */
function limitedBy(credentials: Credentials, principal: CheckedPrincipal): Credentials {
  if (credentials.type !== 'None') return credentials
  const { applicationId, userId = '' } = actorOf(principal)
  return { ...credentials, token: `${applicationId} ${userId}` }
}

/** Checks the query, reads the body, and calls the route. */
async function callRoute(
  route: Route,
  request: Pick<Call, 'service' | 'incoming' | 'params' | 'principal'>,
): Promise<Outgoing> {
  const { service, incoming, params, principal } = request
  const view = route.localized && viewOf(incoming, principal)
  const early = route.checkEarly?.(params, service)
  if (early !== undefined) await early
  const body = await readBodyOf(route.body, incoming, service.limits)
  const notes: string[] = []
  const response = await route.call({ ...request, view, notes, ...body })
  return notes.length === 0 ? response : { ...response, notes }
}

const ANONYMOUS: CheckedPrincipal = Object.freeze({ type: 'Bot', applicationId: '0' })

/** The application and the guild of a path; null for a missing or an invalid one. */
function placeIn({ application_id, guild_id }: PathParams): RequestTarget {
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
function viewOf(incoming: Incoming, principal: CheckedPrincipal): ListView | undefined {
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
