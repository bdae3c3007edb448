/** Replaces TLS connections to the real service by plain ones to a local service; every other connection stays. */
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import tls from 'node:tls'

/** The environment variable that names the local service: `http://127.0.0.1:8787`. */
export const REDIRECT_VARIABLE = 'COMMANDRY_URL'

const HOSTS = /^(?:(?:ptb\.|canary\.)?discord\.com|discordapp\.com|(?:[\w-]+\.)*discord\.gg)\.?$/i

type Connect = typeof tls.connect

/**
 * Redirects the connections of this process.
 *
 * @param print takes the one line that says what is redirected
 * @throws Error when the variable is missing, or is not a URL of a service that speaks plain HTTP
 */
export function redirect(environment: NodeJS.ProcessEnv, print: (line: string) => void): void {
  const target = readTarget(environment[REDIRECT_VARIABLE])
  const original = tls.connect
  const port = Number(target.port === '' ? 80 : target.port)
  // A URL has an IPv6 address in brackets.
  const host = target.hostname.replace(/^\[|\]$/g, '')
  const replaced = (...given: unknown[]): tls.TLSSocket => {
    const { options, listener } = readArguments(given)
    // Over a socket of the caller, or to a local path, nothing goes to a host.
    const isOwn = (options.socket ?? options.path ?? null) !== null
    const isRedirected = !isOwn && isReal(options, host, port)
    return isRedirected
      ? plainSocket(net.connect({ host, port }), listener)
      : Reflect.apply(original, tls, given)
  }
  tls.connect = replaced as Connect
  // Modules that import `connect` by its name get it too.
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

/** A real host, or this machine's port 443, where a client goes that ignores the port of the gateway's URL. */
function isReal({ host, port }: ConnectOptions, target: string, targetPort: number): boolean {
  if (typeof host !== 'string') return false
  return HOSTS.test(host) || (host === target && Number(port) === 443 && targetPort !== 443)
}

/** A plain socket that clients take for one over TLS. It speaks HTTP/1.1, the only protocol it offers. */
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
