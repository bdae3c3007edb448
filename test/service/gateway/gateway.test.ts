import { constants, createInflate, deflateRawSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { CommandRegistry, globalScope } from 'commandry'
import type { GatewayOptions } from 'commandry/gateway'
import { Intent } from '../../../src/service/gateway/intents.ts'
import { heap } from '../../support/heap.ts'
import {
  APP,
  GUILD,
  interaction,
  it,
  SERVER,
  settled,
  TOKEN,
  world,
  type Client,
  type World,
} from './harness.ts'

const codes = (client: Client) => client.closedWith?.code
const idOf = ({ user }: any) => user.id

it('intents have the bits of Discord', () => {
  expect(Intent).toEqual({
    GUILDS: 1,
    GUILD_MEMBERS: 2,
    GUILD_MODERATION: 4,
    GUILD_EXPRESSIONS: 8,
    GUILD_WEBHOOKS: 32,
    GUILD_INVITES: 64,
    GUILD_VOICE_STATES: 128,
    GUILD_MESSAGES: 512,
    GUILD_MESSAGE_REACTIONS: 1_024,
    GUILD_MESSAGE_TYPING: 2_048,
    DIRECT_MESSAGES: 4_096,
    DIRECT_MESSAGE_REACTIONS: 8_192,
    DIRECT_MESSAGE_TYPING: 16_384,
    MESSAGE_CONTENT: 32_768,
  })
})

describe('logging in', () => {
  it('sends HELLO after the upgrade', ({ connect, time }) => {
    const client = connect()
    expect(client.frames).toEqual([])
    time.advance(100)
    expect(client.frames).toEqual([{ op: 10, d: { heartbeat_interval: 45_000 }, s: null, t: null }])
  })

  it('sends HELLO and the servers as soon as the client has read what came before', async ({ connect }) => {
    const read: (() => void)[] = []
    const client = connect(undefined, () => new Promise((resolve) => void read.push(resolve)))
    await settled()
    expect(client.frames).toEqual([])
    read.pop()!()
    await settled()
    expect(client.next()).toMatchObject([{ op: 10 }])
    client.send(2, { token: TOKEN, intents: 1 })
    await settled()
    expect(client.next()).toMatchObject([{ t: 'READY' }])
    read.pop()!()
    await settled()
    expect(client.next()).toMatchObject([{ t: 'GUILD_CREATE' }])
    expect(read).toEqual([])
  })

  it.for([
    ['never finds out', () => new Promise<void>(() => {})],
    ['fails to find out', () => Promise.reject(new Error('closed'))],
  ] as const)('waits 100 ms for a host that %s', async ([, whenRead], { connect, time }) => {
    const client = connect(undefined, whenRead)
    await settled()
    time.advance(99)
    expect(client.frames).toEqual([])
    time.advance(1)
    expect(client.frames).toMatchObject([{ op: 10 }])
  })

  const tokens = [TOKEN, `Bot ${TOKEN}`]
  it.for(tokens)('answers an IDENTIFY with token %s by READY and the servers', async (token, { login }) => {
    const client = await login({ token })
    const [ready, guild, ...rest] = client.next()
    expect(rest).toEqual([])
    expect(ready).toMatchObject({ op: 0, s: 1, t: 'READY' })
    expect(ready!.d).toMatchObject({
      user: { id: APP, username: 'demo', bot: true },
      guilds: [{ id: GUILD, unavailable: true }],
      session_id: 'session-1',
      resume_gateway_url: 'ws://127.0.0.1:1',
      application: { id: APP, flags: 0, flags_new: '0' },
    })
    expect(guild).toMatchObject({ s: 2, t: 'GUILD_CREATE', d: { id: GUILD, name: 'Demo' } })
    expect(guild!.d).toMatchObject({
      roles: [{ id: GUILD, name: '@everyone' }],
      channels: [{ id: '4001', name: 'general', guild_id: GUILD }],
      members: [{ user: { id: APP, bot: true } }],
    })
  })

  it('omits the servers without the intent GUILDS', async () => {
    const client = await world().login({ intents: 0 })
    expect(client.events.map(({ t }) => t)).toEqual(['READY'])
    const all = await world().login({ intents: 53_608_447 })
    expect(all.events.map(({ t }) => t)).toEqual(['READY', 'GUILD_CREATE'])
  })

  it('acknowledges heartbeats, even before IDENTIFY', () => {
    const client = world().connect()
    client.send(1, null)
    expect(client.frames).toEqual([{ op: 11, d: null, s: null, t: null }])
  })

  it('answers a request for members with the matching ones', async () => {
    const members = [{ user: { id: '3001', username: 'ada' } }, { user: { id: '3002', username: 'grace' } }]
    const { login } = world({ authenticate: () => ({ id: APP, servers: [{ ...SERVER, members }] }) })
    const client = await login()
    client.next()
    client.send(8, null)
    client.send(8, { guild_id: GUILD, query: 'gr', limit: 0, nonce: 'n' })
    client.send(8, { guild_id: GUILD, user_ids: ['3001', '9'], limit: 0 })
    client.send(8, { guild_id: GUILD, user_ids: '3002', presences: true })
    client.send(8, { guild_id: GUILD, query: '', limit: 1 })
    client.send(8, { guild_id: Number(GUILD), user_ids: [3002] })
    client.send(8, { guild_id: '9', query: '' })
    const chunks = client.next().map(({ t, d: { members, ...d } }) => ({ t, ...d, ids: members.map(idOf) }))
    expect(chunks).toMatchObject([
      { t: 'GUILD_MEMBERS_CHUNK', ids: ['3002'], not_found: [], nonce: 'n' },
      { t: 'GUILD_MEMBERS_CHUNK', ids: ['3001'], not_found: ['9'] },
      { t: 'GUILD_MEMBERS_CHUNK', ids: ['3002'], not_found: [], presences: [] },
      { t: 'GUILD_MEMBERS_CHUNK', ids: ['3001'], not_found: [] },
      { t: 'GUILD_MEMBERS_CHUNK', ids: ['3002'], not_found: [] },
    ])
  })

  it('sends each shard its own servers', async () => {
    const far = { id: String(1n << 22n), name: 'Far' }
    const { login, gateway } = world({ authenticate: () => ({ id: APP, servers: [SERVER, far] }) })
    const shards = [await login({ shard: [0, 2] }), await login({ shard: [1, 2] })]
    expect(shards.map(({ events }) => events.map(({ d }) => d.name ?? d.shard))).toEqual([
      [[0, 2], 'Demo'],
      [[1, 2], 'Far'],
    ])
    expect([gateway.dispatch(interaction(far.id)), gateway.dispatch(interaction(null))]).toEqual([1, 1])
    expect(shards.map(({ events }) => events.at(-1)!.d.guild_id)).toEqual([undefined, far.id])
    expect((await login()).events.map(({ d }) => d.name)).toEqual([undefined, 'Demo', 'Far'])
  })

  it('adds @everyone and the bot to a server that lacks them, and only then', async () => {
    const complete = { roles: [{ id: GUILD, name: '@everyone' }], members: [{ user: { id: APP } }] }
    const other = { roles: [{ id: '5001', name: 'Staff' }], members: [{ user: { id: '3001' } }] }
    const listed = async (server: object) => {
      const { login } = world({ authenticate: () => ({ id: APP, servers: [{ ...SERVER, ...server }] }) })
      const { roles, members } = (await login()).events[1]!.d
      return [roles.map(({ id }: any) => id), members.map(idOf)]
    }
    expect(await listed(complete)).toEqual([[GUILD], [APP]])
    expect(await listed(other)).toEqual([
      [GUILD, '5001'],
      ['3001', APP],
    ])
  })
})

describe('events', () => {
  it('[6-01] [6-02] sends the events that a registry publishes', async ({ login, gateway }) => {
    const registry = new CommandRegistry()
    registry.subscribe(gateway.listener)
    const client = await login()
    client.next()
    const { command } = await registry.upsert(globalScope(APP), { name: 'ping', description: 'Pings' })
    const permissions = [{ id: '3001', type: 2, permission: true }]
    await registry.setPermissions(APP, GUILD, command.id, { permissions })
    const use = { handledBy: 'app', interaction: interaction() as never, message: null } as const
    const created = { type: 'interaction_created', scope: globalScope(APP), command } as const
    gateway.listener({ ...created, handledBy: 'service', interaction: null, message: {} as never })
    registry.publish({ ...created, ...use })
    expect(client.next().map(({ t, d }) => [t, d.id])).toEqual([
      ['APPLICATION_COMMAND_PERMISSIONS_UPDATE', command.id],
      ['INTERACTION_CREATE', expect.any(String)],
    ])
  })

  it('[6-01] [6-05] sends the permissions of one application to the bots of the others in the server', async () => {
    const elsewhere = { ...SERVER, id: '777' }
    const bots = { [TOKEN]: { id: APP, servers: [SERVER] }, other: { id: '1002', servers: [SERVER] } }
    const all = { ...bots, away: { id: '1003', servers: [elsewhere] }, open: { id: '1004' } }
    const { login, gateway } = world({ authenticate: (token) => all[token as keyof typeof all] })
    const registry = new CommandRegistry()
    registry.subscribe(gateway.listener)
    const clients = []
    for (const token of Object.keys(all)) clients.push(await login({ token, intents: 0 }))
    const body = { permissions: [{ id: '3001', type: 1, permission: true }] }
    await registry.setPermissions(APP, GUILD, APP, body)
    const got = clients.map(({ events }) => events.slice(1).map(({ d }) => d.application_id))
    expect(got).toEqual([[APP], [APP], [], [APP]])
  })

  it('[6-05] sends an interaction to the bots of its application only', async () => {
    const bots = { [TOKEN]: { id: APP }, other: { id: '1002' } }
    const { login, gateway } = world({ authenticate: (token) => bots[token as keyof typeof bots] })
    const [own, other] = [await login(), await login({ token: 'other' })]
    expect(gateway.dispatch(interaction() as never)).toBe(1)
    expect([own.events.length, other.events.length]).toEqual([2, 1])
  })

  it('[6-05] sends the permissions of a server only to a bot that is in it, if its servers are known', async () => {
    const update = async (servers: readonly (typeof SERVER)[] | undefined) => {
      const { login, gateway } = world({ authenticate: () => ({ id: APP, ...(servers && { servers }) }) })
      const registry = new CommandRegistry()
      registry.subscribe(gateway.listener)
      const client = await login({ intents: 0 })
      const body = { permissions: [{ id: '3001', type: 1, permission: true }] }
      for (const guild of [GUILD, '777']) await registry.setPermissions(APP, guild, APP, body)
      return client.events.slice(1).map(({ d }) => d.guild_id)
    }
    expect(await update([SERVER])).toEqual([GUILD])
    expect(await update([])).toEqual([])
    expect(await update(undefined)).toEqual([GUILD, '777'])
  })

  it('sends an interaction only to the bot of its application', async ({ login, gateway }) => {
    const client = await login()
    client.next()
    expect(gateway.dispatch(interaction(GUILD, '9'))).toBe(0)
    expect(client.next()).toEqual([])
  })
})

describe('compression', () => {
  it('sends one zlib stream for zlib-stream', async () => {
    const deflate = (bytes: Uint8Array) => {
      expect(bytes).toBeInstanceOf(Uint8Array)
      return deflateRawSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })
    }
    const { connect, time } = world({ deflate })
    const client = connect('v=10&encoding=json&compress=zlib-stream')
    time.advance(100)
    client.send(2, { token: TOKEN, intents: 1 })
    await settled()
    time.advance(50)
    expect(client.raw.map((bytes) => Buffer.from(bytes).subarray(-4).toString('hex'))).toEqual(
      Array.from({ length: 3 }, () => '0000ffff'),
    )
    const inflate = createInflate()
    let text = ''
    inflate.on('data', (chunk: Buffer) => (text += chunk.toString()))
    for (const bytes of client.raw) inflate.write(bytes)
    await new Promise<void>((resolve) => inflate.flush(() => resolve()))
    expect(text.split('}{').length).toBe(3)
    expect(text).toContain('"t":"GUILD_CREATE"')
  })

  it('sends text without a compressor and for unsupported compressions', () => {
    for (const compress of ['zlib-stream', 'zstd-stream']) {
      const { connect, time } = world()
      const client = connect(`v=10&compress=${compress}`)
      time.advance(100)
      expect(client.frames).toHaveLength(1)
    }
  })
})

