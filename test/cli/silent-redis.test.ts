/** Stores whose server accepts connections, stays silent, and later responds again. */
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { call, withDrivers, type Called } from './program.ts'
import { app, hello } from '../support/fixtures.ts'

const headers = { authorization: 'Bot any', 'content-type': 'application/json' }

/** A Redis with a few commands that can be silenced. */
class FakeRedis {
  isSilent = false
  readonly #sockets = new Set<Socket>()
  readonly #values = new Map<string, string>()
  readonly #server = createServer((socket) => {
    this.#sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket))
    let rest = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      if (this.isSilent) return
      rest += chunk
      for (let read = command(rest); read !== undefined; read = command(rest)) {
        rest = rest.slice(read.length)
        socket.write(this.#reply(read.words))
      }
    })
  })

  #reply([name = '', ...args]: readonly string[]): string {
    switch (name.toUpperCase()) {
      case 'HELLO':
        return `%3\r\n${bulk('server')}${bulk('redis')}${bulk('version')}${bulk('7.0.0')}${bulk('proto')}:3\r\n`
      case 'MGET':
        return `*${args.length}\r\n${args.map((key) => bulk(this.#values.get(key))).join('')}`
      case 'GET':
        return bulk(this.#values.get(args[0]!))
      case 'INFO':
        return bulk('redis_version:7.0.0\r\nloading:0\r\n')
      case 'EVALSHA':
        return '-NOSCRIPT No matching script\r\n'
      case 'EVAL': {
        const [, , key = '', expected = '', revision = '', json = ''] = args
        if ((this.#values.get(key) ?? '').slice(0, 36) !== expected) return ':0\r\n'
        this.#values.set(key, revision + json)
        return ':1\r\n'
      }
      default:
        return '+OK\r\n'
    }
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `redis://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  stop(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }
}

function bulk(value: string | undefined): string {
  return value === undefined ? '_\r\n' : `$${Buffer.byteLength(value)}\r\n${value}\r\n`
}

/** The first command of a text, in the protocol of Redis; `undefined` when it is not complete. */
function command(text: string): { words: readonly string[]; length: number } | undefined {
  const head = /^\*(\d+)\r\n/.exec(text)
  if (head === null) return undefined
  const words: string[] = []
  let at = head[0].length
  for (let left = Number(head[1]); left > 0; left--) {
    const size = /^\$(\d+)\r\n/.exec(text.slice(at))
    if (size === null) return undefined
    const start = at + size[0].length
    const end = start + Number(size[1])
    if (text.length < end + 2) return undefined
    words.push(text.slice(start, end))
    at = end + 2
  }
  return { words, length: at }
}

let redis: FakeRedis
const running: Called[] = []

afterEach(async () => {
  for (const called of running.splice(0)) {
    called.interrupt()
    await called
  }
  redis.stop()
})

describe.each(['redis', 'ioredis'])('a Redis that stays silent, with %s', (driver) => {
  it('makes serve respond with 503 until it is back, and does not prevent exit', async () => {
    redis = new FakeRedis()
    const cwd = await withDrivers({}, driver)
    const serving = call(['serve', '--port', '0', '--store', await redis.start()], { cwd })
    running.push(serving)
    const line = / (\S+)\n$/.exec(await serving.firstLine)
    if (line === null) expect.fail((await serving).err)
    const url = `${line[1]}/applications/${app}/commands`
    const created = await fetch(url, { method: 'POST', headers, body: JSON.stringify(hello) })
    expect(created.status).toBe(201)

    redis.isSilent = true
    for (let time = 0; time < 2; time++) expect((await fetch(url, { headers })).status).toBe(503)
    const lost = await fetch(url, { method: 'POST', headers, body: JSON.stringify(hello) })
    expect(lost.status).toBe(503)

    redis.isSilent = false
    const back = await fetch(url, { headers })
    expect([back.status, await back.json()]).toMatchObject([200, [hello]])

    redis.isSilent = true
    serving.interrupt()
    expect((await serving).code).toBe(0)
  })

  it('makes export and import end with one line', async () => {
    redis = new FakeRedis()
    redis.isSilent = true
    const url = await redis.start()
    const snapshot = { format: 1, application_id: app, scopes: [], permissions: [] }
    const cwd = await withDrivers({ 'app.json': snapshot }, driver)
    for (const args of [
      ['export', app],
      ['import', 'app.json'],
    ]) {
      const { code, err } = await call([...args, '--store', url], { cwd })
      expect([code, err]).toEqual([
        1,
        `commandry ${args[0]}: --store redis: ${driver} cannot open it: connecting to Redis timed out after 0.3 s\n`,
      ])
    }
  })
})
