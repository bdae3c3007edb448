/** What a test asks of people that cannot be done. */
import type { RefusalName } from '../../../service/refusals.ts'

/** A test named something that does not exist, or of another type. */
export class InputError extends TypeError {}

/** A limit of the platform that an act of a person meets: `thread_exists`, `archived_thread`. */
export class ActRefused extends InputError {
  readonly code: RefusalName

  constructor(code: RefusalName, message: string) {
    super(message)
    this.code = code
  }
}
