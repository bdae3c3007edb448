/** Promises about several readers and writers at once. */
import type { Store } from '../../storage/store.ts'
import {
  expectSame,
  expectTrue,
  expectWritten,
  shortText,
  type CheckedStore,
  type StoredValue,
  type Promises,
} from './checked-store.ts'

// Many engines store large values in another way than small ones.
const LARGE = [300_000, 1_500_000] as const
/** Rounds in which the documents are large, with their size. */
const LARGE_ROUNDS: Readonly<Record<number, number>> = { 4: 5000, 6: LARGE[0], 8: LARGE[1] }

export const racePromises: Promises = {
  async 'lets exactly one of several concurrent creators succeed'(store) {
    for (let round = 0; round < 10; round++)
      await store.race(`contended/${round}`, (i) => ({ winner: i, ...filler(LARGE_ROUNDS[round], i) }))
    // A writer that finds its own value has not written it.
    await store.race('contended/same', () => 'same')
  },

  async 'lets exactly one of several writers at the same revision succeed'(store) {
    await store.create('contended', 'start')
    for (let round = 0; round < 10; round++)
      await store.race('contended', (i) => ({ round, winner: i, ...filler(LARGE_ROUNDS[round], i) }))
    await store.race('contended', () => 'same')
    // Half of the writers remove the document: at first the odd ones, then the even ones.
    for (const remover of [1, 0]) {
      await store.race('contended', (i) => (i % 2 === remover ? undefined : i))
      if (store.keys('contended').length === 0) await store.create('contended', 'again')
    }
  },

  async 'loses no acknowledged change among writers that read and retry'(store) {
    const increments = 8
    // Each change refuses each other writer once at most.
    const most = increments * store.writers.length ** 2
    let refused = 0
    await Promise.all(
      store.writers.map(async (writer) => {
        for (let done = 0; done < increments;) {
          const [entry] = await writer.read(['count'])
          const next = ((entry?.value as number | undefined) ?? 0) + 1
          const written = await writer.write('count', entry?.revision ?? null, next)
          expectWritten(written)
          if (written.ok) done++
          else
            expectTrue(
              ++refused < most,
              `a write that no other writer overtook was refused, after ${shortText(entry)} was read`,
            )
        }
      }),
    )
    expectSame((await store.read('count'))?.value, store.writers.length * increments, 'the count')
  },

  async 'keeps what several connections write at once'(store) {
    const keys = store.writers.map((_, i) => `apart/${i}`)
    const atOnce = (write: (key: string, writer: Store) => Promise<void>) =>
      Promise.all(store.writers.map((writer, i) => write(keys[i]!, writer)))
    for (let round = 0; round < 5; round++) {
      await atOnce((key, writer) => store.create(key, round, writer))
      for (const reader of store.all) await store.expectDocuments(keys, reader)
      await atOnce((key, writer) => store.replace(key, `${round}`, writer))
      // Each call gets a result of its own, also where all run on one connection.
      for (const reader of store.all)
        await Promise.all(
          keys.map((key) => store.expectDocument(key, `${shortText(key)} of reads at once`, reader)),
        )
      await store.expectKeys('apart/')
      await atOnce((key, writer) => store.removeIfPresent(key, writer))
    }
  },

  async 'shows an acknowledged write to every read that starts after it'(store) {
    let writing = true
    // A read that starts after a write must not get what another one, still under way, found before.
    const readOn = async (reader: Store) => {
      for (let i = 0; writing && i < 2000; i++) await reader.read(['key'])
    }
    const write = async () => {
      for (let i = 0; i < 20; i++) {
        // A store that caches documents now has a copy.
        for (const reader of store.all) await reader.read(['key'])
        // At another moment of the other reads in each round.
        for (let turn = 0; turn < i; turn++) await undefined
        const writer = store.writers[i % store.writers.length]!
        if (i === 0) await store.create('key', i, writer)
        else await store.replace('key', i, writer)
        for (const reader of store.all) await store.expectDocument('key', 'the document', reader)
      }
      await store.remove('key')
      for (const reader of store.all) await store.expectDocument('key', 'the removed document', reader)
    }
    await Promise.all([...store.all.map(readOn), write().finally(() => (writing = false))])
  },

  async 'reads a document whole, with its own revision, while it is being replaced'(store) {
    await expectWholeReads(store, { size: 0, writes: 30, reads: 500 })
    for (const size of LARGE) await expectWholeReads(store, { size, writes: 4, reads: 6 })
  },
}

/** Replaces a document repeatedly while others read it. */
async function expectWholeReads(
  store: CheckedStore,
  { size, writes, reads }: { readonly size: number; readonly writes: number; readonly reads: number },
): Promise<void> {
  const key = `watched/${size}`
  const value = (i: number): StoredValue => ({
    begin: i,
    middle: Array(50).fill(`${i}`),
    ...filler(size, i),
    end: i,
  })
  // For each revision: the number of the write whose document was read, and of the write that returned it.
  const seen = new Map<string, unknown>()
  const known = new Map<string, number>()
  await store.create(key, value(0))
  known.set(store.revision(key), 0)
  let writing = true
  async function watch(reader: Store): Promise<void> {
    // Limited: a store that answers without waiting would otherwise never let the writer run.
    for (let read = 0; writing && read < reads; read++) {
      for (const entry of await reader.read([key, 'absent', key])) {
        if (entry === undefined) continue
        const { begin } = Object(entry.value) as { readonly begin?: number }
        expectSame(entry.value, value(begin ?? 0), `the document of write ${begin}`)
        if (!seen.has(entry.revision)) seen.set(entry.revision, begin)
        const what = 'the write whose document was read with the same revision'
        expectSame(begin, seen.get(entry.revision), what)
      }
    }
  }
  async function write(): Promise<void> {
    try {
      for (let i = 1; i <= writes; i++) {
        await store.replace(key, value(i), store.writers[i % store.writers.length]!)
        known.set(store.revision(key), i)
      }
    } finally {
      writing = false
    }
  }
  await Promise.all([...store.writers.slice(0, 4).map(watch), write()])
  for (const [read, begin] of seen) {
    expectTrue(known.has(read), 'a read returned a revision that no write returned')
    expectSame(begin, known.get(read), 'the write whose document was read with the revision it returned')
  }
}

/** A field with that many characters, different for each writer; no field for size 0. */
function filler(size = 0, i: number): { readonly [key: string]: StoredValue } {
  return size === 0 ? {} : { filler: String.fromCharCode(97 + (i % 26)).repeat(size) }
}
