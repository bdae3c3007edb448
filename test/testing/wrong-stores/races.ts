/** Stores that break the promises about concurrent writers. */
import { deepFreeze } from '../../../src/core/freeze.ts'
import type { Entry, Json, Store } from 'commandry'
import { AdjustableStore, pause, wrong, type WrongStore } from './adjustable-store.ts'

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
  wrong('checks, waits, and then writes: lost updates', ['creators', 'writers', 'lost'], {}, (self) => ({
    async write(key, expected, value) {
      if (self.present(key) !== expected) return { ok: false }
      await pause()
      return self.put(key, value)
    },
  })),
  wrong('writes text and revision in two steps: torn writes', ['whole'], {}, (self) => ({
    async write(key, expected, value) {
      const row = self.rows.get(key)
      if (self.present(key) !== expected) return { ok: false }
      if (row !== undefined && value !== undefined) {
        self.rows.set(key, { ...row, text: JSON.stringify(value) })
        await pause()
      }
      return self.put(key, value)
    },
  })),
  wrong('writes a long list in two pieces: torn batches', ['whole'], {}, (self) => ({
    async write(key, expected, value) {
      if (self.present(key) !== expected) return { ok: false }
      const row = self.rows.get(key)
      if (row !== undefined && value !== undefined) {
        const next = JSON.stringify(value)
        const half = Math.min(row.text.length, next.length) >> 1
        const torn = next.slice(0, half) + row.text.slice(half)
        const revision = `revision-${++self.writes}`
        self.rows.set(key, { key, text: next.length === row.text.length ? torn : next, revision })
        await pause()
        self.rows.set(key, { key, text: next, revision })
        return { ok: true, revision }
      }
      return self.put(key, value)
    },
  })),
  wrong('splits large documents under names that all writers share', ['creators', 'writers', 'whole'], () =>
    inParts(4096),
  ),
  wrong(
    'splits very large documents under names that all writers share',
    ['creators', 'writers', 'whole'],
    () => inParts(1_048_576),
  ),
  wrong('checks, waits, and then removes', ['writers'], {}, (self) => ({
    async write(key, expected, value) {
      if (self.present(key) !== expected) return { ok: false }
      if (value === undefined) await pause()
      return self.put(key, value)
    },
  })),
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
