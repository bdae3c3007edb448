/** The chat clients of people, whose interactions the bot answers. */
import { isEphemeral } from '../answer/message.ts'
import type { AppAnswer, BotAnswer } from '../bot/endpoint.ts'
import type { BotSession } from '../bot/session.ts'
import { ChatClient, type OptionValues } from '../client/chat-client.ts'
import { InvocationError } from '../client/error.ts'
import { findByName } from '../client/names.ts'
import type { CommandChoice } from '../command/definition.ts'
import { CommandType } from '../command/types.ts'
import type { OptionValue } from '../interaction/usage.ts'
import type { Clock } from '../core/clock.ts'
import { isObject } from '../core/json.ts'
import type { Issue } from '../core/report.ts'
import { isSnowflake, snowflakes, type IdSource } from '../core/snowflake.ts'
import { listed, quoted } from '../core/text.ts'
import {
  choose,
  ComponentError,
  press,
  submit,
  type ComponentUse,
  type ModalValues,
} from '../interaction/component.ts'
import { completeUser, type AttachedFile, type KnownObjects } from '../interaction/complete.ts'
import { knownFields, userOf, type AnyInteraction, type InteractionMessage } from '../interaction/payload.ts'
import { createInteraction, type InteractionPlace } from '../interaction/create.ts'
import { PermissionFlag } from '../command/permission-flags.ts'
import { mentionKinds, type MentionKind } from '../interaction/usage-rules.ts'
import type { ServerChannel } from '../server/server.ts'
import { messageFor } from '../world/message.ts'
import { messageView, type MessageView } from './view.ts'
import type { CommandRegistry } from '../registry/registry.ts'
import {
  InputError,
  invalidArgument,
  type People,
  type Participant,
  type Person,
  type PersonInServer,
} from './people.ts'
import { lastOption, readValues, splitLine } from './line.ts'
import { linesAfter, unknownRoutesAfter } from './transcript.ts'
import { textOf } from './text.ts'
import { answerShown, TestbedError, type Shown, type ShownContext, type TestbedErrorCode } from './shown.ts'

/** A value of an option. A person, role or channel is an object or its id, and a file an object with its name. */
export type UseValue = OptionValue | { readonly id: string } | AttachedFile

/** An entry of the list that a person sees while typing. */
export type Suggestion =
  /** A command, or a subcommand with its command. */
  | {
      readonly kind: 'command'
      /** The localized name. */
      readonly name: string
      readonly description: string
      /** The default name. */
      readonly path: string
    }
  /** A choice, or a suggestion of the bot. */
  | { readonly kind: 'choice'; readonly name: string; readonly value: string | number }

interface ClientsOptions {
  readonly registry: CommandRegistry
  readonly people: People
  readonly session: BotSession
  readonly clock: Clock
  /** Milliseconds of real time to wait for a bot. */
  readonly timeout: number
  /** Whether a bot that has logged in is connected. Default: not known. */
  readonly isConnected?: () => boolean
}

/** A person with a chat client. */
export interface Actor {
  /**
   * Uses a slash command: a typed line, or its name and the values of options.
   *
   * @example
   * await bed.as('moderator').use('/ban user:@alan reason:spam')
   * await bed.as('moderator').use('ban', { user: bed.people.alan })
   *
   * @throws InvocationError when the person cannot use the command in this way; the bot received nothing
   * @throws TestbedError `no_answer` when the bot does not answer in time, `refused` when its answer is invalid,
   *   `not_connected` when it is not logged in
   */
  use(line: string, values?: { readonly [option: string]: UseValue | undefined }): Promise<Shown>
  /** Uses a user command on a person, also by name, or a message command on a message. @throws as `use` */
  useOn(name: string, target: string | Person | InteractionMessage | MessageTarget): Promise<Shown>
  /** The entries that the person sees while typing: commands, choices, or suggestions of the bot. @throws as `use` */
  suggestions(line: string): Promise<readonly Suggestion[]>
  /** Launches the Activity, by the entry point command of the app. @throws as `use` */
  launch(): Promise<Launched>
  /**
   * Presses a button of a message that the person can see, such as the answer to another person.
   *
   * @throws ComponentError when they cannot see the message, or it has no such button
   * @throws TestbedError as `use`
   */
  press(target: MessageTarget, button: string): Promise<Shown>
  /** Chooses from a select menu of a message that the person can see. @throws as `press` */
  choose(target: MessageTarget, menu: string, ...values: readonly string[]): Promise<Shown>
  /** Submits a modal that the bot has opened for the person. @throws as `press` */
  submit(shown: Shown, values: ModalValues): Promise<Shown>
  /**
   * Writes a message in the channel of the person, or in the DM with the bot.
   *
   * @throws InvocationError `permission_denied` when the person may not write there, or not yet in slow mode
   */
  say(content: string): Promise<MessageView>
  /** Reacts to a message with an emoji such as `👍`. @throws ComponentError when they cannot see the message */
  react(target: MessageTarget, emoji: string): Promise<void>
  /** Takes a reaction back. @throws as `react` */
  unreact(target: MessageTarget, emoji: string): Promise<void>
  /** Changes the text of an own message. @throws InvocationError `permission_denied` for that of another */
  edit(target: MessageTarget, content: string): Promise<MessageView>
  /** Deletes an own message; with MANAGE_MESSAGES also that of another. @throws as `edit` */
  delete(target: MessageTarget): Promise<void>
}

