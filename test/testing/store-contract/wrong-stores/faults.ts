/** Stores that answer wrongly when their medium fails. */
import { StoreError, type Json, type Store, type Written } from 'commandry'
import type { OpenedStore, Outage } from 'commandry/testing'
import { AdjustableStore, promise, type WrongStore } from './adjustable-store.ts'

/** What a store asks of its medium, which can fail. */
export class FailingMedium {
  readonly rows = new AdjustableStore()
  #outage: Outage | undefined
  #repair: () => void = () => {}
  #repaired: Promise<void> = Promise.resolve()

  fail(outage: Outage): () => void {
    this.#outage = outage
    this.#repaired = new Promise((resolve) => (this.#repair = resolve))
    return () => {
      this.#outage = undefined
      this.#repair()
    }
  }

  /** Makes a request of the medium. */
  async ask<T>(request: () => T | Promise<T>): Promise<T> {
    const outage = this.#outage
    if (outage === 'refuse') throw new Refused()
    if (outage === 'hang') {
      await this.#repaired
      throw new Lost()
    }
    const answer = await request()
    if (outage !== 'lose') return answer
    this.#outage = undefined
    throw new Lost()
  }
}

class Refused extends Error {}
class Lost extends Error {}

const PAGE = 500

/** A correct store over a medium. */
export class MediumStore implements Store {
  readonly medium: FailingMedium

  constructor(medium: FailingMedium) {
    this.medium = medium
  }

  read(keys: readonly string[]): ReturnType<Store['read']> {
    return this.medium.ask(() => this.medium.rows.read(keys))
  }

  async write(key: string, expected: string | null, value: Json | undefined): Promise<Written> {
    try {
      return await this.medium.ask(() => this.medium.rows.write(key, expected, value))
    } catch (cause) {
      throw new StoreError('the write failed', { cause, mayHaveHappened: !(cause instanceof Refused) })
    }
  }

  async *keys(prefix: string): AsyncGenerator<string> {
    for (let last: string | undefined; ;) {
      const page = await this.page(prefix, last)
      yield* page
      if (page.length < PAGE) return
      last = page.at(-1)
    }
  }

  page(prefix: string, last: string | undefined): Promise<readonly string[]> {
    return this.medium.ask(async () => {
      const found: string[] = []
      for await (const key of this.medium.rows.keys(prefix))
        if ((last === undefined || key > last) && found.length < PAGE) found.push(key)
      return found
    })
  }
}

/** Two connections of a class to one medium. */
export function openOn(Class: new (medium: FailingMedium) => Store): OpenedStore {
  const medium = new FailingMedium()
  return { store: new Class(medium), peers: [new Class(medium)], fail: (outage) => medium.fail(outage) }
}

const wrong = (
  name: string,
  breaks: readonly (keyof typeof promise)[],
  Class: new (medium: FailingMedium) => Store,
): WrongStore => ({ name, breaks: breaks.map((key) => promise[key]), open: () => openOn(Class) })

