/** Messages of channels: those of bots and people, and the answers of bots. */
import type { AnswerMessage } from '../answer/answer-types.ts'
import { contentOf, MessageType, type AnswerFile } from '../answer/message.ts'
import { deepFreeze } from '../core/freeze.ts'
import { isObject } from '../core/json.ts'
import { completeMessage, completeUser, jsonCopy } from '../interaction/complete.ts'
import type { InteractionMessage, InteractionUser } from '../interaction/payload.ts'
import { hasFlag, MessageFlag } from '../interaction/types.ts'
import type { ServerUser } from '../server/server.ts'

/** An emoji of a reaction: one of Unicode has no id. */
export interface Emoji {
  readonly id: string | null
  readonly name: string
}

/** A message of a channel. */
export interface WorldMessage extends InteractionMessage {
  readonly components: readonly object[]
  /** Who reacted with which emoji, in the order of the reactions. */
  readonly reactions: readonly { readonly emoji: Emoji; readonly users: readonly string[] }[]
  /** The application, for an answer to an interaction. */
  readonly webhook_id?: string
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

export function newMessage(author: ServerUser, body: AnswerMessage, context: MessageContext): WorldMessage {
  const { channelId, now, nextId, userOf } = context
  const { nonce, message_reference: reference, allowed_mentions: allowed, flags = 0 } = body
  const replied = isObject(reference) ? context.messageOf(String(reference.message_id)) : undefined
  const known = {
    id: nextId(),
    type: replied === undefined ? 0 : MessageType.REPLY,
    timestamp: new Date(now).toISOString(),
    tts: body.tts === true,
    flags,
  }
  const empty = { ...completeMessage(known, channelId, completeUser(author)), components: [] }
  const content = contentOf(userOf, empty, body, context)
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

export function editedMessage(
  message: WorldMessage,
  body: AnswerMessage,
  context: MessageContext,
): WorldMessage {
  const { SUPPRESS_EMBEDS } = MessageFlag
  const kept = message.flags & ~SUPPRESS_EMBEDS
  return deepFreeze(
    jsonCopy({
      ...message,
      ...contentOf(context.userOf, message as Parameters<typeof contentOf>[1], body, context),
      flags: hasFlag(body.flags ?? message.flags, SUPPRESS_EMBEDS) ? kept | SUPPRESS_EMBEDS : kept,
      edited_timestamp: new Date(context.now).toISOString(),
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
