import { isAuthorizedIn, isEmbedded, type ApplicationSettings } from '../command/application.ts'
import type { ApplicationCommand } from '../command/definition.ts'
import { ApplicationFlag, CommandType, HandlerType } from '../command/kinds.ts'
import { parseCommand, parseCommands } from '../command/parse.ts'
import type { ValidationContext } from '../command/reading.ts'
import { systemClock, type Clock } from '../core/clock.ts'
import { deepFreeze } from '../core/freeze.ts'
import type { Json } from '../core/json.ts'
import { clockIds, processIds, type IdSource } from '../core/snowflake.ts'
import { described } from '../core/text.ts'
import type { Validation } from '../core/validation.ts'
import { missingToManage, type ManagementRequest, type PermissionManager } from '../permission/manage.ts'
import { parsePermissions, type GuildCommandPermissions } from '../permission/overwrite.ts'
import { memoryStore } from '../storage/memory.ts'
import { mayHaveHappened } from '../storage/store-error.ts'
import type { Entry, Store, Written } from '../storage/store.ts'
import type { PermissionChange, ScopeChange } from './change.ts'
import { openDirectory, type ApplicationDirectory } from './directory.ts'
import { RegistryError } from './error.ts'
import type { InteractionEvent, RegistryEvent, RegistryListener } from './events.ts'
import {
  pick,
  type ExplainedPicker,
  type Picker,
  type PickerOptions,
  type PickerSource,
  type Viewer,
} from './picker.ts'
import { isLive, planPermissions, planScope, type Environment, type ScopePlan } from './plan.ts'
import { describePlan, type OverwritePlan } from './preview.ts'
import {
  emptyPermissions,
  emptyScope,
  indexOfCommand,
  recordOf,
  type PermissionRecord,
  type ScopeRecord,
} from './record.ts'
import {
  documentPrefixes,
  planRestore,
  readSnapshot,
  snapshotOf,
  type ApplicationSnapshot,
} from './snapshot.ts'
import { globalScope, guildScope, permissionsKey, permissionsPrefix, scopeKey, type Scope } from './scope.ts'
import { listing, type ListView, type LocalizedListing } from './view.ts'

export interface RegistryOptions {
  /** Where commands are kept. Default: `memoryStore()`. */
  readonly store?: Store
  /** What the service knows of applications. Default: `openDirectory`, any app, everything allowed. */
  readonly applications?: ApplicationDirectory
  /** Default: the system's clock. Creates are counted by its UTC days. */
  readonly clock?: Clock
  /** Where ids and versions come from. Default: one source for the whole process, or with a `clock` one by that clock. */
  readonly ids?: IdSource
  /** Told when a listener throws; the change that it was told of stands. Default: `console.error`. */
  readonly onListenerError?: (error: unknown) => void
  /** How often a write is tried when others keep being first, before it fails as `busy`. Default 64. */
  readonly attempts?: number
}

export interface SetPermissionsOptions {
  /** Who asks. Absent: nobody is asked whether they may. */
  readonly manager?: PermissionManager
}

/**
 * The application commands of any number of applications: one instance is a whole service.
 *
 * Every method rejects with `RegistryError` and then has changed nothing, save that a `storage` error may say
 * that the change may have been written. What is handed out is deeply frozen and shared.
 */
export class CommandRegistry {
  readonly #store: Store
  readonly #applications: ApplicationDirectory
  readonly #clock: Clock
  readonly #ids: IdSource
  readonly #onListenerError: (error: unknown) => void
  readonly #attempts: number
  readonly #listeners = new Set<RegistryListener>()
  readonly #turns = new Map<string, Promise<unknown>>()

