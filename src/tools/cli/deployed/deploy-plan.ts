/** What a deploy would change and what it would lose: the plan of `plan` and `deploy`, and its report for people. */
import { assignToFiles, definitionSet, allErrors, type DefinitionSet } from '../../authoring/findings.ts'
import { changesOf, type Change, type Changes } from '../../authoring/plan-words.ts'
import { commandLabel } from '../../authoring/words.ts'
import { commandCount, countRules } from '../../../commands/definition/rules/command-list-rules.ts'
import type { Issue } from '../../../core/rules/report.ts'
import { counted, listed, quoted } from '../../../core/text.ts'
import { DEFAULT_BASE_PATH } from '../../../service/http/base-path.ts'
import { validateCommands } from '../../../commands/validate.ts'
import { planAgainst } from '../../authoring/plan-against.ts'
import { RegistryError } from '../../../commands/registry/registry-error.ts'
import type { OverwritePlan } from '../../../commands/registry/changes.ts'
import { DAILY_CREATES_MAX, dailyCreates, entryPointKept } from '../../../commands/registry/scope-rules.ts'
import type { Scope } from '../../../commands/registry/scope.ts'
import { isIncomplete, type NotSeen } from '../../../model/not-seen.ts'
import { flag, asId, list, option, type Values } from '../base/cli-command.ts'
import { CommandError } from '../base/errors.ts'
import { countsOf, prettyReport, prettyRows } from '../base/format-findings.ts'
import type { Io, Style, Terminal } from '../base/io.ts'
import { readSources, warnOfUnread } from '../definitions/sources.ts'
import { settingsFor, type Baseline } from './baseline.ts'

/** The options of `plan` and `deploy`. */
export const definitionOptions = {
  application: option('ID', 'the id of your application', asId),
  guild: option('ID', 'the commands of one server (the global ones)', asId),
  'permissions-in': list(
    'GUILD',
    'list the permissions of global commands lost in this server; may be repeated',
    asId,
  ),
  'all-differences': flag('show every difference of a command'),
  run: option('COMMAND', 'instead of files: take the definitions that this program deploys'),
  verbose: flag('with --run: print what the program writes'),
}

export const formerDefinitionOptions = { all: 'all-differences' } as const

/** The definitions of a deploy, and what was not seen of them. @throws CommandError for a program without commands */
export async function readDefinitions(
  io: Io,
  { run, verbose, guild }: Pick<Values<typeof definitionOptions>, 'run' | 'verbose' | 'guild'>,
  args: readonly string[],
): Promise<{ readonly set: DefinitionSet; readonly notSeen: readonly NotSeen[] }> {
  if (run === undefined) {
    const { sources, notSeen } = await readSources(io, args)
    return { set: definitionSet(sources), notSeen }
  }
  const { deployedBy, inServer } = await import('../bots/run.ts')
  const { deployed, notSeen } = await deployedBy(inServer(io, guild), run, verbose)
  const ofKind = deployed.filter(({ scope }) => (scope.kind === 'guild') === (guild !== undefined))
  const exact = ofKind.find(({ scope }) => scope.kind === 'guild' && scope.guildId === guild)
  const [only, another] = exact ? [exact] : ofKind.length > 0 ? ofKind : deployed
  if (another === undefined) {
    warnOfUnread(io, { notSeen, advice: null })
    return { set: definitionSet([only!.source]), notSeen }
  }
  const lists = listed(deployed.map(({ source }) => quoted(source.file)))
  throw new CommandError(`the program deployed ${lists}; name a server of them with --guild`)
}

// --- Planning -------------------------------------------------------------------------------------------------

export type PlannedDeploy = Awaited<ReturnType<typeof planDeploy>>
export type Preview = NonNullable<PlannedDeploy['preview']>

/**
 * Plans a deploy. The files have every problem, including conflicts with the deployed commands.
 *
 * @param loadBaseline reads the deployed commands; only called for valid definitions
 * @returns without a preview for definitions that the service refuses
 */
