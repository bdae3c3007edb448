/** The enumerations of interactions and of the answers to them. */

/** The types of interactions. */
export const InteractionType = Object.freeze({
  PING: 1,
  APPLICATION_COMMAND: 2,
  MESSAGE_COMPONENT: 3,
  APPLICATION_COMMAND_AUTOCOMPLETE: 4,
  MODAL_SUBMIT: 5,
})
export type InteractionType = (typeof InteractionType)[keyof typeof InteractionType]

/** The types of answers. */
export const InteractionCallbackType = Object.freeze({
  PONG: 1,
  CHANNEL_MESSAGE_WITH_SOURCE: 4,
  /** Shows that the app is thinking; a message follows. */
  DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE: 5,
  /** Acknowledges a component; an update of its message may follow. */
  DEFERRED_UPDATE_MESSAGE: 6,
  /** Updates the message of a component. */
  UPDATE_MESSAGE: 7,
  APPLICATION_COMMAND_AUTOCOMPLETE_RESULT: 8,
  MODAL: 9,
  /** Deprecated; send a message with a premium button. */
  PREMIUM_REQUIRED: 10,
  /** Launches the Activity of the app (clause 6-04). */
  LAUNCH_ACTIVITY: 12,
})
export type InteractionCallbackType = (typeof InteractionCallbackType)[keyof typeof InteractionCallbackType]

/** Bits of a message's `flags` that an answer can have. */
export const MessageFlag = Object.freeze({
  SUPPRESS_EMBEDS: 1 << 2,
  /** Only the user of the command sees the message. */
  EPHEMERAL: 1 << 6,
  /** The answer is deferred: the message has no content yet. */
  LOADING: 1 << 7,
  /** The message sends no notification. */
  SUPPRESS_NOTIFICATIONS: 1 << 12,
  IS_VOICE_MESSAGE: 1 << 13,
  /** The message has components alone, of any type. An edit can set the flag and never removes it. */
  IS_COMPONENTS_V2: 1 << 15,
})
export type MessageFlag = (typeof MessageFlag)[keyof typeof MessageFlag]

export function hasFlag(flags: number | undefined, flag: MessageFlag): boolean {
  return ((flags ?? 0) & flag) !== 0
}

/** Whether only the person who used the command sees a message. */
export function isEphemeral({ flags }: { readonly flags?: number }): boolean {
  return hasFlag(flags, MessageFlag.EPHEMERAL)
}

/** The types of components in messages and modals. */
export const ComponentType = Object.freeze({
  /** A row of buttons, or of one select menu or text input. */
  ACTION_ROW: 1,
  BUTTON: 2,
  /** A select menu with options of its own. */
  STRING_SELECT: 3,
  TEXT_INPUT: 4,
  USER_SELECT: 5,
  ROLE_SELECT: 6,
  MENTIONABLE_SELECT: 7,
  CHANNEL_SELECT: 8,
  /** Text beside an accessory. */
  SECTION: 9,
  /** Text in Markdown. */
  TEXT_DISPLAY: 10,
  THUMBNAIL: 11,
  MEDIA_GALLERY: 12,
  FILE: 13,
  SEPARATOR: 14,
  /** A box around components. */
  CONTAINER: 17,
  /** With one input, in modals. */
  LABEL: 18,
  FILE_UPLOAD: 19,
  RADIO_GROUP: 21,
  CHECKBOX_GROUP: 22,
  CHECKBOX: 23,
})
export type ComponentType = (typeof ComponentType)[keyof typeof ComponentType]

/** The styles of buttons. */
export const ButtonStyle = Object.freeze({
  PRIMARY: 1,
  SECONDARY: 2,
  SUCCESS: 3,
  DANGER: 4,
  /** Opens an address; sends nothing to the app. */
  LINK: 5,
  /** Opens a purchase; sends nothing to the app. */
  PREMIUM: 6,
})
export type ButtonStyle = (typeof ButtonStyle)[keyof typeof ButtonStyle]

/** The types of the messages of answers. */
export const MessageType = Object.freeze({
  /** A follow-up, or the answer to a component or a modal. */
  REPLY: 19,
  /** The answer to a slash command or an entry point. */
  CHAT_INPUT_COMMAND: 20,
  /** The answer to a user or message command. */
  CONTEXT_MENU_COMMAND: 23,
})
export type MessageType = (typeof MessageType)[keyof typeof MessageType]
