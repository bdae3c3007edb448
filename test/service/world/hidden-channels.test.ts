import { once } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket, WebSocketServer } from '../../support/sockets.ts'
import { permissions } from 'commandry'
import { testbed, type TestbedOptions } from 'commandry/testbed'
import { answered } from '../http/service.ts'
import { demo, GENERAL, IMAGE, LOUNGE, SERVER, STAFF } from '../http/world/bed.ts'

const HIDDEN_NAME = '___hidden___'
const HIDDEN_FLAG = 1 << 17

const BEFORE = '2026-11-15'
const AFTER = '2026-11-16'
const CELLAR = '4009'
const TEXTS = '4006'
const BOTS = '5009'
const denied = [{ id: SERVER, type: 0, allow: '0', deny: permissions('VIEW_CHANNEL') }] as const

/** The demo server with a category and a voice channel that only administrators view, and a role of the bot. */
const server = {
  ...demo,
  roles: [...demo.roles, { id: BOTS, name: 'Bots', permissions: '0' }],
  channels: [
    ...demo.channels.map((one) =>
      one.id === TEXTS || one.id === LOUNGE ? { ...one, permission_overwrites: denied } : one,
    ),
    { id: CELLAR, name: 'cellar', type: 0, parent_id: TEXTS, topic: 'Plans', permission_overwrites: denied },
  ],
} as const

interface Wire {
  readonly id: string
  readonly name: string
}

/** A bot with the role Bots, which may do nothing of its own. @param capabilities of its IDENTIFY */
async function login(options: TestbedOptions = {}, capabilities?: number) {
  const bed = await testbed({
    ...{ ws: { WebSocketServer }, servers: [server], bot: { roles: [BOTS] } },
    ...options,
  })
  const socket = new WebSocket(`${bed.gateway}/?v=10&encoding=json`)
  onTestFinished(async () => {
    socket.terminate()
    await bed.close()
  })
  await once(socket, 'open')
  const events: { t: string; d: any }[] = []
  let heard = () => {}
  socket.on('message', (data) => {
    const { op, t, d } = JSON.parse(String(data))
    if (op === 0) events.push({ t, d })
    heard()
  })
  socket.send(
    JSON.stringify({ op: 2, d: { token: bed.token, intents: 0xffff, properties: {}, capabilities } }),
  )
  const next = async (name: string): Promise<any> => {
    for (;;) {
      const index = events.findIndex(({ t }) => t === name)
      if (index >= 0) return events.splice(index, 1)[0]!.d
      await new Promise<void>((resolve) => (heard = resolve))
    }
  }
  const { channels } = await next('GUILD_CREATE')
  const headers = { Authorization: `Bot ${bed.token}` }
  const get = async (path: string) => answered(await fetch(`${bed.rest}/v10${path}`, { headers }))
  return { bed, next, get, channels: channels as Wire[], events }
}

const namesOf = (channels: readonly Wire[]) => channels.map(({ name }) => name)
const all = ['general', 'staff', 'Lounge', 'Texts', 'cellar']

describe('channels that a bot may not view', () => {
  it('[6-06] reach it over the gateway with id, type, position and parent alone', async () => {
    const { channels } = await login({ discord: AFTER })
    expect(namesOf(channels)).toEqual(['general', ...Array(4).fill(HIDDEN_NAME)])
    expect(channels[4]).toEqual({
      ...{ id: CELLAR, type: 0, position: 4, parent_id: TEXTS, guild_id: SERVER },
      ...{ name: '___hidden___', flags: 1 << 17, topic: null, nsfw: false },
      ...{ last_message_id: null, rate_limit_per_user: 0 },
      permission_overwrites: [{ id: SERVER, type: 0, allow: '0', deny: '1024' }],
    })
  })

  it('[6-06] are whole before the day, unless the client takes them hidden', async () => {
    expect(namesOf((await login({ discord: BEFORE })).channels)).toEqual(all)
    const { channels, get } = await login({ discord: BEFORE }, 1 << 15)
    expect(namesOf(channels)).toEqual(['general', ...Array(4).fill(HIDDEN_NAME)])
    // Only the gateway has the choice.
    expect(namesOf((await get(`/guilds/${SERVER}/channels`)).body as Wire[])).toEqual(all)
  })

  it('[6-06] are hidden today, and never from administrators', async () => {
    expect(namesOf((await login()).channels)).toContain(HIDDEN_NAME)
    const administrator = await login({ bot: { roles: ['Administrators'] } })
    expect(namesOf(administrator.channels)).toEqual(all)
  })

  it('[6-06] are not in the list over HTTP; one alone is refused as before', async () => {
    const { get } = await login({ discord: AFTER })
    const { body } = await get(`/guilds/${SERVER}/channels`)
    expect(namesOf(body as Wire[])).toEqual(['general'])
    expect(await get(`/channels/${STAFF}`)).toMatchObject({ status: 403, body: { code: 50001 } })
    const before = await login({ discord: BEFORE })
    expect(namesOf((await before.get(`/guilds/${SERVER}/channels`)).body as Wire[])).toEqual(all)
  })
})

