import { createHandler, openAccess, type HandlerOptions } from 'commandry/http'
import { pendingAnswers } from 'commandry/interactions'
import { CommandRegistry } from 'commandry'
import { describe, expect } from 'vitest'
import { base } from './ids.ts'
import { answered, invalidJson, it, post as request, service, tooDeep, tooLarge, watched } from './service.ts'
import type { Service } from './service.ts'
import { hello } from '../../support/fixtures.ts'
import { used } from '../../support/invoked.ts'
import { turn } from '../../support/waiting.ts'

const url = `http://service.test/api/v10${base}`

const post = (body: BodyInit | null, headers?: Record<string, string>) =>
  request(url, body, { authorization: 'Bot bot', ...headers })

function stream(...chunks: readonly (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks)
        controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk)
      controller.close()
    },
  })
}

describe('content types', () => {
  it.for([
    ...['application/json', 'application/json; charset=utf-8', 'application/json;charset=UTF-8'],
    ...['Application/JSON', 'application/json ; charset="utf-8"'],
  ])('accepts %s', async (type, { handler }) => {
    expect((await handler(post(JSON.stringify(hello), { 'content-type': type }))).status).toBe(201)
  })

  it.for([
    ...['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp'],
    ...['multipart/form-data; boundary=x', ''],
  ])('[7-01] responds with 400 and code 50035 to "%s"', async (type, { fetch }) => {
    const { status, body } = await fetch(post(JSON.stringify(hello), { 'content-type': type }))
    expect([status, body.code, body.errors._errors[0].code]).toEqual([400, 50035, 'CONTENT_TYPE_INVALID'])
  })

  it('accepts a GET or DELETE with a content type and no body', async ({ send }) => {
    const headers = { 'content-type': 'application/json' }
    const { body } = await send('POST', base, { body: hello })
    expect((await send('GET', base, { headers })).status).toBe(200)
    expect((await send('DELETE', `${base}/${body.id}`, { headers })).status).toBe(204)
  })
})

describe('JSON', () => {
  it('[2.5-01] keeps numbers of commands, unlike the long ids of other bodies', async ({ fetch }) => {
    const option = '{"name":"count","description":"Count","type":4,"max_value":1001500000000000017}'
    const { body } = await fetch(post(`{"name":"a","description":"b","options":[${option}]}`))
    expect(body.errors.options[0].max_value._errors[0].code).toBe('NUMBER_TYPE_MAX')
  })

  const broken = ['', ' ', '{', '{"name":}', "{'name':'a'}", '[1,]', 'undefined', 'nul', '{"a":1}x']
  it.for([...broken, '\u0000', '"\\x"'])(
    '[7-01] responds with 400 and code 50109 to %j',
    async (text, { fetch }) => expect((await fetch(post(text))).line).toBe(invalidJson),
  )

  it.for(['5', 'null', '"text"', 'true', '[]'])(
    '[7-01] responds with 400 and code 50035 to %s instead of an object',
    async (text, { fetch }) => {
      const { status, body } = await fetch(post(text))
      expect([status, body.code, body.errors._errors[0].code]).toEqual([400, 50035, 'MODEL_TYPE_CONVERT'])
    },
  )

  it('reads a character that arrives in two parts, and ignores a byte order mark', async ({ fetch }) => {
    const bytes = new TextEncoder().encode('\ufeff' + JSON.stringify({ name: 'grüße', description: '👋' }))
    const pieces = Array.from(bytes, (byte) => new Uint8Array([byte]))
    const { status, body } = await fetch(post(stream(...pieces)))
    expect([status, body.name, body.description]).toEqual([201, 'grüße', '👋'])
  })

  it('accepts keys with the names of built-in properties', async ({ send }) => {
    const text = `{"name":"a","description":"b","__proto__":{"nsfw":true},"constructor":1,"name_localizations":{"__proto__":"x"}}`
    const { status, body } = await send('POST', base, { body: text })
    expect([status, Object.keys(body.errors)]).toEqual([400, ['name_localizations']])
    expect(Object.hasOwn(body.errors.name_localizations, '__proto__')).toBe(true)
  })
})

describe('maxBodyBytes', () => {
  const size = 2_000
  const padded = (length: number) => {
    const text = JSON.stringify({ ...hello, padding: '' })
    return text.slice(0, -2) + 'x'.repeat(length - text.length) + '"}'
  }

  it('[7-01] accepts a body of the largest size and responds with 413 to one byte more', async () => {
    const { fetch } = service({ maxBodyBytes: size })
    expect((await fetch(post(padded(size), { 'content-length': String(size) }))).status).toBe(201)
    for (const body of [padded(size + 1), stream(padded(size), ' ')])
      expect((await fetch(post(body))).line).toBe(tooLarge)
  })
})

