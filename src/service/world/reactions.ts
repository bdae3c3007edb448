/** Reactions to messages. */
import { isUnicodeEmoji } from '../../model/emoji.ts'
import type { Emoji } from './entities.ts'
import { guildMember } from './wire.ts'
import { emojiKey, type WorldMessage } from './world-message.ts'
import { known, type World } from './world.ts'

/** The most emojis that a message can have. */
export const MAX_REACTIONS = 20

/** The emoji of a text: a character of Unicode, or `name:id`, `:name:id`, and `a:name:id` for an animated one. */
export function readEmoji(text: string): Emoji | undefined {
  const [, animation, name, id] = /^(?:(a?):)?(\w{2,32}):(\d{1,20})$/.exec(text) ?? []
  if (name !== undefined && id !== undefined)
    return { name, id, ...(animation === 'a' && { animated: true }) }
  return isUnicodeEmoji(text) ? { name: text, id: null } : undefined
}

/** Adds or removes the reaction of a user. Nothing happens if that is so already. */
export function setReaction(
  world: World,
  channelId: string,
  messageId: string,
  userId: string,
  emoji: Emoji,
  isOn: boolean,
): void {
  const message = known(world.message(channelId, messageId))
  const key = emojiKey(emoji)
  const at = message.reactions.findIndex((one) => emojiKey(one.emoji) === key)
  const reaction = message.reactions[at] ?? { emoji, users: [] }
  if (reaction.users.includes(userId) === isOn) return
  const others = reaction.users.filter((id) => id !== userId)
  const changed = { ...reaction, users: isOn ? [...others, userId] : others }
  const all = at < 0 ? [...message.reactions, changed] : message.reactions.with(at, changed)
  keepReactions(world, message, all)
  const member = world.memberIn(channelId, userId)
  world.publishIn(channelId, isOn ? 'MESSAGE_REACTION_ADD' : 'MESSAGE_REACTION_REMOVE', {
    message_id: messageId,
    ...world.placeOf(channelId),
    user_id: userId,
    emoji: { animated: false, ...reaction.emoji },
    burst: false,
    type: 0,
    ...(isOn && { message_author_id: message.author.id, ...(member && { member: guildMember(member) }) }),
  })
}

/** Removes all reactions, or those with one emoji. */
export function clearReactions(world: World, channelId: string, messageId: string, emoji?: Emoji): void {
  const message = known(world.message(channelId, messageId))
  const kept = message.reactions.filter((one) => emoji && emojiKey(one.emoji) !== emojiKey(emoji))
  keepReactions(world, message, kept)
  const data = { message_id: messageId, ...world.placeOf(channelId) }
  if (emoji === undefined) world.publishIn(channelId, 'MESSAGE_REACTION_REMOVE_ALL', data)
  else world.publishIn(channelId, 'MESSAGE_REACTION_REMOVE_EMOJI', { ...data, emoji })
}

function keepReactions(world: World, message: WorldMessage, reactions: WorldMessage['reactions']): void {
  world.log.set({ ...message, reactions: reactions.filter(({ users }) => users.length > 0) })
}
