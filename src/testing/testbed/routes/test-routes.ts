/** Routes that a test answers in place of the service. */
import { completeMessage, completeUser } from '../../../interactions/usage/complete.ts'
import { aFlag, optionsOf } from '../../../core/rules/arguments.ts'
import { optional } from '../../../core/rules/readers.ts'
import { parseAnswer } from '../../../interactions/answer/answer-body.ts'
import { maskPath } from '../../../interactions/bot/mask.ts'
import { API_PATH, DEFAULT_BASE_PATH } from '../../../service/http/base-path.ts'
import type { Exchange, Incoming, Outgoing } from '../../../core/http-message.ts'
import {
  rateLimiter,
  refuseLimited,
  withBucket,
  type RateLimit,
  type RateLimiter,
} from '../../../service/http/rate-limit.ts'
import { json, refuse, refuseRoute, success } from '../../../service/http/respond.ts'
import { Refused, refusals } from '../../../service/refusals.ts'
import { router, type PathParams, type Router } from '../../../service/http/router.ts'
import { invalidArgument, type Person } from '../people/people.ts'

/** A request of the bot to a route of the test. */
export interface RouteRequest {
  /** The named segments of the path. */
  readonly params: { readonly [name: string]: string }
  readonly query: URLSearchParams
  /** The JSON of the body, also of one with files; undefined for other bodies. */
  readonly body: any
  readonly bot: Pick<Person, 'id' | 'username'>
}

/** Answers a request: with JSON, a `Response`, or 204 for undefined. When it throws, the answer is 500. */
export type RouteHandler = (request: RouteRequest) => unknown

export interface RouteOptions {
  /** Whether it answers only the next request. Default false. */
  readonly once?: boolean
}

interface Handled {
  readonly route: string
  readonly find: Router<{ readonly method: string; readonly path: string }>
  readonly handler: RouteHandler
  readonly once: boolean
}

interface Limited {
  readonly find: Handled['find']
  readonly limiter: RateLimiter
}

const MAX_ROUTE_BODY_BYTES = 32 * 1024 * 1024

const checkedOptions = /* @__PURE__ */ optionsOf<RouteOptions>('on', { once: optional(aFlag) })

/** The routes of a test. The newest one with a path answers, and all of them come before those of the service. */
export class Routes {
  readonly #bot: RouteRequest['bot']
  readonly #remedy: (route: string) => string
  readonly #initial: readonly Handled[]
  #handled: readonly Handled[]
  #limits: readonly Limited[] = []

  /** @param remedy how to add a route, for the message of a route that the service does not have */
  constructor(
    bot: RouteRequest['bot'],
    remedy: (route: string) => string,
    handlers: { readonly [route: string]: RouteHandler } = {},
  ) {
    this.#bot = bot
    this.#remedy = remedy
    this.#initial = Object.entries(handlers).map(([route, handler]) => handledOf(route, handler, false))
    this.#handled = this.#initial
  }

  /** Answers a route such as `PUT /guilds/:guild/bans/:user`. @returns removes the handler */
  on(route: string, handler: RouteHandler, options: RouteOptions = {}): () => void {
    const { once = false } = checkedOptions(options)
    const added = handledOf(route, handler, once)
    this.#handled = [added, ...this.#handled]
    return () => this.#remove(added)
  }

