/** The endpoints of channels, their messages and reactions. */
import { validateEdit, validateMessage } from '../../interactions/answer/callback.ts'
import type { AnswerMessage } from '../../model/answer-types.ts'
import {
  listOf,
  nullable,
  objectOf,
  optional,
  orNull,
  partial,
  type ValuesOf,
} from '../../core/rules/readers.ts'
import { PermissionFlag } from '../../model/permission-flags.ts'
import { ChannelType } from '../../model/command-types.ts'
import { isObject } from '../../core/json.ts'
import { compareSnowflakes } from '../../core/snowflake.ts'
import type { ChannelOverwrite, ServerChannel } from '../../model/server.ts'
import { completeUser } from '../../interactions/usage/complete.ts'
import { emojiKey, messageFor, type Emoji, type WorldMessage } from '../world/world-message.ts'
import { directChannel, guildChannel, isDirect } from '../world/wire.ts'
import { bits, flag, id, ids, integer, oneOfNumbers, text } from './request-fields.ts'
import { invalidField, messageRefusal, Refused } from './respond.ts'
import { row, type Visit, type WorldRoute } from './visit.ts'

const CHANNEL = '/channels/{channel.id}'
const MESSAGES = `${CHANNEL}/messages`
const MESSAGE = `${MESSAGES}/{message.id}`
const REACTIONS = `${MESSAGE}/reactions`
const CHANNELS = '/guilds/{guild.id}/channels'
const EMOJI = `${REACTIONS}/{emoji}`
const OVERWRITE = `${CHANNEL}/permissions/{overwrite.id}`
const MANAGE_ROLES = ['MANAGE_ROLES'] as const
const READ_HISTORY = ['READ_MESSAGE_HISTORY'] as const

const overwriteFields = { type: oneOfNumbers(0, 1), allow: nullable(bits), deny: nullable(bits) } as const
const overwrite = objectOf({ id, ...overwriteFields })

const name = text(1, 100)
const channelFields = partial(optional, {
  topic: orNull(text(0, 1024)),
  nsfw: orNull(flag),
  parent_id: orNull(id),
  rate_limit_per_user: orNull(integer(0, 21_600)),
  bitrate: orNull(integer(8_000, 384_000)),
  user_limit: orNull(integer(0, 99)),
  permission_overwrites: orNull(listOf(overwrite)),
})

const changedChannel = objectOf({ name: optional(name), ...channelFields })

const newChannel = objectOf({
  name,
  ...channelFields,
  // Text, voice, category, announcement, stage and forum channels.
  type: optional(orNull(oneOfNumbers(0, 2, 4, 5, 13, 15))),
})

/** The overwrites with these fields. @throws Refused when they change permissions that the bot does not have */
function completeOverwrites(
  visit: Visit,
  given: readonly ValuesOf<typeof overwriteFields & { id: typeof id }>[],
  before: ServerChannel['permission_overwrites'] = [],
): readonly ChannelOverwrite[] {
  const after = given.map(({ id, type, allow = '0', deny = '0' }) => ({ id, type, allow, deny }))
  const own = [visit.botId, ...visit.memberOf(visit.botId).roles]
  const manages = ({ id, allow }: ChannelOverwrite) =>
    own.includes(id) && (BigInt(allow) & PermissionFlag.MANAGE_ROLES) !== 0n
  if (before.some(manages)) return after
  for (const { id, allow, deny } of after) {
    const old = before.find((one) => one.id === id)
    visit.needAll((BigInt(allow) ^ BigInt(old?.allow ?? 0)) | (BigInt(deny) ^ BigInt(old?.deny ?? 0)))
  }
  return after
}

/** The fields of a channel of a body. A null removes the topic and the category, and is as absent for others. */
function readChannel(
  visit: Visit,
  fields: typeof changedChannel,
  before?: ServerChannel,
): Partial<Omit<ServerChannel, 'id'>> {
  const { permission_overwrites: overwrites, ...given } = visit.body(fields)
  const { parent_id: parent } = given
  const category = visit.server.channels.find((channel) => channel.id === parent)
  if (parent && category?.type !== ChannelType.GUILD_CATEGORY)
    throw invalidField('parent_id', 'Category does not exist', 'CHANNEL_PARENT_INVALID')
  const kept = Object.entries(given).filter(
    ([name, value]) => value !== null || name === 'topic' || name === 'parent_id',
  )
  return {
    ...Object.fromEntries(kept),
    ...(overwrites !== undefined && {
      permission_overwrites: completeOverwrites(visit, overwrites ?? [], before?.permission_overwrites),
    }),
  }
}