/** The result of a launch: an answer of the bot, or a message of the service, which the bot does not receive. */
export type Launched =
  | { readonly handledBy: 'app'; readonly shown: Shown; readonly message: null }
  | { readonly handledBy: 'service'; readonly shown: null; readonly message: InteractionMessage }

/** A message: an answer to a person, or a message of a channel. */
export type MessageTarget = Shown | MessageView

const { SEND_MESSAGES, MANAGE_CHANNELS, MANAGE_MESSAGES } = PermissionFlag

export class Clients implements ShownContext {
  readonly #ids: IdSource
  readonly #submitted = new WeakSet<Shown>()
  readonly #options: ClientsOptions
  /** The last entry of the traffic before the bot could act on an interaction. */
  readonly #began = new WeakMap<AnyInteraction, number>()

  constructor(options: ClientsOptions) {
    this.#options = options
    this.#ids = snowflakes({ clock: options.clock, worker: 3 })
  }

  get messages(): BotSession['messages'] {
    return this.#options.session.messages
  }

  // --- For people ---------------------------------------------------------------------------------------------

  /** A person with a chat client, which has the current commands for each use. */
  actor(by: Participant): Actor {
    const { people, registry, clock } = this.#options
    const { world } = people
    const openClient = async () => {
      const client = new ChatClient(registry, people.clientOptions(by))
      await client.refresh()
      return client
    }
    /** The answer to an interaction; the person waits from the call on. */
    const showUse = async (use: (client: ChatClient) => Promise<AnyInteraction>) => {
      const calledAt = clock.now()
      return this.#show(await use(await openClient()), calledAt)
    }
    const setReaction = (target: MessageTarget, name: string, isOn: boolean) => {
      const { channel_id: channelId, id } = this.#channelMessage(target, by)
      world.setReaction(channelId, id, by.person.id, { id: null, name }, isOn)
    }
    return {
      use: async (line, values = {}) => {
        if (typeof line !== 'string') throw invalidArgument('line', 'a text such as "/ping"', line)
        if (!isObject(values)) throw invalidArgument('values', 'an object of values by option', values)
        return showUse((client) => this.#useLine(client, by, line, values))
      },
      useOn: async (name, target) => {
        const on = this.#menuTarget(target, by)
        return showUse((client) => this.#useOn(client, name, on))
      },
      suggestions: async (line) => this.#suggestions(await openClient(), by, line),
      launch: async () => {
        const calledAt = clock.now()
        const { handledBy, interaction, message } = await (await openClient()).launch()
        if (handledBy === 'service') return { handledBy, shown: null, message }
        return { handledBy, shown: await this.#show(interaction, calledAt), message }
      },
      press: async (target, button) => this.press(target, button, by),
      choose: async (target, menu, ...values) => this.choose(target, menu, values, by),
      submit: async (shown, values) => this.submit(shown, values, by),
      say: async (content) => this.#say(by, content),
      react: async (target, emoji) => setReaction(target, emoji, true),
      unreact: async (target, emoji) => setReaction(target, emoji, false),
      edit: async (target, content) => {
        const { id, channel_id: channelId } = this.#changeable(target, by)
        return messageView(world, world.editMessage(channelId, id, { content }))
      },
      delete: async (target) => {
        const { id, channel_id: channelId } = this.#changeable(target, by, MANAGE_MESSAGES)
        world.deleteMessages(channelId, [id])
      },
    }
  }

  async #useLine(
    client: ChatClient,
    by: Participant,
    line: string,
    values: { readonly [option: string]: unknown },
  ): Promise<AnyInteraction> {
    const { path, values: typed, kindsOf, idOf, attach, attachments } = this.#read(client, by, line)
    const given = Object.entries(values).map(([name, value]) => [
      name,
      idOf(name, valueOf(name, value, attach)),
    ])
    const all: OptionValues = { ...typed, ...Object.fromEntries(given) }
    const { resolved = {} } = this.#options.people.clientOptions(by)
    // The client would invent an object for an unknown id.
    const unknown = Object.entries(all).flatMap(([name, value]) => {
      const kinds = kindsOf(name)
      const problem = kinds.length > 0 && isSnowflake(value) && unknownId(value, kinds, resolved)
      return problem ? [`${name}: ${problem}`] : []
    })
    if (unknown.length > 0) throw new InvocationError('invalid_options', { message: unknown.join('\n') })
    return client.invoke(path, all, { resolved: { attachments } })
  }

  async #useOn(client: ChatClient, name: string, on: { readonly id: string }): Promise<AnyInteraction> {
    if (!('content' in on)) return client.invokeOnUser(name, on as Person)
    const { world } = this.#options.people
    const interaction = await client.invokeOnMessage(name, on as unknown as InteractionMessage)
    const { resolved, target_id: id } = interaction.data
    const message = resolved.messages[id]
    // The bot may reply to the message or change it, unless only one person sees it.
    if (message && !isEphemeral(message) && world.channel(message.channel_id)) world.addMessage(message)
    return interaction
  }

  #say(by: Participant, content: string): MessageView {
    if (typeof content !== 'string' || content === '') throw invalidArgument('content', 'a text', content)
    const { people } = this.#options
    const { world } = people
    const { person } = by
    const { channel, guildId } = people.clientOptions(by)
    const place = world.channel(channel?.id ?? '')
    if (place === undefined) throw new InputError('channel: the bot gets no messages of a group DM')
    const permissions =
      guildId === undefined ? SEND_MESSAGES : world.permissions(guildId, person.id, place as ServerChannel)
    if ((permissions & SEND_MESSAGES) === 0n) {
      const message = `${person.username} may not send messages in this channel`
      throw new InvocationError('permission_denied', { message })
    }
    const left = 'botId' in place ? 0 : world.slowModeLeft(place, person.id)
    if (left > 0 && (permissions & (MANAGE_MESSAGES | MANAGE_CHANNELS)) === 0n) {
      const message = `slow mode: ${person.username} may write here again in ${Math.ceil(left / 1_000)} s`
      throw new InvocationError('permission_denied', { message })
    }
    return messageView(world, world.createMessage(place.id, person, { content }))
  }

