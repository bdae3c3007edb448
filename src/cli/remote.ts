/** A client for a service over HTTP. Every failure becomes an error with a message of one line. */
import type { Io } from './io.ts'
import { isObject, parsedJson } from '../core/json.ts'
import { counted, describeValue, printable, quoted } from '../core/text.ts'
import { DEFAULT_BASE_PATH } from '../http/base-path.ts'
import { isLoopback } from '../http/hosts.ts'
import { isToken, readCredentials, TOKEN_SHAPE } from '../http/principal.ts'
import type { Scope } from '../registry/scope.ts'
import { CommandError, reason, usageError } from './errors.ts'

interface ServiceOptions {
  /** The address. Without a path, the default base path is added. */
  readonly url: URL
  /** The `Authorization` header. It is sent to this host only, and is never part of a message. */
  readonly authorization: string
  /** Whether the user gave a token; without one, a placeholder is sent. */
  readonly hasToken: boolean
  /** The longest time for a response. */
  readonly seconds: number
  /** Bytes of the largest response. */
  readonly limit: number
}

/** The requests of a plan and a deploy. Every method throws a `CommandError` when its request fails. */
export class Service {
  /** The start of every URL, without a slash at the end. */
  readonly base: string
  readonly #options: ServiceOptions
  readonly #token: string

  constructor(options: ServiceOptions) {
    const { origin, pathname } = options.url
    const path = pathname.replace(/\/+$/, '')
    this.base = `${origin}${path === '' ? DEFAULT_BASE_PATH : path}`
    this.#options = options
    this.#token = options.authorization.slice(options.authorization.indexOf(' ') + 1)
  }

  /** The error of a request that failed. @param problem continues a sentence that starts with the address */
  failure(problem: string, status = 0, body?: unknown): CommandError {
    return new CommandError(`${this.base}: ${problem}`, 1, { problem, status, body })
  }

  /** The commands of a scope, with all translations (clause 2.10-08). */
  commands(scope: Scope): Promise<readonly unknown[]> {
    return this.#list('commands', 'GET', `${commandsPath(scope)}?with_localizations=true`)
  }

  /** Replaces the commands of a scope, and returns the new ones (clause 4.1-07). */
  overwrite(scope: Scope, bodies: readonly unknown[]): Promise<readonly unknown[]> {
    return this.#list('commands', 'PUT', `${commandsPath(scope)}?with_localizations=true`, bodies)
  }

  /** The permissions of an application in a guild (clause 4.3-01). */
  permissions(applicationId: string, guildId: string): Promise<readonly unknown[]> {
    return this.#list('permissions', 'GET', `${guildPath(applicationId, guildId)}/commands/permissions`)
  }

  /** The application of the token; `undefined` when the service refuses the request. */
  async application(): Promise<unknown> {
    try {
      return await this.#ask('GET', '/applications/@me')
    } catch (error) {
      if (error instanceof CommandError && error.refusal!.status !== 0) return undefined
      throw error
    }
  }

  /** A text of the service for the terminal, without the token (clause 5-03). */
  printable(text: string, most = 200): string {
    return printable(text.replaceAll(this.#token, '***'), most)
  }

  async #list(items: string, ...request: [method: string, path: string, sent?: unknown]) {
    const response = await this.#ask(...request)
    if (Array.isArray(response)) return response as readonly unknown[]
    throw this.failure(`returns ${describeValue(response)} instead of a list of ${items}`, 200)
  }

  async #ask(method: string, path: string, sent?: unknown): Promise<unknown> {
    let response: Response
    let text: string
    try {
      response = await fetch(`${this.base}${path}`, {
        method,
        headers: {
          accept: 'application/json',
          authorization: this.#options.authorization,
          ...(sent !== undefined && { 'content-type': 'application/json' }),
        },
        ...(sent !== undefined && { body: JSON.stringify(sent) }),
        // A redirect could send the token to another host.
        redirect: 'manual',
        signal: AbortSignal.timeout(this.#options.seconds * 1_000),
      })
      text = await this.#textOf(response)
    } catch (error) {
      if (error instanceof CommandError) throw error
      throw this.failure(this.#unanswered(error))
    }
    const { status } = response
    const body = parsedJson(text)
    if (status !== 200) throw this.failure(this.#refused(response, body), status, body)
    if (body === undefined) {
      const type = quoted(response.headers.get('content-type') ?? 'without a type', 40)
      throw this.failure(
        `responds with something that is not JSON (${type}); check the address of the service`,
        status,
      )
    }
    return body
  }

  /** The text of a response, up to a limit: an endless response must not fill the memory. */
  async #textOf({ body }: Response): Promise<string> {
    const { limit } = this.#options
    const decoder = new TextDecoder()
    let text = ''
    let left = limit
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      left -= chunk.length
      if (left < 0) throw this.failure(`responds with more than ${Math.ceil(limit / 1024 / 1024)} MiB`)
      text += decoder.decode(chunk, { stream: true })
    }
    return text + decoder.decode()
  }

  #unanswered(error: unknown): string {
    if (error instanceof Error && error.name === 'TimeoutError')
      return `did not respond within ${counted(this.#options.seconds, 'second')}`
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    return `cannot be reached: ${reason(cause).replace(/[\s\p{Cc}]+/gu, ' ')}`
  }

