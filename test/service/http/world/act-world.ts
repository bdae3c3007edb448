/** A world with one of everything, the same for a bot and a person with the same permissions, without a network. */
import { CommandRegistry, memoryStore, permissions } from 'commandry'
import { openAccess } from 'commandry/http'
import { pendingAnswers } from 'commandry/interactions'
import { completeServer, World } from '../../../support/worlds.ts'
import { processIds } from '../../../../src/model/id-source.ts'
import { placeholderToken } from '../../../support/fixtures.ts'
import { createExchange, handlerOf } from '../../../support/handlers.ts'
import { worldRoutes } from '../../../support/service-tables.ts'
import { refusals, Refused } from '../../../../src/service/refusals.ts'
import { perform, type Act, type Objects } from '../../../../src/service/world/acts/act.ts'
import { openDirectMessage } from '../../../../src/service/world/channels.ts'
import { addEmoji, serverEmojis } from '../../../../src/service/world/emojis.ts'
import type { WorldChannel } from '../../../../src/service/world/entities.ts'
import { addInvite } from '../../../../src/service/world/invites.ts'
import { postMessage, followAnswers, setPinned } from '../../../../src/service/world/messages.ts'
import { ban } from '../../../../src/service/world/members.ts'
import { Party, type Permission } from '../../../../src/service/world/party.ts'
import { setReaction } from '../../../../src/service/world/reactions.ts'
import { addThread, setThread, setThreadMembers } from '../../../../src/service/world/threads.ts'
import { addWebhook } from '../../../../src/service/world/webhooks.ts'
import { ActingPerson } from '../../../../src/testing/testbed/people/acting-person.ts'
import { handClock } from '../../../support/clock.ts'
import type { Situation } from './situations.ts'

export const botId = '1000000000000000001'
const ADA = '3001'
const BANNED = '3007'
const TIM = { id: '3004', username: 'tim' }
const everything = permissions(...(['ADMINISTRATOR'] as const))

export type { Permission }
export type AnyAct = Act<any, any, any, any>
export type Segments = Readonly<Record<string, string>>
export type Answer = readonly [code: number, message: string]

const role = (id: string, name: string, position: number, held: string) => ({
  id,
  name,
  position,
  permissions: held,
})
const member = (id: string, username: string, roles: readonly string[], more: object = {}) => ({
  user: { id, username, ...more },
  roles,
})

/** Servers by what the role of the party has: no world changes the one that it begins with. */
const servers = new Map<string, ReturnType<typeof completeServer>>()

/** @param held what the role of the party has */
function serverWith(held: readonly Permission[]) {
  const own = permissions(...held)
  const known = servers.get(own) ?? createServer(own)
  servers.set(own, known)
  return known
}

function createServer(held: string) {
  return completeServer({
    id: '2001',
    name: 'Ours',
    owner_id: '3009',
    roles: [
      role('2001', '@everyone', 0, '0'),
      role('5001', 'Low', 1, '0'),
      role('5005', 'Party', 5, held),
      role('5009', 'High', 9, everything),
    ],
    channels: [
      { id: '4001', name: 'general', type: 0 },
      { id: '4002', name: 'Lounge', type: 2 },
      { id: '4003', name: 'news', type: 5 },
      { id: '4004', name: 'Texts', type: 4 },
      { id: '4005', name: 'forum', type: 15 },
      { id: '4006', name: 'hidden', type: 0, permission_overwrites: hidden },
    ],
    members: [
      member(botId, 'bot', ['5005'], { bot: true }),
      member(ADA, 'ada', ['5005']),
      { ...member(TIM.id, 'tim', ['5001']), voice_channel_id: '4002' },
      member('3005', 'boss', ['5009']),
      member('3009', 'olga', []),
      member('3010', 'pia', []),
    ],
  })
}

const hidden = ['2001', '5005'].map((id) => ({
  id,
  type: 0 as const,
  allow: '0',
  deny: permissions('VIEW_CHANNEL'),
}))

