/** Channels and messages over REST, with their events. */
import { describe, expect } from 'vitest'
import { PermissionFlag, permissions } from 'commandry'
import { postMessage } from '../../../../src/service/world/messages.ts'
import { systemMessage } from '../../../../src/service/world/world-message.ts'
import {
  ADA,
  GENERAL,
  LOUNGE,
  SERVER,
  STAFF,
  demo,
  invalid,
  it,
  lacks,
  open,
  unknown,
  worldOf,
} from './bed.ts'

const channel = `/channels/${GENERAL}`
const channels = `/guilds/${SERVER}/channels`
const messages = `${channel}/messages`
const refused = (code: number) => ({ body: { code } })

// The bits of the intents.
const GUILD_MESSAGES = 1 << 9
const MESSAGE_CONTENT = 1 << 15

it('has the message that a person uses a command on, so that the bot can reply', async () => {
  const endpoint = async (request: Request) => {
    const { channel_id, data } = (await request.json()) as any
    const reply = { content: 'Pinned', message_reference: { message_id: data.target_id } }
    const { body } = await call('POST', `/channels/${channel_id}/messages`, reply)
    return Response.json({ type: 4, data: { content: body.referenced_message.content } })
  }
  const commands = [{ type: 3, name: 'Pin' }] as const
  const { bed, call } = await open(null, { commands, endpoint })
  const shown = await bed.as('alan').useOn('Pin', { id: '6009', content: 'Hi' } as never)
  expect(shown.content).toBe('Hi')
})

it('the last message of a channel is named in the channel, also after it is deleted', async ({
  call,
  bed,
}) => {
  const last = async (id: string) => (await call('GET', `/channels/${id}`)).body.last_message_id
  expect(await last(GENERAL)).toBeNull()
  const { id } = (await call('POST', `/channels/${GENERAL}/messages`, { content: 'x' })).body
  expect(await last(GENERAL)).toBe(id)
  await call('DELETE', `/channels/${GENERAL}/messages/${id}`)
  expect(await last(GENERAL)).toBe(id)
  expect(await last(STAFF)).toBeNull()
  const said = await bed.as('ada', { channel: 'dm' }).say('hello')
  expect(await last(said.channel_id)).toBe(said.id)
  const forum = (await call('POST', `/guilds/${SERVER}/channels`, { name: 'forum', type: 15 })).body.id
  const post = { name: 'x', message: { content: 'x' } }
  const { body: thread } = await call('POST', `/channels/${forum}/threads`, post)
  await call('POST', `/channels/${thread.id}/messages`, { content: 'y' })
  expect(await last(forum)).toBe(thread.id)
})

it('an edited answer that is older than the messages kept does not come back', async () => {
  const used: any[] = []
  const endpoint = async (request: Request) => {
    used.push(await request.json())
    return Response.json({ type: 4, data: { content: 'first' } })
  }
  const commands = [{ name: 'ping', description: 'x' }] as const
  const { bed, call } = await open(null, { commands, endpoint })
  await bed.as('alan').use('/ping')
  const world = worldOf(bed)
  for (let count = 0; count < 1_000; count++)
    postMessage(world, GENERAL, world.user(bed.applicationId)!, { content: 'x' })
  const [{ application_id: id, token }] = used
  const edit = { content: 'edited' }
  expect(await call('PATCH', `/webhooks/${id}/${token}/messages/@original`, edit)).toMatchObject({
    status: 200,
  })
  const { messages } = bed.channel('general')
  expect([messages.length, new Set(messages.map(({ content }) => content))]).toEqual([1_000, new Set(['x'])])
})

