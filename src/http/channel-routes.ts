/** The endpoints of channels, their messages and reactions. */
import { isEmptyMessage, validateEdit, validateMessage } from '../answer/callback.ts'
import type { AnswerMessage } from '../answer/answer-types.ts'
import { ChannelType } from '../command/types.ts'
import { isObject } from '../core/json.ts'
import { compareSnowflakes } from '../core/snowflake.ts'
import type { ChannelOverwrite } from '../world/server.ts'
import { completeUser } from '../interaction/complete.ts'
import { toErrorBody } from '../reference/error-body.ts'
import { emojiKey, messageFor, type Emoji, type WorldMessage } from '../world/message.ts'
import { directChannel, guildChannel, type DirectChannel } from '../world/wire.ts'
import type { WorldChannel } from '../world/world.ts'
import { bits, flag, id, integer, listOf, oneOfNumbers, orNull, record, text } from './fields.ts'
import type { ServedRoute } from './route.ts'
import { Refused, row, type Visit } from './visit.ts'

const CHANNEL = '/channels/{channel.id}'
const MESSAGES = `${CHANNEL}/messages`
const MESSAGE = `${MESSAGES}/{message.id}`
const REACTIONS = `${MESSAGE}/reactions`
const OVERWRITE = `${CHANNEL}/permissions/{overwrite.id}`

type Channel = WorldChannel | DirectChannel

const isDirect = (channel: Channel): channel is DirectChannel => 'botId' in channel

// --- Channels ---------------------------------------------------------------------------------------------------

const overwriteFields = { type: oneOfNumbers(0, 1), allow: orNull(bits), deny: orNull(bits) } as const

const channelFields = record({
  name: text(1, 100),
  topic: orNull(text(0, 1024)),
  nsfw: orNull(flag),
  parent_id: orNull(id),
  rate_limit_per_user: orNull(integer(0, 21_600)),
  bitrate: orNull(integer(8_000, 384_000)),
  user_limit: orNull(integer(0, 99)),
  permission_overwrites: orNull(listOf(record({ id, ...overwriteFields }, ['id', 'type']))),
})

type Given<T> = { readonly [Key in keyof T]?: T[Key] | null }

function overwriteOf({ id: about = '', type = 0, allow, deny }: Given<ChannelOverwrite>): ChannelOverwrite {
  return { id: about!, type: type ?? 0, allow: allow ?? '0', deny: deny ?? '0' }
}

function wireChannel(visit: Visit, channel: Channel): object {
  if (isDirect(channel)) return directChannel(channel)
  const { guild_id: guildId, ...own } = channel
  const index = visit.server(guildId).channels.findIndex((one) => one.id === channel.id)
  return guildChannel(own, guildId, index)
}

/** Sets or removes (null) an overwrite of the channel in the path. */
function changeOverwrite(visit: Visit, overwrite: ChannelOverwrite | null): undefined {
  const channel = visit.serverChannel('MANAGE_ROLES')
  const others = (channel.permission_overwrites ?? []).filter((one) => one.id !== visit.path('overwrite'))
  const permission_overwrites = overwrite === null ? others : [...others, overwrite]
  visit.world.setChannel(channel.id, { permission_overwrites })
}

const ownChannelRoutes: readonly ServedRoute[] = [
  row('GET', CHANNEL, 'A channel', (visit) => wireChannel(visit, visit.channel())),
  row('PATCH', CHANNEL, 'Change a channel', (visit) => {
    const channel = visit.serverChannel('MANAGE_CHANNELS')
    const { permission_overwrites: overwrites, ...given } = visit.body(channelFields)
    if (overwrites !== undefined) visit.need(visit.server(channel.guild_id), ['MANAGE_ROLES'], channel)
    const changes = {
      ...Object.fromEntries(
        Object.entries(given).filter(
          ([name, value]) => value !== null || name === 'topic' || name === 'parent_id',
        ),
      ),
      ...(overwrites !== undefined && { permission_overwrites: (overwrites ?? []).map(overwriteOf) }),
    }
    return wireChannel(visit, visit.world.setChannel(channel.id, changes))
  }),
  row('PUT', OVERWRITE, 'Set the permissions of a role or a member in a channel', (visit) => {
    const given = visit.body(record(overwriteFields, ['type']))
    return changeOverwrite(visit, overwriteOf({ ...given, id: visit.path('overwrite') }))
  }),
  row('DELETE', OVERWRITE, 'Remove the permissions of a role or a member in a channel', (visit) =>
    changeOverwrite(visit, null),
  ),
  row('POST', `${CHANNEL}/typing`, 'Show that the bot types', (visit) => {
    visit.world.type(visit.channel('SEND_MESSAGES').id, visit.botId)
  }),
]

