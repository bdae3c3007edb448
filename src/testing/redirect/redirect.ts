/** Redirects TLS connections to Discord to a local service over plain TCP, and refuses every other connection to Discord. */
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import tls from 'node:tls'
import { guardConnections } from './guard.ts'
import { isDiscord, isThisMachine, readDestination } from './discord-hosts.ts'
import { wrapNatives } from './natives.ts'
import { isPreloaded, preloadInChildren } from './processes.ts'
import { wrap } from './wrap.ts'

/** The environment variable that names the local service: `http://127.0.0.1:8787`. */
const REDIRECT_VARIABLE = 'COMMANDRY_URL'

/**
 * Redirects the connections of this process and of those that it starts.
 *
 * @param print called with one line about the redirect, in the first process alone
 * @throws Error when the variable is missing, or is not an `http:` URL
 */
export function redirect(environment: NodeJS.ProcessEnv, print: (line: string) => void): void {
  const target = readTarget(environment[REDIRECT_VARIABLE])
  const port = Number(target.port === '' ? 80 : target.port)
  // A URL has an IPv6 address in brackets.
  const host = target.hostname.replace(/^\[|\]$/g, '')
  const isTarget = (one: unknown, onePort: unknown) => one === host && Number(onePort) === port
  const refusal = (one: unknown, destination: string): Error | undefined =>
    isDiscord(one)
      ? new Error(
          `commandry/redirect refuses the connection to ${destination}, which it cannot redirect to ${target.origin}; connect with https or wss, and without a proxy`,
        )
      : undefined
  guardConnections({ refusal, isTrusted: isTarget })
  wrap(tls, 'connect', (connect, _tls, given) => {
    const destination = readDestination(given)
    const { host: one, port: onePort, servername } = destination
    const listener = given.find((value) => typeof value === 'function') as (() => void) | undefined
    const isOwn = (destination.socket ?? destination.path ?? null) !== null
    const name = [servername, one].find(isDiscord)
    if (isOwn && name !== undefined) return plainSocket(new net.Socket().destroy(refusal(name, String(name))))
    // Some clients ignore the port of the gateway.
    const isDefaultPort = !isOwn && one === host && Number(onePort) === 443 && port !== 443
    return name !== undefined || isDefaultPort
      ? plainSocket(net.connect({ host, port }), listener)
      : connect(...given)
  })
  wrapNatives((url) => {
    if (!isDiscord(url.hostname)) return
    url.protocol = url.protocol.replace(/s:$/, ':')
    url.host = target.host
  })
  // Also for modules that import `connect` by name.
  syncBuiltinESMExports()
  if (!isPreloaded(environment)) print(`commandry: ${describeTarget(target)}`)
  preloadInChildren(REDIRECT_VARIABLE)
}

function describeTarget({ origin, hostname }: URL): string {
  const warning = isThisMachine(hostname) ? '' : '; this sends your token to another machine, unencrypted'
  return `connections to Discord go to ${origin}, or fail${warning}`
}

function readTarget(text: string | undefined): URL {
  const url = text !== undefined && URL.canParse(text) ? new URL(text) : undefined
  let problem: string | undefined
  if (text === undefined || text === '') problem = 'is not set'
  else if (url?.protocol !== 'http:') problem = 'is not an http URL'
  else if (isDiscord(url.hostname)) problem = 'names Discord itself'
  else return url
  throw new Error(
    `${REDIRECT_VARIABLE} ${problem}; expected such as ${REDIRECT_VARIABLE}=http://127.0.0.1:8787`,
  )
}

/** A plain socket with the interface of a TLS socket. Its only protocol is HTTP/1.1. */
function plainSocket(socket: net.Socket, listener?: () => void): tls.TLSSocket {
  const secure = Object.assign(socket, {
    encrypted: true,
    authorized: true,
    authorizationError: null,
    alpnProtocol: 'http/1.1',
    servername: false,
    getPeerCertificate: () => ({}),
    getCipher: () => ({}),
    getProtocol: () => null,
    getSession: () => undefined,
    isSessionReused: () => false,
    setSession: () => {},
    setServername: () => {},
    setMaxSendFragment: () => true,
    disableRenegotiation: () => {},
  }) as unknown as tls.TLSSocket
  if (listener !== undefined) secure.once('secureConnect', listener)
  socket.once('connect', () => {
    secure.emit('secure')
    secure.emit('secureConnect')
  })
  return secure
}
