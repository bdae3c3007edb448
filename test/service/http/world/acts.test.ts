/** Acts: one answer for bots and people, and one record for each route that changes something. */
import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { worldRoutes } from '../../../support/service-tables.ts'
import type { Permission } from './act-world.ts'
import { askBot, askPerson, openWorld, type AnyAct, type Answer } from './act-world.ts'
import { situations, type Situation } from './situations.ts'

const folder = new URL('../../../../src/service/world/acts/', import.meta.url)
const modules = await Promise.all(
  readdirSync(folder).map(
    (file) => import(new URL(file, folder).pathname) as Promise<Record<string, unknown>>,
  ),
)
const isAct = (one: unknown): one is AnyAct =>
  typeof one === 'object' && one !== null && 'do' in one && 'summary' in one
const acts = Object.fromEntries(
  modules.flatMap((one) => Object.entries(one).filter((entry): entry is [string, AnyAct] => isAct(entry[1]))),
)

/** Of people alone: Discord has no request of bots for them. */
const OF_PEOPLE = ['blockBots', 'closeDirects', 'openDirects', 'takeVoteBack', 'unblockBots', 'voteInPoll']
/** Bots ask for them over the gateway. */
const OF_GATEWAY = ['joinVoice', 'leaveVoice']
const withoutRoute = [...OF_PEOPLE, ...OF_GATEWAY]

/** All that an act may need, none of it, each alone, and all but each; in words and as a list. */
function setsOf({ needs = [], further = [] }: AnyAct): readonly (readonly [string, readonly Permission[]])[] {
  const own = [...needs, ...further.map(({ permission }) => permission)]
  const given = [
    'BAN_MEMBERS',
    'SPEAK',
    'SEND_MESSAGES',
    'SEND_MESSAGES_IN_THREADS',
    'MANAGE_THREADS',
  ] as const
  const all = [...new Set<Permission>(['VIEW_CHANNEL', 'CREATE_GUILD_EXPRESSIONS', ...own, ...given])]
  return [
    ['all', all],
    ['none', []],
    ...all.map((one) => [`only ${one}`, ['VIEW_CHANNEL', one]] as const),
    ...all.map((one) => [`without ${one}`, all.filter((other) => other !== one)] as const),
  ]
}

/** The answers to a bot and to a person with the same permissions. */
async function bothAnswers(record: AnyAct, situation: Situation, held: readonly Permission[]) {
  const [code, message] = await askBot(openWorld(held, 'bot', situation), situation)
  const own = code === 0 ? '' : message.replaceAll('the bot', 'ada')
  return {
    bot: [code, own] as Answer,
    person: askPerson(openWorld(held, 'person', situation), record, situation),
  }
}

const inShort = (part: unknown) => (JSON.stringify(part) ?? '').slice(0, 80)

describe('an act', () => {
  it('is in a situation of this test', () => {
    expect(
      Object.keys(acts)
        .filter((name) => !withoutRoute.includes(name))
        .sort(),
    ).toEqual(Object.keys(situations).sort())
  })

  it.each(Object.entries(situations))(
    '%s is refused to a person as it is to a bot with the same rights',
    async (name, list) => {
      const record = acts[name]!
      const codes = new Set<number>()
      const read: string[] = []
      for (const situation of list) {
        const different: string[] = []
        let [ofAll, ofNone] = [0, 0]
        for (const [words, held] of setsOf(record)) {
          const { bot, person } = await bothAnswers(record, situation, held)
          expect(person, `${JSON.stringify(situation)} with ${held.join(' ')}`).toEqual(bot)
          const [code] = bot
          codes.add(code)
          if (words === 'all') ofAll = code
          if (words === 'none') ofNone = code
          if (words.startsWith('only') ? code === ofAll && code !== ofNone : code !== ofAll)
            different.push(`${words} ${code}`)
        }
        const [route, ...further] = situation.map((part) => (typeof part === 'string' ? part : inShort(part)))
        read.push([`${route} ${further.join(' ')}: ${ofAll}`, ...different].join('; '))
      }
      // What both are answered with all permissions, where one alone is enough, and where the lack of one changes it.
      expect(`\n${read.join('\n')}\n`).toMatchSnapshot()
      // Each is allowed to somebody, and each that needs something is refused to somebody.
      expect(codes).toContain(0)
      if (record.needs !== undefined || record.further !== undefined) expect(codes.size).toBeGreaterThan(1)
    },
  )

  it('is carried out by a route, and every route that changes something carries one out', () => {
    const used = new Set(worldRoutes.flatMap((route) => route.acts ?? []))
    const unused = Object.keys(acts).filter((name) => !used.has(acts[name]!))
    expect(unused.sort()).toEqual(withoutRoute.toSorted())
    const others = worldRoutes.filter(({ method, acts: own }) => method !== 'GET' && own === undefined)
    // A bot changes itself, and the token of a webhook needs no permission.
    for (const { path } of others)
      expect(path).toMatch(/^\/(?:users\/@me|applications\/|webhooks\/.*\{webhook\.token\})/)
  })
})
