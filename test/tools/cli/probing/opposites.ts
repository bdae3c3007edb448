/** A service with the opposite of some decisions: it answers the last request of their probes otherwise. */
import { scene } from 'commandry/testing'
import { SERVER, type Fate, type Sent } from './discord.ts'

/** A row of `commandry vectors`, or a case as one. */
export interface Row {
  readonly clause: string
  readonly holds: string
  readonly requests: readonly { method: string; path: string; body?: any; headers?: any }[]
  readonly expects: { readonly status?: number; readonly body?: any; readonly absent?: readonly string[] }
}

/** The rows that a run asks, in its order. */
export function rowsOf({
  cases,
  probes,
}: {
  readonly cases: readonly any[]
  readonly probes: readonly Row[]
}) {
  const ofRules = cases
    .filter(({ errors, context }) => errors !== null && context?.application === undefined)
    .map(({ rule, on, body }): Row => {
      const list = on === 'commands' ? body : [body]
      const request = { method: 'PUT', path: '{any}/commands', body: list }
      return { clause: '', holds: rule, requests: [request], expects: { status: 400 } }
    })
  return [...ofRules, ...probes]
}

/** The patterns of names whose values are the same in every run. */
const KNOWN: Readonly<Record<string, string>> = { application: scene.applicationId, guild: SERVER, any: '.+' }
const NAME = /\{((?:\d\.)*[a-z]\w*)\}/g

/** Whether a text is that of a row, with any values for its names but the own one. */
function fits(text: string, pattern: string, index: number): boolean {
  const parts = pattern.split(NAME).map((part, i) => {
    if (i % 2 === 0) return part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
    return KNOWN[part] ?? (part === 'name' ? `probe-${index}(?!\\d)` : '[\\w-]+')
  })
  return new RegExp(`^${parts.join('')}$`, 'u').test(text)
}

const textOf = (body: unknown) => JSON.stringify(body) ?? ''

/** Every list contains the entry point of the application. */
const ownItems = (body: unknown) =>
  Array.isArray(body) ? body.filter((item) => item?.type !== 4 || item.id === undefined) : body

function fitsRequest(
  { method, path, body, text, headers }: Sent,
  asked: Row['requests'][number],
  index: number,
) {
  const wanted = asked.path.startsWith('/../..') ? asked.path.slice('/../..'.length) : `/api/v10${asked.path}`
  return (
    method === asked.method &&
    fits(path, asked.path.startsWith('{any}') ? asked.path : wanted, index) &&
    (typeof asked.body === 'string'
      ? fits(text, asked.body, index)
      : fits(textOf(ownItems(body)), textOf(asked.body), index)) &&
    Object.entries(asked.headers ?? {}).every(([key, value]) => headers[key] === value)
  )
}

/** What the opposite decision answers: it accepts what was refused, and returns or refuses otherwise what was accepted. */
function opposite({ expects: { status, body } }: Row): Response {
  if (status !== undefined) return Response.json({}, { status: status === 200 ? 400 : 200 })
  if (Object.keys(body ?? {}).length === 0)
    return Response.json({ message: 'Invalid Form Body', code: 50035 }, { status: 400 })
  return Response.json(Array.isArray(body) ? [] : {}, { status: 200 })
}

/** @param planted the indexes of the rows whose decisions are the opposite */
export function opposites(rows: readonly Row[], planted: ReadonlySet<number>): Fate {
  const log: Sent[] = []
  return async (sent, pass) => {
    const response = await pass()
    // What is asked before the channel is there belongs to no probe.
    if (log.length > 0 || sent.path.endsWith('/channels')) log.push(sent)
    const row = rows.findIndex(({ requests }, index) => {
      const last = log.slice(-requests.length)
      return (
        planted.has(index) &&
        last.length === requests.length &&
        last.every((one, at) => requests[at] && fitsRequest(one, requests[at], index))
      )
    })
    if (row >= 0) return opposite(rows[row]!)
    return sent.method === 'PUT' && Array.isArray(sent.body) && sent.body.length > 1
      ? withoutPlanted(rows, planted, sent, response)
      : response
  }
}

/** A list of commands that are asked together, without what shows the decisions. */
async function withoutPlanted(
  rows: readonly Row[],
  planted: ReadonlySet<number>,
  sent: Sent,
  response: Response,
) {
  const body = (await response.json()) as any
  for (const [place, item] of (sent.body as readonly { name?: unknown }[]).entries()) {
    const isPlanted = rows.some(
      ({ requests: [request, ...others] }, index) =>
        others.length === 0 &&
        planted.has(index) &&
        request!.method === 'PUT' &&
        fitsRequest({ ...sent, body: [item] }, request!, index),
    )
    if (!isPlanted) continue
    if (body.errors) delete body.errors[place]
    else if (Array.isArray(body))
      body.splice(
        body.findIndex(({ name }) => name === item.name),
        1,
      )
  }
  return Response.json(body, { status: response.status })
}
