import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, expect, it, onTestFinished } from 'vitest'
import { gate, wire } from '../http/sockets.ts'
import { connected, head, json, started, statusesOf } from './started.ts'
import { turn } from '../../support/waiting.ts'

const MAX_WAITING_REQUESTS = 100

/** How many requests Node has read from all connections so far. */
function countRead(): () => number {
  let count = 0
  const listener = () => void count++
  subscribe('http.server.request.start', listener)
  onTestFinished(() => void unsubscribe('http.server.request.start', listener))
  return () => count
}

describe('many requests at once on one connection', () => {
  it('are answered one after another', async () => {
    let underWay = 0
    const most: number[] = []
    const { send, closed } = await connected({
      handler: async (request) => {
        most.push(++underWay)
        const body = await request.text()
        await turn()
        underWay--
        return new Response(body)
      },
    })
    const bodies = Array.from({ length: 250 }, (_, i) => `<${i}>`)
    const requests = bodies.map((body) => head('POST', [json, `Content-Length: ${body.length}`]) + body)
    send(requests.join('') + head('GET', ['Connection: close']))
    const received = await closed
    expect(received.match(/<\d+>/g)).toEqual(bodies)
    expect(statusesOf(received)).toHaveLength(251)
    expect(new Set(most)).toEqual(new Set([1]))
  })

  it('leave room for other connections between two answers', async () => {
    const asked: string[] = []
    const { port } = await started({
      handler: (request) => {
        asked.push(new URL(request.url).pathname)
        return new Response('')
      },
    })
    const [many, other] = [await wire(port), await wire(port)]
    many.send(head('GET', [], '/many').repeat(299) + head('GET', ['Connection: close'], '/many'))
    other.send(head('GET', ['Connection: close'], '/other'))
    await Promise.all([many.closed, other.closed])
    expect(asked).toHaveLength(301)
    expect(asked.indexOf('/other')).toBeLessThan(100)
  })

  it('are not handled for a client that does not read, nor after it has left', async () => {
    let asked = 0
    const ready = gate()
    const { serving, socket, send } = await connected({
      handler: (request) => {
        if (request.url.endsWith('/beside')) return new Response('')
        asked++
        ready.open()
        return new Response('x'.repeat(8 * 1024 * 1024))
      },
    })
    socket.pause()
    send(head('GET').repeat(300))
    await ready.passed
    const beside = async () => void (await (await fetch(`${serving.url}/beside`)).text())
    for (let i = 0; i < 20; i++) await beside()
    expect(asked).toBeLessThan(5)
    socket.resetAndDestroy()
    for (let i = 0; i < 20; i++) await beside()
    expect(asked).toBeLessThan(5)
  })

  it(`are not read while ${MAX_WAITING_REQUESTS} of them wait`, async () => {
    const read = countRead()
    const held = gate()
    const { serving, send, closed } = await connected({
      handler: async (request) => {
        if (!request.url.endsWith('/beside')) await held.passed
        return new Response('')
      },
    })
    const count = 1_000
    send(head('GET').repeat(count - 1) + head('GET', ['Connection: close']))
    for (let i = 0; i < 50; i++) await (await fetch(`${serving.url}/beside`)).text()
    // A chunk has 64 KiB.
    expect(read() - 50).toBeLessThan(MAX_WAITING_REQUESTS + 65_536 / head('GET').length + 1)
    held.open()
    expect(statusesOf(await closed)).toHaveLength(count)
  })
})
