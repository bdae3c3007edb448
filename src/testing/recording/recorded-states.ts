/** Roles, timeouts and pins as they were, which events repeat beside what has changed. */
import type { World } from '../../service/world/world.ts'

interface Member {
  readonly user: { readonly id: string }
  readonly roles: readonly string[]
  readonly communication_disabled_until?: string | null
}

export class RecordedStates {
  readonly #pinned = new Set<string>()
  /** By server and user. */
  readonly #members = new Map<string, Member>()

  /** Begins with what there is now. */
  start(world: World): void {
    this.#pinned.clear()
    this.#members.clear()
    for (const { id: server, members, channels, threads = [] } of world.servers) {
      for (const member of members) this.#members.set(`${server} ${member.user.id}`, member)
      const pinned = [...channels, ...threads]
        .flatMap(({ id }) => world.messages(id))
        .filter((one) => one.pinned)
      for (const { id } of pinned) this.#pinned.add(id)
    }
  }

  /** What has changed of a member: the ids of their roles, and the end of their timeout (null when it was ended). */
  changesOf(guildId: string, member: Member) {
    const key = `${guildId} ${member.user.id}`
    const before = this.#members.get(key)
    this.#members.set(key, member)
    const { roles, communication_disabled_until: end = null } = member
    const { communication_disabled_until: oldEnd = null } = before ?? {}
    return {
      ...(String(before?.roles ?? []) !== String(roles) && { roles }),
      ...(oldEnd !== end && { end }),
    }
  }

  /** The verb of a change of a pin; undefined when nothing has changed. */
  pinOf({ id, pinned }: { readonly id: string; readonly pinned: boolean }): 'pin' | 'unpin' | undefined {
    if (this.#pinned.has(id) === pinned) return undefined
    if (pinned) this.#pinned.add(id)
    else this.#pinned.delete(id)
    return pinned ? 'pin' : 'unpin'
  }
}
