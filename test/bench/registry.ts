/**
 * What the registry and the handler cost: `node test/bench/run.mjs registry`. Floors are `Map.get`, JSON itself and
 * a bare handler that parses and answers without a router; hono, with the same work to do, is the peer.
 */
import { Hono } from 'hono'
import { CommandRegistry, globalScope, validateCommands } from '../../src/index.ts'
import { createHandler } from '../../src/http.ts'
import { compare, compareAsync, row } from './compare.ts'
import { app, middle, small } from './payloads.ts'

const scope = globalScope('1001')
const bodies = app()
const text = JSON.stringify(bodies)

const registry = new CommandRegistry()
const commands = await registry.overwrite(scope, bodies)
const { command } = await registry.upsert(globalScope('1002'), small)
const byId = new Map(commands.map((each) => [each.id, each]))
const { id } = commands[50]!
// What is written at each turn differs, so that every turn writes.
let turn = 0
const turned = () => ({ ...small, description: `Answers with pong ${turn++ % 2}` })

console.log(row('in process', 'floor, µs', 'commandry'))
{
  const reads = await compareAsync({
    map: async () => byId.get(id),
    get: () => registry.get(scope, id),
  })
  console.log(row('get, x Map.get in a promise', reads.floor, reads.ratios.get('get')!))
  const { floor } = compare({ map: () => byId.get(id) })
  const writes = await compareAsync({
    map: async () => byId.get(id),
    upsert: () => registry.upsert(globalScope('1002'), turned()),
    again: () => registry.upsert(globalScope('1002'), { ...command }),
  })
  console.log(row('upsert that changes, the same', writes.floor, writes.ratios.get('upsert')!))
  console.log(row('upsert that does not', writes.floor, writes.ratios.get('again')!))
  console.log(row('  Map.get alone', floor))
  const parsed: unknown[] = JSON.parse(text)
  const sets = [parsed, parsed.map((body) => ({ ...(body as object), nsfw: true }))]
  const overwrite = await compareAsync({
    parse: async () => JSON.parse(text) as unknown,
    overwrite: () => registry.overwrite(scope, sets[turn++ % 2]!),
    again: () => registry.overwrite(scope, sets[0]!),
    read: async () => validateCommands(parsed).ok,
  })
  console.log(row('overwrite of 130, x JSON.parse', overwrite.floor, overwrite.ratios.get('overwrite')!))
  console.log(row('  that changes nothing', overwrite.floor, overwrite.ratios.get('again')!))
  console.log(row('  validateCommands alone', overwrite.floor, overwrite.ratios.get('read')!))
}
{
  const list = await registry.list(scope)
  const lists = await compareAsync({
    stringify: async () => JSON.stringify(list),
    full: () => registry.list(scope),
    localized: () => registry.list(scope, { locale: 'de' }),
  })
  console.log(row('list of 130, x JSON.stringify', lists.floor, lists.ratios.get('full')!))
  console.log(row('  localized', lists.floor, lists.ratios.get('localized')!))
}

console.log(row('\nthe handler', 'bare, µs', 'commandry', 'hono'))
const headers = { Authorization: 'Bot t', 'Content-Type': 'application/json' }
const authenticate = () => ({ type: 'Bot', applicationId: '1001', scopes: [] }) as never
const handler = createHandler({ registry, authenticate })
const hono = new Hono()
  .post('/api/v10/applications/:application/commands', async (c) => c.json(await c.req.json(), 201))
  .get('/api/v10/applications/:application/commands', (c) => c.json(commands))
async function bare(request: Request): Promise<Response> {
  if (request.method === 'GET') return Response.json(commands)
  return Response.json(await request.json(), { status: 201 })
}

const url = 'http://localhost/api/v10/applications/1001/commands'
for (const [name, body] of [
  ['POST S', small],
  ['POST M', middle],
] as const) {
  // A registry of its own: the other is full.
  const handler = createHandler({ registry: new CommandRegistry(), authenticate })
  const texts = [0, 1].map((i) => JSON.stringify({ ...body, description: `What it does ${i}` }))
  const post = () => new Request(url, { method: 'POST', headers, body: texts[turn++ % 2]! })
  const answer = await handler(post())
  if (answer.status > 201) throw new Error(`${name}: ${answer.status} ${await answer.text()}`)
  const { floor, ratios } = await compareAsync({
    bare: async () => (await bare(post())).text(),
    commandry: async () => (await handler(post())).text(),
    hono: async () => (await hono.fetch(post())).text(),
  })
  console.log(row(name, floor, ratios.get('commandry')!, ratios.get('hono')!))
}
{
  const locales = ['de', 'fr', 'ja', 'es-ES', 'pt-BR']
  const get = (locale: string) => new Request(url, { headers: { ...headers, 'X-Service-Locale': locale } })
  const answer = await handler(get('de'))
  if (answer.status !== 200) throw new Error(await answer.text())
  const { floor, ratios } = await compareAsync({
    bare: async () => (await bare(get('de'))).text(),
    // Something was written since the last time, so nothing can be remembered.
    localized: async () => {
      await registry.upsert(scope, { ...bodies[0]!, description: `changed ${turn++}` })
      return (await handler(get(locales[turn % 5]!))).text()
    },
    again: async () => (await handler(get('de'))).text(),
    hono: async () => (await hono.fetch(get('de'))).text(),
  })
  console.log(row('GET 130 localized after a write', floor, ratios.get('localized')!, ratios.get('hono')!))
  console.log(row('  the same list again', floor, ratios.get('again')!))
}
