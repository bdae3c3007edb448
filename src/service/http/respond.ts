/** Responses: of successful calls, and of refusals. */
import { maskPath } from '../../interactions/bot/mask.ts'
import { ruleOf } from '../../reference/catalogue.ts'
import { toErrorBody } from '../../reference/error-body.ts'
import type { RegistryError } from '../../commands/registry/registry-error.ts'
import type { Incoming, Outgoing } from '../../core/http-message.ts'
import { Refused, refusals, type ErrorResponse, type RefusalName } from '../refusals.ts'

export const statuses = { found: 200, created: 201, updated: 200, removed: 204, acknowledged: 204 } as const

export type Success = keyof typeof statuses

export type Headers = Outgoing['headers']

/** Without a charset: many clients compare the whole value. */
export const JSON_TYPE: Headers = Object.freeze({ 'Content-Type': 'application/json' })
const NO_HEADERS: Headers = Object.freeze({})
/** What Discord sends without a body; discord.js 13 reads it. */
const EMPTY_TYPE: Headers = Object.freeze({ 'Content-Type': 'text/html; charset=utf-8' })

/** The response to a successful call. */
export function success(outcome: Success, body: string | Uint8Array | null): Outgoing {
  return { status: statuses[outcome], headers: body === null ? EMPTY_TYPE : JSON_TYPE, body }
}

export function json(value: unknown): Outgoing {
  return success('found', JSON.stringify(value))
}

export function showMethods(allow: string): Outgoing {
  return { status: 204, headers: { Allow: allow }, body: null }
}

/** The response to HEAD: that of GET with the length of its body instead of the body. */
export function withoutBody(response: Outgoing): Outgoing {
  const { headers, body } = response
  if (body === null || body instanceof ReadableStream) return { ...response, body: null }
  const { length } = typeof body === 'string' ? new TextEncoder().encode(body) : body
  return { ...response, headers: { ...headers, 'Content-Length': String(length) }, body: null }
}

// --- Refusals -------------------------------------------------------------------------------------------------

/**
 * The response to a refusal: its row of the table.
 *
 * @param fields further fields of the body, or another message
 */
export function refuse(refusal: RefusalName, fields: object = {}, headers: Headers = NO_HEADERS): Outgoing {
  const { status, code, message, headers: own }: ErrorResponse = refusals[refusal]
  const body = JSON.stringify({ message, code, ...fields })
  return { status, headers: { ...JSON_TYPE, ...own, ...headers }, body }
}

export function refuseMethod(allow: string): Outgoing {
  return refuse('method_not_allowed', {}, { Allow: allow })
}

/** 404 for a path of no route (9-04). Outside the base path the message says where the service is. */
export function refusePath({ method, path }: Incoming, basePath: string): Outgoing {
  const isInside = path === basePath || path.startsWith(`${basePath}/`)
  const asked = method === 'HEAD' ? 'GET' : method
  return refuseRoute('not_found', asked, maskPath(path), isInside ? '' : `; it is at ${basePath}`)
}

/** No route has the method and path, which the message names. */
export function refuseRoute(refusal: RefusalName, method: string, path: string, remedy: string): Outgoing {
  const message = `${refusals[refusal].message}: this service has no ${method} ${path}${remedy}`
  return { ...refuse(refusal, { message }), isUnmatched: true }
}

/** The response to an error of a call. For a write, 503 says whether the change may have been written. */
export function refuseError(error: unknown, isWrite: boolean): Outgoing {
  if (error instanceof Refused) return refuse(error.refusal, { message: error.message, ...error.fields })
  if (!isRegistryError(error)) return refuse('server_fault')
  const { code } = error
  const { message } = refusals[code]
  switch (code) {
    case 'invalid':
      return refuse(code, toErrorBody(error.issues))
    case 'too_many_commands':
      return refuse(code, { message: message + limitOf(error) })
    case 'daily_creates_exhausted': {
      // No bucket headers: clients would delay updates too, which are still allowed (clause 8-02).
      const { headers, retry_after } = retryAfter(error.retryAfter ?? 0)
      return refuse(code, { message: message + limitOf(error), retry_after, global: false }, headers)
    }
    case 'busy':
    case 'storage': {
      const written = error.mayHaveHappened
        ? 'The change may have been written; repeating the request is safe'
        : 'Nothing was written'
      return refuse(code, isWrite ? { message: `${message}. ${written}` } : {})
    }
    default:
      return refuse(code)
  }
}

/** By name, because the registry may come from another copy of the library. */
function isRegistryError(error: unknown): error is RegistryError {
  return error instanceof Error && error.name === 'RegistryError'
}

/** The limit that was reached, in parentheses, from the rule that owns it. */
function limitOf({ issues: [issue] }: RegistryError): string {
  const limit = issue && ruleOf(issue.code)?.limit?.max
  return limit === undefined ? '' : ` (${limit})`
}

/** The headers and the body field that say when to retry. */
export function retryAfter(secondsLeft: number): { readonly headers: Headers; readonly retry_after: number } {
  // HTTP has whole seconds; rounded up, so that the client does not retry too early.
  const wholeSeconds = String(Math.max(1, Math.ceil(secondsLeft)))
  // discord.py treats a 429 without `Via`, the header of a proxy, as a ban.
  const headers = { 'Retry-After': wholeSeconds, Via: '1.1 commandry' }
  return { headers, retry_after: roundToMilliseconds(secondsLeft) }
}

export function roundToMilliseconds(seconds: number): number {
  return Math.ceil(seconds * 1000) / 1000
}
