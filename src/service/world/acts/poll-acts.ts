/** Acts on polls: votes, and the end. */
import { objectOf } from '../../../core/rules/readers.ts'
import { listed, quoted } from '../../../core/text.ts'
import { invalidField, Refused } from '../../refusals.ts'
import { textBetween } from '../body-fields.ts'
import { pollIn } from '../poll-results.ts'
import type { MessagePoll } from '../../../model/answer-types.ts'
import { endPoll, setVote } from '../polls.ts'
import type { WorldMessage } from '../world-message.ts'
import { act } from './act.ts'

/** @throws Refused for a message without a poll */
function pollOf(message: WorldMessage): MessagePoll {
  const poll = pollIn(message)
  if (poll === undefined) throw new Refused('no_poll', 'the message has no poll')
  return poll
}

const textOf = ({ poll_media: { text = '' } }: MessagePoll['answers'][number]) => text

/** The id of the answer with a text, or with this id, as two may have one text. @throws Refused for another */
function answerOf({ answers }: MessagePoll, name: string): number {
  const found =
    answers.find((one) => textOf(one) === name) ?? answers.find(({ answer_id: id }) => String(id) === name)
  if (found !== undefined) return found.answer_id
  const known = listed(answers.map((one) => quoted(textOf(one))))
  throw invalidField('answer', `The poll has no such answer; it has ${known}`)
}

const voting = {
  on: ['message'],
  needs: ['READ_MESSAGE_HISTORY'],
  body: objectOf({ answer: textBetween(1, 55) }),
  check(_: unknown, { message }: { readonly message: WorldMessage }) {
    if (pollOf(message).results.is_finalized) throw new Refused('poll_ended')
  },
} as const

export const voteInPoll = act({
  ...voting,
  summary: 'Vote for an answer of a poll',
  event: 'MESSAGE_POLL_VOTE_ADD',
  do({ world, user: { id } }, { message, body }) {
    const poll = pollOf(message)
    const answer_id = answerOf(poll, body.answer)
    // Where one answer counts, the vote for another is taken back.
    const others = poll.allow_multiselect ? [] : (message.votes ?? [])
    for (const one of others)
      if (one.user_id === id && one.answer_id !== answer_id) setVote(world, message, one, false)
    const now = world.message(message.channel_id, message.id) ?? message
    setVote(world, now, { answer_id, user_id: id }, true)
  },
})

export const takeVoteBack = act({
  ...voting,
  summary: 'Take a vote in a poll back',
  event: 'MESSAGE_POLL_VOTE_REMOVE',
  do({ world, user: { id } }, { message, body }) {
    setVote(world, message, { answer_id: answerOf(pollOf(message), body.answer), user_id: id }, false)
  },
})

export const endOwnPoll = act({
  summary: 'End a poll of the bot',
  event: 'MESSAGE_UPDATE',
  on: ['message'],
  check(by, { message }) {
    if (pollIn(message) === undefined) throw new Refused('no_poll')
    if (message.author.id !== by.user.id)
      throw new Refused('foreign_message', `the poll is one of ${message.author.username}`)
  },
  do: ({ world }, { message }): WorldMessage => endPoll(world, message),
})
