/** What people do in channels, beside what bots do: the same refusals; and each verb is a method, a path and a function in Python. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { permissions } from 'commandry'
import { refusals, type Refusal } from '../../../support/service-tables.ts'
import { Actor } from '../../../../src/testing/testbed/people/actor.ts'
import { verbPath, rows } from '../../../../src/testing/testbed/people/verbs.ts'
import { actions } from '../../../../src/testing/testbed/routes/people-actions.ts'
import { demo, GENERAL, LOUNGE, open, SERVER } from './bed.ts'

const NEWS = '4011'
const SOME = [
  'PIN_MESSAGES',
  'CREATE_PUBLIC_THREADS',
  'CREATE_PRIVATE_THREADS',
  'MANAGE_MESSAGES',
  'MANAGE_THREADS',
  'READ_MESSAGE_HISTORY',
  'SEND_MESSAGES',
  'ADD_REACTIONS',
] as const

/** What people are told as a right that they lack. */
const RIGHTS = [50001, 50005, 160002, 160005]

const replyTo = (id: string) => ({ content: 'x', message_reference: { message_id: id } })

const codeOf = (name: string): number | undefined => {
  if (name === 'permission_denied') return 50013
  return (refusals[name as Refusal] as { readonly code?: number }).code
}

async function refusalOf(act: () => Promise<unknown>): Promise<number> {
  try {
    await act()
    return 0
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string }
    // A right names who lacks it, a limit has its code.
    if (code === 'permission_denied')
      expect(message).toMatch(/\bada (?:lacks [A-Z_]+ in #\S+ of Demo Server|did not write)/)
    if (code !== 'permission_denied' && !(String(code) in refusals)) throw error
    return codeOf(String(code)) ?? -1
  }
}

describe('a person', () => {
  it('is refused what a bot with the same rights is refused', async () => {
    // Others, and each alone, are tried by acts.test.ts for the records that these verbs carry out.
    const sets = SOME.map((one) => SOME.filter((other) => other !== one))
    const codes = new Set<number>()
    for (const held of [[], [...SOME], ...sets]) {
      const roles = [
        { id: SERVER, name: '@everyone', permissions: permissions('VIEW_CHANNEL', ...held) },
        ...demo.roles.slice(1),
      ]
      const news = { id: NEWS, name: 'news', type: 5 }
      const { bed, call } = await open(null, {
        servers: [{ ...demo, roles, channels: [...demo.channels, news] } as never],
      })
      const post = async (path: string, body: object) => (await call('POST', path, body)).body
      const say = async () => (await post(`/channels/${GENERAL}/messages`, { content: 'x' })).id as string
      const started = async (own: object = {}) => {
        const id = await say()
        const thread = await post(`/channels/${GENERAL}/messages/${id}/threads`, { name: 'old' })
        const inside = (await post(`/channels/${thread.id}/messages`, { content: 'y' })).id as string
        await call('PATCH', `/channels/${thread.id}`, own)
        return { id, inside, thread: thread.id as string }
      }
      const [first, second] = [await started(), await started({ archived: true })]
      await post(`/channels/${GENERAL}/threads`, { name: 'told', type: 11 })
      const list = (await call('GET', `/channels/${GENERAL}/messages`)).body as { id: string; type: number }[]
      const system = list.find(({ type }) => type === 18)!.id
      const [mine, yours, edited] = [await say(), await say(), await say()]
      bed.server.setRoles('testbed', [])
      const ada = bed.as('ada')
      const at = (channel: string, id: string) => ({ id, channel_id: channel }) as never
      const from = (channel: string, id: string) => `/channels/${channel}/messages/${id}/threads`
      const pin = (channel: string, id: string) => `/channels/${channel}/messages/pins/${id}`
      const alone = (channel: string) => `/channels/${channel}/threads`
      const pairs: readonly (readonly [string, () => Promise<unknown>, string, string, object?])[] = [
        ['pin', () => ada.pin(at(GENERAL, mine)), 'PUT', pin(GENERAL, yours)],
        ['unpin', () => ada.unpin(at(GENERAL, mine)), 'DELETE', pin(GENERAL, yours)],
        ['pin of the service', () => ada.pin(at(GENERAL, system)), 'PUT', pin(GENERAL, system)],
        [
          'pin in an archive',
          () => ada.pin(at(second.thread, second.inside)),
          'PUT',
          pin(second.thread, second.inside),
        ],
        [
          'second thread',
          () => ada.startThread('n', { message: at(GENERAL, first.id) }),
          'POST',
          from(GENERAL, first.id),
          { name: 'n' },
        ],
        ['thread', () => ada.startThread('n'), 'POST', alone(GENERAL), { name: 'n', type: 11 }],
        [
          'private thread',
          () => ada.startThread('n', { private: true }),
          'POST',
          alone(GENERAL),
          { name: 'n', type: 12 },
        ],
        [
          'long name',
          () => ada.startThread('n'.repeat(101)),
          'POST',
          alone(GENERAL),
          { name: 'n'.repeat(101), type: 11 },
        ],
        ['no name', () => ada.startThread(''), 'POST', alone(GENERAL), { name: '', type: 11 }],
        [
          'thread in voice',
          () => bed.as('ada', { channel: 'Lounge' }).startThread('n'),
          'POST',
          alone(LOUNGE),
          { name: 'n', type: 11 },
        ],
        [
          'thread of news',
          () => bed.as('ada', { channel: 'news' }).startThread('n'),
          'POST',
          alone(NEWS),
          { name: 'n', type: 10 },
        ],
        [
          'private of news',
          () => bed.as('ada', { channel: 'news' }).startThread('n', { private: true }),
          'POST',
          alone(NEWS),
          { name: 'n', type: 12 },
        ],
      ]
      const texts = (channel: string) => `/channels/${channel}/messages`
      const reaction = (channel: string, id: string) => `${texts(channel)}/${id}/reactions/%F0%9F%91%8D/@me`
      const byAda = await bed.as('alan').say('theirs')
      const more: typeof pairs = [
        ['say', () => ada.say('x'), 'POST', texts(GENERAL), { content: 'x' }],
        [
          'say too much',
          () => ada.say('x'.repeat(2001)),
          'POST',
          texts(GENERAL),
          { content: 'x'.repeat(2001) },
        ],
        ['reply', () => ada.say('x', { reply: at(GENERAL, mine) }), 'POST', texts(GENERAL), replyTo(mine)],
        [
          'edit of another',
          () => ada.edit(at(GENERAL, edited), 'y'),
          'PATCH',
          `${texts(GENERAL)}/${byAda.id}`,
          { content: 'y' },
        ],
        [
          'delete of another',
          () => ada.delete(at(GENERAL, edited)),
          'DELETE',
          `${texts(GENERAL)}/${byAda.id}`,
        ],
        ['react', () => ada.react(at(GENERAL, mine), '👍'), 'PUT', reaction(GENERAL, yours)],
        [
          'react in an archive',
          () => ada.react(at(second.thread, second.inside), '👍'),
          'PUT',
          reaction(second.thread, second.inside),
        ],
      ]
      const [people, bots]: [Record<string, number>, Record<string, number>] = [{}, {}]
      for (const [name, act, method, path, body] of [...pairs, ...more]) {
        people[name] = await refusalOf(act)
        const { status, body: answer } = await call(method, path, body)
        const code = status < 300 ? 0 : answer.code
        bots[name] = RIGHTS.includes(code) ? 50013 : code
        codes.add(code)
      }
      expect(people, held.join(' ')).toEqual(bots)
    }
    expect([...codes].sort()).toEqual([0, 160002, 160004, 50005, 50013, 50021, 50024, 50035, 50083])
  })
})

describe('a verb', () => {
  it('is a method of a person, an action below /people/, a function in Python and a row of the docs', async () => {
    const { bed } = await open(null)
    const ada = bed.as('ada') as unknown as Actor
    const python = readFileSync('docs/python/commandry_pytest.py', 'utf8')
    const docs = readFileSync('docs/testbed.md', 'utf8')
    const snake = (name: string) => verbPath(name).replaceAll('-', '_')
    for (const [name, { takes, options = {} }] of Object.entries(rows)) {
      expect(ada[name as keyof Actor], name).toBeTypeOf('function')
      expect(actions[verbPath(name)], name).toBeDefined()
      const positional = takes.map(([json, form]) => (form === 'message' ? 'message' : json))
      const named = Object.keys(options).map((key) => `${key}=(?:None|False|\\(\\))`)
      expect(python).toMatch(
        new RegExp(`def ${snake(name)}\\(${['self', ...positional, ...named].join(', ')}\\):`),
      )
      expect(docs).toMatch(new RegExp('`' + name + '\\b'))
      expect(docs).toContain('`' + verbPath(name) + '`')
    }
  })
})
