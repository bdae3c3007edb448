/** Redirects: where the response of an authorization is sent, and its code (clauses 2.12-04, 2.12-06). */
import { equalsSecret } from '../core/secrets.ts'
import { AuthorizationError, refusedByService } from './authorization-error.ts'

export const DESKTOP_REDIRECT = 'http://127.0.0.1/callback'

/** The redirect of apps on a phone. There is one slash after the colon. */
export function schemeRedirect(applicationId: bigint, customScheme?: string): string {
  return `${customScheme ?? `discord-${applicationId}`}:/authorize/callback`
}

/** Whether a text is a URI scheme (RFC 3986, section 3.1), without the colon. */
export function isScheme(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*$/.test(text)
}

// A browser itself runs or loads a redirect to one of these, so the response never reaches the app.
const reserved: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'javascript',
  'data',
  'blob',
  'file',
  'http',
  'https',
  'about',
  'ws',
  'wss',
])

/** Whether a scheme, in any letter case, is one that a browser itself runs or loads. */
export function isReservedScheme(scheme: string): boolean {
  return reserved.has(scheme.toLowerCase())
}

/**
 * The code in the address that the person was redirected to.
 *
 * The state is checked before anything else in the response, errors included: without it, the address may be forged.
 * A response to a reserved scheme cannot have reached the app.
 *
 * @param issuer the only one that the response may name (RFC 9207); older responses name none
 *
 * @throws AuthorizationError `redirect_invalid`, `state_mismatch` or `refused`
 */
export function readRedirect(address: string, redirectUri: string, state: string, issuer: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const expected = new URL(redirectUri)
  const isOurs = redirectUri === DESKTOP_REDIRECT || !isReservedScheme(expected.protocol.slice(0, -1))
  // Schemes and hosts ignore case, systems may add an empty host (`x:///…`), and any loopback port is allowed.
  const samePlace =
    url?.protocol === expected.protocol &&
    url.hostname === expected.hostname &&
    url.pathname === expected.pathname
  if (!isOurs || !samePlace) {
    const message = `open: expected an address that begins with ${redirectUri}`
    throw new AuthorizationError('redirect_invalid', message)
  }
  const states = url.searchParams.getAll('state')
  if (states.length !== 1 || !equalsSecret(states[0]!, state)) {
    const found = states.length === 0 ? 'has no state' : 'has another state'
    throw new AuthorizationError(
      'state_mismatch',
      `the response ${found}; it does not belong to this request`,
    )
  }
  const issuers = url.searchParams.getAll('iss')
  if (issuers.some((one) => one !== issuer)) {
    const message = `the response is of another issuer than ${issuer}; it may come from another service`
    throw new AuthorizationError('redirect_invalid', message)
  }
  const error = url.searchParams.get('error')
  if (error !== null) {
    throw refusedByService({ error, description: url.searchParams.get('error_description') ?? undefined })
  }
  const [code = '', ...others] = url.searchParams.getAll('code')
  if (code !== '' && others.length === 0) return code
  throw new AuthorizationError('redirect_invalid', 'the response has neither one code nor an error')
}