function wireChannel({ server, serverChannel: { guild_id: guildId, ...channel } }: Visit): object {
  const index = server.channels.findIndex((one) => one.id === channel.id)
  return guildChannel(channel, guildId, index)
}

const SILENT_CHANNELS: readonly unknown[] = [ChannelType.GUILD_CATEGORY, ChannelType.GUILD_FORUM]

/** The checked body of a new message, or of an edit of one. @throws Refused */
function readMessage({ call: { body, files } }: Visit, before: WorldMessage | null): AnswerMessage {
  const read = before === null ? validateMessage(body, files) : validateEdit(before, body, files)
  if (read.ok) return read.value
  throw messageRefusal('invalid', read.issues)
}

/** @throws Refused where the bot may not send this message, or for a reply to a message that does not exist */
function checkSending(visit: Visit, body: AnswerMessage): void {
  const { channel } = visit
  if (isDirect(channel) && channel.user.bot) throw new Refused('unreachable_user')
  if (SILENT_CHANNELS.includes(channel.type)) throw new Refused('wrong_channel_type')
  if (visit.call.files.length > 0) visit.need('ATTACH_FILES')
  if ((body.embeds?.length ?? 0) > 0) visit.need('EMBED_LINKS')
  const { message_reference: reference } = body
  if (!isObject(reference) || reference.fail_if_not_exists === false) return
  if (visit.world.message(channel.id, String(reference.message_id)) === undefined)
    throw invalidField('message_reference', 'Unknown message', 'REPLIES_UNKNOWN_MESSAGE')
}

/** Up to 100 messages of a channel, newest first, before, after or around an id. */
function historyOf(visit: Visit): readonly WorldMessage[] {
  const page = objectOf(partial(optional, { limit: integer(1, 100), before: id, after: id, around: id }))
  const { limit = 50, before, after, around } = visit.query(page)
  if (!visit.has('READ_MESSAGE_HISTORY')) return []
  const all = visit.world.messages(visit.channel.id)
  const countBefore = (id: string) => all.filter((one) => compareSnowflakes(one.id, id) < 0).length
  let end = before === undefined ? all.length : countBefore(before)
  if (after !== undefined) end = all.filter((one) => compareSnowflakes(one.id, after) <= 0).length + limit
  else if (around !== undefined) end = Math.max(limit, countBefore(around) + Math.ceil(limit / 2))
  return all.slice(Math.max(0, end - limit), end).reverse()
}

const FORTNIGHT = 14 * 86_400_000

/** The emoji of a path: `name:id`, or a character of Unicode. */
function emojiOf({ call }: Visit): Emoji {
  const { emoji = '' } = call.params
  const own = /^(\w{2,32}):(\d{1,20})$/.exec(emoji)
  if (own !== null) return { name: own[1]!, id: own[2]! }
  if (emoji.length <= 32 && /[\p{Extended_Pictographic}\p{Regional_Indicator}\u20e3]/u.test(emoji))
    return { name: emoji, id: null }
  throw new Refused('unknown_emoji')
}

/** The emoji of the path as it is on the message of the path. */
function reactionOf(visit: Visit) {
  const key = emojiKey(emojiOf(visit))
  return visit.message.reactions.find((one) => emojiKey(one.emoji) === key)
}

function setReaction(visit: Visit, userId: string, isOn: boolean): void {
  visit.world.setReaction(visit.channel.id, visit.message.id, userId, emojiOf(visit), isOn)
}

