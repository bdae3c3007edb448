import { serve } from 'commandry/node'
import { describe, expect, it, vi } from 'vitest'
import { createCallbackHandler } from '../../src/http/callbacks.ts'
import { pendingAnswers } from '../../src/interaction/pending.ts'
import { used } from '../support/invoked.ts'
import { wire } from './sockets.ts'

const interaction = used({ name: 'ping', description: 'b' })
const { id, token } = interaction
const path = `/api/v10/interactions/${id}/${token}/callback`
const url = `https://service.test${path}`
const invalidJson = [400, '{"message":"The request body contains invalid JSON.","code":50109}']
const tooLarge = [
  413,
  '{"message":"Request entity too large. Try sending something smaller in size","code":40005}',
]
const MiB = 1024 * 1024

function waiting() {
  const answers = pendingAnswers()
  answers.expect(interaction)
  return createCallbackHandler({ answers })
}

function post(body: BodyInit | null, headers: Record<string, string> = {}, to = url) {
  return new Request(to, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
}

async function answered(response: Response) {
  return [response.status, await response.text()]
}

/** A body that tells how much of it was asked for, and whether its reader went away. */
function watched(chunk: Uint8Array) {
  const seen = { pulled: 0, cancelled: false }
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        seen.pulled++
        controller.enqueue(chunk)
      },
      cancel() {
        seen.cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { body, seen }
}

describe('the route of answers', () => {
  it('stands below a base path, and below nothing else', () => {
    const below = (basePath: string) => createCallbackHandler({ answers: pendingAnswers(), basePath })
    expect(() => below('api/')).toThrow(/^basePath: expected/)
    expect(() => below('')).not.toThrow()
  })

  it('[7-01] has one method, and names it', async () => {
    for (const method of ['GET', 'PUT', 'OPTIONS']) {
      const response = await waiting()(new Request(url, { method }))
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
      expect(await response.json()).toEqual({ message: '405: Method Not Allowed', code: 0 })
    }
  })

  it('[7-01] refuses what is nested too deep: 400, code 50109', async () => {
    const nested = (depth: number) =>
      `{"type":4,"data":{"content":"x","components":${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}}}`
    for (const depth of [101, 5_000, 1_000_000]) {
      expect(await answered(await waiting()(post(nested(depth))))).toEqual(invalidJson)
      const form = new FormData()
      form.set('payload_json', nested(depth))
      expect(await answered(await waiting()(post(form)))).toEqual(invalidJson)
    }
    expect((await waiting()(post(nested(100)))).status).toBe(204)
  })

  it('[7-01] refuses what is no JSON: 400, code 50109', async () => {
    const latin = new Uint8Array([...new TextEncoder().encode('{"type":5,"x":"'), 0xe9, 0x22, 0x7d])
    for (const body of ['', '{', latin, new FormData()]) {
      expect(await answered(await waiting()(post(body)))).toEqual(invalidJson)
    }
    const broken = post('--x', { 'content-type': 'Multipart/Form-Data; boundary=x' })
    expect(await answered(await waiting()(broken))).toEqual(invalidJson)
  })

  it('[7-01] takes 8 MiB and not a byte more: 413', async () => {
    const padded = (length: number) => {
      const start = '{"type":5,"padding":"'
      return `${start}${'x'.repeat(length - start.length - 2)}"}`
    }
    expect((await waiting()(post(padded(8 * MiB)))).status).toBe(204)
    expect(await answered(await waiting()(post(padded(8 * MiB + 1))))).toEqual(tooLarge)
    const { body, seen } = watched(new Uint8Array(MiB))
    expect(await answered(await waiting()(post(body)))).toEqual(tooLarge)
    expect(seen).toEqual({ pulled: 9, cancelled: true })
    const declared = watched(new Uint8Array(MiB))
    const length = { 'content-length': String(8 * MiB + 1) }
    expect(await answered(await waiting()(post(declared.body, length)))).toEqual(tooLarge)
    expect(declared.seen.pulled).toBe(0)
  })

  it('[7-01] takes as many files as a message can have, and no more', async () => {
    const form = (files: number) => {
      const data = new FormData()
      data.set('payload_json', '{"type":5}')
      const file = new Blob([new Uint8Array(interaction.attachment_size_limit)])
      for (let n = 0; n < files; n++) data.set(`files[${n}]`, file, 'x.bin')
      return data
    }
    expect((await waiting()(post(form(1)))).status).toBe(204)
    expect(await answered(await waiting()(post(form(11))))).toEqual(tooLarge)
  })

  it('reads nothing for an interaction that waits for no answer', async () => {
    const answers = pendingAnswers()
    const handler = createCallbackHandler({ answers })
    const { body, seen } = watched(new TextEncoder().encode('{'))
    const unknown = [404, '{"message":"Unknown interaction","code":10062}']
    expect(await answered(await handler(post(body)))).toEqual(unknown)
    answers.expect(interaction).acknowledge()
    const second = watched(new TextEncoder().encode('{'))
    expect(await answered(await handler(post(second.body)))).toEqual([
      400,
      '{"message":"Interaction has already been acknowledged","code":40060}',
    ])
    expect([seen.pulled, second.seen.pulled]).toEqual([0, 0])
    answers.expect(interaction)
    const other = url.replace(token, 'other')
    expect(await answered(await handler(post('{"type":5}', {}, other)))).toEqual(unknown)
    expect((await handler(post('{"type":5}', {}, url.replace(token, `%${hex(token)}`)))).status).toBe(204)
  })

  it('does not reject when its answers do: 500', async () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {})
    const lost = new Error('lost')
    const answers = {
      ...pendingAnswers(),
      stateOf() {
        throw lost
      },
    }
    try {
      expect((await createCallbackHandler({ answers })(post('{"type":5}'))).status).toBe(500)
      expect(told.mock.calls).toEqual([[lost]])
    } finally {
      told.mockRestore()
    }
  })

  it('answers on a socket too, whatever is sent', async () => {
    const serving = await serve({ handler: waiting() })
    try {
      const { send, until } = await wire(serving.port)
      const head = (length: number) =>
        `POST ${path} HTTP/1.1\r\nHost: service.test\r\nContent-Length: ${length}\r\n\r\n`
      const deep = '['.repeat(5_000)
      send(head(deep.length) + deep)
      await until('50109')
      send(head(200 * MiB))
      expect(await until('40005')).toMatch(/HTTP\/1\.1 413/)
    } finally {
      await serving.close()
    }
  })
})

/** The first character as an escape, the others as they are. */
function hex(text: string): string {
  return text.charCodeAt(0).toString(16) + text.slice(1)
}
