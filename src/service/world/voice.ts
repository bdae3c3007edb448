/** Who is in which voice channel, and who is muted. There is no audio. */
import { newSecret } from '../../core/secrets.ts'
import type { JsonObject } from '../../core/json.ts'
import { ChannelType } from '../../model/command-types.ts'
import { PermissionFlag } from '../../model/permission-flags.ts'
import type { ServerMember } from '../../model/server.ts'
import { logAction, logChange } from './audit-log.ts'
import type { SelfVoice } from './entities.ts'
import { withChangedMember } from './member-lists.ts'
import { voiceState } from './wire.ts'
import { known, type World } from './world.ts'

type VoiceChanges = Partial<Pick<ServerMember, 'voice_channel_id' | 'mute' | 'deaf'>> & SelfVoice

const SELF = ['self_mute', 'self_deaf', 'self_video'] as const

/** Changes the voice state of a member: the channel, and who is muted or deafened by whom. */
export function setVoice(
  world: World,
  serverId: string,
  userId: string,
  changes: VoiceChanges,
): ServerMember {
  const before = known(world.member(serverId, userId))
  const own = Object.entries(changes).filter(([name]) => SELF.includes(name as keyof SelfVoice))
  const others = Object.entries(changes).filter(([name]) => !SELF.includes(name as keyof SelfVoice))
  const member: ServerMember = { ...before, ...Object.fromEntries(others) }
  const { voice_channel_id: left = null, mute = false, deaf = false } = before
  const isSame =
    own.length === 0 &&
    (member.voice_channel_id ?? null) === left &&
    (member.mute ?? false) === mute &&
    (member.deaf ?? false) === deaf
  if (isSame) return before
  const server = world.change(serverId, ({ members, selfVoice }) => ({
    members: withChangedMember(members, before, member),
    selfVoice: { ...selfVoice, [userId]: { ...selfVoice[userId], ...Object.fromEntries(own) } },
  }))
  world.publish('VOICE_STATE_UPDATE', serverId, voiceState(serverId, member, server.selfVoice[userId]))
  logChange(
    world,
    serverId,
    'MEMBER_UPDATE',
    userId,
    { mute, deaf },
    { mute: member.mute ?? false, deaf: member.deaf ?? false },
  )
  return member
}

/** Moves a member to another voice channel, or disconnects them (null). */
export function moveMember(
  world: World,
  serverId: string,
  userId: string,
  channelId: string | null,
): ServerMember {
  const member = setVoice(world, serverId, userId, { voice_channel_id: channelId })
  if (channelId === null) logAction(world, serverId, 'MEMBER_DISCONNECT', null, { count: '1' })
  else logAction(world, serverId, 'MEMBER_MOVE', null, { channel_id: channelId, count: '1' })
  return member
}

const VOICE_TYPES: readonly unknown[] = [ChannelType.GUILD_VOICE, ChannelType.GUILD_STAGE_VOICE]

/**
 * A bot asks over the gateway for a voice channel, or leaves one. It gets the address of a voice server at which nothing
 * listens. As on Discord, a request that is not allowed has no answer.
 */
export function requestVoice(
  world: World,
  botId: string,
  { guild_id, channel_id, self_mute, self_deaf }: JsonObject,
): void {
  const serverId = String(guild_id)
  if (world.member(serverId, botId) === undefined) return
  const channel = world.server(serverId)?.channels.find(({ id }) => id === String(channel_id))
  const isAllowed =
    channel !== undefined &&
    VOICE_TYPES.includes(channel.type) &&
    (world.permissions(serverId, botId, channel) & PermissionFlag.CONNECT) !== 0n
  if (channel_id !== null && !isAllowed) return
  const own = { self_mute: self_mute === true, self_deaf: self_deaf === true }
  setVoice(world, serverId, botId, { voice_channel_id: channel?.id ?? null, ...own })
  if (channel === undefined) return
  const data = { token: newSecret(8), guild_id: serverId, endpoint: 'voice.invalid:443' }
  world.publish('VOICE_SERVER_UPDATE', serverId, data, (one) => one === botId)
}
