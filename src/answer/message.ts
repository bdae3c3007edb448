/** Creates the messages of answers (clause 2.11-11). */
import { CommandType } from '../command/types.ts'
import { deepFreeze } from '../core/freeze.ts'
import { isObject } from '../core/json.ts'
import { completeAttachment, completeMessage, completeUser, jsonCopy } from '../interaction/complete.ts'
import type { Partly } from '../server/server.ts'
import {
  knownFields,
  userOf,
  type AnyInteraction,
  type InteractionAttachment,
  type InteractionMessage,
  type InteractionUser,
} from '../interaction/payload.ts'
import { hasFlag, InteractionCallbackType, InteractionType, MessageFlag } from '../interaction/types.ts'
import { SENT_FLAGS } from './message-rules.ts'
import type { AnswerMessage, InteractionCallback, MessageComponent, MessageEmbed } from './answer-types.ts'

/** The types of the messages of answers. */
export const MessageType = Object.freeze({
  /** A follow-up, or the answer to a component or a modal. */
  REPLY: 19,
  /** The answer to a slash command or an entry point. */
  CHAT_INPUT_COMMAND: 20,
  /** The answer to a user or message command. */
  CONTEXT_MENU_COMMAND: 23,
})
export type MessageType = (typeof MessageType)[keyof typeof MessageType]

interface InteractionMetadata {
  readonly id: string
  readonly type: number
  readonly user: InteractionUser
  readonly authorizing_integration_owners: { readonly [key: string]: string }
}

/** A message of an app, with every field that client libraries read. */
export interface AppMessage extends Omit<InteractionMessage, 'type' | 'embeds'> {
  /** See `MessageType`. */
  readonly type: number
  readonly application_id: string
  /** The application, through whose webhook answers are sent. */
  readonly webhook_id: string
  readonly embeds: readonly MessageEmbed[]
  readonly components: readonly MessageComponent[]
  readonly interaction_metadata: InteractionMetadata
  /** The command that the message answers; absent for other answers. Deprecated; still sent for discord.py. */
  readonly interaction?: Pick<InteractionMetadata, 'id' | 'type' | 'user'> & { readonly name: string }
  /** The original answer of a follow-up. */
  readonly message_reference?: { readonly message_id: string; readonly channel_id: string }
  /** The poll of the message. */
  readonly poll?: object
}

/** A file that came with an answer. Its content is not kept. */
export interface AnswerFile {
  /** The number in `files[n]`, by which `attachments` of the body refers to it. */
  readonly key: string
  readonly filename: string
  /** Bytes. */
  readonly size: number
  /** Default: unknown. */
  readonly content_type?: string
}

/** The id, time, author and files of a message. */
export interface MessageSource {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly now: number
  /** A new id for each file. */
  readonly nextId: () => string
  /** The files of the message. Default: none. */
  readonly files?: readonly AnswerFile[]
  /** The bot. Default: a user with the id of the application. */
  readonly bot?: Partly<InteractionUser>
  /** The original answer: the message is a follow-up. */
  readonly original?: Pick<AppMessage, 'id' | 'channel_id'>
}

export function createMessage(
  interaction: AnyInteraction,
  body: AnswerMessage,
  source: MessageSource,
): AppMessage {
  const { application_id, id, type } = interaction
  const { channel_id = '0', authorizing_integration_owners = {} } = knownFields(interaction)
  const { original } = source
  const user = personOf(interaction)
  const isCommand = type === InteractionType.APPLICATION_COMMAND && original === undefined
  const command = isObject(interaction.data) ? interaction.data : {}
  const isMenu = command.type === CommandType.USER || command.type === CommandType.MESSAGE
  const commandMessage = isMenu ? MessageType.CONTEXT_MENU_COMMAND : MessageType.CHAT_INPUT_COMMAND
  const name = typeof command.name === 'string' ? command.name : ''
  const author = completeUser({
    username: `application${application_id}`,
    bot: true,
    ...(source.bot ?? { id: application_id }),
  })
  const known = {
    id: source.id,
    type: isCommand ? commandMessage : MessageType.REPLY,
    timestamp: new Date(source.now).toISOString(),
    tts: body.tts === true,
    flags: (body.flags ?? 0) & SENT_FLAGS,
  }
  const empty: AppMessage = {
    ...completeMessage(known, channel_id, author),
    components: [],
    application_id,
    webhook_id: application_id,
    interaction_metadata: { id, type, user, authorizing_integration_owners },
    ...(isCommand && { interaction: { id, type, name, user } }),
    ...(original !== undefined && {
      message_reference: { message_id: original.id, channel_id: original.channel_id },
    }),
  }
  return deepFreeze(jsonCopy({ ...empty, ...contentOf(knownUserOf(interaction), empty, body, source) }))
}

export function createLoadingMessage(
  interaction: AnyInteraction,
  { data }: { readonly data?: { readonly flags?: number } | null },
  source: MessageSource,
): AppMessage {
  const message = createMessage(interaction, { flags: data?.flags ?? 0 }, source)
  return Object.freeze({ ...message, flags: message.flags | MessageFlag.LOADING })
}

/**
 * A message after an edit: given fields replace the old ones, null empties them. If the edit has `attachments`, those
 * that it does not list are removed. Of the flags, SUPPRESS_EMBEDS is set and removed, IS_COMPONENTS_V2 is set.
 */
