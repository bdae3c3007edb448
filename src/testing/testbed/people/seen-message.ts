/** Waits for a message of any author in the channel of a person. */
import { compareSnowflakes } from '../../../core/snowflake.ts'
import { listed, quoted } from '../../../core/text.ts'
import { messageFor, type WorldMessage } from '../../../service/world/world-message.ts'
import { messageText } from '../answers/answer-text.ts'
import type { BotWatch } from '../answers/bot-watch.ts'
import { isMeant } from './emoji-meant.ts'
import { invalidArgument, type Participant, type People } from './people.ts'

interface SeenOptions {
  readonly by: Participant
  readonly people: People
  readonly watch: BotWatch
}

/** The messages that an error lists. */
const LISTED_MESSAGES = 5

/** The whole text of a message, or a RegExp for a part of it. */
export type SeenText = string | RegExp

/** The nth message with a text. @throws TestbedError `not_seen` after the time limit */
export async function seenMessage(
  wanted: SeenText,
  nth: number,
  options: SeenOptions,
): Promise<WorldMessage> {
  const { by, people, watch } = options
  checkWanted(wanted)
  const textOf = textsFor(options)
  const found = await watch.until(
    () => visibleMessages(options).filter((message) => isWanted(textOf(message), wanted))[nth - 1],
    (look) => people.world.subscribe(look),
  )
  if (found !== undefined) return found
  const texts = visibleMessages(options).map(textOf)
  const last = texts.slice(-LISTED_MESSAGES)
  const others =
    last.length === 0
      ? 'no messages are visible there'
      : `the last are ${listed(last.map((one) => quoted(one)))}`
  const which = nth === 1 ? 'the message' : `${nth} messages`
  throw watch.fail(
    'not_seen',
    `${by.person.username} does not see ${which} ${wantedText(wanted)} in time; ${partOf(texts, wanted) ?? others}`,
  )
}

/** Waits until no message has a text. @throws TestbedError `not_seen` after the time limit */
export async function unseenMessage(wanted: SeenText, options: SeenOptions): Promise<void> {
  const { by, people, watch } = options
  checkWanted(wanted)
  const textOf = textsFor(options)
  const isSeen = (message: WorldMessage) => isWanted(textOf(message), wanted)
  const messages = visibleMessages(options)
  const part = partOf(messages.map(textOf), wanted)
  // Otherwise the text would be gone at once, and the message still there.
  if (part !== undefined && !messages.some(isSeen))
    throw watch.fail('not_seen', `no message is ${wantedText(wanted)}; ${part}`)
  const isGone = await watch.until(
    () => (visibleMessages(options).some(isSeen) ? undefined : true),
    (look) => people.world.subscribe(look),
  )
  if (isGone !== true)
    throw watch.fail('not_seen', `${by.person.username} still sees the message ${wantedText(wanted)}`)
}

/** @throws InputError for anything but a text or a RegExp */
function checkWanted(wanted: unknown): void {
  if (typeof wanted === 'string' || wanted instanceof RegExp) return
  throw invalidArgument('text', 'the whole text of a message, or a RegExp for a part of it', wanted)
}

function textsFor({ by, people }: SeenOptions): (message: WorldMessage) => string {
  const objects = people.objects(people.server(by.serverId))
  return (message) => messageText(messageFor(message, ''), objects)
}

function isWanted(text: string, wanted: SeenText): boolean {
  // `test` of a RegExp with the flag `g` remembers where it was.
  return typeof wanted === 'string' ? text === wanted : text.search(wanted) >= 0
}

function wantedText(wanted: SeenText): string {
  return typeof wanted === 'string' ? quoted(wanted) : String(wanted)
}

/** The advice for a text that is only a part of a message. */
function partOf(texts: readonly string[], wanted: SeenText): string | undefined {
  const whole = typeof wanted === 'string' ? texts.findLast((text) => text.includes(wanted)) : undefined
  return whole === undefined || whole === wanted
    ? undefined
    : `it is a part of ${quoted(whole)}: give the whole text, or a RegExp`
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

/** The messages of the channel of a person, and the answers that they alone see. The bot may still have to start the channel. */
function visibleMessages({ by, people, watch }: SeenOptions): readonly WorldMessage[] {
  const { world } = people
  const { channel: name } = by.options
  const isDirect = name === 'dm' || name === 'group'
  // A bot may still have to start the thread.
  if (!isDirect && !people.hasChannel(name, people.server(by.serverId))) return []
  const channel = world.channel(people.clientOptions(by).channel?.id ?? '')
  if (channel === undefined || !world.sees(by.person.id, channel)) return []
  // They have no reactions.
  const own = watch.ownAnswers
    .of(by.person.id, channel.id)
    .map(({ message }) => ({ ...message, reactions: [] }))
  const all = world.messages(channel.id)
  return own.length === 0 ? all : [...all, ...own].sort((one, other) => compareSnowflakes(one.id, other.id))
}
