/** Waits for a message of any author in the channel of a person. */
import type { AppMessage } from '../../../interactions/bot/bot-message.ts'
import { listed, quoted } from '../../../core/text.ts'
import { messageFor, type WorldMessage } from '../../../service/world/world-message.ts'
import { messageText } from '../answers/answer-text.ts'
import type { BotWatch } from '../answers/bot-watch.ts'
import { isMeant } from './emoji-meant.ts'
import type { Participant, People } from './people.ts'

interface SeenOptions {
  readonly by: Participant
  readonly people: People
  readonly watch: BotWatch
}

/** The messages that an error lists. */
const LISTED_MESSAGES = 5

/** The nth message with a text. @throws TestbedError `not_seen` after the time limit */
export async function seenMessage(text: string, nth: number, options: SeenOptions): Promise<WorldMessage> {
  const { by, people, watch } = options
  const objects = people.objects(people.server(by.serverId))
  const textOf = (message: WorldMessage) =>
    messageText(messageFor(message, '') as unknown as AppMessage, objects)
  const found = await watch.until(
    () => visibleMessages(options).filter((message) => textOf(message) === text)[nth - 1],
    (look) => people.world.subscribe(look),
  )
  if (found !== undefined) return found
  const last = visibleMessages(options).slice(-LISTED_MESSAGES).map(textOf)
  const others =
    last.length === 0
      ? 'no messages are visible there'
      : `the last are ${listed(last.map((one) => quoted(one)))}`
  const which = nth === 1 ? 'the message' : `${nth} messages`
  throw watch.fail(
    'not_seen',
    `${by.person.username} does not see ${which} ${quoted(text)} in time; ${others}`,
  )
}

/** Waits until no message has a text. @throws TestbedError `not_seen` after the time limit */
export async function unseenMessage(text: string, options: SeenOptions): Promise<void> {
  const { by, people, watch } = options
  const objects = people.objects(people.server(by.serverId))
  const isSeen = (message: WorldMessage) =>
    messageText(messageFor(message, '') as unknown as AppMessage, objects) === text
  const isGone = await watch.until(
    () => (visibleMessages(options).some(isSeen) ? undefined : true),
    (look) => people.world.subscribe(look),
  )
  if (isGone !== true)
    throw watch.fail('not_seen', `${by.person.username} still sees the message ${quoted(text)}`)
}

/** Waits until a message has a reaction. @throws TestbedError `not_seen` after the time limit */
export async function seenReaction(
  { channel_id: channelId, id }: WorldMessage,
  emoji: string,
  { by, people, watch }: SeenOptions,
): Promise<void> {
  const emojis = () => (people.world.message(channelId, id)?.reactions ?? []).map((one) => one.emoji)
  const isThere = await watch.until(
    () => emojis().some((one) => isMeant(one, emoji)) || undefined,
    (look) => people.world.subscribe(look),
  )
  if (isThere !== true)
    throw watch.fail(
      'not_seen',
      `${by.person.username} does not see the reaction ${emoji} in time; ${listed(emojis().map(({ name }) => name)) || 'none'} is there`,
    )
}

/** The messages of the channel of a person; none as long as there is no such channel. */
function visibleMessages({ by, people }: SeenOptions): readonly WorldMessage[] {
  const { world } = people
  const { channel: name } = by.options
  const isDirect = name === 'dm' || name === 'group'
  // A bot may still have to start the thread.
  if (!isDirect && !people.hasChannel(name, people.server(by.serverId))) return []
  const channel = world.channel(people.clientOptions(by).channel?.id ?? '')
  return channel !== undefined && world.sees(by.person.id, channel) ? world.messages(channel.id) : []
}
