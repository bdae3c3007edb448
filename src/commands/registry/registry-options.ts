import { knownOptions } from '../../core/known-options.ts'
import { systemClock, type Clock } from '../../core/clock.ts'
import { clockIds, processIds, type IdSource } from '../../core/snowflake.ts'
import { checkObject } from '../../core/option-checks.ts'
import type { PermissionManager } from '../access/manage.ts'
import { describeValue } from '../../core/text.ts'
import { memoryStore } from '../../storage/memory.ts'
import type { Store } from '../../storage/store.ts'
import { openDirectory, type ApplicationDirectory } from './directory.ts'

/** The options of a registry; all are optional. */
export interface RegistryOptions {
  /** Where commands are stored. Default: `memoryStore()`. */
  readonly store?: Store
  /** The settings of applications. Default: `openDirectory`, which accepts every application and allows everything. */
  readonly applications?: ApplicationDirectory
  /** The time; creates are counted by its UTC days. Default: the system's clock. */
  readonly clock?: Clock
  /** The source of ids and versions. Default: one source per process, or with a `clock` one that uses that clock. */
  readonly ids?: IdSource
  /** Called when a listener throws or its promise rejects; the change stays committed. Default: `console.error`. */
  readonly onListenerError?: (error: unknown) => void
  /** How often a write is tried while other writers are first, before it fails with `busy`. Default: 64. */
  readonly attempts?: number
}

const parts = [
  ['store', 'a Store with read, write and keys', ['read', 'write', 'keys']],
  ['applications', 'an ApplicationDirectory with get', ['get']],
  ['clock', 'a Clock with now', ['now']],
  ['ids', 'an IdSource with next', ['next']],
  ['onListenerError', 'a function', ['call']],
] as const

/** The options with their defaults. @throws TypeError if an option is invalid */
export function resolveOptions(options: RegistryOptions): Required<RegistryOptions> {
  // Without this check, a store in place of the options would be ignored.
  if (typeof (options as Partial<Store> | null)?.read === 'function')
    throw new TypeError(
      'CommandRegistry: expected options, got a store; write new CommandRegistry({ store })',
    )
  knownOptions('CommandRegistry', options, [...parts.map(([name]) => name), 'attempts'])
  for (const [name, expected, methods] of parts) {
    const part = options[name] as Readonly<Record<string, unknown>> | null | undefined
    if (part !== undefined && !methods.every((method) => typeof part?.[method] === 'function'))
      throw new TypeError(`${name}: expected ${expected}, got ${describeValue(part)}`)
  }
  const { attempts = 64, clock } = options
  if (!Number.isInteger(attempts) || attempts < 1) {
    throw new TypeError(`attempts: expected a whole number from 1, got ${String(attempts)}`)
  }
  return {
    store: options.store ?? memoryStore(),
    attempts,
    applications: options.applications ?? openDirectory,
    clock: clock ?? systemClock,
    // With a clock of the caller, ids come only from it, so that a run can be repeated exactly.
    ids: options.ids ?? (clock === undefined ? processIds : clockIds(clock)),
    onListenerError: options.onListenerError ?? ((error) => console.error(error)),
  }
}

/** The options of `setPermissions`. */
export interface SetPermissionsOptions {
  /** The person who sets the permissions. Without one, no access is checked. */
  readonly manager?: PermissionManager
}

/** The manager of options. One that is given but undefined must not count as absent, which would check no access. */
export function managerOf(options: SetPermissionsOptions): PermissionManager | undefined {
  knownOptions('setPermissions', options, ['manager'])
  if (!('manager' in options)) return undefined
  return checkObject(
    options.manager,
    'manager',
    'the person who sets the permissions; leave it out to check no access',
  ) as unknown as PermissionManager
}
