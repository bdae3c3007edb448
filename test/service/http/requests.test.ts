import { requestListener } from 'commandry/node'
import { restFetch } from 'commandry/http'
import { describe, expect } from 'vitest'
import { APP, base, guildBase } from './ids.ts'
import { service, it } from './service.ts'
import { hello } from '../../support/fixtures.ts'

describe('HEAD and OPTIONS', () => {
  it('HEAD responds like GET without the body', async ({ send, handler }) => {
    await send('POST', base, { body: { ...hello, description: 'Grüße' } })
    for (const [path, authorization] of [
      [base, 'Bot bot'],
      [base, 'Bot nobody'],
      [`${base}/1`, 'Bot bot'],
      ['/nothing', 'Bot bot'],
    ] as const) {
      const get = await send('GET', path, { authorization })
      const head = await handler(
        new Request(`http://service.test/api/v10${path}`, { method: 'HEAD', headers: { authorization } }),
      )
      expect(head.status).toBe(get.status)
      expect(await head.text()).toBe('')
      expect(head.headers.get('content-type')).toBe('application/json')
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)))
    }
  })

  it('OPTIONS lists the methods of a path, without a token', async ({ send }) => {
    const { status, headers, text } = await send('OPTIONS', guildBase, { authorization: null })
    expect([status, text, headers.get('allow')]).toEqual([204, '', 'GET, HEAD, POST, PUT, OPTIONS'])
    expect((await send('OPTIONS', '/nothing', { authorization: null })).status).toBe(404)
  })
})

describe('CORS', () => {
  const origin = 'https://panel.test'
  const preflight = {
    origin,
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'authorization,content-type',
  }
  const allowOrigin = (headers: Headers) => headers.get('access-control-allow-origin')

  it('is off by default', async ({ send }) => {
    const answers = [
      await send('GET', base, { headers: { origin } }),
      await send('OPTIONS', base, { headers: preflight }),
    ]
    for (const { headers } of answers)
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })

  it('allows every origin, on errors too', async () => {
    const { send } = service({ cors: true })
    for (const [path, authorization] of [
      [base, 'Bot bot'],
      [base, 'Bot nobody'],
      ['/nothing', null],
    ] as const)
      expect(allowOrigin((await send('GET', path, { authorization, headers: { origin } })).headers)).toBe('*')
  })

  it('responds to a preflight', async () => {
    const { send } = service({ cors: true })
    const { status, headers } = await send('OPTIONS', base, { authorization: null, headers: preflight })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, PUT, OPTIONS')
    expect(headers.get('access-control-allow-headers')).toBe('authorization,content-type')
    expect(headers.get('access-control-max-age')).toBe('600')
    expect(headers.get('access-control-expose-headers')).toContain('X-RateLimit-Remaining')
    // Neither an OPTIONS that asks for nothing nor another request that asks is a preflight.
    for (const [method, sent] of [
      ['OPTIONS', { origin }],
      ['GET', preflight],
    ] as const) {
      const other = await send(method, base, { headers: sent })
      expect(allowOrigin(other.headers)).toBe('*')
      expect(other.headers.has('access-control-allow-methods')).toBe(false)
    }
  })

  it('allows only the origins of a list', async () => {
    const { send } = service({ cors: [origin] })
    const known = await send('GET', base, { headers: { origin } })
    expect([allowOrigin(known.headers), known.headers.get('vary')]).toEqual([origin, 'Origin'])
    const unknown = await send('GET', base, { headers: { origin: 'https://elsewhere.test' } })
    expect([allowOrigin(unknown.headers), unknown.headers.get('vary')]).toEqual([null, 'Origin'])
  })
})

describe('restFetch', () => {
  it('sends requests of any host to the handler', async ({ handler }) => {
    const request = restFetch(handler)
    const url = `https://discord.com/api/v10${base}`
    const headers = { authorization: 'Bot bot', 'content-type': 'application/json' }
    const created = await request(url, { method: 'POST', headers, body: JSON.stringify(hello) })
    expect([created.status, ((await created.json()) as { name: string }).name]).toEqual([201, 'hello'])
    for (const input of [url, new URL(url), new Request(url)])
      expect(((await (await request(input, { headers })).json()) as unknown[]).length).toBe(1)
  })

  it('accepts a body that is a stream', async () => {
    const body = new Blob([JSON.stringify(hello)]).stream()
    const headers = { authorization: 'Bot bot', 'content-type': 'application/json' }
    const url = `https://discord.com/api/v10/applications/${APP}/commands`
    expect((await restFetch(service().handler)(url, { method: 'POST', headers, body })).status).toBe(201)
  })

  it('has the type of fetch and of the makeRequest of discord.js', () => {
    const asFetch: typeof fetch = restFetch(service().handler)
    const makeRequest: (url: string, init: { method?: string; body?: unknown }) => Promise<Response> =
      restFetch(service().handler)
    expect([asFetch, makeRequest].every((each) => typeof each === 'function')).toBe(true)
  })

  it('rejects a handler that is not a function, and a request that is not a Request', async () => {
    for (const take of [restFetch, requestListener])
      expect(() => take({} as never)).toThrow(
        new TypeError('handler: expected a function; see createHandler'),
      )
    // As createServer(handler) of node:http calls it.
    await expect(service().handler({ url: '/', headers: {} } as never)).rejects.toThrow(
      'request: expected a Request; node:http and Express take requestListener(handler)',
    )
  })
})
