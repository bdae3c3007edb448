import type { OverwritePlan } from '../../commands/registry/changes.ts'
import type { ApplicationSnapshot } from '../../commands/registry/read-snapshot.ts'
import { CommandRegistry } from '../../commands/registry/registry.ts'
import type { Scope } from '../../commands/registry/scope.ts'
import type { ApplicationSettings } from '../../model/application.ts'

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
