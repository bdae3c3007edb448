/** The service on `node:http`: alone, and inside an existing server. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { applicationDirectory, CommandRegistry } from 'commandry'
import { createHandler, tokenDirectory } from 'commandry/http'
import { requestListener, serve } from 'commandry/node'

const applications = applicationDirectory([{ id: '1001', name: 'demo', guilds: ['2001'] }])
const registry = new CommandRegistry({ applications })
const handler = createHandler({
  registry,
  applications,
  authenticate: tokenDirectory([{ type: 'Bot', token: 'bot-a', applicationId: '1001' }]),
})

// Alone: `serve` handles timeouts, broken connections and a clean close.
const serving = await serve({ handler, port: 0 })
console.log(`listening on ${serving.url}/api/v10`)

// Inside your own server: the service handles every path below /api/v10.
const listener = requestListener(handler)
const server = createServer((request, response) => {
  if (request.url?.startsWith('/api/v10/')) listener(request, response)
  else response.end('hello from the rest of the server\n')
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
console.log(`and on port ${(server.address() as AddressInfo).port}`)

export const urls = [serving.url, `http://127.0.0.1:${(server.address() as AddressInfo).port}`]

export async function close(): Promise<void> {
  await serving.close()
  server.closeAllConnections()
  server.close()
}
