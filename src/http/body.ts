/** From the bytes of a request to the JSON value, within limits (clause 7-01). */
import { isForm, mostBytes, parseAnswer, parseJson } from '../answer/answer-body.ts'
import type { AnswerFile } from '../answer/message.ts'
import * as shape from '../command/shape.ts'
import { Report } from '../core/report.ts'
import { toErrorBody } from '../reference/error-body.ts'
import type { Outgoing, BodyRead, Incoming } from './message.ts'
import { refuse } from './respond.ts'

/** Calls `expire` when the time is over. The returned function cancels it. */
export type Deadline = (expire: () => void) => () => void

/** The limits of a body. */
export interface BodyLimits {
  /** The largest size. */
  readonly bytes: number
  /** The deepest nesting of lists and objects. */
  readonly depth: number
  readonly deadline: Deadline
}

/** A deadline on the system's timers. `Infinity` never expires. */
export function deadlineAfter(milliseconds: number): Deadline {
  if (milliseconds === Infinity) return () => () => {}
  return (expire) => {
    const timer = setTimeout(expire, milliseconds)
    return () => clearTimeout(timer)
  }
}

/** A parsed body, or the refusal of an invalid one. */
export type ReadBody =
  | { readonly value: unknown; readonly files: readonly AnswerFile[]; readonly refusal: null }
  | { readonly refusal: Outgoing }

/**
 * Reads and parses a JSON body. Checks, in this order: content type, size, time, encoding, nesting, JSON, and whether
 * it is an object.
 *
 * @param mustBeObject false if the registry checks the kind of the value
 */
export async function readBody(
  incoming: Incoming,
  limits: BodyLimits,
  mustBeObject: boolean,
): Promise<ReadBody> {
  if (!isJsonType(incoming.header('content-type')))
    return { refusal: refuse('invalid', wrongContentType("'application/json'")) }
  const read = await readInTime(incoming, limits.bytes, limits.deadline)
  if (typeof read === 'string') return { refusal: refuse(read) }
  let value: unknown
  try {
    value = parseJson(read, limits.depth)
  } catch {
    return { refusal: refuse('invalid_json') }
  }
  const report = new Report()
  if (mustBeObject && !report.check(shape.object, value))
    return { refusal: refuse('invalid', toErrorBody(report.errors)) }
  return { value, files: [], refusal: null }
}

function wrongContentType(types: string): object {
  const message = `Expected "Content-Type" header to be one of {${types}}.`
  return { errors: { _errors: [{ code: 'CONTENT_TYPE_INVALID', message }] } }
}

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i

function isJsonType(type: string | null): boolean {
  return type !== null && (type === 'application/json' || JSON_TYPE.test(type.trim()))
}

/**
 * Reads and parses the body of an answer or a follow-up: JSON, or a form with a part of JSON beside files. It may be
 * as large as its files.
 */
export async function readAnswerBody(incoming: Incoming, { deadline }: BodyLimits): Promise<ReadBody> {
  const type = incoming.header('content-type')
  if (!isJsonType(type) && !isForm(type))
    return { refusal: refuse('invalid', wrongContentType("'application/json', 'multipart/form-data'")) }
  const read = await readInTime(incoming, mostBytes(type), deadline)
  if (typeof read === 'string') return { refusal: refuse(read) }
  try {
    return { ...(await parseAnswer(read, type)), refusal: null }
  } catch {
    return { refusal: refuse('invalid_json') }
  }
}

function readInTime(incoming: Incoming, bytes: number, deadline: Deadline): Promise<BodyRead> {
  return new Promise((resolve) => {
    const stop = deadline(() => {
      resolve('body_timed_out')
      incoming.abandon()
    })
    void incoming.body(bytes).then((read) => {
      stop()
      resolve(read)
    })
  })
}
