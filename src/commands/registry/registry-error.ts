import type { CommandRuleCode } from '../definition/rules/definition-rules.ts'
import { errorJson } from '../../core/error-json.ts'
import { deepFreeze } from '../../core/freeze.ts'
import type { Issue } from '../../core/rules/report.ts'
import type { Validation } from '../../core/rules/validation.ts'
import { formatIssues } from '../definition/format-issues.ts'
import type { MissingPermission } from '../../model/permission-entry.ts'
import type { permissionRules } from '../access/entry-list.ts'
import type { scopeRules } from './scope-rules.ts'
import type { snapshotRules } from './snapshot-rules.ts'

type OwnRules = typeof permissionRules | typeof scopeRules | typeof snapshotRules

/** The code of a rule that a registry can refuse by. */
export type RegistryRuleCode = CommandRuleCode | OwnRules[number]['code']

/** Why a call was refused. `docs/errors.md` has the cause and the remedy of each code. */
export type RegistryErrorCode =
  /** The body is invalid; `issues` has every problem. */
  | 'invalid'
  /** The application directory does not know the application. */
  | 'unknown_application'
  /** The scope has no command with that id. */
  | 'unknown_command'
  /** The command has no permissions in that guild. */
  | 'unknown_permissions'
  /** The guild has not authorized the app for `applications.commands`. */
  | 'missing_access'
  /** The manager may not set these permissions; `missing` lists what they lack. */
  | 'missing_permissions'
  /** An edit would give a command the name of another command of its type. */
  | 'name_taken'
  /** The scope would have too many commands of a type. */
  | 'too_many_commands'
  /** The scope has reached its daily create limit; `retryAfter` is the time until the next day. */
  | 'daily_creates_exhausted'
  /** A bulk overwrite leaves out the entry point command, which must be deleted separately. */
  | 'entry_point_required'
  /** The application directory could not give the app the EMBEDDED flag. */
  | 'activities_unavailable'
  /** Other writers kept changing the same document; nothing was changed. */
  | 'busy'
  /** The store failed; `mayHaveHappened` tells whether the change may have been written. */
  | 'storage'

export interface RegistryErrorDetails {
  /** Replaces the message made from the code and the other details. */
  readonly message?: string
  /** The command or scope that the error is about, at the start of the message. */
  readonly subject?: string
  readonly issues?: readonly Issue[]
  /** The body that the issues are about. */
  readonly body?: unknown
  readonly missing?: readonly MissingPermission[]
  readonly retryAfter?: number
  readonly mayHaveHappened?: boolean
  readonly cause?: unknown
}

const sentences: { readonly [Code in Exclude<RegistryErrorCode, 'storage'>]: string } = {
  invalid: 'invalid body',
  unknown_application: 'unknown application',
  unknown_command: 'unknown command',
  unknown_permissions: 'the command has no permissions in this guild',
  missing_access: 'the guild has not authorized the application for applications.commands',
  missing_permissions: 'the manager may not set these permissions',
  name_taken: 'another command of this type has that name',
  too_many_commands: 'the scope has the maximum number of commands of this type',
  daily_creates_exhausted: 'the daily create limit of the scope is reached',
  entry_point_required:
    'the list leaves out the entry point command; include it, or delete it separately first',
  activities_unavailable:
    'the application directory cannot enable Activities; give the app the EMBEDDED flag there',
  busy: 'other writers kept changing the same commands; nothing was changed, try again',
}

/** The error that every method of a registry rejects with. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError'
  readonly code: RegistryErrorCode
  /** Every problem of the body, in document order; for a limit, the rule that was reached; otherwise empty. */
  readonly issues: readonly Issue<RegistryRuleCode>[]
  /** What the manager lacks, for `missing_permissions`; otherwise empty. */
  readonly missing: readonly MissingPermission[]
  /** Seconds until the same call can succeed, for `daily_creates_exhausted`; otherwise null. */
  readonly retryAfter: number | null
  /**
   * For `storage`: whether the change may have been written, now or after a later read still shows the old state. It is
   * safe to read again and to repeat the call.
   */
  readonly mayHaveHappened: boolean

  constructor(code: RegistryErrorCode, details: RegistryErrorDetails = {}) {
    super(
      details.message ?? sentence(code, details),
      details.cause === undefined ? undefined : { cause: details.cause },
    )
    this.code = code
    this.issues = deepFreeze(details.issues ?? []) as readonly Issue<RegistryRuleCode>[]
    this.missing = details.missing ?? []
    this.retryAfter = details.retryAfter ?? null
    this.mayHaveHappened = details.mayHaveHappened ?? false
  }

  /** Plain JSON with `name`, `message`, `code` and all details, for logs and `postMessage`. */
  toJSON(): Readonly<Record<string, unknown>> {
    return errorJson(this)
  }
}

/** The error of a call whose documents could not be read or written. */
export function registryFailure(code: 'storage' | 'busy', details?: RegistryErrorDetails): RegistryError {
  return new RegistryError(code, details)
}

/** The value of a valid body. @throws RegistryError `invalid` with every issue of an invalid one */
export function valid<T>(read: Validation<T>, body: unknown): T {
  if (read.ok) return read.value
  throw new RegistryError('invalid', { issues: read.issues, body })
}

function sentence(code: RegistryErrorCode, details: RegistryErrorDetails): string {
  const { issues = [], body, missing = [], subject, mayHaveHappened } = details
  if (code === 'storage')
    return mayHaveHappened === true
      ? 'the store failed, and the change may have been written; repeating the call is safe'
      : 'the store failed; nothing was written'
  if (missing.length > 0) return [`${sentences[code]}:`, ...missing.map(({ text }) => text)].join(' ')
  const start = subject === undefined ? '' : `${subject}: `
  if (issues.length === 0) return start + sentences[code]
  if (issues.length === 1) return start + formatIssues(issues, body)
  return `${start}${issues.length} problems\n${formatIssues(issues, body)}`
}
