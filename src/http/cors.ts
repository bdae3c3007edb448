/** Leave for pages of other origins to call the service. Off unless a host asks for it. */
import type { Answer, Incoming } from './message.ts'

/** True: pages of every origin; a list: those of these origins, such as `https://example.org`. */
export type Cors = boolean | readonly string[]

const EXPOSED = [
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-RateLimit-Reset-After',
  'X-RateLimit-Bucket',
  'X-RateLimit-Scope',
].join(', ')

const REQUESTED = 'Authorization, Content-Type, X-Service-Locale, X-Discord-Locale, X-Audit-Log-Reason'

/** An answer as a page of another origin may read it. */
export function withCors(answer: Answer, incoming: Incoming, cors: Cors): Answer {
  if (cors === false) return answer
  const origin = incoming.header('origin')
  const headers: Record<string, string> = { ...answer.headers }
  if (cors !== true) headers['Vary'] = 'Origin'
  if (origin === null || (cors !== true && !cors.includes(origin))) return { ...answer, headers }
  headers['Access-Control-Allow-Origin'] = cors === true ? '*' : origin
  headers['Access-Control-Expose-Headers'] = EXPOSED
  if (incoming.method === 'OPTIONS' && incoming.header('access-control-request-method') !== null) {
    headers['Access-Control-Allow-Methods'] = answer.headers['Allow'] ?? ''
    headers['Access-Control-Allow-Headers'] = incoming.header('access-control-request-headers') ?? REQUESTED
    headers['Access-Control-Max-Age'] = '600'
  }
  return { ...answer, headers }
}
