/** POST /interactions/{id}/{token}/callback: answers that are sent in their own request. */
import { isEmptyMessage } from '../answer/callback.ts'
import { callbackResponse, type AnswerFile } from '../answer/message.ts'
import type { PendingAnswers } from '../bot/pending.ts'
import { toErrorBody } from '../reference/error-body.ts'
import { refusals } from './refusals.ts'

/** The response to an app's answer. */
export interface CallbackAnswer {
  /** The HTTP status. */
  readonly status: number
  /** The JSON body; null for none. */
  readonly body: object | null
}

/** An app's answer to an interaction, as it was posted. */
export interface ReceivedCallback {
  /** The interaction's id, from the path. */
  readonly id: string
  /** The interaction's token, from the path. */
  readonly token: string
  /** The parsed body. */
  readonly body: unknown
  /** The files that came with it. Default: none. */
  readonly files?: readonly AnswerFile[]
  /** Whether the query has `with_response=true`. Default false. */
  readonly withResponse?: boolean
}

/**
 * The response to an app's answer: 204, or 200 with the interaction if `withResponse` is set; 404 for an unknown
 * interaction; 400 for one that is already answered, and for an invalid answer.
 */
export function receiveCallback(
  answers: PendingAnswers,
  { id, token, body, files = [], withResponse = false }: ReceivedCallback,
): CallbackAnswer {
  const received = answers.receive(id, token, body, files)
  if (!received.ok) {
    const isEmpty = received.code === 'invalid' && isEmptyMessage(received.issues)
    if (received.code === 'invalid' && !isEmpty) return { status: 400, body: toErrorBody(received.issues) }
    const { status, message, code } = refusals[isEmpty ? 'empty_message' : received.code]
    return { status, body: { message, code } }
  }
  if (!withResponse) return { status: 204, body: null }
  const { interaction, callback, message } = received
  return { status: 200, body: callbackResponse(interaction, callback, message) }
}
