import { AuthorizationCodeChallenge } from './challenge.ts'
import { AuthorizationError } from './authorization-error.ts'
import { argument, aString, demand } from '../core/rules/arguments.ts'
import {
  anInstallation,
  readApplicationId,
  readString,
  unsettable,
  type ApplicationId,
} from './argument-values.ts'

const INSPECT = Symbol.for('nodejs.util.inspect.custom')
const HIDDEN = '(hidden)'

/** The fields of unset arguments, and what those of an invalid object read as. */
const UNSET = {
  clientId: 0n,
  scopes: '',
  state: undefined as string | undefined,
  nonce: undefined as string | undefined,
  codeChallenge: undefined as Readonly<AuthorizationCodeChallenge> | undefined,
  integrationType: undefined as 0 | 1 | undefined,
  customSchemeParam: undefined as string | undefined,
}

/**
 * What an app asks a person for; the argument of `AuthorizationClient.authorize` (clauses 2.12-01 to 2.12-07).
 *
 * It behaves as a value, like in the SDK: `new AuthorizationArgs(other)` and `assign` copy, and the copies are
 * independent. `AuthorizationArgs.move(other)` and `moveFrom` take everything from `other` and leave it invalid.
 * `nullobj` is always invalid and read-only.
 *
 * The fields of an invalid object read as unset, so that it can be inspected and logged. Writing one of them throws
 * an `AuthorizationError` `invalid_object`. Assigning a whole object makes an invalid one valid again, except
 * `nullobj`. Copies of an invalid object are invalid.
 *
 * Setters check types (`TypeError`); `authorize` checks whether the request can succeed and reports every problem at
 * once. `undefined` and `null` unset an optional field. An unknown property is a `TypeError`.
 */
export class AuthorizationArgs {
  /** Null when this object is invalid. */
  #fields: typeof UNSET | null = { ...UNSET }

  /** Unset arguments, or a copy of `other`. */
  constructor(other?: AuthorizationArgs) {
    if (other !== undefined) this.assign(other)
    // A misspelt field is a TypeError instead of a value that is never sent.
    Object.preventExtensions(this)
  }

  /** A new object with everything from `other`, which becomes invalid. */
  static move(other: AuthorizationArgs): AuthorizationArgs {
    return unset().moveFrom(other)
  }

  /** The uninitialized instance: always invalid and read-only. */
  static get nullobj(): AuthorizationArgs {
    return (nullobj ??= createNullobj())
  }

  /** Whether this object is valid: false for `nullobj`, a moved-from object, and copies of those. */
  isValid(): boolean {
    return this.#fields !== null
  }

  /** Becomes a copy of `other`. */
  assign(other: AuthorizationArgs): this {
    checkArgs('other', other)
    if (this === nullobj) throw readOnly()
    this.#fields = other.#fields && { ...other.#fields }
    return this
  }

  /** Takes everything from `other`, which becomes invalid. Moving an object to itself changes nothing. */
  moveFrom(other: AuthorizationArgs): this {
    this.assign(other)
    if (other !== this) other.#fields = null
    return this
  }

  /**
   * The application's id, an unsigned 64-bit integer. While it is 0n (unset), the id of
   * `AuthorizationClient.setApplicationId` is used. Set it as a `bigint`, as decimal digits, or as a number up to
   * 2^53 - 1; a larger number is a `TypeError`, because it is already rounded.
   */
  get clientId(): bigint {
    return this.#readable.clientId
  }

  set clientId(value: ApplicationId) {
    this.#writable.clientId = readApplicationId(value, 'clientId')
  }

  /** The requested scopes, separated by spaces. */
  get scopes(): string {
    return this.#readable.scopes
  }

  set scopes(value: string) {
    this.#writable.scopes = readString(value, 'scopes')
  }

  /** The text that the response must repeat. Leave it unset: each request then gets a secure random value. */
  get state(): string | undefined {
    return this.#readable.state
  }

