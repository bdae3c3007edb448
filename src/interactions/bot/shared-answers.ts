/** Answers that are requests of their own, for all processes that share a store. */
import { systemClock } from '../../core/clock.ts'
import { deepFreeze } from '../../core/freeze.ts'
import { uniqueText } from '../../core/random.ts'
import { realTimers } from '../../core/timers.ts'
import { registryFailure } from '../../commands/registry/registry-error.ts'
import { Documents, type Commit, type Entries } from '../../storage/documents/documents.ts'
import { temporaryIn, type TemporaryDocument } from '../../storage/documents/temporary.ts'
import { demandStore, type Store } from '../../storage/store.ts'
import { deadlines } from '../../core/deadlines.ts'
import { ANSWER_TIMEOUT } from '../../model/answer-types.ts'
import { processIds } from '../../model/id-source.ts'
import type { AnyInteraction } from '../../model/interaction-payload.ts'
import { jsonCopy } from '../usage/complete.ts'
import {
  answerKey,
  digestOf,
  messageIdsOf,
  messageKey,
  ownerDocument,
  takeTurn,
  withDelivery,
  withTime,
  type AnswerDocument,
  type MessageDocument,
  type Operation,
  type Arrived,
  type Turn,
} from './answer-documents.ts'
import { AnswerWatch } from './answer-watch.ts'
import { MessageStore, type ConversationsOptions } from './conversations.ts'
import { Files } from './files.ts'
import {
  AnswerTable,
  openExpectation,
  type Expectation,
  type SharedAnswers,
  type TokenPath,
  type Waiting,
} from './pending.ts'

// The messages of a token. Beyond it, the oldest are forgotten.
const MAX_MESSAGE_BYTES = 1024 * 1024
const RETRY_PAUSE = 100
/** Milliseconds by which the clocks of machines that set them over the network differ at most. */
const CLOCK_DIFFERENCE = 100

/**
 * A table of interactions that expect an answer, in a store: one process sends an interaction, and its answers may
 * arrive at any other. What it stores ends 15 minutes after the token; `sweep` of a registry over the store
 * removes it, or `deleteApplication`.
 *
 * @throws TypeError when the store or an option is invalid
 */
export function sharedAnswers(store: Store, options: ConversationsOptions = {}): SharedAnswers {
  return new SharedTable(store, options)
}

/** Its functions are fields instead of methods, so that a host can spread or destructure the table. */
class SharedTable implements SharedAnswers {
  readonly conversations = { files: new Files() }
  readonly #documents: Documents
  readonly #options: ConversationsOptions & Required<Pick<ConversationsOptions, 'clock'>>
  /** Milliseconds by which this process may be wrong about the time of another. A clock of the caller is that of all. */
  readonly #tolerance: number
  /** How long the store took to record the last delivery, in milliseconds. */
  #recording = 0
  /** The deliveries of this process that wait for an answer. */
  readonly #watch: AnswerWatch

