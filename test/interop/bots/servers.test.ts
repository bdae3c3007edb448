/** Bots of real libraries change servers through their ordinary methods, and hear of what people do. */
import { once } from 'node:events'
import { ChannelType as Kind, Client, Events, Partials, type Guild, type TextChannel } from 'discord.js'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { ChannelType } from 'commandry'
import { testbed, type Testbed } from 'commandry/testbed'
import { redirectInFolder, python, startBot } from './bot-program.ts'

const SERVER = '100000000000002001'
const ADA = '100000000000003001'
const GRACE = '100000000000003002'
const ALAN = '100000000000003003'

const channels = [
  { id: '100000000000004001', name: 'general', type: ChannelType.GUILD_TEXT },
  { id: '100000000000004005', name: 'Lounge', type: ChannelType.GUILD_VOICE },
]

let bed: Testbed
let client: Client | undefined

async function login(roles?: readonly string[]): Promise<Guild> {
  const people = [
    { user: { id: ADA, username: 'ada' }, voice_channel_id: '100000000000004005' },
    { user: { id: GRACE, username: 'grace' }, roles: ['100000000000005001'] },
    { user: { id: ALAN, username: 'alan' }, roles: ['100000000000005002'] },
  ]
  bed = await testbed({
    ws: { WebSocketServer },
    servers: [{ id: SERVER, name: 'Demo Server', channels, members: people }],
    ...(roles && { bot: { roles } }),
  })
  client = new Client({
    intents: [
      ...(['Guilds', 'GuildMembers', 'GuildModeration', 'GuildMessages', 'GuildMessageReactions'] as const),
      ...(['GuildVoiceStates', 'MessageContent', 'DirectMessages'] as const),
    ],
    partials: [Partials.Channel],
    rest: { api: bed.rest },
  })
  await client.login(bed.token)
  // Listeners may be added after the login.
  await once(client, Events.ClientReady)
  return client.guilds.fetch(SERVER)
}

afterEach(async () => {
  await client?.destroy()
  client = undefined
  await bed.close()
})

const it = test.extend('guild', () => login())
const next = async (event: string) => (await once(client!, event))[0]
const general = (guild: Guild) => guild.channels.cache.get('100000000000004001') as TextChannel

