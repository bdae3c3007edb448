/**
 * The rows for answers and follow-ups of interactions (clauses 2.11-09 to 2.11-11). The only token is that of the
 * interaction, in the path.
 */
import { isEmptyMessage } from '../answer/callback.ts'
import type { MessageRefusalCode, MessageResult, WebhookPath } from '../bot/conversations.ts'
import { callbackResponse } from '../answer/message.ts'
import { toErrorBody } from '../reference/error-body.ts'
import type { Outgoing } from './message.ts'
import { json, refuse, success } from './respond.ts'
import type { PathParams } from './router.ts'
import type { Route } from './route.ts'

const shared = { grant: 'anyone' } as const

/** An app's answer to an interaction. */
const callbackRoute: Route = {
  ...shared,
  method: 'POST',
  path: '/interactions/{interaction.id}/{interaction.token}/callback',
  clause: '2.11-09',
  summary: 'Answer an interaction',
  body: 'interactionCallback',
  outcomes: ['acknowledged', 'found'],
  response: 'interactionCallbackResponse',
  refusals: ['unknown_interaction', 'already_answered', 'empty_message'],
  refuseEarly: ({ interaction_id = '', interaction_token = '' }, { answers }) => {
    const state = answers.stateOf(interaction_id, interaction_token)
    return state === 'waiting' ? null : state
  },
  call: ({ service: { answers }, params, incoming, body, files }) => {
    const { interaction_id: id = '', interaction_token: token = '' } = params
    const flag = new URLSearchParams(incoming.query).get('with_response') ?? ''
    const withResponse = /^(?:true|1)$/i.test(flag)
    const received = answers.receive(id, token, body, files)
    if (received.ok && !withResponse) return success('acknowledged', null)
    if (received.ok) return json(callbackResponse(received.interaction, received.callback, received.message))
    if (received.code !== 'invalid') return refuse(received.code)
    return isEmptyMessage(received.issues)
      ? refuse('empty_message')
      : refuse('invalid', toErrorBody(received.issues))
  },
}

const WEBHOOK = '/webhooks/{application.id}/{interaction.token}'
const webhook = {
  ...shared,
  clause: '2.11-11',
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
    path: WEBHOOK,
    summary: 'Send a follow-up message',
    body: 'message',
    outcomes: ['found'],
    response: 'messageAnswer',
    refusals: [...webhook.refusals, 'empty_message', 'too_many_follow_ups'],
    refuseEarly: (params, { answers }) => {
      const code = refusalOfMessage(answers.conversations.read(webhookPath(params)))
      return code === 'unknown_message' ? null : code
    },
    call: ({ service, params, body, files }) =>
      messageResponse(service.answers.conversations.followUp(webhookPath(params), { body, files })),
  },
  {
    ...message,
    method: 'GET',
    summary: 'Get the original answer (@original) or a follow-up message',
    outcomes: ['found'],
    response: 'messageAnswer',
    call: ({ service, params }) => messageResponse(service.answers.conversations.read(webhookPath(params))),
  },
  {
    ...message,
    method: 'PATCH',
    summary: 'Edit the original answer or a follow-up message',
    body: 'message',
    outcomes: ['updated'],
    response: 'messageAnswer',
    refusals: [...message.refusals, 'empty_message'],
    refuseEarly: (params, { answers }) => refusalOfMessage(answers.conversations.read(webhookPath(params))),
    call: ({ service, params, body, files }) =>
      messageResponse(service.answers.conversations.edit(webhookPath(params), { body, files })),
  },
  {
    ...message,
    method: 'DELETE',
    summary: 'Delete the original answer or a follow-up message',
    outcomes: ['removed'],
    call: ({ service, params }) => {
      const result = service.answers.conversations.delete(webhookPath(params))
      return result.ok ? success('removed', null) : messageResponse(result)
    },
  },
]

function webhookPath({ application_id = '', interaction_token = '', message_id }: PathParams): WebhookPath {
  const path = { applicationId: application_id, token: interaction_token }
  return message_id === undefined ? path : { ...path, messageId: message_id }
}

function refusalOfMessage(result: MessageResult): MessageRefusalCode | null {
  return result.ok ? null : result.code
}

function messageResponse(result: MessageResult): Outgoing {
  if (result.ok) return json(result.message)
  if (result.code !== 'invalid') return refuse(result.code)
  return refuse('invalid', toErrorBody(result.issues))
}
