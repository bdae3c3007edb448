/** Contests over HTTP: the handler of requests against one without a router, the listener against bare `node:http`. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Contest, ContestRow, Contender, Operation, Served } from './contest.ts'
import { app, middle, unknownMegabytes } from './payloads.ts'

const PATH = '/api/v10/applications/1001/commands'
const headers = { Authorization: 'Bot t', 'Content-Type': 'application/json' }
const texts = (body: object): readonly [string, string] => [
  JSON.stringify({ ...body, description: 'What it does 0' }),
  JSON.stringify({ ...body, description: 'What it does 1' }),
]

async function service(bodies: readonly object[] = []) {
  const { CommandRegistry, globalScope } = await import('commandry')
  const { createHandler, openAccess } = await import('commandry/http')
  const registry = new CommandRegistry()
  const scope = globalScope('1001')
  const commands = await registry.overwrite(scope, bodies)
  return { registry, scope, commands, handler: createHandler({ registry, authenticate: openAccess() }) }
}

type Handler = (request: Request) => Response | Promise<Response>

const bare: Handler = async (request) => Response.json(await request.json(), { status: 201 })

async function honoApp() {
  const { Hono } = await import('hono')
  return new Hono().post('/api/v10/applications/:application/commands', async (c) =>
    c.json(await c.req.json(), 201),
  )
}

function posting(body: object): Contest {
  const bodies = texts(body)
  const operation = (handler: Handler): Operation => {
    return async (turn) => {
      const request = new Request(`http://localhost${PATH}`, {
        method: 'POST',
        headers,
        body: bodies[turn & 1]!,
      })
      return (await handler(request)).text()
    }
  }
  return {
    bare: () => operation(bare),
    commandry: async () => operation((await service()).handler),
    hono: async () => {
      const hono = await honoApp()
      return operation((request) => hono.fetch(request))
    },
  }
}

const locales = ['de', 'fr', 'ja', 'es-ES', 'pt-BR']
const getting = (locale: string) =>
  new Request(`http://localhost${PATH}`, { headers: { ...headers, 'X-Service-Locale': locale } })

/** The list of 130 commands in one locale: after a write, when nothing can be remembered, or the same again. */
function listing(isAgain: boolean): Contest {
  return {
    bare: async () => {
      const { commands } = await service(app())
      const handler: Handler = () => Response.json(commands)
      return async () => (await handler(getting('de'))).text()
    },
    commandry: async () => {
      const bodies = app()
      const { handler, registry, scope } = await service(bodies)
      const response = await handler(getting('de'))
      if (response.status !== 200) throw new Error(await response.text())
      return async (turn) => {
        if (!isAgain) await registry.upsert(scope, { ...bodies[0], description: `changed ${turn & 1}` })
        return (await handler(getting(isAgain ? 'de' : locales[turn % 5]!))).text()
      }
    },
    hono: async () => {
      const { commands } = await service(app())
      const { Hono } = await import('hono')
      const hono = new Hono().get('/api/v10/applications/:application/commands', (c) => c.json(commands))
      return async () => (await hono.fetch(getting('de'))).text()
    },
  }
}

async function served(listener: RequestListener, bodies: readonly string[]): Promise<Served> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const requests = bodies.map((body) => ({
    method: 'POST',
    path: PATH,
    headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)) },
    body,
  }))
  return { url: `http://127.0.0.1:${port}`, requests }
}

const bareListener: RequestListener = async (request, response) => {
  const answer = JSON.stringify(await json(request))
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(answer) }
  response.writeHead(201, headers).end(answer)
}

const listening =
  (bodies: readonly string[]): Contender =>
  async () => {
    const { requestListener } = await import('commandry/node')
    return served(requestListener((await service()).handler), bodies)
  }

function serving(body: object): Contest {
  const bodies = texts(body)
  return {
    'node:http': () => served(bareListener, bodies),
    commandry: listening(bodies),
    hono: async () => {
      const { getRequestListener } = await import('@hono/node-server')
      const hono = await honoApp()
      return served(getRequestListener(hono.fetch), bodies)
    },
  }
}

function postingMegabytes(): Contest {
  const text = unknownMegabytes()
  return { parse: () => () => JSON.parse(text), commandry: listening([text]) }
}

export const httpRows: readonly ContestRow[] = [
  { figure: 'POST 8 MB unknown keys', goal: 2.4, contest: postingMegabytes },
  { figure: 'fetch POST M', contest: () => posting(middle) },
  { figure: 'fetch GET localized', goal: 0.5, contest: () => listing(false) },
  { figure: 'fetch GET again', goal: 0.15, contest: () => listing(true) },
  { figure: 'server POST M', contest: () => serving(middle) },
]
