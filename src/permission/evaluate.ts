/** May this member use this command here, and why (clauses 2.9-03 to 2.9-08). */
import { deepFreeze } from '../core/freeze.ts'
import { listed } from '../core/text.ts'
import type { ApplicationCommand } from '../command/definition.ts'
import { permissionBits, permissionNames } from './bits.ts'
import { guildPermissions, isAdministrator, isTimedOut, permissionsInChannel } from './effective.ts'
import { PermissionFlag, PermissionTargetType } from './kinds.ts'
import {
  checkRoles,
  permissionChannelId,
  type GuildChannel,
  type GuildMember,
  type GuildRole,
} from './member.ts'
import { allChannelsId, everyoneId, type CommandPermission } from './overwrite.ts'

const { USE_APPLICATION_COMMANDS } = PermissionFlag

/** Who wants to use which command where, and what is configured for it. */
export interface AccessRequest {
  readonly command: Pick<ApplicationCommand, 'default_member_permissions' | 'default_permission'>
  /** The entries stored for the command in the guild. */
  readonly overwrites?: readonly CommandPermission[] | null
  /** The entries stored for the app as a whole in the guild. */
  readonly appOverwrites?: readonly CommandPermission[] | null
  readonly member: GuildMember
  readonly channel: GuildChannel
  readonly guildId: string
  /** The guild's roles, @everyone among them; without them `member.permissions` counts, if that is given. */
  readonly roles?: readonly GuildRole[]
  /** The user who owns the guild and so may do everything in it. */
  readonly ownerId?: string
  /** Milliseconds since 1970, to tell whether a timeout is over. Absent: the system's clock. */
  readonly now?: number
}

export type AccessStepName =
  | 'administrator'
  | 'use_application_commands'
  | 'channel'
  | 'command'
  | 'application'
  | 'default_member_permissions'

/** Allowed and denied end the evaluation. */
export type AccessOutcome = 'allowed' | 'denied' | 'continue'

/** An entry that is about this member or this place. */
export interface AccessEntry extends CommandPermission {
  /** Whether it is the command's or the app's. */
  readonly of: 'command' | 'application'
  /** Its place in their list. */
  readonly index: number
  readonly target: AccessTarget
}

export type AccessTarget = 'user' | 'role' | 'everyone' | 'channel' | 'all_channels'

/** One step of the evaluation. */
export interface AccessStep {
  readonly step: AccessStepName
  readonly outcome: AccessOutcome
  /** The entries the outcome follows from: none, one, or those of several roles that say the same. */
  readonly entries: readonly AccessEntry[]
  /** Entries of this step that did not count beside these: less specific, outvoted, or repeated later on. */
  readonly overruled: readonly AccessEntry[]
  /** The permissions the member lacks, by name. */
  readonly missing: readonly string[]
  /**
   * Of the step that decided: the step that would decide if what it follows from were not so, that is without its
   * entries, for a member who is no administrator, or who may use commands. Null when nothing else could decide.
   */
  readonly otherwise: Omit<AccessStep, 'otherwise'> | null
  /** The same for people: one or two sentences of English. */
  readonly text: string
}

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
 * 2. Nobody else may use any command without USE_APPLICATION_COMMANDS in the channel, and so nobody who is timed
 *    out. Where nothing is known of what the member may do, they are taken to have it.
 * 3. The channel: the command's entry for it, else the command's for All Channels, else the app's for the
 *    channel, else the app's for All Channels. One that denies decides; one that allows leaves it to the next
 *    step. A thread is the channel it is in (2.9-05).
 * 4. The command's entries: the one for the user decides, else those for the member's roles (one that allows is
 *    enough), else the one for @everyone. They decide either way, whatever `default_member_permissions` say.
 * 5. The app's entries, found in the same order, when none of the command's is about the member (2.9-03). One
 *    that denies decides; one that allows leaves it to the next step.
 * 6. `default_member_permissions`: null allows, `'0'` denies, anything else asks for all its bits in this
 *    channel. The deprecated `default_permission: false` beside null counts as `'0'`. Where nothing is known of
 *    what the member may do, they are taken to lack the bits.
 *
 * Of several entries for one target, the last counts (2.9-02). Contexts have no part in this (2.8-05), and
 * neither has age restriction.
 *
 * @throws TypeError when the guild id is no snowflake, the member's roles are no list, or a set of permissions is
 *   no decimal string or bigint
 */
export function explainAccess(access: AccessRequest): AccessExplanation {
  const situation = situate(access)
  const trace = new Trace(situation)
  const allowed = decide(situation, trace)
  const last = trace.steps.length - 1
  const step = trace.steps[last]!
  const changed = withoutReason(situation, step)
  if (changed !== null) {
    const other = new Trace(changed)
    decide(changed, other)
    const { otherwise: _none, ...decider } = other.steps[other.steps.length - 1]!
    trace.steps[last] = { ...step, otherwise: decider }
  }
  return deepFreeze({ allowed, trace: trace.steps })
}

