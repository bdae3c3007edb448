import { describe, expect } from 'vitest'
import type { GatewayOptions } from 'commandry/gateway'
import { APP, interaction, it, SERVER, settled, TOKEN, world, type Client } from './harness.ts'

const codes = (client: Client) => client.closedWith?.code

describe('refusals', () => {
  it.each([
    ['v=11', 4012, /v=10/],
    ['v=10&encoding=etf', 4002, /encoding=json/],
  ])('closes a connection with %s', (query, code, reason) => {
    const client = world().connect(query)
    expect(client.closedWith).toEqual({ code, reason: expect.stringMatching(reason) })
  })

  it.each([
    ['text that is not JSON', '{', 4002],
    ['a list', '[1]', 4002],
    ['a frame without an opcode', '{"d":1}', 4002],
    ['bytes that are not UTF-8', Buffer.from('{"op":1,"d":"\xff"}', 'latin1'), 4002],
    ['an opcode of the server', '{"op":0,"d":{}}', 4001],
    ['an opcode that does not exist', '{"op":99,"d":{}}', 4001],
    ['IDENTIFY without data', '{"op":2}', 4001],
    ['IDENTIFY without a token', '{"op":2,"d":{"intents":0}}', 4004],
    ['IDENTIFY without intents', '{"op":2,"d":{"token":"secret"}}', 4013],
    ['intents that do not exist', '{"op":2,"d":{"token":"secret","intents":131072}}', 4013],
    ['intents beyond 32 bits', '{"op":2,"d":{"token":"secret","intents":4294967296}}', 4013],
    ['a shard of too many', '{"op":2,"d":{"token":"secret","intents":0,"shard":[0,1e300]}}', 4010],
    ['a shard that is not a list', '{"op":2,"d":{"token":"secret","intents":0,"shard":1}}', 4010],
    ['a shard that does not exist', '{"op":2,"d":{"token":"secret","intents":0,"shard":[2,2]}}', 4010],
    ['a wrong token', '{"op":2,"d":{"token":"wrong","intents":0}}', 4004],
    ['a presence before IDENTIFY', '{"op":3,"d":{}}', 4003],
    ['RESUME without a session', '{"op":6,"d":{"token":"secret","seq":1}}', 4001],
    ['RESUME without a number', '{"op":6,"d":{"token":"secret","session_id":"x"}}', 4007],
  ])('closes on %s', async (_, data, code) => {
    const client = world().connect()
    client.connection.receive(data)
    await settled()
    expect(codes(client)).toBe(code)
    expect(Buffer.byteLength(client.closedWith!.reason)).toBeLessThanOrEqual(123)
    expect(client.frames).toEqual([])
  })

  it.each(['x', 'ä', '€'])('accepts frames of 4,096 bytes, and no longer ones: %s', (letter) => {
    const frame = `{"op":1,"x":"${letter.repeat(1_300)}"}`
    const longest = frame + ' '.repeat(4_096 - Buffer.byteLength(frame))
    for (const [text, code] of [
      [longest, undefined],
      [`${longest} `, 4002],
    ] as const) {
      for (const data of [text, Buffer.from(text)]) {
        const client = world().connect()
        client.connection.receive(data)
        expect(codes(client)).toBe(code)
      }
    }
  })

  it('closes on a second IDENTIFY, after which the session can be resumed', async ({ login, gateway }) => {
    const client = await login()
    client.send(2, { token: TOKEN, intents: 0 })
    expect(codes(client)).toBe(4005)
    expect(gateway.sessions).toMatchObject([{ id: 'session-1', connected: false }])
  })

  it('refuses a token for which the host returns null', async () => {
    const { login } = world({ authenticate: () => null })
    expect(codes(await login())).toBe(4004)
  })

  const down = () => {
    throw new Error('down')
  }
  const host = (application: object) => ({ authenticate: () => application as never })
  const servers = (...all: unknown[]) => host({ id: APP, servers: all })
  it.each<readonly [string, Partial<GatewayOptions>, string]>([
    ['an authenticate that rejects', { authenticate: async () => down() }, 'Error: down'],
    ['an authenticate that throws', { authenticate: down }, 'Error: down'],
    ['sessionIds that throws', { sessionIds: down }, 'Error: down'],
    ['an application without an id', host({}), 'application.id: expected a snow'],
    ['[5-05] a numeric id', host({ id: 1001 }), 'application.id: expected a snowflake'],
    ['[5-05] null servers', host({ id: APP, servers: null }), 'application.servers: expected a list'],
    ['[5-05] a Set of servers', host({ id: APP, servers: new Set([SERVER]) }), 'got a Set'],
    ['[5-05] a Map of servers', host({ id: APP, servers: new Map() }), 'got a Map'],
    [
      '[5-05] servers as a text',
      host({ id: APP, servers: SERVER.id }),
      'application.servers: expected a list',
    ],
    ['[5-05] a list in place of the application', host([{ id: APP }]), 'application: expected an object'],
    ['[5-05] true', host(true as never), 'application: expected an object, got true'],
    ['[5-05] flags as a text', host({ id: APP, flags: '131072' }), 'application.flags: expected an integer'],
    ['a server with another id', servers({ ...SERVER, id: 'demo' }), 'servers[0].id: expected a snowflake'],
    ['a server without an id', servers(SERVER, { name: 'x' }), 'servers[1].id: expected a snowflake'],
    ['no server', servers(null), 'servers[0]: expected an object'],
    ['a channel without fields', servers({ ...SERVER, channels: [{}] }), '[0].channels[0].id: expected'],
    ['a role without fields', servers({ ...SERVER, roles: [{}] }), 'servers[0].roles[0].id: expected'],
    ['a member without fields', servers({ ...SERVER, members: [{}] }), '[0].members[0].user: expected'],
    ['other data that cannot be sent', servers({ ...SERVER, name: 5n }), 'BigInt'],
  ])('closes with 4000, and reports the error, for a host with %s', async (_, options, message) => {
    const errors: unknown[] = []
    const onError = (error: unknown) => {
      errors.push(error)
      throw error
    }
    const { login, gateway } = world({ ...options, onError })
    expect(codes(await login())).toBe(4000)
    expect(errors.map(String)).toEqual([expect.stringContaining(message)])
    expect(gateway.sessions).toEqual([])
  })

  it('refuses to dispatch an interaction of a server without a valid id', ({ gateway }) => {
    expect(() => gateway.dispatch({ ...interaction(), guild_id: 'abc' } as never)).toThrow(
      'interaction.guild_id: expected a snowflake such as "1029384756", got the string "abc"',
    )
  })

  it('accepts 120 frames a minute', async ({ connect, time }) => {
    const client = connect()
    for (let beat = 0; beat < 120; beat++) client.send(1, null)
    time.advance(60_000)
    for (let beat = 0; beat < 120; beat++) client.send(1, null)
    expect(codes(client)).toBeUndefined()
    client.send(1, null)
    expect(codes(client)).toBe(4008)
  })

  it('ends a session without heartbeats', async ({ login, gateway, time }) => {
    const client = await login()
    time.advance(45_000)
    client.send(1, 2)
    time.advance(67_000)
    expect(codes(client)).toBeUndefined()
    time.advance(1_000)
    expect(codes(client)).toBe(4009)
    expect([gateway.sessions, time.waiting]).toEqual([[], 0])
  })

  it('closes a connection that never identifies, even with heartbeats', ({ connect, time }) => {
    const client = connect()
    time.advance(45_000)
    client.send(1, null)
    time.advance(22_499)
    expect(codes(client)).toBeUndefined()
    time.advance(1)
    expect(client.closedWith).toEqual({ code: 4009, reason: 'No IDENTIFY came in time.' })
    expect(time.waiting).toBe(0)
  })

  it('closes the oldest connection without a session at 2000 connections', async ({ connect, login }) => {
    const bot = await login()
    const [first, second] = Array.from({ length: 1999 }, () => connect())
    const newcomer = await login()
    const closed = [bot, first, second, newcomer].map((client) => codes(client!))
    expect(closed).toEqual([undefined, 1013, undefined, undefined])
    expect(newcomer.events[0]).toMatchObject({ t: 'READY' })
  })

  it('ends the oldest session without a connection when it has 1000 sessions, or begins no more', async () => {
    const { login, gateway } = world({ authenticate: (token) => ({ id: token }) })
    const bots = []
    for (let id = 1; id <= 1000; id++) bots.push(await login({ token: String(id) }))
    expect((await login({ token: '1001' })).frames).toMatchObject([{ op: 9 }])
    for (const { connection } of bots.slice(1, 3)) connection.closed(1006)
    expect((await login({ token: '1002' })).events).toMatchObject([{ t: 'READY' }])
    expect(gateway.sessions.filter(({ connected }) => !connected)).toMatchObject([{ applicationId: '3' }])
  })

  it('begins no session for a bot that closes during its login', async ({ connect, gateway }) => {
    const client = connect()
    client.send(2, { token: TOKEN, intents: 0 })
    client.connection.closed()
    await settled()
    expect([client.frames, gateway.sessions]).toEqual([[], []])
  })

  it('answers surplus IDENTIFYs in 5 seconds with an invalid session', async ({ login, gateway, time }) => {
    const unused = { total: 1000, remaining: 1000, reset_after: 0, max_concurrency: 16 }
    time.advance(6_000)
    expect(gateway.sessionStartLimit(APP)).toEqual(unused)
    for (let count = 0; count < 16; count++) await login()
    const second = await login()
    expect(second.frames).toEqual([{ op: 9, d: false, s: null, t: null }])
    expect(gateway.sessionStartLimit(APP)).toEqual({ ...unused, remaining: 984, reset_after: 86_399_200 })
    time.advance(5_000)
    // The same connection may identify again.
    second.send(2, { token: TOKEN, intents: 0 })
    await settled()
    expect(second.events.map(({ t }) => t)).toEqual(['READY'])
    const used = { ...unused, remaining: 983 }
    expect(gateway.sessionStartLimit(APP)).toEqual({ ...used, reset_after: 86_394_200 })
    time.advance(86_394_199)
    expect(gateway.sessionStartLimit(APP)).toEqual({ ...used, reset_after: 1 })
    time.advance(1)
    expect(gateway.sessionStartLimit(APP)).toEqual(unused)
  })
})
