/** A testbed with a bot that uses no library: its requests, and the events it gets. */
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket, WebSocketServer } from '../../../support/sockets.ts'
import { ChannelType, permissions } from 'commandry'
import { testbed, type Testbed, type TestbedOptions } from 'commandry/testbed'
import { partsOf } from '../../../../src/testing/testbed/bed.ts'
import { app } from '../../../support/fixtures.ts'
import { answered } from '../service.ts'

export const SERVER = '2001'
export const GENERAL = '4001'
export const STAFF = '4002'
export const LOUNGE = '4005'
export const ADA = '3001'
export const GRACE = '3002'
export const ALAN = '3003'
export const MODERATORS = '5001'
export const ADMINISTRATORS = '5002'

/** Every intent by which the world sends events. */
export const ALL = 0xffff

const roles = [
  {
    id: SERVER,
    name: '@everyone',
    permissions: permissions('VIEW_CHANNEL', 'READ_MESSAGE_HISTORY', 'ADD_REACTIONS'),
  },
  { id: MODERATORS, name: 'Moderators', permissions: permissions('BAN_MEMBERS', 'KICK_MEMBERS') },
  { id: ADMINISTRATORS, name: 'Administrators', permissions: permissions('ADMINISTRATOR') },
]

const hidden = [{ id: SERVER, type: 0, allow: '0', deny: permissions('VIEW_CHANNEL') }] as const

/** A server of the tests: #staff is hidden from everyone without ADMINISTRATOR. */
export const demo = {
  id: SERVER,
  name: 'Demo Server',
  owner_id: '3009',
  roles,
  channels: [
    { id: GENERAL, name: 'general', type: ChannelType.GUILD_TEXT },
    { id: STAFF, name: 'staff', type: ChannelType.GUILD_TEXT, permission_overwrites: hidden },
    { id: LOUNGE, name: 'Lounge', type: ChannelType.GUILD_VOICE },
    { id: '4006', name: 'Texts', type: ChannelType.GUILD_CATEGORY },
  ],
  members: [
    { user: { id: ADA, username: 'ada', global_name: 'Ada' }, voice_channel_id: LOUNGE },
    { user: { id: GRACE, username: 'grace' }, roles: [MODERATORS] },
    { user: { id: ALAN, username: 'alan' }, roles: [ADMINISTRATORS] },
    { user: { id: '3009', username: 'olga' } },
    { user: { id: '3010', username: 'mee', bot: true } },
  ],
} as const

export type Bot = Awaited<ReturnType<typeof open>>

export const IMAGE = 'data:image/png;base64,iVBORw0KGgo='

/**
 * Creates one of everything: a thread, which is the channel `thread`, a pinned message, a webhook, an invite, an emoji.
 *
 * @returns the segments of paths by their names
 */
export async function furnish({ bed, call }: Pick<Bot, 'bed' | 'call'>) {
  const create = async (path: string, body: object = {}) => (await call('POST', path, body)).body
  const channel = `/channels/${GENERAL}`
  const message = await create(`${channel}/messages`, { content: 'first' })
  const starter = await create(`${channel}/messages`, { content: 'starter' })
  const thread = await create(`${channel}/messages/${starter.id}/threads`, { name: 'thread' })
  const inThread = await create(`/channels/${thread.id}/messages`, { content: 'in thread' })
  const webhook = await create(`${channel}/webhooks`, { name: 'hook' })
  const said = await create(`/webhooks/${webhook.id}/${webhook.token}?wait=true`, { content: 'hooked' })
  const invite = await create(`${channel}/invites`, { unique: true })
  const emoji = await create(`/guilds/${SERVER}/emojis`, { name: 'party', image: IMAGE })
  const own = await create(`/applications/${bed.applicationId}/emojis`, { name: 'own', image: IMAGE })
  const role = await create(`/guilds/${SERVER}/roles`, { name: 'spare' })
  const poll = await create(`${channel}/messages`, {
    poll: { question: { text: 'q' }, answers: [{ poll_media: { text: 'a' } }] },
  })
  const forum = await create(`/guilds/${SERVER}/channels`, { name: 'forum', type: 15 })
  return {
    ...{
      'guild.id': SERVER,
      'channel.id': GENERAL,
      'user.id': ADA,
      'role.id': role.id,
      'message.id': message.id,
    },
    ...{ 'overwrite.id': ADA, 'webhook.id': webhook.id, 'webhook.token': webhook.token },
    ...{ 'invite.code': invite.code, 'emoji.id': emoji.id, 'application.id': bed.applicationId },
    emoji: encodeURIComponent('👍'),
    others: {
      thread: thread.id,
      inThread: inThread.id,
      said: said.id,
      ownEmoji: own.id,
      forum: forum.id,
      poll: poll.id,
    },
  }
}

