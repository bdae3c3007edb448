import { described } from '../core/text.ts'
import { AuthorizationArgs } from './args.ts'
import {
  AuthorizationCodeVerifier,
  createVerifier,
  randomText,
  s256,
  secureRandom,
  type RandomSource,
} from './challenge.ts'
import { AuthorizationError } from './error.ts'
import { parseUrl, readRedirect } from './redirect.ts'
import {
  authorizeAddress,
  readRequest,
  tokenForm,
  type AuthorizationPlatform,
  type IssuedCode,
} from './request.ts'
import { communicationScopes, presenceScopes } from './scopes.ts'
import { readToken, type AuthorizationToken } from './token.ts'
import { readApplicationId, readText, type ApplicationId } from './values.ts'

export interface AuthorizationClientOptions {
  /**
   * Shows a person the address and gives the address they were sent back to: a browser and a deep link, a
   * browser and a loopback server, or a test's stand-in for both. Needed for `authorize`.
   */
  readonly open?: (url: string) => Promise<string>
  /** Default: the global `fetch`. Needed for `getToken`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Default `mobile`: answers go to a URI scheme. With `desktop` they go to `http://127.0.0.1/callback`. */
  readonly platform?: AuthorizationPlatform
  /** Default `https://discord.com/oauth2/authorize`. */
  readonly authorizeUrl?: string
  /** Default `https://discord.com/api/oauth2/token`. */
  readonly tokenUrl?: string
  /** What states and verifiers are made of. Default: `crypto.getRandomValues`. */
  readonly random?: RandomSource
}

/** What a person's consent gives: a code, once and for a short time exchangeable for a token. Frozen. */
export interface Authorization {
  readonly code: string
  /** Where the answer was sent; `getToken` wants the same. */
  readonly redirectUri: string
}

// A client that authorizes and leaves the exchange to a backend would otherwise remember every code.
const MOST_CODES = 64

/** The authorization half of the SDK's client: a person's consent, and then a token (2.12-02 to 2.12-06). */
export class AuthorizationClient {
  readonly #options: Required<Omit<AuthorizationClientOptions, 'open'>> &
    Pick<AuthorizationClientOptions, 'open'>
  readonly #issued = new Map<string, IssuedCode>()
  #applicationId = 0n

