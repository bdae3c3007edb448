/** Deletes the commands that no file defines, and the copies in servers of commands that are global. */
import { counted, listed } from '../../../core/text.ts'
import { changesOf } from '../../authoring/plan-words.ts'
import { planAgainst } from '../../authoring/plan-against.ts'
import { commandLabel } from '../../authoring/words.ts'
import { gapsWithCommands, refusalText, type NotSeen } from '../../../model/not-seen.ts'
import type { ApplicationCommand } from '../../../model/command-definition.ts'
import type { Scope } from '../../../commands/registry/scope.ts'
import { settingsFor, type Baseline } from './baseline.ts'
import { carryOut, DONE, type WriteStep } from './carry-out.ts'
import { lossText, type Loss } from './deploy-plan.ts'
import { CommandError } from '../base/errors.ts'
import { print, warn, type Io } from '../base/io.ts'
import type { TargetStatus } from './target-status.ts'
import type { Target } from './targets.ts'

interface Doomed {
  readonly target: Target
  readonly baseline: Baseline
  readonly command: ApplicationCommand
  /** The global command that makes this one of a server needless; null for a ghost. */
  readonly globalTwin: ApplicationCommand | null
  readonly losses: readonly Loss[]
}

interface PruneOptions {
  readonly yes: boolean
  readonly delete: number | undefined
  readonly 'allow-loss': boolean
  readonly notSeen: readonly NotSeen[]
}

/** @returns the exit code: 0 deleted, or nothing to delete; 1 not confirmed, refused or interrupted; 2 wrong usage */
export async function pruneTargets(
  io: Io,
  states: readonly TargetStatus[],
  options: PruneOptions,
): Promise<number> {
  const unread = states.flatMap(({ set }) => set?.sources ?? []).find(({ fault }) => fault !== null)
  if (unread !== undefined)
    throw new CommandError(
      `${unread.file} cannot be read, so its commands would count as ghosts; nothing was deleted`,
    )
  const doomed = (await Promise.all(states.map(doomedIn))).flat()
  if (doomed.length === 0) {
    print(io, '\nNothing to prune.')
    return 0
  }
  const lost = doomed.flatMap(({ losses }) => losses.flatMap(({ entries }) => entries)).length
  const summary = `To delete: ${counted(doomed.length, 'command')}.`
  const losses = lost === 0 ? '' : ` ${counted(lost, 'permission')} would be lost.`
  print(io, ['', ...doomed.flatMap(rowsOf), '', summary + losses, ...unseenOf(doomed)].join('\n'))
  const refusal = await refusalOf(io, doomed.length, lost, options)
  if (refusal !== null) {
    warn(io, `Nothing was deleted${refusal}.`)
    return 1
  }
  const files = await carryOut(io, 'status', doomed.map(stepOf), 'run the command again')
  return files === null ? 1 : 0
}

async function doomedIn({ target, scopes, baselines }: TargetStatus): Promise<readonly Doomed[]> {
  const found = scopes.map(async ({ commands }, index) => {
    const baseline = baselines[index]!
    const isDoomed = (one: (typeof commands)[number]) => one.state === 'ghost' || one.globalTwin !== null
    const kept = commands.filter((one) => !isDoomed(one)).map(({ command }) => command)
    if (kept.length === commands.length) return []
    const { settings } = settingsFor(baseline, kept)
    const { deletes } = changesOf(await planAgainst(baseline.snapshot, settings, baseline.scope, kept))
    return commands.filter(isDoomed).map(({ command, state, globalTwin }) => ({
      target,
      baseline,
      command,
      globalTwin: state === 'ghost' ? null : globalTwin,
      losses: deletes.find(({ id }) => id === command.id)?.losses ?? [],
    }))
  })
  return (await Promise.all(found)).flat()
}

const placeOf = (scope: Scope) => (scope.kind === 'global' ? 'global' : `server ${scope.guildId}`)

