/** Threads and posts over REST, with their events: who sees them, who changes them, and when they end. */
import { describe, expect } from 'vitest'
import { permissions } from 'commandry'
import { completeServer, World } from '../../../support/worlds.ts'
import { addBot } from '../../../../src/service/world/members.ts'
import { dropRole, setRole } from '../../../../src/service/world/roles.ts'
import { addThread, setThread } from '../../../../src/service/world/threads.ts'
import { handClock } from '../../../support/clock.ts'
import { WebSocket } from '../../../support/sockets.ts'
import {
  ADA,
  ALAN,
  ALL,
  GENERAL,
  GRACE,
  SERVER,
  STAFF,
  demo,
  invalid,
  it,
  lacks,
  open,
  unknown,
  type Bot,
} from './bed.ts'

const channel = `/channels/${GENERAL}`
const GUILDS = 1
const refused = (code: number) => ({ body: { code } })
const text = { content: 'x' }

/** A server in which bots without a role do what threads need, and no more. */
const talkative = {
  ...demo,
  roles: demo.roles.map((role) =>
    role.id === SERVER
      ? {
          ...role,
          permissions: permissions(
            ...([
              'VIEW_CHANNEL',
              'READ_MESSAGE_HISTORY',
              'SEND_MESSAGES',
              'SEND_MESSAGES_IN_THREADS',
            ] as const),
            ...(['CREATE_PUBLIC_THREADS', 'CREATE_PRIVATE_THREADS'] as const),
          ),
        }
      : role,
  ),
}

describe('a thread from a message', () => {
  it('has its id, says so at the message, and begins with it', async ({ call, event }) => {
    const { id } = (await call('POST', `${channel}/messages`, { content: 'Help' })).body
    await event('MESSAGE_CREATE')
    const { body: thread } = await call('POST', `${channel}/messages/${id}/threads`, { name: 'ticket' })
    expect(thread).toMatchObject({
      ...{ id, name: 'ticket', type: 11, parent_id: GENERAL, guild_id: SERVER, message_count: 0 },
      thread_metadata: { archived: false, locked: false, auto_archive_duration: 1_440 },
      member: { id },
    })
    expect(await event('THREAD_CREATE')).toMatchObject({ id, newly_created: true })
    expect(await event('MESSAGE_UPDATE')).toMatchObject({ id, flags: 32, thread: { id, name: 'ticket' } })
    const first = { type: 21, channel_id: id, message_reference: { message_id: id, channel_id: GENERAL } }
    expect(await event('MESSAGE_CREATE')).toMatchObject(first)
    expect((await call('GET', `/channels/${id}`)).body).toMatchObject({
      name: 'ticket',
      total_message_sent: 0,
    })
    const again = await call('POST', `${channel}/messages/${id}/threads`, { name: 'again' })
    expect(again).toMatchObject({ status: 400, body: { code: 160004 } })
    expect(await call('POST', `${channel}/messages/9/threads`, { name: 'x' })).toMatchObject(unknown(10008))
  })
})

describe('a thread without a message', () => {
  it('is private by default, and announced if it is not', async ({ call, event, names }) => {
    const { body: secret } = await call('POST', `${channel}/threads`, { name: 'secret' })
    expect(secret).toMatchObject({ type: 12, thread_metadata: { invitable: true } })
    await event('THREAD_CREATE')
    expect(names()).not.toContain('MESSAGE_CREATE')
    const { body: open } = await call('POST', `${channel}/threads`, {
      name: 'open',
      type: 11,
      auto_archive_duration: 60,
    })
    expect(open.thread_metadata).not.toHaveProperty('invitable')
    const announced = { type: 18, content: 'open', message_reference: { channel_id: open.id } }
    expect(await event('MESSAGE_CREATE')).toMatchObject(announced)
  })

  it('is refused: of a wrong type, in a wrong channel, with a wrong name', async ({ call }) => {
    expect(await call('POST', `${channel}/threads`, { name: 'x', type: 10 })).toMatchObject(
      invalid({ type: {} }),
    )
    expect(await call('POST', `${channel}/threads`, { name: '', auto_archive_duration: 5 })).toMatchObject(
      invalid({ name: {}, auto_archive_duration: {} }),
    )
    expect(await call('POST', '/channels/4006/threads', { name: 'x', type: 11 })).toMatchObject(
      refused(50024),
    )
  })

  it('needs the permission of its kind', async () => {
    const { call, bed } = await open(null, { servers: [talkative], bot: { roles: [] } })
    const create = (type: number) => call('POST', `${channel}/threads`, { name: 'x', type })
    for (const [type, name] of [
      [11, 'CREATE_PUBLIC_THREADS'],
      [12, 'CREATE_PRIVATE_THREADS'],
    ] as const) {
      expect((await create(type)).status).toBe(201)
      bed.server.setPermissions('general', '@everyone', { [name]: false })
      expect(await create(type)).toMatchObject(lacks(`the bot lacks ${name} in #general of Demo Server`))
    }
  })
})

