import { describe, expect, it } from 'vitest'
import { base, service } from './service.ts'

describe('CORS', () => {
  const origin = 'https://panel.test'
  const preflight = {
    origin,
    'access-control-request-method': 'PUT',
    'access-control-request-headers': 'authorization,content-type',
  }
  const allowOrigin = (headers: Headers) => headers.get('access-control-allow-origin')

  it('is off by default', async () => {
    const { send } = service()
    const answers = [
      await send('GET', base, { headers: { origin } }),
      await send('OPTIONS', base, { headers: preflight }),
    ]
    for (const { headers } of answers) {
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  it('allows every origin, on errors too', async () => {
    const { send } = service({ cors: true })
    for (const [path, authorization] of [
      [base, 'Bot bot'],
      [base, 'Bot nobody'],
      ['/nothing', null],
    ] as const) {
      expect(allowOrigin((await send('GET', path, { authorization, headers: { origin } })).headers)).toBe('*')
    }
  })

  it('responds to a preflight', async () => {
    const { send } = service({ cors: true })
    const { status, headers } = await send('OPTIONS', base, { authorization: null, headers: preflight })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, PUT, OPTIONS')
    expect(headers.get('access-control-allow-headers')).toBe('authorization,content-type')
    expect(headers.get('access-control-expose-headers')).toContain('X-RateLimit-Remaining')
  })

  it('allows only the origins of a list', async () => {
    const { send } = service({ cors: [origin] })
    const known = await send('GET', base, { headers: { origin } })
    expect([allowOrigin(known.headers), known.headers.get('vary')]).toEqual([origin, 'Origin'])
    const unknown = await send('GET', base, { headers: { origin: 'https://elsewhere.test' } })
    expect([allowOrigin(unknown.headers), unknown.headers.get('vary')]).toEqual([null, 'Origin'])
  })
})
