/** The messages of answered interactions: the original answer and its follow-ups (clause 2.11-11). */
import { aClock, aFunction, anIdSource, demandFunction, demandObject } from '../../core/rules/arguments.ts'
import { demandText, optionsOf } from '../../core/rules/arguments.ts'
import { nullable, optional } from '../../core/rules/readers.ts'
import { BoundedMap, bytesOfJson } from '../../core/bounded-map.ts'
import { systemClock, type Clock } from '../../core/clock.ts'
import { Emitter } from '../../core/emitter.ts'
import type { Issue } from '../../core/rules/report.ts'
import { refused, type Refusal, type RefusedResult, type Result } from '../../core/rules/result.ts'
import { idsBy, takeId, type IdSource } from '../../model/id-source.ts'
import type { Partly } from '../../model/server.ts'
import {
  comesWithUser,
  knownFields,
  type AnyInteraction,
  type InteractionUser,
} from '../../model/interaction-payload.ts'
import { hasFlag, InteractionCallbackType, MessageFlag, isEphemeral } from '../../model/interaction-types.ts'
import {
  TOKEN_VALID,
  type AnswerFile,
  type CallbackContext,
  type InteractionCallback,
} from '../../model/answer-types.ts'
import { validateEdit, validateFollowUp } from '../answer/callback.ts'
import { isEmptyMessage } from '../answer/empty-message.ts'
import { Files } from './files.ts'
import { createMessage, editMessage, knownUsers, type AppMessage, type MessageSource } from './bot-message.ts'

/** Why a request about a message is refused. */
export type MessageRefusalCode =
  /** No answered interaction of the application has this token; also before its first answer. HTTP 404, code 10015. */
  | 'unknown_webhook'
  /** The message does not exist, was deleted, or belongs to another interaction. HTTP 404, code 10008. */
  | 'unknown_message'
  /** The token was valid for 15 minutes. HTTP 401, code 50027. */
  | 'invalid_webhook_token'
  /** The message would be empty. HTTP 400, code 50006. */
  | 'empty_message'
  /** The message has a poll, and is not edited. HTTP 400, code 520003. */
  | 'poll_edited'
  /** Five follow-ups are the limit where only the user installed the application. HTTP 400, code 40094. */
  | 'too_many_follow_ups'
  /** The body is invalid; `issues` has every problem. HTTP 400, code 50035. */
  | 'invalid'

type Answered<Done extends object> = Result<Done, Refusal<MessageRefusalCode>>

/** The message as it is now, or the reason of a refusal. */
export type MessageResult = Answered<{
  readonly message: AppMessage
  /** What is ignored in a body, or may surprise. Absent: nothing. */
  readonly warnings?: readonly Issue[]
}>

/** A message of an answer. The object changes with every edit of the app. */
export interface LiveMessage {
  /** The interaction that created it. */
  readonly interaction: AnyInteraction
  /** As it is now; of a deleted message, as it was. */
  readonly message: AppMessage
  /** Whether the app changed it after it was complete. */
  readonly isEdited: boolean
  readonly isDeleted: boolean
  /** The number of edits, and of the deletion. */
  readonly changes: number
}

/** A change of a message that a person sees. */
export interface AnswerEvent {
  readonly type: 'message_created' | 'message_updated' | 'message_deleted'
  /** The interaction whose token was used. */
  readonly interaction: AnyInteraction
  /** As it is now; of a deleted message, as it was. */
  readonly message: AppMessage
}

export interface MessageRequest {
  readonly body: unknown
  readonly files?: readonly AnswerFile[]
}

export interface WebhookPath {
  readonly applicationId: string
  readonly token: string
  /** `'@original'`, or the id of a message. Default: `'@original'`. */
  readonly messageId?: string
}

