/** Pins, webhooks, invites, emojis, the audit log, orders and voice: what a change does beside its event. */
import { describe, expect, onTestFinished } from 'vitest'
import { WebSocket } from '../../../support/sockets.ts'
import { PermissionFlag, permissions } from 'commandry'
import {
  ADA,
  ALAN,
  ALL,
  GENERAL,
  GRACE,
  IMAGE,
  LOUNGE,
  MODERATORS,
  SERVER,
  demo,
  invalid,
  it,
  lacks,
  open,
  unknown,
} from './bed.ts'

const guild = `/guilds/${SERVER}`
const channel = `/channels/${GENERAL}`
const messages = `${channel}/messages`

/** A server whose `@everyone` has these permissions, for a bot without roles. */
const allowing = (...names: readonly (keyof typeof PermissionFlag)[]) => ({
  ...demo,
  roles: demo.roles.map((role) =>
    role.id === SERVER ? { ...role, permissions: permissions(...names) } : role,
  ),
})

describe('pins', () => {
  it('are listed newest first by the new and the old route, and told by the service', async ({
    call,
    event,
  }) => {
    const ids: string[] = []
    for (const content of ['a', 'b']) ids.push((await call('POST', messages, { content })).body.id)
    await call('PUT', `${messages}/pins/${ids[1]}`)
    expect(await event('MESSAGE_UPDATE')).toMatchObject({ id: ids[1], pinned: true })
    expect(await event('CHANNEL_PINS_UPDATE')).toMatchObject({
      ...{ channel_id: GENERAL, guild_id: SERVER, last_pin_timestamp: expect.stringContaining('T') },
    })
    await event('MESSAGE_CREATE')
    await event('MESSAGE_CREATE')
    const system = { type: 6, message_reference: { message_id: ids[1], channel_id: GENERAL } }
    expect(await event('MESSAGE_CREATE')).toMatchObject(system)
    await call('PUT', `${channel}/pins/${ids[0]}`)
    const { body } = await call('GET', `${messages}/pins?limit=1`)
    expect(body).toMatchObject({ has_more: true, items: [{ message: { content: 'a' } }] })
    expect(body.items[0].message).not.toHaveProperty('pin_id')
    const old = (await call('GET', `${channel}/pins`)).body.map(({ content }: any) => content)
    expect(old).toEqual(['a', 'b'])
    await call('DELETE', `${messages}/pins/${ids[0]}`)
    expect((await call('GET', `${messages}/pins`)).body.items).toHaveLength(1)
    const [{ id: notice }] = (await call('GET', `${messages}?limit=1`)).body
    expect(await call('PUT', `${messages}/pins/${notice}`)).toMatchObject({ body: { code: 50021 } })
  })

  it('need PIN_MESSAGES, which MANAGE_MESSAGES does not have', async () => {
    const servers = [allowing('VIEW_CHANNEL', 'SEND_MESSAGES', 'MANAGE_MESSAGES')]
    const { call, bed } = await open(null, { servers, bot: { roles: [] } })
    const { id } = (await call('POST', messages, { content: 'x' })).body
    const pin = () => call('PUT', `${messages}/pins/${id}`)
    expect(await pin()).toMatchObject(lacks('the bot lacks PIN_MESSAGES in #general of Demo Server'))
    bed.server.setPermissions('general', '@everyone', { PIN_MESSAGES: true, MANAGE_MESSAGES: false })
    expect((await pin()).status).toBe(204)
  })
})

