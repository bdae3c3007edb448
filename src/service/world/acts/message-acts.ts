/** Acts on messages: sending, editing and deleting them. */
import type { AnswerFile, AnswerMessage } from '../../../model/answer-types.ts'
import { validateEdit, validateMessage } from '../../../interactions/answer/callback.ts'
import { CHANNEL_FLAGS } from '../../../interactions/answer/message-rules.ts'
import { isEmptyMessage } from '../../../interactions/answer/empty-message.ts'
import { isObject } from '../../../core/json.ts'
import { nullable, objectOf } from '../../../core/rules/readers.ts'
import { snowflakeTime } from '../../../core/snowflake.ts'
import { ChannelType } from '../../../model/command-types.ts'
import { isThread } from '../../../model/server.ts'
import { invalidField, messageRefusal, Refused } from '../../refusals.ts'
import { idList, readFields, textBetween } from '../body-fields.ts'
import { isWritable } from '../channels.ts'
import { canReach } from '../directs.ts'
import { isDirect, type AnyChannel, type Thread } from '../entities.ts'
import { logAction } from '../audit-log.ts'
import {
  postMessage,
  dropMessage,
  dropMessages,
  rewriteMessage,
  replaceMessage,
  publishTyping,
  THREAD_STARTER_MESSAGE,
} from '../messages.ts'
import { isForum } from '../threads.ts'
import { known } from '../world.ts'
import type { Party } from '../party.ts'
import { mentionsMany } from '../mentions.ts'
import { pollIn } from '../poll-results.ts'
import { isForward, isSystemMessage, type WorldMessage } from '../world-message.ts'
import { act, channelAct, type FurtherNeed, type Objects, type Sent } from './act.ts'

/** A checked message with its files. */
export interface CheckedMessage {
  readonly message: AnswerMessage
  readonly files: readonly AnswerFile[]
}

type Writing = { readonly body: CheckedMessage }

const isReply = (body: AnswerMessage) => isObject(body.message_reference) && !isForward(body)

/** What the parts of a message need. */
export const partsOfMessage: readonly FurtherNeed<Writing, AnyChannel>[] = [
  { permission: 'ATTACH_FILES', for: 'files', when: ({ body }) => body.files.length > 0 },
  {
    permission: 'EMBED_LINKS',
    for: 'embeds',
    when: ({ body: { message } }) => (message.embeds?.length ?? 0) > 0,
  },
  { permission: 'SEND_POLLS', for: 'a poll', when: ({ body: { message } }) => isObject(message.poll) },
  {
    permission: 'SEND_TTS_MESSAGES',
    for: 'a message that is read aloud',
    when: ({ body: { message } }) => message.tts === true,
  },
  {
    permission: 'READ_MESSAGE_HISTORY',
    for: 'a reply',
    when: ({ body: { message } }) => isReply(message),
    refusal: 'unreadable_reply',
  },
  {
    permission: 'MENTION_EVERYONE',
    for: '@everyone, @here and roles that not everyone may mention',
    when: ({ body: { message } }, place, { world }) => mentionsMany(world, place, message),
    isQuiet: true,
  },
]

/** The checks of a new message beside its form and its permissions. @throws Refused */
export function checkSending(by: Party, { body: { message } }: Writing, place: AnyChannel): void {
  if (isDirect(place) && by.user.id === place.botId && !canReach(by.world, place))
    throw new Refused('unreachable_user')
  needWritable(place)
  if (!isDirect(place) && isThread(place) && (place as Thread).thread_metadata?.locked)
    if (!by.hasInstead(place, 'MANAGE_THREADS'))
      throw new Refused('locked_thread', by.lacked(place, 'MANAGE_THREADS'))
  checkStickers(by, message, place)
  const { message_reference: reference } = message
  if (!isObject(reference)) return
  if (isForward(message)) return checkForward(by, reference)
  const { message_id: id, channel_id: channelId, fail_if_not_exists: fails } = reference
  const isHere = String(channelId ?? place.id) === place.id
  const replied = isHere ? by.world.message(place.id, String(id)) : undefined
  if (replied === undefined && fails !== false)
    throw invalidField('message_reference', 'Unknown message', 'REPLIES_UNKNOWN_MESSAGE')
  if (replied && isSystemMessage(replied))
    throw invalidField(
      'message_reference',
      'Cannot reply to a system message',
      'REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE',
    )
}

