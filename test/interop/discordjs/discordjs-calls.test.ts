/** A discord.js bot that makes a hundred different calls, and those that the service says it does not have. */
import { once } from 'node:events'
import {
  AttachmentBuilder,
  ChannelType,
  Client,
  Events,
  Partials,
  PermissionFlagsBits,
  type ForumChannel,
  type Guild,
  type TextChannel,
  type ThreadChannel,
} from 'discord.js'
import { expect, it, onTestFinished } from 'vitest'
import { WebSocketServer } from 'ws'
import { testbed } from 'commandry/testbed'

const ADA = '3001'
const PNG = Buffer.from('iVBORw0KGgo=', 'base64')

/** What calls leave for later calls. */
interface Kept {
  [name: string]: any
}

type Call = readonly [name: string, call: (kept: Kept) => unknown, check?: (value: any) => void]

async function login() {
  const channels = [
    { id: '4001', name: 'general', type: ChannelType.GuildText },
    { id: '4005', name: 'Lounge', type: ChannelType.GuildVoice },
    { id: '4007', name: 'Talk', type: ChannelType.GuildVoice },
  ]
  const members = [
    { user: { id: ADA, username: 'ada' }, voice_channel_id: '4005' },
    { user: { id: '3002', username: 'grace' } },
    { user: { id: '3003', username: 'alan' } },
    { user: { id: '3004', username: 'mary' } },
    { user: { id: '3009', username: 'olga' } },
  ]
  const bed = await testbed({
    ws: { WebSocketServer },
    servers: [{ id: '2001', name: 'Demo Server', owner_id: '3009', channels, members }],
  })
  // Every intent.
  const client = new Client({
    intents: 0xffff | (1 << 20),
    partials: [Partials.Channel],
    rest: { api: bed.rest },
  })
  onTestFinished(async () => {
    await client.destroy()
    await bed.close()
  })
  await client.login(bed.token)
  await once(client, Events.ClientReady)
  return { bed, client, guild: await client.guilds.fetch('2001') }
}

const hasName = (name: string) => (value: { readonly name: string }) => expect(value.name).toBe(name)
const hasSize = (size: number) => (value: { readonly size: number }) => expect(value.size).toBe(size)

