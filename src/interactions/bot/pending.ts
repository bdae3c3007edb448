/** Answers that are requests of their own: POST /interactions/{id}/{token}/callback (clause 2.11-09). */
import { BoundedMap, bytesOfJson } from '../../core/bounded-map.ts'
import { equalsSecret } from '../../core/secrets.ts'
import type { ApplicationSettings } from '../../model/application.ts'
import { systemClock, type Clock } from '../../core/clock.ts'
import type { Issue } from '../../core/rules/report.ts'
import { demandObject, demandText } from '../../core/rules/arguments.ts'
import { refused, type Refusal, type Result } from '../../core/rules/result.ts'
import { ANSWER_TIMEOUT, type AnswerFile, type InteractionCallback } from '../../model/answer-types.ts'
import { validateCallback } from '../answer/callback.ts'
import { MessageStore, type Conversations, type ConversationsOptions } from './conversations.ts'
import type { AppMessage } from './bot-message.ts'
import type { AnyInteraction } from '../../model/interaction-payload.ts'

export interface ReceivedAnswer {
  readonly interaction: AnyInteraction
  readonly callback: InteractionCallback
  /** The message that the answer created or edited; null for answers without one. See `callbackResponse`. */
  readonly message: AppMessage | null
  /** What is ignored in the answer, or may surprise. */
  readonly warnings: readonly Issue[]
}

/**
 * An accepted answer, or why it was refused: no interaction with that id and token expects an answer, or it is too late;
 * the interaction has its first answer; the answer is invalid, and a valid one can follow.
 */
export type ReceiveResult = Result<
  ReceivedAnswer,
  Refusal<'unknown_interaction' | 'already_answered' | 'invalid'>
>

/** What becomes of one interaction that expects an answer. */
export interface ExpectedAnswer {
  /** Resolves with the first valid answer; never rejects. */
  readonly answer: Promise<{ readonly via: 'callback'; readonly callback: InteractionCallback }>
  /** Resolves with the problems of the first invalid answer, which a valid one can follow; never rejects. */
  readonly refused: Promise<readonly Issue[]>
  /** With a store: resolves when every process expects the answer, so that the interaction can be sent. */
  readonly ready?: Promise<void>
  /**
   * Records that the answer arrived another way; a further one is refused. With the answer, its messages are kept.
   *
   * @param files the files beside the answer. Default: none
   * @returns nothing; with a store, a promise that resolves when it is recorded
   */
  acknowledge(callback?: InteractionCallback, files?: readonly AnswerFile[]): void | Promise<void>
  /**
   * Stops expecting an answer: a later first answer gets `unknown_interaction`.
   *
   * @returns nothing; with a store, a promise that resolves when no process expects the answer. One that a process
   * accepted before has resolved `answer` by then.
   */
  end(): void | Promise<void>
}

/** The interactions that expect an answer. */
export interface PendingAnswers {
  /** The messages of answered interactions, for the webhook routes. */
  readonly conversations: Conversations
  /** Expects an answer. An interaction delivered twice expects two answers, matched in order. */
  expect(interaction: AnyInteraction, application?: ApplicationSettings): ExpectedAnswer
  /** Whether an interaction expects an answer. */
  stateOf(interactionId: string, token: string): 'waiting' | 'already_answered' | 'unknown_interaction'
  /** Receives the body and the files of a callback request. */
  receive(
    interactionId: string,
    token: string,
    callback: unknown,
    files?: readonly AnswerFile[],
  ): ReceiveResult
}

/** What requests do with the answers to one token. */
export interface TokenAnswers extends Pick<PendingAnswers, 'stateOf' | 'receive'> {
  readonly conversations: Pick<Conversations, 'read' | 'edit' | 'delete' | 'followUp'>
}

/** The interactions that expect an answer, in a store. Give it to `deliver` and to `createHandler` of every process. */
export interface SharedAnswers {
  /** The contents of files, which stay in the process that received them. */
  readonly conversations: Pick<Conversations, 'files'>
  /** Expects an answer, from the moment when `ready` resolves. It may arrive at any process. */
  readonly expect: PendingAnswers['expect']
  /**
   * Calls an operation with the answers to a token, and stores what it changes. If another process wrote meanwhile, the
   * operation is called again with what that process wrote.
   *
   * @throws RegistryError `storage` or `busy`
   */
  at<T>(path: TokenPath, operation: (answers: TokenAnswers) => T): Promise<T>
}

/** The token of an interaction, and the id of a message if the operation is about one. */
export interface TokenPath {
  readonly token: string
  readonly messageId?: string
}

/** A delivery that waits for its answer. */
export interface Waiting {
  readonly interaction: AnyInteraction
  readonly application: ApplicationSettings | undefined
  /** When it began to wait, in milliseconds since 1970. */
  readonly since: number
  readonly settle: (callback: InteractionCallback) => void
  readonly refuse: (issues: readonly Issue[]) => void
}

/** The promises of an expected answer, and what resolves them. */
export type Expectation = Pick<ExpectedAnswer, 'answer' | 'refused'> & Pick<Waiting, 'settle' | 'refuse'>

