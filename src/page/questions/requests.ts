import { isObject, parsedJson, type JsonObject } from '../../core/json.ts'
import { locateAll, positionsIn } from '../../core/locate.ts'
import { Query } from '../query.ts'
import type { RecordedRequest, RequestRow, SavedRequest } from '../answers.ts'
import type { Context } from '../viewer.ts'
import { problemsIn } from '../problems.ts'

/** The requests after an id, oldest first. */
export async function requests(query: Query, { recorder }: Context): Promise<readonly RequestRow[]> {
  const after = Number(query.value('after') ?? 0)
  return recorder.requestsSince(after).map(({ request, response, changes, ...row }) => row)
}

/** All requests with their bodies, to be saved. */
export async function exchanges(_query: Query, { recorder }: Context): Promise<readonly SavedRequest[]> {
  return recorder.requestsSince()
}

/** A request with its problems, and the lines of them when it has one value a line. */
export type RequestAnswer = Awaited<ReturnType<typeof request>>

/**
 * A request by its id, or one of a saved file.
 *
 * @throws TypeError when the request is not kept any more
 */
export async function request(query: Query, { recorder }: Context) {
  const saved = query.value('saved')
  const found = isObject(saved) ? savedRequest(saved) : recorder.find(Number(query.value('id')))
  if (found === undefined) throw new TypeError('this request is not kept any more; only the newest ones are')
  const issues = problemsIn(found)
  const text = JSON.stringify(parsedJson(found.request), null, 2) ?? ''
  const position = positionsIn(text)
  const places = locateAll(
    text,
    issues.map(({ path }) => path),
  )
  const faults = places.map(({ key, value }) => position((key ?? value).start).line)
  return { ...found, issues, faults: [...new Set(faults)] }
}

/** A request of a file; fields of other types count as absent. */
function savedRequest(saved: JsonObject): RecordedRequest {
  const query = new Query(saved)
  const number = (name: string) => Number(query.value(name))
  const text = (name: string) => query.text(name)
  return {
    id: number('id'),
    time: number('time'),
    status: number('status'),
    milliseconds: number('milliseconds'),
    direction: text('direction') === 'out' ? 'out' : 'in',
    method: text('method'),
    path: text('path'),
    credential: text('credential'),
    summary: text('summary'),
    events: [],
    request: text('request'),
    response: text('response'),
    changes: query.list('changes').map(String),
  }
}
