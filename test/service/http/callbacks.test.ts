import { describe, expect, it, vi, onTestFinished } from 'vitest'
import { pendingAnswers } from 'commandry/interactions'
import { used } from '../../support/invoked.ts'
import { answered, invalidJson, post as request, service, tooDeep, tooLarge, watched } from './service.ts'
import { connected } from '../node/started.ts'
import { callbackHandler } from '../../support/callback-handler.ts'

const interaction = used({ name: 'ping', description: 'b' })
const { id, token } = interaction
const path = `/api/v10/interactions/${id}/${token}/callback`
const url = `https://service.test${path}`

/** Answers among which the interaction waits for its own. */
function pending() {
  const answers = pendingAnswers()
  answers.expect(interaction)
  return answers
}

const waiting = () => callbackHandler(pending())

const post = (body: BodyInit | null, headers?: Record<string, string>, to = url) => request(to, body, headers)

/** The status and the text of the response to a request, of an interaction that waits. */
const lineOf = async (sent: Request, handler = waiting()) => (await answered(await handler(sent))).line

const repeated = (chunk: Uint8Array) => watched((controller) => controller.enqueue(chunk))

describe('the callback route', () => {
  it('rejects an invalid base path', () => {
    const below = (basePath: string) => callbackHandler(pendingAnswers(), basePath)
    expect(() => below('api/')).toThrow(/^basePath: expected/)
    expect(() => below('')).not.toThrow()
  })

  it('[7-01] lists its methods', async () => {
    for (const method of ['GET', 'PUT']) {
      const response = await waiting()(new Request(url, { method }))
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
      expect(await response.json()).toEqual({ message: '405: Method Not Allowed', code: 0 })
    }
  })

  it('[7-01] responds with 400 and code 50109 to an answer that is not JSON', async () => {
    const deep = new FormData()
    deep.set('payload_json', `{"type":5,"x":${'['.repeat(100)}${']'.repeat(100)}}`)
    for (const body of ['', '{', new FormData()]) expect(await lineOf(post(body))).toBe(invalidJson)
    expect(await lineOf(post(deep))).toBe(tooDeep)
    const broken = post('--x', { 'content-type': 'Multipart/Form-Data; boundary=x' })
    expect(await lineOf(broken)).toBe(invalidJson)
  })

  it('[7-01] accepts as many files as a message can have', async () => {
    const form = (files: number) => {
      const data = new FormData()
      data.set('payload_json', '{"type":5}')
      const file = new Blob([new Uint8Array(interaction.attachment_size_limit)])
      for (let n = 0; n < files; n++) data.set(`files[${n}]`, file, 'x.bin')
      return data
    }
    expect((await waiting()(post(form(1)))).status).toBe(204)
    expect(await lineOf(post(form(11)))).toBe(tooLarge)
  })

  it('accepts a form without files as py-cord sends it', async () => {
    const form = new URLSearchParams({ payload_json: '{"type":4,"data":{"content":"a b&c"}}' })
    const { handler, send } = service({ answers: pending() })
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await handler(post(form, type))).status).toBe(204)
    const original = `/webhooks/${interaction.application_id}/${token}/messages/@original`
    expect((await send('GET', original, { authorization: null })).body.content).toBe('a b&c')
  })

  it('reads no body for an interaction that expects no answer', async () => {
    const answers = pendingAnswers()
    const handler = callbackHandler(answers)
    const { body, seen } = repeated(new TextEncoder().encode('{'))
    const unknown = '404 {"message":"Unknown interaction","code":10062}'
    expect(await lineOf(post(body), handler)).toBe(unknown)
    answers.expect(interaction).acknowledge()
    const second = repeated(new TextEncoder().encode('{'))
    expect(await lineOf(post(second.body), handler)).toBe(
      '400 {"message":"Interaction has already been acknowledged","code":40060}',
    )
    expect([seen.pulled, second.seen.pulled]).toEqual([0, 0])
    answers.expect(interaction)
    const other = url.replace(token, 'other')
    expect(await lineOf(post('{"type":5}', {}, other), handler)).toBe(unknown)
    const escaped = `%${token.charCodeAt(0).toString(16)}${token.slice(1)}`
    expect((await handler(post('{"type":5}', {}, url.replace(token, escaped)))).status).toBe(204)
  })

  it('responds with 500 when the store of answers fails', async () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => told.mockRestore())
    const lost = new Error('lost')
    const stateOf = () => {
      throw lost
    }
    const answers = { ...pendingAnswers(), stateOf }
    expect((await callbackHandler(answers)(post('{"type":5}'))).status).toBe(500)
    expect(told.mock.calls).toEqual([[lost]])
  })

  it('[2.11-09] is part of createHandler, without a token', async () => {
    const { handler } = service({ answers: pending() })
    const response = await handler(post('{"type":5}', {}, `${url}?with_response=true`))
    expect(response.status).toBe(200)
    const shown = { response_message_loading: true, response_message_ephemeral: false }
    expect(await response.json()).toEqual({
      interaction: { id, type: 2, response_message_id: expect.any(String), ...shown },
      resource: { type: 5 },
    })
    expect((await handler(post('{"type":5}'))).status).toBe(400)
    expect((await service().handler(post('{"type":5}'))).status).toBe(404)
  })

  it('[2.11-12] responds with 400 and code 50006 to an empty message, after errors of the form', async () => {
    for (const data of ['{}', '{"content":" "}', '{"embeds":[]}'])
      expect(await lineOf(post(`{"type":4,"data":${data}}`))).toBe(
        '400 {"message":"Cannot send an empty message","code":50006}',
      )
    const errorsOf = async (body: string) => (await answered(await waiting()(post(body)))).body.errors
    const required = { _errors: [{ code: 'BASE_TYPE_REQUIRED', message: 'This field is required' }] }
    const embeds = { 0: { description: required } }
    expect(await errorsOf('{"type":4,"data":{"embeds":[{}]}}')).toEqual({ data: { embeds } })
    expect(await errorsOf('{"data":{"content":"x"}}')).toEqual({ type: required })
  })

  it.each(['x', '-', '--', ':', 'b', 'a'.repeat(15), '1'.repeat(16), "'()+_,-./:=?", 'z'.repeat(70)])(
    '[2.11-11] reads a form with the boundary %s, which its parts have in their texts too',
    async (boundary) => {
      const { handler, send } = service({ answers: pending() })
      const content = `${boundary} --${boundary} x-: b\r\n${boundary}\r\n--${boundary}b`
      const json = JSON.stringify({ type: 4, data: { content } })
      const part = (name: string, text: string) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}\r\n\r\n${text}\r\n`
      const file = part('files[0]"; filename="a-x:b.txt"', 'x\r\n-')
      const form = `${part('payload_json"', json)}${file}--${boundary}--\r\n`
      const type = { 'content-type': `multipart/form-data; boundary="${boundary}"` }
      expect((await handler(post(form, type))).status).toBe(204)
      const original = `/webhooks/${interaction.application_id}/${token}/messages/@original`
      const { body } = await send('GET', original, { authorization: null })
      expect(body).toMatchObject({ content, attachments: [{ filename: 'a-x_b.txt' }] })
    },
  )

  it('[2.11-12] says of a form of 40,000 files what it says of one of eleven', async () => {
    const errorsOf = async (count: number) => {
      const part = (name: string, text: string) =>
        `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`
      const json = part('payload_json', '{"type":4,"data":{"content":"x"}}')
      const file = (_: unknown, index: number) => part(`files[${index % 1000}]"; filename="a.txt`, 'x')
      const form = `${json}${Array.from({ length: count }, file).join('')}--b--\r\n`
      const type = { 'content-type': 'multipart/form-data; boundary=b' }
      return (await answered(await waiting()(post(form, type)))).body
    }
    const few = await errorsOf(11)
    expect(JSON.stringify(few)).toContain('Must be 10 or fewer in length')
    expect(await errorsOf(40_000)).toMatchObject({ code: few.code, message: few.message })
    expect(JSON.stringify(await errorsOf(40_000))).toContain('Must be 10 or fewer in length')
  })

  it('[2.11-11] keeps the names, types and sizes of files, and sends, reads, edits and deletes messages', async () => {
    const { handler, send } = service({ answers: pending() })
    const form = new FormData()
    form.set('payload_json', '{"type":4,"data":{"content":"hello"}}')
    form.set('files[0]', new Blob(['secret'], { type: 'text/plain' }), 'a.txt')
    expect((await handler(post(form))).status).toBe(204)
    const webhook = `/webhooks/${interaction.application_id}/${token}`
    const call = (method: string, to: string, body?: object) =>
      send(method, to, { authorization: null, body })
    const original = await call('GET', `${webhook}/messages/%40original`)
    expect(original).toMatchObject({
      status: 200,
      body: { content: 'hello', attachments: [{ filename: 'a.txt', size: 6 }] },
    })
    expect(original.text).not.toContain('secret')
    const edited = await call('PATCH', `${webhook}/messages/@original`, { content: 'edited' })
    expect(edited).toMatchObject({ status: 200, body: { content: 'edited' } })
    const sent = await call('POST', webhook, { content: 'more' })
    const followUp = `${webhook}/messages/${sent.body.id}`
    const answers = [sent, await call('GET', followUp), await call('DELETE', followUp)]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 204])
    expect((await call('GET', followUp)).line).toBe('404 {"message":"Unknown Message","code":10008}')
    expect((await call('POST', webhook, {})).body.code).toBe(50006)
    expect((await call('POST', `${webhook}x`, { content: 'x' })).body.code).toBe(10015)
  })

  it('responds on a socket to hostile bodies', async () => {
    const { send, until } = await connected({ handler: waiting() })
    const head = (length: number) =>
      `POST ${path} HTTP/1.1\r\nHost: service.test\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`
    const deep = '['.repeat(5_000)
    send(head(deep.length) + deep)
    await until('50109')
    send(head(200 * 1024 * 1024))
    expect(await until('40005')).toMatch(/HTTP\/1\.1 413/)
  })
})
