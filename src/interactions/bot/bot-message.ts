/** Creates the messages of answers (clause 2.11-11). */
import { CommandType } from '../../model/command-types.ts'
import { deepFreeze } from '../../core/freeze.ts'
import { isObject, type JsonObject } from '../../core/json.ts'
import { completeAttachment, completeMessage, completeUser, jsonCopy } from '../usage/complete.ts'
import type { Partly } from '../../model/server.ts'
import {
  isAnsweredInPrivate,
  knownFields,
  userOf,
  type AnyInteraction,
  type InteractionAttachment,
  type InteractionMessage,
  type InteractionUser,
} from '../../model/interaction-payload.ts'
import { hasFlag, InteractionType, MessageFlag, MessageType } from '../../model/interaction-types.ts'
import type {
  AnswerFile,
  AnswerMessage,
  MessageComponent,
  MessageEmbed,
  MessagePoll,
} from '../../model/answer-types.ts'
import { withNumbers } from '../answer/component-parts.ts'
import { cleanFileName } from '../answer/form.ts'
import { entryOf, fileNamedBy } from '../answer/references.ts'
import { contentTypeOf, type Files } from './files.ts'
import { CHANNEL_FLAGS, SENT_FLAGS } from '../answer/message-rules.ts'

/** The interaction that a message answers. */
export interface InteractionMetadata {
  readonly id: string
  readonly type: number
  readonly user: InteractionUser
  readonly authorizing_integration_owners: { readonly [key: string]: string }
  /** Of a user command: the user it was used on. */
  readonly target_user?: InteractionUser
  /** Of a message command: the message it was used on. */
  readonly target_message_id?: string
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
  /** Of the answer to a message command: the message it was used on. */
  readonly referenced_message?: object
  /** Absent: a message without a poll. */
  readonly poll?: MessagePoll
}

/** What the content of a new or edited message depends on, besides its body. */
export interface ContentSource {
  /** Milliseconds since 1970. */
  readonly now: number
  /** A new id for the message, and for each file. */
  readonly nextId: () => string
  /** The user of an id that the message mentions. */
  readonly userOf: (id: string) => InteractionUser
  /** Whether the author may mention everyone (null), or a role. Default: yes. */
  readonly mayMention?: (roleId: string | null) => boolean
  /** The files of the message. Default: none. */
  readonly files?: readonly AnswerFile[]
  /** Where their contents are kept. Default: nowhere. */
  readonly store?: Files
}

export interface MessageSource extends ContentSource {
  /** The bot. Default: a user with the id of the application. */
  readonly bot?: Partly<InteractionUser>
  /** Whether the answer is deferred. Default false. */
  readonly isLoading?: boolean
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
  const { original, isLoading = false } = source
  const user = userOrUnknown(interaction)
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
  const messageType = isCommand ? commandMessage : MessageType.REPLY
  const empty: AppMessage = {
    ...emptyMessage(messageType, channel_id, author, body, source),
    flags:
      ((body.flags ?? 0) & SENT_FLAGS) |
      (isLoading ? MessageFlag.LOADING : 0) |
      (isAnsweredInPrivate(interaction) ? MessageFlag.EPHEMERAL : 0),
    application_id,
    webhook_id: application_id,
    interaction_metadata: { id, type, user, authorizing_integration_owners, ...targetOf(command) },
    ...(isCommand && { interaction: { id, type, name, user }, ...referenceTo(command, channel_id) }),
    ...(original !== undefined && {
      message_reference: { message_id: original.id, channel_id: original.channel_id },
    }),
  }
  return deepFreeze(jsonCopy({ ...empty, ...contentOf(empty, body, source) } as AppMessage))
}

/** What the data of a command says of its target, in `resolved`. */
function resolvedOf({ target_id: id, resolved }: JsonObject, kind: 'users' | 'messages'): object | undefined {
  const all = isObject(resolved) ? resolved[kind] : undefined
  const one = isObject(all) ? all[String(id)] : undefined
  return isObject(one) ? one : undefined
}

function targetOf(command: JsonObject): Partial<InteractionMetadata> {
  const user = resolvedOf(command, 'users')
  if (command.type === CommandType.USER)
    return user === undefined ? {} : { target_user: completeUser(user as InteractionUser) }
  return command.type === CommandType.MESSAGE ? { target_message_id: String(command.target_id) } : {}
}

