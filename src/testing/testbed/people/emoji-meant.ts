/** The emojis that a person names. */
import type { Emoji } from '../../../service/world/entities.ts'
import { readEmoji } from '../../../service/world/reactions.ts'
import { emojiKey, type WorldMessage } from '../../../service/world/world-message.ts'
import type { World } from '../../../service/world/world.ts'

/** The emoji that a text describes in full: `👍`, or `<:party:1>` as in the text of a message. */
const described = (text: string) => readEmoji(text.replace(/^<(.+)>$/, '$1'))

/** Whether a text names an emoji: `👍`, `party`, `:party:`, or `<:party:1>`. */
export function isMeant({ name, id }: Emoji, text: string): boolean {
  if (text === name || text === `:${name}:`) return true
  const emoji = described(text)
  return emoji !== undefined && emojiKey(emoji) === emojiKey({ name, id })
}

/** The emoji that a text names: one of the message, of its server, or any other that is described in full. */
export function emojiMeant(
  world: World,
  { channel_id, reactions }: WorldMessage,
  text: string,
): Emoji | undefined {
  const serverId = world.guildOf(channel_id)
  const ofServer = serverId === null ? [] : (world.server(serverId)?.emojis ?? [])
  const own = [...reactions.map(({ emoji }) => emoji), ...ofServer].find((emoji) => isMeant(emoji, text))
  if (own === undefined) return described(text)
  return { id: own.id, name: own.name, ...(own.animated && { animated: true }) }
}
