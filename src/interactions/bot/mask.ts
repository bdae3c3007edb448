/** Hides tokens and other secrets in what is logged, recorded or shown. */
import { parseIds, parseJson } from '../../core/json.ts'
import { counted } from '../../core/text.ts'
import { isForm, readFormParts } from '../answer/form.ts'

const HIDDEN = '***'
const SECRET_KEY = /token|secret|session_id|authorization|verifier/i

const MAX_SHOWN_BODY_LENGTH = 256 * 1024

const decoder = new TextDecoder()

/**
 * The JSON of a body, or of a form, without secrets; only the size if it is larger than `most` or not JSON.
 *
 * @param contentType that of the body. Default: JSON
 */
export function maskBody(
  body: Uint8Array | string,
  contentType: string | null = null,
  most = MAX_SHOWN_BODY_LENGTH,
): string {
  const size = body.length
  if (size === 0) return ''
  const isFiles = typeof body !== 'string' && isForm(contentType)
  const text = isFiles ? readFormParts(body, contentType).json : size <= most ? textOf(body) : ''
  if (text.length > 0 && text.length <= most) {
    try {
      const value: unknown = parseJson(text, parseIds)
      hideSecrets(value)
      return JSON.stringify(value)
    } catch {
      // Not JSON, or nested too deep.
    }
  }
  return `(${counted(size, typeof body === 'string' ? 'character' : 'byte')})`
}

/** A body that is masked when it is read. */
export class MaskedBody {
  #raw: Uint8Array | string
  #isMasked: boolean
  /** The length of the text, about. */
  readonly length: number

  constructor(body: Uint8Array | string, contentType: string | null = null) {
    // A larger body is not kept, and the parts of a form are read anyway.
    this.#isMasked = body.length > MAX_SHOWN_BODY_LENGTH || isForm(contentType)
    this.#raw = this.#isMasked ? maskBody(body, contentType) : ownBytes(body)
    this.length = this.#raw.length
  }

  get text(): string {
    if (this.#isMasked) return this.#raw as string
    const text = maskBody(this.#raw)
    // Numbers such as 1e20 become longer.
    if (text.length > this.length) return text
    this.#isMasked = true
    return (this.#raw = text)
  }
}

/** A copy of bytes, which may be a small part of what they were read into. */
function ownBytes(body: Uint8Array | string): Uint8Array | string {
  return typeof body === 'string' || body.buffer.byteLength === body.length ? body : new Uint8Array(body)
}

function textOf(body: Uint8Array | string): string {
  return typeof body === 'string' ? body : decoder.decode(body)
}

/** Changes the value. A reviver of `JSON.parse` would do the same in ten times the time. */
function hideSecrets(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) return value.forEach(hideSecrets)
  const object = value as Record<string, unknown>
  for (const key in object) {
    if (!SECRET_KEY.test(key)) hideSecrets(object[key])
    else if (object[key] !== null) object[key] = HIDDEN
  }
}

const MAX_LENGTH = 300
// The parts of these paths that are not secret.
const PUBLIC_PART = /^(?:\d+|callback|messages|@original)$/

/** A path and its query for a log: without tokens, however they are encoded, and without control characters. */
export function maskPath(path: string, query = ''): string {
  const address = maskParts(path) + (query === '' ? '' : `?${maskQuery(query)}`)
  return address.slice(0, MAX_LENGTH).replace(/[^!-~]/g, '?')
}

function maskParts(path: string): string {
  const parts = decodeLetters(path)
    .split(/[\\/]/)
    .filter((part) => part !== '')
  const at = parts.findIndex((part) => /interactions|webhooks/i.test(part))
  if (at === -1) return path
  // The route has the id in the next part, and then the token.
  const isPublic = (part: string, index: number) =>
    index <= at || (index !== at + 2 && PUBLIC_PART.test(part))
  return `/${parts.map((part, index) => (isPublic(part, index) ? part : HIDDEN)).join('/')}`
}

function maskQuery(query: string): string {
  const fields = [...new URLSearchParams(query)]
  const isSecret = (name: string) => SECRET_KEY.test(decodeLetters(name))
  if (!fields.some(([name]) => isSecret(name))) return query
  return fields.map(([name, value]) => `${name}=${isSecret(name) ? HIDDEN : value}`).join('&')
}

// How often a path may be encoded in itself.
const MAX_ROUNDS = 5

/** A text with its percent-encoded ASCII characters decoded, also if they were encoded several times. */
function decodeLetters(text: string): string {
  let decoded = text
  for (let round = 0; round < MAX_ROUNDS; round++) {
    decoded = decoded.replace(/%([0-7][0-9a-f])/gi, (_, digits) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    )
  }
  return decoded
}
