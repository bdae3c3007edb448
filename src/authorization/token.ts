/** Token responses (RFC 6749, section 5). */
import { isObject, parsedJson } from '../core/json.ts'
import { AuthorizationError, refusedByService } from './authorization-error.ts'

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

// Shorter texts are not secrets, and masking them would make the message unreadable.
const MIN_SECRET_LENGTH = 8

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
  // Without the error of `JSON.parse`, which quotes the text with its tokens.
  const response = parsedJson(body)
  const fields = isObject(response) ? response : {}
  const { error, error_description: description } = fields
  if (typeof error === 'string') {
    const mask = (text: string) =>
      secrets
        .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
        .reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
    const masked = typeof description === 'string' ? mask(description) : undefined
    throw refusedByService({ error: mask(error), description: masked }, status)
  }
  if (status < 200 || status > 299) {
    const message = `the token endpoint responded with status ${status}`
    throw new AuthorizationError('request_failed', message, { status })
  }
  const { access_token: accessToken, token_type: type } = fields
  const refreshToken = fields.refresh_token ?? undefined
  const expiresIn = fields.expires_in ?? undefined
  const scopes = fields.scope ?? requested
  const tokenType = typeof type === 'string' ? tokenTypes.get(type.toLowerCase()) : undefined
  if (
    isNonEmptyText(accessToken) &&
    (refreshToken === undefined || isNonEmptyText(refreshToken)) &&
    tokenType !== undefined &&
    (expiresIn === undefined || (typeof expiresIn === 'number' && expiresIn >= 0)) &&
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

const tokenTypes: ReadonlyMap<string, AuthorizationTokenType> = /* @__PURE__ */ new Map([
  ['bearer', 1],
  ['user', 0],
])

function isNonEmptyText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
