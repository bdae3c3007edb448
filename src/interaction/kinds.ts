/** The enumerations of interactions and of the answers to them (service facts 2). */

export const InteractionType = Object.freeze({
  PING: 1,
  APPLICATION_COMMAND: 2,
  MESSAGE_COMPONENT: 3,
  APPLICATION_COMMAND_AUTOCOMPLETE: 4,
  MODAL_SUBMIT: 5,
})
export type InteractionType = (typeof InteractionType)[keyof typeof InteractionType]

export const InteractionCallbackType = Object.freeze({
  PONG: 1,
  CHANNEL_MESSAGE_WITH_SOURCE: 4,
  DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE: 5,
  DEFERRED_UPDATE_MESSAGE: 6,
  UPDATE_MESSAGE: 7,
  APPLICATION_COMMAND_AUTOCOMPLETE_RESULT: 8,
  MODAL: 9,
  /** Deprecated. */
  PREMIUM_REQUIRED: 10,
  /** Clause 6-04. */
  LAUNCH_ACTIVITY: 12,
})
export type InteractionCallbackType = (typeof InteractionCallbackType)[keyof typeof InteractionCallbackType]

/** Bits of a message's `flags` that matter to who sees an answer. */
export const MessageFlag = Object.freeze({
  /** Only the person who used the command sees the message. */
  EPHEMERAL: 1 << 6,
})
export type MessageFlag = (typeof MessageFlag)[keyof typeof MessageFlag]
