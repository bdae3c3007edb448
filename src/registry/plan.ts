/**
 * From a state of a scope and a change to the next state, without side effects: the document to write, the result of
 * the call, and the events. The rules of a scope are checked on the next state, whichever change leads to it.
 */
import type { ApplicationSettings } from '../command/application.ts'
import type { ApplicationCommand, CommandDefinition } from '../command/definition.ts'
import { COMMANDS_MAX, countRules, identity, surplus } from '../command/commands.ts'
import { patchRules } from '../command/command-rules.ts'
import { parsePatch } from '../command/parse.ts'
import { secondsToNextDay, utcDay } from '../core/clock.ts'
import { deepFreeze } from '../core/freeze.ts'
import { isObject, jsonValue, sameJson } from '../core/json.ts'
import { Report } from '../core/report.ts'
import { laterSnowflake, takeId, type IdSource } from '../core/snowflake.ts'
import type { ScopeChange } from './change.ts'
import { changesBetween, eventsOf } from './changes.ts'
import { RegistryError, type RegistryErrorCode, type RegistryErrorDetails } from './error.ts'
import type { RegistryEvent } from './events.ts'
import { createsToday, dayOfCreates, indexOfCommand, scopeDocument, type ScopeRecord } from './record.ts'
import { commandOf } from './stored-command.ts'
import { dailyCreates, entryPointKept, isEntryPoint, nameTaken } from './scope-rules.ts'
import { describeScope, type Scope } from './scope.ts'

