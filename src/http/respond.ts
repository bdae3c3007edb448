/**
 * Outcomes and refusals as responses. Status numbers, JSON error codes and their messages are defined only here
 * (clause 7-01, service facts 3.1 to 3.4).
 */
import { ruleOf } from '../reference/catalogue.ts'
import * as shape from '../command/shape.ts'
import type { WireError } from '../core/rule.ts'
import { INVALID_FORM_BODY, toErrorBody, type ErrorNode } from '../reference/error-body.ts'
import type { RegistryError, RegistryErrorCode } from '../registry/error.ts'
import type { Answer, BodyFailure } from './message.ts'
import type { Denial } from './principal.ts'

/** The status of each successful outcome. */
const statuses = { found: 200, created: 201, updated: 200, removed: 204, acknowledged: 204 } as const

/** How a call succeeded. */
export type Outcome = keyof typeof statuses

/** The status of an outcome. */
export function statusOf(outcome: Outcome): number {
  return statuses[outcome]
}

/** Why a request was refused. */
export type Refusal =
  | 'not_found'
  | 'method_not_allowed'
  | 'unauthorized'
  | Denial
  | BodyFailure
  | 'invalid_json'
  | 'expectation_failed'
  | 'head_too_large'
  | 'rate_limited'
  | 'foreign_host'
  | 'unknown_interaction'
  | 'already_answered'
  | 'unknown_webhook'
  | 'unknown_message'
  | 'invalid_webhook_token'
  | 'empty_message'
  | 'too_many_follow_ups'
  | 'server_fault'
  | RegistryErrorCode

interface ErrorResponse {
  readonly status: number
  /** The JSON error code of the API; 0 if there is none. */
  readonly code: number
  readonly message: string
}

/** The response to each refusal. What a client can cause is below 500, because clients retry the rest. */
export const refusals: { readonly [Key in Refusal]: ErrorResponse } = {
  not_found: { status: 404, code: 0, message: '404: Not Found' },
  method_not_allowed: { status: 405, code: 0, message: '405: Method Not Allowed' },
  unauthorized: { status: 401, code: 0, message: '401: Unauthorized' },
  rate_limited: { status: 429, code: 0, message: 'You are being rate limited.' },

  other_application: {
    status: 403,
    code: 20012,
    message: 'You are not authorized to perform this action on this application',
  },
  bots_not_allowed: { status: 403, code: 20001, message: 'Bots cannot use this endpoint' },
  missing_scope: { status: 403, code: 50026, message: 'Missing required OAuth2 scope' },
  missing_permissions: {
    status: 403,
    code: 50013,
    message: 'You lack permissions to perform that action',
  },

  body_too_large: {
    status: 413,
    code: 40005,
    message: 'Request entity too large. Try sending something smaller in size',
  },
  body_timed_out: { status: 408, code: 0, message: '408: Request Timeout' },
  body_broken: { status: 400, code: 0, message: '400: Bad Request' },
  body_taken: {
    status: 400,
    code: 0,
    message: 'The body was already read; mount the service before body parsers',
  },
  invalid_json: { status: 400, code: 50109, message: 'The request body contains invalid JSON.' },
  expectation_failed: { status: 417, code: 0, message: '417: Expectation Failed' },
  head_too_large: { status: 431, code: 0, message: '431: Request Header Fields Too Large' },

  invalid: { status: 400, code: INVALID_FORM_BODY, message: 'Invalid Form Body' },
  unknown_application: { status: 404, code: 10002, message: 'Unknown application' },
  unknown_command: { status: 404, code: 10063, message: 'Unknown application command' },
  unknown_permissions: { status: 404, code: 10066, message: 'Unknown application command permissions' },
  missing_access: { status: 403, code: 50001, message: 'Missing Access' },
  name_taken: { status: 400, code: 40041, message: 'An application command with that name already exists' },
  too_many_commands: {
    status: 400,
    code: 30032,
    message: 'Maximum number of application commands reached',
  },
  daily_creates_exhausted: {
    status: 429,
    code: 30034,
    message: 'Max number of daily application command creates has been reached',
  },
  entry_point_required: {
    status: 400,
    code: 50240,
    message:
      "You cannot remove this app's Entry Point command in a bulk update operation. Please include the Entry Point command in your update request or delete it separately.",
  },
  unknown_interaction: { status: 404, code: 10062, message: 'Unknown interaction' },
  already_answered: { status: 400, code: 40060, message: 'Interaction has already been acknowledged' },

  unknown_webhook: { status: 404, code: 10015, message: 'Unknown Webhook' },
  unknown_message: { status: 404, code: 10008, message: 'Unknown Message' },
  invalid_webhook_token: { status: 401, code: 50027, message: 'Invalid Webhook Token' },
  empty_message: { status: 400, code: 50006, message: 'Cannot send an empty message' },
  too_many_follow_ups: {
    status: 400,
    code: 40094,
    message: 'Maximum number of follow-up messages for this interaction has been reached',
  },

  foreign_host: { status: 403, code: 0, message: '403: Forbidden' },
  activities_unavailable: { status: 500, code: 0, message: '500: Internal Server Error' },
  busy: { status: 503, code: 0, message: '503: Service Unavailable' },
  storage: { status: 503, code: 0, message: '503: Service Unavailable' },
  server_fault: { status: 500, code: 0, message: '500: Internal Server Error' },
}

