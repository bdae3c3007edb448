/** A service under hostile requests of HTTP and WebSocket, while a bot beside them must notice nothing. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { newDirectory } from '../support/directory.ts'
import { seeded, type Random } from '../support/random.ts'
import { startService, type Service } from './service.ts'
import type { Trial } from './trial.ts'
import { passed } from '../support/waiting.ts'

const APP = '1001'
const commandsOf = (app: string) => `/api/v10/applications/${app}/commands`
const tokenOf = (app: string) => `${btoa(app).replaceAll('=', '')}.a.b`
const TOKEN = tokenOf(APP)
/** The application of the attackers: without a configuration, every token is accepted. */
const OTHER_APP = '6666'
const OTHER = tokenOf(OTHER_APP)
const COMMANDS = commandsOf(OTHER_APP)
const ATTACKERS = 6
/** Milliseconds of attacks in a round. */
const TIME = 6_000
/** By how many MiB the heap may grow: what all bounds of docs/SECURITY.md that requests without a login reach add up to. */
const GROWTH = 200

const json = 'Content-Type: application/json'
const head = (method: string, path: string, lines: readonly string[] = []) =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: Bot ${OTHER}`, ...lines].join('\r\n')}\r\n\r\n`
const withBody = (path: string, body: string, type = json) =>
  head('POST', path, [type, `Content-Length: ${Buffer.byteLength(body)}`]) + body
const upgrade = (path = '/?v=10&encoding=json') =>
  head('GET', path, [
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
  ])

/** A frame of a client. */
function frame(first: number, payload: Uint8Array, { masked = true, length = payload.length } = {}): Buffer {
  const bit = masked ? 0x80 : 0
  const header = Buffer.alloc(10)
  header[0] = first
  let size = 2
  if (length < 126) header[1] = bit | length
  else if (length < 65_536) {
    header[1] = bit | 126
    header.writeUInt16BE(length, 2)
    size = 4
  } else {
    header[1] = bit | 127
    header.writeBigUInt64BE(BigInt(length), 2)
    size = 10
  }
  const mask = masked ? Buffer.alloc(4) : Buffer.alloc(0)
  return Buffer.concat([header.subarray(0, size), mask, payload])
}
const textFrame = (value: unknown) => frame(0x81, Buffer.from(JSON.stringify(value)))

interface Attack {
  readonly name: string
  /** What to send. Some wait between the parts. */
  bytes(random: Random): readonly (string | Uint8Array)[]
  /** Sends nothing more and keeps the connection open. */
  readonly stalls?: boolean
  /** Reads no responses. */
  readonly deaf?: boolean
}

const deep = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000)
const command = (rest: object) => JSON.stringify({ name: 'a', description: 'b', ...rest })
const opening = (random: Random, ...frames: readonly Uint8Array[]) => [
  upgrade(random.next() < 0.5 ? undefined : '/?v=10&encoding=json&compress=zlib-stream'),
  ...frames,
]

