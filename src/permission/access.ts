/** Whether a member may use a command in a channel, and why (clauses 2.9-03 to 2.9-08, 2.9-10). */
import { deepFreeze } from '../core/freeze.ts'
import { listed } from '../core/text.ts'
import type { ApplicationCommand } from '../command/definition.ts'
import { PermissionFlag } from '../command/permission-flags.ts'
import { permissionChannelId, type MemberInChannel } from '../server/server.ts'
import { permissionBits, permissionNames } from '../command/permission-bits.ts'
import {
  checkChannel,
  checkCircumstances,
  checkDefaults,
  checkEntries,
  checkGuildRoles,
  checkMember,
  checkObject,
} from './checks.ts'
import { channelPermissions, guildPermissions, isAdministrator, isTimedOut } from './effective.ts'
import { PermissionTargetType, allChannelsId, type CommandPermission } from './entry.ts'

const { USE_APPLICATION_COMMANDS } = PermissionFlag

/** A member, a command, a channel, and the permissions that apply. */
export interface AccessRequest extends MemberInChannel {
  /** The command; only its default permissions are read. */
  readonly command: Pick<ApplicationCommand, 'default_member_permissions' | 'default_permission'>
  /** The entries stored for the command in the guild. */
  readonly overwrites?: readonly CommandPermission[] | null
  /** The entries stored for the app as a whole in the guild. */
  readonly appOverwrites?: readonly CommandPermission[] | null
  /** The current time in milliseconds since 1970, for timeouts. Default: the system's clock. */
  readonly now?: number
}

/** The target of an entry, as seen from a member in a channel. */
type AccessTarget = 'user' | 'role' | 'everyone' | 'channel' | 'all_channels'

/** An entry that is for this member or this channel. */
export interface AccessEntry extends CommandPermission {
  readonly of: 'command' | 'application'
  readonly index: number
  readonly target: AccessTarget
}

/** One step of the evaluation. */
export interface AccessStep {
  /** The name of the step, in the order of evaluation. */
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
  checkCommand(access)
  return memberAccess(access).explain(access.command, access.overwrites)
}

/** Whether a member may use a command: `allowed` of `explainAccess`, but faster. */
export function canUse(access: AccessRequest): boolean {
  checkCommand(access)
  return memberAccess(access).canUse(access.command, access.overwrites)
}

function checkCommand(access: AccessRequest): void {
  checkObject(access, 'access')
  checkDefaults(access.command, 'command')
  checkEntries(access.overwrites, 'overwrites')
}

/**
 * The access of one member in one channel to many commands. The commands and their entries must be valid, as the
 * registry stores them.
 *
 * @param label the prefix of field names in errors
 * @throws TypeError when the member, the channel, the roles or the app's entries have the wrong shape
 */
export function memberAccess(access: Omit<AccessRequest, 'command' | 'overwrites'>, label = '') {
  const { member, channel, guildId, ownerId, roles, now } = access
  checkCircumstances({ guildId, ownerId, now }, label)
  checkMember(member, `${label}member`)
  checkChannel(channel, `${label}channel`)
  checkGuildRoles(roles, `${label}roles`)
  checkEntries(access.appOverwrites, `${label}appOverwrites`)
  const base = guildPermissions(member, roles, guildId)
  const inChannel = channelPermissions(base ?? PermissionFlag.VIEW_CHANNEL, member, roles, channel, guildId)
  const facts = {
    application: access.appOverwrites ?? [],
    userId: member.user.id,
    roles: new Set(member.roles),
    everyone: guildId,
    channel: permissionChannelId(channel),
    allChannels: allChannelsId(guildId),
    administrator: isAdministrator(member, base ?? 0n, ownerId),
    timedOut: isTimedOut(member, now),
    permissions: base === null ? null : inChannel.permissions,
    canView: inChannel.canView,
  }
  const factsOf = (
    command: AccessRequest['command'],
    overwrites: AccessRequest['overwrites'],
  ): AccessFacts => ({ ...facts, command: overwrites ?? [], required: requiredBits(command) })
  return {
    canUse: (...command: Parameters<typeof factsOf>) => decide(factsOf(...command)),
    explain: (...command: Parameters<typeof factsOf>) => explain(factsOf(...command)),
  }
}

function requiredBits(command: AccessRequest['command']): bigint | null {
  const { default_member_permissions: bits, default_permission } = command
  if (bits === null || bits === undefined) return default_permission === false ? 0n : null
  return permissionBits(bits, 'default_member_permissions')
}

