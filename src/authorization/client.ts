import { BoundedMap } from '../core/bounded-map.ts'
import { aFunction, argument, demand, optionsOf } from '../core/rules/arguments.ts'
import { nullable, optional } from '../core/rules/readers.ts'
import { deepFreeze } from '../core/freeze.ts'
import { checkArgs, type AuthorizationArgs } from './args.ts'
import {
  AuthorizationCodeVerifier,
  createVerifier,
  randomText,
  s256,
  secureRandom,
  type RandomSource,
} from './challenge.ts'
import { AuthorizationError, type AuthorizationIssue } from './authorization-error.ts'
import { readRedirect } from './redirect-uri.ts'
import {
  AUTHORIZE_URL,
  readRequest,
  tokenForm,
  withQuery,
  type AuthorizationPlatform,
  type IssuedCode,
} from './request.ts'
import { communicationScopes, presenceScopes } from './scopes.ts'
import { readToken, type AuthorizationToken } from './token.ts'
import { aUrl, readApplicationId, readString, type ApplicationId } from './argument-values.ts'

/** The options of an `AuthorizationClient`; all are optional. */
export interface AuthorizationClientOptions {
  /**
   * Opens the address for a person and resolves to the address they were redirected to, by a deep link or a loopback
   * server. Required for `authorize`.
   */
  readonly open?: (url: string) => Promise<string>
  /** Sends the token request. Default: the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** `mobile` (default) redirects to a URI scheme, `desktop` to `http://127.0.0.1/callback`. */
  readonly platform?: AuthorizationPlatform
  /** The page that asks for consent. Default `https://discord.com/oauth2/authorize`. */
  readonly authorizeUrl?: string
  /** The token endpoint. Default `https://discord.com/api/oauth2/token`. */
  readonly tokenUrl?: string
  /** The source of states and verifiers. Default: `crypto.getRandomValues`. */
  readonly random?: RandomSource
}

/** The result of a person's consent. Frozen. */
export interface Authorization {
  readonly code: string
  /** The redirect of the request; pass it to `getToken`. */
  readonly redirectUri: string
  /** Settings that have no effect, or that Discord refuses; empty if there are none. */
  readonly warnings: readonly AuthorizationIssue[]
}

const checkedOptions = /* @__PURE__ */ optionsOf<AuthorizationClientOptions>('AuthorizationClient', {
  open: optional(aFunction),
  fetch: nullable(aFunction),
  platform: optional(argument("'mobile' or 'desktop'", (value) => value === 'mobile' || value === 'desktop')),
  authorizeUrl: nullable(aUrl),
  tokenUrl: nullable(aUrl),
  random: nullable(aFunction),
})

// Without a limit, a client that leaves the exchange to a backend would keep every code.
const MAX_CODES = 64

const readTokenOptions = /* @__PURE__ */ optionsOf<{ readonly signal?: AbortSignal }>('getToken', {
  signal: optional(argument('an AbortSignal', (value) => value instanceof AbortSignal)),
})

const demandFunction = /* @__PURE__ */ demand(aFunction)

/** Asks a person for consent, then exchanges the code for a token (clauses 2.12-02 to 2.12-06). */
export class AuthorizationClient {
  readonly #options
  readonly #issued = new BoundedMap<string, IssuedCode>(MAX_CODES)
  #applicationId = 0n

  /** @throws TypeError when an option is invalid */
  constructor(options: AuthorizationClientOptions = {}) {
    const {
      open,
      // Looked up at each call, so that replacing the global has an effect.
      fetch = (url, init) => globalThis.fetch(url, init),
      platform = 'mobile',
      authorizeUrl = AUTHORIZE_URL,
      tokenUrl = 'https://discord.com/api/oauth2/token',
      random = secureRandom,
    } = checkedOptions(options)
    this.#options = { open, fetch, platform, authorizeUrl, tokenUrl, random }
  }

  /** The scopes for lobbies, messages and voice, presence included: `openid sdk.social_layer`. */
  static getDefaultCommunicationScopes(): string {
    return communicationScopes
  }

  /** The scopes for account linking, friends and presence: `openid sdk.social_layer_presence`. */
  static getDefaultPresenceScopes(): string {
    return presenceScopes
  }

