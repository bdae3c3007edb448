/** The root entry: registry, validation, localization, permissions, authorization and constants. */

export { CommandRegistry, type SetPermissionsOptions } from './registry/registry.ts'
export type { RegistryOptions } from './registry/options.ts'
export type {
  DirectViewer,
  ExplainedPicker,
  GuildViewer,
  HiddenCommand,
  Picker,
  PickerEntry,
  PickerOptions,
  PickerCommand,
  Viewer,
} from './picker/picker.ts'
export { globalScope, guildScope, type GlobalScope, type GuildScope, type Scope } from './registry/scope.ts'
export { RegistryError, type RegistryErrorCode } from './registry/error.ts'
export { applicationDirectory, openDirectory, type ApplicationDirectory } from './registry/directory.ts'
export type { CommandEvent, PermissionsEvent, RegistryEvent, RegistryListener } from './registry/events.ts'
export type { CommandUpdate, OverwritePlan } from './registry/preview.ts'
export type { ApplicationSnapshot, PermissionsSnapshot, ScopeSnapshot } from './registry/snapshot.ts'
export type { ListView, ListedChoice, ListedCommand, ListedOption } from './registry/view.ts'

export {
  validateCommand,
  validateCommands,
  validatePatch,
  validatePermissions,
} from './reference/validate.ts'
export {
  commandSchema,
  commandsSchema,
  permissionsSchema,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
} from './reference/standard-schema.ts'
export type { CommandIssue, RuleCode } from './reference/catalogue.ts'
export { rules, type CatalogueRule as Rule } from './reference/rules.ts'
export { formatIssues } from './command/format-issues.ts'
export { toErrorBody, type ErrorBody, type ErrorLeaf, type ErrorNode } from './reference/error-body.ts'
export { Limits } from './reference/limits.ts'
export type { Issue } from './core/report.ts'
export type { Limit, Path, PathStep, WireError } from './core/rule.ts'
export type { Broken } from './examples/breaking.ts'
export type { Invalid, Valid, Validation } from './core/validation.ts'
export type { ValidationContext } from './command/reading.ts'
export type { ApplicationSettings } from './command/application.ts'

export type {
  ApplicationCommand,
  ChoiceBody,
  CommandBody,
  CommandChoice,
  CommandDefinition,
  CommandOption,
  Localizations,
  OptionBody,
} from './command/definition.ts'
export { ApplicationFlag } from './command/application-flags.ts'
export {
  ChannelType,
  CommandType,
  HandlerType,
  IntegrationType,
  InteractionContext,
  OptionType,
} from './command/types.ts'
export { permissions } from './permission/bits.ts'
export { PermissionFlag } from './command/permission-flags.ts'
export {
  allChannelsId,
  everyoneId,
  PermissionTargetType,
  type CommandPermission,
  type GuildCommandPermissions,
} from './permission/entry.ts'
export { effectivePermissions, type PermissionContext } from './permission/effective.ts'
export { canUse, explainAccess } from './permission/evaluate.ts'
export type { AccessRequest, AccessTarget, MissingPermission } from './permission/access.ts'
export type {
  AccessEntry,
  AccessExplanation,
  AccessOutcome,
  AccessStep,
  AccessStepName,
} from './permission/trace.ts'
export type { ChannelOverwrite, GuildChannel, GuildMember, GuildRole, RankedRole } from './world/server.ts'
export { missingToManage, type ManagementRequest, type PermissionManager } from './permission/manage.ts'
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
} from './command/localization-resolver.ts'

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
export { installUrl, type InstallUrlOptions } from './authorization/install-url.ts'
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

export { defineCommand } from './command/define.ts'
export type { OptionsOf } from './command/usage.ts'
export { InteractionCallbackType, InteractionType } from './interaction/types.ts'
