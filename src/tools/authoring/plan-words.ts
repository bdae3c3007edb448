/** What a deploy would change, in words. */
import type { ApplicationCommand } from '../../model/command-definition.ts'
import type { OverwritePlan } from '../../commands/registry/changes.ts'
import { renamesOf } from './renames.ts'
import { differencesOf, differenceText } from './differences.ts'
import { entryText, commandLabel, type Names } from './words.ts'

export type Changes = ReturnType<typeof changesOf>
export type Change = Changes['deletes'][number]

/** @param namesIn the names of a server's roles, members and channels; without them, words have ids */
export function changesOf(plan: OverwritePlan, namesIn: (guildId: string) => Names = (id) => ({ id })) {
  const renames = new Map(renamesOf(plan).map(({ from, to }) => [from, to]))
  const change = (command: ApplicationCommand, differences: readonly string[] = []) => ({
    id: command.id,
    label: commandLabel(command),
    /** A line each. */
    differences,
    /** The permissions that would be lost in each server. */
    losses: plan.permissionsLost
      .filter(({ id }) => id === command.id)
      .map(({ guild_id: guildId, permissions }) => ({
        guildId,
        entries: permissions.map((entry) => entryText(entry, namesIn(guildId))),
      })),
    /** The created command that looks like this deleted one. */
    renamedTo: renames.get(command),
  })
  return {
    deletes: plan.deletes.map((command) => change(command)),
    updates: plan.updates.map((update) => change(update.before, differencesOf(update).map(differenceText))),
    creates: plan.creates.map((command) => change(command)),
    /** How many permission entries would be lost. */
    lost: plan.permissionsLost.reduce((sum, { permissions }) => sum + permissions.length, 0),
  }
}
