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
import { choose, press, submit } from '../../../interactions/usage/component.ts'
import { ComponentError } from '../../../interactions/usage/component-error.ts'
import type { ModalValues } from '../../../interactions/usage/component-values.ts'
import type { AttachedFile } from '../../../interactions/usage/complete.ts'
import { userOf, type AnyInteraction, type InteractionMessage } from '../../../model/interaction-payload.ts'
import { isEphemeral } from '../../../model/interaction-types.ts'
import { mentionKinds, type MentionKind } from '../../../interactions/usage/usage-rules.ts'
import type { Thread } from '../../../service/world/entities.ts'
import { addMessage } from '../../../service/world/messages.ts'
import type { WorldMessage } from '../../../service/world/world-message.ts'
import type { World } from '../../../service/world/world.ts'
import { ChannelMember, type SayOptions, type ThreadOptions, type VoiceOptions } from './channel-member.ts'
import { channelView, messageView, type ChannelView, type MessageView } from './server-view.ts'
import type { CommandRegistry } from '../../../commands/registry/registry.ts'
import { invalidArgument, type People, type Participant, type Person } from './people.ts'
import { seenMessage, seenReaction, unseenMessage, type SeenText } from './seen-message.ts'
import { choiceSuggestion, commandSuggestion, type Suggestion } from './suggestion.ts'
import { givenValue, lastOption, readValues, splitLine } from './line.ts'
import { needTextBox, withUnknown } from './typed-values.ts'
import { answerShown, type Shown } from '../answers/shown.ts'
import { MessageTargets, type MessageTarget } from './message-targets.ts'
import { rows, type ArgumentsOf, type OutOf, type VerbName } from './verbs.ts'
import type { BotWatch } from '../answers/bot-watch.ts'
import type { CoverageLog } from '../../coverage/coverage-log.ts'

/** A value of an option. A person, role or channel is an object or its id, and a file an object with its name. */
export type UseValue = OptionValue | { readonly id: string } | FileToAttach | Blob

/** The result of a launch: an answer of the bot, or a message of the service, which the bot does not receive. */
type Launched =
  | { readonly handledBy: 'app'; readonly shown: Shown; readonly message: null }
  | { readonly handledBy: 'service'; readonly shown: null; readonly message: InteractionMessage }

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

type Viewed<Out> = Out extends WorldMessage ? MessageView : Out extends Thread ? ChannelView : Out

/** A method for each row of `verbs`. */
type VerbMethods = {
  readonly [Name in VerbName]: (...given: ArgumentsOf<Name, MessageTarget>) => Promise<Viewed<OutOf<Name>>>
}

/** The modals that were submitted. */
const submitted = new WeakSet<Shown>()

/** A person with a chat client. Its functions are fields instead of methods, so that a test can destructure it. */
export class Actor {
  readonly #options: ActorOptions
  readonly #by: Participant
  readonly #targets: MessageTargets
  readonly #files: AttachedFiles

