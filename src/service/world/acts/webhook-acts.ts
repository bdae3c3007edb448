/** Acts on the webhooks of channels. With its token, a webhook carries them out itself and needs no permission. */
import { objectOf, optional } from '../../../core/rules/readers.ts'
import { invalidField, Refused } from '../../refusals.ts'
import { bodyId, orNoImage, textBetween } from '../body-fields.ts'
import { isDirect } from '../entities.ts'
import type { Party } from '../party.ts'
import { addWebhook, dropWebhook, setWebhook } from '../webhooks.ts'
import { channelAct } from './act.ts'

const needs = ['MANAGE_WEBHOOKS'] as const
const MAX_WEBHOOKS = 15

export const webhookName = textBetween(1, 80)
const ofNewWebhook = objectOf({ name: webhookName, avatar: orNoImage })
const ofChangedWebhook = objectOf({
  name: optional(webhookName),
  avatar: orNoImage,
  channel_id: optional(bodyId),
})

/** @throws Refused */
export function checkWebhookName(given: string | undefined): void {
  if (given !== undefined && /clyde|discord/i.test(given))
    throw invalidField('name', 'Username cannot contain "clyde" or "discord"', 'USERNAME_INVALID_CONTAINS')
}

export const createWebhook = channelAct({
  summary: 'Create a webhook',
  needs,
  event: 'WEBHOOKS_UPDATE',
  logs: 'WEBHOOK_CREATE',
  on: [],
  body: ofNewWebhook,
  check(by, { body }, place) {
    checkWebhookName(body.name)
    const others = by.serverOf(place).webhooks.filter((one) => one.channel_id === place.id)
    if (others.length >= MAX_WEBHOOKS) throw new Refused('too_many_webhooks', `${MAX_WEBHOOKS}`)
  },
  do(by, { body: { name, avatar } }, { id, guild_id: serverId }) {
    const fields = { channel_id: id, name, avatar: null, user: by.user, ...by.hashesOf({ avatar }) }
    return addWebhook(by.world, serverId, fields)
  },
})

const changing = { needs, event: 'WEBHOOKS_UPDATE', on: ['webhook'] } as const

/** @throws Refused for a channel of another server, and for one whose webhooks the party does not manage */
function checkNewChannel(by: Party, channelId: string, serverId: string): void {
  const channel = by.world.channel(channelId)
  if (channel === undefined || isDirect(channel) || channel.guild_id !== serverId)
    throw new Refused('unknown_channel')
  by.needIn(channel, ...needs)
}

export const changeWebhook = channelAct({
  ...changing,
  summary: 'Change a webhook',
  logs: 'WEBHOOK_UPDATE',
  body: ofChangedWebhook,
  check(by, { body }, { guild_id: serverId }) {
    checkWebhookName(body.name)
    if (body.channel_id !== undefined) checkNewChannel(by, body.channel_id, serverId)
  },
  do: (by, { webhook, body: { avatar, ...changes } }) =>
    setWebhook(by.world, webhook.id, { ...changes, ...by.hashesOf({ avatar }) }),
})

export const deleteWebhook = channelAct({
  ...changing,
  summary: 'Delete a webhook',
  logs: 'WEBHOOK_DELETE',
  do: ({ world }, { webhook }) => dropWebhook(world, webhook.id),
})
