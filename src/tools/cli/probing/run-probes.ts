/** Asks probes of a service, one after the other, and compares the responses. */
import { isObject, valueAt, type JsonObject } from '../../../core/json.ts'
import { differenceFrom, relevantPart, type ProbeResponse } from '../../../reference/probes/judge.ts'
import type { Probe, ProbeNeed, ProbeRequest } from '../../../reference/probes/probe.ts'
import type { Io } from '../base/io.ts'
import { persistently, UncertainError, type ProbeSender } from './sender.ts'

/** What is known of a place in which probes are asked. */
export interface ProbePlace {
  readonly send: ProbeSender
  readonly isPatient: boolean
  /** The values of `{application}`, `{guild}`, `{channel}` and so on; what is missing is not asked. */
  readonly names: Readonly<Record<string, string | undefined>>
  /** The commands that were there before, by the path of their list: every overwrite contains them. */
  readonly kept: Readonly<Record<string, readonly JsonObject[]>>
  /** Why a need is not met; null if it is. */
  readonly unmet: (need: ProbeNeed) => string | null
}

export type ProbeOutcome = 'as decided' | 'otherwise' | 'not observed'

/** What became of a probe. */
export interface Observation {
  readonly probe: Probe
  readonly outcome: ProbeOutcome
  /** What came, or why nothing did; empty for what is as decided. */
  readonly came: string
  readonly response?: ProbeResponse
}

/** How many probes one list asks. */
export const BATCH = 25
const NAME = /\{((?:\d\.)*[a-z]\w*)\}/g

/**
 * @param record gets each observation at once
 * @throws StopError when the run must end
 */
export async function runProbes(
  io: Io,
  place: ProbePlace,
  probes: readonly Probe[],
  record: (observation: Observation) => Promise<void> | void,
): Promise<void> {
  const nameOf = new Map(probes.map((probe, index) => [probe, `probe-${index}`]))
  const done = new Set<Probe>()
  for (const batch of probeBatches(probes)) {
    for (const observation of await askTogether(io, place, batch, nameOf)) {
      done.add(observation.probe)
      await record(observation)
    }
  }
  for (const probe of probes)
    if (!done.has(probe)) await record(await askOne(io, place, probe, nameOf.get(probe)!))
}

// --- Names ----------------------------------------------------------------------------------------------------

type Names = ProbePlace['names']

class MissingName extends Error {}

function filledText(text: string, names: Names, responses: readonly ProbeResponse[]): string {
  return text.replace(NAME, (_, name: string) => {
    const [first = '', ...rest] = name.split('.')
    const value = rest.length > 0 ? valueAt(responses[Number(first)]?.body, rest) : names[name]
    if (typeof value === 'string') return value
    throw new MissingName(
      rest.length > 0
        ? `request ${Number(first) + 1} responds with ${responses[Number(first)]?.status}`
        : `the run has no value for ${name}`,
    )
  })
}

/** A request with values for its names, and with the commands that must stay. */
function filled(
  { method, path, body, headers }: ProbeRequest,
  { names, kept }: Pick<ProbePlace, 'names' | 'kept'>,
  responses: readonly ProbeResponse[],
): ProbeRequest {
  const text = body === undefined ? undefined : filledText(JSON.stringify(body), names, responses)
  const read: unknown = text === undefined ? undefined : JSON.parse(text)
  const isList = method === 'PUT' && Array.isArray(read)
  return {
    method,
    path: filledText(path, names, responses),
    ...(text !== undefined && { body: isList ? [...read, ...(kept[path] ?? [])] : read }),
    ...(headers && { headers }),
  }
}

/** A response with names for the ids in it, so that it can be compared with that of another run. */
function named(
  { status, body }: ProbeResponse,
  { names, kept }: Pick<ProbePlace, 'names' | 'kept'>,
  path: string,
  responses: readonly ProbeResponse[],
): ProbeResponse {
  const ids = new Map<unknown, string>()
  const add = (value: unknown, name: string) => {
    if (typeof value === 'string' && !ids.has(value)) ids.set(value, `{${name}}`)
  }
  for (const name of ['application', 'guild', 'channel', 'entry']) add(names[name], name)
  const versions = new Map<unknown, string>()
  for (const [index, { body: earlier }] of responses.entries()) {
    add(valueAt(earlier, ['id']), `${index}.id`)
    const version = valueAt(earlier, ['version'])
    if (!versions.has(version)) versions.set(version, `{${index}.version}`)
  }
  const keptIds = new Set((kept[path] ?? []).map(({ id }) => id))
  const own = Array.isArray(body) ? body.filter((item) => !(isObject(item) && keptIds.has(item.id))) : body
  const text = JSON.stringify(own ?? null, (key, value: unknown) => {
    if (key === 'version') return versions.get(value) ?? '{version}'
    // Nor does the file say who is in the server.
    if (key === 'nick' || (isObject(value) && 'username' in value)) return undefined
    return typeof value === 'string' && /(?:^|_)id$/.test(key) ? (ids.get(value) ?? '{id}') : value
  })
  return { status, body: JSON.parse(text ?? 'null') }
}