  constructor(options: RegistryOptions = {}) {
    const { attempts = 64, store = memoryStore() } = options
    if (typeof store.read !== 'function' || typeof store.write !== 'function') {
      throw new TypeError(`store: expected a Store, got ${described(store)}`)
    }
    if (!Number.isInteger(attempts) || attempts < 1) {
      throw new TypeError(`attempts: expected a whole number from 1, got ${String(attempts)}`)
    }
    this.#store = store
    this.#applications = options.applications ?? openDirectory
    this.#clock = options.clock ?? systemClock
    // Under a clock that was brought, ids come from it alone, so that what is done can be repeated exactly.
    this.#ids = options.ids ?? (options.clock === undefined ? processIds : clockIds(options.clock))
    this.#onListenerError = options.onListenerError ?? ((error) => console.error(error))
    this.#attempts = attempts
  }

  // --- Reading ------------------------------------------------------------------------------------------------

  /**
   * The commands of a scope, in the order in which they were created or last overwritten (4.1-01, 4.2-01).
   *
   * @param view without one, commands come with all their dictionaries; with one, see `ListView` (2.10-08)
   */
  async list(scope: Scope): Promise<readonly ApplicationCommand[]>
  async list(scope: Scope, view: ListView): Promise<readonly LocalizedListing[]>
  async list(scope: Scope, view?: ListView): Promise<readonly (ApplicationCommand | LocalizedListing)[]> {
    await this.#enter(scope)
    const { commands } = await this.#scope(scope)
    if (view === undefined) return commands
    return Object.freeze(commands.map((command) => listing(command, view.locale)))
  }

  /** One command, with all its dictionaries (4.1-03, 4.2-03). Rejects with `unknown_command`. */
  async get(scope: Scope, commandId: string): Promise<ApplicationCommand> {
    await this.#enter(scope)
    const record = await this.#scope(scope)
    const command = record.commands[indexOfCommand(record, commandId)]
    if (command === undefined) throw new RegistryError('unknown_command')
    return command
  }

  /**
   * The picker: what one person sees at one place in one language. Global commands and those of the guild
   * together, without what the person may not use (2.9-07) or cannot use there (2.11-08), localized and in order.
   * One round trip to the store.
   *
   * @param options with `explain: true`, the answer also tells what is hidden and why
   * @throws TypeError when the viewer is not described as it has to be
   */
  async commandsFor(
    viewer: Viewer,
    options: PickerOptions & { readonly explain: true },
  ): Promise<ExplainedPicker>
  async commandsFor(viewer: Viewer, options?: PickerOptions): Promise<Picker>
  async commandsFor(viewer: Viewer, options: PickerOptions = {}): Promise<Picker> {
    return pick(viewer, await this.pickerSource(viewer), options)
  }

