/** The scopes of an application side by side: where each command is, and whether it is as the files define it. */
import type { ApplicationSettings } from '../../model/application.ts'
import { commandKey, type ApplicationCommand } from '../../model/command-definition.ts'
import { CommandType } from '../../model/command-types.ts'
import { jsonValue } from '../../core/json.ts'
import { areSeenTogether } from '../../commands/access/availability.ts'
import { differencesOf, differenceText } from './differences.ts'
import type { ApplicationSnapshot } from '../../commands/registry/read-snapshot.ts'
import { planAgainst } from './plan-against.ts'
import { isEntryPoint } from '../../commands/registry/scope-rules.ts'
import type { Scope } from '../../commands/registry/scope.ts'

/** A scope with its deployed commands. */
export interface DeployedScope {
  readonly scope: Scope
  readonly snapshot: ApplicationSnapshot
  readonly settings: ApplicationSettings
}

export interface CommandStatus {
  readonly command: ApplicationCommand
  /**
   * `ghost`: no file defines it. `entry_point`: no file defines it either, but the service makes it for an Activity, and
   * people start that with it. Null without files.
   */
  readonly state: 'same' | 'differs' | 'ghost' | 'entry_point' | null
  /** A line each. */
  readonly differences: readonly string[]
  /** The global command of the same name, if people of the server see both. */
  readonly globalTwin: ApplicationCommand | null
}

export interface ScopeStatus {
  readonly scope: Scope
  readonly commands: readonly CommandStatus[]
}

/** The key of a definition, which may be a builder. */
const bodyKey = (body: unknown): string => commandKey(jsonValue(body))

/**
 * @param bodies valid definitions; null if nothing is known of the files
 * @returns also the definitions that no scope has
 */
export async function compareScopes(
  deployed: readonly DeployedScope[],
  bodies: readonly unknown[] | null,
): Promise<{ readonly scopes: readonly ScopeStatus[]; readonly missing: readonly unknown[] }> {
  const found = deployed.map((each) => ({ ...each, commands: commandsIn(each) }))
  const known = new Set(found.flatMap(({ commands }) => commands.map(commandKey)))
  const global = new Map(
    found
      .filter(({ scope }) => scope.kind === 'global')
      .flatMap(({ commands }) => commands.map((command) => [commandKey(command), command] as const)),
  )
  const scopes = found.map(async ({ scope, snapshot, settings, commands }) => {
    const states = bodies && (await statesOf(scope, snapshot, settings, commands, bodies))
    return {
      scope,
      commands: commands.map((command) => ({
        command,
        ...(states?.get(command.id) ?? { state: states && undefinedState(command), differences: [] }),
        globalTwin: scope.kind === 'guild' ? twinOf(command, scope.guildId, global) : null,
      })),
    }
  })
  const missing = (bodies ?? []).filter((body) => !known.has(bodyKey(body)))
  return { scopes: await Promise.all(scopes), missing }
}

function commandsIn({ scope, snapshot }: DeployedScope): readonly ApplicationCommand[] {
  const guildId = scope.kind === 'guild' ? scope.guildId : null
  return snapshot.scopes.find(({ guild_id }) => guild_id === guildId)?.commands ?? []
}

/** The states of the commands that a file defines, by id. Plans what a deploy would do to just these. */
async function statesOf(
  scope: Scope,
  snapshot: ApplicationSnapshot,
  settings: ApplicationSettings,
  commands: readonly ApplicationCommand[],
  bodies: readonly unknown[],
) {
  const keys = new Set(commands.map(commandKey))
  const defined = bodies.filter((body) => keys.has(bodyKey(body)))
  const definedKeys = new Set(defined.map(bodyKey))
  // The others stay as they are: a list without the entry point would be refused (clause 4.1-07).
  const others = commands.filter((command) => !definedKeys.has(commandKey(command)))
  const plan = await planAgainst(snapshot, settings, scope, [...defined, ...others])
  const isOther = new Set(others.map(({ id }) => id))
  const states = new Map<string, Pick<CommandStatus, 'state' | 'differences'>>()
  for (const { id } of plan.unchanged)
    if (!isOther.has(id)) states.set(id, { state: 'same', differences: [] })
  for (const update of plan.updates)
    states.set(update.before.id, { state: 'differs', differences: differencesOf(update).map(differenceText) })
  return states
}

/** The state of a command that no file defines. */
function undefinedState(command: ApplicationCommand): 'ghost' | 'entry_point' {
  return isEntryPoint(command) ? 'entry_point' : 'ghost'
}

function twinOf(
  command: ApplicationCommand,
  guildId: string,
  global: ReadonlyMap<string, ApplicationCommand>,
): ApplicationCommand | null {
  const twin = global.get(commandKey(command))
  return twin !== undefined && areSeenTogether(twin, { ...command, guild_id: guildId }) ? twin : null
}

/** What people write to mention a slash command: `</ping:1575281914601612544>`; null for other commands. */
export function commandMention({ type, name, id }: ApplicationCommand): string | null {
  return type === CommandType.CHAT_INPUT ? `</${name}:${id}>` : null
}
