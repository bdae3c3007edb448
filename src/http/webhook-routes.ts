/**
 * The rows for answers and follow-ups of interactions (clauses 2.11-09 to 2.11-11). The only token is that of the
 * interaction, in the path.
 */
import type { MessageResult, WebhookPath } from '../bot/conversations.ts'
import { callbackResponse, type AppMessage } from '../answer/message.ts'
import { json, messageRefusal, Refused, success } from './respond.ts'
import type { Call, Route } from './route.ts'
import type { PathParams } from './router.ts'

const callbackRoute: Route = {
  method: 'POST',
  path: '/interactions/{interaction.id}/{interaction.token}/callback',
  clause: '2.11-09',
  summary: 'Answer an interaction',
  grant: 'anyone',
  body: 'InteractionCallback',
  outcomes: ['acknowledged', 'found'],
  response: 'InteractionCallbackResponse',
  refusals: ['unknown_interaction', 'already_answered', 'empty_message'],
  checkEarly: ({ interaction_id = '', interaction_token = '' }, { answers }) => {
    const state = answers.stateOf(interaction_id, interaction_token)
    if (state !== 'waiting') throw new Refused(state)
  },
  call: ({ service: { answers }, params, incoming, body, files }) => {
    const { interaction_id: id = '', interaction_token: token = '' } = params
    const received = answers.receive(id, token, body, files)
    if (!received.ok) throw messageRefusal(received.code, received.issues)
    const withResponse = new URLSearchParams(incoming.query).get('with_response') ?? ''
    return /^(?:true|1)$/i.test(withResponse)
      ? json(callbackResponse(received.interaction, received.callback, received.message))
      : success('acknowledged', null)
  },
}

const WEBHOOK = '/webhooks/{application.id}/{interaction.token}'
const webhook = {
  path: WEBHOOK,
  clause: '2.11-11',
  grant: 'anyone',
  refusals: ['unknown_webhook', 'invalid_webhook_token'],
} as const
const message = {
  ...webhook,
  path: `${WEBHOOK}/messages/{message.id}`,
  refusals: [...webhook.refusals, 'unknown_message'],
} as const

export const webhookRoutes: readonly Route[] = [
  callbackRoute,
  {
    ...webhook,
    method: 'POST',
    summary: 'Send a follow-up message',
    body: 'Message',
    response: 'MessageAnswer',
    refusals: [...webhook.refusals, 'empty_message', 'too_many_follow_ups'],
    checkEarly: (params, { answers }) => {
      const original = answers.conversations.read(webhookPath(params))
      // The answer may have no message yet, or none any more.
      if (!original.ok && original.code !== 'unknown_message') messageOf(original)
    },
    call: ({ service: { answers }, params, body, files }) =>
      json(messageOf(answers.conversations.followUp(webhookPath(params), { body, files }))),
  },
  {
    ...message,
    method: 'GET',
    summary: 'Get the original answer (@original) or a follow-up message',
    response: 'MessageAnswer',
    call: ({ service, params }) => json(readMessage(params, service)),
  },
  {
    ...message,
    method: 'PATCH',
    summary: 'Edit the original answer or a follow-up message',
    body: 'Message',
    response: 'MessageAnswer',
    refusals: [...message.refusals, 'empty_message'],
    checkEarly: readMessage,
    call: ({ service: { answers }, params, body, files }) =>
      json(messageOf(answers.conversations.edit(webhookPath(params), { body, files }))),
  },
  {
    ...message,
    method: 'DELETE',
    summary: 'Delete the original answer or a follow-up message',
    call: ({ service: { answers }, params }) => {
      messageOf(answers.conversations.delete(webhookPath(params)))
      return success('removed', null)
    },
  },
]

function webhookPath({ application_id = '', interaction_token = '', message_id }: PathParams): WebhookPath {
  const path = { applicationId: application_id, token: interaction_token }
  return message_id === undefined ? path : { ...path, messageId: message_id }
}

function readMessage(params: PathParams, { answers }: Call['service']): AppMessage {
  return messageOf(answers.conversations.read(webhookPath(params)))
}

/** @throws Refused */
function messageOf(result: MessageResult): AppMessage {
  if (result.ok) return result.message
  throw messageRefusal(result.code, result.issues)
}