  set state(value: string | null | undefined) {
    this.#writable.state = readOptionalText(value, 'state')
  }

  /** A text that becomes part of the ID token. Used only with the scope `openid`. */
  get nonce(): string | undefined {
    return this.#readable.nonce
  }

  set nonce(value: string | null | undefined) {
    this.#writable.nonce = readOptionalText(value, 'nonce')
  }

  /** The challenge of a verifier, as a frozen copy. Required for `getToken`. */
  get codeChallenge(): Readonly<AuthorizationCodeChallenge> | undefined {
    return this.#readable.codeChallenge
  }

  set codeChallenge(value: Readonly<AuthorizationCodeChallenge> | null | undefined) {
    const fields = this.#writable
    const given = readChallenge(value, 'codeChallenge')
    fields.codeChallenge = given && Object.freeze(new AuthorizationCodeChallenge(given))
  }

  /** How the app is installed: 0 in a guild, 1 for the user. Used only with the scope `applications.commands`. */
  get integrationType(): 0 | 1 | undefined {
    return this.#readable.integrationType
  }

  set integrationType(value: 0 | 1 | null | undefined) {
    this.#writable.integrationType = readInstallation(value, 'integrationType')
  }

  /** The app's own URI scheme for redirects on phones, without the colon: `X` gives `X:/authorize/callback`. */
  get customSchemeParam(): string | undefined {
    return this.#readable.customSchemeParam
  }

  set customSchemeParam(value: string | null | undefined) {
    this.#writable.customSchemeParam = readOptionalText(value, 'customSchemeParam')
  }

  /** The fields that are set, for logs: `state` and `nonce` are hidden, and the id is written as digits. */
  toJSON(): Record<string, unknown> {
    const { clientId, state, nonce, ...others } = this.#fields ?? { clientId: 0n }
    const shown = {
      valid: this.isValid(),
      clientId: String(clientId),
      ...others,
      state: state === undefined ? undefined : HIDDEN,
      nonce: nonce === undefined ? undefined : HIDDEN,
    }
    return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined))
  }

  /** The output of `console.log` in Node.js: the class name and `toJSON()`. */
  [INSPECT](_depth: number, options: object, inspect: (value: unknown, options: object) => string): string {
    return `AuthorizationArgs ${inspect(this.toJSON(), options)}`
  }

  get #readable(): Readonly<typeof UNSET> {
    return this.#fields ?? UNSET
  }

  get #writable(): typeof UNSET {
    if (this.#fields !== null) return this.#fields
    if (this === nullobj) throw readOnly()
    throw new AuthorizationError(
      'invalid_object',
      'these arguments are invalid, as after a move; assign to them or create a new AuthorizationArgs()',
    )
  }
}

// Created on first use, so that loading this file does nothing.
let nullobj: AuthorizationArgs | undefined

// These are outside the class: bundlers rename a class that refers to itself, and errors and logs would show that name.
function unset(): AuthorizationArgs {
  return new AuthorizationArgs()
}

function createNullobj(): AuthorizationArgs {
  const args = unset()
  AuthorizationArgs.move(args)
  return args
}

/** @throws TypeError */
export function checkArgs(label: string, args: AuthorizationArgs): void {
  demandArgs(args, label)
}

const demandArgs = /* @__PURE__ */ demand(
  argument('AuthorizationArgs', (value) => value instanceof AuthorizationArgs),
)

function readOnly(): AuthorizationError {
  const message = 'AuthorizationArgs.nullobj cannot be changed; create a new AuthorizationArgs()'
  return new AuthorizationError('invalid_object', message)
}

const readOptionalText = /* @__PURE__ */ unsettable(aString)
const readInstallation = /* @__PURE__ */ unsettable(anInstallation)
const readChallenge = /* @__PURE__ */ unsettable(
  argument<AuthorizationCodeChallenge>(
    'an AuthorizationCodeChallenge, such as the challenge of a verifier',
    (value) => typeof value.challenge === 'string',
  ),
)