describe('discord.js', () => {
  it('bans, ends bans and kicks, and gets the events', async ({ guild }) => {
    const alan = await guild.members.fetch(ALAN)
    expect([alan.bannable, alan.kickable, alan.moderatable]).toEqual([true, true, false])
    const [left, banned] = [next(Events.GuildMemberRemove), next(Events.GuildBanAdd)]
    await alan.ban({ reason: 'Spam & more', deleteMessageSeconds: 3600 })
    expect([(await left).id, (await banned).user.id]).toEqual([ALAN, ALAN])
    const ban = await guild.bans.fetch(ALAN)
    expect(ban).toMatchObject({ reason: 'Spam & more', user: { username: 'alan' } })
    expect(guild.members.cache.has(ALAN)).toBe(false)
    expect((await guild.bans.fetch()).size).toBe(1)
    await guild.members.unban(ALAN)
    await expect(guild.bans.fetch(ALAN)).rejects.toMatchObject({ code: 10026 })
    await (await guild.members.fetch(ADA)).kick()
    await expect(guild.members.fetch({ user: ADA, force: true })).rejects.toMatchObject({ code: 10007 })
    expect(Object.keys(bed.people)).toEqual(['grace'])
  })

  it('gives roles, names and time-outs', async ({ guild }) => {
    const ada = await guild.members.fetch(ADA)
    const role = await guild.roles.create({
      name: 'Helpers',
      colors: { primaryColor: 0xff0000 },
      permissions: ['KickMembers'],
    })
    expect([role.name, role.hexColor, role.editable]).toEqual(['Helpers', '#ff0000', true])
    const updated = once(client!, Events.GuildMemberUpdate)
    await ada.roles.add(role)
    expect((await updated)[1].roles.cache.has(role.id)).toBe(true)
    await ada.setNickname('Countess')
    await ada.timeout(60_000)
    const again = await guild.members.fetch({ user: ADA, force: true })
    expect([again.displayName, again.isCommunicationDisabled()]).toEqual(['Countess', true])
    expect(again.roles.cache.has(role.id)).toBe(true)
    await role.setName('Friends')
    await again.roles.remove(role)
    await role.delete()
    expect((await guild.roles.fetch()).map(({ name }) => name)).not.toContain('Friends')
    expect((await guild.members.search({ query: 'count' })).map(({ id }) => id)).toEqual([ADA])
  })

  it('is refused without the permission or above its role, with a message that says why', async () => {
    const guild = await login(['100000000000005001'])
    const ban = guild.members.ban(ALAN)
    const refused = (reason: string) => ({ code: 50013, message: `Missing Permissions: the bot${reason}` })
    await expect(ban).rejects.toMatchObject(
      refused(
        `'s highest role in Demo Server, Moderators, is not above the role Administrators, which alan has`,
      ),
    )
    await expect(guild.roles.create()).rejects.toMatchObject(refused(' lacks MANAGE_ROLES in Demo Server'))
    expect(guild.members.me!.permissions.has('BanMembers')).toBe(true)
    expect((await guild.members.fetch(ADA)).bannable).toBe(true)
  })

  it('sends, edits, reacts to, reads, purges and deletes messages', async ({ guild }) => {
    const channel = general(guild)
    const created = next(Events.MessageCreate)
    const message = await channel.send({ content: `Hello <@${ADA}>`, embeds: [{ title: 'News' }] })
    expect((await created).id).toBe(message.id)
    expect(message).toMatchObject({ embeds: [{ title: 'News' }], author: { id: bed.applicationId } })
    expect(message.mentions.users.has(ADA)).toBe(true)
    expect((await message.edit('Bye')).editedTimestamp).not.toBe(null)
    const reacted = next(Events.MessageReactionAdd)
    await message.react('👍')
    expect((await reacted).emoji.name).toBe('👍')
    const reply = await message.reply('Indeed')
    expect(reply.reference?.messageId).toBe(message.id)
    const fetched = await channel.messages.fetch({ message: message.id, force: true })
    expect([fetched.content, fetched.reactions.cache.get('👍')!.me]).toEqual(['Bye', true])
    await fetched.reactions.removeAll()
    const purged = next(Events.MessageBulkDelete)
    expect((await channel.bulkDelete(2)).size).toBe(2)
    expect((await purged).size).toBe(2)
    expect((await channel.messages.fetch()).size).toBe(0)
    await channel.sendTyping()
    const last = await channel.send('x')
    await last.delete()
    await expect(channel.messages.fetch(last.id)).rejects.toMatchObject({ code: 10008 })
    await expect(channel.send({ content: '' })).rejects.toMatchObject({ code: 50006 })
  })

  it('writes to a person, and changes a channel and its overwrites', async ({ guild }) => {
    const ada = await guild.members.fetch(ADA)
    const sent = await ada.send('psst')
    expect([sent.channel.isDMBased(), sent.content]).toEqual([true, 'psst'])
    const channel = general(guild)
    await channel.setTopic('Rules')
    await channel.permissionOverwrites.edit(guild.roles.everyone, { SendMessages: false })
    const fetched = (await guild.channels.fetch('100000000000004001', { force: true })) as TextChannel
    expect([fetched.topic, fetched.permissionsFor(ada).has('SendMessages')]).toEqual(['Rules', false])
    await channel.permissionOverwrites.delete(guild.roles.everyone)
    expect(channel.permissionsFor(ada).has('SendMessages')).toBe(true)
  })

  it('opens a channel in a category for one person, and deletes it', async ({ guild }) => {
    const support = await guild.channels.create({ name: 'Support', type: Kind.GuildCategory })
    const created = next(Events.ChannelCreate)
    const ticket = await guild.channels.create({
      name: 'ticket-ada',
      type: Kind.GuildText,
      parent: support,
      permissionOverwrites: [
        { id: guild.id, deny: ['ViewChannel'] },
        { id: ADA, allow: ['ViewChannel'] },
      ],
    })
    expect((await created).id).toBe(ticket.id)
    const { members } = guild
    const sees = async (id: string) => ticket.permissionsFor(await members.fetch(id)).has('ViewChannel')
    expect([ticket.parent?.name, await sees(ADA), await sees(GRACE)]).toEqual(['Support', true, false])
    await bed.as('ada', { channel: 'ticket-ada' }).say('Help')
    expect((await ticket.messages.fetch()).first()?.content).toBe('Help')
    const copy = await ticket.clone({ name: 'ticket-copy' })
    expect(copy.permissionsFor(ADA)!.has('ViewChannel')).toBe(true)
    const deleted = next(Events.ChannelDelete)
    await ticket.delete()
    expect((await deleted).id).toBe(ticket.id)
    expect([...guild.channels.cache.values()].map(({ name }) => name)).not.toContain('ticket-ada')
  })

  it('sees who is in a voice channel, and moves them out', async ({ guild }) => {
    const ada = guild.members.cache.get(ADA)!
    expect([ada.voice.channelId, (guild.channels.cache.get('100000000000004005') as any).bitrate]).toEqual([
      '100000000000004005',
      64_000,
    ])
    const moved = once(client!, Events.VoiceStateUpdate)
    await ada.voice.disconnect()
    expect((await moved)[1].channelId).toBe(null)
  })

  it('finds its answers among the messages of the channel, edits and deletes them', async ({ guild }) => {
    client!.on(Events.InteractionCreate, (interaction) => {
      if (interaction.isChatInputCommand()) void interaction.reply('pong')
    })
    await client!.application!.commands.create({ name: 'ping', description: 'Pong' })
    const shown = await bed.as('ada').use('/ping')
    const [message] = [...(await general(guild).messages.fetch()).values()]
    expect([message!.content, message!.interactionMetadata?.user.id]).toEqual(['pong', ADA])
    await message!.edit('pong!')
    expect(shown.content).toBe('pong!')
    await message!.delete()
    expect(shown.deleted).toBe(true)
  })
})

