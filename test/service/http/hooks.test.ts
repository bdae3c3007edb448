import { describe, expect, it } from 'vitest'
import { CommandRegistry, globalScope, type RegistryEvent } from 'commandry'
import { createHandler, openAccess, type Authenticate, type ResponseReport } from 'commandry/http'
import { APP, base, GUILD, USER } from './ids.ts'
import { service } from './service.ts'

const body = { name: 'one', description: 'b' }
const bot = { type: 'Bot', applicationId: APP } as const

/** A request without an `Authorization` header. */
const anonymous = { authorization: null } as const

describe('authenticate', () => {
  it('gets the request, also without credentials or with those of another scheme', async () => {
    const seen: unknown[] = []
    const authenticate: Authenticate = (credentials, place, request) => {
      seen.push([credentials, place.applicationId, request.method, request.header('authorization')])
      return request.header('x-api-key') === 'secret' ? bot : undefined
    }
    const { send } = service({ authenticate })
    const headers = { 'x-api-key': 'secret' }
    expect((await send('POST', base, { ...anonymous, headers, body })).status).toBe(201)
    expect((await send('GET', base, { authorization: 'Basic abc', headers })).status).toBe(200)
    expect((await send('GET', base, anonymous)).status).toBe(401)
    const none = { type: 'None', token: '' }
    expect(seen).toEqual([
      [none, APP, 'POST', null],
      [none, APP, 'GET', 'Basic abc'],
      [none, APP, 'GET', null],
    ])
  })

  it('gets the Request of a Web host', async () => {
    let raw: unknown
    const handler = createHandler({
      registry: new CommandRegistry(),
      authenticate: (_, __, request) => void (raw = request.raw),
    })
    const request = new Request('http://x/api/v10/users/@me')
    await handler(request)
    expect(raw).toBe(request)
  })

  it('refuses in its own words', async () => {
    const answers = [
      { status: 403, message: 'suspended', code: 40001 },
      { status: 503, message: 'the user database is down', retryAfter: 1.2 },
      { status: 401, message: 'expired' },
    ]
    const errors: unknown[] = []
    for (const answer of answers) {
      const { handler } = service({ authenticate: () => answer, onError: (error) => errors.push(error) })
      const response = await handler(new Request(`http://x/api/v10${base}`))
      expect([response.status, await response.json()]).toEqual([
        answer.status,
        { message: answer.message, code: answer.code ?? 0 },
      ])
      expect(response.headers.get('retry-after')).toBe(answer.retryAfter === undefined ? null : '2')
      expect(response.headers.has('www-authenticate')).toBe(answer.status === 401)
    }
    expect(errors).toEqual([])
  })

  it.each([
    [{ status: 200, message: 'ok' }, 'refusal.status: expected an integer from 400 to 599'],
    [{ status: 403 }, 'refusal.message: expected a string'],
    [{ status: 403, message: 'x', code: '1' }, 'refusal.code: expected an integer'],
    [{ status: 503, message: 'x', retryAfter: -1 }, 'refusal.retryAfter: expected seconds'],
    [{ status: 503, message: 'x', retryAfter: Infinity }, 'refusal.retryAfter: expected seconds'],
  ])('grants nothing for the refusal %j', async (answer, message) => {
    const errors: unknown[] = []
    const { send } = service({
      authenticate: () => answer as never,
      onError: (error) => errors.push(error),
    })
    expect((await send('GET', base)).status).toBe(500)
    expect(String(errors)).toContain(message)
  })

  it('is not alone in refusing: an error of a wrapped registry may have a refusal too', async () => {
    const errors: unknown[] = []
    const sent = async (thrown: unknown) => {
      const registry = new CommandRegistry()
      const upsert = () => Promise.reject(thrown)
      const wrapped = Object.assign(Object.create(registry), { upsert }) as CommandRegistry
      const { send } = service({ registry: wrapped, onError: (error) => errors.push(error) })
      const { status, body: answer, headers } = await send('POST', base, { body })
      return [status, answer.message, answer.code, headers.get('retry-after')]
    }
    const quota = (refusal: object) => Object.assign(new Error('quota of tenant 7'), { refusal })
    const refusal = { status: 402, message: 'Payment required', code: 60001, retryAfter: 3 }
    expect(await sent(quota(refusal))).toEqual([402, 'Payment required', 60001, '3'])
    expect(errors).toEqual([])
    const fault = await sent(new Error('private'))
    // An error of another library with a status is a fault: its message is not for clients.
    expect(await sent(Object.assign(new Error('private'), { status: 404 }))).toEqual(fault)
    expect(await sent(quota({ status: 200, message: 'ok' }))).toEqual(fault)
    expect(fault[0]).toBe(500)
    expect(errors.map(String)).toMatchObject([
      'Error: private',
      'Error: private',
      expect.stringContaining('refusal.status: expected'),
    ])
  })

  it('that is open to every token refuses a request without one', async () => {
    const { send } = service({ authenticate: openAccess() })
    expect((await send('GET', base, anonymous)).status).toBe(401)
    expect((await send('GET', base, { authorization: 'Basic x' })).status).toBe(401)
  })

  it('has one rate limit for each principal without a token', async () => {
    const authenticate: Authenticate = (_, __, { header }) => ({
      type: 'Bearer',
      applicationId: APP,
      scopes: [],
      user: { id: header('x-user')! },
    })
    const { send } = service({ authenticate, rateLimit: { limit: 1, seconds: 60 } })
    const statusOf = async (user: string) =>
      (await send('GET', base, { ...anonymous, headers: { 'x-user': user } })).status
    expect([await statusOf('1'), await statusOf('1'), await statusOf('2')]).toEqual([200, 429, 200])
  })
})

