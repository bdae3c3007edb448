/** Messages of channels, pins and reactions. */
import type { Conversations } from '../../interactions/bot/conversations.ts'
import type { AnswerFile, AnswerMessage } from '../../model/answer-types.ts'
import { isEphemeral } from '../../model/interaction-types.ts'
import { editMessage, type AppMessage } from '../../interactions/bot/bot-message.ts'
import { completeUser } from '../../interactions/usage/complete.ts'
import type { InteractionMessage } from '../../model/interaction-payload.ts'
import { isThread, type ServerUser } from '../../model/server.ts'
import { logAction } from './audit-log.ts'
import { isDirect, type AnyChannel } from './entities.ts'
import { mayMention } from './mentions.ts'
import { pollIn } from './poll-results.ts'
import { countMessage, setThreadMembers, withLastMessage } from './threads.ts'
import { guildMember } from './wire.ts'
import {
  messageFor,
  newMessage,
  systemMessage,
  type MessageContext,
  type MessageOrigin,
  type WorldMessage,
} from './world-message.ts'
import { known, type World } from './world.ts'

/** What stands in a thread for the message that it starts from. */
export const THREAD_STARTER_MESSAGE = 21

/**
 * Adds a message of a person, a bot or a webhook, with the fields of the body of POST /channels/{id}/messages.
 *
 * @param id of the first message of a post, which has the id of its thread. Default: a new one
 */
export function postMessage(
  world: World,
  channelId: string,
  author: MessageOrigin,
  body: AnswerMessage,
  files: readonly AnswerFile[] = [],
  id?: string,
): WorldMessage {
  const message = newMessage(author, body, messageContext(world, channelId, author, files, id))
  keepMessage(world, 'MESSAGE_CREATE', message)
  joinThread(world, channelId, [author.id, ...message.mentions.map(({ id }) => id)])
  return known(world.message(channelId, message.id))
}

/** Who writes in a thread, and whom a message mentions there, joins it. */
function joinThread(world: World, channelId: string, userIds: readonly string[]): void {
  const thread = world.thread(channelId)
  const members = userIds.filter((id) => thread && world.member(thread.guild_id, id) !== undefined)
  if (members.length > 0) setThreadMembers(world, channelId, members, true)
}

/** Adds a message of the service, such as that a message was pinned. */
export function addSystemMessage(
  world: World,
  channelId: string,
  author: ServerUser,
  fields: Partial<WorldMessage> & { readonly type: number },
): WorldMessage {
  const message = systemMessage(author, fields, messageContext(world, channelId, author))
  keepMessage(world, 'MESSAGE_CREATE', message)
  return message
}

/** Adds a message that was written before, without an event. The reactions of one with the same id stay. */
export function addMessage(world: World, message: InteractionMessage): void {
  const { reactions = [] } = world.message(message.channel_id, message.id) ?? {}
  world.log.set({ components: [], ...message, reactions })
}

/** Gives a message new content; absent fields keep the old one. */
export function rewriteMessage(
  world: World,
  channelId: string,
  id: string,
  body: AnswerMessage,
  files: readonly AnswerFile[] = [],
): WorldMessage {
  const before = known(world.message(channelId, id))
  replaceMessage(world, editMessage(before, body, messageContext(world, channelId, originOf(before), files)))
  return known(world.message(channelId, id))
}

/** Puts a changed message in the place of the old one, with an event. */
export function replaceMessage(world: World, message: WorldMessage): void {
  // The answer to an interaction belongs to its conversation, which tells its change back.
  const { reactions: _reactions, votes: _votes, ...answer } = message
  if (world.answers?.replace(message.id, answer as AppMessage) !== true)
    keepMessage(world, 'MESSAGE_UPDATE', message)
}

/** Deletes messages; ids of others are ignored. Two or more are one event. */
export function dropMessages(world: World, channelId: string, ids: readonly string[]): void {
  const deleted = ids.filter((id) => world.log.delete(channelId, id))
  const place = world.placeOf(channelId)
  for (const id of deleted) countMessage(world, channelId, id, -1)
  if (deleted.length === 1) world.publishIn(channelId, 'MESSAGE_DELETE', { id: deleted[0], ...place })
  if (deleted.length > 1) world.publishIn(channelId, 'MESSAGE_DELETE_BULK', { ids: deleted, ...place })
  for (const id of deleted) world.answers?.replace(id, null)
}

/** Deletes a message, and logs it if a user deletes that of another. */
export function dropMessage(world: World, { id, channel_id, author }: WorldMessage, byId: string): void {
  dropMessages(world, channel_id, [id])
  const guildId = world.guildOf(channel_id)
  if (guildId !== null && author.id !== byId)
    logAction(world, guildId, 'MESSAGE_DELETE', author.id, { channel_id, count: '1' })
}