  constructor(options: ActorOptions, by: Participant) {
    this.#options = options
    this.#by = by
    this.#files = new AttachedFiles(options.watch.messages.files, () => options.ids.next())
    this.#targets = new MessageTargets(options, by)
    const member = new ChannelMember(options.people, by, (target: MessageTarget) =>
      this.#targets.findChannelMessage(target),
    )
    const methods = Object.keys(rows).map((name) => [
      name,
      (...given: ArgumentsOf<VerbName, MessageTarget>) =>
        this.#whenReady(async () => this.#view(await member.do(name as VerbName, ...given))),
    ])
    // Declared below; the compiler reports a verb without a declaration.
    const declared: Pick<Actor, VerbName> = Object.fromEntries(methods) as VerbMethods
    Object.assign(this, declared)
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
  ): Promise<Shown> =>
    this.#showUse(name, (client) => this.#useOn(client, name, this.#targets.findMenuTarget(target)))

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
    // The client refuses a name that the command does not have.
    if (option === undefined || option.autocomplete === true) {
      const values = { ...typed.values, [focused]: text }
      const interaction = await client.autocomplete(typed.path, values, focused, options)
      const { rendered } = await this.#options.watch.ask(interaction, Infinity)
      return rendered.kind === 'choices' ? rendered.choices.map(choiceSuggestion) : []
    }
    const choices = (option.choices ?? []).filter(({ name }) =>
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
      const { message, use } = this.#targets.findTarget(target)
      return this.#sendAndShow(press(message, button, use))
    })

  /** Chooses from a select menu of a message that the person can see. @throws as `press` */
  readonly choose = (target: MessageTarget, menu: string, ...values: readonly string[]): Promise<Shown> =>
    this.#whenReady(() => {
      const { message, use } = this.#targets.findTarget(target)
      return this.#sendAndShow(choose(message, menu, values, use))
    })

  /** Submits a modal that the bot has opened for the person. @throws as `press` */
  readonly submit = (shown: Shown, values: SubmittedValues): Promise<Shown> =>
    this.#whenReady(() => this.#submit(shown, values))

  async #submit(shown: Shown, values: SubmittedValues): Promise<Shown> {
    const { interaction: opened } = shown
    if (submitted.has(shown))
      throw this.#options.watch.fail('no_message', 'the modal was submitted already', { interaction: opened })
    const modal = this.#targets.needPart(shown, 'modal')
    const user = userOf(shown.interaction)
    if (this.#by.person.id !== user?.id)
      throw new ComponentError('not_visible', `only ${user?.username} sees the modal`)
    // The modal refuses what is not an object.
    const stored = isObject(values) ? await this.#files.storedValues<ModalValues>(values) : values
    const interaction = submit(modal, stored, this.#targets.useOf(shown.interaction))
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
  declare readonly say: (content: string, options?: SayOptions<MessageTarget>) => Promise<MessageView>

  /**
   * Reacts to a message: with `👍`; with `party` or `:party:`, an emoji of the message or of its server; or with any other,
   * `<:party:1>`.
   *
   * @throws ComponentError when they cannot see the message; InvocationError `permission_denied` without ADD_REACTIONS,
   * unless the emoji is there already
   */
  declare readonly react: (target: MessageTarget, emoji: string) => Promise<void>

  /** Takes a reaction back. @throws as `react` */
  declare readonly unreact: (target: MessageTarget, emoji: string) => Promise<void>

  /** Changes the text of an own message. @throws InvocationError `permission_denied` for that of another */
  declare readonly edit: (target: MessageTarget, content: string) => Promise<MessageView>

  /** Deletes an own message; with MANAGE_MESSAGES also that of another. @throws as `edit` */
  declare readonly delete: (target: MessageTarget) => Promise<void>

  /** Pins a message. @throws InvocationError `permission_denied` without PIN_MESSAGES */
  declare readonly pin: (target: MessageTarget) => Promise<void>

  /** Unpins a message. @throws as `pin` */
  declare readonly unpin: (target: MessageTarget) => Promise<void>

  /** Votes for an answer of a poll, by its text or number. @throws TypeError with the code `poll_ended` or `invalid` */
  declare readonly vote: (target: MessageTarget, answer: string) => Promise<void>
  /** Takes a vote back. @throws as `vote` */
  declare readonly unvote: (target: MessageTarget, answer: string) => Promise<void>

  /** Takes no DMs from bots any more: they are refused with 50007. */
  declare readonly closeDirectMessages: () => Promise<void>
  /** Takes DMs from bots again. */
  declare readonly openDirectMessages: () => Promise<void>
  /** Blocks bots: their DMs (50007) and reactions (90001) are refused. */
  declare readonly block: () => Promise<void>
  /** Ends the block. */
  declare readonly unblock: () => Promise<void>

  /** Starts a thread in the channel of the person, or from a message. @throws as `say` */
  declare readonly startThread: (name: string, options?: ThreadOptions<MessageTarget>) => Promise<ChannelView>

  /** Joins the thread in which the person is: `bed.as('ada', { channel: 'ticket-7' })`. @throws as `say` */
  declare readonly joinThread: () => Promise<void>

  /** Leaves the thread. @throws as `joinThread` */
  declare readonly leaveThread: () => Promise<void>

  /** Joins a voice channel, or changes what is switched there. @throws as `say` */
  declare readonly joinVoice: (channel: string, options?: VoiceOptions) => Promise<void>

  /** Leaves the voice channel. */
  declare readonly leaveVoice: () => Promise<void>

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
    return seenReaction(this.#targets.findChannelMessage(target), emoji, this.#seeing)
  }

  get #seeing() {
    const { watch, people } = this.#options
    return { by: this.#by, people, watch }
  }

  /** What a verb has made, as a test sees it. */
  #view(made: OutOf<VerbName>): MessageView | ChannelView | undefined {
    if (!made) return undefined
    return 'author' in made ? messageView(this.#world, made) : channelView(this.#world, made)
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
    const interaction = await client.invokeOnMessage(name, on as InteractionMessage)
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

  // --- Answers ----------------------------------------------------------------------------------------------------

  async #sendAndShow(interaction: AnyInteraction): Promise<Shown> {
    this.#targets.checkResolved(interaction)
    return this.#show(interaction, this.#options.clock.now())
  }

  async #show(interaction: AnyInteraction, calledAt: number): Promise<Shown> {
    const { watch, people, coverage } = this.#options
    const answer = await coverage.counting(interaction, people.rankOf(this.#by), () =>
      watch.ask(interaction, calledAt),
    )
    const objects = () => this.#targets.objectsFor(interaction)
    return answerShown(interaction, answer, { watch, world: this.#world, actor: this, objects })
  }
}
