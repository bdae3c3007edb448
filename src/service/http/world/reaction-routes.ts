/** The endpoints of reactions. */
import { objectOf, optional, partial } from '../../../core/rules/readers.ts'
import { compareSnowflakes } from '../../../core/snowflake.ts'
import { completeUser } from '../../../interactions/usage/complete.ts'
import type { Emoji } from '../../world/entities.ts'
import { clearReactions, MAX_REACTIONS, readEmoji, setReaction } from '../../world/reactions.ts'
import { emojiKey } from '../../world/world-message.ts'
import { Refused } from '../respond.ts'
import { MESSAGE } from './paths.ts'
import { id, integer } from './request-fields.ts'
import { row, type Visit, type WorldRoute } from './visit.ts'

const REACTIONS = `${MESSAGE}/reactions`
const EMOJI = `${REACTIONS}/{emoji}`

const page = objectOf(partial(optional, { after: id, limit: integer(1, 100) }))

function emojiOf(visit: Visit): Emoji {
  const emoji = readEmoji(visit.path('emoji'))
  if (emoji === undefined) throw new Refused('unknown_emoji')
  return emoji
}

function reactionOf(visit: Visit) {
  const key = emojiKey(emojiOf(visit))
  return visit.message.reactions.find(({ emoji }) => emojiKey(emoji) === key)
}

function changeReaction(visit: Visit, userId: string, isOn: boolean): void {
  visit.needOpen()
  setReaction(visit.world, visit.channel.id, visit.message.id, userId, emojiOf(visit), isOn)
}

const removal = { event: 'MESSAGE_REACTION_REMOVE' } as const

export const reactionRoutes: readonly WorldRoute[] = [
  row(
    'PUT',
    `${EMOJI}/@me`,
    'React to a message',
    { needs: ['READ_MESSAGE_HISTORY'], event: 'MESSAGE_REACTION_ADD' },
    (visit) => {
      // Anybody may join a reaction that is there.
      if (reactionOf(visit) === undefined) {
        visit.need('ADD_REACTIONS')
        if (visit.message.reactions.length >= MAX_REACTIONS)
          throw new Refused('too_many_reactions', `${MAX_REACTIONS}`)
      }
      changeReaction(visit, visit.botId, true)
    },
  ),
  row('DELETE', `${EMOJI}/@me`, 'Remove the own reaction', removal, (visit) =>
    changeReaction(visit, visit.botId, false),
  ),
  row(
    'DELETE',
    `${EMOJI}/{user.id}`,
    "Remove a user's reaction",
    { needs: ['MANAGE_MESSAGES'], ...removal },
    (visit) => changeReaction(visit, visit.path('user'), false),
  ),
  row('GET', EMOJI, 'The users who reacted with an emoji', { needs: ['READ_MESSAGE_HISTORY'] }, (visit) => {
    const { after, limit = 100 } = visit.query(page)
    const { users = [] } = reactionOf(visit) ?? {}
    return users
      .filter((userId) => after === undefined || compareSnowflakes(userId, after) > 0)
      .slice(0, limit)
      .map((userId) => completeUser(visit.world.user(userId)!))
  }),
  row(
    'DELETE',
    EMOJI,
    'Remove all reactions with an emoji',
    { needs: ['MANAGE_MESSAGES'], event: 'MESSAGE_REACTION_REMOVE_EMOJI' },
    (visit) => {
      visit.needOpen()
      clearReactions(visit.world, visit.channel.id, visit.message.id, emojiOf(visit))
    },
  ),
  row(
    'DELETE',
    REACTIONS,
    'Remove all reactions',
    { needs: ['MANAGE_MESSAGES'], event: 'MESSAGE_REACTION_REMOVE_ALL' },
    (visit) => {
      visit.needOpen()
      clearReactions(visit.world, visit.channel.id, visit.message.id)
    },
  ),
]