describe('a webhook', () => {
  const create = async (call: any, at = channel) =>
    (await call('POST', `${at}/webhooks`, { name: 'log' })).body

  it('sends messages, which are shown, edited and deleted', async ({ call, event, bed }) => {
    const { id, token, url } = await create(call)
    expect(url).toBe(`https://discord.com/api/webhooks/${id}/${token}`)
    const hook = `/webhooks/${id}/${token}`
    expect((await call('POST', hook, { content: 'silent' })).status).toBe(204)
    expect(await event('MESSAGE_CREATE')).toMatchObject({
      webhook_id: id,
      author: { id, username: 'log', bot: true },
    })
    const { body: sent } = await call('POST', `${hook}?wait=true`, { content: 'x', username: 'Captain' })
    expect(sent).toMatchObject({ webhook_id: id, application_id: '1001', author: { username: 'Captain' } })
    await call('PATCH', `${hook}/messages/${sent.id}`, { content: 'edited' })
    expect(await event('MESSAGE_UPDATE')).toMatchObject({ id: sent.id, content: 'edited' })
    const shown = bed.channel('general').messages.map(({ author, content }) => [author, content])
    expect(shown).toEqual([
      ['log', 'silent'],
      ['Captain', 'edited'],
    ])
    expect((await call('GET', `${hook}/messages/${sent.id}`)).body.content).toBe('edited')
    expect((await call('DELETE', `${hook}/messages/${sent.id}`)).status).toBe(204)
    expect((await event('MESSAGE_DELETE')).id).toBe(sent.id)
    const { body: own } = await call('POST', messages, { content: 'x' })
    expect(await call('PATCH', `${hook}/messages/${own.id}`, { content: 'y' })).toMatchObject(unknown(10008))
  })

  it('is opened by its token alone, which the bot of another does not see', async ({ call }) => {
    const { id, token } = await create(call)
    const anonymous = { Authorization: '' }
    const { body } = await call('GET', `/webhooks/${id}/${token}`, undefined, anonymous)
    expect(body).toMatchObject({ id, name: 'log', token })
    expect(body).not.toHaveProperty('user')
    const wrong = { status: 401, body: { code: 50027 } }
    expect(
      await call('POST', `/webhooks/${id}/${'x'.repeat(67)}`, { content: 'x' }, anonymous),
    ).toMatchObject(wrong)
    expect((await call('PATCH', `/webhooks/${id}/${token}`, { name: 'renamed' }, anonymous)).body.name).toBe(
      'renamed',
    )
    expect((await call('DELETE', `/webhooks/${id}/${token}`, undefined, anonymous)).status).toBe(204)
    expect(await call('GET', `/webhooks/${id}`)).toMatchObject(unknown(10015))
    expect(await call('GET', `/webhooks/${id}/${token}`)).toMatchObject(unknown(10015))
  })

  it('writes in threads of its channel, and begins posts of a forum', async ({ call }) => {
    const { id, token } = await create(call)
    const thread = (await call('POST', `${channel}/threads`, { name: 'x', type: 11 })).body
    const send = (query: string, body: object) =>
      call('POST', `/webhooks/${id}/${token}?wait=true${query}`, body)
    expect((await send(`&thread_id=${thread.id}`, { content: 'x' })).body.channel_id).toBe(thread.id)
    expect(await send(`&thread_id=${LOUNGE}`, { content: 'x' })).toMatchObject(unknown(10003))
    const forum = (await call('POST', `${guild}/channels`, { name: 'forum', type: 15 })).body
    const hook = await create(call, `/channels/${forum.id}`)
    const post = (body: object) => call('POST', `/webhooks/${hook.id}/${hook.token}?wait=true`, body)
    const refused = (code: number) => ({ status: 400, body: { code } })
    expect(await post({ content: 'x' })).toMatchObject(refused(220_001))
    const titled = { content: 'x', thread_name: 'Report' }
    expect(await send(`&thread_id=${thread.id}`, titled)).toMatchObject(refused(220_002))
    expect(await send('', titled)).toMatchObject(refused(220_003))
    const { body } = await post({ content: 'x', thread_name: 'Report' })
    expect((await call('GET', `/channels/${body.channel_id}`)).body).toMatchObject({
      name: 'Report',
      parent_id: forum.id,
    })
  })

  it('changes by its token what needs no permission, also in an archived thread', async ({ call }) => {
    const { id, token } = await create(call)
    const thread = (await call('POST', `${channel}/threads`, { name: 'x', type: 11 })).body
    const hook = `/webhooks/${id}/${token}`
    const sent = (await call('POST', `${hook}?wait=true&thread_id=${thread.id}`, { content: 'x' })).body
    await call('PATCH', `/channels/${thread.id}`, { archived: true })
    const message = `${hook}/messages/${sent.id}`
    expect(await call('GET', message)).toMatchObject(unknown(10008))
    const edited = await call('PATCH', `${message}?thread_id=${thread.id}`, { content: 'y' })
    expect(edited.body).toMatchObject({ content: 'y', author: { username: 'log' } })
    expect((await call('DELETE', `${message}?thread_id=${thread.id}`)).status).toBe(204)
    const moved = { name: 'renamed', channel_id: LOUNGE }
    expect((await call('PATCH', hook, moved)).body).toMatchObject({ name: 'renamed', channel_id: GENERAL })
  })

  it('has a name that Discord allows, and moves to another channel', async ({ call, event }) => {
    for (const name of ['Clyde', 'my discord log'])
      expect(await call('POST', `${channel}/webhooks`, { name })).toMatchObject(invalid({ name: {} }))
    const { id } = await create(call)
    await event('WEBHOOKS_UPDATE')
    expect((await call('PATCH', `/webhooks/${id}`, { channel_id: LOUNGE })).body.channel_id).toBe(LOUNGE)
    expect(await event('WEBHOOKS_UPDATE')).toEqual({ guild_id: SERVER, channel_id: LOUNGE })
    expect((await call('GET', `${channel}/webhooks`)).body).toEqual([])
    expect((await call('GET', `${guild}/webhooks`)).body).toMatchObject([{ id }])
  })
})

