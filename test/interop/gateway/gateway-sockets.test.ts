import { once } from 'node:events'
import { connect } from 'node:net'
import { createInflate } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createGateway } from 'commandry/gateway'
import { wire } from '../../service/http/sockets.ts'
import { serve } from 'commandry/node'
import { nodeDeflate } from '../../../src/service/node/gateway-sockets.ts'
import { statusOf } from '../../service/http/doors.ts'
import { setDeadline } from '../../support/deadlines.ts'
import { framesOf, identify, loginAt, servingGateway } from './serve-gateway.ts'
import { turn } from '../../support/waiting.ts'

const it = test
  .extend('gateway', () => {
    let sessions = 0
    return createGateway({
      authenticate: (token) =>
        token === 'secret' ? { id: '1001', servers: [{ id: '2001', name: 'Demo' }] } : undefined,
      sessionIds: () => `session-${++sessions}`,
      deflate: nodeDeflate,
    })
  })
  .extend('serving', async ({ gateway }, { onCleanup }) => {
    const serving = await serve({ handler: () => new Response('http'), gateway, ws: { WebSocketServer } })
    onCleanup(() => serving.close())
    return serving
  })
  .extend('url', ({ serving }) => serving.url)
  .extend('address', ({ url }) => url.replace('http', 'ws'))

const login = identify('secret', 1)
const resume = (session_id: string, seq: number) =>
  JSON.stringify({ op: 6, d: { token: 'secret', session_id, seq } })

/** A socket with compression, after its first frame. */
async function compressed(address: string) {
  const socket = new WebSocket(`${address}/?v=10&encoding=json&compress=zlib-stream`)
  const inflate = createInflate()
  socket.on('message', (data) => inflate.write(data as Buffer))
  const next = async () => JSON.parse(String((await once(inflate, 'data'))[0]))
  expect(await next()).toMatchObject({ op: 10 })
  return { socket, next }
}