const MiB = 1024 * 1024
const interaction = used(hello)
const callback = `http://service.test/api/v10/interactions/${interaction.id}/${interaction.token}/callback`

describe.each([
  { of: 'a command', to: url, start: '{"name":"a","description":"b"', accepted: 201 },
  { of: 'an answer', to: callback, start: '{"type":5', accepted: 204 },
])('[7-01] the body of $of', ({ to, start, accepted }) => {
  /** The response to a body, from a service with an interaction that waits for its answer. */
  const sent = (
    body: BodyInit,
    options: Partial<HandlerOptions> = {},
    headers: Record<string, string> = {},
  ) => {
    const answers = pendingAnswers()
    answers.expect(interaction)
    return service({ answers, ...options }).handler(
      request(to, body, { authorization: 'Bot bot', ...headers }),
    )
  }
  const lineOf = async (...given: Parameters<typeof sent>) => (await answered(await sent(...given))).line
  const padded = (length: number) => `${start},"x":"${'x'.repeat(length - start.length - 8)}"}`

  it('[7-01] has at most 100 levels, beyond which the response is 400 with code 50109', async () => {
    const nested = (depth: number) => `${start},"x":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
    expect((await sent(nested(100))).status).toBe(accepted)
    for (const depth of [101, 1_000_000]) expect(await lineOf(nested(depth))).toBe(tooDeep)
    expect(await lineOf('['.repeat(4_000_000))).toBe(tooDeep)
  })

  it('[7-01] is refused with code 50109 when it is not UTF-8, instead of replacing bytes', async () => {
    const bytes = new TextEncoder().encode(`${start},"x":"`)
    expect(await lineOf(new Uint8Array([...bytes, 0xc3, 0x28, 0x22, 0x7d]))).toBe(invalidJson)
  })

  it('[7-01] has at most 8 MiB by default, and is read only up to the limit', async () => {
    expect((await sent(padded(8 * MiB))).status).toBe(accepted)
    expect(await lineOf(padded(8 * MiB + 1))).toBe(tooLarge)
    const endless = watched((controller) => controller.enqueue(new Uint8Array(MiB)))
    expect(await lineOf(endless.body)).toBe(tooLarge)
    expect(endless.seen).toEqual({ pulled: 9, cancelled: true })
    const declared = watched(() => {})
    expect(await lineOf(declared.body, {}, { 'content-length': String(8 * MiB + 1) })).toBe(tooLarge)
    expect(declared.seen.pulled).toBe(0)
  })

  it('[7-01] is refused with 408 when it does not arrive in time, and is read no further', async () => {
    let expire = () => {}
    let stopped = 0
    const bodyTimeout = (end: () => void) => {
      expire = end
      return () => void stopped++
    }
    const silent = watched(() => {
      queueMicrotask(() => expire())
      return new Promise(() => {})
    })
    expect(await lineOf(silent.body, { bodyTimeout })).toBe('408 {"message":"408: Request Timeout","code":0}')
    expect(silent.seen.cancelled).toBe(true)
    stopped = 0
    expect((await sent(padded(100), { bodyTimeout })).status).toBe(accepted)
    expect(stopped).toBe(1)
  })
})

describe('broken connections', () => {
  it('[7-01] responds with 400 to a body that breaks', async ({ fetch }) => {
    const broken = watched((controller) => controller.error(new Error('connection reset')))
    expect((await fetch(post(broken.body))).line).toBe('400 {"message":"400: Bad Request","code":0}')
  })

  it('[7-01] responds with 400 and a remedy to a body that was already read', async ({ fetch }) => {
    const used = post(JSON.stringify(hello))
    await used.text()
    expect((await fetch(used)).line).toBe(
      '400 {"message":"The body was already read; mount the service before body parsers","code":0}',
    )
  })

  it('[7-01] waits for a body without a time limit', async () => {
    const { handler } = service({ bodyTimeout: Infinity })
    const slow = watched(async (controller) => {
      // The handler is reading by now: several turns of the event loop pass before the body arrives.
      for (let turns = 0; turns < 5; turns++) await turn()
      controller.enqueue(new TextEncoder().encode(JSON.stringify(hello)))
      controller.close()
    })
    expect((await handler(post(slow.body))).status).toBe(201)
  })

  it('responds with 400 to a body of something other than bytes', async ({ handler }) => {
    const odd = new ReadableStream({ pull: (controller) => controller.enqueue('text') })
    const request = {
      method: 'POST',
      url,
      headers: new Headers({ authorization: 'Bot bot', 'content-type': 'application/json' }),
      body: odd,
    }
    expect((await handler(request as unknown as Request)).status).toBe(400)
  })
})