const POLL = { question: { text: 'x' }, answers: [{ poll_media: { text: 'a' } }], duration: 1 }

/** Creates what paths and bodies name, each when it is first asked for. @param own the id of the party */
function furniture(world: World, own: string) {
  const party = world.user(own)!
  const place = (id: string) => world.channel(id) as WorldChannel
  const says = (channel: string, by = TIM) => postMessage(world, channel, by, { content: 'x' }).id
  const threadOf = (by: string, name: string, type = 11) =>
    addThread(world, place('4001'), { name, type, owner_id: by }).id
  const started = (id: string) => {
    addThread(world, place('4001'), { id, name: 'started', type: 11, owner_id: TIM.id })
    return id
  }
  const reacted = (id: string) => {
    setReaction(world, '4001', id, TIM.id, { id: null, name: '👍' }, true)
    setReaction(world, '4001', id, own, { id: null, name: '🎉' }, true)
    return id
  }
  const pinned = () => {
    const message = postMessage(world, '4001', TIM, { content: 'x' })
    setPinned(world, message, TIM, true)
    return message.id
  }
  const joined = (id: string) => {
    setThreadMembers(world, id, [own, '3010'], true)
    return id
  }
  const set = (id: string, change: object) => {
    setThread(world, id, change)
    return id
  }
  const archived = () => {
    const id = threadOf(TIM.id, 'archived')
    says(id)
    return set(id, { archived: true })
  }
  const emojiOf = (name: string, user: typeof TIM) =>
    addEmoji(world, serverEmojis(world, '2001'), { name, user, roles: [], animated: false }).id
  const hook = { channel_id: '4001', name: 'hook', avatar: null, user: TIM }
  const invite = { channel_id: '4001', inviter: TIM, max_age: 0, max_uses: 0, temporary: false }
  const makers: Readonly<Record<string, () => string>> = {
    theirs: () => reacted(says('4001')),
    mine: () => says('4001', party),
    started: () => started(says('4001')),
    pinned,
    thread: () => joined(threadOf(TIM.id, 'theirs')),
    ownThread: () => threadOf(own, 'own'),
    locked: () => set(threadOf(own, 'locked'), { locked: true }),
    archived,
    secret: () => threadOf(TIM.id, 'secret', 12),
    inArchive: () => world.messages(idOf('archived')).at(-1)!.id,
    inSecret: () => says(idOf('secret')),
    poll: () => postMessage(world, '4001', party, { poll: POLL }).id,
    webhook: () => addWebhook(world, '2001', hook).id,
    invite: () => String(addInvite(world, '2001', invite).code),
    emojiOfTim: () => emojiOf('tims', TIM),
    ownEmoji: () => emojiOf('mine', party),
    inNews: () => says('4003'),
    ownInNews: () => says('4003', party),
    inVoice: () => says('4002'),
    dm: () => openDirectMessage(world, botId, ADA).id,
  }
  const made: Record<string, string> = { own }
  const idOf = (name: string): string => (made[name] ??= makers[name]?.() ?? `{${name}}`)
  return { idOf, names: Object.keys(makers) }
}

/** The segments of paths by their names. `{name}` in a value is something that the world has. */
export const usual: Segments = {
  'guild.id': '2001',
  'channel.id': '4001',
  'user.id': TIM.id,
  'role.id': '5001',
  'message.id': '{theirs}',
  'overwrite.id': TIM.id,
  'webhook.id': '{webhook}',
  'invite.code': '{invite}',
  'emoji.id': '{emojiOfTim}',
  'application.id': botId,
  emoji: '👍',
}

/** The names in braces that a request has in its path and its body. */
function namesIn([route, body, at = {}]: Situation): readonly string[] {
  const segments = Array.from(route.matchAll(/\{([\w.]+)\}/g), ([, name]) => ({ ...usual, ...at })[name!])
  return Array.from(JSON.stringify([segments, body, at]).matchAll(/\{(\w+)\}/g), ([, name]) => name!)
}

