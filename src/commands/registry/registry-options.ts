import { aClock, aFunction, anIdSource, anyObject, argument, optionsOf } from '../../core/rules/arguments.ts'
import { optional } from '../../core/rules/readers.ts'
import { systemClock, type Clock } from '../../core/clock.ts'
import { idsBy, type IdSource } from '../../model/id-source.ts'
import type { PermissionManager } from '../access/manage.ts'
import { ofWrite, type WriteOptions } from './call-options.ts'
import { describeValue } from '../../core/text.ts'
import { memoryStore } from '../../storage/memory.ts'
import { aStore, type Store } from '../../storage/store.ts'
import { aDirectory, openDirectory, type ApplicationDirectory } from './directory.ts'

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

const checkedOptions = /* @__PURE__ */ optionsOf<RegistryOptions>('CommandRegistry', {
  store: optional(aStore),
  applications: optional(aDirectory),
  clock: optional(aClock),
  ids: optional(anIdSource),
  onListenerError: optional(aFunction),
  attempts: optional(argument('a whole number from 1', (value) => Number.isInteger(value) && value >= 1)),
})

/** The options with their defaults. @throws TypeError if an option is invalid */
export function resolveOptions(options: RegistryOptions): Required<RegistryOptions> {
  // Without this check, a store in place of the options would have unknown names.
  if (typeof (options as Partial<Store> | null)?.read === 'function')
    throw new TypeError(
      'CommandRegistry: expected options, got a store; write new CommandRegistry({ store })',
    )
  const {
    store = memoryStore(),
    applications = openDirectory,
    attempts = 64,
    ...given
  } = checkedOptions(options)
  const { clock = systemClock } = given
  return {
    store,
    attempts,
    applications,
    clock,
    ids: given.ids ?? idsBy(given.clock),
    onListenerError: given.onListenerError ?? ((error) => console.error(error)),
  }
}

/** @throws TypeError if the clock has no time */
export function timeOf(clock: Clock): number {
  const now: unknown = clock.now()
  if (typeof now === 'number' && Number.isFinite(now)) return now
  throw new TypeError(`clock: expected now() to return milliseconds since 1970, got ${describeValue(now)}`)
}

/** The options of `setPermissions`. */
export interface SetPermissionsOptions extends WriteOptions {
  /** The person who sets the permissions. Without one, no access is checked. */
  readonly manager?: PermissionManager
}

/** @throws TypeError for a `manager` that is given but undefined: as an absent one it would check no access */
export function readSetPermissions(options: SetPermissionsOptions): SetPermissionsOptions {
  const manager = anyObject('the person who sets the permissions; leave it out to check no access')
  const isGiven = Object.hasOwn(options ?? {}, 'manager')
  return optionsOf<SetPermissionsOptions>('setPermissions', {
    ...ofWrite,
    manager: (isGiven ? manager : optional(manager)) as never,
  })(options)
}