describe('channels', () => {
  it('are read', async ({ call }) => {
    expect((await call('GET', channel)).body).toMatchObject({ name: 'general', guild_id: SERVER })
    expect(await call('GET', '/channels/9')).toMatchObject(unknown(10003))
  })

  it('are changed, with their overwrites', async ({ call, event }) => {
    const body = { name: 'talk', topic: 'Rules', nsfw: true }
    expect((await call('PATCH', channel, body)).body).toMatchObject(body)
    expect(await event('CHANNEL_UPDATE')).toMatchObject({ id: GENERAL, ...body })
    const overwrite = { type: 1, allow: '1024', deny: '0' }
    expect((await call('PUT', `${channel}/permissions/${ADA}`, overwrite)).status).toBe(204)
    expect((await event('CHANNEL_UPDATE')).permission_overwrites).toEqual([{ id: ADA, ...overwrite }])
    expect((await call('DELETE', `${channel}/permissions/${ADA}`)).status).toBe(204)
    const given = [{ id: SERVER, type: 0, allow: '0', deny: '2048' }]
    const { body: changed } = await call('PATCH', channel, { permission_overwrites: given })
    expect(changed.permission_overwrites).toEqual(given)
    const nulls = { nsfw: null, topic: null, permission_overwrites: null }
    const cleared = { nsfw: true, topic: null, permission_overwrites: [] }
    expect((await call('PATCH', channel, nulls)).body).toMatchObject(cleared)
  })

  it('have topics of 1024 characters, as an emoji is one', async ({ call }) => {
    const topic = '😀'.repeat(1_024)
    expect(await call('PATCH', channel, { topic })).toMatchObject({ status: 200, body: { topic } })
    const tooLong = invalid({ topic: { _errors: [{ code: 'BASE_TYPE_BAD_LENGTH' }] } })
    expect(await call('PATCH', channel, { topic: `${topic}x` })).toMatchObject(tooLong)
  })

  it('are refused with an invalid body', async ({ call }) => {
    expect(await call('PATCH', channel, { name: '', topic: 5, permission_overwrites: [{}] })).toMatchObject(
      invalid({ name: {}, topic: {}, permission_overwrites: { 0: { id: {}, type: {} } } }),
    )
    expect(await call('PUT', `${channel}/permissions/${ADA}`, { type: 2 })).toMatchObject(
      invalid({ type: { _errors: [{ code: 'BASE_TYPE_CHOICES' }] } }),
    )
  })

  it('are created, by default with the overwrites of their category', async ({ call, event, bed }) => {
    const hidden = [{ id: SERVER, type: 0, allow: '0', deny: '1024' }]
    await call('PATCH', '/channels/4006', { permission_overwrites: hidden })
    const ticket = { name: 'ticket-ada', topic: 'Help', parent_id: '4006' }
    const { body: created } = await call('POST', channels, { ...ticket, nsfw: null })
    expect(created).toMatchObject({ ...ticket, type: 0, guild_id: SERVER, permission_overwrites: hidden })
    expect(await event('CHANNEL_CREATE')).toEqual(created)
    for (const type of [0, 2, 4, 5, 13, 15])
      expect((await call('POST', channels, { name: `x${type}`, type })).body.type).toBe(type)
    const own = [{ id: ADA, type: 1, allow: '1024', deny: null }]
    const { body: open } = await call('POST', channels, { ...ticket, type: 2, permission_overwrites: own })
    expect(open).toMatchObject({
      type: 2,
      bitrate: 64_000,
      permission_overwrites: [{ ...own[0], deny: '0' }],
    })
    await call('POST', `/channels/${created.id}/messages`, { content: 'Hi' })
    expect(bed.channel('ticket-ada').messages).toMatchObject([{ content: 'Hi' }])
    const ada = bed.as('ada', { channel: 'ticket-ada' })
    const [message] = bed.channel('ticket-ada').messages
    await expect(ada.react(message!, '👍')).rejects.toMatchObject({ code: 'not_visible' })
  })

  it('are neither created nor changed with permissions that the bot lacks', async () => {
    const manager = {
      id: '5009',
      name: 'Manager',
      permissions: permissions('MANAGE_CHANNELS', 'MANAGE_ROLES'),
    }
    const servers = [{ ...demo, roles: [...demo.roles, manager] }]
    const { call, bed } = await open(null, { servers, bot: { roles: ['Manager'] } })
    const overwrite = { type: 1, allow: permissions('BAN_MEMBERS') }
    const body = { name: 'x', permission_overwrites: [{ id: ADA, ...overwrite }] }
    const path = `${channel}/permissions/${ADA}`
    const refusal = lacks('the bot cannot give BAN_MEMBERS without having it')
    for (const [method, route, given] of [
      ['POST', channels, body],
      ['PATCH', channel, body],
      ['PUT', path, overwrite],
      ['PUT', path, { type: 1, deny: overwrite.allow }],
    ] as const)
      expect(await call(method, route, given)).toMatchObject(refusal)
    // Those that stay do not count, and neither do any for a bot that manages the roles of the channel.
    bed.server.setPermissions('general', 'ada', { BAN_MEMBERS: true })
    expect((await call('PATCH', channel, body)).status).toBe(200)
    bed.server.setPermissions('x', 'testbed', { MANAGE_ROLES: true })
    expect((await call('PUT', path, { type: 1, deny: overwrite.allow })).status).toBe(204)
  })

  /** A bot with these permissions in the server, and the routes that give @everyone permissions in a channel. */
  async function openWith(...names: readonly (keyof typeof PermissionFlag)[]) {
    const role = { id: '5009', name: 'Bot', permissions: permissions(...names) }
    const bot = await open(null, {
      servers: [{ ...demo, roles: [...demo.roles, role] }],
      bot: { roles: ['Bot'] },
    })
    const listOf = (overwrite: object) => ({ permission_overwrites: [{ id: SERVER, type: 0, ...overwrite }] })
    const acts = {
      create: (overwrite: object, fields: object = {}) =>
        bot.call('POST', channels, { name: 'x', ...fields, ...listOf(overwrite) }),
      change: (overwrite: object, id = GENERAL) => bot.call('PATCH', `/channels/${id}`, listOf(overwrite)),
      set: (overwrite: object, id = GENERAL) =>
        bot.call('PUT', `/channels/${id}/permissions/${SERVER}`, { type: 0, ...overwrite }),
    }
    return { ...bot, ...acts }
  }

  const bits = permissions('MANAGE_ROLES')

  it('get MANAGE_ROLES in the overwrites with which they are created from administrators alone', async () => {
    const { create, change, set, bed } = await openWith('MANAGE_CHANNELS', 'MANAGE_ROLES')
    const refusal = lacks(
      'MANAGE_ROLES in the overwrites of a new channel needs ADMINISTRATOR: the bot lacks ADMINISTRATOR in Demo Server; the role Administrators has it',
    )
    for (const overwrite of [{ allow: bits }, { deny: bits }])
      for (const type of [0, 2, 4, 15]) expect(await create(overwrite, { type })).toMatchObject(refusal)
    // In a channel that exists, its own permission is enough.
    expect((await change({ allow: bits }, '4006')).status).toBe(200)
    expect((await set({ allow: bits })).status).toBe(204)
    bed.server.setRoles('testbed', ['Administrators'])
    expect((await create({ deny: bits })).status).toBe(201)
    expect((await change({ deny: bits }, '4006')).status).toBe(200)
    expect((await set({ allow: '0' })).status).toBe(204)
  })

  it('get MANAGE_ROLES from a bot to whom the channel allows it, but new ones do not', async () => {
    const { create, change, set, call, bed } = await openWith('MANAGE_CHANNELS', 'MANAGE_ROLES')
    bed.server.setPermissions('general', 'testbed', { MANAGE_ROLES: true })
    expect((await set({ deny: bits })).status).toBe(204)
    expect((await change({ allow: permissions('MANAGE_ROLES', 'BAN_MEMBERS') })).status).toBe(200)
    await call('PATCH', '/channels/4006', { permission_overwrites: [] })
    expect((await create({ allow: bits }, { parent_id: '4006' })).body.code).toBe(50013)
    bed.server.setPermissions('Texts', 'testbed', { MANAGE_ROLES: true })
    expect((await create({ allow: bits }, { parent_id: '4006' })).body.code).toBe(50013)
    const inherits = await call('POST', channels, { name: 'inherits', parent_id: '4006' })
    expect(inherits.body.permission_overwrites).toMatchObject([{ allow: bits }])
  })

  it('get the permissions that the bot has in their category, but new ones those of the server', async () => {
    const { create, change, set, call, bed } = await openWith('MANAGE_CHANNELS', 'MANAGE_ROLES')
    bed.server.setPermissions('Texts', 'testbed', { MANAGE_MESSAGES: true })
    const overwrite = { allow: permissions('MANAGE_MESSAGES') }
    const refusal = lacks('the bot cannot give MANAGE_MESSAGES without having it')
    expect(await set(overwrite)).toMatchObject(refusal)
    expect(await create(overwrite, { parent_id: '4006' })).toMatchObject(refusal)
    await call('PATCH', channel, { parent_id: '4006' })
    expect((await set(overwrite)).status).toBe(204)
    expect((await change({ deny: overwrite.allow })).status).toBe(200)
  })

  it('take the overwrites of a category from bots with MANAGE_ROLES', async () => {
    const { call } = await openWith('MANAGE_CHANNELS')
    const move = (fields: object) => call('PATCH', channels, [{ id: GENERAL, parent_id: '4006', ...fields }])
    const refusal = lacks('the bot lacks MANAGE_ROLES in Demo Server')
    expect(await move({ lock_permissions: true })).toMatchObject(refusal)
    expect((await move({ lock_permissions: false })).status).toBe(204)
  })

  it('are not created with an invalid body', async ({ call }) => {
    for (const name of [undefined, 'x'.repeat(101)])
      expect(await call('POST', channels, { name, type: 1 })).toMatchObject(invalid({ name: {}, type: {} }))
    const parent = invalid({ parent_id: { _errors: [{ code: 'CHANNEL_PARENT_INVALID' }] } })
    expect(await call('POST', channels, { name: 'x', parent_id: GENERAL })).toMatchObject(parent)
    expect(await call('PATCH', channel, { parent_id: '9' })).toMatchObject(parent)
  })

  it('are deleted with their messages, but without their children', async ({ call, event, names, bed }) => {
    await call('PATCH', `/channels/${LOUNGE}`, { parent_id: '4006' })
    await event('CHANNEL_UPDATE')
    const { id } = (await call('POST', messages, { content: 'x' })).body
    expect((await call('DELETE', channel)).body).toMatchObject({ id: GENERAL, name: 'general' })
    expect(await event('CHANNEL_DELETE')).toMatchObject({ id: GENERAL, guild_id: SERVER })
    expect(names()).not.toContain('VOICE_STATE_UPDATE')
    expect(await call('GET', `${messages}/${id}`)).toMatchObject(unknown(10003))
    expect(() => bed.channel('general')).toThrow('unknown channel "general"; the names are staff')
    await call('DELETE', '/channels/4006')
    expect(await event('CHANNEL_UPDATE')).toMatchObject({ id: LOUNGE, parent_id: null })
    await call('DELETE', `/channels/${LOUNGE}`)
    expect(await event('VOICE_STATE_UPDATE')).toMatchObject({ user_id: ADA, channel_id: null })
    expect(bed.server.channels.map(({ name }) => name)).toEqual(['staff'])
  })

  it('have a slow mode for people, but not for those who may manage it', async ({ call, event, bed }) => {
    expect((await call('PATCH', channel, { rate_limit_per_user: 10 })).body.rate_limit_per_user).toBe(10)
    expect((await event('CHANNEL_UPDATE')).rate_limit_per_user).toBe(10)
    expect(bed.channel('general').rate_limit_per_user).toBe(10)
    bed.server.setPermissions('general', '@everyone', { SEND_MESSAGES: true })
    for (const name of ['ada', 'alan', 'alan']) await bed.as(name).say('Hi')
    await expect(bed.as('ada').say('Again')).rejects.toMatchObject({
      code: 'permission_denied',
      message: expect.stringContaining('slow mode: ada may write here again in 10 s'),
    })
    await bed.as('grace').say('Hi')
    await bed.advance('10s')
    await bed.as('ada').say('Again')
  })

  it('show that the bot types', async ({ call, event, bed }) => {
    expect((await call('POST', `${channel}/typing`)).status).toBe(204)
    const id = bed.applicationId
    const { timestamp, ...typing } = await event('TYPING_START')
    expect(typing).toMatchObject({ channel_id: GENERAL, user_id: id, member: { user: { id } } })
    // The clock stands still.
    const { body: sent } = await call('POST', messages, { content: 'x' })
    expect(timestamp).toBe(Math.floor(Date.parse(sent.timestamp) / 1_000))
  })
})