/** Without a charset: many clients compare the whole value (client requirements A1). */
const JSON_TYPE = Object.freeze({ 'Content-Type': 'application/json' })
const NO_HEADERS = Object.freeze({})

/** The `Via` header of a proxy. discord.py treats a 429 without it as a ban (service facts 3.1). */
export const VIA = '1.1 commandry'

/** The response to a successful call. A response without a body has no content type (client requirements A2). */
export function success(outcome: Outcome, body: string | Uint8Array | null): Answer {
  return { status: statuses[outcome], headers: body === null ? NO_HEADERS : JSON_TYPE, body }
}

/** A response 200 with a value as JSON. */
export function json(value: unknown): Answer {
  return success('found', JSON.stringify(value))
}

/** The response to a refusal. */
export function refuse(
  refusal: Refusal,
  headers?: Readonly<Record<string, string>>,
  message = refusals[refusal].message,
): Answer {
  const { status, code } = refusals[refusal]
  return {
    status,
    headers: headers === undefined ? JSON_TYPE : { ...JSON_TYPE, ...headers },
    body: JSON.stringify({ message, code }),
  }
}

/** 404 for a path of no route. Outside the base path the message says where the service is. */
export function refusePath(path: string, basePath: string): Answer {
  const isOutside = path !== basePath && !path.startsWith(`${basePath}/`)
  const { message } = refusals.not_found
  const where = isOutside ? `${message}. This service is at ${basePath}` : message
  return { ...refuse('not_found', undefined, where), isUnmatched: true }
}

const encoder = new TextEncoder()

/** The response to HEAD: that of GET with the length of its body instead of the body. */
export function withoutBody(answer: Answer): Answer {
  const { headers, body } = answer
  if (body === null || body instanceof ReadableStream) return { ...answer, body: null }
  const length = typeof body === 'string' ? encoder.encode(body).length : body.length
  return { ...answer, headers: { ...headers, 'Content-Length': String(length) }, body: null }
}

/** The response to OPTIONS. */
export function showMethods(allow: string): Answer {
  return { status: 204, headers: { Allow: allow }, body: null }
}

/** 405. `Allow` lists the methods of the path. */
export function refuseMethod(allow: string): Answer {
  return refuse('method_not_allowed', { Allow: allow })
}

/** 401. RFC 9110 requires `WWW-Authenticate` to list the schemes. */
export function refuseUnauthorized(): Answer {
  return refuse('unauthorized', { 'WWW-Authenticate': 'Bot, Bearer' })
}

/** 400 with a tree of errors. */
export function refuseForm(errors: ErrorNode): Answer {
  const { status, code, message } = refusals.invalid
  return { status, headers: JSON_TYPE, body: JSON.stringify({ message, code, errors }) }
}

/** The error of an invalid snowflake, the same in a path as in a body. */
export function notSnowflake(text: string): WireError {
  return shape.snowflake.wire!(shape.found(text))
}

/** The error of a wrong `Content-Type`. */
export const wrongContentType: ErrorNode = {
  _errors: [
    {
      code: 'CONTENT_TYPE_INVALID',
      message: `Expected "Content-Type" header to be one of {'application/json'}.`,
    },
  ],
}

