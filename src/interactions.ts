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
  type ChatInputData,
  type ChatInputInteraction,
  type CommandInteraction,
  type ComponentData,
  type ComponentInteraction,
  type ComponentMessage,
  type EntryPointInteraction,
  type FilledOption,
  type Interaction,
  type InteractionAttachment,
  type InteractionChannel,
  type InteractionMember,
  type InteractionMessage,
  type InteractionRole,
  type InteractionUser,
  type MessageCommandInteraction,
  type ModalData,
  type ModalInteraction,
  type PingInteraction,
  type Resolved,
  type ResolvedChannel,
  type ResolvedMember,
  type SubcommandGroupOf,
  type SubcommandOf,
  type SubmittedComponent,
  type UserCommandInteraction,
} from './model/interaction-payload.ts'
export {
  readOptions,
  type CommandOptions,
  type FocusedValue,
  type OptionsFor,
} from './interactions/usage/option-values.ts'
export { validateCallback, validateFollowUp } from './interactions/answer/callback.ts'
export type {
  AnswerFile,
  AnswerMessage,
  AnswerModal,
  CallbackContext,
  InteractionCallback,
  MessageComponent,
  MessageEmbed,
  MessagePoll,
} from './model/answer-types.ts'
export { shownBy, type Rendered } from './interactions/answer/rendered.ts'
export type { AppMessage, InteractionMetadata } from './interactions/bot/bot-message.ts'
export { createConversations, type Conversations } from './interactions/bot/conversations.ts'
export type { AnswerEvent, LiveMessage } from './interactions/bot/kept-messages.ts'
export type { Files, StoredFile } from './interactions/bot/files.ts'
export { choose, press, submit } from './interactions/usage/component.ts'
export { ComponentError, type ComponentErrorCode } from './interactions/usage/component-error.ts'
export { type ModalValues } from './interactions/usage/component-values.ts'
export {
  pendingAnswers,
  type ExpectedAnswer,
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
export { ChatClient, type ChatClientOptions } from './interactions/client/chat-client.ts'
export type { TypingOptions, UseOptions } from './interactions/client/use-options.ts'
export { InvocationError, type InvocationErrorCode } from './interactions/client/invocation-error.ts'
export type { OptionValue, Usage, UsageOf } from './interactions/usage/usage.ts'
export type { Refusal } from './core/rules/result.ts'
export type { InteractionEvent } from './commands/registry/events.ts'
