import { applicationDirectory, CommandRegistry } from 'commandry'
import type { ApplicationSettings, RegistryOptions } from 'commandry'
import { createHandler, tokenDirectory } from 'commandry/http'
import type { HandlerOptions, TokenEntry } from 'commandry/http'
import { expect, test } from 'vitest'
import { APP, EMBEDDED_APP, FOREIGN_GUILD, GUILD, OTHER_APP, OTHER_GUILD, USER } from './ids.ts'

const update = 'applications.commands.update'
const updatePermissions = 'applications.commands.permissions.update'
const may = (permissions: number) => ({ permissions: String(permissions) })
const admin = may(268435488)

export const applications: readonly (ApplicationSettings & { id: string })[] = [
  { id: APP, name: 'demo', integration_types: [0, 1], guilds: [GUILD, OTHER_GUILD] },
  { id: EMBEDDED_APP, name: 'game', flags: 131072, integration_types: [0, 1] },
  { id: OTHER_APP, name: 'other' },
]

const bot = (token: string, applicationId: string) => ({ type: 'Bot', token, applicationId }) as const
const bearer = (token: string, scope: string) =>
  ({ type: 'Bearer', token, applicationId: APP, scopes: [scope] }) as const

export const tokens: readonly TokenEntry[] = [
  bot('bot', APP),
  bot('game', EMBEDDED_APP),
  bot('other', OTHER_APP),
  bot('gone', '100100100100100199'),
  bearer('update', update),
  bearer('nothing', 'identify'),
  {
    ...bearer('manager', updatePermissions),
    user: { id: USER, locale: 'de', guilds: { [GUILD]: admin, [FOREIGN_GUILD]: admin } },
  },
  { ...bearer('administrator', updatePermissions), user: { id: USER, guilds: { [GUILD]: may(8) } } },
  {
    ...bearer('moderator', updatePermissions),
    user: { id: USER, guilds: { [GUILD]: may(32), [OTHER_GUILD]: may(268435456) } },
  },
  { ...bearer('german', update), user: { id: USER, locale: 'de' } },
]

export type Service = ReturnType<typeof service>
export type Answered = Awaited<ReturnType<typeof answered>>

export interface SendOptions {
  /** The whole `Authorization` header; null for none. Default `Bot bot`. */
  readonly authorization?: string | null
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A service in memory, with the applications and tokens above. */
export function service(
  options: Partial<HandlerOptions> & { readonly registryOptions?: RegistryOptions } = {},
) {
  const { registryOptions, ...handlerOptions } = options
  const directory = applicationDirectory(applications)
  const registry = new CommandRegistry({ applications: directory, ...registryOptions })
  const handler = createHandler({
    registry,
    authenticate: tokenDirectory(tokens),
    applications: directory,
    onError: unexpected,
    ...handlerOptions,
  })
  const fetch = async (request: Request) => answered(await handler(request))
  /** Sends a request below the base path. A body that is not a string is sent as JSON. */
  const send = (method: string, path: string, options: SendOptions = {}) => {
    const { authorization = 'Bot bot', body, headers } = options
    const request = new Request(`http://service.test/api/v10${path}`, {
      method,
      headers: {
        ...(authorization === null ? undefined : { authorization }),
        ...(body === undefined ? undefined : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? undefined : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return fetch(request)
  }
  return { registry, handler, send, fetch }
}

/** Tests of a service with default options: `it('…', async ({ send }) => …)`. */
export const it = test
  .extend('running', () => service())
  .extend('registry', ({ running }) => running.registry)
  .extend('handler', ({ running }) => running.handler)
  .extend('send', ({ running }) => running.send)
  .extend('fetch', ({ running }) => running.fetch)

/** A POST of a body of any kind, as JSON unless it is a form, which names its boundary itself. */
export function post(url: string, body: BodyInit | null, headers: Record<string, string> = {}): Request {
  const type = body instanceof FormData ? {} : { 'content-type': 'application/json' }
  const init = { method: 'POST', headers: { ...type, ...headers }, body, duplex: 'half' }
  return new Request(url, init as RequestInit)
}

/** A body that counts the chunks read from it, and records a cancellation. */
export function watched(pull: (controller: ReadableStreamDefaultController<Uint8Array>) => unknown) {
  const seen = { pulled: 0, cancelled: false }
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        seen.pulled++
        return pull(controller) as Promise<void>
      },
      cancel() {
        seen.cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { body, seen }
}

function unexpected(error: unknown): void {
  expect.fail(`the service failed: ${String(error)}`)
}

/** A response, its text, its parsed body, and its status and text in a line: `404 {…}`. */
export async function answered(response: Response) {
  const text = await response.text()
  // A response to HEAD has the headers of GET.
  const typed = text !== '' || response.headers.has('content-length')
  const emptyType =
    response.status === 204 && !response.headers.has('allow') ? 'text/html; charset=utf-8' : null
  expect(response.headers.get('content-type')).toBe(typed ? 'application/json' : emptyType)
  return {
    status: response.status,
    headers: response.headers,
    text,
    line: `${response.status} ${text}`,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

export const tooDeep =
  '400 {"message":"The request body contains invalid JSON: it is nested more than 100 levels deep","code":50109}'
export const invalidJson = '400 {"message":"The request body contains invalid JSON.","code":50109}'
export const tooLarge =
  '413 {"message":"Request entity too large. Try sending something smaller in size","code":40005}'

/** An error in the tree of errors of an invalid body. */
export const errorNode = (code: string, message: string) => ({ _errors: [{ code, message }] })
export const invalidBody = (errors: object) => ({ message: 'Invalid Form Body', code: 50035, errors })

export const rateLimitsOf = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('x-ratelimit')))

/** Every operation of an OpenAPI document. */
export function operationsOf({ paths }: { readonly paths: object }) {
  return Object.entries<any>(paths).flatMap(([path, { parameters, ...item }]) =>
    Object.entries<any>(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
}
