/** Messages of channels: those of bots and people, and the answers of bots. */
import type { AnswerMessage } from '../answer/answer-types.ts'
import { contentOf, MessageType, type AnswerFile } from '../answer/message.ts'
import { deepFreeze } from '../core/freeze.ts'
import { isObject } from '../core/json.ts'
import { completeMessage, completeUser, jsonCopy } from '../interaction/complete.ts'
import type { InteractionMessage, InteractionUser } from '../interaction/payload.ts'
import { hasFlag, MessageFlag } from '../interaction/types.ts'
import type { ServerUser } from './server.ts'

/** An emoji of a reaction: one of Unicode has no id. */
export interface Emoji {
  readonly id: string | null
  readonly name: string
}

/** Who reacted with an emoji, in the order of the reactions. */
export interface Reaction {
  readonly emoji: Emoji
  readonly users: readonly string[]
}

/** A message of a channel. */
export interface WorldMessage extends InteractionMessage {
  readonly embeds: readonly object[]
  readonly components: readonly object[]
  readonly reactions: readonly Reaction[]
  /** The message that this one replies to. */
  readonly message_reference?: { readonly message_id?: string; readonly channel_id: string }
  /** The message that this one replies to; null for a deleted one. */
  readonly referenced_message?: InteractionMessage | null
  /** The application, for an answer to an interaction. */
  readonly webhook_id?: string
  readonly poll?: object
}

/** What a new or edited message depends on. */
export interface MessageContext {
  readonly channelId: string
  /** Milliseconds since 1970. */
  readonly now: number
  readonly nextId: () => string
  readonly userOf: (id: string) => InteractionUser
  readonly messageOf: (id: string) => WorldMessage | undefined
  readonly files: readonly AnswerFile[]
}

/** The fields of a new message that answers do not have. */
type NewMessageBody = AnswerMessage & { readonly nonce?: unknown; readonly message_reference?: unknown }

export function newMessage(author: ServerUser, body: NewMessageBody, context: MessageContext): WorldMessage {
  const { channelId, now, nextId, userOf } = context
  const { nonce, message_reference: reference } = body
  const repliedId = isObject(reference) ? String(reference.message_id) : null
  const replied = repliedId === null ? undefined : context.messageOf(repliedId)
  const known = {
    id: nextId(),
    type: replied === undefined ? 0 : MessageType.REPLY,
    timestamp: new Date(now).toISOString(),
    tts: body.tts === true,
    flags: body.flags ?? 0,
  }
  const empty = { ...completeMessage(known, channelId, completeUser(author)), components: [] }
  const content = contentOf(userOf, empty, body, context)
  return deepFreeze(
    jsonCopy({
      ...empty,
      ...content,
      reactions: [],
      ...(replied !== undefined && {
        message_reference: { type: 0, message_id: replied.id, channel_id: channelId },
        referenced_message: messageFor(replied, ''),
        mentions: withReplied(content.mentions, replied, body.allowed_mentions),
      }),
      ...((typeof nonce === 'string' || typeof nonce === 'number') && { nonce }),
    }),
  )
}

/** A reply mentions the author of the other message, unless `allowed_mentions` says otherwise. */
function withReplied(
  mentions: readonly InteractionUser[],
  { author }: WorldMessage,
  allowed: unknown,
): readonly InteractionUser[] {
  const isMentioned = !isObject(allowed) || allowed.replied_user === true
  return isMentioned && !mentions.some(({ id }) => id === author.id) ? [...mentions, author] : mentions
}

export function editedMessage(
  message: WorldMessage,
  body: AnswerMessage,
  context: MessageContext,
): WorldMessage {
  const { flags = message.flags } = body
  const kept = message.flags & ~MessageFlag.SUPPRESS_EMBEDS
  return deepFreeze(
    jsonCopy({
      ...message,
      ...contentOf(context.userOf, message as Parameters<typeof contentOf>[1], body, context),
      flags: hasFlag(flags, MessageFlag.SUPPRESS_EMBEDS) ? kept | MessageFlag.SUPPRESS_EMBEDS : kept,
      edited_timestamp: new Date(context.now).toISOString(),
    }),
  )
}

/** A message in the form of the wire, as a user sees it. */
export function messageFor({ reactions, ...message }: WorldMessage, viewerId: string): InteractionMessage {
  return {
    ...message,
    ...(reactions.length > 0 && {
      reactions: reactions.map(({ emoji, users }) => ({
        emoji,
        count: users.length,
        count_details: { normal: users.length, burst: 0 },
        me: users.includes(viewerId),
        me_burst: false,
        burst_colors: [],
      })),
    }),
  }
}

/** The key of an emoji in paths: `name:id`, or the character. */
export function emojiKey({ id, name }: Emoji): string {
  return id === null ? name : `${name}:${id}`
}
