/** The gateway on the sockets of Bun or Deno: `bun test/runtimes/gateway.mjs`. */
import { serveWithBun } from '../../docs/examples/gateway-bun.mjs'
import { serveWithDeno } from '../../docs/examples/gateway-deno.mjs'
import { done, gatewayJob, makeGateway } from './gateway-job.mjs'

const gateway = makeGateway()
const serve = 'Bun' in globalThis ? serveWithBun : serveWithDeno
const { url, close } = serve({ gateway, handler: () => new Response('http'), port: 0 })

const text = await (await fetch(url)).text()
if (text !== 'http') throw new Error(`expected http, got ${text}`)
await gatewayJob(() => new WebSocket(`${url.replace('http', 'ws')}/?v=10&encoding=json`), {
  dispatch: (interaction) => gateway.dispatch(interaction),
  drop: () => gateway.sessions[0].drop(),
})
gateway.close()
await close()
console.log(done)
