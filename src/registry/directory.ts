import { openApplication, type ApplicationSettings } from '../command/application.ts'

type Awaitable<T> = T | Promise<T>

/** What the service knows of applications. Hosts bring their own, or use one of the two below. */
export interface ApplicationDirectory {
  /** The settings of an application, or `undefined` when there is no such application. */
  get(applicationId: string): Awaitable<ApplicationSettings | undefined>
  /** Stores changed settings; only `enableActivities` asks for it. */
  put?(applicationId: string, settings: ApplicationSettings): Awaitable<void>
}

/** Any application, installed in every way, with Activities, authorized in every guild. */
export const openDirectory: ApplicationDirectory = Object.freeze({ get: () => openApplication })

/** The applications of a list, and no others. Settings can be put at run time. */
export function applicationDirectory(
  applications: readonly (ApplicationSettings & { readonly id: string })[],
): ApplicationDirectory {
  const known = new Map<string, ApplicationSettings>(applications.map((settings) => [settings.id, settings]))
  return {
    get: (applicationId) => known.get(applicationId),
    put: (applicationId, settings) => void known.set(applicationId, settings),
  }
}
