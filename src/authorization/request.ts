/** The parameters of requests, computed from arguments alone. */
import { quoted } from '../core/text.ts'
import type { AuthorizationArgs } from './args.ts'
import { AuthenticationCodeChallengeMethod, isCodeChallenge, isCodeVerifier } from './challenge.ts'
import {
  AuthorizationError,
  issue,
  issuesOf,
  throwIfInvalid,
  type AuthorizationIssue,
  type AuthorizationIssueCode,
} from './authorization-error.ts'
import { DESKTOP_REDIRECT, isReservedScheme, isScheme, schemeRedirect } from './redirect-uri.ts'
import { parseScopes, ungrantable } from './scopes.ts'

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

/**
 * The query of a request, without its state, and what `getToken` needs of it.
 *
 * @param applicationId the default for an unset `clientId`; 0n for none
 * @throws AuthorizationError `invalid_object`, or `invalid_arguments` with every problem
 */
export function readRequest(
  args: AuthorizationArgs,
  applicationId: bigint,
  platform: AuthorizationPlatform,
): {
  readonly issued: IssuedCode
  readonly parameters: readonly QueryParameter[]
  readonly warnings: readonly AuthorizationIssue[]
} {
  if (!args.isValid()) {
    throw new AuthorizationError(
      'invalid_object',
      'args: expected valid AuthorizationArgs, got an invalid object',
    )
  }
  const { state, nonce, codeChallenge, integrationType, customSchemeParam } = args
  const { challenge, method } = codeChallenge ?? {}
  const clientId = args.clientId || applicationId
  const usesScheme = platform === 'mobile'
  const parsed = parseScopes(args.scopes, ['scopes'])
  throwIfInvalid([
    clientId === 0n && issue('client_id.missing', 'is missing; set it or call setApplicationId'),
    ...(parsed.ok ? ungrantable(parsed.value, integrationType) : parsed.issues),
    state === '' && issue('state.empty', 'is empty; leave it unset to get a random one'),
    hasUnpairedSurrogate(state) && issue('state.text', UNPAIRED_SURROGATE),
    nonce === '' && issue('nonce.empty', 'is empty; set a text or leave it unset'),
    hasUnpairedSurrogate(nonce) && issue('nonce.text', UNPAIRED_SURROGATE),
    codeChallenge !== undefined &&
      method !== AuthenticationCodeChallengeMethod.S256 &&
      issue('code_challenge.method', 'must be 0 (S256)'),
    challenge !== undefined &&
      !isCodeChallenge(challenge) &&
      issue(
        'code_challenge.syntax',
        'is not 43 characters of base64url; use the challenge of createAuthorizationCodeVerifier()',
      ),
    usesScheme && schemeIssue(customSchemeParam),
  ])
  const scopes = parsed.ok ? parsed.value.join(' ') : ''
  const redirectUri = usesScheme ? schemeRedirect(clientId, customSchemeParam) : DESKTOP_REDIRECT
  return {
    issued: { clientId, redirectUri, codeChallenge: challenge, scopes },
    parameters: [
      ['client_id', clientId],
      ['response_type', 'code'],
      ['scope', scopes],
      ['redirect_uri', redirectUri],
      ['nonce', nonce],
      ['code_challenge', challenge],
      ['code_challenge_method', codeChallenge && 'S256'],
      ['integration_type', integrationType],
    ],
    warnings: issuesOf([
      codeChallenge === undefined &&
        usesScheme &&
        challengeMissing('Discord requires one for a redirect to a URI scheme, and so does getToken'),
      customSchemeParam !== undefined &&
        !usesScheme &&
        issue('custom_scheme.unused', `has no effect on desktop: the redirect is ${DESKTOP_REDIRECT}`),
    ]),
  }
}

const UNPAIRED_SURROGATE = 'has an unpaired surrogate, which a URL cannot contain'

function hasUnpairedSurrogate(text = ''): boolean {
  return /\p{Surrogate}/u.test(text)
}

function schemeIssue(scheme: string | undefined): AuthorizationIssue | false {
  if (scheme === undefined) return false
  const schemeIs = (code: AuthorizationIssueCode, why: string) =>
    issue(code, `is ${quoted(scheme)}; ${why}`, { scheme })
  if (!isScheme(scheme)) {
    const form = 'a scheme is a letter, then letters, digits, "+", "-" or ".", without the colon'
    return schemeIs('custom_scheme.syntax', form)
  }
  const why =
    'a browser runs or loads that scheme itself, so the response would not reach the app; use a scheme of your own'
  return isReservedScheme(scheme) && schemeIs('custom_scheme.reserved', why)
}

function challengeMissing(why: string): AuthorizationIssue {
  const message = `is missing; ${why}: set it to the challenge of createAuthorizationCodeVerifier()`
  return issue('code_challenge.missing', message)
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
  const returned = 'pass the one that authorize returned'
  const isVerifier = isCodeVerifier(verifier)
  const isOther = (field: keyof IssuedCode, value: unknown) => issued !== undefined && issued[field] !== value
  throwIfInvalid([
    applicationId === 0n &&
      issue('client_id.missing', 'is missing; give it or call setApplicationId', {}, ['applicationId']),
    applicationId !== 0n &&
      isOther('clientId', applicationId) &&
      issue(
        'client_id.mismatch',
        `is ${applicationId}, but this code was requested for ${issued?.clientId}; pass that, or 0n`,
        { actual: String(applicationId), expected: String(issued?.clientId) },
      ),
    code === '' && issue('code.empty', `is empty; ${returned}`),
    !isVerifier &&
      issue(
        'verifier.syntax',
        'is not 43 to 128 letters, digits, "-", ".", "_" or "~"; use the one made with the challenge',
      ),
    isVerifier &&
      issued?.codeChallenge !== undefined &&
      issued.codeChallenge !== challenge &&
      issue('verifier.mismatch', 'does not match the challenge of this code; use the verifier made with it'),
    isVerifier &&
      issued !== undefined &&
      issued.codeChallenge === undefined &&
      challengeMissing('this code was requested without one, so getToken cannot exchange it'),
    redirectUri === '' && issue('redirect_uri.empty', `is empty; ${returned}`),
    redirectUri !== '' &&
      isOther('redirectUri', redirectUri) &&
      issue('redirect_uri.mismatch', `is not ${issued?.redirectUri}, where this code was sent; ${returned}`, {
        expected: issued?.redirectUri,
      }),
  ])
  return new URLSearchParams({
    grant_type: 'authorization_code',
    client_id: String(applicationId),
    code,
    code_verifier: verifier,
    redirect_uri: redirectUri,
  })
}
