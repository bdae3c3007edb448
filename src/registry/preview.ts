/** What an overwrite would do, for people and programs to look at before it is done. */
import type { ApplicationCommand } from '../command/definition.ts'
import { sameJson } from '../core/json.ts'
import type { GuildCommandPermissions } from '../permission/overwrite.ts'
import { createsToday, type ScopePlan } from './plan.ts'
import type { ScopeRecord } from './record.ts'
import { DAILY_CREATES_MAX } from '../command/scope-rules.ts'

export interface OverwritePlan {
  readonly creates: readonly ApplicationCommand[]
  readonly updates: readonly CommandUpdate[]
  readonly deletes: readonly ApplicationCommand[]
  readonly unchanged: readonly ApplicationCommand[]
  /** Creates of this day that would be left afterwards. */
  readonly createsLeft: number
  /** Permissions that renamed and deleted commands would lose, in every guild (2.9-09). */
  readonly permissionsLost: readonly GuildCommandPermissions[]
}

export interface CommandUpdate {
  readonly before: ApplicationCommand
  readonly after: ApplicationCommand
  /** The fields that differ, in the order in which commands are answered. */
  readonly fields: readonly string[]
}

export function describePlan(
  before: ScopeRecord,
  { next }: ScopePlan,
  now: number,
  permissionsLost: readonly GuildCommandPermissions[],
): OverwritePlan {
  const old = new Map(before.commands.map((command) => [command.id, command]))
  const creates: ApplicationCommand[] = []
  const updates: CommandUpdate[] = []
  const unchanged: ApplicationCommand[] = []
  for (const after of next.commands) {
    const previous = old.get(after.id)
    old.delete(after.id)
    if (previous === undefined) creates.push(after)
    else if (previous === after) unchanged.push(after)
    else updates.push({ before: previous, after, fields: differing(previous, after) })
  }
  const createsLeft = DAILY_CREATES_MAX - createsToday(next, now)
  return { creates, updates, deletes: [...old.values()], unchanged, createsLeft, permissionsLost }
}

function differing(before: ApplicationCommand, after: ApplicationCommand): string[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)] as (keyof ApplicationCommand)[])
  fields.delete('version')
  return [...fields].filter((field) => !sameJson(before[field], after[field]))
}