const attacks: readonly Attack[] = [
  { name: 'bytes', bytes: (random) => [randomBytes(1 + random.below(5_000))] },
  { name: 'half a head', stalls: true, bytes: () => ['GET / HTTP/1.1\r\nHost: 127'] },
  { name: 'half a body', bytes: () => [head('POST', COMMANDS, [json, 'Content-Length: 5000']), '{"name":'] },
  { name: 'a large head', bytes: () => [head('GET', '/', [`X: ${'x'.repeat(100_000)}`])] },
  {
    name: 'many headers',
    bytes: () => [
      head(
        'GET',
        '/',
        Array.from({ length: 5_000 }, (_, i) => `X${i}: 1`),
      ),
    ],
  },
  {
    name: 'two lengths',
    bytes: () => [head('POST', COMMANDS, [json, 'Content-Length: 1', 'Content-Length: 2'])],
  },
  {
    name: 'a length without a body',
    bytes: () => [head('POST', COMMANDS, [json, 'Content-Length: 99999999999'])],
  },
  {
    name: 'bad chunks',
    bytes: () => [head('POST', COMMANDS, [json, 'Transfer-Encoding: chunked']), 'fffffffff\r\n'],
  },
  {
    name: 'smuggling',
    bytes: () => [
      head('POST', COMMANDS, [json, 'Content-Length: 4', 'Transfer-Encoding: chunked']) + '0\r\n\r\n',
    ],
  },
  { name: 'a large body', bytes: () => [withBody(COMMANDS, `"${'x'.repeat(9_000_000)}"`)] },
  { name: 'a deep body', bytes: () => [withBody(COMMANDS, deep('[', ']'))] },
  {
    name: 'deep options',
    bytes: () => [
      withBody(
        COMMANDS,
        command({ options: null }).replace('null', deep('[{"options":', '}]').slice(0, 1_000_000)),
      ),
    ],
  },
  {
    name: 'keys of prototypes',
    bytes: () => [
      withBody(
        COMMANDS,
        '{"__proto__":{"name":"x"},"constructor":{"prototype":{"ok":1}},"name":"a","description":"b"}',
      ),
    ],
  },
  {
    name: 'many keys',
    bytes: () => [
      withBody(
        COMMANDS,
        JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, i]))),
      ),
    ],
  },
  {
    name: 'a long string',
    bytes: () => [withBody(COMMANDS, command({ description: 'x'.repeat(2_000_000) }))],
  },
  {
    name: 'invalid UTF-8',
    bytes: () => [
      head('POST', COMMANDS, [json, 'Content-Length: 4']),
      new Uint8Array([0x22, 0xff, 0xfe, 0x22]),
    ],
  },
  {
    name: 'a form of many parts',
    bytes: () => [
      withBody(
        COMMANDS,
        '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n'.repeat(2_000),
        'Content-Type: multipart/form-data; boundary=b',
      ),
    ],
  },
  {
    name: 'a form without an end',
    bytes: () => [
      withBody(
        COMMANDS,
        `--b\r\nContent-Disposition: form-data; name="files[0]"; filename="${'x'.repeat(100_000)}"\r\n\r\n`,
        'Content-Type: multipart/form-data; boundary=b',
      ),
    ],
  },
  {
    name: 'strange paths',
    bytes: (random) => [
      head(
        'GET',
        random.pick([
          '/%',
          '/%00',
          '/..%2f..%2fetc/passwd',
          '//',
          `/${'a/'.repeat(6_000)}`,
          `/${'%25'.repeat(2_000)}`,
          '/api/v10/applications/99999999999999999999/commands',
          '*',
          'http://example.com/',
        ]),
      ),
    ],
  },
  {
    name: 'strange tokens',
    bytes: (random) => [
      `GET ${COMMANDS} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bot ${randomBytes(1 + random.below(4_000)).toString('base64url')}\r\n\r\n`,
    ],
  },
  {
    name: 'a pipeline that is not read',
    deaf: true,
    bytes: () => [head('GET', '/openapi.json').repeat(300)],
  },
  {
    name: 'languages',
    bytes: () => [head('GET', COMMANDS, [`Accept-Language: ${'de;q=0.1,'.repeat(1_500)}`])],
  },
  { name: 'TLS', bytes: () => [new Uint8Array([0x16, 3, 1, 2, 0, 1, 0]), randomBytes(500)] },
  { name: 'HTTP/2', bytes: () => ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'] },
  {
    name: 'other origins',
    bytes: () => [
      head('POST', '/people/use', [json, 'Origin: http://evil.example', 'Content-Length: 2']) + '{}',
    ],
  },
  {
    name: 'an upgrade with a wrong key',
    bytes: () => [
      head('GET', '/?v=10', [
        'Upgrade: websocket',
        'Connection: Upgrade',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: x',
      ]),
    ],
  },
  {
    name: 'random frames',
    bytes: (random) =>
      opening(random, ...Array.from({ length: 5 }, () => randomBytes(2 + random.below(300)))),
  },
  {
    name: 'an unmasked frame',
    bytes: (random) => opening(random, frame(0x81, Buffer.from('{}'), { masked: false })),
  },
  { name: 'reserved bits', bytes: (random) => opening(random, frame(0xf1, Buffer.from('{}'))) },
  {
    name: 'a frame of a terabyte',
    bytes: (random) => opening(random, frame(0x81, Buffer.alloc(10), { length: 2 ** 40 })),
  },
  {
    name: 'a control frame in parts',
    bytes: (random) => opening(random, frame(0x09, Buffer.alloc(20)), frame(0x89, Buffer.alloc(126))),
  },
  {
    name: 'fragments without an end',
    bytes: (random) =>
      opening(
        random,
        frame(0x01, Buffer.alloc(60_000)),
        ...Array.from({ length: 20 }, () => frame(0x00, Buffer.alloc(60_000))),
      ),
  },
  {
    name: 'many pings',
    deaf: true,
    bytes: (random) =>
      opening(random, Buffer.concat(Array.from({ length: 3_000 }, () => frame(0x89, Buffer.alloc(125))))),
  },
  {
    name: 'text that is not UTF-8',
    bytes: (random) => opening(random, frame(0x81, new Uint8Array([0xff, 0xfe]))),
  },
  {
    name: 'frames of another type',
    bytes: (random) =>
      opening(
        random,
        ...[
          null,
          1,
          '',
          [],
          { op: '2' },
          { op: 2 },
          { op: 2, d: { token: 1 } },
          { op: 99, d: {} },
          { op: 6, d: { token: OTHER, session_id: 'x', seq: -1 } },
        ].map(textFrame),
      ),
  },
  {
    name: 'many frames',
    bytes: (random) =>
      opening(random, Buffer.concat(Array.from({ length: 500 }, () => textFrame({ op: 1, d: null })))),
  },
  {
    name: 'a login that reads nothing',
    deaf: true,
    bytes: (random) =>
      opening(random, textFrame({ op: 2, d: { token: OTHER, intents: 33_281, properties: {} } })),
  },
]

