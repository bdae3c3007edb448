/** The endpoints of messages. */
import { objectOf, optional, partial } from '../../../core/rules/readers.ts'
import { compareSnowflakes } from '../../../core/snowflake.ts'
import {
  changeMessage,
  publishMessage,
  removeMessage,
  removeMessages,
  sendMessage,
} from '../../world/acts/message-acts.ts'
import { VOICE_TYPES } from '../../world/acts/voice-acts.ts'
import type { WorldMessage } from '../../world/world-message.ts'
import { MESSAGE, MESSAGES } from './paths.ts'
import { bodyId, integerIn } from '../../world/body-fields.ts'
import { actRow, row, type Visit, type WorldRoute } from './visit.ts'

/** The messages of a voice channel are read by those who may connect to it. */
function needConnection(visit: Visit): void {
  if (VOICE_TYPES.includes(visit.channel.type)) visit.need('CONNECT')
}

/** Up to 100 messages of a channel, newest first, before, after or around an id. */
function historyOf(visit: Visit): readonly WorldMessage[] {
  const page = objectOf(
    partial(optional, { limit: integerIn(1, 100), before: bodyId, after: bodyId, around: bodyId }),
  )
  const { limit = 50, before, after, around } = visit.query(page)
  needConnection(visit)
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
  actRow('POST', `${MESSAGES}/bulk-delete`, removeMessages),
  row('GET', MESSAGE, 'A message', { needs: ['READ_MESSAGE_HISTORY'] }, (visit) => {
    needConnection(visit)
    return visit.messageFor(visit.message)
  }),
  actRow('PATCH', MESSAGE, changeMessage, shown, withFiles),
  actRow('DELETE', MESSAGE, removeMessage),
  actRow('POST', `${MESSAGE}/crosspost`, publishMessage, shown),
]
