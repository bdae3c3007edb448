import { describe, expect, it } from 'vitest'
import { globalScope } from 'commandry'
import { testbed } from 'commandry/testbed'
import { endpoint, bed, open, useTestbeds } from './demo-bot.ts'

useTestbeds()

it('the bot joins only the added server, not one that it has left', () => {
  bed.server.leave('testbed')
  const added = bed.addServer({ id: '100000000000002002', name: 'B' })
  const hasBot = ({ members }: typeof added) => members.some(({ username }) => username === 'testbed')
  expect([hasBot(bed.server), hasBot(added)]).toEqual([false, true])
})

it('fields of a guild that a server does not take are ignored', async () => {
  bed.addServer({ id: '8001', name: 'Copied', emojis: 5, threads: null } as never)
  const headers = { authorization: `Bot ${bed.token}` }
  const response = await fetch(`${bed.rest}/v10/guilds/8001/emojis`, { headers })
  expect([response.status, await response.json()]).toEqual([200, []])
})

it('a name is taken wherever an id is', async () => {
  const grace = bed.as('grace')
  expect((await grace.use('ban', { user: '@alan' })).content).toBe('en-US: alan')
  expect((await grace.use('ban', { user: 'alan', days: 'One' })).content).toBe('en-US: alan days=1')
  expect((await bed.as('ada').useOn('Greet', 'grace')).content).toBe('Hello, grace')
  expect(bed.person('moderator')).toMatchObject({ id: '100000000000003002', username: 'grace' })
  expect(() => bed.person('nobody')).toThrow('unknown person "nobody"; the names are ada')
})

it('arguments of another type are refused with their name', async () => {
  const ada = bed.as('member')
  for (const [call, message] of [
    [() => ada.use(5 as never), 'line: expected a text such as "/ping", got the number 5'],
    [() => ada.use('say', null as never), 'values: expected an object of values by option, got null'],
    [() => ada.use('say', { text: {} as never }), 'text: expected a value, a file with its filename'],
    [() => ada.useOn('Greet', undefined as never), 'target: expected a person or a message, with its id'],
    [() => ada.say(5 as never), 'content: expected a text, got the number 5'],
    [() => bed.as('ada', { channel: 'group' }).say('Hi'), 'channel: the bot gets no messages'],
    [() => ada.submit({} as never, {}), 'shown: expected an answer of the bot, got an object'],
  ] as const) {
    await expect(call()).rejects.toThrow(new RegExp(`^${message}`))
    await expect(call()).rejects.toBeInstanceOf(TypeError)
  }
  const form = await ada.use('/ask')
  await expect(form.submit(undefined as never)).rejects.toThrow('values: expected an object of values')
  await expect(form.submit({ name: 5 } as never)).rejects.toThrow(
    'values.name: expected a string, true or false, or a list',
  )
  const server = { id: '100000000000002001', name: 'x' }
  const member = { user: { id: '100000000000003001', username: 'ada' } }
  for (const [options, message] of [
    [{ ws: {} }, 'ws: expected the module ws'],
    [{ timeout: 'x' }, 'timeout: expected a number'],
    [{ bot: { roles: 'x' } }, 'bot.roles: expected a list, got'],
    [{ servers: [] }, 'servers: expected at least one server'],
    [{ servers: [server, server] }, 'the id "100000000000002001" is that of two servers'],
    [
      { servers: [{ ...server, members: [member, member] }] },
      '"x" has the member "100000000000003001" twice',
    ],
    [{ flags: 'x' }, 'flags: expected a whole number'],
  ] as const)
    await expect(testbed(options as never)).rejects.toThrow(message)
})

describe('a testbed', () => {
  it.each(['before', 'after'])(
    'ends a use by its clock after 3 seconds, %s the bot has received it',
    async (when) => {
      await open({ timeout: 60_000 })
      const failed = expect(bed.as('member').use('/hide')).rejects.toMatchObject({
        code: 'no_answer',
        message: expect.stringContaining('nothing'),
      })
      if (when === 'after') await expect.poll(() => bed.transcript()).toContain('"hide"')
      bed.advance('3001ms')
      await failed
    },
  )

  it('waits for a command that is not deployed until the time limit', async () => {
    await open({ timeout: 50 })
    await bed.deployed('say')
    await bed.registry.overwrite(globalScope(bed.applicationId), [])
    await expect(bed.deployed('say')).rejects.toMatchObject({ code: 'not_deployed' })
  })

  it('responds to requests of the bot and lists them without tokens', async () => {
    const headers = { authorization: `Bot ${bed.token}` }
    const { status } = await fetch(`${bed.rest}/v10/users/@me`, { headers })
    expect(status).toBe(200)
    await fetch(`${bed.rest}/v10/interactions/1/secret-token/callback`, { method: 'POST', body: '{}' })
    const path = '/api/v10/interactions/1/***/callback'
    expect(bed.requests).toEqual([
      { method: 'GET', path: '/api/v10/users/@me', status: 200 },
      { method: 'POST', path, status: 404, error: 'Unknown interaction' },
    ])
    expect(bed.transcript()).not.toContain('secret-token')
    const { interaction } = await bed.as('member').use('/ask')
    expect(bed.transcript()).toContain('INTERACTION_CREATE')
    expect(bed.transcript()).not.toContain(interaction.token)
  })

  it('signs by the clock of the system, as bots refuse signatures that look old', async () => {
    const ages: number[] = []
    await open({
      endpoint: (request) => {
        ages.push(Date.now() / 1000 - Number(request.headers.get('x-signature-timestamp')))
        return endpoint(request)
      },
    })
    bed.advance('1h')
    await bed.as('member').use('/ask')
    expect(Math.abs(ages[0]!)).toBeLessThan(60)
  })

  it('closes at the end of its scope', async () => {
    const { rest } = bed
    await bed[Symbol.asyncDispose]()
    await expect(fetch(`${rest}/v10/gateway`)).rejects.toThrow()
  })

  it.each([[{ id: 'demo', name: 'x' }], [{ name: 'x' }], [null]])('rejects the server %j', async (server) => {
    const message =
      server === null ? 'server: expected an object, got null' : 'server.id: expected a snowflake'
    await expect(testbed({ servers: [server as never] })).rejects.toThrow(message)
  })

  it('rejects invalid commands with the error of the registry', async () => {
    const opening = testbed({ endpoint, commands: [{ name: 'Ban', description: '' }] })
    await expect(opening).rejects.toMatchObject({ name: 'RegistryError', code: 'invalid' })
  })
})
