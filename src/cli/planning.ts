/** Plans a deploy: the changes it would make, and what it would lose. */
import type { ApplicationSettings } from '../command/application.ts'
import { commandCount, countRules } from '../command/commands.ts'
import type { ApplicationCommand } from '../command/definition.ts'
import { sameJson } from '../core/json.ts'
import type { Issue } from '../core/report.ts'
import { listed } from '../core/text.ts'
import { validateCommands } from '../reference/validate.ts'
import { RegistryError } from '../registry/error.ts'
import type { OverwritePlan } from '../registry/preview.ts'
import { CommandRegistry } from '../registry/registry.ts'
import { dailyCreates, entryPointKept } from '../registry/scope-rules.ts'
import type { Scope } from '../registry/scope.ts'
import type { ApplicationSnapshot } from '../registry/snapshot.ts'
import type { Baseline } from './baseline.ts'
import type { ExitCode } from './errors.ts'
import { assignToFiles, type DefinitionSet, type FileFindings } from './findings.ts'
import { settingsFor } from './assumed-settings.ts'

/** The result of planning. */
export interface Planned {
  /** Every problem, including conflicts with the deployed commands. */
  readonly files: readonly FileFindings[]
  /** Null when the definitions are invalid. */
  readonly preview: Preview | null
}

export interface Preview {
  /** The snapshot file, or the address of the service. */
  readonly against: string
  readonly scope: Scope
  readonly plan: OverwritePlan
  /** Null when unknown or exceeded. */
  readonly createsLeft: number | null
  readonly renames: readonly Rename[]
  /** Facts the plan could not consider, a sentence each. */
  readonly unseen: readonly string[]
}

/** A delete and a create that look like one command with a new name. */
export interface Rename {
  readonly from: ApplicationCommand
  readonly to: ApplicationCommand
}

/** The rules about a list as a whole, which valid definitions can break. */
const limits: ReadonlySet<string> = new Set(
  [commandCount, ...Object.values(countRules), dailyCreates, entryPointKept].map(({ code }) => code),
)

/** 0 safe, 1 invalid, 2 permissions would be lost or a limit exceeded. */
export function planExitCode({ files, preview }: Planned): ExitCode {
  const errors = files.flatMap(({ findings }) => findings.filter(({ level }) => level === 'error'))
  if (errors.length > 0) return errors.every(({ code }) => limits.has(code)) ? 2 : 1
  return preview !== null && preview.plan.permissionsLost.length > 0 ? 2 : 0
}

/**
 * Plans a deploy.
 *
 * @param loadBaseline reads the deployed commands; only called for valid definitions
 */
export async function planDeploy(
  set: DefinitionSet,
  scopeKind: Scope['kind'],
  loadBaseline: () => Promise<{ readonly baseline: Baseline; readonly scope: Scope }>,
): Promise<Planned> {
  const { bodies, sources } = set
  const validation = validateCommands(bodies, { scope: scopeKind })
  const { warnings } = validation
  if (!validation.ok || sources.some(({ fault }) => fault !== null))
    return { files: assignToFiles(set, validation.ok ? [] : validation.issues, warnings), preview: null }
  const { baseline, scope } = await loadBaseline()
  const { errors, preview } = await previewOf(bodies, baseline, scope)
  return { files: assignToFiles(set, errors, warnings), preview }
}

async function previewOf(
  bodies: readonly unknown[],
  baseline: Baseline,
  scope: Scope,
): Promise<{ readonly errors: readonly Issue[]; readonly preview: Preview | null }> {
  const { snapshot } = baseline
  const global =
    scope.kind === 'global' ? snapshot.scopes.find(({ guild_id }) => guild_id === null) : undefined
  const { settings, assumption } = settingsFor(baseline.settings, global?.commands ?? [], bodies)
  let plan: OverwritePlan
  let createsLeft: number | null = null
  let errors: readonly Issue[] = []
  try {
    plan = await overwritePlan(snapshot, settings, scope, bodies)
    if (baseline.isComplete) createsLeft = plan.createsLeft
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    errors = error.issues
    if (error.code !== 'daily_creates_exhausted') return { errors, preview: null }
    // The plan itself is still valid on the next day.
    plan = await overwritePlan(withoutCreates(snapshot), settings, scope, bodies)
  }
  const unseen = [...unseenBy(plan, baseline, scope), ...(assumption === undefined ? [] : [assumption])]
  return {
    errors,
    preview: { against: baseline.name, scope, plan, createsLeft, renames: renamesIn(plan), unseen },
  }
}

async function overwritePlan(
  snapshot: ApplicationSnapshot,
  settings: ApplicationSettings,
  scope: Scope,
  bodies: readonly unknown[],
): Promise<OverwritePlan> {
  const registry = new CommandRegistry({ applications: { get: () => settings } })
  await registry.restore(snapshot)
  return registry.plan(scope, bodies)
}

function withoutCreates(snapshot: ApplicationSnapshot): ApplicationSnapshot {
  return {
    ...snapshot,
    scopes: snapshot.scopes.map((scope) => ({ ...scope, creates: { day: '', count: 0 } })),
  }
}

/** Unknown facts that could matter for this plan. */
function unseenBy(
  { creates, updates, deletes }: OverwritePlan,
  baseline: Baseline,
  scope: Scope,
): readonly string[] {
  if (baseline.isComplete) return []
  const notes: string[] = []
  if (creates.length > 0) notes.push('Creates left today: unknown over HTTP.')
  const renamed = updates.some(({ fields }) => fields.includes('name'))
  if (deletes.length === 0 && !renamed) return notes
  if (baseline.permissionsError !== undefined)
    notes.push(`Permissions that would be lost are unknown: the service ${baseline.permissionsError}.`)
  if (scope.kind === 'guild') return notes
  notes.push(
    baseline.guilds.length === 0
      ? 'Permissions were not checked; name servers with --permissions-in.'
      : `Permissions were checked only in server ${listed(baseline.guilds)}.`,
  )
  return notes
}

/** Pairs of a delete and a create that look like a rename. */
function renamesIn({ deletes, creates }: OverwritePlan): readonly Rename[] {
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
