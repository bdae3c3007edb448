/** Delivers interactions to an app's endpoint over HTTP. */
import {
  aClock,
  aFunction,
  argument,
  demandObject,
  optionsOf,
  withMethods,
  isHttpAddress,
} from '../../core/rules/arguments.ts'
import { optional } from '../../core/rules/readers.ts'
import type { ApplicationSettings } from '../../model/application.ts'
import { BodyBytes, leaveUnread, readInto, toHex } from '../../core/bytes.ts'
import { MAX_TIMER_DELAY, systemClock, type Clock } from '../../core/clock.ts'
import { deadlines } from '../../core/deadlines.ts'
import { isObject } from '../../core/json.ts'
import { fillWithSecrets } from '../../core/secrets.ts'
import type { Issue } from '../../core/rules/report.ts'
import { refused, type Refusal, type Result } from '../../core/rules/result.ts'
import { idsBy } from '../../model/id-source.ts'
import { checkSnowflake } from '../../core/snowflake.ts'
import { describeValue } from '../../core/text.ts'
import { realTimers } from '../../core/timers.ts'
import { mostBytes, parseAnswer } from '../answer/answer-body.ts'
import { InteractionCallbackType } from '../../model/interaction-types.ts'
import type { AnswerFile, CallbackContext, InteractionCallback } from '../../model/answer-types.ts'
import { validateCallback } from '../answer/callback.ts'
import { RegistryError } from '../../commands/registry/registry-error.ts'
import { createPing } from '../usage/create.ts'
import type { AnyInteraction } from '../../model/interaction-payload.ts'
import type { PendingAnswers, SharedAnswers } from './pending.ts'
import { failedAnswer, shownBy, type Rendered } from '../answer/rendered.ts'

/** A `CryptoKey`, which types of Node have below another name. */
export type SigningKey = Parameters<typeof crypto.subtle.sign>[1]

/** A key pair: the service signs with the private key, the app verifies with the public key. */
export interface EndpointKeys {
  /** The Ed25519 public key of the app, 32 bytes in hex. */
  readonly publicKey: string
  readonly privateKey: SigningKey
}

/** An endpoint of an app, and how to reach it. */
export interface Endpoint {
  readonly url: string | URL
  /** The key of `createEndpointKeys`, or an Ed25519 seed of 32 bytes in hex. */
  readonly privateKey: SigningKey | string
  /** Sends the requests. Default: the platform's `fetch`. */
  readonly fetch?: typeof fetch
  /** The time limit of the answer, in milliseconds. Default 3000. */
  readonly timeout?: number
  /** The time of signatures, and of answers if it is set. Default: the system's clock, without a check of the answer's time. */
  readonly clock?: Clock
}

/** The endpoint, the app, and other ways of answers. */
export interface DeliverOptions extends Endpoint {
  /** The settings of the app. Default: an app without restrictions. */
  readonly application?: ApplicationSettings
  /** Receives answers that do not come with the response; see `pendingAnswers` and `sharedAnswers`. */
  readonly answers?: PendingAnswers | SharedAnswers
}

/** The reason why a delivery failed. */
export type DeliveryFailure =
  /** The request, or the store of `sharedAnswers`, failed; `cause` is the error. */
  | 'unreachable'
  | 'timeout'
  /** The status of the response is not 200, 202 or 204. */
  | 'status'
  /** The body of the response is not a JSON object, too large, or nested too deep. */
  | 'body'
  /** The answer is invalid; `issues` has every problem. */
  | 'invalid'

export interface AppAnswer {
  readonly callback: InteractionCallback
  /** Whether the answer came with the response or by a request of its own. */
  readonly via: 'response' | 'callback'
  readonly rendered: Rendered
  readonly warnings: readonly Issue[]
}

export interface FailureDetails {
  /** The HTTP status of the response; null without one. */
  readonly status: number | null
  /** The error of a failed request; otherwise undefined. */
  readonly cause: unknown
  readonly rendered: Rendered
}

/** The answer of the app, or the reason why it is missing. */
export type Delivery = Result<AppAnswer, Refusal<DeliveryFailure> & FailureDetails>

/** The answer of a bot, or the reason why it is missing: no bot is logged in, or the session was closed meanwhile. */
export type BotAnswer = Result<
  AppAnswer,
  Refusal<DeliveryFailure | 'not_connected' | 'closed'> & FailureDetails
>

