/** The answers of a bot as people see them. */
import type { AnswerModal, InteractionCallback } from '../answer/answer-types.ts'
import type { AnswerEvent, Conversations } from '../answer/conversations.ts'
import { isEphemeral, type AppMessage } from '../answer/message.ts'
import { shownBy, type Rendered } from '../answer/rendered.ts'
import { BoundedMap } from '../core/bounded-map.ts'
import type { Issue } from '../core/report.ts'
import type { ModalValues } from '../interaction/component.ts'
import type { AnyInteraction } from '../interaction/payload.ts'
import { InteractionCallbackType, MessageFlag } from '../interaction/types.ts'

const { DEFERRED_UPDATE_MESSAGE, UPDATE_MESSAGE } = InteractionCallbackType

/** An answer of the bot as a person sees it. It changes when the bot edits it. */
export interface Shown {
  /** The kind of answer: a message, a deferred message, a modal, suggestions, or nothing new. */
  readonly kind: Rendered['kind']
  /** The text of the message; empty for other answers. */
  readonly content: string
  /** Whether only this person sees it. */
  readonly ephemeral: boolean
  /** Whether the bot has deleted the message. */
  readonly deleted: boolean
  /** The message of the service; null for other answers. */
  readonly message: AppMessage | null
  /** The modal; null for other answers. */
  readonly modal: AnswerModal | null
  /** The bot's follow-ups so far, oldest first. */
  readonly followUps: readonly Shown[]
  /** The interaction that the bot received. */
  readonly interaction: AnyInteraction
  /**
   * Waits until the bot edits or deletes the message. An edit before the call counts once.
   *
   * @throws TestbedError `not_edited` after the time limit
   */
  edited(): Promise<Shown>
  /**
   * Waits for the next follow-up after the last one that this method returned.
   *
   * @throws TestbedError `no_follow_up` after the time limit
   */
  followedUp(): Promise<Shown>
  /**
   * The visible text, line by line: content, embeds, components, files. Without ids and times, so that it fits
   * snapshots.
   */
  text(): string
  /** Presses a button, by its label or its custom_id. @returns the bot's answer */
  press(button: string): Promise<Shown>
  /** Chooses from a select menu, by its custom_id or its placeholder; people as `@alan`. @returns the bot's answer */
  choose(menu: string, ...values: readonly string[]): Promise<Shown>
  /** Fills in the modal and submits it. @returns the bot's answer */
  submit(values: ModalValues): Promise<Shown>
}

/** The reason of a `TestbedError`. */
export type TestbedErrorCode =
  | 'not_connected'
  | 'not_deployed'
  | 'no_answer'
  /** The service refused the bot's answer; `issues` has every problem. */
  | 'refused'
  | 'not_edited'
  | 'no_follow_up'
  /** The answer has no message or modal, or not any more. */
  | 'no_message'

/** The bot did not do what a person waited for. The message lists what the bot sent meanwhile. */
export class TestbedError extends Error {
  /** Always `TestbedError`. */
  override readonly name = 'TestbedError'
  /** The reason. */
  readonly code: TestbedErrorCode
  /** Every problem of a refused answer; otherwise empty. */
  readonly issues: readonly Issue[]

  constructor(code: TestbedErrorCode, message: string, issues: readonly Issue[] = []) {
    super(message)
    this.code = code
    this.issues = issues
  }
}

/** What an answer needs to follow the bot. */
export interface ShownContext {
  readonly messages: Messages
  /** Waits until the check returns a value; undefined after the time limit. */
  until<T>(check: () => T | undefined): Promise<T | undefined>
  /** @param began the number of lines in the log when the bot got the interaction */
  fail(code: TestbedErrorCode, message: string, began: number): TestbedError
  /** What the person of an answer does with its components. */
  press(shown: Shown, button: string): Promise<Shown>
  choose(shown: Shown, menu: string, values: readonly string[]): Promise<Shown>
  submit(shown: Shown, values: ModalValues): Promise<Shown>
  /** The text of an answer without ids and times. */
  textOf(shown: Shown): string
}

interface MessageState {
  message: AppMessage
  changes: number
  deleted: boolean
  size: number
}

const MOST_INTERACTIONS = 10_000
const MOST_CHARACTERS = 16 * 1024 * 1024

