/** From a scope and a change to the next state, without side effects. Every change is checked on the next state. */
import type { ApplicationSettings } from '../../model/application.ts'
import {
  commandKey,
  type ApplicationCommand,
  type CommandDefinition,
} from '../../model/command-definition.ts'
import { COMMANDS_MAX, countRules, surplus } from '../definition/rules/command-list-rules.ts'
import { patchRules } from '../definition/rules/command-rules.ts'
import { parseCommands, parsePatch } from '../definition/parse.ts'
import type { ValidationContext } from '../definition/rules/reading.ts'
import { secondsToNextDay, utcDay } from '../../core/clock.ts'
import { deepFreeze } from '../../core/freeze.ts'
import { isObject, jsonValue, ownField, sameJson } from '../../core/json.ts'
import { Report } from '../../core/rules/report.ts'
import { takeId, type IdSource } from '../../model/id-source.ts'
import { laterSnowflake } from '../../core/snowflake.ts'
import { changesBetween, eventsOf, setFields } from './changes.ts'
import { RegistryError, valid, type RegistryErrorCode, type RegistryErrorDetails } from './registry-error.ts'
import type { RegistryEvent } from './events.ts'
import {
  commandOf,
  createsToday,
  dayOfCreates,
  indexOfCommand,
  scopeDocument,
  type ScopeRecord,
} from './record.ts'
import { dailyCreates, entryPointKept, isEntryPoint, nameTaken } from './scope-rules.ts'
import { describeScope, type Scope } from './scope.ts'

export type ScopeChange =
  | { readonly kind: 'upsert'; readonly definition: CommandDefinition; readonly body: unknown }
  /** The body is parsed when the change is planned, because it depends on the command it edits. */
  | { readonly kind: 'edit'; readonly commandId: string; readonly body: unknown }
  | { readonly kind: 'remove'; readonly commandId: string }
  | Overwrite
  /** Creates the entry point command unless there is one; not counted as a create of the day (clause 2.3-02). */
  | { readonly kind: 'launch'; readonly definition: CommandDefinition }

interface Overwrite {
  readonly kind: 'overwrite'
  readonly definitions: readonly CommandDefinition[]
  readonly bodies: unknown
}

/** A scope, and what a change of it depends on. No module reads a clock or creates an id by itself. */
export interface ScopeState {
  readonly scope: Scope
  readonly record: ScopeRecord
  /** Milliseconds since 1970. */
  readonly now: number
  readonly ids: IdSource
  readonly application: ApplicationSettings
}

export interface ScopePlan {
  /** The document to write; the record it was made from if nothing changes. */
  readonly next: ScopeRecord
  /** The command that the change is about; after an overwrite all commands. */
  readonly commands: readonly ApplicationCommand[]
  /** The number of commands created. */
  readonly created: number
  /** Made only if there are listeners. */
  events(): readonly RegistryEvent[]
}

/** @throws RegistryError if the change is refused; then nothing must be written */
export function planScope(state: ScopeState, change: ScopeChange): ScopePlan {
  const { record, application } = state
  switch (change.kind) {
    case 'upsert': {
      const index = record.commands.findIndex(isNamedLike(change.definition))
      return put(state, index, keepHandler(change.definition, change.body, record.commands[index]))
    }
    case 'edit': {
      const index = indexOrThrow(state, change.commandId)
      const read = parsePatch(change.body, record.commands[index]!, { application })
      return put(state, index, valid(read, change.body))
    }
    case 'remove': {
      const index = indexOrThrow(state, change.commandId)
      const commands = record.commands.toSpliced(index, 1)
      const next = { ...record, commands, tenures: record.tenures.toSpliced(index, 1) }
      return nextPlan(state, next, [record.commands[index]!], 0)
    }
    case 'overwrite':
      return overwrite(state, change)
    case 'launch': {
      const existing = record.commands.find(isEntryPoint)
      return existing === undefined ? put(state, -1, change.definition, false) : unchanged(record, [existing])
    }
  }
}

/** The error for an id that no command of the scope has. */
export function unknownCommand(scope: Scope, commandId: string): RegistryError {
  return new RegistryError('unknown_command', {
    message: `unknown command ${commandId}: it is not among ${describeScope(scope)}`,
  })
}

function indexOrThrow({ scope, record }: ScopeState, commandId: string): number {
  const index = indexOfCommand(record, commandId)
  if (index < 0) throw unknownCommand(scope, commandId)
  return index
}