/** The answer to a message command is a reply to the message it was used on. */
function referenceTo(command: JsonObject, channel_id: string): Partial<AppMessage> {
  if (command.type !== CommandType.MESSAGE) return {}
  const message = resolvedOf(command, 'messages')
  return {
    message_reference: { message_id: String(command.target_id), channel_id },
    ...(message && { referenced_message: message }),
  }
}

/** A new message of a body, without its content. */
export function emptyMessage(
  type: number,
  channelId: string,
  author: InteractionUser,
  { tts, flags = 0 }: AnswerMessage,
  { nextId, now }: ContentSource,
) {
  const known = {
    ...{ id: nextId(), type, timestamp: new Date(now).toISOString(), tts: tts === true },
    flags: flags & CHANNEL_FLAGS,
  }
  return { ...completeMessage(known, channelId, author), embeds: [], components: [] }
}

/**
 * A message after an edit: given fields replace the old ones, null empties them. If the edit has `attachments`, those
 * that it does not list are removed. Of the flags, SUPPRESS_EMBEDS is set and removed, IS_COMPONENTS_V2 is set.
 */
export function editMessage<Message extends Content & Pick<AppMessage, 'flags'>>(
  message: Message,
  body: AnswerMessage,
  source: ContentSource,
): Message {
  const wasLoading = hasFlag(message.flags, MessageFlag.LOADING)
  const kept = message.flags & ~(MessageFlag.LOADING | MessageFlag.SUPPRESS_EMBEDS)
  const set = (body.flags ?? message.flags) & (MessageFlag.SUPPRESS_EMBEDS | MessageFlag.IS_COMPONENTS_V2)
  return deepFreeze(
    jsonCopy({
      ...message,
      ...contentOf(message, body, source),
      flags: kept | set,
      // The first content of a message that was loading is not an edit.
      edited_timestamp: wasLoading ? null : new Date(source.now).toISOString(),
    }),
  )
}

/** A user with the id 0 if the interaction has none. */
function userOrUnknown(interaction: AnyInteraction): InteractionUser {
  return userOf(interaction) ?? completeUser({ id: '0' })
}

// --- Content ------------------------------------------------------------------------------------------------

interface Content extends Pick<AppMessage, 'content' | 'attachments'> {
  readonly embeds: readonly object[]
  readonly components: readonly object[]
}

/** An embed as it is shown: a time of 0 means no time. */
function shownEmbed({ timestamp, ...embed }: { readonly timestamp?: unknown }): object {
  return { type: 'rich', ...embed, ...(timestamp !== 0 && timestamp !== undefined && { timestamp }) }
}

/** The fields of a message that come from a body. Absent fields of the body keep those of the message. */
export function contentOf(before: Content, body: AnswerMessage, source: ContentSource) {
  const { poll } = body
  const content = body.content === undefined ? before.content : (body.content ?? '')
  const embeds = body.embeds?.map(shownEmbed) ?? []
  const attachments = attachmentsOf(before.attachments, body, source)
  return {
    content,
    embeds: withAddresses(body.embeds === undefined ? before.embeds : embeds, attachments),
    components: withAddresses(
      body.components === undefined ? before.components : withNumbers(body.components ?? []),
      attachments,
    ),
    attachments,
    // Discord reads the mentions again with the content alone, so an edit of the components keeps them.
    ...(body.content !== undefined && mentionsOf(source, content, body.allowed_mentions)),
    ...(isObject(poll) && { poll: pollOf(poll, source.now) }),
  }
}

const HOUR = 3_600_000

/** A poll without votes. */
function pollOf(
  { duration = 24, answers, ...poll }: { readonly [field: string]: unknown },
  now: number,
): MessagePoll {
  return {
    layout_type: 1,
    allow_multiselect: false,
    ...poll,
    answers: (answers as readonly object[]).map((one, index) => ({ ...one, answer_id: index + 1 })),
    expiry: new Date(now + Number(duration) * HOUR).toISOString(),
    results: { is_finalized: false, answer_counts: [] },
  } as object as MessagePoll
}

const IS_SPOILER = 1 << 3

