/**
 * Refuses connections below every client library: in the sockets of Node, its DNS and its TLS names. Clients with a
 * proxy, an agent or a socket of their own, and clients that kept an earlier `tls.connect`, use these too.
 */
import dgram from 'node:dgram'
import dns from 'node:dns'
import type http2 from 'node:http2'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { Duplex } from 'node:stream'
import type tls from 'node:tls'
import { isThisMachine, readDestination } from './discord-hosts.ts'
import { wrapNatives } from './natives.ts'
import { preloadInChildren } from './processes.ts'
import { wrap } from './wrap.ts'

/** The environment variable that refuses remote connections in a started process. */
export const OFFLINE_VARIABLE = 'COMMANDRY_OFFLINE'

/**
 * Refuses every connection of this thread to another machine, and those of the processes and workers that it starts.
 *
 * @param onRefused called in this thread with the host, and the port where it is known: `discord.com:443`
 */
export function refuseRemoteConnections(onRefused: (destination: string) => void): void {
  process.env[OFFLINE_VARIABLE] = '1'
  const policy: Policy = {
    refusal(host, destination) {
      if (isThisMachine(host)) return undefined
      onRefused(destination)
      return new Error(
        `commandry refuses the connection to ${destination}: files of commands are loaded without a network; connect when the bot starts, not when the file is loaded`,
      )
    },
  }
  guardSockets(policy)
  // They take 10 ms to load, and most files connect nowhere.
  wrapFirst(net.Socket.prototype, 'connect', () => {
    guardSecure(policy)
    wrapRequests(Object.getPrototypeOf(unconnectedSession()) as object, policy)
  })
  syncBuiltinESMExports()
  preloadInChildren(OFFLINE_VARIABLE)
}

export interface Policy {
  /**
   * The error of a connection that is refused.
   *
   * @param destination the host, with the port where it is known
   */
  refusal(host: unknown, destination: string): Error | undefined
  /** True for a server whose requests may name any host. */
  isTrusted?(host: unknown, port: unknown): boolean
}

/** Applies a policy to every connection that this thread opens. */
export function guardConnections(policy: Policy): void {
  guardSockets(policy)
  guardSecure(policy)
}

const load = createRequire(import.meta.url)

/** Calls a function before the first call of another one. */
function wrapFirst(owner: object, name: string, before: () => void): void {
  let isFirst = true
  wrap(owner, name, (call, _self, given) => {
    if (isFirst) {
      isFirst = false
      before()
    }
    return call(...given)
  })
}

/** A session without a connection: Node exports its class nowhere, and the first connection may be one of HTTP/2. */
function unconnectedSession(): http2.ClientHttp2Session {
  const { connect } = load('node:http2') as typeof http2
  const nowhere = () => new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() })
  const session = connect('http://localhost', { createConnection: nowhere })
  session.on('error', () => {})
  session.destroy()
  return session
}

/** The modules `tls` and `http2`. */
function guardSecure(policy: Policy): void {
  guardServerNames(policy)
  guardHttp2(policy)
  syncBuiltinESMExports()
}

function guardSockets(policy: Policy): void {
  for (const guard of [guardConnect, guardWrites, guardNames, guardDatagrams]) guard(policy)
  wrapNatives(({ hostname, host }) => {
    const error = policy.refusal(hostname, host)
    if (error !== undefined) throw error
  })
  // Also for modules that import functions by name.
  syncBuiltinESMExports()
}

/** Sockets whose requests need no check: those to the trusted server, and those that fail anyway. */
const unchecked = new WeakSet<object>()

function guardConnect({ refusal, isTrusted }: Policy): void {
  wrap(net.Socket.prototype, 'connect', (connect, socket: net.Socket, given) => {
    const { host = 'localhost', port, path } = readDestination(given)
    const isLocalPath = (path ?? null) !== null
    const error = isLocalPath ? undefined : refusal(host, `${String(host)}:${String(port)}`)
    if (error !== undefined || isTrusted?.(host, port)) unchecked.add(socket)
    // A refusal arrives as a name that is not found does: after the caller has added its listeners.
    const lookup = (...[, , done]: Parameters<net.LookupFunction>) => setImmediate(() => done(error!, ''))
    return error === undefined ? connect(...given) : connect({ host: 'refused.invalid', port: 1, lookup })
  })
}

/** The last place for a name before the handshake, whatever the socket and its address are. */
function guardServerNames({ refusal }: Policy): void {
  const { TLSSocket } = load('node:tls') as typeof tls
  wrap(TLSSocket.prototype, 'setServername', (setServername, socket: tls.TLSSocket, [name]) => {
    const error = unchecked.has(socket) ? undefined : refusal(name, String(name))
    if (error !== undefined) {
      socket.destroy()
      throw error
    }
    return setServername(name)
  })
}