export async function planDeploy(
  set: DefinitionSet,
  scope: Scope['kind'],
  loadBaseline: () => Promise<Baseline>,
) {
  const { bodies, sources } = set
  const validation = validateCommands(bodies, { scope })
  const filesWith = (errors: readonly Issue[]) => assignToFiles(set, errors, validation.warnings)
  if (!validation.ok) return { set, files: filesWith(validation.issues), preview: null }
  if (sources.some(({ fault }) => fault !== null)) return { set, files: filesWith([]), preview: null }
  const baseline = await loadBaseline()
  const { snapshot, service } = baseline
  const { settings, assumption } = settingsFor(baseline, bodies)
  const planFor = (scopes: typeof snapshot.scopes) =>
    planAgainst({ ...snapshot, scopes }, settings, baseline.scope, bodies)
  let errors: readonly Issue[] = []
  const plan = await planFor(snapshot.scopes).catch((error: unknown) => {
    if (!(error instanceof RegistryError)) throw error
    errors = error.issues
    if (error.code !== 'daily_creates_exhausted') return null
    // The plan itself is still valid on the next day.
    return planFor(snapshot.scopes.map((each) => ({ ...each, creates: { day: '', count: 0 } })))
  })
  const files = filesWith(errors)
  if (plan === null) return { set, files, preview: null }
  /** Null when unknown or exceeded. */
  const createsLeft =
    service === undefined && !baseline.isList && errors.length === 0 ? plan.createsLeft : null
  /** Facts the plan could not consider, a sentence each. */
  const unseen = [...unseenBy(plan, baseline), ...(assumption === undefined ? [] : [assumption])]
  return { set, files, preview: { baseline, plan, changes: changesOf(plan), createsLeft, unseen } }
}

/** The differences between the definitions and what a service has after a write, as rows; empty for none. */
export async function differenceRows(
  set: DefinitionSet,
  after: Baseline,
  { style }: Terminal,
): Promise<readonly string[]> {
  const { files, preview } = await planDeploy(set, after.scope.kind, async () => after)
  if (preview === null) return allErrors(files).map(({ text }) => text)
  const { creates, updates, deletes } = preview.changes
  return [
    ...creates.map(({ label }) => `${style.red(label)}   is not there`),
    ...updates.flatMap(({ label, differences }) => [
      `${style.red(label)}   is not as defined`,
      ...shortened(differences).map((line) => `    ${line}`),
    ]),
    ...deletes.map(({ label }) => `${style.red(label)}   is there, and no file defines it`),
  ]
}

function unseenBy(
  { creates, updates, deletes }: OverwritePlan,
  { scope, service, isList = false }: Baseline,
): readonly string[] {
  if (isList) return ['Creates left today and permissions that would be lost: unknown from a list.']
  if (service === undefined) return []
  const { permissionsError, guilds } = service
  const notes = creates.length > 0 ? ['Creates left today: unknown over HTTP.'] : []
  if (deletes.length === 0 && !updates.some(({ fields }) => fields.includes('name'))) return notes
  if (permissionsError !== undefined)
    notes.push(`Permissions that would be lost are unknown: the service ${permissionsError}.`)
  if (scope.kind === 'global' && guilds.length > 0)
    notes.push(`Permissions were checked only in server ${listed(guilds)}.`)
  else if (scope.kind === 'global')
    notes.push('Permissions were not checked; name servers with --permissions-in.')
  return notes
}

export function hasChanges({ plan: { creates, updates, deletes } }: Preview): boolean {
  return creates.length + updates.length + deletes.length > 0
}

/** The rules about a list as a whole, which valid definitions can break. */
const limitCodes: ReadonlySet<string> = new Set(
  [commandCount, ...Object.values(countRules), dailyCreates, entryPointKept].map(({ code }) => code),
)

/** 0 safe, 1 invalid or not all seen, 2 permissions would be lost or a limit exceeded. */
export function planExitCode({ files, preview }: PlannedDeploy, notSeen: readonly NotSeen[]): number {
  const errors = allErrors(files)
  if (errors.length === 0 && isIncomplete(notSeen)) return 1
  if (errors.length > 0) return errors.every(({ code }) => limitCodes.has(code)) ? 2 : 1
  return preview !== null && preview.plan.permissionsLost.length > 0 ? 2 : 0
}

// --- For people -----------------------------------------------------------------------------------------------

