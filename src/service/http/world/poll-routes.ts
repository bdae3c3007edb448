/** The endpoints of polls. */
import { objectOf, optional, partial } from '../../../core/rules/readers.ts'
import { compareSnowflakes } from '../../../core/snowflake.ts'
import { completeUser } from '../../../interactions/usage/complete.ts'
import { endOwnPoll } from '../../world/acts/poll-acts.ts'
import { bodyId, integerIn } from '../../world/body-fields.ts'
import { pollIn, votesFor } from '../../world/poll-results.ts'
import { Refused } from '../../refusals.ts'
import { CHANNEL } from './paths.ts'
import { actRow, row, type WorldRoute } from './visit.ts'

const POLL = `${CHANNEL}/polls/{message.id}`
const page = objectOf(partial(optional, { after: bodyId, limit: integerIn(1, 100) }))

export const pollRoutes: readonly WorldRoute[] = [
  row('GET', `${POLL}/answers/{answer.id}`, 'The users who voted for an answer of a poll', {}, (visit) => {
    const { after, limit = 25 } = visit.query(page)
    const { message, world } = visit
    const poll = pollIn(message)
    const answer =
      poll &&
      votesFor(poll, message.votes ?? []).find((one) => String(one.answer_id) === visit.path('answer'))
    if (answer === undefined) throw new Refused('no_poll')
    const users = [...answer.users]
      .sort(compareSnowflakes)
      .filter((one) => after === undefined || compareSnowflakes(one, after) > 0)
    return { users: users.slice(0, limit).map((one) => completeUser(world.user(one)!)) }
  }),
  actRow('POST', `${POLL}/expire`, endOwnPoll, (message, visit) => visit.messageFor(message)),
]
