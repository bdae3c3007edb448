/** Enabling Activities: the EMBEDDED flag and the entry point command of an application, both or neither (clause 2.3-02). */
import { EMBEDDED, flagsOf, isEmbedded, type ApplicationSettings } from '../../model/application.ts'
import type { ApplicationCommand, CommandDefinition } from '../../model/command-definition.ts'
import { CommandType, HandlerType } from '../../model/command-types.ts'
import { parseCommand } from '../definition/parse.ts'
import type { ApplicationDirectory } from './directory.ts'
import { RegistryError, valid } from './registry-error.ts'
import type { Scope } from './scope.ts'

type LaunchChange =
  | { readonly kind: 'launch'; readonly definition: CommandDefinition }
  | { readonly kind: 'remove'; readonly commandId: string }

interface LaunchPlan {
  readonly commands: readonly ApplicationCommand[]
  /** How many commands the plan creates. */
  readonly created: number
}

/** The parts of a registry that enabling Activities uses, for the global scope of one application. */
export interface ActivityHost {
  readonly applications: ApplicationDirectory
  settings(): Promise<ApplicationSettings>
  /** Plans and writes a change. `onPlan` gets each plan before it is written. */
  apply(
    change: LaunchChange,
    application: ApplicationSettings,
    onPlan?: (plan: LaunchPlan) => void,
  ): Promise<LaunchPlan>
}

const launch = {
  type: CommandType.PRIMARY_ENTRY_POINT,
  name: 'Launch',
  handler: HandlerType.SERVICE_LAUNCH_ACTIVITY,
}

export async function enableActivities(scope: Scope, host: ActivityHost): Promise<ApplicationCommand> {
  const { applications } = host
  const settings = await host.settings()
  if (isEmbedded(settings)) return (await createLaunch(scope, host, settings)).commands[0]!
  if (applications.put === undefined) throw new RegistryError('activities_unavailable')
  const enabled = { ...settings, flags: flagsOf(settings) | EMBEDDED }
  // The command first: deleting it again needs no settings, which others may have changed meanwhile.
  const { commands, created } = await createLaunch(scope, host, enabled)
  try {
    await applications.put(scope.applicationId, enabled)
  } catch (cause) {
    // The flag may have been stored and the answer lost.
    if (isEmbedded(await host.settings().catch(() => settings))) return commands[0]!
    if (created > 0) await removeLaunch(host, commands[0]!.id, settings)
    const message = 'the application directory failed to store the EMBEDDED flag; nothing was changed'
    throw new RegistryError('activities_unavailable', { message, cause })
  }
  return commands[0]!
}

/** Creates `Launch` unless there is an entry point. If the write is in doubt, tries to delete the command. */
async function createLaunch(
  scope: Scope,
  host: ActivityHost,
  application: ApplicationSettings,
): Promise<LaunchPlan> {
  const definition = valid(parseCommand(launch, { scope: scope.kind, application }), launch)
  let planned: LaunchPlan | undefined
  try {
    return await host.apply({ kind: 'launch', definition }, application, (plan) => (planned = plan))
  } catch (error) {
    if (!(error instanceof RegistryError && error.mayHaveHappened)) throw error
    await removeLaunch(host, planned!.commands[0]!.id, application)
    throw new RegistryError('storage', { cause: error.cause })
  }
}

/** Deletes the command of a failed call, which may not exist. */
async function removeLaunch(
  host: ActivityHost,
  commandId: string,
  application: ApplicationSettings,
): Promise<void> {
  try {
    await host.apply({ kind: 'remove', commandId }, application)
  } catch (cause) {
    if (cause instanceof RegistryError && cause.code === 'unknown_command') return
    const message =
      'the store failed to delete the entry point command of the failed call; repeating it is safe'
    throw new RegistryError('storage', { message, mayHaveHappened: true, cause })
  }
}
