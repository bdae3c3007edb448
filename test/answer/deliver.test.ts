import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { OptionType, snowflakeTime } from 'commandry'
import { createCallbackHandler } from '../../src/http/handler.ts'
import { createPing } from '../../src/interaction/create.ts'
import { checkEndpoint, createEndpointKeys, deliver, type DeliverOptions } from '../../src/answer/deliver.ts'
import type { Interaction } from '../../src/interaction/payload.ts'
import { pendingAnswers } from '../../src/answer/pending.ts'
import { buildProgram } from '../storage/processes.ts'
import { handClock } from '../support/clock.ts'
import { ids, typing, used } from '../support/invoked.ts'

const SEED = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'
const keys = await createEndpointKeys(SEED)
const ping = { name: 'ping', description: 'b' } as const
const interaction = used(ping)
const url = 'https://app.example/interactions'

type App = (interaction: Interaction, request: Request) => Response | Promise<Response>

/** An app's endpoint that verifies signatures, and the requests it received. */
function endpoint(app: App, { verify = true } = {}) {
  const requests: { readonly headers: Headers; readonly body: string }[] = []
  const send = async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init)
    const body = await request.text()
    requests.push({ headers: request.headers, body })
    if (verify && !(await isSigned(request.headers, body))) return new Response(null, { status: 401 })
    const received = JSON.parse(body) as Interaction
    return received.type === 1 ? Response.json({ type: 1 }) : app(received, request)
  }
  return { send: send as typeof fetch, requests }
}

async function isSigned(headers: Headers, body: string): Promise<boolean> {
  const bytes = (digits: string) =>
    Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  const key = await crypto.subtle.importKey('raw', bytes(keys.publicKey), 'Ed25519', false, ['verify'])
  const signature = bytes(headers.get('x-signature-ed25519') ?? '')
  const signed = new TextEncoder().encode(headers.get('x-signature-timestamp') + body)
  return crypto.subtle.verify('Ed25519', key, signature, signed)
}

function to(app: App, options: Partial<DeliverOptions> = {}) {
  return deliver(interaction, { url, privateKey: keys.privateKey, fetch: endpoint(app).send, ...options })
}

const pong: App = () => Response.json({ type: 4, data: { content: 'pong' } })
const never: App = () => new Promise(() => {})

describe('createEndpointKeys', () => {
  it('returns the RFC 8032 keys of a seed, and new keys without a seed', async () => {
    expect(keys.publicKey).toBe('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a')
    const [a, b] = [await createEndpointKeys(), await createEndpointKeys()]
    expect(a.publicKey).not.toBe(b.publicKey)
    expect(a.publicKey).toMatch(/^[0-9a-f]{64}$/)
    await expect(createEndpointKeys('x')).rejects.toThrow(
      'privateKey: expected 64 digits of hex, got 1 characters',
    )
    await expect(deliver(interaction, { url, privateKey: 'x' })).rejects.toThrow(TypeError)
  })
})

