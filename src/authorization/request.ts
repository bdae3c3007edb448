/** What is sent to the service, worked out from arguments alone; nothing in here opens or fetches. */
import { quoted } from '../core/text.ts'
import type { AuthorizationArgs } from './args.ts'
import { AuthenticationCodeChallengeMethod, isCodeChallenge, isCodeVerifier } from './challenge.ts'
import { AuthorizationError, issue, refuseInvalid, type AuthorizationIssue } from './error.ts'
import { DESKTOP_REDIRECT, isReservedScheme, isScheme, schemeRedirect } from './redirect.ts'
import { parseScopes } from './scopes.ts'

/** Where the app runs, which decides where the answer is sent: to a URI scheme or to a loopback address. */
export type AuthorizationPlatform = 'mobile' | 'desktop'

/** A request that can work, except that its state may be still to be chosen. */
export interface AuthorizationRequest {
  readonly clientId: bigint
  readonly redirectUri: string
  readonly state: string | undefined
  /** The scopes as they are sent. */
  readonly scopes: string
  readonly codeChallenge: string | undefined
  /** Everything else, in the order in which it is sent. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

/**
 * Reads arguments once: what is done to them afterwards does not matter.
 *
 * @param applicationId stands in for a `clientId` that is not set; 0n when there is none either
 * @throws AuthorizationError `invalid_object`, or `invalid_arguments` with everything that cannot work
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
  const { state, nonce, codeChallenge, integrationType, customSchemeParam } = args
  const clientId = args.clientId || applicationId
  const usesScheme = platform === 'mobile'
  const issues: AuthorizationIssue[] = []

  if (clientId === 0n) {
    issues.push(issue('client_id.missing', ['clientId'], 'is missing; set it or call setApplicationId'))
  }
  const scopes = parseScopes(args.scopes, ['scopes'])
  if (!scopes.ok) issues.push(...scopes.issues)
  if (state === '') {
    issues.push(issue('state.empty', ['state'], 'is empty; leave it unset and one is made'))
  } else if (!isWellFormed(state)) {
    issues.push(issue('state.text', ['state'], UNPAIRED))
  }
  if (!isWellFormed(nonce)) issues.push(issue('nonce.text', ['nonce'], UNPAIRED))
  if (codeChallenge === undefined) {
    if (usesScheme) issues.push(challengeMissing('any app can claim a scheme, so the redirect needs one'))
  } else {
    if (codeChallenge.method !== AuthenticationCodeChallengeMethod.S256) {
      issues.push(issue('code_challenge.method', ['codeChallenge', 'method'], 'has to be 0 (S256)'))
    }
    if (!isCodeChallenge(codeChallenge.challenge)) {
      issues.push(
        issue(
          'code_challenge.syntax',
          ['codeChallenge', 'challenge'],
          'is not 43 characters of base64url; use the challenge of createAuthorizationCodeVerifier()',
        ),
      )
    }
  }
  if (usesScheme && customSchemeParam !== undefined) issues.push(...schemeIssues(customSchemeParam))
  refuseInvalid(issues)

  const scope = scopes.ok ? scopes.value.join(' ') : ''
  const redirectUri = usesScheme ? schemeRedirect(clientId, customSchemeParam) : DESKTOP_REDIRECT
  const parameters: [string, string][] = [
    ['client_id', String(clientId)],
    ['response_type', 'code'],
    ['scope', scope],
    ['redirect_uri', redirectUri],
  ]
  if (nonce !== undefined) parameters.push(['nonce', nonce])
  if (codeChallenge !== undefined) {
    parameters.push(['code_challenge', codeChallenge.challenge], ['code_challenge_method', 'S256'])
  }
  if (integrationType !== undefined) parameters.push(['integration_type', String(integrationType)])
  return { clientId, redirectUri, state, scopes: scope, codeChallenge: codeChallenge?.challenge, parameters }
}

/** The address to open. Spaces are written `%20`, as the service's documentation does. */
export function authorizeAddress(base: string, request: AuthorizationRequest, state: string): string {
  const url = new URL(base)
  const pairs = [...request.parameters, ['state', state] as const].map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  )
  url.search = [...(url.search === '' ? [] : [url.search.slice(1)]), ...pairs].join('&')
  return url.href
}

/** What the client remembers of a code it was given, to say early that an exchange cannot work. */
export interface IssuedCode {
  readonly clientId: bigint
  readonly redirectUri: string
  readonly codeChallenge: string | undefined
  readonly scopes: string
}

/**
 * The form that exchanges a code for a token.
 *
 * @param issued undefined for a code that came from elsewhere
 * @param challenge the verifier's, when the code is known
 * @throws AuthorizationError `invalid_arguments` with everything that cannot work
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
    issues.push(
      issue(
        'client_id.mismatch',
        ['applicationId'],
        `is ${applicationId}, but this code was asked for as ${issued.clientId}; 0n stands for that`,
        { actual: String(applicationId), expected: String(issued.clientId) },
      ),
    )
  }
  if (code === '') issues.push(issue('code.empty', ['code'], 'is empty; authorize gives one'))
  if (!isCodeVerifier(verifier)) {
    issues.push(
      issue(
        'verifier.syntax',
        ['verifier'],
        'is not 43 to 128 letters, digits, "-", ".", "_" or "~"; use the one made with the challenge',
      ),
    )
  } else if (issued !== undefined && issued.codeChallenge === undefined) {
    issues.push(challengeMissing('this code was asked for without one, so getToken cannot exchange it'))
  } else if (issued !== undefined && issued.codeChallenge !== challenge) {
    issues.push(issue('verifier.mismatch', ['verifier'], 'is not the one behind the challenge of this code'))
  }
  if (redirectUri === '') {
    issues.push(
      issue('redirect_uri.empty', ['redirectUri'], 'is empty; give the one that authorize returned'),
    )
  } else if (issued !== undefined && issued.redirectUri !== redirectUri) {
    issues.push(
      issue(
        'redirect_uri.mismatch',
        ['redirectUri'],
        `is not ${issued.redirectUri}, where this code was sent; give the one that authorize returned`,
        { expected: issued.redirectUri },
      ),
    )
  }
  refuseInvalid(issues)
  return new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: String(applicationId),
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
  })
}

function schemeIssues(scheme: string): AuthorizationIssue[] {
  const found = (code: 'custom_scheme.syntax' | 'custom_scheme.reserved', what: string) => [
    issue(code, ['customSchemeParam'], `is ${quoted(scheme)}; ${what}`, { scheme }),
  ]
  if (!isScheme(scheme)) {
    return found(
      'custom_scheme.syntax',
      'a scheme is a letter, then letters, digits, "+", "-" or ".", and is given without its colon',
    )
  }
  return isReservedScheme(scheme)
    ? found(
        'custom_scheme.reserved',
        'that is a scheme of the web, of browsers or of the system, and the answer would not come to the app; use one of its own',
      )
    : []
}

const UNPAIRED = 'has half of a surrogate pair, which no address can carry'

function challengeMissing(why: string): AuthorizationIssue {
  return issue(
    'code_challenge.missing',
    ['codeChallenge'],
    `is missing; ${why}: set it to the challenge of createAuthorizationCodeVerifier()`,
  )
}

function isWellFormed(text: string | undefined): boolean {
  return text === undefined || !/\p{Surrogate}/u.test(text)
}
