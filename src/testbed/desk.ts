/** Sends the interactions of people to the bot, and returns its answers to them. */
import type { PendingAnswers, Expected } from '../answer/pending.ts'
import { ANSWER_WITHIN, type InteractionCallback } from '../answer/answer-types.ts'
import { deliver, type DeliverOptions, type Delivery } from '../answer/deliver.ts'
import { shownBy } from '../answer/rendered.ts'
import { ChatClient } from '../client/chat-client.ts'
import type { OptionValues } from '../client/client-options.ts'
import type { CommandChoice } from '../command/definition.ts'
import { CommandType } from '../command/types.ts'
import type { OptionValue } from '../command/usage.ts'
import type { Clock } from '../core/clock.ts'
import { snowflakes, snowflakeTime, type IdSource } from '../core/snowflake.ts'
import { describeValue } from '../core/text.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { AnyInteraction, InteractionMessage } from '../interaction/payload.ts'
import type { CommandRegistry } from '../registry/registry.ts'
import type { Cast, Person, PersonOptions } from './cast.ts'
import { lastOption, readValues, splitLine } from './line.ts'
import type { Log } from './log.ts'
import {
  answerShown,
  Messages,
  setNewest,
  TestbedError,
  type Shown,
  type ShownContext,
  type TestbedErrorCode,
} from './shown.ts'

/** A value of an option. A person, role or channel is an object or its id. */
export type UseValue =
  | OptionValue
  | {
      /** The id of the person, role or channel. */
      readonly id: string
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
  readonly answers: PendingAnswers
  readonly cast: Cast
  readonly clock: Clock
  readonly log: Log
  /** The gateway of the bot. Default: none. */
  readonly gateway?: Gateway
  /** The endpoint of a bot over HTTP. Default: none. */
  readonly endpoint?: Pick<DeliverOptions, 'url' | 'privateKey' | 'fetch'>
  /** Milliseconds of real time to wait for a bot. Default 3000. */
  readonly patience?: number
}

/** An interaction without an answer yet. */
interface Unanswered {
  readonly interaction: AnyInteraction
  /** Rejects the answer. */
  fail(code: TestbedErrorCode, message: string): void
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
   * @throws TestbedError `no_answer` when the bot does not answer in time, `not_connected` when it is not logged in
   */
  use(line: string, values?: { readonly [option: string]: UseValue | undefined }): Promise<Shown>
  /** Uses a user command on a person, or a message command on a message. @throws as `use` */
  useOn(name: string, target: Person | InteractionMessage): Promise<Shown>
  /** The entries that the person sees while typing: commands, choices, or suggestions of the bot. @throws as `use` */
  suggestions(line: string): Promise<readonly Suggestion[]>
}

/** The people of a testbed at their chat clients. */
export class Desk implements ShownContext {
  readonly ids: IdSource
  readonly messages: Messages
  readonly #options: DeskOptions
  readonly #patience: number
  /** The interactions that the bot has not answered. */
  readonly #unanswered = new Set<Unanswered>()
  /** The answers that `callbackOf` has not returned yet. */
  readonly #answers = new Map<string, Promise<InteractionCallback>>()
  readonly #waiting = new Set<() => void>()
  readonly #stop: () => void

