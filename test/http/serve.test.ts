import { createServer, request as httpRequest, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { requestListener, serve, type ServeOptions, type Serving } from 'commandry/node'
import express from 'express'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { handlerOf } from '../../src/http/handler.ts'
import { APP, base, hello, service } from './service.ts'
import { gate, wire } from './sockets.ts'

const open: Serving[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((serving) => serving.close()))
})

async function started(options: Partial<ServeOptions> = {}): Promise<Serving> {
  const serving = await serve({ handler: service().handler, ...options })
  open.push(serving)
  return serving
}

const path = `/api/v10${base}`
const head = (method: string, more: readonly string[] = [], target = path) =>
  [`${method} ${target} HTTP/1.1`, 'Host: service.test', 'Authorization: Bot bot', ...more, '', ''].join(
    '\r\n',
  )
const json = 'Content-Type: application/json'
const text = JSON.stringify(hello)
const post = head('POST', [json, `Content-Length: ${text.length}`]) + text

/** An answer that begins, and goes on when it is time. */
function streamed(first: string, time: Promise<void>, second: string): Response {
  const encoder = new TextEncoder()
  return new Response(
    new ReadableStream({
      async start(controller) {
        controller.enqueue(encoder.encode(first))
        await time
        controller.enqueue(encoder.encode(second))
        controller.close()
      },
    }),
  )
}

/** What a chunked answer holds. */
const bodyOf = (answer: string) => answer.split('\r\n\r\n')[1]!.replace(/^[\da-f]+\r\n|\r\n0$/g, '')

/** Whether the service is still there. */
async function alive({ url }: Serving): Promise<void> {
  const response = await fetch(url + path, { headers: { authorization: 'Bot bot' } })
  expect(response.status).toBe(200)
  await response.text()
}

