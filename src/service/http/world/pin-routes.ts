/** The endpoints of pins: those of today, and the older ones. */
import { objectOf, optional, partial } from '../../../core/rules/readers.ts'
import { SPLIT_PERMISSIONS } from '../../../model/platform.ts'
import { pinnedAt, pinnedMessages, setPinned } from '../../world/messages.ts'
import { messageFor } from '../../world/world-message.ts'
import { Refused } from '../respond.ts'
import { CHANNEL, MESSAGES } from './paths.ts'
import { integer, time } from './request-fields.ts'
import { row, type Visit, type WorldRoute } from './visit.ts'

const PINS = `${MESSAGES}/pins`
const OLD_PINS = `${CHANNEL}/pins`
const MAX_PINS = 250

const page = objectOf(partial(optional, { before: time, limit: integer(1, 50) }))

/** The pinned messages that the bot may read. */
function pinsOf(visit: Visit) {
  return visit.has('READ_MESSAGE_HISTORY') ? pinnedMessages(visit.world, visit.channel.id) : []
}

function changePin(visit: Visit, isOn: boolean): void {
  const { world, message, bot, channel } = visit
  visit.needOpen()
  if (isOn && message.type !== 0 && message.type < 19) throw new Refused('system_message')
  if (isOn && !message.pinned && pinnedMessages(world, channel.id).length >= MAX_PINS)
    throw new Refused('too_many_pins', `${MAX_PINS}`)
  setPinned(world, message, bot, isOn)
}

/** Before the split of the permissions, MANAGE_MESSAGES allowed pins. */
const mayManage = (visit: Visit) =>
  !visit.world.platform.has(SPLIT_PERMISSIONS) && visit.has('MANAGE_MESSAGES')

const pins = (path: string): readonly WorldRoute[] => [
  row(
    'PUT',
    `${path}/{message.id}`,
    'Pin a message',
    { needs: ['PIN_MESSAGES'], exempt: mayManage, event: 'CHANNEL_PINS_UPDATE', logs: 'MESSAGE_PIN' },
    (visit) => changePin(visit, true),
  ),
  row(
    'DELETE',
    `${path}/{message.id}`,
    'Unpin a message',
    { needs: ['PIN_MESSAGES'], exempt: mayManage, event: 'CHANNEL_PINS_UPDATE', logs: 'MESSAGE_UNPIN' },
    (visit) => changePin(visit, false),
  ),
]

export const pinRoutes: readonly WorldRoute[] = [
  row('GET', PINS, 'The pinned messages of a channel, newest pin first', {}, (visit) => {
    const { before, limit = 50 } = visit.query(page)
    const all = pinsOf(visit).filter((one) => before === undefined || pinnedAt(one) < before)
    const items = all.slice(0, limit).map((message) => ({
      pinned_at: pinnedAt(message),
      message: messageFor(message, visit.botId),
    }))
    return { items, has_more: all.length > limit }
  }),
  ...pins(PINS),
  row('GET', OLD_PINS, 'The pinned messages of a channel, in the older form', {}, (visit) =>
    pinsOf(visit)
      .slice(0, 50)
      .map((message) => messageFor(message, visit.botId)),
  ),
  ...pins(OLD_PINS),
]
