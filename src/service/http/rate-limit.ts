/** Buckets of requests: one for each token and route, as Discord counts them. */
import { aClock, argument, optionsOf } from '../../core/rules/arguments.ts'
import { optional } from '../../core/rules/readers.ts'
import { BoundedMap, bytesOfText } from '../../core/bounded-map.ts'
import { systemClock, type Clock } from '../../core/clock.ts'
import { aStore, type Store } from '../../storage/store.ts'
import type { Credentials, RequestTarget } from './principal.ts'
import type { Outgoing } from '../../core/http-message.ts'
import { sharedWindows, type Taken } from './shared-windows.ts'
import { type Headers, JSON_TYPE, retryAfter, roundToMilliseconds } from './respond.ts'
import { refusals } from '../refusals.ts'

export interface RateLimit {
  /** Requests per window, for each token, route and application or guild. */
  readonly limit: number
  /** The length of a window in seconds. It starts with its first request. */
  readonly seconds: number
  /** Default: the system's clock. */
  readonly clock?: Clock
  /**
   * Where the windows are kept, for all processes that share the store and agree about the time. A request that it
   * cannot count gets 503. Default: in the memory of this handler.
   */
  readonly store?: Store
}

export interface Bucket {
  readonly allowed: boolean
  /** All of the headers: some clients fail if only a part of them is there. */
  readonly headers: Headers
  /** Seconds until the window ends. */
  readonly secondsLeft: number
}

/** Who calls: the windows belong to the application of the token, whatever the path of a request names. */
export interface Caller extends Credentials {
  readonly applicationId: string
}

export type RateLimiter = (caller: Caller, route: string, place: RequestTarget) => Promise<Bucket>

interface Window {
  readonly key: string
  readonly applicationId: string
  count: number
  /** Milliseconds since 1970. */
  readonly ends: number
}

// The windows that are kept, of one application and of all. Beyond it the oldest end early.
const MAX_WINDOW_BYTES = 32 * 1024 * 1024
const MAX_WINDOW_BYTES_OF_ONE = 16 * 1024 * 1024
const WINDOW_OVERHEAD = 200

const checkedOptions = /* @__PURE__ */ optionsOf<RateLimit>(
  'rateLimit',
  {
    limit: argument('an integer above 0', (value) => Number.isInteger(value) && value > 0),
    seconds: argument('a number above 0', (value) => Number.isFinite(value) && value > 0),
    clock: optional(aClock),
    store: optional(aStore),
  },
  'rateLimit',
)

/** @throws TypeError when an option is invalid */
export function rateLimiter(options: RateLimit): RateLimiter {
  const { limit, seconds, clock = systemClock, store } = checkedOptions(options)
  const length = seconds * 1000
  const take = store === undefined ? localWindows(limit, length) : sharedWindows(store, limit, length)
  return async ({ type, token, applicationId: owner }, route, { applicationId, guildId }) => {
    const now = clock.now()
    const key = `${route} ${applicationId} ${guildId} ${type} ${token}`
    const { allowed, count, ends } = await take(key, owner, now)
    const secondsLeft = (ends - now) / 1000
    const after = roundToMilliseconds(secondsLeft)
    const headers = {
      'X-RateLimit-Limit': String(limit),
      'X-RateLimit-Remaining': String(limit - count),
      'X-RateLimit-Reset': String(roundToMilliseconds(now / 1000 + after)),
      'X-RateLimit-Reset-After': String(after),
      'X-RateLimit-Bucket': route,
    }
    return { allowed, headers, secondsLeft }
  }
}

function localWindows(limit: number, length: number) {
  const sizeOf = ({ key }: Window) => WINDOW_OVERHEAD + bytesOfText(key)
  const windows = new BoundedMap<string, Window>(MAX_WINDOW_BYTES, sizeOf, {
    share: { most: MAX_WINDOW_BYTES_OF_ONE, ownerOf: ({ applicationId }) => applicationId },
  })
  return (key: string, applicationId: string, now: number): Taken => {
    let window = windows.get(key)
    const latest = now + length
    // A window that ends later than a new one began before the clock went back.
    if (window === undefined || window.ends <= now || window.ends > latest) {
      window = { key, applicationId, count: 0, ends: latest }
      windows.delete(key)
      windows.set(key, window)
    }
    const allowed = window.count < limit
    if (allowed) window.count++
    return { allowed, count: window.count, ends: window.ends }
  }
}

/** A response with the headers of its bucket, unless it already says when to retry. */
export function withBucket(response: Outgoing, bucket: Bucket): Outgoing {
  if ('Retry-After' in response.headers) return response
  return { ...response, headers: { ...bucket.headers, ...response.headers } }
}

export function refuseLimited(bucket: Bucket): Outgoing {
  const { status, code, message } = refusals.rate_limited
  const { headers, retry_after } = retryAfter(bucket.secondsLeft)
  return {
    status,
    headers: { ...JSON_TYPE, ...bucket.headers, 'X-RateLimit-Scope': 'user', ...headers },
    body: JSON.stringify({ message, retry_after, global: false, code }),
  }
}