  constructor(options: DeskOptions) {
    const { registry, answers, clock, patience = ANSWER_WITHIN } = options
    this.#options = options
    this.#patience = patience
    this.ids = snowflakes({ clock, worker: 3 })
    this.messages = new Messages(answers.conversations, () => this.changed())
    this.#stop = registry.subscribe((event) => {
      if (event.type === 'interaction_created' && event.handledBy === 'app') this.#send(event.interaction)
      else options.gateway?.listener(event)
    })
  }

  /** Checks everything that is waited for again. Call it after the clock or the bot changed something. */
  changed(): void {
    const now = this.#options.clock.now()
    for (const { interaction, fail } of [...this.#unanswered]) {
      if (now - snowflakeTime(interaction.id) > ANSWER_WITHIN) fail('no_answer', LATE)
    }
    for (const check of [...this.#waiting]) check()
  }

  close(): void {
    this.#stop()
    for (const { fail } of [...this.#unanswered]) fail('no_answer', 'the testbed was closed')
  }

  // --- For people ---------------------------------------------------------------------------------------------

  /** A person with a chat client, which has the current commands for each use. */
  actor(applicationId: string, person: Person, options: PersonOptions): Actor {
    const { cast, registry } = this.#options
    const openClient = async () => {
      const client = new ChatClient(registry, cast.clientOptions(applicationId, person, options))
      await client.refresh()
      return client
    }
    return {
      use: async (line, values = {}) => {
        const client = await openClient()
        const typed = this.#read(client, options, line)
        const given: OptionValues = Object.fromEntries(Object.entries(values).map(idOf))
        const { attachments } = typed
        const all = { ...typed.values, ...given }
        return this.#answerTo(await client.invoke(typed.path, all, { resolved: { attachments } }))
      },
      useOn: async (name, target) => {
        const client = await openClient()
        const isMessage = 'content' in target
        return this.#answerTo(
          await (isMessage ? client.invokeOnMessage(name, target) : client.invokeOnUser(name, target)),
        )
      },
      suggestions: async (line) => this.#suggestions(await openClient(), options, line),
    }
  }

  sendAndShow(interaction: AnyInteraction): Promise<Shown> {
    this.#send(interaction)
    return this.#answerTo(interaction)
  }

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
  fail(code: TestbedErrorCode, message: string, began = this.#options.log.length - LAST_LINES): TestbedError {
    const sent = this.#options.log.since(began)
    const requests = sent === '' ? 'it sent nothing' : `it sent:\n${sent}`
    return new TestbedError(code, `${message}; ${requests}`)
  }

  /** The entries that a person sees while typing a line. */
  async #suggestions(
    client: ChatClient,
    options: PersonOptions,
    line: string,
  ): Promise<readonly Suggestion[]> {
    const entries = client.picker.search(line)
    if (splitLine(line).rest === '' && !line.includes(':'))
      return entries.map(({ name, description, path }) => ({ kind: 'command', name, description, path }))
    const typed = this.#read(client, options, line)
    const { focused = '' } = typed
    const option = typed.options.find(
      ({ name, name_default }) => name === focused || name_default === focused,
    )
    const text = String(typed.values[focused] ?? '')
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

  #read(client: ChatClient, options: PersonOptions, text: string) {
    const { cast } = this.#options
    const server = cast.server(options.server)
    const { path, rest } = splitLine(text)
    const entry = client.picker.entries.find(
      (one) => one.type === CommandType.CHAT_INPUT && (one.name === path || one.path === path),
    )
    const attachments: { [id: string]: { id: string; filename: string } } = {}
    const context = {
      idOfMention: (mention: string, kinds: Parameters<Cast['idOfMention']>[1]) =>
        cast.idOfMention(mention, kinds, server),
      attach: (filename: string) => {
        const id = this.ids.next()
        attachments[id] = { id, filename }
        return id
      },
    }
    // The client refuses an unknown command.
    const known = entry?.options ?? []
    const values = entry === undefined ? {} : readValues(rest, known, context)
    return { path, values, attachments, options: known, focused: lastOption(rest, known) }
  }

  /** Sends an interaction to the bot and starts to wait for its answer. */
  #send(interaction: AnyInteraction): void {
    const { answers, gateway, endpoint, log, clock } = this.#options
    const began = log.length
    log.add(`<-- INTERACTION_CREATE ${JSON.stringify(interaction)}`)
    const answered = new Promise<InteractionCallback>((resolve, reject) => {
      let pending: Expected | undefined
      const unanswered: Unanswered = {
        interaction,
        fail: (code, message) => {
          end()
          reject(this.fail(code, message, began))
        },
      }
      const timer = setTimeout(() => unanswered.fail('no_answer', LATE), this.#patience)
      const end = () => {
        clearTimeout(timer)
        pending?.end()
        this.#unanswered.delete(unanswered)
      }
      const settle = (callback: InteractionCallback) => {
        end()
        afterResponse(resolve, callback)
      }
      this.#unanswered.add(unanswered)
      if (endpoint !== undefined) {
        void deliver(interaction, { ...endpoint, answers, clock, timeout: this.#patience }).then(
          (delivery) =>
            delivery.ok ? settle(delivery.callback) : unanswered.fail('no_answer', failureOf(delivery)),
        )
        return
      }
      pending = answers.expect(interaction)
      void pending.answer.then(({ callback }) => settle(callback))
      if ((gateway?.dispatch(interaction) ?? 0) === 0)
        unanswered.fail('not_connected', 'the bot is not logged in')
    })
    // The answer to an interaction of the page may never be requested.
    answered.catch(() => {})
    setNewest(this.#answers, interaction.id, answered)
  }

  async #answerTo(interaction: AnyInteraction): Promise<Shown> {
    const callback = await this.callbackOf(interaction)
    return answerShown(interaction, callback, this)
  }

  /** Sends an interaction that no command created, such as that of a button. @throws TestbedError as `callbackOf` does */
  sendForCallback(interaction: AnyInteraction): Promise<InteractionCallback> {
    this.#send(interaction)
    return this.callbackOf(interaction)
  }

  /** The bot's answer to an interaction, once. @throws TestbedError when it is not logged in or does not answer */
  async callbackOf({ id }: AnyInteraction): Promise<InteractionCallback> {
    const answered = this.#answers.get(id)
    if (answered === undefined) throw this.fail('no_answer', 'the interaction was not sent')
    this.#answers.delete(id)
    return answered
  }
}

// A bot gets the response to its callback before a person can act on the answer: libraries register a modal or a button
// only then. Taken when this file loads, so that fake timers of a test do not stop it.
const afterResponse = setImmediate

const LATE = 'the bot did not answer within 3 seconds'
const LAST_LINES = 20

function failureOf({ code, status, issues }: Extract<Delivery, { ok: false }>): string {
  const details = issues.map(({ message }) => message).join('; ')
  return `the endpoint failed: ${code}${status === null ? '' : `, status ${status}`}${details && `: ${details}`}`
}

function choiceSuggestion({ name, value }: Pick<CommandChoice, 'name' | 'value'>): Suggestion {
  return { kind: 'choice', name, value }
}

function idOf([name, value]: [string, UseValue | undefined]): [string, OptionValue | undefined] {
  if (typeof value !== 'object' || value === null) return [name, value]
  const { id } = value as { readonly id?: unknown }
  if (typeof id === 'string') return [name, id]
  throw new TypeError(`${name}: expected a value or something with an id, got ${describeValue(value)}`)
}
