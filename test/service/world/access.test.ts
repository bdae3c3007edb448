/** What a bot needs, by its requests and events: least privilege. */
import { describe, expect, it } from 'vitest'
import { PermissionFlag, permissions } from 'commandry'
import { demo, GENERAL, GRACE, LOUNGE, MODERATORS, open, SERVER } from '../http/world/bed.ts'

const poll = { question: { text: 'x' }, answers: [{ poll_media: { text: 'a' } }], duration: 1 }

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

  it.each([
    ['READ_MESSAGE_HISTORY', 'GET', `/channels/${GENERAL}/messages`],
    ['READ_MESSAGE_HISTORY', 'GET', `/channels/${GENERAL}/messages/pins`],
    ['SEND_POLLS', 'POST', `/channels/${GENERAL}/messages`, { poll }],
    ['SEND_TTS_MESSAGES', 'POST', `/channels/${GENERAL}/messages`, { content: 'x', tts: true }],
    ['EMBED_LINKS', 'POST', `/channels/${GENERAL}/messages`, { embeds: [{ title: 'x' }] }],
    ['MENTION_EVERYONE', 'POST', `/channels/${GENERAL}/messages`, { content: '@everyone x' }],
    ['MENTION_EVERYONE', 'POST', `/channels/${GENERAL}/messages`, { content: `<@&${MODERATORS}> x` }],
    ['ADD_REACTIONS', 'PUT', `/channels/${GENERAL}/messages/{first}/reactions/%F0%9F%91%8D/@me`],
    ['SEND_MESSAGES', 'PUT', `/channels/${GENERAL}/permissions/${SERVER}`, { type: 0, deny: '2048' }],
    [
      'READ_MESSAGE_HISTORY',
      'POST',
      `/channels/${GENERAL}/messages`,
      { content: 'x', message_reference: { message_id: '{first}' } },
    ],
  ])('needs %s for %s %s, and what it needs is exact', async (permission, method, path, body?: object) => {
    /** The answer to a bot with a role of these permissions, without what differs by run. */
    const answerWith = async (held: readonly string[]) => {
      const everyone = { id: SERVER, name: '@everyone', permissions: '0' }
      const own = { id: '5100', name: 'Bots', permissions: permissions(...(held as never[])), position: 5 }
      const moderators = { id: MODERATORS, name: 'Moderators', permissions: '0', position: 2 }
      const roles = [everyone, moderators, own]
      const members = [{ user: { id: GRACE, username: 'grace' } }]
      const { bed, call } = await open(null, {
        servers: [{ ...demo, owner_id: GRACE, roles, members } as never],
        bot: { roles: ['Bots'] },
      })
      const first = await bed.as('grace').say('first')
      const { id } = first
      await bed.as('grace').pin(first)
      const text = body && JSON.stringify(body).replace('{first}', id)
      const { status, body: answer } = await call(method, path.replace('{first}', id), text)
      const count = Array.isArray(answer) ? answer.length : (answer?.items?.length ?? 0)
      return { bed, seen: [status, count, answer?.mention_everyone, answer?.mention_roles] }
    }
    const all = Object.keys(PermissionFlag).filter((name) => name !== 'ADMINISTRATOR')
    const { bed, seen } = await answerWith(all)
    const { needed } = bed.access().permissions
    expect(needed).toContain(permission)
    expect((await answerWith(needed)).seen).toEqual(seen)
    for (const one of needed)
      expect((await answerWith(needed.filter((name) => name !== one))).seen, `without ${one}`).not.toEqual(
        seen,
      )
  })

  it('[6-07] needs GUILD_MEMBERS for all members, which a bot without it does not get', async () => {
    for (const intents of [GUILDS, GUILDS | MEMBERS]) {
      const { bed, names, request } = await open(intents)
      await request(8, { guild_id: SERVER, query: '', limit: 0 })
      const isAllowed = intents !== GUILDS
      expect(names().includes('GUILD_MEMBERS_CHUNK')).toBe(isAllowed)
      const { needed, missing } = bed.access().intents
      expect([needed.includes('GUILD_MEMBERS'), missing]).toEqual([
        isAllowed,
        isAllowed ? [] : ['GUILD_MEMBERS'],
      ])
      expect(bed.transcript().includes('has no GUILD_MEMBERS')).toBe(!isAllowed)
      // Those whose names begin with a text are not all.
      await request(8, { guild_id: SERVER, query: 'gra', limit: 1 })
      expect(names()).toContain('GUILD_MEMBERS_CHUNK')
    }
  })

  it('needs the privileged intents of its requests, whatever it asks the gateway for', async () => {
    const { bed, call } = await open(null)
    await bed.as('administrator').say('hello')
    await call('GET', '/channels/4001/messages')
    await call('GET', `/guilds/${SERVER}/members?limit=5`)
    expect(bed.access().intents.needed).toEqual(['GUILD_MEMBERS', 'MESSAGE_CONTENT'])
  })

  it('needs VIEW_CHANNEL for what it only receives, and CONNECT for a voice channel that it joins', async () => {
    const { bed, nextEvent, request } = await open(GUILDS | MESSAGES, { bot: { roles: [] } })
    expect(bed.access().permissions.needed).toEqual([])
    await bed.as('administrator').say('!ping')
    await nextEvent('MESSAGE_CREATE')
    expect(bed.access().permissions.needed).toEqual(['VIEW_CHANNEL'])
    expect(bed.access().permissions.unused).not.toContain('VIEW_CHANNEL')
    await request(4, { guild_id: SERVER, channel_id: LOUNGE })
    expect(bed.access().permissions.refused).toEqual([
      { permission: 'CONNECT', place: '#Lounge of Demo Server' },
    ])
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
