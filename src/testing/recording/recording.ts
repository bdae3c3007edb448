/** What people and a bot do from a moment on, as the service sees it: each step, and what was seen after it. */
import { bytesOfText } from '../../core/bounded-map.ts'
import type { Emitter } from '../../core/emitter.ts'
import type { AnswerEvent } from '../../interactions/bot/kept-messages.ts'
import type { Asked, BotSession } from '../../interactions/bot/bot-session.ts'
import type { BotAnswer } from '../../interactions/bot/endpoint.ts'
import { isEphemeral } from '../../model/interaction-types.ts'
import { isObject } from '../../core/json.ts'
import type { AnswerFile, AnswerModal } from '../../model/answer-types.ts'
import { OptionType } from '../../model/command-types.ts'
import { knownFields, userOf, type AnyInteraction } from '../../model/interaction-payload.ts'
import { isDirect } from '../../service/world/entities.ts'
import type { WorldEvent } from '../../service/world/world-events.ts'
import { isWorldMessage, messageFor, type WorldMessage } from '../../service/world/world-message.ts'
import type { World } from '../../service/world/world.ts'
import { durationText } from '../samples/test-clock.ts'
import { messageText, answerText } from '../testbed/answers/answer-text.ts'
import { allowedMentionsOf, shownMessageId } from '../testbed/answers/shown.ts'
import { GROUP, type TestAct, type People } from '../testbed/people/people.ts'
import {
  AttachedContent,
  Variable,
  variablesIn,
  type NthServer,
  type Value,
  type Who,
} from '../test-code/language.ts'
import { mentionOf, typedLine } from '../test-code/typed-text.ts'
import type { FrameworkName } from '../test-code/frameworks.ts'
import { callOf, writtenFile } from './recorded-calls.ts'
import type { RecordedStep, Seen } from './recorded-step.ts'
import { recordedTest, type RecordedSetup } from './recorded-test.ts'

interface OpenModal {
  readonly key: string
  readonly modal: AnswerModal
  readonly userId: string
}

export interface RecordingSource {
  readonly session: BotSession
  readonly people: People
  /** Publishes the milliseconds by which the clock is about to move. */
  readonly moves?: Pick<Emitter<number>, 'add'> | undefined
}

/** A recording ends when its steps have more bytes. */
const MAX_RECORDING_BYTES = 4 * 1024 * 1024
/** The types of messages that people and bots write: the others are the service's own. */
const WRITTEN: readonly unknown[] = [0, 19]

/** The fields of events that are read. */
interface EventData {
  readonly id: string
  readonly channel_id: string
  readonly message_id: string
  readonly user_id: string
  readonly emoji: { readonly name: string }
}

export class Recording {
  readonly #source: RecordingSource
  #ends: readonly (() => void)[] = []
  /** The first one has what was seen before any step. */
  #steps: RecordedStep[] = []
  #bytes = 0
  #isFull = false
  /** The interactions whose answer is still to come. */
  readonly #pending = new Set<string>()
  /** The ids that a test has in a variable. */
  readonly #keys = new Set<string>()
  readonly #interactions = new Set<string>()
  /** The messages of channels since the start, and when they were edited. */
  readonly #messages = new Map<string, string | null>()
  readonly #texts = new Map<string, string>()
  readonly #locales = new Map<string, string>()
  #modals: OpenModal[] = []

  constructor(source: RecordingSource) {
    this.#source = source
  }

