/** Votes in polls, and how polls end: by the clock, or by their author. */
import { addSystemMessage, replaceMessage } from './messages.ts'
import { archiveIdleThreads } from './threads.ts'
import { pollIn, votesFor, type Vote } from './poll-results.ts'
import type { MessagePoll } from '../../model/answer-types.ts'
import type { WorldMessage } from './world-message.ts'
import { known, type World } from './world.ts'

/** What tells the result of a poll. */
const POLL_RESULT = 46

/** Adds or removes a vote. Nothing happens if that is so already. */
export function setVote(world: World, message: WorldMessage, vote: Vote, isOn: boolean): void {
  const { votes = [] } = known(world.message(message.channel_id, message.id))
  const others = votes.filter((one) => one.answer_id !== vote.answer_id || one.user_id !== vote.user_id)
  if (others.length < votes.length === isOn) return
  world.log.set({ ...message, votes: isOn ? [...others, vote] : others })
  world.publishIn(message.channel_id, isOn ? 'MESSAGE_POLL_VOTE_ADD' : 'MESSAGE_POLL_VOTE_REMOVE', {
    ...vote,
    message_id: message.id,
    ...world.placeOf(message.channel_id),
  })
}

/** Ends a poll, with a message of the service about its result. */
export function endPoll(world: World, message: WorldMessage): WorldMessage {
  const poll = known(pollIn(message))
  world.openPolls.delete(message.id)
  if (poll.results.is_finalized) return message
  const expiry = new Date(Math.min(world.now(), Date.parse(poll.expiry))).toISOString()
  const ended = { ...poll, expiry, results: { ...poll.results, is_finalized: true } }
  const changed: WorldMessage & { readonly poll: object } = { ...message, poll: ended }
  replaceMessage(world, changed)
  const { channel_id: channelId, id, author } = message
  addSystemMessage(world, channelId, author, {
    type: POLL_RESULT,
    embeds: [{ type: 'poll_result', fields: resultOf(poll, message.votes ?? []) }],
    message_reference: { type: 0, message_id: id, ...world.placeOf(channelId) },
  } as never)
  return known(world.message(channelId, id))
}

/** Ends the polls whose time is over. */
function endPolls(world: World): void {
  for (const [id, channelId] of [...world.openPolls]) {
    const message = world.message(channelId, id)
    const poll = message && pollIn(message)
    if (message === undefined || poll === undefined) world.openPolls.delete(id)
    else if (Date.parse(poll.expiry) <= world.now()) endPoll(world, message)
  }
}

/** The fields of the message about a result. A tie has no winner. */
function resultOf(poll: MessagePoll, votes: readonly Vote[]): readonly object[] {
  const counted = votesFor(poll, votes)
  const most = Math.max(...counted.map(({ users }) => users.length))
  const first = counted.filter(({ users }) => users.length === most)
  const [winner] = first.length === 1 && most > 0 ? first : []
  const fields = {
    poll_question_text: poll.question.text,
    victor_answer_votes: String(most),
    total_votes: String(votes.length),
    ...(winner && {
      victor_answer_id: String(winner.answer_id),
      ...(winner.poll_media.text !== undefined && { victor_answer_text: winner.poll_media.text }),
    }),
  }
  return Object.entries(fields).map(([name, value]) => ({ name, value, inline: false }))
}

/** What happens because time passes: threads are archived, and polls end. */
export function passTime(world: World): void {
  archiveIdleThreads(world)
  endPolls(world)
}