  constructor(store: Store, options: ConversationsOptions) {
    this.#documents = new Documents({ store: demandStore(store, 'store'), failure: registryFailure })
    this.#watch = new AnswerWatch({
      announcements: store.announcements,
      read: (keys) => this.#documents.read(keys),
      found: (id, entry) => this.#found(id, this.#read<AnswerDocument>(entry)),
    })
    // Refuses invalid options.
    new MessageStore('sharedAnswers', options)
    const { clock = systemClock } = options
    this.#tolerance = clock === systemClock ? CLOCK_DIFFERENCE : 0
    // Never those of `idsBy`, which another process with a clock of its own repeats.
    this.#options = { ...options, clock, ids: options.ids ?? processIds(options.clock) }
  }

  readonly expect: SharedAnswers['expect'] = (interaction, application) => {
    const id = uniqueText()
    const { token } = interaction
    const expected = openExpectation()
    const delivery = { id, ...(application && { application }) }
    const ready = this.#add(interaction, delivery, expected)
    // Its failure is that of the sender, who waits for it.
    ready.catch(() => {})
    return {
      ready,
      answer: expected.answer,
      refused: expected.refused,
      acknowledge: async (callback, files) => {
        await ready
        await this.#finish(token, id, (table, one) => table.acknowledge(one, callback, files))
        this.#watch.delete(id)
      },
      end: () => {
        const ended = this.#end(token, id, ready)
        // Not every host waits for it.
        ended.catch(() => {})
        return ended
      },
    }
  }

  readonly at: SharedAnswers['at'] = (path, operation) => this.#update(path, operation)

  #now(): number {
    return this.#options.clock.now()
  }

  #newTable(clock = this.#options.clock): AnswerTable {
    const options = { ...this.#options, clock }
    const messages = new MessageStore('sharedAnswers', options, this.conversations.files, MAX_MESSAGE_BYTES)
    return new AnswerTable(options, messages, ANSWER_TIMEOUT + this.#tolerance)
  }

  async #add(
    interaction: AnyInteraction,
    delivery: Omit<AnswerDocument['waiting'][number], 'since'>,
    expected: Expectation,
  ): Promise<void> {
    const digest = await digestOf(interaction.token)
    const owner = ownerDocument(interaction, digest, this.#now())
    await this.#documents.commit([owner.key], () => writing(owner.document, undefined))
    const key = answerKey(digest)
    await this.#record(key, interaction, delivery)
    this.#watch.add(delivery.id, { ...expected, key })
  }

  /**
   * Writes a delivery with the time at which the app is sent the interaction: that at which it is stored. It gets another
   * time when the store took longer than expected.
   */
  async #record(
    key: string,
    interaction: AnyInteraction,
    delivery: Omit<AnswerDocument['waiting'][number], 'since'>,
  ): Promise<void> {
    for (let isRecorded = false; ; isRecorded = true) {
      let begun = 0
      const expected = this.#recording
      await this.#documents.commit([key], ([entry]) => {
        begun = this.#now()
        const known = this.#read<AnswerDocument>(entry)
        const since = begun + expected
        if (!isRecorded)
          return writing(withDelivery(known, interaction, { ...delivery, since }, begun), undefined)
        return writing(known && withTime(known, delivery.id, since), undefined)
      })
      this.#recording = Math.min(this.#now() - begun, deadlines.STORE_TIMEOUT)
      if (this.#recording - expected <= CLOCK_DIFFERENCE / 2) return
    }
  }

  /** Tries again while the store fails: an answer that another process accepted is in it. */
  async #end(token: string, id: string, ready: Promise<void>): Promise<void> {
    const start = realTimers.now()
    try {
      await ready
      while (this.#watch.get(id) !== undefined) {
        try {
          await this.#finish(token, id, (table, one) => table.remove(one))
          return
        } catch (cause) {
          if (realTimers.now() - start > deadlines.STORE_TIMEOUT) throw cause
          await realTimers.sleep(RETRY_PAUSE)
        }
      }
    } finally {
      this.#watch.delete(id)
    }
  }

  /** Ends the waiting of a delivery; one that was answered meanwhile has its answer. */
  async #finish(
    token: string,
    id: string,
    operate: (table: AnswerTable, one: Waiting) => unknown,
  ): Promise<void> {
    await this.#update({ token }, (table, waiting) => {
      const one = waiting.get(id)
      if (one !== undefined) operate(table, one)
    })
  }

  /** Reads the documents of a token, carries out an operation, and writes what it changed. */
  async #update<T>({ token, messageId }: TokenPath, operate: Operation<T>): Promise<T> {
    // An answer is in time when it arrives, however long the store takes.
    const now = this.#now()
    const arrival = { now: () => now }
    const key = answerKey(await digestOf(token))
    for (;;) {
      const [entry] = await this.#documents.read([key])
      const known = this.#read<AnswerDocument>(entry)
      const ids = messageIdsOf(known, messageId)
      const keys = known === undefined ? [key] : [key, ...ids.map((id) => messageKey(known.interaction, id))]
      let read: Entries = []
      const take = (entries: Entries) => {
        const documents = entries.map((entry) => this.#read<AnswerDocument | MessageDocument>(entry))
        return takeTurn(this.#newTable(arrival), token, ids, documents, operate)
      }
      let turn = await this.#documents.commit<Turn<T> | null>(keys, (entries) => {
        const others = messageIdsOf(this.#read<AnswerDocument>(entries[0]), messageId)
        // An answer came between both reads: the token has other messages.
        if (others.some((id) => !ids.includes(id))) return writing(undefined, null)
        read = entries
        const taken = take(entries)
        return writing(taken.next[0], taken)
      })
      if (turn === null) continue
      for (const [id, outcome] of Object.entries(turn.outcomes)) this.#settle(id, outcome)
      for (let place = 1; place < turn.next.length; place++) {
        if (turn.next[place] === undefined) continue
        const earlier: Turn<T> = turn
        turn = await this.#documents.commit([keys[place]!], ([entry]) => {
          // The turn is taken again only if another process has changed the message.
          const isSame = entry?.revision === read[place]?.revision
          const taken = isSame ? earlier : take(read.map((one, i) => (i === place ? entry : one)))
          return writing(taken.next[place], taken)
        })
      }
      return turn.result
    }
  }

  /** The document of an entry; undefined without one, or if it has ended. */
  #read<Document extends TemporaryDocument>(entry: Entries[number]): Document | undefined {
    const document = temporaryIn(entry)
    return document === undefined || document.until < this.#now() ? undefined : (document as Document)
  }

  #found(id: string, document: AnswerDocument | undefined): void {
    if (document === undefined) this.#watch.delete(id)
    else this.#settle(id, document.outcomes[id] ?? {})
  }

  #settle(id: string, { refused, callback }: Arrived): void {
    const watched = this.#watch.get(id)
    if (refused !== undefined) watched?.refuse(refused)
    if (callback === undefined) return
    watched?.settle(callback)
    this.#watch.delete(id)
  }
}

/** A commit of a document; without one, nothing is written. */
function writing<T>(document: TemporaryDocument | undefined, result: T): Commit<T> {
  return { isChange: document !== undefined, next: document && deepFreeze(jsonCopy(document)), result }
}
