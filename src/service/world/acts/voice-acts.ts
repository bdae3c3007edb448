/** Acts on voice: joining and leaving voice channels. There is no audio. */
import { newSecret } from '../../../core/secrets.ts'
import type { JsonObject } from '../../../core/json.ts'
import { nullable, objectOf, partial } from '../../../core/rules/readers.ts'
import { ChannelType } from '../../../model/command-types.ts'
import { Refused } from '../../refusals.ts'
import { ActingBot } from '../acting-bot.ts'
import { bodyFlag } from '../body-fields.ts'
import { isDirect } from '../entities.ts'
import { setVoice } from '../voice.ts'
import { lacks } from '../party.ts'
import type { World } from '../world.ts'
import { channelAct, perform, serverAct } from './act.ts'

export const VOICE_TYPES: readonly unknown[] = [ChannelType.GUILD_VOICE, ChannelType.GUILD_STAGE_VOICE]

/** What is switched in the own client. */
const switches = objectOf(partial(nullable, { self_mute: bodyFlag, self_deaf: bodyFlag }))

export const joinVoice = channelAct({
  summary: 'Join a voice channel',
  needs: ['CONNECT'],
  event: 'VOICE_STATE_UPDATE',
  on: [],
  body: switches,
  check(by, _, place) {
    const { id, type, name, user_limit: most } = place
    if (!VOICE_TYPES.includes(type))
      throw new Refused('wrong_channel_type', `#${name} is not a voice channel`)
    const there = by.serverOf(place).members.filter((one) => one.voice_channel_id === id)
    const isFull = most && there.length >= most && there.every(({ user }) => user.id !== by.user.id)
    if (isFull && !by.hasInstead(place, 'MOVE_MEMBERS'))
      throw lacks(`#${name} is full: ${by.lacked(place, 'MOVE_MEMBERS')}`)
  },
  do({ world, user }, { body: { self_mute = false, self_deaf = false } }, { id, guild_id: serverId }) {
    setVoice(world, serverId, user.id, { voice_channel_id: id, self_mute, self_deaf })
  },
})

export const leaveVoice = serverAct({
  summary: 'Leave the voice channel',
  event: 'VOICE_STATE_UPDATE',
  on: [],
  do({ world, user }, _, { id }) {
    setVoice(world, id, user.id, { voice_channel_id: null })
  },
})

/**
 * A bot asks over the gateway for a voice channel, or leaves one. It gets the address of a voice server at which nothing
 * listens. As on Discord, a request that is not allowed has no answer.
 */
export function requestVoice(world: World, botId: string, request: JsonObject): void {
  const server = world.server(String(request.guild_id))
  if (server === undefined || world.member(server.id, botId) === undefined) return
  const by = new ActingBot(world, botId)
  if (request.channel_id === null) return perform(leaveVoice, by, server, {})
  const channel = world.channel(String(request.channel_id))
  if (channel === undefined || isDirect(channel) || channel.guild_id !== server.id) return
  const fields = { self_mute: request.self_mute === true, self_deaf: request.self_deaf === true }
  try {
    perform(joinVoice, by, channel, {}, { fields })
  } catch (error) {
    if (error instanceof Refused) return
    throw error
  }
  const data = { token: newSecret(8), guild_id: server.id, endpoint: 'voice.invalid:443' }
  world.publish('VOICE_SERVER_UPDATE', server.id, data, (one) => one === botId)
}
