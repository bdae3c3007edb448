import { API } from '@discordjs/core'
import { DiscordAPIError, REST } from '@discordjs/rest'
import { ApplicationCommandPermissionType, ApplicationCommandType, Routes } from 'discord-api-types/v10'
import type { RESTPutAPIApplicationGuildCommandsJSONBody } from 'discord-api-types/v10'
import { describe, expect, test } from 'vitest'
import { APP, GUILD, rich, USER, world } from '../rest/world.ts'
import { hello } from '../../support/fixtures.ts'

/** Makes clients of a service with its options. */
async function clientsOf(options: Parameters<typeof world>[0] = {}): Promise<() => REST> {
  const { url } = await world(options)
  return () => new REST({ api: `${url}/api`, version: '10' }).setToken('bot')
}

const it = test
  .extend('rest', async () => (await clientsOf())())
  .extend('api', ({ rest }) => new API(rest))
  .extend('commands', ({ api }) => api.applicationCommands)

describe('@discordjs/core over @discordjs/rest', () => {
  it('[4.1-01] [4.1-02] [4.1-03] [4.1-04] [4.1-05] lists, creates, reads, edits and deletes global commands', async ({
    commands,
  }) => {
    const created = await commands.createGlobalCommand(APP, rich)
    expect(created).toMatchObject(rich)
    expect(await commands.createGlobalCommand(APP, rich)).toEqual(created)
    expect(await commands.getGlobalCommand(APP, created.id)).toEqual(created)
    const edited = await commands.editGlobalCommand(APP, created.id, { description: 'Edits' })
    expect(edited).toEqual({ ...created, description: 'Edits', version: edited.version })
    expect(await commands.getGlobalCommands(APP, { with_localizations: true })).toEqual([edited])
    const [listed] = await commands.getGlobalCommands(APP)
    expect(listed).not.toHaveProperty('name_localizations')
    expect(await commands.deleteGlobalCommand(APP, created.id)).toBe(undefined)
    expect(await commands.getGlobalCommands(APP)).toEqual([])
  })

  it('[4.2-01] [4.2-02] [4.2-06] replaces guild commands, and keeps their ids', async ({ commands }) => {
    const { id } = await commands.createGuildCommand(APP, GUILD, hello)
    const bodies: RESTPutAPIApplicationGuildCommandsJSONBody = [
      rich,
      { ...hello, description: 'Greets' },
      { name: 'Report', type: ApplicationCommandType.Message },
    ]
    const all = await commands.bulkOverwriteGuildCommands(APP, GUILD, bodies)
    expect(all.map(({ name, guild_id }) => [name, guild_id])).toEqual([
      ['permissions', GUILD],
      ['hello', GUILD],
      ['Report', GUILD],
    ])
    expect(all[1]!.id).toBe(id)
    expect(all[2]!.description).toBe('')
    expect(await commands.bulkOverwriteGuildCommands(APP, GUILD, all as typeof bodies)).toEqual(all)
    expect(await commands.bulkOverwriteGuildCommands(APP, GUILD, [])).toEqual([])
  })

  it('[2.10-08] [2.10-09] lists commands in the language of its header', async ({ commands, rest }) => {
    await commands.createGlobalCommand(APP, rich)
    const list = (await rest.get(Routes.applicationCommands(APP), {
      headers: { 'X-Discord-Locale': 'de' },
    })) as any[]
    expect(list[0]).toMatchObject({
      name_localized: 'rechte',
      description_localized: 'Rechte lesen oder ändern',
    })
    expect(list[0].options[0].options[0].options[1].choices[0].name_localized).toBe('Keine')
  })

  it('[4.3-01] [4.3-02] [4.3-03] edits permissions for a user', async ({ commands }) => {
    const { id } = await commands.createGuildCommand(APP, GUILD, hello)
    const permissions = [{ id: USER, type: ApplicationCommandPermissionType.User, permission: true }]
    const set = await commands.editGuildCommandPermissions('manager', APP, GUILD, id, { permissions })
    expect(set).toEqual({ id, application_id: APP, guild_id: GUILD, permissions })
    expect(await commands.getGuildCommandPermissions(APP, GUILD, id)).toEqual(set)
    expect(await commands.getGuildCommandsPermissions(APP, GUILD)).toEqual([set])
  })

  it('[5-02] refuses permission edits of a bot, which keeps its token', async ({ commands, rest }) => {
    const { id } = await commands.createGuildCommand(APP, GUILD, hello)
    const path = Routes.applicationCommandPermissions(APP, GUILD, id)
    const edit = rest.put(path, { body: { permissions: [] } })
    await expect(edit).rejects.toMatchObject({ status: 403, code: 20001 })
    expect(await rest.get(Routes.applicationCommands(APP))).toEqual([])
  })

  it('[7-01] shows every problem with its path', async ({ commands }) => {
    const wrong = { name: 'Config', description: 'x', options: [{ type: 3, name: 'ok', description: '' }] }
    const overwrite = commands.bulkOverwriteGlobalCommands(APP, [hello, wrong])
    await expect(overwrite).rejects.toBeInstanceOf(DiscordAPIError)
    await expect(overwrite).rejects.toMatchObject({ status: 400, code: 50035 })
    await expect(overwrite).rejects.toThrow('1.name[APPLICATION_COMMAND_INVALID_NAME]')
    await expect(overwrite).rejects.toThrow(
      '1.options[0].description[BASE_TYPE_BAD_LENGTH]: Must be between 1 and 100 in length.',
    )
  })

  it('[7-01] distinguishes an unknown command from missing permissions', async ({ api, commands }) => {
    await expect(commands.getGlobalCommand(APP, '999999999999999999')).rejects.toMatchObject({
      status: 404,
      code: 10063,
      message: 'Unknown application command',
    })
    const { id } = await commands.createGuildCommand(APP, GUILD, hello)
    const none = commands.getGuildCommandPermissions(APP, GUILD, id)
    await expect(none).rejects.toMatchObject({ status: 404, code: 10066 })
    await expect(api.guilds.get(GUILD)).rejects.toMatchObject({ status: 404, code: 0 })
  })

  it('[7-01] waits and retries after 429', async () => {
    const rest = await clientsOf({ rateLimit: { limit: 1, seconds: 0.3 } })
    const limited: number[] = []
    const [first, second] = [rest(), rest()]
    second.on('response', (_, response) => limited.push(response.status))
    await first.get(Routes.applicationCommands(APP))
    // The second client does not share the first one's limits, so the service must send a 429.
    expect(await second.get(Routes.applicationCommands(APP))).toEqual([])
    expect(limited).toEqual([429, 200])
  })

  it('reads the login routes', async ({ api }) => {
    expect(await api.applications.getCurrent()).toMatchObject({ id: APP, name: 'demo' })
    expect(await api.users.getCurrent()).toMatchObject({ id: APP, bot: true })
    expect(await api.gateway.getBot()).toMatchObject({ shards: 1 })
  })
})
