import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { OptionType } from 'commandry'
import {
  checkEndpoint,
  createEndpointKeys,
  createPing,
  deliver,
  pendingAnswers,
} from 'commandry/interactions'
import type { Interaction } from 'commandry/interactions'
import { buildProgram } from '../../storage/processes.ts'
import { handClock } from '../../support/clock.ts'
import { ids, typing } from '../../support/invoked.ts'
import { SEED, deliverTo, endpoint, interaction, keys, never, ping, pong, type App, url } from './endpoint.ts'
import { snowflakeTime } from '../../support/snowflakes.ts'
import { passed, turn } from '../../support/waiting.ts'

/** A form with an answer in JSON, and a file. */
function formOf(json: string, file?: Blob): FormData {
  const form = new FormData()
  form.set('payload_json', json)
  if (file !== undefined) form.set('files[0]', file, 'x.bin')
  return form
}
const invalid = (issue: object) => ({ ok: false, code: 'invalid', issues: [issue] })
const SEE = JSON.stringify({ type: 4, data: { content: 'see' } })

it.each(['', 'x', 'localhost:3000', 'ftp://127.0.0.1/', 'http://me:secret@127.0.0.1/', new URL('file:///x')])(
  'deliver and checkEndpoint refuse %o as an address, and never show a password',
  async (address) => {
    const refused = /^url: expected an address of http:\/\/ or https:\/\/ (?!.*secret)/
    await expect(deliver(interaction, { url: address, privateKey: SEED })).rejects.toThrow(refused)
    await expect(checkEndpoint('1001', { url: address, privateKey: SEED })).rejects.toThrow(refused)
  },
)

it('createEndpointKeys returns the RFC 8032 keys of a seed, and new keys without a seed', async () => {
  expect(keys.publicKey).toBe('d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a')
  const [a, b] = [await createEndpointKeys(), await createEndpointKeys()]
  expect(a.publicKey).not.toBe(b.publicKey)
  expect(a.publicKey).toMatch(/^[0-9a-f]{64}$/)
  await expect(createEndpointKeys('x')).rejects.toThrow('seed: expected 64 digits of hex, got 1 characters')
  await expect(deliver(interaction, { url, privateKey: 'x' })).rejects.toThrow(TypeError)
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
    const { rendered } = await deliverTo(() => new Response(formOf(SEE, new Blob(['x']))))
    expect(rendered).toMatchObject({ kind: 'message', content: 'see' })
  })

  it('[6-04] accepts LAUNCH_ACTIVITY only from an app with an Activity', async () => {
    const launch: App = () => Response.json({ type: 12 })
    expect((await deliverTo(launch)).rendered).toEqual({ kind: 'activity' })
    const refused = invalid({ code: 'callback.launch', path: ['type'] })
    expect(await deliverTo(launch, { application: {} })).toMatchObject(refused)
  })

  it.each([
    ['unreachable', () => Promise.reject(new TypeError('refused')), { status: null }],
    ['status', () => new Response('no', { status: 500 }), { status: 500 }],
    ['status', () => new Response(null, { status: 401 }), { status: 401 }],
    ['status', () => new Response(null, { status: 302, headers: { location: url } }), { status: 302 }],
    ['body', () => new Response('pong'), { status: 200 }],
    ['body', () => new Response(null), { status: 200, cause: expect.any(SyntaxError) }],
    ['body', () => Response.json([]), { status: 200 }],
    ['invalid', () => Response.json({ type: 8, data: { choices: [] } }), { status: 200 }],
  ] as const)('reports the failure "%s" and renders it to the user', async (code, app, rest) => {
    const delivery = await deliverTo(app as App)
    const rendered = { kind: 'failure', text: 'The application did not respond' }
    expect(delivery).toMatchObject({ ok: false, code, ...rest, rendered })
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
    // A busy machine has time for the response.
    const timeout = 500
    for (const [app, status] of [
      [never, null],
      [() => new Response(null, { status: 202 }), 202],
      [() => new Response(null, { status: 204 }), 204],
      [() => new Response(dripping), 200],
    ] as const) {
      let isOver = false
      void passed(timeout).then(() => (isOver = true))
      expect(await deliverTo(app, { timeout })).toMatchObject({ ok: false, code: 'timeout', status })
      expect(isOver).toBe(true)
    }
    expect(cancelled).toBe(true)
    // Timers cannot wait for Infinity; it must not mean 0.
    expect(await deliverTo(pong, { timeout: Infinity })).toMatchObject({ ok: true })
  })

  it('settles in an otherwise idle program and does not keep it running', async () => {
    const program = await buildProgram('test/interactions/usage/alone.ts')
    try {
      const { stdout } = await promisify(execFile)(process.execPath, [program.file])
      expect(JSON.parse(stdout)).toEqual(['timeout', ['slow', 'signature'], true, ['signature']])
    } finally {
      program.remove()
    }
  })

  it('rejects an answer nested more than 100 deep', async () => {
    const nested = (depth: number) =>
      `{"type":4,"data":{"content":"x","nested":${'['.repeat(depth - 2)}${']'.repeat(depth - 2)}}}`
    expect(await deliverTo(() => new Response(nested(100)))).toMatchObject({ ok: true })
    for (const depth of [101, 5_000, 1_000_000]) {
      for (const body of [nested(depth), formOf(nested(depth))]) {
        const failed = { ok: false, code: 'body', status: 200, cause: expect.any(SyntaxError) }
        expect(await deliverTo(() => new Response(body))).toMatchObject(failed)
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
      const failed = { ok: false, code: 'body', status: 200, cause: expect.any(RangeError) }
      expect(await deliverTo(app, { timeout: 60_000 })).toMatchObject(failed)
      await expect.poll(() => cancelled).toBe(true)
    }
  })

  // Node 24 fails outside of every promise when a form that it has made is cancelled.
  it('reads a form that it refuses to its end', async () => {
    let state = 'open'
    let chunks = 3
    const form = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        if (chunks-- > 0) return controller.enqueue(new Uint8Array(1024))
        state = 'read'
        controller.close()
      },
      cancel: () => void (state = 'cancelled'),
    })
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const app: App = () => new Response(form, { status: 400, headers })
    expect(await deliverTo(app)).toMatchObject({ ok: false, code: 'status', status: 400 })
    await expect.poll(() => state).toBe('read')
  })

  it('accepts files up to attachment_size_limit', async () => {
    const form = formOf(SEE, new Blob([new Uint8Array(interaction.attachment_size_limit)]))
    const delivery = await deliverTo(() => new Response(form))
    expect(delivery).toMatchObject({ ok: true, rendered: { content: 'see' } })
  })

  it('measures late answers with the given clock', async () => {
    const clock = handClock(snowflakeTime(interaction.id))
    const slow: App = (received, request) => {
      clock.advance(3001)
      return pong(received, request)
    }
    expect(await deliverTo(slow, { clock })).toMatchObject(invalid({ code: 'callback.late' }))
  })

  it('expects no answer any more after its clock has failed', async () => {
    const clock = { now: () => Date.now() }
    const answers = pendingAnswers()
    const failing: App = (received, request) => {
      clock.now = () => {
        throw new Error('no time')
      }
      return pong(received, request)
    }
    await expect(deliverTo(failing, { clock, answers })).rejects.toThrow('no time')
    expect(answers.stateOf(interaction.id, interaction.token)).toBe('unknown_interaction')
  })
})