/** What the answer depends on. */
interface AccessFacts {
  readonly command: readonly CommandPermission[]
  readonly application: readonly CommandPermission[]
  readonly userId: string
  readonly roles: ReadonlySet<string>
  readonly everyone: string
  readonly channel: string
  readonly allChannels: string
  readonly administrator: boolean
  readonly timedOut: boolean
  /** The permissions in the channel, before a timeout and `canView`; null if unknown. */
  readonly permissions: bigint | null
  /** Whether the member has VIEW_CHANNEL; without it no other permission counts there. */
  readonly canView: boolean
  /** The required bits: null for none, 0 for administrators only. */
  readonly required: bigint | null
}

type Description = Pick<AccessStep, 'text'> & Partial<Pick<AccessStep, 'entries' | 'overruled' | 'missing'>>

interface Step {
  readonly step: AccessStep['step']
  readonly decide: (at: AccessFacts) => AccessStep['outcome']
  readonly describe: (at: AccessFacts) => Description
  /** The facts without the reason of a decision; null if the decision is the default. */
  readonly withoutReason: (at: AccessFacts) => AccessFacts | null
}

/** The steps in the order of evaluation; the last one always decides. */
const steps: readonly Step[] = [
  {
    step: 'administrator',
    decide: ({ administrator }) => (administrator ? 'allowed' : 'continue'),
    describe: ({ administrator }) => ({
      text: administrator
        ? 'The member is an administrator or owns the server, and can use every command.'
        : 'The member is not an administrator.',
    }),
    withoutReason: (at) => ({ ...at, administrator: false }),
  },
  {
    step: 'use_application_commands',
    decide: (at) => (!at.timedOut && at.canView && hasUse(at) ? 'continue' : 'denied'),
    describe: describeUse,
    withoutReason: (at) => ({
      ...at,
      timedOut: false,
      canView: true,
      permissions: at.permissions === null ? null : at.permissions | USE_APPLICATION_COMMANDS,
    }),
  },
  /* @__PURE__ */ entryStep('channel', 'No permission entry is about this channel.'),
  /* @__PURE__ */ entryStep('command', 'No entry of the command is about this member.'),
  /* @__PURE__ */ entryStep('application', 'No entry of the app is about this member.'),
  {
    step: 'default_member_permissions',
    decide: (at) => (meetsDefault(at) ? 'allowed' : 'denied'),
    describe: describeDefault,
    withoutReason: () => null,
  },
]

function decide(at: AccessFacts): boolean {
  for (const step of steps) {
    const outcome = step.decide(at)
    if (outcome !== 'continue') return outcome === 'allowed'
  }
  return false
}

function explain(at: AccessFacts): AccessExplanation {
  const trace = evaluate(at)
  const last = trace.length - 1
  const changed = steps[last]!.withoutReason(at)
  if (changed !== null) {
    const { otherwise: _none, ...decider } = evaluate(changed).at(-1)!
    trace[last] = { ...trace[last]!, otherwise: decider }
  }
  return deepFreeze({ allowed: trace[last]!.outcome === 'allowed', trace })
}

function evaluate(at: AccessFacts): AccessStep[] {
  const trace: AccessStep[] = []
  for (const { step, decide, describe } of steps) {
    const outcome = decide(at)
    trace.push({ step, outcome, entries: [], overruled: [], missing: [], otherwise: null, ...describe(at) })
    if (outcome !== 'continue') break
  }
  return trace
}

/** Whether permissions include USE_APPLICATION_COMMANDS, which is assumed if they are unknown. */
function hasUse({ permissions }: AccessFacts): boolean {
  return permissions === null || (permissions & USE_APPLICATION_COMMANDS) !== 0n
}

function describeUse(at: AccessFacts): Description {
  const missing = hasUse(at) ? [] : ['USE_APPLICATION_COMMANDS']
  if (at.timedOut) {
    const text = 'The member is timed out and cannot use commands.'
    return { missing: ['USE_APPLICATION_COMMANDS'], text }
  }
  if (!at.canView) {
    const text = 'The member lacks VIEW_CHANNEL, so no other permission counts in this channel.'
    return { missing: ['VIEW_CHANNEL', ...missing], text }
  }
  if (!hasUse(at)) return { missing, text: 'The member lacks USE_APPLICATION_COMMANDS in this channel.' }
  return {
    text:
      at.permissions === null
        ? "The member's permissions are unknown; USE_APPLICATION_COMMANDS is assumed."
        : 'The member has USE_APPLICATION_COMMANDS in this channel.',
  }
}

