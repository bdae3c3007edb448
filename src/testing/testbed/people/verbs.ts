/** What people do in channels: a row for each verb, with what it takes and the act that it is. */
import { aFlag, argument, listArgument } from '../../../core/rules/arguments.ts'
import { isObject } from '../../../core/json.ts'
import { describeValue, listed } from '../../../core/text.ts'
import type { Reader } from '../../../core/rules/readers.ts'
import type { AnswerFile } from '../../../model/answer-types.ts'
import { ChannelType } from '../../../model/command-types.ts'
import { isThread } from '../../../model/server.ts'
import { needRights, type Act, type ObjectName, type Objects } from '../../../service/world/acts/act.ts'
import { changeMessage, removeMessage, sendMessage } from '../../../service/world/acts/message-acts.ts'
import { pinMessage, unpinMessage } from '../../../service/world/acts/pin-acts.ts'
import { blockBots, closeDirects, openDirects, unblockBots } from '../../../service/world/acts/direct-acts.ts'
import { takeVoteBack, voteInPoll } from '../../../service/world/acts/poll-acts.ts'
import { addReaction, removeReaction } from '../../../service/world/acts/reaction-acts.ts'
import {
  joinThread,
  leaveThread,
  startThread,
  startThreadFrom,
} from '../../../service/world/acts/thread-acts.ts'
import { joinVoice, leaveVoice } from '../../../service/world/acts/voice-acts.ts'
import {
  isDirect,
  type AnyChannel,
  type Emoji,
  type ServerState,
  type Thread,
  type WorldChannel,
} from '../../../service/world/entities.ts'
import type { Place } from '../../../service/world/party.ts'
import { emojiKey, type WorldMessage } from '../../../service/world/world-message.ts'
import type { FileToAttach } from '../answers/attached.ts'
import type { ActingPerson } from './acting-person.ts'
import { emojiMeant } from './emoji-meant.ts'
import { InputError } from './input-error.ts'

/** What verbs take in the world. In a call, a message is whatever the caller has for one: `Target`. */
interface Forms {
  readonly message: WorldMessage
  readonly text: string
  readonly flag: boolean
  /** A voice channel by its name. */
  readonly channel: WorldChannel
  /** A text such as `👍` or `party`. */
  readonly emoji: string
  readonly files: readonly AnswerFile[]
}

/** What a program gives for each form, but for messages. */
interface GivenForms extends Omit<Forms, 'message' | 'channel' | 'files'> {
  readonly channel: string
  readonly files: readonly (FileToAttach | Blob)[]
}

export type Form = keyof Forms

/** What a verb takes: its name below `/people/`, and its form. */
export type VerbField<One extends Form = Form> = readonly [json: string, form: One]

type Options = Readonly<Record<string, VerbField>>
type Meant<One> = One extends VerbField<infer F> ? Forms[F] : never
type Called<One, Target> = One extends VerbField<infer F> ? CalledForm<F, Target> : never
type CalledForm<F extends Form, Target> = F extends keyof GivenForms ? GivenForms[F] : Target

/** A person who carries out acts. */
export interface Hand {
  readonly by: ActingPerson
  /** The channel in which the person is. */
  readonly place: AnyChannel
  readonly server: ServerState
  /** The text as a client sends it, with the ids of people, roles and channels in place of their names. */
  withMentions(content: string): string
  /** Carries out an act in the place of the message that it is on, else in that of the person. */
  act<On extends ObjectName, Body, Out>(
    record: Act<On, Body, Out>,
    on: Pick<Objects, On>,
    body?: object,
    files?: readonly AnswerFile[],
  ): Out
  actIn<Body, Out, Where extends Place>(
    record: Act<never, Body, Out, Where>,
    place: Where,
    body?: object,
  ): Out
}