describe('checkEndpoint', () => {
  const { privateKey } = keys
  const check = (app: App, options = {}) =>
    checkEndpoint('1001', { url, privateKey, fetch: endpoint(app, options).send, timeout: 500 })

  it('passes an endpoint that answers a PING and refuses a wrong signature', async () => {
    expect(await check(pong)).toEqual([])
  })

  it('lists the checks that an endpoint fails', async () => {
    expect(await check(pong, { verify: false })).toEqual(['signature'])
    const deaf = { url, privateKey, fetch: async () => new Response('hello') }
    expect(await checkEndpoint('1001', deaf as never)).toEqual(['ping', 'signature'])
  })

  it('names a bot that answers with an error of its own, and blames no signature', async () => {
    const failing = { url, privateKey, fetch: async () => new Response('no key', { status: 500 }) }
    expect(await checkEndpoint('1001', failing as never)).toEqual(['failed'])
  })

  it('names a PING that is answered too late, as at the first request of a server that compiles', async () => {
    const { send } = endpoint(pong)
    let requests = 0
    const compiling = (...given: Parameters<typeof fetch>) =>
      requests++ === 0 ? new Promise<Response>(() => {}) : send(...given)
    const checked = () => checkEndpoint('1001', { url, privateKey, fetch: compiling, timeout: 50 })
    expect(await checked()).toEqual(['slow'])
    expect(await checked()).toEqual([])
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
    const times = requests.map(({ headers, body }) => [
      snowflakeTime((JSON.parse(body) as Interaction).id),
      headers.get('x-signature-timestamp'),
    ])
    expect(times).toEqual(Array(2).fill([clock.now(), String(clock.now() / 1000)]))
  })

  it('deliver accepts a PING', async () => {
    const created = createPing('1001', { ids: ids() })
    const delivery = await deliver(created, { url, privateKey: SEED, fetch: endpoint(never).send })
    expect(delivery).toMatchObject({ ok: true, callback: { type: 1 }, rendered: { kind: 'nothing' } })
    expect(Object.isFrozen(delivery)).toBe(true)
  })
})

it('[2.11-09] a timeout between headers and body cancels the body instead of waiting for it', async () => {
  let cancel = () => {}
  const cancelled = new Promise((resolve) => (cancel = () => resolve('cancelled')))
  const body = new ReadableStream({ cancel: () => cancel() })
  // Responds only after the timeout, like a network stack that already has the headers.
  const late = (_: unknown, init?: RequestInit) =>
    new Promise<Response>((resolve) => {
      init!.signal!.addEventListener('abort', () => resolve(new Response(body)))
    })
  const delivery = await deliverTo(pong, { fetch: late as typeof fetch, timeout: 5 })
  expect(delivery).toMatchObject({ ok: false, code: 'timeout' })
  expect(await Promise.race([cancelled, turn()])).toBe('cancelled')
})