  /**
   * Sets the default application id; 0n unsets it.
   *
   * @throws TypeError see `AuthorizationArgs.clientId`
   */
  setApplicationId(applicationId: ApplicationId): void {
    this.#applicationId = readApplicationId(applicationId, 'applicationId')
  }

  /**
   * A new verifier. Set its `challenge` in `AuthorizationArgs`, and keep the verifier for `getToken`.
   *
   * @throws TypeError when `random` gives no random bytes
   */
  createAuthorizationCodeVerifier(): Promise<AuthorizationCodeVerifier> {
    return createVerifier(this.#options.random)
  }

  /**
   * Asks a person for the scopes. The arguments are read at once, so later changes of them have no effect.
   *
   * Nothing is opened for a request that cannot succeed. The response must come to the redirect of the request and
   * have its state, which is random when it is unset.
   *
   * @throws TypeError when `open` is missing, `args` is not an `AuthorizationArgs`, or `random` gives no random bytes
   * @throws AuthorizationError any code except `request_failed` and `response_invalid`
   */
  async authorize(args: AuthorizationArgs): Promise<Authorization> {
    const { open, platform, authorizeUrl, random } = this.#options
    checkArgs('args', args)
    const { issued, parameters, warnings } = readRequest(args, this.#applicationId, platform)
    const { redirectUri } = issued
    const { state = randomText(random) } = args
    const openPage: NonNullable<typeof open> = demandFunction(open, 'open')
    let returned: string
    try {
      returned = await openPage(withQuery(authorizeUrl, [...parameters, ['state', state]]))
    } catch (cause) {
      const message = 'the address could not be opened, or there was no response'
      throw new AuthorizationError('open_failed', message, { cause })
    }
    const code = readRedirect(returned, redirectUri, state, new URL(authorizeUrl).origin)
    this.#issued.set(code, issued)
    return deepFreeze({ code, redirectUri, warnings })
  }

  /**
   * Exchanges a code for a token without a client secret: the verifier proves that this app requested the code.
   *
   * A code of this client is rejected before anything is sent if it belongs to another application, another
   * challenge (or none) or another redirect. Codes of other clients are not checked.
   *
   * @param applicationId 0n for the application of the code or, for a code of another client, the id of
   *   `setApplicationId`
   * @param redirectUri the one `authorize` returned
   * @param options `signal` aborts the request: `getToken` rejects with `request_failed`, and `cause` is its reason
   * @throws TypeError when an argument has the wrong type
   * @throws AuthorizationError `invalid_arguments`, `refused`, `request_failed` or `response_invalid`
   */
  async getToken(
    applicationId: ApplicationId,
    code: string,
    verifier: AuthorizationCodeVerifier | string,
    redirectUri: string,
    options: { readonly signal?: AbortSignal } = {},
  ): Promise<AuthorizationToken> {
    const { signal } = readTokenOptions(options)
    const issued = this.#issued.get(code)
    const secret = verifier instanceof AuthorizationCodeVerifier ? verifier.verifier : verifier
    const exchange = {
      applicationId:
        readApplicationId(applicationId, 'applicationId') || (issued?.clientId ?? this.#applicationId),
      code: readString(code, 'code'),
      verifier: readString(secret, 'verifier'),
      redirectUri: readString(redirectUri, 'redirectUri'),
    }
    const form = tokenForm(exchange, issued, issued && (await s256(secret)))
    const { status, body } = await this.#post(form, signal)
    const token = readToken(status, body, issued?.scopes ?? '', [code, secret])
    this.#issued.delete(code)
    return token
  }

  async #post(body: URLSearchParams, signal: AbortSignal | undefined) {
    // Taken out first: the platform's fetch cannot be called as a method of the options.
    const { fetch, tokenUrl } = this.#options
    try {
      signal?.throwIfAborted()
      const response = await fetch(tokenUrl, {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
        body: body.toString(),
        // Following a redirect would send the code and the verifier to another host.
        redirect: 'manual',
        ...(signal && { signal }),
      })
      return { status: response.status, body: await response.text() }
    } catch (cause) {
      throw new AuthorizationError('request_failed', 'the token endpoint could not be reached', { cause })
    }
  }
}
