/** Every route of the world refuses a bot that may not use it. */
import { expect, it } from 'vitest'
import { permissions } from 'commandry'
import { worldRoutes } from '../../../support/service-tables.ts'
import { ADA, demo, furnish, GENERAL, LOUNGE, MODERATORS, open, SERVER, STAFF, type Bot } from './bed.ts'
import { situations } from './situations.ts'

const routes = worldRoutes
const nameOf = ({ method, path }: (typeof routes)[number]) => `${method} ${path}`

/** The permissions of the routes that always need one, listed again on purpose. */
const needed: Readonly<Record<string, string>> = {
  'PATCH /guilds/{guild.id}': 'MANAGE_GUILD',
  'GET /guilds/{guild.id}/audit-logs': 'VIEW_AUDIT_LOG',
  'DELETE /guilds/{guild.id}/members/{user.id}': 'KICK_MEMBERS',
  'PUT /guilds/{guild.id}/members/{user.id}/roles/{role.id}': 'MANAGE_ROLES',
  'DELETE /guilds/{guild.id}/members/{user.id}/roles/{role.id}': 'MANAGE_ROLES',
  'GET /guilds/{guild.id}/bans': 'BAN_MEMBERS',
  'GET /guilds/{guild.id}/bans/{user.id}': 'BAN_MEMBERS',
  'PUT /guilds/{guild.id}/bans/{user.id}': 'BAN_MEMBERS',
  'POST /guilds/{guild.id}/bulk-ban': 'BAN_MEMBERS and MANAGE_GUILD',
  'DELETE /guilds/{guild.id}/bans/{user.id}': 'BAN_MEMBERS',
  'POST /guilds/{guild.id}/roles': 'MANAGE_ROLES',
  'PATCH /guilds/{guild.id}/roles': 'MANAGE_ROLES',
  'PATCH /guilds/{guild.id}/roles/{role.id}': 'MANAGE_ROLES',
  'DELETE /guilds/{guild.id}/roles/{role.id}': 'MANAGE_ROLES',
  'PATCH /channels/{channel.id}': 'MANAGE_CHANNELS',
  'DELETE /channels/{channel.id}': 'MANAGE_CHANNELS',
  'POST /guilds/{guild.id}/channels': 'MANAGE_CHANNELS',
  'PATCH /guilds/{guild.id}/channels': 'MANAGE_CHANNELS',
  'PUT /channels/{channel.id}/permissions/{overwrite.id}': 'MANAGE_ROLES',
  'DELETE /channels/{channel.id}/permissions/{overwrite.id}': 'MANAGE_ROLES',
  'POST /channels/{channel.id}/typing': 'SEND_MESSAGES',
  'POST /channels/{channel.id}/messages/{message.id}/threads': 'CREATE_PUBLIC_THREADS',
  'GET /channels/{channel.id}/threads/archived/public': 'READ_MESSAGE_HISTORY',
  'GET /channels/{channel.id}/threads/archived/private': 'READ_MESSAGE_HISTORY and MANAGE_THREADS',
  'GET /channels/{channel.id}/users/@me/threads/archived/private': 'READ_MESSAGE_HISTORY',
  'PUT /channels/{channel.id}/thread-members/{user.id}': 'SEND_MESSAGES_IN_THREADS',
  'DELETE /channels/{channel.id}/thread-members/{user.id}': 'MANAGE_THREADS',
  'POST /channels/{channel.id}/messages': 'SEND_MESSAGES',
  'POST /channels/{channel.id}/messages/bulk-delete': 'MANAGE_MESSAGES',
  'GET /channels/{channel.id}/messages/{message.id}': 'READ_MESSAGE_HISTORY',
  'POST /channels/{channel.id}/messages/{message.id}/crosspost': 'SEND_MESSAGES',
  'PUT /channels/{channel.id}/messages/pins/{message.id}': 'PIN_MESSAGES',
  'DELETE /channels/{channel.id}/messages/pins/{message.id}': 'PIN_MESSAGES',
  'PUT /channels/{channel.id}/pins/{message.id}': 'PIN_MESSAGES',
  'DELETE /channels/{channel.id}/pins/{message.id}': 'PIN_MESSAGES',
  'PUT /channels/{channel.id}/messages/{message.id}/reactions/{emoji}/@me': 'READ_MESSAGE_HISTORY',
  'DELETE /channels/{channel.id}/messages/{message.id}/reactions/{emoji}/{user.id}': 'MANAGE_MESSAGES',
  'GET /channels/{channel.id}/messages/{message.id}/reactions/{emoji}': 'READ_MESSAGE_HISTORY',
  'DELETE /channels/{channel.id}/messages/{message.id}/reactions/{emoji}': 'MANAGE_MESSAGES',
  'DELETE /channels/{channel.id}/messages/{message.id}/reactions': 'MANAGE_MESSAGES',
  'POST /channels/{channel.id}/webhooks': 'MANAGE_WEBHOOKS',
  'GET /channels/{channel.id}/webhooks': 'MANAGE_WEBHOOKS',
  'GET /guilds/{guild.id}/webhooks': 'MANAGE_WEBHOOKS',
  'GET /webhooks/{webhook.id}': 'MANAGE_WEBHOOKS',
  'PATCH /webhooks/{webhook.id}': 'MANAGE_WEBHOOKS',
  'DELETE /webhooks/{webhook.id}': 'MANAGE_WEBHOOKS',
  'POST /channels/{channel.id}/invites': 'CREATE_INSTANT_INVITE',
  'GET /channels/{channel.id}/invites': 'MANAGE_CHANNELS',
  'GET /guilds/{guild.id}/invites': 'MANAGE_GUILD',
  'DELETE /invites/{invite.code}': 'MANAGE_CHANNELS',
  'POST /guilds/{guild.id}/emojis': 'CREATE_GUILD_EXPRESSIONS',
}

