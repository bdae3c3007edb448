import { ApplicationCommandTypes, Client, DiscordRESTError, RateLimitedError } from 'oceanic.js'
import type { EditChatInputApplicationCommandOptions } from 'oceanic.js'
import { expect, test } from 'vitest'
import { APP, GUILD, rich, USER, world } from './world.ts'

const clientOf = ({ url }: { readonly url: string }) =>
  new Client({ auth: 'Bot bot', rest: { baseURL: `${url}/api/v10` } })

const it = test
  .extend('client', async () => clientOf(await world()))
  .extend('applications', ({ client }) => client.rest.applications)

const hello = { type: ApplicationCommandTypes.CHAT_INPUT, name: 'hello', description: 'Says hello' } as const

/** The same command as this client writes it. */
const richer = {
  type: ApplicationCommandTypes.CHAT_INPUT,
  name: rich.name,
  nameLocalizations: rich.name_localizations,
  description: rich.description,
  descriptionLocalizations: rich.description_localizations,
  defaultMemberPermissions: '8',
} as const

it('oceanic.js starts without a gateway', async ({ client }) => {
  const started = await client.restMode()
  expect([started.application.id, started.user.id]).toEqual([APP, APP])
})

it('[4.1-01] [4.1-02] [4.1-03] [4.1-04] [4.1-05] [2.10-08] oceanic.js lists, creates, reads, edits and deletes global commands', async ({
  applications,
}) => {
  const created = await applications.createGlobalCommand(APP, richer)
  expect(created.defaultMemberPermissions?.has('ADMINISTRATOR')).toBe(true)
  const one = await applications.getGlobalCommand(APP, created.id, {
    withLocalizations: true,
    locale: 'de',
  })
  expect(one.nameLocalizations).toEqual(rich.name_localizations)
  const [german] = await applications.getGlobalCommands(APP, { withLocalizations: false, locale: 'de' })
  expect([german!.nameLocalized, german!.descriptionLocalized]).toEqual([
    'rechte',
    'Rechte lesen oder ändern',
  ])
  const [full] = await applications.getGlobalCommands(APP, { withLocalizations: true })
  expect(full!.nameLocalizations).toEqual(rich.name_localizations)
  const changes: EditChatInputApplicationCommandOptions = { description: 'Edits' }
  const edited = await applications.editGlobalCommand(APP, created.id, changes)
  expect([edited.description, edited.nameLocalizations]).toEqual(['Edits', rich.name_localizations])
  await applications.deleteGlobalCommand(APP, created.id)
  expect(await applications.getGlobalCommands(APP)).toEqual([])
})

it('[4.2-02] [4.2-03] [4.2-05] [4.2-06] oceanic.js edits guild commands', async ({ applications }) => {
  const { id } = await applications.createGuildCommand(APP, GUILD, hello)
  const all = await applications.bulkEditGuildCommands(APP, GUILD, [
    { type: ApplicationCommandTypes.USER, name: 'High Five' },
    hello,
  ])
  expect(all.map((command) => command.name)).toEqual(['High Five', 'hello'])
  expect(all[1]!.id).toBe(id)
  expect((await applications.getGuildCommand(APP, GUILD, id)).guildID).toBe(GUILD)
  await applications.deleteGuildCommand(APP, GUILD, id)
  expect((await applications.getGuildCommands(APP, GUILD)).map((command) => command.name)).toEqual([
    'High Five',
  ])
  expect(await applications.bulkEditGlobalCommands(APP, [])).toEqual([])
})

it('[4.3-01] [4.3-02] [4.3-03] oceanic.js edits permissions for a user', async ({ applications }) => {
  const { id } = await applications.createGuildCommand(APP, GUILD, hello)
  const permissions = [{ id: USER, type: 2, permission: true }] as const
  const set = await applications.editGuildCommandPermissions(APP, GUILD, id, {
    accessToken: 'Bearer manager',
    permissions: [...permissions],
  })
  expect(set.permissions).toEqual(permissions)
  expect((await applications.getGuildPermission(APP, GUILD, id)).permissions).toEqual(permissions)
  expect((await applications.getGuildPermissions(APP, GUILD)).map((entry) => entry.id)).toEqual([id])
})

it('[7-01] oceanic.js shows the code and the path of every problem', async ({ applications }) => {
  const set = applications.bulkEditGlobalCommands(APP, [hello, { ...hello, name: 'Wrong', description: '' }])
  await expect(set).rejects.toBeInstanceOf(DiscordRESTError)
  await expect(set).rejects.toMatchObject({ code: 50035, status: 400 })
  await expect(set).rejects.toThrow('1.name: Command name is invalid')
  await expect(set).rejects.toThrow('1.description: Must be between 1 and 100 in length.')
  await expect(applications.getGlobalCommand(APP, '999999999999999999')).rejects.toMatchObject({
    code: 10063,
    status: 404,
  })
})

it('[8-02] oceanic.js sends updates immediately after a refused create', async ({ applications }) => {
  const named = (prefix: string) =>
    Array.from({ length: 100 }, (_, i) => ({ ...hello, name: `${prefix}${i}` }))
  await applications.bulkEditGuildCommands(APP, GUILD, named('a'))
  await applications.bulkEditGuildCommands(APP, GUILD, named('b'))
  const [kept] = await applications.bulkEditGuildCommands(APP, GUILD, [{ ...hello, name: 'b7' }])
  await expect(applications.createGuildCommand(APP, GUILD, hello)).rejects.toBeInstanceOf(RateLimitedError)
  const again = { ...hello, name: 'b7', description: 'Again' }
  const updated = await applications.createGuildCommand(APP, GUILD, again)
  expect([updated.id, updated.description]).toEqual([kept!.id, 'Again'])
})

it('[7-01] oceanic.js waits and retries after 429', async () => {
  const limited = await world({ rateLimit: { limit: 1, seconds: 0.2 } })
  await clientOf(limited).rest.applications.getGlobalCommands(APP)
  const told: unknown[] = []
  const second = clientOf(limited)
  second.on('request', ({ responseBody }) => told.push(responseBody))
  // The second client does not share the first one's limits, so the service must send a 429.
  expect(await second.rest.applications.getGlobalCommands(APP)).toEqual([])
  expect(told).toEqual([
    expect.objectContaining({ message: 'You are being rate limited.', global: false }),
    [],
  ])
})