/** @throws Refused for a channel without messages */
export function needWritable(place: AnyChannel): void {
  if (isDirect(place) || isWritable(place)) return
  throw new Refused(isForum(place) ? 'not_in_forums' : 'no_text_channel', `#${place.name} has no messages`)
}

/** @throws Refused for a forward of a message that they cannot read */
function checkForward(by: Party, reference: { readonly [field: string]: unknown }): void {
  const channel = by.world.channel(String(reference.channel_id))
  if (channel === undefined) throw new Refused('unknown_channel')
  if (isDirect(channel) && channel.botId !== by.user.id) throw new Refused('missing_access')
  by.needIn(channel, 'READ_MESSAGE_HISTORY')
  const message = by.world.message(channel.id, String(reference.message_id))
  if (message === undefined) throw new Refused('unknown_message')
  if (!by.readsContent(message)) throw new Refused('unreadable_forward')
  if (isSystemMessage(message) || pollIn(message))
    throw invalidField(
      'message_reference',
      'Messages of the service and polls cannot be forwarded',
      'FORWARD_CONTAINS_UNSUPPORTED_CONTENT',
    )
}

/** @throws Refused for a sticker that the server does not have */
function checkStickers(by: Party, { sticker_ids: ids }: AnswerMessage, place: AnyChannel): void {
  const own = isDirect(place) ? [] : (by.serverOf(place).stickers ?? [])
  for (const id of Array.isArray(ids) ? ids : [])
    if (!own.some((one) => one.id === String(id))) throw new Refused('unknown_sticker', String(id))
}

const nonceText = textBetween(0, 25)
const nonce = objectOf({
  // A number is as long as its digits. JSON numbers that are too large for JavaScript are infinite.
  nonce: nullable((report, value) =>
    nonceText(report, Number.isInteger(value) ? String(BigInt(value as number)) : value),
  ),
})

/** A new message, or an edit of one. @throws Refused with every problem */
export function readMessage(
  { fields, files = [] }: Sent,
  by: Pick<Party, 'maxContent' | 'hasEmoji' | 'noteIssues'>,
  before: WorldMessage | null = null,
): CheckedMessage {
  const { maxContent, hasEmoji } = by
  const limits = { files, maxContent, hasEmoji, sentFlags: CHANNEL_FLAGS }
  const read = before === null ? validateMessage(fields, limits) : validateEdit(before, fields, limits)
  const isOnlyForward = isObject(fields) && isForward(fields) && before === null
  if (!read.ok && !(isOnlyForward && isEmptyMessage(read.issues)))
    throw messageRefusal('invalid', read.issues)
  if (isOnlyForward && read.ok)
    throw invalidField(
      'message_reference',
      'A forward has no content of its own.',
      'MESSAGE_FORWARD_CANNOT_HAVE_CONTENT',
    )
  readFields(nonce, fields)
  by.noteIssues(read.warnings)
  return { message: read.ok ? read.value : (fields as AnswerMessage), files }
}

const NONCE_TIME = 5 * 60_000

/** Their message with the nonce of a body that asks for only one. */
function sentBefore(by: Party, place: AnyChannel, { nonce, enforce_nonce: isUnique }: AnswerMessage) {
  if (isUnique !== true || nonce === undefined || nonce === null) return undefined
  const since = by.world.now() - NONCE_TIME
  return by.world
    .messages(place.id)
    .findLast(
      (one) => one.nonce === nonce && one.author.id === by.user.id && Date.parse(one.timestamp) >= since,
    )
}

export const sendMessage = act({
  summary: 'Send a message',
  needs: ['SEND_MESSAGES'],
  event: 'MESSAGE_CREATE',
  on: [],
  read: (sent: Sent, by: Party) => readMessage(sent, by),
  further: partsOfMessage,
  check: checkSending,
  do: (by, { body: { message, files } }, place): WorldMessage =>
    sentBefore(by, place, message) ?? postMessage(by.world, place.id, by.user, message, files),
})