describe('who is in a thread', () => {
  it('is who joins, is added, writes or is mentioned', async ({ call, event }) => {
    const { id } = (await call('POST', `${channel}/threads`, { name: 'x', type: 11 })).body
    const members = async () =>
      (await call('GET', `/channels/${id}/thread-members`)).body.map((one: any) => one.user_id)
    await call('PUT', `/channels/${id}/thread-members/${ADA}`)
    expect(await event('THREAD_MEMBERS_UPDATE')).toMatchObject({
      ...{ id, guild_id: SERVER, member_count: 2 },
      added_members: [{ user_id: ADA, member: { user: { username: 'ada' } } }],
    })
    await call('POST', `/channels/${id}/messages`, { content: `<@${GRACE}>` })
    expect(await members()).toEqual(['1001', ADA, GRACE])
    const ada = `/channels/${id}/thread-members/${ADA}`
    expect((await call('GET', `${ada}?with_member=true`)).body.member.user.username).toBe('ada')
    expect((await call('GET', ada)).body).not.toHaveProperty('member')
    await call('DELETE', `/channels/${id}/thread-members/${ADA}`)
    const removed = async () => (await event('THREAD_MEMBERS_UPDATE')).removed_member_ids
    await event('THREAD_MEMBERS_UPDATE')
    expect(await removed()).toEqual([ADA])
    expect(await call('GET', `/channels/${id}/thread-members/${ADA}`)).toMatchObject(unknown(10007))
    expect(await call('PUT', `/channels/${id}/thread-members/9`)).toMatchObject(unknown(10007))
    await call('DELETE', `/guilds/${SERVER}/members/${GRACE}`)
    expect(await members()).toEqual(['1001'])
    expect(await call('PUT', `${channel}/thread-members/@me`)).toMatchObject(refused(50024))
  })

  it('is told to bots without GUILD_MEMBERS if they are meant', async () => {
    const { call, event, names } = await open(GUILDS)
    const { id } = (await call('POST', `${channel}/threads`, { name: 'x', type: 11 })).body
    await call('PUT', `/channels/${id}/thread-members/${ADA}`)
    await call('DELETE', `/channels/${id}/thread-members/@me`)
    expect(await event('THREAD_MEMBERS_UPDATE')).toMatchObject({ member_count: 1 })
    expect(names()).not.toContain('THREAD_MEMBERS_UPDATE')
  })
})

it('a bot without GUILDS gets no event of a thread that it joins', async () => {
  const GUILD_MEMBERS = 1 << 1
  for (const [intents, heard] of [
    [0, []],
    [GUILD_MEMBERS, ['THREAD_MEMBERS_UPDATE']],
  ] as const) {
    const { call, request, names } = await open(intents)
    const { id } = (await call('POST', `${channel}/threads`, { name: 'x', type: 11 })).body
    await call('DELETE', `/channels/${id}/thread-members/@me`)
    await request(1, {})
    expect(names()).toEqual(heard)
  }
})

