/** The endpoints of webhooks of channels. Their paths with a token are also those of answers to interactions. */
import { nullable, objectOf, optional } from '../../../core/rules/readers.ts'
import { equalsSecret } from '../../../core/secrets.ts'
import type { Webhook, WorldChannel } from '../../world/entities.ts'
import { isDirect } from '../../world/entities.ts'
import { postMessage, dropMessages, rewriteMessage } from '../../world/messages.ts'
import { addPost } from '../../world/posts.ts'
import {
  changeWebhook,
  checkWebhookName,
  createWebhook,
  deleteWebhook,
  webhookName,
} from '../../world/acts/webhook-acts.ts'
import { dropWebhook, findWebhook, setWebhook } from '../../world/webhooks.ts'
import { known } from '../../world/world.ts'
import { webhookOf } from '../../world/wire.ts'
import { isForum } from '../../world/threads.ts'
import { messageFor, type MessageOrigin, type WorldMessage } from '../../world/world-message.ts'
import type { Call, Route } from '../call.ts'
import { json, success } from '../respond.ts'
import { Refused } from '../../refusals.ts'
import { routes } from '../routes.ts'
import { CHANNEL, GUILD } from './paths.ts'
import { orNoImage, textBetween } from '../../world/body-fields.ts'
import { checkEdit, needWritable, readMessage } from '../../world/acts/message-acts.ts'
import { actRow, row, Visit, type WorldRoute } from './visit.ts'

const WEBHOOK = '/webhooks/{webhook.id}'
const needs = ['MANAGE_WEBHOOKS'] as const

const changedByToken = objectOf({ name: optional(webhookName), avatar: orNoImage })
const sender = objectOf({
  username: nullable(webhookName),
  avatar_url: nullable(textBetween(0, 2048)),
  thread_name: nullable(textBetween(1, 100)),
})

const placeOf = ({ world, webhook }: Visit) => world.channel(webhook.channel_id) as WorldChannel

/** With its token for those that the bot or a person has created. */
const page = (webhook: Webhook, { botId, world }: Visit) =>
  webhookOf(
    known(world.guildOf(webhook.channel_id)),
    webhook,
    webhook.user.id === botId || webhook.user.bot !== true,
  )

const ofServer: readonly WorldRoute[] = [
  actRow('POST', `${CHANNEL}/webhooks`, createWebhook, page),
  row('GET', `${CHANNEL}/webhooks`, 'The webhooks of a channel', { needs }, (visit) =>
    visit.server.webhooks.filter((one) => one.channel_id === visit.channel.id).map((one) => page(one, visit)),
  ),
  row('GET', `${GUILD}/webhooks`, 'The webhooks of a server', { needs }, (visit) =>
    visit.server.webhooks.map((one) => page(one, visit)),
  ),
  row('GET', WEBHOOK, 'A webhook', { needs, place: placeOf }, (visit) => page(visit.webhook, visit)),
  actRow('PATCH', WEBHOOK, changeWebhook, page, { place: placeOf }),
  actRow('DELETE', WEBHOOK, deleteWebhook, undefined, { place: placeOf }),
]

// --- With the token of a webhook ------------------------------------------------------------------------------

/** A request with the token of a webhook, which needs no other. */
interface HookCall {
  readonly visit: Visit
  readonly webhook: Webhook
  /** The channel of the webhook, or a thread of it. */
  readonly channel: WorldChannel
}

function hookCall(call: Call): HookCall {
  const visit = new Visit(call.service.world!, call)
  const { webhook } = visit
  if (!equalsSecret(visit.path('webhook_token'), webhook.token)) throw new Refused('invalid_webhook_token')
  const threadId = new URLSearchParams(call.incoming.query).get('thread_id')
  const channel = visit.world.channel(threadId ?? webhook.channel_id)
  const isOwn =
    threadId === null || (channel && !isDirect(channel) && channel.parent_id === webhook.channel_id)
  if (channel === undefined || isDirect(channel) || !isOwn) throw new Refused('unknown_channel')
  return { visit, webhook, channel }
}

/** The webhook as the author of a message, perhaps under another name. */
function originOf({ visit, webhook }: HookCall): MessageOrigin {
  const { username = webhook.name } = visit.body(sender)
  checkWebhookName(username === webhook.name ? undefined : username)
  const { id: webhook_id, avatar: hash, user } = webhook
  const author = { id: webhook_id, username, avatar: hash, discriminator: '0000', bot: true }
  return { ...author, webhook_id, ...(user.bot === true && { application_id: user.id }) }
}

