/** The scopes of a target, each command compared with the definitions. */
import type { DefinitionSet } from '../../authoring/findings.ts'
import { compareScopes, type ScopeStatus } from '../../authoring/side-by-side.ts'
import { commandLabel } from '../../authoring/words.ts'
import { scopeOf } from '../../../commands/registry/scope.ts'
import { fetchBaseline, settingsFor, type Baseline } from './baseline.ts'
import type { Target } from './targets.ts'

export interface TargetStatus {
  readonly target: Target
  readonly set: DefinitionSet | null
  readonly baselines: readonly Baseline[]
  readonly scopes: readonly ScopeStatus[]
  /** The definitions that no scope has, in words. */
  readonly missing: readonly string[]
}

/**
 * Reads the deployed commands of a target, and compares them with the definitions.
 *
 * @param hasPermissions whether the permissions of global commands in the servers of the target are read as well
 * @throws CommandError
 */
export async function statusOf(
  target: Target,
  set: DefinitionSet | null,
  hasPermissions: boolean,
): Promise<TargetStatus> {
  const scopes = [null, ...target.guilds].map((guildId) => scopeOf(target.application, guildId))
  const baselines: Baseline[] = []
  for (const scope of scopes) {
    const permissionsIn = hasPermissions && scope.kind === 'global' ? target.guilds : []
    baselines.push(await fetchBaseline(target.service, scope, permissionsIn))
  }
  const bodies = set === null ? null : set.bodies
  const deployed = baselines.map((baseline) => {
    const { settings } = settingsFor(baseline, bodies ?? [])
    return { scope: baseline.scope, snapshot: baseline.snapshot, settings }
  })
  const compared = await compareScopes(deployed, bodies)
  const missing = compared.missing.map((body) => commandLabel(body))
  return { target, set, baselines, scopes: compared.scopes, missing }
}
