/** A body that the host read before the service: parsers leave it on the request. */
import { MAX_JSON_DEPTH } from '../../core/json.ts'
import type { BodyRead, HookRequest } from '../../core/http-message.ts'

const encoder = new TextEncoder()

/**
 * The bytes of `rawBody`, or else of `body`: bytes, a text, or a value that was parsed from JSON. `body_taken` if the
 * request has neither, so that its body is lost.
 */
export function earlierBody(request: HookRequest, most: number): BodyRead {
  const { rawBody, body } = request.raw as { readonly rawBody?: unknown; readonly body?: unknown }
  const bytes = bytesOf(rawBody) ?? bytesOf(body) ?? parsedBody(request, body)
  if (bytes === undefined) return 'body_taken'
  return bytes.length > most ? 'body_too_large' : bytes
}

function bytesOf(value: unknown): Uint8Array | undefined {
  if (typeof value === 'string') return encoder.encode(value)
  return value instanceof Uint8Array ? value : undefined
}

function parsedBody(request: HookRequest, value: unknown): Uint8Array | undefined {
  const isParsed = typeof value === 'object' && value !== null && !(value instanceof ReadableStream)
  // The fields of a form are not those of its JSON.
  if (!isParsed || !/json/i.test(request.header('content-type') ?? '')) return undefined
  try {
    return encoder.encode(JSON.stringify(value))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    // It is nested deeper than the stack; every text that is too deep is refused alike.
    return encoder.encode('['.repeat(MAX_JSON_DEPTH + 1))
  }
}
