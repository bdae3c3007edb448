/** What a person sees of an app's answer. */
import type { CommandChoice } from '../command/definition.ts'
import { LocalizationResolver } from '../command/localize.ts'
import { deepFreeze } from '../core/freeze.ts'
import type { AnswerMessage, AnswerModal, InteractionCallback } from './callback.ts'
import { InteractionCallbackType, MessageFlag } from './kinds.ts'
import type { AnyInteraction } from './payload.ts'

/** What is on a person's screen once an app has answered, or has not. */
export type Shown =
  | {
      readonly kind: 'message'
      readonly content: string
      /** Seen by nobody else. */
      readonly ephemeral: boolean
      /** All that the app sent. */
      readonly message: AnswerMessage
    }
  /** The app is still thinking; it can send a message until the token expires. */
  | { readonly kind: 'thinking'; readonly ephemeral: boolean }
  /** Suggestions, in the person's language. */
  | {
      readonly kind: 'choices'
      readonly choices: readonly { readonly name: string; readonly value: string | number }[]
    }
  | { readonly kind: 'modal'; readonly title: string; readonly modal: AnswerModal }
  /** The app's Activity. */
  | { readonly kind: 'activity' }
  | { readonly kind: 'premium_required' }
  /** Nothing new: a PONG, or an update that is to come. */
  | { readonly kind: 'nothing' }
  /** The app did not answer, or not as it should; only the person sees this. */
  | { readonly kind: 'failure'; readonly text: string }

export const failure: Shown = Object.freeze({ kind: 'failure', text: 'The application did not respond' })

const resolver = new LocalizationResolver()

/** What a person sees of an answer that is right for the interaction. */
export function shownBy(interaction: AnyInteraction, callback: InteractionCallback): Shown {
  return deepFreeze(show(interaction, callback))
}

function show(interaction: AnyInteraction, callback: InteractionCallback): Shown {
  switch (callback.type) {
    case InteractionCallbackType.CHANNEL_MESSAGE_WITH_SOURCE:
    case InteractionCallbackType.UPDATE_MESSAGE: {
      const { data } = callback
      return {
        kind: 'message',
        content: data.content ?? '',
        ephemeral: isEphemeral(data.flags),
        message: data,
      }
    }
    case InteractionCallbackType.DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE:
      return { kind: 'thinking', ephemeral: isEphemeral(callback.data?.flags) }
    case InteractionCallbackType.APPLICATION_COMMAND_AUTOCOMPLETE_RESULT:
      return {
        kind: 'choices',
        choices: callback.data.choices.map((choice) => localized(choice, interaction)),
      }
    case InteractionCallbackType.MODAL:
      return { kind: 'modal', title: callback.data.title, modal: callback.data }
    case InteractionCallbackType.LAUNCH_ACTIVITY:
      return { kind: 'activity' }
    case InteractionCallbackType.PREMIUM_REQUIRED:
      return { kind: 'premium_required' }
    default:
      return { kind: 'nothing' }
  }
}

function isEphemeral(flags: number | undefined): boolean {
  return ((flags ?? 0) & MessageFlag.EPHEMERAL) !== 0
}

function localized({ name, name_localizations, value }: CommandChoice, interaction: AnyInteraction) {
  const { locale } = interaction as { readonly locale?: unknown }
  return { name: resolver.resolve(name, name_localizations, String(locale)).text, value }
}