/** The messages of a bot with their changes, and the follow-ups of each interaction. */
export class Messages {
  readonly #kept = new BoundedMap<string, MessageState>(MOST_CHARACTERS, ({ size }) => size)
  readonly #created = new BoundedMap<string, string[]>(MOST_INTERACTIONS)
  readonly #changed: () => void

  /** @param changed called after every change */
  constructor(conversations: Conversations, changed: () => void) {
    this.#changed = changed
    conversations.subscribe((event) => this.#hear(event))
  }

  get(id: string): MessageState | undefined {
    return this.#kept.get(id)
  }

  /** The ids of the messages an interaction created, oldest first. */
  createdBy(interactionId: string): readonly string[] {
    return this.#created.get(interactionId) ?? []
  }

  #hear({ type, interaction, message }: AnswerEvent): void {
    const before = this.#kept.get(message.id)
    this.#kept.set(message.id, {
      message,
      changes: (before?.changes ?? -1) + 1,
      deleted: type === 'message_deleted',
      size: Math.max(JSON.stringify(message).length, Math.floor(MOST_CHARACTERS / MOST_INTERACTIONS)),
    })
    if (type === 'message_created')
      this.#created.set(interaction.id, [...this.createdBy(interaction.id), message.id])
    this.#changed()
  }
}

/** An answer: how it is rendered, and its message. */
interface ShownSource {
  readonly interaction: AnyInteraction
  readonly rendered: Rendered
  /** The message; null for other answers. */
  readonly messageId: string | null
  readonly isFollowUp: boolean
  /** The number of lines in the log when the bot got the interaction. */
  readonly began: number
}

/** An answer of a bot. An object with own properties, so that reports of failed tests print them. */
function shownOf(source: ShownSource, context: ShownContext): Shown {
  const { interaction, rendered, messageId, isFollowUp, began } = source
  const { messages } = context
  const kept = () => (messageId === null ? undefined : messages.get(messageId))
  let lastSeen = kept()?.changes ?? 0
  let followed = 0
  const followUps = () =>
    isFollowUp
      ? []
      : messages
          .createdBy(interaction.id)
          .filter((id) => id !== messageId)
          .map((id) => shownOf({ ...source, ...followUpSource, messageId: id }, context))
  const shown: Shown = {
    interaction,
    get kind() {
      const { message } = shown
      if (message === null) return rendered.kind
      return (message.flags & MessageFlag.LOADING) === 0 ? 'message' : 'thinking'
    },
    get content() {
      return shown.message?.content ?? ''
    },
    get ephemeral() {
      return shown.message !== null && isEphemeral(shown.message)
    },
    get deleted() {
      return kept()?.deleted ?? false
    },
    get message() {
      return kept()?.message ?? null
    },
    modal: rendered.kind === 'modal' ? rendered.modal : null,
    get followUps() {
      return followUps()
    },
    async edited() {
      const found = await context.until(() => {
        const record = kept()
        return record !== undefined && record.changes > lastSeen ? record : undefined
      })
      if (found === undefined)
        throw context.fail('not_edited', 'the bot did not edit the message in time', began)
      lastSeen = found.changes
      return shown
    },
    async followedUp() {
      const found = await context.until(() => followUps()[followed])
      if (found === undefined) throw context.fail('no_follow_up', 'the bot did not follow up in time', began)
      followed++
      return found
    },
    press: (button) => context.press(shown, button),
    choose: (menu, ...values) => context.choose(shown, menu, values),
    submit: (values) => context.submit(shown, values),
    text: () => context.textOf(shown),
  }
  return shown
}

const followUpSource = { rendered: { kind: 'nothing' }, isFollowUp: true } as const

/** The first answer to an interaction. */
export function answerShown(
  interaction: AnyInteraction,
  callback: InteractionCallback,
  context: ShownContext,
  began: number,
): Shown {
  const rendered = shownBy(interaction, callback)
  const { message } = interaction as { readonly message?: { readonly id: string } }
  // An update shows the message with the component; its later messages are follow-ups.
  const isUpdate = callback.type === DEFERRED_UPDATE_MESSAGE || callback.type === UPDATE_MESSAGE
  const id = isUpdate ? message?.id : context.messages.createdBy(interaction.id)[0]
  const hasMessage = rendered.kind === 'message' || rendered.kind === 'thinking' || isUpdate
  return shownOf(
    { interaction, rendered, messageId: hasMessage ? (id ?? null) : null, isFollowUp: false, began },
    context,
  )
}
