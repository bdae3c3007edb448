/** A person with a chat client, who uses the bot. */
import { openClient, type ChatClient } from '../../../interactions/client/chat-client.ts'
import type { OptionValues, TypingOptions } from '../../../interactions/client/use-options.ts'
import { findByName, findEntry } from '../../../interactions/client/names.ts'
import { AttachedFiles, type FileToAttach, type SubmittedValues } from '../answers/attached.ts'
import type { OptionValue } from '../../../interactions/usage/usage.ts'
import type { Clock } from '../../../core/clock.ts'
import { isObject } from '../../../core/json.ts'
import { aFlag, optionsOf } from '../../../core/rules/arguments.ts'
import { optional } from '../../../core/rules/readers.ts'
import type { IdSource } from '../../../model/id-source.ts'
import { isSnowflake } from '../../../core/snowflake.ts'
import { quoted } from '../../../core/text.ts'
import { choose, press, submit, type ComponentUse } from '../../../interactions/usage/component.ts'
import { ComponentError } from '../../../interactions/usage/component-error.ts'
import type { ModalValues } from '../../../interactions/usage/component-values.ts'
import { completeUser, type AttachedFile, type KnownObjects } from '../../../interactions/usage/complete.ts'
import {
  knownFields,
  userOf,
  type AnyInteraction,
  type InteractionMessage,
} from '../../../model/interaction-payload.ts'
import { createInteraction, type InteractionPlace } from '../../../interactions/usage/create.ts'
import { isEphemeral } from '../../../model/interaction-types.ts'
import { mentionKinds, type MentionKind } from '../../../interactions/usage/usage-rules.ts'
import { addMessage } from '../../../service/world/messages.ts'
import { messageFor, type WorldMessage } from '../../../service/world/world-message.ts'
import type { World } from '../../../service/world/world.ts'
import { ChannelMember, type SayOptions, type ThreadOptions, type VoiceOptions } from './channel-member.ts'
import { channelView, messageView, type ChannelView, type MessageView } from './server-view.ts'
import type { CommandRegistry } from '../../../commands/registry/registry.ts'
import { InputError, invalidArgument, type People, type Participant, type Person } from './people.ts'
import { seenMessage, seenReaction, unseenMessage, type SeenText } from './seen-message.ts'
import { choiceSuggestion, commandSuggestion, type Suggestion } from './suggestion.ts'
import { givenValue, lastOption, readValues, splitLine, unknownId } from './line.ts'
import { needTextBox, withUnknown } from './typed-values.ts'
import { answerShown, type Shown, isShown } from '../answers/shown.ts'
import type { Launched, MessageTarget } from './message-targets.ts'
import { TestbedError, type BotWatch } from '../answers/bot-watch.ts'
import type { CoverageLog } from '../../coverage/coverage-log.ts'

/** A value of an option. A person, role or channel is an object or its id, and a file an object with its name. */
export type UseValue = OptionValue | { readonly id: string } | FileToAttach | Blob

interface ActorOptions {
  readonly registry: CommandRegistry
  readonly people: People
  readonly clock: Clock
  /** The ids of component interactions and files. */
  readonly ids: IdSource
  readonly watch: BotWatch
  readonly coverage: CoverageLog
}

const readTypingOptions = /* @__PURE__ */ optionsOf<Pick<TypingOptions, 'raw'>>('suggestions', {
  raw: optional(aFlag),
})

/** The modals that were submitted. */
const submitted = new WeakSet<Shown>()

/** A person with a chat client. Its functions are fields instead of methods, so that a test can destructure it. */
export class Actor {
  readonly #options: ActorOptions
  readonly #by: Participant
  readonly #member: ChannelMember<MessageTarget>
  readonly #files: AttachedFiles

