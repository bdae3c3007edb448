import { describe, expect, it } from 'vitest'
import {
  ApplicationFlag,
  applicationDirectory,
  CommandRegistry,
  CommandType,
  HandlerType,
  OptionType,
  PermissionFlag,
  type RegistryEvent,
} from 'commandry'
import { ChatClient } from 'commandry/interactions'
import { handClock, HOUR } from '../../support/clock.ts'
import { person, permissions, refused, code, serving } from './person.ts'
import { snowflakeTime } from '../../support/snowflakes.ts'
import { app, everywhere, guild, here, ping } from '../../support/fixtures.ts'

const { STRING, INTEGER } = OptionType
const { EMBED_LINKS, USE_APPLICATION_COMMANDS, SEND_MESSAGES, SEND_MESSAGES_IN_THREADS, VIEW_CHANNEL } =
  PermissionFlag

describe('using a command', () => {
  it('ignores options that belong to another request, such as those of a shared fixture', async () => {
    const { clientOf } = await serving(permissions)
    const client = clientOf({ target: '7', focused: 'user' } as Partial<typeof person>)
    await client.refresh()
    const interaction = await client.invoke('permissions user get', { user: '7' })
    expect(interaction.data).not.toHaveProperty('target_id')
  })

  it('[6-02] sends the app an interaction and notifies the listeners', async () => {
    const { registry, events, client } = await serving(permissions)
    await client.refresh()
    const interaction = await client.invoke('permissions user get', { user: '7' })
    expect(interaction).toMatchObject({
      type: 2,
      application_id: app,
      guild_id: guild,
      channel_id: '4001',
      locale: 'en-US',
      data: { name: 'permissions', resolved: { users: { 7: { id: '7' } } } },
    })
    const get = { type: 1, name: 'get', options: [{ type: 6, name: 'user', value: '7' }] }
    expect(interaction.data.options).toEqual([{ type: 2, name: 'user', options: [get] }])
    const [command] = await registry.list(everywhere)
    const event = { type: 'interaction_created', scope: everywhere, command }
    expect(events).toEqual([{ ...event, handledBy: 'app', interaction, message: null }])
  })

  it('[4.4-01] uses a global command beside a guild one of its name, by its registration, its id or its mention', async () => {
    const { registry, client } = await serving({ ...permissions, type: 1 }, { name: 'Look', type: 2 })
    const own = await registry.overwrite(here, [
      { ...permissions, type: 1 },
      { name: 'Look', type: 2 },
    ])
    const [global, menu] = await registry.list(everywhere)
    const [local] = own.filter(({ type }) => type === 1)
    const user = { user: '7' }
    const used = async (interaction: Promise<{ data: { id: string } }>) => (await interaction).data.id
    expect(await used(client.invoke('permissions user get', user))).toBe(local!.id)
    expect(await used(client.invoke(`</permissions user get:${global!.id}>`, user))).toBe(global!.id)
    expect(await used(client.invoke(`${global!.id} user get`, user))).toBe(global!.id)
    expect(await used(client.invoke(`</permissions user get:${local!.id}>`, user))).toBe(local!.id)
    const given = { subcommand: 'user get', options: user }
    expect(await used(client.invoke(global as { name: string }, given))).toBe(global!.id)
    expect(await used(client.invokeOnUser(menu!.id, '7'))).toBe(menu!.id)
    expect(await used(client.invokeOnUser('Look', '7'))).not.toBe(menu!.id)
    await registry.delete(everywhere, global!.id)
    await client.refresh()
    // Not the guild command of the same name.
    expect(await code(client.invoke(global as { name: string }, given))).toBe('unknown_command')
  })

  it('[2.10-07] accepts the names that the user sees and sends default names', async () => {
    const { clientOf } = await serving(permissions)
    const client = clientOf({ locale: 'de', guildLocale: 'fr' })
    const typed = await client.invoke('/rechte nutzer zeigen', { nutzer: '7', als: 'Liste' })
    const plain = await client.invoke('permissions user get', { user: '7', as: 'list' })
    expect(typed.data).toEqual(plain.data)
    expect([typed.locale, typed.guild_locale]).toEqual(['de', 'fr'])
    expect(client.picker.entries.map(({ name, path }) => [name, path])).toEqual([
      ['rechte nutzer zeigen', 'permissions user get'],
    ])
  })

  it('[2.10-07] prefers a shown name to the default name of another command', async () => {
    const { client, clientOf } = await serving(
      { name: 'stop', description: 'b', name_localizations: { de: 'start' } },
      { name: 'start', description: 'b', name_localizations: { de: 'los' } },
    )
    const german = clientOf({ locale: 'de' })
    expect((await german.invoke('start')).data.name).toBe('stop')
    expect((await german.invoke('los')).data.name).toBe('start')
    expect((await client.invoke('start')).data.name).toBe('start')
  })

  it('[2.11-01] sends the permissions of the member in the channel', async () => {
    const { clientOf } = await serving(ping)
    const overwrite = { id: '5001', type: 0 as const, allow: 0n, deny: EMBED_LINKS }
    const channel = { id: '4001', type: 0, permission_overwrites: [overwrite] }
    const roles = [
      { id: guild, permissions: USE_APPLICATION_COMMANDS | SEND_MESSAGES | EMBED_LINKS | VIEW_CHANNEL },
    ]
    const member = { user: { id: '3001', username: 'ada' }, roles: ['5001'] }
    const { member: sent, channel: place } = await clientOf({ channel, member, roles }).invoke('ping')
    const permissions = String(USE_APPLICATION_COMMANDS | SEND_MESSAGES | VIEW_CHANNEL)
    expect(sent).toMatchObject({ permissions, user: { username: 'ada' } })
    expect(place).toEqual({ id: '4001', type: 0 })
  })

  it('sends a user in a DM', async () => {
    const { registry } = await serving(ping)
    const inDm = { channel: { id: '4001', type: 1 }, user: { id: '3001', username: 'ada' }, locale: 'de' }
    const client = new ChatClient(registry, { applicationId: app, ...inDm })
    expect(await client.invoke('ping')).toMatchObject({ context: 1, user: { username: 'ada' }, locale: 'de' })
  })

  it('rejects an invalid description of the user', () => {
    const registry = new CommandRegistry()
    const homeless = { applicationId: app, guildId: guild, locale: 'de' }
    for (const wrong of [{ ...person, applicationId: 'x' }, { ...person, guildId: 'x' }, homeless])
      expect(() => new ChatClient(registry, wrong as never)).toThrow(TypeError)
  })
})

