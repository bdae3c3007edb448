/** The endpoints of channels and their overwrites. */
import { HIDDEN_CHANNELS } from '../../../model/platform.ts'
import { isThread } from '../../../model/server.ts'
import { changeChannel, createChannel, deleteChannel, moveChannels } from '../../world/acts/channel-acts.ts'
import { showTyping } from '../../world/acts/message-acts.ts'
import { removeOverwrite, setOverwrite } from '../../world/acts/overwrite-acts.ts'
import { changeThread, deleteThread } from '../../world/acts/thread-acts.ts'
import { isDirect, type AnyChannel, type ChannelState, type Thread } from '../../world/entities.ts'
import { visibleChannels } from '../../world/hidden-channels.ts'
import { directChannel, guildChannel, threadChannel } from '../../world/wire.ts'
import { CHANNEL, GUILD } from './paths.ts'
import { actRow, carryOutFor, factsOf, row, type Visit, type WorldRoute } from './visit.ts'

const CHANNELS = `${GUILD}/channels`
const OVERWRITE = `${CHANNEL}/permissions/{overwrite.id}`

/** A channel of any kind in the form of the wire. */
function wireChannel(channel: AnyChannel, { world, botId }: Visit): object {
  if (isDirect(channel)) return directChannel(channel)
  if (isThread(channel)) return threadChannel(channel as Thread, botId)
  const { guild_id: guildId, ...own } = channel
  const index = world.server(guildId)!.channels.findIndex((one) => one.id === channel.id)
  return guildChannel(own as ChannelState, guildId, index)
}

/** Threads and DMs have acts of their own, with needs of their own. */
const exempt = ({ channel }: Visit) => isDirect(channel) || isThread(channel)

export const channelRoutes: readonly WorldRoute[] = [
  row('GET', CHANNELS, 'The channels of a server that the bot may view', {}, ({ world, server, botId }) => {
    const visible = world.platform.has(HIDDEN_CHANNELS) && visibleChannels(server, botId, world.now())
    return server.channels.flatMap((channel, index) =>
      visible && !visible.has(channel.id) ? [] : [guildChannel(channel, server.id, index)],
    )
  }),
  row('GET', CHANNEL, 'A channel', {}, (visit) => wireChannel(visit.channel, visit)),
  row(
    'PATCH',
    CHANNEL,
    'Change a channel or a thread',
    { ...factsOf(changeChannel, changeThread), exempt },
    (visit) =>
      wireChannel(
        isThread(visit.serverChannel) ? carryOutFor(changeThread, visit) : carryOutFor(changeChannel, visit),
        visit,
      ),
  ),
  row(
    'DELETE',
    CHANNEL,
    'Delete a channel or a thread, or close a DM',
    { ...factsOf(deleteChannel, deleteThread), exempt },
    (visit) => {
      const { channel } = visit
      const deleted = wireChannel(channel, visit)
      // A closed DM opens again with its messages.
      if (isDirect(channel)) return deleted
      if (isThread(channel)) carryOutFor(deleteThread, visit)
      else carryOutFor(deleteChannel, visit)
      return deleted
    },
  ),
  actRow('POST', CHANNELS, createChannel, wireChannel, { outcome: 'created' }),
  actRow('PATCH', CHANNELS, moveChannels, undefined, { body: 'list' }),
  actRow('PUT', OVERWRITE, setOverwrite),
  actRow('DELETE', OVERWRITE, removeOverwrite),
  actRow('POST', `${CHANNEL}/typing`, showTyping),
]
