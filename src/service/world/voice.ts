/** Who is in which voice channel, and who is muted. There is no audio. */
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
