/** Who is asking, and what they may do (clauses 5-01 to 5-03). */
import { isObject } from '../core/json.ts'
import { isSnowflake } from '../core/snowflake.ts'
import { described } from '../core/text.ts'
import { permissionBits } from '../permission/bits.ts'
import { PermissionFlag } from '../permission/kinds.ts'
import { missingToManageGuild, type PermissionManager } from '../permission/manage.ts'

/** What a request carries in its `Authorization` header. */
export interface Credentials {
  readonly type: 'Bot' | 'Bearer'
  readonly token: string
}

/** What the path of a request is about, for an `authenticate` that decides by it. Null where it names none. */
export interface Place {
  readonly applicationId: string | null
  readonly guildId: string | null
}

/** Whom a token stands for. */
export type Principal = BotPrincipal | BearerPrincipal

/** An application's bot. It may do everything with the application's commands, and nothing to permissions. */
export interface BotPrincipal {
  readonly type: 'Bot'
  readonly applicationId: string
}

/** What an application was granted: by itself, with client credentials, or by a user. */
export interface BearerPrincipal {
  readonly type: 'Bearer'
  /** The application the token was issued to. */
  readonly applicationId: string
  readonly scopes: readonly string[]
  /** The user who granted the token; absent for client credentials. */
  readonly user?: BearerUser
}

export interface BearerUser {
  readonly id: string
  /** The locale of the user's settings. */
  readonly locale?: string
  /** What the user may do, by guild: the decimal bits of all that the user's roles allow there. */
  readonly guilds?: Readonly<Record<string, { readonly permissions: string }>>
}

/** The host's answer to credentials: a principal, or nothing for a token nobody knows. */
export type Authenticate = (
  credentials: Credentials,
  place: Place,
) => Principal | undefined | Promise<Principal | undefined>

/** What an endpoint asks of its caller; a row of `grants`. */
export type Grant = 'anyone' | 'self' | 'commands' | 'read_permissions' | 'edit_permissions'

interface Requirement {
  /** Whether a bot may, without any scope. */
  readonly bots: boolean
  /** The scope that a bearer token needs. */
  readonly scope: string | null
  /** Whether the bearer token's user has to be one who may change permissions in the guild (clause 5-02). */
  readonly manager: boolean
}

const { ADMINISTRATOR } = PermissionFlag

/** Reading commands needs the same scope as writing them (service facts 4.1). */
export const grants: { readonly [Key in Exclude<Grant, 'anyone'>]: Requirement } = {
  self: { bots: true, scope: null, manager: false },
  commands: { bots: true, scope: 'applications.commands.update', manager: false },
  read_permissions: { bots: true, scope: 'applications.commands.permissions.update', manager: false },
  edit_permissions: {
    bots: false,
    scope: 'applications.commands.permissions.update',
    manager: true,
  },
}

/** Every scope an endpoint asks for. */
export const scopes: readonly string[] = [
  ...new Set(Object.values(grants).flatMap(({ scope }) => (scope === null ? [] : [scope]))),
]

/** Why somebody who is known may not do a thing. */
export type Denial = 'other_application' | 'bots_not_allowed' | 'missing_scope' | 'missing_permissions'

/** Why a principal may not use an endpoint, the first reason of them; null when it may. */
export function denial(
  principal: Principal,
  grant: Exclude<Grant, 'anyone'>,
  { applicationId, guildId }: Place,
): Denial | null {
  const { bots, scope, manager } = grants[grant]
  if (applicationId !== null && applicationId !== principal.applicationId) return 'other_application'
  if (principal.type === 'Bot') return bots ? null : 'bots_not_allowed'
  if (scope !== null && !principal.scopes.includes(scope)) return 'missing_scope'
  if (manager && !mayManage(managerOf(principal, guildId))) return 'missing_permissions'
  return null
}

function mayManage(manager: PermissionManager | undefined): boolean {
  const permissions = manager?.member.permissions
  return permissions !== undefined && missingToManageGuild(permissions).length === 0
}

/** The user of a token as somebody who changes permissions in a guild; `undefined` when it is not known there. */
export function managerOf(principal: Principal, guildId: string | null): PermissionManager | undefined {
  if (principal.type === 'Bot' || guildId === null) return undefined
  const { user } = principal
  if (user?.guilds === undefined || !Object.hasOwn(user.guilds, guildId)) return undefined
  const { permissions } = user.guilds[guildId]!
  return { member: { user: { id: user.id }, permissions } }
}

/** The credentials of an `Authorization` header, or `undefined` when it holds none. */
export function readCredentials(header: string | null): Credentials | undefined {
  const space = header === null ? -1 : header.indexOf(' ')
  if (space < 0) return undefined
  const type = schemes.get(header!.slice(0, space).toLowerCase())
  const token = header!.slice(space + 1).trim()
  return type === undefined || token === '' ? undefined : { type, token }
}

