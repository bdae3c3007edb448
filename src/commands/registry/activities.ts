/** Enabling Activities: the EMBEDDED flag of an application, then its entry point command (clause 2.3-02). */
import { EMBEDDED, flagsOf, isEmbedded, type ApplicationSettings } from '../../model/application.ts'
import { CommandType, HandlerType } from '../../model/command-types.ts'
import { findSettings, type ApplicationDirectory } from './directory.ts'
import { RegistryError } from './registry-error.ts'

/** The entry point command that an application gets. */
export const launchCommand = {
  type: CommandType.PRIMARY_ENTRY_POINT,
  name: 'Launch',
  handler: HandlerType.SERVICE_LAUNCH_ACTIVITY,
}

/**
 * Stores the EMBEDDED flag. An application that has it and no entry point is one whose entry point was deleted, so the
 * command may follow later.
 *
 * @returns the settings with the flag
 */
export async function embed(
  applications: ApplicationDirectory,
  applicationId: string,
  settings: ApplicationSettings,
): Promise<ApplicationSettings> {
  if (isEmbedded(settings)) return settings
  if (applications.put === undefined) throw new RegistryError('activities_unavailable')
  const enabled = { ...settings, flags: flagsOf(settings) | EMBEDDED }
  try {
    await applications.put(applicationId, enabled)
  } catch (cause) {
    // The flag may have been stored and the answer lost.
    const now = await findSettings(applications, applicationId).catch(() => undefined)
    if (now !== undefined && isEmbedded(now)) return now
    const message = 'the application directory failed to store the EMBEDDED flag; nothing was changed'
    throw new RegistryError('activities_unavailable', { message, cause })
  }
  return enabled
}

/** Adds to the error of an entry point command that the flag was stored before it. */
export function afterFlag(error: unknown): never {
  if (!(error instanceof RegistryError)) throw error
  const { code, cause, mayHaveHappened } = error
  const message = `the application has the EMBEDDED flag now; repeat the call for its entry point command: ${error.message}`
  throw new RegistryError(code, { message, cause, mayHaveHappened })
}
