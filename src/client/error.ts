import type { Issue } from '../core/report.ts'
import { toErrorBody, type ErrorBody } from '../issues/error-body.ts'
import { formatIssues } from '../issues/format.ts'
import type { Availability, UnavailableCode } from '../permission/availability.ts'
import type { AccessExplanation } from '../permission/evaluate.ts'

/** Why a command could not be used; `docs/errors.md` gives cause and remedy of each. */
export type InvocationErrorCode =
  /** There is no such command, or not any more. */
  | 'unknown_command'
  /** The client's copy was out of date. It has reloaded the command; the same call can succeed now. */
  | 'stale_command'
  /** A command that has subcommands cannot be used by itself. */
  | 'not_invocable'
  /** The values do not go with the command; `issues` has every fault. The client sent nothing. */
  | 'invalid_options'
  | 'permission_denied'
  /** The command is not for this guild, or not for DMs, or not for this kind of DM. */
  | 'wrong_context'
  /** The app is not installed in a way that brings the command here. */
  | 'not_installed'
  | 'age_restricted'

export interface InvocationErrorDetails {
  readonly message: string
  readonly issues?: readonly Issue[]
  readonly commandId?: string
  readonly availability?: Availability | null
  readonly access?: AccessExplanation | null
}

/** Every refusal of a command that somebody wants to use. */
export class InvocationError extends Error {
  override readonly name = 'InvocationError'
  readonly code: InvocationErrorCode
  /** Every fault of the values, for `invalid_options`; else empty. */
  readonly issues: readonly Issue[]
  /** The command, if one was found. */
  readonly commandId: string | null
  /** Why it cannot be used here, for `wrong_context`, `not_installed` and `age_restricted`. */
  readonly availability: Availability | null
  /** Why the person may not use it, for `permission_denied`, unless it is for SEND_MESSAGES. */
  readonly access: AccessExplanation | null

  constructor(code: InvocationErrorCode, details: InvocationErrorDetails) {
    super(details.message)
    this.code = code
    this.issues = details.issues ?? []
    this.commandId = details.commandId ?? null
    this.availability = details.availability ?? null
    this.access = details.access ?? null
  }

  /** What the service answers to the client; null for what the client finds out by itself and never sends. */
  toBody(): ErrorBody | null {
    switch (this.code) {
      case 'stale_command':
        return dataError(
          'INTERACTION_APPLICATION_COMMAND_INVALID_VERSION',
          'This command is outdated, please try again in a few minutes',
        )
      case 'unknown_command':
      case 'wrong_context':
      case 'not_installed':
      case 'age_restricted':
        return dataError('INTERACTION_APPLICATION_COMMAND_INVALID', 'Invalid interaction application command')
      case 'permission_denied':
        return { message: 'You lack permissions to perform that action', code: 50013 }
      case 'not_invocable':
      case 'invalid_options':
        return null
    }
  }
}

function dataError(code: string, message: string): ErrorBody {
  return { ...toErrorBody([]), errors: { data: { _errors: [{ code, message }] } } }
}

export const unavailable: { readonly [Code in UnavailableCode]: InvocationErrorCode } = {
  other_guild: 'wrong_context',
  guild_only: 'wrong_context',
  context: 'wrong_context',
  installation: 'not_installed',
  channel_not_age_restricted: 'age_restricted',
  not_adult: 'age_restricted',
  direct_message_setting: 'age_restricted',
}

export function invalidOptions(
  issues: readonly Issue[],
  request: unknown,
  commandId: string,
): InvocationError {
  const message = formatIssues(issues, request)
  return new InvocationError('invalid_options', { message, issues, commandId })
}