describe('what a thread takes from its channel', () => {
  it('[2.9-05] are its permissions, with SEND_MESSAGES_IN_THREADS to write', async () => {
    const { call, bed } = await open(null, { servers: [talkative] })
    const { id } = (await call('POST', `${channel}/threads`, { name: 'x', type: 11 })).body
    bed.server.setRoles('testbed', [])
    const send = () => call('POST', `/channels/${id}/messages`, text)
    bed.server.setPermissions('general', '@everyone', { SEND_MESSAGES: false })
    expect((await send()).status).toBe(200)
    bed.server.setPermissions('general', '@everyone', { SEND_MESSAGES_IN_THREADS: false })
    const reason = 'the bot lacks SEND_MESSAGES_IN_THREADS in #x of Demo Server'
    expect(await send()).toMatchObject(lacks(reason))
    bed.server.setPermissions('general', '@everyone', { VIEW_CHANNEL: false })
    expect(await send()).toMatchObject({ body: { code: 50001 } })
  })

  it('is whether a bot sees it: no events and no list of a hidden channel', async () => {
    const { call, bed, event } = await open(ALL, { servers: [talkative] })
    const { id } = (await call('POST', `/channels/${STAFF}/threads`, { name: 'x', type: 11 })).body
    await event('THREAD_CREATE')
    bed.server.setRoles('testbed', [])
    expect(await call('GET', `/channels/${id}`)).toMatchObject({ body: { code: 50001 } })
    expect((await call('GET', `/guilds/${SERVER}/threads/active`)).body.threads).toEqual([])
  })
})

describe('a bot that gets to see a channel', () => {
  /** A bot that has started a thread in #staff, and does not see it any more. */
  const blinded = async () => {
    const bot = await open(GUILDS, { servers: [talkative] })
    const { body } = await bot.call('POST', `/channels/${STAFF}/threads`, { name: 'x', type: 11 })
    await bot.call('POST', `${channel}/threads`, { name: 'elsewhere', type: 11 })
    bot.bed.server.setRoles('testbed', [])
    return { ...bot, id: body.id as string }
  }

  it.each([
    ['overwrites', ({ bed }) => bed.server.setPermissions('staff', '@everyone', { VIEW_CHANNEL: true })],
    ['a role', ({ bed }) => bed.server.setRoles('testbed', ['Administrators'])],
  ] as readonly (readonly [string, (bot: Bot) => void])[])(
    'by %s gets its active threads with its own memberships, once',
    async (_, act) => {
      const bot = await blinded()
      expect(bot.names()).not.toContain('THREAD_LIST_SYNC')
      act(bot)
      expect(await bot.event('THREAD_LIST_SYNC')).toEqual({
        ...{ guild_id: SERVER, channel_ids: [STAFF] },
        threads: [expect.objectContaining({ id: bot.id, name: 'x', parent_id: STAFF })],
        members: [
          { id: bot.id, user_id: bot.bed.applicationId, flags: 0, join_timestamp: expect.any(String) },
        ],
      })
      bot.bed.server.setPermissions('general', '@everyone', { SEND_MESSAGES: false })
      await bot.event('CHANNEL_UPDATE')
      expect(bot.names()).not.toContain('THREAD_LIST_SYNC')
    },
  )

  it('by a change of its role, or the end of one that hid the channel, gets them without archived ones', () => {
    const hides = { id: '5009', name: 'Hides', permissions: '0' }
    const overwrites = [{ id: hides.id, type: 0, allow: '0', deny: permissions('VIEW_CHANNEL') }] as const
    const channels = [{ id: '4009', name: 'log', type: 0, permission_overwrites: overwrites }]
    const server = completeServer({ ...demo, roles: [...demo.roles, hides], channels })
    const world = new World([server], handClock(Date.now()))
    addBot(world, { id: '1001', username: 'bot' }, [server], [hides.id])
    const parent = world.channel('4009') as Parameters<typeof addThread>[1]
    const fields = { name: 'x', type: 11, owner_id: ALAN }
    const [opened, archived] = [addThread(world, parent, fields), addThread(world, parent, fields)]
    setThread(world, archived.id, { archived: true })
    const synced: object[] = []
    world.subscribe(({ name, data, sees }) => {
      if (name === 'THREAD_LIST_SYNC') synced.push({ ...data, bots: ['1001', '1002'].filter(sees) })
    })
    const all = { channel_ids: ['4009'], threads: [{ id: opened.id }], members: [], bots: ['1001'] }
    setRole(world, SERVER, world.highestRole(SERVER, '1001'), { permissions: permissions('ADMINISTRATOR') })
    expect(synced).toMatchObject([all])
    setRole(world, SERVER, world.highestRole(SERVER, '1001'), { permissions: '0' })
    dropRole(world, SERVER, world.highestRole(SERVER, '1001'))
    expect(synced).toMatchObject([all, all])
  })
})