describe('messages', () => {
  it('are sent, read, edited and deleted', async ({ call, event, names, bed }) => {
    const body = { content: `Hi <@${ADA}>`, embeds: [{ title: 'x' }], nonce: '7' }
    const { status, body: sent } = await call('POST', messages, body)
    expect([status, sent]).toMatchObject([
      200,
      { content: body.content, nonce: '7', author: { id: bed.applicationId, bot: true }, type: 0 },
    ])
    expect(sent.mentions).toMatchObject([{ id: ADA, username: 'ada' }])
    expect(await event('MESSAGE_CREATE')).toMatchObject({ id: sent.id, guild_id: SERVER, member: {} })
    const path = `${messages}/${sent.id}`
    expect((await call('GET', path)).body.embeds[0].title).toBe('x')
    const { body: edited } = await call('PATCH', path, { content: 'Bye', embeds: [] })
    expect(edited).toMatchObject({ content: 'Bye', embeds: [], edited_timestamp: expect.any(String) })
    expect((await event('MESSAGE_UPDATE')).content).toBe('Bye')
    expect((await call('DELETE', path)).status).toBe(204)
    expect(await event('MESSAGE_DELETE')).toEqual({ id: sent.id, channel_id: GENERAL, guild_id: SERVER })
    expect(names()).toEqual([])
    expect(await call('GET', path)).toMatchObject(unknown(10008))
  })

  it('of channels that a bot does not see are not sent to it', async () => {
    const { bed, event } = await open(undefined, { bot: { roles: [] } })
    await bed.as('olga', { channel: 'staff' }).say('secret')
    await bed.as('alan').say('open')
    expect((await event('MESSAGE_CREATE')).content).toBe('open')
  })

  it('[2.11-12] keep the flag IS_COMPONENTS_V2 that an edit sets', async ({ call }) => {
    const { body: sent } = await call('POST', messages, { content: 'text' })
    const components = [{ type: 10, content: 'part' }]
    await call('PATCH', `${messages}/${sent.id}`, { content: null, components, flags: 1 << 15 })
    expect((await call('GET', `${messages}/${sent.id}`)).body).toMatchObject({ flags: 1 << 15, components })
  })

  it('are listed newest first, in pages', async ({ call }) => {
    const ids: string[] = []
    for (const content of ['a', 'b', 'c', 'd']) ids.push((await call('POST', messages, { content })).body.id)
    const texts = async (query: string) =>
      (await call('GET', messages + query)).body.map((one: any) => one.content).join('')
    expect(await texts('')).toBe('dcba')
    expect(await texts('?limit=2')).toBe('dc')
    expect(await texts(`?before=${ids[2]}`)).toBe('ba')
    expect(await texts(`?after=${ids[1]}&limit=1`)).toBe('c')
    expect(await texts(`?around=${ids[1]}&limit=2`)).toBe('ba')
    expect(await texts(`?around=${ids[0]}&limit=2`)).toBe('ba')
    expect(await texts(`?around=${BigInt(ids[3]!) + 1n}&limit=2`)).toBe('d')
    for (let count = 4; count < 52; count++) await call('POST', messages, { content: 'e' })
    expect(await texts('')).toBe('e'.repeat(48) + 'dc')
  })

  it('reply to others, if these exist', async ({ call }) => {
    const { body: first } = await call('POST', messages, { content: 'a' })
    const reply = (reference: object) =>
      call('POST', messages, { content: 'b', message_reference: reference })
    expect((await reply({ message_id: first.id })).body).toMatchObject({
      type: 19,
      message_reference: { message_id: first.id },
      referenced_message: { content: 'a' },
    })
    expect(await reply({ message_id: '9' })).toMatchObject(
      invalid({ message_reference: { _errors: [{ code: 'REPLIES_UNKNOWN_MESSAGE' }] } }),
    )
    expect((await reply({ message_id: '9', fail_if_not_exists: false })).body.type).toBe(0)
  })

  it('that reply mention the other author once, unless allowed_mentions says otherwise', async ({ call }) => {
    const { id, author } = (await call('POST', messages, { content: 'a' })).body
    const mentions = async (content: string, more: object = {}) => {
      const body = { content, message_reference: { message_id: id }, ...more }
      return (await call('POST', messages, body)).body.mentions.map((one: any) => one.id)
    }
    expect(await mentions('b')).toEqual([author.id])
    expect(await mentions(`<@${ADA}> <@${author.id}>`)).toEqual([ADA, author.id])
    expect(await mentions(`<@${ADA}>`)).toEqual([ADA, author.id])
    expect(await mentions('b', { allowed_mentions: { parse: [] } })).toEqual([])
    expect(await mentions('b', { allowed_mentions: { replied_user: true } })).toEqual([author.id])
  })

  it('are forwarded as they are now, without content of their own', async ({ call, event }) => {
    const { id } = (await call('POST', `/channels/${STAFF}/messages`, { content: 'news' })).body
    await event('MESSAGE_CREATE')
    const forward = { type: 1, channel_id: STAFF, message_id: id }
    const { body } = await call('POST', messages, { message_reference: forward })
    await call('PATCH', `/channels/${STAFF}/messages/${id}`, { content: 'edited' })
    expect(await event('MESSAGE_CREATE')).toMatchObject({
      ...{ id: body.id, content: '', flags: 1 << 14, message_reference: { ...forward, guild_id: SERVER } },
      message_snapshots: [{ message: { content: 'news' } }],
    })
    expect(body).not.toHaveProperty('referenced_message')
    const send = (more: object) => call('POST', messages, { message_reference: forward, ...more })
    expect(await send({ content: 'x' })).toMatchObject(invalid({ message_reference: {} }))
    const unknownOne = { message_reference: { ...forward, message_id: '9' } }
    expect(await send(unknownOne)).toMatchObject(unknown(10008))
    const poor = await open(null, { bot: { roles: [] } })
    poor.bed.server.setPermissions('general', '@everyone', { SEND_MESSAGES: true })
    expect(await poor.call('POST', messages, { message_reference: forward })).toMatchObject({
      body: { code: 50001, message: 'Missing Access: the bot lacks VIEW_CHANNEL in #staff of Demo Server' },
    })
  })

  it('are refused: empty, too long, in the wrong place, or without permission', async ({ call, bed }) => {
    expect(await call('POST', messages, {})).toMatchObject({ status: 400, body: { code: 50006 } })
    const wrong = { content: 'x'.repeat(2001), embeds: [{ title: 'x', url: 'ftp://x' }] }
    const errors = { content: {}, embeds: { 0: { url: { _errors: [{ code: 'URL_TYPE_INVALID_SCHEME' }] } } } }
    expect(await call('POST', messages, wrong)).toMatchObject(invalid(errors))
    expect(await call('POST', '/channels/4006/messages', { content: 'x' })).toMatchObject(refused(50008))
    const { body: own } = await call('POST', messages, { content: 'x' })
    expect(await call('PATCH', `${messages}/${own.id}`, { content: '' })).toMatchObject(refused(50006))
    expect(await call('PATCH', `${messages}/9`, { content: 'x' })).toMatchObject(unknown(10008))
    expect(bed.applicationId).toBe(own.author.id)
    const poor = await open(null, { bot: { roles: [] } })
    poor.bed.server.setPermissions('general', '@everyone', {
      SEND_MESSAGES: true,
      READ_MESSAGE_HISTORY: false,
    })
    await poor.bed.as('ada').say('Hi')
    expect((await poor.call('GET', messages)).body).toEqual([])
  })

  it('have the flags that a message of a channel can have', async ({ call, bed }) => {
    const { body } = await call('POST', messages, { content: 'x', flags: 64 | 4 })
    expect(body.flags).toBe(4)
    expect(bed.requests.at(-1)?.notes).toEqual([expect.stringContaining('flags is 68')])
  })

  it('of others have their embeds hidden with MANAGE_MESSAGES, and are not changed else', async () => {
    const { bed, call } = await open(null, { bot: { roles: [] } })
    bed.server.setPermissions('general', '@everyone', { SEND_MESSAGES: true })
    const { id } = await bed.as('ada').say('https://example.com')
    // As discord.js sends it.
    const hide = (more: object = {}) => call('PATCH', `${messages}/${id}`, { flags: 4, tts: false, ...more })
    expect(await hide()).toMatchObject(lacks('the bot lacks MANAGE_MESSAGES in #general of Demo Server'))
    bed.server.setPermissions('general', '@everyone', { MANAGE_MESSAGES: true })
    expect((await hide()).body).toMatchObject({ flags: 4, content: 'https://example.com' })
    expect(await hide({ content: 'x' })).toMatchObject(refused(50005))
  })

  it('of the service are not edited, and the first one of a thread is not deleted', async ({ call }) => {
    const { body: own } = await call('POST', messages, { content: 'x' })
    await call('PUT', `${channel}/pins/${own.id}`)
    const { body: thread } = await call('POST', `${messages}/${own.id}/threads`, { name: 'x' })
    const [pin] = (await call('GET', messages)).body
    expect(await call('PATCH', `${messages}/${pin.id}`, { content: 'x' })).toMatchObject(refused(50021))
    expect(await call('DELETE', `${messages}/${pin.id}`)).toMatchObject({ status: 204 })
    const [starter] = (await call('GET', `/channels/${thread.id}/messages`)).body
    expect(await call('DELETE', `/channels/${thread.id}/messages/${starter.id}`)).toMatchObject(
      refused(50021),
    )
  })

  it('are published once', async ({ call }) => {
    const { body: news } = await call('POST', channels, { name: 'news', type: 5 })
    const { body: own } = await call('POST', `/channels/${news.id}/messages`, { content: 'x' })
    const publish = () => call('POST', `/channels/${news.id}/messages/${own.id}/crosspost`)
    expect((await publish()).body.flags).toBe(1)
    expect(await publish()).toMatchObject(refused(40033))
  })

  it('are deleted 2 to 100 at once, and not after 14 days', async ({ call, event, bed }) => {
    const send = async () => (await call('POST', messages, { content: 'x' })).body.id
    const [a, b, c] = [await send(), await send(), await send()]
    const purge = (ids: unknown) => call('POST', `${messages}/bulk-delete`, { messages: ids })
    expect(await purge([a])).toMatchObject(invalid({ messages: {} }))
    expect(await purge('x')).toMatchObject({ status: 400 })
    // An unknown message is ignored.
    expect((await purge([a, b, `${BigInt(c) + 1n}`])).status).toBe(204)
    expect((await event('MESSAGE_DELETE_BULK')).ids).toEqual([a, b])
    await bed.advance(15 * 86_400_000)
    expect(await purge([c, '9'])).toMatchObject({ status: 400, body: { code: 50034 } })
  })

  it('have ids that may be sent as integers, however long', async ({ call, event }) => {
    const { id } = (await call('POST', messages, { content: 'x' })).body
    const reply = `{"content":"${id}, 12345678901234567","message_reference":{"message_id":${id}}}`
    const { body } = await call('POST', messages, reply)
    expect(body).toMatchObject({ content: `${id}, 12345678901234567`, referenced_message: { id } })
    const purge = (ids: string) => call('POST', `${messages}/bulk-delete`, `{"messages": [${ids}]}`)
    // The first one is a number as it is.
    expect((await purge('1574570581687287800, 1574570581687287801')).status).toBe(204)
    await purge(`${id}, ${body.id}`)
    expect((await event('MESSAGE_DELETE_BULK')).ids).toEqual([id, body.id])
  })

  it('of people are edited and deleted by them, and deleted by moderators', async ({ event, bed }) => {
    const may = { SEND_MESSAGES: true, MANAGE_MESSAGES: false }
    bed.server.setPermissions('general', '@everyone', may)
    bed.server.setPermissions('general', 'Moderators', { MANAGE_MESSAGES: true })
    const [ada, grace] = [bed.as('ada'), bed.as('grace')]
    const message = await ada.say('Hi')
    expect(await ada.edit(message, 'Hello')).toMatchObject({ content: 'Hello', edited: true })
    expect(await event('MESSAGE_UPDATE')).toMatchObject({ id: message.id, content: 'Hello' })
    const reason = 'grace did not write this message of ada'
    await expect(grace.edit(message, 'x')).rejects.toMatchObject({
      code: 'permission_denied',
      message: reason,
    })
    const other = await grace.say('Yes')
    await expect(ada.delete(other)).rejects.toMatchObject({ code: 'permission_denied' })
    await grace.delete(message)
    expect((await event('MESSAGE_DELETE')).id).toBe(message.id)
    expect(bed.channel('general').messages).toMatchObject([{ content: 'Yes' }])
  })

  it('go to DM channels, which only their bot has', async ({ call, event, bed }) => {
    const { body: dm } = await call('POST', '/users/@me/channels', { recipient_id: ADA })
    expect(dm).toMatchObject({ type: 1, recipients: [{ id: ADA }] })
    expect((await call('POST', '/users/@me/channels', { recipient_id: ADA })).body.id).toBe(dm.id)
    expect((await call('GET', `/channels/${dm.id}`)).body).toEqual(dm)
    await call('POST', `/channels/${dm.id}/messages`, { content: 'psst' })
    expect((await call('GET', `/channels/${dm.id}/messages`)).body).toMatchObject([{ content: 'psst' }])
    expect(await event('MESSAGE_CREATE')).not.toHaveProperty('guild_id')
    await bed.as('ada', { channel: 'dm' }).say('What?')
    // Libraries make the channel of a first DM from its type.
    const first = { channel_id: dm.id, channel_type: 1, content: 'What?' }
    expect(await event('MESSAGE_CREATE')).toMatchObject(first)
    expect(bed.directMessages('ada').map(({ author }) => author)).toEqual(['testbed', 'ada'])
    expect(await call('POST', `/channels/${dm.id}/messages/bulk-delete`, {})).toMatchObject(refused(50003))
    expect(await call('DELETE', `/channels/${dm.id}/permissions/${ADA}`)).toMatchObject(refused(50003))
    expect(await call('GET', `/channels/${dm.id}/threads/archived/public`)).toMatchObject(refused(50003))
    expect(await call('POST', `/channels/${dm.id}/invites`, {})).toMatchObject(refused(50003))
    expect(await call('POST', '/users/@me/channels', { recipient_id: '9' })).toMatchObject(refused(50033))
    const { body: other } = await call('POST', '/users/@me/channels', { recipient_id: '3010' })
    expect(await call('POST', `/channels/${other.id}/messages`, { content: 'x' })).toMatchObject(
      refused(50007),
    )
  })
})

