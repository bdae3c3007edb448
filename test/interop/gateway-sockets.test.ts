import { once } from 'node:events'
import { connect } from 'node:net'
import { createInflate } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createGateway, type Gateway } from 'commandry/gateway'
import { nodeDeflate, serve, systemScheduler, type Serving } from 'commandry/node'

const open: Serving[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((serving) => serving.close()))
})

function gatewayOf(): Gateway {
  let sessions = 0
  return createGateway({
    authenticate: (token) =>
      token === 'secret' ? { id: '1001', servers: [{ id: '2001', name: 'Demo' }] } : undefined,
    scheduler: systemScheduler,
    sessionIds: () => `session-${++sessions}`,
    deflate: nodeDeflate,
    helloDelay: 0,
  })
}

async function serving(gateway = gatewayOf()) {
  const one = await serve({ handler: () => new Response('http'), gateway, ws: { WebSocketServer } })
  open.push(one)
  return { url: one.url, address: one.url.replace('http', 'ws'), gateway, close: () => one.close() }
}

const identify = JSON.stringify({ op: 2, d: { token: 'secret', intents: 1, properties: {} } })

/** The frames of a socket, in order. */
function frames(socket: WebSocket): () => Promise<any> {
  const read: unknown[] = []
  let wake = () => {}
  socket.on('message', (data) => {
    read.push(JSON.parse(String(data)))
    wake()
  })
  return async () => {
    while (read.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    return read.shift()
  }
}

describe('a gateway on node:http', () => {
  it('accepts WebSockets at the port of the HTTP service', async () => {
    const { url, address } = await serving()
    expect(await (await fetch(url)).text()).toBe('http')
    const socket = new WebSocket(`${address}/?v=10&encoding=json`)
    const next = frames(socket)
    expect(await next()).toMatchObject({ op: 10 })
    socket.send(identify)
    expect(await next()).toMatchObject({ t: 'READY', d: { resume_gateway_url: address } })
    expect(await next()).toMatchObject({ t: 'GUILD_CREATE', d: { name: 'Demo' } })
    // The URL may have no path.
    expect(await frames(new WebSocket(`${address}?v=10`))()).toMatchObject({ op: 10 })
  })

  it('compresses with zlib', async () => {
    const { address } = await serving()
    const socket = new WebSocket(`${address}/?v=10&encoding=json&compress=zlib-stream`)
    const inflate = createInflate()
    socket.on('message', (data) => inflate.write(data as Buffer))
    const [hello] = (await once(inflate, 'data')) as [Buffer]
    expect(JSON.parse(hello.toString())).toMatchObject({ op: 10 })
    socket.send(identify)
    const [ready] = (await once(inflate, 'data')) as [Buffer]
    expect(ready.toString()).toContain('"t":"READY"')
  })

  it('destroys a closed connection soon, even if the client does not answer', async () => {
    const { address } = await serving()
    const { port } = new URL(address)
    const raw = connect(Number(port), '127.0.0.1')
    raw.write(
      'GET /?v=99 HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    )
    let text = ''
    raw.on('data', (chunk) => (text += chunk.toString('latin1')))
    await once(raw, 'end')
    expect(text).toContain('101 Switching Protocols')
    expect(text).toContain('use v=10')
    raw.destroy()
  })

  it('lets a bot resume after its connection breaks', async () => {
    const { address, gateway } = await serving()
    const first = new WebSocket(address)
    const next = frames(first)
    await next()
    first.send(identify)
    const ready = await next()
    first.terminate()
    const second = new WebSocket(address)
    const read = frames(second)
    await read()
    second.send(JSON.stringify({ op: 6, d: { token: 'secret', session_id: ready.d.session_id, seq: 1 } }))
    expect([(await read()).t, (await read()).t]).toEqual(['GUILD_CREATE', 'RESUMED'])
    expect(gateway.sessions).toHaveLength(1)
  })

  it('refuses other paths and pages of browsers', async () => {
    const { address } = await serving()
    for (const [path, headers, status] of [
      ['/api', {}, 404],
      ['/', { origin: 'http://example.com' }, 403],
    ] as const) {
      const socket = new WebSocket(`${address}${path}`, { headers })
      const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }]
      expect(response.statusCode).toBe(status)
      socket.on('error', () => {})
      socket.terminate()
    }
  })

  it('sends a close frame to bots when it closes', async () => {
    const { address, close } = await serving()
    const socket = new WebSocket(address)
    await frames(socket)()
    const [[code]] = await Promise.all([once(socket, 'close') as Promise<[number]>, close()])
    expect(code).toBe(1001)
    await expect(fetch(address.replace('ws', 'http'))).rejects.toThrow()
  })

  it('survives frames that are too large and bytes that are not frames', async () => {
    const { address, url } = await serving()
    const socket = new WebSocket(address)
    await frames(socket)()
    socket.send('x'.repeat(100_000))
    await once(socket, 'close')
    const other = new WebSocket(address)
    await frames(other)()
    ;(other as unknown as { _socket: { write(bytes: Buffer): void } })._socket.write(Buffer.alloc(64, 0xff))
    other.on('error', () => {})
    await once(other, 'close')
    expect(await (await fetch(url)).text()).toBe('http')
  })
})