const ofAnother: FurtherNeed<Pick<Objects, 'message'>, AnyChannel> = {
  permission: 'MANAGE_MESSAGES',
  for: 'a message of another',
  when: ({ message }, _, by) => message.author.id !== by.user.id,
}

/** Whether an edit changes more than flags, which may be those of a message of another: it shows or hides embeds. */
const hasContent = ({ body: { message, files } }: Writing) =>
  files.length > 0 ||
  [message.content, message.embeds, message.components, message.attachments].some((one) => one != null)

export const changeMessage = act({
  summary: 'Edit a message of the bot',
  event: 'MESSAGE_UPDATE',
  on: ['message'],
  read: (sent, by, { message }) => readMessage(sent, by, message),
  further: [
    { ...ofAnother, when: (given, place, by) => !hasContent(given) && ofAnother.when(given, place, by) },
  ],
  check(by, { message, body }, place) {
    if (isSystemMessage(message)) throw new Refused('system_message')
    if (message.author.id !== by.user.id && hasContent({ body }))
      throw new Refused(
        'foreign_message',
        `${by.name} did not write this message of ${message.author.username}`,
      )
    if ('poll' in message) throw new Refused('poll_edited')
    by.needOpen(place)
  },
  do: (by, { message: { id, channel_id: channelId }, body: { message, files } }): WorldMessage =>
    rewriteMessage(by.world, channelId, id, message, files),
})

export const removeMessage = act({
  summary: 'Delete a message',
  event: 'MESSAGE_DELETE',
  logs: 'MESSAGE_DELETE',
  on: ['message'],
  further: [ofAnother],
  check(by, { message: { type } }, place) {
    by.needOpen(place)
    if (type === THREAD_STARTER_MESSAGE) throw new Refused('system_message')
  },
  do: (by, { message }) => dropMessage(by.world, message, by.user.id),
})

const FORTNIGHT = 14 * 86_400_000
const severalMessages = objectOf({ messages: idList(2, 100) })

export const removeMessages = channelAct({
  summary: 'Delete 2 to 100 messages',
  needs: ['MANAGE_MESSAGES'],
  event: 'MESSAGE_DELETE_BULK',
  logs: 'MESSAGE_BULK_DELETE',
  on: [],
  body: severalMessages,
  check({ world }, { body: { messages } }, place) {
    const oldest = world.now() - FORTNIGHT
    const timeOf = (one: string) =>
      Date.parse(world.message(place.id, one)?.timestamp ?? '') || snowflakeTime(one)
    if (messages.some((one) => timeOf(one) < oldest)) throw new Refused('too_old_to_delete')
  },
  do({ world }, { body: { messages } }, { id, guild_id }) {
    dropMessages(world, id, messages)
    logAction(world, guild_id, 'MESSAGE_BULK_DELETE', id, { count: String(messages.length) })
  },
})

const CROSSPOSTED = 1 << 0

export const publishMessage = channelAct({
  summary: 'Publish a message of an announcement channel',
  needs: ['SEND_MESSAGES'],
  event: 'MESSAGE_UPDATE',
  on: ['message'],
  further: [ofAnother],
  check(_, { message: { flags } }, { type }) {
    if (type !== ChannelType.GUILD_ANNOUNCEMENT) throw new Refused('wrong_channel_type')
    if ((flags & CROSSPOSTED) !== 0) throw new Refused('published_before')
  },
  do({ world }, { message }): WorldMessage {
    replaceMessage(world, { ...message, flags: message.flags | CROSSPOSTED })
    return known(world.message(message.channel_id, message.id))
  },
})

export const showTyping = act({
  summary: 'Show that the bot types',
  needs: ['SEND_MESSAGES'],
  event: 'TYPING_START',
  on: [],
  check(_, __, place) {
    if (!isDirect(place) && isForum(place)) throw new Refused('wrong_channel_type')
  },
  do: ({ world, user }, _, place) => publishTyping(world, place.id, user.id),
})