  /** Limits the requests of a route, each channel, server and webhook by itself. @returns removes the limit */
  limit(route: string, given: RateLimit): () => void {
    const { find } = handledOf(route, () => undefined, false)
    const added = { find, limiter: rateLimiter(given) }
    this.#limits = [added, ...this.#limits]
    return () => (this.#limits = this.#limits.filter((one) => one !== added))
  }

  /** Removes all handlers but the initial ones, and all limits. */
  reset(): void {
    this.#handled = this.#initial
    this.#limits = []
  }

  /** An exchange whose requests wait as the limits say. */
  limiting(exchange: Exchange): Exchange {
    return async (incoming) => {
      const { method, path } = incoming
      const limit = this.#limits.find(({ find }) => find(path)?.methods.has(method))
      if (limit === undefined) return exchange(incoming)
      const caller = { type: 'Bot', token: '', applicationId: this.#bot.id } as const
      const major = /\/(?:channels|guilds|webhooks)\/(\d+)/.exec(path)?.[1] ?? ''
      const bucket = await limit.limiter(caller, `${method}:${major}`, { applicationId: null, guildId: null })
      return bucket.allowed ? withBucket(await exchange(incoming), bucket) : refuseLimited(bucket)
    }
  }

  /** An exchange that asks the handlers first, and says how to add a route that the service does not have. */
  around(exchange: Exchange): Exchange {
    return async (incoming) => {
      for (const handled of this.#handled) {
        const match = handled.find(incoming.path)
        if (!match?.methods.has(incoming.method)) continue
        if (handled.once) this.#remove(handled)
        return await this.#answer(handled, match.paramsOf(match.methods.get(incoming.method)!), incoming)
      }
      const response = await exchange(incoming)
      const [, webhook] = WEBHOOK.exec(`${incoming.method} ${incoming.path}`) ?? []
      if (webhook !== undefined && isUnknownWebhook(response)) return webhookAnswer(webhook, incoming)
      return response.isUnmatched || response.status === 405 ? this.#unknown(incoming, response) : response
    }
  }

  #remove(handled: Handled): void {
    this.#handled = this.#handled.filter((one) => one !== handled)
  }

  async #answer({ route, handler }: Handled, params: PathParams, incoming: Incoming): Promise<Outgoing> {
    try {
      const given = params as RouteRequest['params']
      const query = new URLSearchParams(incoming.query)
      const body = await bodyOf(incoming)
      return await outgoingOf(await handler({ params: given, query, body, bot: this.#bot }))
    } catch (error) {
      if (error instanceof Refused) return refuse(error.refusal)
      const reason = error instanceof Error ? error.message : String(error)
      const message = `${refusals.server_fault.message}: the handler of "${route}" threw: ${reason}`
      return refuse('server_fault', { message })
    }
  }

  #unknown({ method, path }: Incoming, response: Outgoing): Outgoing {
    if (!path.startsWith(`${API_PATH}/`)) return method === 'GET' && IMAGE.test(path) ? image() : response
    const masked = maskPath(path).replace(VERSION, '')
    // Of other paths Discord has more methods than the service.
    const isWhole = response.status === 405 && WHOLE.test(masked)
    const refusal = isWhole ? 'method_not_allowed' : 'not_found'
    const remedy = this.#remedy(routeTemplate(`${method} ${masked}`))
    return refuseRoute(refusal, method, masked, `; ${remedy}`)
  }
}

/**
 * A webhook that no channel has, such as one of a configuration, to which bots write logs. It takes every message and
 * shows none. Its tokens have 68 characters, those of interactions never.
 */
const WEBHOOK = /^POST \/api(?:\/v\d+)?\/webhooks\/(\d+)\/[\w-]{68}$/

function isUnknownWebhook({ body }: Outgoing): boolean {
  return typeof body === 'string' && body.includes(`"code":${refusals.unknown_webhook.code}`)
}

function webhookAnswer(id: string, { query }: Incoming): Outgoing {
  if (new URLSearchParams(query).get('wait') !== 'true') return success('acknowledged', null)
  const author = completeUser({ id, username: 'Webhook', bot: true })
  return json({ ...completeMessage({ id }, id, author), webhook_id: id })
}

/** Avatars, icons and emojis, which bots draw on cards. A redirected bot asks for those of Discord's CDN here. */
const IMAGE = /^\/[\w-]+\/.+\.(?:png|jpe?g|webp|gif)$/

/** One transparent pixel. */
function image(): Outgoing {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR42mNgAAIAAAUAAen63NgAAAAASUVORK5CYII='
  const body = Uint8Array.from(atob(png), (character) => character.charCodeAt(0))
  return { status: 200, headers: { 'content-type': 'image/png' }, body }
}

/** Paths with all their methods. */
const WHOLE = /\/commands(?:\/|$)|^\/gateway/

const VERSION = /^(?:\/api)?(?:\/v\d+)?(?=\/)/

/** @throws InputError for a route of another form */
function handledOf(route: string, handler: RouteHandler, once: boolean): Handled {
  const [, method, path] = /^(GET|HEAD|POST|PUT|PATCH|DELETE) (\/[^\s?#]*[^\s?#/])$/.exec(String(route)) ?? []
  if (path === undefined)
    throw invalidArgument('route', 'a method and a path such as "PUT /guilds/:guild/bans/:user"', route)
  if (typeof handler !== 'function') throw invalidArgument('handler', 'a function', handler)
  const pattern = path.replace(VERSION, '').replace(/\/:([^/]+)/g, '/{$1}')
  return { route, find: router([{ method: method!, path: pattern }], DEFAULT_BASE_PATH), handler, once }
}

/** A route for one without secrets: `PUT /guilds/:guild/bans/:ban` for `PUT /api/v10/guilds/2001/bans/3001?x=1`. */
export function routeTemplate(route: string): string {
  const [method, address = ''] = route.split(' ')
  const segments = address.replace(/\?.*$/s, '').replace(VERSION, '').split('/')
  const named = segments.map((segment, index) => {
    if (segment === '***') return ':token'
    if (!/^\d+$|%/.test(segment)) return segment
    return `:${/^\W*([a-z]+?)s?$/.exec(segments[index - 1] ?? '')?.[1] ?? 'id'}`
  })
  return `${method} ${named.join('/')}`
}

async function bodyOf(incoming: Incoming): Promise<unknown> {
  const bytes = await incoming.body(MAX_ROUTE_BODY_BYTES)
  if (bytes === 'bodies_too_large') throw new Refused(bytes)
  if (typeof bytes === 'string') return undefined
  const parsed = await parseAnswer(bytes, incoming.header('content-type')).catch(() => undefined)
  return parsed?.value
}

async function outgoingOf(value: unknown): Promise<Outgoing> {
  if (value === undefined) return success('acknowledged', null)
  if (!(value instanceof Response)) return json(value)
  // A copy: a handler may return one response several times.
  const { status, headers, body } = value.clone()
  const bytes = body === null ? null : new Uint8Array(await new Response(body).arrayBuffer())
  return { status, headers: Object.fromEntries(headers), body: bytes }
}
