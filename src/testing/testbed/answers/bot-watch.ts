/** Waits for what a bot does, and reports what it did instead. */
import type { AppAnswer, BotAnswer } from '../../../interactions/bot/endpoint.ts'
import type { BotSession } from '../../../interactions/bot/bot-session.ts'
import type { Issue } from '../../../core/rules/report.ts'
import { NestedTooDeep, TOO_DEEP } from '../../../core/json.ts'
import { errorJson } from '../../../core/error-json.ts'
import { listed, quoted } from '../../../core/text.ts'
import { componentsOf } from '../../../interactions/usage/component.ts'
import { realTimers } from '../../../core/timers.ts'
import { knownFields, userOf, type AnyInteraction } from '../../../model/interaction-payload.ts'
import { InteractionType } from '../../../model/interaction-types.ts'
import type { WorldGateway } from '../../../service/gateway/gateway.ts'
import type { OwnAnswers } from './own-answers.ts'
import type { Quiet } from './quiet.ts'
import { requestsAfter, sentAfter, unknownRoutesAfter } from './transcript.ts'

/** The reason of a `TestbedError`. */
export type TestbedErrorCode =
  | 'not_connected'
  | 'not_deployed'
  | 'no_answer'
  /** The service refused the bot's answer; `issues` has every problem. */
  | 'refused'
  | 'not_edited'
  /** Something is still going on. */
  | 'not_settled'
  | 'no_follow_up'
  /** A message that a person waited for did not appear in the channel. */
  | 'not_seen'
  /** The answer has no message or modal, or not any more. */
  | 'no_message'

/** The bot did not do what a person waited for. The message lists what the bot sent meanwhile. */
export class TestbedError extends Error {
  override readonly name = 'TestbedError'
  readonly code: TestbedErrorCode
  /** Every problem of a refused answer; otherwise empty. */
  readonly issues: readonly Issue[]

  constructor(code: TestbedErrorCode, message: string, issues: readonly Issue[] = []) {
    super(message)
    this.code = code
    this.issues = issues
  }

  /** Plain JSON with `name`, `message`, `code` and all details, for logs and `postMessage`. */
  toJSON(): Readonly<Record<string, unknown>> {
    return errorJson(this)
  }
}

/** The requests that an error shows. */
const MAX_LINES = 5
/** Milliseconds for a bot to read what it was sent, before an error says that it has. */
const READING_TIME = 1_000

export class BotWatch {
  readonly quiet: Quiet
  /** Milliseconds of real time to wait for a bot. */
  readonly timeout: number
  /** The answers that one person alone sees. */
  readonly ownAnswers: OwnAnswers
  readonly #session: BotSession
  readonly #gateway: Pick<WorldGateway, 'sessions'>
  /** The last entry of the traffic before the bot could act on an interaction. */
  readonly #began = new WeakMap<AnyInteraction, number>()
  /** The same before the last act of a person. */
  #actedAt = 0

  constructor(
    session: BotSession,
    gateway: Pick<WorldGateway, 'sessions'>,
    quiet: Quiet,
    timeout: number,
    ownAnswers: OwnAnswers,
  ) {
    this.quiet = quiet
    this.timeout = timeout
    this.ownAnswers = ownAnswers
    this.#session = session
    this.#gateway = gateway
  }

  get messages(): BotSession['messages'] {
    return this.#session.messages
  }

  /**
   * Waits until the check returns a value; undefined after the time limit.
   *
   * @param subscribe calls what looks again, beside the messages of answers and the requests of bots
   * @param limit milliseconds of real time
   */
  until<T>(
    check: () => T | undefined,
    subscribe?: (look: () => void) => () => void,
    limit = this.timeout,
  ): Promise<T | undefined> {
    return new Promise((resolve) => {
      const end = (value: T | undefined) => {
        realTimers.stop(timer)
        for (const stop of subscriptions) stop()
        resolve(value)
      }
      const look = () => {
        const value = check()
        if (value !== undefined) end(value)
      }
      const timer = realTimers.start(() => end(check()), limit)
      const subscriptions = [
        this.messages.subscribe(look),
        // The gateway logs a bot in only after its frame was recorded.
        this.#session.traffic.subscribe(() => void realTimers.start(look, 0)),
        ...(subscribe === undefined ? [] : [subscribe(look)]),
      ]
      look()
    })
  }

  /** A person acts: errors have what the bot sends from now on. */
  acts(): void {
    this.#actedAt = this.#session.traffic.lastId
  }

