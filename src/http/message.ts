/**
 * A request and its answer, without the classes of any host: what the Web handler and the listener on `node:http`
 * have in common, so that they share everything else.
 */

export interface Incoming {
  /** In capitals. */
  readonly method: string
  /** The path as it was sent, percent-escapes and all, without the query. */
  readonly path: string
  /** What follows the first `?`; empty when there is none. */
  readonly query: string
  /** The value of a header, named in lower case; null when it was not sent. */
  header(name: string): string | null
  /**
   * The whole body. Never rejects, whatever happens to the connection.
   *
   * @param most bytes; a larger body is not kept
   */
  body(most: number): Promise<BodyRead>
  /** Stops a reading that took too long; what it still brings is thrown away. */
  abandon(): void
}

export type BodyRead = Uint8Array | BodyFailure

/** Why there is no body: it is too large, it took too long, the connection broke, or somebody else has read it. */
export type BodyFailure = 'body_too_large' | 'body_timed_out' | 'body_broken' | 'body_taken'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Text goes out in UTF-8. Null: there is none, and no content type either. */
  readonly body: string | Uint8Array | null
}

/** Answers any request. Never rejects. */
export type Exchange = (incoming: Incoming) => Promise<Answer>
