/** What each bot has needed of the world: permissions, routes, privileged intents, and what it was refused. */
import type { PrivilegedIntent } from '../../model/application-flags.ts'
import type { PermissionFlag } from '../../model/permission-flags.ts'

type Permission = keyof typeof PermissionFlag

/** A permission that a bot lacked, and the place where it lacked it. */
export interface RefusedAccess {
  readonly permission: Permission
  /** Such as `#general of Demo Server`. */
  readonly place: string
}

interface Needs {
  readonly permissions: Set<Permission>
  readonly routes: Set<string>
  /** Those that requests needed; the gateway has those of its events. */
  readonly intents: Set<PrivilegedIntent>
  readonly refused: Map<string, RefusedAccess>
}

// More places than a report shows; bots that are refused everywhere must not fill the memory.
const MAX_REFUSED = 100

const noNeeds = (): Needs => ({
  permissions: new Set(),
  routes: new Set(),
  intents: new Set(),
  refused: new Map(),
})

/** The needs of bots, by the id of their application. They are few: each is a name of a table of this library. */
export class AccessLog {
  readonly #bots = new Map<string, Needs>()

  of(botId: string): Needs {
    const known = this.#bots.get(botId) ?? noNeeds()
    this.#bots.set(botId, known)
    return known
  }

  forget(botId: string): void {
    this.#bots.delete(botId)
  }

  used(botId: string, permissions: readonly Permission[]): void {
    const needs = this.of(botId)
    for (const permission of permissions) needs.permissions.add(permission)
  }

  usedIntent(botId: string, intent: PrivilegedIntent): void {
    this.of(botId).intents.add(intent)
  }

  reached(botId: string, route: string): void {
    this.of(botId).routes.add(route)
  }

  refused(botId: string, permissions: readonly Permission[], place: string): void {
    const { refused } = this.of(botId)
    for (const permission of permissions)
      if (refused.size < MAX_REFUSED) refused.set(`${permission} ${place}`, { permission, place })
  }
}
