/** Channels of servers, their overwrites and their order, and DMs. */
import { ChannelType } from '../../model/command-types.ts'
import type { ChannelOverwrite, ServerChannel } from '../../model/server.ts'
import { logChange } from './audit-log.ts'
import type { ChannelState, DirectChannel } from './entities.ts'
import { dropThread, syncThreads } from './threads.ts'
import { setVoice } from './voice.ts'
import { guildChannel } from './wire.ts'
import { known, type World } from './world.ts'

const UNWRITABLE: readonly unknown[] = [
  ChannelType.GUILD_CATEGORY,
  ChannelType.GUILD_FORUM,
  ChannelType.GUILD_MEDIA,
]

/** Whether messages can be written in a channel of this type. */
export function isWritable({ type }: Pick<ServerChannel, 'type'>): boolean {
  return !UNWRITABLE.includes(type)
}

/** Creates a channel below the others. @param fields with an id for one that existed before */
export function addChannel(
  world: World,
  serverId: string,
  fields: Omit<ServerChannel, 'id'> & Partial<ServerChannel>,
): ChannelState {
  const channel = { type: ChannelType.GUILD_TEXT, id: world.nextId(), ...fields }
  const { channels } = world.change(serverId, (server) => ({ channels: [...server.channels, channel] }))
  world.publish('CHANNEL_CREATE', serverId, guildChannel(channel, serverId, channels.length - 1))
  logChange(world, serverId, 'CHANNEL_CREATE', channel.id, null, channel)
  return channel
}

/** Deletes a channel with its messages, threads, webhooks and invites. The channels of a category stay, without one. */
export function dropChannel(world: World, channelId: string): void {
  const guildId = known(world.guildOf(channelId))
  const { channels, members, threads } = known(world.server(guildId))
  for (const { user, voice_channel_id: voice } of members)
    if (voice === channelId) setVoice(world, guildId, user.id, { voice_channel_id: null })
  for (const { id, parent_id: parent } of threads) if (parent === channelId) dropThread(world, id)
  const index = channels.findIndex(({ id }) => id === channelId)
  const channel = channels[index]!
  const messages = world.log.clear(channelId)
  const isElsewhere = (one: { readonly channel_id: string }) => one.channel_id !== channelId
  world.change(guildId, ({ webhooks, invites }) => ({
    channels: channels.toSpliced(index, 1),
    webhooks: webhooks.filter(isElsewhere),
    invites: invites.filter(isElsewhere),
  }))
  world.publish('CHANNEL_DELETE', guildId, guildChannel(channel, guildId, index))
  const { last_message_id: _last, ...logged } = channel
  logChange(world, guildId, 'CHANNEL_DELETE', channelId, logged, null)
  for (const id of messages) world.answers?.replace(id, null)
  for (const { id, parent_id: parent } of channels)
    if (parent === channelId) setChannel(world, id, { parent_id: null })
}

export function setChannel(
  world: World,
  channelId: string,
  changes: Partial<Omit<ChannelState, 'id'>>,
): void {
  const { server, index, before, after } = changeChannel(world, channelId, changes)
  const { id: guildId } = server
  world.publish('CHANNEL_UPDATE', guildId, guildChannel(after, guildId, index))
  const { permission_overwrites: _old, ...old } = before
  const { permission_overwrites: _new, ...next } = after
  logChange(world, guildId, 'CHANNEL_UPDATE', channelId, old, next)
  for (const overwrite of after.permission_overwrites ?? [])
    logOverwrite(world, guildId, channelId, wireOverwrite(before, overwrite.id), overwrite)
  for (const overwrite of before.permission_overwrites ?? [])
    if (wireOverwrite(after, overwrite.id) === null) logOverwrite(world, guildId, channelId, overwrite, null)
  syncThreads(world, server)
}

function changeChannel(world: World, channelId: string, changes: Partial<Omit<ChannelState, 'id'>>) {
  const server = known(world.server(known(world.guildOf(channelId))))
  const { channels } = server
  const index = channels.findIndex(({ id }) => id === channelId)
  const before = channels[index]!
  const after: ChannelState = { ...before, ...changes }
  world.change(server.id, () => ({ channels: channels.with(index, after) }))
  return { server, index, before, after }
}

function wireOverwrite(channel: ServerChannel, id: string): ChannelOverwrite | null {
  return channel.permission_overwrites?.find((one) => one.id === id) ?? null
}

function logOverwrite(
  world: World,
  guildId: string,
  channelId: string,
  before: ChannelOverwrite | null,
  after: ChannelOverwrite | null,
): void {
  const name = before === null ? 'CREATE' : after === null ? 'DELETE' : 'UPDATE'
  const { id, type } = (after ?? before)!
  const text = (one: ChannelOverwrite | null) =>
    one && { type: one.type, allow: String(one.allow), deny: String(one.deny) }
  const options = { id, type: String(type), ...(type === 0 && { role_name: roleName(world, guildId, id) }) }
  logChange(world, guildId, `CHANNEL_OVERWRITE_${name}`, channelId, text(before), text(after), options)
}

const roleName = (world: World, guildId: string, roleId: string) =>
  known(world.server(guildId)).roles.find(({ id }) => id === roleId)?.name ?? ''

/** Sets or removes (null) what a channel of a server allows and denies a role or a member. */
export function putOverwrite(
  world: World,
  { id, permission_overwrites: all = [] }: ServerChannel,
  targetId: string,
  overwrite: ChannelOverwrite | null,
): void {
  const others = all.filter((one) => one.id !== targetId)
  setChannel(world, id, { permission_overwrites: overwrite === null ? others : [...others, overwrite] })
}

/** The DM channel of a bot and a person. The first call creates it. */
export function openDirectMessage(world: World, botId: string, userId: string): DirectChannel {
  const user = known(world.user(userId))
  for (const direct of world.directs.values())
    if (direct.botId === botId && direct.user.id === userId) return direct
  const direct = { id: world.nextId(), type: ChannelType.DM, botId, user }
  world.directs.set(direct.id, direct)
  return direct
}

/** The milliseconds until a person may write in a channel again, because of its slow mode; 0 for at once. */
export function slowModeLeft(
  world: World,
  { id, rate_limit_per_user: seconds = 0 }: Pick<ServerChannel, 'id' | 'rate_limit_per_user'>,
  userId: string,
): number {
  const last = world.messages(id).findLast(({ author }) => author.id === userId)
  if (last === undefined) return 0
  const pause = seconds * 1_000
  const left = Date.parse(last.timestamp) + pause - world.now()
  // A clock that goes back ends the pause.
  return left > pause ? 0 : Math.max(0, left)
}
