import { describeValue } from '../core/text.ts'
import { AuthorizationCodeChallenge } from './challenge.ts'
import { AuthorizationError } from './error.ts'
import { readApplicationId, readIntegrationType, readString, type ApplicationId } from './values.ts'

const INSPECT = Symbol.for('nodejs.util.inspect.custom')
const HIDDEN = '(hidden)'

/** The fields of valid arguments. */
export interface ArgumentFields {
  clientId: bigint
  scopes: string
  state: string | undefined
  nonce: string | undefined
  codeChallenge: Readonly<AuthorizationCodeChallenge> | undefined
  integrationType: 0 | 1 | undefined
  customSchemeParam: string | undefined
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
  #fields: ArgumentFields | null

  /** Unset arguments, or a copy of `other`. */
  constructor(other?: AuthorizationArgs) {
    this.#fields =
      other === undefined
        ? {
            clientId: 0n,
            scopes: '',
            state: undefined,
            nonce: undefined,
            codeChallenge: undefined,
            integrationType: undefined,
            customSchemeParam: undefined,
          }
        : copyOf(checked(other).#fields)
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
    return this.#become(copyOf(checked(other).#fields))
  }

  /** Takes everything from `other`, which becomes invalid. Moving an object to itself changes nothing. */
  moveFrom(other: AuthorizationArgs): this {
    const fields = checked(other).#fields
    this.#become(fields)
    if (other !== this) other.#fields = null
    return this
  }

  /**
   * The application's id, an unsigned 64-bit integer. While it is 0n (unset), the id of
   * `AuthorizationClient.setApplicationId` is used. Set it as a `bigint`, as decimal digits, or as a number up to
   * 2^53 - 1; a larger number is a `TypeError`, because it is already rounded.
   */
  get clientId(): bigint {
    return this.#fields?.clientId ?? 0n
  }

  set clientId(value: ApplicationId) {
    this.#writable().clientId = readApplicationId('clientId', value)
  }

  /** The requested scopes, separated by spaces. */
  get scopes(): string {
    return this.#fields?.scopes ?? ''
  }

  set scopes(value: string) {
    this.#writable().scopes = readString('scopes', value)
  }

  /** The text that the response must repeat. Leave it unset: each request then gets a secure random value. */
  get state(): string | undefined {
    return this.#fields?.state
  }

  set state(value: string | null | undefined) {
    this.#writable().state = optionalText('state', value)
  }

  /** A text that becomes part of the ID token. Used only with the scope `openid`. */
  get nonce(): string | undefined {
    return this.#fields?.nonce
  }

  set nonce(value: string | null | undefined) {
    this.#writable().nonce = optionalText('nonce', value)
  }

  /** The challenge of a verifier, as a frozen copy. Required for `getToken`. */
  get codeChallenge(): Readonly<AuthorizationCodeChallenge> | undefined {
    return this.#fields?.codeChallenge
  }

  set codeChallenge(value: Readonly<AuthorizationCodeChallenge> | null | undefined) {
    const fields = this.#writable()
    if (value !== undefined && value !== null && typeof value.challenge !== 'string') {
      throw new TypeError(
        `codeChallenge: expected an AuthorizationCodeChallenge, such as the challenge of a verifier, got ${describeValue(value)}`,
      )
    }
    fields.codeChallenge = value ? Object.freeze(new AuthorizationCodeChallenge(value)) : undefined
  }

  /** How the app is installed: 0 in a guild, 1 for the user. Used only with the scope `applications.commands`. */
  get integrationType(): 0 | 1 | undefined {
    return this.#fields?.integrationType
  }

  set integrationType(value: 0 | 1 | null | undefined) {
    const fields = this.#writable()
    fields.integrationType = readIntegrationType('integrationType', value)
  }

  /** The app's own URI scheme for redirects on phones, without the colon: `X` gives `X:/authorize/callback`. */
  get customSchemeParam(): string | undefined {
    return this.#fields?.customSchemeParam
  }

  set customSchemeParam(value: string | null | undefined) {
    this.#writable().customSchemeParam = optionalText('customSchemeParam', value)
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

  #writable(): ArgumentFields {
    if (this.#fields === null) {
      throw new AuthorizationError(
        'invalid_object',
        this === nullobj
          ? 'AuthorizationArgs.nullobj cannot be changed; create a new AuthorizationArgs()'
          : 'these arguments are invalid, as after a move; assign to them or create a new AuthorizationArgs()',
      )
    }
    return this.#fields
  }

  #become(fields: ArgumentFields | null): this {
    if (this === nullobj) this.#writable()
    this.#fields = fields
    return this
  }
}

// Created on first use, so that loading this file does nothing.
let nullobj: AuthorizationArgs | undefined

// Outside the class: bundlers rename a class that refers to itself, and errors and logs would show that name.
function unset(): AuthorizationArgs {
  return new AuthorizationArgs()
}

function createNullobj(): AuthorizationArgs {
  const args = unset()
  AuthorizationArgs.move(args)
  Object.freeze(args)
  return args
}

function copyOf(fields: ArgumentFields | null): ArgumentFields | null {
  return fields && { ...fields }
}

function checked(other: AuthorizationArgs): AuthorizationArgs {
  if (other instanceof AuthorizationArgs) return other
  throw new TypeError(`other: expected AuthorizationArgs, got ${describeValue(other)}`)
}

function optionalText(label: string, value: string | null | undefined): string | undefined {
  return value === undefined || value === null ? undefined : readString(label, value)
}