/**
 * A world with what a request names, as a world with everything takes most of the time of a test of many requests. A
 * request that reads gets everything, as it may list what it does not name.
 */
export function openWorld(held: readonly Permission[], who: 'bot' | 'person', request: Situation) {
  const clock = handClock(1_800_000_000_000)
  const world = new World([serverWith(held)], clock)
  const { idOf, names } = furniture(world, who === 'bot' ? botId : ADA)
  for (const name of request[0].startsWith('GET ') ? names : namesIn(request)) idOf(name)
  if (request[0].startsWith('GET ') || request[2]?.['user.id'] === BANNED) {
    world.setUser({ id: BANNED, username: 'out' })
    ban(world, '2001', BANNED)
  }
  const named = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => idOf(name))
  return { world, clock, named }
}

/** The answer of the service to a bot: the code and the message of a refusal, or 0 and the body. */
export async function askBot(
  { world, clock, named }: ReturnType<typeof openWorld>,
  [route, body, at = {}]: Situation,
): Promise<Answer> {
  const answers = pendingAnswers({ clock, ids: processIds(clock), bot: (id) => world.user(id) })
  followAnswers(world, answers.conversations)
  const registry = new CommandRegistry({ store: memoryStore() })
  const served = { registry, authenticate: openAccess(), answers, world } as const
  const handler = handlerOf(createExchange(served as never, worldRoutes))
  const [method, template] = route.split(' ') as [string, string]
  const path = template.replace(/\{([^{}]+)\}/g, (_, name: string) =>
    encodeURIComponent(named({ ...usual, ...at }[name]!)),
  )
  const response = await handler(
    new Request(`http://localhost/api/v10${path}`, {
      method,
      headers: { authorization: `Bot ${placeholderToken(botId)}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: named(JSON.stringify(body)) }),
    }),
  )
  const text = await response.text()
  const answer = text === '' ? {} : JSON.parse(text)
  return response.status < 300 ? [0, text] : [answer.code, answer.message]
}

/** What an act of a person comes to: the code and the message of the refusal, or 0. */
export function askPerson(
  { world, named }: ReturnType<typeof openWorld>,
  record: AnyAct,
  [route, body, at = {}]: Situation,
): Answer {
  const segment = (name: string) => named({ ...usual, ...at }[name]!)
  const objects: { readonly [Name in keyof Objects]: () => Objects[Name] | undefined } = {
    message: () => world.message(segment('channel.id'), segment('message.id')),
    emoji: () => ({ id: null, name: segment('emoji') }),
    thread: () => world.thread(segment('channel.id')),
    userId: () => segment('user.id'),
    target: () => world.user(segment('user.id')),
    member: () => world.member('2001', segment('user.id')),
    role: () => world.server('2001')!.roles.find(({ id }) => id === segment('role.id')),
    overwriteId: () => segment('overwrite.id'),
    webhook: () => world.server('2001')!.webhooks.find(({ id }) => id === segment('webhook.id')),
    invite: () => world.server('2001')!.invites.find(({ code }) => String(code) === segment('invite.code')),
    ownEmoji: () => world.server('2001')!.emojis.find(({ id }) => id === segment('emoji.id')),
  }
  const on = Object.fromEntries(record.on.map((name: keyof Objects) => [name, objects[name]()]))
  const inChannel = /\{(?:channel\.id|webhook\.id|invite\.code)\}/.test(route)
  const place = inChannel ? world.channel(segment('channel.id'))! : world.server('2001')!
  const by: Party = new ActingPerson(world, world.user(ADA)!)
  try {
    perform(record, by, place, on as never, {
      fields: body === undefined ? {} : JSON.parse(named(JSON.stringify(body))),
    })
    return [0, '']
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    const { code } = refusals[error.refusal] as { readonly code: number }
    return [code, error.message]
  }
}
