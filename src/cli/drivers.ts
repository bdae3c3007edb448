/** Database drivers, which the user installs. */
import { CommandError, reason } from './errors.ts'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Io } from './io.ts'

/** The exports of a driver. Untyped: the driver may have any version, and its types may not be installed. */
export type DriverModule = any

/**
 * Opens a store with the first installed driver, searched from the current folder and then from the program.
 *
 * @param remedy what to install when none is found
 * @param drivers by the name of the package
 * @throws CommandError when none is found or opening fails; the message never contains the location
 */
export async function openWith<Opened>(
  io: Io,
  kind: string,
  remedy: string,
  drivers: { readonly [name: string]: (module: DriverModule) => Promise<Opened> },
): Promise<Opened> {
  for (const [name, open] of Object.entries(drivers)) {
    const fail = (problem: string) => (error: unknown) => {
      throw new CommandError(`--store ${kind}: ${name} ${problem}: ${reason(error)}`)
    }
    const module = await loadInstalled(io, name).catch(fail('is installed but cannot be loaded'))
    if (module !== undefined) return open(module).catch(fail('cannot open it'))
  }
  throw new CommandError(`--store ${kind} needs a driver; ${remedy}`)
}

/** A module by its name, or `undefined` when it is not installed. */
export async function loadInstalled(io: Io, name: string): Promise<DriverModule | undefined> {
  try {
    if (name.startsWith('node:')) return await io.import(name)
    const here = createRequire(join(io.cwd, 'commandry.js'))
    return await io.import(pathToFileURL(here.resolve(name)).href)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  try {
    return await io.import(name)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

const MISSING: ReadonlySet<unknown> = new Set([
  'MODULE_NOT_FOUND',
  'ERR_MODULE_NOT_FOUND',
  'ERR_UNKNOWN_BUILTIN_MODULE',
])

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && MISSING.has(error.code)
}
