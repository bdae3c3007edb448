/** The endpoint of a bot that the page connects to. */
import { checkEndpoint, createEndpointKeys } from '../../../interactions/bot/endpoint.ts'
import { handshakeAdvice } from '../../../interactions/bot/handshake.ts'
import { isLoopbackHost } from '../../../service/http/hosts.ts'

export type BotConnection = ReturnType<typeof connectBot>

type Endpoint = Readonly<{ url: string | URL; privateKey: CryptoKey | Promise<CryptoKey> }>

/** Connects a session to endpoints, with a key pair of its own. @param start the first endpoint; empty for none */
export function connectBot(session: { endpoint: Endpoint | null }, start: string) {
  const keys = createEndpointKeys()
  const privateKey = keys.then((pair) => pair.privateKey)
  /** The problems of the handshake; null before one. */
  let problems: readonly string[] | null = null
  const use = (url: string) => {
    session.endpoint = url === '' ? null : { url, privateKey }
  }
  const state = async () => ({
    url: String(session.endpoint?.url ?? ''),
    publicKey: (await keys).publicKey,
    problems,
  })
  use(start)
  return {
    state,
    /** Does the handshake with another endpoint; an empty address disconnects. @throws TypeError for an invalid url */
    async connect(url: string, applicationId: string) {
      // Only the command line may name other machines.
      if (url !== '' && !isLoopbackUrl(url)) {
        throw new TypeError(
          'url is not an http address of this machine, such as http://127.0.0.1:3000; others can be given with --bot',
        )
      }
      use(url)
      problems = null
      if (url !== '') {
        const found = await checkEndpoint(applicationId, { url, privateKey: await privateKey })
        problems = found.map((problem) => handshakeAdvice[problem])
      }
      return state()
    },
  }
}

function isLoopbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, host, username, password } = new URL(text)
  return protocol === 'http:' && isLoopbackHost(host) && username === '' && password === ''
}
