/** The steps of a decision about access, as data and in words. */
import { listed } from '../core/text.ts'
import { permissionNames } from './bits.ts'
import type { CommandPermission } from './entry.ts'
import { hasUse, isRepeated, targetOf, type AccessTarget, type AccessFacts } from './access.ts'

/** The name of a step, in the order of evaluation. */
export type AccessStepName =
  | 'administrator'
  | 'use_application_commands'
  | 'channel'
  | 'command'
  | 'application'
  | 'default_member_permissions'

/** The outcome of a step: `allowed` and `denied` end the evaluation. */
export type AccessOutcome = 'allowed' | 'denied' | 'continue'

/** An entry that is for this member or this channel. */
export interface AccessEntry extends CommandPermission {
  readonly of: 'command' | 'application'
  readonly index: number
  readonly target: AccessTarget
}

/** One step of the evaluation. */
export interface AccessStep {
  readonly step: AccessStepName
  /** The outcome; `continue` leaves the decision to the next step. */
  readonly outcome: AccessOutcome
  /** The entries the outcome follows from: none, one, or equal ones for several roles. */
  readonly entries: readonly AccessEntry[]
  /** Entries of this step that did not count: less specific, overruled by another role, or repeated later. */
  readonly overruled: readonly AccessEntry[]
  readonly missing: readonly string[]
  /**
   * For the step that decided: the step that would decide without its entries, or for a member who is not an
   * administrator, or who may use commands. Null for other steps, and if no other step could decide.
   */
  readonly otherwise: Omit<AccessStep, 'otherwise'> | null
  readonly text: string
}

/** Whether a member may use a command, and every step that led to the answer. */
export interface AccessExplanation {
  readonly allowed: boolean
  /** The steps in order, up to the one that decided. */
  readonly trace: readonly AccessStep[]
}

const channelTargets: readonly AccessTarget[] = ['channel', 'all_channels']
const memberTargets: readonly AccessTarget[] = ['user', 'role', 'everyone']

/** The steps that follow from entries. */
type EntryStep = 'channel' | 'command' | 'application'

const noEntry: { readonly [Step in EntryStep]: string } = {
  channel: 'No permission entry is about this channel.',
  command: 'No entry of the command is about this member.',
  application: 'No entry of the app is about this member.',
}

/** Records the steps of one evaluation as data and in words. */
export class Trace {
  readonly steps: AccessStep[] = []
  readonly #at: AccessFacts

  constructor(at: AccessFacts) {
    this.#at = at
  }