/** The world of a testbed, to fill it without a request for each object. */
export const worldOf = (bed: Testbed) => partsOf.get(bed)!.people.world

/** Waits until all events that were sent have arrived: the answer to a heartbeat comes after them. */
export function arrivals(socket: WebSocket): () => Promise<void> {
  const waiting: (() => void)[] = []
  socket.on('message', (data) => {
    if (JSON.parse(String(data)).op === 11) waiting.shift()?.()
  })
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      socket.send('{"op":1,"d":null}')
    })
}

/** A session of the bot at the gateway, which drops the GUILD_CREATE of the demo server. */
export async function logIn(bed: Testbed, intents: number = ALL) {
  const events: { readonly t: string; readonly d: any }[] = []
  const socket = new WebSocket(`${bed.gateway}/?v=10&encoding=json`)
  onTestFinished(() => socket.terminate())
  await new Promise((resolve) => socket.once('open', resolve))
  socket.send(JSON.stringify({ op: 2, d: { token: bed.token, intents, properties: {} } }))
  const ready = await new Promise<any>((resolve) => {
    socket.on('message', (data) => {
      const { op, t, d } = JSON.parse(String(data))
      if (t === 'READY') resolve(d)
      else if (op === 0 && !(t === 'GUILD_CREATE' && d.id === SERVER)) events.push({ t, d })
    })
  })
  const arrived = arrivals(socket)
  const take = (name: string) => {
    const index = events.findIndex(({ t }) => t === name)
    return index < 0 ? undefined : events.splice(index, 1)[0]!.d
  }
  return {
    ready,
    arrived,
    /** Sends a request to the gateway, and waits until its answer would have come. */
    async request(op: number, d: object) {
      socket.send(JSON.stringify({ op, d }))
      await arrived()
    },
    /** The names of the events of changes so far. Requests come back after their events were sent. */
    names: () => events.map(({ t }) => t),
    /** Waits for an event of what a person does, who waits until the bot is quiet. */
    async nextEvent(name: string): Promise<any> {
      for (;;) {
        const found = take(name)
        if (found !== undefined) return found
        await new Promise((resolve) => socket.once('message', resolve))
      }
    },
    /** The next event with a name that was not taken before. It fails if none was sent. */
    async event(name: string): Promise<any> {
      await arrived()
      return take(name) ?? expect.fail(`no ${name} was sent, but ${events.map(({ t }) => t).join(', ')}`)
    },
  }
}

const NO_SESSION = {
  arrived: () => expect.fail('the bot is not logged in'),
  request: () => expect.fail('the bot is not logged in'),
  names: (): string[] => [],
  nextEvent: () => expect.fail('the bot is not logged in'),
  event: () => expect.fail('the bot is not logged in'),
} satisfies Partial<Awaited<ReturnType<typeof logIn>>>

/** @param intents of the gateway; null for a bot that is not logged in */
export async function open(intents: number | null = ALL, options: TestbedOptions = {}) {
  const bed = await testbed({ ws: { WebSocketServer }, applicationId: app, servers: [demo], ...options })
  onTestFinished(() => bed.close())
  const session = intents === null ? NO_SESSION : await logIn(bed, intents)
  return {
    bed,
    ...session,
    /** Calls a route below `/v10`. */
    async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const isForm = body instanceof FormData
      const json = body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }
      const sent = typeof body === 'string' || isForm ? body : JSON.stringify(body)
      return answered(
        await fetch(`${bed.rest}/v10${path}`, {
          method,
          headers: { Authorization: `Bot ${bed.token}`, ...json, ...headers },
          ...(body !== undefined && { body: sent }),
        }),
      )
    },
  }
}

/** Tests of a bot that is logged in with every intent: `it('…', async ({ call, event }) => …)`. */
export const it = test
  .extend('bot', () => open())
  .extend('bed', ({ bot }) => bot.bed)
  .extend('call', ({ bot }) => bot.call)
  .extend('event', ({ bot }) => bot.event)
  .extend('names', ({ bot }) => bot.names)

export const unknown = (code: number) => ({ status: 404, body: { code } })
export const invalid = (errors: object) => ({ status: 400, body: { code: 50035, errors } })
export const lacks = (reason: string) => ({
  status: 403,
  body: { code: 50013, message: `Missing Permissions: ${reason}` },
})