describe('answers on the wire', () => {
  it('listens on this machine alone, and tells where', async () => {
    const { url, port } = await started()
    expect(url).toBe(`http://127.0.0.1:${port}`)
    const response = await fetch(url + path, { headers: { authorization: 'Bot bot' } })
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'application/json',
      '[]',
    ])
    expect(response.headers.get('date')).not.toBe(null)
  })

  it('tells a URL that works, whatever it listens on', async () => {
    for (const host of ['0.0.0.0', 'localhost']) {
      const serving = await started({ host })
      expect(serving.url).toBe(`http://localhost:${serving.port}`)
      await alive(serving)
    }
  })

  it('rejects when the port is taken', async () => {
    const { port } = await started()
    await expect(started({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  it.each<readonly [object, RegExp]>([
    [{ handler: 5 }, /^handler: expected a function/],
    [{ port: 'x' }, /^port: expected a whole number from 0 to 65535, got the string "x"/],
    [{ port: -1 }, /^port: expected/],
    [{ port: 65_536 }, /^port: expected/],
    [{ host: '' }, /^host: expected a name or an address/],
    [{ host: null }, /^host: expected/],
    ...['headersTimeout', 'requestTimeout', 'idleTimeout'].flatMap((name) =>
      [0, -1, 0.5, Number.NaN, 2 ** 31, '30'].map(
        (value) =>
          [{ [name]: value }, new RegExp(`^${name}: expected whole milliseconds from 1 to`)] as const,
      ),
    ),
  ])('%j is a TypeError', async (options, message) => {
    const starting = started(options as object)
    await expect(starting).rejects.toThrow(TypeError)
    await expect(starting).rejects.toThrow(message)
  })

  it('takes any time where it is told to', async () => {
    for (const options of [
      { headersTimeout: Infinity, requestTimeout: Infinity, idleTimeout: Infinity },
      { requestTimeout: Infinity },
      { headersTimeout: Infinity, requestTimeout: 2 ** 31 - 1 },
    ]) {
      const serving = await started(options)
      const { send, until, socket } = await wire(serving.port)
      send(head('GET').slice(0, 40))
      await alive(serving)
      send(head('GET').slice(40))
      expect(await until('[]')).toMatch(/^HTTP\/1\.1 200/)
      socket.destroy()
    }
  })

  it('keeps a connection for the next request, and answers those sent ahead in their order', async () => {
    const { port } = await started()
    const { send, until } = await wire(port)
    send(post + head('GET') + head('GET', [], `${path}/1`) + head('GET', ['Connection: close']))
    const all = await until('never')
    expect(all.match(/HTTP\/1\.1 \d+/g)).toEqual([
      'HTTP/1.1 201',
      'HTTP/1.1 200',
      'HTTP/1.1 404',
      'HTTP/1.1 200',
    ])
  })

  it('[4.1-05] 204 has no body, no length and no type', async () => {
    const { port } = await started()
    const { send, until } = await wire(port)
    send(post)
    const id = /"id":"(\d+)"/.exec(await until('\r\n\r\n{'))![1]
    send(head('DELETE', ['Connection: close'], `${path}/${id}`))
    const answer = (await until('never')).split('HTTP/1.1 204')[1]!
    expect(answer).toMatch(/\r\n\r\n$/)
    expect(answer.toLowerCase()).not.toMatch(/content-|transfer-/)
  })

  it('HEAD has the length of what GET would bring', async () => {
    const { port } = await started()
    const { send, closed } = await wire(port)
    send(head('HEAD', ['Connection: close']))
    expect(await closed).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Content-Length: 2\r\n[^]*\r\n\r\n$/)
  })

  it('takes chunked bodies, whole URLs as targets, and empty queries', async () => {
    const { port } = await started()
    const { send, closed } = await wire(port)
    const chunks = Array.from(text, (char) => `1\r\n${char}\r\n`).join('') + '0\r\n\r\n'
    send(head('POST', [json, 'Transfer-Encoding: chunked']) + chunks)
    send(head('GET', [], `http://elsewhere.test${path}?with_localizations=true`))
    send(head('GET', [], `${path}?`))
    send(head('OPTIONS', ['Connection: close'], '*'))
    const statuses = (await closed).match(/HTTP\/1\.1 \d+/g)
    expect(statuses).toEqual(['HTTP/1.1 201', 'HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 404'])
  })

  it('takes names of headers in any case', async () => {
    const { port } = await started()
    const { send, closed } = await wire(port)
    send(`GET ${path} HTTP/1.1\r\nHOST: x\r\nAUTHORIZATION: bot bot\r\nconnection: close\r\n\r\n`)
    expect(await closed).toMatch(/^HTTP\/1\.1 200/)
  })
})

describe('too much', () => {
  it('[7-01] a body that says it is too large, and one that turns out to be: 413, and the connection lives', async () => {
    const { port } = await started({ handler: service({ maxBodyBytes: 1_000 }).handler })
    const { send, closed } = await wire(port)
    const large = 'x'.repeat(5_000)
    send(head('POST', [json, 'Content-Length: 5000']) + large)
    send(head('POST', [json, 'Transfer-Encoding: chunked']) + `1388\r\n${large}\r\n0\r\n\r\n`)
    send(head('GET', ['Connection: close']))
    const statuses = (await closed).match(/HTTP\/1\.1 \d+/g)
    expect(statuses).toEqual(['HTTP/1.1 413', 'HTTP/1.1 413', 'HTTP/1.1 200'])
  })

  it('[7-01] 413 comes before a body without an end does', async () => {
    const { port } = await started({ handler: service({ maxBodyBytes: 1_000 }).handler })
    const { send, until, socket } = await wire(port)
    send(head('POST', [json, 'Transfer-Encoding: chunked']) + `1388\r\n${'x'.repeat(5_000)}\r\n`)
    expect(await until('40005')).toMatch(/^HTTP\/1\.1 413/)
    socket.destroy()
  })

  it('a head without an end: 431', async () => {
    const { port } = await started()
    const { send, until } = await wire(port)
    send(`GET ${path} HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)
    const answer = await until('}')
    expect(answer).toMatch(/^HTTP\/1\.1 431 /)
    expect(answer).toContain('{"message":"431: Request Header Fields Too Large","code":0}')
  })
})

describe('too slow', () => {
  it('a head that does not end: 408, and the connection is dropped', async () => {
    const serving = await started({ headersTimeout: 60, requestTimeout: 60 })
    const { send, closed } = await wire(serving.port)
    send('GET / HTTP/1.1\r\nX-Slow: ')
    expect(await closed).toMatch(/^HTTP\/1\.1 408 [^]*\{"message":"408: Request Timeout","code":0\}$/)
  })

  it('a body that does not end: 408, and the connection is dropped', async () => {
    const serving = await started({ requestTimeout: 60 })
    const { send, closed } = await wire(serving.port)
    send(head('POST', [json, 'Content-Length: 100']) + '{"name":')
    expect(await closed).toMatch(/^HTTP\/1\.1 408 /)
    await alive(serving)
  })

  it("the handler's own limit answers before the listener's does", async () => {
    const serving = await started({ handler: service({ bodyTimeout: 40 }).handler })
    const { send, until, socket } = await wire(serving.port)
    send(head('POST', [json, 'Content-Length: 100']) + '{"name":')
    expect(await until('}')).toContain('{"message":"408: Request Timeout","code":0}')
    socket.destroy()
    await alive(serving)
  })

  it('connections that say nothing are dropped, however many', async () => {
    const serving = await started({ headersTimeout: 60, requestTimeout: 60, idleTimeout: 60 })
    const silent = await Promise.all(Array.from({ length: 100 }, () => wire(serving.port)))
    await alive(serving)
    await Promise.all(silent.map(({ closed }) => closed))
  })

  it('a reader who stops reading is dropped', async () => {
    const dropped = gate()
    const serving = await started({
      idleTimeout: 80,
      handler: (request) => {
        request.signal.addEventListener('abort', () => dropped.open())
        return new Response(new Uint8Array(64 * 1024 * 1024))
      },
    })
    const { socket, send } = await wire(serving.port)
    socket.pause()
    send(head('GET'))
    await dropped.passed
    socket.destroy()
  })
})

describe('broken connections', () => {
  it.each([
    ['nonsense', 'hello there\r\n\r\n'],
    ['a method in small letters', 'get / HTTP/1.1\r\n\r\n'],
    ['a bad length', head('POST', [json, 'Content-Length: x'])],
    ['two lengths', head('POST', [json, 'Content-Length: 1', 'Content-Length: 2'])],
    ['a bad chunk', head('POST', [json, 'Transfer-Encoding: chunked']) + 'zz\r\n'],
    ['TLS', new Uint8Array([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00])],
  ])('%s: 400, and nothing else suffers', async (_, sent) => {
    const serving = await started()
    const { send, closed } = await wire(serving.port)
    send(sent)
    expect(await closed).toMatch(/^HTTP\/1\.1 400 [^]*\{"message":"400: Bad Request","code":0\}$/)
    await alive(serving)
  })

  it.each([
    ['without a host', `GET ${path} HTTP/1.1\r\n\r\n`, '400 Bad Request', '400: Bad Request'],
    [
      'that expects what nobody knows',
      head('POST', ['Expect: foo', json, 'Content-Length: 5']) + 'hello',
      '417 Expectation Failed',
      '417: Expectation Failed',
    ],
    ['that is none', 'hello there\r\n\r\n', '400 Bad Request', '400: Bad Request'],
  ])(
    '[7-01] a request %s is refused as any other, with a date, and the end',
    async (_, sent, line, message) => {
      const { port } = await started()
      const { send, closed } = await wire(port)
      send(sent)
      const [top, body] = (await closed).split('\r\n\r\n')
      const [first, ...headers] = top!.split('\r\n')
      expect([first, body]).toEqual([`HTTP/1.1 ${line}`, `{"message":"${message}","code":0}`])
      const date = headers.find((header) => header.startsWith('Date: '))
      expect(Date.parse(date!.slice(6))).toBeGreaterThan(Date.UTC(2020))
      expect(headers.filter((header) => !header.startsWith('Date: ')).sort()).toEqual([
        'Connection: close',
        `Content-Length: ${body!.length}`,
        'Content-Type: application/json',
      ])
    },
  )

  it('takes HTTP/1.0, which knows no host, and waits for what is told to go on', async () => {
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

  it('nonsense after a request whose answer is under way does not get into it', async () => {
    const held = gate()
    const { port } = await started({ handler: () => streamed('begun', held.passed, 'ended') })
    const { send, until, closed } = await wire(port)
    send(head('GET'))
    await until('begun')
    send('hello there\r\n\r\n')
    const answer = await closed
    held.open()
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200'])
  })

  it('connections that break off anywhere leave the service whole', async () => {
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

  it('a caller who leaves while the answer is being made leaves the service whole', async () => {
    const held = gate()
    const arrived = gate()
    const { registry } = service()
    const { handler } = service({
      authenticate: async () => {
        arrived.open()
        await held.passed
        return { type: 'Bot', applicationId: APP }
      },
      registry,
    })
    const serving = await started({ handler })
    const { send, socket, closed } = await wire(serving.port)
    send(post)
    await arrived.passed
    socket.resetAndDestroy()
    await closed
    held.open()
    await alive(serving)
  })

  it('a caller who has left before the body is asked for keeps nobody waiting', async () => {
    const held = gate()
    const left = gate()
    const ended = gate()
    const { handler } = service({
      authenticate: async () => {
        await held.passed
        return { type: 'Bot', applicationId: APP }
      },
      bodyTimeout: () => () => ended.open(),
    })
    const server = createServer(requestListener(handler))
    server.on('request', (request) => request.on('close', left.open))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const { send, socket } = await wire((server.address() as AddressInfo).port)
      send(head('POST', [json, 'Content-Length: 100']) + '{"name":')
      server.on('request', () => socket.resetAndDestroy())
      await left.passed
      held.open()
      await ended.passed
    } finally {
      server.close()
    }
  })
})

describe('a body that was read before it came here', () => {
  const { handler } = service()
  const listener = requestListener(handler)

  const toItsEnd: RequestListener = async (request, response) => {
    for await (const _ of request);
    listener(request, response)
  }

  it.each<[string, string, RequestListener]>([
    ['by Express', text, express().use(express.json()).use(listener)],
    ['to its end', text, toItsEnd],
    ['to its end, which was its beginning', '', toItsEnd],
    ['in part', text, (request, response) => void request.once('data', () => listener(request, response))],
  ])('[7-01] %s: 400, and what to do about it', async (_, body, inFront) => {
    const server = createServer(inFront)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    try {
      const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
        method: 'POST',
        headers: { authorization: 'Bot bot', 'content-type': 'application/json' },
        body,
      })
      expect([response.status, await response.json()]).toEqual([
        400,
        {
          message: 'The body was read before it came here; mount the service before body parsers',
          code: 0,
        },
      ])
    } finally {
      server.close()
    }
  })
})

describe('close', () => {
  it('answers what is on its way, drops what waits, and takes nothing more', async () => {
    const held = gate()
    const arrived = gate()
    const { handler } = service({
      authenticate: async () => {
        arrived.open()
        await held.passed
        return { type: 'Bot', applicationId: APP }
      },
    })
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
    const closing = serving.close().then(() => {
      isClosed = true
    })
    expect(serving.close()).toBe(serving.close())
    expect(await silent.closed).toBe('')
    expect(await halfway.closed).toBe('')
    expect((await idle.closed).split('HTTP/1.1')).toHaveLength(2)
    await expect(fetch(serving.url)).rejects.toThrow()
    expect(isClosed).toBe(false)
    held.open()
    expect(await busy.closed).toMatch(
      /^HTTP\/1\.1 201 Created\r\n[^]*Connection: close\r\n[^]*"name":"hello"/,
    )
    await closing
  })

  it('is done at once when nothing is going on', async () => {
    await (await serve({ handler: service().handler })).close()
  })

  it('answers all that were sent ahead, and ends the connection with the last of them', async () => {
    const held = gate()
    const arrived = gate()
    let asked = 0
    const { handler } = service({
      authenticate: async () => {
        if (++asked === 3) arrived.open()
        await held.passed
        return { type: 'Bot', applicationId: APP }
      },
    })
    const serving = await serve({ handler })
    const { send, closed } = await wire(serving.port)
    send(head('GET') + post + head('GET', [], `${path}/1`))
    await arrived.passed
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

  it('does nothing of what comes after the answers it owes', async () => {
    const begun = gate()
    const asked: string[] = []
    const serving = await serve({
      handler: async (request) => {
        asked.push(request.method)
        begun.open()
        return new Response(await request.text())
      },
    })
    const { send, closed } = await wire(serving.port)
    send(head('POST', ['Content-Length: 10']) + 'first')
    await begun.passed
    const closing = serving.close()
    // What ends the first request brings the next, so the one is here when the other is answered.
    send('later' + head('DELETE'))
    const answer = await closed
    await closing
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Connection: close\r\n[^]*firstlater/)
    expect(answer.split('HTTP/1.1')).toHaveLength(2)
    expect(asked).toEqual(['POST'])
  })

  it('sends the whole of an answer that is on its way, and of those after it', async () => {
    const size = 16 * 1024 * 1024
    const made = gate()
    let asked = 0
    const handler = handlerOf(() => {
      if (++asked === 2) setImmediate(made.open)
      return Promise.resolve({ status: 200, headers: {}, body: 'x'.repeat(size) })
    })
    const serving = await serve({ handler })
    const { socket, send, closed } = await wire(serving.port)
    socket.pause()
    send(head('GET') + head('GET'))
    await made.passed
    const closing = serving.close()
    socket.resume()
    const answers = (await closed).split('\r\n\r\n')
    await closing
    expect(answers.map((part) => part.replace(/[^x]/g, '').length >= size)).toEqual([false, true, true])
  })

  it('ends a connection whose answer had begun as one of several', async () => {
    const held = gate()
    const serving = await serve({ handler: () => streamed('begun', held.passed, 'ended') })
    const { send, until, closed } = await wire(serving.port)
    send(head('GET'))
    expect(await until('begun')).toContain('Connection: keep-alive')
    const closing = serving.close()
    const started = performance.now()
    held.open()
    expect(await closed).toContain('ended')
    await closing
    // Left to itself, a connection that may be used again is kept for 5 seconds.
    expect(performance.now() - started).toBeLessThan(4_000)
  })

  it('drops a request that goes on arriving for ever, though some of it always does', async () => {
    const begun = gate()
    const serving = await serve({
      requestTimeout: 500,
      handler: async (request) => {
        begun.open()
        return new Response(await request.text().catch(() => 'broken'))
      },
    })
    const { send, socket, closed } = await wire(serving.port)
    send(head('POST', ['Content-Length: 1000000']))
    await begun.passed
    const closing = serving.close()
    const drip = setInterval(() => send('x'), 20)
    socket.on('close', () => clearInterval(drip))
    await closing
    expect(await closed).not.toContain('200 OK')
  })

  it('waits for a request that has arrived, however long its answer takes', async () => {
    const begun = gate()
    const serving = await serve({
      requestTimeout: 500,
      handler: async () => {
        begun.open()
        await new Promise((resolve) => setTimeout(resolve, 700))
        return new Response('late')
      },
    })
    const { send, closed } = await wire(serving.port)
    send(head('GET'))
    await begun.passed
    await serving.close()
    expect(await closed).toContain('late')
  })
})

describe('a handler of another make', () => {
  it('gets a Web request and streams its answer', async () => {
    const { url } = await started({
      handler: async (request) => {
        const body = request.method === 'GET' ? null : await request.text()
        const headers = new Headers({
          'x-seen': `${request.method} ${new URL(request.url).pathname} ${body}`,
        })
        headers.append('set-cookie', 'a=1')
        headers.append('set-cookie', 'b=2')
        return new Response(
          new ReadableStream({
            start(controller) {
              for (const part of ['one', 'two']) controller.enqueue(new TextEncoder().encode(part))
              controller.close()
            },
          }),
          { status: 418, headers },
        )
      },
    })
    const response = await fetch(`${url}/tea?x=1`, { method: 'POST', body: 'leaves' })
    expect([response.status, await response.text()]).toEqual([418, 'onetwo'])
    expect(response.headers.get('x-seen')).toBe('POST /tea leaves')
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect((await fetch(url)).headers.get('x-seen')).toBe('GET / null')
    expect(await (await fetch(url, { method: 'HEAD' })).text()).toBe('')
  })

  it('wraps the service as a host likes', async () => {
    const { handler } = service()
    const { url } = await started({
      handler: (request) => (request.url.endsWith('/health') ? new Response('well') : handler(request)),
    })
    expect(await (await fetch(`${url}/health`)).text()).toBe('well')
    const created = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: 'Bot bot', 'content-type': 'application/json' },
      body: text,
    })
    expect([created.status, created.headers.get('content-type')]).toEqual([201, 'application/json'])
  })

  it('that fails is answered with 500, or broken off when it has begun', async () => {
    const errors = vi.spyOn(console, 'error').mockImplementation(() => {})
    try {
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
      expect([early.status, await early.json()]).toEqual([
        500,
        { message: '500: Internal Server Error', code: 0 },
      ])
      await expect(fetch(`${url}/late`).then((response) => response.text())).rejects.toThrow()
      expect(errors).toHaveBeenCalledTimes(2)
    } finally {
      errors.mockRestore()
    }
  })

  it('gets the path that was asked for, whatever the host is said to be', async () => {
    const { port } = await started({ handler: (request) => new Response(request.url) })
    for (const [host, target, url] of [
      ['api.test', '/real?a=1', 'http://api.test/real?a=1'],
      ['api.test:8080', '/real', 'http://api.test:8080/real'],
      ['[::1]:8080', '/real', 'http://[::1]:8080/real'],
      ['x/evil?', '/real', 'http://localhost/real'],
      ['x#', '/real', 'http://localhost/real'],
      ['user:secret@x', '/real', 'http://localhost/real'],
      ['x\\evil', '/real', 'http://localhost/real'],
      ['x:99999', '/real', 'http://localhost/real'],
      ['[::1', '/real', 'http://localhost/real'],
      ['x y', '/real', 'http://localhost/real'],
      ['', '/real', 'http://localhost/real'],
      ['api.test', '//evil/real', 'http://api.test//evil/real'],
      ['api.test', 'http://[evil/real', 'http://api.test/http://[evil/real'],
    ] as const) {
      const { send, closed } = await wire(port)
      send(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      expect([host, bodyOf(await closed)]).toEqual([host, url])
    }
  })

  it('gets no request that the Web does not know', async () => {
    const { port } = await started({ handler: () => new Response('reached') })
    const status = await new Promise((resolve, reject) => {
      httpRequest({ port, host: '127.0.0.1', method: 'TRACE', path: '/' }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
        .on('error', reject)
        .end()
    })
    expect(status).toBe(400)
  })
})
