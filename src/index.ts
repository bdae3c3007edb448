/** The root entry: registry, validation, localization, permissions, authorization and constants. */

export { CommandRegistry } from './registry/registry.ts'
export type { RegistryOptions } from './registry/options.ts'
export type { Picker, Viewer } from './picker/picker.ts'
export { globalScope, guildScope, type Scope } from './registry/scope.ts'
export { RegistryError, type RegistryErrorCode } from './registry/error.ts'
export { applicationDirectory, openDirectory, type ApplicationDirectory } from './registry/directory.ts'
export type { RegistryEvent } from './registry/events.ts'
export type { OverwritePlan } from './registry/changes.ts'
export type { ApplicationSnapshot } from './registry/read-snapshot.ts'
export type { ListedCommand } from './registry/view.ts'

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
  type StandardSchema,
} from './reference/standard-schema.ts'
export type { RuleCode } from './reference/catalogue.ts'
export { rules, type CatalogueRule as Rule } from './reference/rules.ts'
export { formatIssues } from './command/format-issues.ts'
export { toErrorBody, type ErrorBody } from './reference/error-body.ts'
export { Limits } from './reference/limits.ts'
export type { Issue } from './core/report.ts'
export type { Validation } from './core/validation.ts'
export type { ValidationContext } from './command/reading.ts'
export type { ApplicationSettings } from './command/application.ts'

export type {
  ApplicationCommand,
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
export { permissions } from './command/permission-bits.ts'
export { PermissionFlag } from './command/permission-flags.ts'
export {
  allChannelsId,
  everyoneId,
  PermissionTargetType,
  type CommandPermission,
  type GuildCommandPermissions,
} from './permission/entry.ts'
export { effectivePermissions } from './permission/effective.ts'
export { canUse, explainAccess } from './permission/access.ts'
export type { AccessExplanation, AccessRequest } from './permission/access.ts'
export type { GuildChannel, GuildMember, GuildRole } from './server/server.ts'
export { missingToManage } from './permission/manage.ts'
export { isLocale, Locale, localeNames, locales } from './locale/locales.ts'
export { negotiateLocale } from './locale/negotiate.ts'
export {
  LocalizationResolver,
  type LocalizedCommand,
  type ResolvedText,
} from './command/localization-resolver.ts'

export { memoryStore } from './storage/memory.ts'
export { StoreError } from './storage/store-error.ts'
export type { Entry, Store, Written } from './storage/store.ts'
export type { Clock } from './core/clock.ts'
export type { Json } from './core/json.ts'
export { snowflakes, type IdSource } from './core/snowflake.ts'

export { AuthorizationArgs } from './authorization/args.ts'
export { installUrl } from './authorization/install-url.ts'
export {
  AuthenticationCodeChallengeMethod,
  AuthorizationCodeChallenge,
  AuthorizationCodeVerifier,
} from './authorization/challenge.ts'
export { AuthorizationClient } from './authorization/client.ts'
export { AuthorizationError, type AuthorizationErrorCode } from './authorization/error.ts'
export type { AuthorizationPlatform } from './authorization/request.ts'
export { expandScopes, parseScopes } from './authorization/scopes.ts'
export { AuthorizationTokenType, type AuthorizationToken } from './authorization/token.ts'

export { defineCommand } from './command/define.ts'
export type { OptionsOf } from './interaction/usage.ts'
export { InteractionCallbackType, InteractionType } from './interaction/types.ts'