  /** @throws TypeError when an option is not what it should be */
  constructor(options: AuthorizationClientOptions = {}) {
    this.#options = {
      ...(options.open !== undefined && { open: func('open', options.open) }),
      // The global one is looked up when it is used, so that replacing it has an effect.
      fetch: func('fetch', options.fetch ?? ((url, init) => globalThis.fetch(url, init))),
      platform: platform(options.platform ?? 'mobile'),
      authorizeUrl: address('authorizeUrl', options.authorizeUrl ?? 'https://discord.com/oauth2/authorize'),
      tokenUrl: address('tokenUrl', options.tokenUrl ?? 'https://discord.com/api/oauth2/token'),
      random: func('random', options.random ?? secureRandom),
    }
  }

  /** All scopes for lobbies, messages and voice: `openid sdk.social_layer`. Includes the presence scopes. */
  static getDefaultCommunicationScopes(): string {
    return communicationScopes
  }

  /** All scopes for account linking, friends and presence: `openid sdk.social_layer_presence`. */
  static getDefaultPresenceScopes(): string {
    return presenceScopes
  }

  /**
   * The id used wherever none is given; 0n unsets it.
   *
   * @throws TypeError see `AuthorizationArgs.clientId`
   */
  setApplicationId(applicationId: ApplicationId): void {
    this.#applicationId = readApplicationId('applicationId', applicationId)
  }

  /** A new verifier and its challenge. Keep the verifier; put its `challenge` into `AuthorizationArgs`. */
  createAuthorizationCodeVerifier(): Promise<AuthorizationCodeVerifier> {
    return createVerifier(this.#options.random)
  }

  /**
   * Asks a person for the scopes. The arguments are read at once: changing or moving them meanwhile does no
   * harm.
   *
   * Nothing is opened for a request that cannot work. The answer has to come to the address it was sent to
   * and bear the state, which is made from the random source when it is unset.
   *
   * An `integrationType` is sent whatever the scopes are; it matters to `applications.commands` only.
   *
   * @throws TypeError when there is no `open`, or `args` are no `AuthorizationArgs`
   * @throws AuthorizationError any code but those of `getToken` alone
   */
  async authorize(args: AuthorizationArgs): Promise<Authorization> {
    const { open, platform, authorizeUrl, random } = this.#options
    if (!(args instanceof AuthorizationArgs)) {
      throw new TypeError(`args: expected AuthorizationArgs, got ${described(args)}`)
    }
    const request = readRequest(args, this.#applicationId, platform)
    const state = request.state ?? randomText(random)
    const answer = await opened(func('open', open), authorizeAddress(authorizeUrl, request, state))
    const code = readRedirect(answer, request.redirectUri, state)
    const { clientId, redirectUri, codeChallenge, scopes } = request
    this.#remember(code, { clientId, redirectUri, codeChallenge, scopes })
    return Object.freeze({ code, redirectUri })
  }

  /**
   * Exchanges a code for a token, without a client secret: the verifier proves that this app asked for it.
   *
   * A code this client got for another application, another challenge or none, or at another redirect is refused
   * without asking the service. Codes from elsewhere are taken as they are.
   *
   * @param applicationId 0n for the one the code was asked for, or for a code from elsewhere the one given to
   *   `setApplicationId`
   * @param redirectUri the one `authorize` returned
   * @throws AuthorizationError `invalid_arguments`, `refused`, `request_failed` or `response_invalid`
   */
  async getToken(
    applicationId: ApplicationId,
    code: string,
    verifier: AuthorizationCodeVerifier | string,
    redirectUri: string,
  ): Promise<AuthorizationToken> {
    const issued = this.#issued.get(code)
    const exchange = {
      applicationId:
        readApplicationId('applicationId', applicationId) || (issued?.clientId ?? this.#applicationId),
      code: readText('code', code),
      verifier: readText(
        'verifier',
        verifier instanceof AuthorizationCodeVerifier ? verifier.verifier : verifier,
      ),
      redirectUri: readText('redirectUri', redirectUri),
    }
    const form = tokenForm(exchange, issued, issued && (await s256(exchange.verifier)))
    const { status, body } = await this.#post(form)
    const token = readToken(status, body, issued?.scopes ?? '', [code, exchange.verifier])
    this.#issued.delete(code)
    return token
  }

  async #post(form: URLSearchParams): Promise<{ status: number; body: string }> {
    // Taken out first: the platform's own fetch does not want to be called as a method of the options.
    const { fetch, tokenUrl } = this.#options
    try {
      const response = await fetch(tokenUrl, {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
        body: form.toString(),
        // Following would hand code and verifier to whoever is named.
        redirect: 'manual',
      })
      return { status: response.status, body: await response.text() }
    } catch (cause) {
      throw new AuthorizationError('request_failed', 'the token endpoint could not be reached', { cause })
    }
  }

  #remember(code: string, issued: IssuedCode): void {
    this.#issued.set(code, issued)
    if (this.#issued.size <= MOST_CODES) return
    for (const oldest of this.#issued.keys()) {
      this.#issued.delete(oldest)
      return
    }
  }
}

async function opened(open: (url: string) => Promise<string>, url: string): Promise<string> {
  try {
    return await open(url)
  } catch (cause) {
    throw new AuthorizationError('open_failed', 'the address could not be opened, or no answer came', {
      cause,
    })
  }
}

function func<T extends (...args: never[]) => unknown>(label: string, value: T | undefined): T {
  if (typeof value === 'function') return value
  throw new TypeError(`${label}: expected a function, got ${described(value)}`)
}

function platform(value: AuthorizationPlatform): AuthorizationPlatform {
  if (value === 'mobile' || value === 'desktop') return value
  throw new TypeError(`platform: expected 'mobile' or 'desktop', got ${described(value)}`)
}

function address(label: string, value: string): string {
  if (parseUrl(value) !== undefined) return value
  throw new TypeError(`${label}: expected an absolute URL, got ${described(value)}`)
}
