/** Messages of channels: those of bots and people, and the answers of bots. */
import type { AnswerMessage } from '../../model/answer-types.ts'
import {
  contentOf,
  emptyMessage,
  MessageType,
  type ContentSource,
} from '../../interactions/bot/bot-message.ts'
import { deepFreeze } from '../../core/freeze.ts'
import { isObject } from '../../core/json.ts'
import { completeUser, jsonCopy } from '../../interactions/usage/complete.ts'
import type { InteractionMessage } from '../../model/interaction-payload.ts'
import type { ServerUser } from '../../model/server.ts'

/** An emoji of a reaction: one of Unicode has no id. */
export interface Emoji {
  readonly id: string | null
  readonly name: string
}

export interface WorldMessage extends InteractionMessage {
  readonly components: readonly object[]
  /** Who reacted with which emoji, in the order of the reactions. */
  readonly reactions: readonly { readonly emoji: Emoji; readonly users: readonly string[] }[]
  /** The application, for an answer to an interaction. */
  readonly webhook_id?: string
}

/** What a new or edited message depends on, besides its body. */
export interface MessageContext extends ContentSource {
  readonly channelId: string
  readonly messageOf: (id: string) => WorldMessage | undefined
}

export function newMessage(author: ServerUser, body: AnswerMessage, context: MessageContext): WorldMessage {
  const { channelId } = context
  const { nonce, message_reference: reference, allowed_mentions: allowed } = body
  const replied = isObject(reference) ? context.messageOf(String(reference.message_id)) : undefined
  const type = replied === undefined ? 0 : MessageType.REPLY
  const empty = emptyMessage(type, channelId, completeUser(author), body, context)
  const content = contentOf(empty, body, context)
  // A reply mentions the author of the other message, unless `allowed_mentions` says otherwise.
  const isMentioned = !isObject(allowed) || allowed.replied_user === true
  const isKnown = content.mentions.some(({ id }) => id === replied?.author.id)
  return deepFreeze(
    jsonCopy({
      ...empty,
      ...content,
      reactions: [],
      ...(replied !== undefined && {
        message_reference: { type: 0, message_id: replied.id, channel_id: channelId },
        referenced_message: messageFor(replied, ''),
        mentions: isMentioned && !isKnown ? [...content.mentions, replied.author] : content.mentions,
      }),
      ...((typeof nonce === 'string' || typeof nonce === 'number') && { nonce }),
    }),
  )
}

/** A message in the form of the wire, as a user sees it. */
export function messageFor({ reactions, ...message }: WorldMessage, viewerId: string): InteractionMessage {
  const counts = reactions.map(({ emoji, users }) => ({
    emoji,
    count: users.length,
    count_details: { normal: users.length, burst: 0 },
    me: users.includes(viewerId),
    me_burst: false,
    burst_colors: [],
  }))
  return { ...message, ...(counts.length > 0 && { reactions: counts }) }
}

/** The key of an emoji in paths: `name:id`, or the character. */
export function emojiKey({ id, name }: Emoji): string {
  return id === null ? name : `${name}:${id}`
}