describe('a bot that may view a channel', () => {
  it('[6-06] gets it whole by CHANNEL_UPDATE, with its category, and hidden again', async () => {
    const { bed, next, get } = await login({ discord: AFTER })
    bed.server.setPermissions('cellar', 'Bots', { VIEW_CHANNEL: true })
    const shown = await next('CHANNEL_UPDATE')
    expect(shown).toMatchObject({ id: CELLAR, name: 'cellar', topic: 'Plans', flags: 0 })
    expect(shown.permission_overwrites).toHaveLength(2)
    // A category counts as visible with one visible child.
    expect(await next('CHANNEL_UPDATE')).toMatchObject({ id: TEXTS, name: 'Texts' })
    expect(namesOf((await get(`/guilds/${SERVER}/channels`)).body as Wire[])).toEqual([
      'general',
      'Texts',
      'cellar',
    ])
    bed.server.setPermissions('cellar', 'Bots', { VIEW_CHANNEL: null })
    expect(await next('CHANNEL_UPDATE')).toMatchObject({ id: CELLAR, name: HIDDEN_NAME, topic: null })
    expect(await next('CHANNEL_UPDATE')).toMatchObject({ id: TEXTS, name: HIDDEN_NAME })
  })

  it('[6-06] gets all that a new role shows, and keeps what it had', async () => {
    const { bed, next, events } = await login({ discord: AFTER })
    bed.server.setRoles('testbed', ['Bots', 'Administrators'])
    await next('GUILD_MEMBER_UPDATE')
    const shown = [await next('CHANNEL_UPDATE'), await next('CHANNEL_UPDATE')]
    shown.push(await next('CHANNEL_UPDATE'), await next('CHANNEL_UPDATE'))
    expect(namesOf(shown)).toEqual(['staff', 'Lounge', 'Texts', 'cellar'])
    expect(events.map(({ t }) => t)).not.toContain('CHANNEL_UPDATE')
  })

  it('[6-06] gets the changes of a hidden channel without its name', async () => {
    const { bed, next } = await login({ discord: AFTER })
    bed.server.setPermissions('staff', 'Moderators', { SEND_MESSAGES: true })
    expect(await next('CHANNEL_UPDATE')).toMatchObject({ id: STAFF, name: HIDDEN_NAME, flags: HIDDEN_FLAG })
  })

  it('[6-06] sees a voice channel while it is connected', async () => {
    const bot = await login({ discord: AFTER })
    const { people } = (await import('../../../src/testing/testbed/bed.ts')).partsOf.get(bot.bed)!
    const { setVoice } = await import('../../../src/service/world/voice.ts')
    setVoice(people.world, SERVER, bot.bed.applicationId, { voice_channel_id: LOUNGE })
    expect(await bot.next('CHANNEL_UPDATE')).toMatchObject({ id: LOUNGE, name: 'Lounge' })
    setVoice(people.world, SERVER, bot.bed.applicationId, { voice_channel_id: null })
    expect(await bot.next('CHANNEL_UPDATE')).toMatchObject({ id: LOUNGE, name: HIDDEN_NAME })
  })
})

it('[6-06] interactions have channels whole, whatever the bot may view', async () => {
  const option = { type: 7, name: 'channel', description: 'x' } as const
  const { bed, next } = await login({
    discord: AFTER,
    commands: [{ name: 'look', description: 'x', options: [option] }],
    timeout: 300,
  })
  const using = bed.as('alan', { channel: 'general' }).use('/look', { channel: bed.channel('staff') })
  const { data, channel } = await next('INTERACTION_CREATE')
  await using.catch(() => {})
  expect(channel).toMatchObject({ id: GENERAL, name: 'general' })
  expect(data.resolved.channels[STAFF]).toMatchObject({ name: 'staff', flags: 0, app_permissions: '0' })
})