const schemes: ReadonlyMap<string, Credentials['type']> = new Map([
  ['bot', 'Bot'],
  ['bearer', 'Bearer'],
])

// --- The ready implementations --------------------------------------------------------------------------------

/** A token and whom it stands for. `application_id`, as the configuration file writes it, is taken too. */
export type TokenEntry = BotToken | BearerToken

interface OfApplication {
  readonly token: string
  readonly applicationId?: string
  readonly application_id?: string
}

export interface BotToken extends OfApplication {
  readonly type: 'Bot'
}

export interface BearerToken extends OfApplication {
  readonly type: 'Bearer'
  /** Default: none. */
  readonly scopes?: readonly string[]
  readonly user?: BearerUser
}

/**
 * An `authenticate` that knows the tokens of a list. A token is compared with every entry, to the end, whatever
 * was found before: the time it takes tells nothing about the tokens (clause 5-03).
 *
 * @throws TypeError when an entry is not as it should be; the message never holds a token
 */
export function tokenDirectory(entries: readonly TokenEntry[]): Authenticate {
  const known = entries.map(readEntry)
  return ({ type, token }) => {
    let found: Principal | undefined
    if (token.length > LONGEST_TOKEN) return found
    for (const entry of known) {
      const same = sameText(entry.token, token)
      if (same && entry.principal.type === type) found = entry.principal
    }
    return found
  }
}

// Real ones have a tenth of this. What is longer is not compared, so that nobody can make it take long.
const LONGEST_TOKEN = 1_024

/** Whether two texts are equal, in a time that depends on the length of the second alone. */
function sameText(secret: string, given: string): boolean {
  let difference = secret.length ^ given.length
  for (let i = 0; i < given.length; i++) {
    difference |= secret.charCodeAt(i % secret.length) ^ given.charCodeAt(i)
  }
  return difference === 0
}

/** What a token is, for messages. */
export const TOKEN_SHAPE = `a text of 1 to ${LONGEST_TOKEN} visible ASCII characters`

/** Whether a text can be sent as a token. */
export function isToken(text: string): boolean {
  return text.length <= LONGEST_TOKEN && /^[!-~]+$/.test(text)
}

function readEntry(entry: TokenEntry, index: number): { token: string; principal: Principal } {
  const at = `tokens[${index}]`
  const { token, type } = entry
  // What stands in a place of a token may be a token, so it is never told.
  if (typeof token !== 'string' || !isToken(token)) {
    throw new TypeError(`${at}.token: expected ${TOKEN_SHAPE}`)
  }
  const applicationId = entry.applicationId ?? entry.application_id
  if (!isSnowflake(applicationId)) {
    throw new TypeError(`${at}.applicationId: expected a snowflake, got ${described(applicationId)}`)
  }
  if (type === 'Bot') return { token, principal: Object.freeze({ type, applicationId }) }
  if (type !== 'Bearer') throw new TypeError(`${at}.type: expected "Bot" or "Bearer"`)
  const { scopes = [], user } = entry
  if (!Array.isArray(scopes)) throw new TypeError(`${at}.scopes: expected a list, got ${described(scopes)}`)
  if (user !== undefined) checkUser(user, `${at}.user`)
  const granted = { type, applicationId, scopes: Object.freeze([...scopes]) }
  return { token, principal: Object.freeze(user === undefined ? granted : { ...granted, user }) }
}

function checkUser({ id, guilds = {} }: BearerUser, at: string): void {
  if (!isSnowflake(id)) throw new TypeError(`${at}.id: expected a snowflake, got ${described(id)}`)
  for (const [guildId, guild] of Object.entries(guilds)) {
    const label = `${at}.guilds.${guildId}.permissions`
    permissionBits(isObject(guild) ? (guild.permissions as string) : '', label)
  }
}

/** The application of a token that names none, where a path names none either. */
export const NAMELESS_APPLICATION = '1000000000000000000'

const NOBODY = '1000000000000000001'

/**
 * An `authenticate` that refuses nobody: any token acts for the application in the path, with every scope, and a
 * bearer token for a user who may do everything in the guild in the path. For tests on one machine.
 */
export function openAccess(): Authenticate {
  return ({ type, token }, place) => {
    const applicationId = place.applicationId ?? applicationOf(token) ?? NAMELESS_APPLICATION
    if (type === 'Bot') return { type, applicationId }
    const guilds = place.guildId === null ? {} : { [place.guildId]: { permissions: String(ADMINISTRATOR) } }
    return { type, applicationId, scopes, user: { id: NOBODY, guilds } }
  }
}

/** Bot tokens begin with the bot's id in base64; libraries read it from there. */
function applicationOf(token: string): string | undefined {
  try {
    const id = atob(token.split('.')[0]!.replace(/-/g, '+').replace(/_/g, '/'))
    return isSnowflake(id) ? id : undefined
  } catch {
    return undefined
  }
}