  /**
   * All that decides what people see at a place and may use there, for those who keep a copy of it: `ChatClient`
   * does. Read at one moment, in one round trip to the store.
   */
  async pickerSource({
    applicationId,
    guildId,
  }: Pick<Viewer, 'applicationId' | 'guildId'>): Promise<PickerSource> {
    const application = await this.#enter(globalScope(applicationId))
    const now = this.#clock.now()
    if (guildId === undefined) {
      const { commands } = await this.#scope(globalScope(applicationId))
      return { application, commands, permissions: [], now }
    }
    const { record, scopes } = permissionRecords(await this.#read(permissionKeys(applicationId, guildId)))
    const commands = scopes.flatMap((scope) => scope.commands)
    return { application, commands, permissions: liveSets(record, applicationId, scopes), now }
  }

  // --- Writing ------------------------------------------------------------------------------------------------

  /**
   * Creates a command, or overwrites the one of its type and name: what the body leaves out goes back to its
   * default, the id and the permissions stay (4.1-02, 4.2-02, 4.2-07).
   */
  async upsert(
    scope: Scope,
    body: unknown,
  ): Promise<{ readonly command: ApplicationCommand; readonly created: boolean }> {
    const application = await this.#enter(scope)
    const definition = valid(parseCommand(body, contextOf(scope, application)), body)
    const { commands, created } = await this.#apply(scope, { kind: 'upsert', definition }, application)
    return { command: commands[0]!, created: created > 0 }
  }

  /**
   * Changes the fields a body gives, each as a whole, and keeps the others (4.1-04, 4.2-04). A new name takes the
   * command's permissions away in every guild (2.9-09).
   */
  async edit(scope: Scope, commandId: string, body: unknown): Promise<ApplicationCommand> {
    const application = await this.#enter(scope)
    return (await this.#apply(scope, { kind: 'edit', commandId, body }, application)).commands[0]!
  }

  /** Deletes a command, and with it its permissions in every guild (4.1-05, 4.2-05, 2.9-09). */
  async delete(scope: Scope, commandId: string): Promise<void> {
    const application = await this.#enter(scope)
    await this.#apply(scope, { kind: 'remove', commandId }, application)
  }

  /**
   * Replaces all commands of a scope by those of a list, all or nothing (4.1-06, 4.1-07, 4.2-06). An item stands
   * for the command of its `id`, else of its type and name, which then keeps its id; only new ones count toward
   * the day's creates.
   *
   * @returns the commands, in the order of the list
   */
  async overwrite(scope: Scope, bodies: unknown): Promise<readonly ApplicationCommand[]> {
    const application = await this.#enter(scope)
    const change = overwriteOf(scope, bodies, application)
    return (await this.#apply(scope, change, application)).commands
  }

  /** What `overwrite` would do with the same list, without doing it. Rejects as it would. */
  async plan(scope: Scope, bodies: unknown): Promise<OverwritePlan> {
    const application = await this.#enter(scope)
    const change = overwriteOf(scope, bodies, application)
    const record = await this.#scope(scope)
    const environment = this.#environment(application)
    const plan = planScope(scope, record, change, environment)
    const lost = await this.#permissionsOf(scope, record, plan.next)
    return deepFreeze(describePlan(record, plan, environment.now, lost))
  }

  /**
   * Enables Activities for an application: gives it the EMBEDDED flag and the entry point command `Launch`, unless
   * it has an entry point already (2.3-02).
   *
   * @returns the application's entry point command
   */
  async enableActivities(applicationId: string): Promise<ApplicationCommand> {
    const scope = globalScope(applicationId)
    let application = await this.#enter(scope)
    if (!isEmbedded(application)) {
      if (this.#applications.put === undefined) throw new RegistryError('activities_unavailable')
      application = { ...application, flags: (application.flags ?? 0) | ApplicationFlag.EMBEDDED }
      await this.#applications.put(applicationId, application)
    }
    const definition = valid(parseCommand(launch, contextOf(scope, application)), launch)
    return (await this.#apply(scope, { kind: 'launch', definition }, application)).commands[0]!
  }

  // --- Permissions --------------------------------------------------------------------------------------------

  /** All permissions an application has set in a guild (4.3-01). Commands without any are not in the list. */
  async listPermissions(applicationId: string, guildId: string): Promise<readonly GuildCommandPermissions[]> {
    await this.#enter(guildScope(applicationId, guildId))
    const { record, scopes } = permissionRecords(await this.#read(permissionKeys(applicationId, guildId)))
    return Object.freeze(liveSets(record, applicationId, scopes))
  }

  /**
   * The permissions of a command in a guild, or those of the application itself (4.3-02). Rejects with
   * `unknown_permissions` when none are set.
   */
  async getPermissions(
    applicationId: string,
    guildId: string,
    targetId: string,
  ): Promise<GuildCommandPermissions> {
    const set = (await this.listPermissions(applicationId, guildId)).find(({ id }) => id === targetId)
    if (set === undefined) throw new RegistryError('unknown_permissions')
    return set
  }

  /**
   * Replaces the permissions of a command in a guild, or those of the application itself, and tells the listeners
   * (4.3-03, 6-01). An empty list removes them.
   *
   * @param body a list of entries, or the wire's `{ permissions: [...] }`
   * @param options with a `manager`, rejects with `missing_permissions` unless they may do this (5-02)
   */
  async setPermissions(
    applicationId: string,
    guildId: string,
    targetId: string,
    body: unknown,
    { manager }: SetPermissionsOptions = {},
  ): Promise<GuildCommandPermissions> {
    const scope = guildScope(applicationId, guildId)
    const application = await this.#enter(scope)
    const permissions = valid(parsePermissions(body, contextOf(scope, application)), body)
    const change: PermissionChange = { targetId, permissions }
    const keys = permissionKeys(applicationId, guildId)
    return this.#commit(keys, (entries) => {
      const { record, scopes } = permissionRecords(entries)
      const { next, set, events } = planPermissions(applicationId, guildId, record, scopes, change)
      if (manager !== undefined) {
        const missing = missingToManage({
          manager,
          guildId,
          ...permissionsBefore(targetId, applicationId, liveSets(record, applicationId, scopes), scopes),
          after: permissions,
          now: this.#clock.now(),
        })
        if (missing.length > 0) throw new RegistryError('missing_permissions', { missing })
      }
      return { next, answer: deepFreeze(set), events }
    })
  }

  // --- Moving ---------------------------------------------------------------------------------------------------

  /**
   * All that is stored of an application, as plain JSON for `restore`: the same commands, versions, creates of the
   * day and permissions on whatever store. Each document in it is of one moment; two of them need not be, when
   * somebody writes meanwhile. One listing of the application's keys and one read.
   */
  async snapshot(applicationId: string): Promise<ApplicationSnapshot> {
    await this.#enter(globalScope(applicationId))
    const keys = await this.#documentsOf(applicationId)
    return deepFreeze(snapshotOf(applicationId, keys, await this.#read(keys)))
  }

  /**
   * Makes an application what a snapshot says, and removes whatever else the store holds of it. The snapshot is
   * checked as a whole first: any fault rejects with `invalid`, and nothing has changed.
   *
   * Each scope's commands are replaced at once, and so are a guild's permissions; the whole is not one moment. A
   * restore that a crash cut short leaves some documents as they were: do it again, which is safe however often.
   * Permissions are written first and count once their commands are there. Ids and versions that the scope gives
   * from then on are later than any it ever gave, before the restore or in the snapshot. One read and one write
   * for each document.
   */
  async restore(snapshot: unknown): Promise<void> {
    const read = valid(readSnapshot(snapshot), snapshot)
    await this.#enter(globalScope(read.application_id))
    const held = await this.#documentsOf(read.application_id)
    let begun = false
    for (const { key, plan } of planRestore(read, held)) {
      try {
        await this.#commit([key], ([entry]) => ({ ...plan(entry), answer: undefined }))
      } catch (cause) {
        if (!begun || !(cause instanceof RegistryError)) throw cause
        const message = `the restore ended with some of its documents written: ${cause.message}; do it again`
        throw new RegistryError('storage', { message, mayHaveHappened: true, cause })
      }
      begun = true
    }
  }

  async #documentsOf(applicationId: string): Promise<string[]> {
    const lists: string[] = []
    for (const prefix of documentPrefixes(applicationId)) lists.push(...(await this.#keys(prefix)))
    return lists
  }

  // --- Events -------------------------------------------------------------------------------------------------

  /**
   * Calls a listener with every event of this instance: once, after the change was written, and for one document
   * in the order of its writes. Not promised: anything about other instances or processes, or after a crash.
   *
   * @returns what ends the subscription
   */
  subscribe(listener: RegistryListener): () => void {
    // A wrapper of its own, so that one function can be subscribed twice and unsubscribed once.
    const entry: RegistryListener = (event) => listener(event)
    this.#listeners.add(entry)
    return () => void this.#listeners.delete(entry)
  }

  /** Tells the listeners of an interaction, which nothing is stored of (6-02, 6-03). `ChatClient` does it for you. */
  publish(event: InteractionEvent): void {
    this.#publish([event])
  }

  #publish(events: readonly RegistryEvent[]): void {
    for (const event of events) {
      for (const listener of this.#listeners) {
        try {
          listener(Object.freeze(event))
        } catch (error) {
          this.#tell(error)
        }
      }
    }
  }

  /** What was written was written, even if nobody can hear of it. */
  #tell(error: unknown): void {
    try {
      this.#onListenerError(error)
    } catch (another) {
      console.error(another)
    }
  }

  // --- The one loop -------------------------------------------------------------------------------------------

  async #apply(scope: Scope, change: ScopeChange, application: ApplicationSettings): Promise<ScopePlan> {
    return this.#commit([scopeKey(scope)], ([entry]) => {
      const plan = planScope(
        scope,
        recordOf(entry?.value, emptyScope),
        change,
        this.#environment(application),
      )
      return { next: plan.next, answer: plan, events: plan.events }
    })
  }

  /**
   * Loads, plans, writes the first of the keys, publishes; and starts over when somebody else wrote it meanwhile.
   * Writers of one instance take turns at a document, so they never make one another start over and their events
   * come in the order of their writes.
   */
  #commit<T>(keys: readonly string[], plan: (entries: Entries) => Commit<T>): Promise<T> {
    const key = keys[0]!
    const turn = (this.#turns.get(key) ?? Promise.resolve()).then(() => this.#attempt(keys, plan))
    const settled = turn.then(noop, noop)
    this.#turns.set(key, settled)
    void settled.then(() => {
      if (this.#turns.get(key) === settled) this.#turns.delete(key)
    })
    return turn
  }

  async #attempt<T>(keys: readonly string[], plan: (entries: Entries) => Commit<T>): Promise<T> {
    for (let attempt = 0; attempt < this.#attempts; attempt++) {
      if (attempt > FREE_ATTEMPTS) await backOff(attempt - FREE_ATTEMPTS)
      const entries = await this.#read(keys)
      const { next, answer, events } = plan(entries)
      const [entry] = entries
      // An unchanged record is the very one that was read, or the empty one where there was none.
      const unchanged = next === entry?.value || (entry === undefined && next === (emptyScope as unknown))
      if (!unchanged && !(await this.#write(keys[0]!, entry, next)).ok) continue
      this.#publish(events)
      return answer
    }
    throw new RegistryError('busy')
  }

  async #write(
    key: string,
    entry: Entry | undefined,
    next: ScopeRecord | PermissionRecord | undefined,
  ): Promise<Written> {
    if (next === undefined && entry === undefined) return { ok: true, revision: '' }
    try {
      return await this.#store.write(key, entry?.revision ?? null, deepFreeze(next) as unknown as Json)
    } catch (cause) {
      throw new RegistryError('storage', { cause, mayHaveHappened: mayHaveHappened(cause) })
    }
  }

  async #read(keys: readonly string[]): Promise<Entries> {
    try {
      return await this.#store.read(keys)
    } catch (cause) {
      throw new RegistryError('storage', { cause })
    }
  }

  async #scope(scope: Scope): Promise<ScopeRecord> {
    const [entry] = await this.#read([scopeKey(scope)])
    return recordOf(entry?.value, emptyScope)
  }

  /** What is known of the scope's application, once it may act there at all (1-03). */
  async #enter(scope: Scope): Promise<ApplicationSettings> {
    const found = this.#applications.get(scope.applicationId)
    const application = found instanceof Promise ? await found : found
    if (application === undefined) throw new RegistryError('unknown_application')
    if (scope.kind === 'guild' && !isAuthorizedIn(application, scope.guildId))
      throw new RegistryError('missing_access')
    return application
  }