/**
 * A new key pair, or that of a seed.
 *
 * @param seed 32 bytes in hex
 * @throws TypeError if the seed is invalid, or the platform does not support Ed25519
 */
export async function createEndpointKeys(seed?: string): Promise<EndpointKeys> {
  const bytes = seed === undefined ? fillWithSecrets(new Uint8Array(32)) : bytesOf(seed, 'seed')
  const privateKey = await importSeed(bytes)
  const { x } = await crypto.subtle.exportKey('jwk', privateKey)
  const base64 = x!.replaceAll('-', '+').replaceAll('_', '/')
  return {
    publicKey: toHex(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))),
    privateKey,
  }
}

const checkedOptions = /* @__PURE__ */ optionsOf<DeliverOptions>('deliver', {
  // Without the value: it may have a password, which no request can have.
  url: argument(
    'an address of http:// or https:// without a password',
    isHttpAddress,
    'such as "http://127.0.0.1:3000"',
  ),
  // Its reader reports an invalid seed.
  privateKey: argument('a key or a seed in hex', (value) => typeof value === 'string' || isObject(value)),
  fetch: optional(aFunction),
  timeout: optional(argument('a number of milliseconds', (value) => typeof value === 'number' && value > 0)),
  clock: optional(aClock),
  application: optional(argument('an object with the settings of an app', isObject)),
  answers: optional(withMethods('the result of pendingAnswers or sharedAnswers', 'expect')),
})

/**
 * Delivers an interaction to an app: a signed POST, and an answer within three seconds, in the response or, after a 202
 * without a body, through `answers`. Returns failures instead of throwing; the user then sees that the application did
 * not respond.
 *
 * @throws TypeError if the key is invalid
 */
export async function deliver(interaction: AnyInteraction, given: DeliverOptions): Promise<Delivery> {
  const options = checkedOptions(given)
  const send = await signedRequest(interaction, options)
  return (await awaitAnswer(interaction, send, timeLimit(options.timeout), options)) as Delivery
}

/**
 * Sends an interaction and waits for its answer: in the response, as a callback, or until the time is over. The time
 * begins when the interaction is sent.
 *
 * @param onRefused receives the problems of an invalid callback, which a valid one can follow
 */
export async function awaitAnswer(
  interaction: AnyInteraction,
  send: Send,
  limit: TimeLimit,
  {
    answers,
    application,
    clock,
    hasEmoji,
  }: Pick<DeliverOptions, 'answers' | 'application' | 'clock'> & Pick<CallbackContext, 'hasEmoji'>,
  onRefused: (issues: readonly Issue[]) => void = () => {},
): Promise<BotAnswer> {
  const pending = answers?.expect(interaction, application)
  let refused: readonly Issue[] | undefined
  void pending?.refused.then((issues) => onRefused((refused = issues)))
  const unrecorded = await Promise.race([failureOf(pending?.ready), limit.over])
  if (unrecorded !== null) {
    void failureOf(pending?.end())
    limit.stop()
    return unanswered(unrecorded)
  }
  limit.start()
  const sent = send(limit.signal)
  const others = pending === undefined ? [limit.over] : [pending.answer, limit.over]
  const received = async (): Promise<Answer | Failed> => {
    const first = await Promise.race([sent.reply, ...others])
    // The bot accepted the interaction; the answer comes as a request of its own.
    const final = first === LATER ? await Promise.race(others) : first
    if ('code' in final || final.via === 'callback') return final
    const read = validateCallback(interaction, final.body, {
      ...(clock && { now: clock.now() }),
      ...(application && { application }),
      ...(hasEmoji && { hasEmoji }),
      files: final.files,
    })
    if (!read.ok) return { code: 'invalid', issues: read.issues }
    const failed = await failureOf(pending?.acknowledge(read.value, final.files))
    return failed ?? { via: 'response', callback: read.value, warnings: read.warnings }
  }
  try {
    const found = await received()
    const isAnswer = 'via' in found
    // Without an answer so far, one that another process accepts until the waiting has ended is the answer.
    const failed = isAnswer ? null : await failureOf(pending?.end())
    const earlier = (await Promise.race([pending?.answer, undefined])) ?? (isAnswer ? found : undefined)
    if (earlier !== undefined) return answered(interaction, earlier)
    // No valid answer followed the invalid one.
    const other = refused === undefined ? (found as Failed) : { code: 'invalid' as const, issues: refused }
    return unanswered(failed ?? other, sent.status())
  } finally {
    void failureOf(pending?.end())
    // If the answer came as a request of its own, this request keeps its time limit: the endpoint may still be working.
    void sent.reply.finally(limit.stop)
  }
}

