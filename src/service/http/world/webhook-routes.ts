/** The endpoints of webhooks of channels. Their paths with a token are also those of answers to interactions. */
import { nullable, objectOf, optional } from '../../../core/rules/readers.ts'
import { equalsSecret } from '../../../core/secrets.ts'
import type { Webhook, WorldChannel } from '../../world/entities.ts'
import { isDirect } from '../../world/entities.ts'
import { postMessage } from '../../world/messages.ts'
import { addPost } from '../../world/posts.ts'
import {
  changeWebhook,
  checkWebhookName,
  createWebhook,
  deleteWebhook,
  webhookName,
} from '../../world/acts/webhook-acts.ts'
import { findWebhook } from '../../world/webhooks.ts'
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
import { changeMessage, needWritable, readMessage, removeMessage } from '../../world/acts/message-acts.ts'
import { actRow, carryOutFor, row, throwRefusal, Visit, type RowFacts, type WorldRoute } from './visit.ts'

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

/** A request with the token of a webhook, which needs no permission. */
class HookVisit extends Visit {
  /** The webhook as the author of a message. */
  override get user(): MessageOrigin {
    const { id, name: username, avatar, user } = this.webhook
    const author = { id, username, avatar, discriminator: '0000', bot: true, webhook_id: id }
    return { ...author, ...(user.bot === true && { application_id: user.id }) }
  }

  override get webhook(): Webhook {
    const found = super.webhook
    if (equalsSecret(this.path('webhook_token'), found.token)) return found
    throw new Refused('invalid_webhook_token')
  }

  /** The channel of the webhook, or a thread of it. */
  override get channel(): WorldChannel {
    const { channel_id: own } = this.webhook
    const id = new URLSearchParams(this.call.incoming.query).get('thread_id') ?? own
    const channel = this.world.channel(id)
    if (channel && !isDirect(channel) && (id === own || channel.parent_id === own)) return channel
    throw new Refused('unknown_channel')
  }

  override get place(): WorldChannel {
    return this.channel
  }

  override get message(): WorldMessage {
    const found = super.message
    return found.webhook_id === this.webhook.id ? found : throwRefusal('unknown_message')
  }

  override needIn(): void {}
  override needOpen(): void {}
}

function execute(hook: HookVisit): WorldMessage {
  const { world, channel, webhook, call } = hook
  const { username = webhook.name, thread_name: title } = hook.body(sender)
  checkWebhookName(username === webhook.name ? undefined : username)
  const author = { ...hook.user, username }
  const { message: body } = readMessage({ fields: call.body, files: call.files }, hook)
  if (!isForum(channel)) {
    if (title !== undefined)
      throw new Refused(channel.id === webhook.channel_id ? 'hook_without_forum' : 'hook_has_thread')
    needWritable(channel)
    return postMessage(world, channel.id, author, body, call.files)
  }
  if (title === undefined) throw new Refused('hook_needs_thread')
  return addPost(world, channel, author, { name: title }, body, call.files).message
}

const isWaiting = ({ incoming }: Call) =>
  ['true', '1'].includes(new URLSearchParams(incoming.query).get('wait') ?? '')

/** The endpoint of answers to interactions with the same method and path. */
function ofAnswers(method: string, path: string): Route | undefined {
  const plain = (one: string) => one.replace(/\{[^{}]+\}/g, '{}')
  return routes.find((route) => route.method === method && plain(route.path) === plain(path))
}

/** An endpoint with the token of a webhook, whose path is also that of an answer to an interaction. */
function tokenRow(
  method: Route['method'],
  path: string,
  summary: string,
  facts: Pick<RowFacts, 'body'>,
  answer: (hook: HookVisit) => object | void,
): WorldRoute {
  const { body = 'fields' } = facts
  const other = ofAnswers(method, path)
  const isOfChannel = ({ webhook_id = '' }: Call['params'], { world }: Call['service']) =>
    other === undefined || findWebhook(world!, webhook_id) !== undefined
  const paramsOf = ({ webhook_id = '', webhook_token = '', ...rest }: Call['params']) => ({
    ...{ application_id: webhook_id, interaction_token: webhook_token },
    ...rest,
  })
  return {
    ...{ method, path, summary, needs: [], grant: 'anyone' },
    ...(method !== 'GET' && method !== 'DELETE' && { body }),
    checkEarly(params, service) {
      return isOfChannel(params, service) ? undefined : other?.checkEarly?.(paramsOf(params), service)
    },
    call(call) {
      if (!isOfChannel(call.params, call.service))
        return other!.call({ ...call, params: paramsOf(call.params) })
      const found = answer(new HookVisit(call.service.world!, call))
      return found === undefined ? success('removed', null) : json(found)
    },
  }
}

const SHARED = `${WEBHOOK}/{webhook.token}`
const MESSAGE = `${SHARED}/messages/{message.id}`
const withFiles = { body: 'Message' } as const

const withToken: readonly WorldRoute[] = [
  tokenRow('GET', SHARED, 'A webhook, by its token', {}, ({ webhook, channel }) => {
    const { user, ...own } = webhookOf(channel.guild_id, webhook, true) as { readonly user: unknown }
    return own
  }),
  tokenRow('PATCH', SHARED, 'Change a webhook, by its token', {}, (hook) =>
    webhookOf(hook.channel.guild_id, carryOutFor({ ...changeWebhook, body: changedByToken }, hook), true),
  ),
  tokenRow('DELETE', SHARED, 'Delete a webhook, by its token', {}, (hook) =>
    carryOutFor(deleteWebhook, hook),
  ),
  tokenRow('POST', SHARED, 'Send a message through a webhook', withFiles, (hook) => {
    const message = execute(hook)
    return isWaiting(hook.call) ? messageFor(message, '') : undefined
  }),
  tokenRow('GET', MESSAGE, 'A message of a webhook', {}, ({ message }) => messageFor(message, '')),
  tokenRow('PATCH', MESSAGE, 'Edit a message of a webhook', withFiles, (hook) =>
    messageFor(carryOutFor(changeMessage, hook), ''),
  ),
  tokenRow('DELETE', MESSAGE, 'Delete a message of a webhook', {}, (hook) =>
    carryOutFor(removeMessage, hook),
  ),
]

export const webhookRoutes: readonly WorldRoute[] = [...ofServer, ...withToken]
