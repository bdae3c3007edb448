import { describe, expect, it } from 'vitest'
import { pendingAnswers } from 'commandry/interactions'
import { handClock } from '../../support/clock.ts'
import { deliverTo, interaction, never, pong, type App } from './endpoint.ts'
import { snowflakeTime } from '../../support/snowflakes.ts'
import { callbackHandler } from '../../support/callback-handler.ts'
import { turn } from '../../support/waiting.ts'

describe('an answer by callback request', () => {
  const acknowledged = [400, { message: 'Interaction has already been acknowledged', code: 40060 }]
  const unknown = [404, { message: 'Unknown interaction', code: 10062 }]
  const tooLong = { type: 4, data: { content: 'x'.repeat(2001) } }
  const { id, token } = interaction
  const path = `/interactions/${id}/${token}/callback`
  type Handler = (request: Request) => Promise<Response>
  const requestTo = (to: string, body: BodyInit, type: string | null = 'application/json') => {
    const headers = { ...(type !== null && { 'content-type': type }) }
    return new Request(`https://service.example/api/v10${to}`, { method: 'POST', headers, body })
  }
  const post = (handler: Handler, to: string, body: unknown) =>
    handler(requestTo(to, typeof body === 'string' ? body : JSON.stringify(body)))
  const responseOf = async (responding: Promise<Response>) => {
    const response = await responding
    return [response.status, await response.json().catch(() => null)]
  }
  const accepted = () => new Response(null, { status: 202 })

  it('is accepted once, at POST /interactions/{id}/{token}/callback', async () => {
    const answers = pendingAnswers()
    const handler = callbackHandler(answers)
    const responses: unknown[] = []
    const answering = async () => {
      const pong = { type: 4, data: { content: 'pong', flags: 64 } }
      for (const [where, body] of [
        [`/interactions/${id}/other/callback`, pong],
        [`/interactions/1/${token}/callback`, pong],
        [path, { type: 8, data: { choices: [] } }],
        [path, '{'],
        [`${path}?with_response=true`, pong],
      ] as const) {
        responses.push(await responseOf(post(handler, where, body)))
      }
    }
    let done: Promise<void> | undefined
    const app: App = () => {
      done = answering()
      return accepted()
    }
    const delivery = await deliverTo(app, { answers })
    await done
    const rendered = { content: 'pong', ephemeral: true }
    expect(delivery).toMatchObject({ ok: true, via: 'callback', rendered })
    const including = (fields: object) => expect.objectContaining(fields)
    const answered = including({ id, type: 2, response_message_ephemeral: true })
    const message = including({ content: 'pong', flags: 64 })
    expect(responses).toEqual([
      unknown,
      unknown,
      [400, including({ code: 50035, errors: { type: { _errors: [expect.anything()] } } })],
      [400, including({ code: 50109 })],
      [200, including({ interaction: answered, resource: { type: 4, message } })],
    ])
    expect(await responseOf(post(handler, path, { type: 5 }))).toEqual(acknowledged)
  })

  it('is refused when it is the second', async () => {
    const answers = pendingAnswers()
    const { answer, end } = answers.expect(interaction)
    const handler = callbackHandler(answers)
    expect((await post(handler, path, { type: 5 })).status).toBe(204)
    const again = { type: 4, data: { content: 'again' } }
    expect(await responseOf(post(handler, path, again))).toEqual(acknowledged)
    expect(await answer).toEqual({ via: 'callback', callback: { type: 5 } })
    end()
  })

  it('may arrive after the response, and gets 204 without a body', async () => {
    const answers = pendingAnswers()
    const handler = callbackHandler(answers)
    let later: Promise<Response> | undefined
    const app: App = () => {
      later = turn().then(() => post(handler, path, { type: 5 }))
      return accepted()
    }
    expect((await deliverTo(app, { answers })).rendered).toEqual({ kind: 'thinking', ephemeral: false })
    expect((await later!).status).toBe(204)
  })

  it('is reported with its problems when it is invalid and no valid one follows', async () => {
    const answers = pendingAnswers()
    const refused = answers.expect(interaction)
    answers.receive(id, token, tooLong)
    expect(await refused.refused).toMatchObject([{ path: ['data', 'content'] }])
    refused.end()
    const app: App = () => {
      answers.receive(id, token, tooLong)
      return accepted()
    }
    expect(await deliverTo(app, { answers, timeout: 1_000 })).toMatchObject({
      ...{ ok: false, code: 'invalid' },
      issues: [{ path: ['data', 'content'] }],
    })
  })

  it('is not accepted at other paths or by other methods', async () => {
    const handler = callbackHandler(pendingAnswers(), '/v9')
    const at = async (path: string, method = 'POST') =>
      (await handler(new Request(`https://service.example${path}`, { method }))).status
    expect(await at('/v9/interactions/1/t/callback', 'GET')).toBe(405)
    expect(await at('/v9/interactions/1/t')).toBe(404)
    expect(await at('/v9/interactions/1/t/callback/x')).toBe(404)
    expect(await at('/api/v10/interactions/1/t/callback')).toBe(404)
    expect(await at('/v9/interactions/1/%E0/callback')).toBe(404)
  })

  it('[2.11-09] is one to an unknown interaction after 3 seconds', async () => {
    const clock = handClock(snowflakeTime(interaction.id))
    const answers = pendingAnswers({ clock })
    answers.expect(interaction)
    clock.advance(3000)
    expect(answers.stateOf(id, token)).toBe('waiting')
    clock.advance(1)
    expect(answers.stateOf(id, token)).toBe('unknown_interaction')
    expect(answers.receive(id, token, { type: 5 })).toMatchObject({ ok: false, code: 'unknown_interaction' })
    const handler = callbackHandler(answers)
    expect(await responseOf(post(handler, path, { type: 5 }))).toEqual(unknown)
  })

  it('is JSON or a form, as its content type says', async () => {
    const answers = pendingAnswers()
    answers.expect(interaction)
    const handler = callbackHandler(answers)
    const sent = (type: string | null) =>
      handler(requestTo(path, new TextEncoder().encode('{"type":5}'), type))
    for (const type of ['text/plain', 'application/xml', 'application/jsonp', null]) {
      const errors = { _errors: [{ code: 'CONTENT_TYPE_INVALID' }] }
      expect([type, await responseOf(sent(type))]).toMatchObject([type, [400, { code: 50035, errors }]])
    }
    expect((await sent('application/json; charset=utf-8')).status).toBe(204)
  })

  it('is refused after an answer in the response', async () => {
    const answers = pendingAnswers()
    expect(await deliverTo(pong, { answers })).toMatchObject({ ok: true, via: 'response' })
    expect(answers.receive(id, token, { type: 5 })).toMatchObject({ ok: false, code: 'already_answered' })
    expect(answers.receive(id, 'other', { type: 5 })).toMatchObject({ code: 'unknown_interaction' })
  })

  it('is refused as unknown after a failed delivery', async () => {
    const answers = pendingAnswers()
    for (const app of [() => new Response(null, { status: 500 }), () => Response.json({ type: 7 })]) {
      expect((await deliverTo(app, { answers })).ok).toBe(false)
      expect(answers.receive(id, token, { type: 5 })).toMatchObject({ code: 'unknown_interaction' })
    }
  })

  it('is remembered for 15 minutes, as long as its token', () => {
    const clock = handClock(snowflakeTime(interaction.id))
    const answers = pendingAnswers({ clock })
    const { acknowledge, end } = answers.expect(interaction)
    acknowledge()
    end()
    const code = () => {
      const received = answers.receive(id, token, { type: 5 })
      return received.ok ? null : received.code
    }
    clock.advance(900_000)
    expect([answers.stateOf(id, token), code()]).toEqual(['already_answered', 'already_answered'])
    clock.advance(1)
    expect([answers.stateOf(id, token), code()]).toEqual(['unknown_interaction', 'unknown_interaction'])
    // A new delivery waits for a new answer.
    clock.advance(-900_000)
    answers.expect(interaction)
    expect(answers.stateOf(id, token)).toBe('waiting')
  })

  it('opens the conversation of its token also when it is acknowledged without its content', () => {
    const answers = pendingAnswers()
    answers.expect(interaction).acknowledge()
    const original = { applicationId: interaction.application_id, token }
    expect(answers.conversations.read(original)).toMatchObject({ code: 'unknown_message' })
    expect(answers.conversations.followUp(original, { body: { content: 'x' } }).ok).toBe(true)
  })

  it('is no longer expected after 32 MiB of later interactions of its application', () => {
    const answers = pendingAnswers()
    const long = 'x'.repeat(1_000_000)
    const awaited = (n: number, application = interaction.application_id) =>
      answers.expect({ ...interaction, id: String(n), application_id: application, long } as never)
    const state = (n: number) => answers.stateOf(String(n), interaction.token)
    awaited(0, '9')
    for (let n = 1; n <= 17; n++) awaited(n)
    expect([0, 1, 2, 17].map(state)).toEqual(['waiting', 'unknown_interaction', 'waiting', 'waiting'])
  })

  it('is expected once for each delivery of one interaction', async () => {
    const answers = pendingAnswers()
    const [first, second] = [answers.expect(interaction), answers.expect(interaction)]
    expect(answers.receive(id, token, { type: 5 }).ok).toBe(true)
    expect(await first.answer).toMatchObject({ callback: { type: 5 } })
    first.end()
    expect(answers.receive(id, token, { type: 4, data: { content: 'x' } }).ok).toBe(true)
    expect(await second.answer).toMatchObject({ callback: { type: 4 } })
    expect(answers.stateOf(id, token)).toBe('already_answered')
    const [third, fourth] = [answers.expect(interaction), answers.expect(interaction)]
    third.end()
    expect(answers.stateOf(id, token)).toBe('waiting')
    fourth.end()
    third.end()
  })

  it('does not abort the request it answers', async () => {
    const answers = pendingAnswers()
    let signal: AbortSignal | null | undefined
    let respond = () => {}
    const send = ((_: unknown, init: RequestInit) => {
      signal = init.signal
      expect(answers.receive(id, token, { type: 5 }).ok).toBe(true)
      return new Promise<Response>((resolve) => (respond = () => resolve(accepted())))
    }) as typeof fetch
    expect(await deliverTo(never, { answers, fetch: send })).toMatchObject({ ok: true, via: 'callback' })
    expect(signal?.aborted).toBe(false)
    respond()
  })
})
