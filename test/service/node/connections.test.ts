import { Socket } from 'node:net'
import type { HandlerOptions } from 'commandry/http'
import { requestListener, serve } from 'commandry/node'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { handlerOf } from '../../support/handlers.ts'
import { APP } from '../http/ids.ts'
import { service } from '../http/service.ts'
import { gate, wire } from '../http/sockets.ts'
import { listening } from '../../support/listening.ts'
import { alive, connected, head, json, path, post, started, statusesOf, streamed, text } from './started.ts'
import { turn } from '../../support/waiting.ts'

/**
 * A service that waits when it authenticates a request, until `held` is open.
 *
 * @param requests opens `arrived` when so many requests wait
 */
function holdingService(options: Partial<HandlerOptions> = {}, requests = 1) {
  const held = gate()
  const arrived = gate()
  let waiting = 0
  const { handler } = service({
    authenticate: async () => {
      if (++waiting === requests) arrived.open()
      await held.passed
      return { type: 'Bot', applicationId: APP }
    },
    ...options,
  })
  return { handler, held, arrived }
}

/** A turn of the event loop. */

describe('broken connections', () => {
  it.each([
    ['that is not HTTP', 'hello there\r\n\r\n'],
    ['with a method in small letters', 'get / HTTP/1.1\r\n\r\n'],
    ['with a bad length', head('POST', [json, 'Content-Length: x'])],
    ['with two lengths', head('POST', [json, 'Content-Length: 1', 'Content-Length: 2'])],
    ['with a bad chunk', head('POST', [json, 'Transfer-Encoding: chunked']) + 'zz\r\n'],
    ['of TLS', new Uint8Array([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00])],
    ['without a host', `GET ${path} HTTP/1.1\r\n\r\n`],
    [
      'with an unknown expectation',
      head('POST', ['Expect: foo', json, 'Content-Length: 5']) + 'hello',
      '417',
      'Expectation Failed',
    ],
  ])(
    '[7-01] refuses a request %s with a date and closes only its connection',
    async (_, sent, status = '400', reason = 'Bad Request') => {
      const { send, closed, serving } = await connected()
      send(sent)
      const [top, body] = (await closed).split('\r\n\r\n')
      const [first, ...headers] = top!.split('\r\n')
      const message = `{"message":"${status}: ${reason}","code":0}`
      expect([first, body]).toEqual([`HTTP/1.1 ${status} ${reason}`, message])
      const date = headers.find((header) => header.startsWith('Date: '))
      expect(Date.parse(date!.slice(6))).toBeGreaterThan(Date.UTC(2020))
      expect(headers.filter((header) => !header.startsWith('Date: ')).sort()).toEqual([
        'Connection: close',
        `Content-Length: ${message.length}`,
        'Content-Type: application/json',
      ])
      await alive(serving)
    },
  )

  it('accepts HTTP/1.0 without a host, and Expect: 100-continue', async () => {
    const { port } = await started()
    const old = await wire(port)
    old.send(`GET ${path} HTTP/1.0\r\nAuthorization: Bot bot\r\n\r\n`)
    expect(await old.closed).toMatch(/^HTTP\/1\.1 200/)
    const { send, until, closed } = await wire(port)
    send(head('POST', ['Expect: 100-continue', 'Connection: close', json, `Content-Length: ${text.length}`]))
    expect(await until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 100/)
    send(text)
    expect(await closed).toContain('HTTP/1.1 201')
  })

  it('sends 100 Continue before a response, never within it, also behind a response that is due', async () => {
    const { handler, held } = holdingService()
    const { port, url } = await started({ handler })
    const { send, closed } = await wire(port)
    const expects = ['Expect: 100-continue']
    send(head('GET') + head('GET', expects) + head('GET', [...expects, 'Connection: close']))
    // All three have arrived.
    await fetch(`${url}/api/v10/gateway`).then((response) => response.text())
    held.open()
    expect(
      (await closed).split(/(?=HTTP\/1\.1 )/).map((each) => each.replace(/\r\n[^]*\r\n\r\n/, ' ')),
    ).toEqual([
      'HTTP/1.1 200 OK []',
      'HTTP/1.1 100 Continue\r\n\r\n',
      'HTTP/1.1 200 OK []',
      'HTTP/1.1 100 Continue\r\n\r\n',
      'HTTP/1.1 200 OK []',
    ])
  })

  it('responds to a complete request before the 400 for the next one', async () => {
    const { handler, held } = holdingService()
    const { port, url } = await started({ handler })
    const { send, closed } = await wire(port)
    send(`${post}${head('GET')}hello there\r\n\r\n`)
    // The parser fails before the responses are due.
    await fetch(`${url}/api/v10/gateway`).then((response) => response.text())
    send('more of it\r\n\r\n')
    held.open()
    const received = await closed
    expect(statusesOf(received)).toEqual([201, 200, 400])
    expect(received).toMatch(/"name":"hello"[^]*\{"message":"400: Bad Request","code":0\}$/)
  })

  it('completes a response before the 400 for the next request', async () => {
    const held = gate()
    const { send, until, closed } = await connected({
      handler: () => streamed('begun', held.passed, 'ended'),
    })
    send(head('GET'))
    await until('begun')
    send('hello there\r\n\r\n')
    held.open()
    expect(await closed).toMatch(/^HTTP\/1\.1 200[^]*begun[^]*ended[^]*HTTP\/1\.1 400/)
  })

  it('survives connections that break anywhere', async () => {
    const serving = await started()
    const whole = post + head('GET')
    const cuts = Array.from({ length: 60 }, (_, i) => Math.floor((i * whole.length) / 60))
    await Promise.all(
      cuts.map(async (cut, i) => {
        const { socket, send, closed } = await wire(serving.port)
        if (cut > 0) send(whole.slice(0, cut))
        if (i % 2 === 0) socket.resetAndDestroy()
        else socket.destroySoon()
        await closed
      }),
    )
    await alive(serving)
  })

  it('survives a client that disconnects before its response', async () => {
    const { handler, held, arrived } = holdingService({ registry: service().registry })
    const { send, socket, closed, serving } = await connected({ handler })
    send(post)
    await arrived.passed
    socket.resetAndDestroy()
    await closed
    held.open()
    await alive(serving)
  })

  it('is not blocked by a client that disconnects before its body is read', async () => {
    const left = gate()
    const ended = gate()
    const { handler, held, arrived } = holdingService({ bodyTimeout: () => () => ended.open() })
    const listener = requestListener(handler)
    const url = await listening((request, response) => {
      request.on('close', left.open)
      listener(request, response)
    })
    const { send, socket } = await wire(Number(new URL(url).port))
    send(head('POST', [json, 'Content-Length: 100']) + '{"name":')
    await arrived.passed
    socket.resetAndDestroy()
    await left.passed
    held.open()
    await ended.passed
  })
})

