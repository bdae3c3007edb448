import { describe, expect, it } from 'vitest'
import { OptionType, snowflakeTime } from 'commandry'
import { createCallbackHandler } from '../../src/http/callbacks.ts'
import { createPing } from '../../src/interaction/create.ts'
import {
  checkEndpoint,
  createEndpointKeys,
  deliver,
  type DeliverOptions,
} from '../../src/interaction/deliver.ts'
import type { Interaction } from '../../src/interaction/payload.ts'
import { pendingAnswers } from '../../src/interaction/pending.ts'
import { handClock } from '../support/clock.ts'
import { ids, typing, used } from '../support/invoked.ts'

const SEED = '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60'
const keys = await createEndpointKeys(SEED)
const ping = { name: 'ping', description: 'b' } as const
const interaction = used(ping)
const url = 'https://app.example/interactions'

type App = (interaction: Interaction, request: Request) => Response | Promise<Response>

/** An app's endpoint as it should be, and what it was asked. */
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

describe('keys', () => {
  it('are those of RFC 8032 for a seed, and others every time without one', async () => {
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

describe('a delivery', () => {
  it('is a POST, signed over the timestamp and the body', async () => {
    const { send, requests } = endpoint(pong)
    const clock = handClock()
    const delivery = await deliver(interaction, { url, privateKey: SEED, fetch: send, clock })
    expect(delivery).toEqual({
      ok: true,
      callback: { type: 4, data: { content: 'pong' } },
      via: 'response',
      shown: { kind: 'message', content: 'pong', ephemeral: false, message: { content: 'pong' } },
      warnings: [],
    })
    expect(JSON.parse(requests[0]!.body)).toEqual(interaction)
    expect(requests[0]!.headers.get('content-type')).toBe('application/json')
    expect(requests[0]!.headers.get('x-signature-timestamp')).toBe(String(clock.now() / 1000))
  })

  it('[2.11-05] of autocomplete shows suggestions', async () => {
    const options = [{ type: OptionType.STRING, name: 'q', description: 'b', autocomplete: true }] as const
    const asking = typing({ ...ping, options }, { focused: 'q', options: { q: 'a' } })
    const { send } = endpoint((received) => {
      expect(received).toEqual(asking)
      return Response.json({ type: 8, data: { choices: [{ name: 'A', value: 'a' }] } })
    })
    const { shown } = await deliver(asking, { url, privateKey: SEED, fetch: send })
    expect(shown).toEqual({ kind: 'choices', choices: [{ name: 'A', value: 'a' }] })
  })

  it('takes an answer with files, which comes as a form', async () => {
    const form = new FormData()
    form.set('payload_json', JSON.stringify({ type: 4, data: { content: 'see' } }))
    form.set('files[0]', new Blob(['x']), 'x.txt')
    expect((await to(() => new Response(form))).shown).toMatchObject({ kind: 'message', content: 'see' })
  })

  it('[6-04] knows whether the app has an Activity', async () => {
    const launch: App = () => Response.json({ type: 12 })
    expect((await to(launch)).shown).toEqual({ kind: 'activity' })
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
  ] as const)('that goes wrong is told, and the person sees that: %s', async (code, app, rest) => {
    const delivery = await to(app as App)
    expect(delivery).toMatchObject({
      ok: false,
      code,
      ...rest,
      shown: { kind: 'failure', text: 'The application did not respond' },
    })
    if (!delivery.ok) expect(delivery.issues.length).toBe(code === 'invalid' ? 1 : 0)
  })

  it('ends after its time, whatever the endpoint does', async () => {
    for (const app of [never, () => new Response(null, { status: 202 })] as const) {
      expect(await to(app, { timeout: 20 })).toMatchObject({ ok: false, code: 'timeout' })
    }
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
    })
    expect(await to(() => new Response(body), { timeout: 20 })).toMatchObject({ ok: false, code: 'timeout' })
  })

  it('by a clock knows when an answer is late', async () => {
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

describe('an answer of its own', () => {
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

  it('comes by POST /interactions/{id}/{token}/callback, once', async () => {
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
    expect(delivery).toMatchObject({ ok: true, via: 'callback', shown: { content: 'pong', ephemeral: true } })
    expect(statuses).toEqual([
      [404, { message: 'Unknown interaction', code: 10062 }],
      [404, { message: 'Unknown interaction', code: 10062 }],
      [400, expect.objectContaining({ code: 50035, errors: { type: { _errors: [expect.anything()] } } })],
      [400, expect.objectContaining({ code: 50109 })],
      [200, { interaction: { id: interaction.id, type: 2 }, resource: { type: 4 } }],
    ])
    const late = await post(handler, `/interactions/${interaction.id}/${interaction.token}/callback`, {
      type: 5,
    })
    expect(late.status).toBe(404)
  })

  it('is the first; a second is refused', async () => {
    const answers = pendingAnswers()
    const { answer, end } = answers.expect(interaction)
    const handler = createCallbackHandler({ answers })
    const path = `/interactions/${interaction.id}/${interaction.token}/callback`
    expect((await post(handler, path, { type: 5 })).status).toBe(204)
    const second = await post(handler, path, { type: 4, data: { content: 'again' } })
    expect([second.status, await second.json()]).toEqual([
      400,
      { message: 'Interaction has already been acknowledged.', code: 40060 },
    ])
    expect(await answer).toEqual({ via: 'callback', callback: { type: 5 } })
    end()
  })

  it('may come after the response, and then without a body is answered 204', async () => {
    const answers = pendingAnswers()
    const handler = createCallbackHandler({ answers })
    let later: Promise<Response> | undefined
    const app: App = ({ id, token }) => {
      later = new Promise((resolve) =>
        setImmediate(() => resolve(post(handler, `/interactions/${id}/${token}/callback`, { type: 5 }))),
      )
      return new Response(null, { status: 202 })
    }
    expect((await to(app, { answers })).shown).toEqual({ kind: 'thinking', ephemeral: false })
    expect((await later!).status).toBe(204)
  })

  it('goes nowhere else', async () => {
    const handler = createCallbackHandler({ answers: pendingAnswers(), basePath: '/v9' })
    const at = async (path: string, method = 'POST') =>
      (await handler(new Request(`https://service.example${path}`, { method }))).status
    expect(await at('/v9/interactions/1/t/callback', 'GET')).toBe(405)
    expect(await at('/v9/interactions/1/t')).toBe(404)
    expect(await at('/v9/interactions/1/t/callback/x')).toBe(404)
    expect(await at('/api/v10/interactions/1/t/callback')).toBe(404)
    expect(await at('/v9/interactions/1/%E0/callback')).toBe(400)
  })

  it('by a clock is late, and then the token is no longer good', async () => {
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
})

describe('the handshake', () => {
  const check = (app: App, options = {}) =>
    checkEndpoint('1001', {
      url,
      privateKey: keys.privateKey,
      fetch: endpoint(app, options).send,
      timeout: 500,
    })

  it('is passed by an endpoint that answers a PING and refuses a wrong signature', async () => {
    expect(await check(pong)).toEqual([])
  })

  it('tells what an endpoint does wrong', async () => {
    expect(await check(pong, { verify: false })).toEqual(['signature'])
    const deaf = { url, privateKey: keys.privateKey, fetch: async () => new Response('hello') }
    expect(await checkEndpoint('1001', deaf as never)).toEqual(['ping', 'signature'])
  })

  it('a PING is delivered like anything else', async () => {
    const delivery = await deliver(createPing('1001', { ids: ids() }), {
      url,
      privateKey: SEED,
      fetch: endpoint(never).send,
    })
    expect(delivery).toMatchObject({ ok: true, callback: { type: 1 }, shown: { kind: 'nothing' } })
  })
})
