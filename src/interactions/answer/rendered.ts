/** An app's answer as a user sees it. */
import type { CommandChoice } from '../../model/command-definition.ts'
import { LocalizationResolver } from '../../commands/definition/localization-resolver.ts'
import { demandObject } from '../../core/rules/arguments.ts'
import { deepFreeze } from '../../core/freeze.ts'
import type { AnswerModal, InteractionCallback, RenderedMessage } from '../../model/answer-types.ts'
import { isAnsweredInPrivate, knownFields, type AnyInteraction } from '../../model/interaction-payload.ts'
import { withNumbers } from './component-parts.ts'
import { InteractionCallbackType, isEphemeral } from '../../model/interaction-types.ts'

/** An answer, or a missing one, as a user sees it. */
export type Rendered =
  /** `content` is empty for a message without text; an `ephemeral` message is only for the user of the command. */
  | {
      readonly kind: 'message'
      readonly content: string
      readonly ephemeral: boolean
      readonly message: RenderedMessage
    }
  /** A deferred answer; the app can send the message until the token expires. */
  | { readonly kind: 'thinking'; readonly ephemeral: boolean }
  /** Suggestions, in the user's language. */
  | { readonly kind: 'choices'; readonly choices: readonly Pick<CommandChoice, 'name' | 'value'>[] }
  | { readonly kind: 'modal'; readonly title: string; readonly modal: AnswerModal }
  /** The app's Activity, the deprecated PREMIUM_REQUIRED, or no visible change: a PONG or a deferred update. */
  | { readonly kind: 'activity' | 'premium_required' | 'nothing' }
  /** A missing or invalid answer; only the user of the command sees the text. */
  | { readonly kind: 'failure'; readonly text: string }

export const failedAnswer: Rendered = Object.freeze({
  kind: 'failure',
  text: 'The application did not respond',
})

/** With a numeric id for each component, as the client of a person has it. */
function numbered<Body extends { readonly components?: readonly object[] | null }>(body: Body): Body {
  return body.components ? { ...body, components: withNumbers(body.components) } : body
}

const resolver = new LocalizationResolver()

/** A valid answer as the user of the interaction sees it. */
export function shownBy(interaction: AnyInteraction, callback: InteractionCallback): Rendered {
  demandObject(interaction, 'interaction')
  demandObject(callback, 'callback')
  return deepFreeze(render(interaction, callback))
}

function render(interaction: AnyInteraction, callback: InteractionCallback): Rendered {
  switch (callback.type) {
    case InteractionCallbackType.CHANNEL_MESSAGE_WITH_SOURCE:
    case InteractionCallbackType.UPDATE_MESSAGE: {
      const { data, type } = callback
      const isForced =
        type === InteractionCallbackType.CHANNEL_MESSAGE_WITH_SOURCE && isAnsweredInPrivate(interaction)
      return {
        kind: 'message',
        content: data.content ?? '',
        ephemeral: isForced || isEphemeral(data),
        message: numbered(data) as RenderedMessage,
      }
    }
    case InteractionCallbackType.DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE: {
      const ephemeral = isAnsweredInPrivate(interaction) || isEphemeral(callback.data ?? {})
      return { kind: 'thinking', ephemeral }
    }
    case InteractionCallbackType.APPLICATION_COMMAND_AUTOCOMPLETE_RESULT:
      return {
        kind: 'choices',
        choices: callback.data.choices.map(({ name, name_localizations, value }) => ({
          name: resolver.resolve(name, name_localizations, String(knownFields(interaction).locale)).text,
          value,
        })),
      }
    case InteractionCallbackType.MODAL:
      return { kind: 'modal', title: callback.data.title, modal: numbered(callback.data) }
    case InteractionCallbackType.LAUNCH_ACTIVITY:
      return { kind: 'activity' }
    case InteractionCallbackType.PREMIUM_REQUIRED:
      return { kind: 'premium_required' }
    default:
      return { kind: 'nothing' }
  }
}