it('[2.10-07] uses the last of two names for one option', async () => {
  const { clientOf } = await serving(permissions)
  const client = clientOf({ locale: 'de' })
  const { data } = await client.invoke('rechte nutzer zeigen', { nutzer: '7', user: '8' })
  expect(Object.keys(data.resolved!.users!)).toEqual(['8'])
})

describe('user and message commands', () => {
  const report = { type: CommandType.USER, name: 'Report', name_localizations: { de: 'Melden' } }
  const pin = { type: CommandType.MESSAGE, name: 'Pin It' }

  it('[2.11-03] carry their target', async () => {
    const { clientOf } = await serving(report, pin)
    const client = clientOf({ locale: 'de' })
    const onUser = await client.invokeOnUser('Melden', { id: '7', username: 'bob' })
    expect(onUser.data).toMatchObject({ type: 2, name: 'Report', target_id: '7' })
    expect(onUser.data.resolved.users['7']!.username).toBe('bob')
    expect((await client.invokeOnUser('Report', '7')).data.target_id).toBe('7')
    const onMessage = await client.invokeOnMessage('Pin It', { id: '8', content: 'hello' })
    expect(onMessage.data.resolved.messages['8']).toMatchObject({ content: 'hello', channel_id: '4001' })
    expect(await code(client.invokeOnMessage('Report', '8'))).toBe('unknown_command')
    expect(await code(client.invokeOnUser('Report', 'bob'))).toBe('invalid_options')
    expect(await code(client.invoke('Report'))).toBe('unknown_command')
  })

  it('[2.11-04] [7-01] are refused to members who cannot send messages in the channel', async () => {
    const { clientOf, events } = await serving(report, pin, ping)
    const mute = clientOf({ member: { ...person.member, permissions: USE_APPLICATION_COMMANDS } })
    const uses = {
      user: () => mute.invokeOnUser('Report', '7'),
      message: () => mute.invokeOnMessage('Pin It', '8'),
    }
    for (const [kind, use] of Object.entries(uses)) {
      const error = await refused(use())
      expect(error).toMatchObject({ code: 'permission_denied', access: null })
      const message = `the member may not send messages in this channel, which ${kind} commands require`
      expect(error!.message).toBe(message)
      expect(error!.toBody()).toEqual({ message: 'You lack permissions to perform that action', code: 50013 })
    }
    // The service does not refuse a slash command: the client has no text box for it (commandry/testbed).
    await mute.invoke('ping')
    expect(events).toHaveLength(1)
  })

  it('[2.11-04] check the thread permission in threads and nothing when permissions are unknown', async () => {
    const { registry, clientOf } = await serving(report)
    const channel = { id: '4002', type: 11, parent_id: '4001' }
    const inThread = (permissions: bigint) => {
      const client = clientOf({ channel, member: { ...person.member, permissions } })
      return code(client.invokeOnUser('Report', '7'))
    }
    expect(await inThread(USE_APPLICATION_COMMANDS | SEND_MESSAGES)).toBe('permission_denied')
    expect(await inThread(USE_APPLICATION_COMMANDS | SEND_MESSAGES_IN_THREADS)).toBeUndefined()
    const { permissions: _permissions, ...unknown } = person.member
    expect(await code(clientOf({ member: unknown }).invokeOnUser('Report', '7'))).toBeUndefined()
    const direct = { applicationId: app, locale: 'de', user: { id: '3001' } }
    expect(await code(new ChatClient(registry, direct).invokeOnUser('Report', '7'))).toBeUndefined()
  })
})

