/** Sends the interactions of people to the bot, and returns its answers to them. */
import type { PendingAnswers } from '../answer/pending.ts'
import { ANSWER_WITHIN, type InteractionCallback } from '../answer/answer-types.ts'
import { deliver, type DeliverOptions, type Delivery } from '../answer/deliver.ts'
import { shownBy } from '../answer/rendered.ts'
import { ChatClient } from '../client/chat-client.ts'
import type { ChatClientOptions, OptionValues } from '../client/client-options.ts'
import { InvocationError } from '../client/error.ts'
import type { CommandChoice } from '../command/definition.ts'
import type { LocalizedOption } from '../command/localization-resolver.ts'
import { CommandType } from '../command/types.ts'
import type { OptionValue } from '../command/usage.ts'
import type { Clock } from '../core/clock.ts'
import { isObject } from '../core/json.ts'
import { maskBody } from '../core/mask.ts'
import type { Issue } from '../core/report.ts'
import { isSnowflake, snowflakes, snowflakeTime, type IdSource } from '../core/snowflake.ts'
import { describeValue, listed, quoted } from '../core/text.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { choose, ComponentError, press, submit, type ComponentUse, type ModalValues } from '../interaction/component.ts'
import { completeUser, type KnownObjects } from '../interaction/complete.ts'
import { knownFields, userOf, type AnyInteraction, type ComponentMessage, type InteractionMessage } from '../interaction/payload.ts'
import { createInteraction, type InteractionPlace } from '../interaction/create.ts'
import { PermissionFlag } from '../command/permission-flags.ts'
import type { ServerChannel } from '../world/server.ts'
import { messageFor } from '../world/message.ts'
import { messageView, type MessageView } from './view.ts'
import type { ApplicationDirectory } from '../registry/directory.ts'
import type { CommandRegistry } from '../registry/registry.ts'
import { InputError, type People, type MentionKind, type Person, type PersonOptions, type PersonInServer } from './people.ts'
import { lastOption, mentionKinds, optionNamed, readValues, splitLine } from './line.ts'
import type { Log } from './log.ts'
import { textOf } from './text.ts'
import { answerShown, Messages, TestbedError, type Shown, type ShownContext, type TestbedErrorCode } from './shown.ts'

/** A value of an option. A person, role or channel is an object or its id, and a file an object with its name. */
export type UseValue =
  | OptionValue
  | {
      /** The id of the person, role or channel. */
      readonly id: string
    }
  | {
      /** The name of the file. */
      readonly filename: string
      /** The size in bytes. Default 0. */
      readonly size?: number
      /** The media type, such as `image/png`. Default: none. */
      readonly content_type?: string
    }

/** An entry of the list that a person sees while typing. */
export type Suggestion =
  | {
      /** A command, or a subcommand with its command. */
      readonly kind: 'command'
      /** The localized name. */
      readonly name: string
      /** The localized description. */
      readonly description: string
      /** The default name. */
      readonly path: string
    }
  | {
      /** A choice, or a suggestion of the bot. */
      readonly kind: 'choice'
      /** The name that the person sees. */
      readonly name: string
      /** The value that the bot receives. */
      readonly value: string | number
    }

interface DeskOptions {
  readonly registry: CommandRegistry
  /** Whether an application has an Activity, which its bot may launch. */
  readonly applications: ApplicationDirectory
  readonly answers: PendingAnswers
  readonly cast: People
  readonly clock: Clock
  readonly log: Log
  /** The gateway of the bot. Default: none. */
  readonly gateway?: Gateway
  /** The endpoint of a bot over HTTP. Default: none. */
  readonly endpoint?: Pick<DeliverOptions, 'url' | 'privateKey' | 'fetch'>
  /** Milliseconds of real time to wait for a bot. Default 3000. */
  readonly patience?: number
}

/** An interaction that was sent to the bot. */
interface Sent {
  /** The number of lines in the log when it was sent. */
  readonly began: number
  readonly answer: Promise<InteractionCallback>
  /** When the person began to wait, in milliseconds since 1970. */
  since: number
  stopExpecting: () => void
  settle(callback: InteractionCallback): void
  fail(code: TestbedErrorCode, message: string, issues?: readonly Issue[]): void
  /** Rejects the answer, but still expects another one: a bot may recover from a refused answer. */
  refuse(issues: readonly Issue[]): void
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
}

