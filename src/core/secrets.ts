/** Secrets: texts that grant access, and must not be guessed. The only file that makes and compares them. */
import { toHex } from './bytes.ts'

declare const secret: unique symbol

/** A text of `newSecret`. */
export type Secret = string & { readonly [secret]: true }

/** Random digits in hex, two for each byte. @param prefix says in a log what the secret is for */
export function newSecret(bytes: number, prefix = ''): Secret {
  return `${prefix}${toHex(fillWithSecrets(new Uint8Array(bytes)))}` as Secret
}

/** Fills bytes from the platform's secure random source, and returns them. */
export function fillWithSecrets(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(bytes)
}

/** Compares two texts in a time that depends only on the length of the given one: it reveals no secret. */
export function equalsSecret(given: string, secret: string): boolean {
  let difference = given.length ^ secret.length
  // Past the end of the secret the code is NaN, which counts as 0; the lengths differ then.
  for (let i = 0; i < given.length; i++) difference |= given.charCodeAt(i) ^ secret.charCodeAt(i)
  return difference === 0
}
