/**
 * Outcomes and refusals as the service answers them: the only place that knows status numbers, JSON error codes
 * and their messages (clause 7-01, service facts 3.1 to 3.4).
 */
import { ruleOf } from '../catalogue.ts'
import * as shape from '../command/shape.ts'
import type { WireError } from '../core/rule.ts'
import { INVALID_FORM_BODY, toErrorBody, type ErrorNode } from '../issues/error-body.ts'
import type { RegistryError, RegistryErrorCode } from '../registry/error.ts'
import type { Answer, BodyFailure } from './message.ts'
import type { Denial } from './principal.ts'

/** How a call went well, and the status that says so. */
const statuses = { found: 200, created: 201, updated: 200, removed: 204 } as const

export type Outcome = keyof typeof statuses

/** The status of an outcome. */
export function statusOf(outcome: Outcome): number {
  return statuses[outcome]
}

/** Every reason for which nothing was done. */
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
  | 'server_fault'
  | RegistryErrorCode

interface Wording {
  readonly status: number
  /** The service's own error code; 0 for what has none. */
  readonly code: number
  readonly message: string
}

/** What each refusal looks like on the wire. Anything a client can cause is below 500: clients repeat the rest. */
export const refusals: { readonly [Key in Refusal]: Wording } = {
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
    message: 'The body was read before it came here; mount the service before body parsers',
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
  activities_unavailable: { status: 500, code: 0, message: '500: Internal Server Error' },
  busy: { status: 503, code: 0, message: '503: Service Unavailable' },
  storage: { status: 503, code: 0, message: '503: Service Unavailable' },
  server_fault: { status: 500, code: 0, message: '500: Internal Server Error' },
}

/** Exactly this, without a charset: many clients compare the whole value (client requirements A1). */
const JSON_TYPE = Object.freeze({ 'Content-Type': 'application/json' })
const NO_HEADERS = Object.freeze({})

/** What a proxy would add. A client takes a 429 without it for a ban (service facts 3.1). */
export const VIA = '1.1 commandry'

/** The answer of a call that went well; without a body there is no content type either (A2). */
export function succeed(outcome: Outcome, body: string | Uint8Array | null): Answer {
  return { status: statuses[outcome], headers: body === null ? NO_HEADERS : JSON_TYPE, body }
}

/** A page of the handler's own, such as the application of a token. */
export function json(value: unknown): Answer {
  return succeed('found', JSON.stringify(value))
}

/** The answer to a refusal that needs no more than its name. */
export function refuse(refusal: Refusal, headers?: Readonly<Record<string, string>>): Answer {
  const { status, code, message } = refusals[refusal]
  return {
    status,
    headers: headers === undefined ? JSON_TYPE : { ...JSON_TYPE, ...headers },
    body: JSON.stringify({ message, code }),
  }
}

const encoder = new TextEncoder()

/** The answer to HEAD: what GET would have answered, and how long its body would have been. */
export function withoutBody({ status, headers, body }: Answer): Answer {
  if (body === null) return { status, headers, body }
  const length = typeof body === 'string' ? encoder.encode(body).length : body.length
  return { status, headers: { ...headers, 'Content-Length': String(length) }, body: null }
}

/** The answer to OPTIONS. */
export function showMethods(allow: string): Answer {
  return { status: 204, headers: { Allow: allow }, body: null }
}

/** The answer to a known path with a method it does not have. */
export function refuseMethod(allow: string): Answer {
  return refuse('method_not_allowed', { Allow: allow })
}

/** The answer to somebody nobody knows; RFC 9110 wants the ways to be known named. */
export function refuseUnknown(): Answer {
  return refuse('unauthorized', { 'WWW-Authenticate': 'Bot, Bearer' })
}

/** The answer to faults of form, each at its place. */
export function refuseForm(errors: ErrorNode): Answer {
  const { status, code, message } = refusals.invalid
  return { status, headers: JSON_TYPE, body: JSON.stringify({ message, code, errors }) }
}

/** What is wrong with a text that has to be a snowflake: the same in a path as in a body. */
export function notSnowflake(text: string): WireError {
  return shape.snowflake.wire(shape.found(text))
}

export const wrongContentType: ErrorNode = {
  _errors: [
    {
      code: 'CONTENT_TYPE_INVALID',
      message: `Expected "Content-Type" header to be one of {'application/json'}.`,
    },
  ],
}

export const notBoolean: ErrorNode = {
  _errors: [{ code: 'BOOLEAN_TYPE_CONVERT', message: 'Must be either true or false.' }],
}

/** The answer to a failure of the registry. */
export function refuseError(error: RegistryError): Answer {
  switch (error.code) {
    case 'invalid':
      return {
        status: refusals.invalid.status,
        headers: JSON_TYPE,
        body: JSON.stringify(toErrorBody(error.issues)),
      }
    case 'too_many_commands':
      return numbered(error)
    case 'daily_creates_exhausted': {
      // No bucket: clients hold back all that shares one with it, and updates are still allowed (clause 8-02).
      const { headers, retry } = wait(error.retryAfter ?? 0)
      return numbered(error, { retry_after: retry, global: false }, headers)
    }
    case 'busy':
    case 'storage':
      return refuse(error.code, { 'Retry-After': '1' })
    default:
      return refuse(error.code)
  }
}

/** A refusal that names the limit that was reached, as the rule that owns it says (service facts 3.4). */
function numbered(
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

function limitOf({ issues }: RegistryError): number | undefined {
  const [issue] = issues
  return issue === undefined ? undefined : ruleOf(issue.code)?.limit?.max
}

// --- Rate limits ----------------------------------------------------------------------------------------------

/** How a bucket stands after a request. */
export interface BucketState {
  readonly bucket: string
  /** Requests a window allows, and how many are left of them. */
  readonly limit: number
  readonly remaining: number
  /** Until the window ends. */
  readonly secondsLeft: number
  /** Milliseconds since 1970. */
  readonly now: number
}

/** An answer and how the bucket of its request stands, but for one that tells of another wait. */
export function withBucket(answer: Answer, state: BucketState): Answer {
  if ('Retry-After' in answer.headers) return answer
  return { ...answer, headers: { ...bucketHeaders(state), ...answer.headers } }
}

/** The whole set of headers: clients take a part of them worse than none (client requirements 4). */
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

/** The answer to a request for which its bucket has nothing left. */
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

/** How every 429 tells when to come again. */
function wait(secondsLeft: number): { headers: Readonly<Record<string, string>>; retry: number } {
  // Whole seconds, as HTTP has it; never so few that the client comes too early.
  const after = String(Math.max(1, Math.ceil(secondsLeft)))
  return { headers: { 'Retry-After': after, Via: VIA }, retry: seconds(secondsLeft) }
}

/** Seconds in milliseconds' precision, rounded up. */
function seconds(time: number): number {
  return Math.ceil(time * 1000) / 1000
}
