/** Waits for what a bot does, and reports what it did instead. */
import type { AppAnswer, BotAnswer } from '../../../interactions/bot/endpoint.ts'
import type { BotSession } from '../../../interactions/bot/bot-session.ts'
import type { Issue } from '../../../core/rules/report.ts'
import { errorJson } from '../../../core/error-json.ts'
import { listed } from '../../../core/text.ts'
import { realTimers } from '../../../core/timers.ts'
import type { AnyInteraction } from '../../../model/interaction-payload.ts'
import type { WorldGateway } from '../../../service/gateway/gateway.ts'
import { linesAfter, unknownRoutesAfter } from './transcript.ts'

/** The reason of a `TestbedError`. */
export type TestbedErrorCode =
  | 'not_connected'
  | 'not_deployed'
  | 'no_answer'
  /** The service refused the bot's answer; `issues` has every problem. */
  | 'refused'
  | 'not_edited'
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

/** Milliseconds after a response in which a bot acts on it. */
const REACTION_TIME = 25
/** How often a bot answers a ping without another request. The first one may arrive before the response. */
const QUIET_ROUNDS = 3

// The parts of the traffic that an error shows.
const MAX_LINES = 20
const MAX_BODY_LENGTH = 200

export class BotWatch {
  readonly #session: BotSession
  readonly #gateway: Pick<WorldGateway, 'sessions' | 'whenRead'>
  readonly #timeout: number
  /** The last entry of the traffic before the bot could act on an interaction. */
  readonly #began = new WeakMap<AnyInteraction, number>()

  /** @param timeout milliseconds of real time to wait for a bot */
  constructor(session: BotSession, gateway: Pick<WorldGateway, 'sessions' | 'whenRead'>, timeout: number) {
    this.#session = session
    this.#gateway = gateway
    this.#timeout = timeout
  }

  get messages(): BotSession['messages'] {
    return this.#session.messages
  }

  /**
   * Waits until the check returns a value; undefined after the time limit.
   *
   * @param subscribe calls what looks again, beside the messages of answers and the requests of bots
   */
  until<T>(check: () => T | undefined, subscribe?: (look: () => void) => () => void): Promise<T | undefined> {
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
      const timer = realTimers.start(() => end(check()), this.#timeout)
      const subscriptions = [
        this.messages.subscribe(look),
        // The gateway logs a bot in only after its frame was recorded.
        this.#session.traffic.subscribe(() => void realTimers.start(look, 0)),
        ...(subscribe === undefined ? [] : [subscribe(look)]),
      ]
      look()
    })
  }

  /**
   * Waits until the bot has read the responses to its requests, at most 25 ms after the last one: libraries listen to the
   * components of an answer only then. A person is never faster.
   */
  async caughtUp(applicationId: string): Promise<void> {
    const { traffic } = this.#session
    const left = REACTION_TIME - traffic.idleTime
    if (left <= 0) return
    const end = realTimers.now() + left
    const isQuiet = async () => {
      for (let rounds = 0; rounds < QUIET_ROUNDS && realTimers.now() < end;) {
        const { lastId } = traffic
        await this.#gateway.whenRead(applicationId)
        rounds = traffic.idleTime > 0 && traffic.lastId === lastId ? rounds + 1 : 0
      }
    }
    await new Promise<void>((resolve) => {
      const timer = realTimers.start(resolve, left)
      void isQuiet().then(() => {
        realTimers.stop(timer)
        resolve()
      })
    })
  }

  /** @param since when the person began to wait @throws TestbedError without a valid answer of the bot */
  async ask(interaction: AnyInteraction, since: number): Promise<AppAnswer> {
    const asking = this.#session.ask(interaction, { since })
    this.#began.set(interaction, this.#session.traffic.lastId)
    const answer = await asking
    // A bot gets the response to its callback before a person can act on the answer: libraries register a modal or a
    // button only then.
    await realTimers.turn()
    if (answer.ok) return answer
    const [code, message] = failureOf(answer)
    const { sessions } = this.#gateway
    const isGone =
      answer.code === 'timeout' && sessions.length > 0 && !sessions.some(({ connected }) => connected)
    throw this.fail(
      code,
      isGone ? `${message}: its connection is closed` : message,
      interaction,
      answer.issues,
    )
  }

  /** @param interaction the error has what the bot sent since it got this one. Default: everything */
  fail(
    code: TestbedErrorCode,
    message: string,
    interaction?: AnyInteraction,
    issues: readonly Issue[] = [],
  ): TestbedError {
    const { traffic } = this.#session
    const began = (interaction && this.#began.get(interaction)) ?? 0
    const unknown = unknownRoutesAfter(traffic, began)
    const missing = unknown.length === 0 ? '' : `; the service has no route for ${listed(unknown)}`
    const lines = linesAfter(traffic, began, MAX_BODY_LENGTH).slice(-MAX_LINES)
    const sent = lines.length === 0 ? 'it sent nothing' : `it sent:\n${lines.join('\n')}`
    return new TestbedError(code, `${message}${missing}; ${sent}`, issues)
  }
}

type Failure = Extract<BotAnswer, { ok: false }>

function failureOf({ code, status, issues }: Failure): readonly [TestbedErrorCode, message: string] {
  switch (code) {
    case 'not_connected':
      return ['not_connected', 'the bot is not logged in; online() waits until it is']
    case 'invalid':
      return ['refused', refusalText(issues)]
    case 'timeout':
      return ['no_answer', 'the bot did not answer within 3 seconds']
    case 'closed':
      return ['no_answer', 'the testbed was closed']
    default:
      return ['no_answer', `the endpoint failed: ${endpointText(code, status)}`]
  }
}

function endpointText(code: Failure['code'], status: number | null): string {
  if (code === 'status' && status === 401)
    return 'it answered with status 401, so it refused the signature; give the bot the public key of this service, and look for another one, such as DISCORD_PUBLIC_KEY in its environment'
  if (code === 'status') return `it answered with status ${status}; expected 200 with the answer, or 202`
  if (code === 'body') return `the body of its response with status ${status} is not a JSON object`
  return 'it is unreachable'
}

function refusalText(issues: readonly Issue[]): string {
  const problems = issues.map(({ path, message }) =>
    [path.join('.'), message].filter((part) => part !== '').join(' '),
  )
  return `the bot's answer was refused: ${problems.join('; ')}`
}
