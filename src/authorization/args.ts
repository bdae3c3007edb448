import { described } from '../core/text.ts'
import { AuthorizationCodeChallenge } from './challenge.ts'
import { AuthorizationError } from './error.ts'
import { readApplicationId, readText, type ApplicationId } from './values.ts'

interface Fields {
  clientId: bigint
  scopes: string
  state: string | undefined
  nonce: string | undefined
  codeChallenge: Readonly<AuthorizationCodeChallenge> | undefined
  integrationType: 0 | 1 | undefined
  customSchemeParam: string | undefined
}

/**
 * What an app asks a person for; `AuthorizationClient.authorize` takes it (clauses 2.12-01 to 2.12-07).
 *
 * A value, as in the SDK it comes from: `new AuthorizationArgs(other)` and `assign` copy, and the two then
 * go separate ways; `AuthorizationArgs.move(other)` and `moveFrom` take everything out of `other`, which is
 * invalid from then on. `nullobj` never held anything and never will.
 *
 * An invalid object reads as if nothing were set, so that it can be looked at and logged. Writing a field of
 * it is an `AuthorizationError` `invalid_object`. Assigning to it as a whole makes it what was assigned and
 * valid again; `nullobj` refuses even that. Copies of an invalid object are invalid.
 *
 * Fields check the type of what they are given (`TypeError`), not whether the request makes sense:
 * `authorize` does, and names all problems at once. An optional field is unset by `undefined` or `null`.
 */
export class AuthorizationArgs {
  #fields: Fields | null

  /** Nothing set, or a copy of another. */
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
  }

  /** A new object with everything `other` held. */
  static move(other: AuthorizationArgs): AuthorizationArgs {
    return new AuthorizationArgs().moveFrom(other)
  }

  /** The uninitialized instance. It is invalid and cannot be changed. */
  static get nullobj(): AuthorizationArgs {
    return (nullobj ??= emptied())
  }

  /** Whether this holds a valid object: false for `nullobj`, what was moved from, and copies of those. */
  isValid(): boolean {
    return this.#fields !== null
  }

  /** Becomes a copy of `other`. */
  assign(other: AuthorizationArgs): this {
    return this.#become(copyOf(checked(other).#fields))
  }

  /** Becomes what `other` was and leaves it invalid. Moving an object to itself changes nothing. */
  moveFrom(other: AuthorizationArgs): this {
    const fields = checked(other).#fields
    this.#become(fields)
    if (other !== this) other.#fields = null
    return this
  }

  /**
   * The application's id, an unsigned 64-bit integer; 0n, as long as none is set, stands for the one given to
   * `AuthorizationClient.setApplicationId`. May be set as a `bigint`, as its decimal digits, or as a number
   * up to 2^53 - 1; a larger number is a `TypeError`, for it was rounded already.
   */
  get clientId(): bigint {
    return this.#fields?.clientId ?? 0n
  }

  set clientId(value: ApplicationId) {
    this.#writable().clientId = readApplicationId('clientId', value)
  }

  /** The scopes to ask for, with spaces between them. Ask only for those that are needed. */
  get scopes(): string {
    return this.#fields?.scopes ?? ''
  }

  set scopes(value: string) {
    this.#writable().scopes = readText('scopes', value)
  }

  /** What the answer has to repeat. Best left unset: a secure random value is made for each request. */
  get state(): string | undefined {
    return this.#fields?.state
  }

  set state(value: string | null | undefined) {
    this.#writable().state = optionalText('state', value)
  }

  /** Ends up in the ID token; mainly for backends that use those. Matters with the scope `openid` only. */
  get nonce(): string | undefined {
    return this.#fields?.nonce
  }

  set nonce(value: string | null | undefined) {
    this.#writable().nonce = optionalText('nonce', value)
  }

  /** A frozen copy of what was set. Needed for `getToken`, and for redirects to a scheme. */
  get codeChallenge(): Readonly<AuthorizationCodeChallenge> | undefined {
    return this.#fields?.codeChallenge
  }

  set codeChallenge(value: Readonly<AuthorizationCodeChallenge> | null | undefined) {
    const fields = this.#writable()
    if (value !== undefined && value !== null && typeof value.challenge !== 'string') {
      throw new TypeError(
        `codeChallenge: expected an AuthorizationCodeChallenge, such as the challenge of a verifier, got ${described(value)}`,
      )
    }
    fields.codeChallenge = value ? Object.freeze(new AuthorizationCodeChallenge(value)) : undefined
  }

  /** How the app will be installed: 0 in a guild, 1 for the user. Matters to `applications.commands` only. */
  get integrationType(): 0 | 1 | undefined {
    return this.#fields?.integrationType
  }

  set integrationType(value: 0 | 1 | null | undefined) {
    const fields = this.#writable()
    if (value !== undefined && value !== null && value !== 0 && value !== 1) {
      throw new TypeError(
        `integrationType: expected 0 for a guild install or 1 for a user install, got ${described(value)}`,
      )
    }
    fields.integrationType = value ?? undefined
  }

  /** The app's own URI scheme for redirects on phones, without its colon: `X` stands for `X:/authorize/callback`. */
  get customSchemeParam(): string | undefined {
    return this.#fields?.customSchemeParam
  }

  set customSchemeParam(value: string | null | undefined) {
    this.#writable().customSchemeParam = optionalText('customSchemeParam', value)
  }

  #writable(): Fields {
    if (this.#fields === null) {
      throw new AuthorizationError(
        'invalid_object',
        this === nullobj
          ? 'AuthorizationArgs.nullobj cannot be changed; make a new AuthorizationArgs()'
          : 'these arguments are invalid, as after a move; assign to them or make a new AuthorizationArgs()',
      )
    }
    return this.#fields
  }

  #become(fields: Fields | null): this {
    if (this === nullobj) this.#writable()
    this.#fields = fields
    return this
  }
}

// Made when first asked for, so that loading this file does nothing.
let nullobj: AuthorizationArgs | undefined

function emptied(): AuthorizationArgs {
  const args = new AuthorizationArgs()
  AuthorizationArgs.move(args)
  Object.freeze(args)
  return args
}

function copyOf(fields: Fields | null): Fields | null {
  return fields && { ...fields }
}

function checked(other: AuthorizationArgs): AuthorizationArgs {
  if (other instanceof AuthorizationArgs) return other
  throw new TypeError(`other: expected AuthorizationArgs, got ${described(other)}`)
}

function optionalText(label: string, value: string | null | undefined): string | undefined {
  return value === undefined || value === null ? undefined : readText(label, value)
}
