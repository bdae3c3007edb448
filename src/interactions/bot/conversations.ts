/** The messages of answered interactions: the original answer and its follow-ups (clause 2.11-11). */
import { aClock, aFunction, anIdSource, demandObject, optionsOf } from '../../core/rules/arguments.ts'
import { nullable, optional } from '../../core/rules/readers.ts'
import { BoundedMap, bytesOfJson } from '../../core/bounded-map.ts'
import { systemClock, type Clock } from '../../core/clock.ts'
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
import { KeptMessages, type AnswerEvent, type LiveMessage, type UsedToken } from './kept-messages.ts'

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

/** What a token gives access to. */
export interface Conversation extends UsedToken {
  /** Null for answers without a message. */
  readonly original: string | null
  /** The messages that this token may change. */
  readonly messages: Set<string>
  followUps: number
  readonly size: number
}

// Of an application without a server installation.
const MAX_FOLLOW_UPS = 5
// The oldest answered interactions beyond these sizes are dropped, of one application and of all.
const MAX_CONVERSATION_BYTES = 96 * 1024 * 1024
const MAX_CONVERSATION_BYTES_OF_ONE = 32 * 1024 * 1024

/**
 * A store of messages that has none yet.
 *
 * @throws TypeError when an option is unknown
 */
export function createConversations(options: ConversationsOptions = {}): Conversations {
  return new MessageStore('createConversations', options)
}

export class MessageStore extends KeptMessages implements Conversations {
  readonly files: Files
  readonly #clock: Clock
  readonly #ids: IdSource
  readonly #bot: NonNullable<ConversationsOptions['bot']>
  readonly #hasEmoji: ConversationsOptions['hasEmoji']
  /** In the order in which they were answered. */
  readonly byToken = new BoundedMap<string, Conversation>(MAX_CONVERSATION_BYTES, ({ size }) => size, {
    share: {
      most: MAX_CONVERSATION_BYTES_OF_ONE,
      ownerOf: ({ interaction }) => interaction.application_id,
    },
    onForget: (conversation) => this.forget(conversation),
  })

  /**
   * @param most the bytes of the messages of an application
   * @throws TypeError, which begins with the caller, when an option is unknown
   */
  constructor(caller: string, options: ConversationsOptions, files = new Files(), most?: number) {
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
    super(onListenerError ?? ((error) => console.error(error)), most)
    this.files = files
    this.#clock = clock
    this.#ids = ids ?? idsBy(options.clock)
    this.#hasEmoji = hasEmoji
    this.#bot = bot ?? (() => undefined)
  }

  /** What answers of an application may refer to. */
  emojisOf({ application_id: id }: AnyInteraction): Pick<CallbackContext, 'hasEmoji'> {
    const has = this.#hasEmoji
    return has === undefined ? {} : { hasEmoji: (emojiId) => has(id, emojiId) }
  }

  begin(interaction: AnyInteraction, callback: InteractionCallback, files?: readonly AnswerFile[]) {
    demandObject(interaction, 'interaction')
    demandObject(callback, 'callback')
    return this.record(interaction, callback, files)
  }

  /** As `begin`, also for an answer that is not known. */
  record(interaction: AnyInteraction, callback?: InteractionCallback, files: readonly AnswerFile[] = []) {
    const now = this.#clock.now()
    // A token is kept for 15 minutes after it expired, so that a late request gets `invalid_webhook_token`.
    this.byToken.forgetWhile(({ until }) => now - TOKEN_VALID > until)
    this.keepFor(interaction)
    const used = { interaction, until: now + TOKEN_VALID }
    const message = callback === undefined ? null : this.#answer(used, callback, files)
    this.byToken.set(interaction.token, {
      ...used,
      original: message?.id ?? null,
      messages: new Set(message === null ? [] : [message.id]),
      followUps: 0,
      size: bytesOfJson(interaction),
    })
    return message
  }

  /** Whether an interaction has its first answer, and its token is valid. */
  isAnswered(interactionId: string, token: string): boolean {
    const found = this.byToken.get(token)
    return found?.interaction.id === interactionId && this.#clock.now() <= found.until
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
    this.remove(message, conversation)
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
    const kept = this.put('message_created', conversation, message)
    return { ok: true, message: kept, warnings: read.warnings }
  }

  #answer(used: UsedToken, callback: InteractionCallback, files: readonly AnswerFile[]): AppMessage | null {
    const { interaction } = used
    const source = this.#source(interaction, files)
    switch (callback.type) {
      case InteractionCallbackType.CHANNEL_MESSAGE_WITH_SOURCE:
        return this.put('message_created', used, createMessage(interaction, callback.data, source))
      case InteractionCallbackType.DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE: {
        const body = { flags: isEphemeral(callback.data ?? {}) ? MessageFlag.EPHEMERAL : 0 }
        const message = createMessage(interaction, body, { ...source, isLoading: true })
        return this.put('message_created', used, message)
      }
      case InteractionCallbackType.UPDATE_MESSAGE: {
        const before = this.use(used)
        const message = before && editMessage(before, callback.data, source)
        return message && this.put('message_updated', used, message)
      }
      case InteractionCallbackType.DEFERRED_UPDATE_MESSAGE:
        return this.use(used)
      default:
        return null
    }
  }

  #fill(conversation: UsedToken, before: AppMessage, { body, files = [] }: MessageRequest): MessageResult {
    const { interaction } = conversation
    if (before.poll !== undefined) return refused('poll_edited')
    const read = validateEdit(before, body, { files, ...this.emojisOf(interaction) })
    if (!read.ok) return invalid(read.issues)
    const message = editMessage(before, read.value, this.#source(interaction, files))
    const kept = this.put('message_updated', conversation, message)
    return { ok: true, message: kept, warnings: read.warnings }
  }

  #conversation(path: WebhookPath): Answered<{ readonly conversation: Conversation }> {
    demandObject(path, 'path')
    const found = this.byToken.get(path.token)
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
}

function invalid(issues: readonly Issue[]): RefusedResult<MessageRefusalCode> {
  return isEmptyMessage(issues) ? refused('empty_message') : refused('invalid', issues)
}