describe('an invite', () => {
  it('is the same for the same wishes, unless it has to be unique, and expires', async ({
    call,
    bed,
    event,
  }) => {
    const create = async (body: object = {}) => (await call('POST', `${channel}/invites`, body)).body
    const first = await create()
    expect(first).toMatchObject({
      ...{ max_age: 86_400, uses: 0, guild: { id: SERVER }, channel: { id: GENERAL, name: 'general' } },
      inviter: { id: '1001' },
    })
    expect(await event('INVITE_CREATE')).toMatchObject({ code: first.code, channel_id: GENERAL })
    expect((await create()).code).toBe(first.code)
    expect((await create({ unique: true })).code).not.toBe(first.code)
    const forEver = await create({ max_age: 0 })
    expect(forEver.expires_at).toBe(null)
    await bed.advance('1d')
    expect(await call('GET', `/invites/${first.code}`)).toMatchObject(unknown(10006))
    expect((await call('GET', `${guild}/invites`)).body).toMatchObject([{ code: forEver.code }])
    expect((await call('DELETE', `/invites/${forEver.code}`)).body.code).toBe(forEver.code)
    expect((await event('INVITE_DELETE')).code).toBe(forEver.code)
    expect((await call('GET', `${channel}/invites`)).body).toEqual([])
  })
})

describe('what a bot may read', () => {
  const names = ['VIEW_CHANNEL', 'READ_MESSAGE_HISTORY', 'CREATE_INSTANT_INVITE'] as const
  const openWith = (...more: readonly (keyof typeof PermissionFlag)[]) =>
    open(null, { servers: [allowing(...names, ...more)], bot: { roles: [] } })

  it('of the invites to a server has their uses for those alone who manage the server', async () => {
    const reader = await openWith('VIEW_AUDIT_LOG')
    await reader.call('POST', `${channel}/invites`, {})
    const [invite] = (await reader.call('GET', `${guild}/invites`)).body
    expect(Object.keys(invite)).toEqual(expect.arrayContaining(['code', 'channel', 'inviter', 'expires_at']))
    expect(Object.keys(invite).filter((key) => /uses|max_age|temporary|created_at/.test(key))).toEqual([])
    const manager = await openWith('VIEW_AUDIT_LOG', 'MANAGE_GUILD')
    await manager.call('POST', `${channel}/invites`, {})
    const [whole] = (await manager.call('GET', `${guild}/invites`)).body
    expect(whole).toMatchObject({ uses: 0, max_age: 86_400, temporary: false })
    expect((await manager.call('DELETE', `/invites/${whole.code}`)).status).toBe(200)
  })

  it('of an emoji has its creator for those alone who create or manage emojis', async () => {
    const { call, bed } = await open(null, { servers: [allowing(...names)] })
    await call('POST', `${guild}/emojis`, { name: 'party', image: IMAGE })
    const keys = async () => Object.keys((await call('GET', `${guild}/emojis`)).body[0])
    expect(await keys()).toContain('user')
    bed.server.setRoles('testbed', [])
    expect(await keys()).not.toContain('user')
  })

  it('in a voice channel needs CONNECT', async () => {
    const { call } = await openWith()
    expect(await call('GET', `/channels/${LOUNGE}/messages`)).toMatchObject(
      lacks('the bot lacks CONNECT in #Lounge of Demo Server'),
    )
    expect((await (await openWith('CONNECT')).call('GET', `/channels/${LOUNGE}/messages`)).body).toEqual([])
  })
})

