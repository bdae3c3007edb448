/** The difference between two states of a scope: for events, for previews, and for restored snapshots. */
import type { ApplicationCommand } from '../../model/command-definition.ts'
import { sameJson } from '../../core/json.ts'
import type { GuildCommandPermissions } from '../../model/permission-entry.ts'
import type { CommandEvent } from './events.ts'
import { createsToday, type ScopeRecord } from './record.ts'
import { DAILY_CREATES_MAX } from './scope-rules.ts'
import type { Scope } from './scope.ts'

interface CommandChange {
  readonly kind: 'created' | 'updated' | 'deleted' | 'unchanged'
  /** The command as it is after the change; a deleted one as it was. */
  readonly command: ApplicationCommand
  /** The command as it was before; null for a created one. */
  readonly before: ApplicationCommand | null
}

/** The fields whose lists are sets: another order of the same values is not a change (clause 2.1-18). */
export const setFields: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'contexts',
  'integration_types',
  'channel_types',
])

/** One change for each command: those of `after` in its order, then the deleted ones. Commands are the same by id. */
export function changesBetween(
  before: readonly ApplicationCommand[],
  after: readonly ApplicationCommand[],
): CommandChange[] {
  const previous = new Map(before.map((command) => [command.id, command]))
  const changes = after.map((command): CommandChange => {
    const old = previous.get(command.id) ?? null
    previous.delete(command.id)
    const kind = old === null ? 'created' : sameJson(old, command) ? 'unchanged' : 'updated'
    return { kind, command, before: old }
  })
  for (const command of previous.values()) changes.push({ kind: 'deleted', command, before: command })
  return changes
}

/** The events of changes, in their order. */
export function eventsOf(scope: Scope, changes: readonly CommandChange[]): CommandEvent[] {
  return changes.flatMap(({ kind, command }) =>
    kind === 'unchanged' ? [] : [{ type: `command_${kind}` as const, scope, command }],
  )
}

/** What `overwrite` would do. */
export interface OverwritePlan {
  /** Commands that would be created, with ids that are not final. */
  readonly creates: readonly ApplicationCommand[]
  readonly updates: readonly CommandUpdate[]
  readonly deletes: readonly ApplicationCommand[]
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
  const changesOf = (kind: CommandChange['kind']) => changes.filter((change) => change.kind === kind)
  const commandsOf = (kind: CommandChange['kind']) => changesOf(kind).map(({ command }) => command)
  return {
    creates: commandsOf('created'),
    updates: changesOf('updated').map(({ before: old, command: after }) => ({
      before: old!,
      after,
      fields: changedFields(old!, after),
    })),
    deletes: commandsOf('deleted'),
    unchanged: commandsOf('unchanged'),
    createsLeft: DAILY_CREATES_MAX - createsToday(next, now),
    permissionsLost,
  }
}

function changedFields(before: ApplicationCommand, after: ApplicationCommand): string[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)] as (keyof ApplicationCommand)[])
  fields.delete('version')
  return [...fields].filter(
    (field) => !sameJson({ [field]: before[field] }, { [field]: after[field] }, setFields),
  )
}