/** Pins or unpins a message. A pin writes a message of the service. */
export function setPinned(
  world: World,
  { channel_id: channelId, id }: WorldMessage,
  by: ServerUser,
  isOn: boolean,
): void {
  const before = known(world.message(channelId, id))
  if (before.pinned === isOn) return
  const { pinned_at: _time, ...message } = before
  replaceMessage(world, { ...message, pinned: isOn, ...(isOn && { pinned_at: world.stamp() }) })
  const place = world.placeOf(channelId)
  world.publishIn(channelId, 'CHANNEL_PINS_UPDATE', {
    ...place,
    last_pin_timestamp: lastPin(world, channelId),
  })
  const guildId = world.guildOf(channelId)
  if (guildId !== null)
    logAction(world, guildId, isOn ? 'MESSAGE_PIN' : 'MESSAGE_UNPIN', before.author.id, {
      channel_id: channelId,
      message_id: id,
    })
  if (!isOn) return
  const reference = { message_reference: { type: 0, message_id: id, ...world.placeOf(channelId) } }
  addSystemMessage(world, channelId, by, { type: 6, ...reference } as never)
}

/** The pinned messages of a channel, the newest pin first. */
export function pinnedMessages(world: World, channelId: string): readonly WorldMessage[] {
  const pinned = world.messages(channelId).filter((one) => one.pinned)
  return pinned.sort((a, b) => (pinnedAt(a) < pinnedAt(b) ? 1 : -1))
}

/** When a message was pinned, as ISO 8601. */
export function pinnedAt({ pinned_at, timestamp }: WorldMessage): string {
  return pinned_at ?? timestamp
}

function lastPin(world: World, channelId: string): string | null {
  const [last] = pinnedMessages(world, channelId)
  return last === undefined ? null : pinnedAt(last)
}

export function publishTyping(world: World, channelId: string, userId: string): void {
  const member = world.memberIn(channelId, userId)
  world.publishIn(channelId, 'TYPING_START', {
    channel_id: channelId,
    user_id: userId,
    timestamp: Math.floor(world.now() / 1000),
    ...world.placeOf(channelId),
    ...(member && { member: guildMember(member) }),
  })
}

/**
 * Takes the answers to interactions as messages of their channels, but for those that only one person sees. An edit
 * or a deletion of one of them here reaches its conversation.
 */
export function followAnswers(world: World, answers: Conversations): void {
  world.answers = answers
  answers.subscribe(({ type, message }) => {
    const { id, channel_id: channelId } = message
    if (isEphemeral(message) || world.channel(channelId) === undefined) return
    if (type === 'message_deleted') return dropMessages(world, channelId, [id])
    const before = world.message(channelId, id)
    if (type === 'message_updated' && before === undefined) return
    const name = type === 'message_created' ? 'MESSAGE_CREATE' : 'MESSAGE_UPDATE'
    const { reactions = [], votes = [] } = before ?? {}
    keepMessage(world, name, { ...message, reactions, ...(votes.length > 0 && { votes }) })
  })
}

function messageContext(
  world: World,
  channelId: string,
  author: Pick<MessageOrigin, 'id' | 'webhook_id'>,
  files: readonly AnswerFile[] = [],
  messageId?: string,
): MessageContext {
  const channel = known(world.channel(channelId))
  const first = messageId === undefined ? [] : [messageId]
  return {
    channelId,
    files,
    ...(world.answers && { store: world.answers.files }),
    now: world.now(),
    // The first id is that of the message, and the others are those of its files.
    nextId: () => first.pop() ?? world.nextId(),
    userOf: (id) => completeUser(world.user(id) ?? { id }),
    mayMention: (roleId) => mayMention(world, channel, author, roleId),
    messageOf: (id, channel = channelId) => world.message(channel, id),
    guildOf: (id) => (world.channel(id) === undefined ? null : world.guildOf(id)),
    stickers: isDirect(channel) ? [] : (world.server(channel.guild_id)?.stickers ?? []),
  }
}

const originOf = ({ author, webhook_id }: WorldMessage) => ({
  ...author,
  ...(webhook_id !== undefined && { webhook_id }),
})

function keepMessage(world: World, name: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE', message: WorldMessage): void {
  world.log.set(message)
  const { id, channel_id: channelId, author, webhook_id } = message
  if (pollIn(message)?.results.is_finalized === false) world.openPolls.set(id, channelId)
  const member = webhook_id === undefined ? world.memberIn(channelId, author.id) : undefined
  const { user: _user, ...withoutUser } = (member ? guildMember(member) : {}) as { readonly user?: unknown }
  const channel = known(world.channel(channelId))
  world.publishIn(channelId, name, {
    ...messageFor(message, ''),
    // discord.js makes the channel of a first DM from it.
    channel_type: channel.type ?? 0,
    ...world.placeOf(channelId),
    ...(member && { member: withoutUser }),
  })
  if (name === 'MESSAGE_CREATE') noteLastMessage(world, channel, message)
}

/** Makes a new message the last one of its channel. */
function noteLastMessage(world: World, channel: AnyChannel, { id, type }: WorldMessage): void {
  if (isDirect(channel)) world.directs.set(channel.id, { ...channel, last_message_id: id })
  else if (!isThread(channel))
    world.change(channel.guild_id, ({ channels }) => ({
      channels: withLastMessage(channels, channel.id, id),
    }))
  else if (type !== THREAD_STARTER_MESSAGE) countMessage(world, channel.id, id, 1)
}
