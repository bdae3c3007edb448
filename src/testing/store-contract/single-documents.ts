/** Promises about single documents: reading, creating, replacing and removing them. */
import {
  expectSame,
  expectTrue,
  outcome,
  shortText,
  type CheckedStore,
  type Promises,
} from './checked-store.ts'

// Longer than any key of the registry; engines refuse index entries of more than about two thousand characters.
const LONG_KEY = 'a'.repeat(600)
/** Keys that a store may refuse, but must not cut. */
const LONGER_KEYS = [800, 1100, 2100].map((length) => 'a'.repeat(length))

export const documentPromises: Promises = {
  async 'reads undefined for a key that was never written'(store) {
    await store.expectDocuments([])
    await store.expectDocuments(['absent'])
  },

  async 'reads what was written, with the revision the write returned'(store) {
    for (const value of [{ a: [1, { b: 'two' }], c: null }, 'text', [true]] as const) {
      const key = `written/${JSON.stringify(value)}`
      await store.create(key, value)
      await store.expectDocument(key)
      await store.replace(key, [value])
      await store.expectDocument(key, 'the replaced document')
    }
  },

  async 'creates a document only while there is none'(store) {
    await store.create('key', 'first')
    for (const value of ['second', 'first', undefined]) await store.refuse('key', null, value)
    await store.remove('key')
    await store.write('key', null, undefined, true)
    await store.expectDocument('key', 'a document after the removal of none')
    await store.create('key', 'third')
    await store.expectDocument('key')
  },

  async 'changes nothing when the expected revision is stale'(store) {
    await store.create('key', 1)
    const stale = store.revision('key')
    await store.replace('key', 2)
    for (let i = 0; i < 3; i++) {
      for (const value of [3, 2, undefined]) await store.refuse('key', stale, value)
    }
    await store.replace('key', 4)
  },

  async 'removes a document at its current revision, so that it is neither read nor listed'(store) {
    await store.create('key', 1)
    await store.create('other', 1)
    await store.replace('key', 2)
    await store.remove('key')
    await store.expectDocument('key', 'the removed document')
    await store.expectKeys()
  },

  async 'never creates a document when a revision is expected'(store) {
    await store.create('elsewhere', 1)
    const revision = store.revision('elsewhere')
    await store.refuse('absent', revision, 2)
    await store.refuse('absent', revision, undefined)
    // A store may reject what is not a revision of its own.
    await outcome(store.write('absent', '', 2, false))
    await store.expectDocument('absent', 'a document after a write that expects an empty revision')
    await store.remove('elsewhere')
    await store.refuse('elsewhere', revision, 2)
    await store.refuse('elsewhere', revision, undefined)
    await store.expectKeys()
  },

  async 'changes no other document'(store) {
    const keys = ['a', 'a/', 'a/b', 'A', 'a%', 'a_', 'b', `${LONG_KEY}1`, `${LONG_KEY}2`]
    for (const key of keys) await store.create(key, key)
    for (const key of keys) {
      await store.replace(key, `${key}!`)
      await store.refuse(key, null, 'lost')
    }
    await store.expectDocuments(keys)
    await store.remove('a')
    await store.expectKeys()
    for (const long of LONGER_KEYS) {
      if (!(await outcome(store.create(`${long}1`, 1))).ok) continue
      await store.expectDocuments([`${long}1`, `${long}2`])
    }
  },

  async 'never repeats a revision of a document'(store) {
    const revisions = new Set<string>()
    const noteRevision = () => {
      const revision = store.revision('key')
      expectTrue(typeof revision === 'string', `a revision is a string, got ${shortText(revision)}`)
      expectTrue(!revisions.has(revision), `the revision ${shortText(revision)} was used before`)
      revisions.add(revision)
    }
    for (let life = 0; life < 4; life++) {
      await store.create('key', 'the same')
      noteRevision()
      for (let i = 0; i < 4; i++) {
        await store.replace('key', 'the same')
        noteRevision()
      }
      await store.remove('key')
    }
    await store.create('key', 'the same')
    for (const revision of revisions) await store.refuse('key', revision, 'overtaken')
  },

  async 'accepts only the exact revision, not one that resembles it'(store) {
    await store.create('key', 0)
    for (let i = 1; i <= 4; i++) {
      const revision = store.revision('key')
      const lookalikes = [
        ...['', '*', 'null', ` ${revision}`, `${revision} `, `${revision}\0`, `'${revision}'`],
        ...[`0${revision}`, `+${revision}`, `${revision}.0`, revision.slice(0, -1)],
        ...[revision.toUpperCase(), revision.toLowerCase()],
        ...[String(Number(revision)), String(Number(revision) + 1)],
      ]
      for (const lookalike of new Set(lookalikes)) {
        if (lookalike !== revision) await store.refuse('key', lookalike, 'accepted')
      }
      await store.replace('key', i)
    }
  },

  async 'returns deeply frozen values that cannot be used to change the store'(store) {
    await store.create('key', { list: [1, [2]], inner: { text: 'before' } })
    for (let i = 0; i < 2; i++) {
      const entry = await store.read('key')
      expectTrue(entry !== undefined, 'the document is missing')
      expectFrozen(entry.value)
      // The entry itself need not be frozen, but it is the reader's own.
      tamper(entry)
      await store.expectDocument('key', 'the document after an entry that was read was changed')
    }
  },

  async 'returns documents in the order of the keys, with gaps and repeats in place'(store) {
    for (const key of ['b', 'd', 'a', 'c']) await store.create(key, key)
    await store.expectDocuments(['d', 'c', 'b', 'a'])
    await store.expectDocuments(['a', 'missing', 'c', 'a', 'absent', 'missing', 'b', 'a'])
    await store.expectDocuments(['missing', 'd'])
    await store.expectDocuments(['d', 'd'])
    await store.expectDocuments(['missing', 'absent'])
    const first = await store.entries(['a', 'b'])
    await store.expectDocuments(['c', 'd', 'missing'])
    expectSame(
      first.map((entry) => entry?.value),
      ['a', 'b'],
      'the result of a read after the next read',
    )
  },

  async 'reads forty thousand keys in one call'(store) {
    for (const i of [0, 999, 1000, 16_384, 32_766, 32_767, 39_999]) await store.create(`many/${i}`, i)
    await store.expectDocuments(Array.from({ length: 40_000 }, (_, i) => `many/${i}`))
  },

  async 'agrees with a Map after any sequence of operations'(store) {
    for (const seed of [1, 2, 3]) await performRandomly(store, seed, 150)
  },
}

