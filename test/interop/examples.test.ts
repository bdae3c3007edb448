import { getRequestListener } from '@hono/node-server'
import { trace } from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { listening } from '../support/listening.ts'
import { APP } from './world.ts'

async function create(url: string, token: string, application: string): Promise<void> {
  const response = await fetch(`${url}/api/v10/applications/${application}/commands`, {
    method: 'POST',
    headers: { authorization: `Bot ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'hello', description: 'Says hello' }),
  })
  expect([response.status < 300, response.headers.get('content-type')]).toEqual([true, 'application/json'])
  expect(await response.json()).toMatchObject({ name: 'hello', application_id: application })
}

/** The exact output of a program. */
async function printed(run: () => Promise<unknown>): Promise<string[]> {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  onTestFinished(() => log.mockRestore())
  await run()
  return log.mock.calls.map(([line]) => String(line))
}

describe('the examples of the docs', () => {
  it('node:http', async () => {
    let example!: typeof import('../../docs/examples/http-node.ts')
    const lines = await printed(async () => {
      example = await import('../../docs/examples/http-node.ts')
    })
    expect(lines).toEqual([
      expect.stringMatching(/^listening on http:.*\/api\/v10$/),
      expect.stringMatching(/^and on port \d+$/),
    ])
    for (const url of example.urls) await create(url, 'bot-a', '1001')
    expect(await (await fetch(example.urls[1]!)).text()).toBe('hello from the rest of the server\n')
    await example.close()
  })

  it('Hono, called and on its own server', async () => {
    const { app } = await import('../../docs/examples/http-hono.ts')
    const url = await listening(getRequestListener(app.fetch))
    await create(url, 'any', APP)
    expect(await (await fetch(`${url}/health`)).text()).toBe('well')
    const unknown = await app.request('/api/v10/nothing')
    const message = '404: Not Found: this service has no GET /api/v10/nothing'
    expect([unknown.status, await unknown.json()]).toEqual([404, { message, code: 0 }])
  })

  it('Express', async () => {
    const { app } = await import('../../docs/examples/http-express.ts')
    const url = await listening(app)
    await create(url, 'any', APP)
    const echo = await fetch(`${url}/echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}',
    })
    expect(await echo.json()).toEqual({ a: 1 })
    expect((await fetch(`${url}/api/v10/nothing`)).status).toBe(404)
  })

  it('Fastify', async () => {
    const { app } = await import('../../docs/examples/http-fastify.ts')
    const url = await app.listen()
    onTestFinished(() => app.close())
    await create(url, 'any', APP)
    expect(await (await fetch(`${url}/health`)).text()).toBe('well')
  })

  it('Koa', async () => {
    const { app } = await import('../../docs/examples/http-koa.ts')
    const url = await listening(app.callback())
    await create(url, 'any', APP)
    expect(await (await fetch(`${url}/health`)).text()).toBe('well')
  })

  it('logs with pino, metrics with prom-client, traces with OpenTelemetry', async () => {
    const spans = new InMemorySpanExporter()
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })
    trace.setGlobalTracerProvider(provider)
    onTestFinished(() => trace.disable())
    const lines: string[] = []
    const metrics = new Registry()
    const log = pino({}, { write: (line: string) => void lines.push(line) })
    const { observedHandler } = await import('../../docs/examples/http-observed.ts')
    const handler = observedHandler(log, metrics)
    const path = `/api/v10/applications/${APP}/commands`
    await handler(new Request(`http://x${path}`, { headers: { authorization: 'Bot x' } }))
    const route = '/applications/{application.id}/commands'
    const logged = { method: 'GET', route, status: 200, application: APP, msg: 'request' }
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([logged])
    expect(await metrics.metrics()).toContain(
      `commandry_request_seconds_count{method="GET",route="${route}",status="200"} 1`,
    )
    const [span] = spans.getFinishedSpans()
    expect([span!.name, span!.attributes['http.route']]).toEqual([`GET ${route}`, route])
  })

  it('a test of a deploy script', async () => {
    expect(await printed(() => import('../../docs/examples/http-deploy.ts'))).toEqual([
      'the deploy script does what it should',
    ])
  })
})
