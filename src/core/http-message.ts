/** Requests and responses without the classes of a host, for the Web handler and the listener on `node:http`. */

import type { BodyExcess } from './bytes.ts'

/** A request without its body, as the hooks of a handler receive it. */
export interface HookRequest {
  /** In capitals. */
  readonly method: string
  /** The path as sent, still percent-encoded, without the query. It may contain the token of an interaction. */
  readonly path: string
  /** The text after the first `?`; empty without one. */
  readonly query: string
  /** The value of a header, by its name in lower case; null if it was not sent. */
  header(name: string): string | null
  /** The request of the host: a `Request`, or the `IncomingMessage` of Node, Express, Fastify or Koa. */
  readonly raw: unknown
}

export interface Incoming extends HookRequest {
  /** The whole body, of at most so many bytes. Never rejects, even if the connection fails. */
  body(most: number): Promise<BodyRead>
  /** Whether the client has closed the connection. */
  isAborted(): boolean
  /** Stops reading the body and discards the rest of it. */
  abandon(): void
}

/** The same request with another way to read its body, such as one that keeps the bytes. */
export function withBody(incoming: Incoming, body: Incoming['body']): Incoming {
  const { method, path, query, raw } = incoming
  return {
    ...{ method, path, query, raw, body },
    header: (name) => incoming.header(name),
    isAborted: () => incoming.isAborted(),
    abandon: () => incoming.abandon(),
  }
}

/** The bytes of a body, or why there are none. */
export type BodyRead = Uint8Array | BodyFailure

/** Why a body cannot be read: in excess, too slow, a broken connection, or already read by other code. */
export type BodyFailure = BodyExcess | 'body_timed_out' | 'body_broken' | 'body_taken'

export interface Outgoing {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Text is sent as UTF-8, a stream as it comes. Null for no body and no content type. */
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null
  /** True for a path of no route, which a server may leave to its other handlers. */
  readonly isUnmatched?: true
  /** What the service ignored in an accepted body, for the record of the request. Not sent. */
  readonly notes?: readonly string[]
  /**
   * Reports the response to the hooks of the host. The sender of the response calls it once, and gets the report.
   *
   * @param failure why a 500 was sent in its place
   */
  readonly report?: (failure?: SendingFailure) => object
}

/** Why a response could not be sent. */
export interface SendingFailure {
  readonly error: unknown
}

/** Responds to a request. Never rejects. */
export type Exchange = (incoming: Incoming) => Promise<Outgoing>
