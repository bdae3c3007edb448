/** The endpoints of voice states. Bots join and leave over the gateway. */
import { voiceState } from '../../world/wire.ts'
import { Refused } from '../../refusals.ts'
import { GUILD } from './paths.ts'
import { row, type Visit, type WorldRoute } from './visit.ts'

function stateOf(visit: Visit, userId: string): object {
  const { server } = visit
  const member = visit.memberOf(userId)
  if (!member.voice_channel_id) throw new Refused('unknown_voice_state')
  return voiceState(server.id, member, server.selfVoice[userId])
}

export const voiceRoutes: readonly WorldRoute[] = [
  row('GET', `${GUILD}/voice-states/@me`, 'The voice state of the bot', {}, (visit) =>
    stateOf(visit, visit.botId),
  ),
  row('GET', `${GUILD}/voice-states/{user.id}`, 'The voice state of a member', {}, (visit) =>
    stateOf(visit, visit.path('user')),
  ),
  row('GET', '/voice/regions', 'The voice regions, of which there are none', {}, () => []),
]
