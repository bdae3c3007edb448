/** Where the service sends the person back to, and what it says there (clauses 2.12-04, 2.12-06). */
import { AuthorizationError, refused } from './error.ts'

/** Where an app on a desktop waits for the answer. */
export const DESKTOP_REDIRECT = 'http://127.0.0.1/callback'

/**
 * Where an app on a phone waits for the answer: `X:/authorize/callback` for a custom scheme X, else
 * `discord-<application id>:/authorize/callback`. One slash after the colon.
 */
export function schemeRedirect(applicationId: bigint, customScheme?: string): string {
  return `${customScheme ?? `discord-${applicationId}`}:/authorize/callback`
}

/** Whether a text is a URI scheme (RFC 3986, section 3.1), without its colon. */
export function isScheme(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9+.-]*$/.test(text)
}

// An answer sent to one of these is shown, fetched or run, or goes to whatever the person has set for letters or calls.
const reserved: ReadonlySet<string> = /* @__PURE__ */ new Set([
  // Fetched.
  ...['file', 'ftp', 'ftps', 'http', 'https', 'sftp', 'ws', 'wss'],
  // Browsers' own.
  ...['about', 'blob', 'chrome', 'chrome-extension', 'data', 'devtools', 'edge', 'filesystem', 'jar'],
  ...['javascript', 'moz-extension', 'resource', 'vbscript', 'view-source'],
  // Systems' own, and those any site may ask a browser for (HTML, registerProtocolHandler).
  ...['android-app', 'bitcoin', 'content', 'facetime', 'geo', 'im', 'intent', 'irc', 'ircs', 'itms'],
  ...['itms-apps', 'magnet', 'mailto', 'market', 'matrix', 'mms', 'news', 'nntp', 'openpgp4fpr', 'sip'],
  ...['sips', 'sms', 'smsto', 'ssh', 'tel', 'telnet', 'urn', 'webcal', 'wtai', 'xmpp'],
])

/** Whether a scheme, in whatever case, belongs to the web, to browsers or to the system, and so to no app. */
export function isReservedScheme(scheme: string): boolean {
  return reserved.has(scheme.toLowerCase())
}

/**
 * Takes the code out of the address the person was sent to.
 *
 * The state is looked at before anything the answer says, an error included: without it, anybody could have
 * made the address up. What came by a scheme that is no app's own did not come to the app.
 *
 * @throws AuthorizationError `redirect_invalid`, `state_mismatch` or `refused`
 */
export function readRedirect(address: string, redirectUri: string, state: string): string {
  const url = parseUrl(address)
  const expected = new URL(redirectUri)
  const isOurs = redirectUri === DESKTOP_REDIRECT || !isReservedScheme(expected.protocol.slice(0, -1))
  if (url === undefined || !isOurs || !samePlace(url, expected)) {
    throw new AuthorizationError(
      'redirect_invalid',
      `open: expected an address that begins with ${redirectUri}`,
    )
  }
  const states = url.searchParams.getAll('state')
  if (states.length !== 1 || !sameText(states[0] as string, state)) {
    throw new AuthorizationError(
      'state_mismatch',
      `the answer ${states.length === 0 ? 'has no state' : 'has another state'}; it does not belong to this request`,
    )
  }
  const error = url.searchParams.get('error')
  if (error !== null) {
    throw refused({ error, description: url.searchParams.get('error_description') ?? undefined })
  }
  const codes = url.searchParams.getAll('code')
  if (codes.length !== 1 || codes[0] === '') {
    throw new AuthorizationError('redirect_invalid', 'the answer has neither one code nor an error')
  }
  return codes[0] as string
}

/** `undefined` for what is no absolute URL. */
export function parseUrl(address: string): URL | undefined {
  try {
    return new URL(address)
  } catch {
    return undefined
  }
}

// Schemes and hosts have no case, systems may add an empty host (`x:///…`), and a loopback port is free.
function samePlace(a: URL, b: URL): boolean {
  return a.protocol === b.protocol && a.hostname === b.hostname && a.pathname === b.pathname
}

/** Compares in a time that tells nothing but the length of `a`, so a state cannot be guessed bit by bit. */
function sameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  // Past the end of `b` there is NaN, which counts as 0 here; the lengths have then settled it.
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}
