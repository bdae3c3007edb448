/** Proof key for code exchange (RFC 7636), the S256 method; service facts 8.1. */

export const AuthenticationCodeChallengeMethod = Object.freeze({ S256: 0 })
export type AuthenticationCodeChallengeMethod =
  (typeof AuthenticationCodeChallengeMethod)[keyof typeof AuthenticationCodeChallengeMethod]

/** Fills bytes with values nobody can guess, as `crypto.getRandomValues` does. */
export type RandomSource = (bytes: Uint8Array) => unknown

/** The platform's secure random source. */
export const secureRandom: RandomSource = (bytes) => crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>)

/**
 * What the service is told when authorization begins (clause 2.12-05). One you made yourself can be changed;
 * those that `AuthorizationArgs` and `AuthorizationCodeVerifier` hand out are frozen.
 */
export class AuthorizationCodeChallenge {
  method: AuthenticationCodeChallengeMethod
  challenge: string

  /** Empty, or a copy. */
  constructor(other?: { readonly challenge: string; readonly method?: AuthenticationCodeChallengeMethod }) {
    this.method = other?.method ?? AuthenticationCodeChallengeMethod.S256
    this.challenge = other?.challenge ?? ''
  }
}

const MAKING = Symbol()

/**
 * A challenge and the secret behind it, which the service is told when the code is exchanged. Made by
 * `AuthorizationClient.createAuthorizationCodeVerifier()` and by nothing else.
 */
export class AuthorizationCodeVerifier {
  readonly challenge: Readonly<AuthorizationCodeChallenge>
  /** 43 characters that nobody else may learn. */
  readonly verifier: string

  /** @internal */
  constructor(making: typeof MAKING, verifier: string, challenge: Readonly<AuthorizationCodeChallenge>) {
    if (making !== MAKING) {
      throw new TypeError(
        'AuthorizationCodeVerifier: use AuthorizationClient.createAuthorizationCodeVerifier()',
      )
    }
    this.verifier = verifier
    this.challenge = challenge
    Object.freeze(this)
  }
}

/** A new verifier: base64url of 32 random bytes. */
export async function createVerifier(random: RandomSource): Promise<AuthorizationCodeVerifier> {
  const verifier = randomText(random)
  const challenge = new AuthorizationCodeChallenge({ challenge: await s256(verifier) })
  return new AuthorizationCodeVerifier(MAKING, verifier, Object.freeze(challenge))
}

/** 32 random bytes as 43 characters that need no escaping in a URL. */
export function randomText(random: RandomSource): string {
  const bytes = new Uint8Array(32)
  random(bytes)
  return base64url(bytes)
}

/**
 * The challenge of a verifier: base64url of its SHA-256, without padding.
 *
 * @throws TypeError where there is no Web Crypto, as on pages outside a secure context.
 */
export async function s256(verifier: string): Promise<string> {
  const subtle = globalThis.crypto?.subtle as SubtleCrypto | undefined
  if (subtle === undefined) {
    throw new TypeError('crypto.subtle: expected Web Crypto, got undefined; pages need a secure context')
  }
  return base64url(new Uint8Array(await subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}

/** RFC 7636, section 4.1. */
export function isCodeVerifier(text: string): boolean {
  return /^[A-Za-z0-9._~-]{43,128}$/.test(text)
}

/** The only form S256 can give; any other would never match a verifier. */
export function isCodeChallenge(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text)
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