it('a bot gets its own membership when it starts a thread or joins one, with GUILDS alone', async () => {
  const bot = await open(GUILDS)
  const { id } = (await bot.call('POST', `${channel}/threads`, { name: 'x', type: 11 })).body
  const own = { id, user_id: bot.bed.applicationId, flags: 0, guild_id: SERVER }
  expect(await bot.event('THREAD_MEMBER_UPDATE')).toMatchObject(own)
  await bot.call('PUT', `/channels/${id}/thread-members/${ADA}`)
  await bot.call('DELETE', `/channels/${id}/thread-members/@me`)
  await bot.event('THREAD_MEMBERS_UPDATE')
  expect(bot.names()).not.toContain('THREAD_MEMBER_UPDATE')
  await bot.call('PUT', `/channels/${id}/thread-members/@me`)
  expect(await bot.event('THREAD_MEMBER_UPDATE')).toMatchObject(own)
})

describe('a private thread', () => {
  it('is seen by its members and by those who manage threads', async () => {
    const { call, bed } = await open(null, { servers: [talkative] })
    const { id } = (await call('POST', `${channel}/threads`, { name: 'x', type: 12 })).body
    bed.server.setRoles('testbed', [])
    const status = async () => (await call('GET', `/channels/${id}`)).status
    expect(await status()).toBe(200)
    await call('DELETE', `/channels/${id}/thread-members/@me`)
    expect(await status()).toBe(403)
    bed.server.setPermissions('general', '@everyone', { MANAGE_THREADS: true })
    expect(await status()).toBe(200)
    expect((await call('GET', `${channel}/threads/archived/private`)).body.threads).toEqual([])
  })

  it('takes members from its owner alone if it is not invitable', async () => {
    const { call, bed } = await open(null, { servers: [talkative], bot: { roles: [] } })
    const { id } = (await call('POST', `${channel}/threads`, { name: 'x', type: 12, invitable: false })).body
    expect((await call('PUT', `/channels/${id}/thread-members/${ADA}`)).status).toBe(204)
    expect((await call('DELETE', `/channels/${id}/thread-members/${ADA}`)).status).toBe(204)
    expect(bed.applicationId).toBe('1001')
  })
})

