/** The service as a part of a Fastify app. */
import { CommandRegistry } from 'commandry'
import { createHandler, openAccess } from 'commandry/http'
import { requestListener } from 'commandry/node'
import Fastify from 'fastify'

const handler = createHandler({ registry: new CommandRegistry(), authenticate: openAccess() })
const listener = requestListener(handler)

// Otherwise `app.close()` waits for idle connections, 72 seconds by default.
export const app = Fastify({ forceCloseConnections: true })
app.get('/health', () => 'well')
app.register(async (scope) => {
  // In this scope alone, the service reads the body itself, with its own limits and its own errors.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  scope.all('/api/v10/*', (request, reply) => {
    reply.hijack()
    listener(request.raw, reply.raw)
  })
})
