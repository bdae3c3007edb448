/** Webhooks of channels. */
import { newSecret } from '../../core/secrets.ts'
import { logChange } from './audit-log.ts'
import type { ServerState, Webhook } from './entities.ts'
import { known, type World } from './world.ts'

type WebhookFields = Pick<Webhook, 'channel_id' | 'name' | 'avatar' | 'user'>

/** A webhook with its server; undefined for an unknown id. */
export function findWebhook(
  world: World,
  id: string,
): { readonly server: ServerState; readonly webhook: Webhook } | undefined {
  for (const server of world.servers) {
    const webhook = server.webhooks.find((one) => one.id === id)
    if (webhook !== undefined) return { server, webhook }
  }
  return undefined
}

export function addWebhook(world: World, serverId: string, fields: WebhookFields): Webhook {
  const id = world.nextId()
  // As long as Discord's; the prefix says that it opens nothing elsewhere.
  const webhook = { ...fields, id, token: newSecret(30, 'webhook-') }
  world.change(serverId, ({ webhooks }) => ({ webhooks: [...webhooks, webhook] }))
  publishChange(world, serverId, fields.channel_id)
  logChange(world, serverId, 'WEBHOOK_CREATE', id, null, loggedFields(webhook))
  return webhook
}

export function setWebhook(world: World, id: string, changes: Partial<WebhookFields>): Webhook {
  const { server, webhook: before } = known(findWebhook(world, id))
  const webhook = { ...before, ...changes }
  world.change(server.id, ({ webhooks }) => ({ webhooks: webhooks.with(webhooks.indexOf(before), webhook) }))
  publishChange(world, server.id, webhook.channel_id)
  logChange(world, server.id, 'WEBHOOK_UPDATE', id, loggedFields(before), loggedFields(webhook))
  return webhook
}

export function dropWebhook(world: World, id: string): void {
  const { server, webhook } = known(findWebhook(world, id))
  world.change(server.id, ({ webhooks }) => ({ webhooks: webhooks.filter((one) => one !== webhook) }))
  publishChange(world, server.id, webhook.channel_id)
  logChange(world, server.id, 'WEBHOOK_DELETE', id, loggedFields(webhook), null)
}

const loggedFields = ({ name, channel_id }: Webhook) => ({ type: 1, name, channel_id })

/** The event names the channel alone. */
function publishChange(world: World, guild_id: string, channel_id: string): void {
  world.publish('WEBHOOKS_UPDATE', guild_id, { guild_id, channel_id })
}
