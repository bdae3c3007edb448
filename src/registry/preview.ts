/** The effect of an overwrite, described before it is done. */
import type { ApplicationCommand } from '../command/definition.ts'
import { sameJson } from '../core/json.ts'
import type { GuildCommandPermissions } from '../permission/entry.ts'
import { changesBetween, type CommandChange } from './changes.ts'
import { createsToday, type ScopeRecord } from './record.ts'
import { DAILY_CREATES_MAX } from './scope-rules.ts'

/** What `overwrite` would do. */
export interface OverwritePlan {
  /** Commands that would be created, with ids that are not final. */
  readonly creates: readonly ApplicationCommand[]
  /** Commands that would change. */
  readonly updates: readonly CommandUpdate[]
  /** Commands that would be deleted. */
  readonly deletes: readonly ApplicationCommand[]
  /** Commands that would stay as they are. */
  readonly unchanged: readonly ApplicationCommand[]
  /** Creates of the day that would be left afterwards. */
  readonly createsLeft: number
  /** Permissions that renamed and deleted commands would lose, in every guild (clause 2.9-09). */
  readonly permissionsLost: readonly GuildCommandPermissions[]
}

/** A command that would change. */
export interface CommandUpdate {
  readonly before: ApplicationCommand
  readonly after: ApplicationCommand
  /** The names of the fields that differ, in the order of a response; without `version`. */
  readonly fields: readonly string[]
}

export function describePlan(
  before: ScopeRecord,
  next: ScopeRecord,
  now: number,
  permissionsLost: readonly GuildCommandPermissions[],
): OverwritePlan {
  const changes = changesBetween(before.commands, next.commands)
  const commandsOf = (kind: CommandChange['kind']) =>
    changes.filter((change) => change.kind === kind).map(({ command }) => command)
  return {
    creates: commandsOf('created'),
    updates: changes.flatMap(({ kind, before: old, command: after }) =>
      kind === 'updated' ? [{ before: old!, after, fields: changedFields(old!, after) }] : [],
    ),
    deletes: commandsOf('deleted'),
    unchanged: commandsOf('unchanged'),
    createsLeft: DAILY_CREATES_MAX - createsToday(next, now),
    permissionsLost,
  }
}

function changedFields(before: ApplicationCommand, after: ApplicationCommand): string[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)] as (keyof ApplicationCommand)[])
  fields.delete('version')
  return [...fields].filter((field) => !sameJson(before[field], after[field]))
}
