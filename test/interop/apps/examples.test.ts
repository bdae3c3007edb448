import { getTestServer } from '@google-cloud/functions-framework/testing'
import { getRequestListener } from '@hono/node-server'
import { Controller, Get, Module } from '@nestjs/common'
import { trace } from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { restFetch } from 'commandry/http'
import { listening } from '../../support/listening.ts'
import { APP } from '../rest/world.ts'

async function create(url: string, token: string, application: string, send: typeof fetch = fetch) {
  const response = await send(`${url}/api/v10/applications/${application}/commands`, {
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
    let example!: typeof import('../../../docs/examples/http-node.ts')
    const lines = await printed(async () => {
      example = await import('../../../docs/examples/http-node.ts')
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
    const { app } = await import('../../../docs/examples/http-hono.ts')
    const url = await listening(getRequestListener(app.fetch))
    await create(url, 'any', APP)
    expect(await (await fetch(`${url}/health`)).text()).toBe('well')
    const unknown = await app.request('/api/v10/nothing')
    const message = '404: Not Found: this service has no GET /api/v10/nothing'
    expect([unknown.status, await unknown.json()]).toEqual([404, { message, code: 0 }])
  })

  it('Express', async () => {
    const { app } = await import('../../../docs/examples/http-express.ts')
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
    const { app } = await import('../../../docs/examples/http-fastify.ts')
    const url = await app.listen()
    onTestFinished(() => app.close())
    await create(url, 'any', APP)
    expect(await (await fetch(`${url}/health`)).text()).toBe('well')
  })

  it('Koa', async () => {
    const { app } = await import('../../../docs/examples/http-koa.ts')
    const url = await listening(app.callback())
    await create(url, 'any', APP)
    expect(await (await fetch(`${url}/health`)).text()).toBe('well')
  })

  it('NestJS, whose other paths reach its controllers', async () => {
    class Health {
      health() {
        return 'well'
      }
    }
    class AppModule {}
    const { prototype } = Health
    Get('health')(prototype, 'health', Object.getOwnPropertyDescriptor(prototype, 'health')!)
    Controller()(Health)
    Module({ controllers: [Health] })(AppModule)
    const { bootstrap } = await import('../../../docs/examples/http-nest.ts')
    const app = await bootstrap(AppModule, 0)
    onTestFinished(() => app.close())
    const url = await app.getUrl()
    await create(url, 'any', APP)
    expect(await (await fetch(`${url}/health`)).text()).toBe('well')
  })

  it('Next.js, as a route', async () => {
    const route = await import('../../../docs/examples/http-next.ts')
    await create('http://next.test', 'any', APP, restFetch(route.POST))
    expect(new Set([route.GET, route.PUT, route.PATCH, route.DELETE])).toEqual(new Set([route.POST]))
  })

  it('a worker', async () => {
    const { default: worker } = await import('../../../docs/examples/http-worker.ts')
    const env = { BOT_TOKEN: 'secret', APPLICATION_ID: APP }
    await create(
      'http://worker.test',
      'secret',
      APP,
      restFetch((request) => worker.fetch(request, env)),
    )
  })

  it('AWS Lambda, with a text and in Base64', async () => {
    const { handler } = await import('../../../docs/examples/http-lambda.ts')
    const lambda = (isBase64Encoded: boolean) => async (request: Request) => {
      const { hostname, pathname, search } = new URL(request.url)
      const body = Buffer.from(await request.arrayBuffer())
      const response = await handler({
        rawPath: pathname,
        rawQueryString: search.slice(1),
        headers: Object.fromEntries(request.headers),
        requestContext: { domainName: hostname, http: { method: request.method } },
        body: body.toString(isBase64Encoded ? 'base64' : 'utf8'),
        isBase64Encoded,
      })
      return new Response(response.body, { status: response.statusCode, headers: response.headers })
    }
    for (const isEncoded of [false, true])
      await create('http://lambda.test', 'any', APP, restFetch(lambda(isEncoded)))
  })

  it('a function of Google Cloud, whose framework reads the body first', async () => {
    await import('../../../docs/examples/http-cloud-function.ts')
    const server = getTestServer('commands')
    const url = await listening((request, response) => server.emit('request', request, response))
    await create(url, 'any', APP)
  })

  it('logs with pino, metrics with prom-client, traces with OpenTelemetry', async () => {
    const spans = new InMemorySpanExporter()
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] })
    trace.setGlobalTracerProvider(provider)
    onTestFinished(() => trace.disable())
    const lines: string[] = []
    const metrics = new Registry()
    const log = pino({}, { write: (line: string) => void lines.push(line) })
    const { observedHandler } = await import('../../../docs/examples/http-observed.ts')
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
    expect(await printed(() => import('../../../docs/examples/http-deploy.ts'))).toEqual([
      'the deploy script does what it should',
    ])
  })
})