describe('onResponse', () => {
  it('reports each response once, with the pattern of its route and who asked', async () => {
    const reports: ResponseReport[] = []
    const { send } = service({ onResponse: (report) => reports.push(report) })
    await send('POST', base, { body })
    await send('GET', `${base}/1`, { authorization: 'Bearer manager' })
    await send('HEAD', base)
    await send('OPTIONS', base)
    await send('GET', base, { authorization: 'Bot unknown' })
    await send('GET', '/nothing')
    const route = '/applications/{application.id}/commands'
    expect(
      reports.map(({ request, route, status, principal }) => [
        request.method,
        route,
        status,
        principal?.type,
      ]),
    ).toEqual([
      ['POST', route, 201, 'Bot'],
      ['GET', `${route}/{command.id}`, 404, 'Bearer'],
      ['HEAD', route, 200, 'Bot'],
      ['OPTIONS', route, 204, undefined],
      ['GET', route, 401, undefined],
      ['GET', null, 404, undefined],
    ])
    for (const report of reports) expect(report.duration).toBeGreaterThanOrEqual(0)
    expect(reports.every(Object.isFrozen)).toBe(true)
  })

  it('states whether the client left before the response', async () => {
    const reports: ResponseReport[] = []
    const registry = new CommandRegistry()
    let answer = () => {}
    const list = registry.list.bind(registry)
    const asked = new Promise<void>((resolve) => {
      registry.list = async (...args: Parameters<typeof list>) => {
        const ready = new Promise<void>((next) => (answer = next))
        resolve()
        await ready
        return list(...args)
      }
    })
    const onResponse = (report: ResponseReport) => void reports.push(report)
    const handler = createHandler({ registry, authenticate: openAccess(), onResponse })
    const leave = new AbortController()
    const headers = { authorization: 'Bot x' }
    const response = handler(new Request(`http://x/api/v10${base}`, { headers, signal: leave.signal }))
    await asked
    leave.abort()
    answer()
    await response
    await handler(new Request('http://x/api/v10/nothing', { headers }))
    expect(reports.map(({ status, aborted }) => [status, aborted])).toEqual([
      [200, true],
      [404, false],
    ])
  })

  it('and onError get the request, its route and its principal with an error', async () => {
    const failure = new Error('quota')
    const registry = new CommandRegistry()
    registry.list = () => Promise.reject<never>(failure)
    const contexts: unknown[] = []
    const reports: ResponseReport[] = []
    const handler = createHandler({
      registry,
      authenticate: () => bot,
      onError: (error, context) => contexts.push([error, context.route, context.principal]),
      onResponse: (report) => reports.push(report),
    })
    await handler(new Request(`http://x/api/v10${base}`))
    expect(contexts).toEqual([[failure, '/applications/{application.id}/commands', bot]])
    expect(reports).toMatchObject([{ status: 500, error: failure }])
  })

  it('may fail without failing the response', async () => {
    const failing = () => {
      throw new Error('hook')
    }
    for (const onResponse of [failing, () => Promise.reject(new Error('hook'))]) {
      const { send } = service({ onResponse, onError: failing })
      expect((await send('GET', base)).status).toBe(200)
    }
  })
})

describe('the events of changes over HTTP', () => {
  it('say who made them', async () => {
    const { registry, send } = service()
    const events: RegistryEvent[] = []
    registry.subscribe((event) => events.push(event))
    const { id } = (await send('POST', base, { body })).body
    await send('PATCH', `${base}/${id}`, { authorization: 'Bearer update', body: { description: 'c' } })
    const permissions = [{ id: '5', type: 1, permission: true }]
    const path = `/applications/${APP}/guilds/${GUILD}/commands/${id}/permissions`
    await send('PUT', path, { authorization: 'Bearer manager', body: { permissions } })
    await send('PUT', base, { body: [body] })
    await send('DELETE', `${base}/${id}`)
    await registry.upsert(globalScope(APP), body)
    await registry.upsert(globalScope(APP), { ...body, nsfw: true }, { by: { userId: '7' } })
    expect(events.map((event) => ('by' in event ? event.by : null))).toEqual([
      { applicationId: APP },
      { applicationId: APP },
      { applicationId: APP, userId: USER },
      { applicationId: APP },
      { applicationId: APP },
      null,
      { userId: '7' },
    ])
  })
})