/** What an Activity was launched by: an answer of the bot, or a message of the service, which the bot does not receive. */
export type Launched =
  | {
      /** Always `app`. */
      readonly handledBy: 'app'
      /** The answer of the bot. */
      readonly shown: Shown
      /** Always null. */
      readonly message: null
    }
  | {
      /** Always `service`. */
      readonly handledBy: 'service'
      /** Always null. */
      readonly shown: null
      /** The message that the service posted. */
      readonly message: InteractionMessage
    }

/** A message: the answer to somebody, or a message of a channel. */
export type MessageTarget = Shown | MessageView

/** A person at their client. */
interface Participant {
  readonly applicationId: string
  readonly role: PersonInServer
  readonly options: PersonOptions
}

const { SEND_MESSAGES, MANAGE_CHANNELS, MANAGE_MESSAGES } = PermissionFlag

/** The people of a testbed at their chat clients. */
export class Desk implements ShownContext {
  readonly messages: Messages
  readonly #ids: IdSource
  readonly #submitted = new WeakSet<Shown>()
  readonly #options: DeskOptions
  readonly #patience: number
  /** The interactions that the bot has not answered. */
  readonly #unanswered = new Set<Sent>()
  readonly #sent = new WeakMap<AnyInteraction, Sent>()
  readonly #waiting = new Set<() => void>()
  readonly #stop: () => void

