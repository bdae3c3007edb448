/** The parameters of requests, computed from arguments alone. */
import { quoted } from '../core/text.ts'
import type { ArgumentFields, AuthorizationArgs } from './args.ts'
import { AuthenticationCodeChallengeMethod, isCodeChallenge, isCodeVerifier } from './challenge.ts'
import { AuthorizationError, issue, throwIfInvalid, type AuthorizationIssue } from './error.ts'
import { DESKTOP_REDIRECT, isReservedScheme, isScheme, schemeRedirect } from './redirect.ts'
import { parseScopes } from './scopes.ts'

/** Where the app runs, and so where the response is sent: `mobile` to a URI scheme, `desktop` to a loopback address. */
export type AuthorizationPlatform = 'mobile' | 'desktop'

/** The page that asks for consent, unless another one is given. */
export const AUTHORIZE_URL = 'https://discord.com/oauth2/authorize'

/** The request behind a code, kept to reject an exchange that cannot succeed. */
export interface IssuedCode {
  readonly clientId: bigint
  readonly redirectUri: string
  readonly codeChallenge: string | undefined
  /** As sent: separated by one space. */
  readonly scopes: string
}

/** A valid request. Its state is still to be chosen if it is unset. */
export interface AuthorizationRequest extends IssuedCode {
  readonly state: string | undefined
  /** All query parameters but the state, in order. */
  readonly parameters: readonly QueryParameter[]
  readonly warnings: readonly AuthorizationIssue[]
}

/**
 * Reads arguments once, so later changes of them have no effect.
 *
 * @param applicationId the default for an unset `clientId`; 0n for none
 * @throws AuthorizationError `invalid_object`, or `invalid_arguments` with every problem
 */
export function readRequest(
  args: AuthorizationArgs,
  applicationId: bigint,
  platform: AuthorizationPlatform,
): AuthorizationRequest {
  if (!args.isValid()) {
    throw new AuthorizationError(
      'invalid_object',
      'args: expected valid AuthorizationArgs, got an invalid object',
    )
  }
  const settings = settingsOf(args, applicationId, platform)
  const { clientId, state, nonce, codeChallenge, customSchemeParam, usesScheme } = settings
  const scopes = parseScopes(args.scopes, ['scopes'])
  throwIfInvalid([
    ...(clientId === 0n
      ? [issue('client_id.missing', ['clientId'], 'is missing; set it or call setApplicationId')]
      : []),
    ...(scopes.ok ? [] : scopes.issues),
    ...textIssues('state', state, 'leave it unset to get a random one'),
    ...textIssues('nonce', nonce, 'set a text or leave it unset'),
    ...challengeIssues(codeChallenge),
    ...(usesScheme && customSchemeParam !== undefined ? schemeIssues(customSchemeParam) : []),
  ])
  const scope = scopes.ok ? scopes.value.join(' ') : ''
  const redirectUri = usesScheme ? schemeRedirect(clientId, customSchemeParam) : DESKTOP_REDIRECT
  return {
    clientId,
    redirectUri,
    state,
    scopes: scope,
    codeChallenge: codeChallenge?.challenge,
    parameters: parametersOf(settings, scope, redirectUri),
    warnings: warningsOf(settings),
  }
}

/** The fields of arguments, read once, with their defaults. */
interface Settings extends Readonly<Omit<ArgumentFields, 'scopes'>> {
  /** Whether the redirect is a URI scheme. */
  readonly usesScheme: boolean
}

function settingsOf(
  args: AuthorizationArgs,
  applicationId: bigint,
  platform: AuthorizationPlatform,
): Settings {
  const { state, nonce, codeChallenge, integrationType, customSchemeParam } = args
  const clientId = args.clientId || applicationId
  const usesScheme = platform === 'mobile'
  return { clientId, state, nonce, codeChallenge, integrationType, customSchemeParam, usesScheme }
}

function textIssues(
  field: 'state' | 'nonce',
  text: string | undefined,
  remedy: string,
): AuthorizationIssue[] {
  if (text === '') return [issue(`${field}.empty`, [field], `is empty; ${remedy}`)]
  if (text === undefined || !/\p{Surrogate}/u.test(text)) return []
  return [issue(`${field}.text`, [field], 'has an unpaired surrogate, which a URL cannot contain')]
}

function challengeIssues(codeChallenge: Settings['codeChallenge']): AuthorizationIssue[] {
  if (codeChallenge === undefined) return []
  const issues: AuthorizationIssue[] = []
  if (codeChallenge.method !== AuthenticationCodeChallengeMethod.S256) {
    issues.push(issue('code_challenge.method', ['codeChallenge', 'method'], 'must be 0 (S256)'))
  }
  if (!isCodeChallenge(codeChallenge.challenge)) {
    const message =
      'is not 43 characters of base64url; use the challenge of createAuthorizationCodeVerifier()'
    issues.push(issue('code_challenge.syntax', ['codeChallenge', 'challenge'], message))
  }
  return issues
}

