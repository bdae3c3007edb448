import { DiscordHono } from 'discord-hono'
import { beforeAll, describe, expect, it } from 'vitest'
import { checkEndpoint } from 'commandry/interactions'
import { appWorld, hosted, remind, report, search, type AppWorld } from './app-world.ts'

describe('discord-hono', () => {
  let app: AppWorld
  let url: string

  beforeAll(async () => {
    app = await appWorld([search, remind, report])
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
    url = await hosted((request) => hono.fetch(request))
  })

  it('passes the handshake', async () => {
    expect(await checkEndpoint('1001', { url, privateKey: app.privateKey })).toEqual([])
  })

  it('[6-02] [2.10-07] answers a command typed in another language', async () => {
    const interaction = await app.client().invoke('suche', { begriff: 'paris', limit: 3, by: '7' })
    expect((await app.bring(interaction, url)).rendered).toMatchObject({
      content: 'paris, 3, 7',
      ephemeral: true,
    })
  })

  it('[2.11-02] answers a subcommand', async () => {
    const interaction = await app.client().invoke('erinnern mich', { of: 'tea' })
    expect((await app.bring(interaction, url)).rendered).toMatchObject({ content: 'me: tea' })
  })

  it('[6-03] responds to autocomplete', async () => {
    const interaction = await app.client().autocomplete('search', { query: 'p', limit: 1 }, 'query')
    expect((await app.bring(interaction, url)).rendered).toEqual({
      kind: 'choices',
      choices: [{ name: 'Paris', value: 'paris' }],
    })
  })

  it('[2.11-03] defers', async () => {
    const interaction = await app.client().invokeOnUser('Report', '7')
    expect((await app.bring(interaction, url)).rendered).toEqual({ kind: 'thinking', ephemeral: false })
  })
})