export function editMessage(
  interaction: AnyInteraction,
  message: AppMessage,
  body: AnswerMessage,
  source: Pick<MessageSource, 'now' | 'nextId' | 'files'>,
): AppMessage {
  const wasLoading = hasFlag(message.flags, MessageFlag.LOADING)
  const kept = message.flags & ~(MessageFlag.LOADING | MessageFlag.SUPPRESS_EMBEDS)
  const set = (body.flags ?? message.flags) & (MessageFlag.SUPPRESS_EMBEDS | MessageFlag.IS_COMPONENTS_V2)
  return deepFreeze(
    jsonCopy({
      ...message,
      ...contentOf(knownUserOf(interaction), message, body, source),
      flags: kept | set,
      // The first content of a message that was loading is not an edit.
      edited_timestamp: wasLoading ? null : new Date(source.now).toISOString(),
    }),
  )
}

/** Whether only the person who used the command sees a message. */
export function isEphemeral({ flags }: { readonly flags?: number }): boolean {
  return hasFlag(flags, MessageFlag.EPHEMERAL)
}

/**
 * The response to an accepted callback with `with_response=true`.
 *
 * @param message the message it created or edited; null for none
 */
export function callbackResponse(
  { id, type }: AnyInteraction,
  callback: InteractionCallback,
  message: AppMessage | null,
) {
  const isActivity = callback.type === InteractionCallbackType.LAUNCH_ACTIVITY
  const carriesMessage =
    callback.type === InteractionCallbackType.CHANNEL_MESSAGE_WITH_SOURCE ||
    callback.type === InteractionCallbackType.UPDATE_MESSAGE
  return deepFreeze({
    interaction: {
      id,
      type,
      ...(message !== null && {
        response_message_id: message.id,
        response_message_loading: hasFlag(message.flags, MessageFlag.LOADING),
        response_message_ephemeral: isEphemeral(message),
      }),
      ...(isActivity && { activity_instance_id: `i-${id}` }),
    },
    resource: {
      type: callback.type,
      ...(carriesMessage && message !== null && { message }),
      ...(isActivity && { activity_instance: { id: `i-${id}` } }),
    },
  })
}

/** A user with the id 0 if the interaction has none. */
function personOf(interaction: AnyInteraction): InteractionUser {
  return userOf(interaction) ?? completeUser({ id: '0' })
}

// --- Content ------------------------------------------------------------------------------------------------

/** The fields of a message that come from a body. Absent fields of the body keep those of the message. */
export function contentOf(
  knownUser: (id: string) => InteractionUser,
  before: Pick<AppMessage, 'content' | 'embeds' | 'components' | 'attachments'>,
  body: AnswerMessage,
  source: Pick<MessageSource, 'nextId' | 'files'>,
) {
  const { poll } = body
  const content = body.content === undefined ? before.content : (body.content ?? '')
  const embeds = body.embeds?.map((embed) => ({ type: 'rich', ...embed })) ?? []
  const components = (body.components ?? []) as readonly MessageComponent[]
  return {
    content,
    embeds: body.embeds === undefined ? before.embeds : embeds,
    components: body.components === undefined ? before.components : components,
    attachments: attachmentsOf(before.attachments, body, source),
    ...mentionsOf(knownUser, content, body.allowed_mentions),
    ...(isObject(poll) && { poll }),
  }
}

/** Attachments of the body are files by their number, or attachments of the message by their id. */
function attachmentsOf(
  before: readonly InteractionAttachment[],
  { attachments }: AnswerMessage,
  { files = [], nextId }: Pick<MessageSource, 'nextId' | 'files'>,
): readonly InteractionAttachment[] {
  const listed = Array.isArray(attachments) ? attachments.filter(isObject) : undefined
  const kept =
    listed === undefined ? before : before.filter(({ id }) => listed.some((one) => String(one.id) === id))
  const added = files.map(({ key, filename, size, content_type }, index) => {
    const named = listed?.find((one) => String(one.id ?? index) === key)
    return completeAttachment({
      id: nextId(),
      filename: typeof named?.filename === 'string' ? named.filename : filename,
      size,
      ...(content_type !== undefined && { content_type }),
      ...(typeof named?.description === 'string' && { description: named.description }),
    })
  })
  return [...kept, ...added]
}

const USER_MENTION = /<@!?([0-9]{1,20})>/g
const ROLE_MENTION = /<@&([0-9]{1,20})>/g

/** Whom a message mentions, as far as its `allowed_mentions` let it. */
function mentionsOf(knownUser: (id: string) => InteractionUser, content: string, allowed: unknown) {
  const rules = isObject(allowed) ? allowed : null
  const lets = (kind: string, id?: string) => {
    if (rules === null) return true
    const listed = rules[kind]
    if (id !== undefined && Array.isArray(listed) && listed.includes(id)) return true
    return Array.isArray(rules.parse) && rules.parse.includes(kind)
  }
  const ids = (pattern: RegExp, kind: string) => [
    ...new Set(Array.from(content.matchAll(pattern), ([, id]) => id!).filter((id) => lets(kind, id))),
  ]
  return {
    mentions: ids(USER_MENTION, 'users').map(knownUser),
    mention_roles: ids(ROLE_MENTION, 'roles'),
    mention_everyone: /@(?:everyone|here)\b/.test(content) && lets('everyone'),
  }
}

function knownUserOf(interaction: AnyInteraction): (id: string) => InteractionUser {
  const person = personOf(interaction)
  const data = isObject(interaction.data) ? interaction.data : {}
  const users = isObject(data.resolved) && isObject(data.resolved.users) ? data.resolved.users : {}
  return (id) => {
    if (person.id === id) return person
    const known = Object.hasOwn(users, id) ? users[id] : undefined
    return completeUser({ ...(isObject(known) ? known : {}), id })
  }
}