// --- Messages ---------------------------------------------------------------------------------------------------

const SILENT_CHANNELS: readonly number[] = [ChannelType.GUILD_CATEGORY, ChannelType.GUILD_FORUM]

/** The checked body of a new message, or of an edit of one. @throws Refused */
function readMessage({ call: { body, files } }: Visit, before: WorldMessage | null): AnswerMessage {
  const read = before === null ? validateMessage(body, files) : validateEdit(before, body, files)
  if (read.ok) return read.value
  if (isEmptyMessage(read.issues)) throw new Refused('empty_message')
  throw new Refused('invalid', '', toErrorBody(read.issues))
}

/** The channel of a new message, in which the bot may send this one. */
function sendingChannel(visit: Visit, body: AnswerMessage): Channel {
  const channel = visit.channel('SEND_MESSAGES')
  if (isDirect(channel)) {
    if (channel.user.bot) throw new Refused('unreachable_user')
    return channel
  }
  if (SILENT_CHANNELS.includes(channel.type ?? 0)) throw new Refused('wrong_channel_type')
  const server = visit.server(channel.guild_id)
  if (visit.call.files.length > 0) visit.need(server, ['ATTACH_FILES'], channel)
  if ((body.embeds?.length ?? 0) > 0) visit.need(server, ['EMBED_LINKS'], channel)
  return channel
}

/** @throws Refused 50035 for a reply to a message that is not there, unless the body allows that */
function checkReply(visit: Visit, channel: Channel, { message_reference: reference }: AnswerMessage): void {
  if (!isObject(reference) || reference.fail_if_not_exists === false) return
  if (visit.world.message(channel.id, String(reference.message_id)) === undefined)
    throw visit.invalid('message_reference', 'Unknown message', 'REPLIES_UNKNOWN_MESSAGE')
}

/** Up to 100 messages of a channel, newest first, before, after or around an id. */
function historyOf(visit: Visit): readonly WorldMessage[] {
  const channel = visit.channel()
  const page = record({ limit: integer(1, 100), before: id, after: id, around: id })
  const { limit = 50, before, after, around } = visit.query(page)
  if (!isDirect(channel) && !visit.has(visit.server(channel.guild_id), 'READ_MESSAGE_HISTORY', channel))
    return []
  const all = visit.world.messages(channel.id)
  if (after !== undefined)
    return all
      .filter((one) => compareSnowflakes(one.id, after) > 0)
      .slice(0, limit)
      .reverse()
  if (around !== undefined) {
    const middle = all.findIndex((one) => compareSnowflakes(one.id, around) >= 0)
    const start = Math.max(0, (middle < 0 ? all.length : middle) - Math.floor(limit / 2))
    return all.slice(start, start + limit).reverse()
  }
  const earlier = before === undefined ? all : all.filter((one) => compareSnowflakes(one.id, before) < 0)
  return earlier.slice(-limit).reverse()
}

const FORTNIGHT = 14 * 86_400_000

