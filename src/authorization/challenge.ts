/** Proof key for code exchange (RFC 7636), the S256 method. */
import { demandObject, demandText } from '../core/rules/arguments.ts'
import { fillWithSecrets } from '../core/secrets.ts'
import { isThenable } from '../core/thenable.ts'

/** The only method, spelled as in the SDK. */
export const AuthenticationCodeChallengeMethod = Object.freeze({
  /** The challenge is the SHA-256 hash of the verifier. */
  S256: 0,
})
/** A value of `AuthenticationCodeChallengeMethod`. */
export type AuthenticationCodeChallengeMethod =
  (typeof AuthenticationCodeChallengeMethod)[keyof typeof AuthenticationCodeChallengeMethod]

/** Fills the bytes with secure random values before it returns, as `crypto.getRandomValues` does. */
export type RandomSource = (bytes: Uint8Array) => unknown

/** The platform's secure random source. */
export const secureRandom: RandomSource = (bytes) => fillWithSecrets(bytes as Uint8Array<ArrayBuffer>)

/**
 * The public half of a verifier, sent when authorization begins (clause 2.12-05). One you construct can be changed;
 * those that `AuthorizationArgs` and `AuthorizationCodeVerifier` return are frozen.
 */
export class AuthorizationCodeChallenge {
  /** How the challenge is computed from the verifier. Always S256. */
  method: AuthenticationCodeChallengeMethod
  /** 43 characters of base64url; empty until set. */
  challenge: string

  /** Empty, or a copy. */
  constructor(other?: { readonly challenge: string; readonly method?: AuthenticationCodeChallengeMethod }) {
    if (other !== undefined) demandObject(other, 'other')
    if (other !== undefined) demandText(other.challenge, 'other.challenge')
    this.method = other?.method ?? AuthenticationCodeChallengeMethod.S256
    this.challenge = other?.challenge ?? ''
  }
}

// Only this module has it, so only this module can construct a verifier.
const MAKING = Symbol()

/**
 * A challenge and its secret, which is sent when the code is exchanged. Only
 * `AuthorizationClient.createAuthorizationCodeVerifier()` creates one.
 */
export class AuthorizationCodeVerifier {
  /** The public half, for `AuthorizationArgs.codeChallenge`. */
  readonly challenge: Readonly<AuthorizationCodeChallenge>
  /** The secret: 43 characters of base64url. */
  readonly verifier: string

  /** @internal */
  constructor(making: typeof MAKING, verifier: string, challenge: string) {
    if (making !== MAKING) {
      throw new TypeError(
        'AuthorizationCodeVerifier: use AuthorizationClient.createAuthorizationCodeVerifier()',
      )
    }
    this.verifier = verifier
    this.challenge = Object.freeze(new AuthorizationCodeChallenge({ challenge }))
    Object.freeze(this)
  }
}

/**
 * A new verifier: base64url of 32 random bytes.
 *
 * @throws TypeError when the source gives no random bytes
 */
export async function createVerifier(random: RandomSource): Promise<AuthorizationCodeVerifier> {
  const verifier = randomText(random)
  return new AuthorizationCodeVerifier(MAKING, verifier, await s256(verifier))
}

/**
 * 32 random bytes as 43 characters that need no escaping in a URL.
 *
 * @throws TypeError when the source returns a promise or leaves every byte zero: its texts could be guessed
 */
export function randomText(random: RandomSource): string {
  const bytes = new Uint8Array(32)
  if (isThenable(random(bytes))) {
    throw new TypeError('random: expected a function that fills the bytes before it returns, got a promise')
  }
  if (bytes.every((byte) => byte === 0)) {
    throw new TypeError('random: expected a function that fills the bytes, got only zeros')
  }
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

/** Whether a text can be a verifier (RFC 7636, section 4.1). */
export function isCodeVerifier(text: string): boolean {
  return /^[A-Za-z0-9._~-]{43,128}$/.test(text)
}

/** S256 always gives 43 characters; no other text can match a verifier. */
export function isCodeChallenge(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text)
}

function base64url(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
