/** Least privilege is exact: with what a bot is reported to need it gets the same answers, and with less it does not. */
import { describe, expect, it } from 'vitest'
import { PermissionFlag } from 'commandry'
import { Intent, worldRoutes } from '../../support/service-tables.ts'
import type { Permission } from '../http/world/act-world.ts'
import { askBot, botId, openWorld } from '../http/world/act-world.ts'
import { logIn } from '../http/world/bed.ts'
import { allOf, bitsOf, calls, eventsOf, getsTheSame, openBot } from './bot-of-many-calls.ts'
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
async function answerTo(request: Situation, held: readonly Permission[]) {
  const opened = openWorld(held, 'bot', request)
  const [code, text] = await askBot(opened, request)
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

it('a bot of many calls gets the same with what it is reported to need, and with one less it does not', async () => {
  // least-privilege.deep.test.ts goes without each permission in turn.
  const SOME = 6
  const all = Object.keys(PermissionFlag).filter((name) => name !== 'ADMINISTRATOR')
  const bot = await openBot(all, Object.keys(Intent))
  const answers = await allOf(bot)
  const events = await eventsOf(bot)
  const access = bot.bed.access()
  expect(calls.length).toBeGreaterThan(60)
  expect(answers.filter((answer) => JSON.parse(answer)[2] >= 300)).toEqual([])
  expect(access.scopes).toEqual(['bot'])
  const { needed } = access.permissions
  const { needed: intents } = access.intents
  const same = await openBot(needed, intents)
  // Sessions of the same bot, each with one intent less.
  const lesser = intents.map((one) => ({ one, left: intents.filter((name) => name !== one) }))
  const sessions = await Promise.all(
    lesser.map(async ({ one, left }) => ({ one, session: await logIn(same.bed, bitsOf(left)) })),
  )
  expect(await allOf(same)).toEqual(answers)
  expect(await eventsOf(same)).toBe(events)
  for (const { one, session } of sessions) expect(await eventsOf(session), `without ${one}`).not.toBe(events)
  for (const one of needed.filter((_, index) => index % SOME === 0)) {
    const less = await openBot(
      needed.filter((name) => name !== one),
      intents,
    )
    expect(await getsTheSame(less, answers, events), `without ${one}`).toBe(false)
    await less.bed.close()
  }
})
