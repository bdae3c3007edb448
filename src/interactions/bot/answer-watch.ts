/** Notices what other processes store for the deliveries of this one. */
import { poller } from '../../core/poller.ts'
import type { Entries } from '../../storage/documents/documents.ts'
import { followKeys, type KeyChange } from '../../storage/documents/follow-keys.ts'
import type { Store } from '../../storage/store.ts'
import type { Expectation } from './pending.ts'

export interface Watched extends Expectation {
  /** The key of its document. */
  readonly key: string
}

interface Host {
  readonly announcements: Store['announcements']
  read(keys: readonly string[]): Promise<Entries>
  /** Called with the document of a delivery as it is now. */
  found(id: string, entry: Entries[number]): void
}

// Milliseconds between two readings. They grow while nothing new is expected.
const FIRST_PAUSE = 5
const LAST_PAUSE = 100
/** While the store announces what is written, readings only find what an announcement missed. */
const FOLLOWING_PAUSE = 1_000
const HEARTBEAT = 15_000

/** The deliveries of a process that wait for an answer. They are read by one loop, or when the store announces a write. */
export class AnswerWatch {
  readonly #host: Host
  readonly #watched = new Map<string, Watched>()
  /** How many deliveries each document has. */
  readonly #keys = new Map<string, number>()
  readonly #poller = poller({
    isNeeded: () => this.#watched.size > 0 || this.#following !== 'no',
    turn: () => this.#turn(),
    pause: () => (this.#following === 'yes' ? FOLLOWING_PAUSE : this.#nextPause()),
  })
  #pause = FIRST_PAUSE
  #following: 'no' | 'connecting' | 'yes' | 'interrupted' = 'no'
  #endFollowing = () => {}
  /** The keys of documents that were written since the last reading. */
  readonly #written = new Set<string>()

  constructor(host: Host) {
    this.#host = host
  }

  get(id: string): Watched | undefined {
    return this.#watched.get(id)
  }

  add(id: string, watched: Watched): void {
    this.#watched.set(id, watched)
    this.#count(watched.key, 1)
    this.#pause = FIRST_PAUSE
    if (this.#following === 'no' && this.#host.announcements !== undefined) void this.#follow()
    this.#poller.wake(this.#following === 'yes' ? FOLLOWING_PAUSE : FIRST_PAUSE)
  }

  delete(id: string): void {
    const watched = this.#watched.get(id)
    if (watched === undefined) return
    this.#watched.delete(id)
    this.#count(watched.key, -1)
  }

  #count(key: string, more: number): void {
    const count = (this.#keys.get(key) ?? 0) + more
    if (count === 0) this.#keys.delete(key)
    else this.#keys.set(key, count)
  }

  #nextPause(): number {
    return (this.#pause = Math.min(LAST_PAUSE, this.#pause * 1.25))
  }

  async #turn(): Promise<void> {
    if (this.#watched.size === 0) {
      this.#stopFollowing()
      return
    }
    const some = [...this.#watched].filter(
      ([, { key }]) => this.#written.size === 0 || this.#written.has(key),
    )
    this.#written.clear()
    const entries = await this.#host.read(some.map(([, { key }]) => key))
    for (const [i, [id]] of some.entries()) this.#host.found(id, entries[i])
  }

  /** Without announcements, reading goes on. */
  async #follow(): Promise<void> {
    this.#following = 'connecting'
    try {
      const end = await followKeys(this.#host.announcements!, HEARTBEAT, (change) => this.#heard(change))
      this.#endFollowing = end
      this.#following = 'yes'
      // What was written before.
      this.#poller.wake(0)
    } catch {
      this.#following = 'interrupted'
    }
  }

  #heard(change: KeyChange): void {
    if (change.type === 'written') {
      if (!this.#keys.has(change.key)) return
      this.#written.add(change.key)
    } else this.#following = change.type === 'missed' ? 'yes' : 'interrupted'
    this.#poller.wake(0)
  }

  /** Ends the connection, which would keep the process alive. */
  #stopFollowing(): void {
    if (this.#following === 'connecting') return
    this.#endFollowing()
    this.#endFollowing = () => {}
    this.#following = 'no'
  }
}