// --- One probe ------------------------------------------------------------------------------------------------

async function askOne(io: Io, place: ProbePlace, probe: Probe, name: string): Promise<Observation> {
  const { needs, requests, expects } = probe
  const why = needs === undefined ? null : place.unmet(needs)
  if (why !== null) return { probe, outcome: 'not observed', came: why }
  const own = { ...place, names: { ...place.names, name } }
  try {
    // Whether an earlier request was carried out is uncertain after a failure, so all are sent again.
    const response = await persistently(io, place.isPatient, async () => {
      const responses: ProbeResponse[] = []
      for (const request of requests) {
        const { method, path } = request
        responses.push(await place.send(filled(request, own, responses), `${method} ${path}`))
      }
      return named(responses.at(-1)!, own, requests.at(-1)!.path, responses.slice(0, -1))
    })
    const came = differenceFrom(expects, response)
    if (came !== null && cannotShow(response, place))
      return { probe, outcome: 'not observed', came, response }
    if (came !== null) return { probe, outcome: 'otherwise', came, response }
    return { probe, outcome: 'as decided', came: '', response: relevantPart(expects, response) }
  } catch (error) {
    if (!(error instanceof UncertainError || error instanceof MissingName)) throw error
    return { probe, outcome: 'not observed', came: error.message }
  }
}

/** Whether the bot lacks a permission, or a service for tests lacks the route. */
function cannotShow({ status, body }: ProbeResponse, { isPatient }: ProbePlace): boolean {
  const code = isObject(body) ? body.code : undefined
  return (status === 403 && code === 50013) || (!isPatient && status === 404 && (code ?? 0) === 0)
}

// --- Many probes in one request -------------------------------------------------------------------------------

/** The probes about one item of a list, those that expect the same fate together. */
function probeBatches(probes: readonly Probe[]): readonly (readonly Probe[])[] {
  const groups = new Map<string, Probe[]>()
  for (const probe of probes.filter(isAboutItem)) {
    const key = `${probe.requests[0]!.path} ${probe.expects.status}`
    groups.set(key, [...(groups.get(key) ?? []), probe])
  }
  return [...groups.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / BATCH) }, (_, i) =>
      group.slice(i * BATCH, (i + 1) * BATCH),
    ),
  )
}

/** Whether a probe can be asked with others in one list. */
export function isAboutItem({ requests, expects: { status, errors, body }, needs }: Probe): boolean {
  const [request, ...others] = requests
  if (others.length > 0 || needs !== undefined || request?.method !== 'PUT') return false
  if (!Array.isArray(request.body) || request.body.length !== 1 || !isObject(request.body[0])) return false
  return status === undefined
    ? Array.isArray(body)
    : errors !== undefined && errors.every(({ path }) => path[0] === 0 && path.length > 1)
}

/** One request for all; the probes that its response does not decide are left out. */
async function askTogether(
  io: Io,
  place: ProbePlace,
  batch: readonly Probe[],
  nameOf: ReadonlyMap<Probe, string>,
): Promise<readonly Observation[]> {
  const { path } = batch[0]!.requests[0]!
  try {
    const items = batch.map((probe) => {
      const own = { names: { ...place.names, name: nameOf.get(probe) }, kept: {} }
      return (filled(probe.requests[0]!, own, []).body as readonly JsonObject[])[0]!
    })
    const request = filled({ method: 'PUT', path, body: items }, place, [])
    const whole = await persistently(io, place.isPatient, () => place.send(request, `PUT ${path}`))
    const response = named(whole, place, path, [])
    return batch.flatMap((probe, index): readonly Observation[] => {
      const part = partOf(response, index, items[index]!)
      if (part === undefined || differenceFrom(probe.expects, part) !== null) return []
      return [{ probe, outcome: 'as decided', came: '', response: relevantPart(probe.expects, part) }]
    })
  } catch (error) {
    if (error instanceof UncertainError || error instanceof MissingName) return []
    throw error
  }
}

/** What a response to a list says of one item, as if it had been alone. */
function partOf({ status, body }: ProbeResponse, index: number, item: JsonObject): ProbeResponse | undefined {
  if (Array.isArray(body)) {
    const same = body.filter(
      (one) => isObject(one) && one.name === item.name && one.type === (item.type ?? 1),
    )
    return { status, body: same }
  }
  const errors = isObject(body) && isObject(body.errors) ? body.errors[index] : undefined
  return errors === undefined ? undefined : { status, body: { ...(body as object), errors: { 0: errors } } }
}
