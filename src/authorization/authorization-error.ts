import { errorJson } from '../core/error-json.ts'
import { deepFreeze } from '../core/freeze.ts'
import type { Issue } from '../core/rules/report.ts'
import type { Path } from '../core/rules/rule.ts'
import { quoted } from '../core/text.ts'

/** Every problem found before anything is sent: its clause, and the path of its field. */
const problems = {
  'client_id.missing': ['2.12-02', 'clientId'],
  'client_id.mismatch': ['2.12-02', 'applicationId'],
  'scopes.empty': ['2.12-03', 'scopes'],
  'scopes.syntax': ['2.12-03', 'scopes'],
  'scopes.client_credentials': ['2.12-08', 'scopes'],
  'state.empty': ['2.12-04', 'state'],
  'state.text': ['2.12-04', 'state'],
  'nonce.empty': ['2.12-01', 'nonce'],
  'nonce.text': ['2.12-01', 'nonce'],
  'code_challenge.missing': ['2.12-05', 'codeChallenge'],
  'code_challenge.method': ['2.12-05', 'codeChallenge', 'method'],
  'code_challenge.syntax': ['2.12-05', 'codeChallenge', 'challenge'],
  'custom_scheme.syntax': ['2.12-06', 'customSchemeParam'],
  'custom_scheme.reserved': ['2.12-06', 'customSchemeParam'],
  'custom_scheme.unused': ['2.12-06', 'customSchemeParam'],
  'code.empty': ['2.12-05', 'code'],
  'verifier.syntax': ['2.12-05', 'verifier'],
  'verifier.mismatch': ['2.12-05', 'verifier'],
  'redirect_uri.empty': ['2.12-06', 'redirectUri'],
  'redirect_uri.mismatch': ['2.12-06', 'redirectUri'],
  'application_id.missing': ['5-04', 'applicationId'],
  'scopes.install': ['5-04', 'scopes'],
  'permissions.syntax': ['5-04', 'permissions'],
  'permissions.bot': ['5-04', 'permissions'],
  'scopes.user_install': ['2.12-08', 'scopes'],
  'permissions.user_install': ['2.12-08', 'permissions'],
  'guild_id.user_install': ['2.12-08', 'guildId'],
  'guild_id.syntax': ['5-04', 'guildId'],
  'guild_id.missing': ['5-04', 'guildId'],
} as const

/** The codes of the problems of a request. */
export type AuthorizationIssueCode = keyof typeof problems
/** One problem of a request, at its field. */
export type AuthorizationIssue = Issue<AuthorizationIssueCode>

/** A problem, at its field or at another path. */
export function issue(
  code: AuthorizationIssueCode,
  message: string,
  params: Readonly<Record<string, unknown>> = {},
  at?: Path,
): AuthorizationIssue {
  const [clause, ...path] = problems[code]
  return { code, path: at ?? path, message, params, clause }
}

/** The results of checks: `isWrong && issue(…)`. */
export type Checks = readonly (AuthorizationIssue | false)[]

export function issuesOf(checks: Checks): readonly AuthorizationIssue[] {
  return checks.filter((check) => check !== false)
}

/** Throws one `AuthorizationError` with all issues, if there are any. */
export function throwIfInvalid(checks: Checks): void {
  const issues = issuesOf(checks)
  if (issues.length === 0) return
  const sentences = issues.map(({ path, message }) => `${path.join('.')} ${message}`)
  throw new AuthorizationError('invalid_arguments', sentences.join('; '), { issues })
}

/**
 * Why an authorization failed:
 *
 * - `invalid_object`: invalid arguments were written to or used; see `AuthorizationArgs`.
 * - `invalid_arguments`: the request cannot succeed; `issues` lists every reason. Nothing was opened or sent.
 * - `open_failed`: `open` failed; its error is the `cause`.
 * - `redirect_invalid`: the address that came back is not a response to this request.
 * - `state_mismatch`: the response does not have the state of this request; it may be forged.
 * - `refused`: the service responded with an OAuth error, see `oauth`.
 * - `request_failed`: no response (see `cause`), or one that is not OAuth (see `status`).
 * - `response_invalid`: the service granted a token, but its response is not valid OAuth.
 */
export type AuthorizationErrorCode =
  | 'invalid_object'
  | 'invalid_arguments'
  | 'open_failed'
  | 'redirect_invalid'
  | 'state_mismatch'
  | 'refused'
  | 'request_failed'
  | 'response_invalid'

/** An OAuth error, from a redirect or a token response. */
export interface OAuthError {
  /** Such as `access_denied` or `invalid_grant`. */
  readonly error: string
  /** The service's explanation, if it gave one. */
  readonly description: string | undefined
}

/** A failed authorization or token exchange. Contains no code, verifier, state or token. */
export class AuthorizationError extends Error {
  override readonly name = 'AuthorizationError'
  readonly code: AuthorizationErrorCode
  /** Every problem when the code is `invalid_arguments`; otherwise empty. */
  readonly issues: readonly AuthorizationIssue[]
  /** The OAuth error when the code is `refused`. */
  readonly oauth: OAuthError | undefined
  /** The HTTP status of the token response, if there was one. */
  readonly status: number | undefined

  constructor(
    code: AuthorizationErrorCode,
    message: string,
    details: Partial<Pick<AuthorizationError, 'issues' | 'oauth' | 'status' | 'cause'>> = {},
  ) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.code = code
    this.issues = deepFreeze(details.issues ?? [])
    this.oauth = deepFreeze(details.oauth)
    this.status = details.status
  }

  /** Plain JSON with `name`, `message`, `code` and all details, for logs and `postMessage`. */
  toJSON(): Readonly<Record<string, unknown>> {
    return errorJson(this)
  }
}

export function refusedByService(oauth: OAuthError, status?: number): AuthorizationError {
  const reason = oauth.description === undefined ? '' : `: ${quoted(oauth.description, 200)}`
  return new AuthorizationError('refused', `the service responded ${quoted(oauth.error)}${reason}`, {
    oauth,
    status,
  })
}
