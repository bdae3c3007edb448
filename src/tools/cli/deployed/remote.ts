/** A client for a service over HTTP. Every failure becomes an error with a message of one line. */
import { BodyBytes, readInto } from '../../../core/bytes.ts'
import { isObject, parsedJson } from '../../../core/json.ts'
import { counted, describeValue, printable, quoted, withoutEnd } from '../../../core/text.ts'
import { DEFAULT_BASE_PATH } from '../../../service/http/base-path.ts'
import { isLoopback } from '../../../service/http/hosts.ts'
import { placeholderToken } from '../../../service/http/placeholder-token.ts'
import { isToken, readCredentials, TOKEN_SHAPE } from '../../../service/http/principal.ts'
import type { Scope } from '../../../commands/registry/scope.ts'
import { reasonOf } from '../../../storage/store-error.ts'
import { CommandError, usageError } from '../base/errors.ts'
import type { Io } from '../base/io.ts'

const UNKNOWN_COMMAND = 10063

/** The error of a request to a service. The problem continues a sentence that starts with the address. */
function failureAt(base: string) {
  return (problem: string, status = 0, body?: unknown, retryAfter: number | null = null): CommandError => {
    const isUnknownCommand = status === 404 && isObject(body) && body.code === UNKNOWN_COMMAND
    return new CommandError(`${base}: ${problem}`, 1, { problem, status, body, retryAfter, isUnknownCommand })
  }
}

/** Every method throws a `CommandError` when its request fails. */
export type Remote = ReturnType<typeof serviceOf>

/**
 * The service at an address.
 *
 * @param option the option that has the address: `against` or `to`
 * @param address without a path, the default base path is added
 * @param seconds until a request fails without a response
 * @throws CommandError for an invalid address or token
 */
export function serviceOf(io: Io, option: string, address: string, application: string, seconds: number) {
  const url = urlOf(option, address)
  const access = credentialOf(io, option, url, application)
  const path = withoutEnd(url.pathname, '/')
  /** The start of every URL, without a slash at the end. */
  const base = `${url.origin}${path === '' ? DEFAULT_BASE_PATH : path}`
  const failure = failureAt(base)
  const withoutToken = (text: string) => text.replaceAll(access.token, '***')
  const send = senderTo({ base, access, failure, seconds, limit: io.limits.response })
  const ask = async (...request: Parameters<typeof send>): Promise<unknown> => {
    const { status, headers, body, refused } = await send(...request)
    if (status === 204) return undefined
    if (status !== 200) throw refused()
    if (body !== undefined) return body
    const type = quoted(headers.get('content-type') ?? 'without a type', 40)
    const problem = `responds with something that is not JSON (${type}); check the address of the service`
    throw failure(problem, status)
  }
  const askList = async (items: string, ...request: Parameters<typeof ask>) => {
    const response = await ask(...request)
    if (Array.isArray(response)) return response as readonly unknown[]
    throw failure(`returns ${describeValue(response)} instead of a list of ${items}`, 200)
  }
  return {
    base,
    failure,
    send,
    /** The commands of a scope, with all translations (clause 2.10-08). */
    commands: (scope: Scope) => askList('commands', 'GET', commandsPath(scope)),
    /** Replaces the commands of a scope, and returns the new ones (clause 4.1-07). */
    overwrite: (scope: Scope, bodies: readonly unknown[]) =>
      askList('commands', 'PUT', commandsPath(scope), bodies),
    /** The version of a command, which each change moves on, or its id from a service without; undefined if it is gone. */
    versionOf: (scope: Scope, id: string): Promise<unknown> =>
      ask('GET', `${commandsOf(scope)}/${id}`).then(
        (body) => (isObject(body) ? (body.version ?? id) : id),
        (error: CommandError) => {
          if (!error.refusal!.isUnknownCommand) throw error
        },
      ),
    /** Deletes a command and its permissions (clauses 4.1-05, 4.2-05). */
    remove: async (scope: Scope, id: string): Promise<void> => {
      await ask('DELETE', `${commandsOf(scope)}/${id}`)
    },
    /** The permissions of the application in a guild (clause 4.3-01). */
    permissions: (guildId: string) =>
      askList('permissions', 'GET', `/applications/${application}/guilds/${guildId}/commands/permissions`),
    /** The application of the token; `undefined` when the service refuses the request. */
    application: () =>
      ask('GET', '/applications/@me').catch((error: CommandError) => {
        if (error.refusal!.status === 0) throw error
      }),
    /** A text of the service for the terminal, without the token (clause 5-03). */
    printable: (text: string, most = 200) => printable(withoutToken(text), most),
    withoutToken,
  }
}

interface Target {
  readonly base: string
  readonly access: Access
  readonly failure: ReturnType<typeof failureAt>
  readonly seconds: number
  /** The most bytes of a response. */
  readonly limit: number
}

