/** The recorded requests. */
import { nodeFinder, positionsIn } from '../../authoring/locate.ts'
import { isObject, parsedJson } from '../../core/json.ts'
import type { Context, Query } from '../query.ts'
import { problemsIn, type RecordedRequest } from '../recorder.ts'

const MAX_LISTED = 500

/** The newest requests without their bodies, oldest first. */
export function requests(_query: Query, { recorder }: Context) {
  return recorder
    .requests()
    .slice(-MAX_LISTED)
    .map(({ request, response, changes, ...row }) => row)
}

export function exchanges(_query: Query, { recorder }: Context) {
  return recorder.requests()
}

/** A request by its id, or one of a file that the page has opened, with its problems and their lines in the formatted body. */
export function request(query: Query, { recorder }: Context) {
  const saved = query.value('saved')
  const found = isObject(saved)
    ? (saved as unknown as RecordedRequest)
    : recorder.find(Number(query.value('id')))
  if (found === undefined) throw new TypeError('this request is not kept any more; only the newest ones are')
  const issues = problemsIn(found)
  const text = JSON.stringify(parsedJson(found.request), null, 2) ?? ''
  const paths = issues.map(({ path }) => path)
  const position = positionsIn(text)
  const faults = paths.map(nodeFinder(text)).map(({ node }) => position((node.key ?? node).start).line)
  return { ...found, issues, faults: [...new Set(faults)] }
}
