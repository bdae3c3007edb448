/** Using commands: interactions, chat clients, and the answers of apps. */

export {
  createInteraction,
  createPing,
  type InteractionRequest,
  type UsableCommand,
} from './interaction/create.ts'
export type { AttachedFile, KnownObjects } from './interaction/complete.ts'
export {
  isAutocompleteInteraction,
  isCommandInteraction,
  isPing,
  type AnyInteraction,
  type AutocompleteInteraction,
  type ChatInputInteraction,
  type CommandInteraction,
  type ComponentInteraction,
  type EntryPointInteraction,
  type FilledOption,
  type Interaction,
  type InteractionMember,
  type InteractionMessage,
  type InteractionUser,
  type MessageCommandInteraction,
  type ModalInteraction,
  type PingInteraction,
  type Resolved,
  type UserCommandInteraction,
} from './interaction/payload.ts'
export { readOptions, type CommandOptions, type OptionsFor } from './interaction/options.ts'
export { validateCallback, validateFollowUp } from './answer/callback.ts'
export type {
  AnswerFile,
  AnswerMessage,
  AnswerModal,
  CallbackContext,
  InteractionCallback,
  MessageComponent,
  MessageEmbed,
} from './answer/answer-types.ts'
export { shownBy, type Rendered } from './answer/rendered.ts'
export { MessageType, type AppMessage } from './bot/message.ts'
export { createConversations, type AnswerEvent, type Conversations } from './bot/conversations.ts'
export {
  choose,
  ComponentError,
  press,
  submit,
  type ComponentErrorCode,
  type ModalValues,
} from './interaction/component.ts'
export { pendingAnswers, type PendingAnswers, type ReceiveResult } from './bot/pending.ts'
export {
  checkEndpoint,
  createEndpointKeys,
  deliver,
  type Delivery,
  type DeliverOptions,
  type DeliveryFailure,
  type Endpoint,
  type EndpointKeys,
  type HandshakeProblem,
} from './bot/endpoint.ts'
export { ChatClient, type ChatClientOptions, type UseOptions } from './client/chat-client.ts'
export { InvocationError, type InvocationErrorCode } from './client/error.ts'
export { ButtonStyle, ComponentType, MessageFlag } from './interaction/types.ts'
export {
  explainAvailability,
  type Availability,
  type AvailabilityRequest,
} from './permission/availability.ts'
export type { OptionValue, Usage, UsageOf } from './interaction/usage.ts'
export type { InteractionEvent } from './registry/events.ts'
