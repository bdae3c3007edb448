/** Whether a member may use a command in a channel, and why (clauses 2.9-03 to 2.9-08, 2.9-10). */
import { deepFreeze } from '../core/freeze.ts'
import { PermissionFlag } from '../command/permission-flags.ts'
import { PermissionTargetType, type CommandPermission } from './entry.ts'
import {
  hasUse,
  isRepeated,
  accessFacts,
  memberFacts,
  targetOf,
  withCommand,
  type AccessRequest,
  type MemberRequest,
  type AccessFacts,
} from './access.ts'
import { Trace, type AccessEntry, type AccessExplanation, type AccessStep } from './trace.ts'

const { USE_APPLICATION_COMMANDS } = PermissionFlag

/**
 * Whether a member of a guild may use a command in a channel of it, with the steps that led to the answer. The
 * first step that decides ends the evaluation (clause 2.9-08):
 *
 * 1. The owner of the guild and administrators may use everything (2.9-06).
 * 2. Everyone else needs USE_APPLICATION_COMMANDS in the channel, so a member who is timed out or lacks VIEW_CHANNEL
 *    there can use no command (2.9-10). A member whose permissions are unknown is assumed to have it.
 * 3. The channel: the command's entry for it, else the command's entry for All Channels, else the app's entry for
 *    it, else the app's entry for All Channels. An entry that denies ends the evaluation; one that allows does not.
 *    The entries of a thread are those of its channel (2.9-05).
 * 4. The command's entries: the one for the user, else those for the member's roles (one that allows is enough), else
 *    the one for `@everyone`. They allow or deny regardless of `default_member_permissions`.
 * 5. The app's entries, in the same order, if no entry of the command is for the member (2.9-03). An entry that denies
 *    ends the evaluation; one that allows does not.
 * 6. `default_member_permissions`: null allows, `'0'` denies, any other value requires all its bits in the channel.
 *    The deprecated `default_permission: false` beside null counts as `'0'`. A member whose permissions are unknown is
 *    assumed to lack the bits.
 *
 * Of several entries for one target, the last counts (2.9-02). Contexts (2.8-05) and age restriction do not count here.
 *
 * @throws TypeError, naming the field, if a value that the answer depends on has the wrong shape: an id that is not a
 *   snowflake string, an object in place of a list, `'false'` in place of `false`
 */
export function explainAccess(access: AccessRequest): AccessExplanation {
  return explain(accessFacts(access))
}

/** Whether a member may use a command: `allowed` of `explainAccess`, but faster. */
export function canUse(access: AccessRequest): boolean {
  return decide(accessFacts(access), null)
}

/** The access of one member in one channel to many commands. */
export interface MemberAccess {
  /** Whether the member may use a command. Its entries must be valid, as the registry stores them. */
  canUse(command: AccessRequest['command'], overwrites: AccessRequest['overwrites']): boolean
  /** Why the member may or may not use a command. */
  explain(command: AccessRequest['command'], overwrites: AccessRequest['overwrites']): AccessExplanation
}

/** @throws TypeError as `explainAccess` does, with `label` before the names of fields */
export function memberAccess(access: MemberRequest, label: string): MemberAccess {
  const member = memberFacts(access, label)
  return {
    canUse: (command, overwrites) => decide(withCommand(member, command, overwrites), null),
    explain: (command, overwrites) => explain(withCommand(member, command, overwrites)),
  }
}

function explain(facts: AccessFacts): AccessExplanation {
  const trace = new Trace(facts)
  const allowed = decide(facts, trace)
  const last = trace.steps.length - 1
  const step = trace.steps[last]!
  const changed = withoutReason(facts, step)
  if (changed !== null) {
    const other = new Trace(changed)
    decide(changed, other)
    const { otherwise: _none, ...decider } = other.steps[other.steps.length - 1]!
    trace.steps[last] = { ...step, otherwise: decider }
  }
  return deepFreeze({ allowed, trace: trace.steps })
}

/** The one decision procedure. The trace records each step and does not affect the answer. */
function decide(at: AccessFacts, trace: Trace | null): boolean {
  trace?.administrator()
  if (at.administrator) return true

  const usable = mayUseCommands(at)
  trace?.use(usable)
  if (!usable) return false

  const place = channelEntry(at.command, at) ?? channelEntry(at.application, at)
  trace?.entries('channel', place)
  if (place?.permission === false) return false

  const own = memberEntry(at.command, at)
  trace?.entries('command', own)
  if (own !== undefined) return own.permission

  const common = memberEntry(at.application, at)
  trace?.entries('application', common)
  if (common?.permission === false) return false

  const meets = meetsDefault(at)
  trace?.defaults(meets)
  return meets
}

function mayUseCommands({ timedOut, canView, permissions }: AccessFacts): boolean {
  return !timedOut && canView && hasUse(permissions)
}

function meetsDefault({ required, permissions }: AccessFacts): boolean {
  if (required === null) return true
  return required !== 0n && ((permissions ?? 0n) & required) === required
}

/** The most specific entry for the channel. */
function channelEntry(entries: readonly CommandPermission[], at: AccessFacts): CommandPermission | undefined {
  let all: CommandPermission | undefined
  for (let i = entries.length - 1; i >= 0; i--) {
    const entry = entries[i]!
    if (entry.type !== PermissionTargetType.CHANNEL) continue
    const target = targetOf(entry, at)
    if (target === 'channel') return entry
    if (target === 'all_channels') all ??= entry
  }
  return all
}

/** The most specific entry for the member; of those for roles, one that allows before one that denies. */
function memberEntry(entries: readonly CommandPermission[], at: AccessFacts): CommandPermission | undefined {
  let role: CommandPermission | undefined
  let everyone: CommandPermission | undefined
  for (let i = entries.length - 1; i >= 0; i--) {
    const entry = entries[i]!
    const target = targetOf(entry, at)
    if (target === 'user') return entry
    if (target === 'everyone') everyone ??= entry
    if (target === 'role' && (role === undefined || (entry.permission && !role.permission))) {
      if (!isRepeated(entries, i)) role = entry
    }
  }
  return role ?? everyone
}

/** The facts without the reason of a decision; null if the decision is the default. */
function withoutReason(at: AccessFacts, { step, outcome, entries }: AccessStep): AccessFacts | null {
  switch (step) {
    case 'administrator':
      return { ...at, administrator: false }
    case 'use_application_commands': {
      const { permissions } = at
      return {
        ...at,
        timedOut: false,
        canView: true,
        permissions: permissions === null ? null : permissions | USE_APPLICATION_COMMANDS,
      }
    }
    case 'default_member_permissions':
      return null
    default: {
      const gone = (of: AccessEntry['of']) => (entry: CommandPermission) =>
        !entries.some((other) => other.of === of && other.type === entry.type && other.id === entry.id)
      return outcome === 'continue'
        ? null
        : {
            ...at,
            command: at.command.filter(gone('command')),
            application: at.application.filter(gone('application')),
          }
    }
  }
}
