/** A client for a service over HTTP. Every failure becomes an error with a message of one line. */
import { isObject } from '../core/json.ts'
import { counted, describeValue, quoted } from '../core/text.ts'
import { DEFAULT_BASE_PATH } from '../http/base-path.ts'
import type { Scope } from '../registry/scope.ts'
import { CommandError, reason } from './errors.ts'
import { printable } from '../core/text.ts'

/** A request failed. The message continues a sentence that starts with the address of the service. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  /** The status of the response; 0 without a response. */
  readonly status: number

  /** The body of the response; `undefined` without a response, or if it is not JSON. */
  readonly body: unknown

  constructor(message: string, status = 0, body?: unknown) {
    super(message)
    this.status = status
    this.body = body
  }
}

/** The result of requests. @throws CommandError with the address of the service when one fails */
export async function fromService<T>({ base }: Service, requests: () => Promise<T>): Promise<T> {
  try {
    return await requests()
  } catch (error) {
    if (error instanceof ServiceError) throw new CommandError(`${base}: ${error.message}`)
    throw error
  }
}

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

/** The requests of a plan and a deploy. Every method throws a `ServiceError` when its request fails. */
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
      if (error instanceof ServiceError && error.status !== 0) return undefined
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
    throw new ServiceError(`returns ${describeValue(response)} instead of a list of ${items}`, 200)
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
      text = await textOf(response, this.#options.limit)
    } catch (error) {
      if (error instanceof ServiceError) throw error
      throw new ServiceError(this.#unanswered(error))
    }
    const { status } = response
    const body = jsonOf(text)
    if (status !== 200) throw new ServiceError(this.#refused(response, body), status, body)
    if (body === undefined) {
      const type = quoted(response.headers.get('content-type') ?? 'without a type', 40)
      throw new ServiceError(
        `responds with something that is not JSON (${type}); check the address of the service`,
        status,
      )
    }
    return body
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

/** The text of a response, up to a limit: an endless response must not fill the memory. */
async function textOf({ body }: Response, limit: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let left = limit
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    left -= chunk.length
    if (left < 0) throw new ServiceError(`responds with more than ${Math.ceil(limit / 1024 / 1024)} MiB`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** The value of a JSON text; `undefined` if it is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
