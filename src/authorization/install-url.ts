/** The link that adds an app to a server or a user account (clause 5-04). */
import { aFlag, argument, aString, optionsOf } from '../core/rules/arguments.ts'
import { nullable, optional } from '../core/rules/readers.ts'
import { isSnowflake } from '../core/snowflake.ts'
import { describeValue, quoted } from '../core/text.ts'
import { issue, throwIfInvalid, type AuthorizationIssue } from './authorization-error.ts'
import { AUTHORIZE_URL, withQuery } from './request.ts'
import { parseScopes, ungrantable } from './scopes.ts'
import { anApplicationId, anInstallation, aUrl, isUnsigned64, type ApplicationId } from './argument-values.ts'

/** What an install link asks for. */
export interface InstallUrlOptions {
  readonly applicationId: ApplicationId
  /**
   * `applications.commands`, `bot` or both, separated by a space. Default `applications.commands`; null: what the app's
   * install settings on Discord say, in a link with its id alone.
   */
  readonly scopes?: string | null
  /** The permissions of the bot, as a bit set: a `bigint` or its decimal digits. Only with the scope `bot`. */
  readonly permissions?: bigint | string
  /** The server that is preselected. Not with `integrationType: 1`. */
  readonly guildId?: string
  /** Whether the person cannot choose another server than `guildId`. Default false. */
  readonly disableGuildSelect?: boolean
  /** 0 to add the app to a server, 1 to the person's account, which has no bot. Default: the person chooses. */
  readonly integrationType?: 0 | 1
  /** The page that asks for consent. Default `https://discord.com/oauth2/authorize`. */
  readonly authorizeUrl?: string
}

const checkedOptions = /* @__PURE__ */ optionsOf<InstallUrlOptions>('installUrl', {
  applicationId: anApplicationId,
  scopes: optional((report, value) => (value === null ? null : aString(report, value))),
  integrationType: nullable(anInstallation),
  permissions: optional(
    argument('a bigint or decimal digits', (value) => typeof value === 'string' || typeof value === 'bigint'),
  ),
  authorizeUrl: nullable(aUrl),
  disableGuildSelect: optional(aFlag),
  // An invalid id is an issue, like every other problem of the link.
  guildId: optional((_, value) => value),
})

/**
 * The link that adds an app with `applications.commands`: open it in a browser, or show it to a person. No code is
 * exchanged and no token is needed; the commands of the app work as soon as the person agrees.
 *
 * @throws TypeError when an option is unknown or has the wrong type
 * @throws AuthorizationError `invalid_arguments` with every problem
 */
export function installUrl(options: InstallUrlOptions): string {
  const {
    guildId,
    disableGuildSelect = false,
    permissions,
    integrationType,
    ...given
  } = checkedOptions(options)
  const { scopes: scopeText = 'applications.commands', authorizeUrl = AUTHORIZE_URL } = given
  const applicationId = BigInt(given.applicationId)
  const parsed = scopeText === null ? NO_SCOPES : parseScopes(scopeText, ['scopes'])
  const scopes = parsed.ok ? parsed.value : []
  const isOfUser = integrationType === 1
  throwIfInvalid([
    applicationId === 0n && issue('application_id.missing', 'is 0; pass the id of the app'),
    ...(parsed.ok ? ungrantable(scopes, integrationType) : parsed.issues),
    ...scopes.map(scopeIssue),
    isOfUser &&
      permissions !== undefined &&
      issue('permissions.user_install', 'are those of a bot, which the account of a person cannot have'),
    isOfUser &&
      guildId !== undefined &&
      issue('guild_id.user_install', 'is a server; the app is added to the account of a person'),
    parsed.ok &&
      !isOfUser &&
      permissions !== undefined &&
      !scopes.includes('bot') &&
      issue('permissions.bot', 'has no effect without the scope bot; add the scope or leave it out'),
    permissions !== undefined &&
      !isUnsigned64(permissions) &&
      issue(
        'permissions.syntax',
        `is ${quoted(String(permissions))}; expected a bit set below 2^64, as a bigint or decimal digits`,
      ),
    guildId === undefined &&
      disableGuildSelect &&
      issue('guild_id.missing', 'is missing; disableGuildSelect needs a server'),
    guildId !== undefined &&
      !isSnowflake(guildId) &&
      issue('guild_id.syntax', `is ${describeValue(guildId)}; expected an id, as a string of digits`),
  ])
  return withQuery(authorizeUrl, [
    ['client_id', applicationId],
    ['scope', scopeText === null ? undefined : scopes.join(' ')],
    ['permissions', permissions],
    ['guild_id', guildId],
    ['disable_guild_select', disableGuildSelect ? 'true' : undefined],
    ['integration_type', integrationType],
  ])
}

/** What an app's install settings on Discord say. */
const NO_SCOPES = { ok: true, value: [] } as const

function scopeIssue(scope: string): AuthorizationIssue | false {
  if (['applications.commands', 'bot'].includes(scope) || ungrantable([scope]).length > 0) return false
  const message = `has ${quoted(scope)}, which needs a code exchange; use authorize for it, and here only applications.commands and bot`
  return issue('scopes.install', message, { scope })
}