describe('emojis', () => {
  it('of a server are changed by who made them, or who manages them', async () => {
    const { call, bed } = await open(null, {
      servers: [allowing('VIEW_CHANNEL', 'CREATE_GUILD_EXPRESSIONS')],
    })
    const { id: other } = (await call('POST', `${guild}/emojis`, { name: 'other', image: IMAGE })).body
    bed.server.setRoles('testbed', [])
    const { id } = (await call('POST', `${guild}/emojis`, { name: 'own', image: IMAGE })).body
    expect((await call('PATCH', `${guild}/emojis/${id}`, { name: 'mine' })).body.name).toBe('mine')
    // Both were made by the bot.
    expect((await call('DELETE', `${guild}/emojis/${other}`)).status).toBe(204)
    bed.server.setPermissions('general', '@everyone', {})
    expect((await call('GET', `${guild}/emojis`)).body).toMatchObject([
      { id, user: { id: '1001' }, require_colons: true, managed: false, available: true },
    ])
    expect(await call('GET', `${guild}/emojis/9`)).toMatchObject(unknown(10014))
  })

  it('have a valid name and an image', async ({ call }) => {
    const create = (body: object) => call('POST', `${guild}/emojis`, { name: 'party', image: IMAGE, ...body })
    expect(await create({ name: 'x' })).toMatchObject(invalid({ name: {} }))
    expect(await create({ name: 'a b' })).toMatchObject(invalid({ name: {} }))
    expect(await create({ image: 'party.png' })).toMatchObject(invalid({ image: {} }))
    expect((await create({ image: 'data:image/gif;base64,R0lGODlh' })).body.animated).toBe(true)
  })

  it('of the application are its own, without an event', async ({ call, bed, names }) => {
    const path = `/applications/${bed.applicationId}/emojis`
    const { id } = (await call('POST', path, { name: 'own', image: IMAGE })).body
    expect((await call('GET', path)).body.items).toMatchObject([{ id, name: 'own' }])
    expect(await call('GET', '/applications/1002/emojis')).toMatchObject({ status: 403 })
    expect(names()).toEqual([])
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(204)
    expect((await call('GET', path)).body).toEqual({ items: [] })
  })
})

describe('the audit log', () => {
  const entries = async (call: any, query = '') =>
    (await call('GET', `${guild}/audit-logs${query}`)).body.audit_log_entries
  const reason = { 'X-Audit-Log-Reason': 'too%20loud' }

  it('has changes with the old and the new value, newest first, and pages', async ({ call, event }) => {
    await call('PATCH', `${guild}/members/${ADA}`, { nick: 'Countess', roles: [MODERATORS] }, reason)
    const [roles, nick] = await entries(call)
    expect(nick).toMatchObject({
      ...{ action_type: 24, user_id: '1001', target_id: ADA, reason: 'too loud' },
      changes: [{ key: 'nick', new_value: 'Countess' }],
    })
    expect(roles).toMatchObject({
      ...{ action_type: 25, target_id: ADA },
      changes: [{ key: '$add', new_value: [{ id: MODERATORS, name: 'Moderators' }] }],
    })
    expect(await event('GUILD_AUDIT_LOG_ENTRY_CREATE')).toEqual({ ...nick, guild_id: SERVER })
    await call('PATCH', channel, { name: 'talk', topic: 'Rules' })
    const [changed] = await entries(call, '?limit=1')
    expect(changed.changes).toEqual([
      { key: 'name', old_value: 'general', new_value: 'talk' },
      { key: 'topic', new_value: 'Rules' },
    ])
    expect(await entries(call, '?action_type=25')).toEqual([roles])
    expect(await entries(call, `?before=${roles.id}`)).toEqual([nick])
    expect(await entries(call, `?after=${nick.id}&limit=1`)).toEqual([roles])
    expect(await entries(call, `?user_id=${ADA}`)).toEqual([])
    expect((await call('GET', `${guild}/audit-logs`)).body.users.map(({ id }: any) => id)).toEqual([
      '1001',
      ADA,
    ])
  })

  it('has what bots do to others, and neither what they do to themselves nor what tests do', async ({
    call,
    bed,
  }) => {
    bed.server.setRoles('ada', [])
    const { id } = (await call('POST', messages, { content: 'x' })).body
    await call('DELETE', `${messages}/${id}`)
    bed.server.setPermissions('general', '@everyone', { SEND_MESSAGES: true })
    const said = await bed.as('ada').say('spam')
    await call('DELETE', `${messages}/${said.id}`, undefined, reason)
    await call('PATCH', `${guild}/members/${ADA}`, { channel_id: null })
    const types = (await entries(call)).map((one: any) => [one.action_type, one.target_id, one.options])
    expect(types).toEqual([
      [27, null, { count: '1' }],
      [72, ADA, { channel_id: GENERAL, count: '1' }],
    ])
  })

  it('is told only to bots that may view it', async () => {
    const { call, bed, event, names } = await open(ALL)
    await call('PUT', `${guild}/bans/${ADA}`)
    await event('GUILD_AUDIT_LOG_ENTRY_CREATE')
    bed.server.setRoles('testbed', ['Moderators'])
    await call('PUT', `${guild}/bans/3010`)
    await event('GUILD_BAN_ADD')
    await event('GUILD_BAN_ADD')
    expect(names()).not.toContain('GUILD_AUDIT_LOG_ENTRY_CREATE')
  })
})