describe('answers to interactions', () => {
  const quote = { type: 3, name: 'Quote' } as const
  /** A bot whose /ping was used, and how it answers. */
  async function asked() {
    const bot = await open(undefined, { commands: [{ name: 'ping', description: 'Pong' }, quote] })
    const use = bot.bed.as('alan').use('/ping')
    const { id, token } = await bot.nextEvent('INTERACTION_CREATE')
    const answer = async (data: object) => {
      await bot.call('POST', `/interactions/${id}/${token}/callback`, { type: 4, data })
      return use
    }
    return { ...bot, token, answer }
  }

  it('are messages of their channel, which both ways change', async () => {
    const { call, event, names, bed, token, answer } = await asked()
    const shown = await answer({ content: 'pong' })
    const created = await event('MESSAGE_CREATE')
    const [listed] = (await call('GET', messages)).body
    expect([created.id, listed.id, listed.content]).toEqual([listed.id, shown.message!.id, 'pong'])
    await call('PATCH', `${messages}/${listed.id}`, { content: 'edited' })
    expect(shown.content).toBe('edited')
    await event('MESSAGE_UPDATE')
    expect(names()).toEqual([])
    const original = `/webhooks/${bed.applicationId}/${token}/messages/@original`
    await call('PATCH', original, { content: 'again' })
    expect((await call('GET', `${messages}/${listed.id}`)).body.content).toBe('again')
    await call('DELETE', `${messages}/${listed.id}`)
    expect(shown.deleted).toBe(true)
    expect(await call('GET', original)).toMatchObject(unknown(10008))
  })

  it('are deleted with their channel, and a deleted answer is no longer in its channel', async () => {
    const { call, bed, token, answer } = await asked()
    const shown = await answer({ content: 'pong' })
    const webhook = `/webhooks/${bed.applicationId}/${token}`
    await call('POST', webhook, { content: 'more' })
    await call('DELETE', `${webhook}/messages/@original`)
    expect([shown.deleted, (await call('GET', messages)).body]).toMatchObject([true, [{ content: 'more' }]])
    expect(shown.followUps.map(({ deleted }) => deleted)).toEqual([false])
    await call('DELETE', channel)
    expect(shown.followUps.map(({ deleted }) => deleted)).toEqual([true])
  })

  it('are no messages of the channel if only one person sees them', async () => {
    const { call, bed, nextEvent, answer } = await asked()
    const shown = await answer({ content: 'x', flags: 64 })
    const alan = bed.as('alan')
    alan.useOn('Quote', shown).catch(() => {})
    await nextEvent('INTERACTION_CREATE')
    expect((await call('GET', messages)).body).toEqual([])
    await expect(alan.react(shown, '👍')).rejects.toThrow('target: expected a message of a channel')
  })
})

describe('intents', () => {
  it('decide which events a bot gets', async () => {
    const { call, event, names } = await open(GUILD_MESSAGES)
    await call('DELETE', `/guilds/${SERVER}/members/${ADA}`)
    await call('POST', `${channel}/typing`)
    await call('POST', messages, { content: 'x' })
    await event('MESSAGE_CREATE')
    expect(names()).toEqual([])
  })

  it.each([
    [GUILD_MESSAGES, ''],
    [GUILD_MESSAGES | MESSAGE_CONTENT, 'secret'],
  ])('%i: gives the content of others as "%s"', async (intents, content) => {
    const { bed, event } = await open(intents)
    await bed.as('alan').say('secret')
    expect((await event('MESSAGE_CREATE')).content).toBe(content)
    await bed.as('alan').say(`Hi <@${bed.applicationId}>`)
    expect((await event('MESSAGE_CREATE')).content).toContain('Hi')
  })
})

it('messages of the service are never changed in place', () => {
  const none = { channelId: '4001', nextId: () => '9001', now: 0 } as never
  const { embeds } = systemMessage({ id: '3001', username: 'ada' }, { type: 18 }, none)
  expect(() => (embeds as object[]).push({})).toThrow(TypeError)
})
