/** Every deadline of the product, in milliseconds, as docs/SECURITY.md lists them. */

/** For the first answer to an interaction, by the clock of a service: a rule of Discord. */
export const ANSWER_TIMEOUT = 3_000

/**
 * Read one when its time begins. The set-up of the tests makes those of real time longer: a busy machine takes minutes
 * for what takes seconds elsewhere.
 */
export const deadlines = {
  /** For the head of a request. */
  HEADERS_TIMEOUT: 10_000,
  /** For a whole request. */
  REQUEST_TIMEOUT: 30_000,
  /** For the body of a request. */
  BODY_TIMEOUT: 30_000,
  /** For a connection without traffic. */
  IDLE_TIMEOUT: 60_000,
  /** For the first answer to an interaction, in real time. */
  ANSWER_TIMEOUT,
  /** For a store to record that an answer is expected, or no longer is. */
  STORE_TIMEOUT: 10_000,
  /** For a client to answer a close frame. */
  CLOSE_TIMEOUT: 250,
  /** For all that `/readyz` asks. */
  READY_TIMEOUT: 2_000,
  /** For what a bot does before a person acts, who does not wait for longer. */
  REACTION_TIMEOUT: 300,
  /** For a bot to resume after its connection broke, by the clock of its gateway. */
  RESUME_TIMEOUT: 300_000,
}
