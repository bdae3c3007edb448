import { GenericServer, SlashCommand, SlashCreator } from 'slash-create'
import type { AutocompleteContext, CommandContext } from 'slash-create'
import { describe, expect, it } from 'vitest'
import { appTests, appWorld, choicesOf, remind, remindMe, report } from './app-world.ts'
import { reporting, search, typing, type Hosted } from './app-world.ts'
import { hosted } from '../../support/hosted.ts'

const commandOf = (definition: object) =>
  class extends SlashCommand {
    constructor(creator: SlashCreator) {
      super(creator, definition as never)
    }
  }

class Search extends commandOf(search) {
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

class Remind extends commandOf(remind) {
  override async run(context: CommandContext) {
    return `${context.subcommands.join(' ')}: ${context.options.me.of}`
  }
}

class Report extends commandOf(report) {
  override async run(context: CommandContext) {
    return `${context.user.username} reports ${context.targetUser!.username}`
  }
}

async function start(postCallbacks: boolean): Promise<Hosted> {
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

const bob = { id: '7', username: 'bob' }

describe.each([
  ['in the response', false, 'response'],
  ['by a request of their own', true, 'callback'],
] as const)('slash-create, with answers %s', (_, postCallbacks, via) => {
  appTests(
    () => start(postCallbacks),
    [
      ['[2.11-02] answers a subcommand', remindMe, { content: 'me: tea' }],
      ['[2.11-03] answers a user command', reporting(bob), { content: 'ada reports bob' }],
      ['[6-03] [2.11-05] responds to autocomplete', typing('p'), choicesOf('paris')],
    ],
  )

  it('[6-02] [2.10-07] [2.11-07] answers a command typed in another language', async () => {
    const { app, url } = await start(postCallbacks)
    const given = { begriff: 'paris', limit: 3, by: '7' }
    const interaction = await app.client().invoke('suche', given, { resolved: { users: { 7: bob } } })
    expect(await app.bring(interaction, url)).toMatchObject({
      ok: true,
      via,
      rendered: { kind: 'message', content: 'paris, 3, bob, de', ephemeral: true },
    })
  })

  it('[2.11-01] answers outside guilds', async () => {
    const { app, url } = await start(postCallbacks)
    const outside = { guildId: undefined, user: { id: '8', username: 'eve' }, channel: { id: '9' } }
    const interaction = await reporting(bob)(app.client(outside as never))
    expect((await app.bring(interaction, url)).rendered).toMatchObject({ content: 'eve reports bob' })
  })
})
