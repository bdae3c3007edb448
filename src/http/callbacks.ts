/** POST /interactions/{id}/{token}/callback: answers that do not come with the response (service facts 7.3). */
import type { PendingAnswers, Received } from '../interaction/pending.ts'
import { toErrorBody } from '../issues/error-body.ts'

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
  switch (received.code) {
    case 'unknown_interaction':
      return { status: 404, body: { message: 'Unknown interaction', code: 10062 } }
    case 'already_answered':
      return { status: 400, body: { message: 'Interaction has already been acknowledged.', code: 40060 } }
    case 'invalid':
      return { status: 400, body: toErrorBody(received.issues) }
  }
}

/**
 * The route as a Web handler of its own, to be mounted beside `createHandler`. Anything but that route is 404, any
 * other method 405. It never rejects.
 */
export function createCallbackHandler({
  answers,
  basePath = '/api/v10',
}: {
  readonly answers: PendingAnswers
  readonly basePath?: string
}): (request: Request) => Promise<Response> {
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    const [root, id, token, last, ...rest] = pathname.startsWith(`${basePath}/`)
      ? pathname.slice(basePath.length + 1).split('/')
      : []
    if (
      root !== 'interactions' ||
      id === undefined ||
      token === undefined ||
      last !== 'callback' ||
      rest.length > 0
    ) {
      return respond({ status: 404, body: { message: '404: Not Found', code: 0 } })
    }
    if (request.method !== 'POST')
      return respond({ status: 405, body: { message: '405: Method Not Allowed', code: 0 } })
    let body: unknown
    try {
      body = await read(request)
    } catch {
      return respond({
        status: 400,
        body: { message: 'The request body contains invalid JSON.', code: 50109 },
      })
    }
    const withResponse = /^(?:true|1)$/i.test(searchParams.get('with_response') ?? '')
    return respond(receiveCallback(answers, { id, token: decoded(token), body, withResponse }))
  }
}

async function read(request: Request): Promise<unknown> {
  const isForm = request.headers.get('content-type')?.startsWith('multipart/form-data')
  return isForm ? JSON.parse(String((await request.formData()).get('payload_json'))) : request.json()
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function respond({ status, body }: CallbackAnswer): Response {
  return body === null
    ? new Response(null, { status })
    : new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } })
}
