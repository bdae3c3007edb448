/** The principal of a request and its grants (clauses 5-01 to 5-03, 5-05). */
import { equalsSecret } from '../../core/secrets.ts'
import {
  anId,
  anyObject,
  argument,
  aString,
  demand,
  expectation,
  listArgument,
  objectArgument,
  oneOf,
  optionsReader,
} from '../../core/rules/arguments.ts'
import { nullable, optional, valueOf, type Reader } from '../../core/rules/readers.ts'
import { hasFields } from '../../core/json.ts'
import { isSnowflake } from '../../core/snowflake.ts'
import { isPermissionBits } from '../../model/permission-bits.ts'
import { PermissionFlag } from '../../model/permission-flags.ts'
import type { HookRequest } from '../../core/http-message.ts'
import type { ChangeAuthor } from '../../commands/registry/events.ts'
import type { Denial } from '../refusals.ts'
import { NAMELESS_APPLICATION } from './placeholder-token.ts'
import { missingToManageGuild, type PermissionManager } from '../../commands/access/manage.ts'

/** The content of an `Authorization` header. */
export interface Credentials {
  /** `None` for no header, or one of another scheme: the function gets the request itself. */
  readonly type: 'Bot' | 'Bearer' | 'None'
  /** Empty for `None`. */
  readonly token: string
}

/** The ids in the path of a request; null for an id that the path does not have. */
export interface RequestTarget {
  readonly applicationId: string | null
  readonly guildId: string | null
}

/** The owner of a token. */
export type Principal =
  /** An application's bot. It may read and write the application's commands, and read permissions. */
  | { readonly type: 'Bot'; readonly applicationId: string }
  /** An application with granted scopes: its own client credentials, or the grant of a user. */
  | {
      readonly type: 'Bearer'
      readonly applicationId: string
      /** The granted scopes: a list, or one text with spaces between them, as OAuth2 and JWTs have it. */
      readonly scopes: string | readonly string[]
      /** The user who granted the token; absent for client credentials. */
      readonly user?: BearerUser | null
    }

/** A principal that was checked. Its scopes are a list. */
export type CheckedPrincipal =
  | Extract<Principal, { type: 'Bot' }>
  | (Omit<Extract<Principal, { type: 'Bearer' }>, 'scopes' | 'user'> & {
      readonly scopes: readonly string[]
      readonly user?: BearerUser
    })

export interface BearerUser {
  readonly id: string
  /** The locale of the user's settings. */
  readonly locale?: string
  /** The user's permissions by guild id, as the decimal bit set of all roles of the user. */
  readonly guilds?: Readonly<Record<string, { readonly permissions: string }>>
}

/** Returns the principal of credentials, or `undefined` for an unknown token. */
export type TokenCheck = (
  credentials: Credentials,
  place: RequestTarget,
) => Principal | undefined | Promise<Principal | undefined>

/** Returns the principal of a request, `undefined` for an unknown one (401), or a refusal of the host's own. */
export type Authenticate = (
  credentials: Credentials,
  place: RequestTarget,
  request: HookRequest,
) => Authenticated | Promise<Authenticated>

/** An answer of `authenticate` in place of a principal: the response to the request. */
export interface AuthenticationRefusal {
  /** From 400 to 599. */
  readonly status: number
  readonly message: string
  /** The `code` of the response. Default 0. */
  readonly code?: number
  /** Seconds until the client may try again: the header `Retry-After`. */
  readonly retryAfter?: number
}

type Authenticated = Principal | AuthenticationRefusal | undefined

/**
 * Whether bots may use an endpoint, which need no scope; the scope that a bearer token needs; and whether its user must be
 * allowed to change permissions in the guild (clause 5-02). Reading needs no scope (clause 5-01).
 */
export const grants = {
  read: { bots: true, scope: null, manager: false },
  write_commands: { bots: true, scope: 'applications.commands.update', manager: false },
  edit_permissions: { bots: false, scope: 'applications.commands.permissions.update', manager: true },
} as const

export type Grant = 'anyone' | keyof typeof grants

export const scopes: readonly string[] = Object.values(grants).flatMap(({ scope }) => scope ?? [])

/** The first reason why a principal may not use an endpoint; null when it may. */
export function denial(
  principal: CheckedPrincipal,
  grant: keyof typeof grants,
  { applicationId, guildId }: RequestTarget,
): Denial | null {
  const { bots, scope, manager } = grants[grant]
  if (applicationId !== null && applicationId !== principal.applicationId) return 'other_application'
  if (principal.type === 'Bot') return bots ? null : 'bots_not_allowed'
  if (scope !== null && !principal.scopes.includes(scope)) return 'missing_scope'
  const permissions = managerOf(principal, guildId)?.member.permissions
  const mayManage = permissions !== undefined && missingToManageGuild(permissions).length === 0
  return manager && !mayManage ? 'missing_permissions' : null
}