/** The answer of `explainAccess` alone, for when there are many to give. */
export function canUse(access: AccessRequest): boolean {
  return decide(situate(access), null)
}

/** A request with all that has to be computed only once. */
interface Situation {
  readonly command: readonly CommandPermission[]
  readonly application: readonly CommandPermission[]
  readonly userId: string
  readonly roles: readonly string[]
  readonly everyone: string
  readonly channel: string
  readonly allChannels: string
  readonly administrator: boolean
  readonly timedOut: boolean
  /** In the channel, a timeout aside; null when not known. */
  readonly permissions: bigint | null
  /** Null for none; 0 for administrators only. */
  readonly required: bigint | null
}

const none: readonly CommandPermission[] = []

function situate(access: AccessRequest): Situation {
  const { command, member, channel, guildId, ownerId } = access
  checkRoles(member, 'member')
  const base = guildPermissions(member, access.roles, guildId)
  return {
    command: access.overwrites ?? none,
    application: access.appOverwrites ?? none,
    userId: member.user.id,
    roles: member.roles,
    everyone: everyoneId(guildId),
    channel: permissionChannelId(channel),
    allChannels: allChannelsId(guildId),
    administrator: isAdministrator(member, base ?? 0n, ownerId),
    timedOut: isTimedOut(member, access.now),
    permissions: base === null ? null : permissionsInChannel(base, member, channel, guildId),
    required: requiredBits(command),
  }
}

function requiredBits(command: AccessRequest['command']): bigint | null {
  const { default_member_permissions: bits, default_permission } = command
  if (bits === null || bits === undefined) return default_permission === false ? 0n : null
  return permissionBits(bits, 'default_member_permissions')
}

/** The one decision procedure. A trace is told of each step as it is taken, and has no say in it. */
function decide(at: Situation, trace: Trace | null): boolean {
  trace?.administrator()
  if (at.administrator) return true

  const usable = mayUseCommands(at)
  trace?.use(usable)
  if (!usable) return false

  const place = channelEntry(at.command, at) ?? channelEntry(at.application, at)
  trace?.channel(place)
  if (place?.permission === false) return false

  const own = memberEntry(at.command, at)
  trace?.command(own)
  if (own !== undefined) return own.permission

  const common = memberEntry(at.application, at)
  trace?.application(common)
  if (common?.permission === false) return false

  const meets = meetsDefault(at)
  trace?.defaults(meets)
  return meets
}

function mayUseCommands({ timedOut, permissions }: Situation): boolean {
  return !timedOut && (permissions === null || (permissions & USE_APPLICATION_COMMANDS) !== 0n)
}

function meetsDefault({ required, permissions }: Situation): boolean {
  if (required === null) return true
  return required !== 0n && ((permissions ?? 0n) & required) === required
}

/** The most specific entry for the channel. */
function channelEntry(entries: readonly CommandPermission[], at: Situation): CommandPermission | undefined {
  let all: CommandPermission | undefined
  for (let i = entries.length - 1; i >= 0; i--) {
    const target = targetOf(entries[i]!, at)
    if (target === 'channel') return entries[i]
    if (target === 'all_channels') all ??= entries[i]
  }
  return all
}

