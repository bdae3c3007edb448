import { serve } from 'commandry/node'
import { describe, expect, it } from 'vitest'
import { service } from '../http/service.ts'
import { gate, wire } from '../http/sockets.ts'
import { alive, connected, head, json, path, post, started, statusesOf, text } from './started.ts'

describe('serve', () => {
  it('listens on this machine only and returns its address', async () => {
    const { url, port } = await started()
    expect(url).toBe(`http://127.0.0.1:${port}`)
    const response = await fetch(url + path, { headers: { authorization: 'Bot bot' } })
    expect([response.status, await response.text()]).toEqual([200, '[]'])
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('date')).not.toBe(null)
  })

  it('returns a URL that works for every host', async () => {
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
    [{ port: 'x' }, /^port: expected an integer from 0 to 65535, got the string "x"/],
    [{ port: -1 }, /^port: expected/],
    [{ port: 65_536 }, /^port: expected/],
    [{ host: '' }, /^host: expected a name or an address/],
    [{ host: null }, /^host: expected/],
    ...['headersTimeout', 'requestTimeout', 'idleTimeout'].flatMap((name) =>
      [0, -1, 0.5, Number.NaN, 2 ** 31, '30', null].map(
        (value) =>
          [{ [name]: value }, new RegExp(`^${name}: expected an integer of milliseconds from 1 to`)] as const,
      ),
    ),
  ])('rejects %j with a TypeError', async (options, message) => {
    const starting = started(options as object)
    await expect(starting).rejects.toThrow(TypeError)
    await expect(starting).rejects.toThrow(message)
  })

  it('accepts Infinity for every timeout', async () => {
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

  it('keeps connections alive and responds to pipelined requests in order', async () => {
    const { send, until } = await connected()
    send(post + head('GET') + head('GET', [], `${path}/1`) + head('GET', ['Connection: close']))
    expect(statusesOf(await until('never'))).toEqual([201, 200, 404, 200])
  })

  it('[4.1-05] sends 204 without body or length', async () => {
    const { send, until } = await connected()
    send(post)
    const id = /"id":"(\d+)"/.exec(await until('\r\n\r\n{'))![1]
    send(head('DELETE', ['Connection: close'], `${path}/${id}`))
    const answer = (await until('never')).split('HTTP/1.1 204')[1]!
    expect(answer).toMatch(/\r\n\r\n$/)
    expect(answer.toLowerCase()).not.toMatch(/content-length|transfer-/)
  })

  it('sends the length of the GET body for HEAD', async () => {
    const { send, closed } = await connected()
    send(head('HEAD', ['Connection: close']))
    expect(await closed).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*Content-Length: 2\r\n[^]*\r\n\r\n$/)
  })

  it('accepts chunked bodies, absolute URLs as targets, and empty queries', async () => {
    const { send, closed } = await connected()
    const chunks = Array.from(text, (char) => `1\r\n${char}\r\n`).join('') + '0\r\n\r\n'
    send(head('POST', [json, 'Transfer-Encoding: chunked']) + chunks)
    send(head('GET', [], `http://elsewhere.test${path}?with_localizations=true`))
    send(head('GET', [], `${path}?`))
    send(head('OPTIONS', ['Connection: close'], '*'))
    expect(statusesOf(await closed)).toEqual([201, 200, 200, 404])
  })

  it('ignores the case of header names', async () => {
    const { send, closed } = await connected()
    send(`GET ${path} HTTP/1.1\r\nHOST: x\r\nAUTHORIZATION: bot bot\r\nconnection: close\r\n\r\n`)
    expect(await closed).toMatch(/^HTTP\/1\.1 200/)
  })
})

describe('timeouts', () => {
  it('respond with 408 to an endless head and close the connection', async () => {
    const { send, closed } = await connected({ headersTimeout: 60, requestTimeout: 60 })
    send('GET / HTTP/1.1\r\nX-Slow: ')
    expect(await closed).toMatch(/^HTTP\/1\.1 408 [^]*\{"message":"408: Request Timeout","code":0\}$/)
  })

  it('respond with 408 to an endless body and close the connection', async () => {
    const { send, closed, serving } = await connected({ requestTimeout: 60 })
    send(head('POST', [json, 'Content-Length: 100']) + '{"name":')
    expect(await closed).toMatch(/^HTTP\/1\.1 408 /)
    await alive(serving)
  })

  it("include the handler's, if shorter", async () => {
    const { handler } = service({ bodyTimeout: 40 })
    const { send, until, socket, serving } = await connected({ handler })
    send(head('POST', [json, 'Content-Length: 100']) + '{"name":')
    expect(await until('}')).toContain('{"message":"408: Request Timeout","code":0}')
    socket.destroy()
    await alive(serving)
  })

  it('close idle connections', async () => {
    const serving = await started({ headersTimeout: 60, requestTimeout: 60, idleTimeout: 60 })
    const silent = await Promise.all(Array.from({ length: 100 }, () => wire(serving.port)))
    await alive(serving)
    await Promise.all(silent.map(({ closed }) => closed))
  })

  it('close the connection of a client that stops reading', async () => {
    const dropped = gate()
    const { socket, send } = await connected({
      idleTimeout: 80,
      handler: (request) => {
        request.signal.addEventListener('abort', () => dropped.open())
        return new Response(new Uint8Array(64 * 1024 * 1024))
      },
    })
    socket.pause()
    send(head('GET'))
    await dropped.passed
    socket.destroy()
  })
})

it('closes when `await using` goes out of scope', async () => {
  const serving = await serve({ handler: service().handler })
  {
    await using same = serving
    await alive(same)
  }
  await expect(fetch(serving.url)).rejects.toThrow()
  expect(serving[Symbol.asyncDispose]()).toBe(serving.close())
})
