/** The service on `node:http`: by itself, and inside a server that has other things to do. */
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

// By itself: timeouts, broken connections and a clean close are taken care of.
const serving = await serve({ handler, port: 0 })
console.log(`listening on ${serving.url}/api/v10`)

// Inside a server of your own: everything below /api/v10 is the service's.
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
