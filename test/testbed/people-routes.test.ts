import { expect, it, vi } from 'vitest'
import { applicationDirectory, CommandRegistry, memoryStore } from 'commandry'
import { createGateway } from 'commandry/gateway'
import { faultyStore } from 'commandry/testing'
import { demoServer } from '../../src/server/demo-server.ts'
import { BotSession } from '../../src/bot/session.ts'
import { People, worldOf } from '../../src/testbed/people.ts'
import { Clients } from '../../src/testbed/clients.ts'
import { withPeople } from '../../src/testbed/people-routes.ts'
import { Routes } from '../../src/testbed/routes.ts'
import { systemClock } from '../../src/core/clock.ts'

/** The status and the error of a use in front of a registry. */
async function use(registry: CommandRegistry) {
  const people = new People(worldOf([demoServer()], systemClock))
  const authenticate = () => undefined
  const gateway = createGateway({ authenticate })
  const session = new BotSession({ gateway })
  const clients = new Clients({ registry, people, session, clock: systemClock, timeout: 3_000 })
  const routes = new Routes({ id: '1001', username: 'bot' }, () => '')
  const other = async () => ({ status: 404, headers: {}, body: null })
  const exchange = withPeople(other, { clients, people, gateway, routes })
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

it('an error behind /people/ is 503 with its code when the store fails, and 422 for an application that does not exist', async () => {
  const { status, error } = await use(new CommandRegistry({ applications: applicationDirectory([]) }))
  expect([status, error.code]).toEqual([422, 'unknown_application'])
  const store = faultyStore(memoryStore(), [{ on: 'read' }])
  expect(await use(new CommandRegistry({ store }))).toMatchObject({
    status: 503,
    error: { code: 'storage', message: expect.any(String) },
  })
})

it('an error behind /people/ is 500 with one line on the standard error output when it is an error of the program', async () => {
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
