/** OAuth scopes as one text, separated by spaces (clause 2.12-03). */
import { demandList, demandText } from '../core/rules/arguments.ts'
import type { Path } from '../core/rules/rule.ts'
import { listed, quoted } from '../core/text.ts'
import type { Validation } from '../core/rules/validation.ts'
import { issue, type AuthorizationIssue, type AuthorizationIssueCode } from './authorization-error.ts'

/** For lobbies, messages and voice; includes the presence scopes. */
export const communicationScopes = 'openid sdk.social_layer'
/** For account linking, friends and rich presence. */
export const presenceScopes = 'openid sdk.social_layer_presence'

const presence = `activities.invites.write activities.read activities.write application_identities.write
  gateway.connect identify relationships.read relationships.write`
const communication = `dm_channels.read dm_channels.messages.read dm_channels.messages.write
  guilds guilds.channels.read lobbies.write`

const expansions: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ['sdk.social_layer_presence', presence],
  ['sdk.social_layer', `${presence} ${communication}`],
  ['bot', 'bot applications.commands'],
])

/**
 * The scopes a person is asked for: sdk scopes replaced by their members, `bot` followed by the implied
 * `applications.commands`, other scopes unchanged; each once, in order of first mention.
 */
export function expandScopes(scopes: string): readonly string[] {
  demandText(scopes, 'scopes')
  return [...new Set(split(scopes).flatMap((scope) => expansions.get(scope)?.split(/\s+/) ?? scope))]
}

const MAX_NAMED = 5

/**
 * Reads a text of scopes. Extra spaces are ignored, and any name that OAuth allows is accepted: only the service
 * knows which scopes exist. Duplicates are kept.
 */
export function parseScopes(
  scopes: string,
  path: Path = [],
): Validation<readonly string[], AuthorizationIssueCode> {
  demandText(scopes, 'scopes')
  demandList(path, 'path')
  const tokens = split(scopes)
  // RFC 6749, appendix A.4.
  const bad = [...new Set(tokens.filter((token) => !/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(token)))]
  if (tokens.length === 0) {
    const message = 'is empty; name at least one scope, such as the default scopes'
    return { ok: false, issues: [issue('scopes.empty', message, {}, path)], warnings: [] }
  }
  if (bad.length === 0) return { ok: true, value: Object.freeze(tokens), warnings: [] }
  const named = bad.slice(0, MAX_NAMED)
  const more = bad.length > MAX_NAMED ? [`${bad.length - MAX_NAMED} more`] : []
  const list = listed([...named.map((token) => quoted(token)), ...more])
  const message = `has ${list}, which cannot be a scope; scopes are printable ASCII, separated by spaces`
  return { ok: false, issues: [issue('scopes.syntax', message, { scopes: named }, path)], warnings: [] }
}

function split(scopes: string): string[] {
  return scopes.split(' ').filter((token) => token !== '')
}

/** Scopes that no person grants: an app gets them for itself. */
const OF_APPS: readonly string[] = ['applications.commands.update']

/**
 * The issues of scopes that Discord refuses to ask a person for.
 *
 * @param installation 1 for the account of the person
 */
export function ungrantable(scopes: readonly string[], installation?: number): readonly AuthorizationIssue[] {
  const ofApps = scopes.filter((scope) => OF_APPS.includes(scope))
  const bot = 'has bot, which the account of a person cannot have; leave it out'
  return [
    ...ofApps.map((scope) =>
      issue(
        'scopes.client_credentials',
        `has ${quoted(scope)}, which no person can grant; ask for it at the token endpoint with grant_type=client_credentials`,
        { scope },
      ),
    ),
    ...(installation === 1 && scopes.includes('bot') ? [issue('scopes.user_install', bot)] : []),
  ]
}
