import { describe, expect, it, vi } from 'vitest'
import { applicationDirectory, CommandRegistry, memoryStore, openDirectory } from 'commandry'
import { pendingAnswers } from 'commandry/interactions'
import { faultyStore } from 'commandry/testing'
import { handlerOf } from '../../../../src/service/http/web-handler.ts'
import { demoServer } from '../../../../src/model/demo-server.ts'
import { People, worldOf } from '../../../../src/testing/testbed/people/people.ts'
import { withPeople } from '../../../../src/testing/testbed/people/people-routes.ts'
import { Routes } from '../../../../src/testing/testbed/stage/test-routes.ts'
import { openStage } from '../../../../src/testing/testbed/stage/stage.ts'
import { systemClock } from '../../../../src/core/clock.ts'

/** The status and the error of a use in front of a registry. */
async function use(registry: CommandRegistry) {
  const people = new People(worldOf([demoServer()], systemClock))
  const authenticate = () => undefined
  const routes = new Routes({ id: '1001', username: 'bot' }, () => '')
  const directories = { registry, applications: openDirectory, answers: pendingAnswers() }
  const clock = { ...systemClock, movesBots: false, advance: async () => {} }
  const stage = openStage({ ...directories, people, clock, routes, authenticate })
  const other = async () => ({ status: 404, headers: {}, body: null })
  const body = '{"as":"ada","line":"/ping","application":"1001"}'
  const request = new Request('http://localhost/people/use', {
    method: 'POST',
    headers: { host: 'localhost' },
    body,
  })
  const response = await handlerOf(withPeople(other, stage))(request)
  return { status: response.status, ...((await response.json()) as any) }
}

describe('an error behind /people/', () => {
  it('is 503 with its code when the store fails, and 422 for an application that does not exist', async () => {
    const { status, error } = await use(new CommandRegistry({ applications: applicationDirectory([]) }))
    expect([status, error.code]).toEqual([422, 'unknown_application'])
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
