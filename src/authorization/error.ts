import { deepFreeze } from '../core/freeze.ts'
import type { Issue } from '../core/report.ts'
import type { Path } from '../core/rule.ts'
import { quoted } from '../core/text.ts'

/** What can be wrong with a request before anything is sent, and the clause that says so. */
const clauses = {
  'client_id.missing': '2.12-02',
  'client_id.mismatch': '2.12-02',
  'scopes.empty': '2.12-03',
  'scopes.syntax': '2.12-03',
  'state.empty': '2.12-04',
  'state.text': '2.12-04',
  'nonce.text': '2.12-01',
  'code_challenge.missing': '2.12-05',
  'code_challenge.method': '2.12-05',
  'code_challenge.syntax': '2.12-05',
  'custom_scheme.syntax': '2.12-06',
  'custom_scheme.reserved': '2.12-06',
  'code.empty': '2.12-05',
  'verifier.syntax': '2.12-05',
  'verifier.mismatch': '2.12-05',
  'redirect_uri.empty': '2.12-06',
  'redirect_uri.mismatch': '2.12-06',
} as const

export type AuthorizationIssueCode = keyof typeof clauses
export type AuthorizationIssue = Issue<AuthorizationIssueCode>

/** One problem with a request. */
export function issue(
  code: AuthorizationIssueCode,
  path: Path,
  message: string,
  params: Readonly<Record<string, unknown>> = {},
): AuthorizationIssue {
  return { code, path, message, params, clause: clauses[code] }
}

/**
 * - `invalid_object`: arguments that hold no valid object were written to or used; see `AuthorizationArgs`.
 * - `invalid_arguments`: the request cannot work; `issues` says why. Nothing was opened or sent.
 * - `open_failed`: `open` failed; its error is the `cause`.
 * - `redirect_invalid`: what came back is not an answer to this request.
 * - `state_mismatch`: the answer does not carry the state of this request; it may be forged.
 * - `refused`: the service answered with an OAuth error, which `oauth` holds.
 * - `request_failed`: no answer (the `cause` says why), or one that is no OAuth answer (see `status`).
 * - `response_invalid`: the service granted a token, but its answer is not as OAuth wants it.
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

/** An error as OAuth words it, in a redirect or in the answer to a token request. */
export interface OAuthError {
  /** Such as `access_denied` or `invalid_grant`. */
  readonly error: string
  readonly description: string | undefined
}

export interface AuthorizationErrorDetails {
  readonly issues?: readonly AuthorizationIssue[]
  readonly oauth?: OAuthError
  readonly status?: number
  readonly cause?: unknown
}

/** Why an authorization or a token exchange failed. Holds no code, verifier, state or token. */
export class AuthorizationError extends Error {
  override readonly name = 'AuthorizationError'
  readonly code: AuthorizationErrorCode
  /** Every problem at once when the code is `invalid_arguments`; else empty. */
  readonly issues: readonly AuthorizationIssue[]
  /** What the service said when the code is `refused`. */
  readonly oauth: OAuthError | undefined
  /** The HTTP status of the token endpoint's answer, if there was one. */
  readonly status: number | undefined

  constructor(code: AuthorizationErrorCode, message: string, details: AuthorizationErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined)
    this.code = code
    this.issues = deepFreeze(details.issues ?? [])
    this.oauth = deepFreeze(details.oauth)
    this.status = details.status
  }
}

/** Throws all the issues there are, if there are any. */
export function refuseInvalid(issues: readonly AuthorizationIssue[]): void {
  if (issues.length === 0) return
  const sentences = issues.map(({ path, message }) => `${path.join('.')} ${message}`)
  throw new AuthorizationError('invalid_arguments', sentences.join('; '), { issues })
}

/** The service's own words as an error. */
export function refused(oauth: OAuthError, status?: number): AuthorizationError {
  const reason = oauth.description === undefined ? '' : `: ${quoted(oauth.description, 200)}`
  return new AuthorizationError('refused', `the service answered ${quoted(oauth.error)}${reason}`, {
    oauth,
    ...(status !== undefined && { status }),
  })
}
