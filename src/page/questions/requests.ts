/** The recorded requests. */
import { isObject, parsedJson } from '../../core/json.ts'
import { nodeFinder, positionsIn } from '../../authoring/locate.ts'
import { Query, type Context } from '../query.ts'
import { problemsIn, type RecordedRequest } from '../recorder.ts'

export function requests(query: Query, { recorder }: Context) {
  const after = Number(query.value('after') ?? 0)
  return recorder.requestsSince(after).map(({ request, response, changes, ...row }) => row)
}

export function exchanges(_query: Query, { recorder }: Context) {
  return recorder.requestsSince()
}

/** A request by its id, or one of a saved file, with its problems and their lines in the formatted body. */
export function request(query: Query, { recorder }: Context) {
  const saved = query.value('saved')
  const found = isObject(saved) ? savedRequest(new Query(saved)) : recorder.find(Number(query.value('id')))
  if (found === undefined) throw new TypeError('this request is not kept any more; only the newest ones are')
  const issues = problemsIn(found)
  const text = JSON.stringify(parsedJson(found.request), null, 2) ?? ''
  const paths = issues.map(({ path }) => path)
  const position = positionsIn(text)
  const faults = paths.map(nodeFinder(text)).map(({ node }) => position((node.key ?? node).start).line)
  return { ...found, issues, faults: [...new Set(faults)] }
}

/** A request of a file; fields of other types count as absent. */
function savedRequest(query: Query): RecordedRequest {
  return {
    id: Number(query.value('id')),
    time: Number(query.value('time')),
    status: Number(query.value('status')),
    milliseconds: Number(query.value('milliseconds')),
    direction: query.text('direction') === 'out' ? 'out' : 'in',
    method: query.text('method'),
    path: query.text('path'),
    credential: query.text('credential'),
    summary: query.text('summary'),
    events: [],
    request: query.text('request'),
    response: query.text('response'),
    changes: query.list('changes').map(String),
  }
}