/** The most specific entry for the member; of those for roles, one that allows before one that denies. */
function memberEntry(entries: readonly CommandPermission[], at: Situation): CommandPermission | undefined {
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

/** Whom or what an entry is about, seen from here; undefined when it is about somebody or something else. */
function targetOf({ type, id }: CommandPermission, at: Situation): AccessTarget | undefined {
  switch (type) {
    case PermissionTargetType.USER:
      return id === at.userId ? 'user' : undefined
    case PermissionTargetType.ROLE:
      return id === at.everyone ? 'everyone' : at.roles.includes(id) ? 'role' : undefined
    case PermissionTargetType.CHANNEL:
      return id === at.channel ? 'channel' : id === at.allChannels ? 'all_channels' : undefined
  }
}

/** Whether a later entry is for the same target and counts instead. */
function isRepeated(entries: readonly CommandPermission[], index: number): boolean {
  const { type, id } = entries[index]!
  for (let i = index + 1; i < entries.length; i++) {
    if (entries[i]!.id === id && entries[i]!.type === type) return true
  }
  return false
}

/** The situation without what a decision follows from; null when it follows from nothing that could be away. */
function withoutReason(at: Situation, { step, outcome, entries }: AccessStep): Situation | null {
  switch (step) {
    case 'administrator':
      return { ...at, administrator: false }
    case 'use_application_commands': {
      const { permissions } = at
      return {
        ...at,
        timedOut: false,
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

const channelTargets: readonly AccessTarget[] = ['channel', 'all_channels']
const memberTargets: readonly AccessTarget[] = ['user', 'role', 'everyone']

/** Puts the steps of one evaluation into data and words. */
class Trace {
  readonly steps: AccessStep[] = []
  readonly #at: Situation

  constructor(at: Situation) {
    this.#at = at
  }

  administrator(): void {
    const { administrator } = this.#at
    this.#add(
      'administrator',
      administrator ? 'allowed' : 'continue',
      administrator
        ? 'The member is an administrator or the owner of the guild and may use every command.'
        : 'The member is no administrator.',
    )
  }

  use(usable: boolean): void {
    const { timedOut, permissions } = this.#at
    const missing = usable ? [] : ['USE_APPLICATION_COMMANDS']
    let text = 'The member has USE_APPLICATION_COMMANDS in this channel.'
    if (timedOut) text = 'The member is timed out and may use no command.'
    else if (!usable) text = 'The member lacks USE_APPLICATION_COMMANDS in this channel.'
    else if (permissions === null) {
      text = 'What the member may do is not known; they are taken to have USE_APPLICATION_COMMANDS.'
    }
    this.#add('use_application_commands', usable ? 'continue' : 'denied', text, missing)
  }

  channel(decider: CommandPermission | undefined): void {
    const outcome = decider?.permission === false ? 'denied' : 'continue'
    const candidates = [
      ...this.#candidates('command', channelTargets),
      ...this.#candidates('application', channelTargets),
    ]
    this.#addEntries('channel', outcome, candidates, decider, 'No entry is for this channel.')
  }

  command(decider: CommandPermission | undefined): void {
    const outcome = decider === undefined ? 'continue' : decider.permission ? 'allowed' : 'denied'
    const candidates = this.#candidates('command', memberTargets)
    this.#addEntries('command', outcome, candidates, decider, 'No entry of the command is for this member.')
  }

  application(decider: CommandPermission | undefined): void {
    const outcome = decider?.permission === false ? 'denied' : 'continue'
    const candidates = this.#candidates('application', memberTargets)
    this.#addEntries('application', outcome, candidates, decider, 'No entry of the app is for this member.')
  }

  defaults(meets: boolean): void {
    const { required, permissions } = this.#at
    const missing = meets ? [] : permissionNames((required ?? 0n) & ~(permissions ?? 0n))
    let text: string
    if (required === null) text = 'The command asks for no permissions.'
    else if (required === 0n) text = 'The command is for administrators unless an entry of its own allows it.'
    else {
      const asked = `The command asks for ${listed(permissionNames(required))} in this channel`
      if (meets) text = `${asked}, and the member has it all.`
      else if (permissions === null) text = `${asked}, and what the member may do is not known.`
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

  #addEntries(
    step: AccessStepName,
    outcome: AccessOutcome,
    candidates: readonly Candidate[],
    decider: CommandPermission | undefined,
    nothing: string,
  ): void {
    const chosen = candidates.find(({ source }) => source === decider)?.entry
    const counts = ({ entry, repeated }: Candidate) =>
      !repeated &&
      entry.of === chosen?.of &&
      entry.target === chosen.target &&
      entry.permission === chosen.permission
    const entries = candidates.filter((candidate) => counts(candidate)).map(({ entry }) => entry)
    const overruled = candidates.filter((candidate) => !counts(candidate)).map(({ entry }) => entry)
    this.#add(step, outcome, chosen ? sentences(entries, overruled) : nothing, [], entries, overruled)
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
  /** As the caller gave it. */
  readonly source: CommandPermission
  readonly repeated: boolean
  readonly entry: AccessEntry
}

/** `The command's entry for role 7 allows it. The command's entry for @everyone, which denies it, does not count.` */
function sentences(entries: readonly AccessEntry[], overruled: readonly AccessEntry[]): string {
  const { permission } = entries[0]!
  const first = `${subject(entries)} ${verb(permission, entries.length)} it.`
  const against = overruled.filter((entry) => entry.permission !== permission)
  if (against.length === 0) return first
  const negation = against.length === 1 ? 'does not' : 'do not'
  return `${first} ${subject(against)}, which ${verb(!permission, against.length)} it, ${negation} count.`
}

function verb(permission: boolean, count: number): string {
  if (count === 1) return permission ? 'allows' : 'denies'
  return permission ? 'allow' : 'deny'
}

/** `The command's entries for role 7 and role 8`. */
function subject(entries: readonly AccessEntry[]): string {
  const owners = (['command', 'application'] as const).flatMap((of) => {
    const targets = entries.filter((entry) => entry.of === of).map(named)
    const noun = targets.length === 1 ? 'entry' : 'entries'
    return targets.length === 0
      ? []
      : [`${of === 'command' ? 'command' : 'app'}'s ${noun} for ${listed(targets)}`]
  })
  return `The ${owners.join(' and the ')}`
}

function named({ target, id }: AccessEntry): string {
  switch (target) {
    case 'everyone':
      return '@everyone'
    case 'all_channels':
      return 'all channels'
    default:
      return `${target} ${id}`
  }
}