function callsOf(client: Client<true>, guild: Guild): readonly Call[] {
  const general = client.channels.cache.get('4001') as TextChannel
  const member = () => guild.members.fetch(ADA)
  return [
    ['application.fetch', () => client.application.fetch()],
    [
      'application.emojis.create',
      async (kept) => (kept.own = await client.application.emojis.create({ name: 'own', attachment: PNG })),
      hasName('own'),
    ],
    ['application.emojis.fetch', () => client.application.emojis.fetch(), hasSize(1)],
    [
      'application.emojis.edit',
      ({ own }) => client.application.emojis.edit(own, { name: 'mine' }),
      hasName('mine'),
    ],
    ['application.emojis.delete', ({ own }) => client.application.emojis.delete(own)],
    [
      'user.setUsername',
      () => client.user.setUsername('renamed'),
      (user) => expect(user.username).toBe('renamed'),
    ],
    ['user.setAvatar', () => client.user.setAvatar(PNG)],
    ['guilds.fetch', () => client.guilds.fetch(), hasSize(1)],
    ['users.fetch', () => client.users.fetch('3002', { force: true })],
    ['users.createDM', () => client.users.createDM(ADA)],
    ['user.send', () => client.users.send(ADA, 'Hi')],

    ['guild.fetch', () => guild.fetch(), hasName('Demo Server')],
    ['guild.setName', () => guild.setName('Renamed'), hasName('Renamed')],
    [
      'guild.setDescription',
      () => guild.edit({ description: 'About us' }),
      (one) => expect(one.description).toBe('About us'),
    ],
    ['guild.setIcon', () => guild.setIcon(PNG), (one) => expect(one.icon).toMatch(/^[\da-f]{32}$/)],
    [
      'guild.setSystemChannel',
      () => guild.setSystemChannel(general),
      (one) => expect(one.systemChannelId).toBe('4001'),
    ],
    ['guild.setVerificationLevel', () => guild.setVerificationLevel(2)],
    ['guild.fetchOwner', () => guild.fetchOwner(), (one) => expect(one.id).toBe('3009')],

    ['members.fetch', () => guild.members.fetch(), hasSize(6)],
    ['members.list', () => guild.members.list({ limit: 3 }), hasSize(3)],
    ['members.search', () => guild.members.search({ query: 'gra' }), hasSize(1)],
    [
      'member.setNickname',
      async () => (await member()).setNickname('Countess'),
      (one) => expect(one.nickname).toBe('Countess'),
    ],
    ['members.me.setNickname', () => guild.members.me!.setNickname('Helper')],
    ['member.timeout', async () => (await member()).timeout(60_000)],
    ['member.voice.setMute', async () => (await member()).voice.setMute(true)],
    ['member.voice.setDeaf', async () => (await member()).voice.setDeaf(true)],
    ['member.voice.setChannel', async () => (await member()).voice.setChannel('4007')],
    [
      'voiceStates.fetch',
      () => guild.voiceStates.fetch(ADA, { force: true }),
      (state) => expect([state.channelId, state.serverMute]).toEqual(['4007', true]),
    ],
    ['member.voice.disconnect', async () => (await member()).voice.disconnect()],

    [
      'roles.create',
      async (kept) => (kept.role = await guild.roles.create({ name: 'Helpers' })),
      hasName('Helpers'),
    ],
    ['roles.fetch', () => guild.roles.fetch(undefined, { force: true })],
    [
      'role.edit',
      ({ role }) => role.edit({ name: 'Friends', colors: { primaryColor: 255 } }),
      hasName('Friends'),
    ],
    ['role.setPosition', ({ role }) => role.setPosition(2)],
    ['roles.setPositions', ({ role }) => guild.roles.setPositions([{ role, position: 1 }])],
    ['role.setPermissions', ({ role }) => role.setPermissions([PermissionFlagsBits.KickMembers])],
    ['member.roles.add', async ({ role }) => (await member()).roles.add(role)],
    [
      'roles.fetchMemberCounts',
      () => guild.roles.fetchMemberCounts(),
      (counts) => expect([...counts.values()].sort()).toContain(1),
    ],
    ['member.roles.remove', async ({ role }) => (await member()).roles.remove(role)],
    [
      'member.roles.add of a list',
      async ({ role }) => (await member()).roles.add([role]),
      (one) => expect(one.roles.cache.size).toBe(2),
    ],
    ['member.roles.remove of a list', async ({ role }) => (await member()).roles.remove([role])],
    ['member.roles.set', async ({ role }) => (await member()).roles.set([role])],
    ['role.delete', ({ role }) => role.delete()],

    [
      'channels.create text',
      async (kept) => (kept.text = await guild.channels.create({ name: 'text' })),
      hasName('text'),
    ],
    [
      'channels.create category',
      async (kept) =>
        (kept.category = await guild.channels.create({ name: 'texts', type: ChannelType.GuildCategory })),
    ],
    ['channels.create voice', () => guild.channels.create({ name: 'voice', type: ChannelType.GuildVoice })],
    [
      'channels.create forum',
      async (kept) =>
        (kept.forum = await guild.channels.create({ name: 'forum', type: ChannelType.GuildForum })),
    ],
    [
      'channels.create news',
      async (kept) =>
        (kept.news = await guild.channels.create({ name: 'news', type: ChannelType.GuildAnnouncement })),
    ],
    ['channel.setName', ({ text }) => text.setName('talk'), hasName('talk')],
    ['channel.setTopic', ({ text }) => text.setTopic('Rules')],
    ['channel.setNSFW', ({ text }) => text.setNSFW()],
    ['channel.setRateLimitPerUser', ({ text }) => text.setRateLimitPerUser(5)],
    [
      'channel.setParent',
      ({ text, category }) => text.setParent(category),
      (one) => expect(one.parent.name).toBe('texts'),
    ],
    ['channel.setPosition', ({ text }) => text.setPosition(0)],
    ['channels.setPositions', ({ text }) => guild.channels.setPositions([{ channel: text, position: 3 }])],
    [
      'permissionOverwrites.create',
      ({ text }) => text.permissionOverwrites.create(ADA, { SendMessages: false }),
    ],
    ['permissionOverwrites.edit', ({ text }) => text.permissionOverwrites.edit(ADA, { SendMessages: true })],
    ['permissionOverwrites.delete', ({ text }) => text.permissionOverwrites.delete(ADA)],
    ['channel.lockPermissions', ({ text }) => text.lockPermissions()],
    ['channel.clone', async ({ text }) => (await text.clone({ name: 'copy' })).delete()],
    ['channels.fetch', () => guild.channels.fetch()],
    ['channel.sendTyping', () => general.sendTyping()],

    [
      'channel.send',
      async (kept) => (kept.message = await general.send('Hello')),
      (one) => expect(one.content).toBe('Hello'),
    ],
    ['channel.send embed', () => general.send({ embeds: [{ title: 'Title' }] })],
    [
      'channel.send file',
      () => general.send({ files: [new AttachmentBuilder(PNG, { name: 'a.png' })] }),
      (one) => expect(one.attachments.size).toBe(1),
    ],
    [
      'channel.send poll',
      () =>
        general.send({
          poll: {
            question: { text: 'Tea?' },
            answers: [{ text: 'Yes' }],
            duration: 1,
            allowMultiselect: false,
          },
        }),
    ],
    ['message.reply', ({ message }) => message.reply('Yes'), (one) => expect(one.reference.type).toBe(0)],
    [
      'message.forward',
      ({ message }) => message.forward(general),
      (one) => expect(one.messageSnapshots.first().content).toBe('Hello'),
    ],
    ['message.edit', ({ message }) => message.edit('Hello again')],
    ['message.suppressEmbeds', ({ message }) => message.suppressEmbeds()],
    ['messages.fetch one', ({ message }) => general.messages.fetch({ message, force: true })],
    ['messages.fetch many', () => general.messages.fetch({ limit: 10 })],
    ['message.pin', ({ message }) => message.pin('worth it')],
    [
      'messages.fetchPins',
      () => general.messages.fetchPins(),
      ({ items }) => expect(items.map((one: any) => one.message.content)).toEqual(['Hello again']),
    ],
    ['message.unpin', ({ message }) => message.unpin()],
    ['message.react', async (kept) => (kept.reaction = await kept.message.react('👍'))],
    ['reaction.users.fetch', ({ reaction }) => reaction.users.fetch(), hasSize(1)],
    ['reaction.users.remove', ({ reaction }) => reaction.users.remove()],
    ['reaction.remove', async ({ message }) => (await message.react('🎉')).remove()],
    ['reactions.removeAll', ({ message }) => message.reactions.removeAll()],
    [
      'message.crosspost',
      async ({ news }) => (await news.send('News')).crosspost(),
      (one) => expect(one.flags.has('Crossposted')).toBe(true),
    ],
    ['message.delete', async () => (await general.send('x')).delete()],
    [
      'channel.bulkDelete',
      async () => general.bulkDelete([await general.send('x'), await general.send('y')]),
      hasSize(2),
    ],

    [
      'message.startThread',
      async (kept) => (kept.thread = await kept.message.startThread({ name: 'ticket', reason: 'asked' })),
      hasName('ticket'),
    ],
    [
      'threads.create',
      () => general.threads.create({ name: 'public' }),
      (one) => expect(one.type).toBe(ChannelType.PublicThread),
    ],
    [
      'threads.create private',
      async (kept) =>
        (kept.secret = await general.threads.create({
          name: 'secret',
          type: ChannelType.PrivateThread,
          invitable: false,
        })),
    ],
    ['thread.send', ({ thread }) => thread.send('In the thread')],
    [
      'thread.fetchStarterMessage',
      ({ thread }) => thread.fetchStarterMessage(),
      (one) => expect(one.content).toBe('Hello again'),
    ],
    ['thread.fetchOwner', ({ thread }) => thread.fetchOwner(), (one) => expect(one.id).toBe(client.user.id)],
    ['thread.members.add', ({ thread }) => thread.members.add(ADA)],
    ['thread.members.fetch', ({ thread }) => thread.members.fetch({ cache: false }), hasSize(2)],
    ['thread.members.fetch one', ({ thread }) => thread.members.fetch({ member: ADA, force: true })],
    ['thread.members.remove', ({ thread }) => thread.members.remove(ADA)],
    ['thread.leave', ({ thread }) => thread.leave()],
    ['thread.join', ({ thread }) => thread.join()],
    ['thread.members.fetchMe', ({ thread }) => thread.members.fetchMe()],
    ['thread.setName', ({ thread }) => thread.setName('ticket-7'), hasName('ticket-7')],
    ['thread.setAutoArchiveDuration', ({ thread }) => thread.setAutoArchiveDuration(60)],
    ['thread.setRateLimitPerUser', ({ thread }) => thread.setRateLimitPerUser(10)],
    ['thread.setInvitable', ({ secret }) => secret.setInvitable(true)],
    ['threads.fetchActive', () => guild.channels.fetchActiveThreads(), ({ threads }) => hasSize(3)(threads)],
    ['thread.setLocked', ({ thread }) => thread.setLocked(true)],
    [
      'thread.setArchived',
      ({ thread }) => thread.setArchived(true),
      (one) => expect(one.archived).toBe(true),
    ],
    [
      'threads.fetchArchived',
      () => general.threads.fetchArchived({ fetchAll: true }),
      ({ threads }) => hasSize(1)(threads),
    ],
    ['thread.setArchived false', ({ thread }) => thread.setArchived(false)],
    ['thread.delete', ({ thread }) => thread.delete()],
    [
      'forum.setAvailableTags',
      ({ forum }) => (forum as ForumChannel).setAvailableTags([{ name: 'bug' }, { name: 'idea' }]),
      (one) => expect(one.availableTags.length).toBe(2),
    ],
    [
      'forum.threads.create',
      async (kept) =>
        (kept.post = await kept.forum.threads.create({
          name: 'It fails',
          message: { content: 'Here' },
          appliedTags: [kept.forum.availableTags[0].id],
        })),
      (one: ThreadChannel) => expect(one.appliedTags.length).toBe(1),
    ],
    ['post.setAppliedTags', ({ post, forum }) => post.setAppliedTags([forum.availableTags[1].id])],
    ['post.pin', ({ post }) => post.pin(), (one) => expect(one.flags.has('Pinned')).toBe(true)],

    [
      'channel.createWebhook',
      async (kept) => (kept.webhook = await general.createWebhook({ name: 'log', avatar: PNG })),
      hasName('log'),
    ],
    ['channel.fetchWebhooks', () => general.fetchWebhooks(), hasSize(1)],
    ['guild.fetchWebhooks', () => guild.fetchWebhooks(), hasSize(1)],
    ['client.fetchWebhook', ({ webhook }) => client.fetchWebhook(webhook.id), hasName('log')],
    ['webhook.edit', ({ webhook }) => webhook.edit({ name: 'audit' }), hasName('audit')],
    [
      'webhook.send',
      async (kept) => (kept.logged = await kept.webhook.send({ content: 'Logged', username: 'Logger' })),
      (one) => expect([one.author.username, one.channelId]).toEqual(['Logger', '4001']),
    ],
    ['webhook.fetchMessage', ({ webhook, logged }) => webhook.fetchMessage(logged.id)],
    [
      'webhook.editMessage',
      ({ webhook, logged }) => webhook.editMessage(logged.id, 'Logged twice'),
      (one) => expect(one.content).toBe('Logged twice'),
    ],
    ['webhook.deleteMessage', ({ webhook, logged }) => webhook.deleteMessage(logged.id)],
    ['webhook.delete', ({ webhook }) => webhook.delete()],

    [
      'channel.createInvite',
      async (kept) => (kept.invite = await general.createInvite({ maxUses: 3 })),
      (one) => expect(one.maxUses).toBe(3),
    ],
    ['channel.fetchInvites', () => general.fetchInvites(), hasSize(1)],
    ['guild.invites.fetch', () => guild.invites.fetch(), hasSize(1)],
    [
      'client.fetchInvite',
      ({ invite }) => client.fetchInvite(invite.code),
      (one) => expect(one.guild.name).toBe('Renamed'),
    ],
    ['invite.delete', ({ invite }) => invite.delete()],

    [
      'guild.emojis.create',
      async (kept) => (kept.emoji = await guild.emojis.create({ name: 'party', attachment: PNG })),
      hasName('party'),
    ],
    ['guild.emojis.fetch', () => guild.emojis.fetch(), hasSize(1)],
    ['emoji.edit', ({ emoji }) => emoji.edit({ name: 'feast' }), hasName('feast')],
    ['emoji.fetchAuthor', ({ emoji }) => emoji.fetchAuthor(), (one) => expect(one.id).toBe(client.user.id)],
    ['message.react with an emoji', ({ message, emoji }) => message.react(emoji)],
    ['emoji.delete', ({ emoji }) => emoji.delete('unused')],

    [
      'guild.fetchAuditLogs',
      () => guild.fetchAuditLogs({ limit: 1 }),
      ({ entries }) =>
        expect(entries.first()).toMatchObject({ reason: 'unused', executorId: client.user.id }),
    ],
    ['guild.members.ban', () => guild.members.ban('3002', { reason: 'spam', deleteMessageSeconds: 60 })],
    ['guild.bans.fetch one', () => guild.bans.fetch('3002'), (one) => expect(one.reason).toBe('spam')],
    ['guild.bans.fetch', () => guild.bans.fetch(), hasSize(1)],
    ['guild.members.unban', () => guild.members.unban('3002')],
    [
      'guild.members.bulkBan',
      () => guild.members.bulkBan(['3003', '3002']),
      ({ bannedUsers }) => expect(bannedUsers).toEqual(['3003', '3002']),
    ],
    ['member.kick', async () => (await guild.members.fetch('3004')).kick('rude')],
    ['channel.delete', ({ text }) => text.delete()],
    ['guild.leave', () => guild.leave()],
  ]
}