/** A server where bots without a role see #general and may do nothing. */
const silent = {
  ...demo,
  roles: demo.roles.map((role) =>
    role.id === SERVER ? { ...role, permissions: permissions('VIEW_CHANNEL') } : role,
  ),
}

type Segments = { readonly [name: string]: unknown }

const pathOf = (path: string, segments: Segments) =>
  path.replace(/\{([^}]+)\}/g, (_, name: string) => String(segments[name]))

/** Segments of paths to what does not exist, but for the server, its channels and people. */
function segmentsIn(channel: string, applicationId: string): Segments {
  const known = { 'guild.id': SERVER, 'channel.id': channel, 'user.id': ADA, 'role.id': MODERATORS }
  const others = {
    'message.id': '9',
    'overwrite.id': ADA,
    'webhook.id': '9',
    'emoji.id': '9',
    'answer.id': '1',
  }
  const names = { 'webhook.token': 'x', 'invite.code': 'x', 'application.id': applicationId }
  return { ...known, ...others, ...names, emoji: encodeURIComponent('👍') }
}

/** Expects that each of some routes responds to a bot with a code and a message. */
async function expectRefused(
  bot: Bot,
  some: typeof routes,
  segmentsOf: (route: (typeof routes)[number]) => Segments,
  errorOf: (route: (typeof routes)[number]) => readonly [number, string],
) {
  const answers: { [route: string]: readonly [number, string] } = {}
  for (const route of some) {
    const { body } = await bot.call(route.method, pathOf(route.path, segmentsOf(route)), bodyOf(route))
    answers[nameOf(route)] = [body?.code, body?.message]
  }
  expect(answers).toEqual(Object.fromEntries(some.map((route) => [nameOf(route), errorOf(route)])))
}

const bodyOf = ({ body, path }: (typeof routes)[number]) =>
  body === undefined ? undefined : body === 'list' ? [] : path.endsWith('/messages') ? { content: 'x' } : {}

it('a route refuses a bot without the permission that it needs, by its name', async () => {
  const bot = await open(null, { servers: [silent] })
  const { others, ...furnished } = await furnish(bot)
  bot.bed.server.setRoles('testbed', [])
  const needing = routes.filter(({ needs }) => needs.length > 0)
  expect(needing.map(nameOf)).toEqual(Object.keys(needed))
  const isOfThread = (route: (typeof routes)[number]) => route.path.includes('/thread-members')
  const segmentsOf = (route: (typeof routes)[number]) =>
    isOfThread(route) ? { ...furnished, 'channel.id': others.thread } : furnished
  await expectRefused(bot, needing, segmentsOf, (route) => {
    const isOfServer = route.path.includes('{guild.id}')
    const channel = isOfThread(route) ? 'thread' : 'general'
    const place = isOfServer ? 'Demo Server' : `#${channel} of Demo Server`
    const lacked = needed[nameOf(route)]!
    // Of the roles of the server, Moderators has just these.
    const help = /^(BAN|KICK)_MEMBERS$/.test(lacked) ? '; the role Moderators has it' : ''
    return [50013, `Missing Permissions: the bot lacks ${lacked} in ${place}${help}`]
  })
})

it('a route of a server refuses a bot that is not in it', async () => {
  const bot = await open(null)
  bot.bed.server.leave('testbed')
  const ofServer = routes.filter(({ path }) => path.includes('{guild.id}'))
  const message = 'Missing Access: the bot is not in Demo Server'
  const segments = segmentsIn(GENERAL, bot.bed.applicationId)
  await expectRefused(
    bot,
    ofServer,
    () => segments,
    () => [50001, message],
  )
})

it('a route of a channel refuses a bot that does not see it', async () => {
  const bot = await open(null, { bot: { roles: [] } })
  const ofChannel = routes.filter(({ path }) => path.includes('{channel.id}'))
  const message = 'Missing Access: the bot lacks VIEW_CHANNEL in #staff of Demo Server'
  const segments = segmentsIn(STAFF, bot.bed.applicationId)
  await expectRefused(
    bot,
    ofChannel,
    () => segments,
    () => [50001, message],
  )
})

