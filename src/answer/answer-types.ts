/** The shapes and time limits of answers (service facts 7.3). */
import type { ApplicationSettings } from '../command/application.ts'
import type { CommandChoice } from '../command/definition.ts'
import type { InteractionCallbackType } from '../interaction/types.ts'

/** The time limit of the first answer, in milliseconds. */
export const ANSWER_WITHIN = 3_000
/** The validity of the token of an interaction, in milliseconds. */
export const TOKEN_VALID = 900_000
/** The deepest nesting of lists and objects in an answer. */
export const DEPTH_MAX = 100

/** A message of an app. Unknown fields are kept. */
export interface AnswerMessage {
  /** The text. At most 2000 characters. */
  readonly content?: string | null
  /** The embeds. At most 10. */
  readonly embeds?: readonly object[] | null
  /** The components. */
  readonly components?: readonly object[] | null
  /** The bits of the message; see `MessageFlag`. */
  readonly flags?: number
  readonly [field: string]: unknown
}

/** A modal of an app. Unknown fields are kept. */
export interface AnswerModal {
  /** The custom_id of the modal. */
  readonly custom_id: string
  /** The title of the modal. */
  readonly title: string
  /** The components of the modal. */
  readonly components: readonly object[]
  readonly [field: string]: unknown
}

type Type = typeof InteractionCallbackType

/** An answer to an interaction. */
export type InteractionCallback =
  | {
      /** PONG, the answer to a PING. */
      readonly type: Type['PONG']
    }
  | {
      /** A message, or new content of the message whose component was used. */
      readonly type: Type['CHANNEL_MESSAGE_WITH_SOURCE'] | Type['UPDATE_MESSAGE']
      /** The message. */
      readonly data: AnswerMessage
    }
  | {
      /** A message that follows later. */
      readonly type: Type['DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE']
      /** Flags of the message that follows: `64` shows it only to the user. */
      readonly data?: { readonly flags?: number } | null
    }
  | {
      /** A change of the message that follows later. */
      readonly type: Type['DEFERRED_UPDATE_MESSAGE']
    }
  | {
      /** Suggestions for the option that the user is typing. */
      readonly type: Type['APPLICATION_COMMAND_AUTOCOMPLETE_RESULT']
      /** The suggestions. */
      readonly data: { readonly choices: readonly CommandChoice[] }
    }
  | {
      /** A modal. */
      readonly type: Type['MODAL']
      /** The modal. */
      readonly data: AnswerModal
    }
  | {
      /** The deprecated request for a subscription. */
      readonly type: Type['PREMIUM_REQUIRED']
    }
  | {
      /** A launch of the app's Activity. */
      readonly type: Type['LAUNCH_ACTIVITY']
    }

/** The circumstances of an answer. */
export interface CallbackContext {
  /** The arrival of the answer, in milliseconds since 1970. Absent: in time. */
  readonly now?: number
  /** The settings of the app. Default: an app without restrictions. */
  readonly application?: ApplicationSettings
}