describe('an archived thread', () => {
  it('is opened by a message, refuses other changes, and is listed', async ({ call, event, bed }) => {
    const { id } = (await call('POST', `${channel}/threads`, { name: 'x', type: 11 })).body
    const { id: message } = (await call('POST', `/channels/${id}/messages`, text)).body
    const archive = (fields: object) => call('PATCH', `/channels/${id}`, fields)
    expect((await archive({ archived: true })).body.thread_metadata.archived).toBe(true)
    expect(await event('THREAD_UPDATE')).toMatchObject({ id, thread_metadata: { archived: true } })
    const path = `/channels/${id}/messages/${message}`
    for (const [method, at, body] of [
      ['PATCH', path, text],
      ['DELETE', path, undefined],
      ['PUT', `${path}/reactions/ee:1/@me`, undefined],
      ['PUT', `/channels/${id}/messages/pins/${message}`, undefined],
      ['PUT', `/channels/${id}/thread-members/@me`, undefined],
      ['PATCH', `/channels/${id}`, { name: 'y' }],
    ] as const)
      expect(await call(method, at, body)).toMatchObject({ status: 400, body: { code: 50083 } })
    const { body } = await call('GET', `${channel}/threads/archived/public`)
    expect(body).toMatchObject({ threads: [{ id }], members: [{ id }], has_more: false })
    expect((await call('GET', `/guilds/${SERVER}/threads/active`)).body.threads).toEqual([])
    await call('POST', `/channels/${id}/messages`, text)
    expect(await event('THREAD_UPDATE')).toMatchObject({ id, thread_metadata: { archived: false } })
    expect(bed.applicationId).toBe('1001')
  })

  it('stays closed to bots without MANAGE_THREADS if it is locked', async () => {
    const { call, bed } = await open(null, { servers: [talkative] })
    const { id } = (await call('POST', `${channel}/threads`, { name: 'x', type: 11 })).body
    await call('PATCH', `/channels/${id}`, { locked: true, archived: true })
    bed.server.setRoles('testbed', [])
    expect(await call('POST', `/channels/${id}/messages`, text)).toMatchObject({ body: { code: 160005 } })
    expect(await call('PATCH', `/channels/${id}`, { archived: false })).toMatchObject(
      lacks('the bot lacks MANAGE_THREADS in #x of Demo Server'),
    )
  })

  it('is named and closed by its owner, who cannot lock it without MANAGE_THREADS', async () => {
    const { call } = await open(null, { servers: [talkative], bot: { roles: [] } })
    const { id } = (await call('POST', `${channel}/threads`, { name: 'x', type: 11 })).body
    const patch = (fields: object) => call('PATCH', `/channels/${id}`, fields)
    expect(await patch({ locked: true })).toMatchObject(
      lacks('the bot lacks MANAGE_THREADS in #x of Demo Server'),
    )
    expect((await patch({ name: 'y', archived: true })).body).toMatchObject({
      name: 'y',
      thread_metadata: { archived: true, locked: false },
    })
  })

  it('is made by the clock, after the time without a message', async ({ call, event, bed }) => {
    const { id } = (
      await call('POST', `${channel}/threads`, { name: 'x', type: 11, auto_archive_duration: 60 })
    ).body
    await bed.advance('59m')
    await call('POST', `/channels/${id}/messages`, text)
    await bed.advance('59m')
    expect((await call('GET', `/channels/${id}`)).body.thread_metadata.archived).toBe(false)
    await bed.advance('1m')
    expect(await event('THREAD_UPDATE')).toMatchObject({ id, thread_metadata: { archived: true } })
  })
})

