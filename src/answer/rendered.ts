/** An app's answer as a user sees it. */
import type { CommandChoice } from '../command/definition.ts'
import { LocalizationResolver } from '../command/localization-resolver.ts'
import { deepFreeze } from '../core/freeze.ts'
import type { AnswerModal, InteractionCallback, RenderedMessage } from './answer-types.ts'
import { isEphemeral } from './message.ts'
import { knownFields, type AnyInteraction } from '../interaction/payload.ts'
import { InteractionCallbackType } from '../interaction/types.ts'

/** An answer, or a missing one, as a user sees it. */
export type Rendered =
  | {
      /** Always `message`. */
      readonly kind: 'message'
      /** The text of the message; empty for a message without one. */
      readonly content: string
      /** Whether only the user of the command sees it. */
      readonly ephemeral: boolean
      /** The message that the app sent. */
      readonly message: RenderedMessage
    }
  /** A deferred answer; the app can send the message until the token expires. */
  | {
      /** Always `thinking`. */
      readonly kind: 'thinking'
      /** Whether only the user of the command sees it. */
      readonly ephemeral: boolean
    }
  /** Suggestions, in the user's language. */
  | {
      /** Always `choices`. */
      readonly kind: 'choices'
      /** The suggestions, with localized names. */
      readonly choices: readonly { readonly name: string; readonly value: string | number }[]
    }
  /** A modal. */
  | {
      /** Always `modal`. */
      readonly kind: 'modal'
      /** The title of the modal. */
      readonly title: string
      /** The modal that the app sent. */
      readonly modal: AnswerModal
    }
  /** The app's Activity. */
  | {
      /** Always `activity`. */
      readonly kind: 'activity'
    }
  /** The deprecated answer PREMIUM_REQUIRED. */
  | {
      /** Always `premium_required`. */
      readonly kind: 'premium_required'
    }
  /** No visible change: a PONG, or a deferred update. */
  | {
      /** Always `nothing`. */
      readonly kind: 'nothing'
    }
  /** A missing or invalid answer; only the user of the command sees this. */
  | {
      /** Always `failure`. */
      readonly kind: 'failure'
      /** The sentence that the user sees. */
      readonly text: string
    }

/** A missing or invalid answer. */
export const failedAnswer: Rendered = Object.freeze({
  kind: 'failure',
  text: 'The application did not respond',
})

const resolver = new LocalizationResolver()

/** A valid answer as the user of the interaction sees it. */
export function shownBy(interaction: AnyInteraction, callback: InteractionCallback): Rendered {
  return deepFreeze(render(interaction, callback))
}

function render(interaction: AnyInteraction, callback: InteractionCallback): Rendered {
  switch (callback.type) {
    case InteractionCallbackType.CHANNEL_MESSAGE_WITH_SOURCE:
    case InteractionCallbackType.UPDATE_MESSAGE: {
      const { data } = callback
      return {
        kind: 'message',
        content: data.content ?? '',
        ephemeral: isEphemeral(data),
        message: data as RenderedMessage,
      }
    }
    case InteractionCallbackType.DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE:
      return { kind: 'thinking', ephemeral: isEphemeral(callback.data ?? {}) }
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

function localized({ name, name_localizations, value }: CommandChoice, interaction: AnyInteraction) {
  const { locale } = knownFields(interaction)
  return { name: resolver.resolve(name, name_localizations, String(locale)).text, value }
}
