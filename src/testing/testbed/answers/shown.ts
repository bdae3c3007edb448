/** The answers of a bot as people see them. */
import { isObject } from '../../../core/json.ts'
import type { AnswerModal } from '../../../model/answer-types.ts'
import type { LiveMessage } from '../../../interactions/bot/kept-messages.ts'
import type { AppAnswer } from '../../../interactions/bot/endpoint.ts'
import type { AppMessage } from '../../../interactions/bot/bot-message.ts'
import type { KnownObjects } from '../../../interactions/usage/complete.ts'
import type { AnswerVerb } from '../../../interactions/usage/component.ts'
import type { Rendered } from '../../../interactions/answer/rendered.ts'
import type { AnyInteraction } from '../../../model/interaction-payload.ts'
import { InteractionCallbackType, MessageFlag, isEphemeral } from '../../../model/interaction-types.ts'
import type { World } from '../../../service/world/world.ts'
import { answerText } from './answer-text.ts'
import type { SubmittedValues } from './attached.ts'
import type { BotWatch } from './bot-watch.ts'

const { DEFERRED_UPDATE_MESSAGE, UPDATE_MESSAGE } = InteractionCallbackType

const FILLED_IN =
  'it filled in its deferred answer, as the first follow-up after one does; use edited() for that'

/** An answer of the bot as a person sees it. It changes when the bot edits it. */
export interface Shown {
  /** The kind of answer: a message, a deferred message, a modal, suggestions, or nothing new. */
  readonly kind: Rendered['kind']
  /** Empty for an answer without text. */
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
   * The visible text, line by line: content, embeds, polls, components, files, and in brackets what is unusual about
   * them. Without ids and times, so that it fits snapshots.
   */
  text(): string
  /** Presses a button, by its label or its custom_id. @returns the bot's answer */
  press(button: string): Promise<Shown>
  /** Chooses from a select menu, by its custom_id or its placeholder; people as `@alan`. @returns the bot's answer */
  choose(menu: string, ...values: readonly string[]): Promise<Shown>
  /** Fills in the modal and submits it. @returns the bot's answer */
  submit(values: SubmittedValues): Promise<Shown>
}

interface ShownContext {
  readonly watch: BotWatch
  readonly world: World
  /** The person of the answer, who acts on it. */
  readonly actor: {
    readonly [Verb in AnswerVerb]: (shown: Shown, ...given: Parameters<Shown[Verb]>) => Promise<Shown>
  }
  /** What mentions refer to. */
  objects(): KnownObjects
}

interface ShownSource {
  readonly interaction: AnyInteraction
  readonly rendered: Rendered
  /** The message; null for other answers. */
  readonly messageId: string | null
  readonly isFollowUp: boolean
}

/** An answer of a bot. An object with own properties, so that reports of failed tests print them. */
function shownOf(source: ShownSource, context: ShownContext): Shown {
  const { interaction, rendered, messageId, isFollowUp } = source
  const { watch, world, actor } = context
  const { messages } = watch
  // Once it is known it stays, also after the store has dropped it.
  let known: LiveMessage | undefined
  const live = () => (known ??= messageId === null ? undefined : messages.live(messageId))
  let lastSeen = live()?.changes ?? 0
  let followed = 0
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
      return live()?.isDeleted ?? false
    },
    get message() {
      const message = live()?.message
      return message === undefined ? null : world.inChannel(message)
    },
    modal: rendered.kind === 'modal' ? rendered.modal : null,
    get followUps() {
      const ids = isFollowUp ? [] : messages.createdBy(interaction.id).filter((id) => id !== messageId)
      const rendered = { kind: 'nothing' } as const
      return ids.map((id) => shownOf({ interaction, rendered, messageId: id, isFollowUp: true }, context))
    },
    async edited() {
      const found = await watch.until(() => {
        const record = live()
        return record !== undefined && record.changes > lastSeen ? record : undefined
      })
      if (found === undefined)
        throw watch.fail('not_edited', 'the bot did not edit the message in time', { interaction })
      lastSeen = found.changes
      return shown
    },
    async followedUp() {
      const found = await watch.until(() => shown.followUps[followed])
      if (found === undefined) {
        const isFilled = rendered.kind === 'thinking' && shown.kind === 'message'
        const why = isFilled ? `: ${FILLED_IN}` : ''
        throw watch.fail('no_follow_up', `the bot did not follow up in time${why}`, { interaction })
      }
      followed++
      return found
    },
    press: (button) => actor.press(shown, button),
    choose: (menu, ...values) => actor.choose(shown, menu, ...values),
    submit: (values) => actor.submit(shown, values),
    text() {
      const record = live()
      return answerText(shown, context.objects(), record && allowedMentionsOf(record, rendered))
    },
  }
  return shown
}

/** The `allowed_mentions` of an answer that is a new message. An edit pings no one. */
export function allowedMentionsOf({ changes }: LiveMessage, rendered: Rendered): unknown {
  return rendered.kind === 'message' && changes === 0 ? rendered.message.allowed_mentions : undefined
}

/** The id of the message that an answer shows; null for other answers. */
export function shownMessageId(
  interaction: AnyInteraction,
  { callback, rendered }: AppAnswer,
  messages: BotWatch['messages'],
): string | null {
  const { message } = interaction as { readonly message?: { readonly id: string } }
  // An update shows the message with the component; its later messages are follow-ups.
  const isUpdate = callback.type === DEFERRED_UPDATE_MESSAGE || callback.type === UPDATE_MESSAGE
  const id = isUpdate ? message?.id : messages.createdBy(interaction.id)[0]
  const hasMessage = rendered.kind === 'message' || rendered.kind === 'thinking' || isUpdate
  return hasMessage ? (id ?? null) : null
}

export function answerShown(interaction: AnyInteraction, answer: AppAnswer, context: ShownContext): Shown {
  const messageId = shownMessageId(interaction, answer, context.watch.messages)
  return shownOf({ interaction, rendered: answer.rendered, messageId, isFollowUp: false }, context)
}

export function isShown(target: unknown): target is Shown {
  // A message of an app has an interaction too.
  return isObject(target) && isObject(target.interaction) && typeof target.press === 'function'
}
