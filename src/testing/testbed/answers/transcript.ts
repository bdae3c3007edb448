/** The traffic of a bot as lines of text, and its requests as data. */
import type { Traffic, TrafficEntry, TrafficRequest } from '../../../interactions/bot/traffic.ts'
import { isObject, parsedJson } from '../../../core/json.ts'
import { errorsInResponse } from '../../../reference/response-errors.ts'

/** A request of the bot, or an answer in a response of its endpoint that the service has notes on. */
export interface LoggedRequest {
  readonly method: string
  /** The path and the query, with masked tokens. */
  readonly path: string
  readonly status: number
  /** Why the request was refused. Absent for other requests. */
  readonly error?: string
  /** What the service ignored in the body, such as flags of a deferred answer. Absent for nothing. */
  readonly notes?: readonly string[]
  /** The files beside the body. Absent for none. */
  readonly files?: readonly {
    readonly filename: string
    readonly content_type: string
    readonly size: number
  }[]
  /** The JSON body, with masked tokens. Absent if it is larger than 256 KiB or not JSON. */
  readonly body?: unknown
}

const MAX_LINE_BODY_LENGTH = 1_000
const MAX_ERROR_LENGTH = 500
const SHORT_LINE_LENGTH = 300

export function requestsAfter(traffic: Traffic, id: number): readonly LoggedRequest[] {
  const requests = traffic.requestsSince(id).filter((entry) => entry.direction === 'in' || entry.notes)
  return requests.map((entry) => {
    const { method, path, request, response, direction } = entry
    const [error, body] = [errorOf(entry), parsedJson(direction === 'in' ? request : response)]
    return {
      method,
      path,
      status: entry.status ?? 0,
      ...(error !== '' && { error }),
      ...(entry.notes && { notes: entry.notes }),
      ...(entry.files && { files: entry.files }),
      ...(body !== undefined && { body }),
    }
  })
}

/** The requests after an entry for which the service has no route, such as `PUT /api/v10/…`. */
export function unknownRoutesAfter(traffic: Traffic, id: number): readonly string[] {
  const unmatched = incoming(traffic, id).filter(({ isUnmatched }) => isUnmatched)
  return [...new Set(unmatched.map(({ method, path }) => `${method} ${path}`))]
}

/** The entries after one, a line each, with the first characters of their bodies. */
export function linesAfter(traffic: Traffic, id: number, maxBody = MAX_LINE_BODY_LENGTH): readonly string[] {
  return traffic.since(id).map((entry) => {
    const [head, body] = lineOf(entry)
    return body === '' ? head : `${head} ${body.length <= maxBody ? body : `${body.slice(0, maxBody)}…`}`
  })
}

/** The requests of bots after an entry, a short line each, with the reason of a refusal. */
export function sentAfter(traffic: Traffic, id: number): readonly string[] {
  return incoming(traffic, id).map((entry) => lineOf(entry)[0].slice(0, SHORT_LINE_LENGTH))
}

function incoming(traffic: Traffic, id: number): readonly TrafficRequest[] {
  return traffic.requestsSince(id).filter(({ direction }) => direction === 'in')
}

function lineOf(entry: TrafficEntry): readonly [head: string, body: string] {
  const arrow = entry.direction === 'in' ? '-->' : '<--'
  if (entry.kind === 'frame') return [entry.note === '' ? arrow : `${arrow} ${entry.note}`, entry.body]
  const { method, path, status, request } = entry
  if (entry.direction === 'out') return [`${arrow} INTERACTION_CREATE`, request]
  const error = errorOf(entry)
  return [`${arrow} ${method} ${path} ${status}${error === '' ? '' : ` (${error})`}`, request]
}

/** The problems in a refusal; empty for other responses. */
function errorOf({ status, response }: TrafficRequest): string {
  const refusal = (status ?? 0) >= 400 ? parsedJson(response) : undefined
  if (!isObject(refusal)) return ''
  const fields = errorsInResponse(refusal).map(({ path, message }) => `${path.join('.')}: ${message}`)
  return [refusal.message, ...fields].join('; ').slice(0, MAX_ERROR_LENGTH)
}
