/** Interactions over HTTP, as the service brings them to an app's endpoint (service facts 7.3). */
import type { ApplicationSettings } from '../command/application.ts'
import { readBytes } from '../core/bytes.ts'
import { systemClock, type Clock } from '../core/clock.ts'
import { isObject } from '../core/json.ts'
import type { Issue } from '../core/report.ts'
import { processIds, snowflakes } from '../core/snowflake.ts'
import { described } from '../core/text.ts'
import { mostBytes, parseAnswer } from './answer-body.ts'
import { InteractionCallbackType } from './kinds.ts'
import { ANSWER_WITHIN, validateCallback, type InteractionCallback } from './callback.ts'
import { createPing } from './create.ts'
import type { AnyInteraction } from './payload.ts'
import type { PendingAnswers } from './pending.ts'
import { failure, shownBy, type Shown } from './shown.ts'

/** The keys of an endpoint: the service signs with one, the app verifies with the other. */
export interface EndpointKeys {
  /** Ed25519, 32 bytes in hex, as apps are given it. */
  readonly publicKey: string
  readonly privateKey: CryptoKey
}

export interface Endpoint {
  /** Where the app receives interactions. */
  readonly url: string | URL
  /** From `createEndpointKeys`, or the 32 bytes of an Ed25519 seed in hex. */
  readonly privateKey: CryptoKey | string
  /** Default: the platform's. */
  readonly fetch?: typeof fetch
  /** Milliseconds until the service gives up. Default 3000. */
  readonly timeout?: number
  /** Default: the system's clock, which then says nothing of when an interaction was made. */
  readonly clock?: Clock
}

export interface DeliverOptions extends Endpoint {
  /** What the service knows of the app. Default: an app to which everything is allowed. */
  readonly application?: ApplicationSettings
  /** Where answers arrive that do not come with the response; see `pendingAnswers`. */
  readonly answers?: PendingAnswers
}

export type DeliveryFailure =
  /** The request could not be made; `cause` is the error. */
  | 'unreachable'
  /** There was no answer in time. */
  | 'timeout'
  /** The endpoint answered with a status that is neither 200 nor 202 or 204. */
  | 'status'
  /** The endpoint answered with something that is no JSON object, or is larger or nested deeper than is taken. */
  | 'body'
  /** The answer has faults; `issues` has every one. */
  | 'invalid'

export type Delivery =
  | {
      readonly ok: true
      readonly callback: InteractionCallback
      /** Whether it came with the response or by a request of its own. */
      readonly via: 'response' | 'callback'
      readonly shown: Shown
      readonly warnings: readonly Issue[]
    }
  | {
      readonly ok: false
      readonly code: DeliveryFailure
      /** The HTTP status of the response, if there was one. */
      readonly status: number | null
      readonly issues: readonly Issue[]
      readonly cause: unknown
      readonly shown: Shown
    }

/**
 * New keys for an endpoint, or those of a seed, which are the same every time.
 *
 * @param seed 32 bytes in hex
 * @throws TypeError when the seed is none, or where Web Crypto has no Ed25519
 */
export async function createEndpointKeys(seed?: string): Promise<EndpointKeys> {
  const bytes = seed === undefined ? crypto.getRandomValues(new Uint8Array(32)) : bytesOf(seed)
  const privateKey = await importSeed(bytes)
  const { x } = await crypto.subtle.exportKey('jwk', privateKey)
  const base64 = x!.replaceAll('-', '+').replaceAll('_', '/')
  return { publicKey: hex(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))), privateKey }
}

/**
 * Brings an interaction to an app as the service does: a signed POST, and an answer within three seconds, in the
 * response or, after a 202 without a body, through `answers`. Whatever goes wrong is told and not thrown: a
 * person then sees that the application did not respond.
 *
 * @throws TypeError when the key is none
 */
export async function deliver(interaction: AnyInteraction, options: DeliverOptions): Promise<Delivery> {
  const { timeout = ANSWER_WITHIN, answers, application, clock } = options
  const request = await signed(interaction, options)
  const pending = answers?.expect(interaction, application)
  const limit = timeLimit(timeout)
  const asked = ask(request, options, limit.signal)
  const others = pending === undefined ? [limit.over] : [pending.answer, limit.over]
  try {
    const first = await Promise.race([asked.reply, ...others])
    // The endpoint took it without an answer, so that has to come by itself.
    const final = first === LATER ? await Promise.race(others) : first
    if ('code' in final) return failed(final, asked.status())
    if (final.via === 'callback') return answered(interaction, final.callback, 'callback', [])
    const now = clock?.now()
    const context = { ...(application && { application }), ...(now !== undefined && { now }) }
    const read = validateCallback(interaction, final.body, context)
    if (!read.ok) return failed({ code: 'invalid', issues: read.issues }, asked.status())
    pending?.acknowledge()
    return answered(interaction, read.value, 'response', read.warnings)
  } finally {
    pending?.end()
    // A request whose answer came by another one is not cut off before its time: the endpoint may be at work still.
    void asked.reply.finally(limit.stop)
  }
}

export type HandshakeProblem =
  /** A PING with a good signature was not answered with a PONG. */
  | 'ping'
  /** A PING with a bad signature was not refused with 401. */
  | 'signature'

/**
 * What the service does when an endpoint is given to it: a PING has to be answered with a PONG, and one whose
 * signature is wrong has to be refused with 401.
 *
 * @returns what the endpoint does wrong; nothing when it is fine
 */
