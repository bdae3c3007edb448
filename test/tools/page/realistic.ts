/** A server as large as real ones, for tests of the page: a category comes first, and the bot has no name and answers late. */
import { pendingAnswers, type AnyInteraction } from 'commandry/interactions'
import { guildScope } from 'commandry'
import { openSession, type BotSession } from './session.ts'
import { app, demoGuild as guild } from '../../support/fixtures.ts'
import type { Page, WorkbenchOptions } from './open.ts'

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const VIEW_AND_SEND = '3072'

const roles = [
  { id: guild, name: '@everyone', permissions: `${BigInt(VIEW_AND_SEND) | 2147483648n}` },
  ...many(40, (n) => ({ id: `${9100 + n}`, name: `Role ${n}`, permissions: '0', color: n * 99_999 })),
]

/** Sixty channels in ten categories. In the first channel no one may write. */
const channels = many(10, (c) => [
  { id: `${8000 + c * 10}`, name: `Category ${c}`, type: 4 },
  ...many(6, (n) => ({
    ...{ id: `${8001 + c * 10 + n}`, name: `room-${c}-${n}`, type: 0, parent_id: `${8000 + c * 10}` },
    ...(c + n === 0 && {
      permission_overwrites: [{ id: guild, type: 0 as const, allow: '0', deny: '2048' }],
    }),
  })),
]).flat()

const members = many(500, (n) => ({
  user: { id: `${70_000 + n}`, username: `person${n}` },
  roles: [`${9100 + (n % 40)}`, `${9100 + ((n + 7) % 40)}`],
}))

const slash = (name: string, n: number) => ({
  name,
  description: `Does the thing number ${n}`,
  options: many(n % 5, (k) => ({
    ...{ type: 3 as const, name: `option${k}`, description: 'An option', required: k === 0 },
  })),
})

/** The most global commands, and those of the server. */
export const commands = [
  ...many(100, (n) => slash(`command${n}`, n)),
  ...([2, 3] as const).flatMap((type) => many(5, (n) => ({ type, name: `Menu ${type} ${n}` }))),
]
export const localCommands = many(21, (n) => slash(`local${n}`, 0))

export interface LateBot {
  /** What the bot was asked and has not answered. */
  readonly asked: AnyInteraction[]
  /** Answers the oldest question. */
  release(content: string): void
}

/** A bot at a gateway that answers when a test releases it. */
function lateBot(): { readonly session: BotSession; readonly bot: LateBot } {
  const answers = pendingAnswers()
  const asked: AnyInteraction[] = []
  const gateway = { dispatch: (interaction: AnyInteraction) => asked.push(interaction) }
  const release = (content: string) => {
    const { id, token } = asked.shift()!
    answers.receive(id, token, { type: 4, data: { content } })
  }
  return { session: openSession({ answers, gateway, timeout: 600_000 }), bot: { asked, release } }
}

/** The bot of the last service. */
export let late: LateBot

/** The options of a service with this server. */
export function realistic(): Partial<WorkbenchOptions> {
  const { session, bot } = lateBot()
  late = bot
  return { session, servers: [{ id: guild, name: 'Realistic', roles, channels, members }] }
}

/** The channel that the page begins with. */
export const FIRST = '8002'
/** The first person. */
export const PERSON = '70000'

/** Deploys all commands, writes sixty messages, and opens the page. */
export async function openRealistic(page: Page, query = ''): Promise<void> {
  await page.registry.overwrite(guildScope(app, guild), localCommands)
  await page.open(commands)
  const who = { app, server: guild, channel: FIRST, as: PERSON, lang: 'en-US' }
  for (let n = 0; n < 60; n++)
    await page.answer('does', { ...who, verb: 'say', content: `message **${n}** with \`code\`` })
  await page.load(query)
  await page.counts('.message', 60)
}
