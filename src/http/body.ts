/** From the bytes of a request to the JSON they hold, within limits (clause 7-01, issue of intake). */
import * as shape from '../command/shape.ts'
import { isObject } from '../core/json.ts'
import { isNestedDeeper } from '../core/nesting.ts'
import type { Answer, BodyRead, Incoming } from './message.ts'
import { refuse, refuseForm, wrongContentType } from './respond.ts'

/** Calls `expire` when the time for something is over; what it returns stops it. */
export type Deadline = (expire: () => void) => () => void

/** How much is taken in. */
export interface BodyLimits {
  readonly bytes: number
  readonly depth: number
  readonly deadline: Deadline
}

/** A deadline on the system's timers; after `Infinity` nothing ever expires. */
export function after(milliseconds: number): Deadline {
  if (milliseconds === Infinity) return () => () => {}
  return (expire) => {
    const timer = setTimeout(expire, milliseconds)
    return () => clearTimeout(timer)
  }
}

/** A parsed body, or the answer to one that cannot be taken. */
export type ReadBody = { readonly value: unknown; readonly refusal: null } | { readonly refusal: Answer }

/**
 * Reads and parses a JSON body. In this order: its content type, its size, the time it takes, its bytes, its JSON
 * and nesting, and whether it is an object where it has to be one.
 */
export async function readBody(incoming: Incoming, limits: BodyLimits, objects: boolean): Promise<ReadBody> {
  if (!isJsonType(incoming.header('content-type'))) return { refusal: refuseForm(wrongContentType) }
  const read = await inTime(incoming, limits)
  if (typeof read === 'string') return { refusal: refuse(read) }
  const text = decode(read)
  if (text === undefined || isNestedDeeper(text, limits.depth)) return { refusal: refuse('invalid_json') }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { refusal: refuse('invalid_json') }
  }
  if (objects && !isObject(value)) {
    return { refusal: refuseForm({ _errors: [shape.object.wire(shape.found(value))] }) }
  }
  return { value, refusal: null }
}

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i

function isJsonType(type: string | null): boolean {
  return type !== null && (type === 'application/json' || JSON_TYPE.test(type.trim()))
}

function inTime(incoming: Incoming, { bytes, deadline }: BodyLimits): Promise<BodyRead> {
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

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The text of UTF-8 bytes, without a byte order mark; `undefined` when they are none. */
function decode(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}
