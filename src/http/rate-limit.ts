/** Buckets of requests: one for each token and route, as Discord counts them (service facts 3.1). */
import { systemClock, type Clock } from '../core/clock.ts'
import type { Credentials } from './principal.ts'
import type { BucketState } from './respond.ts'

/** How many requests a token may send. */
export interface RateLimit {
  /** Requests per window, for each token, route and application or guild. */
  readonly limit: number
  /** The length of a window in seconds. It starts with its first request. */
  readonly seconds: number
  /** Default: the system's clock. */
  readonly clock?: Clock
}

/** Counts requests. */
export interface RateLimiter {
  /** Counts a request; `allowed` is false beyond the limit. */
  take(credentials: Credentials, route: string, place: string): BucketState & { readonly allowed: boolean }
}

interface Bucket {
  count: number
  /** Milliseconds since 1970. */
  ends: number
}

// Expired buckets are removed when there are this many.
const MANY = 10_000

/** @throws TypeError when a number is invalid */
export function rateLimiter({ limit, seconds, clock = systemClock }: RateLimit): RateLimiter {
  if (!Number.isInteger(limit) || limit < 1) {
    throw new TypeError(`rateLimit.limit: expected an integer above 0, got ${String(limit)}`)
  }
  if (!(seconds > 0) || !Number.isFinite(seconds)) {
    throw new TypeError(`rateLimit.seconds: expected a number above 0, got ${String(seconds)}`)
  }
  const buckets = new Map<string, Bucket>()
  let sweepAt = MANY
  return {
    take({ type, token }, route, place) {
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
    },
  }
}
