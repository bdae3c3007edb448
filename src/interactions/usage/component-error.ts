import { errorJson } from '../../core/error-json.ts'

/** Why a component cannot be used. */
export type ComponentErrorCode =
  /** The message or the modal has no such component. */
  | 'unknown_component'
  /** The component is disabled. */
  | 'disabled'
  /** Link and premium buttons send nothing to the app. */
  | 'not_interactive'
  /** The values do not fit the menu or the input. */
  | 'invalid_values'
  /** The message is ephemeral, or in a place where the user is not. */
  | 'not_visible'
  /** The member is timed out, and uses nothing meanwhile. */
  | 'timed_out'

/** A component cannot be used like this. The message lists the alternatives. */
export class ComponentError extends Error {
  override readonly name = 'ComponentError'
  readonly code: ComponentErrorCode

  constructor(code: ComponentErrorCode, message: string) {
    super(message)
    this.code = code
  }

  /** Plain JSON with `name`, `message`, `code` and all details, for logs and `postMessage`. */
  toJSON(): Readonly<Record<string, unknown>> {
    return errorJson(this)
  }
}

/** @throws ComponentError */
export function refuseUse(code: ComponentErrorCode, message: string): never {
  throw new ComponentError(code, message)
}