describe('deliver', () => {
  it('sends a POST signed over timestamp and body', async () => {
    const { send, requests } = endpoint(pong)
    const clock = handClock()
    const delivery = await deliver(interaction, { url, privateKey: SEED, fetch: send, clock })
    expect(delivery).toEqual({
      ok: true,
      callback: { type: 4, data: { content: 'pong' } },
      via: 'response',
      rendered: { kind: 'message', content: 'pong', ephemeral: false, message: { content: 'pong' } },
      warnings: [],
    })
    expect(JSON.parse(requests[0]!.body)).toEqual(interaction)
    expect(requests[0]!.headers.get('content-type')).toBe('application/json')
    expect(requests[0]!.headers.get('x-signature-timestamp')).toBe(String(clock.now() / 1000))
  })

  it('[2.11-05] returns the suggestions of an autocomplete interaction', async () => {
    const options = [{ type: OptionType.STRING, name: 'q', description: 'b', autocomplete: true }] as const
    const asking = typing({ ...ping, options }, { focused: 'q', options: { q: 'a' } })
    const { send } = endpoint((received) => {
      expect(received).toEqual(asking)
      return Response.json({ type: 8, data: { choices: [{ name: 'A', value: 'a' }] } })
    })
    const { rendered } = await deliver(asking, { url, privateKey: SEED, fetch: send })
    expect(rendered).toEqual({ kind: 'choices', choices: [{ name: 'A', value: 'a' }] })
  })

  it('accepts an answer with files as a form', async () => {
    const form = new FormData()
    form.set('payload_json', JSON.stringify({ type: 4, data: { content: 'see' } }))
    form.set('files[0]', new Blob(['x']), 'x.txt')
    expect((await to(() => new Response(form))).rendered).toMatchObject({ kind: 'message', content: 'see' })
  })

  it('[6-04] accepts LAUNCH_ACTIVITY only from an app with an Activity', async () => {
    const launch: App = () => Response.json({ type: 12 })
    expect((await to(launch)).rendered).toEqual({ kind: 'activity' })
    expect(await to(launch, { application: {} })).toMatchObject({
      ok: false,
      code: 'invalid',
      issues: [{ code: 'callback.launch', path: ['type'] }],
    })
  })

  it.each([
    ['unreachable', () => Promise.reject(new TypeError('refused')), { status: null }],
    ['status', () => new Response('no', { status: 500 }), { status: 500 }],
    ['status', () => new Response(null, { status: 401 }), { status: 401 }],
    ['status', () => new Response(null, { status: 302, headers: { location: url } }), { status: 302 }],
    ['body', () => new Response('pong'), { status: 200 }],
    ['body', () => Response.json([]), { status: 200 }],
    ['invalid', () => Response.json({ type: 8, data: { choices: [] } }), { status: 200 }],
  ] as const)('reports the failure "%s" and renders it to the user', async (code, app, rest) => {
    const delivery = await to(app as App)
    expect(delivery).toMatchObject({
      ok: false,
      code,
      ...rest,
      rendered: { kind: 'failure', text: 'The application did not respond' },
    })
    if (!delivery.ok) expect(delivery.issues.length).toBe(code === 'invalid' ? 1 : 0)
  })

  it('ends at its timeout and returns the status if one arrived', async () => {
    let cancelled = false
    const dripping = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
      cancel: () => {
        cancelled = true
      },
    })
    for (const [app, status] of [
      [never, null],
      [() => new Response(null, { status: 202 }), 202],
      [() => new Response(dripping), 200],
    ] as const) {
      expect(await to(app, { timeout: 20 })).toMatchObject({ ok: false, code: 'timeout', status })
    }
    expect(cancelled).toBe(true)
    // Timers cannot wait for Infinity; it must not mean 0.
    expect(await to(pong, { timeout: Infinity })).toMatchObject({ ok: true })
  })

  it('settles in an otherwise idle program and does not keep it running', async () => {
    const program = await buildProgram('test/interaction/alone.ts')
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [program.file], { timeout: 30_000 })
      expect(JSON.parse(stdout)).toEqual(['timeout', ['ping', 'signature'], true, ['signature']])
    } finally {
      program.remove()
    }
  })

  it('rejects an answer nested more than 100 deep', async () => {
    const nested = (depth: number) =>
      `{"type":4,"data":{"content":"x","nested":${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}}}`
    const form = (text: string) => {
      const data = new FormData()
      data.set('payload_json', text)
      return data
    }
    expect(await to(() => new Response(nested(100)))).toMatchObject({ ok: true })
    for (const depth of [101, 5_000, 1_000_000]) {
      for (const body of [nested(depth), form(nested(depth))]) {
        expect(await to(() => new Response(body))).toMatchObject({
          ok: false,
          code: 'body',
          status: 200,
          cause: expect.any(SyntaxError),
        })
      }
    }
  })

  it('rejects an endless answer and cancels it', async () => {
    for (const type of ['application/json', 'multipart/form-data; boundary=x']) {
      let cancelled = false
      const endless = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.enqueue(new Uint8Array(1024 * 1024).fill(0x20)),
        cancel: () => {
          cancelled = true
        },
      })
      const app: App = () => new Response(endless, { headers: { 'content-type': type } })
      expect(await to(app, { timeout: 60_000 })).toMatchObject({
        ok: false,
        code: 'body',
        status: 200,
        cause: expect.any(RangeError),
      })
      expect(cancelled).toBe(true)
    }
  })

  it('accepts files up to attachment_size_limit', async () => {
    const form = new FormData()
    form.set('payload_json', JSON.stringify({ type: 4, data: { content: 'see' } }))
    form.set('files[0]', new Blob([new Uint8Array(interaction.attachment_size_limit)]), 'x.bin')
    expect(await to(() => new Response(form))).toMatchObject({ ok: true, rendered: { content: 'see' } })
  })

  it('measures late answers with the given clock', async () => {
    const clock = handClock(snowflakeTime(interaction.id))
    const slow: App = (received, request) => {
      clock.advance(3001)
      return pong(received, request)
    }
    expect(await to(slow, { clock })).toMatchObject({
      ok: false,
      code: 'invalid',
      issues: [{ code: 'callback.late' }],
    })
  })
})