function execute(call: Call): WorldMessage {
  const hook = hookCall(call)
  const { visit, channel } = hook
  const { world } = visit
  const author = originOf(hook)
  const { message: body } = readMessage({ fields: call.body, files: call.files }, visit)
  const { thread_name: title } = visit.body(sender)
  if (!isForum(channel)) {
    if (title !== undefined)
      throw new Refused(channel.id === hook.webhook.channel_id ? 'hook_without_forum' : 'hook_has_thread')
    needWritable(channel)
    return postMessage(world, channel.id, author, body, call.files)
  }
  if (title === undefined) throw new Refused('hook_needs_thread')
  return addPost(world, channel, author, { name: title }, body, call.files).message
}

function messageOf({ visit, webhook, channel }: HookCall): WorldMessage {
  const found = visit.world.message(channel.id, visit.path('message'))
  if (found?.webhook_id !== webhook.id) throw new Refused('unknown_message')
  return found
}

const isWaiting = ({ incoming }: Call) =>
  ['true', '1'].includes(new URLSearchParams(incoming.query).get('wait') ?? '')

const SHARED = `${WEBHOOK}/{webhook.token}`
const MESSAGE = `${SHARED}/messages/{message.id}`
type Handler = (call: Call) => object | void

/** The endpoints with a token: method, path, what they do, and whether the body is a message or fields. */
const withToken: readonly (readonly [Route['method'], string, string, string | undefined, Handler])[] = [
  [
    'GET',
    SHARED,
    'A webhook, by its token',
    undefined,
    (call) => {
      const { webhook, channel } = hookCall(call)
      const { user, ...own } = webhookOf(channel.guild_id, webhook, true) as { readonly user: unknown }
      return own
    },
  ],
  [
    'PATCH',
    SHARED,
    'Change a webhook, by its token',
    'fields',
    (call) => {
      const { visit, webhook, channel } = hookCall(call)
      const { avatar, ...changes } = visit.body(changedByToken)
      checkWebhookName(changes.name)
      return webhookOf(
        channel.guild_id,
        setWebhook(visit.world, webhook.id, { ...changes, ...visit.hashesOf({ avatar }) }),
        true,
      )
    },
  ],
  [
    'DELETE',
    SHARED,
    'Delete a webhook, by its token',
    undefined,
    (call) => {
      const { visit, webhook } = hookCall(call)
      dropWebhook(visit.world, webhook.id)
    },
  ],
  [
    'POST',
    SHARED,
    'Send a message through a webhook',
    'Message',
    (call) => {
      const message = execute(call)
      return isWaiting(call) ? messageFor(message, '') : undefined
    },
  ],
  ['GET', MESSAGE, 'A message of a webhook', undefined, (call) => messageFor(messageOf(hookCall(call)), '')],
  [
    'PATCH',
    MESSAGE,
    'Edit a message of a webhook',
    'Message',
    (call) => {
      const hook = hookCall(call)
      const message = messageOf(hook)
      checkEdit(message)
      const { message: body } = readMessage({ fields: call.body, files: call.files }, hook.visit, message)
      return messageFor(rewriteMessage(hook.visit.world, hook.channel.id, message.id, body, call.files), '')
    },
  ],
  [
    'DELETE',
    MESSAGE,
    'Delete a message of a webhook',
    undefined,
    (call) => {
      const hook = hookCall(call)
      dropMessages(hook.visit.world, hook.channel.id, [messageOf(hook).id])
    },
  ],
]

/** The endpoint of answers to interactions with the same method and path. */
function ofAnswers(method: string, path: string): Route | undefined {
  const plain = (one: string) => one.replace(/\{[^{}]+\}/g, '{}')
  return routes.find((route) => route.method === method && plain(route.path) === plain(path))
}

const tokenRoutes = withToken.map(([method, path, summary, body, answer]): WorldRoute => {
  const other = ofAnswers(method, path)
  const isOfChannel = ({ webhook_id = '' }: Call['params'], { world }: Call['service']) =>
    other === undefined || findWebhook(world!, webhook_id) !== undefined
  const paramsOf = ({ webhook_id = '', webhook_token = '', ...rest }: Call['params']) => ({
    ...{ application_id: webhook_id, interaction_token: webhook_token },
    ...rest,
  })
  return {
    ...{ method, path, summary, needs: [], grant: 'anyone' },
    ...(body !== undefined && { body }),
    checkEarly(params, service) {
      return isOfChannel(params, service) ? undefined : other?.checkEarly?.(paramsOf(params), service)
    },
    call(call) {
      if (!isOfChannel(call.params, call.service))
        return other!.call({ ...call, params: paramsOf(call.params) })
      const found = answer(call)
      return found === undefined ? success('removed', null) : json(found)
    },
  }
})

export const webhookRoutes: readonly WorldRoute[] = [...ofServer, ...tokenRoutes]
