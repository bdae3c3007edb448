/** The endpoints of messages. */
import { objectOf, optional, partial } from '../../../core/rules/readers.ts'
import { compareSnowflakes, snowflakeTime } from '../../../core/snowflake.ts'
import { changeMessage, removeMessage, sendMessage } from '../../world/acts/messages.ts'
import { logAction } from '../../world/audit-log.ts'
import { deleteMessages, replaceMessage } from '../../world/messages.ts'
import type { WorldMessage } from '../../world/world-message.ts'
import { ChannelType } from '../../../model/command-types.ts'
import { Refused } from '../../refusals.ts'
import { MESSAGE, MESSAGES } from './paths.ts'
import { id, ids, integer } from '../../world/body-fields.ts'
import { actRow, row, type Visit, type WorldRoute } from './visit.ts'

const FORTNIGHT = 14 * 86_400_000
const CROSSPOSTED = 1 << 0

/** Up to 100 messages of a channel, newest first, before, after or around an id. */
function historyOf(visit: Visit): readonly WorldMessage[] {
  const page = objectOf(partial(optional, { limit: integer(1, 100), before: id, after: id, around: id }))
  const { limit = 50, before, after, around } = visit.query(page)
  if (!visit.has('READ_MESSAGE_HISTORY')) return []
  const all = visit.world.messages(visit.channel.id)
  const countBefore = (id: string) => all.filter((one) => compareSnowflakes(one.id, id) < 0).length
  let end = before === undefined ? all.length : countBefore(before)
  if (after !== undefined) end = all.filter((one) => compareSnowflakes(one.id, after) <= 0).length + limit
  else if (around !== undefined) end = Math.max(limit, countBefore(around) + Math.ceil(limit / 2))
  return all.slice(Math.max(0, end - limit), end).reverse()
}

const shown = (message: WorldMessage, visit: Visit) => visit.messageFor(message)
const withFiles = { body: 'Message' } as const

export const messageRoutes: readonly WorldRoute[] = [
  row('GET', MESSAGES, 'Messages of a channel, newest first', { quiet: ['READ_MESSAGE_HISTORY'] }, (visit) =>
    historyOf(visit).map((message) => visit.messageFor(message)),
  ),
  actRow('POST', MESSAGES, sendMessage, shown, withFiles),
  row(
    'POST',
    `${MESSAGES}/bulk-delete`,
    'Delete 2 to 100 messages',
    { needs: ['MANAGE_MESSAGES'], event: 'MESSAGE_DELETE_BULK', logs: 'MESSAGE_BULK_DELETE' },
    (visit) => {
      const { world, serverChannel: channel } = visit
      const { messages } = visit.body(objectOf({ messages: ids(2, 100) }))
      const oldest = world.now() - FORTNIGHT
      const timeOf = (one: string) =>
        Date.parse(world.message(channel.id, one)?.timestamp ?? '') || snowflakeTime(one)
      if (messages.some((one) => timeOf(one) < oldest)) throw new Refused('too_old_to_delete')
      deleteMessages(world, channel.id, messages)
      const count = String(messages.length)
      logAction(world, channel.guild_id, 'MESSAGE_BULK_DELETE', channel.id, { count })
    },
  ),
  row('GET', MESSAGE, 'A message', { needs: ['READ_MESSAGE_HISTORY'] }, (visit) =>
    visit.messageFor(visit.message),
  ),
  actRow('PATCH', MESSAGE, changeMessage, shown, withFiles),
  actRow('DELETE', MESSAGE, removeMessage),
  row(
    'POST',
    `${MESSAGE}/crosspost`,
    'Publish a message of an announcement channel',
    { needs: ['SEND_MESSAGES'], event: 'MESSAGE_UPDATE' },
    (visit) => {
      const { world, serverChannel: channel, message, botId } = visit
      if (channel.type !== ChannelType.GUILD_ANNOUNCEMENT) throw new Refused('wrong_channel_type')
      if (message.author.id !== botId) visit.need('MANAGE_MESSAGES')
      replaceMessage(world, { ...message, flags: message.flags | CROSSPOSTED })
      return visit.messageFor(visit.message)
    },
  ),
]
