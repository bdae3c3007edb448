/** What a deploy would change, in words. */
import type { ApplicationCommand } from '../command/definition.ts'
import { renamesOf, type OverwritePlan } from '../registry/changes.ts'
import { differencesOf, differenceText } from '../registry/differences.ts'
import { entryText, labelOf, type Names } from './words.ts'

/** A command that a deploy would create, change or delete. */
export interface Change {
  readonly id: string
  readonly label: string
  /** A line each. */
  readonly differences: readonly string[]
  /** The permissions that would be lost in each server. */
  readonly losses: readonly { readonly guildId: string; readonly entries: readonly string[] }[]
  /** The created command that looks like this deleted one. */
  readonly renamedTo: ApplicationCommand | undefined
}

export interface Changes {
  readonly deletes: readonly Change[]
  readonly updates: readonly Change[]
  readonly creates: readonly Change[]
  /** How many permission entries would be lost. */
  readonly lost: number
}

/** @param namesIn the names of a server's roles, members and channels; without them, words have ids */
export function changesOf(
  plan: OverwritePlan,
  namesIn: (guildId: string) => Names = (id) => ({ id }),
): Changes {
  const renames = new Map(renamesOf(plan).map(({ from, to }) => [from, to]))
  const change = (command: ApplicationCommand, differences: readonly string[] = []): Change => ({
    id: command.id,
    label: labelOf(command),
    differences,
    losses: plan.permissionsLost
      .filter(({ id }) => id === command.id)
      .map(({ guild_id: guildId, permissions }) => ({
        guildId,
        entries: permissions.map((entry) => entryText(entry, namesIn(guildId))),
      })),
    renamedTo: renames.get(command),
  })
  return {
    deletes: plan.deletes.map((command) => change(command)),
    updates: plan.updates.map((update) => change(update.before, differencesOf(update).map(differenceText))),
    creates: plan.creates.map((command) => change(command)),
    lost: plan.permissionsLost.reduce((sum, { permissions }) => sum + permissions.length, 0),
  }
}
