import { describe, expect, it, vi } from 'vitest'
import { applicationDirectory, CommandRegistry, globalScope, memoryStore, openDirectory } from 'commandry'
import { createEndpointKeys } from 'commandry/interactions'
import { faultyStore } from 'commandry/testing'
import { handlerOf } from '../../../support/handlers.ts'
import { demoServer } from '../../../support/worlds.ts'
import { ActionContext } from '../../../../src/testing/testbed/routes/action-context.ts'
import { People, worldOf } from '../../../../src/testing/testbed/people/people.ts'
import { withPeople } from '../../../../src/testing/testbed/routes/people-routes.ts'
import { Routes } from '../../../../src/testing/testbed/routes/test-routes.ts'
import { openService } from '../../../../src/testing/testbed/stage/stage.ts'

type BotEndpoint = NonNullable<NonNullable<Parameters<typeof openService>[1]>['endpoint']>

const systemClock = { now: Date.now }

/** Sends actions of people to a stage in front of a registry. */
function stageOf(registry: CommandRegistry, endpoint?: BotEndpoint) {
  const people = new People(worldOf([demoServer()], systemClock))
  const authenticate = () => undefined
  const routes = new Routes({ id: '1001', username: 'bot' }, () => '')
  const clock = { ...systemClock, movesBots: false, advance: async () => {} }
  const { stage } = openService(
    { registry, applications: openDirectory, authenticate, clock },
    { people, routes, gatewayAt: () => 'ws://localhost', ...(endpoint && { endpoint }) },
  )
  const other = async () => ({ status: 404, headers: {}, body: null })
  const handler = handlerOf(withPeople(other, stage))
  const bot = handlerOf(routes.around(other))
  return {
    async act(action: string, body: object) {
      const init = { method: 'POST', headers: { host: 'localhost' }, body: JSON.stringify(body) }
      const response = await handler(new Request(`http://localhost/people/${action}`, init))
      return { status: response.status, ...((await response.json()) as any) }
    },
    /** The status of a request of the bot. */
    get: async (path: string) => (await bot(new Request(`http://localhost/api/v10${path}`))).status,
  }
}

/** The status and the error of a use in front of a registry. */
const use = (registry: CommandRegistry) =>
  stageOf(registry).act('use', { as: 'ada', line: '/ping', application: '1001' })

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

describe('what the service keeps for people', () => {
  it('is at most 500 responses to routes, and one for each route', async () => {
    const { act, get } = stageOf(new CommandRegistry())
    const answer = (n: number) => act('route', { method: 'GET', path: `/things/a${n}`, body: n })
    for (let n = 0; n < 500; n++) await answer(n)
    for (let n = 0; n < 500; n++) await answer(499)
    expect([await get('/things/a0'), await get('/things/a499')]).toEqual([200, 200])
    await answer(500)
    expect([await get('/things/a0'), await get('/things/a1'), await get('/things/a500')]).toEqual([
      404, 200, 200,
    ])
    await act('reset', {})
    expect(await get('/things/a500')).toBe(404)
  })

  it('is at most 4 MiB of responses to routes', async () => {
    const { act, get } = stageOf(new CommandRegistry())
    const body = 'x'.repeat(60_000)
    for (let n = 0; n < 36; n++) await act('route', { method: 'GET', path: `/things/a${n}`, body })
    expect([await get('/things/a0'), await get('/things/a2')]).toEqual([404, 200])
  })

  it('is at most 16 MiB of answers of an application, the newest ones', async () => {
    const options = Array.from({ length: 10 }, (_, n) => ({ type: 3, name: `o${n}`, description: 'x' }))
    const registry = new CommandRegistry()
    await registry.overwrite(globalScope('1001'), [{ name: 'ping', description: 'x', options } as never])
    const { privateKey } = await createEndpointKeys()
    const fetch = async () => Response.json({ type: 4, data: { content: 'pong' } })
    const { act } = stageOf(registry, { url: 'http://bot.invalid/', privateKey, fetch })
    const values = Object.fromEntries(options.map(({ name }) => [name, 'x'.repeat(6_000)]))
    const ids: string[] = []
    for (let n = 0; n < 145; n++) {
      const { id } = await act('use', { as: 'ada', line: '/ping', values, application: '1001' })
      ids.push(id)
    }
    const [first, last] = [await act('read', { id: ids[0] }), await act('read', { id: ids.at(-1) })]
    expect([first.error.message, last.content]).toEqual([`id: unknown answer "${ids[0]}"`, 'pong'])
  })

  it('counts a deferred answer as one with the longest message, which may follow', () => {
    const context = new ActionContext({ people: new People(worldOf([demoServer()], systemClock)) } as never)
    const add = (n: number) => {
      const interaction = { id: String(n), application_id: '1001' }
      const shown = { interaction, message: null, modal: null, followUps: [], text: () => '' }
      context.answerJson(shown as never, {} as never)
    }
    for (let n = 0; n < 1_100; n++) add(n)
    expect(() => context.knownAnswer({ id: '0' })).toThrow('unknown answer "0"')
    expect(context.knownAnswer({ id: '1099' }).shown.interaction.id).toBe('1099')
  })
})