  #environment(application: ApplicationSettings): Environment {
    return { now: this.#clock.now(), ids: this.#ids, application }
  }

  /** The permissions that count before a change of a scope and not after it, in every guild. */
  async #permissionsOf(
    scope: Scope,
    before: ScopeRecord,
    after: ScopeRecord,
  ): Promise<GuildCommandPermissions[]> {
    const lost: GuildCommandPermissions[] = []
    const guilds =
      scope.kind === 'guild'
        ? [permissionsKey(scope.applicationId, scope.guildId)]
        : await this.#keys(permissionsPrefix(scope.applicationId))
    for (const key of guilds) {
      const [entry] = await this.#read([key])
      const record = recordOf<PermissionRecord>(entry?.value, emptyPermissions)
      record.sets.forEach((set, i) => {
        if (set.id === scope.applicationId) return
        const tenure = record.tenures[i]!
        const counts = (state: ScopeRecord) => isLive(set, tenure, scope.applicationId, [state])
        if (counts(before) && !counts(after)) lost.push(set)
      })
    }
    return lost
  }

  async #keys(prefix: string): Promise<string[]> {
    const keys: string[] = []
    try {
      for await (const key of this.#store.keys(prefix)) keys.push(key)
    } catch (cause) {
      throw new RegistryError('storage', { cause })
    }
    return keys
  }
}