/** The promises of stores whose documents outlive them. */
export const durablePromises: Promises = {
  async 'keeps acknowledged writes through a restart'(store) {
    const revisions = new Set<string>()
    const note = (key: string) => {
      revisions.add(store.revision(key))
      return store.revision(key)
    }
    await store.create('kept', { value: 'first' })
    const stale = note('kept')
    await store.create('removed', 1)
    const gone = note('removed')
    await store.remove('removed')
    await store.replace('kept', { value: 'second' })
    note('kept')
    const again = await store.reopen()
    await again.expectDocuments(['kept', 'removed'])
    await again.expectKeys()
    await again.refuse('kept', stale, 'stale')
    await again.refuse('removed', gone, 'stale')
    await again.replace('kept', { value: 'third' })
    note('kept')
    await again.create('removed', 1)
    note('removed')
    expectTrue(revisions.size === 5, 'a revision was used again after the restart')
  },
}

/** The promises of stores whose documents can be restored from a backup. */
export const restorablePromises: Promises = {
  async 'never repeats a revision after its documents were restored from a backup'(store) {
    const given = new Set<string>()
    const note = (key: string) => {
      const revision = store.revision(key)
      expectTrue(!given.has(revision), `the revision ${shortText(revision)} was given again after a restore`)
      given.add(revision)
    }
    await store.create('kept', 'kept')
    note('kept')
    await store.replace('kept', 'kept')
    const restore = await store.backUp()
    for (let round = 0; round < 2; round++) {
      const lost: string[] = []
      for (let i = 0; i < 3; i++) {
        await store.replace('kept', 'lost')
        note('kept')
        lost.push(store.revision('kept'))
      }
      await store.create('created', 'lost')
      note('created')
      lost.push(store.revision('created'))
      await restore()
      // As many writes as were lost, by which a counter would have the same number.
      for (let i = 0; i < 4; i++) {
        for (const revision of lost) await store.refuse('kept', revision, 'lost')
        for (const revision of lost) await store.refuse('created', revision, 'lost')
        await store.replace('kept', 'found')
        note('kept')
      }
      await store.create('created', 'found')
      note('created')
      for (const revision of lost) await store.refuse('created', revision, 'lost')
      await restore()
    }
  },
}

/** Random operations over all connections. */
async function performRandomly(store: CheckedStore, seed: number, operations: number): Promise<void> {
  const random = randomNumbers(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
  const keys = ['a/', 'a/1', 'a/10', 'a/2/', 'b', '__proto__', 'ä', '😀'].map((key) => `${seed}/${key}`)
  const old = ['x']
  for (let step = 0; step < operations; step++) {
    const connection = pick(store.all)
    const chance = random()
    if (chance < 0.6) {
      const key = pick(keys)
      const current = store.keys(key).includes(key) ? store.revision(key) : null
      const expected = pick([current, current, current, null, pick(old)])
      const text = 'é'.repeat(Math.floor(random() * 20))
      await store.write(key, expected, random() < 0.25 ? undefined : { step, text }, undefined, connection)
      if (current !== null) old.push(current)
    } else if (chance < 0.9) {
      const several = Array.from({ length: Math.floor(random() * 6) }, () => pick(keys))
      await store.expectDocuments(several, connection)
    } else {
      const prefix = `${seed}/${pick(['', 'a', 'a/1', 'b', 'c', '_'])}`
      await store.expectKeys(prefix, `keys (seed ${seed}, step ${step})`, connection)
    }
  }
  await store.expectKeys(`${seed}/`, `the keys at the end (seed ${seed})`, pick(store.all))
  await store.expectDocuments(keys, pick(store.all))
}

/** Numbers from 0 to 1, the same sequence for the same seed. */
function randomNumbers(seed: number): () => number {
  const prime = 2 ** 31 - 1
  let state = seed + 1
  return () => (state = (state * 48_271) % prime) / prime
}

function expectFrozen(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  expectTrue(Object.isFrozen(value), `a value that was read is not frozen: ${shortText(value)}`)
  Object.values(value).forEach(expectFrozen)
}

function tamper(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  Object.values(value).forEach(tamper)
  for (const key of [...Object.keys(value), 'added'])
    Reflect.defineProperty(value, key, { value: 'tampered', enumerable: true })
}
