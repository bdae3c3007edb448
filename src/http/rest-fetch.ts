import type { Handler } from './web-handler.ts'

/** A function like `fetch` whose requests go to a handler. */
export type RestFetch = (input: string | URL | Request, init?: object) => Promise<Response>

/**
 * A `fetch` that sends every request to a handler, whatever its host, so that a client needs no port. It can be the
 * `makeRequest` of discord.js (`new REST({ makeRequest: restFetch(handler) })`) and the `fetch` of any other client.
 *
 * @throws TypeError when the handler is not a function
 */
export function restFetch(handler: Handler): RestFetch {
  if (typeof handler !== 'function') throw new TypeError('handler: expected a function; see createHandler')
  // A body that is a stream needs `duplex`; for any other it has no effect.
  return async (input, init) => handler(new Request(input, { duplex: 'half', ...init } as RequestInit))
}
