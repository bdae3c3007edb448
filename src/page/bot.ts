/** The bot of the workbench: an app's endpoint that receives the interactions of the page. */
import type { ApplicationSettings } from '../command/application.ts'
import {
  checkEndpoint,
  createEndpointKeys,
  deliver,
  type Delivery,
  type EndpointKeys,
} from '../answer/deliver.ts'
import type { InteractionCallback } from '../answer/answer-types.ts'
import type { PendingAnswers } from '../answer/pending.ts'
import { failedAnswer, shownBy } from '../answer/rendered.ts'
import { maskBody } from '../core/mask.ts'
import type { Issue } from '../core/report.ts'
import { counted } from '../core/text.ts'
import { isLoopbackHost } from '../http/hosts.ts'
import type { AnyInteraction } from '../interaction/payload.ts'
import type { BotState } from './answers.ts'
import type { Recorder } from './recorder.ts'

const handshake = {
  ping: 'A PING is not answered with a PONG: check that the bot runs and knows the public key.',
  signature: 'A request with a wrong signature is not refused with 401: verify signatures.',
}

/** The answer of a bot that is logged in at a gateway. */
export type GatewayAnswer = (interaction: AnyInteraction) => Promise<InteractionCallback>

interface BotOptions {
  /** The endpoint at the start; empty for none. */
  readonly url: string
  readonly recorder: Recorder
  readonly answers: PendingAnswers
  readonly gateway?: GatewayAnswer
}

/** Sends interactions to an endpoint, signed with a key pair of its own. */
export class Bot {
  readonly #keys: Promise<EndpointKeys> = createEndpointKeys()
  readonly #options: BotOptions
  #url: string
  #problems: readonly string[] | null = null

  constructor(options: BotOptions) {
    this.#options = options
    this.#url = options.url
  }

  async state(): Promise<BotState> {
    return { url: this.#url, publicKey: (await this.#keys).publicKey, problems: this.#problems }
  }

  /**
   * Chooses another endpoint and does the handshake; an empty address disconnects.
   *
   * @throws TypeError when the address is not one of this machine: only the command line may name others
   */
  async connect(url: string, applicationId: string): Promise<BotState> {
    if (url !== '' && !isLoopbackUrl(url)) {
      throw new TypeError(
        'url is not an http address of this machine, such as http://127.0.0.1:3000; others can be given with --bot',
      )
    }
    this.#url = url
    this.#problems = null
    if (url !== '') {
      const { privateKey } = await this.#keys
      const found = await checkEndpoint(applicationId, { url, privateKey })
      this.#problems = found.map((problem) => handshake[problem])
    }
    return this.state()
  }

  /** Sends an interaction to the endpoint, else to the bot at the gateway, and records it; null without a bot. */
  async deliver(
    interaction: AnyInteraction,
    application: ApplicationSettings,
    label: string,
  ): Promise<Delivery | null> {
    const url = this.#url
    const { answers, gateway, recorder } = this.#options
    const time = Date.now()
    const started = performance.now()
    const { privateKey } = await this.#keys
    const delivery =
      url === ''
        ? await fromGateway(gateway, interaction)
        : await deliver(interaction, { url, privateKey, application, answers })
    if (delivery === null) return null
    recorder.add({
      time,
      direction: 'out',
      method: url === '' ? 'GATEWAY' : 'POST',
      credential: '',
      path: `${url === '' ? 'bot' : new URL(url).host}  ${label}`,
      status: delivery.ok ? 200 : (delivery.status ?? 0),
      milliseconds: Math.round(performance.now() - started),
      summary: summaryOf(delivery),
      events: [],
      changes: [],
      request: maskBody(JSON.stringify(interaction)),
      response: delivery.ok ? maskBody(JSON.stringify(delivery.callback)) : '',
    })
    return delivery
  }
}

/** The answer of a bot at the gateway; null when none is logged in. */
async function fromGateway(
  gateway: GatewayAnswer | undefined,
  interaction: AnyInteraction,
): Promise<Delivery | null> {
  if (gateway === undefined) return null
  try {
    const callback = await gateway(interaction)
    return { ok: true, callback, via: 'callback', rendered: shownBy(interaction, callback), warnings: [] }
  } catch (cause) {
    const { code, issues = [] } = cause as { readonly code?: unknown; readonly issues?: readonly Issue[] }
    if (code === 'not_connected') return null
    const failure = code === 'refused' ? 'invalid' : 'timeout'
    return { ok: false, code: failure, status: null, issues, cause, rendered: failedAnswer }
  }
}

function summaryOf(delivery: Delivery): string {
  if (!delivery.ok)
    return delivery.code === 'invalid' ? counted(delivery.issues.length, 'issue') : delivery.code
  const { rendered } = delivery
  return 'ephemeral' in rendered && rendered.ephemeral ? `${rendered.kind}, ephemeral` : rendered.kind
}

function isLoopbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, host, username, password } = new URL(text)
  return protocol === 'http:' && isLoopbackHost(host) && username === '' && password === ''
}
