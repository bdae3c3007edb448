/** A step of a recording, and what people saw after it. */
import type { NthServer, ServerPost, Value, Who } from '../test-code/language.ts'

/** Something that people saw after a step. */
export interface Seen {
  /**
   * An answer changed, an answer was followed up, or a message appeared, changed, disappeared or got a reaction in a
   * channel.
   */
  readonly kind: 'edited' | 'followedUp' | 'sees' | 'noLongerSees' | 'seesReaction'
  /** The id of the message, with the emoji of a reaction. */
  readonly key: string
  /** The interaction that was followed up, or the message that got a reaction. */
  readonly of: string
  /** Who sees the message of a channel. */
  readonly by: Who | null
  /** Which one of several messages with this text, from 1. */
  nth: number
  /** How often the answer changed. */
  times: number
  text: string
  /** Whether the message is older than the recording. */
  readonly isOlder: boolean
}

export interface RecordedStep {
  /** The person; null for what happens to the server or the clock. */
  readonly by: Who | null
  readonly server?: NthServer
  readonly post?: ServerPost
  readonly verb: string
  readonly values: readonly Value[]
  /** The interaction; empty for other steps. */
  readonly interaction: string
  /** The id of the message or the interaction that later steps act on; empty for none. */
  key: string
  /** The text of the answer; null without one. */
  text: string | null
  /** Why there was no valid answer; empty otherwise. */
  failure: string
  readonly seen: Seen[]
}
