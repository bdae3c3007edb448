import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'
import { CommandRegistry, memoryStore } from 'commandry'
import { createGateway } from 'commandry/gateway'
import { systemScheduler } from 'commandry/node'
import { faultyStore } from 'commandry/testing'
import { demoServer } from '../../src/permission/server.ts'
import { BotSession } from '../../src/bot/session.ts'
import { Traffic } from '../../src/bot/traffic.ts'
import { Cast, worldOf } from '../../src/testbed/cast.ts'
import { Changes } from '../../src/testbed/changes.ts'
import { Clients } from '../../src/testbed/clients.ts'
import { withPeople } from '../../src/testbed/people-routes.ts'
import { Routes } from '../../src/testbed/routes.ts'
import { systemClock } from '../../src/core/clock.ts'

setFlagsFromString('--expose_gc')
const collect = runInNewContext('gc') as () => void
const heap = () => {
  collect()
  return process.memoryUsage().heapUsed
}

/** The status and the error of a use in front of a registry. */
async function use(registry: CommandRegistry) {
  const cast = new Cast(worldOf([demoServer()], systemClock))
  const authenticate = () => undefined
  const gateway = createGateway({ authenticate, scheduler: systemScheduler, sessionIds: () => 'x' })
  const session = new BotSession({ gateway })
  const clients = new Clients({ registry, cast, session, clock: systemClock, timeout: 3_000 })
  const routes = new Routes({ id: '1001', username: 'bot' }, () => '')
  const other = async () => ({ status: 404, headers: {}, body: null })
  const exchange = withPeople(other, {
    clients,
    cast,
    gateway,
    routes,
    changes: new Changes(cast, systemClock),
  })
  const body = new TextEncoder().encode('{"as":"ada","line":"/ping","application":"1001"}')
  const { status, body: text } = await exchange({
    path: '/people/use',
    method: 'POST',
    query: '',
    header: (name) => (name === 'host' ? 'localhost' : null),
    body: async () => body,
    abandon: () => {},
  })
  return { status, ...JSON.parse(String(text)) }
}

describe('an error behind /people/', () => {
  it('is 503 with its code when the store fails', async () => {
    const store = faultyStore(memoryStore(), [{ on: 'read' }])
    expect(await use(new CommandRegistry({ store }))).toMatchObject({
      status: 503,
      error: { code: 'storage', message: expect.any(String) },
    })
  })

  it('is 500 with one line on the standard error output when it is an error of the program', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const applications = {
      get: () => {
        throw new TypeError('broken directory')
      },
    }
    expect(await use(new CommandRegistry({ applications }))).toMatchObject({
      status: 500,
      error: { code: 'server_fault' },
    })
    expect(log.mock.calls).toEqual([['/people/use: TypeError: broken directory']])
    log.mockRestore()
  })
})

describe('the traffic of a session', () => {
  it('keeps as many of the newest requests as have 16 million characters together', async () => {
    const traffic = new Traffic()
    const exchange = traffic.recording(async (incoming) => {
      await incoming.body(Infinity)
      return { status: 400, headers: {}, body: '{}' }
    })
    const request = (text: string) =>
      exchange({
        path: '/x',
        method: 'POST',
        query: '',
        header: () => null,
        body: async () => new TextEncoder().encode(text),
        abandon: () => {},
      })
    await request('[]')
    const before = heap()
    for (let i = 0; i < 400; i++) await request(`[${'{},'.repeat(20_000)}${i}]`)
    expect(traffic.lastId).toBe(401)
    expect(traffic.get(1)).toBe(undefined)
    expect(traffic.requestsSince(400)).toHaveLength(1)
    expect((heap() - before) / 1024 / 1024).toBeLessThan(20)
  })

  it('keeps the size of a body of more than 256 KiB', async () => {
    const traffic = new Traffic()
    const body = JSON.stringify(['x'.repeat(256 * 1024)])
    await traffic.recording(async () => ({ status: 200, headers: {}, body }))({
      path: '/x',
      method: 'GET',
      query: '',
      header: () => null,
      body: async () => new Uint8Array(),
      abandon: () => {},
    })
    expect(traffic.requestsSince()).toMatchObject([{ response: '(262148 characters)' }])
  })
})
