/** What a bot needs, by its requests and events: least privilege. */
import { describe, expect, it } from 'vitest'
import { GENERAL, GRACE, open, SERVER } from '../http/world/bed.ts'

const GUILDS = 1 << 0
const MEMBERS = 1 << 1
const MESSAGES = 1 << 9
const REACTIONS = 1 << 10
const CONTENT = 1 << 15

describe('access of a bot', () => {
  it('lists the permissions of its requests and the link with just these', async () => {
    const { bed, call } = await open(GUILDS)
    await call('POST', `/channels/${GENERAL}/messages`, { content: 'hello' })
    await call('PUT', `/guilds/${SERVER}/bans/${GRACE}`)
    const { permissions, scopes, routes, installUrl } = bed.access()
    expect(permissions).toEqual({
      needed: ['BAN_MEMBERS', 'SEND_MESSAGES', 'VIEW_CHANNEL'],
      unused: ['ADMINISTRATOR'],
      refused: [],
    })
    expect(scopes).toEqual(['bot'])
    expect(routes).toEqual(['POST /channels/{channel.id}/messages', 'PUT /guilds/{guild.id}/bans/{user.id}'])
    const bits = String((1n << 2n) | (1n << 10n) | (1n << 11n))
    expect(new URL(installUrl).searchParams.get('permissions')).toBe(bits)
  })

  it('lists what the bot has and did not use, what it was refused, and the role that would have helped', async () => {
    const { bed, call } = await open(GUILDS, { bot: { roles: [] } })
    const refused = await call('PUT', `/guilds/${SERVER}/bans/${GRACE}`)
    expect(refused.body.message).toBe(
      'Missing Permissions: the bot lacks BAN_MEMBERS in Demo Server; the role Moderators has it',
    )
    const { permissions } = bed.access()
    expect(permissions.needed).toEqual(['BAN_MEMBERS'])
    expect(permissions.refused).toEqual([{ permission: 'BAN_MEMBERS', place: 'Demo Server' }])
    expect(permissions.unused).toEqual(expect.arrayContaining(['VIEW_CHANNEL', 'READ_MESSAGE_HISTORY']))
    expect(permissions.unused).not.toContain('BAN_MEMBERS')
  })

  it('lists the intents by which something came, those asked for in vain, and MESSAGE_CONTENT where it is missing', async () => {
    const { bed, event } = await open(GUILDS | MEMBERS | MESSAGES | REACTIONS)
    await bed.as('administrator').say('!ping')
    expect((await event('MESSAGE_CREATE')).content).toBe('')
    expect(bed.access().intents).toEqual({
      needed: ['GUILDS', 'GUILD_MESSAGES'],
      unused: ['GUILD_MEMBERS', 'GUILD_MESSAGE_REACTIONS'],
      missing: ['MESSAGE_CONTENT'],
    })
    await bed.as('administrator').say('!again')
    await event('MESSAGE_CREATE')
    const note = `the bot ${bed.applicationId} has no MESSAGE_CONTENT: it gets messages with empty content`
    expect(bed.transcript().split(note)).toHaveLength(2)
  })

  it('needs MESSAGE_CONTENT only for the content of messages of others that do not mention the bot', async () => {
    const { bed, call, event } = await open(GUILDS | MESSAGES | CONTENT)
    await call('POST', `/channels/${GENERAL}/messages`, { content: 'own' })
    await event('MESSAGE_CREATE')
    expect(bed.access().intents.unused).toEqual(['MESSAGE_CONTENT'])
    await bed.as('administrator').say('hello')
    await event('MESSAGE_CREATE')
    expect(bed.access().intents).toEqual({
      needed: ['GUILDS', 'GUILD_MESSAGES', 'MESSAGE_CONTENT'],
      unused: [],
      missing: [],
    })
  })

  it('has the scope of commands once there are some', async () => {
    const { bed, call } = await open(null)
    expect(bed.access().scopes).toEqual(['bot'])
    const commands = `/applications/${bed.applicationId}/commands`
    await call('POST', commands, { name: 'ping', description: 'Answers' })
    expect(bed.access().scopes).toEqual(['bot', 'applications.commands'])
  })
})
