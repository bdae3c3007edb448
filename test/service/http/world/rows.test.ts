/** Every route that changes something: the event that tells of it, the intent of that event, and the audit log. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from '../../../support/sockets.ts'
import { AuditAction } from '../../../../src/service/world/audit-log.ts'
import { worldRoutes, intents } from '../../../support/service-tables.ts'
import type { WorldRoute } from '../../../support/service-tables.ts'
import {
  ADA,
  ALL,
  arrivals,
  furnish,
  GENERAL,
  GRACE,
  LOUNGE,
  MODERATORS,
  open,
  SERVER,
  type Bot,
} from './bed.ts'

type Place = Awaited<ReturnType<typeof furnish>>

interface Example {
  readonly body?: unknown
  /** Segments of the path, in place of the usual ones. */
  readonly at?: { readonly [name: string]: string }
  /** Requests before it. */
  readonly first?: readonly (readonly [method: string, path: string, body?: unknown])[]
}

const nameOf = ({ method, path }: Pick<WorldRoute, 'method' | 'path'>) => `${method} ${path}`
const THUMB = encodeURIComponent('👍')

/** A request of each route with an event. */
function examplesIn({ others, ...ids }: Place): { readonly [route: string]: Example } {
  const channel = `/channels/${GENERAL}`
  const message = `${channel}/messages/${ids['message.id']}`
  const inThread = { at: { 'channel.id': others.thread } }
  const reacted = ['PUT', `${message}/reactions/${THUMB}/@me`] as const
  const bannedAda = ['PUT', `/guilds/${SERVER}/bans/${ADA}`] as const
  return {
    'PATCH /users/@me': { body: { username: 'renamed' } },
    'DELETE /users/@me/guilds/{guild.id}': {},
    'PATCH /guilds/{guild.id}': { body: { name: 'Renamed', verification_level: 2 } },
    'PATCH /guilds/{guild.id}/members/{user.id}': { body: { nick: 'Countess' } },
    'PATCH /guilds/{guild.id}/members/@me': { body: { nick: 'Helper' } },
    'DELETE /guilds/{guild.id}/members/{user.id}': {},
    'PUT /guilds/{guild.id}/members/{user.id}/roles/{role.id}': {},
    'DELETE /guilds/{guild.id}/members/{user.id}/roles/{role.id}': {
      at: { 'user.id': GRACE, 'role.id': MODERATORS },
    },
    'PUT /guilds/{guild.id}/bans/{user.id}': {},
    'POST /guilds/{guild.id}/bulk-ban': { body: { user_ids: [ADA] } },
    'DELETE /guilds/{guild.id}/bans/{user.id}': { first: [bannedAda] },
    'POST /guilds/{guild.id}/roles': { body: { name: 'new' } },
    'PATCH /guilds/{guild.id}/roles': { body: [{ id: ids['role.id'], position: 2 }] },
    'PATCH /guilds/{guild.id}/roles/{role.id}': { body: { name: 'renamed' } },
    'DELETE /guilds/{guild.id}/roles/{role.id}': {},
    'POST /channels/{channel.id}/polls/{message.id}/expire': { at: { 'message.id': others.poll } },
    'PATCH /channels/{channel.id}': { body: { name: 'talk' } },
    'DELETE /channels/{channel.id}': { at: { 'channel.id': LOUNGE } },
    'POST /guilds/{guild.id}/channels': { body: { name: 'new' } },
    'PATCH /guilds/{guild.id}/channels': { body: [{ id: GENERAL, position: 3 }] },
    'PUT /channels/{channel.id}/permissions/{overwrite.id}': { body: { type: 1, allow: '1024' } },
    'DELETE /channels/{channel.id}/permissions/{overwrite.id}': {
      first: [['PUT', `${channel}/permissions/${ADA}`, { type: 1, allow: '1024' }]],
    },
    'POST /channels/{channel.id}/typing': {},
    'POST /channels/{channel.id}/messages/{message.id}/threads': { body: { name: 'second' } },
    'POST /channels/{channel.id}/threads': { body: { name: 'alone', type: 11 } },
    'PUT /channels/{channel.id}/thread-members/@me': {
      ...inThread,
      first: [['DELETE', `/channels/${others.thread}/thread-members/@me`]],
    },
    'POST /channels/{channel.id}/thread-members/@me': {
      ...inThread,
      first: [['DELETE', `/channels/${others.thread}/thread-members/@me`]],
    },
    'DELETE /channels/{channel.id}/thread-members/@me': inThread,
    'PUT /channels/{channel.id}/thread-members/{user.id}': inThread,
    'DELETE /channels/{channel.id}/thread-members/{user.id}': {
      ...inThread,
      first: [['PUT', `/channels/${others.thread}/thread-members/${ADA}`]],
    },
    'POST /channels/{channel.id}/messages': { body: { content: 'x' } },
    'POST /channels/{channel.id}/messages/bulk-delete': {
      body: { messages: [ids['message.id'], others.said] },
    },
    'PATCH /channels/{channel.id}/messages/{message.id}': { body: { content: 'edited' } },
    'DELETE /channels/{channel.id}/messages/{message.id}': { at: { 'message.id': others.said } },
    'POST /channels/{channel.id}/messages/{message.id}/crosspost': {
      first: [['PATCH', channel, {}]],
      at: { 'channel.id': '4008', 'message.id': 'news' },
    },
    'PUT /channels/{channel.id}/messages/pins/{message.id}': {},
    'DELETE /channels/{channel.id}/messages/pins/{message.id}': {
      first: [['PUT', `${channel}/pins/${ids['message.id']}`]],
    },
    'PUT /channels/{channel.id}/pins/{message.id}': {},
    'DELETE /channels/{channel.id}/pins/{message.id}': {
      first: [['PUT', `${channel}/pins/${ids['message.id']}`]],
    },
    'PUT /channels/{channel.id}/messages/{message.id}/reactions/{emoji}/@me': {},
    'DELETE /channels/{channel.id}/messages/{message.id}/reactions/{emoji}/@me': { first: [reacted] },
    'DELETE /channels/{channel.id}/messages/{message.id}/reactions/{emoji}/{user.id}': {
      first: [reacted],
      at: { 'user.id': ids['application.id'] },
    },
    'DELETE /channels/{channel.id}/messages/{message.id}/reactions/{emoji}': { first: [reacted] },
    'DELETE /channels/{channel.id}/messages/{message.id}/reactions': { first: [reacted] },
    'POST /channels/{channel.id}/webhooks': { body: { name: 'second' } },
    'PATCH /webhooks/{webhook.id}': { body: { name: 'renamed' } },
    'DELETE /webhooks/{webhook.id}': {},
    'POST /channels/{channel.id}/invites': { body: { unique: true } },
    'DELETE /invites/{invite.code}': {},
    'POST /guilds/{guild.id}/emojis': { body: { name: 'second', image: 'data:image/gif;base64,R0lGODlh' } },
    'PATCH /guilds/{guild.id}/emojis/{emoji.id}': { body: { name: 'renamed' } },
    'DELETE /guilds/{guild.id}/emojis/{emoji.id}': {},
  }
}

