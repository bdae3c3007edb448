import { isObject } from '../../core/json.ts'
import { locateAll, positionsIn } from '../../core/locate.ts'
import { validateCommands } from '../../reference/validate.ts'
import type { Query } from '../query.ts'
import type { Exchanged, Row } from '../recorder.ts'
import type { Context } from '../viewer.ts'
import { problemsOf, type Problem } from './use.ts'

/** A request with its bodies and with what is wrong with it. */
export interface RequestAnswer extends Exchanged {
  readonly issues: readonly Problem[]
  /** Lines of the request, as it is shown with one value a line, that something is wrong with. */
  readonly faults: readonly number[]
}

/** The requests after an id, oldest first. */
export async function requests(query: Query, { recorder }: Context): Promise<readonly Row[]> {
  const after = query.value('after')
  return recorder.after(typeof after === 'number' ? after : 0)
}

/** @throws TypeError when the request is not kept any more */
export async function request(query: Query, { recorder }: Context): Promise<RequestAnswer> {
  const found = recorder.find(Number(query.value('id')))
  if (found === undefined) throw new TypeError('this request is not kept any more; the last 500 are')
  const body = parsed(found.request)
  const issues = found.status === 400 ? issuesOf(found, body) : []
  const text = JSON.stringify(body, null, 2) ?? ''
  const position = positionsIn(text)
  const places = locateAll(
    text,
    issues.map(({ path }) => path),
  )
  const faults = places.map(({ key, value }) => position((key ?? value).start).line)
  return { ...found, issues, faults: [...new Set(faults)] }
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
function issuesOf({ method, path, response }: Exchanged, body: unknown): readonly Problem[] {
  if (method === 'PUT' && /\/commands$/.test(path) && body !== undefined) {
    const scope = path.includes('/guilds/') ? 'guild' : 'global'
    const read = validateCommands(body, { scope })
    if (!read.ok) return problemsOf(read.issues, body)
  }
  const answer = parsed(response)
  return isObject(answer) ? [...fieldErrors(answer.errors, [])].slice(0, 200) : []
}

function* fieldErrors(node: unknown, path: Problem['path']): Generator<Problem> {
  if (!isObject(node) || path.length > 40) return
  for (const [key, value] of Object.entries(node)) {
    if (key !== '_errors') yield* fieldErrors(value, [...path, /^[0-9]+$/.test(key) ? Number(key) : key])
    else if (Array.isArray(value)) {
      for (const { code, message } of value as Problem[]) yield { path, place: path.join('.'), code, message }
    }
  }
}
