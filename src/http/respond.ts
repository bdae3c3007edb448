/** Responses: of successful calls, and of refusals. */
import { isEmptyMessage } from '../answer/callback.ts'
import type { Issue } from '../core/report.ts'
import { ruleOf } from '../reference/catalogue.ts'
import { toErrorBody } from '../reference/error-body.ts'
import type { RegistryError } from '../registry/error.ts'
import type { Outgoing } from './message.ts'
import { refusals, type Refusal } from './refusals.ts'

export const statuses = { found: 200, created: 201, updated: 200, removed: 204, acknowledged: 204 } as const

export type Outcome = keyof typeof statuses

export type Headers = Outgoing['headers']

/** Without a charset: many clients compare the whole value. */
export const JSON_TYPE: Headers = Object.freeze({ 'Content-Type': 'application/json' })
const NO_HEADERS: Headers = Object.freeze({})

/** The response to a successful call. A response without a body has no content type. */
export function success(outcome: Outcome, body: string | Uint8Array | null): Outgoing {
  return { status: statuses[outcome], headers: body === null ? NO_HEADERS : JSON_TYPE, body }
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

/** Ends a call: its request is refused. */
export class Refused extends Error {
  readonly refusal: Refusal
  /** Further fields of the body. */
  readonly fields: object

  /** @param reason follows the message of the refusal */
  constructor(refusal: Refusal, reason = '', fields: object = {}) {
    const { message } = refusals[refusal]
    super(reason === '' ? message : `${message}: ${reason}`)
    this.refusal = refusal
    this.fields = fields
  }
}

/** The refusal of an answer to an interaction, or of a message. */
export function messageRefusal(code: Refusal, issues: readonly Issue[]): Refused {
  if (code !== 'invalid') return new Refused(code)
  return isEmptyMessage(issues)
    ? new Refused('empty_message')
    : new Refused('invalid', '', toErrorBody(issues))
}

/**
 * The response to a refusal: its row of the table.
 *
 * @param fields further fields of the body, or another message
 */
export function refuse(refusal: Refusal, fields: object = {}, headers: Headers = NO_HEADERS): Outgoing {
  const { status, code, message } = refusals[refusal]
  const body = JSON.stringify({ message, code, ...fields })
  return { status, headers: { ...JSON_TYPE, ...headers }, body }
}

/** 405. `Allow` lists the methods of the path. */
export function refuseMethod(allow: string): Outgoing {
  return refuse('method_not_allowed', {}, { Allow: allow })
}

/** 404 for a path of no route. Outside the base path the message says where the service is. */
export function refusePath(path: string, basePath: string): Outgoing {
  const isOutside = path !== basePath && !path.startsWith(`${basePath}/`)
  const message = `${refusals.not_found.message}. This service is at ${basePath}`
  return { ...refuse('not_found', isOutside ? { message } : {}), isUnmatched: true }
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
      return refuse(code, isWrite ? { message: `${message}. ${written}` } : {}, { 'Retry-After': '1' })
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

/** Seconds, rounded up to milliseconds. */
export function roundToMilliseconds(seconds: number): number {
  return Math.ceil(seconds * 1000) / 1000
}