export interface Verb<Takes extends readonly VerbField[], Own extends Options, Out> {
  readonly takes: Takes
  readonly options?: Own
  /** Whether it is done in a server, and not in the channel of the person. */
  readonly isOfServer?: true
  /** What is checked before files are opened. @throws Refused, InputError */
  readonly ready?: (hand: Hand) => void
  readonly do: (
    hand: Hand,
    takes: NoInfer<{ readonly [At in keyof Takes]: Meant<Takes[At]> }>,
    options: NoInfer<{ readonly [Name in keyof Own]?: Meant<Own[Name]> }>,
  ) => Out
}

function verb<const Takes extends readonly VerbField[], const Own extends Options = {}, Out = void>(
  row: Verb<Takes, Own, Out>,
): Verb<Takes, Own, Out> {
  return row
}

const onMessage = (record: Act<'message', undefined, void>) =>
  verb({ takes: [['id', 'message']], do: (hand, [message]) => hand.act(record, { message }) })

const EMOJI = "a character such as 👍, the name of one of the server's, or <:party:1>"

/** @throws InputError for a text that names no emoji */
function emojiOf({ by }: Hand, message: WorldMessage, text: string): Emoji {
  const emoji = emojiMeant(by.world, message, text)
  if (emoji === undefined) throw new InputError(`emoji: expected ${EMOJI}, got ${describeValue(text)}`)
  return emoji
}

const onEmoji = (record: Act<'message' | 'emoji', undefined, void>) =>
  verb({
    takes: [
      ['id', 'message'],
      ['emoji', 'emoji'],
    ],
    do: (hand, [message, text]) => hand.act(record, { message, emoji: emojiOf(hand, message, text) }),
  })

const onAnswer = (record: Act<'message', { readonly answer: string }, void>) =>
  verb({
    takes: [
      ['id', 'message'],
      ['answer', 'text'],
    ],
    do: (hand, [message, answer]) => hand.act(record, { message }, { answer }),
  })

const alone = (record: Act<never, undefined, void>) => verb({ takes: [], do: (hand) => hand.act(record, {}) })

/** The threads that everybody sees; those of an announcement channel have a type of their own. */
const openThread = (place: AnyChannel) =>
  !isDirect(place) && place.type === ChannelType.GUILD_ANNOUNCEMENT
    ? ChannelType.ANNOUNCEMENT_THREAD
    : ChannelType.PUBLIC_THREAD

/** @throws InputError for a person who is in no thread */
function threadIn(place: AnyChannel): Thread {
  if (!isDirect(place) && isThread(place)) return place as Thread
  throw new InputError('channel: expected a thread')
}

