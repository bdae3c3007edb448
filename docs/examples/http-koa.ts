/** The service as a part of a Koa app. */
import { CommandRegistry } from 'commandry'
import { createHandler, openAccess } from 'commandry/http'
import { requestListener } from 'commandry/node'
import Koa from 'koa'

const handler = createHandler({ registry: new CommandRegistry(), authenticate: openAccess() })
const listener = requestListener(handler)

export const app = new Koa()
// Before a parser of bodies. Behind one: Object.assign(context.req, { body: context.request.body }).
app.use(async (context, next) => {
  if (!context.path.startsWith('/api/v10/')) return next()
  context.respond = false
  listener(context.req, context.res)
})
app.use((context) => void (context.body = 'well'))
