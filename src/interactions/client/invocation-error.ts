import { CommandType } from '../../model/command-types.ts'
import { errorJson } from '../../core/error-json.ts'
import { suggestion } from '../../core/nearest.ts'
import { listed, quoted } from '../../core/text.ts'
import type { Issue } from '../../core/rules/report.ts'
import { INVALID_FORM_BODY, type ErrorBody } from '../../core/rules/error-tree.ts'
import { formatIssues } from '../../commands/definition/format-issues.ts'
import type { Availability, UnavailableCode } from '../../commands/access/availability.ts'
import type { AccessExplanation } from '../../commands/access/access.ts'

/** The code of an `InvocationError`; `docs/errors.md` gives cause and remedy of each. */
export type InvocationErrorCode =
  /** No such command exists, or it was deleted. */
  | 'unknown_command'
  /** The client's copy was stale. The client has reloaded the command; a retry can succeed. */
  | 'stale_command'
  /** A command with subcommands cannot be used by itself. */
  | 'not_invocable'
  /** The values are invalid; `issues` has every problem. The client sent nothing. */
  | 'invalid_options'
  /** The member may not use the command, or may not send messages in the channel. */
  | 'permission_denied'
  /** The command cannot be used in this guild or this kind of DM. */
  | 'wrong_context'
  /** The app is not installed in a way that the command supports. */
  | 'not_installed'
  /** The command is age-restricted, and the channel or the user does not allow it. */
  | 'age_restricted'

/** A command cannot be used. */
export class InvocationError extends Error {
  override readonly name = 'InvocationError'
  readonly code: InvocationErrorCode
  /** Every problem of the values for `invalid_options`; otherwise empty. */
  readonly issues: readonly Issue[]
  /** The id of the command; null if it is unknown. */
  readonly commandId: string | null
  /** The reasons for `wrong_context`, `not_installed` and `age_restricted`; otherwise null. */
  readonly availability: Availability | null
  /** The steps of the decision for `permission_denied`; null if SEND_MESSAGES is missing, and for other codes. */
  readonly access: AccessExplanation | null

  constructor(
    code: InvocationErrorCode,
    details: Pick<Error, 'message'> &
      Partial<Pick<InvocationError, 'issues' | 'commandId' | 'availability' | 'access'>>,
  ) {
    super(details.message)
    this.code = code
    this.issues = details.issues ?? []
    this.commandId = details.commandId ?? null
    this.availability = details.availability ?? null
    this.access = details.access ?? null
  }

  /** Plain JSON with `name`, `message`, `code` and all details, for logs and `postMessage`. */
  toJSON(): Readonly<Record<string, unknown>> {
    return errorJson(this)
  }

  /** The error body of the service; null for errors that the client detects itself. */
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
  return {
    message: 'Invalid Form Body',
    code: INVALID_FORM_BODY,
    errors: { data: { _errors: [{ code, message }] } },
  }
}

/** The error code of each reason of `explainAvailability`. */
export const unavailable: { readonly [Code in UnavailableCode]: InvocationErrorCode } = {
  other_guild: 'wrong_context',
  no_bot: 'wrong_context',
  guild_only: 'wrong_context',
  context: 'wrong_context',
  installation: 'not_installed',
  channel_not_age_restricted: 'age_restricted',
  not_adult: 'age_restricted',
  direct_message_setting: 'age_restricted',
}

export function invalidOptions(issues: readonly Issue[], request: unknown, commandId: string) {
  const message = formatIssues(issues, request)
  return new InvocationError('invalid_options', { message, issues, commandId })
}

const nouns: { readonly [Type in CommandType]?: string } = {
  [CommandType.CHAT_INPUT]: 'command',
  [CommandType.USER]: 'user command',
  [CommandType.MESSAGE]: 'message command',
}

/** The error of a name that no visible command of a type has, with the nearest one, or all names of a short list. */
export function unknownName(
  type: CommandType,
  name: string,
  visible: readonly { readonly type: CommandType; readonly name: string }[],
): InvocationError {
  const word = (one: string) => (type === CommandType.CHAT_INPUT ? `/${one}` : quoted(one))
  const names = visible.filter((command) => command.type === type).map((command) => command.name)
  let available = names.length > 5 ? '' : `available: ${listed(names.map(word))}`
  if (names.length === 0) available = 'none is available here'
  const menu = visible.find((command) => command.type !== type && command.name === name)
  const advice =
    menu === undefined
      ? suggestion(name, names, available, word)
      : `; ${quoted(name)} is a ${nouns[menu.type]}`
  return new InvocationError('unknown_command', {
    message: `unknown ${nouns[type]} ${word(name)}${advice}`,
  })
}