type Entries = readonly (Entry | undefined)[]

interface Commit<T> {
  readonly next: ScopeRecord | PermissionRecord | undefined
  readonly answer: T
  readonly events: readonly RegistryEvent[]
}

/** Attempts that follow one another at once; others are hardly ever first more often than that. */
const FREE_ATTEMPTS = 3

/** Waits a random while that grows with the attempts, so that writers who keep meeting draw apart. */
function backOff(attempt: number): Promise<void> {
  const most = Math.min(50, 2 ** Math.min(attempt, 6))
  return new Promise((resolve) => setTimeout(resolve, Math.random() * most))
}

function noop(): void {}

const launch = {
  type: CommandType.PRIMARY_ENTRY_POINT,
  name: 'Launch',
  handler: HandlerType.SERVICE_LAUNCH_ACTIVITY,
}

function valid<T>(read: Validation<T>, body: unknown): T {
  if (read.ok) return read.value
  throw new RegistryError('invalid', { issues: read.issues, body })
}

function contextOf(scope: Scope, application: ApplicationSettings): ValidationContext {
  return { scope: scope.kind, application }
}

function overwriteOf(
  scope: Scope,
  bodies: unknown,
  application: ApplicationSettings,
): Extract<ScopeChange, { kind: 'overwrite' }> {
  const definitions = valid(parseCommands(bodies, contextOf(scope, application), false), bodies)
  return { kind: 'overwrite', definitions, bodies }
}

