/** The endpoints of pins: those of today, and the older ones. */
import { objectOf, optional, partial } from '../../../core/rules/readers.ts'
import { pinMessage, unpinMessage } from '../../world/acts/pin-acts.ts'
import { pinnedAt, pinnedMessages } from '../../world/messages.ts'
import { CHANNEL, MESSAGES } from './paths.ts'
import { integerIn, bodyTime } from '../../world/body-fields.ts'
import { actRow, row, type Visit, type WorldRoute } from './visit.ts'

const PINS = `${MESSAGES}/pins`
const OLD_PINS = `${CHANNEL}/pins`

const page = objectOf(partial(optional, { before: bodyTime, limit: integerIn(1, 50) }))

const reading = { quiet: ['READ_MESSAGE_HISTORY'] } as const

/** The pinned messages that the bot may read. */
function pinsOf(visit: Visit) {
  return visit.has('READ_MESSAGE_HISTORY') ? pinnedMessages(visit.world, visit.channel.id) : []
}

const pins = (path: string): readonly WorldRoute[] => [
  actRow('PUT', `${path}/{message.id}`, pinMessage),
  actRow('DELETE', `${path}/{message.id}`, unpinMessage),
]

export const pinRoutes: readonly WorldRoute[] = [
  row('GET', PINS, 'The pinned messages of a channel, newest pin first', reading, (visit) => {
    const { before, limit = 50 } = visit.query(page)
    const all = pinsOf(visit).filter((one) => before === undefined || pinnedAt(one) < before)
    const items = all.slice(0, limit).map((message) => ({
      pinned_at: pinnedAt(message),
      message: visit.messageFor(message),
    }))
    return { items, has_more: all.length > limit }
  }),
  ...pins(PINS),
  row('GET', OLD_PINS, 'The pinned messages of a channel, in the older form', reading, (visit) =>
    pinsOf(visit)
      .slice(0, 50)
      .map((message) => visit.messageFor(message)),
  ),
  ...pins(OLD_PINS),
]