  /** @throws InputError for an answer that only one person sees */
  #channelMessage(target: MessageTarget, by: Participant): InteractionMessage {
    const { message } = this.#targetOf(target, by)
    if (this.#messageOf(message) !== undefined) return message
    throw new InputError('target: expected a message of a channel, which more than one person sees')
  }

  /** A message of a person, or one that a permission lets them change. @throws InvocationError */
  #changeable(target: MessageTarget, by: Participant, permission = 0n): InteractionMessage {
    const { world } = this.#options.people
    const message = this.#channelMessage(target, by)
    const { person } = by
    const channel = world.channel(message.channel_id)!
    const isManaged =
      'guild_id' in channel && (world.permissions(channel.guild_id, person.id, channel) & permission) !== 0n
    if (message.author.id === person.id || isManaged) return message
    const reason = `${person.username} may not change a message of ${message.author.username}`
    throw new InvocationError('permission_denied', { message: reason })
  }

  // --- Components -------------------------------------------------------------------------------------------------

  /** @param by who acts. Default: the person of the answer */
  async press(target: MessageTarget, button: string, by?: Participant): Promise<Shown> {
    const { message, use } = this.#targetOf(target, by)
    return this.#sendAndShow(press(message, button, use))
  }

  async choose(
    target: MessageTarget,
    menu: string,
    values: readonly string[],
    by?: Participant,
  ): Promise<Shown> {
    const { message, use } = this.#targetOf(target, by)
    return this.#sendAndShow(choose(message, menu, values, use))
  }

  async submit(shown: Shown, values: ModalValues, by?: Participant): Promise<Shown> {
    if (this.#submitted.has(shown))
      throw this.failOf(shown.interaction, 'no_message', 'the modal was submitted already')
    const modal = this.#present(shown, 'modal')
    const user = userOf(shown.interaction)
    if (by !== undefined && by.person.id !== user?.id)
      throw new ComponentError('not_visible', `only ${user?.username} sees the modal`)
    const submitted = submit(modal, values, this.#useOf(shown.interaction, by))
    this.#submitted.add(shown)
    // A client closes a modal only once the bot has answered.
    return this.#sendAndShow(submitted).catch((error: unknown) => {
      this.#submitted.delete(shown)
      throw error
    })
  }

  textOf(shown: Shown): string {
    return textOf(shown, this.#objectsFor(shown.interaction))
  }

  /** @throws TestbedError `no_message` when the answer has no such part, or not any more */
  #present<Part extends 'message' | 'modal'>(shown: Shown, part: Part): NonNullable<Shown[Part]> {
    if (!isObject(shown?.interaction)) throw invalidArgument('shown', 'an answer of the bot', shown)
    const found = shown[part]
    const { interaction } = shown
    if (found === null) throw this.failOf(interaction, 'no_message', `the answer has no ${part}`)
    if (shown.deleted) throw this.failOf(interaction, 'no_message', 'the bot has deleted the message')
    return found as NonNullable<Shown[Part]>
  }

  failOf(interaction: AnyInteraction, code: TestbedErrorCode, message: string): TestbedError {
    return this.fail(code, message, this.#began.get(interaction))
  }

  /** @throws InputError for anything but a person or a message */
  #menuTarget(target: string | object, by: Participant): object & { readonly id: string } {
    const { people } = this.#options
    if (typeof target === 'string') return people.find(target, by.server.id).person
    if (isObject(target) && isObject(target.interaction)) return this.#present(target as never, 'message')
    const message = this.#messageOf(target)
    if (message !== undefined) return messageFor(message, by.person.id)
    if (isObject(target) && typeof target.id === 'string') return target as object & { readonly id: string }
    throw invalidArgument('target', 'a person or a message, with its id', target)
  }

  /** A message as a person sees it, and their use of it. */
  #targetOf(target: MessageTarget, by: Participant | undefined) {
    if (by === undefined || isObject((target as Shown | undefined)?.interaction)) {
      const shown = target as Shown
      return { message: this.#present(shown, 'message'), use: this.#useOf(shown.interaction, by) }
    }
    const { people, session } = this.#options
    const message = this.#messageOf(target)
    if (message === undefined) {
      const text = `no channel has the message ${quoted(String((target as Partial<MessageView>)?.id))}`
      throw this.fail('no_message', text, session.traffic.lastId)
    }
    const { channel_id: channelId } = message
    const channel = people.world.channel(channelId)!
    const isDirect = 'botId' in channel
    const where = isDirect ? { user: completeUser(channel.user) } : { guild_id: channel.guild_id }
    const who = people.participant({ channel_id: channelId, ...where }, by)
    const server = people.server(isDirect ? by.server.id : channel.guild_id)
    const options = { ...by.options, channel: isDirect ? 'dm' : channelId }
    const place = people.clientOptions({ ...by, server, options })
    // The message answers no interaction, so its components get one in its place.
    const command = { name: 'place', description: 'place', application_id: place.applicationId }
    const created = createInteraction(command, place as InteractionPlace)
    if (!created.ok) throw new InputError(created.issues.map(({ message: text }) => text).join('; '))
    const use = { ...this.#useOf(created.value, undefined), ...who }
    return { message: messageFor(message, by.person.id), use }
  }

  /** The message of a channel as it is now; undefined for anything else. */
  #messageOf(target: unknown) {
    const { id, channel_id: channelId } = (target ?? {}) as Partial<MessageView>
    return id && channelId ? this.#options.people.world.message(channelId, id) : undefined
  }

  #useOf(interaction: AnyInteraction, by: Participant | undefined): ComponentUse {
    const who = by && this.#options.people.participant(knownFields(interaction), by)
    const resolved = this.#objectsFor(interaction, by?.person.id)
    return { interaction, ids: this.#ids, resolved, ...who }
  }

  async #sendAndShow(interaction: AnyInteraction): Promise<Shown> {
    this.#checkResolved(interaction)
    await new Promise((resolve) => wait(resolve, REACTION_TIME))
    return this.#show(interaction, this.#options.clock.now())
  }

  /** @param personId who sees them. Default: the person of the interaction */
  #objectsFor(interaction: AnyInteraction, personId = userOf(interaction)?.id): KnownObjects {
    const { people } = this.#options
    const { guild_id: guildId, channel_id: channelId } = knownFields(interaction)
    return people.objects(people.server(guildId), personId, channelId)
  }

  // --- Waiting ----------------------------------------------------------------------------------------------------

  until<T>(check: () => T | undefined): Promise<T | undefined> {
    const { session, timeout } = this.#options
    return new Promise((resolve) => {
      const end = (value: T | undefined) => {
        clearTimeout(timer)
        for (const stop of subscriptions) stop()
        resolve(value)
      }
      const look = () => {
        const value = check()
        if (value !== undefined) end(value)
      }
      const timer = setTimeout(() => end(check()), timeout)
      const subscriptions = [
        session.messages.subscribe(look),
        // The gateway logs a bot in only after its frame was recorded.
        session.traffic.subscribe(() => void wait(look, 0)),
      ]
      look()
    })
  }

  /** @param began the last entry of the traffic before the bot could act */
  fail(code: TestbedErrorCode, message: string, began = 0, issues: readonly Issue[] = []): TestbedError {
    const { traffic } = this.#options.session
    const unknown = unknownRoutesAfter(traffic, began)
    const missing = unknown.length === 0 ? '' : `; the service has no route for ${listed(unknown)}`
    const lines = linesAfter(traffic, began, MAX_BODY_LENGTH).slice(-MAX_LINES)
    const sent = lines.length === 0 ? 'it sent nothing' : `it sent:\n${lines.join('\n')}`
    return new TestbedError(code, `${message}${missing}; ${sent}`, issues)
  }

  async #suggestions(client: ChatClient, role: PersonInServer, line: string): Promise<readonly Suggestion[]> {
    const entries = client.picker.search(line)
    if (splitLine(line).rest === '')
      return entries.map(({ name, description, path }) => ({ kind: 'command', name, description, path }))
    const typed = this.#read(client, role, line)
    const { name: focused, text } = typed.focused!
    const option = findByName(typed.options, focused)
    if (option?.autocomplete === true) {
      const values = { ...typed.values, [focused]: text }
      const interaction = await client.autocomplete(typed.path, values, focused)
      const { rendered } = await this.#ask(interaction, Infinity)
      return rendered.kind === 'choices' ? rendered.choices.map(choiceSuggestion) : []
    }
    const choices = (option?.choices ?? []).filter(({ name }) =>
      name.toLowerCase().startsWith(text.toLowerCase()),
    )
    return choices.map(choiceSuggestion)
  }

  #read(client: ChatClient, { server }: PersonInServer, text: string) {
    const { people } = this.#options
    const { path, rest } = splitLine(text)
    const entry = client.picker.entries.find(
      (one) => one.type === CommandType.CHAT_INPUT && (one.name === path || one.path === path),
    )
    const attachments: { [id: string]: AttachedFile & { readonly id: string } } = {}
    const attach = (file: AttachedFile): string => {
      const { id = this.#ids.next() } = file
      attachments[id] = { ...file, id }
      return id
    }
    // The client refuses an unknown command.
    const options = entry?.options ?? []
    const kindsOf = (name: string) => mentionKinds[findByName(options, name)?.type ?? 0] ?? []
    const idOfMention = (mention: string, kinds: readonly MentionKind[], isName = false) =>
      people.idOfMention(mention, kinds, people.server(server.id), isName)
    const idOf = (name: string, value: OptionValue | undefined) => {
      const kinds = kindsOf(name)
      if (kinds.length === 0 || typeof value !== 'string' || isSnowflake(value)) return value
      return idOfMention(value, kinds, true) ?? value
    }
    const context = { idOfMention, attach: (filename: string) => attach({ filename }) }
    const values = entry === undefined ? {} : readValues(rest, options, context)
    return { path, values, attachments, attach, kindsOf, idOf, options, focused: lastOption(rest, options) }
  }

  /** @throws ComponentError `invalid_values` for an unknown id */
  #checkResolved(interaction: AnyInteraction): void {
    const known = this.#objectsFor(interaction)
    const { resolved = {} } = interaction.data as { readonly resolved?: KnownObjects }
    for (const kind of ['users', 'roles', 'channels'] as const) {
      for (const id of Object.keys(resolved[kind] ?? {})) {
        const problem = unknownId(id, [kind], known)
        if (problem !== undefined) throw new ComponentError('invalid_values', problem)
      }
    }
  }

  async #show(interaction: AnyInteraction, calledAt: number): Promise<Shown> {
    return answerShown(interaction, await this.#ask(interaction, calledAt), this)
  }

  /** @param since when the person began to wait @throws TestbedError without a valid answer of the bot */
  async #ask(interaction: AnyInteraction, since: number): Promise<AppAnswer> {
    const { session } = this.#options
    const asking = session.ask(interaction, { since })
    const began = session.traffic.lastId
    this.#began.set(interaction, began)
    const answer = await asking
    // A bot gets the response to its callback before a person can act on the answer: libraries register a modal or a
    // button only then.
    await new Promise((resolve) => afterResponse(resolve))
    if (answer.ok) return answer
    const [code, message] = failureOf(answer)
    const isGone = answer.code === 'timeout' && this.#options.isConnected?.() === false
    throw this.fail(code, isGone ? `${message}: its connection is closed` : message, began, answer.issues)
  }
}

