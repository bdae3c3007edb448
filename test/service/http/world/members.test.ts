/** Members, roles and bans over REST, with their events. */
import { describe, expect } from 'vitest'
import { PermissionFlag, permissions } from 'commandry'
import { DAY } from '../../../support/clock.ts'
import {
  ADA,
  ADMINISTRATORS,
  ALAN,
  GENERAL,
  GRACE,
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
const member = (id: string) => `${guild}/members/${id}`
const ban = (id: string) => `${guild}/bans/${id}`
const trueFields = (one: object) => Object.entries(one).filter(([, value]) => value === true)

describe('users and servers', () => {
  it('are read', async ({ call, bed }) => {
    expect((await call('GET', `/users/${ADA}`)).body).toMatchObject({ username: 'ada', discriminator: '0' })
    expect(await call('GET', '/users/9')).toMatchObject(unknown(10013))
    const [server] = (await call('GET', '/users/@me/guilds')).body
    expect(server).toMatchObject({ id: SERVER, name: 'Demo Server', owner: false })
    expect(BigInt(server.permissions) & 8n).toBe(8n)
    const { body } = await call('GET', guild)
    expect(body).toMatchObject({ owner_id: '3009', approximate_member_count: 6 })
    expect(body.roles.map(({ name }: { name: string }) => name)).toContain('Moderators')
    expect(await call('GET', '/guilds/9')).toMatchObject(unknown(10004))
    const { body: channels } = await call('GET', `${guild}/channels`)
    expect(channels.map(({ position }: { position: number }) => position)).toEqual([0, 1, 2, 3])
    expect(channels[2]).toMatchObject({ bitrate: 64_000, user_limit: 0, rtc_region: null })
    expect((await call('GET', '/users/@me')).body.id).toBe(bed.applicationId)
    expect((await call('GET', '/applications/@me')).body.owner).toMatchObject({
      id: '3009',
      username: 'olga',
    })
  })

  it('have an owner only if one is given, but an application has a person', async () => {
    const { owner_id: _owner, ...server } = demo
    const { call } = await open(null, { servers: [server] })
    expect((await call('GET', guild)).body.owner_id).toBe('0')
    const message = 'Unknown User: Demo Server has no owner; give it an owner_id'
    expect((await call('GET', `${guild}/members/0`)).body).toEqual({ code: 10013, message })
    // An application belongs to a person in any case, so that commands for the owner can be tested.
    expect((await call('GET', '/oauth2/applications/@me')).body.owner).toMatchObject({
      username: 'alan',
      bot: false,
    })
  })

  it('are for tokens of bots', async ({ call }) => {
    expect((await call('GET', guild, undefined, { Authorization: 'Bearer x' })).status).toBe(401)
  })

  it('refuse an id that is not a snowflake', async ({ call }) => {
    expect(await call('GET', '/guilds/x/members/y')).toMatchObject(invalid({ guild_id: {}, user_id: {} }))
  })
})

describe('members', () => {
  it('are not changed by a body without a content type', async ({ bed }) => {
    const body = new TextEncoder().encode('{"nick":"x"}')
    const headers = { Authorization: `Bot ${bed.token}` }
    const { status } = await fetch(`${bed.rest}/v10${member(ADA)}`, { method: 'PATCH', headers, body })
    expect(status).toBe(400)
  })

  it('are listed by id, and found by the start of a name', async ({ call }) => {
    const ids = async (query: string) =>
      (await call('GET', `${guild}/members${query}`)).body.map((one: any) => one.user.id)
    expect(await ids('')).toHaveLength(1)
    expect(await ids('?limit=2&after=3001')).toEqual([GRACE, ALAN])
    expect(await ids(`?limit=2&before=${ALAN}`)).toEqual([ADA, GRACE])
    expect(await ids('/search?query=AL&limit=5')).toEqual([ALAN])
    expect(await ids('/search?query=a&limit=5')).toEqual([ADA, ALAN])
    expect(await ids('/search?query=a')).toEqual([ADA])
    expect(await call('GET', `${guild}/members?limit=x`)).toMatchObject(invalid({ limit: {} }))
    expect(await call('GET', `${guild}/members/search`)).toMatchObject(
      invalid({ query: { _errors: [{ code: 'BASE_TYPE_REQUIRED' }] } }),
    )
  })

  it('are read, and unknown ones told apart from unknown users', async ({ call }) => {
    expect((await call('GET', member('3010'))).body).toMatchObject({ user: { bot: true }, roles: [] })
    expect(await call('GET', member('9'))).toMatchObject(unknown(10013))
    await call('DELETE', member(ADA))
    expect(await call('GET', member(ADA))).toMatchObject(unknown(10007))
  })

  it('get a nickname, roles, a time-out and another voice channel', async ({ call, event }) => {
    const until = new Date(Date.now() + 60_000).toISOString()
    const body = { nick: 'Countess', roles: [MODERATORS], communication_disabled_until: until }
    const changed = await call('PATCH', member(ADA), body)
    expect(changed).toMatchObject({ status: 200, body: { ...body, user: { username: 'ada' } } })
    expect(await event('GUILD_MEMBER_UPDATE')).toMatchObject({ guild_id: SERVER, ...body })
    expect(await call('PATCH', member(ADA), { channel_id: '9' })).toMatchObject(unknown(10003))
    await call('PATCH', member(ADA), { channel_id: null })
    expect(await event('VOICE_STATE_UPDATE')).toMatchObject({ channel_id: null, user_id: ADA })
    const moved = await call('PATCH', member(ADA), { channel_id: LOUNGE })
    expect(moved).toMatchObject({ status: 400, body: { code: 40032 } })
    const { body: cleared } = await call('PATCH', member(ADA), { nick: null, roles: null })
    expect(cleared).toMatchObject({ nick: null, roles: [] })
    expect((await call('PATCH', member(ADA), { nick: '' })).body.nick).toBe(null)
  })

  it('get lists of roles in which libraries have @everyone', async ({ call }) => {
    const roles = [SERVER, MODERATORS]
    expect((await call('PATCH', member(ADA), { roles })).body.roles).toEqual([MODERATORS])
    expect((await call('PATCH', member(ADA), { roles: [SERVER] })).body.roles).toEqual([])
  })

  it('are counted by role, but for @everyone', async ({ call }) => {
    const { body } = await call('GET', `${guild}/roles/member-counts`)
    expect(body).toMatchObject({ [MODERATORS]: 1, [ADMINISTRATORS]: 1 })
    expect(body).not.toHaveProperty(SERVER)
  })

  it('are muted and deafened in voice channels, and only there', async ({ call, event }) => {
    const changed = await call('PATCH', member(ADA), { mute: true, deaf: true })
    expect(changed).toMatchObject({ status: 200, body: { mute: true, deaf: true } })
    expect(await event('VOICE_STATE_UPDATE')).toMatchObject({ mute: true, deaf: true, channel_id: LOUNGE })
    expect((await call('PATCH', member(ADA), { mute: false })).body).toMatchObject({
      mute: false,
      deaf: true,
    })
    for (const body of [{ mute: true }, { deaf: false }, { channel_id: null }])
      expect(await call('PATCH', member(GRACE), body)).toMatchObject({ status: 400, body: { code: 40032 } })
  })

  it('have every problem of a change reported at its place', async ({ call }) => {
    const body = { nick: 'x'.repeat(33), roles: ['1', 'x'], communication_disabled_until: 'soon' }
    expect(await call('PATCH', member(ADA), body)).toMatchObject(
      invalid({
        nick: { _errors: [{ code: 'BASE_TYPE_BAD_LENGTH' }] },
        roles: { 1: { _errors: [{ code: 'NUMBER_TYPE_COERCE' }] } },
        communication_disabled_until: { _errors: [{ code: 'DATE_TIME_TYPE_PARSE' }] },
      }),
    )
    expect((await call('PATCH', member(ADA), { communication_disabled_until: 5 })).status).toBe(400)
    const ended = await call('PATCH', member(ADA), { communication_disabled_until: 0 })
    expect(ended).toMatchObject({ status: 200, body: { communication_disabled_until: null } })
    const late = { communication_disabled_until: new Date(Date.now() + 28 * DAY + 60_000).toISOString() }
    const tooLate = invalid({ communication_disabled_until: {} })
    expect(await call('PATCH', member(ADA), late)).toMatchObject(tooLate)
    expect((await call('PATCH', member(ADA), '[]')).status).toBe(400)
  })

  it('get and lose single roles, and are kicked, without a body', async ({ call, event, bed }) => {
    for (let times = 0; times < 2; times++)
      expect((await call('PUT', `${member(ADA)}/roles/${MODERATORS}`)).status).toBe(204)
    expect((await event('GUILD_MEMBER_UPDATE')).roles).toEqual([MODERATORS])
    expect((await call('DELETE', `${member(ADA)}/roles/${MODERATORS}`)).status).toBe(204)
    expect((await event('GUILD_MEMBER_UPDATE')).roles).toEqual([])
    expect(await call('PUT', `${member(ADA)}/roles/9`)).toMatchObject(unknown(10011))
    const { id: managed } = bed.server.roles.find((role) => role.managed)!
    for (const role of [SERVER, managed])
      expect(await call('PUT', `${member(ADA)}/roles/${role}`)).toMatchObject({ body: { code: 50028 } })
    expect((await call('DELETE', member(ADA))).status).toBe(204)
    expect(await event('GUILD_MEMBER_REMOVE')).toMatchObject({ guild_id: SERVER, user: { id: ADA } })
    expect(Object.keys(bed.people)).not.toContain('ada')
  })

  it('are not kicked by a bot without a higher role', async () => {
    const { call } = await open(null, { bot: { roles: ['Moderators'] } })
    const tooHigh = "the bot's highest role in Demo Server, Moderators, is not above the role Administrators"
    expect(await call('DELETE', member(ALAN))).toMatchObject(lacks(`${tooHigh}, which alan has`))
    expect(await call('DELETE', member(GRACE))).toMatchObject(
      lacks("the role Moderators is the bot's own highest role in Demo Server, which grace has"),
    )
    expect(await call('DELETE', member('3009'))).toMatchObject(lacks('olga owns Demo Server'))
    expect((await call('DELETE', member(ADA))).status).toBe(204)
  })

  it('who are administrators are not timed out', async ({ call }) => {
    const body = { communication_disabled_until: new Date().toISOString() }
    expect(await call('PATCH', member(ALAN), body)).toMatchObject(
      lacks('alan is an administrator, who cannot be timed out'),
    )
  })

  it('include the bot, which changes its own nickname', async () => {
    const { call, event, bed } = await open(0)
    await call('PATCH', member(ADA), { nick: 'Countess' })
    expect((await call('PATCH', member('@me'), { nick: 'Helper' })).body.nick).toBe('Helper')
    // A bot gets its own changes, and no others, whatever its intents are.
    expect((await event('GUILD_MEMBER_UPDATE')).user.id).toBe(bed.applicationId)
  })
})

it('people get and lose roles, and leave', async ({ bed, event }) => {
  bed.server.setRoles('ada', ['Moderators'])
  expect((await event('GUILD_MEMBER_UPDATE')).roles).toEqual([MODERATORS])
  expect(bed.server.members.find(({ id }) => id === ADA)!.roles).toEqual(['Moderators'])
  bed.server.setRoles('ada', [])
  expect((await event('GUILD_MEMBER_UPDATE')).roles).toEqual([])
  expect(() => bed.server.setRoles('ada', ['Nobody'])).toThrow('unknown role "Nobody"')
  bed.server.leave('ada')
  const voice = await event('VOICE_STATE_UPDATE')
  expect(voice).toMatchObject({ user_id: ADA, channel_id: null })
  expect(trueFields(voice)).toEqual([])
  expect(await event('GUILD_MEMBER_REMOVE')).toMatchObject({ guild_id: SERVER, user: { id: ADA } })
  expect(() => bed.server.leave('ada')).toThrow('unknown person "ada"')
  expect(bed.server.addPerson('ada').id).toBe(ADA)
  expect((await event('GUILD_MEMBER_ADD')).user.id).toBe(ADA)
})

it('the bot joins servers and leaves them, and is removed', async ({ bed, call, event }) => {
  const second = bed.addServer({ id: '2002', name: 'Second Server' })
  expect(second.members.map(({ username }) => username)).toEqual(['ada', 'grace', 'alan', 'testbed'])
  const created = await event('GUILD_CREATE')
  expect(created).toMatchObject({ id: '2002', name: 'Second Server', members: {} })
  expect([created, created.channels[0]].flatMap(trueFields)).toEqual([])
  const guilds = async () => (await call('GET', '/users/@me/guilds')).body.map((one: any) => one.id)
  expect(await guilds()).toEqual([SERVER, '2002'])
  expect((await call('DELETE', '/users/@me/guilds/2002')).status).toBe(204)
  expect(await event('GUILD_DELETE')).toEqual({ id: '2002' })
  expect(await call('GET', '/guilds/2002')).toMatchObject({ status: 403, body: { code: 50001 } })
  bed.server.leave('testbed')
  expect(await event('GUILD_DELETE')).toEqual({ id: SERVER })
  expect(await guilds()).toEqual([])
  expect(() => bed.addServer({ id: '2002', name: 'x' })).toThrow('the id "2002" is that of another server')
})

it('roles are created, changed and deleted', async ({ call, event }) => {
  const body = { name: 'Helpers', permissions: permissions('KICK_MEMBERS'), color: 255, hoist: true }
  const created = await call('POST', `${guild}/roles`, body)
  expect(created).toMatchObject({ status: 200, body: { ...body, colors: { primary_color: 255 } } })
  const { id } = created.body
  expect((await event('GUILD_ROLE_CREATE')).role.id).toBe(id)
  await call('PATCH', `${guild}/roles/${id}`, { name: 'Friends', mentionable: true })
  expect((await event('GUILD_ROLE_UPDATE')).role).toMatchObject({ name: 'Friends', hoist: true, color: 255 })
  const colors = { primary_color: 7 }
  expect((await call('PATCH', `${guild}/roles/${id}`, { colors })).body).toMatchObject({ color: 7, colors })
  expect((await call('GET', `${guild}/roles/${id}`)).body.mentionable).toBe(true)
  await call('PUT', `${member(ADA)}/roles/${id}`)
  expect((await call('DELETE', `${guild}/roles/${id}`)).status).toBe(204)
  expect(await event('GUILD_ROLE_DELETE')).toMatchObject({ guild_id: SERVER, role_id: id })
  expect((await call('GET', member(ADA))).body.roles).toEqual([])
  expect((await call('GET', `${guild}/roles`)).body.map((one: any) => one.id)).not.toContain(id)
})

it('roles are refused: invalid, too high, or with permissions that the bot lacks', async () => {
  const manager = { id: '5003', name: 'Keepers', permissions: permissions('MANAGE_ROLES'), position: 5 }
  const servers = [{ id: SERVER, name: 'Demo Server', roles: [manager] }]
  const { call } = await open(null, { servers, bot: { roles: ['Keepers'] } })
  expect(await call('POST', `${guild}/roles`, { name: '', color: -1 })).toMatchObject(
    invalid({ name: {}, color: { _errors: [{ code: 'NUMBER_TYPE_MIN' }] } }),
  )
  expect(await call('POST', `${guild}/roles`, { permissions: permissions('BAN_MEMBERS') })).toMatchObject(
    lacks('the bot cannot give BAN_MEMBERS without having it'),
  )
  const both = permissions('BAN_MEMBERS', 'KICK_MEMBERS')
  expect(await call('POST', `${guild}/roles`, { permissions: both })).toMatchObject(
    lacks('the bot cannot give KICK_MEMBERS and BAN_MEMBERS without having them'),
  )
  expect((await call('POST', `${guild}/roles`, { permissions: 'x' })).status).toBe(400)
  expect(await call('PATCH', `${guild}/roles/5003`, { name: 'x' })).toMatchObject(
    lacks("the role Keepers is the bot's own highest role in Demo Server"),
  )
  expect(await call('DELETE', `${guild}/roles/${SERVER}`)).toMatchObject({ body: { code: 50028 } })
  expect(await call('GET', `${guild}/roles/${ADMINISTRATORS}`)).toMatchObject(unknown(10011))
})

it('keeps permissions in a role that the bot lacks', async () => {
  const role = (
    id: string,
    name: string,
    position: number,
    ...names: readonly (keyof typeof PermissionFlag)[]
  ) => ({
    ...{ id, name, position },
    permissions: permissions(...names),
  })
  const roles = [role('5003', 'Keepers', 5, 'MANAGE_ROLES'), role('5004', 'Low', 1, 'BAN_MEMBERS')]
  const servers = [{ id: SERVER, name: 'Demo Server', roles }]
  const { call } = await open(null, { servers, bot: { roles: ['Keepers'] } })
  const change = (...names: readonly (keyof typeof PermissionFlag)[]) =>
    call('PATCH', `${guild}/roles/5004`, { permissions: permissions(...names) })
  expect((await change('BAN_MEMBERS', 'MANAGE_ROLES')).status).toBe(200)
  expect(await change('BAN_MEMBERS', 'KICK_MEMBERS')).toMatchObject(
    lacks('the bot cannot give KICK_MEMBERS without having it'),
  )
  // A permission that was removed is given again.
  expect((await change()).status).toBe(200)
  expect(await change('BAN_MEMBERS')).toMatchObject(
    lacks('the bot cannot give BAN_MEMBERS without having it'),
  )
})

it('texts and numbers have their bounds', async ({ call }) => {
  const channel = `/channels/${GENERAL}`
  const role = `${guild}/roles/${MODERATORS}`
  const text = (length: number) => 'x'.repeat(length)
  const number = (size: number) => size
  for (const [method, path, field, least, most, valueOf] of [
    ['PATCH', channel, 'name', 1, 100, text],
    ['PATCH', channel, 'topic', 0, 1_024, text],
    ['PATCH', channel, 'rate_limit_per_user', 0, 21_600, number],
    ['PATCH', channel, 'bitrate', 8_000, 384_000, number],
    ['PATCH', channel, 'user_limit', 0, 99, number],
    ['PATCH', role, 'name', 1, 100, text],
    ['PATCH', role, 'color', 0, 0xffffff, number],
    ['PATCH', member(ADA), 'nick', 0, 32, text],
    ['PUT', ban(ADA), 'delete_message_seconds', 0, 604_800, number],
    ['PUT', ban(ADA), 'delete_message_days', 0, 7, number],
    ['GET', `${guild}/members`, 'limit', 1, 1_000, number],
    ['GET', `${guild}/members/search`, 'query', 1, 100, text],
    ['GET', `${channel}/messages`, 'limit', 1, 100, number],
  ] as const)
    for (const size of [least - 1, least, most, most + 1].filter((one) => one >= 0)) {
      const value = valueOf(size)
      const query = method === 'GET' ? `?${field}=${value}` : ''
      const { status } = await call(method, path + query, method === 'GET' ? undefined : { [field]: value })
      expect([field, size, status === 400]).toEqual([field, size, size < least || size > most])
    }
})

describe('bans', () => {
  it('remove a member with their last messages, and end', async ({ call, event, bed }) => {
    expect((await call('GET', `${guild}/bans`)).body).toEqual([])
    await call('POST', `/channels/${GENERAL}/messages`, { content: 'mine' })
    const headers = { 'X-Audit-Log-Reason': 'too%20loud' }
    expect((await call('PUT', ban(ADA), { delete_message_seconds: 60 }, headers)).status).toBe(204)
    expect(await event('GUILD_BAN_ADD')).toMatchObject({ guild_id: SERVER, user: { username: 'ada' } })
    await call('PUT', ban(ADA))
    await event('GUILD_MEMBER_REMOVE')
    expect((await call('GET', ban(ADA))).body).toMatchObject({ reason: 'too loud', user: { id: ADA } })
    expect((await call('GET', `${guild}/bans`)).body).toHaveLength(1)
    expect((await call('GET', `/channels/${GENERAL}/messages`)).body).toHaveLength(1)
    expect((await call('DELETE', ban(ADA))).status).toBe(204)
    expect(await event('GUILD_BAN_REMOVE')).toMatchObject({ user: { id: ADA } })
    expect(await call('GET', ban(ADA))).toMatchObject(unknown(10026))
    expect(await call('DELETE', ban(ADA))).toMatchObject(unknown(10026))
    expect(() => bed.as('ada')).toThrow()
  })

  it('refuse a body that is a list', async ({ call, bed }) => {
    expect((await call('PUT', ban(ADA), '[]')).status).toBe(400)
    expect(bed.server.bans).toEqual([])
  })

  it('delete the messages of the last seconds, by default none', async ({ call, bed }) => {
    bed.server.setPermissions('general', '@everyone', { SEND_MESSAGES: true })
    const contents = async () => {
      const { body } = await call('GET', `/channels/${GENERAL}/messages`)
      return body.map(({ content }: any) => content)
    }
    await bed.as('ada').say('old')
    await bed.advance(1)
    await bed.as('ada').say('new')
    await bed.advance('1s')
    await call('PUT', ban(ADA), {})
    expect(await contents()).toEqual(['new', 'old'])
    await call('DELETE', ban(ADA))
    await call('PUT', ban(ADA), { delete_message_seconds: 1 }, { 'X-Audit-Log-Reason': '100%' })
    expect(await contents()).toEqual(['old'])
    expect(bed.server.bans).toMatchObject([{ username: 'ada', reason: '100%' }])
    await call('DELETE', ban(ADA))
    await call('PUT', `${ban(ADA)}?delete_message_days=1`)
    expect(await contents()).toEqual([])
  })

  it('are refused above the bot, and with an invalid body', async () => {
    const { call } = await open(null, { bot: { roles: ['Moderators'] } })
    expect(await call('PUT', ban(ALAN))).toMatchObject({ status: 403, body: { code: 50013 } })
    expect(await call('PUT', ban('9'))).toMatchObject(unknown(10013))
    expect(await call('PUT', ban(ADA), { delete_message_seconds: 604_801 })).toMatchObject(
      invalid({ delete_message_seconds: { _errors: [{ code: 'NUMBER_TYPE_MAX' }] } }),
    )
  })
})
