/** A service over HTTP, asked for what a plan needs. Whatever it answers, or does not, becomes one line. */
import { isObject } from '../core/json.ts'
import { counted, quoted } from '../core/text.ts'
import { DEFAULT_BASE_PATH } from '../http/base-path.ts'
import type { Scope } from '../registry/scope.ts'
import { reason } from './drivers.ts'

/** The service did not answer what it was asked for; the message goes on from its name. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  /** Of the answer; 0 when there was none. */
  readonly status: number

  /** Of the answer; `undefined` when there was none, or it was not JSON. */
  readonly body: unknown

  constructor(message: string, status = 0, body?: unknown) {
    super(message)
    this.status = status
    this.body = body
  }
}

export interface ServiceOptions {
  /** Without a path, the service is expected below its usual base path. */
  readonly url: URL
  /** The `Authorization` header. It goes to this host and no other, and into no message. */
  readonly authorization: string
  /** Whether somebody gave a token, or it stands for anybody. */
  readonly named: boolean
  /** In which each request has to be answered. */
  readonly seconds: number
  /** Bytes that one answer may have. */
  readonly limit: number
}

/** Every method throws a `ServiceError` when it is not answered as it should be. */
export class Service {
  /** Where its paths begin, without a slash at the end. */
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

  /** The commands of a scope, with all their dictionaries (clause 2.10-08). */
  commands(scope: Scope): Promise<unknown> {
    return this.#get(`${commandsPath(scope)}?with_localizations=true`)
  }

  /** Replaces the commands of a scope, and answers those it has now (clause 4.1-07). */
  overwrite(scope: Scope, bodies: readonly unknown[]): Promise<unknown> {
    return this.#ask('PUT', `${commandsPath(scope)}?with_localizations=true`, bodies)
  }

  /** The permissions of an application in a guild (clause 4.3-01). */
  permissions(applicationId: string, guildId: string): Promise<unknown> {
    return this.#get(`${guildPath(applicationId, guildId)}/commands/permissions`)
  }

  /** The application of the token; `undefined` when the service does not tell. */
  async application(): Promise<unknown> {
    try {
      return await this.#get('/applications/@me')
    } catch (error) {
      if (error instanceof ServiceError && error.status !== 0) return undefined
      throw error
    }
  }

  #get(path: string): Promise<unknown> {
    return this.#ask('GET', path)
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
        // Followed, it could take the token elsewhere.
        redirect: 'manual',
        signal: AbortSignal.timeout(this.#options.seconds * 1_000),
      })
      text = await textOf(response, this.#options.limit)
    } catch (error) {
      if (error instanceof ServiceError) throw error
      throw new ServiceError(this.#unanswered(error))
    }
    const { status } = response
    const body = parsed(text)
    if (status !== 200) throw new ServiceError(this.#refused(response, body), status, body)
    if (body === undefined) {
      const type = quoted(response.headers.get('content-type') ?? 'without a type', 40)
      throw new ServiceError(`answers with no JSON (${type}); is that the address of the service?`, status)
    }
    return body
  }

  #unanswered(error: unknown): string {
    if (error instanceof Error && error.name === 'TimeoutError')
      return `has not answered all in ${counted(this.#options.seconds, 'second')}`
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    return `cannot be reached: ${reason(cause).replace(/[\s\p{Cc}]+/gu, ' ')}`
  }

  #refused({ status, headers }: Response, body: unknown): string {
    if (status >= 300 && status < 400) {
      const to = this.#quoted(headers.get('location'), 200)
      return `answers ${status}, to look elsewhere${to === '' ? '' : `:${to}`}; name that address`
    }
    const what = `answers ${status}${this.#quoted(isObject(body) ? body.message : undefined, 100)}`
    if (status === 401) {
      return this.#options.named
        ? `${what}: it does not know the token`
        : `${what}: it needs a token, in the environment variable COMMANDRY_TOKEN`
    }
    // A refusal of the service's own has a code; what has none knows no such path.
    const known = isObject(body) && typeof body.code === 'number' && body.code !== 0
    return status === 404 && !known ? `${what}; is that the address of the service?` : what
  }

  /** What a service says, after a space; nothing when it says nothing, or repeats the token (clause 5-03). */
  #quoted(said: unknown, most: number): string {
    if (typeof said !== 'string' || said.includes(this.#token)) return ''
    return ` ${quoted(said, most)}`
  }
}

function commandsPath(scope: Scope): string {
  const { applicationId } = scope
  const place =
    scope.kind === 'guild' ? guildPath(applicationId, scope.guildId) : `/applications/${applicationId}`
  return `${place}/commands`
}

function guildPath(applicationId: string, guildId: string): string {
  return `/applications/${applicationId}/guilds/${guildId}`
}

/** An answer that does not end must not fill the memory: a scope full of commands has a few MiB. */
async function textOf({ body }: Response, limit: number): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let left = limit
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    left -= chunk.length
    if (left < 0) throw new ServiceError(`answers more than ${Math.ceil(limit / 1024 / 1024)} MiB`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

/** `undefined` when it is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