/** The user of a token as a manager of permissions in a guild; `undefined` when its permissions are unknown. */
export function managerOf(
  principal: CheckedPrincipal,
  guildId: string | null,
): PermissionManager | undefined {
  const { id = '', guilds = {} }: Partial<BearerUser> = (principal.type === 'Bearer' && principal.user) || {}
  if (guildId === null || !Object.hasOwn(guilds, guildId)) return undefined
  return { member: { user: { id }, permissions: guilds[guildId]!.permissions } }
}

// The characters of RFC 6749, 3.3, without the comma, which some hosts write between scopes.
const scopeList = /* @__PURE__ */ listArgument(
  argument<string>(
    'one scope, a text of visible ASCII characters without spaces and commas',
    (value) => typeof value === 'string' && /^[!#-+\--[\]-~]+$/.test(value),
  ),
)

const scopesForm = /* @__PURE__ */ expectation<string | readonly unknown[]>(
  'a list of scopes, or one text with spaces between them',
  (given) => Array.isArray(given) || typeof given === 'string',
)

/** Each scope of a list, or of one text with spaces between them. */
const readScopes: Reader<readonly string[]> = (report, value) => {
  if (!report.check(scopesForm, value)) return undefined
  const given = typeof value === 'string' ? value.split(' ').filter((one) => one !== '') : value
  return Object.freeze(scopeList(report, given))
}

const guildsById = /* @__PURE__ */ anyObject('guilds by id')
const guildKey = /* @__PURE__ */ expectation('ids of guilds as keys', isSnowflake)
const rights = /* @__PURE__ */ objectArgument({
  permissions: argument<string>('a decimal string', isPermissionBits),
})

const readGuilds: Reader<NonNullable<BearerUser['guilds']>> = (report, value) => {
  const read: Record<string, { readonly permissions: string }> = {}
  for (const [guildId, guild] of Object.entries(guildsById(report, value) ?? {}))
    if (report.check(guildKey, guildId)) read[guildId] = report.at(guildId, rights, guild)!
  return read
}

const readUser: Reader<BearerUser> = /* @__PURE__ */ objectArgument({
  id: anId,
  locale: nullable(aString),
  guilds: optional(readGuilds),
})

const named = {
  type: /* @__PURE__ */ oneOf<Principal['type']>('"Bot" or "Bearer"', 'Bot', 'Bearer'),
  applicationId: anId,
}
const isBot = (type: unknown) => type === 'Bot'

/** Each field is read once, so that a getter cannot change it after the check. A bot has no further fields. */
const demandPrincipal = /* @__PURE__ */ demand(
  objectArgument({
    ...named,
    scopes: (report, value, { type }) => (isBot(type) ? [] : readScopes(report, value)),
    user: nullable((report, value, { type }) => (isBot(type) ? undefined : readUser(report, value))),
  }),
)

/**
 * The principal that a host returned, checked and copied (clause 5-05); undefined for an unknown token.
 *
 * @throws TypeError for anything else: it grants nothing, and the host must hear why
 */
export function checkPrincipal(value: unknown, label = 'principal'): CheckedPrincipal | undefined {
  // Databases return null for a missing row, and `&&` returns false.
  if (value === undefined || value === null || value === false) return undefined
  const { type, applicationId, scopes, user } = demandPrincipal(value, label)
  if (type === 'Bot') return Object.freeze({ type, applicationId })
  return Object.freeze({ type, applicationId, scopes, ...(user !== undefined && { user }) })
}

const NO_CREDENTIALS: Credentials = Object.freeze({ type: 'None', token: '' })

/** The principal as the events of its changes have it. */
export function actorOf(principal: CheckedPrincipal): ChangeAuthor {
  const { applicationId } = principal
  const userId = principal.type === 'Bearer' ? principal.user?.id : undefined
  return Object.freeze({ applicationId, ...(userId !== undefined && { userId }) })
}

/** The credentials of an `Authorization` header. */
export function readCredentials(header: string | null): Credentials {
  const [, scheme = '', text = ''] = /^(bot|bearer) ([^]*)$/i.exec(header ?? '') ?? []
  const token = text.trim()
  if (token === '') return NO_CREDENTIALS
  return { type: scheme.toLowerCase() === 'bot' ? 'Bot' : 'Bearer', token }
}

interface ApplicationToken {
  /** 1 to 1024 visible ASCII characters. */
  readonly token: string
  /** The application of the token. Required, unless `application_id` is given. */
  readonly applicationId?: string
  /** Another spelling of `applicationId`, for entries of a configuration file. */
  readonly application_id?: string
}

interface BearerToken extends ApplicationToken {
  readonly type: 'Bearer'
  /** The granted scopes. Default: none. */
  readonly scopes?: string | readonly string[]
  /** The user who granted the token; absent for client credentials. */
  readonly user?: BearerUser
}

/** A token and its principal. */
export type TokenEntry = BearerToken | (ApplicationToken & { readonly type: 'Bot' })

/**
 * An `authenticate` for a list of tokens. Each token is compared with every entry in constant time (clause 5-03).
 *
 * @throws TypeError when an entry is invalid; the message never contains a token
 */
export function tokenDirectory(tokens: readonly TokenEntry[]): TokenCheck {
  if (!Array.isArray(tokens)) throw new TypeError('tokenDirectory: expected a list of tokens')
  const known = tokens.map(readEntry)
  return ({ type, token }) => {
    if (token.length > MAX_TOKEN_LENGTH) return undefined
    const same = known.filter((entry) => equalsSecret(token, entry.token))
    return same.findLast(({ principal }) => principal.type === type)?.principal
  }
}

// Real tokens have a tenth of this. Longer ones are not compared, so that a request cannot take long.
const MAX_TOKEN_LENGTH = 1_024

/** The form of a token, for messages. */
export const TOKEN_SHAPE = `a text of 1 to ${MAX_TOKEN_LENGTH} visible ASCII characters`

export function isToken(text: string): boolean {
  return text.length <= MAX_TOKEN_LENGTH && /^[!-~]+$/.test(text)
}

/** A value whose message does not repeat it: a token may stand anywhere, and even an invalid one may be secret. */
const secretly = <T>(description: string, isValid: (value: any) => boolean) =>
  valueOf<T>({ ...expectation(description, isValid), message: () => `expected ${description}` })

const aToken = secretly<string>(TOKEN_SHAPE, (value) => typeof value === 'string' && isToken(value))

/** An object that is not keyed by tokens, which are longer than its names. */
const demandFields = demand(
  secretly(
    'an object with type, token and applicationId',
    (entry) => hasFields(entry) && Object.keys(entry).every(({ length }) => length <= 20),
  ),
)
const anApplicationId = secretly<string>('a snowflake such as "1029384756"', isSnowflake)

/** A field that `checkPrincipal` checks. */
const asGiven = (_: unknown, value: unknown): any => value

const demandEntry = demand(
  optionsReader<BearerToken>({
    type: secretly('"Bot" or "Bearer"', (type) => type === 'Bot' || type === 'Bearer'),
    token: aToken,
    applicationId: nullable(anApplicationId),
    application_id: nullable(anApplicationId),
    scopes: optional(asGiven),
    user: optional(
      optionsReader<BearerUser>({ id: asGiven, locale: optional(asGiven), guilds: optional(asGiven) }),
    ),
  }),
)

function readEntry(entry: TokenEntry, index: number): { token: string; principal: CheckedPrincipal } {
  const at = `tokens[${index}]`
  demandFields(entry, at)
  const { token, scopes = [], applicationId, application_id, ...given } = demandEntry(entry, at)
  const principal = { ...given, applicationId: applicationId ?? application_id, scopes }
  return { token, principal: checkPrincipal(principal, at)! }
}

const OPEN_USER = '1000000000000000001'

/**
 * An `authenticate` that accepts every token for the application in the path, with every scope. A bearer token is an
 * administrator of the guild in the path. For tests on one machine.
 */
export function openAccess(): TokenCheck {
  return ({ type, token }, place) => {
    if (type === 'None') return undefined
    const applicationId = place.applicationId ?? applicationOf(token) ?? NAMELESS_APPLICATION
    if (type === 'Bot') return { type, applicationId }
    const guilds =
      place.guildId === null ? {} : { [place.guildId]: { permissions: String(PermissionFlag.ADMINISTRATOR) } }
    return { type, applicationId, scopes, user: { id: OPEN_USER, guilds } }
  }
}

/** The id at the start of a bot token, in base64. */
function applicationOf(token: string): string | undefined {
  try {
    const id = atob(token.split('.')[0]!.replace(/-/g, '+').replace(/_/g, '/'))
    return isSnowflake(id) ? id : undefined
  } catch {
    return undefined
  }
}