describe('an answer by callback request', () => {
  const acknowledged = [400, { message: 'Interaction has already been acknowledged', code: 40060 }]
  const post = (
    handler: (request: Request) => Promise<Response>,
    path: string,
    body: unknown,
    method = 'POST',
  ) =>
    handler(
      new Request(`https://service.example/api/v10${path}`, {
        method,
        ...(method === 'POST' && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    )

  it('is accepted once, at POST /interactions/{id}/{token}/callback', async () => {
    const answers = pendingAnswers()
    const handler = createCallbackHandler({ answers })
    const statuses: unknown[] = []
    const answering = async (id: string, token: string) => {
      const path = `/interactions/${id}/${token}/callback`
      for (const [where, body] of [
        [`/interactions/${id}/other/callback`, { type: 4, data: { content: 'x' } }],
        [`/interactions/1/${token}/callback`, { type: 4, data: { content: 'x' } }],
        [path, { type: 8, data: { choices: [] } }],
        [path, '{'],
        [`${path}?with_response=true`, { type: 4, data: { content: 'pong', flags: 64 } }],
      ] as const) {
        const response = await post(handler, where, body)
        statuses.push([response.status, await response.json().catch(() => null)])
      }
    }
    let done: Promise<void> | undefined
    const app: App = ({ id, token }) => {
      done = answering(id, token)
      return new Response(null, { status: 202 })
    }
    const delivery = await to(app, { answers })
    await done
    expect(delivery).toMatchObject({
      ok: true,
      via: 'callback',
      rendered: { content: 'pong', ephemeral: true },
    })
    expect(statuses).toEqual([
      [404, { message: 'Unknown interaction', code: 10062 }],
      [404, { message: 'Unknown interaction', code: 10062 }],
      [400, expect.objectContaining({ code: 50035, errors: { type: { _errors: [expect.anything()] } } })],
      [400, expect.objectContaining({ code: 50109 })],
      [
        200,
        expect.objectContaining({
          interaction: expect.objectContaining({
            id: interaction.id,
            type: 2,
            response_message_ephemeral: true,
          }),
          resource: { type: 4, message: expect.objectContaining({ content: 'pong', flags: 64 }) },
        }),
      ],
    ])
    const late = await post(handler, `/interactions/${interaction.id}/${interaction.token}/callback`, {
      type: 5,
    })
    expect([late.status, await late.json()]).toEqual(acknowledged)
  })

  it('is refused when it is the second', async () => {
    const answers = pendingAnswers()
    const { answer, end } = answers.expect(interaction)
    const handler = createCallbackHandler({ answers })
    const path = `/interactions/${interaction.id}/${interaction.token}/callback`
    expect((await post(handler, path, { type: 5 })).status).toBe(204)
    const second = await post(handler, path, { type: 4, data: { content: 'again' } })
    expect([second.status, await second.json()]).toEqual(acknowledged)
    expect(await answer).toEqual({ via: 'callback', callback: { type: 5 } })
    end()
  })

  it('may arrive after the response, and gets 204 without a body', async () => {
    const answers = pendingAnswers()
    const handler = createCallbackHandler({ answers })
    let later: Promise<Response> | undefined
    const app: App = ({ id, token }) => {
      later = new Promise((resolve) =>
        setImmediate(() => resolve(post(handler, `/interactions/${id}/${token}/callback`, { type: 5 }))),
      )
      return new Response(null, { status: 202 })
    }
    expect((await to(app, { answers })).rendered).toEqual({ kind: 'thinking', ephemeral: false })
    expect((await later!).status).toBe(204)
  })

  it('is not accepted at other paths or by other methods', async () => {
    const handler = createCallbackHandler({ answers: pendingAnswers(), basePath: '/v9' })
    const at = async (path: string, method = 'POST') =>
      (await handler(new Request(`https://service.example${path}`, { method }))).status
    expect(await at('/v9/interactions/1/t/callback', 'GET')).toBe(405)
    expect(await at('/v9/interactions/1/t')).toBe(404)
    expect(await at('/v9/interactions/1/t/callback/x')).toBe(404)
    expect(await at('/api/v10/interactions/1/t/callback')).toBe(404)
    expect(await at('/v9/interactions/1/%E0/callback')).toBe(404)
  })

  it('is late after 3 seconds and has an expired token after 15 minutes', async () => {
    const clock = handClock(snowflakeTime(interaction.id))
    const answers = pendingAnswers({ clock })
    const { end } = answers.expect(interaction)
    const answer = () => answers.receive(interaction.id, interaction.token, { type: 5 })
    clock.advance(3001)
    expect(answer()).toMatchObject({ ok: false, code: 'invalid', issues: [{ code: 'callback.late' }] })
    clock.advance(900_000)
    expect(answer()).toMatchObject({ ok: false, issues: [{ code: 'callback.token' }] })
    end()
    expect(answer()).toMatchObject({ ok: false, code: 'unknown_interaction' })
  })

  it('is refused after an answer in the response', async () => {
    const answers = pendingAnswers()
    expect(await to(pong, { answers })).toMatchObject({ ok: true, via: 'response' })
    const { id, token } = interaction
    expect(answers.receive(id, token, { type: 5 })).toMatchObject({ ok: false, code: 'already_answered' })
    expect(answers.receive(id, 'other', { type: 5 })).toMatchObject({ code: 'unknown_interaction' })
  })

  it('is refused as unknown after a failed delivery', async () => {
    const answers = pendingAnswers()
    const { id, token } = interaction
    for (const app of [() => new Response(null, { status: 500 }), () => Response.json({ type: 7 })]) {
      expect((await to(app, { answers })).ok).toBe(false)
      expect(answers.receive(id, token, { type: 5 })).toMatchObject({ code: 'unknown_interaction' })
    }
  })

  it('is remembered for 15 minutes, as long as its token', () => {
    const clock = handClock(snowflakeTime(interaction.id))
    const answers = pendingAnswers({ clock })
    const { id, token } = interaction
    const { acknowledge, end } = answers.expect(interaction)
    acknowledge()
    end()
    const other = used(ping, { ids: ids(clock.now() + 1) })
    const code = () => {
      const received = answers.receive(id, token, { type: 5 })
      return received.ok ? null : received.code
    }
    clock.advance(900_000)
    expect([answers.stateOf(id, token), code()]).toEqual(['already_answered', 'already_answered'])
    clock.advance(1)
    expect([answers.stateOf(id, token), code()]).toEqual(['unknown_interaction', 'unknown_interaction'])
    // The next acknowledgement forgets it for good, even if the clock goes back.
    answers.expect(other).acknowledge()
    clock.advance(-1)
    expect(answers.stateOf(id, token)).toBe('unknown_interaction')
    // A new delivery waits for a new answer.
    answers.expect(interaction)
    expect(answers.stateOf(id, token)).toBe('waiting')
  })

  it('is forgotten after 100,000 others, even when the clock stands still', () => {
    const answers = pendingAnswers({ clock: handClock() })
    const answered = (n: number) => answers.expect({ ...interaction, id: String(n) }).acknowledge()
    const state = (n: number) => answers.stateOf(String(n), interaction.token)
    for (let n = 0; n < 100_000; n++) answered(n)
    expect([state(0), state(99_999)]).toEqual(['already_answered', 'already_answered'])
    answered(100_000)
    expect([state(0), state(1)]).toEqual(['unknown_interaction', 'already_answered'])
  })

  it('is expected once for each delivery of one interaction', async () => {
    const answers = pendingAnswers()
    const { id, token } = interaction
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
      expect(answers.receive(interaction.id, interaction.token, { type: 5 }).ok).toBe(true)
      return new Promise<Response>(
        (resolve) => (respond = () => resolve(new Response(null, { status: 202 }))),
      )
    }) as typeof fetch
    expect(await to(never, { answers, fetch: send })).toMatchObject({ ok: true, via: 'callback' })
    expect(signal?.aborted).toBe(false)
    respond()
  })
})

describe('checkEndpoint', () => {
  const check = (app: App, options = {}) =>
    checkEndpoint('1001', {
      url,
      privateKey: keys.privateKey,
      fetch: endpoint(app, options).send,
      timeout: 500,
    })

  it('passes an endpoint that answers a PING and refuses a wrong signature', async () => {
    expect(await check(pong)).toEqual([])
  })

  it('lists the checks that an endpoint fails', async () => {
    expect(await check(pong, { verify: false })).toEqual(['signature'])
    const deaf = { url, privateKey: keys.privateKey, fetch: async () => new Response('hello') }
    expect(await checkEndpoint('1001', deaf as never)).toEqual(['ping', 'signature'])
  })

  it('uses the given clock', async () => {
    class Watch {
      #time = Date.UTC(2020, 0, 1)
      now(): number {
        return this.#time
      }
    }
    const clock = new Watch()
    const { send, requests } = endpoint(pong)
    expect(await checkEndpoint('1001', { url, privateKey: SEED, fetch: send, clock })).toEqual([])
    expect(requests.map(({ body }) => snowflakeTime((JSON.parse(body) as Interaction).id))).toEqual([
      clock.now(),
      clock.now(),
    ])
    expect(requests.map(({ headers }) => headers.get('x-signature-timestamp'))).toEqual(
      Array(2).fill(String(clock.now() / 1000)),
    )
  })

  it('deliver accepts a PING', async () => {
    const delivery = await deliver(createPing('1001', { ids: ids() }), {
      url,
      privateKey: SEED,
      fetch: endpoint(never).send,
    })
    expect(delivery).toMatchObject({ ok: true, callback: { type: 1 }, rendered: { kind: 'nothing' } })
  })
})

describe('a timeout between headers and body', () => {
  it('[2.11-09] cancels the body instead of waiting for it', async () => {
    let cancelled: (reason: unknown) => void = () => {}
    const cancelling = new Promise((resolve) => (cancelled = resolve))
    const body = new ReadableStream({ cancel: (reason) => cancelled(reason) })
    // Responds only after the timeout, like a network stack that already has the headers.
    const late = (_: unknown, init?: RequestInit) =>
      new Promise<Response>((resolve) => {
        init!.signal!.addEventListener('abort', () => resolve(new Response(body)))
      })
    const delivery = await to(pong, { fetch: late as typeof fetch, timeout: 5 })
    expect(delivery).toMatchObject({ ok: false, code: 'timeout' })
    await cancelling
  })
})
