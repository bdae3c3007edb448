/** The shapes and time limits of answers. */
import type { ApplicationSettings } from './application.ts'
import type { CommandChoice } from './command-definition.ts'
import type { InteractionCallbackType } from './interaction-types.ts'

export { ANSWER_TIMEOUT } from '../core/deadlines.ts'
/** The validity of the token of an interaction, in milliseconds. */
export const TOKEN_VALID = 900_000

/** A message of an app. Unknown fields are kept. */
export interface AnswerMessage {
  /** At most 2000 characters. Default: none. */
  readonly content?: string | null
  /** At most 10. Default: none. */
  readonly embeds?: readonly object[] | null
  /** Default: none. */
  readonly components?: readonly object[] | null
  /** The bits of the message; see `MessageFlag`. Default 0. */
  readonly flags?: number
  readonly [field: string]: unknown
}

/** An embed of a message; absent parts are not shown. */
export interface MessageEmbed {
  /** `'rich'`. */
  readonly type?: string
  /** At the top. */
  readonly title?: string
  /** The text. */
  readonly description?: string
  /** The address that the title links to. */
  readonly url?: string
  /** ISO 8601. */
  readonly timestamp?: string
  /** The color of the bar: red, green and blue, eight bits each. */
  readonly color?: number
  /** The line above the title. */
  readonly author?: { readonly name: string; readonly url?: string; readonly icon_url?: string }
  /** In rows; `inline` ones share a row. */
  readonly fields?: readonly { readonly name: string; readonly value: string; readonly inline?: boolean }[]
  /** The large picture. */
  readonly image?: { readonly url: string }
  /** The small picture. */
  readonly thumbnail?: { readonly url: string }
  /** The last line. */
  readonly footer?: { readonly text: string; readonly icon_url?: string }
}

/** A component of a message; which fields it has depends on its type. */
export interface MessageComponent {
  /** See `ComponentType`. */
  readonly type: number
  /** Of a button or a select menu. */
  readonly custom_id?: string
  /** The text on a button. */
  readonly label?: string
  /** See `ButtonStyle`. */
  readonly style?: number
  /** The address of a link button. */
  readonly url?: string
  /** Whether it cannot be used. Default false. */
  readonly disabled?: boolean
  /** The text of a select menu without a value. */
  readonly placeholder?: string
  /** The entries of a select menu. */
  readonly options?: readonly {
    readonly label: string
    readonly value: string
    readonly description?: string
    readonly default?: boolean
  }[]
  /** The text of a text display. */
  readonly content?: string
  /** Inside a row, a section or a container. */
  readonly components?: readonly MessageComponent[]
  /** Beside the text of a section. */
  readonly accessory?: MessageComponent
}

/** The poll of a message. */
export interface MessagePoll {
  readonly question: { readonly text: string }
  readonly answers: readonly {
    /** From 1. */
    readonly answer_id: number
    readonly poll_media: {
      readonly text?: string
      readonly emoji?: { readonly id?: string | null; readonly name?: string | null }
    }
  }[]
  /** Whether a person may vote for several answers. */
  readonly allow_multiselect: boolean
  readonly layout_type: number
  /** When it ends, as ISO 8601. */
  readonly expiry: string
  readonly results: {
    /** Whether it has ended. */
    readonly is_finalized: boolean
    /** The answers with votes. */
    readonly answer_counts: readonly {
      readonly id: number
      readonly count: number
      readonly me_voted: boolean
    }[]
  }
}

/** A valid message of an app, as a person sees it. */
export interface RenderedMessage extends AnswerMessage {
  /** Default: none. */
  readonly embeds?: readonly MessageEmbed[] | null
  /** Default: none. */
  readonly components?: readonly MessageComponent[] | null
}

/** A modal of an app. Unknown fields are kept. */
export interface AnswerModal {
  readonly custom_id: string
  readonly title: string
  readonly components: readonly object[]
  readonly [field: string]: unknown
}

type Type = typeof InteractionCallbackType

/** An answer to an interaction. */
export type InteractionCallback =
  | { readonly type: Type['PONG'] | Type['PREMIUM_REQUIRED'] | Type['LAUNCH_ACTIVITY'] }
  /** A message, or new content of the message whose component was used. */
  | {
      readonly type: Type['CHANNEL_MESSAGE_WITH_SOURCE'] | Type['UPDATE_MESSAGE']
      readonly data: AnswerMessage
    }
  /** A message that follows later. */
  | {
      readonly type: Type['DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE']
      /** The flags of the message: `64` shows it only to the user. Default: none. */
      readonly data?: { readonly flags?: number } | null
    }
  /** A change of the message that follows later. */
  | { readonly type: Type['DEFERRED_UPDATE_MESSAGE'] }
  /** Suggestions for the option that the user is typing. */
  | {
      readonly type: Type['APPLICATION_COMMAND_AUTOCOMPLETE_RESULT']
      readonly data: { readonly choices: readonly CommandChoice[] }
    }
  | { readonly type: Type['MODAL']; readonly data: AnswerModal }

/** The circumstances of an answer. */
export interface CallbackContext {
  /** The arrival of the answer, in milliseconds since 1970. Absent: in time. */
  readonly now?: number
  /** The settings of the app. Default: an app without restrictions. */
  readonly application?: ApplicationSettings
  /** The files beside the answer, by the number in `files[n]`. Absent: those that its `attachments` name. */
  readonly files?: readonly { readonly key: string; readonly filename?: string }[]
  /** Whether the app may use a custom emoji here, by its id. Absent: any emoji is taken. */
  readonly hasEmoji?: (id: string) => boolean
}

/** A file that came with an answer. */
export interface AnswerFile {
  /** The number in `files[n]`, by which `attachments` of the body refers to it. */
  readonly key: string
  readonly filename: string
  /** Bytes. */
  readonly size: number
  /** Default: unknown. */
  readonly content_type?: string
  /** Its content. Absent where only the other fields are known. */
  readonly bytes?: Uint8Array
}
