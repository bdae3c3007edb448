/** Least privilege is exact: with what a bot is reported to need it gets the same answers, and with less it does not. */
import { describe, expect, it } from 'vitest'
import { PermissionFlag, permissions } from 'commandry'
import { Intent, worldRoutes } from '../../support/service-tables.ts'
import type { Permission } from '../http/world/act-world.ts'
import { askBot, botId, openWorld } from '../http/world/act-world.ts'
import { GRACE, IMAGE, LOUNGE, GENERAL, SERVER, ADA, demo, open } from '../http/world/bed.ts'
import { reads, situations, type Situation } from '../http/world/situations.ts'

const every = Object.keys(PermissionFlag).filter((name) => name !== 'ADMINISTRATOR') as Permission[]
const requests = [...Object.values(situations).flat(), ...reads]

/** What differs between two runs: ids, times, secrets, and the permissions of the role of the bot. */
const RUN = new Set(['id', 'token', 'url', 'code', 'permissions', 'nonce'])
const ofRun = (key: string, value: unknown) =>
  RUN.has(key) || /(?:_id|_timestamp|^timestamp|_at)$/.test(key) || /^\d{15,}$/.test(String(value))
    ? ''
    : value

/** The answer to a request of a bot with these permissions, and what it needed. */
async function answerTo([route, body, at = {}]: Situation, held: readonly Permission[]) {
  const opened = openWorld(held, 'bot')
  const [code, text] = await askBot(opened, route, at, body)
  const answer = code === 0 && text !== '' ? JSON.stringify(JSON.parse(text, ofRun)) : text
  return { answer: `${code} ${answer}`, needed: [...opened.world.access.of(botId).permissions] }
}

describe('what a request needs', () => {
  it.each(requests.map((one) => [one[0], JSON.stringify(one.slice(1)), one] as const))(
    'is exact for %s %s',
    async (_, __, request) => {
      const { answer, needed } = await answerTo(request, every)
      expect((await answerTo(request, needed)).answer).toBe(answer)
      for (const one of needed) {
        const less = needed.filter((other) => other !== one)
        expect((await answerTo(request, less)).answer, `without ${one}`).not.toBe(answer)
      }
    },
  )

  it('is tried for every route that needs something', () => {
    const tried = new Set(requests.map(([route]) => route))
    const needing = worldRoutes.filter(
      ({ needs, quiet = [], acts = [] }) =>
        needs.length + quiet.length + acts.flatMap((one) => one.needs ?? []).length > 0,
    )
    const others = needing.map(({ method, path }) => `${method} ${path}`).filter((route) => !tried.has(route))
    // The older paths of pins carry out the same acts.
    expect(others).toEqual([
      'PUT /channels/{channel.id}/pins/{message.id}',
      'DELETE /channels/{channel.id}/pins/{message.id}',
    ])
  })
})

const MESSAGES = `/channels/${GENERAL}/messages`
const GUILD = `/guilds/${SERVER}`
const member = `${GUILD}/members/${ADA}`
const thumb = '/reactions/%F0%9F%91%8D'
const poll = { question: { text: 'x' }, answers: [{ poll_media: { text: 'a' } }], duration: 1 }
const withFile = new FormData()
withFile.set('payload_json', '{}')
withFile.set('files[0]', new Blob(['x']), 'a.txt')

/** The calls of a bot in turn. `{name}` is the id of what an earlier call made, which has its name at the end. */
const calls: readonly (readonly [method: string, path: string, body?: unknown, made?: string])[] = [
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

/** What a bot of many calls gets, with these permissions and intents. */
async function runBot(held: readonly string[], names: readonly string[]) {
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
  ]
  const intents = names.reduce((all, name) => all | Intent[name as keyof typeof Intent], 0)
  const server = {
    ...demo,
    owner_id: '3009',
    roles,
    members: [...members, { user: { id: '3009', username: 'olga' } }],
  }
  const {
    bed,
    call,
    request,
    event,
    names: eventNames,
  } = await open(intents, {
    servers: [server as never],
    bot: { roles: ['Bots'] },
  })
  const ids: Record<string, string> = { said: (await bed.as('ada').say('hello')).id }
  const named = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '9')
  await request(4, { guild_id: SERVER, channel_id: LOUNGE })
  const seen: unknown[] = []
  for (const [method, path, body, made] of calls) {
    const sent = body === undefined || body instanceof FormData ? body : named(JSON.stringify(body))
    const { status, body: answer } = await call(method, named(path), sent)
    if (made !== undefined && answer?.id !== undefined) ids[made] = answer.id
    const list = answer?.threads ?? answer?.items ?? answer
    seen.push([
      method,
      path,
      status,
      answer?.code !== undefined && status >= 400 ? answer.code : 0,
      Array.isArray(list) ? list.length : 0,
      answer?.mention_everyone,
    ])
  }
  const events = [...new Set(eventNames())].sort()
  const { content } = events.includes('MESSAGE_CREATE') ? await event('MESSAGE_CREATE') : { content: null }
  return { bed, seen: JSON.stringify({ seen, events, content }) }
}

it('a bot of many calls gets the same with what it is reported to need, and with one less it does not', async () => {
  const all = Object.keys(PermissionFlag).filter((name) => name !== 'ADMINISTRATOR')
  const { bed, seen } = await runBot(all, Object.keys(Intent))
  const access = bed.access()
  expect(calls.length).toBeGreaterThan(60)
  expect(JSON.parse(seen).seen.filter(([, , status]: [string, string, number]) => status >= 300)).toEqual([])
  expect(access.scopes).toEqual(['bot'])
  const {
    permissions: { needed },
    intents: { needed: intents },
  } = access
  expect((await runBot(needed, intents)).seen).toBe(seen)
  for (const one of needed)
    expect(
      (
        await runBot(
          needed.filter((name) => name !== one),
          intents,
        )
      ).seen,
      `without ${one}`,
    ).not.toBe(seen)
  for (const one of intents)
    expect(
      (
        await runBot(
          needed,
          intents.filter((name) => name !== one),
        )
      ).seen,
      `without ${one}`,
    ).not.toBe(seen)
})