export const wrongFaults: readonly WrongStore[] = [
  wrong(
    'reads nothing when a read fails',
    ['refusedRead'],
    class extends MediumStore {
      override read(keys: readonly string[]) {
        return super.read(keys).catch(() => keys.map(() => undefined))
      }
    },
  ),
  wrong(
    'reads what it remembers when a read fails',
    ['refusedRead'],
    class extends MediumStore {
      #last = new Map<string, unknown>()
      override async read(keys: readonly string[]) {
        try {
          const entries = await super.read(keys)
          keys.forEach((key, i) => this.#last.set(key, entries[i]))
          return entries
        } catch {
          return keys.map((key) => this.#last.get(key)) as never
        }
      }
    },
  ),
  wrong(
    'ends a listing when a page fails',
    ['refusedListing'],
    class extends MediumStore {
      override page(prefix: string, last: string | undefined) {
        return super.page(prefix, last).catch(() => [])
      }
    },
  ),
  wrong(
    'ends a listing when a later page fails',
    ['refusedListing'],
    class extends MediumStore {
      override page(prefix: string, last: string | undefined) {
        return super.page(prefix, last).catch((error: unknown) => {
          if (last === undefined) throw error
          return []
        })
      }
    },
  ),
  wrong(
    'skips a page that failed',
    ['refusedListing'],
    class extends MediumStore {
      override async *keys(prefix: string) {
        const keys: string[] = []
        for await (const key of this.medium.rows.keys(prefix)) keys.push(key)
        for (let from = 0; from < keys.length; from += PAGE) {
          const page = await this.medium
            .ask(() => keys.slice(from, from + PAGE))
            .catch((error: unknown) => {
              if (from === 0) throw error
              return []
            })
          yield* page
        }
      }
    },
  ),
  wrong(
    'takes a failed write for a lost race',
    ['refusedWrite', 'lostAnswer'],
    class extends MediumStore {
      override write(key: string, expected: string | null, value: Json | undefined): Promise<Written> {
        return super.write(key, expected, value).catch(() => ({ ok: false }))
      }
    },
  ),
  wrong(
    'acknowledges a write that it will repeat',
    ['refusedWrite'],
    class extends MediumStore {
      override write(key: string, expected: string | null, value: Json | undefined): Promise<Written> {
        return super.write(key, expected, value).catch(() => ({ ok: true, revision: 'soon' }))
      }
    },
  ),
  wrong(
    'makes refused writes when the medium is back',
    ['refusedWrite'],
    class extends MediumStore {
      readonly #queue: (() => Promise<unknown>)[] = []
      override async read(keys: readonly string[]) {
        for (const write of this.#queue.splice(0)) await write()
        return super.read(keys)
      }
      override write(key: string, expected: string | null, value: Json | undefined): Promise<Written> {
        return super.write(key, expected, value).catch((error: unknown) => {
          this.#queue.push(() => this.medium.rows.write(key, expected, value))
          throw error
        })
      }
    },
  ),
  wrong(
    'reads a write that failed from its memory',
    ['refusedWrite'],
    class extends MediumStore {
      readonly #cache = new Map<string, Json | undefined>()
      override async read(keys: readonly string[]) {
        const entries = await super.read(keys)
        return entries.map((entry, i) => {
          const value = this.#cache.get(keys[i]!)
          return value === undefined ? entry : { value, revision: entry?.revision ?? 'cached' }
        })
      }
      override async write(key: string, expected: string | null, value: Json | undefined): Promise<Written> {
        this.#cache.set(key, value)
        const written = await super.write(key, expected, value)
        this.#cache.delete(key)
        return written
      }
    },
  ),
  wrong(
    'states that nothing was written whenever a write fails',
    ['lostAnswer'],
    class extends MediumStore {
      override write(key: string, expected: string | null, value: Json | undefined): Promise<Written> {
        return super.write(key, expected, value).catch((cause: unknown) => {
          throw new StoreError('the write failed', { cause, mayHaveHappened: false })
        })
      }
    },
  ),
  wrong(
    'repeats a write whose answer was lost',
    ['lostAnswer'],
    class extends MediumStore {
      override async write(key: string, expected: string | null, value: Json | undefined): Promise<Written> {
        return super.write(key, expected, value).catch((error: StoreError) => {
          if (!error.mayHaveHappened) throw error
          return super.write(key, expected, value)
        })
      }
    },
  ),
  wrong(
    'creates a document again whose creation had no answer',
    ['lostAnswer'],
    class extends MediumStore {
      readonly #unsure: [string, Json | undefined][] = []
      override async read(keys: readonly string[]) {
        for (const [key, value] of this.#unsure)
          if (keys.length > 1) await this.medium.rows.write(key, null, value)
        return super.read(keys)
      }
      override write(key: string, expected: string | null, value: Json | undefined): Promise<Written> {
        return super.write(key, expected, value).catch((error: StoreError) => {
          if (error.mayHaveHappened && expected === null) this.#unsure.push([key, value])
          throw error
        })
      }
    },
  ),
  wrong(
    'answers a read that hung with no documents',
    ['hung'],
    class extends MediumStore {
      override read(keys: readonly string[]) {
        return super.read(keys).catch((error: unknown) => {
          if (error instanceof Lost) return keys.map(() => undefined)
          throw error
        })
      }
    },
  ),
  wrong(
    'answers a write that hung as a lost race',
    ['hung'],
    class extends MediumStore {
      override write(key: string, expected: string | null, value: Json | undefined): Promise<Written> {
        return super.write(key, expected, value).catch((error: StoreError) => {
          if (error.mayHaveHappened) return { ok: false }
          throw error
        })
      }
    },
  ),
  wrong(
    'has a connection that stays broken',
    ['next'],
    class extends MediumStore {
      #isBroken = false
      override async read(keys: readonly string[]) {
        if (this.#isBroken) throw new Error('current transaction is aborted')
        return super.read(keys).catch((error: unknown) => {
          this.#isBroken = true
          throw error
        })
      }
    },
  ),
  wrong(
    'keeps the place of a call that failed among those that may run at once',
    ['next'],
    class extends MediumStore {
      #running = 0
      override async read(keys: readonly string[]) {
        if (this.#running > 2) throw new Error('no connection is left')
        this.#running++
        const entries = await super.read(keys)
        this.#running--
        return entries
      }
    },
  ),
]

export const wrongListings: readonly WrongStore[] = [
  wrong(
    'reads ten thousand documents of a call at most',
    ['thousands'],
    class extends MediumStore {
      override async read(keys: readonly string[]) {
        const found = await super.read(keys.slice(0, 10_000))
        return keys.map((_, i) => found[i])
      }
    },
  ),
  wrong(
    'misses the last key of a listing whose length is a multiple of a page',
    ['thousands'],
    class extends MediumStore {
      override async *keys(prefix: string) {
        const keys: string[] = []
        for await (const key of super.keys(prefix)) keys.push(key)
        yield* keys.length > 0 && keys.length % 512 === 0 ? keys.slice(0, -1) : keys
      }
    },
  ),
  wrong(
    'lists ten thousand keys at most',
    ['thousands'],
    class extends MediumStore {
      override async *keys(prefix: string) {
        let left = 10_000
        for await (const key of super.keys(prefix)) if (left-- > 0) yield key
      }
    },
  ),
  wrong(
    'lists from a memory of its own connection',
    ['current'],
    class extends MediumStore {
      readonly #lists = new Map<string, readonly string[]>()
      override async *keys(prefix: string) {
        const keys: string[] = []
        if (!this.#lists.has(prefix)) for await (const key of super.keys(prefix)) keys.push(key)
        const known = this.#lists.get(prefix) ?? keys
        this.#lists.set(prefix, known)
        yield* known
      }
      override write(key: string, expected: string | null, value: Json | undefined) {
        this.#lists.clear()
        return super.write(key, expected, value)
      }
    },
  ),
  wrong(
    'lists a key twice that was removed and created again',
    ['current'],
    class extends MediumStore {
      override async *keys(prefix: string) {
        for await (const key of super.keys(prefix)) {
          yield key
          if (Removals.has(this.medium, key)) yield key
        }
      }
      override async write(key: string, expected: string | null, value: Json | undefined) {
        const written = await super.write(key, expected, value)
        if (written.ok && value === undefined) Removals.add(this.medium, key)
        return written
      }
    },
  ),
  wrong(
    'has one cursor for all listings',
    ['apart'],
    class extends MediumStore {
      #cursor: AsyncGenerator<string> | undefined
      override async *keys(prefix: string) {
        this.#cursor = super.keys(prefix)
        for (let next; !(next = await this.#cursor.next()).done;) yield next.value
      }
    },
  ),
  wrong(
    'holds a connection for each listing that was given up',
    ['apart'],
    class extends MediumStore {
      #open = 0
      override async *keys(prefix: string) {
        if (this.#open > 20) throw new Error('no connection is left')
        this.#open++
        yield* super.keys(prefix)
        this.#open--
      }
    },
  ),
]

/** The keys that were removed from a medium. */
const Removals = {
  of: new WeakMap<FailingMedium, Set<string>>(),
  add(medium: FailingMedium, key: string) {
    this.of.set(medium, (this.of.get(medium) ?? new Set()).add(key))
  },
  has(medium: FailingMedium, key: string) {
    return this.of.get(medium)?.has(key) ?? false
  },
}
