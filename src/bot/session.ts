import type { ApplicationSettings } from '../command/application.ts'
import { ANSWER_WITHIN } from '../answer/answer-types.ts'
import type { Clock } from '../core/clock.ts'
import type { Refusal, Result } from '../core/result.ts'
import { snowflakeTime } from '../core/snowflake.ts'
import { counted } from '../core/text.ts'
import type { AnyInteraction } from '../interaction/payload.ts'
import type { Conversations } from './conversations.ts'
import {
  answered,
  deliver,
  unanswered,
  type AppAnswer,
  type DeliveryFailure,
  type Endpoint,
  type FailureDetails,
} from './endpoint.ts'
import { pendingAnswers, type PendingAnswers } from './pending.ts'
import { Traffic } from './traffic.ts'

/** The endpoint of a bot over HTTP. */
export interface BotEndpoint extends Pick<Endpoint, 'url' | 'fetch'> {
  readonly privateKey: CryptoKey | Promise<CryptoKey>
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
  /** The clock of interactions: an answer more than 3 seconds later is too late. Default: only `timeout` counts. */
  readonly clock?: Clock
  /** Milliseconds of real time to wait for an answer. Default 3000. */
  readonly timeout?: number
}

/** The answer of a bot, or why there is none: no bot is logged in, or the session was closed meanwhile. */
export type BotAnswer = Result<
  AppAnswer,
  Refusal<DeliveryFailure | 'not_connected' | 'closed'> & FailureDetails
>

/** An interaction that the bot has not answered. */
interface Unanswered {
  /** When the person began to wait, in milliseconds since 1970. */
  readonly since: number
  readonly settle: (answer: BotAnswer) => void
}

/** How a bot is reached, what it was asked and answered, which messages exist, and what went over the wire. */
export class BotSession {
  readonly answers: PendingAnswers
  readonly traffic = new Traffic()
  endpoint: BotEndpoint | null
  readonly #options: BotSessionOptions
  readonly #unanswered = new Set<Unanswered>()

  constructor(options: BotSessionOptions) {
    this.#options = options
    this.endpoint = options.endpoint ?? null
    this.answers = options.answers ?? pendingAnswers()
  }

  get messages(): Conversations {
    return this.answers.conversations
  }

  /**
   * Sends an interaction to the bot, and waits for its answer. An invalid answer is returned at once, but the bot can
   * still send a valid one, whose messages are kept.
   *
   * @param options.since when the person began to wait. Default: when the interaction was created
   * @param options.label the use in words, for the traffic
   */
  ask(
    interaction: AnyInteraction,
    { since = Infinity, label = '' }: { readonly since?: number; readonly label?: string } = {},
  ): Promise<BotAnswer> {
    const { endpoint } = this
    const host = endpoint === null ? 'bot' : new URL(endpoint.url).host
    const record = this.traffic.send(interaction, endpoint === null ? 'GATEWAY' : 'POST', `${host}  ${label}`)
    return new Promise((resolve, reject) => {
      let stopExpecting = () => {}
      let isFinished = false
      const finish = (answer: BotAnswer) => {
        if (!isFinished) record(summaryOf(answer))
        isFinished = true
        resolve(answer)
      }
      const asked: Unanswered = {
        since: Math.min(since, snowflakeTime(interaction.id)),
        settle: (answer) => {
          clearTimeout(timer)
          this.#unanswered.delete(asked)
          stopExpecting()
          finish(answer)
        },
      }
      const timer = setTimeout(
        () => asked.settle(unanswered('timeout')),
        this.#options.timeout ?? ANSWER_WITHIN,
      )
      this.#unanswered.add(asked)
      this.checkTime()
      const expect: PendingAnswers['expect'] = (...given) => {
        const expected = this.answers.expect(...given)
        void expected.refused.then((issues) => finish(unanswered('invalid', { issues })))
        stopExpecting = expected.end
        if (!this.#unanswered.has(asked)) expected.end()
        return expected
      }
      this.#deliver(interaction, endpoint, expect).then(asked.settle, (cause: unknown) => {
        reject(cause)
        asked.settle(unanswered('unreachable', { cause }))
      })
    })
  }

  /** Stops waiting for answers that are late by the clock. Call it after the clock has moved. */
  checkTime(): void {
    const { clock } = this.#options
    if (clock === undefined) return
    const now = clock.now()
    for (const { since, settle } of [...this.#unanswered])
      if (now - since >= ANSWER_WITHIN) settle(unanswered('timeout'))
  }

  close(): void {
    for (const { settle } of [...this.#unanswered]) settle(unanswered('closed'))
  }

  async #deliver(
    interaction: AnyInteraction,
    endpoint: BotEndpoint | null,
    expect: PendingAnswers['expect'],
  ): Promise<BotAnswer> {
    const { applications, gateway, clock, timeout } = this.#options
    const application = (await applications?.get(interaction.application_id)) ?? undefined
    if (endpoint !== null)
      return deliver(interaction, {
        ...endpoint,
        privateKey: await endpoint.privateKey,
        answers: { ...this.answers, expect },
        ...(application && { application }),
        ...(clock && { clock }),
        ...(timeout !== undefined && { timeout }),
      })
    const { answer } = expect(interaction, application)
    if ((gateway?.dispatch(interaction) ?? 0) === 0) return unanswered('not_connected')
    const { callback } = await answer
    return answered(interaction, callback, 'callback')
  }
}

/** An answer as it is recorded. */
function summaryOf(answer: BotAnswer): { status: number; response: string; summary: string } {
  if (!answer.ok) {
    const { code, status, issues } = answer
    return {
      status: status ?? 0,
      response: '',
      summary: code === 'invalid' ? counted(issues.length, 'issue') : code,
    }
  }
  const { callback, rendered } = answer
  const summary =
    'ephemeral' in rendered && rendered.ephemeral ? `${rendered.kind}, ephemeral` : rendered.kind
  return { status: 200, response: JSON.stringify(callback), summary }
}