export async function checkEndpoint(
  applicationId: string,
  endpoint: Endpoint,
): Promise<readonly HandshakeProblem[]> {
  const { clock, timeout = ANSWER_WITHIN } = endpoint
  const ping = createPing(applicationId, { ids: clock === undefined ? processIds : snowflakes({ clock }) })
  const delivery = await deliver(ping, { ...endpoint, clock: clock ?? systemClock })
  const pong = delivery.ok && delivery.callback.type === InteractionCallbackType.PONG
  const { headers, body } = await signed(ping, endpoint)
  const forged = { body, headers: { ...headers, 'X-Signature-Ed25519': '0'.repeat(128) } }
  const limit = timeLimit(timeout)
  const asked = ask(forged, endpoint, limit.signal)
  await Promise.race([asked.reply, limit.over]).finally(limit.stop)
  const refused = asked.status() === 401
  return [...(pong ? [] : (['ping'] as const)), ...(refused ? [] : (['signature'] as const))]
}

// --- The request ----------------------------------------------------------------------------------------------

interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The signature is over the timestamp and the very bytes of the body. */
async function signed(
  interaction: AnyInteraction,
  { privateKey, clock = systemClock }: Endpoint,
): Promise<SignedRequest> {
  const body = JSON.stringify(interaction)
  const timestamp = String(Math.floor(clock.now() / 1000))
  const key = typeof privateKey === 'string' ? await importSeed(bytesOf(privateKey)) : privateKey
  const signature = await crypto.subtle.sign('Ed25519', key, new TextEncoder().encode(timestamp + body))
  return {
    body,
    headers: {
      'Content-Type': 'application/json',
      'X-Signature-Ed25519': hex(new Uint8Array(signature)),
      'X-Signature-Timestamp': timestamp,
    },
  }
}

interface TimeLimit {
  readonly signal: AbortSignal
  /** When the time is over. Settles only then. */
  readonly over: Promise<Failed>
  stop(): void
}

// Milliseconds; a timer that is to wait longer does not wait at all.
const LONGEST = 2 ** 31 - 1

/** Unlike `AbortSignal.timeout`, it keeps a program alive that has nothing else to wait for. */
function timeLimit(milliseconds: number): TimeLimit {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), Math.min(milliseconds, LONGEST))
  const { signal } = controller
  const over = new Promise<Failed>((resolve) => {
    signal.addEventListener('abort', () => resolve({ code: 'timeout' }), { once: true })
  })
  return { signal, over, stop: () => clearTimeout(timer) }
}

const LATER = Symbol()

type Reply = { readonly via: 'response'; readonly body: unknown } | Failed

interface Failed {
  readonly code: DeliveryFailure
  readonly issues?: readonly Issue[]
  readonly cause?: unknown
}

/** A request that was sent. */
interface Asked {
  /** Never rejects. */
  readonly reply: Promise<Reply | typeof LATER>
  /** The HTTP status of the response, as soon as there is one. */
  status(): number | null
}

function ask({ headers, body }: SignedRequest, endpoint: Endpoint, signal: AbortSignal): Asked {
  const { url, fetch: send = fetch } = endpoint
  let status: number | null = null
  async function reply(): Promise<Reply | typeof LATER> {
    try {
      const response = await send(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
      status = response.status
      if (status !== 200) {
        void response.body?.cancel().catch(() => {})
        return status === 202 || status === 204 ? LATER : { code: 'status' }
      }
      const content = await read(response, signal)
      return isObject(content) ? { via: 'response', body: content } : { code: 'body' }
    } catch (cause) {
      if (signal.aborted) return { code: 'timeout' }
      return { code: status === null ? 'unreachable' : 'body', cause }
    }
  }
  return { reply: reply(), status: () => status }
}

/** @throws when the body is too large or holds no JSON */
async function read({ headers, body }: Response, signal: AbortSignal): Promise<unknown> {
  const type = headers.get('content-type')
  if (body === null) return parseAnswer(new Uint8Array(), type)
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => {})
  if (signal.aborted) cancel()
  signal.addEventListener('abort', cancel, { once: true })
  const most = mostBytes(type)
  const bytes = await readBytes(reader, most)
  if (bytes === undefined) throw new RangeError(`body: expected at most ${most} bytes, got more`)
  return parseAnswer(bytes, type)
}

// --- What came of it --------------------------------------------------------------------------------------------

function answered(
  interaction: AnyInteraction,
  callback: InteractionCallback,
  via: 'response' | 'callback',
  warnings: readonly Issue[],
): Delivery {
  return Object.freeze({ ok: true, callback, via, shown: shownBy(interaction, callback), warnings })
}

function failed({ code, issues = [], cause = undefined }: Failed, status: number | null): Delivery {
  return Object.freeze({ ok: false, code, status, issues, cause, shown: failure })
}

// --- Keys -------------------------------------------------------------------------------------------------------

// What stands before the 32 bytes of an Ed25519 seed in PKCS #8 (RFC 8410).
const PKCS8 = bytes('302e020100300506032b657004220420')

function importSeed(seed: Uint8Array): Promise<CryptoKey> {
  return crypto.subtle.importKey('pkcs8', Uint8Array.from([...PKCS8, ...seed]), 'Ed25519', true, ['sign'])
}

function bytesOf(seed: string): Uint8Array<ArrayBuffer> {
  if (/^[0-9a-f]{64}$/i.test(seed)) return bytes(seed)
  throw new TypeError(
    `privateKey: expected 64 digits of hex, got ${typeof seed === 'string' ? `${seed.length} characters` : described(seed)}`,
  )
}

function bytes(digits: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

function hex(value: Uint8Array): string {
  return Array.from(value, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