/** The time, the ids and the application's settings. No module reads a clock or creates an id by itself. */
export interface Environment {
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
export function planScope(
  scope: Scope,
  record: ScopeRecord,
  change: ScopeChange,
  env: Environment,
): ScopePlan {
  switch (change.kind) {
    case 'upsert': {
      const index = record.commands.findIndex(isNamedLike(change.definition))
      const definition = keepHandler(change.definition, change.body, record.commands[index])
      return put(scope, record, index, definition, env)
    }
    case 'edit': {
      const index = findCommand(scope, record, change.commandId)
      const context = { application: env.application }
      const read = parsePatch(change.body, record.commands[index]!, context)
      if (!read.ok) throw new RegistryError('invalid', { issues: read.issues, body: change.body })
      return put(scope, record, index, read.value, env)
    }
    case 'remove':
      return remove(scope, record, findCommand(scope, record, change.commandId))
    case 'overwrite':
      return overwrite(scope, record, change, env)
    case 'launch': {
      const existing = record.commands.find(isEntryPoint)
      if (existing !== undefined) return unchanged(record, [existing])
      return put(scope, record, -1, change.definition, env, false)
    }
  }
}

function findCommand(scope: Scope, record: ScopeRecord, commandId: string): number {
  const index = indexOfCommand(record, commandId)
  if (index < 0) throw unknownCommand(scope, commandId)
  return index
}

/** The error for an id that no command of the scope has. */
export function unknownCommand(scope: Scope, commandId: string): RegistryError {
  return new RegistryError('unknown_command', {
    message: `unknown command ${commandId}: it is not among ${describeScope(scope)}`,
  })
}

function unchanged(record: ScopeRecord, commands: readonly ApplicationCommand[]): ScopePlan {
  return { next: record, commands, created: 0, events: () => [] }
}

/**
 * Replaces the command at an index, or adds one if the index is -1.
 *
 * @param counts whether a new command counts as a create of the day
 */
function put(
  scope: Scope,
  record: ScopeRecord,
  index: number,
  definition: CommandDefinition,
  env: Environment,
  counts = true,
): ScopePlan {
  const ids = laterIds(scope, record, env)
  const current = record.commands[index]
  const command = nextVersion(scope, current, definition, ids)
  if (command === current) return unchanged(record, [command])
  const isNew = current === undefined
  const at = isNew ? record.commands.length : index
  const commands = record.commands.toSpliced(at, 1, command)
  if (command.name !== current?.name) refuseTakenName(scope, commands, at)
  if (isNew) refuseSurplus(scope, commands)
  const next = scopeDocument({
    commands,
    tenures: record.tenures.toSpliced(at, 1, nextTenure(current, record.tenures[index], command)),
    creates: countCreates(scope, record, isNew && counts ? 1 : 0, env),
    latest: ids.latest,
  })
  const type = isNew ? 'command_created' : 'command_updated'
  return { next, commands: [command], created: isNew ? 1 : 0, events: () => [{ type, scope, command }] }
}

function remove(scope: Scope, record: ScopeRecord, index: number): ScopePlan {
  const command = record.commands[index]!
  const next = scopeDocument({
    ...record,
    commands: record.commands.toSpliced(index, 1),
    tenures: record.tenures.toSpliced(index, 1),
  })
  const events = () => [{ type: 'command_deleted' as const, scope, command }]
  return { next, commands: [command], created: 0, events }
}

/**
 * Replaces the whole list. An item replaces the command with its `id`; otherwise the command of its type and name,
 * unless another item has that command's id. The other items are new, and commands without an item are deleted (clause
 * 4.1-07).
 */
function overwrite(
  scope: Scope,
  record: ScopeRecord,
  { definitions, bodies }: Extract<ScopeChange, { kind: 'overwrite' }>,
  env: Environment,
): ScopePlan {
  const matches = matchCommands(record, definitions)
  refuseOtherTypes(record, definitions, matches, bodies)
  const items = jsonValue(bodies) as readonly unknown[]
  const ids = laterIds(scope, record, env)
  const tenures: string[] = []
  const commands = definitions.map((definition, i) => {
    const index = matches[i]!
    const current = record.commands[index]
    const command = nextVersion(scope, current, keepHandler(definition, items[i], current), ids)
    tenures.push(nextTenure(current, record.tenures[index], command))
    return command
  })
  const report = new Report()
  report.check(entryPointKept, record.commands, commands)
  refuse('entry_point_required', report)
  refuseSurplus(scope, commands, bodies)
  const isSame =
    commands.length === record.commands.length &&
    commands.every((command, i) => command === record.commands[i])
  if (isSame) return unchanged(record, record.commands)
  const created = matches.filter((index) => index < 0).length
  const creates = countCreates(scope, record, created, env)
  const next = scopeDocument({ commands, tenures, creates, latest: ids.latest })
  const events = () => eventsOf(scope, changesBetween(record.commands, commands))
  return { next, commands, created, events }
}

/** For each definition the index of the command it replaces, or -1. */
function matchCommands(record: ScopeRecord, definitions: readonly CommandDefinition[]): number[] {
  const byName = new Map(record.commands.map((command, index) => [identity(command), index]))
  const byId = definitions.map(({ id }) => (id === undefined ? -1 : indexOfCommand(record, id)))
  const taken = new Set(byId)
  return definitions.map((definition, i) => {
    if (byId[i]! >= 0) return byId[i]!
    const index = byName.get(identity(definition)) ?? -1
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
  const isGiven = isObject(source) && source.handler !== undefined && source.handler !== null
  return isGiven ? definition : { ...definition, handler: current.handler }
}

// --- Refusals ---------------------------------------------------------------------------------------------------

/** @throws RegistryError with the issues of a report, if it has any */
function refuse(code: RegistryErrorCode, { errors }: Report, details?: RegistryErrorDetails): void {
  if (errors.length > 0) throw new RegistryError(code, { ...details, issues: Object.freeze(errors) })
}

/** Refuses an item that names a command of another type by id: types cannot change (clause 2.1-02). */
function refuseOtherTypes(
  record: ScopeRecord,
  definitions: readonly CommandDefinition[],
  matches: readonly number[],
  bodies: unknown,
): void {
  const report = new Report()
  definitions.forEach(({ type }, i) => {
    const current = record.commands[matches[i]!]
    if (current !== undefined)
      report.at([i, 'type'], () => report.check(patchRules.patchType, type, current.type))
  })
  refuse('invalid', report, { body: bodies })
}

/**
 * Refuses more commands of a type than a scope may have (clauses 8-01, 4.4-02).
 *
 * @param bodies the list that the commands were made from, if it was a list
 */
function refuseSurplus(scope: Scope, commands: readonly ApplicationCommand[], bodies?: unknown): void {
  const report = new Report()
  for (const { index, type } of surplus(commands)) {
    const path = bodies === undefined ? [] : [index]
    report.at(path, () => report.check(countRules[type], COMMANDS_MAX[type] + 1))
  }
  const subject = `command "${commands.at(-1)?.name}" among ${describeScope(scope)}`
  refuse('too_many_commands', report, bodies === undefined ? { subject } : { body: bodies })
}

type Named = Pick<ApplicationCommand, 'type' | 'name'>

/** Whether a command has the type and the name of another: no two commands of a scope have both. */
function isNamedLike({ type, name }: Named): (command: Named) => boolean {
  return (command) => command.name === name && command.type === type
}

/** Refuses a command with the name of another one of its type (clause 4.2-07). An overwrite has distinct names. */
function refuseTakenName(scope: Scope, commands: readonly ApplicationCommand[], index: number): void {
  const command = commands[index]!
  const isNamed = isNamedLike(command)
  const isTaken = commands.some((other) => other !== command && isNamed(other))
  const report = new Report()
  report.at('name', () => report.check(nameTaken, isTaken, command))
  refuse('name_taken', report, { subject: `command ${command.id} among ${describeScope(scope)}` })
}

// --- Parts of the next state ------------------------------------------------------------------------------------

/** Ids and versions that are later than all earlier ones of a scope. */
interface LaterIds {
  latest: string
  next(): string
}

function laterIds({ applicationId }: Scope, record: ScopeRecord, { ids }: Environment): LaterIds {
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

/** A new command, or the next version of one; `current` itself if nothing changes (clause 2.1-18). */
function nextVersion(
  scope: Scope,
  current: ApplicationCommand | undefined,
  definition: CommandDefinition,
  ids: LaterIds,
): ApplicationCommand {
  if (current === undefined) return deepFreeze(commandOf(scope, definition, ids.next(), ids.next()))
  const next = commandOf(scope, definition, current.id, current.version)
  return sameJson(current, next) ? current : deepFreeze({ ...next, version: ids.next() })
}

/** The same tenure while the command keeps its name; otherwise its new version, which no tenure had before. */
function nextTenure(
  current: ApplicationCommand | undefined,
  tenure: string | undefined,
  command: ApplicationCommand,
): string {
  return current !== undefined && current.name === command.name ? tenure! : command.version
}

// --- Creates of the day -----------------------------------------------------------------------------------------

/** The creates of the day after some more; refuses more than the daily limit (clause 8-02). */
function countCreates(
  scope: Scope,
  record: ScopeRecord,
  created: number,
  { now }: Environment,
): ScopeRecord['creates'] {
  if (created === 0) return record.creates
  const creates = { day: dayOfCreates(record, now), count: createsToday(record, now) + created }
  const report = new Report()
  report.check(dailyCreates, creates.count, created)
  refuse('daily_creates_exhausted', report, {
    subject: `the change of ${describeScope(scope)}`,
    retryAfter: secondsLeft(creates.day, now),
  })
  return creates
}

/** Seconds until the end of the day in which creates are counted. */
function secondsLeft(day: string, now: number): number {
  const left = secondsToNextDay(now)
  return day > utcDay(now) ? left + secondsToNextDay(now + left * 1000) : left
}
