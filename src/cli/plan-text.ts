/** Formats a plan for people and for programs. */
import type { Change, Changes } from '../authoring/plan.ts'
import { labelOf } from '../authoring/words.ts'
import { counted, listed } from '../core/text.ts'
import { DEFAULT_BASE_PATH } from '../http/base-path.ts'
import { DAILY_CREATES_MAX } from '../registry/scope-rules.ts'
import { renamesOf } from '../registry/changes.ts'
import { differencesOf } from '../registry/differences.ts'
import type { Baseline } from './baseline.ts'
import type { PlanResult, Preview } from './planning.ts'
import { countsOf, JSON_VERSION, jsonFiles, prettyRows, prettyReport } from './report.ts'
import type { Style, Terminal } from './style.ts'

// --- For programs ---------------------------------------------------------------------------------------------

export function planJson({ files, preview }: PlanResult): string {
  const counts = countsOf(files)
  return JSON.stringify(
    {
      version: JSON_VERSION,
      ok: counts.errors === 0,
      counts,
      files: jsonFiles(files),
      plan: preview && previewJson(preview),
    },
    null,
    2,
  )
}

function previewJson({ baseline, plan, createsLeft, unseen }: Preview): object {
  const { name, scope } = baseline
  return {
    against: name,
    applicationId: scope.applicationId,
    guildId: scope.kind === 'guild' ? scope.guildId : null,
    creates: plan.creates.map(({ id, version, ...command }) => command),
    updates: plan.updates.map((update) => {
      const { version, ...after } = update.after
      return { before: update.before, after, fields: update.fields, differences: differencesOf(update) }
    }),
    deletes: plan.deletes,
    unchanged: plan.unchanged,
    createsLeft,
    permissionsLost: plan.permissionsLost,
    renames: renamesOf(plan).map(({ from, to }) => ({
      id: from.id,
      type: from.type,
      from: from.name,
      to: to.name,
    })),
    unseen,
  }
}

// --- For people -----------------------------------------------------------------------------------------------

// Differences to show for one command; a command with many translations may have hundreds.
const MOST_DETAILS = 12

interface PlanView {
  /** The files on the command line. */
  readonly args: readonly string[]
  /** The number of definitions. */
  readonly count: number
  /** Whether to show every difference. */
  readonly isWhole: boolean
}

export function planReport({ files, preview }: PlanResult, terminal: Terminal, view: PlanView): string {
  if (preview === null) return prettyReport(files, terminal, view.args)
  const { style } = terminal
  const lines = [...prettyRows(files, terminal)]
  if (lines.length > 0) lines.push('')
  const rows = rowsOf(preview.changes, style, view.isWhole)
  const commands = counted(view.count, 'command')
  const { errors } = countsOf(files)
  if (rows.length === 0 && errors === 0) {
    const areDeployed = `${view.count === 1 ? 'is' : 'are'} deployed as defined`
    lines.push(`${style.green('✓')} No changes: ${commands} ${areDeployed}.`)
  } else {
    lines.push(`${view.args.join(' ')} (${commands}) → ${targetText(preview.baseline)}`, '', ...rows, '')
    lines.push(`${style.bold('Plan:')} ${summaryOf(preview, style)}`)
    if (errors > 0) lines.push(style.red('The service would refuse this deploy.'))
  }
  return [...lines, ...notesOf(preview, style)].join('\n')
}

/** The target of a plan: `global commands of 1001 at http://127.0.0.1:8787`. */
function targetText({ name, scope }: Baseline): string {
  const { applicationId } = scope
  const commands =
    scope.kind === 'guild'
      ? `commands of server ${scope.guildId} of ${applicationId}`
      : `global commands of ${applicationId}`
  if (!name.startsWith('http')) return `${commands} in ${name}`
  return `${commands} at ${name.endsWith(DEFAULT_BASE_PATH) ? name.slice(0, -DEFAULT_BASE_PATH.length) : name}`
}

/** Losses first, then updates, then creates. */
function rowsOf({ deletes, updates, creates }: Changes, style: Style, isWhole: boolean): readonly string[] {
  const row = (title: string, change: Change) => [
    title,
    ...change.losses.map((loss) => `    ${style.red(lossText(loss))}`),
    ...detailsOf(change.differences, isWhole).map((line) => `    ${line}`),
    ...renameHints(change).map((line) => `    ${style.cyan('hint')} ${line}`),
  ]
  const isLosing = ({ losses }: Change) => losses.length > 0
  return [
    ...deletes.flatMap((change) => row(`${style.red(`- ${change.label}`)}   delete`, change)),
    ...[...updates.filter(isLosing), ...updates.filter((change) => !isLosing(change))].flatMap((change) =>
      row(`${style.yellow(`~ ${change.label}`)}   update`, change),
    ),
    ...creates.map(({ label }) => `${style.green(`+ ${label}`)}   create`),
  ]
}

function renameHints({ id, renamedTo }: Change): readonly string[] {
  if (renamedTo === undefined) return []
  const hint = `"id": "${id}" in its definition keeps the id, not the permissions`
  return [`looks renamed to ${labelOf(renamedTo)}; ${hint}`]
}

function detailsOf(differences: readonly string[], isWhole: boolean): readonly string[] {
  if (isWhole || differences.length <= MOST_DETAILS) return differences
  const shown = differences.slice(0, MOST_DETAILS - 1)
  return [...shown, `and ${differences.length - shown.length} more (--all shows them)`]
}

function lossText({ guildId, entries }: Change['losses'][number]): string {
  return `loses ${entries.length === 1 ? 'permission' : 'permissions'} in server ${guildId}: ${listed(entries)}`
}

function summaryOf({ plan, changes: { lost } }: Preview, style: Style): string {
  const { creates, updates, deletes, unchanged } = plan
  const counts = countsText([
    [creates.length, 'to create'],
    [updates.length, 'to update'],
    [deletes.length, 'to delete'],
    [unchanged.length, 'unchanged'],
  ])
  const losses = lost > 0 ? ` ${style.red(`${counted(lost, 'permission')} would be lost.`)}` : ''
  return `${counts === '' ? 'nothing to do' : counts}.${losses}`
}

/** Numbers with their words, without zeros: `1 to create, 2 unchanged`. */
export function countsText(counts: readonly (readonly [number, string])[]): string {
  return counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(', ')
}

function notesOf({ createsLeft, unseen }: Preview, style: Style): readonly string[] {
  const creates = createsLeft === null ? [] : [`Creates left today: ${createsLeft} of ${DAILY_CREATES_MAX}.`]
  const notes = [...creates, ...unseen]
  return notes.length === 0 ? [] : [style.dim(notes.join(' '))]
}
