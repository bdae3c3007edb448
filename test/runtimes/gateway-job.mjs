/** A bot logs in to a gateway, receives an interaction, and is dropped: on the sockets of any runtime. */
import { createGateway } from 'commandry/gateway'

export const done = 'a bot logged in'

export function makeGateway() {
  return createGateway({
    authenticate: (token) => (token === 'secret' ? { id: '1001' } : undefined),
    scheduler: {
      now: () => Date.now(),
      after(milliseconds, task) {
        const timer = setTimeout(task, milliseconds)
        return () => clearTimeout(timer)
      },
    },
    sessionIds: () => crypto.randomUUID(),
  })
}

function same(actual, expected) {
  if (actual !== expected) throw new Error(`expected ${expected}, got ${actual}`)
}

/** Logs in, and returns the names of the events and the close code of the connection. */
function login(socket, token, { dispatch, drop }) {
  return new Promise((resolve, reject) => {
    const events = []
    socket.addEventListener('error', () => reject(new Error('the connection failed')))
    socket.addEventListener('close', ({ code }) => resolve({ events: events.join(), code }))
    socket.addEventListener('message', ({ data }) => {
      const { op, t } = JSON.parse(data)
      if (op === 10) socket.send(JSON.stringify({ op: 2, d: { token, intents: 0, properties: {} } }))
      if (t !== null) events.push(t)
      if (t === 'READY') dispatch({ id: '1', application_id: '1001', type: 2, token: 'a' })
      if (t === 'INTERACTION_CREATE') drop()
    })
  })
}

/** @param connect opens a client's socket; @param service controls the gateway */
export async function gatewayJob(connect, service) {
  const good = await login(await connect(), 'secret', service)
  same(good.events, 'READY,INTERACTION_CREATE')
  same(good.code, 4000)
  same((await login(await connect(), 'wrong', service)).code, 4004)
}
