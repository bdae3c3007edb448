import { DiscordHono } from 'discord-hono'
import { describe } from 'vitest'
import { hosted } from '../../support/hosted.ts'
import { appTests, appWorld, remind, remindMe, report, reporting, search, type Hosted } from './app-world.ts'

async function start(): Promise<Hosted> {
  const app = await appWorld([search, remind, report])
  const hono = new DiscordHono({
    discordEnv: () => ({ PUBLIC_KEY: app.publicKey, TOKEN: 'bot', APPLICATION_ID: '1' }),
  })
    .autocomplete(
      'search',
      (c) => {
        const typed = String(c.focused?.value)
        const all = [
          { name: 'Paris', value: 'paris' },
          { name: 'Rome', value: 'rome' },
        ]
        return c.resAutocomplete({ choices: all.filter(({ value }) => value.startsWith(typed)) })
      },
      (c) => {
        const { query, limit, by } = c.var as Record<string, unknown>
        return c.flags('EPHEMERAL').res(`${String(query)}, ${String(limit)}, ${String(by)}`)
      },
    )
    .command('remind', (c) => c.res(`${c.sub.string}: ${String((c.var as Record<string, unknown>).of)}`))
    .command('Report', (c) => c.resDefer())
  return { app, url: await hosted((request) => hono.fetch(request)) }
}

describe('discord-hono', () => {
  appTests(start, [
    [
      '[6-02] [2.10-07] answers a command typed in another language',
      (client) => client.invoke('suche', { begriff: 'paris', limit: 3, by: '7' }),
      { content: 'paris, 3, 7', ephemeral: true },
    ],
    ['[2.11-02] answers a subcommand', remindMe, { content: 'me: tea' }],
    [
      '[6-03] responds to autocomplete',
      (client) => client.autocomplete('search', { query: 'p', limit: 1 }, 'query'),
      { kind: 'choices', choices: [{ name: 'Paris', value: 'paris' }] },
    ],
    ['[2.11-03] defers', reporting('7'), { kind: 'thinking', ephemeral: false }],
  ])
})