  constructor(options: DeskOptions) {
    const { registry, answers, clock, patience = ANSWER_WITHIN } = options
    this.#options = options
    this.#patience = patience
    this.#ids = snowflakes({ clock, worker: 3 })
    this.messages = new Messages(answers.conversations, () => this.changed())
    this.#stop = registry.subscribe((event) => {
      if (event.type === 'interaction_created' && event.handledBy === 'app') this.#send(event.interaction)
      else options.gateway?.listener(event)
    })
  }

  /** Checks everything that is waited for again. Call it after the clock or the bot changed something. */
  changed(): void {
    const now = this.#options.clock.now()
    for (const { since, fail } of [...this.#unanswered]) {
      if (now - since >= ANSWER_WITHIN) fail('no_answer', LATE)
    }
    for (const check of [...this.#waiting]) check()
  }

  close(): void {
    this.#stop()
    for (const { fail } of [...this.#unanswered]) fail('no_answer', 'the testbed was closed')
  }

  // --- For people ---------------------------------------------------------------------------------------------

  /** A person with a chat client, which has the current commands for each use. */
  actor(applicationId: string, role: PersonInServer, options: PersonOptions): Actor {
    const { cast, registry, clock } = this.#options
    const openClient = async () => {
      const client = new ChatClient(registry, cast.clientOptions(applicationId, role, options))
      await client.refresh()
      return client
    }
    const by = { applicationId, role, options }
    return {
      use: async (line, values = {}) => {
        const calledAt = clock.now()
        if (typeof line !== 'string') throw new InputError(expected('line', 'a text such as "/ping"', line))
        if (!isObject(values))
          throw new InputError(expected('values', 'an object of values by option', values))
        const client = await openClient()
        const typed = this.#read(client, role, line)
        const given = Object.entries(values).map(([name, value]) => [
          name,
          typed.idOfName(name, valueOf(name, value, typed.attach)),
        ])
        const all: OptionValues = { ...typed.values, ...Object.fromEntries(given) }
        this.#checkIds(typed.options, all, cast.clientOptions(applicationId, role, options).resolved)
        const { attachments } = typed
        return this.#answerTo(await client.invoke(typed.path, all, { resolved: { attachments } }), calledAt)
      },
      useOn: async (name, target) => {
        const calledAt = clock.now()
        const on = this.#menuTarget(target, by)
        const client = await openClient()
        const interaction = await ('content' in on
          ? client.invokeOnMessage(name, on as unknown as InteractionMessage)
          : client.invokeOnUser(name, on as unknown as Person))
        return this.#answerTo(interaction, calledAt)
      },
      suggestions: async (line) => this.#suggestions(await openClient(), role, line),
      launch: async () => {
        const calledAt = clock.now()
        const { handledBy, interaction, message } = await (await openClient()).launch()
        if (handledBy === 'service') return { handledBy, shown: null, message }
        return { handledBy, shown: await this.#answerTo(interaction, calledAt), message }
      },
      press: async (target, button) => this.press(target, button, by),
      choose: async (target, menu, ...values) => this.choose(target, menu, values, by),
      submit: async (shown, values) => this.submit(shown, values, by),
      say: async (content) => this.#say(by, content),
      react: async (target, emoji) => {
        const { message } = this.#targetOf(target, by)
        const { channel_id: channelId, id } = message as Pick<InteractionMessage, 'channel_id' | 'id'>
        cast.world.react(channelId, id, role.person.id, { id: null, name: emoji })
      },
    }
  }

  #say({ applicationId, role, options }: Participant, content: string): MessageView {
    if (typeof content !== 'string' || content === '')
      throw new InputError(expected('content', 'a text', content))
    const { world } = this.#options.cast
    const { channel, guildId } = this.#options.cast.clientOptions(applicationId, role, options)
    const place = world.channel(channel?.id ?? '')
    if (place === undefined) throw new InputError('channel: the bot gets no messages of a group DM')
    const permissions =
      guildId === undefined
        ? SEND_MESSAGES
        : world.permissions(guildId, role.person.id, place as ServerChannel)
    if ((permissions & SEND_MESSAGES) === 0n) {
      const message = `${role.person.username} may not send messages in this channel`
      throw new InvocationError('permission_denied', { message })
    }
    const left = 'botId' in place ? 0 : world.slowModeLeft(place, role.person.id)
    if (left > 0 && (permissions & (MANAGE_MESSAGES | MANAGE_CHANNELS)) === 0n) {
      const message = `slow mode: ${role.person.username} may write here again in ${Math.ceil(left / 1_000)} s`
      throw new InvocationError('permission_denied', { message })
    }
    return messageView(world, world.createMessage(place.id, role.person, { content }))
  }

  // --- Components -------------------------------------------------------------------------------------------------

  /** @param by who presses. Default: the person of the answer */
  async press(target: MessageTarget, button: string, by?: Participant): Promise<Shown> {
    const { message, use } = this.#targetOf(target, by)
    return this.#sendAndShow(press(message, button, use))
  }

  /** @param by who chooses. Default: the person of the answer */
  async choose(
    target: MessageTarget,
    menu: string,
    values: readonly string[],
    by?: Participant,
  ): Promise<Shown> {
    const { message, use } = this.#targetOf(target, by)
    return this.#sendAndShow(choose(message, menu, values, use))
  }

  /** @param by who submits. Default: the person of the answer */
  async submit(shown: Shown, values: ModalValues, by?: Participant): Promise<Shown> {
    if (this.#submitted.has(shown)) throw this.#failOf(shown, 'the modal was submitted already')
    const modal = this.#present(shown, 'modal')
    const user = userOf(shown.interaction)
    if (by !== undefined && by.role.person.id !== user?.id)
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
    if (!isObject(shown?.interaction)) throw new InputError(expected('shown', 'an answer of the bot', shown))
    const found = shown[part]
    if (found === null) throw this.#failOf(shown, `the answer has no ${part}`)
    if (shown.deleted) throw this.#failOf(shown, 'the bot has deleted the message')
    return found as NonNullable<Shown[Part]>
  }

  #failOf({ interaction }: Shown, message: string): TestbedError {
    return this.fail('no_message', message, this.#sent.get(interaction)?.began)
  }

  /** @throws InputError for anything but a person or a message */
  #menuTarget(target: string | object, by: Participant): object & { readonly id: string } {
    const { cast } = this.#options
    if (typeof target === 'string') return cast.find(target, by.role.server.id).person
    const { id, channel_id: channelId } = (target ?? {}) as Partial<MessageView>
    if (isObject(target) && isObject(target.interaction)) return this.#present(target as never, 'message')
    const message = id && channelId ? cast.world.message(channelId, id) : undefined
    if (message !== undefined) return messageFor(message, by.role.person.id)
    if (isObject(target) && typeof id === 'string') return target as object & { readonly id: string }
    throw new InputError(expected('target', 'a person or a message, with its id', target))
  }

  /** A message as a person sees it, and their use of it. */
  #targetOf(target: MessageTarget, by: Participant | undefined) {
    if (by === undefined || isObject((target as Shown | undefined)?.interaction)) {
      const shown = target as Shown
      return { message: this.#present(shown, 'message'), use: this.#useOf(shown.interaction, by) }
    }
    const { cast, log } = this.#options
    const { id, channel_id: channelId } = (target ?? {}) as Partial<MessageView>
    const message = channelId && id ? cast.world.message(channelId, id) : undefined
    if (message === undefined || channelId === undefined)
      throw this.fail('no_message', `no channel has the message ${quoted(String(id))}`, log.length)
    const channel = cast.world.channel(channelId)!
    const { person } = by.role
    const isDirect = 'botId' in channel
    const place = isDirect
      ? { channel_id: channelId, user: completeUser(channel.user) }
      : { channel_id: channelId, guild_id: channel.guild_id }
    const who = cast.participant(place, person, by.options)
    const server = cast.server(isDirect ? by.role.server.id : channel.guild_id)
    const options = { ...by.options, channel: isDirect ? 'dm' : channelId }
    const interaction = this.#interactionAt(cast.clientOptions(by.applicationId, { person, server }, options))
    const use = { ...this.#useOf(interaction, undefined), ...who }
    return { message: messageFor(message, person.id) as ComponentMessage, use }
  }

  /** An interaction in the place of a message that answers none. */
  #interactionAt({ applicationId, ...place }: ChatClientOptions): AnyInteraction {
    const command = { name: 'place', description: 'place', application_id: applicationId }
    const created = createInteraction(command, place as InteractionPlace)
    if (created.ok) return created.value
    throw new InputError(created.issues.map(({ message }) => message).join('; '))
  }

  #useOf(interaction: AnyInteraction, by: Participant | undefined): ComponentUse {
    const who = by && this.#options.cast.participant(knownFields(interaction), by.role.person, by.options)
    return { interaction, ids: this.#ids, resolved: this.#objectsFor(interaction), ...who }
  }

  async #sendAndShow(interaction: AnyInteraction): Promise<Shown> {
    this.#checkResolved(interaction)
    await new Promise((resolve) => wait(resolve, REACTION_TIME))
    this.#send(interaction)
    return this.#answerTo(interaction, this.#options.clock.now())
  }

  #objectsFor(interaction: AnyInteraction): KnownObjects {
    const { cast } = this.#options
    return cast.objects(cast.server(knownFields(interaction).guild_id))
  }

  // --- Waiting ----------------------------------------------------------------------------------------------------

  until<T>(check: () => T | undefined): Promise<T | undefined> {
    return new Promise((resolve) => {
      const end = (value: T | undefined) => {
        clearTimeout(timer)
        this.#waiting.delete(look)
        resolve(value)
      }
      const look = () => {
        const value = check()
        if (value !== undefined) end(value)
      }
      const timer = setTimeout(() => end(check()), this.#patience)
      this.#waiting.add(look)
      look()
    })
  }

  /** @param began the number of lines in the log before the bot could act */
  fail(code: TestbedErrorCode, message: string, began = 0, issues: readonly Issue[] = []): TestbedError {
    const { log } = this.#options
    const unknown = log.unknownRoutes(began)
    const missing = unknown.length === 0 ? '' : `; the service has no route for ${listed(unknown)}`
    const lines = log.since(began, MOST_OF_BODY).slice(-LAST_LINES)
    const sent = lines.length === 0 ? 'it sent nothing' : `it sent:\n${lines.join('\n')}`
    return new TestbedError(code, `${message}${missing}; ${sent}`, issues)
  }

  /** The entries that a person sees while typing a line. */
  async #suggestions(client: ChatClient, role: PersonInServer, line: string): Promise<readonly Suggestion[]> {
    const entries = client.picker.search(line)
    if (splitLine(line).rest === '' && !line.includes(':'))
      return entries.map(({ name, description, path }) => ({ kind: 'command', name, description, path }))
    const typed = this.#read(client, role, line)
    const { name: focused, text } = typed.focused ?? { name: '', text: '' }
    const option = optionNamed(typed.options, focused)
    if (option?.autocomplete === true) {
      const values = { ...typed.values, [focused]: text }
      const interaction = await client.autocomplete(typed.path, values, focused)
      const rendered = shownBy(interaction, await this.callbackOf(interaction))
      return rendered.kind === 'choices' ? rendered.choices.map(choiceSuggestion) : []
    }
    const choices = (option?.choices ?? []).filter(({ name }) =>
      name.toLowerCase().startsWith(text.toLowerCase()),
    )
    return choices.map(choiceSuggestion)
  }

  #read(client: ChatClient, { server }: PersonInServer, text: string) {
    const { cast } = this.#options
    const { path, rest } = splitLine(text)
    const entry = client.picker.entries.find(
      (one) => one.type === CommandType.CHAT_INPUT && (one.name === path || one.path === path),
    )
    const attachments: { [id: string]: NamedFile & { readonly id: string } } = {}
    const attach = (file: NamedFile): string => {
      const { id = this.#ids.next() } = file
      attachments[id] = { ...file, id }
      return id
    }
    const context = {
      idOfMention: (mention: string, kinds: readonly MentionKind[]) =>
        cast.idOfMention(mention, kinds, cast.server(server.id)),
      attach: (filename: string) => attach({ filename }),
    }
    // The client refuses an unknown command.
    const known = entry?.options ?? []
    const idOfName = (name: string, value: OptionValue | undefined) => {
      const kinds = mentionKinds[optionNamed(known, name)?.type ?? 0] ?? []
      if (kinds.length === 0 || typeof value !== 'string' || isSnowflake(value)) return value
      return cast.idOfMention(value, kinds, cast.server(server.id), true) ?? value
    }
    const values = entry === undefined ? {} : readValues(rest, known, context)
    return { path, values, attachments, attach, idOfName, options: known, focused: lastOption(rest, known) }
  }

  /** @throws InvocationError `invalid_options` for the id of nobody and nothing: the client would invent an object */
  #checkIds(options: readonly LocalizedOption[], values: OptionValues, known: KnownObjects = {}): void {
    const unknown = Object.entries(values).flatMap(([name, value]) => {
      const kinds = mentionKinds[optionNamed(options, name)?.type ?? 0] ?? []
      const isUnknown = kinds.length > 0 && isSnowflake(value) && !kinds.some((kind) => known[kind]?.[value])
      return isUnknown ? [`${name}: ${unknownId(value, kinds)}`] : []
    })
    if (unknown.length > 0) throw new InvocationError('invalid_options', { message: unknown.join('\n') })
  }

  /** @throws ComponentError `invalid_values` for a choice of nobody and nothing */
  #checkResolved(interaction: AnyInteraction): void {
    const known = this.#objectsFor(interaction)
    const { resolved = {} } = interaction.data as { readonly resolved?: KnownObjects }
    for (const kind of ['users', 'roles', 'channels'] as const) {
      const unknown = Object.keys(resolved[kind] ?? {}).find((id) => known[kind]?.[id] === undefined)
      if (unknown !== undefined) throw new ComponentError('invalid_values', unknownId(unknown, [kind]))
    }
  }

  /** Sends an interaction to the bot and starts to wait for its answer. */
  #send(interaction: AnyInteraction): void {
    const { log } = this.#options
    log.add('<-- INTERACTION_CREATE', maskBody(JSON.stringify(interaction)))
    const began = log.length
    let resolve: (callback: InteractionCallback) => void = () => {}
    let reject: (error: unknown) => void = () => {}
    const answer = new Promise<InteractionCallback>((...given) => ([resolve, reject] = given))
    // The answer to an interaction of the page may never be requested.
    answer.catch(() => {})
    const end = () => {
      clearTimeout(timer)
      this.#unanswered.delete(sent)
      sent.stopExpecting()
    }
    const sent: Sent = {
      began,
      answer,
      since: snowflakeTime(interaction.id),
      stopExpecting: () => {},
      settle(callback) {
        end()
        afterResponse(resolve, callback)
      },
      fail: (code, message, issues) => {
        end()
        reject(this.fail(code, message, began, issues))
      },
      refuse: (issues) =>
        afterResponse(() => reject(this.fail('refused', refusalText(issues), began, issues))),
    }
    const timer = setTimeout(() => sent.fail('no_answer', LATE), this.#patience)
    this.#unanswered.add(sent)
    this.#sent.set(interaction, sent)
    void this.#deliver(interaction, sent).catch(reject)
  }

  async #deliver(interaction: AnyInteraction, sent: Sent): Promise<void> {
    const { answers, gateway, endpoint, clock, applications } = this.#options
    const application = (await applications.get(interaction.application_id)) ?? undefined
    const expect: PendingAnswers['expect'] = (...given) => {
      const expected = answers.expect(...given)
      void expected.refused.then(sent.refuse)
      return expected
    }
    if (endpoint !== undefined) {
      const delivery = await deliver(interaction, {
        ...endpoint,
        ...(application && { application }),
        answers: { ...answers, expect },
        clock,
        timeout: this.#patience,
      })
      if (delivery.ok) sent.settle(delivery.callback)
      else if (delivery.code === 'invalid')
        sent.fail('refused', refusalText(delivery.issues), delivery.issues)
      else sent.fail('no_answer', failureText(delivery))
      return
    }
    const { answer, end } = expect(interaction, application)
    sent.stopExpecting = end
    // The clock may have moved before the bot got the interaction: its answer is late.
    if (!this.#unanswered.has(sent)) end()
    void answer.then(({ callback }) => sent.settle(callback))
    if ((gateway?.dispatch(interaction) ?? 0) === 0) sent.fail('not_connected', 'the bot is not logged in')
  }

  async #answerTo(interaction: AnyInteraction, calledAt: number): Promise<Shown> {
    const callback = await this.callbackOf(interaction, calledAt)
    return answerShown(interaction, callback, this, this.#sent.get(interaction)!.began)
  }

  /** Sends an interaction that no command created, such as that of a button. @throws TestbedError as `callbackOf` does */
  sendForCallback(interaction: AnyInteraction): Promise<InteractionCallback> {
    this.#send(interaction)
    return this.callbackOf(interaction)
  }

  /**
   * The bot's answer to an interaction.
   *
   * @param calledAt when the person began to wait. Default: when the interaction was created
   * @throws TestbedError when the bot is not logged in, does not answer, or its answer is refused
   */
  async callbackOf(interaction: AnyInteraction, calledAt = Infinity): Promise<InteractionCallback> {
    const sent = this.#sent.get(interaction)
    if (sent === undefined) throw this.fail('no_answer', 'the interaction was not sent')
    sent.since = Math.min(sent.since, calledAt)
    this.changed()
    return sent.answer
  }
}

