/** The root entry: registry, validation, localization, permissions, authorization and constants. */

export { CommandRegistry } from './commands/registry/registry.ts'
export type { RegistryOptions } from './commands/registry/registry-options.ts'
export type {
  ExplainedPicker,
  HiddenCommand,
  Picker,
  PickerEntry,
  PickerSource,
  Viewer,
} from './commands/access/picker.ts'
export {
  globalScope,
  guildScope,
  type GlobalScope,
  type GuildScope,
  type Scope,
} from './commands/registry/scope.ts'
export {
  RegistryError,
  type RegistryErrorCode,
  type RegistryRuleCode,
} from './commands/registry/registry-error.ts'
export {
  applicationDirectory,
  openDirectory,
  type ApplicationDirectory,
} from './commands/registry/directory.ts'
export type { ChangeAuthor, RegistryEvent } from './commands/registry/events.ts'
export { followChanges, type StoreChange } from './commands/registry/follow-changes.ts'
export type { CallOptions, WriteOptions } from './commands/registry/call-options.ts'
export type { CommandUpdate, OverwritePlan } from './commands/registry/changes.ts'
export type {
  ApplicationSnapshot,
  PermissionsSnapshot,
  ScopeSnapshot,
} from './commands/registry/read-snapshot.ts'
export type { ListedCommand } from './commands/registry/list-view.ts'

export { validateCommand, validateCommands, validatePatch, validatePermissions } from './commands/validate.ts'
export { formatIssues } from './commands/definition/format-issues.ts'
export type { Issue } from './core/rules/report.ts'
export type { Path } from './core/rules/rule.ts'
export type { Validation } from './core/rules/validation.ts'
export type { ValidationContext } from './commands/definition/rules/reading.ts'
export type { ApplicationSettings } from './model/application.ts'

export type {
  ApplicationCommand,
  ChoiceBody,
  CommandBody,
  CommandChoice,
  CommandDefinition,
  CommandOption,
  Localizations,
  OptionBody,
} from './model/command-definition.ts'
export { ApplicationFlag } from './model/application-flags.ts'
export {
  ChannelType,
  CommandType,
  HandlerType,
  IntegrationType,
  InteractionContext,
  OptionType,
} from './model/command-types.ts'
export { permissions } from './model/permission-bits.ts'
export { PermissionFlag } from './model/permission-flags.ts'
export {
  allChannelsId,
  everyoneId,
  PermissionTargetType,
  type CommandPermission,
  type GuildCommandPermissions,
  type MissingPermission,
} from './model/permission-entry.ts'
export { effectivePermissions } from './commands/access/effective-permissions.ts'
export { canUse, explainAccess } from './commands/access/access.ts'
export type { AccessExplanation, AccessRequest, AccessStep } from './commands/access/access.ts'
export {
  explainAvailability,
  type Availability,
  type AvailabilityRequest,
  type UnavailableReason,
} from './commands/access/availability.ts'
export type { GuildChannel, GuildMember, GuildRole } from './model/server.ts'
export { missingToManage } from './commands/access/manage.ts'
export { isLocale, Locale, localeNames, locales } from './model/locales.ts'
export { negotiateLocale } from './model/negotiate-locale.ts'
export {
  LocalizationResolver,
  type LocaleCoverage,
  type LocalizedCommand,
  type LocalizedOption,
  type ResolutionStep,
  type ResolvedText,
} from './commands/definition/localization-resolver.ts'

export { memoryStore } from './storage/memory.ts'
export { StoreError } from './storage/store-error.ts'
export type { Announcements, Entry, Store, Written as Written } from './storage/store.ts'
export type { Clock } from './core/clock.ts'
export type { Json } from './core/json.ts'
export type { Subscription } from './core/emitter.ts'
export type { IdSource } from './model/id-source.ts'
export { snowflakes } from './model/snowflakes.ts'

export { AuthorizationArgs } from './authorization/args.ts'
export { installUrl } from './authorization/install-url.ts'
export {
  AuthenticationCodeChallengeMethod,
  AuthorizationCodeChallenge,
  AuthorizationCodeVerifier,
} from './authorization/challenge.ts'
export { AuthorizationClient, type Authorization } from './authorization/client.ts'
export {
  AuthorizationError,
  type AuthorizationErrorCode,
  type AuthorizationIssue,
  type OAuthError,
} from './authorization/authorization-error.ts'
export type { AuthorizationPlatform } from './authorization/request.ts'
export { expandScopes, parseScopes } from './authorization/scopes.ts'
export { AuthorizationTokenType, type AuthorizationToken } from './authorization/token.ts'

export { defineCommand } from './commands/definition/define.ts'
export type { OptionsOf } from './interactions/usage/usage.ts'
export {
  ButtonStyle,
  ComponentType,
  InteractionCallbackType,
  InteractionType,
  MessageFlag,
  MessageType,
} from './model/interaction-types.ts'