it('a request that its host destroys ends while its body is read', async () => {
  const [reading, ended] = [gate(), gate()]
  const bodyTimeout = () => {
    reading.open()
    return ended.open
  }
  const listener = requestListener(service({ bodyTimeout }).handler)
  const url = await listening((request, response) => {
    listener(request, response)
    void reading.passed.then(() => request.destroy())
  })
  const { send } = await wire(Number(new URL(url).port))
  send(head('POST', [json, 'Content-Length: 100']) + '{"name":')
  await ended.passed
})

describe('close', () => {
  it('responds to received requests, closes idle connections, and accepts no new ones', async () => {
    const { handler, held, arrived } = holdingService()
    const serving = await serve({ handler })
    const silent = await wire(serving.port)
    const halfway = await wire(serving.port)
    halfway.send('GET /api/v10/gate')
    const idle = await wire(serving.port)
    idle.send(head('GET', [], '/api/v10/gateway'))
    await idle.until('}')
    const busy = await wire(serving.port)
    busy.send(post)
    await arrived.passed

    let isClosed = false
    const closing = serving.close().then(() => void (isClosed = true))
    expect(serving.close()).toBe(serving.close())
    expect(await silent.closed).toBe('')
    expect(await halfway.closed).toBe('')
    expect((await idle.closed).split('HTTP/1.1')).toHaveLength(2)
    await expect(fetch(serving.url)).rejects.toThrow()
    expect(isClosed).toBe(false)
    held.open()
    const answer = await busy.closed
    expect(answer).toMatch(/^HTTP\/1\.1 201 Created\r\n[^]*Connection: close\r\n[^]*"name":"hello"/)
    await closing
  })

  it('cuts off after its timeout the requests that are not answered, also of a later call', async () => {
    const { handler, held, arrived } = holdingService({}, 2)
    const { serving, send, closed } = await connected({ handler })
    const other = await wire(serving.port)
    send(post)
    other.send(post)
    await arrived.passed
    const closing = serving.close()
    expect(serving.close({ timeout: 1 })).toBe(closing)
    expect([await closed, await other.closed]).toEqual(['', ''])
    await closing
    held.open()
  })

  it('resolves immediately without connections', async () => {
    await (await serve({ handler: service().handler })).close()
  })

  it('responds to all pipelined requests and closes the connection after the last', async () => {
    const { handler, held, arrived } = holdingService()
    const { serving, send, closed } = await connected({ handler })
    send(head('GET') + post + head('GET', [], `${path}/1`))
    await arrived.passed
    // All three have arrived.
    await fetch(`${serving.url}/api/v10/gateway`).then((response) => response.text())
    const closing = serving.close()
    held.open()
    const answers = (await closed).split('HTTP/1.1 ').slice(1)
    await closing
    expect(answers.map((answer) => [answer.slice(0, 3), /Connection: (.*)\r/.exec(answer)![1]])).toEqual([
      ['200', 'keep-alive'],
      ['201', 'keep-alive'],
      ['404', 'close'],
    ])
  })

  it('ignores requests after the due responses', async () => {
    const begun = gate()
    const asked: string[] = []
    const { serving, send, closed } = await connected({
      handler: async (request) => {
        asked.push(request.method)
        begun.open()
        return new Response(await request.text())
      },
    })
    send(head('POST', ['Content-Length: 10']) + 'first')
    await begun.passed
    const closing = serving.close()
    // One chunk ends the first request and has the next, so the next has arrived before the first response.
    send('later' + head('DELETE'))
    const answer = await closed
    await closing
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Connection: close\r\n[^]*firstlater/)
    expect(answer.split('HTTP/1.1')).toHaveLength(2)
    expect(asked).toEqual(['POST'])
  })

  it('completes responses that are being sent, and those after them', async () => {
    const size = 16 * 1024 * 1024
    const made = gate()
    const handler = handlerOf(() => {
      setImmediate(made.open)
      return Promise.resolve({ status: 200, headers: {}, body: 'x'.repeat(size) })
    })
    const { serving, socket, send, closed } = await connected({ handler })
    socket.pause()
    send(head('GET') + head('GET'))
    await made.passed
    const closing = serving.close()
    socket.resume()
    const answers = (await closed).split('\r\n\r\n')
    await closing
    expect(answers.map((part) => part.replace(/[^x]/g, '').length >= size)).toEqual([false, true, true])
  })

  it('closes a connection after a response that promised to keep it alive', async () => {
    const held = gate()
    const { serving, send, until, closed } = await connected({
      handler: () => streamed('begun', held.passed, 'ended'),
    })
    send(head('GET'))
    expect(await until('begun')).toContain('Connection: keep-alive')
    const closing = serving.close()
    // Node would keep the connection open for its next request.
    const ends = vi.spyOn(Socket.prototype, 'destroySoon')
    onTestFinished(() => ends.mockRestore())
    held.open()
    expect(await closed).toContain('ended')
    await closing
    expect(ends).toHaveBeenCalled()
  })

  describe('with a time limit', () => {
    /** A connection with the beginning of a request that never ends. */
    async function endless() {
      const begun = gate()
      const connection = await connected({
        requestTimeout: 500,
        handler: async (request) => {
          begun.open()
          return new Response(await request.text().catch(() => 'broken'))
        },
      })
      connection.send(head('POST', ['Content-Length: 1000000']))
      await begun.passed
      return connection
    }

    it('drops a request that never ends, although bytes keep arriving', async () => {
      const { serving, send, closed } = await endless()
      const closing = serving.close()
      let isClosed = false
      void closed.then(() => (isClosed = true))
      while (!isClosed) {
        send('x')
        await turn()
      }
      await closing
      expect(await closed).not.toContain('200 OK')
    })

    it('waits without limit for the response to a complete request', async () => {
      const { handler, held, arrived } = holdingService()
      const { serving, send, closed } = await connected({ requestTimeout: 500, handler })
      send(head('GET'))
      await arrived.passed
      const closing = serving.close()
      // Another server closes later, with the same limit for what does not end.
      const other = await endless()
      await other.serving.close()
      held.open()
      await closing
      expect(await closed).toContain('200 OK')
    })
  })
})
