import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'
import { CommandRegistry, memoryStore, openDirectory } from 'commandry'
import { pendingAnswers } from 'commandry/interactions'
import { createGateway } from 'commandry/gateway'
import { systemScheduler } from 'commandry/node'
import { faultyStore } from 'commandry/testing'
import { demoServer } from '../../src/permission/server.ts'
import { Cast, worldOf } from '../../src/testbed/cast.ts'
import { Changes } from '../../src/testbed/changes.ts'
import { Desk } from '../../src/testbed/desk.ts'
import { Log } from '../../src/testbed/log.ts'
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
  const desk = new Desk({
    registry,
    applications: openDirectory,
    answers: pendingAnswers(),
    cast,
    clock: systemClock,
    log: new Log({ keepsRequests: false }),
    gateway,
  })
  const routes = new Routes({ id: '1001', username: 'bot' }, () => '')
  const other = async () => ({ status: 404, headers: {}, body: null })
  const exchange = withPeople(other, {
    desk,
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

describe('the log of a gateway', () => {
  it('keeps no bodies of requests, and of its lines no more than their first part', async () => {
    const log = new Log({ keepsRequests: false })
    const exchange = log.recording(
      async (incoming) => {
        await incoming.body(Infinity)
        return { status: 400, headers: {}, body: '{}' }
      },
      () => {},
    )
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
    for (let i = 0; i < 200; i++) await request(`[${'{},'.repeat(20_000)}${i}]`)
    expect(log.requests).toEqual([])
    expect(log.length).toBe(201)
    expect((heap() - before) / 1024 / 1024).toBeLessThan(2)
  })
})