describe('the split of permissions', () => {
  const slow = { ...demo, channels: [{ id: GENERAL, name: 'general', type: 0, rate_limit_per_user: 60 }] }
  const earlier = ['MANAGE_MESSAGES', 'MANAGE_CHANNELS', 'MANAGE_THREADS'] as const
  const open = async (discord: string, name: (typeof earlier)[number] | 'BYPASS_SLOWMODE') => {
    const roles = [{ ...demo.roles[0]!, permissions: permissions('VIEW_CHANNEL', 'SEND_MESSAGES', name) }]
    const members = [{ user: { id: '3001', username: 'ada' } }]
    const bed = await testbed({
      servers: [{ ...slow, roles, members }],
      endpoint: () => new Response(),
      discord,
    })
    onTestFinished(() => bed.close())
    const ada = bed.as('ada')
    await ada.say('one')
    return ada.say('two').then(
      () => 'sent',
      ({ message }: Error) => message,
    )
  }

  it('lifts slow mode by BYPASS_SLOWMODE alone since 2026-02-23', async () => {
    const refused = expect.stringContaining('slow mode: ada may write here again in 60 s')
    expect(await open('2026-02-23', 'BYPASS_SLOWMODE')).toBe('sent')
    expect(await open('2026-02-22', 'BYPASS_SLOWMODE')).toBe('sent')
    for (const name of earlier) {
      expect([name, await open('2026-02-23', name)]).toEqual([name, refused])
      expect([name, await open('2026-02-22', name)]).toEqual([name, 'sent'])
    }
  })

  it('allows emojis by CREATE_GUILD_EXPRESSIONS alone since 2026-02-23', async () => {
    const create = async (discord: string, name: 'CREATE_GUILD_EXPRESSIONS' | 'MANAGE_GUILD_EXPRESSIONS') => {
      const bed = await testbed({
        servers: [
          { ...slow, roles: [demo.roles[0]!, { id: BOTS, name: 'Bots', permissions: permissions(name) }] },
        ],
        endpoint: () => new Response(),
        bot: { roles: [BOTS] },
        discord,
      })
      onTestFinished(() => bed.close())
      const { ok } = await fetch(`${bed.rest}/v10/guilds/${SERVER}/emojis`, {
        method: 'POST',
        headers: { Authorization: `Bot ${bed.token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name: 'cat', image: IMAGE }),
      })
      return ok
    }
    expect(await create('2026-02-23', 'CREATE_GUILD_EXPRESSIONS')).toBe(true)
    expect(await create('2026-02-23', 'MANAGE_GUILD_EXPRESSIONS')).toBe(false)
    expect(await create('2026-02-22', 'MANAGE_GUILD_EXPRESSIONS')).toBe(true)
    expect(await create('2026-02-22', 'CREATE_GUILD_EXPRESSIONS')).toBe(true)
  })

  it('allows pins by PIN_MESSAGES alone since 2026-02-23', async () => {
    const pin = async (discord: string, name: 'PIN_MESSAGES' | 'MANAGE_MESSAGES') => {
      const roles = [
        {
          ...demo.roles[0]!,
          permissions: permissions('VIEW_CHANNEL', 'READ_MESSAGE_HISTORY', 'SEND_MESSAGES'),
        },
        { id: BOTS, name: 'Bots', permissions: permissions(name) },
      ]
      const bed = await testbed({
        servers: [{ ...slow, roles, members: demo.members.slice(0, 1).map(({ user }) => ({ user })) }],
        endpoint: () => new Response(),
        bot: { roles: [BOTS] },
        discord,
      })
      onTestFinished(() => bed.close())
      const { id } = await bed.as('ada').say('one')
      const path = `${bed.rest}/v10/channels/${GENERAL}/messages/pins/${id}`
      const { status } = await fetch(path, {
        method: 'PUT',
        headers: { Authorization: `Bot ${bed.token}` },
      })
      return status
    }
    expect(await pin('2026-02-23', 'PIN_MESSAGES')).toBe(204)
    expect(await pin('2026-02-23', 'MANAGE_MESSAGES')).toBe(403)
    expect(await pin('2026-02-22', 'MANAGE_MESSAGES')).toBe(204)
    expect(await pin('2026-02-22', 'PIN_MESSAGES')).toBe(204)
  })
})
