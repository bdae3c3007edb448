/** Redirects TLS connections to Discord to a local service over plain TCP. Other connections are unchanged. */
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import tls from 'node:tls'

/** The environment variable that names the local service: `http://127.0.0.1:8787`. */
const REDIRECT_VARIABLE = 'COMMANDRY_URL'

const HOSTS = /^(?:(?:ptb\.|canary\.)?discord\.com|discordapp\.com|(?:[\w-]+\.)*discord\.gg)\.?$/i

type Connect = typeof tls.connect

/**
 * Redirects the connections of this process.
 *
 * @param print called with one line about the redirect
 * @throws Error when the variable is missing, or is not an `http:` URL
 */
export function redirect(environment: NodeJS.ProcessEnv, print: (line: string) => void): void {
  const target = readTarget(environment[REDIRECT_VARIABLE])
  const original = tls.connect
  const port = Number(target.port === '' ? 80 : target.port)
  // A URL has an IPv6 address in brackets.
  const host = target.hostname.replace(/^\[|\]$/g, '')
  const replaced = (...given: unknown[]): tls.TLSSocket => {
    const { options, listener } = readArguments(given)
    // Connections over the caller's own socket or to a local path have no host.
    const isOwn = (options.socket ?? options.path ?? null) !== null
    const isRedirected = !isOwn && isDiscord(options, host, port)
    return isRedirected
      ? plainSocket(net.connect({ host, port }), listener)
      : Reflect.apply(original, tls, given)
  }
  tls.connect = replaced as Connect
  // Also for modules that import `connect` by name.
  syncBuiltinESMExports()
  print(`commandry: TLS connections to discord.com and discord.gg go to ${target.origin}`)
}

function readTarget(text: string | undefined): URL {
  const example = `such as ${REDIRECT_VARIABLE}=http://127.0.0.1:8787`
  if (text === undefined || text === '')
    throw new Error(`${REDIRECT_VARIABLE} is not set; expected ${example}`)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:')
    throw new Error(`${REDIRECT_VARIABLE} is not an http URL; expected ${example}`)
  return url
}

interface ConnectOptions {
  readonly host?: unknown
  readonly port?: unknown
  readonly path?: unknown
  readonly socket?: unknown
}

/** `connect(options)`, `connect(port, options)`, `connect(port, host, options)`, each with a listener or without. */
function readArguments(given: readonly unknown[]): { options: ConnectOptions; listener?: () => void } {
  const listener = given.find((value) => typeof value === 'function') as (() => void) | undefined
  const options = given.find((value) => typeof value === 'object' && value !== null) as
    ConnectOptions | undefined
  const [first, second] = given
  const named = {
    ...(typeof first === 'number' && { port: first }),
    ...(typeof second === 'string' && { host: second }),
  }
  return { options: { ...named, ...options }, ...(listener && { listener }) }
}

/** Whether a connection is for Discord, or for port 443 of the local service: some clients ignore the port of the gateway. */
function isDiscord({ host, port }: ConnectOptions, target: string, targetPort: number): boolean {
  if (typeof host !== 'string') return false
  return HOSTS.test(host) || (host === target && Number(port) === 443 && targetPort !== 443)
}

/** A plain socket with the interface of a TLS socket. Its only protocol is HTTP/1.1. */
function plainSocket(socket: net.Socket, listener: (() => void) | undefined): tls.TLSSocket {
  const secure = Object.assign(socket, {
    encrypted: true,
    authorized: true,
    authorizationError: null,
    alpnProtocol: 'http/1.1',
    servername: false,
    getPeerCertificate: () => ({}),
    getCipher: () => ({ name: 'NONE', standardName: 'NONE', version: 'NONE' }),
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