  get state() {
    return { isOn: this.#ends.length > 0, steps: Math.max(0, this.#steps.length - 1), isFull: this.#isFull }
  }

  /** Writes the steps until now as a test of any framework. */
  writer(setup: Omit<RecordedSetup, 'deployed'>) {
    const steps = this.#steps.map((step) => ({ ...step, seen: step.seen.map((one) => ({ ...one })) }))
    // The first command that was used is one that the bot has deployed.
    const used = steps.find(({ verb }) => verb === 'use')?.values[0]
    const deployed = typeof used === 'string' ? used.split(' ')[0]!.slice(1) : undefined
    return (framework: FrameworkName, more: Pick<RecordedSetup, 'title' | 'note'> = {}): string =>
      recordedTest(steps, framework, { ...setup, ...more, deployed })
  }

  /** Begins anew. */
  start(): void {
    this.stop()
    const { session, people, moves } = this.#source
    this.#steps = []
    this.#bytes = 0
    this.#isFull = false
    this.#modals = []
    for (const one of [this.#pending, this.#keys, this.#interactions, this.#messages, this.#texts])
      one.clear()
    this.#locales.clear()
    this.#add({ by: null, verb: '', values: [] })
    this.#ends = [
      session.subscribe((asked) => this.#onAsked(asked)),
      session.messages.subscribe((event) => this.#onAnswerEvent(event)),
      people.world.subscribe((event) => this.#onWorldEvent(event)),
      people.acts.add((act) => this.#onAct(act)),
      ...(moves ? [moves.add((time) => void this.#add(this.#ofServer('advance', durationText(time))))] : []),
    ]
  }

  stop(): void {
    for (const end of this.#ends) end()
    this.#ends = []
  }

  get #world(): World {
    return this.#source.people.world
  }

  // --- Steps ------------------------------------------------------------------------------------------------------

  #ofServer(verb: string, ...values: readonly Value[]) {
    return { by: null, verb, values }
  }

  /** Adds a step, unless it acts on a message that a test cannot name. */
  #add(step: Pick<RecordedStep, 'by' | 'verb' | 'values'> & Partial<RecordedStep>): RecordedStep | undefined {
    const added: RecordedStep = { interaction: '', key: '', text: null, failure: '', seen: [], ...step }
    if (!variablesIn(added.values).every((key) => this.#isKnown(key, added.by))) return undefined
    this.#bytes += bytesOf(added.values)
    this.#checkSize()
    this.#steps.push(added)
    if (added.key !== '') this.#keys.add(added.key)
    return added
  }

  #checkSize(): void {
    if (this.#bytes <= MAX_RECORDING_BYTES) return
    this.#isFull = true
    this.stop()
  }

  /** Whether a test has a message in a variable, or a person can look for it. */
  #isKnown(key: string, by: Who | null): boolean {
    if (this.#keys.has(key)) return true
    const message = this.#world.findMessage(key)
    if (message === undefined || by === null) return false
    this.#see({ ...this.#seenIn(message), isOlder: true }, this.#steps[0])
    return true
  }

  #see(seen: Pick<Seen, 'kind' | 'key' | 'text'> & Partial<Seen>, step = this.#steps.at(-1)): void {
    const { kind, key, text } = seen
    this.#bytes += bytesOfText(text)
    this.#checkSize()
    this.#keys.add(key)
    this.#texts.set(key, text)
    const before = step?.seen.find((one) => one.kind === kind && one.key === key)
    if (before === undefined) step?.seen.push({ of: '', by: null, nth: 1, times: 1, isOlder: false, ...seen })
    else Object.assign(before, { text, nth: seen.nth ?? 1, times: before.times + 1 })
  }

  // --- People and places --------------------------------------------------------------------------------------------

  #isPerson(id: string | undefined): boolean {
    const user = this.#world.user(id ?? '')
    return user !== undefined && user.bot !== true
  }

  /** A person in a channel, as `bed.as` takes them. */
  #who(userId: string, channelId: string, locale = this.#locales.get(userId)): Who {
    if (locale !== undefined) this.#locales.set(userId, locale)
    const world = this.#world
    const channel = world.channel(channelId)
    const isInServer = channel !== undefined && !isDirect(channel)
    const server = isInServer ? world.server(channel.guild_id)! : undefined
    const first = world.servers.find(({ id }) => world.member(id, userId) !== undefined)
    const name = !isInServer
      ? channelId === GROUP.id
        ? 'group'
        : 'dm'
      : server!.channels[0]?.id === channelId
        ? undefined
        : channel.name
    const place = {
      ...(name !== undefined && { channel: name }),
      ...(server !== undefined && server.id !== first?.id && { server: server.name }),
      ...(locale !== undefined && locale !== 'en-US' && { locale }),
    }
    return { name: world.user(userId)?.username ?? userId, place }
  }

  /** A message of a channel, with a person who sees it. */
  #seenIn(message: WorldMessage): Pick<Seen, 'kind' | 'key' | 'by' | 'text' | 'nth'> {
    const world = this.#world
    const { id: key, channel_id: channelId } = message
    const text = this.#textOf(message)
    const isSame = (one: WorldMessage) => this.#messages.has(one.id) && this.#textOf(one) === text
    const nth = Math.max(
      1,
      world
        .messages(channelId)
        .filter(isSame)
        .findIndex(({ id }) => id === key) + 1,
    )
    return { kind: 'sees', key, text, nth, by: this.#viewerOf(channelId) }
  }

  /** A person who sees a channel: who acted last, else any member. */
  #viewerOf(channelId: string): Who | null {
    const world = this.#world
    const channel = world.channel(channelId)!
    const last = this.#steps.findLast((step) => step.by !== null)?.by?.name
    const people = isDirect(channel)
      ? [channel.user]
      : (world.server(channel.guild_id)?.members ?? []).map(({ user }) => user)
    const seeing = people.filter(({ id }) => this.#isPerson(id) && world.sees(id, channel))
    const user = seeing.find(({ username }) => username === last) ?? seeing[0]
    return user === undefined ? null : this.#who(user.id, channelId)
  }

  #textOf(message: WorldMessage): string {
    const { people } = this.#source
    const server = this.#world.guildOf(message.channel_id)
    const objects = people.objects(people.server(server ?? undefined))
    return messageText(messageFor(message, ''), objects)
  }

  // --- Interactions -------------------------------------------------------------------------------------------------

  #onAsked({ interaction, answer }: Asked): void {
    const { people, session } = this.#source
    const user = userOf(interaction)
    const { channel_id: channelId = '', guild_id: guildId, locale } = knownFields(interaction)
    if (user === undefined) return
    const server = people.server(guildId)
    const { threads = [] } = this.#world.server(server.id) ?? {}
    const isOwn = ({ modal, userId }: OpenModal, id: string) => modal.custom_id === id && userId === user.id
    const call = callOf(interaction, {
      server: { ...server, channels: [...server.channels, ...threads] },
      files: session.messages.files,
      modalOf: (id) => this.#modals.findLast((one) => isOwn(one, id)),
      usernameOf: (id) => this.#world.user(id)?.username,
    })
    const by = this.#who(user.id, channelId, locale)
    const step = call && this.#add({ ...call, by, interaction: interaction.id })
    if (step === undefined) return
    this.#pending.add(interaction.id)
    void answer.then((given) => {
      this.#pending.delete(interaction.id)
      if (this.#steps.includes(step)) this.#answered(step, interaction, given, user.id)
    })
  }

  /** Adds a use of a command that was refused before the bot had it. @param values by option, ids of people and others */
  addRefusal(
    by: { readonly userId: string; readonly channelId: string; readonly locale: string },
    path: string,
    values: { readonly [option: string]: unknown },
    code: string,
  ): void {
    if (!this.state.isOn) return
    const who = this.#who(by.userId, by.channelId, by.locale)
    const server = this.#source.people.server(who.place.server)
    const typed = Object.entries(values).map(([name, value]) => ({
      option: { name, type: OptionType.STRING },
      value: mentionOf(value, server) ?? value,
    }))
    this.#add({ by: who, verb: 'use', values: [typedLine(`/${path}`, typed, server)], failure: code })
  }

  #answered(step: RecordedStep, interaction: AnyInteraction, answer: BotAnswer, userId: string): void {
    if (!answer.ok) {
      // Without a bot, answers are written by hand.
      const isOpen = answer.code === 'not_connected'
      step.failure = isOpen ? '' : answer.code === 'invalid' ? 'refused' : 'no_answer'
      return
    }
    const { messages } = this.#source.session
    const { rendered } = answer
    const id = shownMessageId(interaction, answer, messages)
    const live = id === null ? undefined : messages.live(id)
    step.key = live?.message.id ?? interaction.id
    this.#keys.add(step.key)
    this.#interactions.add(interaction.id)
    if (rendered.kind === 'modal') this.#modals.push({ key: step.key, modal: rendered.modal, userId })
    const objects = this.#objectsFor(interaction)
    const parts = { message: null, modal: rendered.kind === 'modal' ? rendered.modal : null }
    step.text =
      live === undefined
        ? answerText({ kind: rendered.kind, deleted: false, ephemeral: false, ...parts }, objects)
        : messageText(live.message, objects, live.isDeleted, allowedMentionsOf(live, rendered))
    this.#bytes += bytesOfText(step.text)
  }

  #objectsFor(interaction: AnyInteraction) {
    const { people } = this.#source
    return people.objects(people.server(knownFields(interaction).guild_id))
  }

  #onAnswerEvent({ type, interaction, message }: AnswerEvent): void {
    // The answer itself.
    if (this.#pending.has(interaction.id)) return
    const { id: key } = message
    const text = messageText(message, this.#objectsFor(interaction), type === 'message_deleted')
    if (type === 'message_created') {
      if (this.#interactions.has(interaction.id))
        this.#see({ kind: 'followedUp', key, of: interaction.id, text })
    } else if (this.#keys.has(key)) this.#see({ kind: 'edited', key, text })
  }

  // --- Servers ------------------------------------------------------------------------------------------------------

  /** An act of a person, as the call that does it again. */
  #onAct({ by, serverId, post, verb, values, message, failure = '' }: TestAct): void {
    const who = by === null ? null : this.#who(by.userId, by.channelId)
    const given = values.map((value) => this.#valueOf(value))
    const isEmpty = (value: Value) => Array.isArray(value) && value.length === 0 && verb === 'addPerson'
    if (message !== undefined) {
      this.#messages.set(message.id, message.edited_timestamp)
      this.#texts.set(message.id, this.#textOf(message))
    }
    this.#add({
      by: who,
      ...(serverId !== undefined && { server: this.#nthServer(serverId) }),
      ...(post && { post }),
      verb,
      values: given.filter((one) => !isEmpty(one)),
      key: message?.id ?? '',
      failure,
    })
  }

  #nthServer(id: string): NthServer {
    const { servers } = this.#world
    const index = servers.findIndex((one) => one.id === id)
    return { index, name: servers[index]!.name }
  }

  #valueOf(value: unknown): Value {
    if (isWorldMessage(value)) return new Variable(value.id)
    if (Array.isArray(value)) return value.map((one) => this.#valueOf(one))
    if (!isObject(value)) return value as Value
    // A channel, by its name.
    if (typeof value.guild_id === 'string') return value.name as string
    if (typeof value.filename === 'string') return writtenFile(value as unknown as AnswerFile)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.#valueOf(one)]))
  }

  // --- What bots do in channels -----------------------------------------------------------------------------------

  #onWorldEvent({ name, data }: WorldEvent): void {
    const { id, channel_id, message_id, user_id, emoji } = data as EventData
    if (name === 'MESSAGE_CREATE' || name === 'MESSAGE_UPDATE')
      this.#onMessage(id, channel_id, name === 'MESSAGE_CREATE')
    else if (name === 'MESSAGE_DELETE') this.#onDelete(id, channel_id)
    else if (name === 'MESSAGE_REACTION_ADD' && !this.#isPerson(user_id))
      this.#onReaction(message_id, channel_id, emoji.name)
  }

  #onMessage(id: string, channelId: string, isNew: boolean): void {
    const message = this.#world.message(channelId, id)
    if (message === undefined || !WRITTEN.includes(message.type)) return
    if (isNew || this.#messages.has(id)) this.#messages.set(id, message.edited_timestamp)
    if (this.#source.session.messages.live(id) !== undefined) return this.#onAnswerInChannel(message, isNew)
    if (this.#isPerson(message.author.id) && message.webhook_id === undefined) {
      this.#texts.set(id, this.#textOf(message))
      return
    }
    const seen = this.#seenIn(message)
    if (seen.text !== this.#texts.get(id)) this.#see(seen)
  }

  /** An answer to an interaction from before the recording is a message like any other. */
  #onAnswerInChannel(message: WorldMessage, isNew: boolean): void {
    const { interaction } = this.#source.session.messages.live(message.id)!
    const isOfRecording = this.#interactions.has(interaction.id) || this.#pending.has(interaction.id)
    if (isNew && !isOfRecording && !isEphemeral(message)) this.#see(this.#seenIn(message))
  }

  #onDelete(id: string, channelId: string): void {
    const { actor } = this.#world
    const seen = this.#steps.at(-1)?.seen ?? []
    const at = seen.findIndex((one) => one.kind === 'sees' && one.key === id)
    if (actor !== null && this.#isPerson(actor.userId)) return
    if (at >= 0) seen.splice(at, 1)
    else this.#onDeletedByBot(id, channelId)
  }

  #onDeletedByBot(id: string, channelId: string): void {
    const text = this.#texts.get(id)
    const isAnswer = this.#source.session.messages.live(id) !== undefined
    if (text === undefined || isAnswer || !this.#messages.has(id)) return
    // A test cannot tell it from another one with the same text.
    if (this.#world.messages(channelId).some((one) => this.#textOf(one) === text)) return
    this.#see({ kind: 'noLongerSees', key: id, text, by: this.#viewerOf(channelId) })
  }

  #onReaction(messageId: string, channelId: string, emoji: string): void {
    const by = this.#viewerOf(channelId)
    if (!this.#isKnown(messageId, by)) return
    this.#see({ kind: 'seesReaction', key: `${messageId} ${emoji}`, of: messageId, by, text: emoji })
  }
}

function bytesOf(value: Value): number {
  if (value instanceof AttachedContent) return value.content?.length ?? 0
  if (typeof value === 'string') return bytesOfText(value)
  if (typeof value !== 'object' || value === null) return 8
  return Object.values(value).reduce((sum: number, one: Value) => sum + bytesOf(one), 64)
}