it('answers a hundred calls of discord.js', async () => {
  const { client, guild } = await login()
  const calls = callsOf(client as Client<true>, guild)
  expect(calls.length).toBeGreaterThan(100)
  expect(new Set(calls.map(([name]) => name)).size).toBe(calls.length)
  const kept: Kept = {}
  const problems: string[] = []
  for (const [name, call, check] of calls)
    try {
      const value = await call(kept)
      check?.(value)
    } catch (error) {
      problems.push(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    }
  expect(problems).toEqual([])
})

it('says of each other call that it does not have it', async () => {
  const { client, guild } = await login()
  const calls: readonly Call[] = [
    ['guild.scheduledEvents.fetch', () => guild.scheduledEvents.fetch()],
    ['guild.autoModerationRules.fetch', () => guild.autoModerationRules.fetch()],
    ['guild.stickers.fetch', () => guild.stickers.fetch()],
    ['guild.soundboardSounds.fetch', () => guild.soundboardSounds.fetch()],
    ['guild.fetchTemplates', () => guild.fetchTemplates()],
    ['guild.fetchIntegrations', () => guild.fetchIntegrations()],
    ['guild.fetchWelcomeScreen', () => guild.fetchWelcomeScreen()],
    ['guild.fetchPreview', () => guild.fetchPreview()],
    ['guild.fetchWidgetSettings', () => guild.fetchWidgetSettings()],
    ['guild.members.prune', () => guild.members.prune({ dry: true, days: 7 })],
    ['client.fetchStickerPacks', () => client.fetchStickerPacks()],
    ['application.fetchSKUs', () => client.application!.fetchSKUs()],
    ['application.entitlements.fetch', () => client.application!.entitlements.fetch()],
  ]
  for (const [name, call] of calls)
    await expect((async () => call({}))(), name).rejects.toThrow(
      /404: Not Found: this service has no \w+ \/.*; answer it/,
    )
})