const telling = worldRoutes.filter(({ event }) => event !== undefined)

/** Events that a bot gets whatever its intents are. */
const always = ['USER_UPDATE']

/** A second session of the bot. @returns the names of its events; `arrived` waits for those that were sent */
async function listen({ bed }: Pick<Bot, 'bed'>, own: number) {
  const socket = new WebSocket(`${bed.gateway}/?v=10&encoding=json`)
  onTestFinished(() => socket.terminate())
  const names: string[] = []
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send(JSON.stringify({ op: 2, d: { token: bed.token, intents: own, properties: {} } }))
  await new Promise<void>((resolve) =>
    socket.on('message', (data) => {
      const { op, t } = JSON.parse(String(data))
      if (t === 'READY') resolve()
      else if (op === 0) names.push(t)
    }),
  )
  return { names, arrived: arrivals(socket) }
}

it('every route with an event has an example here', async () => {
  const place = await furnish(await open(null))
  expect(telling.map(nameOf).sort()).toEqual(Object.keys(examplesIn(place)).sort())
  for (const { path, method, event } of worldRoutes)
    if (event === undefined && method !== 'GET')
      expect(path).toMatch(/^\/(?:webhooks\/\{webhook\.id\}\/|users\/@me\/channels$|applications\/)/)
})

/** Carries out the example of a route, and returns its segments. */
async function carryOut(bot: Bot, route: WorldRoute): Promise<void> {
  const place = await furnish(bot)
  const { at = {}, first = [], body } = examplesIn(place)[nameOf(route)]!
  for (const [method, path, given] of first) await bot.call(method, path, given)
  let segments: Record<string, unknown> = { ...place, ...at }
  if (at['message.id'] === 'news') {
    const { id } = (await bot.call('POST', `/guilds/${SERVER}/channels`, { name: 'news', type: 5 })).body
    const sent = await bot.call('POST', `/channels/${id}/messages`, { content: 'news' })
    segments = { ...segments, 'channel.id': id, 'message.id': sent.body.id }
  }
  const path = route.path.replace(/\{([^}]+)\}/g, (_, name: string) => String(segments[name]))
  const before = bot.bed.requests.length
  const { status } = await bot.call(route.method, path, body ?? (route.body && {}), {
    'X-Audit-Log-Reason': encodeURIComponent('because of tests ✓'),
  })
  expect([nameOf(route), status, bot.bed.requests.length]).toEqual([
    nameOf(route),
    expect.toSatisfy((one: number) => [200, 201, 204].includes(one)),
    before + 1,
  ])
}

describe('a change', () => {
  it.each(telling.map((route) => [nameOf(route), route] as const))(
    '%s is told and logged',
    async (_, route) => {
      const event = route.event!
      const [intent] = intents[event]
      const bot = await open(null)
      const entries = async () =>
        (await bot.call('GET', `/guilds/${SERVER}/audit-logs`)).body.audit_log_entries ?? []
      const needed = always.includes(event) ? 0 : intent
      // One session has only the intent of the event, the other one all but that.
      const [told, untold] = [await listen(bot, needed), await listen(bot, ALL & ~needed)]
      await carryOut(bot, route)
      await told.arrived()
      expect(told.names).toContain(event)
      if (route.path === '/users/@me/guilds/{guild.id}') return
      const logged = route.logs && AuditAction[route.logs]
      const [entry] =
        logged === undefined ? [] : (await entries()).filter((one: any) => one.action_type === logged)
      expect(entry).toEqual(
        logged && expect.objectContaining({ user_id: bot.bed.applicationId, reason: 'because of tests ✓' }),
      )
      await untold.arrived()
      const isOwn = route.path.endsWith('/members/@me') || route.path.endsWith('/thread-members/@me')
      if (!always.includes(event) && !isOwn) expect(untold.names).not.toContain(event)
    },
  )
})