describe('the copy of commands', () => {
  it('[2.11-06] [7-01] reloads a stale command, so that the next call succeeds', async () => {
    const { registry, events, client } = await serving(ping, { name: 'roll', description: 'b' })
    await client.refresh()
    const [command, other] = await registry.list(everywhere)
    const edited = await registry.edit(everywhere, command!.id, { description: 'Says pong, quickly' })
    await registry.edit(everywhere, other!.id, { description: 'c' })
    events.length = 0
    const error = await refused(client.invoke('ping'))
    expect(error).toMatchObject({ code: 'stale_command', commandId: command!.id })
    const message = 'This command is outdated, please try again in a few minutes'
    const outdated = { code: 'INTERACTION_APPLICATION_COMMAND_INVALID_VERSION', message }
    const errors = { data: { _errors: [outdated] } }
    expect(error!.toBody()).toEqual({ message: 'Invalid Form Body', code: 50035, errors })
    expect(events).toEqual([])
    expect((await client.invoke('ping')).data.id).toBe(command!.id)
    // Only that command was reloaded.
    expect(client.commands.map(({ version }) => version)).toEqual([edited.version, other!.version])
    expect(await code(client.invoke('roll'))).toBe('stale_command')
  })

  it('[2.11-06] validates with its own version until it is reloaded', async () => {
    const { registry, client } = await serving({ name: 'roll', description: 'b' })
    await client.refresh()
    const options = [{ type: INTEGER, name: 'sides', description: 'b', required: true }]
    await registry.upsert(everywhere, { name: 'roll', description: 'b', options })
    expect(await code(client.invoke('roll', { sides: 6 }))).toBe('invalid_options')
    expect(await code(client.invoke('roll'))).toBe('stale_command')
    expect(await code(client.invoke('roll'))).toBe('invalid_options')
    expect((await client.invoke('roll', { sides: 6 })).data.options).toHaveLength(1)
  })

  it('drops deleted commands, and adds new ones on refresh', async () => {
    const { registry, client } = await serving(ping)
    await client.refresh()
    const { id } = (await registry.list(everywhere))[0]!
    await registry.delete(everywhere, id)
    await registry.upsert(everywhere, { name: 'roll', description: 'b' })
    expect(await refused(client.invoke('ping'))).toMatchObject({ code: 'unknown_command', commandId: id })
    expect(client.commands).toEqual([])
    expect(await refused(client.invoke('ping'))).toMatchObject({ code: 'unknown_command', commandId: null })
    expect(await code(client.invoke('roll'))).toBe('unknown_command')
    await client.refresh()
    expect(await code(client.invoke('roll'))).toBeUndefined()
  })

  it('[4.2-02] [4.2-04] is never stale for guild commands', async () => {
    const { registry, client } = await serving()
    await client.refresh()
    const { command } = await registry.upsert(here, ping)
    await client.invoke('ping')
    await registry.edit(here, command.id, { name: 'pong' })
    expect((await client.invoke('pong')).data).toMatchObject({ name: 'pong', guild_id: guild })
    await registry.delete(here, command.id)
    expect(await code(client.invoke('pong'))).toBe('unknown_command')
  })

  it('prefers a guild command to a global one of the same name', async () => {
    const { registry, client } = await serving(ping)
    const { command } = await registry.upsert(here, ping)
    expect((await client.invoke('ping')).data.id).toBe(command.id)
  })

  it('is loaded on first use, and empty before', async () => {
    const { client } = await serving(ping)
    expect([client.commands, client.picker.entries]).toEqual([[], []])
    expect(client.picker).not.toHaveProperty('hidden')
    await client.invoke('ping')
    expect(client.picker.entries.map(({ path }) => path)).toEqual(['ping'])
  })
})

