/** Acts on pins: pinning and unpinning messages. */
import { SPLIT_PERMISSIONS } from '../../../model/platform.ts'
import { Refused } from '../../refusals.ts'
import { pinnedMessages, setPinned } from '../messages.ts'
import { isSystemMessage } from '../world-message.ts'
import { act, type ActFacts } from './act.ts'

const MAX_PINS = 250

const pinning = {
  needs: ['PIN_MESSAGES'],
  // Before the split of the permissions, MANAGE_MESSAGES allowed pins.
  exempt: (by, place) => !by.world.platform.has(SPLIT_PERMISSIONS) && by.hasInstead(place, 'MANAGE_MESSAGES'),
  event: 'CHANNEL_PINS_UPDATE',
} as const satisfies Partial<ActFacts>

export const pinMessage = act({
  ...pinning,
  summary: 'Pin a message',
  on: ['message'],
  logs: 'MESSAGE_PIN',
  check(by, { message }, place) {
    const { pinned, channel_id: id } = message
    by.needOpen(place)
    if (isSystemMessage(message)) throw new Refused('system_message')
    if (!pinned && pinnedMessages(by.world, id).length >= MAX_PINS)
      throw new Refused('too_many_pins', `${MAX_PINS}`)
  },
  do: (by, { message }) => setPinned(by.world, message, by.user, true),
})

export const unpinMessage = act({
  ...pinning,
  summary: 'Unpin a message',
  on: ['message'],
  logs: 'MESSAGE_UNPIN',
  check: (by, _, place) => by.needOpen(place),
  do: (by, { message }) => setPinned(by.world, message, by.user, false),
})
