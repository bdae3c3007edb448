/** The drivers of databases, which the host installs and the library never does. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CommandError } from './errors.ts'
import type { Io } from './io.ts'

/** What a driver's module exports; each is used as its documentation says. */
// Drivers come in any version and their types may not be installed.
export type DriverModule = any

export interface Driver<Opened> {
  /** As it is imported. */
  readonly name: string
  open(module: DriverModule): Promise<Opened>
}

/**
 * Opens with the first of some drivers that is installed, looking where the program was started and then beside
 * the program itself.
 *
 * @param remedy what to do when there is none of them
 * @throws CommandError when there is none, or when it cannot open; the message never tells the location
 */
export async function openWith<Opened>(
  io: Io,
  kind: string,
  drivers: readonly Driver<Opened>[],
  remedy: string,
): Promise<Opened> {
  for (const { name, open } of drivers) {
    let module: DriverModule
    try {
      module = await loadInstalled(io, name)
    } catch (error) {
      throw new CommandError(`--store ${kind}: ${name} is installed but cannot be loaded: ${reason(error)}`)
    }
    if (module === undefined) continue
    try {
      return await open(module)
    } catch (error) {
      throw new CommandError(`--store ${kind}: ${name} cannot open it: ${reason(error)}`)
    }
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

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && MISSING.has(error.code)
}

/** Why something failed, in its own words. */
// A refused connection to a name with several addresses has a message for each and none of its own.
export function reason(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reason).join(', ')
  return error instanceof Error ? error.message : String(error)
}

/** Why something failed, in one line: the first of the causes, which has the driver's own words. */
export function firstCause(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? firstCause(error.cause) : undefined
  return (cause ?? reason(error)).replace(/\s+/g, ' ')
}

/** What went wrong, and where that was not the first thing that did, what was. */
export function told(error: unknown): string {
  const [what, why] = [reason(error), firstCause(error)]
  return what === why ? what : `${what}: ${why}`
}
