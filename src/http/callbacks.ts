/** POST /interactions/{id}/{token}/callback: answers that do not come with the response (service facts 7.3). */
import { mostBytes, parseAnswer } from '../interaction/answer-body.ts'
import type { PendingAnswers, Received } from '../interaction/pending.ts'
import { toErrorBody } from '../issues/error-body.ts'
import { checkBasePath, DEFAULT_BASE_PATH } from './exchange.ts'
import { handlerOf, type Handler } from './handler.ts'
import type { Answer, Incoming } from './message.ts'
import { refuse, refuseMethod } from './respond.ts'

/** What is answered to an app that answers. */
export interface CallbackAnswer {
  readonly status: number
  /** Null for none. */
  readonly body: object | null
}

/**
 * Takes an app's answer: 204, or 200 with what became of it when that is asked for; 404 for an interaction nobody
 * waits for; 400 for one that is answered already, and for faults.
 */
export function receiveCallback(
  answers: PendingAnswers,
  { id, token, body, withResponse = false }: ReceivedCallback,
): CallbackAnswer {
  const received = answers.receive(id, token, body)
  if (!received.ok) return refusal(received)
  if (!withResponse) return { status: 204, body: null }
  const { interaction, callback } = received
  return {
    status: 200,
    body: { interaction: { id: interaction.id, type: interaction.type }, resource: { type: callback.type } },
  }
}

export interface ReceivedCallback {
  readonly id: string
  readonly token: string
  readonly body: unknown
  /** `with_response=true` of the query. */
  readonly withResponse?: boolean
}

function refusal(received: Extract<Received, { ok: false }>): CallbackAnswer {
  return received.code === 'invalid'
    ? { status: 400, body: toErrorBody(received.issues) }
    : refusals[received.code]
}

const refusals = {
  unknown_interaction: { status: 404, body: { message: 'Unknown interaction', code: 10062 } },
  already_answered: {
    status: 400,
    body: { message: 'Interaction has already been acknowledged', code: 40060 },
  },
} as const

/**
 * The route as a Web handler of its own, to be mounted beside `createHandler`. It never rejects. What is wrong with a
 * request is looked for in this order:
 *
 * 1. 404 the path is not that route, 405 the method is not POST
 * 2. 404 nobody waits for an answer with that id and token, 400 it is answered already
 * 3. the body: 413 its size, 400 its JSON (code 50109)
 * 4. 400 faults of the answer
 *
 * @throws TypeError when the base path is none
 */
export function createCallbackHandler({
  answers,
  basePath = DEFAULT_BASE_PATH,
}: {
  readonly answers: PendingAnswers
  readonly basePath?: string
}): Handler {
  checkBasePath(basePath)
  async function answer(incoming: Incoming): Promise<Answer> {
    const [root, id, token, last, ...rest] = incoming.path.startsWith(`${basePath}/`)
      ? incoming.path.slice(basePath.length + 1).split('/')
      : []
    if (
      root !== 'interactions' ||
      id === undefined ||
      token === undefined ||
      last !== 'callback' ||
      rest.length > 0
    ) {
      return refuse('not_found')
    }
    if (incoming.method !== 'POST') return refuseMethod('POST')
    const place = { id, token: decoded(token) }
    const state = answers.stateOf(place.id, place.token)
    if (state !== 'waiting') return written(refusals[state])
    const type = incoming.header('content-type')
    const bytes = await incoming.body(mostBytes(type))
    if (typeof bytes === 'string') return refuse(bytes)
    let body: unknown
    try {
      body = await parseAnswer(bytes, type)
    } catch {
      return refuse('invalid_json')
    }
    const asked = new URLSearchParams(incoming.query).get('with_response') ?? ''
    return written(receiveCallback(answers, { ...place, body, withResponse: /^(?:true|1)$/i.test(asked) }))
  }
  return handlerOf((incoming) =>
    answer(incoming).catch((error: unknown) => {
      console.error(error)
      return refuse('server_fault')
    }),
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function written({ status, body }: CallbackAnswer): Answer {
  return body === null
    ? { status, headers: {}, body: null }
    : { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
}