/** A function that sends a request, and returns whatever comes. */
function senderTo({ base, access, failure, seconds, limit }: Target) {
  /** A text is sent as it is. @throws CommandError without a response */
  return async (
    method: string,
    path: string,
    sent?: unknown,
    more: Readonly<Record<string, string>> = {},
  ) => {
    let response: Response
    let text: string | undefined
    try {
      response = await fetch(`${base}${path}`, {
        method,
        headers: {
          accept: 'application/json',
          authorization: access.authorization,
          ...(sent !== undefined && { 'content-type': 'application/json' }),
          ...more,
        },
        ...(sent !== undefined && { body: typeof sent === 'string' ? sent : JSON.stringify(sent) }),
        // A redirect could send the token to another host.
        redirect: 'manual',
        signal: AbortSignal.timeout(seconds * 1_000),
      })
      text = await textOf(response, limit)
    } catch (error) {
      throw failure(whyUnanswered(error, seconds))
    }
    if (text === undefined) throw failure(`responds with more than ${Math.ceil(limit / 1024 / 1024)} MiB`)
    const { status, headers } = response
    const body = parsedJson(text)
    const retryAfter = retryAfterOf(headers, body)
    const refused = () => failure(whyRefused(response, body, access), status, body, retryAfter)
    return { status, headers, body, retryAfter, refused }
  }
}

function commandsOf(scope: Scope): string {
  const guild = scope.kind === 'guild' ? `/guilds/${scope.guildId}` : ''
  return `/applications/${scope.applicationId}${guild}/commands`
}

const commandsPath = (scope: Scope) => `${commandsOf(scope)}?with_localizations=true`

// --- Responses ------------------------------------------------------------------------------------------------

/** The text of a response; `undefined` beyond a limit: an endless response must not fill the memory. */
async function textOf({ body, headers }: Response, limit: number): Promise<string | undefined> {
  const bytes = new BodyBytes(limit)
  try {
    const excess = body && (await readInto(bytes, body.getReader(), headers.get('content-type')))
    return excess ? undefined : new TextDecoder().decode(bytes.bytes)
  } finally {
    bytes.release()
  }
}

function whyUnanswered(error: unknown, seconds: number): string {
  if (error instanceof Error && error.name === 'TimeoutError')
    return `did not respond within ${counted(seconds, 'second')}`
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  return `cannot be reached: ${reasonOf(cause).replace(/[\s\p{Cc}]+/gu, ' ')}`
}

function whyRefused({ status, headers }: Response, body: unknown, { token, isOwn }: Access): string {
  // Empty for a text with the token in it (clause 5-03).
  const quotedAfterSpace = (text: unknown, most: number) =>
    typeof text !== 'string' || text.includes(token) ? '' : ` ${quoted(text, most)}`
  if (status >= 300 && status < 400) {
    const to = quotedAfterSpace(headers.get('location'), 200)
    return `redirects with ${status}${to && ` to${to}`}; use that address`
  }
  const { message, code } = isObject(body) ? body : {}
  const refusal = `responds with ${status}${quotedAfterSpace(message, 100)}`
  if (status === 401 && isOwn) return `${refusal}: the token is invalid`
  if (status === 401) return `${refusal}: a token is required, in the environment variable COMMANDRY_TOKEN`
  const wait = retryAfterOf(headers, body)
  if (status === 429 && wait !== null) return `${refusal}; try again in ${counted(Math.ceil(wait), 'second')}`
  // A 404 of the service itself has a code. Without one, the path is not a route of the service.
  const hasCode = typeof code === 'number' && code !== 0
  return status === 404 && !hasCode ? `${refusal}; check the address of the service` : refusal
}

/** The seconds until a request may be repeated; null if the response does not say. */
function retryAfterOf(headers: Headers, body: unknown): number | null {
  const seconds = Number(headers.get('retry-after') ?? (isObject(body) ? body.retry_after : null))
  return seconds > 0 ? seconds : null
}

// --- The address and the token --------------------------------------------------------------------------------

/** Whether a text is the address of a service, not of a file. */
export function isAddress(text: string): boolean {
  return text === 'discord' || /^https?:/i.test(text)
}

function urlOf(option: string, address: string): URL {
  const text = address === 'discord' ? 'https://discord.com/api/v10' : address
  // The text may contain a secret, so no message has it.
  if (!URL.canParse(text)) throw usageError(`--${option} is not a valid URL`)
  const url = new URL(text)
  if (url.username === '' && url.password === '') return url
  throw usageError(`--${option} has a user name or a password; the service takes tokens only`)
}

type Access = ReturnType<typeof credentialOf>

/**
 * The `Authorization` header, which is sent to one host only and is never part of a message, and its token. `isOwn`: the
 * user gave it; otherwise it is a placeholder.
 */
function credentialOf(io: Io, option: string, { hostname }: URL, applicationId: string) {
  const text = (io.env.COMMANDRY_TOKEN ?? '').trim()
  if (text === '') {
    if (!isLoopback(hostname))
      throw usageError(`--${option} needs a token in the environment variable COMMANDRY_TOKEN`)
    const token = placeholderToken(applicationId)
    return { authorization: `Bot ${token}`, token, isOwn: false }
  }
  const read = readCredentials(text)
  const { type, token } = read.type === 'None' ? { type: 'Bot', token: text } : read
  if (!isToken(token)) throw usageError(`the token is not ${TOKEN_SHAPE}, after "Bot" or "Bearer" or nothing`)
  return { authorization: `${type} ${token}`, token, isOwn: true }
}
