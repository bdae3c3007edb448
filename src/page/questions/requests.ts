import { isObject, type JsonObject } from '../../core/json.ts'
import { locateAll, positionsIn } from '../../core/locate.ts'
import { validateCommands } from '../../reference/validate.ts'
import { Query } from '../query.ts'
import { fieldErrors } from '../field-errors.ts'
import type { Exchanged, Problem, RequestAnswer, RequestRow, SavedRequest } from '../answers.ts'
import type { Context } from '../viewer.ts'
import { problemsOf } from './use.ts'

/** The requests after an id, oldest first. */
export async function requests(query: Query, { recorder }: Context): Promise<readonly RequestRow[]> {
  const after = Number(query.value('after') ?? 0)
  const rows = recorder.all().filter(({ id }) => id > after)
  return rows.map(withCodes).map(({ request, response, changes, ...row }) => row)
}

/** All requests with their bodies, to be saved. */
export async function exchanges(_query: Query, { recorder }: Context): Promise<readonly SavedRequest[]> {
  return recorder.all().map(withCodes)
}

function withCodes(exchanged: Exchanged): SavedRequest {
  return { ...exchanged, codes: [...new Set(issuesOf(exchanged).map(({ code }) => code))] }
}

/**
 * A request by its id, or one of a saved file.
 *
 * @throws TypeError when the request is not kept any more
 */
export async function request(query: Query, { recorder }: Context): Promise<RequestAnswer> {
  const given = query.value('exchange')
  const found = isObject(given) ? exchangeOf(given) : recorder.find(Number(query.value('id')))
  if (found === undefined) throw new TypeError('this request is not kept any more; the last 500 are')
  const issues = issuesOf(found)
  const text = JSON.stringify(parsed(found.request), null, 2) ?? ''
  const position = positionsIn(text)
  const places = locateAll(
    text,
    issues.map(({ path }) => path),
  )
  const faults = places.map(({ key, value }) => position((key ?? value).start).line)
  return { ...found, issues, faults: [...new Set(faults)] }
}

/** An exchange of a file, which anybody may have written. */
function exchangeOf(given: JsonObject): Exchanged {
  const query = new Query(given)
  const [id, time, status, milliseconds] = ['id', 'time', 'status', 'milliseconds'].map((name) =>
    Number(query.value(name)),
  )
  const text = (name: string) => query.text(name)
  return {
    ...{ id: id!, time: time!, status: status!, milliseconds: milliseconds! },
    ...{ direction: text('direction') === 'out' ? 'out' : 'in', method: text('method'), path: text('path') },
    ...{ credential: text('credential'), summary: text('summary'), events: [] },
    ...{ request: text('request'), response: text('response'), changes: query.list('changes').map(String) },
  }
}

/** Forgets all requests. */
export async function clear(_query: Query, { recorder }: Context): Promise<object> {
  recorder.clear()
  return {}
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The issues of the library, with their rules; for a body that is not a list of commands, those of the response. */
function issuesOf({ method, path, status, request, response }: Exchanged): readonly Problem[] {
  if (status !== 400) return []
  const body = parsed(request)
  if (method === 'PUT' && /\/commands$/.test(path) && body !== undefined) {
    const read = validateCommands(body, { scope: path.includes('/guilds/') ? 'guild' : 'global' })
    if (!read.ok) return problemsOf(read.issues, body)
  }
  const answer = parsed(response)
  const errors = isObject(answer) ? fieldErrors(answer.errors) : []
  return errors.map((error) => ({ ...error, place: error.path.join('.'), rule: null }))
}