/** Looks at the heads of requests, which also name the host when a proxy or a bare address is connected. */
function guardWrites({ refusal }: Policy): void {
  const heads = new RequestHeads()
  for (const name of ['_write', '_writev'])
    wrap(net.Socket.prototype, name, (write, socket: net.Socket, given) => {
      const [written] = given
      const chunks =
        name === '_write' ? [written] : (written as { chunk: unknown }[]).map(({ chunk }) => chunk)
      const hosts = unchecked.has(socket) ? [] : chunks.flatMap((chunk) => heads.hosts(socket, chunk))
      const error = hosts.map((host) => refusal(host, host)).find((each) => each !== undefined)
      return error === undefined ? write(...given) : (given.at(-1) as (error: Error) => void)(error)
    })
}

function guardNames({ refusal }: Policy): void {
  for (const owner of [dns, dns.Resolver.prototype, dns.promises, dns.promises.Resolver.prototype]) {
    const names = Object.getOwnPropertyNames(owner)
    for (const name of names.filter((key) => /^(?:lookup|resolve|reverse)/.test(key)))
      wrap(owner, name, (resolve, _self, given) => {
        const error = refusal(given[0], String(given[0]))
        if (error === undefined) return resolve(...given)
        const callback = given.at(-1)
        if (typeof callback !== 'function') return Promise.reject(error)
        process.nextTick(callback, error)
        return {}
      })
  }
}

function guardDatagrams({ refusal }: Policy): void {
  for (const name of ['send', 'connect'])
    wrap(dgram.Socket.prototype, name, (send, socket: dgram.Socket, given) => {
      // The first argument is the message or the port; the address is the only other text.
      const host = given.slice(1).find((value) => typeof value === 'string') ?? 'localhost'
      const error = refusal(host, String(host))
      if (error === undefined) return send(...given)
      const callback = given.at(-1)
      process.nextTick(() => (typeof callback === 'function' ? callback(error) : socket.emit('error', error)))
    })
}

/** Sessions of HTTP/2 write below the sockets. */
function guardHttp2(policy: Policy): void {
  wrap(load('node:http2') as typeof http2, 'connect', (connect, _http2, given) => {
    checkAuthority(given[0], policy)
    const session = connect(...given) as http2.ClientHttp2Session
    wrapRequests(session, policy)
    return session
  })
}

function wrapRequests(owner: object, policy: Policy): void {
  wrap(owner, 'request', (request, _session, [headers, ...rest]) => {
    for (const named of authoritiesIn(headers)) checkAuthority(named, policy)
    return request(headers, ...rest)
  })
}

/** The hosts that the headers of a request name; from Node 24.2 on, headers may be a list of names and values. */
function authoritiesIn(headers: unknown): readonly unknown[] {
  const list = Array.isArray(headers) ? headers : Object.entries(headers ?? {}).flat()
  return list.filter((_, index) => index % 2 === 1 && /^(?::authority|host)$/i.test(String(list[index - 1])))
}

/** @throws the error of a refusal */
function checkAuthority(authority: unknown, { refusal }: Policy): void {
  const host = String(authority)
    .replace(/^\w+:\/\//, '')
    .replace(/[/?#].*$|:\d+$/gs, '')
  const error = refusal(host, String(authority))
  if (error !== undefined) throw error
}

// --- The heads of HTTP/1.1 requests ---------------------------------------------------------------------------

const METHOD_FIRST = /^[A-Z]{1,16}(?: |$)/
const REQUEST_LINE = /^[A-Z]{1,16} \S+ HTTP\/1\.[01]\r?\n/
const HOSTS =
  /^(?:CONNECT |[A-Z]+ \w+:\/\/|host:[ \t]*)(?:[^\s/@]*@)?(\[[^\s\]]*\]|[^\s/:?#]+)(?=[\s/:?#])/gim
const HEAD_LIMIT = 65_536

/** Finds the hosts in what a socket writes: in `CONNECT`, absolute URLs and `Host`. Several chunks may form one head. */
class RequestHeads {
  readonly #unfinished = new WeakMap<object, string>()

  /** The hosts in the head that this chunk begins or continues; none in a body or in other bytes. */
  hosts(socket: object, chunk: unknown): readonly string[] {
    const text = textOf(chunk)
    // A body may look like the start of a head, so a chunk is also read by itself.
    const head = [(this.#unfinished.get(socket) ?? '') + text, text].map(withoutEmptyLines).find(isHead)
    this.#unfinished.delete(socket)
    if (head === undefined) return []
    const [complete = '', ...body] = head.split(/(?<=\n)\r?\n/, 2)
    if (body.length === 0 && head.length < HEAD_LIMIT) this.#unfinished.set(socket, head)
    return REQUEST_LINE.test(head) ? [...complete.matchAll(HOSTS)].map(([, host = '']) => host) : []
  }
}

/** Servers ignore empty lines before a request (RFC 9112, 2.2). */
const withoutEmptyLines = (text: string) => text.replace(/^[\r\n]+/, '')

function isHead(text: string): boolean {
  return text.includes('\n') ? REQUEST_LINE.test(text) : METHOD_FIRST.test(text)
}

function textOf(chunk: unknown): string {
  if (typeof chunk === 'string') return chunk.slice(0, HEAD_LIMIT)
  const { buffer, byteOffset, byteLength } = chunk as Uint8Array
  return Buffer.from(buffer, byteOffset, Math.min(byteLength, HEAD_LIMIT)).toString('latin1')
}