/** The messages of interactions that were answered. */
export interface Conversations {
  /** The contents of the files of messages. */
  readonly files: Files
  /**
   * Records the first answer of an interaction. From then on its token works for 15 minutes.
   *
   * @returns the message that the answer created (4, 5), edited (7) or leaves as it is (6); null for other answers
   */
  begin(
    interaction: AnyInteraction,
    callback: InteractionCallback,
    files?: readonly AnswerFile[],
  ): AppMessage | null
  /** GET of a message. */
  read(path: WebhookPath): MessageResult
  /** PATCH of a message. Whether it is ephemeral stays as it was. */
  edit(path: WebhookPath, request: MessageRequest): MessageResult
  /** DELETE of a message. @returns the message as it was */
  delete(path: WebhookPath): MessageResult
  /** POST of a follow-up. The first one after a deferred answer fills that answer instead, whatever its flags say. */
  followUp(path: WebhookPath, request: MessageRequest): MessageResult
  /** A message by its id. It is kept as long as a token, 15 minutes after the token expired. */
  message(id: string): AppMessage | undefined
  /** A message by its id, also a deleted one, with its state. It is kept as long as by `message`. */
  live(id: string): LiveMessage | undefined
  /** The ids of the messages that an interaction created, oldest first. The list grows with each follow-up. */
  createdBy(interactionId: string): readonly string[]
  /**
   * Changes or deletes (null) a message by another way than its webhook.
   *
   * @returns whether it is a message of an interaction
   */
  replace(id: string, message: AppMessage | null): boolean
  /** Calls a listener after each change, in order. @returns removes the listener */
  subscribe(listener: (event: AnswerEvent) => void): () => void
}

export interface ConversationsOptions {
  /** The time of messages and tokens. Default: the system's clock. */
  readonly clock?: Clock
  /** Ids of messages and attachments. Default: one source per process, or with a `clock` one that uses that clock. */
  readonly ids?: IdSource
  /** The bot of an application, the author of its messages. Default: a user with the application's id. */
  readonly bot?: (applicationId: string) => Partly<InteractionUser> | undefined
  /** Whether an application may use a custom emoji, by its id. Default: any. */
  readonly hasEmoji?: (applicationId: string, emojiId: string) => boolean
  /** Called with the error of a listener, which does not affect the change. Default: `console.error`. */
  readonly onListenerError?: (error: unknown) => void
}

interface Conversation {
  readonly interaction: AnyInteraction
  /** When the token ends, in milliseconds since 1970. */
  readonly until: number
  /** Null for answers without a message. */
  readonly original: string | null
  /** The messages that this token may change. */
  readonly messages: Set<string>
  followUps: number
  readonly size: number
}

/** A message that is kept until its last conversation ends. */
interface StoredMessage {
  readonly live: { -readonly [Field in keyof LiveMessage]: LiveMessage[Field] }
  readonly until: number
  readonly size: number
}

/** What a store has of a token beside its interaction, to keep it elsewhere. */
export interface ConversationState extends Pick<Conversation, 'until' | 'original' | 'followUps'> {
  readonly messages: readonly string[]
}

/** A message, to keep it elsewhere. */
export interface MessageState extends Omit<LiveMessage, 'interaction'> {
  readonly until: number
}

// Of an application without a server installation.
const MAX_FOLLOW_UPS = 5
// The oldest answered interactions and messages beyond these sizes are dropped, of one application and of all.
const MAX_CONVERSATION_BYTES = 96 * 1024 * 1024
const MAX_CONVERSATION_BYTES_OF_ONE = 32 * 1024 * 1024
const MAX_MESSAGE_BYTES = 96 * 1024 * 1024
const MAX_MESSAGE_BYTES_OF_ONE = 32 * 1024 * 1024

/**
 * A store of messages that has none yet.
 *
 * @throws TypeError when an option is unknown
 */
export function createConversations(options: ConversationsOptions = {}): Conversations {
  return new MessageStore('createConversations', options)
}

