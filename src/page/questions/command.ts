import type { ApplicationCommand } from '../../command/definition.ts'
import { SIZE_MAX, sizeOf } from '../../command/size.ts'
import { commandTypeNames, CommandType } from '../../command/types.ts'
import { listed } from '../../core/text.ts'
import { pick } from '../../picker/picker.ts'
import { RegistryError } from '../../registry/error.ts'
import type { Query } from '../query.ts'
import { entriesOf, explainCommand, pickerInput, type Context } from '../viewer.ts'
import { targetName, withNames } from '../../authoring/words.ts'
import { contextNames, requiredPermissions, stepsOf } from '../wording.ts'

/** One command: whether a person sees it, why, its overrides and its size. */
export type CommandAnswer = Awaited<ReturnType<typeof command>>

/** @throws RegistryError `unknown_command` when the application has no such command here */
export async function command(query: Query, context: Context) {
  const { viewer, server, source } = await pickerInput(query, context)
  const id = query.id('command')
  const found = source.commands.find((one) => one.id === id)
  if (found === undefined) throw new RegistryError('unknown_command')
  const { hidden } = pick(viewer, { ...source, commands: [found] }, { explain: true })
  const access = viewer.guildId === undefined ? null : explainCommand(viewer, source, found)
  const sets = [
    ['this command', found.id],
    ['the whole app', viewer.applicationId],
  ] as const
  return {
    name: found.name,
    type: found.type,
    shown: hidden.length === 0,
    why: hidden[0]?.why.map((sentence) => withNames(sentence, server)) ?? [],
    trace: stepsOf(access, server),
    facts: factsOf(found),
    size: found.type === CommandType.CHAT_INPUT ? { used: sizeOf(found), most: SIZE_MAX } : null,
    overrides: sets.flatMap(([of, target]) =>
      entriesOf(target, source).map((entry) => ({
        of,
        target: targetName(entry, server!),
        allowed: entry.permission,
      })),
    ),
  }
}

function factsOf(found: ApplicationCommand): readonly (readonly [string, string])[] {
  const { default_member_permissions: bits, guild_id, contexts, integration_types, nsfw } = found
  const facts: [string, string][] = [
    ['Type', `${commandTypeNames[found.type]} command`],
    ['Scope', guild_id === undefined ? 'global' : `server ${guild_id}`],
    ['Required permissions', requiredPermissions(bits)],
  ]
  if (guild_id === undefined) {
    facts.push(['Contexts', contexts == null ? 'servers, bot DM (default)' : named(contexts, contextNames)])
    facts.push(['Installed to', named(integration_types ?? [], installationNames)])
  }
  if (found.dm_permission === false) facts.push(['Deprecated', 'dm_permission is false'])
  if (found.default_permission === false) facts.push(['Deprecated', 'default_permission is false'])
  if (nsfw) facts.push(['Age-restricted', 'yes'])
  if (found.type === CommandType.PRIMARY_ENTRY_POINT) {
    facts.push(['Handler', found.handler === 2 ? 'the service launches the Activity' : 'the app'])
  }
  facts.push(['Id', found.id], ['Version', found.version])
  return facts
}

const installationNames: readonly string[] = ['servers', 'users']

function named(values: readonly number[], names: readonly string[]): string {
  return listed(values.map((value) => names[value] ?? String(value)))
}