  administrator(): void {
    const { administrator } = this.#at
    this.#add(
      'administrator',
      administrator ? 'allowed' : 'continue',
      administrator
        ? 'The member is an administrator or owns the server, and can use every command.'
        : 'The member is not an administrator.',
    )
  }

  use(usable: boolean): void {
    const { timedOut, permissions, canView } = this.#at
    const missing: string[] = []
    if (!canView) missing.push('VIEW_CHANNEL')
    if (!hasUse(permissions)) missing.push('USE_APPLICATION_COMMANDS')
    let text = 'The member has USE_APPLICATION_COMMANDS in this channel.'
    if (timedOut) text = 'The member is timed out and cannot use commands.'
    else if (!canView) text = 'The member lacks VIEW_CHANNEL, so no other permission counts in this channel.'
    else if (!usable) text = 'The member lacks USE_APPLICATION_COMMANDS in this channel.'
    else if (permissions === null) {
      text = "The member's permissions are unknown; USE_APPLICATION_COMMANDS is assumed."
    }
    this.#add(
      'use_application_commands',
      usable ? 'continue' : 'denied',
      text,
      timedOut ? ['USE_APPLICATION_COMMANDS'] : missing,
    )
  }

  /** The entries for the channel, those of the command for the member, or those of the app for the member. */
  entries(step: EntryStep, decider: CommandPermission | undefined): void {
    const candidates =
      step === 'channel'
        ? [...this.#candidates('command', channelTargets), ...this.#candidates('application', channelTargets)]
        : this.#candidates(step, memberTargets)
    const chosen = candidates.find(({ source }) => source === decider)?.entry
    const counts = ({ entry, repeated }: Candidate) =>
      !repeated &&
      entry.of === chosen?.of &&
      entry.target === chosen.target &&
      entry.permission === chosen.permission
    const entries = candidates.filter((candidate) => counts(candidate)).map(({ entry }) => entry)
    const overruled = candidates.filter((candidate) => !counts(candidate)).map(({ entry }) => entry)
    let outcome: AccessOutcome = 'continue'
    if (decider?.permission === false) outcome = 'denied'
    // Only an entry of the command for the member allows.
    else if (decider !== undefined && step === 'command') outcome = 'allowed'
    this.#add(step, outcome, chosen ? sentences(entries, overruled) : noEntry[step], [], entries, overruled)
  }

  defaults(meets: boolean): void {
    const { required, permissions } = this.#at
    const missing = meets ? [] : permissionNames((required ?? 0n) & ~(permissions ?? 0n))
    let text: string
    if (required === null) text = 'Default permissions: the command requires none.'
    else if (required === 0n) {
      text = 'Default permissions: administrators only, unless an entry of the command allows it.'
    } else {
      const asked = `Default permissions: the command requires ${listed(permissionNames(required))} in this channel`
      if (meets) text = `${asked}; the member has all of them.`
      else if (permissions === null) text = `${asked}; the member's permissions are unknown.`
      else text = `${asked}; the member lacks ${listed(missing)}.`
    }
    this.#add('default_member_permissions', meets ? 'allowed' : 'denied', text, missing)
  }

  /** The entries of a list that are for one of the targets, the most specific first. */
  #candidates(of: AccessEntry['of'], targets: readonly AccessTarget[]): Candidate[] {
    const entries = this.#at[of]
    const found = entries.flatMap((source, index): Candidate[] => {
      const target = targetOf(source, this.#at)
      if (target === undefined || !targets.includes(target)) return []
      const { id, type, permission } = source
      const repeated = isRepeated(entries, index)
      return [{ source, repeated, entry: { of, index, target, id, type, permission } }]
    })
    return found.sort((a, b) => targets.indexOf(a.entry.target) - targets.indexOf(b.entry.target))
  }

  #add(
    step: AccessStepName,
    outcome: AccessOutcome,
    text: string,
    missing: readonly string[] = [],
    entries: readonly AccessEntry[] = [],
    overruled: readonly AccessEntry[] = [],
  ): void {
    this.steps.push({ step, outcome, entries, overruled, missing, otherwise: null, text })
  }
}

interface Candidate {
  readonly source: CommandPermission
  readonly repeated: boolean
  readonly entry: AccessEntry
}

/** `The command's entry for role 7 allows it. The command's entry for @everyone, which denies it, does not count.` */
function sentences(entries: readonly AccessEntry[], overruled: readonly AccessEntry[]): string {
  const { permission } = entries[0]!
  const first = `${subject(entries)} ${verb(permission, entries.length)} it.`
  const opposite = overruled.filter((entry) => entry.permission !== permission)
  if (opposite.length === 0) return first
  const negation = opposite.length === 1 ? 'does not' : 'do not'
  return `${first} ${subject(opposite)}, which ${verb(!permission, opposite.length)} it, ${negation} count.`
}

function verb(permission: boolean, count: number): string {
  if (count === 1) return permission ? 'allows' : 'denies'
  return permission ? 'allow' : 'deny'
}

/** `The command's entries for role 7 and role 8`. */
function subject(entries: readonly AccessEntry[]): string {
  const owners = (['command', 'application'] as const).flatMap((of) => {
    const targets = entries.filter((entry) => entry.of === of).map(describeTarget)
    const noun = targets.length === 1 ? 'entry' : 'entries'
    return targets.length === 0
      ? []
      : [`${of === 'command' ? 'command' : 'app'}'s ${noun} for ${listed(targets)}`]
  })
  return `The ${owners.join(' and the ')}`
}

function describeTarget({ target, id }: AccessEntry): string {
  switch (target) {
    case 'everyone':
      return '@everyone'
    case 'all_channels':
      return 'All Channels'
    default:
      return `${target} ${id}`
  }
}