/** Runs a bot until it ends, and returns the lines that it prints. */
async function linesOf(file: string, redirect?: string): Promise<readonly string[]> {
  const servers = [{ id: SERVER, name: 'Demo Server', channels }]
  bed = await testbed({ ws: { WebSocketServer }, servers })
  const { child, output } = startBot(bed, file, true, redirect)
  await once(child, 'close')
  const lines = output().trim().split('\n')
  return lines.filter((line) => !line.startsWith('commandry: connections'))
}

describe('oceanic.js and eris', async () => {
  const { redirect } = redirectInFolder()

  it.each(['oceanic', 'eris'])('%s: changes members and messages', async (name) => {
    expect(await linesOf(`servers-${name}.mjs`, redirect)).toEqual([
      'edited 1',
      'Countess 100000000000005001 true',
      'refused 50013',
      'banned alan spam',
      'purged 2',
      'ticket 100000000000002001 1024',
      'general Lounge',
    ])
    const ada = bed.server.members.find(({ username }) => username === 'ada')
    expect(ada).toMatchObject({ nick: 'Countess', roles: ['Moderators'], timeout: expect.any(String) })
    expect(bed.server.bans).toMatchObject([{ username: 'alan', reason: 'spam' }])
    expect(bed.channel('general').messages).toEqual([])
  })
})

describe.skipIf(python === undefined)('discord.py', () => {
  it('logs in to a server with voice channels, and changes members and messages', async () => {
    expect(await linesOf('servers.py')).toEqual([
      'Lounge 64000',
      'hello True',
      'edited 1',
      'Forbidden 50013',
      'Countess',
      'banned alan spam',
      'reply to edited',
      'purged 2',
      "found ['grace']",
      'True True',
      "['general', 'Lounge']",
    ])
  })
})
