/** The windows of a rate limit in a store, which all processes count in. */
import { toHex } from '../../core/bytes.ts'
import { registryFailure } from '../../commands/registry/registry-error.ts'
import { Documents, type Commit, type Entries } from '../../storage/documents/documents.ts'
import { temporaryIn, temporaryKey, type TemporaryDocument } from '../../storage/documents/temporary.ts'
import type { Store } from '../../storage/store.ts'

/** A counted request. */
export interface Taken {
  readonly allowed: boolean
  /** The requests of the window so far. */
  readonly count: number
  /** When the window ends, in milliseconds since 1970. */
  readonly ends: number
}

/** Some windows of an application: the count and the end of each, by the digest of its key. */
interface WindowsDocument extends TemporaryDocument {
  readonly windows: Readonly<Record<string, readonly [count: number, ends: number]>>
}

interface Request {
  readonly digest: string
  readonly now: number
  readonly resolve: (taken: Taken) => void
  readonly reject: (error: unknown) => void
}

// Of one application in a document; it has sixteen. Beyond it, requests that need another window are refused.
const MAX_SHARED_WINDOWS = 256

/**
 * Counts requests in a store. Those that arrive while a document is being written are counted together in the next
 * write.
 *
 * @param length of a window, in milliseconds
 */
export function sharedWindows(store: Store, limit: number, length: number) {
  const documents = new Documents({ store, failure: registryFailure })
  const waiting = new Map<string, Request[]>()

  async function count(key: string): Promise<void> {
    for (let some = waiting.get(key)!; some.length > 0; some = waiting.get(key)!) {
      waiting.set(key, [])
      try {
        const taken = await documents.commit([key], (entries) => planWindows(entries, some, limit, length))
        for (const [i, { resolve }] of some.entries()) resolve(taken[i]!)
      } catch (cause) {
        // Whether the requests were counted does not matter to their senders: none of them was carried out.
        for (const { reject } of some) reject(registryFailure('storage', { cause }))
      }
    }
    waiting.delete(key)
  }

  return async (window: string, applicationId: string, now: number): Promise<Taken> => {
    // A digest, because the key of a window has the token.
    const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(window))
    const digest = toHex(new Uint8Array(bytes)).slice(0, 32)
    const key = temporaryKey(applicationId, 'limit', digest[0]!)
    return new Promise((resolve, reject) => {
      const request = { digest, now, resolve, reject }
      const others = waiting.get(key)
      if (others !== undefined) return void others.push(request)
      waiting.set(key, [request])
      void count(key)
    })
  }
}

function planWindows(
  [entry]: Entries,
  requests: readonly Request[],
  limit: number,
  length: number,
): Commit<readonly Taken[]> {
  const { windows = {} } = (temporaryIn(entry) ?? {}) as Partial<WindowsDocument>
  const now = Math.min(...requests.map((request) => request.now))
  // The clocks of processes differ by less than a window. One that ends later began before all clocks went back.
  const isOpen = ([, [, ends]]: readonly [string, readonly [number, number]]) =>
    ends > now && ends <= now + 2 * length
  const open = new Map(Object.entries(windows).filter(isOpen))
  let isChange = false
  const result = requests.map((request): Taken => {
    const known = open.get(request.digest)
    const [count, ends] = known ?? [0, request.now + length]
    const isFull = known === undefined && open.size >= MAX_SHARED_WINDOWS
    if (isFull || count >= limit) return { allowed: false, count: limit, ends }
    isChange = true
    open.set(request.digest, [count + 1, ends])
    return { allowed: true, count: count + 1, ends }
  })
  const until = Math.max(...[...open.values()].map(([, ends]) => ends))
  const next: WindowsDocument = { until, windows: Object.fromEntries(open) }
  return { isChange, next, result }
}
