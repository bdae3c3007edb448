/** What people do in channels: a row for each verb, with what it takes and the act that it is. */
import { aFlag, argument } from '../../../core/rules/arguments.ts'
import { isObject } from '../../../core/json.ts'
import type { Reader } from '../../../core/rules/readers.ts'
import { ChannelType } from '../../../model/command-types.ts'
import { isThread } from '../../../model/server.ts'
import type { Act, ObjectName, Objects } from '../../../service/world/acts/act.ts'
import { pinMessage, unpinMessage } from '../../../service/world/acts/pins.ts'
import { blockBots, closeDirects, openDirects, unblockBots } from '../../../service/world/acts/directs.ts'
import { takeVoteBack, voteInPoll } from '../../../service/world/acts/polls.ts'
import { joinThread, leaveThread, startThread, startThreadFrom } from '../../../service/world/acts/threads.ts'
import { isDirect, type AnyChannel, type Thread } from '../../../service/world/entities.ts'
import type { WorldMessage } from '../../../service/world/world-message.ts'
import { InputError } from './input-error.ts'

/** What verbs take in the world. In a call, a message is whatever the caller has for one: `Target`. */
interface Forms {
  readonly message: WorldMessage
  readonly text: string
  readonly flag: boolean
}

export type Form = keyof Forms

/** What a verb takes: its name below `/people/`, and its form. */
export type Field<One extends Form = Form> = readonly [json: string, form: One]

type Options = Readonly<Record<string, Field>>
type Meant<One> = One extends Field<infer F> ? Forms[F] : never
type Called<One, Target> = One extends Field<infer F> ? (F extends 'message' ? Target : Forms[F]) : never

/** A person who carries out acts. */
export interface Hand {
  /** The channel in which the person is. */
  readonly place: AnyChannel
  inPlace<Body, Out>(record: Act<never, Body, Out>, body?: object): Out
  onMessage<Body, Out>(record: Act<'message', Body, Out>, message: WorldMessage, body?: object): Out
  on<On extends ObjectName, Body, Out>(record: Act<On, Body, Out>, on: Pick<Objects, On>, body?: object): Out
}

export interface Verb<Takes extends readonly Field[], Own extends Options, Out> {
  readonly takes: Takes
  readonly options?: Own
  readonly do: (
    hand: Hand,
    takes: NoInfer<{ readonly [At in keyof Takes]: Meant<Takes[At]> }>,
    options: NoInfer<{ readonly [Name in keyof Own]?: Meant<Own[Name]> }>,
  ) => Out
}

function verb<const Takes extends readonly Field[], const Own extends Options = {}, Out = void>(
  row: Verb<Takes, Own, Out>,
): Verb<Takes, Own, Out> {
  return row
}

const onMessage = (record: Act<'message', undefined, void>) =>
  verb({ takes: [['id', 'message']], do: (hand, [message]) => hand.onMessage(record, message) })

const onAnswer = (record: Act<'message', { readonly answer: string }, void>) =>
  verb({
    takes: [
      ['id', 'message'],
      ['answer', 'text'],
    ],
    do: (hand, [message, answer]) => hand.onMessage(record, message, { answer }),
  })

const alone = (record: Act<never, undefined, void>) => verb({ takes: [], do: (hand) => hand.inPlace(record) })

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
  pin: onMessage(pinMessage),
  unpin: onMessage(unpinMessage),
  startThread: verb({
    takes: [['name', 'text']],
    options: { message: ['id', 'message'], private: ['private', 'flag'] },
    do(hand, [name], { message, private: isPrivate }): Thread {
      if (message !== undefined) return hand.onMessage(startThreadFrom, message, { name })
      const type = isPrivate ? ChannelType.PRIVATE_THREAD : openThread(hand.place)
      return hand.inPlace(startThread, { name, type })
    },
  }),
  vote: onAnswer(voteInPoll),
  unvote: onAnswer(takeVoteBack),
  closeDirectMessages: alone(closeDirects),
  openDirectMessages: alone(openDirects),
  block: alone(blockBots),
  unblock: alone(unblockBots),
  joinThread: verb({ takes: [], do: (hand) => hand.on(joinThread, { thread: threadIn(hand.place) }) }),
  leaveThread: verb({ takes: [], do: (hand) => hand.on(leaveThread, { thread: threadIn(hand.place) }) }),
} as const

export type VerbName = keyof typeof verbs

type Row<Name extends VerbName> = (typeof verbs)[Name]
type OptionsOf<Name extends VerbName> = NonNullable<Row<Name>['options']>
type CalledAll<Takes extends readonly Field[], Target> = {
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
  readonly takes: readonly Field[]
  readonly options?: Options
  do(hand: Hand, takes: any, options: any): unknown
}

export const rows: Readonly<Record<VerbName, AnyVerb>> = verbs

/** What is right about an argument, in a call and in JSON. */
export const readersOf: Readonly<Record<Form, Reader>> = {
  message: argument('a message', isObject),
  text: argument('a text', (value) => typeof value === 'string'),
  flag: aFlag,
}

/** The name below `/people/`: `start-thread`. */
export const pathOf = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
