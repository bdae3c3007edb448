import {
  ApplicationCommandOptionType,
  ApplicationCommandPermissionType,
  Client,
  ClientApplication,
  ContextMenuCommandBuilder,
  ApplicationCommandType,
  DiscordAPIError,
  Locale,
  PermissionFlagsBits,
  SlashCommandBuilder,
} from 'discord.js'
import { expect, test } from 'vitest'
import { APP, GUILD, rich, USER, world } from '../rest/world.ts'
import { hello } from '../../support/fixtures.ts'

/** The flags of all privileged intents, which an application without flags has. */
const EVERY_INTENT = (1 << 13) | (1 << 15) | (1 << 19)

/** A client without a connection; the part that its gateway would set up is set by hand. */
async function application(): Promise<ClientApplication> {
  const { url } = await world()
  const client = new Client({ intents: [], rest: { api: `${url}/api` } })
  client.rest.setToken('bot')
  const Application = ClientApplication as unknown as new (client: Client, data: object) => ClientApplication
  return (client.application = new Application(client, { id: APP }))
}

const it = test
  .extend('application', () => application())
  .extend('commands', ({ application }) => application.commands)
const token = 'manager'

it('[4.1-02] [4.1-03] [4.1-04] [4.1-05] discord.js edits commands', async ({ commands }) => {
  const created = await commands.create(
    new SlashCommandBuilder()
      .setName('ban')
      .setDescription('Bans')
      .setDescriptionLocalization(Locale.German, 'Verbannt')
      .setDefaultMemberPermissions(PermissionFlagsBits.BanMembers)
      .addUserOption((option) => option.setName('who').setDescription('Whom').setRequired(true))
      .addIntegerOption((option) =>
        option.setName('days').setDescription('How long').setMinValue(0).setMaxValue(7),
      ),
  )
  expect(created.defaultMemberPermissions?.has(PermissionFlagsBits.BanMembers)).toBe(true)
  expect(created.descriptionLocalizations).toEqual({ de: 'Verbannt' })
  expect(created.options[1]).toMatchObject({
    type: ApplicationCommandOptionType.Integer,
    minValue: 0,
    maxValue: 7,
  })
  const fetched = await commands.fetch(created.id, { force: true })
  expect(fetched.equals(created)).toBe(true)
  const edited = await created.edit({ description: 'Bans somebody' })
  expect([edited.description, edited.options.length]).toEqual(['Bans somebody', 2])
  await edited.delete()
  expect((await commands.fetch({ cache: false })).size).toBe(0)
})

it('[4.1-01] [2.10-08] discord.js lists with and without localizations', async ({ commands }) => {
  await commands.create(rich)
  commands.cache.clear()
  const full = (await commands.fetch({ cache: false, withLocalizations: true })).first()!
  expect(full.nameLocalizations).toEqual(rich.name_localizations)
  expect(full.nameLocalized).toBe(null)
  const german = (await commands.fetch({ cache: false, locale: Locale.German })).first()!
  expect([german.nameLocalized, german.nameLocalizations]).toEqual(['rechte', null])
  // It sends the header even without a locale.
  expect((await commands.fetch({ cache: false })).first()!.nameLocalized).toBe(null)
})

it('[4.1-06] [4.2-06] discord.js sets whole lists', async ({ commands }) => {
  const first = await commands.set([hello, rich])
  const again = await commands.set([rich, { ...hello, description: 'Greets' }])
  expect([...again.keys()]).toEqual([...first.keys()].reverse())
  const report = new ContextMenuCommandBuilder()
    .setName('Report this')
    .setType(ApplicationCommandType.Message)
  const inGuild = await commands.set([report, hello], GUILD)
  expect(inGuild.map(({ name, guildId, description }) => [name, guildId, description])).toEqual([
    ['Report this', GUILD, ''],
    ['hello', GUILD, 'Says hello'],
  ])
  expect((await commands.set([])).size).toBe(0)
})

it('[4.3-01] [4.3-02] [4.3-03] discord.js edits permissions', async ({ commands }) => {
  const { id: command } = await commands.create(hello, GUILD)
  const at = { guild: GUILD, command, token }
  const user = { id: USER, type: ApplicationCommandPermissionType.User, permission: true } as const
  const role = { id: GUILD, type: ApplicationCommandPermissionType.Role, permission: false } as const
  // Adding to absent permissions relies on code 10066.
  expect(await commands.permissions.add({ ...at, permissions: [user] })).toEqual([user])
  expect(await commands.permissions.add({ ...at, permissions: [role] })).toEqual([role, user])
  expect(await commands.permissions.has({ guild: GUILD, command, permissionId: USER })).toBe(true)
  expect(await commands.permissions.remove({ ...at, users: [USER] })).toEqual([role])
  expect(await commands.permissions.fetch({ guild: GUILD, command })).toEqual([role])
  expect(await commands.permissions.set({ ...at, permissions: [] })).toEqual([])
  expect(await commands.permissions.has({ guild: GUILD, command, permissionId: USER })).toBe(false)
})

it('[7-01] discord.js shows the code and the path of every problem', async ({ commands }) => {
  const set = commands.set([hello, { name: 'Wrong', description: '' }])
  await expect(set).rejects.toBeInstanceOf(DiscordAPIError)
  await expect(set).rejects.toMatchObject({ code: 50035, status: 400 })
  await expect(set).rejects.toThrow('1.name[APPLICATION_COMMAND_INVALID_NAME]: Command name is invalid')
  await expect(set).rejects.toThrow(
    '1.description[BASE_TYPE_BAD_LENGTH]: Must be between 1 and 100 in length.',
  )
  await expect(commands.fetch('999999999999999999')).rejects.toMatchObject({ code: 10063, status: 404 })
  await expect(commands.fetch({ guildId: '999999999999999999' })).rejects.toMatchObject({
    code: 50001,
    status: 403,
  })
})

it('discord.js reads its own application', async ({ application }) => {
  const own = await application.fetch()
  expect([own.id, own.name, own.flags.bitfield]).toEqual([APP, 'demo', EVERY_INTENT])
})
