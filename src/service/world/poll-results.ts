/** Polls, and who has voted. */
import { isObject, type JsonObject } from '../../core/json.ts'
import type { MessagePoll } from '../../model/answer-types.ts'

/** A vote of a person. */
export interface Vote {
  readonly answer_id: number
  readonly user_id: string
}

/** The poll of a message; undefined for a message without one. */
export function pollIn(message: object): MessagePoll | undefined {
  const { poll } = message as JsonObject
  return isObject(poll) ? (poll as unknown as MessagePoll) : undefined
}

export function votesFor({ answers }: MessagePoll, votes: readonly Vote[]) {
  return answers.map((answer) => ({
    ...answer,
    users: votes.filter((one) => one.answer_id === answer.answer_id).map(({ user_id }) => user_id),
  }))
}

/** A poll with its results so far, as a user sees them. */
export function withResults(poll: MessagePoll, votes: readonly Vote[], viewerId: string): MessagePoll {
  const voted = votesFor(poll, votes).filter(({ users }) => users.length > 0)
  const answer_counts = voted.map(({ answer_id, users }) => ({
    id: answer_id,
    count: users.length,
    me_voted: users.includes(viewerId),
  }))
  return { ...poll, results: { is_finalized: poll.results.is_finalized, answer_counts } }
}
