/** Messages of channels: those of bots and people, and the answers of bots. */
import type { AnswerMessage } from '../../model/answer-types.ts'
import { contentOf, emptyMessage, type ContentSource } from '../../interactions/bot/bot-message.ts'
import { deepFreeze } from '../../core/freeze.ts'
import { isObject } from '../../core/json.ts'
import { completeUser, jsonCopy } from '../../interactions/usage/complete.ts'
import { MessageType } from '../../model/interaction-types.ts'
import type { InteractionMessage } from '../../model/interaction-payload.ts'
import type { ServerSticker, ServerUser } from '../../model/server.ts'
import type { Emoji } from './entities.ts'
import { pollIn, withResults, type Vote } from './poll-results.ts'

/** The author of a new message: a user, or a webhook with a name of its own. */
export type MessageOrigin = ServerUser & { readonly webhook_id?: string; readonly application_id?: string }

/** A message as a user sees it, of an answer or a channel. */
export interface WireMessage extends InteractionMessage {
  readonly components: readonly object[]
}

export interface WorldMessage extends WireMessage {
  /** Who reacted with which emoji, in the order of the reactions. */
  readonly reactions: readonly { readonly emoji: Emoji; readonly users: readonly string[] }[]
  /** The application, for an answer to an interaction; the webhook, for a message of one. */
  readonly webhook_id?: string
  /** Who voted for which answer of its poll. Absent: no votes. */
  readonly votes?: readonly Vote[]
  /** When it was pinned, as ISO 8601; absent while it is not pinned. */
  readonly pinned_at?: string
  /** What its author has named it. */
  readonly nonce?: string | number
  /** The thread that started from it. */
  readonly thread?: object
}

/** What a new or edited message depends on, besides its body. */
export interface MessageContext extends ContentSource {
  readonly channelId: string
  /** @param channelId default: the channel of the message */
  readonly messageOf: (id: string, channelId?: string) => WorldMessage | undefined
  readonly guildOf: (channelId: string) => string | null
  /** The stickers of the server of the channel. */
  readonly stickers: readonly ServerSticker[]
}

/** Whether a value is a message. */
export const isWorldMessage = (value: unknown): value is WorldMessage =>
  isObject(value) && typeof value.channel_id === 'string' && isObject(value.author)

/** Whether a message is one of the service, such as that a message was pinned; people and apps write the others. */
export function isSystemMessage({ type }: Pick<WorldMessage, 'type'>): boolean {
  const { REPLY, CHAT_INPUT_COMMAND, CONTEXT_MENU_COMMAND } = MessageType
  return ![0, REPLY, CHAT_INPUT_COMMAND, CONTEXT_MENU_COMMAND].includes(type)
}

/** The flag of a message that forwards another one. */
const HAS_SNAPSHOT = 1 << 14

/** Whether a body forwards a message. */
export function isForward({ message_reference: reference }: AnswerMessage): boolean {
  return isObject(reference) && reference.type === 1
}

export function newMessage(
  { webhook_id, application_id, ...author }: MessageOrigin,
  body: AnswerMessage,
  context: MessageContext,
): WorldMessage {
  const { channelId } = context
  const { nonce, message_reference: reference, sticker_ids: stickerIds } = body
  const sent = Array.isArray(stickerIds) ? stickerIds.map(String) : []
  const stickers = context.stickers.filter(({ id }) => sent.includes(id))
  const to = isObject(reference) ? reference : {}
  const named = context.messageOf(String(to.message_id), to.channel_id ? String(to.channel_id) : channelId)
  const forwarded = isForward(body) ? named : undefined
  const replied = isForward(body) || named?.channel_id !== channelId ? undefined : named
  const type = replied === undefined ? 0 : MessageType.REPLY
  const empty = emptyMessage(type, channelId, completeUser(author), body, context)
  const content = contentOf(empty, body, context)
  return deepFreeze(
    jsonCopy({
      ...empty,
      ...content,
      reactions: [],
      ...(webhook_id !== undefined && { webhook_id }),
      ...(application_id !== undefined && { application_id }),
      ...(stickers.length > 0 && {
        sticker_items: stickers.map(({ id, name, format_type = 1 }) => ({ id, name, format_type })),
      }),
      ...(replied && replyFields(replied, content.mentions ?? [], body)),
      ...(forwarded && forwardFields(forwarded, empty.flags, context)),
      ...((typeof nonce === 'string' || typeof nonce === 'number') && { nonce }),
    }),
  ) as WorldMessage
}

function replyFields(
  replied: WorldMessage,
  mentions: WorldMessage['mentions'],
  { allowed_mentions: allowed }: AnswerMessage,
) {
  // A reply mentions the author of the other message, unless `allowed_mentions` says otherwise.
  const isMentioned = !isObject(allowed) || allowed.replied_user === true
  const isKnown = mentions.some(({ id }) => id === replied.author.id)
  return {
    message_reference: { type: 0, message_id: replied.id, channel_id: replied.channel_id },
    referenced_message: messageFor(replied, ''),
    mentions: isMentioned && !isKnown ? [...mentions, replied.author] : mentions,
  }
}

/** A copy of the other message as it is now. */
function forwardFields(message: WorldMessage, flags: number, { guildOf }: MessageContext) {
  const { content, embeds, attachments, components, mentions, mention_roles, timestamp, edited_timestamp } =
    message
  const copied = {
    content,
    embeds,
    attachments,
    components,
    mentions,
    mention_roles,
    timestamp,
    edited_timestamp,
  }
  const { id, channel_id } = message
  const guild_id = guildOf(channel_id)
  return {
    flags: flags | HAS_SNAPSHOT,
    message_reference: { type: 1, message_id: id, channel_id, ...(guild_id !== null && { guild_id }) },
    message_snapshots: [{ message: { type: message.type, flags: message.flags, ...copied } }],
  }
}

/** A message of the service about something that a user did. */
export function systemMessage(
  author: ServerUser,
  fields: Partial<WorldMessage> & { readonly type: number },
  context: MessageContext,
): WorldMessage {
  const empty = emptyMessage(fields.type, context.channelId, completeUser(author), {}, context)
  return deepFreeze(jsonCopy({ ...empty, reactions: [], ...fields })) as WorldMessage
}

/** What a bot gets of a message whose content it may not read. */
export function withoutContent(message: object): object {
  const { poll: _poll, ...rest } = message as { readonly poll?: unknown }
  return { ...rest, content: '', embeds: [], attachments: [], components: [] }
}

/** A message in the form of the wire, as a user sees it. */
export function messageFor(
  { reactions, votes = [], pinned_at: _pin, ...message }: WorldMessage,
  viewerId: string,
): WireMessage {
  const counts = reactions.map(({ emoji, users }) => ({
    emoji,
    count: users.length,
    count_details: { normal: users.length, burst: 0 },
    me: users.includes(viewerId),
    me_burst: false,
    burst_colors: [],
  }))
  const poll = pollIn(message)
  return {
    ...message,
    ...(poll && { poll: withResults(poll, votes, viewerId) }),
    ...(counts.length > 0 && { reactions: counts }),
  }
}

/** The key of an emoji in paths: `name:id`, or the character. */
export function emojiKey({ id, name }: Emoji): string {
  return id === null ? name : `${name}:${id}`
}