describe('invalid options', () => {
  const registry = new CommandRegistry()
  const authenticate = openAccess()
  const invalid = (name: string, ...values: unknown[]) =>
    values.map((value) => [{ [name]: value }, new RegExp(`^${name}(\\[0\\])?: expected`)] as const)

  it.each<readonly [object, RegExp]>([
    ...invalid('registry', undefined, {}),
    ...invalid('authenticate', 'bot'),
    ...invalid('basePath', 'api', '/api/', '/a?b', '/a#b', '/a/../b', '/ä', '/api/*', ['/api']),
    ...invalid('maxBodyBytes', 0),
    ...invalid('bodyTimeout', -1, 0, 0.5, Number.NaN, '30'),
    ...invalid('gateway', 5),
    ...invalid('cors', null, ['https://a.b/'], ['https://a.b:443'], ['https://A.b'], ['http://a.b/']),
    ...invalid('cors', ['http://a.b:80'], ['http://A.b'], ['http://'], ['https://'], ['a.b'], [5]),
    [
      { bodyTimeout: 2 ** 31 },
      /bodyTimeout: expected an integer of milliseconds from 1 to 2147483647, or Infinity/,
    ],
    [
      { cors: 'https://a.b' },
      /cors: expected true, false or a list of origins, got the string "https:\/\/a\.b"/,
    ],
    [{ cors: ['https://a.b', '*'] }, /cors\[1\]: expected an origin .* pass true instead of the list/],
    [{ gateway: 'http://a.b' }, /gateway: expected an address such as "ws:/],
    [{ sessionStartLimit: {} }, /sessionStartLimit: expected a function/],
    [{ answers: {} }, /answers: expected the result of pendingAnswers/],
    ...[0, 1.5].map((limit) => [{ rateLimit: { limit, seconds: 1 } }, /rateLimit.limit: expected/] as const),
    ...[0, Infinity, Number.NaN].map(
      (seconds) => [{ rateLimit: { limit: 1, seconds } }, /rateLimit.seconds: expected/] as const,
    ),
  ])('rejects %j with a TypeError', (options, message) => {
    const make = () => createHandler({ registry, authenticate, ...options })
    expect(make).toThrow(TypeError)
    expect(make).toThrow(message)
  })

  it.each([
    { bodyTimeout: 2 ** 31 - 1 },
    { bodyTimeout: 1, maxBodyBytes: 1 },
    { cors: ['https://a.b', 'http://localhost:3000', 'http://[::1]:8080', 'app://panel', 'null'] },
    { cors: [] },
  ])('accepts %j', (options) => {
    expect(createHandler({ registry, authenticate, ...options })).toBeTypeOf('function')
  })
})

it('[9-01] serves /api/v10 or another base path', async () => {
  const headers = { authorization: 'Bot bot' }
  for (const [options, path] of [
    [{}, '/api/v10'],
    [{ basePath: '' }, ''],
    [{ basePath: '/mock/api/v10' }, '/mock/api/v10'],
  ] as const) {
    const { fetch } = service(options)
    const get = (start: string) => fetch(new Request(`https://host.test:8443${start}${base}`, { headers }))
    expect((await get(path)).status).toBe(200)
    expect((await get(`${path}/more`)).status).toBe(404)
  }
})

it('[9-04] answers older versions, and paths without a version, as v10', async () => {
  const statusOf = async ({ fetch }: Service, path: string) =>
    (await fetch(new Request(`http://host.test${path}`))).status
  for (const [basePath, start] of [
    ['/api/v10', '/api'],
    ['/mock/api/v10', '/mock/api'],
    ['/v10', ''],
  ] as const) {
    const running = service({ basePath })
    for (const version of ['/v10', '/v9', '/v8', '/v7', '/v6', '']) {
      expect([version, await statusOf(running, `${start}${version}/gateway`)]).toEqual([version, 200])
      expect([version, await statusOf(running, `${start}${version}/users/@me`)]).toEqual([version, 401])
    }
    expect(await statusOf(running, `${start}/v11/gateway`)).toBe(404)
    expect(await statusOf(running, `${start}/v5/gateway`)).toBe(404)
  }
  expect(await statusOf(service({ basePath: '/api' }), '/api/v9/gateway')).toBe(404)
})