it('channels and roles are put in order', async ({ call, event }) => {
  const order = [
    { id: GENERAL, position: 2, parent_id: '4006' },
    { id: LOUNGE, position: 0, parent_id: '4006', lock_permissions: true },
  ]
  await call('PATCH', '/channels/4006', {
    permission_overwrites: [{ id: SERVER, type: 0, allow: '0', deny: '8' }],
  })
  expect((await call('PATCH', `${guild}/channels`, order)).status).toBe(204)
  const { body } = await call('GET', `${guild}/channels`)
  const of = (id: string) => body.find((one: any) => one.id === id)
  expect([of(GENERAL).position, of(GENERAL).parent_id, of(GENERAL).permission_overwrites]).toEqual([
    2,
    '4006',
    [],
  ])
  expect(of(LOUNGE)).toMatchObject({ position: 0, permission_overwrites: [{ deny: '8' }] })
  expect(await call('PATCH', `${guild}/channels`, [{ id: '9' }])).toMatchObject(unknown(10003))
  expect((await call('PATCH', `${guild}/channels`, {})).status).toBe(400)
  await event('CHANNEL_UPDATE')
  const roles = (await call('PATCH', `${guild}/roles`, [{ id: MODERATORS, position: 2 }])).body
  expect(roles.find((one: any) => one.id === MODERATORS).position).toBe(2)
  expect((await event('GUILD_ROLE_UPDATE')).role).toMatchObject({ id: MODERATORS, position: 2 })
})

it('roles are put in order below the highest role of the bot alone', async () => {
  const keepers = { id: '5003', name: 'Keepers', permissions: permissions('MANAGE_ROLES'), position: 5 }
  const servers = [
    { ...demo, roles: [...demo.roles, keepers, { ...keepers, id: '5004', name: 'Above', position: 6 }] },
  ]
  const { call } = await open(null, { servers, bot: { roles: ['Keepers'] } })
  const order = (...given: readonly (readonly [id: string, position: number])[]) =>
    call(
      'PATCH',
      `${guild}/roles`,
      given.map(([id, position]) => ({ id, position })),
    )
  // Libraries send every role, also those that stay where they are.
  const all = [
    [SERVER, 0],
    ['5002', 1],
    [MODERATORS, 2],
    ['5003', 3],
    ['5004', 4],
  ] as const
  expect((await order(...all)).status).toBe(200)
  expect(await order([MODERATORS, 9])).toMatchObject(
    lacks("the role Moderators would be above the bot's highest role in Demo Server"),
  )
  expect(await order(['5004', 1])).toMatchObject({ status: 403 })
})

it('several users are banned at once, but for those that cannot be', async ({ call }) => {
  const { body } = await call('POST', `${guild}/bulk-ban`, { user_ids: [ADA, '3009', '9', GRACE] })
  expect(body).toEqual({ banned_users: [ADA, GRACE], failed_users: ['3009', '9'] })
  expect(await call('POST', `${guild}/bulk-ban`, { user_ids: [] })).toMatchObject(invalid({ user_ids: {} }))
})

it('a server and the bot get other names, wherever these are shown', async ({ call, bed, event }) => {
  await call('PATCH', guild, { name: 'Renamed', description: 'About us', system_channel_id: GENERAL })
  const changed = { name: 'Renamed', description: 'About us', system_channel_id: GENERAL }
  expect(await event('GUILD_UPDATE')).toMatchObject(changed)
  expect((await call('GET', guild)).body).toMatchObject(changed)
  expect(bed.server.name).toBe('Renamed')
  await call('PATCH', '/users/@me', { username: 'helper', avatar: IMAGE })
  expect((await call('GET', '/users/@me')).body).toMatchObject({
    username: 'helper',
    avatar: expect.any(String),
  })
  expect((await call('POST', messages, { content: 'x' })).body.author.username).toBe('helper')
  expect((await call('GET', `${guild}/members/1001`)).body.user.username).toBe('helper')
  const socket = new WebSocket(`${bed.gateway}/?v=10&encoding=json`)
  onTestFinished(() => socket.terminate())
  await new Promise((resolve) => socket.once('open', resolve))
  const ready = new Promise<any>((resolve) =>
    socket.on('message', (data) => {
      const { t, d } = JSON.parse(String(data))
      if (t === 'READY') resolve(d)
    }),
  )
  socket.send(JSON.stringify({ op: 2, d: { token: bed.token, intents: 0, properties: {} } }))
  expect((await ready).user.username).toBe('helper')
})

