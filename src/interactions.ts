/** Using commands: interactions, chat clients, and the answers of apps. */

export {
  createInteraction,
  createPing,
  type InteractionRequest,
  type UsableCommand,
} from './interaction/create.ts'
export type { InteractionSources } from './interaction/sources.ts'
export type { CommandInput } from './interaction/match.ts'
export type { KnownObjects, MemberInput, Partly } from './interaction/complete.ts'
export {
  isAutocompleteInteraction,
  isCommandInteraction,
  isPing,
  type AnyInteraction,
  type AutocompleteData,
  type AutocompleteInteraction,
  type ChatInputData,
  type ChatInputInteraction,
  type CommandInteraction,
  type ComponentData,
  type ComponentInteraction,
  type ComponentMessage,
  type EntryPointData,
  type EntryPointInteraction,
  type FilledOption,
  type FocusedOption,
  type Interaction,
  type InteractionAttachment,
  type InteractionChannel,
  type InteractionMember,
  type InteractionMessage,
  type InteractionRole,
  type InteractionUser,
  type MessageCommandData,
  type MessageCommandInteraction,
  type ModalData,
  type ModalInteraction,
  type OptionsTree,
  type PingInteraction,
  type Resolved,
  type ResolvedChannel,
  type ResolvedMember,
  type SubmittedComponent,
  type UserCommandData,
  type UserCommandInteraction,
} from './interaction/payload.ts'
export {
  readOptions,
  type CommandOptions,
  type Focused,
  type OptionsFor,
  type TypedOptions,
} from './interaction/options.ts'
export { validateCallback, validateFollowUp } from './answer/callback.ts'
export type {
  AnswerMessage,
  AnswerModal,
  CallbackContext,
  InteractionCallback,
  MessageComponent,
  MessageEmbed,
  RenderedMessage,
} from './answer/answer-types.ts'
export { shownBy, type Rendered } from './answer/rendered.ts'
export {
  callbackResponse,
  createMessage,
  editMessage,
  MessageType,
  type AnswerFile,
  type AppMessage,
  type CallbackResponse,
  type InteractionMetadata,
  type MessageSource,
} from './answer/message.ts'
export {
  createConversations,
  type AnswerEvent,
  type Conversations,
  type ConversationsOptions,
  type MessageRefusalCode,
  type MessageRequest,
  type MessageResult,
  type WebhookPath,
} from './bot/conversations.ts'
export {
  choose,
  ComponentError,
  press,
  submit,
  type ComponentErrorCode,
  type ComponentUse,
  type ModalValues,
  type OpenModal,
} from './interaction/component.ts'
export { pendingAnswers, type Expected, type PendingAnswers, type ReceiveResult } from './bot/pending.ts'
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
export { ChatClient } from './client/chat-client.ts'
export type {
  ChatClientOptions,
  DirectClientOptions,
  GuildClientOptions,
  LaunchResult,
  OptionValues,
  UseOptions,
} from './client/client-options.ts'
export { InvocationError, type InvocationErrorCode } from './client/error.ts'
export { ButtonStyle, ComponentType, MessageFlag } from './interaction/types.ts'
export {
  explainAvailability,
  isAvailable,
  type AgeSettings,
  type Availability,
  type AvailabilityRequest,
  type CommandPlace,
  type DirectPlace,
  type GuildPlace,
  type UnavailableCode,
  type UnavailableReason,
} from './permission/availability.ts'
export type { OptionValue, Usage, UsageOf } from './command/usage.ts'
export type { AppInteractionEvent, InteractionEvent, ServiceInteractionEvent } from './registry/events.ts'
