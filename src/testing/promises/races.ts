/** Promises about several readers and writers at once. */
import { deepFreeze } from '../../core/freeze.ts'
import type { Store, Written } from '../../storage/store.ts'
import {
  create,
  expectAbsent,
  expectDocument,
  expectSame,
  expectTrue,
  readOne,
  remove,
  replace,
} from './operations.ts'
import type { Json, StorePromise } from './promise.ts'

// Many engines store large values in another way than small ones.
const LARGE = [300_000, 1_500_000] as const
/** Rounds in which the documents are large, with their size. */
const LARGE_ROUNDS: Readonly<Record<number, number>> = { 4: 5000, 6: LARGE[0], 8: LARGE[1] }

export const racePromises: readonly StorePromise[] = [
  {
    title: 'lets exactly one of several concurrent creators succeed',
    async check(_, all) {
      for (let round = 0; round < 10; round++) {
        const key = `contended/${round}`
        const value = (i: number): Json => ({ winner: i, ...filler(LARGE_ROUNDS[round] ?? 0, i) })
        const written = await Promise.all(
          eightWriters(all).map((store, i) => store.write(key, null, deepFreeze(value(i)))),
        )
        await expectOneWinner(all, key, written, value)
      }
    },
  },
  {
    title: 'lets exactly one of several writers at the same revision succeed',
    async check(store, all) {
      let revision = await create(store, 'contended', 'start')
      for (let round = 0; round < 10; round++) {
        const value = (i: number): Json => ({ round, winner: i, ...filler(LARGE_ROUNDS[round] ?? 0, i) })
        const written = await Promise.all(
          eightWriters(all).map((each, i) => each.write('contended', revision, deepFreeze(value(i)))),
        )
        revision = await expectOneWinner(all, 'contended', written, value)
      }
      // Half of the writers remove the document: at first the odd ones, then the even ones.
      for (const remover of [1, 0]) {
        const written = await Promise.all(
          eightWriters(all).map((each, i) =>
            each.write('contended', revision, i % 2 === remover ? undefined : i),
          ),
        )
        const winners = written.flatMap(({ ok }, i) => (ok ? [i] : []))
        expectTrue(
          winners.length === 1,
          `${winners.length} concurrent removals and replacements succeeded; expected 1`,
        )
        const left = await readOne(store, 'contended')
        const winner = winners[0] as number
        expectSame(left?.value, winner % 2 === remover ? undefined : winner, 'the document after the race')
        revision = left?.revision ?? (await create(store, 'contended', 'again'))
      }
    },
  },
  {
    title: 'loses no acknowledged change among writers that read and retry',
    async check(store, all) {
      const writers = eightWriters(all)
      const increments = 8
      await Promise.all(
        writers.map(async (writer) => {
          for (let done = 0; done < increments;) {
            const entry = await readOne(writer, 'count')
            const next = ((entry?.value as number | undefined) ?? 0) + 1
            if ((await writer.write('count', entry?.revision ?? null, next)).ok) done++
          }
        }),
      )
      expectSame((await readOne(store, 'count'))?.value, writers.length * increments, 'the count')
    },
  },
  {
    title: 'shows an acknowledged write to every read that starts after it',
    async check(_, all) {
      let revision: string | null = null
      for (let i = 0; i < 20; i++) {
        const writer = all[i % all.length] as Store
        // A store that caches documents now has a copy.
        for (const reader of all) await reader.read(['key'])
        const written: Written = await writer.write('key', revision, i)
        expectTrue(written.ok, 'a write at the current revision was refused')
        revision = written.revision
        for (const reader of all) await expectDocument(reader, 'key', { value: i, revision })
      }
      expectTrue(revision !== null, 'nothing was written')
      await remove(all[0] as Store, 'key', revision)
      for (const reader of all) await expectAbsent(reader, 'key', 'a removed document is still read')
    },
  },
  {
    title: 'reads a document whole, with its own revision, while it is being replaced',
    async check(store, all) {
      await expectWholeReads(store, all, { size: 0, writes: 30, reads: 500 })
      for (const size of LARGE) await expectWholeReads(store, all, { size, writes: 4, reads: 6 })
    },
  },
]

/** Replaces a document repeatedly while others read it. */
async function expectWholeReads(
  store: Store,
  all: readonly Store[],
  { size, writes, reads }: { readonly size: number; readonly writes: number; readonly reads: number },
): Promise<void> {
  const key = `watched/${size}`
  const value = (i: number): Json =>
    deepFreeze({ begin: i, middle: Array(50).fill(`${i}`), ...filler(size, i), end: i })
  // For each revision: the number of the write whose document was read, and of the write that returned it.
  const seen = new Map<string, unknown>()
  const known = new Map<string, number>()
  let revision = await create(store, key, value(0))
  known.set(revision, 0)
  let writing = true
  async function watch(reader: Store): Promise<void> {
    // Limited: a store that answers without waiting would otherwise never let the writer run.
    for (let read = 0; writing && read < reads; read++) {
      for (const entry of await reader.read([key, 'absent', key])) {
        if (entry === undefined) continue
        const { begin } = Object(entry.value) as { readonly begin?: number }
        expectSame(entry.value, value(begin ?? 0), `the document of write ${begin}`)
        if (!seen.has(entry.revision)) seen.set(entry.revision, begin)
        expectSame(
          begin,
          seen.get(entry.revision),
          'the write whose document was read with the same revision',
        )
      }
    }
  }
  async function write(): Promise<void> {
    try {
      for (let i = 1; i <= writes; i++) {
        revision = await replace(all[i % all.length] as Store, key, revision, value(i))
        known.set(revision, i)
      }
    } finally {
      writing = false
    }
  }
  await Promise.all([...eightWriters(all).slice(0, 4).map(watch), write()])
  for (const [read, begin] of seen) {
    expectTrue(known.has(read), 'a read returned a revision that no write returned')
    expectSame(begin, known.get(read), 'the write whose document was read with the revision it returned')
  }
}

/** Eight writers, spread over all connections. */
function eightWriters(all: readonly Store[]): readonly Store[] {
  return Array.from({ length: 8 }, (_, i) => all[i % all.length] as Store)
}

async function expectOneWinner(
  all: readonly Store[],
  key: string,
  written: readonly Written[],
  value: (winner: number) => Json,
): Promise<string> {
  const winners = written.flatMap((each, i) => (each.ok ? [{ i, revision: each.revision }] : []))
  const [winner] = winners
  expectTrue(
    winner !== undefined && winners.length === 1,
    `${winners.length} of ${written.length} writes succeeded; expected 1`,
  )
  for (const store of all) {
    await expectDocument(
      store,
      key,
      { value: value(winner.i), revision: winner.revision },
      'the document after the race',
    )
  }
  return winner.revision
}

/** A field with that many characters, different for each writer; no field for size 0. */
function filler(size: number, i: number): { readonly [key: string]: Json } {
  return size === 0 ? {} : { filler: String.fromCharCode(97 + (i % 26)).repeat(size) }
}
