/** Whether a member may use a command in a channel, and why (clauses 2.9-03 to 2.9-08, 2.9-10). */
import { deepFreeze } from '../../core/freeze.ts'
import { listed } from '../../core/text.ts'
import type { ApplicationCommand } from '../../model/command-definition.ts'
import { PermissionFlag } from '../../model/permission-flags.ts'
import { demandObject } from '../../core/rules/arguments.ts'
import { permissionChannelId, type MemberInChannel } from '../../model/server.ts'
import { permissionBits, permissionNames } from '../../model/permission-bits.ts'
import { checkCommand, checkMemberInChannel } from './checks.ts'
import { channelPermissions, guildPermissions, isAdministrator, isTimedOut } from './effective.ts'
import {
  entryKey,
  PermissionTargetType,
  allChannelsId,
  type CommandPermission,
} from '../../model/permission-entry.ts'

const { USE_APPLICATION_COMMANDS } = PermissionFlag
const { CHANNEL, ROLE, USER } = PermissionTargetType

/** A member, a command, a channel, and the permissions that apply. */
export interface AccessRequest extends MemberInChannel {
  readonly command: Pick<ApplicationCommand, 'default_member_permissions' | 'default_permission'>
  /** The entries of the command in the guild. */
  readonly overwrites?: readonly CommandPermission[] | null
  /** The entries of the app as a whole in the guild. */
  readonly appOverwrites?: readonly CommandPermission[] | null
  /** The current time in milliseconds since 1970, for timeouts. Default: the system's clock. */
  readonly now?: number
}

/** An entry that is for this member or this channel. */
export interface AccessEntry extends CommandPermission {
  readonly of: 'command' | 'application'
  readonly index: number
  readonly target: 'user' | 'role' | 'everyone' | 'channel' | 'all_channels'
}

