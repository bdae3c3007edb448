import { describe, expect } from 'vitest'
import { APP, interaction, it, settled, TOKEN, world, type Client } from './harness.ts'

import { anyBot, answerTo, large, MIB, resume } from './missed-events.ts'

const codes = (client: Client) => client.closedWith?.code

describe('resuming', () => {
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

  it('sends events whole, however large, although none of them is kept', async () => {
    const running = anyBot()
    const clients = [await running.login({ token: '1' }), await running.login({ token: '1' })]
    // One text of an application, for both of its sessions.
    running.gateway.dispatch(large('1', 33 * MIB))
    for (const { frames, connection } of clients) {
      expect(frames.at(-1)!.d.note).toHaveLength(33 * MIB)
      connection.closed()
    }
    expect(await answerTo(running, 1, '1')).toEqual([9])
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
