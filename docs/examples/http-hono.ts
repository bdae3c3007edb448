/** The service as a part of a Hono app. Any host with Web-standard requests works the same way. */
import { CommandRegistry } from 'commandry'
import { createHandler, openAccess } from 'commandry/http'
import { Hono } from 'hono'

const handler = createHandler({ registry: new CommandRegistry(), authenticate: openAccess() })

export const app = new Hono()
app.get('/health', (c) => c.text('well'))
app.all('/api/v10/*', (c) => handler(c.req.raw))