function warningsOf({ codeChallenge, customSchemeParam, usesScheme }: Settings): AuthorizationIssue[] {
  const warnings: AuthorizationIssue[] = []
  if (codeChallenge === undefined && usesScheme) {
    const why = 'Discord requires one for a redirect to a URI scheme, and so does getToken'
    warnings.push(challengeMissing(why))
  }
  if (customSchemeParam !== undefined && !usesScheme) {
    const message = `has no effect on desktop: the redirect is ${DESKTOP_REDIRECT}`
    warnings.push(issue('custom_scheme.unused', ['customSchemeParam'], message))
  }
  return warnings
}

function parametersOf(
  { clientId, nonce, codeChallenge, integrationType }: Settings,
  scope: string,
  redirectUri: string,
): readonly QueryParameter[] {
  return [
    ['client_id', clientId],
    ['response_type', 'code'],
    ['scope', scope],
    ['redirect_uri', redirectUri],
    ['nonce', nonce],
    ['code_challenge', codeChallenge?.challenge],
    ['code_challenge_method', codeChallenge && 'S256'],
    ['integration_type', integrationType],
  ]
}

/** A query parameter; without a value it is left out. */
export type QueryParameter = readonly [name: string, value: string | number | bigint | undefined]

/** A URL with further query parameters. Spaces are encoded as `%20`, as in Discord's documentation. */
export function withQuery(base: string, parameters: readonly QueryParameter[]): string {
  const url = new URL(base)
  const pairs = parameters.flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${encodeURIComponent(String(value))}`,
  )
  url.search = [...(url.search === '' ? [] : [url.search.slice(1)]), ...pairs].join('&')
  return url.href
}

/**
 * The form that exchanges a code for a token.
 *
 * @param issued undefined for a code of another client
 * @param challenge the verifier's challenge, when the code is known
 * @throws AuthorizationError `invalid_arguments` with every problem
 */
export function tokenForm(
  exchange: { applicationId: bigint; code: string; verifier: string; redirectUri: string },
  issued: IssuedCode | undefined,
  challenge: string | undefined,
): URLSearchParams {
  const { applicationId, code, verifier, redirectUri } = exchange
  const issues: AuthorizationIssue[] = []
  if (applicationId === 0n) {
    issues.push(issue('client_id.missing', ['applicationId'], 'is missing; give it or call setApplicationId'))
  } else if (issued !== undefined && issued.clientId !== applicationId) {
    const message = `is ${applicationId}, but this code was requested for ${issued.clientId}; pass that, or 0n`
    const params = { actual: String(applicationId), expected: String(issued.clientId) }
    issues.push(issue('client_id.mismatch', ['applicationId'], message, params))
  }
  if (code === '')
    issues.push(issue('code.empty', ['code'], 'is empty; pass the one that authorize returned'))
  if (!isCodeVerifier(verifier)) {
    const message =
      'is not 43 to 128 letters, digits, "-", ".", "_" or "~"; use the one made with the challenge'
    issues.push(issue('verifier.syntax', ['verifier'], message))
  } else if (issued !== undefined && issued.codeChallenge === undefined) {
    issues.push(challengeMissing('this code was requested without one, so getToken cannot exchange it'))
  } else if (issued !== undefined && issued.codeChallenge !== challenge) {
    const message = 'does not match the challenge of this code; use the verifier made with it'
    issues.push(issue('verifier.mismatch', ['verifier'], message))
  }
  if (redirectUri === '') {
    const message = 'is empty; pass the one that authorize returned'
    issues.push(issue('redirect_uri.empty', ['redirectUri'], message))
  } else if (issued !== undefined && issued.redirectUri !== redirectUri) {
    const expected = issued.redirectUri
    const message = `is not ${expected}, where this code was sent; pass the one that authorize returned`
    issues.push(issue('redirect_uri.mismatch', ['redirectUri'], message, { expected }))
  }
  throwIfInvalid(issues)
  return new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: String(applicationId),
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
  })
}

function schemeIssues(scheme: string): AuthorizationIssue[] {
  const path = ['customSchemeParam']
  const start = `is ${quoted(scheme)};`
  if (!isScheme(scheme)) {
    const message = `${start} a scheme is a letter, then letters, digits, "+", "-" or ".", without the colon`
    return [issue('custom_scheme.syntax', path, message, { scheme })]
  }
  if (!isReservedScheme(scheme)) return []
  const message = `${start} that scheme belongs to the web, to browsers or to the system, so the response would not reach the app; use a scheme of your own`
  return [issue('custom_scheme.reserved', path, message, { scheme })]
}

function challengeMissing(why: string): AuthorizationIssue {
  const message = `is missing; ${why}: set it to the challenge of createAuthorizationCodeVerifier()`
  return issue('code_challenge.missing', ['codeChallenge'], message)
}