/** The failure of a store, also of one that does not answer in time; null when it is done. */
async function failureOf(done: void | Promise<void>): Promise<Failed | null> {
  if (done === undefined) return null
  const time = deadlines.STORE_TIMEOUT
  const limit = timeLimit(time)
  limit.start()
  const cause = new RegistryError('storage', {
    message: `the store of sharedAnswers did not answer within ${time} ms`,
  })
  try {
    return await Promise.race([done.then(() => null, unreachable), limit.over.then(() => unreachable(cause))])
  } finally {
    limit.stop()
  }
}

/** A problem of an endpoint. */
export type HandshakeProblem =
  /** A PING with a valid signature was not answered with a PONG. */
  | 'ping'
  /** A PING with a valid signature was not answered in time. */
  | 'slow'
  /** A PING was answered with a status of 500 or more. */
  | 'failed'
  /** A PING with an invalid signature was not rejected with 401. */
  | 'signature'

/**
 * Checks an endpoint as the service does before it accepts the address: the endpoint must answer a PING with a PONG, and
 * reject a PING with an invalid signature with 401.
 *
 * @returns the problems; empty for a valid endpoint
 */
export async function checkEndpoint(
  applicationId: string,
  endpoint: Endpoint,
): Promise<readonly HandshakeProblem[]> {
  checkSnowflake(applicationId, 'applicationId')
  const { clock } = demandObject(endpoint, 'endpoint') as unknown as Endpoint
  const ping = createPing(applicationId, { ids: idsBy(clock) })
  const delivery = await deliver(ping, { ...endpoint, clock: clock ?? systemClock })
  const problems = new Set<HandshakeProblem>()
  const isPong = delivery.ok && delivery.callback.type === InteractionCallbackType.PONG
  const isSlow = !delivery.ok && delivery.code === 'timeout'
  if (!delivery.ok && hasFailed(delivery.status)) problems.add('failed')
  else if (!isPong) problems.add(isSlow ? 'slow' : 'ping')
  const status = await statusOfForged(ping, endpoint)
  if (status !== 401) problems.add(hasFailed(status) ? 'failed' : 'signature')
  return [...problems]
}

const hasFailed = (status: number | null) => status !== null && status >= 500

/** The status with which an endpoint answers an interaction with an invalid signature; null without a response. */
async function statusOfForged(interaction: AnyInteraction, endpoint: Endpoint): Promise<number | null> {
  const limit = timeLimit(endpoint.timeout)
  limit.start()
  const sent = (await signedRequest(interaction, endpoint, '0'.repeat(128)))(limit.signal)
  await Promise.race([sent.reply, limit.over]).finally(limit.stop)
  return sent.status()
}

/** Whether an endpoint refuses an interaction with an invalid signature with 401. */
export async function refusesForged(interaction: AnyInteraction, endpoint: Endpoint): Promise<boolean> {
  return (await statusOfForged(interaction, endpoint)) === 401
}

// --- The request ----------------------------------------------------------------------------------------------

/** A response that announces a request of its own. */
export const LATER = Symbol()

interface Failed {
  readonly code: Extract<BotAnswer, { ok: false }>['code']
  readonly issues?: readonly Issue[]
  readonly cause?: unknown
}

interface Body {
  readonly via: 'response'
  readonly body: unknown
  readonly files: readonly AnswerFile[]
}

interface Answer {
  readonly via: AppAnswer['via']
  readonly callback: InteractionCallback
  readonly warnings?: readonly Issue[]
}

/** Sends an interaction until a signal ends it. */
export type Send = (signal: AbortSignal) => {
  /** Never rejects. */
  readonly reply: Promise<Body | Failed | typeof LATER>
  /** The HTTP status of the response; null before it arrives. */
  status(): number | null
}

/**
 * Signs the timestamp and the exact bytes of the body.
 *
 * @param forged a signature to send instead
 */