function unchanged(record: ScopeRecord, commands: readonly ApplicationCommand[]): ScopePlan {
  return { next: record, commands, created: 0, events: () => [] }
}

/** @param counted how many of the created commands count as creates of the day */
function nextPlan(
  state: ScopeState,
  next: Pick<ScopeRecord, 'commands' | 'tenures' | 'latest'>,
  commands: readonly ApplicationCommand[],
  created: number,
  counted = created,
): ScopePlan {
  const creates = countCreates(state, counted)
  const events = () => eventsOf(state.scope, changesBetween(state.record.commands, next.commands))
  return { next: scopeDocument({ ...next, creates }), commands, created, events }
}

/** Replaces the command at an index, or adds one if the index is -1. */
function put(state: ScopeState, index: number, definition: CommandDefinition, counts = true): ScopePlan {
  const { scope, record } = state
  const ids = laterIds(state)
  const current = record.commands[index]
  const { command, tenure } = nextVersion(state, index, definition, ids)
  if (command === current) return unchanged(record, [command])
  const at = current === undefined ? record.commands.length : index
  const commands = record.commands.toSpliced(at, 1, command)
  if (command.name !== current?.name) refuseTakenName(scope, commands, at)
  if (command.type !== current?.type) refuseSurplus(scope, commands, at)
  const next = { commands, tenures: record.tenures.toSpliced(at, 1, tenure), latest: ids.latest }
  const created = current === undefined ? 1 : 0
  return nextPlan(state, next, [command], created, counts ? created : 0)
}

/** An item replaces the command with its `id`, or the one of its type and name if no item has its id (4.1-07). */
function overwrite(state: ScopeState, { definitions, bodies }: Overwrite): ScopePlan {
  const { scope, record } = state
  const matches = matchCommands(record, definitions)
  refuseOtherTypes(record, definitions, matches, bodies)
  const items = jsonValue(bodies) as readonly unknown[]
  const ids = laterIds(state)
  const versions = definitions.map((definition, i) => {
    const index = matches[i]!
    return nextVersion(state, index, keepHandler(definition, items[i], record.commands[index]), ids)
  })
  const commands = versions.map(({ command }) => command)
  refuseIssues('entry_point_required', (report) => report.check(entryPointKept, record.commands, commands))
  refuseSurplus(scope, commands, -1, bodies)
  const isSame =
    commands.length === record.commands.length && commands.every((each, i) => each === record.commands[i])
  if (isSame) return unchanged(record, record.commands)
  const next = { commands, tenures: versions.map(({ tenure }) => tenure), latest: ids.latest }
  return nextPlan(state, next, commands, matches.filter((index) => index < 0).length)
}

/** For each definition the index of the command it replaces, or -1. */
function matchCommands(record: ScopeRecord, definitions: readonly CommandDefinition[]): number[] {
  const byName = new Map(record.commands.map((command, index) => [commandKey(command), index]))
  const byId = definitions.map(({ id }) => (id === undefined ? -1 : indexOfCommand(record, id)))
  const taken = new Set(byId)
  return definitions.map((definition, i) => {
    if (byId[i]! >= 0) return byId[i]!
    const index = byName.get(commandKey(definition)) ?? -1
    return taken.has(index) ? -1 : index
  })
}

/** A body that leaves `handler` out keeps the stored one (clause 2.1-25). */
function keepHandler(
  definition: CommandDefinition,
  body: unknown,
  current: ApplicationCommand | undefined,
): CommandDefinition {
  if (current?.handler === undefined || !isEntryPoint(definition)) return definition
  const source = jsonValue(body)
  // Null unsets it, as everywhere (clause 2.1-22).
  const isGiven = isObject(source) && ownField(source, 'handler') !== undefined
  return isGiven ? definition : { ...definition, handler: current.handler }
}

// --- Refusals ---------------------------------------------------------------------------------------------------

/** @throws RegistryError with the issues that a check reports, if there are any */
function refuseIssues(
  code: RegistryErrorCode,
  check: (report: Report) => void,
  details?: RegistryErrorDetails,
): void {
  const report = new Report()
  check(report)
  if (report.errors.length > 0) throw new RegistryError(code, { ...details, issues: report.errors })
}

