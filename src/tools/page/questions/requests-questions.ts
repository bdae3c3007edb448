/** The recorded requests. */
import { nodeFinder, positionsIn } from '../../authoring/locate.ts'
import type { TrafficRequest } from '../../../interactions/bot/traffic.ts'
import { isObject, parsedJson } from '../../../core/json.ts'
import { counted } from '../../../core/text.ts'
import { errorsInResponse } from '../../../reference/response-errors.ts'
import { validateCommands } from '../../../commands/validate.ts'
import type { Context, Query } from './query.ts'
import { MAX_PROBLEMS, problemsOf, type Problem } from './decision-words.ts'

/** A request to the service (`in`), or an interaction that was sent to an app (`out`). */
interface RecordedRequest extends TrafficRequest {
  readonly status: number
  /** The codes of the rules it breaks. */
  readonly codes: readonly string[]
}

/** By entry, because validating every refused body again for each list takes long. */
const recorded = new WeakMap<TrafficRequest, RecordedRequest>()

function recordedAs(entry: TrafficRequest): RecordedRequest {
  const known = recorded.get(entry)
  if (known !== undefined) return known
  const { status, direction, response, summary } = entry
  const isRefused = (status ?? 0) >= 400 && direction === 'in'
  const request = {
    ...entry,
    status: status ?? 0,
    summary: isRefused ? issueSummary(response) : summary,
    codes: [...new Set(problemsIn(entry).map(({ code }) => code))],
  }
  recorded.set(entry, request)
  return request
}

/** All requests with their bodies, as they are exported, oldest first. */
export function exchanges(_query: Query, { session }: Context): readonly RecordedRequest[] {
  return session.traffic.requestsSince().map(recordedAs)
}

const MAX_LISTED = 500

export function requests(query: Query, context: Context) {
  const newest = exchanges(query, context).slice(-MAX_LISTED)
  return newest.map(({ request, response, changes, ...row }) => row)
}

/** A request by its id, or one of an opened file, with its problems and their lines in the formatted body. */
export function request(query: Query, context: Context) {
  const saved = query.value('saved')
  const found = isObject(saved)
    ? (saved as unknown as RecordedRequest)
    : exchanges(query, context).find(({ id }) => id === query.value('id'))
  if (found === undefined) throw new TypeError('this request is not kept any more; only the newest ones are')
  const issues = problemsIn(found)
  const text = JSON.stringify(parsedJson(found.request), null, 2) ?? ''
  const paths = issues.map(({ path }) => path)
  const position = positionsIn(text)
  const faults = paths.map(nodeFinder(text)).map(({ node }) => position((node.key ?? node).start).line)
  return { ...found, issues, faults: [...new Set(faults)] }
}

function issueSummary(response: string): string {
  const body = parsedJson(response)
  const errors = errorsInResponse(body).length
  if (errors > 0) return counted(Math.min(errors, MAX_PROBLEMS), 'issue')
  return isObject(body) && typeof body.message === 'string' ? body.message : ''
}

/** The issues of the library, with their rules; for a body that is not a list of commands, those of the response. */
function problemsIn({ method, path, status, request, response }: TrafficRequest): readonly Problem[] {
  if (status !== 400) return []
  const body = parsedJson(request)
  if (method === 'PUT' && path.endsWith('/commands') && body !== undefined) {
    const read = validateCommands(body, { scope: path.includes('/guilds/') ? 'guild' : 'global' })
    if (!read.ok) return problemsOf(read.issues, body)
  }
  const errors = errorsInResponse(parsedJson(response)).slice(0, MAX_PROBLEMS)
  return errors.map((error) => ({ ...error, place: error.path.join('.'), rule: null }))
}