export async function signedRequest(
  interaction: AnyInteraction,
  { url, privateKey, fetch: request = fetch, clock = systemClock }: Endpoint,
  forged?: string,
): Promise<Send> {
  const body = JSON.stringify(interaction)
  const timestamp = String(Math.floor(clock.now() / 1000))
  const key = typeof privateKey === 'string' ? await importSeed(bytesOf(privateKey)) : privateKey
  const signature = await crypto.subtle.sign('Ed25519', key, new TextEncoder().encode(timestamp + body))
  const headers = {
    'Content-Type': 'application/json',
    'X-Signature-Ed25519': forged ?? toHex(new Uint8Array(signature)),
    'X-Signature-Timestamp': timestamp,
  }
  return (signal) => {
    let status: number | null = null
    const reply = async (): Promise<Body | Failed | typeof LATER> => {
      try {
        const response = await request(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
        status = response.status
        if (status !== 200) {
          if (response.body !== null)
            void leaveUnread(response.body.getReader(), response.headers.get('content-type'))
          return status === 202 || status === 204 ? LATER : { code: 'status' }
        }
        const { value, files } = await readAnswer(response, signal)
        return isObject(value) ? { via: 'response', body: value, files } : { code: 'body' }
      } catch (cause) {
        if (signal.aborted) return { code: 'timeout' }
        return { code: status === null ? 'unreachable' : 'body', cause }
      }
    }
    return { reply: reply(), status: () => status }
  }
}

/** @throws if the body is too large or not JSON */
async function readAnswer({ headers, body }: Response, signal: AbortSignal): ReturnType<typeof parseAnswer> {
  const type = headers.get('content-type')
  if (body === null) return parseAnswer(new Uint8Array(), type)
  const reader = body.getReader()
  const cancel = () => void leaveUnread(reader, type)
  if (signal.aborted) cancel()
  signal.addEventListener('abort', cancel, { once: true })
  const most = mostBytes(type)
  const bytes = new BodyBytes(most)
  try {
    const excess = await readInto(bytes, reader, type)
    if (excess === 'body_too_large') throw new RangeError(`body: expected at most ${most} bytes, got more`)
    if (excess !== undefined) throw new RangeError('body: all bodies under way together are too large')
    return parseAnswer(bytes.bytes, type)
  } finally {
    bytes.release()
  }
}

export type TimeLimit = ReturnType<typeof timeLimit>

/** A time limit in milliseconds from `start` on. Unlike `AbortSignal.timeout`, its timer keeps the process alive. */
export function timeLimit(milliseconds = deadlines.ANSWER_TIMEOUT) {
  const controller = new AbortController()
  let resolve: (failed: Failed) => void
  /** Resolves when the time is over; otherwise never. */
  const over = new Promise<Failed>((resolved) => (resolve = resolved))
  const end = (code: 'timeout' | 'closed') => {
    resolve({ code })
    controller.abort()
  }
  let timer: ReturnType<typeof realTimers.start> | undefined
  const start = () => {
    timer ??= realTimers.start(() => end('timeout'), Math.min(milliseconds, MAX_TIMER_DELAY))
  }
  return { signal: controller.signal, over, end, start, stop: () => realTimers.stop(timer) }
}

// --- The result ------------------------------------------------------------------------------------------------

function answered(interaction: AnyInteraction, { callback, via, warnings = [] }: Answer): BotAnswer {
  return Object.freeze({ ok: true, callback, via, rendered: shownBy(interaction, callback), warnings })
}

const unreachable = (cause: unknown): Failed => ({ code: 'unreachable', cause })

export function unanswered({ code, issues, cause }: Failed, status: number | null = null): BotAnswer {
  return Object.freeze({ ...refused(code, issues), status, cause, rendered: failedAnswer })
}

// --- Keys -------------------------------------------------------------------------------------------------------

// The prefix of an Ed25519 seed in PKCS #8 (RFC 8410).
const PKCS8 = bytes('302e020100300506032b657004220420')

function importSeed(seed: Uint8Array): Promise<CryptoKey> {
  return crypto.subtle.importKey('pkcs8', Uint8Array.from([...PKCS8, ...seed]), 'Ed25519', true, ['sign'])
}

function bytesOf(seed: string, label = 'privateKey'): Uint8Array<ArrayBuffer> {
  if (typeof seed === 'string' && /^[0-9a-f]{64}$/i.test(seed)) return bytes(seed)
  throw new TypeError(
    `${label}: expected 64 digits of hex, got ${typeof seed === 'string' ? `${seed.length} characters` : describeValue(seed)}`,
  )
}

function bytes(digits: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
