/** A bot logs in to a gateway on the sockets of the runtime: `bun test/runtimes/gateway.mjs`, or with Deno. */
import { createGateway } from '../../dist/esm/gateway.js'
import { serveWithBun } from '../../docs/examples/gateway-bun.mjs'
import { serveWithDeno } from '../../docs/examples/gateway-deno.mjs'

const gateway = createGateway({
  authenticate: (token) => (token === 'secret' ? { id: '1001' } : undefined),
  scheduler: {
    now: () => performance.now(),
    after(milliseconds, task) {
      const timer = setTimeout(task, milliseconds)
      return () => clearTimeout(timer)
    },
  },
  sessionIds: () => crypto.randomUUID(),
})
const serve = 'Bun' in globalThis ? serveWithBun : serveWithDeno
const { url, close } = serve({ gateway, handler: () => new Response('http'), port: 0 })

function same(actual, expected) {
  if (actual !== expected) throw new Error(`expected ${expected}, got ${actual}`)
}

same(await (await fetch(url)).text(), 'http')

/** Logs in, and gives the events and the code the connection was closed with. */
function login(token) {
  return new Promise((resolve, reject) => {
    const events = []
    const socket = new WebSocket(`${url.replace('http', 'ws')}/?v=10&encoding=json`)
    socket.onerror = () => reject(new Error('the connection failed'))
    socket.onclose = ({ code }) => resolve({ events, code })
    socket.onmessage = ({ data }) => {
      const { op, t } = JSON.parse(data)
      if (op === 10) socket.send(JSON.stringify({ op: 2, d: { token, intents: 0, properties: {} } }))
      if (t === 'READY') {
        gateway.dispatch({ id: '1', application_id: '1001', type: 2, token: 'a' })
      }
      if (t !== null) events.push(t)
      if (t === 'INTERACTION_CREATE') gateway.sessions[0].drop()
    }
  })
}

const good = await login('secret')
same(good.events.join(), 'READY,INTERACTION_CREATE')
same(good.code, 4000)
same((await login('wrong')).code, 4004)
gateway.close()
await close()
console.log('a bot logged in')
