import { EventEmitter, once } from 'node:events'
import { request, Agent, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { createGateway } from 'commandry/gateway'
import type { Serving } from 'commandry/node'
import { service } from '../http/service.ts'
import { wire } from '../http/sockets.ts'
import { path, started } from './started.ts'
import { turn } from '../../support/waiting.ts'

/** The part of a WebSocket of the package `ws` that its users see; no frame is ever sent. */
class SilentSocket extends EventEmitter {
  static buffered = 0
  bufferedAmount = SilentSocket.buffered
  isTerminated = false
  send() {}
  close() {}
  terminate() {
    this.isTerminated = true
  }
}

class SocketServer {
  static readonly opened: SilentSocket[] = []
  handleUpgrade(
    _request: unknown,
    stream: { destroy(): void },
    _head: unknown,
    done: (socket: unknown) => void,
  ) {
    const socket = new SilentSocket()
    SocketServer.opened.push(socket)
    done(socket)
    stream.destroy()
    socket.emit('message', '{"op":1}', false)
    socket.emit('close', 1006)
  }
}

function serving(handler = service().handler): Promise<Serving> {
  const gateway = createGateway({ authenticate: () => undefined })
  return started({ handler, gateway, ws: { WebSocketServer: SocketServer } })
}

const upgrade = {
  connection: 'Upgrade, HTTP2-Settings',
  upgrade: 'h2c',
  'http2-settings': 'AAMAAABkAARAAAAAAAIAAAAA',
}

async function send(port: number, agent: Agent, method: string, body?: string) {
  const headers = { authorization: 'Bot bot', 'content-type': 'application/json', ...upgrade }
  const sent = request({ port, host: '127.0.0.1', path, method, agent, headers }).end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode, body: (await json(response)) as any }
}

it('a server with a gateway answers requests that offer HTTP/2 as if they did not', async () => {
  const { port } = await serving()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const warnings: Error[] = []
  const warned = (warning: Error) => warnings.push(warning)
  process.on('warning', warned)
  for (let count = 0; count < 15; count++) {
    const body = JSON.stringify({ name: `grüße${count}`, description: 'ö'.repeat(50) })
    const { status, body: created } = await send(port, agent, 'POST', body)
    expect([status, created.name]).toEqual([201, `grüße${count}`])
  }
  expect((await send(port, agent, 'GET')).body).toHaveLength(15)
  process.off('warning', warned)
  expect(warnings).toEqual([])
  agent.destroy()
})

it('a server with a gateway answers them in order behind a request that takes longer, and reads their bodies as they arrive', async () => {
  const { port } = await serving(async (request) => {
    if (request.url.endsWith('/slow')) await turn()
    return new Response(`${new URL(request.url).pathname} ${await request.text()};`)
  })
  const { send: write, until, socket } = await wire(port)
  const offer = 'Host: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n'
  write(`GET /slow HTTP/1.1\r\nHost: x\r\n\r\nPOST /offer HTTP/1.1\r\n${offer}Content-Length: 4\r\n\r\nab`)
  await until('/slow ;')
  // Node itself overlooks what stands right behind the body of such a request in one packet.
  write('cd')
  await until('/offer abcd;')
  write(`POST /chunks HTTP/1.1\r\n${offer}Transfer-Encoding: chunked\r\n\r\n2\r\nef\r\n0\r\n\r\n`)
  const all = await until('/chunks ef;')
  expect(all.match(/\/\w+ \w*;/g)).toEqual(['/slow ;', '/offer abcd;', '/chunks ef;'])
  socket.destroy()
})

it('a server with a gateway terminates a WebSocket that does not read what it is sent, such as answers to pings', async () => {
  SilentSocket.buffered = 16 * 1024 * 1024
  const { port } = await serving()
  const { send: write, closed } = await wire(port)
  write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  await closed
  const socket = SocketServer.opened.at(-1)!
  expect(socket.isTerminated).toBe(true)
  socket.isTerminated = false
  socket.bufferedAmount = 4 * 1024 * 1024
  socket.emit('ping')
  expect(socket.isTerminated).toBe(false)
  socket.bufferedAmount = SilentSocket.buffered
  socket.emit('ping')
  expect(socket.isTerminated).toBe(true)
  SilentSocket.buffered = 0
})

it('a server with a gateway terminates the slowest readers when more than 128 MiB wait for all of them', async () => {
  const { port } = await serving()
  const sockets: SilentSocket[] = []
  for (let client = 0; client < 23; client++) {
    const { send: write, closed } = await wire(port)
    write('GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
    await closed
    sockets.push(SocketServer.opened.at(-1)!)
  }
  const wait = (index: number, mebibytes: number) => {
    sockets[index]!.bufferedAmount = mebibytes * 1024 * 1024
    sockets[index]!.emit('ping')
  }
  const terminated = () => sockets.flatMap(({ isTerminated }, index) => (isTerminated ? [index] : []))
  for (let client = 0; client < 21; client++) wait(client, client === 3 ? 7 : 6)
  expect(terminated()).toEqual([])
  // A client that has read counts no longer, though nothing was sent to it since.
  sockets[0]!.bufferedAmount = 0
  wait(21, 6)
  expect(terminated()).toEqual([])
  wait(22, 6)
  expect(terminated()).toEqual([3])
})