it('a route of a channel answers in a channel of every kind', async () => {
  const { call, ...bot } = await open(null)
  const { others, ...furnished } = await furnish({ call, ...bot })
  const create = async (path: string, body: object) => (await call('POST', path, body)).body.id
  const channels = {
    thread: others.thread,
    post: await create(`/channels/${others.forum}/threads`, { name: 'x', message: { content: 'x' } }),
    forum: others.forum,
    category: '4006',
    voice: LOUNGE,
    stage: await create(`/guilds/${SERVER}/channels`, { name: 'x', type: 13 }),
    dm: await create('/users/@me/channels', { recipient_id: ADA }),
  }
  // Situations that differ in their path alone have the same body.
  const bodiesOf = new Map<string, Map<string, unknown>>()
  for (const [route, body] of Object.values(situations).flat())
    bodiesOf.set(route, new Map([...(bodiesOf.get(route) ?? []), [JSON.stringify(body), body]]))
  const failed: string[] = []
  for (const route of routes.filter(({ path }) => path.includes('{channel.id}'))) {
    // The channels are needed until the end.
    if (nameOf(route) === 'DELETE /channels/{channel.id}') continue
    for (const [kind, id] of Object.entries(channels))
      for (const body of bodiesOf.get(nameOf(route))?.values() ?? [bodyOf(route)]) {
        const { status } = await call(
          route.method,
          pathOf(route.path, { ...furnished, 'channel.id': id }),
          body,
        )
        if (status >= 500) failed.push(`${nameOf(route)} in a ${kind}`)
      }
  }
  expect(failed).toEqual([])
  // Threads have the overwrites and the invites of their channel.
  for (const [method, path] of [
    ['PUT', `permissions/${ADA}`],
    ['DELETE', `permissions/${ADA}`],
    ['POST', 'invites'],
  ] as const)
    expect(await call(method, `/channels/${channels.thread}/${path}`, { type: 1 })).toMatchObject({
      status: 400,
      body: { code: 50024 },
    })
})

it('a route that needs permissions by what it changes refuses each change', async () => {
  const bot = await open(null, { servers: [silent] })
  const place = await furnish(bot)
  const posts = (await bot.call('POST', `/guilds/${SERVER}/channels`, { name: 'posts', type: 15 })).body.id
  bot.bed.server.setRoles('testbed', [])
  for (const channel of ['general', 'posts'])
    bot.bed.server.setPermissions(channel, '@everyone', { SEND_MESSAGES: true, READ_MESSAGE_HISTORY: true })
  const { id } = await bot.bed.as('ada').say('mine')
  expect((await bot.call('POST', `/channels/${GENERAL}/messages`, { content: 'x' })).status).toBe(200)
  const [member, message] = [`/guilds/${SERVER}/members`, `/channels/${GENERAL}/messages/${id}`]
  const emoji = `/guilds/${SERVER}/emojis/${place['emoji.id']}`
  const file = new FormData()
  file.set('payload_json', '{}')
  file.set('files[0]', new Blob(['x']), 'a.txt')
  const cases = [
    ['PATCH', `${member}/${ADA}`, { nick: 'x' }, 'MANAGE_NICKNAMES'],
    ['PATCH', `${member}/${ADA}`, { roles: [] }, 'MANAGE_ROLES'],
    ['PATCH', `${member}/${ADA}`, { communication_disabled_until: null }, 'MODERATE_MEMBERS'],
    ['PATCH', `${member}/${ADA}`, { channel_id: null }, 'MOVE_MEMBERS'],
    ['PATCH', `${member}/@me`, { nick: 'x' }, 'CHANGE_NICKNAME'],
    ['POST', `/channels/${GENERAL}/messages`, { embeds: [{ title: 'x' }] }, 'EMBED_LINKS'],
    ['POST', `/channels/${GENERAL}/messages`, file, 'ATTACH_FILES'],
    [
      'POST',
      `/channels/${posts}/threads`,
      { name: 'x', message: { embeds: [{ title: 'x' }] } },
      'EMBED_LINKS',
    ],
    ['PATCH', emoji, { name: 'xx' }, 'MANAGE_GUILD_EXPRESSIONS'],
    ['DELETE', emoji, undefined, 'MANAGE_GUILD_EXPRESSIONS'],
    ['DELETE', message, undefined, 'MANAGE_MESSAGES'],
    ['PUT', `${message}/reactions/${encodeURIComponent('👍')}/@me`, undefined, 'ADD_REACTIONS'],
  ] as const
  for (const [method, path, body, permission] of cases)
    expect(await bot.call(method, path, body)).toMatchObject({
      status: 403,
      body: { code: 50013, message: expect.stringContaining(`the bot lacks ${permission} in `) },
    })
  expect((await bot.call('PATCH', message, { content: 'x' })).body.code).toBe(50005)
})

it('a route without a server and a channel is about users, applications, webhooks and invites', () => {
  const others = routes.filter(({ path }) => !/\{(?:guild|channel)\.id\}/.test(path))
  const subjects = new Set(others.map(({ path }) => path.split('/')[1]))
  expect([...subjects]).toEqual(['users', 'webhooks', 'invites', 'applications', 'voice'])
})
