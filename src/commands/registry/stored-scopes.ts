/** How a scope is read and changed: its document, with the settings of its application. */
import type { Clock } from '../../core/clock.ts'
import { deepFreeze } from '../../core/freeze.ts'
import type { ApplicationSettings } from '../../model/application.ts'
import type { IdSource } from '../../model/id-source.ts'
import type { Documents } from '../../storage/documents/documents.ts'
import type { ValidationContext } from '../definition/rules/reading.ts'
import { lostPermissions, sweepAfter } from './application-documents.ts'
import { describePlan, type OverwritePlan } from './changes.ts'
import { settingsOf, type ApplicationDirectory } from './directory.ts'
import type { RegistryEvent } from './events.ts'
import { overwriteOf, planScope, type ScopeChange, type ScopePlan, type ScopeState } from './plan.ts'
import { emptyScope, scopeRecord, type ScopeRecord } from './record.ts'
import { timeOf } from './registry-options.ts'
import { scopeKey, type Scope } from './scope.ts'

/** The scopes of all applications of a registry. */
export class StoredScopes {
  readonly applications: ApplicationDirectory
  readonly clock: Clock
  readonly #ids: IdSource

  constructor(applications: ApplicationDirectory, clock: Clock, ids: IdSource) {
    this.applications = applications
    this.clock = clock
    this.#ids = ids
  }

  now(): number {
    return timeOf(this.clock)
  }

  settingsOf(scope: Scope): Promise<ApplicationSettings> {
    return settingsOf(this.applications, scope)
  }

  async read<T>(
    scope: Scope,
    documents: Documents,
    view: (record: ScopeRecord, application: ApplicationSettings) => T,
  ): Promise<T> {
    const key = scopeKey(scope)
    const application = await this.settingsOf(scope)
    return view(scopeRecord(key, (await documents.read([key]))[0]), application)
  }

  async change(
    scope: Scope,
    documents: Documents<RegistryEvent>,
    make: (context: ValidationContext) => ScopeChange,
  ): Promise<ScopePlan> {
    scopeKey(scope)
    const application = await this.settingsOf(scope)
    return await this.apply(scope, documents, make({ scope: scope.kind, application }), application)
  }

  /** Not async: each write would wait one turn more. */
  apply(
    scope: Scope,
    documents: Documents<RegistryEvent>,
    change: ScopeChange,
    application: ApplicationSettings,
  ): Promise<ScopePlan> {
    const key = scopeKey(scope)
    let before = emptyScope
    const done = documents.commit([key], ([entry]) => {
      before = scopeRecord(key, entry)
      const plan = planScope(this.#state(scope, before, application), change)
      return { isChange: plan.next !== before, next: plan.next, result: plan, events: plan.events }
    })
    if (scope.kind === 'global') return done
    return done.then(async (plan) => {
      await sweepAfter(documents, scope, before, plan.next)
      return plan
    })
  }

  /** What `overwrite` would do with a list of bodies. */
  async preview(scope: Scope, documents: Documents, bodies: unknown): Promise<OverwritePlan> {
    const key = scopeKey(scope)
    const application = await this.settingsOf(scope)
    const change = overwriteOf(bodies, { scope: scope.kind, application })
    const record = scopeRecord(key, (await documents.read([key]))[0])
    const state = this.#state(scope, record, application)
    const { next } = planScope(state, change)
    const lost = await lostPermissions(documents, scope, record, next)
    return deepFreeze(describePlan(record, next, state.now, lost))
  }

  #state(scope: Scope, record: ScopeRecord, application: ApplicationSettings): ScopeState {
    return { scope, record, now: this.now(), ids: this.#ids, application }
  }
}
