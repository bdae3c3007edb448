import { describe, expect, it } from 'vitest'
import { bed, open, useTestbeds } from '../demo-bot.ts'

useTestbeds()

describe('a route of a test', () => {
  const path = '/api/v10/guilds/2001/prune/3003'
  const at = (path: string, method: string, body?: BodyInit) =>
    fetch(new URL(path, bed.rest), { method, ...(body !== undefined && { body }) })

  it('answers with JSON, a response, or 204, and gets the segments, the query, the JSON and the bot', async () => {
    await open({ routes: { 'GET /prune/:id': ({ params }) => params } })
    bed.on('PUT /guilds/:guild/prune/:user', ({ params, query, body, bot }) => {
      return { ...params, days: query.get('days'), ...body, bot: bot.id }
    })
    const answered = { guild: '2001', user: '3003', days: '7', reason: 'spam', bot: bed.applicationId }
    expect(await (await at(`${path}?days=7`, 'PUT', '{"reason":"spam"}')).json()).toEqual(answered)
    const form = new FormData()
    form.set('payload_json', '{"reason":"spam"}')
    expect(await (await at(`${path}?days=7`, 'PUT', form)).json()).toEqual(answered)
    bed.on('PUT /v10/guilds/:guild/prune/:user', () => new Response('no', { status: 403 }))
    for (let i = 0; i < 2; i++) {
      const refused = await at('/api/guilds/2001/prune/3003', 'PUT')
      expect([refused.status, await refused.text()]).toEqual([403, 'no'])
    }
    bed.on('PUT /guilds/:guild/prune/:user', () => undefined)
    expect((await at(path, 'PUT')).status).toBe(204)
    expect(await (await at('/api/v9/prune/%40me', 'GET')).json()).toEqual({ id: '@me' })
  })

  it('is not needed for webhooks of channels, which take every message', async () => {
    const log = `/api/v10/webhooks/7001/${'x'.repeat(68)}`
    expect((await at(log, 'POST', '{}')).status).toBe(204)
    expect(await (await at(`${log}?wait=true`, 'POST', '{}')).json()).toMatchObject({ webhook_id: '7001' })
    expect((await at('/api/v10/webhooks/7001/token', 'POST', '{}')).status).toBe(404)
  })

  it('is not needed for avatars and emojis, which are one pixel each', async () => {
    for (const path of ['/embed/avatars/0.png', '/emojis/7001.webp']) {
      const response = await at(path, 'GET')
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
      expect((await response.text()).slice(1, 4)).toBe('PNG')
    }
    expect((await at('/embed/avatars/0.txt', 'GET')).status).toBe(404)
  })

  it('comes before a route of the service, once or until it is removed or the testbed is reset', async () => {
    await open({ routes: { 'GET /gateway': () => 'always' } })
    const read = async () => (await at('/api/v10/gateway', 'GET')).json()
    const remove = bed.on('GET /gateway', () => 'mine')
    bed.on('GET /gateway', () => 'once', { once: true })
    expect([await read(), await read()]).toEqual(['once', 'mine'])
    remove()
    expect(await read()).toBe('always')
    bed.on('GET /gateway', () => 'mine')
    bed.reset()
    expect(await read()).toBe('always')
    expect(bed.requests).toHaveLength(1)
  })

  it('is a 500 with the message of the test when the handler throws', async () => {
    const message = '500: Internal Server Error: the handler of "GET /broken" threw: no database'
    for (const error of [new Error('no database'), 'no database']) {
      bed.on('GET /broken', () => Promise.reject(error))
      const response = await at('/api/v10/broken', 'GET')
      expect([response.status, await response.json()]).toEqual([500, { message, code: 0 }])
    }
    expect(bed.requests[0]).toMatchObject({ error: message })
  })

  it('is named by the 404 of a request that nothing answers, without tokens', async () => {
    const messageOf = async (path: string, method = 'PUT') => (await (await at(path, method)).json()).message
    expect(await messageOf(path)).toBe(
      "404: Not Found: this service has no PUT /guilds/2001/prune/3003; answer it with bed.on('PUT /guilds/:guild/prune/:prune', …)",
    )
    expect(await messageOf('/api/v10/webhooks/1001/s3cret')).toContain(
      "PUT /webhooks/1001/***; answer it with bed.on('PUT /webhooks/:webhook/:token', …)",
    )
    expect(await messageOf('/api/v10/%40me/7')).toContain("answer it with bed.on('PUT /:id/:id', …)")
    expect(await messageOf('/gateway')).not.toContain('bed.on')
    expect(await messageOf('/api/v10/guilds/2001/members', 'PATCH')).toMatch(/^404: Not Found/)
    expect(await messageOf('/api/v10/gateway')).toMatch(/^405: .* has no PUT \/gateway; answer/)
  })

  it.each(['/guilds', 'put /guilds', 'PUT guilds', 'PUT /guilds?x', 5])(
    'refuses the route %j',
    async (route) => {
      expect(() => bed.on(route as never, () => 1)).toThrow('route: expected a method and a path such as')
      expect(() => bed.on('PUT /x', 5 as never)).toThrow('handler: expected a function, got the number 5')
    },
  )
})
