/** From the bytes of a request to the JSON value, within limits (clause 7-01). */
import type { AnswerFile } from '../../model/answer-types.ts'
import { mostBytes, parseAnswer, TooLargeFileError } from '../../interactions/answer/answer-body.ts'
import { isForm, TooManyPartsError } from '../../interactions/answer/form.ts'
import { messageRules } from '../../interactions/answer/message-rules.ts'
import * as shape from '../../core/rules/shape-rules.ts'
import { NestedTooDeep, parseIds, parseJson, TOO_DEEP } from '../../core/json.ts'
import { Report } from '../../core/rules/report.ts'
import { realTimers } from '../../core/timers.ts'
import { toErrorBody } from '../../reference/error-body.ts'
import type { BodyRead, Incoming } from '../../core/http-message.ts'
import { Refused } from '../refusals.ts'

/** Calls `expire` when the time is over. The returned function cancels it. */
export type Deadline = (expire: () => void) => () => void

export interface BodyLimits {
  readonly bytes: number
  readonly deadline: Deadline
}

/** A deadline in real time. `Infinity` never expires. */
export function deadlineAfter(milliseconds: number): Deadline {
  if (milliseconds === Infinity) return () => () => {}
  return (expire) => {
    const timer = realTimers.start(expire, milliseconds)
    return () => realTimers.stop(timer)
  }
}

export interface RequestBody {
  readonly body: unknown
  readonly files: readonly AnswerFile[]
}

/** Reads the body of a route, which has the schema of this name; see `Route`. @throws Refused */
export async function readBodyOf(
  schema: string | undefined,
  incoming: Incoming,
  limits: BodyLimits,
): Promise<RequestBody> {
  if (schema === undefined) return { body: undefined, files: [] }
  if (schema === 'InteractionCallback' || schema === 'Message') return readAnswerBody(incoming, limits)
  const isList = schema === 'CommandsOverwrite' || schema === 'list'
  return readBody(incoming, limits, !isList, schema === 'fields' || schema === 'list')
}

/**
 * Reads and parses a JSON body. Checks, in this order: content type, size, time, encoding, nesting, JSON, and whether
 * it is an object.
 *
 * @param mustBeObject false if the registry checks the kind of the value
 * @param areFields whether no body is an object without fields, and ids may be integers; those of commands have bounds
 * of their own
 * @throws Refused
 */
export async function readBody(
  incoming: Incoming,
  limits: BodyLimits,
  mustBeObject: boolean,
  areFields = false,
): Promise<RequestBody> {
  const isJson = isJsonType(incoming.header('content-type'))
  if (!isJson && !areFields) throw wrongContentType("'application/json'")
  const bytes = await readInTime(incoming, limits.bytes, limits.deadline)
  // Libraries send no body where they have no fields; some of them, as its type, `application/octet-stream`.
  if (areFields && bytes.length === 0) return { body: {}, files: [] }
  if (!isJson) throw wrongContentType("'application/json'")
  const body = await parsed(() => parseJson(bytes, areFields ? parseIds : undefined))
  const report = new Report()
  if (mustBeObject && !report.check(shape.object, body))
    throw new Refused('invalid', '', toErrorBody(report.errors))
  return { body, files: [] }
}

/**
 * Reads and parses the body of an answer or a follow-up: JSON, or a form with a part of JSON beside files. It may be
 * as large as its files.
 *
 * @throws Refused
 */
export async function readAnswerBody(incoming: Incoming, { deadline }: BodyLimits): Promise<RequestBody> {
  const type = incoming.header('content-type')
  if (!isJsonType(type) && !isForm(type))
    throw wrongContentType("'application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'")
  const bytes = await readInTime(incoming, mostBytes(type), deadline)
  const { value: body, files } = await parsed(() => parseAnswer(bytes, type))
  return { body, files }
}

function wrongContentType(types: string): Refused {
  const message = `Expected "Content-Type" header to be one of {${types}}.`
  return new Refused('invalid', '', { errors: { _errors: [{ code: 'CONTENT_TYPE_INVALID', message }] } })
}

function isJsonType(type: string | null): boolean {
  return type !== null && /^application\/json[ \t]*(?:;|$)/i.test(type.trim())
}

async function readInTime(incoming: Incoming, bytes: number, deadline: Deadline): Promise<Uint8Array> {
  const read = await new Promise<BodyRead>((resolve) => {
    const stop = deadline(() => {
      resolve('body_timed_out')
      incoming.abandon()
    })
    void incoming.body(bytes).then((body) => {
      stop()
      resolve(body)
    })
  })
  if (typeof read === 'string') throw new Refused(read)
  return read
}

async function parsed<T>(parse: () => T | Promise<T>): Promise<T> {
  try {
    return await parse()
  } catch (error) {
    if (error instanceof TooLargeFileError) throw new Refused('body_too_large')
    if (error instanceof TooManyPartsError) throw tooManyFiles(error.parts)
    throw new Refused('invalid_json', error instanceof NestedTooDeep ? `it ${TOO_DEEP}` : '')
  }
}

function tooManyFiles(count: number): Refused {
  const report = new Report()
  report.at('files', () => report.check(messageRules.messageAttachments, new Array(count)))
  return new Refused('invalid', '', toErrorBody(report.errors))
}
