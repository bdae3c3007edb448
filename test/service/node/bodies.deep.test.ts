import { serve } from 'commandry/node'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { handlerOf } from '../../support/handlers.ts'
import type { Exchange } from '../../support/handlers.ts'
import { service } from '../http/service.ts'
import { gate, wire } from '../http/sockets.ts'
import { alive, create, head, json, path, started, statusesOf } from './started.ts'

const MIB = 1024 * 1024

describe('bodies under way', () => {
  it('are refused with 503 beyond 128 MiB in all, while small requests are answered', async () => {
    const serving = await started()
    const open = await Promise.all(Array.from({ length: 17 }, () => wire(serving.port)))
    const piece = Buffer.alloc(8 * MIB - 1, 'a')
    for (const { send } of open) {
      send(head('POST', [json, `Content-Length: ${8 * MIB}`]))
      send(piece)
    }
    const refused = await Promise.race(open.map(({ until }) => until('}')))
    expect(refused).toMatch(/^HTTP\/1\.1 503 /)
    expect(refused).toContain('Retry-After: 1\r\n')
    expect(refused).toContain('{"message":"503: Service Unavailable","code":0}')
    expect((await create(serving.url)).status).toBe(201)
    // The others get their answers, and then there is room again.
    for (const { send } of open) send('a')
    const answers = await Promise.all(open.map(({ until }) => until('}')))
    expect(answers.flatMap(statusesOf).sort()).toEqual([...Array(16).fill(400), 503])
    const { send, until } = open[0]!
    send(head('POST', [json, `Content-Length: ${8 * MIB}`]))
    send(Buffer.alloc(8 * MIB, 'a'))
    expect(statusesOf(await until('}', 2))).toEqual([expect.any(Number), 400])
    for (const { socket } of open) socket.destroy()
  })

  it('are forgotten when their clients leave', async () => {
    const serving = await started()
    const piece = Buffer.alloc(8 * MIB - 1, 'a')
    /** Clients that have sent all but the last byte of a body. */
    const begun = async (count: number) => {
      const open = await Promise.all(Array.from({ length: count }, () => wire(serving.port)))
      for (const { send } of open) {
        send(head('POST', [json, `Content-Length: ${8 * MIB}`]))
        send(piece)
      }
      await alive(serving)
      return open
    }
    for (const { socket } of await begun(12)) socket.destroy()
    // There is room for 16 bodies, and for nothing beside them: one that is remembered takes the place of another.
    const statuses = async () => {
      const open = await begun(16)
      for (const { send } of open) send('a')
      const answers = await Promise.all(open.map(({ until }) => until('}')))
      for (const { socket } of open) socket.destroy()
      return new Set(answers.flatMap(statusesOf))
    }
    await expect.poll(statuses).toEqual(new Set([400]))
  })

  it('count together whatever host reads them', async () => {
    const { handler } = service()
    const statuses = async () => {
      const { passed, open } = gate()
      const bodies = Array.from({ length: 17 }, () =>
        handler(
          new Request(`http://service.test${path}`, {
            method: 'POST',
            headers: { authorization: 'Bot bot', 'content-type': 'application/json' },
            body: new ReadableStream({
              async start(controller) {
                controller.enqueue(new Uint8Array(8 * MIB - 1))
                await passed
                controller.close()
              },
            }),
            duplex: 'half',
          } as RequestInit),
        ),
      )
      const refused = await Promise.race(bodies)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
      open()
      return (await Promise.all(bodies)).map(({ status }) => status).sort()
    }
    // Bodies of other tests are counted until their clients have left.
    const expected = [...Array(16).fill(400), 503]
    await expect.poll(statuses).toEqual(expected)
  })
})

describe('a response that HTTP does not allow', () => {
  const exchange: Exchange = async ({ path }) => ({
    status: path === '/status' ? 42 : 200,
    headers: path === '/header' ? { 'Content-Type': 'text/plain; name=日本' } : { 'X-Line': 'a\r\nb' },
    body: 'x',
  })

  it.each(['/header', '/line', '/status'])(
    'is a 500 of its request, not the end of the process: %s',
    async (place) => {
      const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
      onTestFinished(() => logged.mockRestore())
      // A handler of another copy of the library.
      const handler = Object.assign(() => new Response(), {
        [Symbol.for('commandry.http.exchange')]: exchange,
      })
      const serving = await serve({ handler })
      onTestFinished(() => serving.close())
      for (const response of [
        await fetch(serving.url + place),
        await handlerOf(exchange)(new Request(`http://service.test${path}`)),
      ])
        expect([response.status, await response.json()]).toEqual([
          500,
          { message: '500: Internal Server Error', code: 0 },
        ])
      expect(logged).toHaveBeenCalledTimes(2)
    },
  )

  it('is reported as the 500 that was sent', async () => {
    const failures: unknown[] = []
    const reported: Exchange = async (incoming) => ({
      ...(await exchange(incoming)),
      report: (failure) => ({ failure: failures.push(failure?.error) }),
    })
    await handlerOf(reported)(new Request('http://service.test/line'))
    expect(failures).toEqual([expect.any(TypeError)])
    const serving = await started()
    await alive(serving)
  })
})