describe('programs in any language', () => {
  it('ask for suggestions for a text that is no number yet', async () => {
    const registry = new CommandRegistry()
    const count = { type: 4, name: 'count', description: 'b', autocomplete: true }
    await registry.overwrite(globalScope('1001'), [{ name: 'x', description: 'b', options: [count] }])
    const sent: any[] = []
    const { privateKey } = await createEndpointKeys()
    const fetch = async (_: unknown, { body }: any) => {
      sent.push(JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)))
      return Response.json({ type: 8, data: { choices: [] } })
    }
    const { act } = stageOf(registry, { url: 'http://bot.invalid/', privateKey, fetch })
    const suggest = { as: 'ada', line: '/x count:-', application: '1001' }
    expect(await act('suggest', suggest)).toMatchObject({ status: 422, error: { code: 'invalid_options' } })
    expect((await act('suggest', { ...suggest, raw: true })).status).toBe(200)
    expect(sent[0].data.options).toMatchObject([{ name: 'count', value: '-', focused: true }])
  })

  it('read the messages between the bot and a person', async () => {
    const { act } = stageOf(new CommandRegistry())
    const of = { name: 'ada', application: '1001' }
    expect((await act('direct-messages', of)).messages).toEqual([])
    await act('say', { as: 'ada', channel: 'dm', content: 'Hello', application: '1001' })
    expect((await act('direct-messages', of)).messages).toMatchObject([{ author: 'ada', content: 'Hello' }])
    expect(await act('direct-messages', { ...of, name: 'zoe' })).toMatchObject({ status: 400 })
  })
})

describe('POST /people/settled', () => {
  it('resolves when the bots are quiet, within a duration', async () => {
    const stage = stageOf(new CommandRegistry())
    expect(await stage.act('settled', {})).toEqual({ status: 200 })
    expect(await stage.act('settled', { timeout: '1s' })).toEqual({ status: 200 })
    expect((await stage.act('settled', { timeout: 5 })).error.message).toContain('a duration such as "15m"')
  })
})

describe('POST /people/sees', () => {
  it('takes a text or a pattern', async () => {
    const stage = stageOf(new CommandRegistry())
    const by = { as: 'ada', application: '1001' }
    await stage.act('say', { ...by, content: 'Hello, grace' })
    expect(await stage.act('sees', { ...by, pattern: '^hello|grace$' })).toMatchObject({
      content: 'Hello, grace',
    })
    for (const fields of [{}, { text: 'a', pattern: 'a' }, { pattern: '(' }])
      expect((await stage.act('sees', { ...by, ...fields })).status).toBe(400)
  })
})

describe('POST /people/advance', () => {
  it('moves the clock, and says whether bots follow', async () => {
    const stage = stageOf(new CommandRegistry())
    expect(await stage.act('advance', { duration: '15m' })).toEqual({ status: 200, moves_bots: false })
    expect((await stage.act('advance', { duration: null })).error.message).toContain(
      'duration: expected a duration such as "15m", got null',
    )
  })
})