function permissionKeys(applicationId: string, guildId: string): readonly string[] {
  return [
    permissionsKey(applicationId, guildId),
    scopeKey(guildScope(applicationId, guildId)),
    scopeKey(globalScope(applicationId)),
  ]
}

function permissionRecords([permissions, guild, global]: Entries): {
  record: PermissionRecord
  scopes: ScopeRecord[]
} {
  return {
    record: recordOf(permissions?.value, emptyPermissions),
    scopes: [recordOf(guild?.value, emptyScope), recordOf(global?.value, emptyScope)],
  }
}

/** The permissions that count: those of commands that are there and have kept their names. */
function liveSets(
  { sets, tenures }: PermissionRecord,
  applicationId: string,
  scopes: readonly ScopeRecord[],
): GuildCommandPermissions[] {
  return sets.filter((set, i) => isLive(set, tenures[i]!, applicationId, scopes))
}

/** A command, or null for the application itself, with what is set for it. */
function permissionsBefore(
  targetId: string,
  applicationId: string,
  sets: readonly GuildCommandPermissions[],
  scopes: readonly ScopeRecord[],
): Pick<ManagementRequest, 'command' | 'before' | 'appOverwrites'> {
  const of = (id: string) => sets.find((set) => set.id === id)?.permissions ?? []
  const command = scopes.flatMap(({ commands }) => commands).find(({ id }) => id === targetId) ?? null
  return { command, before: of(targetId), appOverwrites: of(applicationId) }
}
