import type { RequestListener } from 'node:http'
import { requestListener } from 'commandry/node'
import { describe, expect, it } from 'vitest'
import { service } from '../http/service.ts'
import { listening } from '../../support/listening.ts'
import { connected, create, head, json, path, statusesOf, text } from './started.ts'

describe('size', () => {
  it('[7-01] responds with 413 to a declared or actual size above the limit and keeps the connection open', async () => {
    const { send, closed } = await connected({ handler: service({ maxBodyBytes: 1_000 }).handler })
    const large = 'x'.repeat(5_000)
    send(head('POST', [json, 'Content-Length: 5000']) + large)
    send(head('POST', [json, 'Transfer-Encoding: chunked']) + `1388\r\n${large}\r\n0\r\n\r\n`)
    send(head('POST', [json, 'Content-Length: 1000', 'Connection: close']) + text.padEnd(1_000))
    expect(statusesOf(await closed)).toEqual([413, 413, 201])
  })

  it('[7-01] responds with 413 before an endless body ends', async () => {
    const { send, until, socket } = await connected({ handler: service({ maxBodyBytes: 1_000 }).handler })
    send(head('POST', [json, 'Transfer-Encoding: chunked']) + `1388\r\n${'x'.repeat(5_000)}\r\n`)
    expect(await until('40005')).toMatch(/^HTTP\/1\.1 413/)
    socket.destroy()
  })

  it('[7-01] accepts a chunked body of exactly the limit, and no more', async () => {
    const { send, closed } = await connected({ handler: service({ maxBodyBytes: text.length }).handler })
    const chunked = (body: string) =>
      head('POST', [json, 'Transfer-Encoding: chunked']) +
      `1\r\n${body.slice(0, 1)}\r\n${(body.length - 1).toString(16)}\r\n${body.slice(1)}\r\n0\r\n\r\n`
    send(chunked(text) + chunked(`${text} `) + head('GET', ['Connection: close']))
    expect(statusesOf(await closed)).toEqual([201, 413, 200])
  })

  it('responds with 431 to an endless head', async () => {
    const { send, until } = await connected()
    send(`GET ${path} HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)
    const answer = await until('}')
    expect(answer).toMatch(/^HTTP\/1\.1 431 /)
    expect(answer).toContain('{"message":"431: Request Header Fields Too Large","code":0}')
  })
})

describe('a body that was already read', () => {
  const { handler } = service()
  const listener = requestListener(handler)

  const completeBody: RequestListener = async (request, response) => {
    for await (const _ of request);
    listener(request, response)
  }

  it.each<[string, string, RequestListener]>([
    ['to its end', text, completeBody],
    ['to its end, empty', '', completeBody],
    ['in part', text, (request, response) => void request.once('data', () => listener(request, response))],
  ])('[7-01] responds with 400 and a remedy: %s', async (_, body, inFront) => {
    const response = await create(await listening(inFront), body)
    const message = 'The body was already read; mount the service before body parsers'
    expect([response.status, await response.json()]).toEqual([400, { message, code: 0 }])
  })
})

describe('beside other routes', () => {
  async function ask(app: RequestListener, target: string) {
    const response = await fetch((await listening(app)) + target, { headers: { authorization: 'Bot bot' } })
    return [response.status, await response.text()]
  }

  it('passes other paths to the next handler with their body unread', async () => {
    const listener = requestListener(service().handler)
    const app: RequestListener = (request, response) =>
      listener(request, response, () => {
        response.end(`next: ${request.url} ${request.readableDidRead}`)
      })
    expect(await ask(app, '/health')).toEqual([200, 'next: /health false'])
    expect(await ask(app, '/api/v10/more')).toEqual([200, 'next: /api/v10/more false'])
    expect(await ask(app, path)).toEqual([200, '[]'])
    expect((await ask(app, `${path}/1`))[0]).toBe(404)
  })

  it('responds with 404 and its address when there is no next handler', async () => {
    expect(await ask(requestListener(service().handler), '/health')).toEqual([
      404,
      '{"message":"404: Not Found: this service has no GET /health; it is at /api/v10","code":0}',
    ])
  })
})