/** Makes one attack. Resolves when the service has closed the connection, or after a moment. */
async function attack(port: number, { bytes, stalls, deaf }: Attack, random: Random): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  if (deaf) socket.pause()
  else socket.resume()
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await Promise.race([new Promise((resolve) => socket.once('connect', resolve)), closed])
  for (const part of bytes(random)) {
    socket.write(part)
    if (random.next() < 0.3) await passed(random.next() * 10)
  }
  await Promise.race([closed, passed(stalls ? 0 : 20 + random.next() * 200)])
  if (!stalls && random.next() < 0.5) socket.resetAndDestroy()
  return socket
}

/** A bot beside the attacks: every request is answered as always, and its connection to the gateway stays. */
class Bystander {
  requests = 0
  slowest = 0
  #beats = 0
  #closed: string | undefined
  readonly origin: string
  readonly #socket: WebSocket
  readonly #ready: Promise<void>
  constructor(origin: string) {
    this.origin = origin
    let logIn = () => {}
    this.#ready = new Promise((resolve) => (logIn = resolve))
    this.#socket = new WebSocket(`${origin.replace('http', 'ws')}/?v=10&encoding=json`)
    this.#socket.on('error', () => {})
    this.#socket.on('close', (code: number) => {
      this.#closed = `its connection was closed with ${code}`
      logIn()
    })
    this.#socket.on('message', (data: Buffer) => {
      const { op, t } = JSON.parse(String(data)) as { op: number; t?: string }
      if (t === 'READY') logIn()
      if (op === 10)
        this.#socket.send(JSON.stringify({ op: 2, d: { token: TOKEN, intents: 1, properties: {} } }))
      if (op === 11) this.#beats++
    })
  }

  async request(method: string, body?: unknown): Promise<unknown> {
    const headers = { authorization: `Bot ${TOKEN}`, 'content-type': 'application/json' }
    const start = performance.now()
    const init = { method, headers, ...(body === undefined ? undefined : { body: JSON.stringify(body) }) }
    const response = await fetch(`${this.origin}${commandsOf(APP)}`, init)
    const result: unknown = await response.json()
    this.slowest = Math.max(this.slowest, performance.now() - start)
    this.requests++
    assert.equal(response.status, 200, `${method}: ${JSON.stringify(result).slice(0, 500)}`)
    return result
  }

  async work(random: Random, isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await this.write(`text ${random.below(1000)}`)
      await passed(100)
    }
    await this.#ready
    assert.equal(this.#closed, undefined)
    const before = this.#beats
    this.#socket.send(JSON.stringify({ op: 1, d: null }))
    for (let i = 0; i < 1_000 && this.#beats === before && this.#closed === undefined; i++) await passed(20)
    assert.equal(this.#closed, undefined)
    assert.ok(this.#beats > before, 'the gateway does not answer a heartbeat')
  }

  /** Writes a text to each command, and reads it. New commands would reach the limit of a day within an hour. */
  async write(description: string): Promise<void> {
    const commands = ['a', 'b', 'c', 'd'].map((name) => ({ name, description }))
    await this.request('PUT', commands)
    const listed = (await this.request('GET')) as typeof commands
    assert.deepEqual(
      listed.map(({ name, description }) => ({ name, description })),
      commands,
    )
  }

  leave(): void {
    this.#socket.removeAllListeners('close')
    this.#socket.terminate()
  }
}

export function hostile(): Trial {
  const directory = newDirectory()
  const store = `sqlite:${join(directory, 'commands.db')}`
  let service: Service | undefined
  let first: number | undefined
  let most = 0
  let slowest = 0
  return {
    what: 'hostile requests of HTTP and WebSocket',
    store: 'serve --gateway, SQLite',
    async run(seed) {
      service ??= await startService(store)
      const { origin, port } = service
      first ??= (await service.memory()).heap
      const end = performance.now() + TIME
      const isOver = () => performance.now() > end || !service!.isRunning()
      const bystander = new Bystander(origin)
      let faults = 0
      const kept: Socket[] = []
      const attackers = Array.from({ length: ATTACKERS }, async (_, i) => {
        const random = seeded(seed * ATTACKERS + i)
        while (!isOver()) {
          kept.push(await attack(port, random.pick(attacks), random))
          faults++
          if (kept.length > 300) kept.shift()!.destroy()
        }
      })
      try {
        await bystander.work(seeded(seed), isOver)
        await Promise.all(attackers)
        await bystander.write('left')
      } catch (error) {
        throw new Error(`${String(error)}\n${service.errors()}`, { cause: error })
      } finally {
        bystander.leave()
        for (const socket of kept) socket.destroy()
      }
      slowest = Math.max(slowest, bystander.slowest)
      const { heap } = await service.memory()
      most = Math.max(most, heap)
      assert.ok(heap - first < GROWTH, `the heap grew from ${first} to ${heap} MiB`)
      assert.equal(service.errors(), '')
      const note = `heap ${first} to ${most} MiB; the slowest request beside them took ${Math.round(slowest)} ms`
      return { calls: bystander.requests, faults, note }
    },
    async close() {
      await service?.stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