export const verbs = {
  say: verb({
    takes: [['content', 'text']],
    options: { reply: ['reply', 'message'], files: ['files', 'files'] },
    // A person without the right sees no field to write in, so no file is opened.
    ready({ by, place }) {
      needRights(sendMessage, by, place)
      by.needPause(place)
    },
    do(hand, [content], { reply, files = [] }): WorldMessage {
      if (reply !== undefined && reply.channel_id !== hand.place.id)
        throw new InputError('reply: expected a message of the channel of the person')
      const reference = reply && { message_reference: { message_id: reply.id } }
      return hand.act(sendMessage, {}, { content: hand.withMentions(content), ...reference }, files)
    },
  }),
  edit: verb({
    takes: [
      ['id', 'message'],
      ['content', 'text'],
    ],
    do: (hand, [message, content]): WorldMessage =>
      hand.act(changeMessage, { message }, { content: hand.withMentions(content) }),
  }),
  delete: onMessage(removeMessage),
  react: onEmoji(addReaction),
  unreact: verb({
    takes: [
      ['id', 'message'],
      ['emoji', 'emoji'],
    ],
    do(hand, [message, text]) {
      const emoji = emojiOf(hand, message, text)
      const own = message.reactions.filter(({ users }) => users.includes(hand.by.user.id))
      if (!own.some((one) => emojiKey(one.emoji) === emojiKey(emoji))) {
        const others = listed(own.map((one) => one.emoji.name)) || 'none'
        throw new InputError(
          `emoji: ${hand.by.name} has not reacted with ${text}; their reactions are ${others}`,
        )
      }
      return hand.act(removeReaction, { message, emoji })
    },
  }),
  pin: onMessage(pinMessage),
  unpin: onMessage(unpinMessage),
  startThread: verb({
    takes: [['name', 'text']],
    options: { message: ['id', 'message'], private: ['private', 'flag'] },
    do(hand, [name], { message, private: isPrivate }): Thread {
      if (message !== undefined) return hand.act(startThreadFrom, { message }, { name })
      const type = isPrivate ? ChannelType.PRIVATE_THREAD : openThread(hand.place)
      return hand.act(startThread, {}, { name, type })
    },
  }),
  vote: onAnswer(voteInPoll),
  unvote: onAnswer(takeVoteBack),
  closeDirectMessages: alone(closeDirects),
  openDirectMessages: alone(openDirects),
  block: alone(blockBots),
  unblock: alone(unblockBots),
  joinThread: verb({ takes: [], do: (hand) => hand.act(joinThread, { thread: threadIn(hand.place) }) }),
  leaveThread: verb({ takes: [], do: (hand) => hand.act(leaveThread, { thread: threadIn(hand.place) }) }),
  joinVoice: verb({
    takes: [['voice', 'channel']],
    options: { muted: ['muted', 'flag'], deafened: ['deafened', 'flag'] },
    isOfServer: true,
    do: (hand, [channel], { muted = false, deafened = false }) =>
      hand.actIn(joinVoice, channel, { self_mute: muted, self_deaf: deafened }),
  }),
  leaveVoice: verb({
    takes: [],
    isOfServer: true,
    do: (hand) => hand.actIn(leaveVoice, hand.server),
  }),
} as const

export type VerbName = keyof typeof verbs

type Row<Name extends VerbName> = (typeof verbs)[Name]
type OptionsOf<Name extends VerbName> = NonNullable<Row<Name>['options']>
type CalledAll<Takes extends readonly VerbField[], Target> = {
  -readonly [At in keyof Takes]: Called<Takes[At], Target>
}

/** The arguments of a verb as a program gives them. */
export type ArgumentsOf<Name extends VerbName, Target> = [
  ...takes: CalledAll<Row<Name>['takes'], Target>,
  options?: { readonly [Key in keyof OptionsOf<Name>]?: Called<OptionsOf<Name>[Key], Target> | undefined },
]

export type OutOf<Name extends VerbName> = ReturnType<Row<Name>['do']>

/** A row for those who carry out any verb. */
export interface AnyVerb {
  readonly takes: readonly VerbField[]
  readonly options?: Options
  readonly isOfServer?: true
  ready?(hand: Hand): void
  do(hand: Hand, takes: any, options: any): unknown
}

export const rows: Readonly<Record<VerbName, AnyVerb>> = verbs

const isText = (value: unknown): value is string => typeof value === 'string'
const text = argument('a text', isText)
const aFile = argument<FileToAttach | Blob>(
  'a file with its filename',
  (value) => value instanceof Blob || (isObject(value) && typeof value.filename === 'string'),
)

/** What is right about an argument, in a call and in JSON. */
export const readersOf: Readonly<Record<Form, Reader>> = {
  message: argument('a message', isObject),
  text,
  flag: aFlag,
  channel: argument('the name or the id of a channel', isText),
  emoji: argument(EMOJI, isText),
  files: listArgument(aFile),
}

/** The arguments of a verb. @param valueOf the value of a field in JSON, as an argument; undefined for an absent one */
export function argumentsIn<Target>(
  name: VerbName,
  valueOf: (...field: VerbField) => unknown,
): ArgumentsOf<VerbName, Target> {
  const { takes, options = {} }: AnyVerb = rows[name]
  const chosen = Object.entries(options).map(([key, field]) => [key, valueOf(...field)])
  return [...takes.map((field) => valueOf(...field)), Object.fromEntries(chosen)] as any
}

/** The name below `/people/`: `start-thread`. */
export const verbPath = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