// Taken when this file loads, so that fake timers of a test do not stop them.
const afterResponse = setImmediate
const wait = setTimeout

// Libraries listen to the components of an answer only after they have read the response to it, from another socket. A
// person is never faster.
const REACTION_TIME = 25

// The parts of the traffic that an error shows.
const MAX_LINES = 20
const MAX_BODY_LENGTH = 200

type Failure = Extract<BotAnswer, { ok: false }>

function failureOf({ code, status, issues }: Failure): readonly [TestbedErrorCode, message: string] {
  switch (code) {
    case 'not_connected':
      return ['not_connected', 'the bot is not logged in; online() waits until it is']
    case 'invalid':
      return ['refused', refusalText(issues)]
    case 'timeout':
      return ['no_answer', 'the bot did not answer within 3 seconds']
    case 'closed':
      return ['no_answer', 'the testbed was closed']
    default:
      return ['no_answer', `the endpoint failed: ${code}${status === null ? '' : `, status ${status}`}`]
  }
}

function refusalText(issues: readonly Issue[]): string {
  const problems = issues.map(({ path, message }) =>
    [path.join('.'), message].filter((part) => part !== '').join(' '),
  )
  return `the bot's answer was refused: ${problems.join('; ')}`
}

function unknownId(id: string, kinds: readonly MentionKind[], known: KnownObjects): string | undefined {
  if (kinds.some((kind) => known[kind]?.[id])) return undefined
  const nouns = kinds.map((kind) => kind.slice(0, -1).replace('user', 'person'))
  return `no ${listed(nouns, 'or')} has the id ${quoted(id)}`
}

function choiceSuggestion({ name, value }: Pick<CommandChoice, 'name' | 'value'>): Suggestion {
  return { kind: 'choice', name, value }
}

function valueOf(
  name: string,
  value: unknown,
  attach: (file: AttachedFile) => string,
): OptionValue | undefined {
  if (typeof value !== 'object' || value === null) return value as OptionValue | undefined
  const { id, filename } = value as { readonly id?: unknown; readonly filename?: unknown }
  if (typeof filename === 'string') return attach(value as AttachedFile)
  if (typeof id === 'string') return id
  throw invalidArgument(name, 'a value, a file with its filename, or something with an id', value)
}
