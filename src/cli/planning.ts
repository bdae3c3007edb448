/** Plans a deploy: the changes it would make, and what it would lose. */
import { changesOf, type Changes } from '../authoring/plan.ts'
import { openApplication, type ApplicationSettings } from '../command/application.ts'
import type { ApplicationCommand } from '../command/definition.ts'
import { CommandType, IntegrationType } from '../command/types.ts'
import { isObject, jsonValue, sameJson, type JsonObject } from '../core/json.ts'
import { commandCount, countRules } from '../command/commands.ts'
import type { Issue } from '../core/report.ts'
import { listed, quoted } from '../core/text.ts'
import { validateCommands } from '../reference/validate.ts'
import { RegistryError } from '../registry/error.ts'
import type { OverwritePlan } from '../registry/changes.ts'
import { planAgainst } from '../registry/registry.ts'
import { dailyCreates, entryPointKept, isEntryPoint } from '../registry/scope-rules.ts'
import type { Scope } from '../registry/scope.ts'
import type { ApplicationSnapshot } from '../registry/read-snapshot.ts'
import type { Baseline } from './baseline.ts'
import {
  allFindings,
  assignToFiles,
  definitionSet,
  type DefinitionSet,
  type FileFindings,
} from '../authoring/findings.ts'
import { flag, id, list, option, type Values } from './command.ts'
import { CommandError } from './errors.ts'
import type { Io } from './io.ts'
import type { Source } from '../authoring/findings.ts'
import { readSources } from './sources.ts'
import { deployedBy, type Deployed } from './run.ts'

/** The result of planning. */
export interface PlanResult {
  /** Every problem, including conflicts with the deployed commands. */
  readonly files: readonly FileFindings[]
  /** Null when the definitions are invalid. */
  readonly preview: Preview | null
}

export interface Preview {
  /** The deployed commands. */
  readonly baseline: Baseline
  readonly plan: OverwritePlan
  readonly changes: Changes
  /** Null when unknown or exceeded. */
  readonly createsLeft: number | null
  /** Facts the plan could not consider, a sentence each. */
  readonly unseen: readonly string[]
}

/** The options of `plan` and `deploy`. */
export const definitionOptions = {
  application: option('ID', 'the id of your application', id),
  guild: option('ID', 'the commands of one server (the global ones)', id),
  'permissions-in': list(
    'GUILD',
    'list the permissions of global commands lost in this server; may be repeated',
    id,
  ),
  all: flag('show every difference of a command'),
  run: option('COMMAND', 'instead of files: take the definitions that this program deploys'),
  verbose: flag('with --run: print what the program writes'),
}

/** The definitions of files, or of a program. @throws CommandError for a program without commands */
export async function readDefinitions(
  io: Io,
  { run, verbose, guild }: Pick<Values<typeof definitionOptions>, 'run' | 'verbose' | 'guild'>,
  args: readonly string[],
): Promise<DefinitionSet> {
  if (run === undefined) return definitionSet(await readSources(io, args))
  return definitionSet([listFor(await deployedBy(io, run, verbose), guild)])
}

/** The list for a scope. @throws CommandError when a program deployed several others */
function listFor(deployed: readonly Deployed[], guildId: string | undefined): Source {
  const ofKind = deployed.filter(({ scope }) => (scope.kind === 'guild') === (guildId !== undefined))
  const exact = ofKind.find(({ scope }) => scope.kind === 'guild' && scope.guildId === guildId)
  const [only, another] = exact ? [exact] : ofKind.length > 0 ? ofKind : deployed
  if (another === undefined) return only!.source
  const lists = listed(deployed.map(({ source }) => quoted(source.file)))
  throw new CommandError(`the program deployed ${lists}; name a server of them with --guild`)
}

/** The rules about a list as a whole, which valid definitions can break. */
const limitCodes: ReadonlySet<string> = new Set(
  [commandCount, ...Object.values(countRules), dailyCreates, entryPointKept].map(({ code }) => code),
)

/** 0 safe, 1 invalid, 2 permissions would be lost or a limit exceeded. */
export function planExitCode({ files, preview }: PlanResult): number {
  const errors = allFindings(files).filter(({ level }) => level === 'error')
  if (errors.length > 0) return errors.every(({ code }) => limitCodes.has(code)) ? 2 : 1
  return preview !== null && preview.plan.permissionsLost.length > 0 ? 2 : 0
}

export function hasChanges({ plan: { creates, updates, deletes } }: Preview): boolean {
  return creates.length + updates.length + deletes.length > 0
}

/**
 * Plans a deploy.
 *
 * @param loadBaseline reads the deployed commands; only called for valid definitions
 */
export async function planDeploy(
  set: DefinitionSet,
  scopeKind: Scope['kind'],
  loadBaseline: () => Promise<Baseline>,
): Promise<PlanResult> {
  const { bodies, sources } = set
  const validation = validateCommands(bodies, { scope: scopeKind })
  const { warnings } = validation
  if (!validation.ok || sources.some(({ fault }) => fault !== null))
    return { files: assignToFiles(set, validation.ok ? [] : validation.issues, warnings), preview: null }
  const { errors, preview } = await previewOf(bodies, await loadBaseline())
  return { files: assignToFiles(set, errors, warnings), preview }
}

