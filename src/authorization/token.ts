/** Token responses (RFC 6749, section 5). */
import { isObject, type JsonObject } from '../core/json.ts'
import { AuthorizationError, refused } from './error.ts'

/** The types of access tokens, spelled as in the SDK. */
export const AuthorizationTokenType = Object.freeze({
  User: 0,
  Bearer: 1,
})
/** A value of `AuthorizationTokenType`. */
export type AuthorizationTokenType = (typeof AuthorizationTokenType)[keyof typeof AuthorizationTokenType]

/** A token to act on a person's behalf. Frozen. */
export interface AuthorizationToken {
  readonly accessToken: string
  /** The token that renews this one; `undefined` if the service gave none. */
  readonly refreshToken: string | undefined
  readonly tokenType: AuthorizationTokenType
  /** Lifetime in seconds; `undefined` if the service gave none. */
  readonly expiresIn: number | undefined
  /** The granted scopes, separated by spaces. */
  readonly scopes: string
}

/**
 * Reads a token response. Errors contain only its `error` and `error_description`, with the secrets masked.
 *
 * @param requested the requested scopes: a response without scopes grants those
 * @param secrets texts to mask if the service repeats them
 * @throws AuthorizationError `refused`, `request_failed` or `response_invalid`
 */
export function readToken(
  status: number,
  body: string,
  requested: string,
  secrets: readonly string[],
): AuthorizationToken {
  const response = parseObject(body)
  const { error, error_description: description } = response
  if (typeof error === 'string') {
    throw refused(
      {
        error: mask(error, secrets),
        description: typeof description === 'string' ? mask(description, secrets) : undefined,
      },
      status,
    )
  }
  if (status < 200 || status > 299) {
    throw new AuthorizationError('request_failed', `the token endpoint responded with status ${status}`, {
      status,
    })
  }
  const accessToken = response.access_token
  const refreshToken = response.refresh_token ?? undefined
  const tokenType = readTokenType(response.token_type)
  const expiresIn = response.expires_in ?? undefined
  const scopes = response.scope ?? requested
  if (
    isNonEmptyText(accessToken) &&
    (refreshToken === undefined || isNonEmptyText(refreshToken)) &&
    tokenType !== undefined &&
    (expiresIn === undefined || isDuration(expiresIn)) &&
    typeof scopes === 'string'
  ) {
    return Object.freeze({ accessToken, refreshToken, tokenType, expiresIn, scopes })
  }
  throw new AuthorizationError(
    'response_invalid',
    'the token response has no valid access_token, or an invalid token_type, expires_in, refresh_token or scope',
    { status },
  )
}

const NO_FIELDS: JsonObject = {}

// No cause: the error of JSON.parse quotes the text, which contains a token.
function parseObject(body: string): JsonObject {
  try {
    const value: unknown = JSON.parse(body)
    return isObject(value) ? value : NO_FIELDS
  } catch {
    return NO_FIELDS
  }
}

function readTokenType(value: unknown): AuthorizationTokenType | undefined {
  if (typeof value !== 'string') return undefined
  const type = value.toLowerCase()
  if (type === 'bearer') return AuthorizationTokenType.Bearer
  return type === 'user' ? AuthorizationTokenType.User : undefined
}

function isNonEmptyText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isDuration(value: unknown): value is number {
  return typeof value === 'number' && value >= 0
}

// Shorter texts are not secrets, and masking them would make the message unreadable.
const SHORTEST_SECRET = 8

function mask(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
}
