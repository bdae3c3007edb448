/** How one call of a registry is made. */
import {
  aSignal,
  aString,
  objectArgument,
  optionsOf,
  type OptionReaders,
} from '../../core/rules/arguments.ts'
import { optional, type Reader } from '../../core/rules/readers.ts'
import type { ChangeAuthor } from './events.ts'

/** The last argument of every method that reaches the store. */
export interface CallOptions {
  /**
   * Ends the call early: it rejects with the reason of the signal. If a write is under way, it rejects with a
   * `RegistryError` `storage` whose `mayHaveHappened` is true, and the reason is its `cause`.
   */
  readonly signal?: AbortSignal
}

/** The last argument of a method that writes. */
export interface WriteOptions extends CallOptions {
  /** Who makes the change: the `by` of its events. */
  readonly by?: ChangeAuthor
}

const anActor: Reader<ChangeAuthor> = /* @__PURE__ */ objectArgument({
  applicationId: optional(aString),
  userId: optional(aString),
})

const ofCall: OptionReaders<CallOptions> = { signal: optional(aSignal) }
export const ofWrite: OptionReaders<WriteOptions> = { ...ofCall, by: optional(anActor) }

/** @throws TypeError for an option that the method does not have */
export function readCall(method: string, options: CallOptions): CallOptions {
  return options === NONE ? NONE : optionsOf<CallOptions>(method, ofCall)(options)
}

/** @throws TypeError for an option that the method does not have */
export function readWrite(method: string, options: WriteOptions): WriteOptions {
  return options === NONE ? NONE : optionsOf<WriteOptions>(method, ofWrite)(options)
}

/** The options of a call without any, which are not read. */
export const NONE: WriteOptions = /* @__PURE__ */ Object.freeze({})