async function previewOf(
  bodies: readonly unknown[],
  baseline: Baseline,
): Promise<{ readonly errors: readonly Issue[]; readonly preview: Preview | null }> {
  const { snapshot, scope } = baseline
  const global =
    scope.kind === 'global' ? snapshot.scopes.find(({ guild_id }) => guild_id === null) : undefined
  const { settings, assumption } = settingsFor(baseline.service?.settings, global?.commands ?? [], bodies)
  let plan: OverwritePlan
  let createsLeft: number | null = null
  let errors: readonly Issue[] = []
  try {
    plan = await planAgainst(snapshot, settings, scope, bodies)
    if (baseline.service === undefined) createsLeft = plan.createsLeft
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    errors = error.issues
    if (error.code !== 'daily_creates_exhausted') return { errors, preview: null }
    // The plan itself is still valid on the next day.
    plan = await planAgainst(withoutCreates(snapshot), settings, scope, bodies)
  }
  const unseen = [...unseenBy(plan, baseline), ...(assumption === undefined ? [] : [assumption])]
  return { errors, preview: { baseline, plan, changes: changesOf(plan), createsLeft, unseen } }
}

function withoutCreates(snapshot: ApplicationSnapshot): ApplicationSnapshot {
  const scopes = snapshot.scopes.map((scope) => ({ ...scope, creates: { day: '', count: 0 } }))
  return { ...snapshot, scopes }
}

/** Unknown facts that could matter for this plan. */
function unseenBy({ creates, updates, deletes }: OverwritePlan, baseline: Baseline): readonly string[] {
  if (baseline.service === undefined) return []
  const { permissionsError, guilds } = baseline.service
  const notes: string[] = []
  if (creates.length > 0) notes.push('Creates left today: unknown over HTTP.')
  const renamed = updates.some(({ fields }) => fields.includes('name'))
  if (deletes.length === 0 && !renamed) return notes
  if (permissionsError !== undefined)
    notes.push(`Permissions that would be lost are unknown: the service ${permissionsError}.`)
  if (baseline.scope.kind === 'guild') return notes
  notes.push(
    guilds.length === 0
      ? 'Permissions were not checked; name servers with --permissions-in.'
      : `Permissions were checked only in server ${listed(guilds)}.`,
  )
  return notes
}

// --- Assumed settings -----------------------------------------------------------------------------------------

interface AssumedSettings {
  readonly settings: ApplicationSettings
  /** A sentence about what was assumed; `undefined` if nothing was. */
  readonly assumption?: string
}

const installations = Object.values(IntegrationType)

/**
 * The settings of an application. They provide the defaults of its definitions. When unknown, the application is assumed
 * to support the installations of its deployed commands and of the definitions.
 *
 * @param given the settings, if the service returned them
 * @param deployed its global commands
 */
function settingsFor(
  given: ApplicationSettings | undefined,
  deployed: readonly ApplicationCommand[],
  bodies: readonly unknown[],
): AssumedSettings {
  const definitions = bodies.map((body) => jsonValue(body)).filter(isObject)
  const defaults = deployed.filter((command) => hasDefaultList(command, definitions)).map(listOf)
  if (given !== undefined) {
    const integration_types = inOrderOf(defaults, given.integration_types ?? [])
    return { settings: { ...given, integration_types } }
  }
  if (deployed.length === 0) return { settings: openApplication }
  const known = deployed.map(listOf)
  const lists = definitions.map((body) => body.integration_types).filter(Array.isArray)
  const used = installations.filter((way) => [...known, ...lists].some((list) => list.includes(way)))
  const entry = deployed.find(isEntryPoint)
  const isIdle = entry !== undefined && entry.handler === undefined
  const hasHandler = definitions.some(({ handler }) => handler !== undefined && handler !== null)
  const settings = {
    ...openApplication,
    ...(isIdle && !hasHandler ? { flags: 0 } : undefined),
    integration_types: inOrderOf(defaults, used),
  }
  if (lists.length === definitions.length || used.length === installations.length) return { settings }
  return {
    settings,
    assumption: `Missing integration_types were assumed to be [${used}], as in the deployed commands.`,
  }
}

function listOf({ integration_types = [] }: ApplicationCommand): readonly IntegrationType[] {
  return integration_types
}

/** Whether a deployed command has the service's own list: its definition gives none. */
function hasDefaultList({ type, name }: ApplicationCommand, definitions: readonly JsonObject[]): boolean {
  return definitions.some(
    (body) =>
      body.name === name &&
      (body.type ?? CommandType.CHAT_INPUT) === type &&
      body.integration_types === undefined,
  )
}

/** Installations in the order of deployed lists: services may use any order. */
function inOrderOf(
  known: readonly (readonly IntegrationType[])[],
  supported: readonly IntegrationType[],
): readonly IntegrationType[] {
  if (known.some((list) => sameJson(list, supported))) return supported
  const same = known.find(
    (list) => list.length === supported.length && list.every((way) => supported.includes(way)),
  )
  return same ?? supported
}
