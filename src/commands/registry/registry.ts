import { demandObject } from '../../core/rules/arguments.ts'
import { afterFlag, embed, launchCommand } from './activities.ts'
import type { ApplicationCommand } from '../../model/command-definition.ts'
import { parseCommand } from '../definition/parse.ts'
import { Emitter, type Subscription } from '../../core/emitter.ts'
import { collect } from '../../core/batches.ts'
import { deepFreeze } from '../../core/freeze.ts'
import type { IdSource } from '../../model/id-source.ts'
import { checkSnowflake } from '../../core/snowflake.ts'
import { Documents } from '../../storage/documents/documents.ts'
import { counted } from '../../core/text.ts'
import { parsePermissions } from '../access/entry-list.ts'
import type { GuildCommandPermissions } from '../../model/permission-entry.ts'
import {
  pick,
  readPicking,
  type ExplainedPicker,
  type Picker,
  type PickerOptions,
  type PickerSource,
  type Viewer,
} from '../access/picker.ts'
import type { OverwritePlan } from './changes.ts'
import { forkDirectory } from './directory.ts'
import { registryFailure, RegistryError, valid } from './registry-error.ts'
import { signed, type InteractionEvent, type RegistryEvent, type RegistryListener } from './events.ts'
import { NONE, readCall, readWrite, type CallOptions, type WriteOptions } from './call-options.ts'
import {
  readSetPermissions,
  resolveOptions,
  type RegistryOptions,
  type SetPermissionsOptions,
} from './registry-options.ts'
import { countingSets, guildKeys, guildRecords, planPermissions, checkManager } from './permission-plan.ts'
import { overwriteOf, unknownCommand } from './plan.ts'
import { readSnapshot, type ApplicationSnapshot } from './read-snapshot.ts'
import { indexOfCommand, tenureOf } from './record.ts'
import { checkCommandOf, globalScope, guildScope, scopeKey, type Scope } from './scope.ts'
import { restoreInto } from './restore.ts'
import { StoredScopes } from './stored-scopes.ts'
import { SNAPSHOT_FORMAT } from './snapshot-rules.ts'
import { readTextOptions, snapshotPieces, type SnapshotTextOptions } from './snapshot-text.ts'
import {
  applicationsIn,
  readGuild,
  permissionsOf,
  removeApplication,
  removeGuild,
  scopesOf,
  sweepDocuments,
} from './application-documents.ts'
import { listing, readListing, type ListView, type ListedCommand } from './list-view.ts'

/**
 * The application commands of any number of applications: one instance is a whole service.
 *
 * Every method rejects with a `RegistryError`, and then has changed nothing, except that after a `storage` error with
 * `mayHaveHappened` the change may have been written. A wrong scope, clock or id source is a `TypeError`. Results are
 * deeply frozen and shared.
 */
export class CommandRegistry {
  /** The source of its ids, for interactions with its commands. */
  readonly ids: IdSource
  readonly #documents: Documents<RegistryEvent>
  readonly #scopes: StoredScopes
  readonly #listeners: Emitter<RegistryEvent>
  readonly #options: RegistryOptions

