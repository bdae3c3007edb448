import type { CommandIssue } from '../catalogue.ts'
import type { Issue } from '../core/report.ts'
import { formatIssues } from '../issues/format.ts'
import type { MissingPermission } from '../permission/manage.ts'

/** Why the registry refused; `docs/errors.md` gives cause and remedy of each. */
export type RegistryErrorCode =
  /** The body has faults; `issues` names every one. */
  | 'invalid'
  | 'unknown_application'
  | 'unknown_command'
  /** Nothing is set for that command in that guild. */
  | 'unknown_permissions'
  /** The guild has not authorized the app for `applications.commands`. */
  | 'missing_access'
  /** The manager may not change these permissions; `missing` tells what they lack. */
  | 'missing_permissions'
  /** An edit would give a command the name of another of its type. */
  | 'name_taken'
  | 'too_many_commands'
  /** The scope has had its creates of the day; `retryAfter` tells when the next day begins. */
  | 'daily_creates_exhausted'
  /** A bulk overwrite leaves out the entry point command, which has to be deleted by itself. */
  | 'entry_point_required'
  /** The application directory cannot give an app the EMBEDDED flag. */
  | 'activities_unavailable'
  /** Others kept writing the same document; nothing was changed, try again. */
  | 'busy'
  /** The store failed; `mayHaveHappened` tells whether the change may have been written. */
  | 'storage'

export interface RegistryErrorDetails {
  readonly message?: string
  readonly issues?: readonly Issue[]
  readonly body?: unknown
  readonly missing?: readonly MissingPermission[]
  readonly retryAfter?: number
  readonly mayHaveHappened?: boolean
  readonly cause?: unknown
}

const sentences: { readonly [Code in RegistryErrorCode]: string } = {
  invalid: 'the body has faults',
  unknown_application: 'there is no such application',
  unknown_command: 'there is no such command',
  unknown_permissions: 'the command has no permissions in this guild',
  missing_access: 'the guild has not authorized the application for applications.commands',
  missing_permissions: 'the manager may not change these permissions',
  name_taken: 'another command of this type has that name',
  too_many_commands: 'the scope has as many commands of this type as it can hold',
  daily_creates_exhausted: 'the scope has had its command creates of this day',
  entry_point_required:
    'the list leaves out the entry point command; include it, or delete it by itself first',
  activities_unavailable:
    'the application directory cannot enable Activities; give the app the EMBEDDED flag there',
  busy: 'others kept changing the same commands; nothing was written, try again',
  storage: 'the store failed',
}

/** Every failure of the registry rejects with this. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError'
  readonly code: RegistryErrorCode
  /** Every fault of the body, in document order; for a limit, the rule that was reached; else empty. */
  readonly issues: readonly CommandIssue[]
  /** What the manager lacks, for `missing_permissions`; else empty. */
  readonly missing: readonly MissingPermission[]
  /** Seconds until the same call can succeed, for `daily_creates_exhausted`. */
  readonly retryAfter: number | null
  /** For `storage`: whether the change may have been written. It is safe to read again and to repeat the call. */
  readonly mayHaveHappened: boolean

  constructor(code: RegistryErrorCode, details: RegistryErrorDetails = {}) {
    super(
      details.message ?? sentence(code, details),
      details.cause === undefined ? undefined : { cause: details.cause },
    )
    this.code = code
    this.issues = (details.issues ?? []) as readonly CommandIssue[]
    this.missing = details.missing ?? []
    this.retryAfter = details.retryAfter ?? null
    this.mayHaveHappened = details.mayHaveHappened ?? false
  }
}

function sentence(code: RegistryErrorCode, { issues, body, missing = [] }: RegistryErrorDetails): string {
  if (missing.length > 0) return [`${sentences[code]}:`, ...missing.map(({ text }) => text)].join(' ')
  if (issues === undefined || issues.length === 0) return sentences[code]
  if (issues.length === 1) return formatIssues(issues, body)
  return `${issues.length} problems\n${formatIssues(issues, body)}`
}
