/** Where an app is: in a server, or along with a person who installed it. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { PermissionFlag } from 'commandry'
import { testbed, type TestbedOptions } from 'commandry/testbed'
import { demoServer } from '../../support/worlds.ts'

const anywhere = { integration_types: [0, 1], contexts: [0, 1, 2] } as const
const channel = { type: 7, name: 'c', description: 'd' } as const
const commands = [
  { name: 'x', description: 'd', ...anywhere, options: [channel] },
  { name: 'here', description: 'd', integration_types: [0] },
] as const

const other = {
  id: '100000000000002002',
  name: 'Theirs',
  bot: false,
  channels: [{ id: '4101', name: 'talk', type: 0 }],
}

/** A bot over HTTP; `rest` is what it sends of its own. */
async function open(options: TestbedOptions = {}, flags = 0) {
  const seen: any[] = []
  const bed = await testbed({
    commands,
    endpoint: async (request) => {
      const interaction: any = await request.json()
      seen.push(interaction)
      return Response.json({ type: 4, data: { content: 'ok', flags } })
    },
    ...options,
  })
  onTestFinished(() => bed.close())
  const rest = async (method: string, path: string, body?: object) => {
    const headers = { Authorization: `Bot ${bed.token}`, 'Content-Type': 'application/json' }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(`${bed.rest}/v10${path}`, { method, headers, ...sent })
    return { status: response.status, body: await response.json() }
  }
  return { bed, seen, rest }
}

const missingAccess = { status: 403, body: { code: 50001 } }

describe('an app that only a person installed', () => {
  it('[2.8-07] is not in the server: its channels and members are refused', async () => {
    const { bed, seen, rest } = await open()
    await bed.as('ada', { installed: 'user' }).use('/x')
    const { channel_id: id, guild_id: guild, authorizing_integration_owners: owners } = seen[0]
    expect([guild, owners]).toEqual(['100000000000002001', { 1: '100000000000003001' }])
    expect(await rest('POST', `/channels/${id}/messages`, { content: 'a' })).toMatchObject(missingAccess)
    expect(await rest('GET', `/guilds/${guild}/members/100000000000003001`)).toMatchObject(missingAccess)
    expect(await rest('GET', '/users/@me/guilds')).toMatchObject({ body: [] })
  })

  it('[2.8-07] has the permissions of the member in part, and none in resolved channels', async () => {
    const { bed, seen } = await open()
    const { id } = bed.channel('general')
    await bed.as('alan', { installed: 'user' }).use('x', { c: id })
    const [{ app_permissions: own, data }] = seen
    expect(BigInt(own) & PermissionFlag.ADMINISTRATOR).toBe(0n)
    expect(BigInt(own) & PermissionFlag.EMBED_LINKS).not.toBe(0n)
    expect(data.resolved.channels[id]).not.toHaveProperty('app_permissions')
    bed.server.setPermissions('general', '@everyone', { EMBED_LINKS: false })
    await bed.as('ada', { installed: 'user' }).use('/x')
    expect(BigInt(seen[1].app_permissions) & PermissionFlag.EMBED_LINKS).toBe(0n)
  })

  it('[2.8-07] answers the person alone without USE_EXTERNAL_APPS, and everybody with it', async () => {
    const { bed, seen, rest } = await open()
    const ada = bed.as('ada', { installed: 'user' })
    expect((await ada.use('/x')).ephemeral).toBe(false)
    bed.server.setPermissions('general', '@everyone', { USE_EXTERNAL_APPS: false })
    const shown = await ada.use('/x')
    expect([shown.ephemeral, bed.channel('general').messages.length]).toEqual([true, 1])
    const { application_id: app, token } = seen[1]
    for (let sent = 0; sent < 5; sent++)
      expect(await rest('POST', `/webhooks/${app}/${token}`, { content: 'a' })).toMatchObject({
        status: 200,
        body: { flags: 64 },
      })
    expect(await rest('POST', `/webhooks/${app}/${token}`, { content: 'a' })).toMatchObject({
      body: { code: 40_094 },
    })
  })

  it('[2.8-07] is used in a server without the bot, where there is one; the others keep it', async () => {
    const { bed, seen } = await open({ servers: [{ id: '100000000000002001', name: 'Ours' }, other] })
    await bed.as('ada', { installed: 'user' }).use('/x')
    await bed.as('ada').use('/here')
    expect(seen.map(({ guild_id: guild }) => guild)).toEqual(['100000000000002002', '100000000000002001'])
  })

  it('[2.8-07] is used in a server that is added without the bot', async () => {
    const { bed, rest } = await open()
    expect(bed.addServer(other).members.map(({ username }) => username)).not.toContain('testbed')
    const theirs = bed.as('ada', { server: 'Theirs' })
    expect((await theirs.use('/x')).interaction).toMatchObject({
      authorizing_integration_owners: { 1: '100000000000003001' },
    })
    await expect(theirs.use('/here')).rejects.toMatchObject({ code: 'not_installed' })
    expect(await rest('GET', '/guilds/100000000000002002')).toMatchObject(missingAccess)
  })
})

it('[2.8-07] leaves a server with its commands, and with all servers the DMs of its members', async () => {
  const { bed } = await open()
  bed.server.leave('testbed')
  for (const options of [{}, { installed: 'server' }] as const)
    await expect(bed.as('ada', options).use('/here')).rejects.toMatchObject({ code: 'not_installed' })
  expect((await bed.as('ada').use('/x')).interaction).toMatchObject({
    authorizing_integration_owners: { 1: '100000000000003001' },
  })
  const direct = bed.as('ada', { channel: 'dm', installed: 'server' }).use('/x')
  await expect(direct).rejects.toMatchObject({ code: 'not_installed' })
})

describe('[1-03] commands of a server', () => {
  const body = { name: 'ping', description: 'x' }
  const commandsOf = (id: string) => `/applications/1000000000000000000/guilds/${id}/commands`

  it('are refused where the app is not, and where there is no server, with what is missing', async () => {
    const { bed, rest } = await open({ servers: [demoServer(), other] })
    const refusals = {
      '100000000000002002': 'Missing Access: the bot is not in Theirs',
      '1573827800659604490': 'Missing Access: there is no server 1573827800659604490',
    }
    for (const [id, message] of Object.entries(refusals)) {
      const refused = { status: 403, body: { code: 50001, message } }
      expect(await rest('PUT', commandsOf(id), [body] as never)).toMatchObject(refused)
      expect(await rest('GET', commandsOf(id))).toMatchObject(refused)
    }
    expect((await rest('POST', commandsOf(bed.server.id), body)).status).toBe(201)
    expect((await rest('GET', commandsOf('x'))).body.code).not.toBe(50001)
  })
})