describe('voice', () => {
  it('is joined and left by the bot over the gateway, with the address of a server', async () => {
    const other = {
      id: '2002',
      name: 'Other',
      channels: [{ id: '4090', name: 'Elsewhere', type: 2 }],
    } as const
    const { bed, call } = await open(null, { servers: [demo, other] })
    const socket = new WebSocket(`${bed.gateway}/?v=10&encoding=json`)
    onTestFinished(() => socket.terminate())
    await new Promise((resolve) => socket.once('open', resolve))
    const events: any[] = []
    let heard = () => {}
    socket.on('message', (data) => {
      events.push(JSON.parse(String(data)))
      heard()
    })
    const next = async (name: string): Promise<any> => {
      for (;;) {
        const index = events.findIndex(({ t }) => t === name)
        if (index >= 0) return events.splice(index, 1)[0].d
        await new Promise<void>((resolve) => (heard = resolve))
      }
    }
    const send = (op: number, d: object) => socket.send(JSON.stringify({ op, d }))
    send(2, { token: bed.token, intents: 1 << 7, properties: {} })
    await next('READY')
    const state = { guild_id: SERVER, self_mute: true, self_deaf: false }
    // Neither a text channel, nor one of another server, nor one that does not exist can be joined.
    for (const channel_id of [GENERAL, '4090', '9']) send(4, { ...state, channel_id })
    send(4, { ...state, channel_id: LOUNGE, guild_id: '9' })
    send(4, { ...state, channel_id: LOUNGE })
    const joined = { user_id: '1001', channel_id: LOUNGE, self_mute: true, self_deaf: false, mute: false }
    expect(await next('VOICE_STATE_UPDATE')).toMatchObject(joined)
    expect(await next('VOICE_SERVER_UPDATE')).toMatchObject({
      guild_id: SERVER,
      endpoint: expect.any(String),
    })
    expect((await call('GET', `${guild}/voice-states/@me`)).body).toMatchObject(joined)
    send(4, { ...state, channel_id: null })
    expect(await next('VOICE_STATE_UPDATE')).toMatchObject({ user_id: '1001', channel_id: null })
    expect(await call('GET', `${guild}/voice-states/@me`)).toMatchObject(unknown(10065))
    expect((await call('GET', `${guild}/voice-states/${ADA}`)).body).toMatchObject({ channel_id: LOUNGE })
    expect(ALAN).toBe('3003')
  })
})

it('channels and threads are created with 201', async ({ call }) => {
  const { body: channel, status } = await call('POST', `/guilds/${SERVER}/channels`, { name: 'new' })
  const thread = await call('POST', `/channels/${channel.id}/threads`, { name: 'alone', type: 11 })
  const { body: message } = await call('POST', `/channels/${channel.id}/messages`, { content: 'a' })
  const from = await call('POST', `/channels/${channel.id}/messages/${message.id}/threads`, { name: 'from' })
  expect([status, thread.status, from.status]).toEqual([201, 201, 201])
})

it('forums have at most 20 tags, and categories are in no category', async ({ call }) => {
  const create = (body: object) => call('POST', `/guilds/${SERVER}/channels`, body)
  const tags = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `t${index}` }))
  const { body: forum } = await create({ name: 'forum', type: 15, available_tags: tags(20) })
  expect(forum.available_tags).toHaveLength(20)
  expect(await call('PATCH', `/channels/${forum.id}`, { available_tags: tags(21) })).toMatchObject(
    invalid({ available_tags: { _errors: [{ code: 'BASE_TYPE_MAX_LENGTH' }] } }),
  )
  const refused = invalid({ parent_id: { _errors: [{ message: 'Categories cannot have subcategories' }] } })
  expect(await create({ name: 'c', type: 4, parent_id: '4006' })).toMatchObject(refused)
  const { body: category } = await create({ name: 'c', type: 4 })
  expect(await call('PATCH', `/channels/${category.id}`, { parent_id: '4006' })).toMatchObject(refused)
})