/** Refuses an item that names a command of another type by id: types cannot change (clause 2.1-02). */
function refuseOtherTypes(
  { commands }: ScopeRecord,
  definitions: readonly CommandDefinition[],
  matches: readonly number[],
  body: unknown,
): void {
  const check = (report: Report) =>
    definitions.forEach(({ type }, i) => {
      const current = commands[matches[i]!]
      if (current !== undefined)
        report.at([i, 'type'], () => report.check(patchRules.patchType, type, current.type))
    })
  refuseIssues('invalid', check, { body })
}

/** Refuses more commands of a type than a scope may have (8-01, 4.4-02). `at` is the new one, `body` the list of an overwrite. */
function refuseSurplus(
  scope: Scope,
  commands: readonly ApplicationCommand[],
  at: number,
  body?: unknown,
): void {
  const check = (report: Report) => {
    for (const { index, type } of surplus(commands))
      report.at(body === undefined ? [] : [index], () =>
        report.check(countRules[type], COMMANDS_MAX[type] + 1),
      )
  }
  const subject = `command "${commands[at]?.name}" among ${describeScope(scope)}`
  refuseIssues('too_many_commands', check, body === undefined ? { subject } : { body })
}

function isNamedLike(command: Pick<ApplicationCommand, 'type' | 'name'>): (other: typeof command) => boolean {
  const key = commandKey(command)
  return (other) => commandKey(other) === key
}

/** Refuses a command with the name of another one of its type (clause 4.2-07). An overwrite has distinct names. */
function refuseTakenName(scope: Scope, commands: readonly ApplicationCommand[], index: number): void {
  const command = commands[index]!
  const isNamed = isNamedLike(command)
  const isTaken = commands.some((other) => other !== command && isNamed(other))
  refuseIssues('name_taken', (report) => report.at('name', () => report.check(nameTaken, isTaken, command)), {
    subject: `command ${command.id} among ${describeScope(scope)}`,
  })
}

// --- Parts of the next state ------------------------------------------------------------------------------------

/** Ids and versions that are later than all earlier ones of a scope. */
interface LaterIds {
  latest: string
  next(): string
}

function laterIds({ scope: { applicationId }, record, ids }: ScopeState): LaterIds {
  return {
    latest: record.latest,
    next() {
      this.latest = laterSnowflake(takeId(ids, this.latest), this.latest)
      // The application's own permissions are stored under its id, so no command may have it.
      if (this.latest === applicationId) this.latest = laterSnowflake(applicationId, applicationId)
      return this.latest
    },
  }
}

/** The next version of the command at an index, the same object if nothing changes (clause 2.1-18); else a new one. */
function nextVersion(
  { scope, record }: ScopeState,
  index: number,
  definition: CommandDefinition,
  ids: LaterIds,
): { readonly command: ApplicationCommand; readonly tenure: string } {
  const current = record.commands[index]
  if (current === undefined) {
    const command = deepFreeze(commandOf(scope, definition, ids.next(), ids.next()))
    return { command, tenure: command.version }
  }
  const tenure = record.tenures[index]!
  const next = commandOf(scope, definition, current.id, current.version)
  if (sameJson(current, next, setFields)) return { command: current, tenure }
  const command = deepFreeze({ ...next, version: ids.next() })
  // A renamed command gets its new version, which no tenure had before.
  return { command, tenure: current.name === command.name ? tenure : command.version }
}

/** The creates of the day after some more; refuses more than the daily limit (clause 8-02). */
function countCreates({ scope, record, now }: ScopeState, created: number): ScopeRecord['creates'] {
  if (created === 0) return record.creates
  const creates = { day: dayOfCreates(record, now), count: createsToday(record, now) + created }
  const left = secondsToNextDay(now)
  refuseIssues('daily_creates_exhausted', (report) => report.check(dailyCreates, creates.count, created), {
    subject: `the change of ${describeScope(scope)}`,
    // Another writer, whose clock is ahead, may count in the next day already.
    retryAfter: creates.day > utcDay(now) ? left + secondsToNextDay(now + left * 1000) : left,
  })
  return creates
}

/** @throws RegistryError `invalid` */
export function overwriteOf(bodies: unknown, context: ValidationContext): ScopeChange {
  return {
    kind: 'overwrite',
    definitions: valid(parseCommands(bodies, context, { counts: 'by the plan' }), bodies),
    bodies,
  }
}
