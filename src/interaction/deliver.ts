/** Interactions over HTTP, as the service brings them to an app's endpoint (service facts 7.3). */
import type { ApplicationSettings } from '../command/application.ts'
import { systemClock, type Clock } from '../core/clock.ts'
import { isObject } from '../core/json.ts'
import type { Issue } from '../core/report.ts'
import { described } from '../core/text.ts'
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
  /** The endpoint answered with something that is no JSON object. */
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
  const signal = AbortSignal.timeout(timeout)
  const pending = answers?.expect(interaction, application)
  try {
    const request = await signed(interaction, options)
    const answer = await Promise.race([
      ask(request, options, signal),
      ...(pending === undefined ? [] : [pending.answer]),
      expiry(signal),
    ])
    // The endpoint took it without an answer, so that has to come by itself.
    const final =
      answer === LATER ? await Promise.race([pending?.answer ?? expiry(signal), expiry(signal)]) : answer
    if ('code' in final) return failed(final)
    if (final.via === 'callback') return answered(interaction, final.callback, 'callback', [])
    const now = clock?.now()
    const context = { ...(application && { application }), ...(now !== undefined && { now }) }
    const read = validateCallback(interaction, final.body, context)
    if (!read.ok) return failed({ code: 'invalid', status: 200, issues: read.issues })
    return answered(interaction, read.value, 'response', read.warnings)
  } finally {
    pending?.end()
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
  const ping = createPing(applicationId)
  const delivery = await deliver(ping, { ...endpoint, clock: { now: (endpoint.clock ?? systemClock).now } })
  const pong = delivery.ok && delivery.callback.type === InteractionCallbackType.PONG
  const { headers, body } = await signed(ping, endpoint)
  const forged = { body, headers: { ...headers, 'X-Signature-Ed25519': '0'.repeat(128) } }
  const signal = AbortSignal.timeout(endpoint.timeout ?? ANSWER_WITHIN)
  const refusal = await Promise.race([ask(forged, endpoint, signal), expiry(signal)])
  const refused = refusal !== LATER && 'code' in refusal && refusal.status === 401
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

const LATER = Symbol()

type Reply =
  | { readonly via: 'response'; readonly body: unknown }
  | { readonly via: 'callback'; readonly callback: InteractionCallback }
  | Failed

interface Failed {
  readonly code: DeliveryFailure
  readonly status?: number
  readonly issues?: readonly Issue[]
  readonly cause?: unknown
}

async function ask(
  { headers, body }: SignedRequest,
  { url, fetch: send = fetch }: Endpoint,
  signal: AbortSignal,
): Promise<Reply | typeof LATER> {
  let status: number | undefined
  try {
    const response = await send(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
    status = response.status
    if (status === 202 || status === 204) return LATER
    if (status !== 200) return { code: 'status', status }
    const content = await read(response)
    return isObject(content) ? { via: 'response', body: content } : { code: 'body', status }
  } catch (cause) {
    if (signal.aborted) return { code: 'timeout' }
    return status === undefined ? { code: 'unreachable', cause } : { code: 'body', status, cause }
  }
}

/** JSON, or the part of a form that is JSON beside files. */
async function read(response: Response): Promise<unknown> {
  if (!response.headers.get('content-type')?.startsWith('multipart/form-data')) return response.json()
  return JSON.parse(String((await response.formData()).get('payload_json')))
}

function expiry(signal: AbortSignal): Promise<Failed> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve({ code: 'timeout' })
    else signal.addEventListener('abort', () => resolve({ code: 'timeout' }), { once: true })
  })
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

function failed({ code, status = undefined, issues = [], cause = undefined }: Failed): Delivery {
  return Object.freeze({ ok: false, code, status: status ?? null, issues, cause, shown: failure })
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
