/** Probes: what a bot's token can ask of a service, so that it shows whether a decision of this library is right. */
import type { Path } from '../../core/rules/rule.ts'

/**
 * A request. Names in braces stand for what is known only at the run: `{application}`, `{guild}`, `{channel}`, `{name}` of
 * the probe's own command, `{entry}` for the entry point, and `{0.id}` for a field of the first response.
 */
export interface ProbeRequest {
  readonly method: string
  readonly path: string
  /** JSON; a string is sent as it is. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface ExpectedError {
  readonly path: Path
  readonly code: string
  /** Absent if any will do. */
  readonly message?: string
}

/** What a response must have; everything else is not looked at. */
export interface ExpectedResponse {
  /** Absent for any status below 300. */
  readonly status?: number
  /** The `code` of the body. */
  readonly code?: number
  readonly errors?: readonly ExpectedError[]
  /** Fields of the body with their values, at any depth. Lists have the same length. */
  readonly body?: unknown
  /** Paths in the body, such as `0.options`, where nothing is. */
  readonly absent?: readonly string[]
  /** Fields of the body that have another value. */
  readonly differs?: Readonly<Record<string, string>>
}

/** What an application or its bot must have, so that a probe shows anything. */
export type ProbeNeed = 'activity' | 'no administrator' | 'no members intent'

/** A row: how to observe a clause. The response to the last request decides. */
export interface Probe {
  readonly clause: string
  /** What holds by the decision; together with the clause, the name of the row. */
  readonly holds: string
  readonly requests: readonly ProbeRequest[]
  readonly expects: ExpectedResponse
  /** What it means if the response is another one. */
  readonly otherwise: string
  readonly needs?: ProbeNeed
}

export const HERE = '/applications/{application}/guilds/{guild}/commands'
export const EVERYWHERE = '/applications/{application}/commands'
export const MESSAGES = '/channels/{channel}/messages'

/** The body of the probe's own command. */
export const own = (fields: object = {}): object => ({ name: '{name}', description: 'd', ...fields })
/** That of a user command. */
export const user = (fields: object = {}): object => ({ name: '{name}', type: 2, ...fields })
export const anOption = (fields = {}): object => ({ type: 3, name: 'o', description: 'd', ...fields })

export const get = (path: string, headers?: ProbeRequest['headers']): ProbeRequest => ({
  method: 'GET',
  path,
  ...(headers && { headers }),
})
export const post = (body: unknown = own(), path = HERE): ProbeRequest => ({ method: 'POST', path, body })
export const put = (body: unknown, path = HERE): ProbeRequest => ({ method: 'PUT', path, body })
export const patch = (id: string, body: unknown, path = HERE): ProbeRequest => ({
  method: 'PATCH',
  path: `${path}/${id}`,
  body,
})

export const coded = (status: number, code: number): ExpectedResponse => ({ status, code })

/** 50035, with an error at a path such as `options.0.name`; the empty path is the body. */
export function invalidAt(at: string, code: string, message?: string): ExpectedResponse {
  const path = at === '' ? [] : at.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step))
  return {
    ...coded(400, 50035),
    errors: [{ path, code, ...(message !== undefined && { message }) }],
  }
}

/** A row for a command that is taken, alone in a bulk overwrite. @param item fields of the response @param absent its fields */
export function takes(
  clause: string,
  holds: string,
  body: object,
  item: object,
  otherwise: string,
  { path = HERE, absent = [] as readonly string[] } = {},
): Probe {
  const expects = { body: [item], ...(absent.length > 0 && { absent: absent.map((key) => `0.${key}`) }) }
  return { clause, holds, requests: [put([body], path)], expects, otherwise }
}

/** A row for a command that is refused with an error at a path in it. */
export function refuses(
  clause: string,
  holds: string,
  body: object,
  at: string,
  code: string,
  otherwise = ACCEPTED,
  path = HERE,
): Probe {
  const expects = invalidAt(at === '' ? '0' : `0.${at}`, code)
  return { clause, holds, requests: [put([body], path)], expects, otherwise }
}

export function asks(
  clause: string,
  holds: string,
  requests: readonly ProbeRequest[],
  expects: ExpectedResponse,
  otherwise: string,
  needs?: ProbeNeed,
): Probe {
  return { clause, holds, requests, expects, otherwise, ...(needs && { needs }) }
}

/** What most accepted bodies mean. */
export const ACCEPTED = 'the rule becomes a warning, or gets the code that came'
/** What most refused bodies mean. */
export const REFUSED = 'a rule has to refuse it, with the code that came'
