/** Promises about single documents: reading, creating, replacing and removing them. */
import { deepFreeze } from '../../core/freeze.ts'
import type { Entry, Store } from '../../storage/store.ts'
import {
  create,
  expectAbsent,
  expectDocument,
  expectDocuments,
  expectFound,
  expectKeys,
  expectRefused,
  expectSame,
  expectTrue,
  print,
  readOne,
  remove,
  replace,
} from './operations.ts'
import type { StorePromise } from './promise.ts'

// Longer than any key of the registry; engines refuse index entries of more than about two thousand characters.
const LONG_KEY = 'a'.repeat(600)

export const documentPromises: readonly StorePromise[] = [
  {
    title: 'reads undefined for a key that was never written',
    async check(store) {
      expectSame(await store.read([]), [], 'a read of no keys')
      const entries = await store.read(['absent'])
      expectTrue(entries.length === 1, `asked for one document, got ${entries.length}`)
      expectTrue(entries[0] === undefined, `expected undefined, got ${print(entries[0])}`)
    },
  },
  {
    title: 'reads what was written, with the revision the write returned',
    async check(store) {
      for (const value of [{ a: [1, { b: 'two' }], c: null }, 'text', [true]] as const) {
        const key = `written/${JSON.stringify(value)}`
        const revision = await create(store, key, value)
        await expectDocument(store, key, { value, revision })
        const next = await replace(store, key, revision, [value])
        await expectDocument(store, key, { value: [value], revision: next }, 'the replaced document')
      }
    },
  },
  {
    title: 'creates a document only while there is none',
    async check(store) {
      const revision = await create(store, 'key', 'first')
      await expectRefused(store, 'key', null, 'second')
      await expectRefused(store, 'key', null, undefined)
      await expectDocument(store, 'key', { value: 'first', revision })
      await remove(store, 'key', revision)
      expectTrue(
        (await store.write('key', null, undefined)).ok,
        'removing a document that does not exist was refused',
      )
      await expectAbsent(store, 'key', 'removing a document that does not exist created one')
      const again = await create(store, 'key', 'third')
      await expectDocument(store, 'key', { value: 'third', revision: again })
    },
  },
  {
    title: 'changes nothing when the expected revision is stale',
    async check(store) {
      const stale = await create(store, 'key', 1)
      const revision = await replace(store, 'key', stale, 2)
      for (let i = 0; i < 3; i++) {
        await expectRefused(store, 'key', stale, 3)
        await expectRefused(store, 'key', stale, undefined)
        await expectDocument(store, 'key', { value: 2, revision })
      }
      await replace(store, 'key', revision, 4)
    },
  },
  {
    title: 'removes a document at its current revision, so that it is neither read nor listed',
    async check(store) {
      const revision = await create(store, 'key', 1)
      await create(store, 'other', 1)
      await remove(store, 'key', await replace(store, 'key', revision, 2))
      await expectAbsent(store, 'key', 'the removed document is still read')
      await expectKeys(store, '', ['other'])
    },
  },
  {
    title: 'never creates a document when a revision is expected',
    async check(store) {
      const revision = await create(store, 'elsewhere', 1)
      await expectRefused(store, 'absent', revision, 2)
      await expectRefused(store, 'absent', revision, undefined)
      await remove(store, 'elsewhere', revision)
      await expectRefused(store, 'elsewhere', revision, 2)
      await expectRefused(store, 'elsewhere', revision, undefined)
      await expectKeys(store, '', [])
    },
  },
  {
    title: 'changes no other document',
    async check(store) {
      const keys = ['a', 'a/', 'a/b', 'A', 'a%', 'a_', 'b', `${LONG_KEY}1`, `${LONG_KEY}2`]
      const revisions = new Map<string, string>()
      for (const key of keys) revisions.set(key, await create(store, key, key))
      for (const key of keys) {
        revisions.set(key, await replace(store, key, expectFound(revisions.get(key)), `${key}!`))
        await expectRefused(store, key, null, 'lost')
      }
      await expectDocuments(store, keys, (key) => ({
        value: `${key}!`,
        revision: expectFound(revisions.get(key)),
      }))
      await remove(store, 'a', expectFound(revisions.get('a')))
      await expectKeys(store, '', keys.filter((key) => key !== 'a').sort())
    },
  },
  {
    title: 'never repeats a revision of a document',
    async check(store) {
      const revisions = new Set<string>()
      let writes = 0
      const record = (revision: string): string => {
        expectTrue(typeof revision === 'string', `a revision is a string, got ${print(revision)}`)
        revisions.add(revision)
        expectTrue(revisions.size === ++writes, `the revision ${print(revision)} was used before`)
        return revision
      }
      for (let life = 0; life < 4; life++) {
        let revision = record(await create(store, 'key', 'the same'))
        for (let i = 0; i < 4; i++) revision = record(await replace(store, 'key', revision, 'the same'))
        await remove(store, 'key', revision)
      }
      await create(store, 'key', 'the same')
      for (const revision of revisions) await expectRefused(store, 'key', revision, 'overtaken')
    },
  },
  {
    title: 'accepts only the exact revision, not one that resembles it',
    async check(store) {
      let revision = await create(store, 'key', 0)
      for (let i = 1; i <= 4; i++) {
        const lookalikes = [
          ...['', '*', 'null', ` ${revision}`, `${revision} `, `${revision}\0`, `'${revision}'`],
          ...[`0${revision}`, `+${revision}`, `${revision}.0`, revision.slice(0, -1)],
          ...[revision.toUpperCase(), revision.toLowerCase()],
          ...[String(Number(revision)), String(Number(revision) + 1)],
        ]
        for (const lookalike of new Set(lookalikes)) {
          if (lookalike !== revision) await expectRefused(store, 'key', lookalike, 'accepted')
        }
        revision = await replace(store, 'key', revision, i)
      }
    },
  },
  {
    title: 'returns deeply frozen values that cannot be used to change the store',
    async check(store) {
      const value = { list: [1, [2]], inner: { text: 'before' } }
      const revision = await create(store, 'key', value)
      for (let i = 0; i < 2; i++) {
        const entry = await readOne(store, 'key')
        expectTrue(entry !== undefined, 'the document is missing')
        tamper(entry)
        await expectDocument(
          store,
          'key',
          { value, revision },
          'the document after its copy in memory was changed',
        )
        expectFrozen(entry)
      }
    },
  },
  {
    title: 'returns documents in the order of the keys, with gaps and repeats in place',
    async check(store) {
      const expected = new Map<string, Entry>()
      for (const key of ['b', 'd', 'a', 'c']) {
        expected.set(key, { value: key, revision: await create(store, key, key) })
      }
      for (const keys of [
        ['d', 'c', 'b', 'a'],
        ['a', 'missing', 'c', 'a', 'absent', 'missing', 'b', 'a'],
        ['missing', 'd'],
        ['d', 'd'],
        ['missing', 'absent'],
      ]) {
        await expectDocuments(store, keys, (key) => expected.get(key))
      }
    },
  },
  {
    title: 'reads forty thousand keys in one call',
    async check(store) {
      const keys = Array.from({ length: 40_000 }, (_, i) => `many/${i}`)
      const existing = new Map<string, Entry>()
      for (const i of [0, 999, 1000, 16_384, 32_766, 32_767, 39_999]) {
        const key = `many/${i}`
        existing.set(key, { value: i, revision: await create(store, key, i) })
      }
      await expectDocuments(store, keys, (key) => existing.get(key))
    },
  },
  {
    title: 'agrees with a Map after any sequence of operations',
    async check(_, all) {
      for (const seed of [1, 2, 3]) await compareWithMap(all, seed, 150)
    },
  },
  {
    title: 'keeps acknowledged writes through a restart',
    durable: true,
    async check(store, _, opened) {
      const revision = await create(store, 'kept', { value: 'first' })
      const gone = await create(store, 'removed', 1)
      await remove(store, 'removed', gone)
      const next = await replace(store, 'kept', revision, { value: 'second' })
      expectTrue(opened.reopen !== undefined, '`open` must return `reopen` for a durable store')
      const again = await opened.reopen()
      await expectDocument(again, 'kept', { value: { value: 'second' }, revision: next })
      await expectAbsent(again, 'removed', 'a removed document exists again')
      await expectKeys(again, '', ['kept'])
      await expectRefused(again, 'kept', revision, 'stale')
      await expectRefused(again, 'removed', gone, 'stale')
      const last = await replace(again, 'kept', next, { value: 'third' })
      const recreated = await create(again, 'removed', 1)
      expectTrue(
        new Set([revision, next, last, gone, recreated]).size === 5,
        'a revision was used again after the restart',
      )
    },
  },
]