describe('a post of a forum', () => {
  const create = async (call: (...given: any[]) => Promise<any>, fields: object = {}) => {
    const tags = [{ name: 'bug' }, { name: 'staff', moderated: true }]
    const body = { name: 'forum', type: 15, available_tags: tags, ...fields }
    return (await call('POST', `/guilds/${SERVER}/channels`, body)).body
  }

  it('begins with its message, and has tags of the forum', async ({ call, event }) => {
    const forum = await create(call)
    const [bug] = forum.available_tags
    const post = {
      name: 'It fails',
      applied_tags: [bug.id],
      message: { content: 'Here', embeds: [{ title: 'x' }] },
    }
    const { body } = await call('POST', `/channels/${forum.id}/threads`, post)
    expect(body).toMatchObject({
      ...{
        type: 11,
        name: 'It fails',
        applied_tags: [bug.id],
        message_count: 0,
        message: { content: 'Here' },
      },
    })
    expect(body.message.id).toBe(body.id)
    expect(await event('MESSAGE_CREATE')).toMatchObject({
      id: body.id,
      channel_id: body.id,
      channel_type: 11,
    })
    expect(await call('POST', `/channels/${forum.id}/messages`, text)).toMatchObject(refused(40058))
    const unknownTag = { ...post, applied_tags: ['9'] }
    expect(await call('POST', `/channels/${forum.id}/threads`, unknownTag)).toMatchObject(unknown(10087))
    expect(await call('POST', `/channels/${forum.id}/threads`, { name: 'x' })).toMatchObject(refused(50006))
    const retagged = await call('PATCH', `/channels/${body.id}`, { applied_tags: [], flags: 2 })
    expect(retagged.body).toMatchObject({ applied_tags: [], flags: 2 })
  })

  it('is pinned alone, and the names of its tags are unique', async ({ call }) => {
    const forum = await create(call)
    const pin = async () => {
      const { body } = await call('POST', `/channels/${forum.id}/threads`, { name: 'x', message: text })
      return call('PATCH', `/channels/${body.id}`, { flags: 2 })
    }
    const first = await pin()
    expect(first.body.flags).toBe(2)
    expect(await pin()).toMatchObject(refused(30047))
    expect(await call('PATCH', `/channels/${first.body.id}`, { flags: 2, name: 'y' })).toMatchObject({
      status: 200,
    })
    const tags = { available_tags: [{ name: 'bug' }, { name: 'bug' }] }
    expect(await call('PATCH', `/channels/${forum.id}`, tags)).toMatchObject(refused(40061))
  })

  it('with files goes as a form', async ({ call, bed }) => {
    const forum = await create(call)
    const form = new FormData()
    form.set('payload_json', JSON.stringify({ name: 'log', message: { content: 'see' } }))
    form.set('files[0]', new Blob(['x']), 'a.txt')
    const { body } = await call('POST', `/channels/${forum.id}/threads`, form)
    expect(body.message.attachments).toMatchObject([{ filename: 'a.txt' }])
    expect(bed.applicationId).toBe('1001')
  })

  it('needs a tag where the forum requires one, and a moderator for moderated ones', async () => {
    const { call, bed } = await open(null, { servers: [talkative] })
    const forum = await create(call, { flags: 16 })
    const [bug, staff] = forum.available_tags
    const post = (tags: readonly string[]) =>
      call('POST', `/channels/${forum.id}/threads`, { name: 'x', applied_tags: tags, message: text })
    expect(await post([])).toMatchObject({ status: 400, body: { code: 40067 } })
    expect((await post([staff.id])).status).toBe(201)
    bed.server.setRoles('testbed', [])
    expect((await post([bug.id])).status).toBe(201)
    expect(await post([staff.id])).toMatchObject(
      lacks('the bot lacks MANAGE_CHANNELS in #forum of Demo Server'),
    )
  })
})

it('threads go with their channel, with their messages', async ({ call, event }) => {
  const { id } = (await call('POST', `${channel}/threads`, { name: 'x', type: 11 })).body
  const { id: own } = (await call('POST', `${channel}/threads`, { name: 'y', type: 11 })).body
  expect((await call('DELETE', `/channels/${own}`)).body).toMatchObject({ id: own, name: 'y' })
  const deleted = { id: own, guild_id: SERVER, parent_id: GENERAL, type: 11 }
  expect(await event('THREAD_DELETE')).toEqual(deleted)
  await call('DELETE', channel)
  expect((await event('THREAD_DELETE')).id).toBe(id)
  expect(await call('GET', `/channels/${id}/messages`)).toMatchObject(unknown(10003))
})

it('a bot that logs in gets the open threads that it sees', async () => {
  const bot = await open(null, { servers: [talkative] })
  const { id } = (await bot.call('POST', `${channel}/threads`, { name: 'open', type: 11 })).body
  const { id: closed } = (await bot.call('POST', `${channel}/threads`, { name: 'closed', type: 11 })).body
  await bot.call('PATCH', `/channels/${closed}`, { archived: true })
  await bot.call('POST', `/channels/${STAFF}/threads`, { name: 'hidden', type: 11 })
  bot.bed.server.setRoles('testbed', [])
  const socket = new WebSocket(`${bot.bed.gateway}/?v=10&encoding=json`)
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send(JSON.stringify({ op: 2, d: { token: bot.bed.token, intents: 1, properties: {} } }))
  const server = await new Promise<any>((resolve) =>
    socket.on('message', (data) => {
      const { t, d } = JSON.parse(String(data))
      if (t === 'GUILD_CREATE') resolve(d)
    }),
  )
  socket.terminate()
  expect(server.threads).toMatchObject([{ id, name: 'open', member: { user_id: '1001' } }])
  expect(ALAN).toBe('3003')
})
