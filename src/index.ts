/** The library. Every public name, each from the file that owns it. */

export { CommandRegistry, type RegistryOptions, type SetPermissionsOptions } from './registry/registry.ts'
export type {
  DirectViewer,
  ExplainedPicker,
  GuildViewer,
  HiddenCommand,
  Picker,
  PickerEntry,
  PickerOptions,
  ShownCommand,
  Viewer,
} from './registry/picker.ts'
export { globalScope, guildScope, type GlobalScope, type GuildScope, type Scope } from './registry/scope.ts'
export { RegistryError, type RegistryErrorCode } from './registry/error.ts'
export { applicationDirectory, openDirectory, type ApplicationDirectory } from './registry/directory.ts'
export type { CommandEvent, PermissionsEvent, RegistryEvent, RegistryListener } from './registry/events.ts'
export type { CommandUpdate, OverwritePlan } from './registry/preview.ts'
export type { ApplicationSnapshot, PermissionsSnapshot, ScopeSnapshot } from './registry/snapshot.ts'
export type { ListView, LocalizedChoice, LocalizedListing, LocalizedOption } from './registry/view.ts'

export { validateCommand, validateCommands, validatePatch, validatePermissions } from './validate.ts'
export {
  commandSchema,
  commandsSchema,
  permissionsSchema,
  type JsonSchemaOptions,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
} from './schema/standard.ts'
export { rules, type CommandIssue, type RuleCode } from './catalogue.ts'
export { formatIssues } from './issues/format.ts'
export { toErrorBody, type ErrorBody, type ErrorLeaf, type ErrorNode } from './issues/error-body.ts'
export { Limits } from './limits.ts'
export type { Issue } from './core/report.ts'
export type { Broken, Limit, Path, PathStep, Rule, WireError } from './core/rule.ts'
export type { Invalid, Valid, Validation } from './core/validation.ts'
export type { ValidationContext } from './command/reading.ts'
export type { ApplicationSettings } from './command/application.ts'

export type {
  ApplicationCommand,
  CommandChoice,
  CommandDefinition,
  CommandOption,
  Localizations,
} from './command/definition.ts'
export {
  ApplicationFlag,
  ChannelType,
  CommandType,
  HandlerType,
  IntegrationType,
  InteractionContext,
  OptionType,
} from './command/kinds.ts'
export { PermissionFlag, PermissionTargetType } from './permission/kinds.ts'
export {
  allChannelsId,
  everyoneId,
  type CommandPermission,
  type GuildCommandPermissions,
} from './permission/overwrite.ts'
export { effectivePermissions, type PermissionContext } from './permission/effective.ts'
export {
  canUse,
  explainAccess,
  type AccessEntry,
  type AccessExplanation,
  type AccessOutcome,
  type AccessRequest,
  type AccessStep,
  type AccessStepName,
  type AccessTarget,
} from './permission/evaluate.ts'
export type { ChannelOverwrite, GuildChannel, GuildMember, GuildRole } from './permission/member.ts'
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
export {
  missingToManage,
  type ManagementRequest,
  type MissingPermission,
  type PermissionManager,
  type RankedRole,
} from './permission/manage.ts'
export { isLocale, Locale, localeNames, locales } from './locale/locales.ts'
export { negotiateLocale, type LocaleSources } from './locale/negotiate.ts'
export {
  LocalizationResolver,
  type LocaleCoverage,
  type LocaleFallbacks,
  type LocalizationResolverOptions,
  type LocalizedCommand,
  type MissingText,
  type ResolutionStep,
  type ResolvedText,
} from './command/localize.ts'

export { memoryStore } from './storage/memory.ts'
export { mayHaveHappened, StoreError } from './storage/store-error.ts'
export type { Entry, Store, Written } from './storage/store.ts'
export { systemClock, type Clock } from './core/clock.ts'
export {
  isSnowflake,
  snowflakes,
  snowflakeTime,
  type IdSource,
  type SnowflakeOptions,
} from './core/snowflake.ts'
export type { Json } from './core/json.ts'

export { AuthorizationArgs } from './authorization/args.ts'
export {
  AuthenticationCodeChallengeMethod,
  AuthorizationCodeChallenge,
  AuthorizationCodeVerifier,
  type RandomSource,
} from './authorization/challenge.ts'
export {
  AuthorizationClient,
  type Authorization,
  type AuthorizationClientOptions,
} from './authorization/client.ts'
export {
  AuthorizationError,
  type AuthorizationErrorCode,
  type AuthorizationIssue,
  type AuthorizationIssueCode,
  type OAuthError,
} from './authorization/error.ts'
export type { AuthorizationPlatform } from './authorization/request.ts'
export { expandScopes, parseScopes } from './authorization/scopes.ts'
export { AuthorizationTokenType, type AuthorizationToken } from './authorization/token.ts'

export {
  defineCommand,
  type ChoiceBody,
  type CommandBody,
  type OptionBody,
  type OptionsOf,
  type OptionValue,
  type Usage,
  type UsageOf,
} from './command/define.ts'
export { InteractionCallbackType, InteractionType, MessageFlag } from './interaction/kinds.ts'
export {
  createInteraction,
  createPing,
  type InteractionRequest,
  type InteractionSources,
  type UsableCommand,
} from './interaction/create.ts'
export type { Said } from './interaction/match.ts'
export type { KnownThings, MemberInput, Partly } from './interaction/things.ts'
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
  type OptionsTree,
  type PingInteraction,
  type Resolved,
  type ResolvedChannel,
  type ResolvedMember,
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
export {
  validateCallback,
  validateFollowUp,
  type AnswerMessage,
  type AnswerModal,
  type CallbackContext,
  type InteractionCallback,
} from './interaction/callback.ts'
export { shownBy, type Shown } from './interaction/shown.ts'
export { pendingAnswers, type Expected, type PendingAnswers, type Received } from './interaction/pending.ts'
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
} from './interaction/deliver.ts'
export {
  ChatClient,
  type ChatClientOptions,
  type DirectClientOptions,
  type GuildClientOptions,
  type Launched,
  type OptionValues,
  type UseOptions,
} from './client/chat-client.ts'
export { InvocationError, type InvocationErrorCode } from './client/error.ts'
export type { AppInteractionEvent, InteractionEvent, ServiceInteractionEvent } from './registry/events.ts'