export function openExpectation(): Expectation {
  let settle: Waiting['settle'] = () => {}
  let refuse: Waiting['refuse'] = () => {}
  const answer: ExpectedAnswer['answer'] = new Promise((resolve) => {
    settle = (callback) => resolve({ via: 'callback', callback })
  })
  const refused: ExpectedAnswer['refused'] = new Promise((resolve) => (refuse = resolve))
  return { answer, refused, settle, refuse }
}

/** The deliveries of one interaction. */
interface Deliveries {
  readonly applicationId: string
  readonly waiting: Set<Waiting>
  readonly size: number
}

// The oldest entries beyond these sizes are dropped, of one application and of all.
const MAX_PENDING_BYTES = 64 * 1024 * 1024
const MAX_PENDING_BYTES_OF_ONE = 32 * 1024 * 1024

/**
 * A table of interactions that expect an answer, between `deliver` and the HTTP routes. One with a conversation has its
 * answer, so a second one gets `already_answered` while the token is valid.
 *
 * @param clock decides whether an answer is late: after 3 seconds its interaction is unknown; without one, only
 * `deliver` limits the time
 */
export function pendingAnswers(options: ConversationsOptions = {}): PendingAnswers {
  return new AnswerTable(options)
}

/** Its functions are fields instead of methods, so that a host can spread or destructure the table. */
export class AnswerTable implements PendingAnswers {
  readonly conversations: MessageStore
  readonly #clock: Clock | undefined
  readonly #waiting = new BoundedMap<string, Deliveries>(MAX_PENDING_BYTES, ({ size }) => size, {
    share: { most: MAX_PENDING_BYTES_OF_ONE, ownerOf: ({ applicationId }) => applicationId },
  })
  readonly #limit: number

  /** @param limit milliseconds after which a first answer is late by the clock of the options */
  constructor(
    options: ConversationsOptions,
    conversations = new MessageStore('pendingAnswers', options),
    limit = ANSWER_TIMEOUT,
  ) {
    this.#clock = options.clock
    this.#limit = limit
    this.conversations = conversations
  }

  readonly expect: PendingAnswers['expect'] = (interaction, application) => {
    demandObject(interaction, 'interaction')
    const { answer, refused, settle, refuse } = openExpectation()
    const since = (this.#clock ?? systemClock).now()
    const one: Waiting = { interaction, application, since, settle, refuse }
    this.add(one)
    return {
      answer,
      refused,
      acknowledge: (callback, files) => this.acknowledge(one, callback, files),
      end: () => void this.remove(one),
    }
  }

  add(one: Waiting): void {
    const { interaction } = one
    const { id, application_id: applicationId } = interaction
    const deliveries = this.#waiting.get(id)
    if (deliveries !== undefined) deliveries.waiting.add(one)
    else this.#waiting.set(id, { applicationId, waiting: new Set([one]), size: bytesOfJson(interaction) })
  }

  acknowledge(one: Waiting, callback?: InteractionCallback, files?: readonly AnswerFile[]): void {
    if (this.remove(one)) this.conversations.record(one.interaction, callback, files)
  }

  isWaiting(one: Waiting): boolean {
    return this.#waiting.get(one.interaction.id)?.waiting.has(one) ?? false
  }

  readonly stateOf: PendingAnswers['stateOf'] = (interactionId, token) => {
    const isWaiting = this.#find(interactionId, token) !== undefined
    return isWaiting ? 'waiting' : this.#refusalOf(interactionId, token)
  }

  readonly receive: PendingAnswers['receive'] = (interactionId, token, callback, files = []) => {
    const one = this.#find(interactionId, token)
    if (one === undefined) return refused(this.#refusalOf(interactionId, token))
    const { interaction, application } = one
    const read = validateCallback(interaction, callback, {
      ...(application && { application }),
      files,
      ...this.conversations.emojisOf(interaction),
    })
    if (!read.ok) {
      one.refuse(read.issues)
      return refused('invalid', read.issues)
    }
    this.remove(one)
    const message = this.conversations.record(interaction, read.value, files)
    one.settle(read.value)
    return { ok: true, interaction, callback: read.value, message, warnings: read.warnings }
  }

  #find(interactionId: string, token: string): Waiting | undefined {
    demandText(interactionId, 'interactionId')
    demandText(token, 'token')
    const all = this.#waiting.get(interactionId)?.waiting
    if (all === undefined) return undefined
    const latest = this.#clock === undefined ? -Infinity : this.#clock.now() - this.#limit
    return [...all].find(
      ({ interaction, since }) => equalsSecret(token, interaction.token) && since >= latest,
    )
  }

  #refusalOf(interactionId: string, token: string): 'already_answered' | 'unknown_interaction' {
    return this.conversations.isAnswered(interactionId, token) ? 'already_answered' : 'unknown_interaction'
  }

  /** @returns whether it was there */
  remove(one: Waiting): boolean {
    const { id } = one.interaction
    const all = this.#waiting.get(id)?.waiting
    const isRemoved = all?.delete(one) ?? false
    if (all?.size === 0) this.#waiting.delete(id)
    return isRemoved
  }
}
