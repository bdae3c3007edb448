/** Compares a response with what a probe expects. */
import { isObject, sameJson, valueAt } from '../../core/json.ts'
import { errorsInResponse } from '../response-errors.ts'
import type { ExpectedResponse } from './probe.ts'

/** A response in which names such as `{0.id}` stand for ids. */
export interface ProbeResponse {
  readonly status: number
  readonly body: unknown
}

/** What came, in a few words; null when the response is as expected. */
export function differenceFrom(expects: ExpectedResponse, response: ProbeResponse): string | null {
  const { status, body } = response
  const isStatus = expects.status === undefined ? status >= 200 && status < 300 : status === expects.status
  const { code } = isObject(body) ? body : {}
  if (!isStatus || (expects.code !== undefined && code !== expects.code)) return summaryOf(response)
  const found = errorsInResponse(body)
  for (const { path, code, message } of expects.errors ?? []) {
    const isThere = found.some(
      (one) =>
        one.code === code && sameJson(one.path, path) && (message === undefined || one.message === message),
    )
    if (!isThere) return summaryOf(response)
  }
  return (
    (expects.body === undefined ? null : differenceAt(expects.body, body, '')) ??
    firstOf(expects.absent ?? [], (at) => {
      const value = valueAt(body, at.split('.'))
      return value === undefined ? null : `${at} ${shown(value)}`
    }) ??
    firstOf(Object.entries(expects.differs ?? {}), ([key, value]) =>
      isObject(body) && body[key] !== value ? null : `${key} did not change`,
    )
  )
}

function summaryOf({ status, body }: ProbeResponse): string {
  const errors = errorsInResponse(body).map(
    ({ path, code, message }) => `${path.join('.') || 'body'} ${code} ${shown(message)}`,
  )
  const { code, message } = isObject(body) ? body : {}
  const plain = code === undefined ? [] : [`${shown(code)} ${shown(message)}`]
  return [String(status), ...(errors.length > 0 ? errors.slice(0, 5) : plain)].join(', ')
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

function firstOf<T>(items: readonly T[], check: (item: T) => string | null): string | null {
  for (const item of items) {
    const found = check(item)
    if (found !== null) return found
  }
  return null
}

/** Where a value lacks an expected part. */
function differenceAt(expected: unknown, value: unknown, at: string): string | null {
  const below = (key: string | number) => (at === '' ? String(key) : `${at}.${key}`)
  if (Array.isArray(expected)) {
    if (!Array.isArray(value) || value.length !== expected.length) return `${at || 'body'} ${shown(value)}`
    return firstOf([...expected.keys()], (index) => differenceAt(expected[index], value[index], below(index)))
  }
  if (!isObject(expected)) return sameJson(expected, value) ? null : `${at} ${shown(value)}`
  if (!isObject(value)) return `${at || 'body'} ${shown(value)}`
  return firstOf(Object.entries(expected), ([key, part]) => differenceAt(part, value[key], below(key)))
}

/** What a probe looks at of a response that is as expected: enough to compare it again. */
export function relevantPart(expects: ExpectedResponse, { status, body }: ProbeResponse): ProbeResponse {
  if (status < 300) return { status, body: picked(expects.body ?? expects.differs, body) }
  const { code, message, errors } = isObject(body) ? body : {}
  return { status, body: { code, message, ...(errors !== undefined && { errors }) } }
}

function picked(expected: unknown, value: unknown): unknown {
  if (Array.isArray(expected) && Array.isArray(value))
    return expected.map((part, index) => picked(part, value[index]))
  if (!isObject(expected) || !isObject(value)) return expected === undefined ? null : value
  return Object.fromEntries(Object.entries(expected).map(([key, part]) => [key, picked(part, value[key])]))
}