/** A step of the evaluation, and what it decided. */
export interface AccessStep {
  /** In the order of evaluation. */
  readonly step:
    | 'administrator'
    | 'use_application_commands'
    | 'channel'
    | 'command'
    | 'application'
    | 'default_member_permissions'
  /** `allowed` and `denied` end the evaluation; `continue` leaves the decision to the next step. */
  readonly outcome: 'allowed' | 'denied' | 'continue'
  /** The entries the outcome follows from: none, one, or equal ones for several roles. */
  readonly entries: readonly AccessEntry[]
  /** Entries of this step that did not count: less specific, overruled by another role, or repeated later. */
  readonly overruled: readonly AccessEntry[]
  readonly missing: readonly string[]
  /**
   * For the step that decided: the step that would decide without its reason, which is its entries, the right of an
   * administrator or a missing permission. Null for other steps, and if no other step could decide.
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
  return checkedAccess(access).explain(access.command, access.overwrites)
}

/** Whether a member may use a command: `allowed` of `explainAccess`, but faster. */
export function canUse(access: AccessRequest): boolean {
  return checkedAccess(access).canUse(access.command, access.overwrites)
}

function checkedAccess(access: AccessRequest) {
  checkCommand(demandObject(access, 'access'), '')
  return memberAccess(access)
}

type Command = AccessRequest['command']
type Entries = AccessRequest['overwrites']

/**
 * The access of one member in one channel to many commands. The commands and their entries must be valid, as the
 * registry stores them.
 *
 * @param label what has the fields that errors name
 * @throws TypeError when the member, the channel, the roles or the app's entries have the wrong shape
 */
export function memberAccess(access: Omit<AccessRequest, 'command' | 'overwrites'>, label = '') {
  checkMemberInChannel(access, label)
  const { member, channel, guildId, ownerId, roles, now } = access
  const base = guildPermissions(member, roles, guildId)
  const inChannel = channelPermissions(base ?? PermissionFlag.VIEW_CHANNEL, member, roles, channel, guildId)
  const facts: Omit<AccessFacts, 'command' | 'required'> = {
    application: access.appOverwrites ?? [],
    channelTargets: [
      { target: 'channel', type: CHANNEL, ids: [permissionChannelId(channel)] },
      { target: 'all_channels', type: CHANNEL, ids: [allChannelsId(guildId)] },
    ],
    memberTargets: [
      { target: 'user', type: USER, ids: [member.user.id] },
      { target: 'role', type: ROLE, ids: member.roles.filter((id) => id !== guildId) },
      { target: 'everyone', type: ROLE, ids: [guildId] },
    ],
    administrator: isAdministrator(member, base ?? 0n, ownerId),
    timedOut: isTimedOut(member, now),
    permissions: base === null ? null : inChannel.permissions,
    canView: inChannel.canView,
  }
  const factsOf = (command: Command, entries: Entries): AccessFacts => ({
    ...facts,
    command: entries ?? [],
    required: requiredBits(command),
  })
  return {
    canUse: (command: Command, entries: Entries) => decide(factsOf(command, entries)),
    explain: (command: Command, entries: Entries) => explain(factsOf(command, entries)),
  }
}

function requiredBits({ default_member_permissions: bits, default_permission }: Command): bigint | null {
  if (bits === null || bits === undefined) return default_permission === false ? 0n : null
  return permissionBits(bits, 'default_member_permissions')
}

/** The ids that entries for this member or this channel can have. The most specific target is the first of its list. */
interface TargetIds extends Pick<AccessEntry, 'target' | 'type'> {
  readonly ids: readonly string[]
}

/** What the answer depends on. */
interface AccessFacts {
  readonly command: readonly CommandPermission[]
  readonly application: readonly CommandPermission[]
  readonly channelTargets: readonly TargetIds[]
  readonly memberTargets: readonly TargetIds[]
  readonly administrator: boolean
  readonly timedOut: boolean
  /** The permissions in the channel, before a timeout and `canView`; null if unknown. */
  readonly permissions: bigint | null
  /** Whether the member has VIEW_CHANNEL; without it no other permission counts there. */
  readonly canView: boolean
  /** The required bits: null for none, 0 for administrators only. */
  readonly required: bigint | null
}

interface Finding {
  readonly outcome: AccessStep['outcome']
  readonly describe: () => Pick<AccessStep, 'text'> &
    Partial<Pick<AccessStep, 'entries' | 'overruled' | 'missing'>>
  /** The facts that change without the reason of a decision; absent if the decision is the default. */
  readonly withoutReason?: () => Partial<AccessFacts>
}

/** The steps in the order of evaluation; the last one always decides. */
const steps: readonly (readonly [AccessStep['step'], (at: AccessFacts) => Finding])[] = [
  ['administrator', administratorStep],
  ['use_application_commands', useStep],
  ['channel', (at) => entryStep('channel', 'No permission entry is about this channel.', at)],
  ['command', (at) => entryStep('command', 'No entry of the command is about this member.', at)],
  ['application', (at) => entryStep('application', 'No entry of the app is about this member.', at)],
  ['default_member_permissions', defaultStep],
]

/** The findings of the steps up to the one that decides. */
function findingsOf(at: AccessFacts): (Finding & Pick<AccessStep, 'step'>)[] {
  const found = []
  for (const [step, find] of steps) {
    const next = { step, ...find(at) }
    found.push(next)
    if (next.outcome !== 'continue') break
  }
  return found
}

function decide(at: AccessFacts): boolean {
  return findingsOf(at).at(-1)!.outcome === 'allowed'
}

function explain(at: AccessFacts): AccessExplanation {
  const found = findingsOf(at)
  const last = found.at(-1)!
  const changed = last.withoutReason?.()
  const next = changed && findingsOf({ ...at, ...changed }).at(-1)!
  const trace = found.map((one) => ({
    ...described(one),
    otherwise: next !== undefined && one === last ? described(next) : null,
  }))
  return deepFreeze({ allowed: last.outcome === 'allowed', trace })
}

function described({ step, outcome, describe }: ReturnType<typeof findingsOf>[number]) {
  return { step, outcome, entries: [], overruled: [], missing: [], ...describe() }
}

function administratorStep({ administrator }: AccessFacts): Finding {
  if (!administrator) return finding('continue', 'The member is not an administrator.')
  return {
    ...finding('allowed', 'The member is an administrator or owns the server, and can use every command.'),
    withoutReason: () => ({ administrator: false }),
  }
}

function finding(outcome: AccessStep['outcome'], text: string): Finding {
  return { outcome, describe: () => ({ text }) }
}

/** Unknown permissions are assumed to include USE_APPLICATION_COMMANDS. */
function useStep({ timedOut, canView, permissions }: AccessFacts): Finding {
  const hasUse = permissions === null || (permissions & USE_APPLICATION_COMMANDS) !== 0n
  if (hasUse && canView && !timedOut) {
    const unknown = "The member's permissions are unknown; USE_APPLICATION_COMMANDS is assumed."
    const known = 'The member has USE_APPLICATION_COMMANDS in this channel.'
    return finding('continue', permissions === null ? unknown : known)
  }
  const missing = hasUse && !timedOut ? [] : ['USE_APPLICATION_COMMANDS']
  let text = 'The member lacks USE_APPLICATION_COMMANDS in this channel.'
  if (timedOut) text = 'The member is timed out and cannot use commands.'
  else if (!canView) {
    missing.unshift('VIEW_CHANNEL')
    text = 'The member lacks VIEW_CHANNEL, so no other permission counts in this channel.'
  }
  return {
    outcome: 'denied',
    describe: () => ({ missing, text }),
    withoutReason: () => ({
      timedOut: false,
      canView: true,
      permissions: permissions === null ? null : permissions | USE_APPLICATION_COMMANDS,
    }),
  }
}

function defaultStep({ required, permissions }: AccessFacts): Finding {
  if (required === null) return finding('allowed', 'Default permissions: the command requires none.')
  if (required === 0n) {
    const text = 'Default permissions: administrators only, unless an entry of the command allows it.'
    return finding('denied', text)
  }
  const lacking = required & ~(permissions ?? 0n)
  return {
    outcome: lacking === 0n ? 'allowed' : 'denied',
    describe: () => {
      const missing = permissionNames(lacking)
      let verdict = `the member lacks ${listed(missing)}`
      if (lacking === 0n) verdict = 'the member has all of them'
      else if (permissions === null) verdict = "the member's permissions are unknown"
      const asked = `the command requires ${listed(permissionNames(required))} in this channel`
      return { missing, text: `Default permissions: ${asked}; ${verdict}.` }
    },
  }
}

function entryStep(step: 'channel' | 'command' | 'application', noEntry: string, at: AccessFacts): Finding {
  const { entries, overruled } = ownEntries(step, at)
  const [decider] = entries
  if (decider === undefined) return finding('continue', noEntry)
  // Only an entry of the command for the member allows.
  const allowing = step === 'command' ? 'allowed' : 'continue'
  const without = (of: AccessEntry['of']) =>
    at[of].filter((entry) => !entries.some((other) => other.of === of && hasSameTarget(entry, other)))
  return {
    outcome: decider.permission ? allowing : 'denied',
    describe: () => ({ entries, overruled, text: sentences(entries, overruled, describeTarget) }),
    withoutReason: () => ({ command: without('command'), application: without('application') }),
  }
}

/** The entries that are for the channel or the member: those that decide, and the others. */
function ownEntries(step: 'channel' | 'command' | 'application', at: AccessFacts) {
  const candidates =
    step === 'channel'
      ? [
          ...candidatesOf('command', at.channelTargets, at),
          ...candidatesOf('application', at.channelTargets, at),
        ]
      : candidatesOf(step, at.memberTargets, at)
  const distinct = candidates.filter(({ of, index }) => !isRepeated(at[of], index))
  const equals = distinct.filter(({ of, target }) => of === distinct[0]!.of && target === distinct[0]!.target)
  // Of the entries for roles, one that allows is enough.
  const permission = equals.some((entry) => entry.permission)
  const entries = equals.filter((entry) => entry.permission === permission)
  return { entries, overruled: candidates.filter((entry) => !entries.includes(entry)) }
}

function candidatesOf(of: AccessEntry['of'], targets: readonly TargetIds[], at: AccessFacts): AccessEntry[] {
  const found: AccessEntry[] = []
  for (const { target, type, ids } of targets)
    for (const [index, { id, type: own, permission }] of at[of].entries())
      if (own === type && ids.includes(id)) found.push({ of, index, target, id, type, permission })
  return found
}

function hasSameTarget(one: CommandPermission, other: CommandPermission): boolean {
  return entryKey(one) === entryKey(other)
}

/** Whether a later entry for the same target replaces this one. */
function isRepeated(entries: readonly CommandPermission[], index: number): boolean {
  return entries.findLastIndex((entry) => hasSameTarget(entry, entries[index]!)) !== index
}

type DescribeTarget = (entry: AccessEntry) => string

/** The text of a step whose targets a caller names, such as `role Moderators` in place of `role 5001`. */
export function stepText(
  { entries, overruled, text }: Omit<AccessStep, 'otherwise'>,
  nameOf: DescribeTarget,
): string {
  return entries.length === 0 ? text : sentences(entries, overruled, nameOf)
}

/** `The command's entry for role 7 allows it. The command's entry for @everyone, which denies it, does not count.` */
function sentences(
  entries: readonly AccessEntry[],
  overruled: readonly AccessEntry[],
  nameOf: DescribeTarget,
): string {
  const { permission } = entries[0]!
  const first = `${subject(entries, nameOf)} ${verb(permission, entries.length)} it.`
  const opposite = overruled.filter((entry) => entry.permission !== permission)
  if (opposite.length === 0) return first
  const negation = opposite.length === 1 ? 'does not' : 'do not'
  return `${first} ${subject(opposite, nameOf)}, which ${verb(!permission, opposite.length)} it, ${negation} count.`
}

function verb(permission: boolean, count: number): string {
  if (count === 1) return permission ? 'allows' : 'denies'
  return permission ? 'allow' : 'deny'
}

/** `The command's entries for role 7 and role 8`. */
function subject(entries: readonly AccessEntry[], nameOf: DescribeTarget): string {
  const owners = (['command', 'application'] as const).flatMap((of) => {
    const targets = entries.filter((entry) => entry.of === of).map(nameOf)
    if (targets.length === 0) return []
    const noun = targets.length === 1 ? 'entry' : 'entries'
    return [`${of === 'command' ? 'command' : 'app'}'s ${noun} for ${listed(targets)}`]
  })
  return `The ${owners.join(' and the ')}`
}

function describeTarget({ target, id }: AccessEntry): string {
  if (target === 'everyone') return '@everyone'
  return target === 'all_channels' ? 'All Channels' : `${target} ${id}`
}