  /** @param since when the person began to wait @throws TestbedError without a valid answer of the bot */
  async ask(interaction: AnyInteraction, since: number): Promise<AppAnswer> {
    const { traffic } = this.#session
    this.acts()
    const asking = this.#session.ask(interaction, { since })
    this.#began.set(interaction, traffic.lastId)
    const answer = await asking
    // A bot gets the response to its callback before the test sees the answer.
    await realTimers.turn()
    if (answer.ok) return answer
    const [code, message] = answerFailure(answer, interaction)
    const { sessions } = this.#gateway
    if (answer.code === 'timeout' && sessions.length > 0) {
      await this.quiet.fence(READING_TIME)
      const isConnected = sessions.some(({ connected }) => connected)
      const isSilent = requestsAfter(traffic, this.#began.get(interaction)!).length === 0
      const unheard = isReaction(interaction) && (isSilent ? `${UNHEARD} ${PACE}` : PACE)
      const why = isConnected ? unheard : 'its connection is closed'
      if (why) throw this.fail(code, `${message}: ${why}`, { interaction })
    }
    throw this.fail(code, message, { interaction, issues: answer.issues })
  }

  /**
   * @param about.interaction the error has what the bot sent since it got this one. Default: since the last act of a person
   * @param about.since the same, since an entry of the traffic
   */
  fail(code: TestbedErrorCode, message: string, about: About = {}): TestbedError {
    const { traffic } = this.#session
    const { interaction, issues, since = this.#actedAt } = about
    const began = (interaction && this.#began.get(interaction)) ?? since
    const unknown = unknownRoutesAfter(traffic, began)
    const missing = unknown.length === 0 ? '' : `; the service has no route for ${listed(unknown)}`
    const lines = sentAfter(traffic, began)
    const head = lines.length > MAX_LINES ? `it sent ${lines.length} requests, at last` : 'it sent'
    const sent = lines.length === 0 ? 'it sent nothing' : `${head}:\n${lines.slice(-MAX_LINES).join('\n')}`
    return new TestbedError(code, `${message}${missing}; ${sent}`, issues)
  }
}

/** What an error is about. */
interface About {
  readonly interaction?: AnyInteraction
  readonly issues?: readonly Issue[]
  readonly since?: number
}

/** Why a bot may not have answered the use of an earlier answer of its own. */
const UNHEARD = 'it got the interaction and sent nothing. It may have no listener for it, or had none yet:'
const PACE =
  'a bot that awaits something unseen, such as a timer, before it listens needs testbed({ pace: 100 })'

/** Whether a person has used what an earlier answer showed. */
function isReaction({ type }: AnyInteraction): boolean {
  return type === InteractionType.MESSAGE_COMPONENT || type === InteractionType.MODAL_SUBMIT
}

type Failure = Extract<BotAnswer, { ok: false }>

function answerFailure(
  { code, status, issues, cause }: Failure,
  interaction: AnyInteraction,
): readonly [TestbedErrorCode, message: string] {
  switch (code) {
    case 'not_connected':
      return ['not_connected', 'the bot is not logged in; online() waits until it is']
    case 'invalid':
      return ['refused', refusedAnswerText(issues)]
    case 'timeout':
      return [
        'no_answer',
        `the bot did not answer ${actOf(interaction)} within 3 seconds${laterText(status)}`,
      ]
    case 'closed':
      return ['no_answer', 'the testbed was closed']
    default:
      return ['no_answer', `the endpoint failed: ${endpointText(code, status, cause)}`]
  }
}

/** A response that has the answer beside a status that announces a request is not read. */
const laterText = (status: number | null) =>
  status === 202
    ? ': it responded with status 202, which announces the answer in a request of its own; an answer in the response has status 200'
    : ''

function endpointText(code: Failure['code'], status: number | null, cause: unknown): string {
  if (code === 'status' && status === 401)
    return 'it answered with status 401, so it refused the signature; give the bot the public key of this service, and look for another one, such as DISCORD_PUBLIC_KEY in its environment'
  if (code === 'status') return `it answered with status ${status}; expected 200 with the answer, or 202`
  const problem = cause instanceof NestedTooDeep ? TOO_DEEP : 'is not a JSON object'
  if (code === 'body') return `the body of its response with status ${status} ${problem}`
  return 'it is unreachable'
}

function refusedAnswerText(issues: readonly Issue[]): string {
  const problems = issues.map(({ path, message }) =>
    [path.join('.'), message].filter((part) => part !== '').join(' '),
  )
  return `the bot's answer was refused: ${problems.join('; ')}`
}

/** What the person of an interaction did, in words. */
function actOf(interaction: AnyInteraction): string {
  const { type, data } = interaction
  const who = `${userOf(interaction)?.username ?? 'the person'}'s`
  const { name, custom_id: id } = (data ?? {}) as { readonly name?: string; readonly custom_id?: string }
  if (type === InteractionType.MODAL_SUBMIT) return `${who} modal`
  if (type !== InteractionType.MESSAGE_COMPONENT) return `${who} use of ${name}`
  const { message } = knownFields(interaction) as { readonly message?: { readonly components?: unknown } }
  const used = componentsOf(message?.components).find((one) => one.custom_id === id)
  return `${who} use of ${quoted(String(used?.label ?? used?.placeholder ?? id))}`
}