  /** @throws TypeError if an option is invalid */
  constructor(options: RegistryOptions = {}) {
    const { store, attempts, applications, clock, ids, onListenerError } = resolveOptions(options)
    this.#listeners = new Emitter<RegistryEvent>(onListenerError)
    this.#documents = new Documents<RegistryEvent>({
      store,
      attempts,
      failure: registryFailure,
      publish: (events, by) => {
        if (this.#listeners.size > 0) this.#listeners.publish(signed(events(), by))
      },
    })
    this.#scopes = new StoredScopes(applications, clock, ids)
    this.ids = ids
    this.#options = options
  }

  /** Resolves once the store answers, for the readiness check of a host. */
  async ready(options: CallOptions = NONE): Promise<void> {
    await this.#reading('ready', options).read([scopeKey(globalScope('0'))])
  }

  // --- Reading ------------------------------------------------------------------------------------------------

  /**
   * The commands of a scope, in the order in which they were created or last overwritten (4.1-01, 4.2-01).
   *
   * @param view without a locale, commands have all their dictionaries; with one, see `ListView` (2.10-08)
   */
  list(scope: Scope, options?: CallOptions): Promise<readonly ApplicationCommand[]>
  list(scope: Scope, view: ListView): Promise<readonly ListedCommand[]>
  async list(
    scope: Scope,
    view: CallOptions & Partial<ListView> = NONE,
  ): Promise<readonly (ApplicationCommand | ListedCommand)[]> {
    const { locale, ...call } = readListing(view)
    return this.#scopes.read(scope, this.#documents.of(call), ({ commands }) =>
      locale === undefined ? commands : Object.freeze(commands.map((command) => listing(command, locale))),
    )
  }

  /** One command, with all its dictionaries (4.1-03, 4.2-03). Rejects with `unknown_command`. */
  async get(scope: Scope, commandId: string, options: CallOptions = NONE): Promise<ApplicationCommand> {
    checkCommandOf(scope, commandId)
    return this.#scopes.read(scope, this.#reading('get', options), (record) => {
      const command = record.commands[indexOfCommand(record, commandId)]
      if (command === undefined) throw unknownCommand(scope, commandId)
      return command
    })
  }

  /**
   * The command list that one person sees in one place and language, without those the person may not use (2.9-07) or
   * cannot use there (2.11-08), localized and sorted. One round trip to the store.
   *
   * @param options with `explain: true`, the result also has the hidden commands and the reasons
   * @throws TypeError if the viewer is invalid
   */
  async commandsFor(
    viewer: Viewer,
    options: PickerOptions & { readonly explain: true },
  ): Promise<ExplainedPicker>
  async commandsFor(viewer: Viewer, options?: PickerOptions): Promise<Picker>
  async commandsFor(viewer: Viewer, options: PickerOptions = {}): Promise<Picker> {
    const { explain = false, ...call } = readPicking(options)
    return pick(viewer, await this.pickerSource(viewer, call), { explain })
  }

  /** What decides which commands people see and may use in a place, read at one moment, for copies of `ChatClient`. */
  async pickerSource(
    viewer: Pick<Viewer, 'applicationId' | 'guildId'>,
    options: CallOptions = NONE,
  ): Promise<PickerSource> {
    const { applicationId, guildId } = demandObject(viewer, 'viewer') as typeof viewer
    const documents = this.#reading('pickerSource', options)
    const scope = globalScope(applicationId)
    if (guildId === undefined) {
      return this.#scopes.read(scope, documents, ({ commands }, application) => ({
        application,
        commands,
        permissions: [],
        now: this.#scopes.now(),
      }))
    }
    const application = await this.#scopes.settingsOf(scope)
    const now = this.#scopes.now()
    const records = await readGuild(documents, applicationId, guildId)
    const commands = records.scopes.flatMap((record) => record.commands)
    return { application, commands, permissions: countingSets(applicationId, records), now }
  }

  // --- Writing ------------------------------------------------------------------------------------------------

  /**
   * Creates a command, or overwrites the one of its type and name: fields that the body leaves out get their defaults,
   * except that an entry point keeps its handler; the id and the permissions stay (4.1-02, 4.2-02, 4.2-07, 2.1-25).
   */
  async upsert(
    scope: Scope,
    body: unknown,
    options: WriteOptions = NONE,
  ): Promise<{ readonly command: ApplicationCommand; readonly created: boolean }> {
    const documents = this.#writing('upsert', options)
    const { commands, created } = await this.#scopes.change(scope, documents, (context) => {
      return { kind: 'upsert', definition: valid(parseCommand(body, context), body), body }
    })
    return { command: commands[0]!, created: created > 0 }
  }

  /**
   * Replaces the fields that a body has and keeps the others (4.1-04, 4.2-04). A new name removes the command's
   * permissions in every guild (2.9-09).
   */
  async edit(
    scope: Scope,
    commandId: string,
    body: unknown,
    options: WriteOptions = NONE,
  ): Promise<ApplicationCommand> {
    checkCommandOf(scope, commandId)
    const documents = this.#writing('edit', options)
    return (await this.#scopes.change(scope, documents, () => ({ kind: 'edit', commandId, body })))
      .commands[0]!
  }

  /** Deletes a command and its permissions in every guild (4.1-05, 4.2-05, 2.9-09). */
  async delete(scope: Scope, commandId: string, options: WriteOptions = NONE): Promise<void> {
    checkCommandOf(scope, commandId)
    await this.#scopes.change(scope, this.#writing('delete', options), () => ({ kind: 'remove', commandId }))
  }

  /**
   * Replaces all commands of a scope with those of a list, all or none (4.1-06, 4.1-07, 4.2-06). An item replaces the
   * command with its `id`, otherwise the one of its type and name, and keeps that id; only new ones count as creates.
   *
   * @returns the commands, in the order of the list
   */
  async overwrite(
    scope: Scope,
    bodies: unknown,
    options: WriteOptions = NONE,
  ): Promise<readonly ApplicationCommand[]> {
    const documents = this.#writing('overwrite', options)
    return (await this.#scopes.change(scope, documents, (context) => overwriteOf(bodies, context))).commands
  }

  /** What `overwrite` would do with the same list, without doing it. Rejects as `overwrite` would. */
  async plan(scope: Scope, bodies: unknown, options: CallOptions = NONE): Promise<OverwritePlan> {
    return this.#scopes.preview(scope, this.#reading('plan', options), bodies)
  }

  /**
   * Enables Activities for an application: gives it the EMBEDDED flag, then the entry point command `Launch` unless it
   * has an entry point (2.3-02). If the store fails, the flag stays: repeat the call. The command does not count as a
   * create of the day.
   *
   * @returns the application's entry point command
   */
  async enableActivities(applicationId: string, options: WriteOptions = NONE): Promise<ApplicationCommand> {
    const documents = this.#writing('enableActivities', options)
    const scope = globalScope(applicationId)
    const settings = await this.#scopes.settingsOf(scope)
    options.signal?.throwIfAborted()
    const application = await embed(this.#scopes.applications, applicationId, settings)
    const definition = valid(parseCommand(launchCommand, { scope: scope.kind, application }), launchCommand)
    const launched = this.#scopes.apply(scope, documents, { kind: 'launch', definition }, application)
    const { commands } = await (application === settings ? launched : launched.catch(afterFlag))
    return commands[0]!
  }

  // --- Permissions --------------------------------------------------------------------------------------------

  /** All permissions of an application in a guild (4.3-01). Commands without permissions are not in the list. */
  async listPermissions(
    applicationId: string,
    guildId: string,
    options: CallOptions = NONE,
  ): Promise<readonly GuildCommandPermissions[]> {
    const documents = this.#reading('listPermissions', options)
    await this.#scopes.settingsOf(guildScope(applicationId, guildId))
    return Object.freeze(countingSets(applicationId, await readGuild(documents, applicationId, guildId)))
  }

  /** The permissions of a command in a guild, or of the application (4.3-02). Rejects with `unknown_permissions`. */
  async getPermissions(
    applicationId: string,
    guildId: string,
    targetId: string,
    options: CallOptions = NONE,
  ): Promise<GuildCommandPermissions> {
    const documents = this.#reading('getPermissions', options)
    const scope = guildScope(applicationId, guildId)
    checkSnowflake(targetId, 'targetId')
    await this.#scopes.settingsOf(scope)
    const records = await readGuild(documents, applicationId, guildId)
    const set = countingSets(applicationId, records).find(({ id }) => id === targetId)
    if (set !== undefined) return set
    const exists = targetId === applicationId || tenureOf(records.scopes, targetId) !== undefined
    const message = exists
      ? `command ${targetId} has no permissions in guild ${guildId}`
      : `unknown command ${targetId}: application ${applicationId} has no such command in guild ${guildId}, so it has no permissions`
    throw new RegistryError('unknown_permissions', { message })
  }

  /**
   * Replaces the permissions of a command in a guild, or those of the application itself, and publishes an event
   * (4.3-03, 6-01). An empty list removes them.
   *
   * @param body a list of entries, or the request body `{ permissions: [...] }`
   * @param options with a `manager`, rejects with `missing_permissions` unless they may do this (5-02)
   */
  async setPermissions(
    applicationId: string,
    guildId: string,
    targetId: string,
    body: unknown,
    options: SetPermissionsOptions = NONE,
  ): Promise<GuildCommandPermissions> {
    const { manager, ...call } = readSetPermissions(options)
    const scope = guildScope(applicationId, guildId)
    checkSnowflake(targetId, 'targetId')
    const application = await this.#scopes.settingsOf(scope)
    const permissions = valid(parsePermissions(body, { scope: scope.kind, application }), body)
    const change = { applicationId, guildId, targetId, permissions }
    const keys = guildKeys(applicationId, guildId)
    return this.#documents.of(call).commit(keys, (entries) => {
      const records = guildRecords(keys, entries)
      const plan = planPermissions(change, records)
      if (manager !== undefined) checkManager(manager, change, records, this.#scopes.now())
      return plan
    })
  }

  // --- Moving and copying ---------------------------------------------------------------------------------------

  /**
   * What counts of an application as plain JSON for `restore`. Each document is of one moment, but while others write
   * two of them may be of different moments.
   */
  async snapshot(applicationId: string, options: CallOptions = NONE): Promise<ApplicationSnapshot> {
    const documents = this.#reading('snapshot', options)
    const { scopes, permissions } = await this.#partsOf(applicationId, documents)
    return deepFreeze({
      format: SNAPSHOT_FORMAT,
      application_id: applicationId,
      scopes: await collect(scopes),
      permissions: await collect(permissions),
    })
  }

  /** The JSON of `snapshot` in pieces, for an application of any size: only some of its documents are in memory. */
  async *snapshotText(applicationId: string, options: SnapshotTextOptions = {}): AsyncGenerator<string> {
    const { space = 0, ...call } = readTextOptions(options)
    yield* snapshotPieces(applicationId, await this.#partsOf(applicationId, this.#documents.of(call)), space)
  }

  /**
   * Replaces everything that the store holds of an application with a snapshot. An invalid one rejects with `invalid`
   * and changes nothing.
   *
   * Documents are replaced one by one. If a restore is interrupted, some are as before: repeat it, which is safe. New
   * ids and versions are later than all earlier ones.
   */
  async restore(snapshot: unknown, options: WriteOptions = NONE): Promise<void> {
    const documents = this.#writing('restore', options)
    const read = valid(readSnapshot(snapshot), snapshot)
    await this.#scopes.settingsOf(globalScope(read.application_id))
    await restoreInto(documents, read)
  }

  // --- The end of applications and guilds -------------------------------------------------------------------------

  /** The applications that the store has documents of, each once, in no order. Lists every key of the store. */
  async *applications(options: CallOptions = NONE): AsyncGenerator<string> {
    yield* applicationsIn(this.#reading('applications', options))
  }

  /**
   * Removes everything that the store holds of an application, also one that `applications` does not know any more.
   * Documents are removed one by one: after an interruption, repeat it. Its limit of creates a day starts anew.
   *
   * @returns the number of removed documents
   */
  async deleteApplication(applicationId: string, options: WriteOptions = NONE): Promise<number> {
    const documents = this.#writing('deleteApplication', options)
    return removeApplication(documents, checkSnowflake(applicationId, 'applicationId'))
  }

  /**
   * Removes the commands and permissions of an application in one guild, also one that no longer authorizes it.
   *
   * @returns the number of removed documents
   */
  async deleteGuild(applicationId: string, guildId: string, options: WriteOptions = NONE): Promise<number> {
    return removeGuild(
      this.#writing('deleteGuild', options),
      checkSnowflake(applicationId, 'applicationId'),
      checkSnowflake(guildId, 'guildId'),
    )
  }

  /**
   * Removes what no longer counts, of one application or of all: permissions of commands that were deleted or renamed,
   * scopes that have been empty for a day, limits and answers whose time is over. Readers see no difference. Not while a `restore` is in progress.
   *
   * @returns the number of documents that were removed or became shorter
   */
  async sweep(applicationId?: string, options: CallOptions = NONE): Promise<number> {
    if (applicationId !== undefined) checkSnowflake(applicationId, 'applicationId')
    return sweepDocuments(this.#reading('sweep', options), applicationId, () => this.#scopes.now())
  }

  /**
   * An independent copy, for a test: a registry with the same documents in memory. It uses the same clock and the same
   * source of ids, so ids stay unique among both; it has no listeners. Reads every document of the store.
   */
  async fork(options: CallOptions = NONE): Promise<CommandRegistry> {
    return new CommandRegistry({
      ...this.#options,
      store: await this.#reading('fork', options).copy(),
      applications: forkDirectory(this.#scopes.applications),
      clock: this.#scopes.clock,
      ids: this.ids,
    })
  }

  // --- Events -------------------------------------------------------------------------------------------------

  /**
   * Calls a listener with every event of this instance: once, after the change was written, and for one document in the
   * order of its writes. Renaming or deleting a command removes its permissions without an event of its own. There are
   * no events of other instances or processes, and none after a crash.
   *
   * @returns a function that ends the subscription, also usable with `using`
   */
  subscribe(listener: RegistryListener, options: CallOptions = NONE): Subscription {
    return this.#listeners.add(listener, readCall('subscribe', options).signal)
  }

  /** Publishes an interaction, which is not stored (6-02, 6-03). `ChatClient` calls it. */
  publish(event: InteractionEvent): void {
    this.#listeners.publish([event])
  }

  /** What `console.log` of Node, Deno and Bun prints. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    const store = this.#options.store === undefined ? 'documents in memory' : 'documents in the given store'
    return `CommandRegistry { ${store}, ${counted(this.#listeners.size, 'listener')}; await list(scope) or snapshot(applicationId) to see commands }`
  }

  // --- Shared steps -------------------------------------------------------------------------------------------

  #reading(method: string, options: CallOptions): Documents<RegistryEvent> {
    return this.#documents.of(readCall(method, options))
  }

  #writing(method: string, options: WriteOptions): Documents<RegistryEvent> {
    return this.#documents.of(readWrite(method, options))
  }

  async #partsOf(applicationId: string, documents: Documents) {
    await this.#scopes.settingsOf(globalScope(applicationId))
    return {
      scopes: scopesOf(documents, applicationId, this.#scopes.now()),
      permissions: permissionsOf(documents, applicationId),
    }
  }
}
