import { describe, expect } from 'vitest'
import { CommandRegistry, globalScope } from 'commandry'
import { Intent } from '../../support/service-tables.ts'
import { APP, GUILD, interaction, it, SERVER, TOKEN, world, type Client } from './harness.ts'

const codes = (client: Client) => client.closedWith?.code

it('intents have the bits of Discord', () => {
  expect(Intent).toEqual({
    GUILDS: 1,
    GUILD_MEMBERS: 2,
    GUILD_MODERATION: 4,
    GUILD_EXPRESSIONS: 8,
    GUILD_WEBHOOKS: 32,
    GUILD_INVITES: 64,
    GUILD_VOICE_STATES: 128,
    GUILD_PRESENCES: 256,
    GUILD_MESSAGES: 512,
    GUILD_MESSAGE_REACTIONS: 1_024,
    GUILD_MESSAGE_TYPING: 2_048,
    DIRECT_MESSAGES: 4_096,
    DIRECT_MESSAGE_REACTIONS: 8_192,
    DIRECT_MESSAGE_TYPING: 16_384,
    MESSAGE_CONTENT: 32_768,
    GUILD_MESSAGE_POLLS: 16_777_216,
    DIRECT_MESSAGE_POLLS: 33_554_432,
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
