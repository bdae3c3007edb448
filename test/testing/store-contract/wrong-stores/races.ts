/** Stores that break the promises about concurrent writers. */
import type { Entry, Json, Store } from 'commandry'
import { AdjustableStore, deepFreeze, pause, pauses, wrong, type WrongStore } from './adjustable-store.ts'

/** A store that writes the parts of a large document first, and then their count. */
function inParts(size: number): Store {
  const parts = new Map<string, string>()
  const self = new AdjustableStore()
  const place = (key: string, part: number) => `${key}#${part}`
  return {
    async read(keys) {
      const entries: (Entry | undefined)[] = []
      for (const key of keys) {
        const [entry] = await self.read([key])
        const count = (entry?.value as { readonly parts?: number } | undefined)?.parts
        if (entry === undefined || count === undefined) {
          entries.push(entry)
          continue
        }
        let text = ''
        for (let part = 0; part < count; part++) {
          await pause()
          text += parts.get(place(key, part))
        }
        entries.push(deepFreeze({ value: JSON.parse(text) as Json, revision: entry.revision }))
      }
      return entries
    },
    async write(key, expected, value) {
      const text = JSON.stringify(value) ?? ''
      if (text.length <= size || self.present(key) !== expected) return self.write(key, expected, value)
      let count = 0
      for (let start = 0; start < text.length; start += size) {
        await pause()
        parts.set(place(key, count++), text.slice(start, start + size))
      }
      return self.write(key, expected, { parts: count })
    },
    keys: (prefix) => self.keys(prefix),
  }
}

export const wrongRaces: readonly WrongStore[] = [
  wrong('checks, waits, then writes: lost updates', ['creators', 'writers', 'lost'], {
    beforePut: pause,
  }),
  wrong('writes text and revision in two steps: torn writes', ['whole'], {
    beforePut({ rows }, key, value) {
      const row = rows.get(key)
      if (row === undefined || value === undefined) return undefined
      rows.set(key, { ...row, text: JSON.stringify(value) })
      return pause()
    },
  }),
  wrong('writes text and revision of small documents in two steps', ['whole'], {
    beforePut({ rows }, key, value) {
      const [row, text] = [rows.get(key), JSON.stringify(value)]
      if (row === undefined || value === undefined || text.length > 2_000) return undefined
      rows.set(key, { ...row, text })
      return pause()
    },
  }),
  wrong('writes a long list in two pieces: torn batches', ['whole'], {
    beforePut(self, key, value) {
      const row = self.rows.get(key)
      if (row === undefined || value === undefined) return undefined
      const next = JSON.stringify(value)
      const half = Math.min(row.text.length, next.length) >> 1
      const torn = next.slice(0, half) + row.text.slice(half)
      // The revision that the write returns.
      const revision = `revision-${self.writes + 1}`
      self.rows.set(key, { key, text: next.length === row.text.length ? torn : next, revision })
      return pause()
    },
  }),
  ...[4096, 1_048_576].map((size) =>
    wrong(
      `splits documents of ${size} bytes under names that all writers share`,
      ['creators', 'writers', 'whole'],
      () => inParts(size),
    ),
  ),
  wrong('checks, waits, and then removes', ['writers'], {
    beforePut: (_, __, value) => (value === undefined ? pause() : undefined),
  }),
  wrong('answers a read with one that began before a write', ['seen'], () => {
    const self = new AdjustableStore()
    const open = new Map<string, Promise<Entry | undefined>>()
    const readOne = async (key: string) => {
      const entry = self.entry(key)
      await pauses(6)
      open.delete(key)
      return entry
    }
    return {
      read: (keys) =>
        Promise.all(
          keys.map((key) => {
            if (!open.has(key)) open.set(key, readOne(key))
            return open.get(key)
          }),
        ),
      async write(...change) {
        await pauses(3)
        return self.write(...change)
      },
      keys: (prefix) => self.keys(prefix),
    }
  }),
  wrong('gives each of several reads the result of the last one', ['together'], () => {
    const self = new AdjustableStore()
    let last: readonly (Entry | undefined)[]
    return Object.assign(self, {
      async read(keys: readonly string[]) {
        last = keys.map((key) => self.entry(key))
        await pause()
        return last
      },
    })
  }),
  wrong('keeps all documents in one row, with a lock in each connection', ['together'], () => {
    const self = new AdjustableStore()
    const connection = (): Store => {
      let turn: Promise<unknown> = Promise.resolve()
      return {
        read: (keys) => self.read(keys),
        keys: (prefix) => self.keys(prefix),
        write(key, expected, value) {
          const written = turn.then(async () => {
            const before = [...self.rows]
            await pause()
            if (self.present(key) !== expected) return { ok: false as const }
            self.rows.clear()
            for (const [place, row] of before) self.rows.set(place, row)
            return self.put(key, value)
          })
          turn = written
          return written
        },
      }
    }
    return { store: connection(), peers: [connection()] }
  }),
  wrong('caches documents that other connections replace', ['seen', 'walk'], () => {
    const self = new AdjustableStore()
    const connection = (): Store => {
      const copies = new Map<string, Entry>()
      return {
        read: async (keys) =>
          keys.map((key) => {
            const entry = copies.get(key) ?? self.entry(key)
            if (entry !== undefined) copies.set(key, entry)
            return entry
          }),
        async write(key, expected, value) {
          copies.delete(key)
          return self.write(key, expected, value)
        },
        keys: (prefix) => self.keys(prefix),
      }
    }
    return { store: connection(), peers: [connection()] }
  }),
]
