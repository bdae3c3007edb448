import { checkSnowflake } from '../../core/snowflake.ts'
import { isAuthorizedIn, openApplication, type ApplicationSettings } from '../../model/application.ts'
import { demandList, withMethods } from '../../core/rules/arguments.ts'
import { RegistryError } from './registry-error.ts'
import type { Scope } from './scope.ts'
import { checkGuilds, checkOwnSettings, checkSettings } from './settings-checks.ts'

type Awaitable<T> = T | Promise<T>

/** The settings of applications. Pass your own, or use `openDirectory` or `applicationDirectory`. */
export interface ApplicationDirectory {
  /** The settings of an application, or `undefined` if the application is unknown. */
  get(applicationId: string): Awaitable<ApplicationSettings | undefined>
  /** Stores changed settings. Only `enableActivities` calls it. */
  put?(applicationId: string, settings: ApplicationSettings): Awaitable<void>
}

export const aDirectory = /* @__PURE__ */ withMethods('an ApplicationDirectory with get', 'get')

/** A directory that accepts every application: installed in every way, with Activities, authorized in every guild. */
export const openDirectory: ApplicationDirectory = Object.freeze({ get: () => openApplication })

/**
 * A directory of these applications and no others, in memory.
 *
 * @throws TypeError for a setting that is unknown or of the wrong type
 */
export function applicationDirectory(
  applications: readonly (ApplicationSettings & { readonly id: string })[],
): ApplicationDirectory {
  demandList(applications, 'applications')
  const known = new Map<string, ApplicationSettings>()
  for (const [index, given] of applications.entries()) {
    const at = `applications[${index}]`
    const settings = checkOwnSettings(given, at)
    known.set(checkSnowflake(settings.id, `${at}.id`), settings)
  }
  return {
    get: (applicationId) => known.get(applicationId),
    put: (applicationId, settings) => void known.set(applicationId, settings),
  }
}

/** A directory that reads from another and keeps changed settings to itself. */
export function forkDirectory(directory: ApplicationDirectory): ApplicationDirectory {
  const changed = new Map<string, ApplicationSettings>()
  const get = (applicationId: string) => changed.get(applicationId) ?? directory.get(applicationId)
  if (directory.put === undefined) return { get }
  return { get, put: (applicationId, settings) => void changed.set(applicationId, settings) }
}

/**
 * The settings of an application; undefined if it is unknown.
 *
 * @throws TypeError if the directory returns values of wrong types, or another application
 */
export async function findSettings(
  directory: ApplicationDirectory,
  applicationId: string,
): Promise<ApplicationSettings | undefined> {
  return checkFound(await directory.get(applicationId), applicationId)
}

function checkFound(
  found: ApplicationSettings | null | undefined,
  applicationId: string,
): ApplicationSettings | undefined {
  // Databases return null for a missing row.
  if (found === undefined || found === null) return undefined
  const label = `applications.get("${applicationId}")`
  const settings = checkSettings(found, label)
  if ((settings.id ?? applicationId) !== applicationId)
    throw new TypeError(`${label}: expected this application, got application ${settings.id}`)
  return settings
}

/** The settings of a scope's application, if it may have commands there (clause 1-03). */
export async function settingsOf(
  directory: ApplicationDirectory,
  scope: Scope,
): Promise<ApplicationSettings> {
  const { applicationId } = scope
  const settings = checkFound(await directory.get(applicationId), applicationId)
  if (settings === undefined)
    throw new RegistryError('unknown_application', { message: `unknown application ${applicationId}` })
  if (scope.kind === 'guild' && !isAuthorizedIn(settings, scope.guildId)) {
    checkGuilds(settings, `applications.get("${applicationId}")`)
    throw new RegistryError('missing_access')
  }
  return settings
}