const messageRoutes: readonly ServedRoute[] = [
  row('GET', MESSAGES, 'Messages of a channel, newest first', (visit) =>
    historyOf(visit).map((message) => messageFor(message, visit.botId)),
  ),
  row(
    'POST',
    MESSAGES,
    'Send a message',
    (visit) => {
      const body = readMessage(visit, null)
      const channel = sendingChannel(visit, body)
      checkReply(visit, channel, body)
      const message = visit.world.createMessage(channel.id, visit.bot, body, visit.call.files)
      return { ...messageFor(message, visit.botId), ...nonceOf(body) }
    },
    'message',
  ),
  row('POST', `${MESSAGES}/bulk-delete`, 'Delete 2 to 100 messages', (visit) => {
    const channel = visit.serverChannel('MANAGE_MESSAGES')
    const { messages = [] } = visit.body(record({ messages: listOf(id, 2, 100) }, ['messages']))
    const oldest = visit.world.now() - FORTNIGHT
    const isOld = (one: WorldMessage) => Date.parse(one.timestamp) < oldest
    if (visit.world.messages(channel.id).some((one) => messages.includes(one.id) && isOld(one)))
      throw new Refused('too_old_to_delete')
    visit.world.deleteMessages(channel.id, messages)
  }),
  row('GET', MESSAGE, 'A message', (visit) =>
    messageFor(visit.message(visit.channel('READ_MESSAGE_HISTORY')), visit.botId),
  ),
  row(
    'PATCH',
    MESSAGE,
    'Edit a message of the bot',
    (visit) => {
      const channel = visit.channel()
      const message = visit.message(channel)
      if (message.author.id !== visit.botId) throw new Refused('foreign_message')
      const body = readMessage(visit, message)
      return messageFor(visit.world.editMessage(channel.id, message.id, body, visit.call.files), visit.botId)
    },
    'message',
  ),
  row('DELETE', MESSAGE, 'Delete a message', (visit) => {
    const channel = visit.channel()
    const message = visit.message(channel)
    if (message.author.id !== visit.botId) visit.serverChannel('MANAGE_MESSAGES')
    visit.world.deleteMessages(channel.id, [message.id])
  }),
]

function nonceOf({ nonce }: AnswerMessage): object {
  return typeof nonce === 'string' || typeof nonce === 'number' ? { nonce } : {}
}

// --- Reactions --------------------------------------------------------------------------------------------------

/** The emoji of a path: `name:id`, or a character of Unicode. */
function emojiOf({ call }: Visit): Emoji {
  const { emoji = '' } = call.params
  const own = /^(\w{2,32}):(\d{1,20})$/.exec(emoji)
  if (own !== null) return { name: own[1]!, id: own[2]! }
  if (emoji.length <= 32 && /[\p{Extended_Pictographic}\p{Regional_Indicator}\u20e3]/u.test(emoji))
    return { name: emoji, id: null }
  throw new Refused('unknown_emoji')
}

function react(visit: Visit): undefined {
  const emoji = emojiOf(visit)
  const channel = visit.channel('READ_MESSAGE_HISTORY')
  const { id: messageId, reactions } = visit.message(channel)
  // Anybody may join a reaction that is there.
  const isNew = !reactions.some((one) => emojiKey(one.emoji) === emojiKey(emoji))
  if (isNew) visit.channel('ADD_REACTIONS')
  visit.world.react(channel.id, messageId, visit.botId, emoji)
}

function unreact(visit: Visit, channel: Channel, userId: string): undefined {
  visit.world.unreact(channel.id, visit.message(channel).id, userId, emojiOf(visit))
}

const reactionRoutes: readonly ServedRoute[] = [
  row('PUT', `${REACTIONS}/{emoji}/@me`, 'React to a message', react),
  row('DELETE', `${REACTIONS}/{emoji}/@me`, 'Remove the own reaction', (visit) =>
    unreact(visit, visit.channel(), visit.botId),
  ),
  row('DELETE', `${REACTIONS}/{emoji}/{user.id}`, "Remove a user's reaction", (visit) =>
    unreact(visit, visit.serverChannel('MANAGE_MESSAGES'), visit.path('user')),
  ),
  row('GET', `${REACTIONS}/{emoji}`, 'The users who reacted with an emoji', (visit) => {
    const message = visit.message(visit.channel('READ_MESSAGE_HISTORY'))
    const key = emojiKey(emojiOf(visit))
    const found = message.reactions.find((one) => emojiKey(one.emoji) === key)
    return (found?.users ?? []).map((userId) => completeUser(visit.world.user(userId) ?? { id: userId }))
  }),
  row('DELETE', REACTIONS, 'Remove all reactions', (visit) => {
    const channel = visit.serverChannel('MANAGE_MESSAGES')
    visit.world.clearReactions(channel.id, visit.message(channel).id)
  }),
]

/** Every endpoint of channels. */
export const channelRoutes: readonly ServedRoute[] = [
  ...ownChannelRoutes,
  ...messageRoutes,
  ...reactionRoutes,
]
