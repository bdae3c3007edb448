/** Every route of the world refuses a bot that may not use it. */
import { expect, it } from 'vitest'
import { permissions } from 'commandry'
import { channelRoutes } from '../../../src/service/http/channel-routes.ts'
import { serverRoutes } from '../../../src/service/http/server-routes.ts'
import { ADA, demo, GENERAL, MODERATORS, open, SERVER, STAFF, type Bot } from './bed.ts'

const routes = [...serverRoutes, ...channelRoutes]
const nameOf = ({ method, path }: (typeof routes)[number]) => `${method} ${path}`

/** The permissions of the routes that always need one, listed again on purpose. */
const needed: Readonly<Record<string, string>> = {
  'DELETE /guilds/{guild.id}/members/{user.id}': 'KICK_MEMBERS',
  'PUT /guilds/{guild.id}/members/{user.id}/roles/{role.id}': 'MANAGE_ROLES',
  'DELETE /guilds/{guild.id}/members/{user.id}/roles/{role.id}': 'MANAGE_ROLES',
  'POST /guilds/{guild.id}/roles': 'MANAGE_ROLES',
  'PATCH /guilds/{guild.id}/roles/{role.id}': 'MANAGE_ROLES',
  'DELETE /guilds/{guild.id}/roles/{role.id}': 'MANAGE_ROLES',
  'GET /guilds/{guild.id}/bans': 'BAN_MEMBERS',
  'GET /guilds/{guild.id}/bans/{user.id}': 'BAN_MEMBERS',
  'PUT /guilds/{guild.id}/bans/{user.id}': 'BAN_MEMBERS',
  'DELETE /guilds/{guild.id}/bans/{user.id}': 'BAN_MEMBERS',
  'PATCH /channels/{channel.id}': 'MANAGE_CHANNELS',
  'DELETE /channels/{channel.id}': 'MANAGE_CHANNELS',
  'POST /guilds/{guild.id}/channels': 'MANAGE_CHANNELS',
  'PUT /channels/{channel.id}/permissions/{overwrite.id}': 'MANAGE_ROLES',
  'DELETE /channels/{channel.id}/permissions/{overwrite.id}': 'MANAGE_ROLES',
  'POST /channels/{channel.id}/typing': 'SEND_MESSAGES',
  'POST /channels/{channel.id}/messages': 'SEND_MESSAGES',
  'POST /channels/{channel.id}/messages/bulk-delete': 'MANAGE_MESSAGES',
  'GET /channels/{channel.id}/messages/{message.id}': 'READ_MESSAGE_HISTORY',
  'PUT /channels/{channel.id}/messages/{message.id}/reactions/{emoji}/@me': 'READ_MESSAGE_HISTORY',
  'DELETE /channels/{channel.id}/messages/{message.id}/reactions/{emoji}/{user.id}': 'MANAGE_MESSAGES',
  'GET /channels/{channel.id}/messages/{message.id}/reactions/{emoji}': 'READ_MESSAGE_HISTORY',
  'DELETE /channels/{channel.id}/messages/{message.id}/reactions': 'MANAGE_MESSAGES',
}

/** A server where bots without a role see #general and may do nothing. */
const silent = {
  ...demo,
  roles: demo.roles.map((role) =>
    role.id === SERVER ? { ...role, permissions: permissions('VIEW_CHANNEL') } : role,
  ),
}

function pathOf(path: string, channel: string): string {
  const ids: { readonly [name: string]: string } = {
    ...{ guild: SERVER, channel, user: ADA, role: MODERATORS, message: '9', overwrite: ADA },
  }
  return path
    .replace('{emoji}', encodeURIComponent('👍'))
    .replace(/\{(\w+)\.id\}/g, (_, name: string) => ids[name]!)
}

/** Expects that each of some routes responds to a bot with a code and a message. */
async function expectRefused(
  bot: Bot,
  some: typeof routes,
  channel: string,
  errorOf: (route: (typeof routes)[number]) => readonly [number, string],
) {
  const answers: { [route: string]: readonly [number, string] } = {}
  for (const route of some) {
    const { body } = await bot.call(route.method, pathOf(route.path, channel), bodyOf(route))
    answers[nameOf(route)] = [body?.code, body?.message]
  }
  expect(answers).toEqual(Object.fromEntries(some.map((route) => [nameOf(route), errorOf(route)])))
}

const bodyOf = ({ method, path }: (typeof routes)[number]) =>
  method === 'GET' || method === 'DELETE' ? undefined : path.endsWith('/messages') ? { content: 'x' } : {}

it('a route refuses a bot without the permission that it needs, by its name', async () => {
  const bot = await open(null, { servers: [silent], bot: { roles: [] } })
  const needing = routes.filter(({ needs }) => needs.length > 0)
  expect(needing.map(nameOf)).toEqual(Object.keys(needed))
  await expectRefused(bot, needing, GENERAL, (route) => {
    const place = route.path.includes('{channel.id}') ? '#general of Demo Server' : 'Demo Server'
    return [50013, `Missing Permissions: the bot lacks ${needed[nameOf(route)]} in ${place}`]
  })
})

it('a route of a server refuses a bot that is not in it', async () => {
  const bot = await open(null)
  bot.bed.leave('testbed')
  const ofServer = routes.filter(({ path }) => path.includes('{guild.id}'))
  const message = 'Missing Access: the bot is not in Demo Server'
  await expectRefused(bot, ofServer, GENERAL, () => [50001, message])
})

it('a route of a channel refuses a bot that does not see it', async () => {
  const bot = await open(null, { bot: { roles: [] } })
  const ofChannel = routes.filter(({ path }) => path.includes('{channel.id}'))
  const message = 'Missing Access: the bot lacks VIEW_CHANNEL in #staff of Demo Server'
  await expectRefused(bot, ofChannel, STAFF, () => [50001, message])
})

it('a route that needs permissions by what it changes refuses each change', async () => {
  const bot = await open(null, { servers: [silent], bot: { roles: [] } })
  bot.bed.setPermissions('general', '@everyone', { SEND_MESSAGES: true, READ_MESSAGE_HISTORY: true })
  const { id } = await bot.bed.as('ada').say('mine')
  expect((await bot.call('POST', `/channels/${GENERAL}/messages`, { content: 'x' })).status).toBe(200)
  const [member, message] = [`/guilds/${SERVER}/members`, `/channels/${GENERAL}/messages/${id}`]
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

it('a route without a server and a channel is about users alone', () => {
  const others = routes.filter(({ path }) => !/\{(?:guild|channel)\.id\}/.test(path))
  expect(others.map(nameOf)).toEqual([
    'GET /users/{user.id}',
    'GET /users/@me/guilds',
    'POST /users/@me/channels',
  ])
})
