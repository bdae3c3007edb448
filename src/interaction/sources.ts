/** The sources of ids and tokens, and the largest size of a file. */
import { toHex } from '../core/bytes.ts'
import type { IdSource } from '../core/snowflake.ts'
import { describeValue } from '../core/text.ts'

/** The sources of the ids and tokens of interactions. */
export interface InteractionSources {
  /** Ids, which contain the time of the interaction. Default: one source for the whole process. */
  readonly ids?: IdSource
  /** The token of an interaction, a secret that answers need. Default: 32 random bytes as hex. */
  readonly tokens?: (interactionId: string) => string
}

/** The largest size of a file of an answer, in bytes. */
export const ATTACHMENT_SIZE_LIMIT = 10_485_760

/**
 * The token of an interaction.
 *
 * @throws TypeError if the source yields anything but a text
 */
export function takeToken(tokens: InteractionSources['tokens'], interactionId: string): string {
  const token: unknown = (tokens ?? randomToken)(interactionId)
  if (typeof token === 'string' && token !== '') return token
  throw new TypeError(`tokens: expected a function that returns a text, got ${describeValue(token)}`)
}

/** 32 random bytes as hex. */
function randomToken(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(32)))
}
