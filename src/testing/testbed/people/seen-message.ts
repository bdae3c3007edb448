/** Waits for a message of any author in the channel of a person. */
import type { AppMessage } from '../../../interactions/bot/bot-message.ts'
import { listed, quoted } from '../../../core/text.ts'
import { messageFor, type WorldMessage } from '../../../service/world/world-message.ts'
import { messageText } from '../stage/answer-text.ts'
import type { BotWatch } from '../stage/bot-watch.ts'
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
