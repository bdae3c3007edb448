import { request as httpRequest } from 'node:http'
import { serve, type ServeOptions, type Serving } from 'commandry/node'
import { afterEach, describe, expect, it, vi } from 'vitest'
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

  it('rejects when the port is taken, or an option cannot be', async () => {
    const { port } = await started()
    await expect(started({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await expect(started({ handler: 5 as never })).rejects.toThrow(TypeError)
    await expect(started({ requestTimeout: 0 })).rejects.toThrow(TypeError)
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
