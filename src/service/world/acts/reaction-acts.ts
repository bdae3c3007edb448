/** Acts on reactions: adding and removing them. */
import { Report } from '../../../core/rules/report.ts'
import { referenceRules } from '../../../interactions/answer/reference-rules.ts'
import { Refused } from '../../refusals.ts'
import type { AnyChannel } from '../entities.ts'
import type { Party } from '../party.ts'
import { clearReactions, MAX_REACTIONS, setReaction } from '../reactions.ts'
import { emojiKey } from '../world-message.ts'
import { act, type ActInput } from './act.ts'

type Reacting = ActInput<'message' | 'emoji', undefined>

/** Anybody may join a reaction that is there. */
const isNew = ({ message, emoji }: Reacting) =>
  !message.reactions.some((one) => emojiKey(one.emoji) === emojiKey(emoji))

/** Notes a custom emoji that nothing here has: at Discord it is unknown, unless the bot can use it there. */
function noteUnknown(by: Party, given: Reacting): void {
  const { id } = given.emoji
  if (id === null || by.hasEmoji === undefined || !isNew(given)) return
  const report = new Report()
  report.at(['emoji', 'id'], () => report.check(referenceRules.emojiUnknown, id, by.hasEmoji!(id)))
  by.noteIssues(report.warnings)
}

const checkOpen = (by: Party, _: unknown, place: AnyChannel) => by.needOpen(place)

export const addReaction = act({
  summary: 'React to a message',
  needs: ['READ_MESSAGE_HISTORY'],
  event: 'MESSAGE_REACTION_ADD',
  on: ['message', 'emoji'],
  further: [{ permission: 'ADD_REACTIONS', for: 'an emoji that the message does not have', when: isNew }],
  check(by, given, place) {
    if (isNew(given) && given.message.reactions.length >= MAX_REACTIONS)
      throw new Refused('too_many_reactions', `${MAX_REACTIONS}`)
    noteUnknown(by, given)
    if (by.user.bot && by.world.blocking.has(given.message.author.id)) throw new Refused('reaction_blocked')
    by.needOpen(place)
  },
  do: ({ world, user }, { message, emoji }) =>
    setReaction(world, message.channel_id, message.id, user.id, emoji, true),
})

const removal = { event: 'MESSAGE_REACTION_REMOVE' } as const

export const removeReaction = act({
  ...removal,
  summary: 'Remove the own reaction',
  on: ['message', 'emoji'],
  check: checkOpen,
  do: ({ world, user }, { message, emoji }) =>
    setReaction(world, message.channel_id, message.id, user.id, emoji, false),
})

export const removeReactionOf = act({
  ...removal,
  summary: "Remove a user's reaction",
  needs: ['MANAGE_MESSAGES'],
  on: ['message', 'emoji', 'userId'],
  check: checkOpen,
  do: ({ world }, { message, emoji, userId }) =>
    setReaction(world, message.channel_id, message.id, userId, emoji, false),
})

export const clearEmoji = act({
  summary: 'Remove all reactions with an emoji',
  needs: ['MANAGE_MESSAGES'],
  event: 'MESSAGE_REACTION_REMOVE_EMOJI',
  on: ['message', 'emoji'],
  check: checkOpen,
  do: ({ world }, { message, emoji }) => clearReactions(world, message.channel_id, message.id, emoji),
})

export const clearAllReactions = act({
  summary: 'Remove all reactions',
  needs: ['MANAGE_MESSAGES'],
  event: 'MESSAGE_REACTION_REMOVE_ALL',
  on: ['message'],
  check: checkOpen,
  do: ({ world }, { message }) => clearReactions(world, message.channel_id, message.id),
})
