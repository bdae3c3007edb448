/** Plans that compare: with a snapshot instead of a store, and deletes with creates. */
import type { ApplicationSettings } from '../command/application.ts'
import type { ApplicationCommand } from '../command/definition.ts'
import { sameJson } from '../core/json.ts'
import type { OverwritePlan } from './preview.ts'
import { CommandRegistry } from './registry.ts'
import type { Scope } from './scope.ts'
import type { ApplicationSnapshot } from './snapshot.ts'

/** What an overwrite would do to the application of a snapshot. @throws RegistryError when it would be refused */
export async function planAgainst(
  snapshot: ApplicationSnapshot,
  settings: ApplicationSettings,
  scope: Scope,
  bodies: readonly unknown[],
): Promise<OverwritePlan> {
  const registry = new CommandRegistry({ applications: { get: () => settings } })
  await registry.restore(snapshot)
  return registry.plan(scope, bodies)
}

/** A delete and a create that look like one command with a new name. */
export interface Rename {
  readonly from: ApplicationCommand
  readonly to: ApplicationCommand
}

/** Pairs of a delete and a create that may be meant as one command with a new name. */
export function renamesOf({ deletes, creates }: OverwritePlan): readonly Rename[] {
  const left = new Set(creates)
  return deletes.flatMap((from) => {
    const rivals = [deletes, creates].map((list) => list.filter(({ type }) => type === from.type).length)
    const to = [...left].find((create) => resembles(from, create, Math.max(...rivals) === 1))
    if (to === undefined) return []
    left.delete(to)
    return [{ from, to }]
  })
}

/** @param only whether no other command of the type is deleted or created */
function resembles(from: ApplicationCommand, to: ApplicationCommand, only: boolean): boolean {
  if (from.type !== to.type) return false
  if (from.description === '' && from.options === undefined) return only
  const sameOptions = from.options !== undefined && sameJson(from.options, to.options)
  return sameOptions || (from.description !== '' && from.description === to.description)
}
