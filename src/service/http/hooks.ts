/** What the hooks of a host learn of a request: from where it came, who sent it, and how it was answered. */
import { argument, aString, demand, objectArgument } from '../../core/rules/arguments.ts'
import { optional } from '../../core/rules/readers.ts'
import { isObject } from '../../core/json.ts'
import type { HookRequest, Incoming, Outgoing } from '../../core/http-message.ts'
import type { CheckedPrincipal } from './principal.ts'
import { JSON_TYPE } from './respond.ts'

/** A request and what is known of it. */
export interface RequestContext {
  readonly request: HookRequest
  /** The pattern of the path without `basePath`, `/applications/{application.id}/commands`; null for no route. */
  readonly route: string | null
  /** The owner of the token; null until one is known. */
  readonly principal: CheckedPrincipal | null
}

/** A response that was given. */
export interface ResponseReport extends RequestContext {
  readonly status: number
  /** True if the client left before the response was sent: it has not received it. */
  readonly aborted: boolean
  /** Milliseconds from the head of the request to the response. */
  readonly duration: number
  /** The error behind a response 500 or 503; otherwise undefined. */
  readonly error: unknown
}

/** The progress of one request. */
export class RequestProgress implements RequestContext {
  readonly request: HookRequest
  readonly #started = performance.now()
  route: string | null = null
  principal: CheckedPrincipal | null = null
  error: unknown = undefined

  readonly #incoming: Incoming

  constructor(incoming: Incoming) {
    this.#incoming = incoming
    const { method, path, query, raw } = incoming
    // Hooks may take it apart, and must not read the body.
    const header = (name: string) => incoming.header(name)
    const request = { method, path, query, header }
    // Not listed: logs of the report would have its tokens, and JSON has no word for its sockets.
    this.request = Object.freeze(Object.defineProperty(request, 'raw', { value: raw }) as HookRequest)
  }

  /** Takes the error behind a response 500 or 503, and reports it. */
  failed(
    error: unknown,
    { onError }: { readonly onError: (error: unknown, context: RequestContext) => void },
  ): void {
    const { request, route, principal } = this
    this.error = error
    onError(error, Object.freeze({ request, route, principal }))
  }

  report(status: number): ResponseReport {
    const { request, route, principal, error } = this
    const duration = performance.now() - this.#started
    const aborted = this.#incoming.isAborted()
    return Object.freeze({ request, route, status, aborted, duration, principal, error })
  }
}

const demandRefusal = /* @__PURE__ */ demand(
  objectArgument({
    status: argument<number>(
      'an integer from 400 to 599',
      (value) => Number.isInteger(value) && value >= 400 && value <= 599,
    ),
    message: aString,
    code: optional(argument<number>('an integer', Number.isInteger)),
    retryAfter: optional(argument<number>('seconds', (value) => Number.isFinite(value) && value >= 0)),
  }),
)

/** The response to a refusal of the host; undefined for other values. @throws TypeError for an invalid one */
export function refusalOfHost(value: unknown): Outgoing | undefined {
  if (!isObject(value) || !('status' in value)) return undefined
  const { status, message, code = 0, retryAfter } = demandRefusal(value, 'refusal')
  const headers = {
    ...JSON_TYPE,
    ...(status === 401 && { 'WWW-Authenticate': 'Bot, Bearer' }),
    ...(retryAfter !== undefined && { 'Retry-After': String(Math.ceil(retryAfter)) }),
  }
  return { status, headers, body: JSON.stringify({ message, code }) }
}

/** The response to an error with a `refusal` of the host; undefined for another. @throws TypeError for an invalid one */
export function refusalInError(error: unknown): Outgoing | undefined {
  return error instanceof Error && 'refusal' in error ? refusalOfHost(error.refusal) : undefined
}
