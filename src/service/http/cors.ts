import { expectation, listArgument } from '../../core/rules/arguments.ts'
import { valueOf, type Reader } from '../../core/rules/readers.ts'
import type { Outgoing, Incoming } from '../../core/http-message.ts'

/** `true` allows pages of every origin, a list those of its origins, such as `https://example.org`. */
export type Cors = boolean | readonly string[]

const EXPOSED =
  'Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-RateLimit-Reset-After, X-RateLimit-Bucket, X-RateLimit-Scope'
const REQUESTED = 'Authorization, Content-Type, X-Service-Locale, X-Discord-Locale, X-Audit-Log-Reason'

// Web pages send an origin as in `URL.origin`; pages of apps and extensions have other schemes.
const OTHER_ORIGIN = /^(?!https?:)[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+$/

const ORIGIN = 'an origin such as "https://example.org"'

const origins = /* @__PURE__ */ listArgument(
  valueOf(
    expectation<string>(
      ORIGIN,
      (value) => value !== '*',
      'pass true instead of the list to allow every origin',
    ),
    expectation(ORIGIN, isOrigin),
  ),
  'true, false or a list of origins',
)

/** True, false or a list of origins as browsers send them. */
export const readCors: Reader<Cors> = (report, value) =>
  typeof value === 'boolean' ? value : origins(report, value)

function isOrigin(value: unknown): boolean {
  if (typeof value !== 'string') return false
  if (value === 'null' || OTHER_ORIGIN.test(value)) return true
  return /^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value
}

export function withCors(response: Outgoing, incoming: Incoming, cors: Cors): Outgoing {
  if (cors === false) return response
  const origin = incoming.header('origin')
  const headers: Record<string, string> = { ...response.headers }
  if (cors !== true) headers['Vary'] = 'Origin'
  if (origin === null || (cors !== true && !cors.includes(origin))) return { ...response, headers }
  headers['Access-Control-Allow-Origin'] = cors === true ? '*' : origin
  headers['Access-Control-Expose-Headers'] = EXPOSED
  if (incoming.method === 'OPTIONS' && incoming.header('access-control-request-method') !== null) {
    headers['Access-Control-Allow-Methods'] = response.headers['Allow'] ?? ''
    headers['Access-Control-Allow-Headers'] = incoming.header('access-control-request-headers') ?? REQUESTED
    headers['Access-Control-Max-Age'] = '600'
  }
  return { ...response, headers }
}