describe('a gateway on node:http', () => {
  it('accepts WebSockets at the port of the HTTP service', async ({ url, address }) => {
    expect(await (await fetch(url)).text()).toBe('http')
    const { next, ready } = await loginAt(address, 'secret', 1)
    expect(ready).toMatchObject({ resume_gateway_url: address })
    expect(await next()).toMatchObject({ t: 'GUILD_CREATE', d: { name: 'Demo' } })
    // The URL may have no path.
    expect(await framesOf(new WebSocket(`${address}?v=10`))()).toMatchObject({ op: 10 })
  })

  it('compresses with zlib', async ({ address }) => {
    const { socket, next } = await compressed(address)
    socket.send(login)
    expect(await next()).toMatchObject({ t: 'READY' })
  })

  it('destroys a closed connection soon, even if the client does not answer', async ({ address }) => {
    setDeadline('CLOSE_TIMEOUT', 250)
    const { send, closed } = await wire(Number(new URL(address).port))
    send(
      'GET /?v=99 HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    )
    const received = await closed
    expect(received).toContain('101 Switching Protocols')
    expect(received).toContain('use v=10')
  })

  it('lets a bot resume after its connection breaks', async ({ address, gateway }) => {
    const first = await loginAt(address, 'secret', 1)
    first.socket.terminate()
    const second = new WebSocket(address)
    const read = framesOf(second)
    await read()
    second.send(resume(first.ready.session_id, 1))
    expect([(await read()).t, (await read()).t]).toEqual(['GUILD_CREATE', 'RESUMED'])
    expect(gateway.sessions).toHaveLength(1)
  })

  it('lets a bot with compression resume, in a stream of its own', async ({ address, gateway }) => {
    const first = await compressed(address)
    first.socket.send(login)
    const { d: ready } = await first.next()
    gateway.sessions[0]!.drop()
    await once(first.socket, 'close')
    const second = await compressed(address)
    second.socket.send(resume(ready.session_id, 2))
    expect(await second.next()).toMatchObject({ t: 'RESUMED', s: 3 })
  })

  it('refuses other paths and pages of browsers, and closes connections that clients keep open', async ({
    address,
  }) => {
    setDeadline('CLOSE_TIMEOUT', 250)
    for (const [path, origin, status] of [
      ['/api', '', 404],
      ['/', 'Origin: http://example.com\r\n', 403],
    ] as const) {
      const raw = connect({ port: Number(new URL(address).port), host: '127.0.0.1', allowHalfOpen: true })
      raw.on('error', () => {})
      raw.write(
        `GET ${path} HTTP/1.1\r\nHost: x\r\n${origin}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
      )
      const [answer] = (await once(raw, 'data')) as [Buffer]
      expect(answer.toString()).toContain(`HTTP/1.1 ${status} `)
      expect(answer.toString()).toMatch(/\r\n\r\n\{"message":"The gateway is /)
      // A server that has destroyed its socket resets a client that still writes.
      while (!raw.destroyed) {
        raw.write('x')
        await turn()
      }
    }
  })

  it('sends a close frame to bots when it closes', async ({ address, serving }) => {
    const socket = new WebSocket(address)
    await framesOf(socket)()
    const [[code]] = await Promise.all([once(socket, 'close') as Promise<[number]>, serving.close()])
    expect(code).toBe(1001)
    await expect(fetch(address.replace('ws', 'http'))).rejects.toThrow()
  })

  it('survives frames that are too large and bytes that are not frames', async ({ address, url }) => {
    const socket = new WebSocket(address)
    await framesOf(socket)()
    socket.send('x'.repeat(100_000))
    await once(socket, 'close')
    const other = new WebSocket(address)
    await framesOf(other)()
    ;(other as unknown as { _socket: { write(bytes: Buffer): void } })._socket.write(Buffer.alloc(64, 0xff))
    other.on('error', () => {})
    await once(other, 'close')
    expect(await (await fetch(url)).text()).toBe('http')
  })
})

/** The tokens of two applications. */
const tokens = ['1001', '1002'].map((application_id) => ({
  type: 'Bot',
  token: `token-${application_id}`,
  application_id,
}))

const configured = (configuration: object) =>
  servingGateway(['--config', 'service.json'], { 'service.json': { ...configuration, tokens } })

describe('large frames', () => {
  const MIB = 1024 * 1024
  const server = (id: string) => ({
    id,
    name: 'Large',
    channels: [{ id: `${id}1`, name: 'general', type: 0, topic: 'x'.repeat(20 * MIB) }],
  })
  const open = async () => {
    const gateway = createGateway({
      authenticate: () => ({ id: '1001', servers: [server('2001'), server('2002'), server('2003')] }),
    })
    const serving = await serve({ handler: () => new Response(), gateway, ws: { WebSocketServer } })
    onTestFinished(() => serving.close())
    return { gateway, address: serving.url.replace('http', 'ws') }
  }

  it('are sent whole one after the other, and the heartbeat is answered after them', async () => {
    const { address } = await open()
    const { next, socket } = await loginAt(address, 'secret', 1)
    socket.send('{"op":1,"d":null}')
    const frames = [await next(), await next(), await next(), await next()] as any[]
    expect(frames.map(({ t, op, d }) => t ?? op + (d ?? 0)).sort()).toEqual([
      11,
      ...Array(3).fill('GUILD_CREATE'),
    ])
    for (const { t, d } of frames) if (t !== null) expect(d.channels[0].topic).toHaveLength(20 * MIB)
  })

  it('end the connection with a reason when all frames together may not be as large', async () => {
    const { gateway, address } = await open()
    const waiting = await loginAt(address, 'secret', 1 << 9)
    const refused = once(waiting.socket, 'close')
    const { socket, next } = await loginAt(address, 'secret', 1 << 9)
    socket.send('{"op":1,"d":null}')
    expect(await next()).toMatchObject({ op: 11 })
    const closed = once(socket, 'close')
    gateway.dispatch({ application_id: '1001', token: 'x'.repeat(129 * MIB) } as never)
    expect((await refused)[0]).toBe(4000)
    const [code, reason] = await closed
    expect([code, String(reason)]).toEqual([
      4000,
      expect.stringMatching(/^A frame has more than \d+ bytes; at most 134217728 are sent\.$/),
    ])
  })
})

describe('commandry serve --gateway', () => {
  it('[6-05] names to a bot the servers of its application, sends their events, and has the logins left', async () => {
    const general = (id: string) => [{ id: `${id}1`, name: 'general', type: 0 }]
    const url = await configured({
      applications: [{ id: '1001', guilds: ['2001'] }, { id: '1002' }],
      servers: ['2001', '2002'].map((id) => ({ id, name: `Server ${id}`, channels: general(id) })),
    })
    const GUILDS_AND_MESSAGES = 513
    const bots = []
    for (const { token } of tokens) {
      const { next, ready } = await loginAt(url, token, GUILDS_AND_MESSAGES)
      for (const { id } of ready.guilds) expect(await next()).toMatchObject({ t: 'GUILD_CREATE', d: { id } })
      bots.push({ next, guilds: ready.guilds.map(({ id }: any) => id) })
    }
    expect(bots.map(({ guilds }) => guilds)).toEqual([['2001'], ['2001', '2002']])
    const body = JSON.stringify({ content: 'x' })
    const headers = { authorization: 'Bot token-1002', 'content-type': 'application/json' }
    for (const id of ['20021', '20011'])
      await fetch(`${url}/api/v10/channels/${id}/messages`, { method: 'POST', headers, body })
    for (const [index, id] of [
      [0, '2001'],
      [1, '2002'],
      [1, '2001'],
    ] as const)
      expect(await bots[index]!.next()).toMatchObject({ t: 'MESSAGE_CREATE', d: { guild_id: id } })
    const { session_start_limit: limit } = await (
      await fetch(`${url}/api/v10/gateway/bot`, { headers: { authorization: 'Bot token-1001' } })
    ).json()
    expect(limit).toMatchObject({ total: 1000, remaining: 999, max_concurrency: 16 })
  })

  it('lets bots change the servers of a configuration, and tells the others', async () => {
    const people = [
      { user: { id: '3001', username: 'ada' }, voice_channel_id: '4005' },
      { user: { id: '3002', username: 'mee', bot: true }, nick: 'Mee' },
    ]
    const channels = [{ id: '4005', name: 'Lounge', type: 2, user_limit: 5 }]
    const url = await configured({
      applications: [{ id: '1001' }, { id: '1002', guilds: [] }],
      servers: [{ id: '2001', name: 'Demo', members: people, channels }],
    })
    const GUILDS_MODERATION_AND_PRESENCES = 1 | 4 | 256
    const { next } = await loginAt(url, 'token-1001', GUILDS_MODERATION_AND_PRESENCES)
    const { d: guild } = await next()
    expect(guild.channels).toMatchObject([{ bitrate: 64_000, user_limit: 5, rtc_region: null }])
    expect(guild.voice_states).toMatchObject([{ user_id: '3001', channel_id: '4005' }])
    expect(guild.members).toMatchObject([{}, { nick: 'Mee', user: { bot: true } }, { user: { id: '1001' } }])
    const ban = (token: string) =>
      fetch(`${url}/api/v10/guilds/2001/bans/3001`, {
        method: 'PUT',
        headers: { authorization: `Bot ${token}` },
      })
    expect(await (await ban('token-1002')).json()).toEqual({
      code: 50001,
      message: 'Missing Access: the bot is not in Demo',
    })
    expect((await ban('token-1001')).status).toBe(204)
    expect(await next()).toMatchObject({ t: 'GUILD_BAN_ADD', d: { user: { username: 'ada' } } })
  })

  it('takes WebSockets and requests of people under the names of this machine, and bots under those of HTTP', async () => {
    const port = Number(new URL(await servingGateway(['--allow-host', 'bot.test'])).port)
    const people = ['Content-Type: application/json']
    const statuses = (host: string) =>
      Promise.all([
        ...['UPGRADE /?v=10&encoding=json', 'GET /api/v10/gateway', 'GET /readyz'].map((door) =>
          statusOf(port, door, host),
        ),
        statusOf(port, 'POST /people/state', host, people),
      ])
    const [own] = await Promise.all([statuses(`127.0.0.1:${port}`)])
    expect(own.slice(0, 3)).toEqual([101, 200, 200])
    expect(own[3]).not.toBe(403)
    for (const host of ['bot.test', 'discord.com', 'gateway.discord.gg:443'])
      expect([host, await statuses(host)]).toEqual([host, [101, 200, 200, 403]])
    for (const host of ['evil.test', `evil.test:${port}`, 'localhost.evil.test', '[::2]', ''])
      expect([host, await statuses(host)]).toEqual([host, [403, 403, 403, 403]])
  })

  it('takes WebSockets under every name with --config, whose tokens are secret', async () => {
    const port = Number(new URL(await configured({ applications: [{ id: '1001' }, { id: '1002' }] })).port)
    expect(await statusOf(port, 'UPGRADE /?v=10&encoding=json', 'bot.test')).toBe(101)
    expect(await statusOf(port, 'POST /people/state', 'bot.test')).toBe(403)
    expect(await statusOf(port, 'GET /', 'bot.test')).toBe(404)
  })

  it('answers GET /gateway with its own address when the Host header is no host', async () => {
    const url = await servingGateway(['--allow-host', 'x/y'])
    const { send, closed } = await wire(Number(new URL(url).port))
    send('GET /api/v10/gateway HTTP/1.1\r\nHost: x/y\r\nConnection: close\r\n\r\n')
    expect(await closed).toContain(`{"url":"${url.replace('http', 'ws')}"}`)
  })
})