  constructor(options: ActorOptions, by: Participant) {
    this.#options = options
    this.#by = by
    this.#files = new AttachedFiles(options.watch.messages.files, () => options.ids.next())
    this.#member = new ChannelMember(options.people, by, (target) => this.#channelMessage(target))
  }

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
  readonly use = async (
    line: string,
    values: { readonly [option: string]: UseValue | undefined } = {},
  ): Promise<Shown> => {
    if (typeof line !== 'string') throw invalidArgument('line', 'a text such as "/ping"', line)
    if (!isObject(values)) throw invalidArgument('values', 'an object of values by option', values)
    return this.#showUse(splitLine(line).path, async (client) =>
      this.#useLine(client, line, await this.#files.storedValues<typeof values>(values)),
    )
  }

  /** Uses a user command on a person, also by name, or a message command on a message. @throws as `use` and `press` */
  readonly useOn = async (
    name: string,
    target: string | Person | InteractionMessage | MessageTarget,
  ): Promise<Shown> => this.#showUse(name, (client) => this.#useOn(client, name, this.#menuTarget(target)))

  /**
   * The entries that the person sees while typing: commands, choices, or suggestions of the bot.
   *
   * @param given.raw whether the bot gets the text as typed, also one that is not a number yet. Default false
   * @throws as `use`
   */
  readonly suggestions = async (
    line: string,
    given: Pick<TypingOptions, 'raw'> = {},
  ): Promise<readonly Suggestion[]> => {
    if (typeof line !== 'string') throw invalidArgument('line', 'a text such as "/ping"', line)
    const options = readTypingOptions(given)
    const client = await this.#whenReady(() => this.#openClient())
    const entries = client.picker.search(line)
    if (splitLine(line).rest === '') return entries.map(commandSuggestion)
    const typed = this.#read(client, line)
    const { name: focused, text } = typed.focused!
    const option = findByName(typed.options, focused)
    if (option?.autocomplete === true) {
      const values = { ...typed.values, [focused]: text }
      const interaction = await client.autocomplete(typed.path, values, focused, options)
      const { rendered } = await this.#options.watch.ask(interaction, Infinity)
      return rendered.kind === 'choices' ? rendered.choices.map(choiceSuggestion) : []
    }
    const choices = (option?.choices ?? []).filter(({ name }) =>
      name.toLowerCase().startsWith(text.toLowerCase()),
    )
    return choices.map(choiceSuggestion)
  }

  /** Launches the Activity, by the entry point command of the app. @throws as `use` */
  readonly launch = async (): Promise<Launched> => {
    const client = await this.#whenReady(() => this.#openClient())
    const calledAt = this.#options.clock.now()
    const { handledBy, interaction, message } = await client.launch()
    if (handledBy === 'service') return { handledBy, shown: null, message }
    return { handledBy, shown: await this.#show(interaction, calledAt), message }
  }

  /**
   * Presses a button of a message that the person can see, such as the answer to another person.
   *
   * @throws ComponentError when they cannot see the message, or it has no such button
   * @throws TestbedError as `use`
   */
  readonly press = (target: MessageTarget, button: string): Promise<Shown> =>
    this.#whenReady(() => {
      const { message, use } = this.#targetOf(target)
      return this.#sendAndShow(press(message, button, use))
    })

  /** Chooses from a select menu of a message that the person can see. @throws as `press` */
  readonly choose = (target: MessageTarget, menu: string, ...values: readonly string[]): Promise<Shown> =>
    this.#whenReady(() => {
      const { message, use } = this.#targetOf(target)
      return this.#sendAndShow(choose(message, menu, values, use))
    })

  /** Submits a modal that the bot has opened for the person. @throws as `press` */
  readonly submit = (shown: Shown, values: SubmittedValues): Promise<Shown> =>
    this.#whenReady(() => this.#submit(shown, values))

  async #submit(shown: Shown, values: SubmittedValues): Promise<Shown> {
    const { interaction: opened } = shown
    if (submitted.has(shown))
      throw this.#options.watch.fail('no_message', 'the modal was submitted already', { interaction: opened })
    const modal = this.#present(shown, 'modal')
    const user = userOf(shown.interaction)
    if (this.#by.person.id !== user?.id)
      throw new ComponentError('not_visible', `only ${user?.username} sees the modal`)
    // The modal refuses what is not an object.
    const stored = isObject(values) ? await this.#files.storedValues<ModalValues>(values) : values
    const interaction = submit(modal, stored, this.#useOf(shown.interaction))
    submitted.add(shown)
    this.#options.coverage.submitted(modal.title)
    // A client closes a modal only once the bot has answered.
    return this.#sendAndShow(interaction).catch((error: unknown) => {
      submitted.delete(shown)
      throw error
    })
  }

  /**
   * Writes a message in the channel of the person, or in the DM with the bot. Names such as `@alan` are mentions.
   *
   * @throws InvocationError `permission_denied` when the person may not write there, or not yet in slow mode
   */
  readonly say = (content: string, options?: SayOptions<MessageTarget>): Promise<MessageView> =>
    this.#whenReady(async () => this.#view(await this.#member.do('say', content, options)))

  /**
   * Reacts to a message: with `👍`; with `party` or `:party:`, an emoji of the message or of its server; or with any other,
   * `<:party:1>`.
   *
   * @throws ComponentError when they cannot see the message; InvocationError `permission_denied` without ADD_REACTIONS,
   * unless the emoji is there already
   */
  readonly react = (target: MessageTarget, emoji: string): Promise<void> =>
    this.#whenReady(() => this.#member.do('react', target, emoji))

  /** Takes a reaction back. @throws as `react` */
  readonly unreact = (target: MessageTarget, emoji: string): Promise<void> =>
    this.#whenReady(() => this.#member.do('unreact', target, emoji))

  /** Changes the text of an own message. @throws InvocationError `permission_denied` for that of another */
  readonly edit = (target: MessageTarget, content: string): Promise<MessageView> =>
    this.#whenReady(async () => this.#view(await this.#member.do('edit', target, content)))

  /** Deletes an own message; with MANAGE_MESSAGES also that of another. @throws as `edit` */
  readonly delete = (target: MessageTarget): Promise<void> =>
    this.#whenReady(() => this.#member.do('delete', target))

  /** Pins a message. @throws InvocationError `permission_denied` without PIN_MESSAGES */
  readonly pin = (target: MessageTarget): Promise<void> =>
    this.#whenReady(() => this.#member.do('pin', target))

  /** Unpins a message. @throws as `pin` */
  readonly unpin = (target: MessageTarget): Promise<void> =>
    this.#whenReady(() => this.#member.do('unpin', target))

  /** Votes for an answer of a poll, by its text or number. @throws TypeError with the code `poll_ended` or `invalid` */
  readonly vote = (target: MessageTarget, answer: string): Promise<void> =>
    this.#whenReady(() => this.#member.do('vote', target, answer))
  /** Takes a vote back. @throws as `vote` */
  readonly unvote = (target: MessageTarget, answer: string): Promise<void> =>
    this.#whenReady(() => this.#member.do('unvote', target, answer))

  /** Takes no DMs from bots any more: they are refused with 50007. */
  readonly closeDirectMessages = (): Promise<void> =>
    this.#whenReady(() => this.#member.do('closeDirectMessages'))
  /** Takes DMs from bots again. */
  readonly openDirectMessages = (): Promise<void> =>
    this.#whenReady(() => this.#member.do('openDirectMessages'))
  /** Blocks bots: their DMs (50007) and reactions (90001) are refused. */
  readonly block = (): Promise<void> => this.#whenReady(() => this.#member.do('block'))
  /** Ends the block. */
  readonly unblock = (): Promise<void> => this.#whenReady(() => this.#member.do('unblock'))

  /** Starts a thread in the channel of the person, or from a message. @throws as `say` */
  readonly startThread = (name: string, options?: ThreadOptions<MessageTarget>): Promise<ChannelView> =>
    this.#whenReady(async () => channelView(this.#world, await this.#member.do('startThread', name, options)))

  /** Joins the thread in which the person is: `bed.as('ada', { channel: 'ticket-7' })`. @throws as `say` */
  readonly joinThread = (): Promise<void> => this.#whenReady(() => this.#member.do('joinThread'))

  /** Leaves the thread. @throws as `joinThread` */
  readonly leaveThread = (): Promise<void> => this.#whenReady(() => this.#member.do('leaveThread'))

  /** Joins a voice channel, or changes what is switched there. @throws as `say` */
  readonly joinVoice = (channel: string, options?: VoiceOptions): Promise<void> =>
    this.#whenReady(() => this.#member.do('joinVoice', channel, options))

  /** Leaves the voice channel. */
  readonly leaveVoice = (): Promise<void> => this.#whenReady(() => this.#member.do('leaveVoice'))

  /**
   * Waits until a message with this text is in the channel of the person: a string is the whole text, as `text()` of an
   * answer has it, a RegExp a part of it.
   *
   * @param nth which one of several, from 1
   * @throws TestbedError `not_seen` after the time limit
   */
  readonly sees = async (text: SeenText, nth = 1): Promise<MessageView> =>
    messageView(this.#world, await seenMessage(text, nth, this.#seeing))

  /**
   * Waits until no message with this text is in the channel, as `sees` finds it.
   *
   * @throws TestbedError `not_seen` after the time limit, and for a text that is only a part of a message
   */
  readonly noLongerSees = (text: SeenText): Promise<void> => unseenMessage(text, this.#seeing)

  /** Waits until a message has a reaction, named as for `react`. @throws TestbedError `not_seen` after the time limit */
  readonly seesReaction = async (target: MessageTarget, emoji: string): Promise<void> => {
    if (typeof emoji !== 'string') throw invalidArgument('emoji', 'an emoji, such as 👍', emoji)
    return seenReaction(this.#channelMessage(target), emoji, this.#seeing)
  }

  get #seeing() {
    const { watch, people } = this.#options
    return { by: this.#by, people, watch }
  }

  #view(message: WorldMessage): MessageView {
    return messageView(this.#world, message)
  }

  get #world(): World {
    return this.#options.people.world
  }

  /** Acts once the bots are done with what the person has seen: what they act on is then as it is shown. */
  async #whenReady<T>(act: () => T | Promise<T>): Promise<T> {
    const { watch } = this.#options
    await watch.quiet.person()
    watch.acts()
    return act()
  }

  // --- Commands ---------------------------------------------------------------------------------------------------

  /** A client with the current commands. */
  async #openClient(): Promise<ChatClient> {
    const { registry, people } = this.#options
    return openClient(registry, people.clientOptions(this.#by))
  }

  /** The answer to an interaction. */
  async #showUse(path: string, use: (client: ChatClient) => Promise<AnyInteraction>): Promise<Shown> {
    return this.#whenReady(async () => {
      const { clock, coverage } = this.#options
      const calledAt = clock.now()
      return this.#show(await coverage.sending(path, use(await this.#openClient())), calledAt)
    })
  }

  async #useLine(
    client: ChatClient,
    line: string,
    values: { readonly [option: string]: unknown },
  ): Promise<AnyInteraction> {
    const { path, values: typed, kindsOf, idOf, attach, attachments } = this.#read(client, line)
    const given = Object.entries(values).map(([name, value]) => [
      name,
      idOf(name, givenValue(name, value, attach)),
    ])
    const all: OptionValues = { ...typed, ...Object.fromEntries(given) }
    const { people } = this.#options
    const { resolved = {}, channel } = people.clientOptions(this.#by)
    needTextBox(people.world, this.#by.person, channel?.id)
    const known = { resolved, people, server: people.server(this.#by.serverId) }
    return withUnknown(all, kindsOf, known, () => client.invoke(path, all, { resolved: { attachments } }))
  }

  async #useOn(client: ChatClient, name: string, on: { readonly id: string }): Promise<AnyInteraction> {
    if (!('content' in on)) return client.invokeOnUser(name, on as Person)
    const interaction = await client.invokeOnMessage(name, on as unknown as InteractionMessage)
    const { resolved, target_id: id } = interaction.data
    const message = resolved.messages[id]
    // The bot may reply to the message or change it, unless only one person sees it.
    if (message && !isEphemeral(message) && this.#world.channel(message.channel_id))
      addMessage(this.#world, message)
    return interaction
  }

  #read(client: ChatClient, line: string) {
    const { people, ids } = this.#options
    const { path, rest } = splitLine(line)
    const entry = findEntry(client.picker.entries, path)
    const attachments: { [id: string]: AttachedFile & { readonly id: string } } = {}
    const attach = (file: AttachedFile): string => {
      const { id = ids.next() } = file
      attachments[id] = { ...file, id }
      return id
    }
    // The client refuses an unknown command.
    const options = entry?.options ?? []
    const kindsOf = (name: string) => mentionKinds[findByName(options, name)?.type ?? 0] ?? []
    const idOfMention = (mention: string, kinds: readonly MentionKind[], isName = false) =>
      people.idOfMention(mention, kinds, people.server(this.#by.serverId), isName)
    const idOf = (name: string, value: OptionValue | undefined) => {
      const kinds = kindsOf(name)
      if (kinds.length === 0 || typeof value !== 'string' || isSnowflake(value)) return value
      return idOfMention(value, kinds, true) ?? value
    }
    const context = { idOfMention, attach: (path: string) => attach(this.#files.typed(path)) }
    const values = entry === undefined ? {} : readValues(rest, options, context)
    return { path, values, attachments, attach, kindsOf, idOf, options, focused: lastOption(rest, options) }
  }

  // --- Messages ---------------------------------------------------------------------------------------------------

  /** @throws TestbedError `no_message` when the answer has no such part, or not any more */
  #present<Part extends 'message' | 'modal'>(shown: Shown, part: Part): NonNullable<Shown[Part]> {
    if (!isObject(shown?.interaction)) throw invalidArgument('shown', 'an answer of the bot', shown)
    const { watch } = this.#options
    const { interaction } = shown
    const found = shown[part]
    if (found === null) throw watch.fail('no_message', `the answer has no ${part}`, { interaction })
    if (shown.deleted) throw watch.fail('no_message', 'the bot has deleted the message', { interaction })
    return found as NonNullable<Shown[Part]>
  }

  /** @throws InputError for anything but a person or a message */
  #menuTarget(target: string | object): object & { readonly id: string } {
    if (typeof target === 'string') return this.#options.people.find(target, this.#by.serverId).person
    // A message without a channel is one of the test's own, as it is given.
    const isOwn =
      isObject(target) && 'content' in target && !('channel_id' in target || 'channelId' in target)
    if (isShown(target) || (!isOwn && this.#messageOf(target) !== undefined))
      return this.#targetOf(target as MessageTarget).message
    if (isObject(target) && typeof target.id === 'string') return target as object & { readonly id: string }
    throw invalidArgument('target', 'a person or a message, with its id', target)
  }

  /** A message as the person sees it, and their use of it. */
  #targetOf(target: MessageTarget) {
    const by = this.#by
    if (isShown(target)) {
      const { interaction } = target
      const message = this.#present(target, 'message')
      if (isEphemeral(message) && userOf(interaction)?.id !== by.person.id)
        throw new ComponentError(
          'not_visible',
          `the message is ephemeral: ${by.person.username} cannot see it`,
        )
      return { message, use: this.#useOf(interaction) }
    }
    const { people } = this.#options
    const message = this.#messageOf(target)
    if (message === undefined) {
      const id = String((target as Partial<MessageView> | undefined)?.id)
      throw new TestbedError('no_message', `no channel has the message ${quoted(id)}`)
    }
    const { channel_id: channelId } = message
    const channel = this.#world.channel(channelId)!
    const isDirect = 'botId' in channel
    const where = isDirect ? { user: completeUser(channel.user) } : { guild_id: channel.guild_id }
    // Throws if the person is not there.
    people.participant({ channel_id: channelId, ...where }, by)
    const options = { ...by.options, channel: isDirect ? 'dm' : channelId }
    const serverId = isDirect ? by.serverId : channel.guild_id
    const place = people.clientOptions({ ...by, serverId, options })
    // The message answers no interaction, so its components get one in its place.
    const command = { name: 'place', description: 'place', application_id: place.applicationId }
    const created = createInteraction(command, place as InteractionPlace)
    if (!created.ok) throw new InputError(created.issues.map(({ message: text }) => text).join('; '))
    return { message: messageFor(message, by.person.id), use: this.#useOf(created.value) }
  }

  /** The message of a channel as it is now; undefined for anything else. */
  #messageOf(target: unknown): WorldMessage | undefined {
    const { id } = (target ?? {}) as Partial<MessageView>
    return typeof id === 'string' ? this.#world.findMessage(id) : undefined
  }

  /** @throws InputError for an answer that only one person sees */
  #channelMessage(target: MessageTarget): WorldMessage {
    const message = this.#messageOf(this.#targetOf(target).message)
    if (message !== undefined) return message
    throw new InputError('target: expected a message of a channel, which more than one person sees')
  }

  // --- Answers ----------------------------------------------------------------------------------------------------

  /** The person as they are now, in the place of an interaction. @throws ComponentError when they are not there */
  #useOf(interaction: AnyInteraction): ComponentUse {
    const { people, ids } = this.#options
    const resolved = this.#objectsFor(interaction)
    return { interaction, ids, resolved, ...people.participant(knownFields(interaction), this.#by) }
  }

  /** What the person sees in the place of an interaction. */
  #objectsFor(interaction: AnyInteraction): KnownObjects {
    const { people } = this.#options
    const { guild_id: guildId, channel_id: channelId } = knownFields(interaction)
    const { application_id: appId } = interaction
    return people.objects(people.server(guildId), this.#by.person.id, channelId, appId)
  }

  async #sendAndShow(interaction: AnyInteraction): Promise<Shown> {
    this.#checkResolved(interaction)
    return this.#show(interaction, this.#options.clock.now())
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
    const { watch, people, coverage } = this.#options
    const answer = await coverage.counting(interaction, people.rankOf(this.#by), () =>
      watch.ask(interaction, calledAt),
    )
    const objects = () => this.#objectsFor(interaction)
    return answerShown(interaction, answer, { watch, world: this.#world, actor: this, objects })
  }
}