/** @param isWhole whether to show every difference */
export function planReport(
  { set, files, preview }: PlannedDeploy,
  terminal: Terminal,
  args: readonly string[],
  isWhole: boolean,
  notSeen: readonly NotSeen[] = [],
): string {
  if (preview === null) return prettyReport(files, terminal, args)
  const { style } = terminal
  const lines = [...prettyRows(files, terminal)]
  if (lines.length > 0) lines.push('')
  const rows = rowsOf(preview.changes, style, isWhole)
  const commands = counted(set.bodies.length, 'command')
  const { errors } = countsOf(files)
  if (rows.length === 0 && errors === 0) {
    const areDeployed = `${set.bodies.length === 1 ? 'is' : 'are'} deployed as defined`
    lines.push(
      `${isIncomplete(notSeen) ? style.red('✗') : style.green('✓')} No changes: ${commands} ${areDeployed}.`,
    )
  } else {
    lines.push(`${args.join(' ')} (${commands}) → ${targetText(preview.baseline)}`, '', ...rows, '')
    lines.push(`${style.bold('Plan:')} ${summaryOf(preview, style)}`)
    if (errors > 0) lines.push(style.red('The service would refuse this deploy.'))
  }
  const { createsLeft, unseen } = preview
  const creates = createsLeft === null ? [] : [`Creates left today: ${createsLeft} of ${DAILY_CREATES_MAX}.`]
  const notes = [...creates, ...unseen].join(' ')
  return [...lines, ...(notes === '' ? [] : [style.dim(notes)])].join('\n')
}

/** The target of a plan: `global commands of 1001 at http://127.0.0.1:8787`. */
function targetText({ name, scope, service }: Baseline): string {
  const kind = scope.kind === 'guild' ? `commands of server ${scope.guildId}` : 'global commands'
  const address = name.endsWith(DEFAULT_BASE_PATH) ? name.slice(0, -DEFAULT_BASE_PATH.length) : name
  return `${kind} of ${scope.applicationId} ${service === undefined ? `in ${name}` : `at ${address}`}`
}

/** Losses first, then updates, then creates. */
function rowsOf({ deletes, updates, creates }: Changes, style: Style, isWhole: boolean): readonly string[] {
  const row = (title: string, { id, losses, differences, renamedTo }: Change) => {
    const lines = losses.map((loss) => style.red(`loses ${lossText(loss)}`))
    lines.push(...(isWhole ? differences : shortened(differences)))
    if (renamedTo !== undefined) {
      const keeps = `"id": "${id}" in its definition keeps the id, not the permissions`
      lines.push(`${style.cyan('hint')} looks renamed to ${commandLabel(renamedTo)}; ${keeps}`)
    }
    return [title, ...lines.map((line) => `    ${line}`)]
  }
  const isHarmless = ({ losses }: Change) => Number(losses.length === 0)
  const sorted = updates.toSorted((one, other) => isHarmless(one) - isHarmless(other))
  return [
    ...deletes.flatMap((change) => row(`${style.red(`- ${change.label}`)}   delete`, change)),
    ...sorted.flatMap((change) => row(`${style.yellow(`~ ${change.label}`)}   update`, change)),
    ...creates.map(({ label }) => `${style.green(`+ ${label}`)}   create`),
  ]
}

export type Loss = Change['losses'][number]

/** The permissions that a command loses in a server: `permission in server 2001: role 5001 allowed`. */
export function lossText({ guildId, entries }: Loss): string {
  const noun = entries.length === 1 ? 'permission' : 'permissions'
  return `${noun} in server ${guildId}: ${listed(entries)}`
}

// A command with many translations may have hundreds of differences.
const MAX_DETAILS = 12

function shortened(differences: readonly string[]): readonly string[] {
  if (differences.length <= MAX_DETAILS) return differences
  const shown = differences.slice(0, MAX_DETAILS - 1)
  return [...shown, `and ${differences.length - shown.length} more (--all-differences shows them)`]
}

function summaryOf({ plan, changes: { lost } }: Preview, style: Style): string {
  const counts = countsText([
    [plan.creates.length, 'to create'],
    [plan.updates.length, 'to update'],
    [plan.deletes.length, 'to delete'],
    [plan.unchanged.length, 'unchanged'],
  ])
  const losses = lost > 0 ? ` ${style.red(`${counted(lost, 'permission')} would be lost.`)}` : ''
  return `${counts || 'nothing to do'}.${losses}`
}

/** The numbers of commands with their words, without zeros: `1 to create, 2 unchanged`. */
export function countsText(counts: readonly (readonly [count: number, what: string])[]): string {
  const parts = counts.filter(([count]) => count > 0).map((part) => part.join(' '))
  return parts.join(', ')
}
