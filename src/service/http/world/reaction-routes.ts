/** The endpoints of reactions. */
import { objectOf, optional, partial } from '../../../core/rules/readers.ts'
import { compareSnowflakes } from '../../../core/snowflake.ts'
import { completeUser } from '../../../interactions/usage/complete.ts'
import {
  addReaction,
  clearAllReactions,
  clearEmoji,
  removeReaction,
  removeReactionOf,
} from '../../world/acts/reaction-acts.ts'
import { emojiKey } from '../../world/world-message.ts'
import { MESSAGE } from './paths.ts'
import { bodyId, integerIn } from '../../world/body-fields.ts'
import { actRow, row, type WorldRoute } from './visit.ts'

const REACTIONS = `${MESSAGE}/reactions`
const EMOJI = `${REACTIONS}/{emoji}`

const page = objectOf(partial(optional, { after: bodyId, limit: integerIn(1, 100) }))

export const reactionRoutes: readonly WorldRoute[] = [
  actRow('PUT', `${EMOJI}/@me`, addReaction),
  actRow('DELETE', `${EMOJI}/@me`, removeReaction),
  actRow('DELETE', `${EMOJI}/{user.id}`, removeReactionOf),
  row('GET', EMOJI, 'The users who reacted with an emoji', { needs: ['READ_MESSAGE_HISTORY'] }, (visit) => {
    const { after, limit = 100 } = visit.query(page)
    const key = emojiKey(visit.emoji)
    const { users = [] } = visit.message.reactions.find(({ emoji }) => emojiKey(emoji) === key) ?? {}
    return users
      .filter((userId) => after === undefined || compareSnowflakes(userId, after) > 0)
      .slice(0, limit)
      .map((userId) => completeUser(visit.world.user(userId)!))
  }),
  actRow('DELETE', EMOJI, clearEmoji),
  actRow('DELETE', REACTIONS, clearAllReactions),
]
