import {
  GenericServer,
  SlashCommand,
  SlashCreator,
  type AutocompleteContext,
  type CommandContext,
} from 'slash-create'
import { describe, expect, it } from 'vitest'
import { checkEndpoint } from 'commandry/interactions'
import { appWorld, hosted, remind, report, search, type AppWorld } from './app-world.ts'

class Search extends SlashCommand {
  constructor(creator: SlashCreator) {
    super(creator, search as never)
  }

  override async run(context: CommandContext) {
    const { query, limit, by } = context.options
    return {
      content: `${query}, ${limit}, ${context.users.get(by)?.username}, ${context.locale}`,
      ephemeral: true,
    }
  }

  override async autocomplete(context: AutocompleteContext) {
    const { query } = context.options
    return ['paris', 'rome'].filter((name) => name.startsWith(query)).map((name) => ({ name, value: name }))
  }
}

class Remind extends SlashCommand {
  constructor(creator: SlashCreator) {
    super(creator, remind as never)
  }

  override async run(context: CommandContext) {
    return `${context.subcommands.join(' ')}: ${context.options.me.of}`
  }
}

class Report extends SlashCommand {
  constructor(creator: SlashCreator) {
    super(creator, report as never)
  }

  override async run(context: CommandContext) {
    return `${context.user.username} reports ${context.targetUser!.username}`
  }
}

async function running(postCallbacks: boolean): Promise<{ app: AppWorld; url: string }> {
  const app = await appWorld([search, remind, report])
  const creator = new SlashCreator({
    applicationID: '1',
    publicKey: app.publicKey,
    token: 'Bot bot',
    postCallbacks,
    rest: { baseURL: `${app.callbacks}/api/v10` },
  })
  const server = new GenericServer()
  creator.registerCommands([Search, Remind, Report])
  creator.withServer(server)
  return { app, url: await hosted((request) => server.endpoint(request)) }
}

describe.each([
  ['in the response', false, 'response'],
  ['by a request of their own', true, 'callback'],
] as const)('slash-create, with answers %s', (_, postCallbacks, via) => {
  it('passes the handshake', async () => {
    const { app, url } = await running(postCallbacks)
    expect(await checkEndpoint('1001', { url, privateKey: app.privateKey })).toEqual([])
  })

  it('[6-02] [2.10-07] [2.11-07] answers a command typed in another language', async () => {
    const { app, url } = await running(postCallbacks)
    const known = { users: { 7: { id: '7', username: 'bob' } } }
    const interaction = await app
      .client()
      .invoke('suche', { begriff: 'paris', limit: 3, by: '7' }, { resolved: known })
    expect(await app.bring(interaction, url)).toMatchObject({
      ok: true,
      via,
      rendered: { kind: 'message', content: 'paris, 3, bob, de', ephemeral: true },
    })
  })

  it('[2.11-02] answers a subcommand, and [2.11-03] a user command', async () => {
    const { app, url } = await running(postCallbacks)
    const subcommand = await app.client().invoke('erinnern mich', { of: 'tea' })
    expect((await app.bring(subcommand, url)).rendered).toMatchObject({ content: 'me: tea' })
    const onUser = await app.client().invokeOnUser('Melden', { id: '7', username: 'bob' })
    expect((await app.bring(onUser, url)).rendered).toMatchObject({ content: 'ada reports bob' })
  })

  it('[6-03] [2.11-05] responds to autocomplete', async () => {
    const { app, url } = await running(postCallbacks)
    const interaction = await app.client().autocomplete('suche', { begriff: 'p' }, 'begriff')
    expect((await app.bring(interaction, url)).rendered).toEqual({
      kind: 'choices',
      choices: [{ name: 'paris', value: 'paris' }],
    })
  })

  it('[2.11-01] answers outside guilds', async () => {
    const { app, url } = await running(postCallbacks)
    const client = app.client({
      guildId: undefined,
      user: { id: '8', username: 'eve' },
      channel: { id: '9' },
    } as never)
    const interaction = await client.invokeOnUser('Melden', { id: '7', username: 'bob' })
    expect((await app.bring(interaction, url)).rendered).toMatchObject({ content: 'eve reports bob' })
  })
})