/** Runs random operations on a store and on a Map, and compares their results. */
async function compareWithMap(all: readonly Store[], seed: number, operations: number): Promise<void> {
  const random = randomNumbers(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const model = new Map<string, Entry>()
  const old: string[] = []
  const keys = ['a/', 'a/1', 'a/10', 'a/2/', 'b', '__proto__', 'ä', '😀'].map((key) => `${seed}/${key}`)
  for (let step = 0; step < operations; step++) {
    const where = `(seed ${seed}, step ${step})`
    const store = pick(all)
    const key = pick(keys)
    const current = model.get(key)
    const chance = random()
    if (chance < 0.6) {
      const expected =
        random() < 0.7 ? (current?.revision ?? null) : random() < 0.5 ? null : pick([...old, 'x'])
      const value =
        random() < 0.25 ? undefined : deepFreeze({ step, text: 'é'.repeat(Math.floor(random() * 20)) })
      const written = await store.write(key, expected, value)
      expectSame(written.ok, (current?.revision ?? null) === expected, `success of the write ${where}`)
      if (written.ok) {
        if (current !== undefined) old.push(current.revision)
        if (value === undefined) model.delete(key)
        else model.set(key, { value, revision: written.revision })
      }
    } else if (chance < 0.9) {
      const several = Array.from({ length: Math.floor(random() * 6) }, () => pick(keys))
      await expectDocuments(store, several, (each) => model.get(each))
    } else {
      const prefix = `${seed}/${pick(['', 'a', 'a/1', 'b', 'c', '_'])}`
      const wanted = [...model.keys()].filter((each) => each.startsWith(prefix)).sort()
      await expectKeys(store, prefix, wanted, `keys ${where}`)
    }
  }
  const remaining = [...model.keys()].sort()
  await expectKeys(pick(all), `${seed}/`, remaining, `the keys at the end (seed ${seed})`)
  await expectDocuments(pick(all), remaining, (each) => model.get(each))
}

/** Numbers from 0 to 1, the same sequence for the same seed (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

function expectFrozen(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  expectTrue(Object.isFrozen(value), `not frozen: ${print(value)}`)
  for (const inner of Object.values(value)) expectFrozen(inner)
}

/** Tries to change everything in a value. */
function tamper(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const inner of Object.values(value)) tamper(inner)
  for (const key of [...Object.keys(value), 'added']) {
    try {
      Object.defineProperty(value, key, { value: 'tampered', enumerable: true })
    } catch {
      // Frozen, as required.
    }
  }
}