/** Attachments of the body are files by their number, or attachments of the message by their id. */
function attachmentsOf(
  before: readonly InteractionAttachment[],
  { attachments }: AnswerMessage,
  { files = [], nextId, store }: ContentSource,
): readonly InteractionAttachment[] {
  const listed = Array.isArray(attachments) ? attachments.filter(isObject) : undefined
  const kept = before.flatMap((one) => {
    const changes = listed?.find(({ id }) => String(id) === one.id)
    return listed === undefined ? [one] : changes === undefined ? [] : [changedAttachment(one, changes)]
  })
  const added = files.map(({ key, size, bytes, ...file }, index) => {
    const named = entryOf(listed, key, index)
    const id = nextId()
    const filename = cleanFileName(typeof named?.filename === 'string' ? named.filename : file.filename)
    const content_type = contentTypeOf(filename, file.content_type)
    const url = bytes && store?.add(id, { filename, content_type, bytes })
    return completeAttachment({
      ...{ id, filename, size, content_type },
      ...(url !== undefined && { url, proxy_url: url }),
      ...(typeof named?.description === 'string' && { description: named.description }),
      ...((named?.is_spoiler === true || filename.startsWith('SPOILER_')) && { flags: IS_SPOILER }),
    })
  })
  return [...kept, ...added]
}

/** An attachment that an edit keeps, with the description and the spoiler that it gives. */
function changedAttachment(
  attachment: InteractionAttachment,
  { description, is_spoiler: isSpoiler }: { readonly [field: string]: unknown },
): InteractionAttachment {
  const { description: before, flags = 0, ...others } = attachment
  const text = description === undefined ? before : description
  const set = isSpoiler === undefined ? flags : isSpoiler === true ? flags | IS_SPOILER : flags & ~IS_SPOILER
  return {
    ...others,
    ...(typeof text === 'string' && { description: text }),
    ...((set !== 0 || attachment.flags !== undefined) && { flags: set }),
  }
}

/** Parts of a message with the address of a file in place of `attachment://` and its name. */
function withAddresses<Part>(part: Part, files: readonly InteractionAttachment[]): Part {
  if (files.length === 0) return part
  if (Array.isArray(part)) return part.map((one: unknown) => withAddresses(one, files)) as Part
  if (!isObject(part)) return part
  const entries = Object.entries(part).flatMap(([key, value]) => {
    const name = /^(?:icon_)?url$/.test(key) ? fileNamedBy(value) : undefined
    const file = files.findLast(({ filename }) => filename === name)
    if (file === undefined) return [[key, withAddresses(value, files)]]
    const proxy = key === 'url' ? 'proxy_url' : 'proxy_icon_url'
    return [
      [key, file.url],
      [proxy, file.proxy_url],
    ]
  })
  return Object.fromEntries(entries) as Part
}

const USER_MENTION = /<@!?([0-9]{1,20})>/g
const ROLE_MENTION = /<@&([0-9]{1,20})>/g
const EVERYONE = /@(?:everyone|here)\b/

/** The roles that a text mentions; null for everyone. */
export function rolesMentionedIn(content: string): readonly (string | null)[] {
  const roles = Array.from(content.matchAll(ROLE_MENTION), ([, id]) => id!)
  return EVERYONE.test(content) ? [null, ...roles] : roles
}

/** Whom a message mentions, as far as its `allowed_mentions` let it. */
function mentionsOf({ userOf, mayMention = () => true }: ContentSource, content: string, allowed: unknown) {
  const rules = isObject(allowed) ? allowed : null
  const lets = (kind: string, id?: string) => {
    if (rules === null) return true
    const listed = rules[kind]
    // Clients in languages with large integers send ids as numbers.
    if (id !== undefined && Array.isArray(listed) && listed.map(String).includes(id)) return true
    return Array.isArray(rules.parse) && rules.parse.includes(kind)
  }
  const ids = (pattern: RegExp, kind: string) => [
    ...new Set(Array.from(content.matchAll(pattern), ([, id]) => id!).filter((id) => lets(kind, id))),
  ]
  return {
    mentions: ids(USER_MENTION, 'users').map(userOf),
    mention_roles: ids(ROLE_MENTION, 'roles').filter(mayMention),
    mention_everyone: EVERYONE.test(content) && lets('everyone') && mayMention(null),
  }
}

/** Users by id, as far as an interaction has them. */
export function knownUsers(interaction: AnyInteraction): ContentSource['userOf'] {
  const person = userOrUnknown(interaction)
  const data = isObject(interaction.data) ? interaction.data : {}
  const users = isObject(data.resolved) && isObject(data.resolved.users) ? data.resolved.users : {}
  return (id) => {
    if (person.id === id) return person
    const known = Object.hasOwn(users, id) ? users[id] : undefined
    return completeUser({ ...(isObject(known) ? known : {}), id })
  }
}
