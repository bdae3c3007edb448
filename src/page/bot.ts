/** The endpoint of a bot that the page connects to. */
import { checkEndpoint, createEndpointKeys, type EndpointKeys } from '../bot/endpoint.ts'
import type { BotSession } from '../bot/session.ts'
import { isLoopbackHost } from '../http/hosts.ts'
import type { BotState } from './answers.ts'

const handshake = {
  ping: 'A PING is not answered with a PONG: check that the bot runs and knows the public key.',
  signature: 'A request with a wrong signature is not refused with 401: verify signatures.',
}

/** Connects a session to an endpoint, signed with a key pair of its own. */
export class BotConnection {
  readonly #keys: Promise<EndpointKeys> = createEndpointKeys()
  readonly #session: BotSession
  #url = ''
  #problems: readonly string[] | null = null

  /** @param url the endpoint at the start; empty for none */
  constructor(session: BotSession, url: string) {
    this.#session = session
    this.#use(url)
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
    this.#use(url)
    this.#problems = null
    if (url !== '') {
      const { privateKey } = await this.#keys
      const found = await checkEndpoint(applicationId, { url, privateKey })
      this.#problems = found.map((problem) => handshake[problem])
    }
    return this.state()
  }

  #use(url: string): void {
    this.#url = url
    const privateKey = this.#keys.then((keys) => keys.privateKey)
    this.#session.endpoint = url === '' ? null : { url, privateKey }
  }
}

function isLoopbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, host, username, password } = new URL(text)
  return protocol === 'http:' && isLoopbackHost(host) && username === '' && password === ''
}