describe('autocomplete', () => {
  const typed = { description: 'b', autocomplete: true, required: true }
  const query = { ...typed, type: STRING, name: 'query', name_localizations: { de: 'suche' } }
  const options = [query, { ...typed, type: INTEGER, name: 'page' }]
  const search = { name: 'search', description: 'b', options }

  it('[2.11-05] [6-03] sends the app an interaction while the user types', async () => {
    const { events, clientOf } = await serving(search)
    const client = clientOf({ locale: 'de' })
    const interaction = await client.autocomplete('search', { suche: 'par' }, 'suche')
    expect(interaction.data).toEqual({
      id: interaction.data.id,
      name: 'search',
      type: 1,
      version: client.commands[0]!.version,
      options: [{ name: 'query', type: 3, value: 'par', focused: true }],
    })
    expect(interaction.type).toBe(4)
    expect(events).toMatchObject([{ type: 'interaction_created', handledBy: 'app', interaction }])
  })

  it('[2.11-05] rejects what Discord would refuse and sends nothing', async () => {
    const { events, client } = await serving(search)
    expect(await code(client.autocomplete('search', { page: 'x' }, 'page'))).toBe('invalid_options')
    expect(await code(client.autocomplete('search', {}, 'nothing'))).toBe('invalid_options')
    expect(events).toEqual([])
  })
})

describe('entry points', () => {
  it('[2.3-01] [2.3-03] send the app an interaction with APP_HANDLER', async () => {
    const body = { type: CommandType.PRIMARY_ENTRY_POINT, name: 'Play', handler: HandlerType.APP_HANDLER }
    const { events, client } = await serving(body)
    const launched = await client.launch()
    const interaction = { type: 2, data: { name: 'Play', type: 4 } }
    expect(launched).toMatchObject({ handledBy: 'app', interaction })
    expect(events).toMatchObject([{ handledBy: 'app', interaction: launched.interaction, message: null }])
  })

  it('[2.3-02] [2.3-03] send nothing with SERVICE_LAUNCH_ACTIVITY', async () => {
    const applications = applicationDirectory([{ id: app, flags: ApplicationFlag.EMBEDDED }])
    const registry = new CommandRegistry({ applications })
    const command = await registry.enableActivities(app)
    const events: RegistryEvent[] = []
    registry.subscribe((event) => void events.push(event))
    const launched = await new ChatClient(registry, {
      ...person,
      member: { ...person.member, user: { id: '3001', username: 'ada' } },
    }).launch()
    expect(launched).toMatchObject({
      handledBy: 'service',
      interaction: null,
      message: { channel_id: '4001', content: 'ada used Launch', author: { id: '3001' } },
    })
    const event = { type: 'interaction_created', scope: everywhere, command }
    expect(events).toEqual([{ ...event, ...launched }])
  })

  it('[2.11-06] are refused when they are stale, hidden or unknown', async () => {
    const { registry, client } = await serving({ type: CommandType.PRIMARY_ENTRY_POINT, name: 'Play' })
    await client.refresh()
    const { id } = (await registry.list(everywhere))[0]!
    await registry.edit(everywhere, id, { contexts: [1] })
    expect(await code(client.launch())).toBe('stale_command')
    expect(await code(client.launch())).toBe('wrong_context')
    await registry.delete(everywhere, id)
    await client.refresh()
    expect(await code(client.launch())).toBe('unknown_command')
  })
})

describe('ids and names of the service', () => {
  it('[2.1-01] give different ids to interactions and commands of one millisecond', async () => {
    const clock = handClock()
    const registry = new CommandRegistry({ clock })
    const clients = [new ChatClient(registry, person), new ChatClient(registry, person)]
    const { command } = await registry.upsert(everywhere, ping)
    const seen = new Set<string>([command.id, command.version])
    for (let i = 0; i < 20; i++) {
      const made = await registry.upsert(everywhere, { name: `c${i}`, description: 'b' })
      seen.add(made.command.id).add(made.command.version)
      for (const client of clients) seen.add((await client.invoke('ping')).id)
    }
    // An id and a version may be the same snowflake; an interaction has its own.
    const commands = await registry.list(everywhere)
    const own = new Set(commands.flatMap(({ id, version }) => [id, version]))
    expect(seen.size).toBe(own.size + 40)
    clock.advance(HOUR)
    expect(snowflakeTime((await clients[0]!.invoke('ping')).id)).toBe(clock.now())
  })

  it('[2.3-03] shows the display name of the user in the message of an Activity', async () => {
    const registry = new CommandRegistry()
    await registry.enableActivities(app)
    const of = async (user: object) => {
      const member = { ...person.member, user: { id: '3001', ...user } }
      return (await new ChatClient(registry, { ...person, member }).launch()).message?.content
    }
    expect(await of({ username: 'ada', global_name: 'Ada L.' })).toBe('Ada L. used Launch')
    expect(await of({ username: 'ada', global_name: null })).toBe('ada used Launch')
  })
})
