/** The difference between two states of a scope: for events, for previews, and for restored snapshots. */
import type { ApplicationCommand } from '../command/definition.ts'
import { sameJson } from '../core/json.ts'
import type { CommandEvent } from './events.ts'
import type { Scope } from './scope.ts'

/** A command before and after a change; `null` where it does not exist. */
export interface CommandChange {
  readonly kind: 'created' | 'updated' | 'deleted' | 'unchanged'
  /** The command as it is after the change; a deleted one as it was. */
  readonly command: ApplicationCommand
  /** The command as it was before; null for a created one. */
  readonly before: ApplicationCommand | null
}

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
