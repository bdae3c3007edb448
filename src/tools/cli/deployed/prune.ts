/** Deletes the commands that no file defines, and the copies in servers of commands that are global. */
import { sameJson } from '../../../core/json.ts'
import { counted } from '../../../core/text.ts'
import { labelOf } from '../../authoring/words.ts'
import type { ApplicationCommand } from '../../../model/command-definition.ts'
import type { Scope } from '../../../commands/registry/scope.ts'
import { saveCommands } from './backup.ts'
import { CommandError } from '../base/errors.ts'
import { print, warn, type Io } from '../base/io.ts'
import type { TargetStatus } from './target-status.ts'
import type { Target } from './targets.ts'

interface Doomed {
  readonly target: Target
  readonly scope: Scope
  readonly command: ApplicationCommand
  readonly why: string
}

interface PruneOptions {
  readonly yes: boolean
  readonly delete: number | undefined
  /** The files that were not understood, and may define what counts as a ghost. */
  readonly skipped: readonly string[]
}

/** @returns the exit code: 0 deleted, or nothing to delete; 1 not confirmed; 2 wrong usage */
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
  const doomed = states.flatMap(doomedIn)
  if (doomed.length === 0) {
    print(io, '\nNothing to prune.')
    return 0
  }
  const rows = doomed.map(({ target, scope, command, why }) => {
    const place = scope.kind === 'global' ? 'global' : `server ${scope.guildId}`
    return `- ${labelOf(command)}  ${target.name}, ${place}: ${why}`
  })
  print(
    io,
    ['', ...rows, '', `To delete: ${counted(doomed.length, 'command')}, with their permissions.`].join('\n'),
  )
  const refusal = await refusalOf(io, doomed.length, options)
  if (refusal !== null) {
    warn(io, `Nothing was deleted${refusal}.`)
    return 1
  }
  for (const state of states) await pruneTarget(io, state, doomed)
  return 0
}

function doomedIn({ target, scopes }: TargetStatus): readonly Doomed[] {
  return scopes.flatMap(({ scope, commands }) =>
    commands.flatMap(({ command, state, isTwice }) => {
      const why = state === 'ghost' ? 'no file defines it' : isTwice ? 'it is global too' : null
      return why === null ? [] : [{ target, scope, command, why }]
    }),
  )
}

/** Why nothing may be deleted, which may be empty; null if it may. */
async function refusalOf(
  io: Io,
  count: number,
  { yes, delete: accepted, skipped }: PruneOptions,
): Promise<string | null> {
  if (accepted !== undefined && accepted !== count) return `: ${count} would be deleted, not ${accepted}`
  if (accepted === undefined && skipped.length > 0) {
    const files = `${counted(skipped.length, 'file')} that may define them ${skipped.length === 1 ? 'was' : 'were'}`
    return `: ${files} skipped; repair or move it, or add --delete ${count} to accept that`
  }
  if (yes) return accepted === undefined ? `: add --delete ${count} to accept that` : null
  const answer = (await io.ask(`Delete ${counted(count, 'command')}? Type ${count} to continue: `))?.trim()
  if (answer === undefined) return `: there is no terminal to ask in; add --yes --delete ${count}`
  return answer === String(count) ? null : ''
}

async function pruneTarget(
  io: Io,
  { target, baselines }: TargetStatus,
  all: readonly Doomed[],
): Promise<void> {
  const own = all.filter((each) => each.target === target)
  if (own.length === 0) return
  // The plan is only right for the commands it compared with: a copy in a server goes because it is global.
  for (const { scope, service: read } of baselines)
    if (!sameJson(await target.service.commands(scope), read!.bodies))
      throw new CommandError(
        'the deployed commands have changed since they were compared; run the command again',
      )
  for (const { scope, service: read } of baselines) {
    const doomed = own.filter((each) => each.scope === scope)
    if (doomed.length === 0) continue
    const file = await saveCommands(io, scope, read!.bodies)
    print(io, `Saved the ${counted(read!.bodies.length, 'deployed command')}: ${file}`)
    for (const { command } of doomed) {
      await target.service.remove(scope, command.id)
      print(io, `✓ Deleted ${labelOf(command)}`)
    }
  }
}
