/** Using commands: interactions, chat clients, and the answers of apps. */

export {
  createInteraction,
  createPing,
  type InteractionRequest,
  type UsableCommand,
} from './interactions/usage/create.ts'
export type { AttachedFile, KnownObjects } from './interactions/usage/complete.ts'
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
} from './model/interaction-payload.ts'
export { readOptions, type CommandOptions, type OptionsFor } from './interactions/usage/option-values.ts'
export { validateCallback, validateFollowUp } from './interactions/answer/callback.ts'
export type {
  AnswerFile,
  AnswerMessage,
  AnswerModal,
  CallbackContext,
  InteractionCallback,
  MessageComponent,
  MessageEmbed,
} from './model/answer-types.ts'
export { shownBy, type Rendered } from './interactions/answer/rendered.ts'
export { MessageType, type AppMessage } from './interactions/bot/bot-message.ts'
export {
  createConversations,
  type AnswerEvent,
  type Conversations,
} from './interactions/bot/conversations.ts'
export {
  choose,
  ComponentError,
  press,
  submit,
  type ComponentErrorCode,
  type ModalValues,
} from './interactions/usage/component.ts'
export {
  pendingAnswers,
  type PendingAnswers,
  type ReceiveResult,
  type SharedAnswers,
} from './interactions/bot/pending.ts'
export { sharedAnswers } from './interactions/bot/shared-answers.ts'
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
} from './interactions/bot/endpoint.ts'
export { ChatClient, type ChatClientOptions, type UseOptions } from './interactions/client/chat-client.ts'
export { InvocationError, type InvocationErrorCode } from './interactions/client/invocation-error.ts'
export { ButtonStyle, ComponentType, MessageFlag } from './model/interaction-types.ts'
export {
  explainAvailability,
  type Availability,
  type AvailabilityRequest,
} from './commands/access/availability.ts'
export type { OptionValue, Usage, UsageOf } from './interactions/usage/usage.ts'
export type { InteractionEvent } from './commands/registry/events.ts'