// A bot gets the response to its callback before a person can act on the answer: libraries register a modal or a button
// only then. Taken when this file loads, so that fake timers of a test do not stop it.
const afterResponse = setImmediate

// Libraries listen to the components of an answer only after they have read the response to it, from another socket. A
// person is never faster.
const REACTION_TIME = 25
const wait = setTimeout

const LATE = 'the bot did not answer within 3 seconds'
const LAST_LINES = 20

/** The first characters of a body in an error. */
const MOST_OF_BODY = 200

function failureText({ code, status }: Extract<Delivery, { ok: false }>): string {
  return `the endpoint failed: ${code}${status === null ? '' : `, status ${status}`}`
}

function refusalText(issues: readonly Issue[]): string {
  const problems = issues.map(({ path, message }) =>
    [path.join('.'), message].filter((part) => part !== '').join(' '),
  )
  return `the bot's answer was refused: ${problems.join('; ')}`
}

function unknownId(id: string, kinds: readonly MentionKind[]): string {
  const nouns = kinds.map((kind) => kind.slice(0, -1).replace('user', 'person'))
  return `no ${listed(nouns, 'or')} has the id ${quoted(id)}`
}

function expected(name: string, what: string, value: unknown): string {
  return `${name}: expected ${what}, got ${describeValue(value)}`
}

function choiceSuggestion({ name, value }: Pick<CommandChoice, 'name' | 'value'>): Suggestion {
  return { kind: 'choice', name, value }
}

interface NamedFile {
  readonly id?: string
  readonly filename: string
}

function valueOf(name: string, value: unknown, attach: (file: NamedFile) => string): OptionValue | undefined {
  if (typeof value !== 'object' || value === null) return value as OptionValue | undefined
  const { id, filename } = value as { readonly id?: unknown; readonly filename?: unknown }
  if (typeof filename === 'string') return attach(value as NamedFile)
  if (typeof id === 'string') return id
  throw new InputError(expected(name, 'a value, a file with its filename, or something with an id', value))
}
