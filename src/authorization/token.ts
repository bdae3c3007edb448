/** What the token endpoint answers (RFC 6749, section 5; service facts 8.1). */
import { isObject, type JsonObject } from '../core/json.ts'
import { AuthorizationError, refused } from './error.ts'

/** Spelled as in the SDK. */
export const AuthorizationTokenType = Object.freeze({ User: 0, Bearer: 1 })
export type AuthorizationTokenType = (typeof AuthorizationTokenType)[keyof typeof AuthorizationTokenType]

/** What an app acts with on a person's behalf. Frozen. */
export interface AuthorizationToken {
  readonly accessToken: string
  /** `undefined` when the service gave none. */
  readonly refreshToken: string | undefined
  readonly tokenType: AuthorizationTokenType
  /** Seconds from the answer on; `undefined` when the service did not say. */
  readonly expiresIn: number | undefined
  /** The scopes granted, with spaces between them. */
  readonly scopes: string
}

/**
 * Reads an answer. Nothing of it gets into an error but the `error` and `error_description` of OAuth, and
 * those without the secrets.
 *
 * @param requested the scopes that were asked for: an answer that names none grants those
 * @param secrets texts to blot out, should the service repeat them
 * @throws AuthorizationError `refused`, `request_failed` or `response_invalid`
 */
export function readToken(
  status: number,
  body: string,
  requested: string,
  secrets: readonly string[],
): AuthorizationToken {
  const answer = parseObject(body)
  const { error, error_description: description } = answer
  if (typeof error === 'string') {
    throw refused(
      {
        error: blot(error, secrets),
        description: typeof description === 'string' ? blot(description, secrets) : undefined,
      },
      status,
    )
  }
  if (status < 200 || status > 299) {
    throw new AuthorizationError('request_failed', `the token endpoint answered with status ${status}`, {
      status,
    })
  }
  const accessToken = answer.access_token
  const refreshToken = answer.refresh_token ?? undefined
  const tokenType = readTokenType(answer.token_type)
  const expiresIn = answer.expires_in ?? undefined
  const scopes = answer.scope ?? requested
  if (
    isFilled(accessToken) &&
    (refreshToken === undefined || isFilled(refreshToken)) &&
    tokenType !== undefined &&
    (expiresIn === undefined || isDuration(expiresIn)) &&
    typeof scopes === 'string'
  ) {
    return Object.freeze({ accessToken, refreshToken, tokenType, expiresIn, scopes })
  }
  throw new AuthorizationError(
    'response_invalid',
    'the token endpoint answered without a usable access_token, or with a token_type, expires_in, refresh_token or scope that cannot be read',
    { status },
  )
}

const nothing: JsonObject = {}

// Without a cause: the error of JSON.parse quotes the text, and with it a token.
function parseObject(body: string): JsonObject {
  try {
    const value: unknown = JSON.parse(body)
    return isObject(value) ? value : nothing
  } catch {
    return nothing
  }
}

function readTokenType(value: unknown): AuthorizationTokenType | undefined {
  if (typeof value !== 'string') return undefined
  const type = value.toLowerCase()
  if (type === 'bearer') return AuthorizationTokenType.Bearer
  return type === 'user' ? AuthorizationTokenType.User : undefined
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function isDuration(value: unknown): value is number {
  return typeof value === 'number' && value >= 0
}

// Shorter texts are no secrets, and blotting them out would only spoil the sentence.
const SHORTEST_SECRET = 8

function blot(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
}
