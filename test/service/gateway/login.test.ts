import { constants, createInflate, deflateRawSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { Intent } from '../../support/service-tables.ts'
import { APP, GUILD, interaction, it, SERVER, settled, TOKEN, world } from './harness.ts'

/** The flags of all privileged intents, which an application without flags has. */
const EVERY_INTENT = (1 << 13) | (1 << 15) | (1 << 19)

const { GUILDS, GUILD_PRESENCES } = Intent

const idOf = ({ user }: any) => user.id

/** The ids of the roles and of the members of a server that a bot with some intents gets at its login. */
async function listed(server: object, intents: number) {
  const { login } = world({ authenticate: () => ({ id: APP, servers: [{ ...SERVER, ...server }] }) })
  const { roles, members } = (await login({ intents })).events[1]!.d
  return [roles.map(({ id }: any) => id), members.map(idOf)]
}

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

  it('sends the servers after READY was read, however busy the client is, or after 2 s', async ({
    connect,
    time,
  }) => {
    const read: (() => void)[] = []
    const [busy, silent] = [1, 2].map(() =>
      connect(undefined, () => new Promise((resolve) => void read.push(resolve))),
    )
    time.advance(100)
    for (const client of [busy!, silent!]) {
      client.send(2, { token: TOKEN, intents: 1 })
      await settled()
      expect(client.next()).toMatchObject([{ op: 10 }, { t: 'READY' }])
    }
    time.advance(1_999)
    read[2]!()
    await settled()
    expect([busy!.next(), silent!.next()]).toMatchObject([[{ t: 'GUILD_CREATE' }], []])
    time.advance(1)
    expect(silent!.next()).toMatchObject([{ t: 'GUILD_CREATE' }])
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
      application: { id: APP, flags: EVERY_INTENT, flags_new: String(EVERY_INTENT) },
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
    const client = await login({ intents: Intent.GUILDS | Intent.GUILD_MEMBERS | Intent.GUILD_PRESENCES })
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
    expect(await listed(complete, GUILDS | GUILD_PRESENCES)).toEqual([[GUILD], [APP]])
    expect(await listed(other, GUILDS | GUILD_PRESENCES)).toEqual([
      [GUILD, '5001'],
      ['3001', APP],
    ])
  })

  it('[6-07] brings the bot and the members in voice channels without GUILD_PRESENCES, and all with it', async () => {
    const members = [
      { user: { id: '3001' } },
      { user: { id: '3002' }, voice_channel_id: '4005' },
      { user: { id: APP } },
    ]
    const server = { roles: [{ id: GUILD, name: '@everyone' }], members }
    expect(await listed(server, GUILDS)).toEqual([[GUILD], ['3002', APP]])
    expect(await listed(server, GUILDS | GUILD_PRESENCES)).toEqual([[GUILD], ['3001', '3002', APP]])
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
