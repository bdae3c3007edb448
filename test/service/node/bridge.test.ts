import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { service } from '../http/service.ts'
import { gate, wire } from '../http/sockets.ts'
import { collect } from '../../support/heap.ts'
import { bodyOf, connected, create, head, started, streamed } from './started.ts'
import { turn } from '../../support/waiting.ts'

describe('a handler that was not created by this library', () => {
  it('receives a Web request and streams its response', async () => {
    const { url } = await started({
      handler: async (request) => {
        const body = request.method === 'GET' ? null : await request.text()
        const headers = new Headers({
          'x-seen': `${request.method} ${new URL(request.url).pathname} ${body}`,
        })
        headers.append('set-cookie', 'a=1')
        headers.append('set-cookie', 'b=2')
        return new Response(streamed('one', Promise.resolve(), 'two').body, { status: 418, headers })
      },
    })
    const response = await fetch(`${url}/tea?x=1`, { method: 'POST', body: 'leaves' })
    expect([response.status, await response.text()]).toEqual([418, 'onetwo'])
    expect(response.headers.get('x-seen')).toBe('POST /tea leaves')
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect((await fetch(url)).headers.get('x-seen')).toBe('GET / null')
    expect(await (await fetch(url, { method: 'HEAD' })).text()).toBe('')
  })

  it('can wrap the service', async () => {
    const { handler } = service()
    const { url } = await started({
      handler: (request) => (request.url.endsWith('/health') ? new Response('well') : handler(request)),
    })
    expect(await (await fetch(`${url}/health`)).text()).toBe('well')
    const created = await create(url)
    expect([created.status, created.headers.get('content-type')]).toEqual([201, 'application/json'])
  })

  it('causes a 500 when it fails, or a broken response that has begun', async () => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => errors.mockRestore())
    const { url } = await started({
      handler: (request) => {
        if (!request.url.endsWith('/late')) throw new Error('early')
        let parts = 0
        return new Response(
          new ReadableStream({
            pull(controller) {
              if (parts++ > 1) throw new Error('late')
              controller.enqueue(new Uint8Array(10))
            },
          }),
        )
      },
    })
    const early = await fetch(url)
    expect(early.status).toBe(500)
    expect(await early.json()).toEqual({ message: '500: Internal Server Error', code: 0 })
    await expect(fetch(`${url}/late`).then((response) => response.text())).rejects.toThrow()
    expect(errors).toHaveBeenCalledTimes(2)
  })

  it.each(['before', 'during'])('prints nothing when its client leaves %s the response', async (when) => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => errors.mockRestore())
    const [arrived, cancelled] = [gate(), gate()]
    const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(10_000))
    const { send, until, socket } = await connected({
      async handler({ signal }) {
        arrived.open()
        if (when === 'before') await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return new Response(new ReadableStream({ pull, cancel: cancelled.open }))
      },
    })
    send(head('GET'))
    await (when === 'before' ? arrived.passed : until('200 OK'))
    // What a runtime refers to weakly is kept until the end of a turn.
    await turn()
    collect()
    socket.destroy()
    await cancelled.passed
    await turn()
    expect(errors.mock.calls).toEqual([])
  })

  it('receives the requested path for any Host header', async () => {
    const { port } = await started({ handler: (request) => new Response(request.url) })
    const invalid = ['x/evil?', 'x#', 'user:secret@x', 'x\\evil', 'x:99999', '[::1', 'x y', '']
    for (const [host, target, url] of [
      ['api.test', '/real?a=1', 'http://api.test/real?a=1'],
      ['api.test:8080', '/real', 'http://api.test:8080/real'],
      ['[::1]:8080', '/real', 'http://[::1]:8080/real'],
      ...invalid.map((host) => [host, '/real', 'http://localhost/real'] as const),
      ['api.test', '//evil/real', 'http://api.test//evil/real'],
      ['api.test', 'http://[evil/real', 'http://api.test/http://[evil/real'],
    ] as const) {
      const { send, closed } = await wire(port)
      send(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      expect([host, bodyOf(await closed)]).toEqual([host, url])
    }
  })

  it('receives no request that Web requests cannot express', async () => {
    const { port } = await started({ handler: () => new Response('reached') })
    const { send, closed } = await wire(port)
    send('TRACE / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(await closed).toMatch(/^HTTP\/1\.1 400/)
  })
})