function meetsDefault({ required, permissions }: AccessFacts): boolean {
  if (required === null) return true
  return required !== 0n && ((permissions ?? 0n) & required) === required
}

function describeDefault(at: AccessFacts): Description {
  const { required, permissions } = at
  if (required === null) return { text: 'Default permissions: the command requires none.' }
  if (required === 0n) {
    return { text: 'Default permissions: administrators only, unless an entry of the command allows it.' }
  }
  const missing = permissionNames(required & ~(permissions ?? 0n))
  let verdict = `the member lacks ${listed(missing)}`
  if (meetsDefault(at)) verdict = 'the member has all of them'
  else if (permissions === null) verdict = "the member's permissions are unknown"
  const asked = `the command requires ${listed(permissionNames(required))} in this channel`
  return { missing, text: `Default permissions: ${asked}; ${verdict}.` }
}

function entryStep(step: 'channel' | 'command' | 'application', noEntry: string): Step {
  return {
    step,
    decide(at) {
      const decider = entriesOf(step, at).entries[0]
      if (decider === undefined) return 'continue'
      if (!decider.permission) return 'denied'
      // Only an entry of the command for the member allows.
      return step === 'command' ? 'allowed' : 'continue'
    },
    describe(at) {
      const { entries, overruled } = entriesOf(step, at)
      return { entries, overruled, text: entries.length === 0 ? noEntry : sentences(entries, overruled) }
    },
    withoutReason(at) {
      const { entries } = entriesOf(step, at)
      const without = (of: AccessEntry['of']) =>
        at[of].filter((entry) => !entries.some((other) => other.of === of && hasSameTarget(entry, other)))
      return { ...at, command: without('command'), application: without('application') }
    },
  }
}

// The most specific first.
const channelTargets: readonly AccessTarget[] = ['channel', 'all_channels']
const memberTargets: readonly AccessTarget[] = ['user', 'role', 'everyone']

/** The entries that are for the channel or the member: those that decide, and the others. */
function entriesOf(step: 'channel' | 'command' | 'application', at: AccessFacts) {
  const candidates =
    step === 'channel'
      ? [...candidatesOf('command', channelTargets, at), ...candidatesOf('application', channelTargets, at)]
      : candidatesOf(step, memberTargets, at)
  const distinct = candidates.filter(({ of, index }) => !isRepeated(at[of], index))
  const equals = distinct.filter(({ of, target }) => of === distinct[0]!.of && target === distinct[0]!.target)
  // Of the entries for roles, one that allows is enough.
  const permission = equals.some((entry) => entry.permission)
  const entries = equals.filter((entry) => entry.permission === permission)
  return { entries, overruled: candidates.filter((entry) => !entries.includes(entry)) }
}

function candidatesOf(
  of: AccessEntry['of'],
  targets: readonly AccessTarget[],
  at: AccessFacts,
): readonly AccessEntry[] {
  const found: AccessEntry[] = []
  for (const [index, { id, type, permission }] of at[of].entries()) {
    const target = targetOf(type, id, at)
    if (target !== undefined && targets.includes(target))
      found.push({ of, index, target, id, type, permission })
  }
  return found.sort((a, b) => targets.indexOf(a.target) - targets.indexOf(b.target))
}

/** The target of an entry; undefined if the entry is for another member or channel. */
function targetOf(type: PermissionTargetType, id: string, at: AccessFacts): AccessTarget | undefined {
  switch (type) {
    case PermissionTargetType.USER:
      return id === at.userId ? 'user' : undefined
    case PermissionTargetType.ROLE:
      if (id === at.everyone) return 'everyone'
      return at.roles.has(id) ? 'role' : undefined
    case PermissionTargetType.CHANNEL:
      if (id === at.channel) return 'channel'
      return id === at.allChannels ? 'all_channels' : undefined
  }
}

function hasSameTarget(one: CommandPermission, other: CommandPermission): boolean {
  return one.id === other.id && one.type === other.type
}

/** Whether a later entry for the same target replaces this one. */
function isRepeated(entries: readonly CommandPermission[], index: number): boolean {
  return entries.findLastIndex((entry) => hasSameTarget(entry, entries[index]!)) !== index
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
