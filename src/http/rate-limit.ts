/** Buckets of requests: one for each token and route, as Discord counts them. */
import { knownOptions } from '../core/options.ts'
import { systemClock, type Clock } from '../core/clock.ts'
import type { Credentials } from './principal.ts'
import type { Outgoing } from '../core/http-message.ts'
import { type Headers, JSON_TYPE, refusals, retryAfter, roundToMilliseconds } from './respond.ts'

export interface RateLimit {
  /** Requests per window, for each token, route and application or guild. */
  readonly limit: number
  /** The length of a window in seconds. It starts with its first request. */
  readonly seconds: number
  /** Default: the system's clock. */
  readonly clock?: Clock
}

export interface BucketState {
  readonly allowed: boolean
  readonly bucket: string
  readonly limit: number
  readonly remaining: number
  /** Seconds until the window ends. */
  readonly secondsLeft: number
  /** Milliseconds since 1970. */
  readonly now: number
}

export type RateLimiter = (credentials: Credentials, route: string, place: string) => BucketState

// Expired buckets are removed when there are this many.
const MANY = 10_000

/** @throws TypeError when a number is invalid */
export function rateLimiter(options: RateLimit): RateLimiter {
  knownOptions('rateLimit', options, ['limit', 'seconds', 'clock'])
  const { limit, seconds, clock = systemClock } = options
  if (!Number.isInteger(limit) || limit < 1)
    throw new TypeError(`rateLimit.limit: expected an integer above 0, got ${String(limit)}`)
  if (!(seconds > 0) || !Number.isFinite(seconds))
    throw new TypeError(`rateLimit.seconds: expected a number above 0, got ${String(seconds)}`)
  /** The requests of a window, which ends at a time in milliseconds since 1970. */
  const buckets = new Map<string, { count: number; readonly ends: number }>()
  let sweepAt = MANY
  return ({ type, token }, route, place) => {
    const now = clock.now()
    const key = `${route} ${place} ${type} ${token}`
    let bucket = buckets.get(key)
    if (bucket === undefined || bucket.ends <= now) {
      bucket = { count: 0, ends: now + seconds * 1000 }
      buckets.set(key, bucket)
      if (buckets.size >= sweepAt) {
        for (const [name, { ends }] of buckets) if (ends <= now) buckets.delete(name)
        sweepAt = Math.max(MANY, 2 * buckets.size)
      }
    }
    const allowed = bucket.count < limit
    if (allowed) bucket.count++
    const secondsLeft = (bucket.ends - now) / 1000
    return { allowed, bucket: route, limit, remaining: limit - bucket.count, secondsLeft, now }
  }
}

/** A response with the headers of its bucket, unless it already says when to retry. */
export function withBucket(response: Outgoing, state: BucketState): Outgoing {
  if ('Retry-After' in response.headers) return response
  return { ...response, headers: { ...bucketHeaders(state), ...response.headers } }
}

export function refuseLimited(state: BucketState): Outgoing {
  const { status, code, message } = refusals.rate_limited
  const { headers, retry_after } = retryAfter(state.secondsLeft)
  return {
    status,
    headers: { ...JSON_TYPE, ...bucketHeaders(state), 'X-RateLimit-Scope': 'user', ...headers },
    body: JSON.stringify({ message, retry_after, global: false, code }),
  }
}

/** All of the headers: some clients fail if only a part of them is there. */
function bucketHeaders({ bucket, limit, remaining, secondsLeft, now }: BucketState): Headers {
  const after = roundToMilliseconds(secondsLeft)
  return {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(roundToMilliseconds(now / 1000 + after)),
    'X-RateLimit-Reset-After': String(after),
    'X-RateLimit-Bucket': bucket,
  }
}