function rowsOf({ target, baseline, command, globalTwin, losses }: Doomed): readonly string[] {
  const why = globalTwin === null ? 'no file defines it' : 'it is global too'
  const row = `- ${commandLabel(command)}  ${target.name}, ${placeOf(baseline.scope)}: ${why}`
  return [row, ...losses.map((loss) => `    loses ${lossText(loss)}`)]
}

/** Facts about permissions that are not known, a sentence each. */
function unseenOf(doomed: readonly Doomed[]): readonly string[] {
  const baselines = [...new Set(doomed.map(({ baseline }) => baseline))]
  return baselines.flatMap(({ scope, service }) => {
    const { permissionsError, guilds = [] } = service ?? {}
    if (permissionsError !== undefined)
      return [
        `Permissions that would be lost in ${placeOf(scope)} are unknown: the service ${permissionsError}.`,
      ]
    if (scope.kind === 'guild') return []
    const where =
      guilds.length > 0 ? `only in server ${listed(guilds)}` : 'in no server; name some with --guild'
    return [`Permissions of global commands were checked ${where}.`]
  })
}

/** Why nothing may be deleted, which may be empty; null if it may. */
async function refusalOf(
  io: Io,
  count: number,
  lost: number,
  { yes, delete: accepted, notSeen, 'allow-loss': allowsLoss }: PruneOptions,
): Promise<string | null> {
  if (accepted !== undefined && accepted !== count) return `: ${count} would be deleted, not ${accepted}`
  const hiding = gapsWithCommands(notSeen)
  if (accepted === undefined && hiding.length > 0)
    return `: ${refusalText(hiding)}, or add --delete ${count} to accept that`
  const allow = lost > 0 && !allowsLoss ? ' --allow-loss' : ''
  if (yes && accepted === undefined) return `: add --delete ${count}${allow} to accept that`
  if (yes)
    return allow === '' ? null : `: ${counted(lost, 'permission')} would be lost; add${allow} to accept that`
  const losing = lost > 0 ? `, and lose ${counted(lost, 'permission')}` : ''
  const question = `Delete ${counted(count, 'command')}${losing}? Type ${count} to continue: `
  const answer = (await io.ask(question))?.trim()
  if (answer === undefined)
    return `: there is no terminal to ask in; add --yes --delete ${count}${lost > 0 ? ' --allow-loss' : ''}`
  return answer === String(count) ? null : ''
}

function stepOf({ target, baseline, command, globalTwin, losses }: Doomed): WriteStep {
  const { scope, service: read } = baseline
  const { service } = target
  const label = commandLabel(command)
  const what = scope.kind === 'global' ? label : `${label} in server ${scope.guildId}`
  const lost = losses.map(lossText).join('; ')
  return {
    scope,
    before: read!.bodies,
    what,
    verb: 'deleted',
    losses: lost,
    async check() {
      const global = { ...scope, kind: 'global' } as Scope
      const isThere = globalTwin === null || (await isAsBefore(target, global, globalTwin))
      if (isThere !== true)
        return `the global ${label} has changed since it was compared; run the command again`
      const isSame = await isAsBefore(target, scope, command)
      if (isSame === 'gone') return DONE
      return isSame ? null : `${what} has changed since it was compared; run the command again`
    },
    async write() {
      await service.remove(scope, command.id)
      if ((await service.versionOf(scope, command.id)) !== undefined)
        throw service.failure(`still has ${what} after it was deleted`)
    },
    done: (isGone) =>
      isGone
        ? `✓ ${label} was deleted already`
        : `✓ Deleted ${label}${lost === '' ? '' : `, and lost ${lost}`}`,
  }
}

/** Whether a command has the version with which it was compared. */
async function isAsBefore(
  { service }: Target,
  scope: Scope,
  { id, version }: ApplicationCommand,
): Promise<boolean | 'gone'> {
  const now = await service.versionOf(scope, id)
  return now === undefined ? 'gone' : now === version
}
