/** The link that adds an app to a server or a user account (clause 5-04). */
import { knownOptions } from '../core/options.ts'
import { isSnowflake } from '../core/snowflake.ts'
import { describeValue, quoted } from '../core/text.ts'
import { issue, throwIfInvalid, type AuthorizationIssue } from './error.ts'
import { AUTHORIZE_URL, withQuery } from './request.ts'
import { parseScopes } from './scopes.ts'
import { readApplicationId, readIntegrationType, readString, readUrl, type ApplicationId } from './values.ts'

/** What an install link asks for. */
export interface InstallUrlOptions {
  readonly applicationId: ApplicationId
  /** `applications.commands`, `bot` or both, separated by a space. Default `applications.commands`. */
  readonly scopes?: string
  /** The permissions of the bot, as a bit set: a `bigint` or its decimal digits. Only with the scope `bot`. */
  readonly permissions?: bigint | string
  /** The server that is preselected. */
  readonly guildId?: string
  /** Whether the person cannot choose another server than `guildId`. Default false. */
  readonly disableGuildSelect?: boolean
  /** 0 to add the app to a server, 1 to the person's account. Default: the person chooses. */
  readonly integrationType?: 0 | 1
  /** The page that asks for consent. Default `https://discord.com/oauth2/authorize`. */
  readonly authorizeUrl?: string
}

const NAMES = [
  'applicationId',
  'scopes',
  'permissions',
  'guildId',
  'disableGuildSelect',
  'integrationType',
  'authorizeUrl',
] as const

/**
 * The link that adds an app with `applications.commands`: open it in a browser, or show it to a person. No code is
 * exchanged and no token is needed; the commands of the app work as soon as the person agrees.
 *
 * @throws TypeError when an option is unknown or has the wrong type
 * @throws AuthorizationError `invalid_arguments` with every problem
 */
export function installUrl(options: InstallUrlOptions): string {
  knownOptions('installUrl', options, NAMES)
  const applicationId = readApplicationId('applicationId', options.applicationId)
  const scopes = parseScopes(readString('scopes', options.scopes ?? 'applications.commands'), ['scopes'])
  const integrationType = readIntegrationType('integrationType', options.integrationType)
  const permissions = readPermissions(options.permissions)
  const { guildId, disableGuildSelect = false } = options
  const authorizeUrl = readUrl('authorizeUrl', options.authorizeUrl ?? AUTHORIZE_URL)
  if (typeof disableGuildSelect !== 'boolean') {
    const got = describeValue(disableGuildSelect)
    throw new TypeError(`disableGuildSelect: expected true or false, got ${got}`)
  }
  const issues: AuthorizationIssue[] = []
  if (applicationId === 0n)
    issues.push(issue('application_id.missing', ['applicationId'], 'is 0; pass the id of the app'))
  if (!scopes.ok) issues.push(...scopes.issues)
  else issues.push(...scopeIssues(scopes.value, permissions))
  issues.push(...permissionsIssues(permissions))
  if (guildId === undefined) {
    if (disableGuildSelect) {
      issues.push(issue('guild_id.missing', ['guildId'], 'is missing; disableGuildSelect needs a server'))
    }
  } else if (!isSnowflake(guildId)) {
    const message = `is ${describeValue(guildId)}; expected an id, as a string of digits`
    issues.push(issue('guild_id.syntax', ['guildId'], message))
  }
  throwIfInvalid(issues)

  return withQuery(authorizeUrl, [
    ['client_id', applicationId],
    ['scope', scopes.ok ? scopes.value.join(' ') : ''],
    ['permissions', permissions],
    ['guild_id', guildId],
    ['disable_guild_select', disableGuildSelect ? 'true' : undefined],
    ['integration_type', integrationType],
  ])
}

const INSTALL_SCOPES: readonly string[] = ['applications.commands', 'bot']

function scopeIssues(scopes: readonly string[], permissions: string | undefined): AuthorizationIssue[] {
  const issues: AuthorizationIssue[] = []
  for (const scope of scopes) {
    if (INSTALL_SCOPES.includes(scope)) continue
    const message = `has ${quoted(scope)}, which needs a code exchange; use authorize for it, and here only applications.commands and bot`
    issues.push(issue('scopes.install', ['scopes'], message, { scope }))
  }
  if (permissions !== undefined && !scopes.includes('bot')) {
    const message = 'has no effect without the scope bot; add the scope or leave it out'
    issues.push(issue('permissions.bot', ['permissions'], message))
  }
  return issues
}

const BITS = /^(?:0|[1-9][0-9]{0,19})$/
const BITS_END = 2n ** 64n

function permissionsIssues(permissions: string | undefined): AuthorizationIssue[] {
  if (permissions === undefined || (BITS.test(permissions) && BigInt(permissions) < BITS_END)) return []
  const message = `is ${quoted(permissions)}; expected a bit set below 2^64, as a bigint or decimal digits`
  return [issue('permissions.syntax', ['permissions'], message)]
}

function readPermissions(value: bigint | string | undefined): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  if (typeof value === 'bigint') return String(value)
  throw new TypeError(`permissions: expected a bigint or decimal digits, got ${describeValue(value)}`)
}