export const channelRoutes: readonly WorldRoute[] = [
  row('GET', CHANNEL, 'A channel', [], (visit) =>
    isDirect(visit.channel) ? directChannel(visit.channel) : wireChannel(visit),
  ),
  row('PATCH', CHANNEL, 'Change a channel', ['MANAGE_CHANNELS'], (visit) => {
    const changes = readChannel(visit, changedChannel, visit.serverChannel)
    if (changes.permission_overwrites !== undefined) visit.need('MANAGE_ROLES')
    visit.world.setChannel(visit.path('channel'), changes)
    return wireChannel(visit)
  }),
  row('DELETE', CHANNEL, 'Delete a channel', ['MANAGE_CHANNELS'], (visit) => {
    const deleted = wireChannel(visit)
    visit.world.deleteChannel(visit.channel.id)
    return deleted
  }),
  row('POST', CHANNELS, 'Create a channel', ['MANAGE_CHANNELS'], (visit) => {
    const { world, server } = visit
    const { name = '', ...given } = readChannel(visit, newChannel)
    // Without overwrites of its own, a channel has those of its category.
    const category = server.channels.find(({ id }) => id === given.parent_id)
    const { permission_overwrites = [] } = category ?? {}
    const channel = world.createChannel(server.id, { permission_overwrites, ...given, name })
    return guildChannel(channel, server.id, server.channels.length)
  }),
  row('PUT', OVERWRITE, 'Set the permissions of a role or a member in a channel', MANAGE_ROLES, (visit) => {
    const given = visit.body(objectOf(overwriteFields))
    const { serverChannel: channel } = visit
    const id = visit.path('overwrite')
    const [changed] = completeOverwrites(visit, [{ ...given, id }], channel.permission_overwrites)
    visit.world.setOverwrite(channel, id, changed!)
  }),
  row(
    'DELETE',
    OVERWRITE,
    'Remove the permissions of a role or a member in a channel',
    MANAGE_ROLES,
    (visit) => visit.world.setOverwrite(visit.serverChannel, visit.path('overwrite'), null),
  ),
  row('POST', `${CHANNEL}/typing`, 'Show that the bot types', ['SEND_MESSAGES'], (visit) =>
    visit.world.type(visit.channel.id, visit.botId),
  ),

  row('GET', MESSAGES, 'Messages of a channel, newest first', [], (visit) =>
    historyOf(visit).map((message) => messageFor(message, visit.botId)),
  ),
  row('POST', MESSAGES, 'Send a message', ['SEND_MESSAGES'], (visit) => {
    const { world, channel, botId, call } = visit
    const body = readMessage(visit, null)
    checkSending(visit, body)
    return messageFor(world.createMessage(channel.id, world.user(botId)!, body, call.files), botId)
  }),
  row('POST', `${MESSAGES}/bulk-delete`, 'Delete 2 to 100 messages', ['MANAGE_MESSAGES'], (visit) => {
    const { world, channel } = visit
    const { messages } = visit.body(objectOf({ messages: ids(2, 100) }))
    const oldest = world.now() - FORTNIGHT
    const isOld = (one: WorldMessage) => Date.parse(one.timestamp) < oldest
    if (world.messages(channel.id).some((one) => messages.includes(one.id) && isOld(one)))
      throw new Refused('too_old_to_delete')
    world.deleteMessages(channel.id, messages)
  }),
  row('GET', MESSAGE, 'A message', READ_HISTORY, ({ message, botId }) => messageFor(message, botId)),
  row('PATCH', MESSAGE, 'Edit a message of the bot', [], (visit) => {
    const { world, channel, message, botId, call } = visit
    if (message.author.id !== botId) throw new Refused('foreign_message')
    const body = readMessage(visit, message)
    return messageFor(world.editMessage(channel.id, message.id, body, call.files), botId)
  }),
  row('DELETE', MESSAGE, 'Delete a message', [], (visit) => {
    const { world, channel, message, botId } = visit
    if (message.author.id !== botId) visit.need('MANAGE_MESSAGES')
    world.deleteMessages(channel.id, [message.id])
  }),

  row('PUT', `${EMOJI}/@me`, 'React to a message', READ_HISTORY, (visit) => {
    // Anybody may join a reaction that is there.
    if (reactionOf(visit) === undefined) visit.need('ADD_REACTIONS')
    setReaction(visit, visit.botId, true)
  }),
  row('DELETE', `${EMOJI}/@me`, 'Remove the own reaction', [], (visit) =>
    setReaction(visit, visit.botId, false),
  ),
  row('DELETE', `${EMOJI}/{user.id}`, "Remove a user's reaction", ['MANAGE_MESSAGES'], (visit) =>
    setReaction(visit, visit.path('user'), false),
  ),
  row('GET', EMOJI, 'The users who reacted with an emoji', READ_HISTORY, (visit) => {
    const { users = [] } = reactionOf(visit) ?? {}
    return users.map((userId) => completeUser(visit.world.user(userId)!))
  }),
  row('DELETE', REACTIONS, 'Remove all reactions', ['MANAGE_MESSAGES'], ({ world, channel, message }) =>
    world.clearReactions(channel.id, message.id),
  ),
]