/** The error of an invalid boolean in the query. */
export const notBoolean: ErrorNode = {
  _errors: [{ code: 'BOOLEAN_TYPE_CONVERT', message: 'Must be either true or false.' }],
}

/** The response to an error of the registry. For a write, 503 says whether the change may have been written. */
export function refuseError(error: RegistryError, isWrite: boolean): Answer {
  switch (error.code) {
    case 'invalid':
      return {
        status: refusals.invalid.status,
        headers: JSON_TYPE,
        body: JSON.stringify(toErrorBody(error.issues)),
      }
    case 'too_many_commands':
      return refuseWithLimit(error)
    case 'daily_creates_exhausted': {
      // No bucket headers: clients would delay updates too, which are still allowed (clause 8-02).
      const { headers, retry } = wait(error.retryAfter ?? 0)
      return refuseWithLimit(error, { retry_after: retry, global: false }, headers)
    }
    case 'busy':
    case 'storage':
      return refuse(error.code, { 'Retry-After': '1' }, unavailable(error, isWrite))
    default:
      return refuse(error.code)
  }
}

function unavailable({ code, mayHaveHappened }: RegistryError, isWrite: boolean): string {
  const { message } = refusals[code]
  if (!isWrite) return message
  return mayHaveHappened
    ? `${message}. The change may have been written; repeating the request is safe`
    : `${message}. Nothing was written`
}

/** A refusal whose message ends with the limit, from the rule that owns it (service facts 3.4). */
function refuseWithLimit(
  error: RegistryError,
  more: object = {},
  headers: Readonly<Record<string, string>> = {},
): Answer {
  const { status, code, message } = refusals[error.code]
  const limit = limitOf(error)
  const text = limit === undefined ? message : `${message} (${limit})`
  return {
    status,
    headers: { ...JSON_TYPE, ...headers },
    body: JSON.stringify({ message: text, code, ...more }),
  }
}

function limitOf({ issues }: RegistryError): number | string | undefined {
  const [issue] = issues
  return issue === undefined ? undefined : ruleOf(issue.code)?.limit?.max
}

// --- Rate limits ----------------------------------------------------------------------------------------------

/** The state of a bucket after a request. */
export interface BucketState {
  readonly bucket: string
  /** Requests allowed in a window. */
  readonly limit: number
  /** Requests left in this window. */
  readonly remaining: number
  /** Seconds until the window ends. */
  readonly secondsLeft: number
  /** Milliseconds since 1970. */
  readonly now: number
}

/** A response with the headers of its bucket, unless it already says when to retry. */
export function withBucket(answer: Answer, state: BucketState): Answer {
  if ('Retry-After' in answer.headers) return answer
  return { ...answer, headers: { ...bucketHeaders(state), ...answer.headers } }
}

/** All of the headers: some clients fail if only a part of them is there (client requirements 4). */
function bucketHeaders(state: BucketState): Readonly<Record<string, string>> {
  const after = seconds(state.secondsLeft)
  return {
    'X-RateLimit-Limit': String(state.limit),
    'X-RateLimit-Remaining': String(state.remaining),
    'X-RateLimit-Reset': String(seconds(state.now / 1000 + after)),
    'X-RateLimit-Reset-After': String(after),
    'X-RateLimit-Bucket': state.bucket,
  }
}

/** 429 for a request beyond its bucket. */
export function refuseLimited(state: Omit<BucketState, 'remaining'>): Answer {
  const { status, code, message } = refusals.rate_limited
  const { headers, retry } = wait(state.secondsLeft)
  return {
    status,
    headers: {
      ...JSON_TYPE,
      ...bucketHeaders({ ...state, remaining: 0 }),
      'X-RateLimit-Scope': 'user',
      ...headers,
    },
    body: JSON.stringify({ message, retry_after: retry, global: false, code }),
  }
}

/** The headers and the body field that say when to retry. */
function wait(secondsLeft: number): { headers: Readonly<Record<string, string>>; retry: number } {
  // HTTP has whole seconds; rounded up, so that the client does not retry too early.
  const after = String(Math.max(1, Math.ceil(secondsLeft)))
  return { headers: { 'Retry-After': after, Via: VIA }, retry: seconds(secondsLeft) }
}

/** Seconds, rounded up to milliseconds. */
function seconds(time: number): number {
  return Math.ceil(time * 1000) / 1000
}
