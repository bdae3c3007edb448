/** A bot of many calls, for what it is reported to need. */
import { permissions } from 'commandry'
import { Intent } from '../../support/service-tables.ts'
import { ADA, demo, GENERAL, GRACE, IMAGE, LOUNGE, open, SERVER, type Bot } from '../http/world/bed.ts'

const MESSAGES = `/channels/${GENERAL}/messages`
const GUILD = `/guilds/${SERVER}`
const member = `${GUILD}/members/${ADA}`
const thumb = '/reactions/%F0%9F%91%8D'
const poll = { question: { text: 'x' }, answers: [{ poll_media: { text: 'a' } }], duration: 1 }
const withFile = new FormData()
withFile.set('payload_json', '{}')
withFile.set('files[0]', new Blob(['x']), 'a.txt')

/** The calls of a bot in turn. `{name}` is the id of what an earlier call made, which has its name at the end. */
export const calls: readonly (readonly [method: string, path: string, body?: unknown, made?: string])[] = [
  ['GET', GUILD],
  ['GET', `${GUILD}/channels`],
  ['GET', `${GUILD}/members?limit=10`],
  ['POST', MESSAGES, { content: 'first' }, 'first'],
  ['GET', MESSAGES],
  ['GET', `${MESSAGES}/{first}`],
  ['PATCH', `${MESSAGES}/{first}`, { content: 'edited' }],
  ['PUT', `${MESSAGES}/{first}${thumb}/@me`],
  ['GET', `${MESSAGES}/{first}${thumb}`],
  ['DELETE', `${MESSAGES}/{first}${thumb}/@me`],
  ['PUT', `${MESSAGES}/{said}${thumb}/@me`],
  ['DELETE', `${MESSAGES}/{said}/reactions`],
  ['PUT', `${MESSAGES}/pins/{first}`],
  ['GET', `${MESSAGES}/pins`],
  ['DELETE', `${MESSAGES}/pins/{first}`],
  ['POST', MESSAGES, { embeds: [{ title: 'x' }] }],
  ['POST', MESSAGES, { poll }],
  ['POST', MESSAGES, { content: 'x', tts: true }],
  ['POST', MESSAGES, { content: '@everyone' }],
  ['POST', MESSAGES, { content: 'x', message_reference: { message_id: '{said}' } }],
  ['POST', MESSAGES, withFile],
  ['POST', `/channels/${GENERAL}/typing`],
  ['POST', `${MESSAGES}/{said}/threads`, { name: 'help' }, 'thread'],
  ['POST', '/channels/{thread}/messages', { content: 'inside' }],
  ['PUT', `/channels/{thread}/thread-members/${GRACE}`],
  ['DELETE', `/channels/{thread}/thread-members/${GRACE}`],
  ['POST', `/channels/${GENERAL}/threads`, { name: 'secret', type: 12 }, 'secret'],
  ['PATCH', '/channels/{thread}', { locked: true }],
  ['PATCH', '/channels/{thread}', { archived: true }],
  ['GET', `/channels/${GENERAL}/threads/archived/public`],
  ['GET', `/channels/${GENERAL}/threads/archived/private`],
  ['DELETE', '/channels/{secret}'],
  ['POST', `/channels/${GENERAL}/webhooks`, { name: 'hook' }, 'webhook'],
  ['GET', `/channels/${GENERAL}/webhooks`],
  ['PATCH', '/webhooks/{webhook}', { name: 'other' }],
  ['DELETE', '/webhooks/{webhook}'],
  ['POST', `/channels/${GENERAL}/invites`, { unique: true }],
  ['GET', `/channels/${GENERAL}/invites`],
  ['GET', `${GUILD}/invites`],
  ['POST', `${GUILD}/emojis`, { name: 'party', image: IMAGE }, 'emoji'],
  ['PATCH', `${GUILD}/emojis/{emoji}`, { name: 'other' }],
  ['DELETE', `${GUILD}/emojis/{emoji}`],
  ['POST', `${GUILD}/roles`, { name: 'spare' }, 'role'],
  ['PATCH', `${GUILD}/roles/{role}`, { name: 'other' }],
  ['PUT', `${member}/roles/{role}`],
  ['DELETE', `${member}/roles/{role}`],
  ['DELETE', `${GUILD}/roles/{role}`],
  ['POST', `${GUILD}/channels`, { name: 'new' }, 'channel'],
  ['PATCH', '/channels/{channel}', { topic: 'x' }],
  ['PUT', `/channels/{channel}/permissions/${ADA}`, { type: 1, deny: permissions('ATTACH_FILES') }],
  ['DELETE', `/channels/{channel}/permissions/${ADA}`],
  ['DELETE', '/channels/{channel}'],
  ['PATCH', member, { nick: 'Countess' }],
  ['PATCH', `${GUILD}/members/@me`, { nick: 'Helper' }],
  ['PATCH', member, { communication_disabled_until: null }],
  ['PATCH', member, { mute: true }],
  ['PATCH', member, { deaf: true }],
  ['PATCH', member, { channel_id: null }],
  ['DELETE', member],
  ['PUT', `${GUILD}/bans/${GRACE}`],
  ['GET', `${GUILD}/bans`],
  ['DELETE', `${GUILD}/bans/${GRACE}`],
  ['PATCH', GUILD, { name: 'Renamed' }],
  ['GET', `${GUILD}/audit-logs`],
  ['DELETE', `${MESSAGES}/{said}`],
]