export class MessageStore implements Conversations {
  readonly files: Files
  readonly #clock: Clock
  readonly #ids: IdSource
  readonly #bot: NonNullable<ConversationsOptions['bot']>
  readonly #hasEmoji: ConversationsOptions['hasEmoji']
  /** By token, in the order in which they were answered. */
  readonly #conversations = new BoundedMap<string, Conversation>(MAX_CONVERSATION_BYTES, ({ size }) => size, {
    share: {
      most: MAX_CONVERSATION_BYTES_OF_ONE,
      ownerOf: ({ interaction }) => interaction.application_id,
    },
    onForget: (conversation) => this.#forget(conversation),
  })
  readonly #messages: BoundedMap<string, StoredMessage>
  /** The ids of messages by the id of the interaction that created them. */
  readonly #created = new Map<string, string[]>()
  readonly #events: Emitter<AnswerEvent>

  /**
   * @param most the bytes of the messages of an application
   * @throws TypeError, which begins with the caller, when an option is unknown
   */
  constructor(
    caller: string,
    options: ConversationsOptions,
    files = new Files(),
    most = MAX_MESSAGE_BYTES_OF_ONE,
  ) {
    const {
      clock = systemClock,
      ids,
      bot,
      hasEmoji,
      onListenerError,
    } = optionsOf<ConversationsOptions>(caller, {
      clock: optional(aClock),
      ids: nullable(anIdSource),
      bot: nullable(aFunction),
      hasEmoji: nullable(aFunction),
      onListenerError: nullable(aFunction),
    })(options)
    this.files = files
    this.#messages = new BoundedMap(MAX_MESSAGE_BYTES, ({ size }) => size, {
      share: { most, ownerOf: ({ live }) => live.interaction.application_id },
    })
    this.#clock = clock
    this.#ids = ids ?? idsBy(options.clock)
    this.#hasEmoji = hasEmoji
    this.#bot = bot ?? (() => undefined)
    this.#events = new Emitter(onListenerError ?? ((error) => console.error(error)))
  }

  /** What answers of an application may refer to. */
  emojisOf({ application_id: id }: AnyInteraction): Pick<CallbackContext, 'hasEmoji'> {
    const has = this.#hasEmoji
    return has === undefined ? {} : { hasEmoji: (emojiId) => has(id, emojiId) }
  }

  begin(interaction: AnyInteraction, callback: InteractionCallback, files: readonly AnswerFile[] = []) {
    demandObject(interaction, 'interaction')
    demandObject(callback, 'callback')
    const now = this.#clock.now()
    // A token is kept for 15 minutes after it expired, so that a late request gets `invalid_webhook_token`.
    this.#conversations.forgetWhile(({ until }) => now - TOKEN_VALID > until)
    this.#created.set(interaction.id, this.#created.get(interaction.id) ?? [])
    const until = now + TOKEN_VALID
    const message = this.#answer(interaction, callback, files, until)
    this.#conversations.set(interaction.token, {
      interaction,
      until,
      original: message?.id ?? null,
      messages: new Set(message === null ? [] : [message.id]),
      followUps: 0,
      size: bytesOfJson(interaction),
    })
    return message
  }

  /** Takes over what another store had of a token. */
  restore(
    interaction: AnyInteraction,
    conversation: ConversationState | null,
    messages: readonly MessageState[],
  ): void {
    for (const { until, ...state } of messages)
      this.#messages.set(state.message.id, {
        live: { interaction, ...state },
        until,
        size: bytesOfJson(state.message),
      })
    if (conversation === null) return
    const ids = new Set(conversation.messages)
    this.#conversations.set(interaction.token, { ...conversation, interaction, messages: ids, size: 0 })
  }

  /** The messages that this store has, oldest first. */
  messageStates(): readonly MessageState[] {
    return [...this.#messages.values()].map(({ live, until }) => {
      const { interaction: _, ...state } = live
      return { ...state, until }
    })
  }

  /** What this store has of a token; null for nothing. */
  conversationState(token: string): ConversationState | null {
    const found = this.#conversations.get(token)
    if (found === undefined) return null
    const { until, original, messages, followUps } = found
    return { until, original, messages: [...messages], followUps }
  }

  read(path: WebhookPath): MessageResult {
    const found = this.#find(path)
    return found.ok ? { ok: true, message: found.message } : found
  }

  edit(path: WebhookPath, request: MessageRequest): MessageResult {
    demandObject(request, 'request')
    const found = this.#find(path)
    return found.ok ? this.#fill(found.conversation, found.message, request) : found
  }

  delete(path: WebhookPath): MessageResult {
    const found = this.#find(path)
    if (!found.ok) return found
    const { message, conversation } = found
    this.#delete(message, conversation)
    return { ok: true, message }
  }

  followUp(path: WebhookPath, request: MessageRequest): MessageResult {
    demandObject(request, 'request')
    const { body, files = [] } = request
    const found = this.#conversation(path)
    if (!found.ok) return found
    const { conversation } = found
    const { interaction } = conversation
    const original = conversation.original === null ? undefined : this.message(conversation.original)
    if (original !== undefined && hasFlag(original.flags, MessageFlag.LOADING)) {
      return this.#fill(conversation, original, request)
    }
    const read = validateFollowUp(interaction, body, { files, ...this.emojisOf(interaction) })
    if (!read.ok) return invalid(read.issues)
    const { channel_id = '0' } = knownFields(interaction)
    if (comesWithUser(interaction) && conversation.followUps >= MAX_FOLLOW_UPS)
      return refused('too_many_follow_ups')
    const message = createMessage(interaction, read.value, {
      ...this.#source(interaction, files),
      original: original ?? { id: conversation.original ?? interaction.id, channel_id },
    })
    conversation.followUps++
    conversation.messages.add(message.id)
    const kept = this.#put('message_created', conversation, message)
    return { ok: true, message: kept, warnings: read.warnings }
  }

  message(id: string): AppMessage | undefined {
    const live = this.live(id)
    return live?.isDeleted === false ? live.message : undefined
  }

  live(id: string): LiveMessage | undefined {
    demandText(id, 'id')
    return this.#messages.get(id)?.live
  }

  createdBy(interactionId: string): readonly string[] {
    demandText(interactionId, 'interactionId')
    return this.#created.get(interactionId) ?? []
  }

  replace(id: string, message: AppMessage | null): boolean {
    demandText(id, 'id')
    if (message !== null) demandObject(message, 'message')
    const stored = this.#messages.get(id)
    if (stored === undefined || stored.live.isDeleted) return false
    const owner = { interaction: stored.live.interaction, until: stored.until }
    if (message === null) this.#delete(stored.live.message, owner)
    else this.#put('message_updated', owner, message)
    return true
  }

  subscribe(listener: (event: AnswerEvent) => void): () => void {
    demandFunction(listener, 'listener')
    return this.#events.add(listener)
  }

  /** Drops what only a conversation needed that was forgotten. */
  #forget({ interaction, messages, until }: Conversation): void {
    this.#created.delete(interaction.id)
    for (const id of messages) {
      if ((this.#messages.get(id)?.until ?? 0) <= until) this.#messages.delete(id)
    }
  }

  #answer(
    interaction: AnyInteraction,
    callback: InteractionCallback,
    files: readonly AnswerFile[],
    until: number,
  ): AppMessage | null {
    const source = this.#source(interaction, files)
    const owner = { interaction, until }
    switch (callback.type) {
      case InteractionCallbackType.CHANNEL_MESSAGE_WITH_SOURCE:
        return this.#put('message_created', owner, createMessage(interaction, callback.data, source))
      case InteractionCallbackType.DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE: {
        const body = { flags: isEphemeral(callback.data ?? {}) ? MessageFlag.EPHEMERAL : 0 }
        const message = createMessage(interaction, body, { ...source, isLoading: true })
        return this.#put('message_created', owner, message)
      }
      case InteractionCallbackType.UPDATE_MESSAGE: {
        const used = this.#used(owner)
        const message = used && editMessage(used, callback.data, source)
        return message && this.#put('message_updated', owner, message)
      }
      case InteractionCallbackType.DEFERRED_UPDATE_MESSAGE:
        return this.#used(owner)
      default:
        return null
    }
  }

  /** The message whose component was used: `@original` of such an interaction. Null for a deleted one. */
  #used(owner: MessageOwner): AppMessage | null {
    const { message: sent } = owner.interaction as { readonly message?: AppMessage }
    if (sent === undefined) return null
    const { message, isDeleted } = this.#store(this.live(sent.id)?.message ?? sent, owner)
    return isDeleted ? null : message
  }

  #fill(conversation: MessageOwner, before: AppMessage, { body, files = [] }: MessageRequest): MessageResult {
    const { interaction } = conversation
    if (before.poll !== undefined) return refused('poll_edited')
    const read = validateEdit(before, body, { files, ...this.emojisOf(interaction) })
    if (!read.ok) return invalid(read.issues)
    const message = editMessage(before, read.value, this.#source(interaction, files))
    const kept = this.#put('message_updated', conversation, message)
    return { ok: true, message: kept, warnings: read.warnings }
  }

  #conversation(path: WebhookPath): Answered<{ readonly conversation: Conversation }> {
    demandObject(path, 'path')
    const found = this.#conversations.get(path.token)
    if (found === undefined || found.interaction.application_id !== path.applicationId)
      return refused('unknown_webhook')
    if (this.#clock.now() > found.until) return refused('invalid_webhook_token')
    return { ok: true, conversation: found }
  }

  #find(path: WebhookPath): Answered<{ readonly conversation: Conversation; readonly message: AppMessage }> {
    const found = this.#conversation(path)
    if (!found.ok) return found
    const { conversation } = found
    const { messageId = '@original' } = path
    const id = messageId === '@original' ? conversation.original : messageId
    const message = id !== null && conversation.messages.has(id) ? this.message(id) : undefined
    return message === undefined ? refused('unknown_message') : { ok: true, conversation, message }
  }

  #source(interaction: AnyInteraction, files: readonly AnswerFile[]): MessageSource {
    const bot = this.#bot(interaction.application_id)
    return {
      now: this.#clock.now(),
      nextId: () => takeId(this.#ids),
      userOf: knownUsers(interaction),
      files,
      store: this.files,
      ...(bot !== undefined && { bot }),
    }
  }

  #put(type: 'message_created' | 'message_updated', owner: MessageOwner, message: AppMessage): AppMessage {
    const before = this.live(message.id)
    const wasLoading = before !== undefined && hasFlag(before.message.flags, MessageFlag.LOADING)
    const isEdited = before !== undefined && (before.isEdited || !wasLoading)
    const live = this.#store(message, owner)
    Object.assign(live, { isEdited, changes: before === undefined ? 0 : live.changes + 1 })
    this.#events.publish([{ type, interaction: owner.interaction, message }])
    return message
  }

  #delete(message: AppMessage, owner: MessageOwner): void {
    const live = this.#store(message, owner)
    live.isDeleted = true
    live.changes++
    this.#events.publish([{ type: 'message_deleted', interaction: owner.interaction, message }])
  }

  /** Stores a message, for at least as long as a token. */
  #store(message: AppMessage, { interaction, until }: MessageOwner): StoredMessage['live'] {
    const { id } = message
    const before = this.#messages.get(id)
    const { message: used } = interaction as { readonly message?: { readonly id: string } }
    if (before === undefined && used?.id !== id) this.#created.get(interaction.id)?.push(id)
    const live = before?.live ?? { interaction, message, isEdited: false, isDeleted: false, changes: 0 }
    live.message = message
    const size = bytesOfJson(message)
    this.#messages.set(id, { live, until: Math.max(before?.until ?? until, until), size })
    return live
  }
}

/** The interaction whose token a request has, and the end of that token. */
type MessageOwner = Pick<Conversation, 'interaction' | 'until'>

function invalid(issues: readonly Issue[]): RefusedResult<MessageRefusalCode> {
  return isEmptyMessage(issues) ? refused('empty_message') : refused('invalid', issues)
}
