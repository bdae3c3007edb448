import type { ApplicationSettings } from '../../model/application.ts'
import { ANSWER_TIMEOUT, deadlines } from '../../core/deadlines.ts'
import type { Clock } from '../../core/clock.ts'
import { noteOf, type Issue } from '../../core/rules/report.ts'
import { Emitter } from '../../core/emitter.ts'
import { counted } from '../../core/text.ts'
import type { AnyInteraction } from '../../model/interaction-payload.ts'
import type { Conversations } from './conversations.ts'
import {
  awaitAnswer,
  LATER,
  signedRequest,
  timeLimit,
  unanswered,
  type BotAnswer,
  type Endpoint,
  type Send,
  type TimeLimit,
  type SigningKey,
} from './endpoint.ts'
import { pendingAnswers, type PendingAnswers } from './pending.ts'
import { Traffic, type AnswerRecord } from './traffic.ts'

export interface BotEndpoint extends Pick<Endpoint, 'url' | 'fetch'> {
  readonly privateKey: SigningKey | Promise<SigningKey>
}

export interface BotSessionOptions {
  /** Where answers arrive that are requests of their own. Default: a table of this session. */
  readonly answers?: PendingAnswers
  /** The settings of applications. Default: apps without restrictions. */
  readonly applications?: {
    get(id: string): ApplicationSettings | null | undefined | Promise<ApplicationSettings | null | undefined>
  }
  /** Sends an interaction to the bots that are logged in, and returns their number. Default: none is logged in. */
  readonly gateway?: { dispatch(interaction: AnyInteraction): number }
  /** Default: none; then interactions go to the gateway. */
  readonly endpoint?: BotEndpoint
  /**
   * The clock of interactions: an answer more than 3 seconds later is too late. Default: only `timeout` counts. Bots whose
   * clock moves with it compare the time of signatures with it too.
   */
  readonly clock?: Clock & { readonly movesBots?: boolean }
  /** Milliseconds of real time to wait for an answer. Default 3000. */
  readonly timeout?: number
  /** Whether an application may use a custom emoji, by its id. Default: any. */
  readonly hasEmoji?: (applicationId: string, emojiId: string) => boolean
}

/** An interaction that is sent to a bot, and its answer to come. */
export interface Asked {
  readonly interaction: AnyInteraction
  /** Never rejects. */
  readonly answer: Promise<BotAnswer>
}

/** How a bot is reached, what it was asked and answered, which messages exist, and what went over the wire. */
export class BotSession {
  readonly answers: PendingAnswers
  readonly traffic = new Traffic()
  endpoint: BotEndpoint | null
  readonly #options: BotSessionOptions
  /** The interactions that the bot has not answered; `since` is when the person began to wait, `Infinity` before it is sent. */
  readonly #unanswered = new Set<{ since: number; readonly limit: TimeLimit }>()
  readonly #asked = new Emitter<Asked>((error) => console.error(error))

  constructor(options: BotSessionOptions) {
    this.#options = options
    this.endpoint = options.endpoint ?? null
    this.answers = options.answers ?? pendingAnswers()
  }

  get messages(): Conversations {
    return this.answers.conversations
  }

  /** Calls a listener with each interaction that is sent, before the bot has it. @returns removes the listener */
  subscribe(listener: (asked: Asked) => void): () => void {
    return this.#asked.add(listener)
  }

  /**
   * Sends an interaction to the bot, and waits for its answer. An invalid answer is returned at once, but the bot can
   * still send a valid one, whose messages are kept.
   *
   * @param options.since when the person began to wait. Default: when the interaction is sent
   * @param options.label the use in words, for the traffic
   */
  ask(
    interaction: AnyInteraction,
    { since = Infinity, label = '' }: { readonly since?: number; readonly label?: string } = {},
  ): Promise<BotAnswer> {
    const { endpoint } = this
    const host = endpoint === null ? 'bot' : new URL(endpoint.url).host
    const record = this.traffic.send(interaction, endpoint === null ? 'GATEWAY' : 'POST', `${host}  ${label}`)
    const limit = timeLimit(this.#options.timeout ?? deadlines.ANSWER_TIMEOUT)
    const asked = { since: Infinity, limit }
    this.#unanswered.add(asked)
    let status: () => number | null = () => null
    const onSent = (sent: ReturnType<Send>) => {
      status = sent.status
      asked.since = Math.min(since, this.#options.clock?.now() ?? Infinity)
      this.checkTime()
    }
    const answer = new Promise<BotAnswer>((resolve, reject) => {
      void limit.over.then((failed) => resolve(unanswered(failed, status())))
      const onRefused = (issues: readonly Issue[]) => resolve(unanswered({ code: 'invalid', issues }))
      this.#deliver(interaction, endpoint, limit, onSent, onRefused)
        .then(resolve, (cause: unknown) => {
          limit.stop()
          reject(cause)
        })
        .finally(() => this.#unanswered.delete(asked))
    })
    const recorded = answer.catch((cause: unknown) => unanswered({ code: 'unreachable', cause }))
    this.#asked.publish([{ interaction, answer: recorded }])
    return recorded.then((one) => {
      record(summaryOf(one))
      return answer
    })
  }

  /** Stops waiting for answers that are late by the clock. Call it after the clock has moved. */
  checkTime(): void {
    const now = this.#options.clock?.now() ?? -Infinity
    for (const { since, limit } of this.#unanswered) if (now - since >= ANSWER_TIMEOUT) limit.end('timeout')
  }

  close(): void {
    for (const { limit } of this.#unanswered) limit.end('closed')
  }

  async #deliver(
    interaction: AnyInteraction,
    endpoint: BotEndpoint | null,
    limit: TimeLimit,
    onSent: (sent: ReturnType<Send>) => void,
    onRefused: (issues: readonly Issue[]) => void,
  ): Promise<BotAnswer> {
    const { applications, gateway, clock, hasEmoji } = this.#options
    const { application_id: id } = interaction
    const application = (await applications?.get(id)) ?? undefined
    const options = {
      answers: this.answers,
      ...(application && { application }),
      ...(clock && { clock }),
      ...(hasEmoji && { hasEmoji: (emojiId: string) => hasEmoji(id, emojiId) }),
    }
    const dispatch: Send = () => {
      const isSent = gateway !== undefined && gateway.dispatch(interaction) > 0
      return { reply: Promise.resolve(isSent ? LATER : { code: 'not_connected' }), status: () => null }
    }
    const send =
      endpoint === null
        ? dispatch
        : await signedRequest(interaction, {
            ...endpoint,
            ...(clock?.movesBots === true && { clock }),
            privateKey: await endpoint.privateKey,
          })
    const sendNow: Send = (signal) => {
      const sent = send(signal)
      onSent(sent)
      return sent
    }
    return awaitAnswer(interaction, sendNow, limit, options, onRefused)
  }
}

function summaryOf(answer: BotAnswer): AnswerRecord {
  if (!answer.ok) {
    const { code, status, issues } = answer
    return {
      status: status ?? 0,
      response: '',
      summary: code === 'invalid' ? counted(issues.length, 'issue') : code,
    }
  }
  const { callback, rendered, via, warnings } = answer
  const summary =
    'ephemeral' in rendered && rendered.ephemeral ? `${rendered.kind}, ephemeral` : rendered.kind
  // Those of a request of its own are in the record of that.
  const notes = via === 'response' ? warnings.map(noteOf) : []
  return { status: 200, response: JSON.stringify(callback), summary, ...(notes.length > 0 && { notes }) }
}