const versions = ['v=10', 'v=9', 'v=8', 'v=7', 'v=6', '']
it.for(versions)('logs a bot in that asks for the version %j', async (query, { connect, time, gateway }) => {
  const client = connect(query)
  time.advance(100)
  client.send(2, { token: TOKEN, intents: 1 })
  await settled()
  gateway.dispatch(interaction())
  // The bot has time to add listeners after its login, and still learns of its servers first.
  time.advance(49)
  expect(client.events.map(({ t }) => t)).toEqual(['READY'])
  time.advance(1)
  expect(client.events.map(({ t }) => t)).toEqual(['READY', 'GUILD_CREATE', 'INTERACTION_CREATE'])
})

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

describe('resuming', () => {
  const resume = (client: Client, seq: number, session = 'session-1', token = TOKEN) =>
    client.send(6, { token, session_id: session, seq })

  it('sends exactly the missed events, then RESUMED', async ({ login, connect, gateway }) => {
    const first = await login()
    const before = interaction()
    gateway.dispatch(before)
    first.connection.closed()
    const missed = [interaction(), interaction()]
    for (const one of missed) expect(gateway.dispatch(one)).toBe(1)
    const second = connect()
    resume(second, 3)
    await settled()
    expect(second.frames).toEqual([
      { op: 0, d: missed[0], s: 4, t: 'INTERACTION_CREATE' },
      { op: 0, d: missed[1], s: 5, t: 'INTERACTION_CREATE' },
      { op: 0, d: {}, s: 6, t: 'RESUMED' },
    ])
  })

  it.for([
    ['an unknown session', 'session-9', 1],
    ['a session of which too much was missed, and ends it,', 'session-1', 0],
  ] as const)(
    'answers %s with an invalid session',
    async ([, session, kept], { login, connect, gateway }) => {
      const first = await login()
      first.connection.closed(4000)
      for (let event = 0; event < 1_000; event++) gateway.dispatch(interaction())
      const second = connect()
      resume(second, 1, session)
      await settled()
      expect(second.frames).toEqual([{ op: 9, d: false, s: null, t: null }])
      expect(gateway.sessions).toHaveLength(kept)
    },
  )

  const MIB = 1024 * 1024
  /** An event of about so many characters. */
  const large = (application: string, length: number) =>
    ({ ...interaction(null, application), note: 'x'.repeat(length) }) as never
  const anyBot = () => world({ authenticate: (id) => ({ id }) })
  const answerTo = async ({ connect }: World, session: number, token: string) => {
    const client = connect()
    resume(client, 1, `session-${session}`, token)
    await settled()
    return client.frames.map(({ op, t }) => t ?? op)
  }

  it('keeps 32 MiB of events for an application, whose sessions share their texts', async () => {
    const running = anyBot()
    const before = heap()
    for (let session = 0; session < 45; session++) {
      if (session % 15 === 0) running.time.advance(5_000)
      ;(await running.login({ token: '1' })).connection.closed()
    }
    ;(await running.login({ token: '2' })).connection.closed()
    running.gateway.dispatch(large('2', 1_000))
    for (let event = 0; event < 100; event++) running.gateway.dispatch(large('1', MIB))
    expect((heap() - before) / MIB).toBeLessThan(60)
    expect(await answerTo(running, 1, '1')).toEqual([9])
    expect(await answerTo(running, 46, '2')).toEqual(['INTERACTION_CREATE', 'RESUMED'])
    // A session that was there for all of the kept events gets them.
    ;(await running.login({ token: '1' })).connection.closed()
    for (let event = 0; event < 10; event++) running.gateway.dispatch(large('1', MIB))
    expect(await answerTo(running, 47, '1')).toEqual([...Array(10).fill('INTERACTION_CREATE'), 'RESUMED'])
  })

  it('keeps 96 MiB of events for all applications, and those of no session that has ended', async () => {
    const running = anyBot()
    const all = ['1', '2', '3', '4', '5']
    for (const token of all) (await running.login({ token })).connection.closed()
    for (const token of all)
      for (let event = 0; event < 14; event++) running.gateway.dispatch(large(token, MIB))
    const missed = [...Array(14).fill('INTERACTION_CREATE'), 'RESUMED']
    expect(await answerTo(running, 1, '1')).toEqual([9])
    expect(await answerTo(running, 5, '5')).toEqual(missed)
    running.time.advance(300_000)
    const before = heap()
    for (const token of all) (await running.login({ token })).connection.closed(1000)
    expect(Math.abs(heap() - before) / MIB).toBeLessThan(1)
  })

  it('refuses the session of another application, an unknown token and an unsent sequence number', async () => {
    const { login, connect } = world({
      authenticate: (token) => (token === 'wrong' ? undefined : { id: token === TOKEN ? APP : '9' }),
    })
    await login()
    const [other, wrong, ahead] = [connect(), connect(), connect()]
    resume(other, 1, 'session-1', 'other')
    resume(wrong, 1, 'session-1', 'wrong')
    resume(ahead, 2)
    await settled()
    expect([other.frames[0]?.op, codes(wrong), codes(ahead)]).toEqual([9, 4004, 4007])
  })

  it('moves a session that is still connected to the new connection', async ({ login, connect, gateway }) => {
    const first = await login()
    const second = connect()
    resume(second, 2)
    await settled()
    expect(codes(first)).toBe(4000)
    gateway.dispatch(interaction())
    expect(second.events.map(({ t }) => t)).toEqual(['RESUMED', 'INTERACTION_CREATE'])
    first.connection.closed()
    expect(gateway.sessions).toMatchObject([{ connected: true }])
  })

  const closes = [1000, 1001]
  it.for(closes)('ends the session on close code %i', async (code, { login, gateway, time }) => {
    const client = await login()
    client.connection.closed(code)
    expect([gateway.sessions, time.waiting]).toEqual([[], 0])
  })

  it('ends the session of a bot that does not return', async ({ login, gateway, time }) => {
    const client = await login()
    client.connection.closed(1006)
    time.advance(299_000)
    expect(gateway.sessions).toHaveLength(1)
    time.advance(1_000)
    expect([gateway.sessions, time.waiting]).toEqual([[], 0])
  })

  it('drops a connection, or requests a reconnect, on request of the host', async ({ login, gateway }) => {
    const client = await login()
    client.next()
    gateway.sessions[0]!.reconnect()
    expect(client.next()).toEqual([{ op: 7, d: null, s: null, t: null }])
    gateway.sessions[0]!.drop()
    expect([codes(client), gateway.sessions[0]!.connected]).toEqual([4000, false])
    for (const code of [1000, 1001]) {
      await login()
      gateway.sessions[1]!.drop(code)
      expect(gateway.sessions).toHaveLength(1)
    }
  })

  it('keeps the events of a socket that fails', async ({ gateway, connect, time }) => {
    const fail = () => {
      throw new Error('broken')
    }
    const failing = gateway.open({ send: fail, close: fail }, '', 'ws://127.0.0.1:1')
    failing.receive(JSON.stringify({ op: 2, d: { token: TOKEN, intents: 1 } }))
    await settled()
    expect(gateway.sessions).toMatchObject([{ connected: false }])
    const client = connect()
    resume(client, 0)
    await settled()
    expect(client.events.map(({ t }) => t)).toEqual(['READY', 'GUILD_CREATE', 'RESUMED'])
    expect(time.waiting).toBe(2)
  })
})

it('closes every connection and ends every session on close', async ({ login, connect, gateway, time }) => {
  const clients = [await login(), connect()]
  gateway.close()
  expect(clients.map(codes)).toEqual([1001, 1001])
  expect([gateway.sessions, time.waiting]).toEqual([[], 0])
  const late = connect()
  late.send(1, null)
  late.connection.closed()
  expect([codes(late), late.frames]).toEqual([1013, []])
})