export const bitsOf = (names: readonly string[]) =>
  names.reduce((all, name) => all | Intent[name as keyof typeof Intent], 0)

/** A bot with these permissions and intents. */
export function openBot(held: readonly string[], intents: readonly string[]) {
  const role = (id: string, name: string, position: number, own: readonly string[]) => ({
    ...{ id, name, position },
    permissions: permissions(...(own as never[])),
  })
  const people = ['VIEW_CHANNEL', 'SEND_MESSAGES']
  const roles = [
    role(SERVER, '@everyone', 0, []),
    role('5001', 'People', 1, people),
    role('5100', 'Bots', 5, held),
  ]
  const members = [
    { user: { id: ADA, username: 'ada' }, roles: ['5001'], voice_channel_id: LOUNGE },
    { user: { id: GRACE, username: 'grace' }, roles: ['5001'] },
    { user: { id: '3009', username: 'olga' } },
  ]
  const server = { ...demo, owner_id: '3009', roles, members }
  return open(bitsOf(intents), { servers: [server as never], bot: { roles: ['Bots'] } })
}

/** What a bot is answered, call by call. */
async function* answersTo({ bed, call, request }: Bot) {
  const ids: Record<string, string> = { said: (await bed.as('ada').say('hello')).id }
  const named = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '9')
  await request(4, { guild_id: SERVER, channel_id: LOUNGE })
  for (const [method, path, body, made] of calls) {
    const sent = body === undefined || body instanceof FormData ? body : named(JSON.stringify(body))
    const { status, body: answer } = await call(method, named(path), sent)
    if (made !== undefined && answer?.id !== undefined) ids[made] = answer.id
    const list = answer?.threads ?? answer?.items ?? answer
    const code = answer?.code !== undefined && status >= 400 ? answer.code : 0
    const length = Array.isArray(list) ? list.length : 0
    yield JSON.stringify([method, path, status, code, length, answer?.mention_everyone])
  }
}

/** The events of a session, and whether messages have their content. */
export async function eventsOf({ arrived, names, event }: Pick<Bot, 'arrived' | 'names' | 'event'>) {
  await arrived()
  const events = [...new Set(names())].sort()
  const { content } = events.includes('MESSAGE_CREATE') ? await event('MESSAGE_CREATE') : { content: null }
  return JSON.stringify({ events, content })
}

export async function allOf(bot: Bot) {
  const answers: string[] = []
  for await (const answer of answersTo(bot)) answers.push(answer)
  return answers
}

/** Whether a bot gets the same, of which it makes as many calls as that takes to see. */
export async function getsTheSame(bot: Bot, answers: readonly string[], events: string): Promise<boolean> {
  let turn = 0
  for await (const answer of answersTo(bot)) if (answer !== answers[turn++]) return false
  return (await eventsOf(bot)) === events
}