  #refused({ status, headers }: Response, body: unknown): string {
    if (status >= 300 && status < 400) {
      const to = this.#quoted(headers.get('location'), 200)
      return `redirects with ${status}${to === '' ? '' : ` to${to}`}; use that address`
    }
    const refusal = `responds with ${status}${this.#quoted(isObject(body) ? body.message : undefined, 100)}`
    if (status === 401) {
      return this.#options.hasToken
        ? `${refusal}: the token is invalid`
        : `${refusal}: a token is required, in the environment variable COMMANDRY_TOKEN`
    }
    const wait = Number(headers.get('retry-after') ?? (isObject(body) ? body.retry_after : undefined))
    if (status === 429 && wait > 0) return `${refusal}; try again in ${counted(Math.ceil(wait), 'second')}`
    // A 404 of the service itself has a code. Without one, the path is not a route of the service.
    const hasCode = isObject(body) && typeof body.code === 'number' && body.code !== 0
    return status === 404 && !hasCode ? `${refusal}; check the address of the service` : refusal
  }

  /** A text of the service, quoted, after a space; empty if it contains the token (clause 5-03). */
  #quoted(text: unknown, most: number): string {
    return typeof text !== 'string' || text.includes(this.#token) ? '' : ` ${quoted(text, most)}`
  }
}

function commandsPath(scope: Scope): string {
  const { applicationId } = scope
  if (scope.kind === 'guild') return `${guildPath(applicationId, scope.guildId)}/commands`
  return `/applications/${applicationId}/commands`
}

function guildPath(applicationId: string, guildId: string): string {
  return `/applications/${applicationId}/guilds/${guildId}`
}

// --- The address and the token --------------------------------------------------------------------------------

/** The address for the word "discord". */
const DISCORD_URL = 'https://discord.com/api/v10'

/** Whether a text names a service and not a file. */
export function isAddress(text: string): boolean {
  return text === 'discord' || /^https?:/i.test(text)
}

/**
 * The service at an address.
 *
 * @param option the option that has the address: `against`, `to`, `run`
 * @param seconds until a request fails without a response
 * @throws CommandError for an invalid address or token
 */
export function serviceOf(
  io: Io,
  option: string,
  address: string,
  application: string,
  seconds: number,
): Service {
  const url = urlOf(option, address === 'discord' ? DISCORD_URL : address)
  return new Service({ url, ...accessOf(io, option, url, application), seconds, limit: io.limits.response })
}

function urlOf(option: string, text: string): URL {
  // The text may contain a secret, so no message has it.
  if (!URL.canParse(text)) throw usageError(`--${option} is not a valid URL`)
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    throw usageError(`--${option} has a user name or a password; the service takes tokens only`)
  return url
}

function accessOf(
  io: Io,
  option: string,
  { hostname }: URL,
  applicationId: string,
): { readonly authorization: string; readonly hasToken: boolean } {
  const text = (io.env.COMMANDRY_TOKEN ?? '').trim()
  if (text === '') {
    // An open service accepts any token and reads the application from it.
    if (isLoopback(hostname))
      return { authorization: `Bot ${btoa(applicationId)}.commandry.plan`, hasToken: false }
    throw usageError(`--${option} needs a token in the environment variable COMMANDRY_TOKEN`)
  }
  const { type, token } = readCredentials(text) ?? { type: 'Bot', token: text }
  if (!isToken(token)) throw usageError(`the token is not ${TOKEN_SHAPE}, after "Bot" or "Bearer" or nothing`)
  return { authorization: `${type} ${token}`, hasToken: true }
}
