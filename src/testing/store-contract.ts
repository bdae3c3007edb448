/**
 * What a store promises, each promise as a test. Needs no test runner and no assertion library: the runner's `test`
 * is handed in, and a broken promise is a thrown error that says what was expected and what was found.
 */
import type { Entry, Store, Written } from '../storage/store.ts'

/** An empty store that nobody else uses, as `open` hands it over. */
export interface OpenedStore {
  readonly store: Store
  /** Further ways to the same documents, each with a connection of its own. The concurrent promises use them all. */
  readonly peers?: readonly Store[]
  /** Called when the test is over, whether it passed or not. */
  close?(): unknown
  /** Ends the store as a restart would and comes back with one over the same documents. */
  reopen?(): Store | Promise<Store>
}

export interface StoreContractOptions {
  /** The runner's way to declare a test: `test` of vitest, `node:test` or `bun:test`. */
  readonly test: (title: string, body: () => Promise<void>) => unknown
  /** Called once a test. */
  readonly open: () => Store | OpenedStore | Promise<Store | OpenedStore>
  /** True for a store whose documents outlive it: adds what `reopen` must find. */
  readonly durable?: boolean
}

/**
 * Declares one test for every promise of a store; the promise is the title.
 *
 * @example storeContract({ test, open: () => memoryStore() })
 */
export function storeContract(options: StoreContractOptions): void {
  for (const promise of promises) {
    if (promise.durable === true && options.durable !== true) continue
    options.test(promise.title, async () => {
      const opened = await options.open()
      const bench: OpenedStore = 'store' in opened ? opened : { store: opened }
      try {
        await promise.check(bench.store, [bench.store, ...(bench.peers ?? [])], bench)
      } finally {
        await bench.close?.()
      }
    })
  }
}

/** The titles of the tests, in their order: what a store promises, in words. */
export function storePromises(): readonly string[] {
  return promises.map((promise) => promise.title)
}

interface StorePromise {
  readonly title: string
  readonly durable?: true
  readonly check: (store: Store, all: readonly Store[], bench: OpenedStore) => Promise<void>
}

type Json = Entry['value']

// Many an engine keeps what is large in another way than what is small.
const LARGE = [300_000, 1_500_000] as const
/** In which rounds of a contest the documents are large. */
const LARGE_ROUNDS: Readonly<Record<number, number>> = { 4: 5000, 6: LARGE[0], 8: LARGE[1] }
// The registry's own keys are shorter; more than about two thousand characters are too much for an index.
const LONG_KEY = 'a'.repeat(600)

const promises: readonly StorePromise[] = [
  {
    title: 'what was never written reads as undefined',
    async check(store) {
      same(await store.read([]), [], 'a read of no keys')
      const entries = await store.read(['absent'])
      hold(entries.length === 1, `asked for one document, got ${entries.length}`)
      hold(entries[0] === undefined, `expected undefined, got ${show(entries[0])}`)
    },
  },
  {
    title: 'what was written is read, under the revision the write returned',
    async check(store) {
      for (const value of [{ a: [1, { b: 'two' }], c: null }, 'text', [true]] as const) {
        const key = `written/${JSON.stringify(value)}`
        const revision = await created(store, key, value)
        same(await document(store, key), { value, revision }, 'the document')
        const next = await replaced(store, key, revision, [value])
        same(await document(store, key), { value: [value], revision: next }, 'the replaced document')
      }
    },
  },
  {
    title: 'where nothing is expected a write succeeds only while there is no document',
    async check(store) {
      const revision = await created(store, 'key', 'first')
      await refused(store, 'key', null, 'second')
      await refused(store, 'key', null, undefined)
      same(await document(store, 'key'), { value: 'first', revision }, 'the document')
      await removed(store, 'key', revision)
      hold((await store.write('key', null, undefined)).ok, 'nothing was expected, and there was nothing')
      hold((await document(store, 'key')) === undefined, 'removing nothing made a document')
      const again = await created(store, 'key', 'third')
      same(await document(store, 'key'), { value: 'third', revision: again }, 'the document')
    },
  },
  {
    title: 'a stale revision changes nothing, neither replacing nor removing',
    async check(store) {
      const stale = await created(store, 'key', 1)
      const revision = await replaced(store, 'key', stale, 2)
      for (let i = 0; i < 3; i++) {
        await refused(store, 'key', stale, 3)
        await refused(store, 'key', stale, undefined)
        same(await document(store, 'key'), { value: 2, revision }, 'the document')
      }
      await replaced(store, 'key', revision, 4)
    },
  },
  {
    title: 'a document is removed at its present revision, and then is neither read nor listed',
    async check(store) {
      const revision = await created(store, 'key', 1)
      await created(store, 'other', 1)
      await removed(store, 'key', await replaced(store, 'key', revision, 2))
      hold((await document(store, 'key')) === undefined, 'the removed document is still read')
      same(await listed(store, ''), ['other'], 'the keys')
    },
  },
  {
    title: 'where a revision is expected a write makes no document anew',
    async check(store) {
      const revision = await created(store, 'elsewhere', 1)
      await refused(store, 'absent', revision, 2)
      await refused(store, 'absent', revision, undefined)
      await removed(store, 'elsewhere', revision)
      await refused(store, 'elsewhere', revision, 2)
      await refused(store, 'elsewhere', revision, undefined)
      same(await listed(store, ''), [], 'the keys')
    },
  },
  {
    title: 'a write changes no other document',
    async check(store) {
      const keys = ['a', 'a/', 'a/b', 'A', 'a%', 'a_', 'b', `${LONG_KEY}1`, `${LONG_KEY}2`]
      const revisions = new Map<string, string>()
      for (const key of keys) revisions.set(key, await created(store, key, key))
      for (const key of keys) {
        revisions.set(key, await replaced(store, key, present(revisions.get(key)), `${key}!`))
        await refused(store, key, null, 'lost')
      }
      const entries = await store.read(keys)
      keys.forEach((key, i) => {
        same(entries[i], { value: `${key}!`, revision: revisions.get(key) }, `the document ${key}`)
      })
      await removed(store, 'a', present(revisions.get('a')))
      same(await listed(store, ''), keys.filter((key) => key !== 'a').sort(), 'the keys')
    },
  },
  {
    title: 'of several who create a document at once exactly one wins',
    async check(_, all) {
      for (let round = 0; round < 10; round++) {
        const key = `contended/${round}`
        const value = (i: number): Json => ({ winner: i, ...bulk(LARGE_ROUNDS[round] ?? 0, i) })
        const written = await Promise.all(
          rivals(all).map((store, i) => store.write(key, null, frozen(value(i)))),
        )
        await onlyWinner(all, key, written, value)
      }
    },
  },
  {
    title: 'of several who write at one revision exactly one wins',
    async check(store, all) {
      let revision = await created(store, 'contended', 'start')
      for (let round = 0; round < 10; round++) {
        const value = (i: number): Json => ({ round, winner: i, ...bulk(LARGE_ROUNDS[round] ?? 0, i) })
        const written = await Promise.all(
          rivals(all).map((rival, i) => rival.write('contended', revision, frozen(value(i)))),
        )
        revision = await onlyWinner(all, 'contended', written, value)
      }
      // Every other one removes: first one who replaces comes first, then one who removes.
      for (const remover of [1, 0]) {
        const ends = await Promise.all(
          rivals(all).map((rival, i) =>
            rival.write('contended', revision, i % 2 === remover ? undefined : i),
          ),
        )
        const winners = ends.flatMap((end, i) => (end.ok ? [i] : []))
        hold(winners.length === 1, `${winners.length} of those who removed or replaced at once won`)
        const left = await document(store, 'contended')
        const winner = winners[0] as number
        same(left?.value, winner % 2 === remover ? undefined : winner, 'what the winner left')
        revision = left?.revision ?? (await created(store, 'contended', 'again'))
      }
    },
  },
  {
    title: 'no acknowledged change is lost among writers who read and try again',
    async check(store, all) {
      const writers = rivals(all)
      const each = 8
      await Promise.all(
        writers.map(async (rival) => {
          for (let done = 0; done < each;) {
            const entry = await document(rival, 'count')
            const next = ((entry?.value as number | undefined) ?? 0) + 1
            if ((await rival.write('count', entry?.revision ?? null, next)).ok) done++
          }
        }),
      )
      same((await document(store, 'count'))?.value, writers.length * each, 'the count')
    },
  },
  {
    title: 'an acknowledged write is seen by every read that begins after it',
    async check(_, all) {
      let revision: string | null = null
      for (let i = 0; i < 20; i++) {
        const writer = all[i % all.length] as Store
        // Whoever keeps copies has one now.
        for (const reader of all) await reader.read(['key'])
        const written: Written = await writer.write('key', revision, i)
        hold(written.ok, 'a write at the present revision was refused')
        revision = written.revision
        for (const reader of all) same(await document(reader, 'key'), { value: i, revision }, 'the document')
      }
      hold(revision !== null, 'nothing was written')
      await removed(all[0] as Store, 'key', revision)
      for (const reader of all) hold((await document(reader, 'key')) === undefined, 'a removal was not seen')
    },
  },
  {
    title: 'whoever reads while a document is replaced sees it whole, under its own revision',
    async check(store, all) {
      await watched(store, all, { size: 0, writes: 30, reads: 500 })
      for (const size of LARGE) await watched(store, all, { size, writes: 4, reads: 6 })
    },
  },
  {
    title: 'a revision is new with every write of a document and never comes back',
    async check(store) {
      const revisions = new Set<string>()
      let writes = 0
      const noted = (revision: string): string => {
        hold(typeof revision === 'string', `a revision is a string, got ${show(revision)}`)
        revisions.add(revision)
        hold(revisions.size === ++writes, `the revision ${show(revision)} came back`)
        return revision
      }
      for (let life = 0; life < 4; life++) {
        let revision = noted(await created(store, 'key', 'the same'))
        for (let i = 0; i < 4; i++) revision = noted(await replaced(store, 'key', revision, 'the same'))
        await removed(store, 'key', revision)
      }
      await created(store, 'key', 'the same')
      for (const revision of revisions) await refused(store, 'key', revision, 'overtaken')
    },
  },
  {
    title: 'only the very revision counts, not one that resembles it',
    async check(store) {
      let revision = await created(store, 'key', 0)
      for (let i = 1; i <= 4; i++) {
        const lookalikes = [
          '',
          '*',
          'null',
          ` ${revision}`,
          `${revision} `,
          `${revision}\0`,
          `0${revision}`,
          `+${revision}`,
          `${revision}.0`,
          revision.slice(0, -1),
          revision.toUpperCase(),
          revision.toLowerCase(),
          String(Number(revision)),
          String(Number(revision) + 1),
          `'${revision}'`,
        ]
        for (const lookalike of new Set(lookalikes)) {
          if (lookalike !== revision) await refused(store, 'key', lookalike, 'taken for another')
        }
        revision = await replaced(store, 'key', revision, i)
      }
    },
  },
  {
    title: 'what is handed out is frozen through and through, and cannot be used to change the store',
    async check(store) {
      const value = { list: [1, [2]], inner: { text: 'before' } }
      const revision = await created(store, 'key', value)
      for (let i = 0; i < 2; i++) {
        const entry = await document(store, 'key')
        hold(entry !== undefined, 'the document is gone')
        tamper(entry)
        same(await document(store, 'key'), { value, revision }, 'the document, tampered with in memory')
        requireFrozen(entry)
      }
    },
  },
  {
    title: 'several documents come in the order they were asked for, gaps and repeats in place',
    async check(store) {
      const expected = new Map<string, unknown>()
      for (const key of ['b', 'd', 'a', 'c']) {
        expected.set(key, { value: key, revision: await created(store, key, key) })
      }
      for (const keys of [
        ['d', 'c', 'b', 'a'],
        ['a', 'nowhere', 'c', 'a', 'nor here', 'nowhere', 'b', 'a'],
        ['nowhere', 'd'],
        ['d', 'd'],
        ['nowhere', 'nor here'],
      ]) {
        const entries = await store.read(keys)
        hold(entries.length === keys.length, `asked for ${keys.length} documents, got ${entries.length}`)
        keys.forEach((key, i) => same(entries[i], expected.get(key), `answer ${i}, to ${key},`))
      }
    },
  },
  {
    title: 'one read takes forty thousand keys',
    async check(store) {
      const keys = Array.from({ length: 40_000 }, (_, i) => `many/${i}`)
      const there = [0, 999, 1000, 16_384, 32_766, 32_767, 39_999]
      for (const i of there) await created(store, `many/${i}`, i)
      const entries = await store.read(keys)
      hold(entries.length === keys.length, `asked for ${keys.length} documents, got ${entries.length}`)
      same(
        entries.flatMap((entry, i) => (entry === undefined ? [] : [[i, entry.value]])),
        there.map((i) => [i, i]),
        'the documents found',
      )
    },
  },
  {
    title: 'the keys that start with a prefix are listed, exactly they',
    async check(store) {
      const keys = [
        'scope/1/global',
        'scope/1/guild/7',
        'scope/10/global',
        'scope/1',
        'Scope/1/global',
        'scope-1/',
        'permissions/1/7',
        ...['%', '_', '*', '?', '[a]', '^', '\\', "'", '"', '.', '+', '(', '{x}', '$', '|', '-'].flatMap(
          (sign) => [`${sign}/x`, `scope${sign}1/x`, `s${sign}`],
        ),
        ' ',
        'é/1',
        'é/10',
        '😀/1',
        '😁/1',
      ]
      for (const key of new Set(keys)) await created(store, key, true)
      const prefixes = keys.flatMap((key) => [
        key,
        `${key}/`,
        key.slice(0, -1),
        key.slice(0, 1),
        key.slice(0, -2),
      ])
      for (const prefix of new Set([
        '',
        'nothing',
        's%',
        's_',
        's*',
        's?',
        's[a-z]',
        'scope/_/',
        ...prefixes,
      ])) {
        const wanted = [...new Set(keys)].filter((key) => key.startsWith(prefix)).sort()
        same(await listed(store, prefix), wanted, `the keys that start with ${show(prefix)}`)
      }
    },
  },
  {
    title: 'keys come in ascending order of their UTF-16 units, however many',
    async check(store) {
      const keys = new Set([
        'key',
        ...['', '\u0001', '!', '-', '/', '0', '9', ':', 'A', 'Z', '_', 'a', 'z', '{', '~'].map(
          (c) => `key${c}x`,
        ),
        ...['ß', 'é', 'z\u0301', 'ｚ', '\uffff', '\ue000', '😀', '\u{10ffff}', 'ä'].map((c) => `key${c}x`),
      ])
      // More than anybody fetches at once, and numbered so that neither numbers nor ages are in order.
      for (let i = 0; i < 1200; i++) keys.add(`key/${(i * 7919) % 1200}`)
      await Promise.all([...keys].map((key) => created(store, key, null)))
      await created(store, 'ke', null)
      await created(store, 'kez', null)
      same(await listed(store, 'key'), [...keys].sort(), 'the keys')
    },
  },
  {
    title: 'a listing may be left early, and written under',
    async check(store) {
      const keys = Array.from({ length: 30 }, (_, i) => `key/${String(i).padStart(2, '0')}`)
      const revisions = new Map<string, string>()
      for (const key of keys) revisions.set(key, await created(store, key, 0))
      for await (const key of store.keys('key/')) {
        await replaced(store, key, present(revisions.get(key)), 1)
        break
      }
      // What is there all along is listed; what comes meanwhile may be or not.
      const found: string[] = []
      const left: string[] = []
      for await (const key of store.keys('key/')) {
        if (key.endsWith('/new')) continue
        found.push(key)
        await created(store, `${key}/new`, 'new')
        const entry = present(await document(store, key))
        if (found.length % 2 === 0) await removed(store, key, entry.revision)
        else left.push(key)
        left.push(`${key}/new`)
      }
      same(found, keys, 'the keys that were there when the listing began')
      same(await listed(store, 'key/'), left, 'the keys left')
    },
  },
  {
    title: 'keys are told apart to the last unit, whatever they are made of',
    async check(store) {
      const keys = [
        ...['', ' ', 'a', 'a ', ' a', 'A', 'a\0', 'a\0b', '\0', 'a\n', 'a\r\n', '~', '~0041', ' 0041'],
        ...[
          'é',
          'e\u0301',
          'ﬁ',
          'fi',
          'İ',
          'i',
          'ı',
          'ß',
          'ss',
          '😀',
          '\ud83d',
          '\ude00',
          '\ud800',
          '\ufffd',
        ],
        ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'null', 'undefined', '0', '00', '1e3'],
        ...[
          "'; DROP TABLE documents; --",
          '"',
          '`',
          '\\',
          '\\0',
          '$1',
          '?',
          ':key',
          '{}',
          '../x',
          './x',
          'x/',
        ],
      ]
      const revisions: string[] = []
      for (const key of keys) {
        hold((await document(store, key)) === undefined, `${show(key)} was there before it was written`)
        revisions.push(await created(store, key, [key]))
      }
      const entries = await store.read(keys)
      keys.forEach((key, i) => {
        same(entries[i], { value: [key], revision: revisions[i] }, `the document ${show(key)}`)
      })
      same(await listed(store, ''), [...keys].sort(), 'the keys')
      for (const [i, key] of keys.entries()) await removed(store, key, revisions[i] as string)
      same(await listed(store, ''), [], 'the keys after all were removed')
    },
  },
  {
    title: 'texts survive, unit by unit',
    async check(store) {
      const every = Array.from({ length: 0x1_00 }, (_, i) => String.fromCharCode(i)).join('')
      await survive(store, [
        ...[
          '',
          ' ',
          '  two  ',
          '\0',
          'a\0b',
          '\u0001\u001f\u007f\u0080',
          every,
          '\\u0000',
          "'",
          '"',
          '\\',
          '\r\n',
        ],
        ...['😀', 'e\u0301', 'é', 'ﬁ', '\u2028\u2029', '\ufeff', '\ufffd', '\ufffe', '\uffff', '\u{10ffff}'],
        ...['\ud800', '\udc00', '\udc00\ud800', 'a\ud83d', '\ude00b'],
        // An unpaired surrogate before a pair. Written so, because not every tool of the trade reads it as a literal.
        String.fromCharCode(0xd83d, 0xd83d, 0xde00),
        ...[
          '2026-01-01T00:00:00Z',
          '2026-01-01',
          'null',
          'true',
          'NaN',
          '1',
          '1.0',
          '0x10',
          '[object Object]',
        ],
      ])
    },
  },
  {
    title: 'keys of objects survive, in their order, with whatever name',
    async check(store) {
      const texts = [
        '{"__proto__":{"a":1},"b":2}',
        '{"a":{"__proto__":null}}',
        '{"constructor":1,"toString":2,"hasOwnProperty":3,"length":4,"toJSON":5}',
        '{"z":1,"a":2,"M":3,"":4," ":5,"é":6,"e\u0301":7}',
        '{"$ref":1,"$date":"2026-01-01","a.b":2,"a":{"b":3}}',
        '{"\\ud800":1,"\\udc00":2,"\\u0000":3}',
        '{"b":[],"a":{}}',
      ]
      await survive(
        store,
        texts.map((text) => JSON.parse(text) as Json),
      )
    },
  },
  {
    title: 'numbers survive to the last digit, and texts of digits stay texts',
    async check(store) {
      await survive(store, [
        ...[0, 1, -1, 0.1, 0.1 + 0.2, 1 / 3, 1e21, 1e-7, 1e300, -1e300, 5e-324, Number.MAX_VALUE],
        ...[2 ** 31, 2 ** 32 + 1, 2 ** 53 - 1, -(2 ** 53 - 1), 2 ** 53, 2 ** 64, 16_777_217],
        ...['9007199254740993', '18446744073709551615', '1.10', '-0', '007', '1e3'],
      ])
    },
  },
  {
    title: 'null, false, zero and what is empty are documents like any other',
    async check(store) {
      await survive(store, [
        null,
        false,
        0,
        '',
        [],
        {},
        [null],
        [[]],
        [{}],
        { a: null },
        { a: [] },
        { a: '' },
      ])
    },
  },
  {
    title: 'a document of several megabytes survives whole',
    async check(store) {
      const items = Array.from({ length: 12_000 }, (_, i) => ({
        id: String(i),
        name: `name-${i} é😀`,
        n: i / 7,
      }))
      const value = {
        items,
        long: 'x'.repeat(4_000_000),
        wide: 'é😀'.repeat(200_000),
        deep: nested(100),
        end: 'end',
      }
      const revision = await created(store, 'large', value)
      same(await document(store, 'large'), { value, revision }, 'the document')
      const next = await replaced(store, 'large', revision, { ...value, end: 'another end' })
      same(await document(store, 'large'), { value: { ...value, end: 'another end' }, revision: next }, 'it')
    },
  },
  {
    title: 'after any sequence of moves a store holds what a Map would',
    async check(_, all) {
      for (const seed of [1, 2, 3]) await walk(all, seed, 150)
    },
  },
  {
    title: 'what was acknowledged before a restart is found after it',
    durable: true,
    async check(store, _, bench) {
      const revision = await created(store, 'kept', { value: 'first' })
      const gone = await created(store, 'removed', 1)
      await removed(store, 'removed', gone)
      const next = await replaced(store, 'kept', revision, { value: 'second' })
      hold(bench.reopen !== undefined, 'a durable store is opened with a way to reopen it')
      const again = await bench.reopen()
      same(await document(again, 'kept'), { value: { value: 'second' }, revision: next }, 'the document')
      hold((await document(again, 'removed')) === undefined, 'a removed document is back')
      same(await listed(again, ''), ['kept'], 'the keys')
      await refused(again, 'kept', revision, 'stale')
      await refused(again, 'removed', gone, 'stale')
      const last = await replaced(again, 'kept', next, { value: 'third' })
      const reborn = await created(again, 'removed', 1)
      hold(new Set([revision, next, last, gone, reborn]).size === 5, 'a revision came back after the restart')
    },
  },
]

// Moves of the writers

async function document(store: Store, key: string): Promise<Entry | undefined> {
  return (await store.read([key]))[0]
}

async function created(store: Store, key: string, value: Json): Promise<string> {
  const written = await store.write(key, null, frozen(value))
  hold(written.ok, `${show(key)} could not be created, though it was not there`)
  return written.revision
}

async function replaced(store: Store, key: string, revision: string, value: Json): Promise<string> {
  const written = await store.write(key, revision, frozen(value))
  hold(written.ok, `${show(key)} could not be replaced at its present revision`)
  return written.revision
}

async function removed(store: Store, key: string, revision: string): Promise<void> {
  const written = await store.write(key, revision, undefined)
  hold(written.ok, `${show(key)} could not be removed at its present revision`)
}

async function refused(
  store: Store,
  key: string,
  expected: string | null,
  value: Json | undefined,
): Promise<void> {
  const before = await document(store, key)
  const { ok } = await store.write(key, expected, frozen(value))
  hold(
    !ok,
    `${show(key)} was at ${show(before?.revision)}, but ${value === undefined ? 'a removal' : 'a write'} that expected ${show(expected)} succeeded`,
  )
  same(await document(store, key), before, `${show(key)} after a refused write`)
}

async function listed(store: Store, prefix: string): Promise<string[]> {
  const keys: string[] = []
  for await (const key of store.keys(prefix)) keys.push(key)
  return keys
}

/** Writes each value under a key of its own and finds it as it was, alone and among the others. */
async function survive(store: Store, values: readonly Json[]): Promise<void> {
  const keys = values.map((_, i) => `value/${i}`)
  const revisions: string[] = []
  for (const [i, value] of values.entries()) {
    revisions.push(await created(store, `value/${i}`, value))
    same((await document(store, `value/${i}`))?.value, value, 'what was written')
  }
  const entries = await store.read(keys)
  values.forEach((value, i) => same(entries[i], { value, revision: revisions[i] }, 'what was written'))
}

/** One writes a document again and again while others read it. */
async function watched(
  store: Store,
  all: readonly Store[],
  { size, writes, reads }: { readonly size: number; readonly writes: number; readonly reads: number },
): Promise<void> {
  const key = `watched/${size}`
  const value = (i: number): Json =>
    frozen({ begin: i, middle: Array(50).fill(`${i}`), ...bulk(size, i), end: i })
  // Under which revision the document of which write was seen.
  const seen = new Map<string, unknown>()
  const known = new Map<string, number>()
  let revision = await created(store, key, value(0))
  known.set(revision, 0)
  let writing = true
  async function watch(reader: Store): Promise<void> {
    // A reader that is never kept waiting must not keep the writer waiting.
    for (let read = 0; writing && read < reads; read++) {
      for (const entry of await reader.read([key, 'absent', key])) {
        if (entry === undefined) continue
        const { begin } = Object(entry.value) as { readonly begin?: number }
        same(entry.value, value(begin ?? 0), `what was read while write ${begin} was under way or over`)
        if (!seen.has(entry.revision)) seen.set(entry.revision, begin)
        same(begin, seen.get(entry.revision), 'the write whose document was read under a revision')
      }
    }
  }
  async function write(): Promise<void> {
    try {
      for (let i = 1; i <= writes; i++) {
        revision = await replaced(all[i % all.length] as Store, key, revision, value(i))
        known.set(revision, i)
      }
    } finally {
      writing = false
    }
  }
  await Promise.all([...rivals(all).slice(0, 4).map(watch), write()])
  for (const [under, begin] of seen) {
    hold(known.has(under), 'a reader saw a revision that no write returned')
    same(begin, known.get(under), 'the write whose document was read under its revision')
  }
}

/** Eight who do the same thing at once, spread over all ways to the documents. */
function rivals(all: readonly Store[]): readonly Store[] {
  return Array.from({ length: 8 }, (_, i) => all[i % all.length] as Store)
}

async function onlyWinner(
  all: readonly Store[],
  key: string,
  written: readonly Written[],
  value: (winner: number) => Json,
): Promise<string> {
  const wins = written.flatMap((end, i) => (end.ok ? [{ i, revision: end.revision }] : []))
  const [win] = wins
  hold(win !== undefined && wins.length === 1, `${wins.length} of ${written.length} won`)
  for (const store of all) {
    same(await document(store, key), { value: value(win.i), revision: win.revision }, 'what the winner left')
  }
  return win.revision
}

/** Random moves on a store and on a Map, which must agree about everything after each. */
async function walk(all: readonly Store[], seed: number, moves: number): Promise<void> {
  const random = generator(seed)
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const model = new Map<string, { readonly value: Json; readonly revision: string }>()
  const old: string[] = []
  const keys = ['a/', 'a/1', 'a/10', 'a/2/', 'b', '__proto__', 'ä', '😀'].map((key) => `${seed}/${key}`)
  for (let move = 0; move < moves; move++) {
    const what = `(seed ${seed}, move ${move})`
    const store = pick(all)
    const key = pick(keys)
    const current = model.get(key)
    const chance = random()
    if (chance < 0.6) {
      const expected =
        random() < 0.7 ? (current?.revision ?? null) : random() < 0.5 ? null : pick([...old, 'x'])
      const value =
        random() < 0.25 ? undefined : frozen({ move, text: 'é'.repeat(Math.floor(random() * 20)) })
      const written = await store.write(key, expected, value)
      same(written.ok, (current?.revision ?? null) === expected, `whether the write succeeded ${what}`)
      if (written.ok) {
        if (current !== undefined) old.push(current.revision)
        if (value === undefined) model.delete(key)
        else model.set(key, { value, revision: written.revision })
      }
    } else if (chance < 0.9) {
      const asked = Array.from({ length: Math.floor(random() * 6) }, () => pick(keys))
      const entries = await store.read(asked)
      same(
        [...entries],
        asked.map((each) => model.get(each)),
        `what was read ${what}`,
      )
    } else {
      const prefix = `${seed}/${pick(['', 'a', 'a/1', 'b', 'c', '_'])}`
      const wanted = [...model.keys()].filter((each) => each.startsWith(prefix)).sort()
      same(await listed(store, prefix), wanted, `what was listed ${what}`)
    }
  }
  const left = [...model.keys()].sort()
  same(await listed(pick(all), `${seed}/`), left, `the keys at the end (seed ${seed})`)
  same(
    [...(await pick(all).read(left))],
    left.map((each) => model.get(each)),
    'the documents at the end',
  )
}

/** Numbers from 0 up to 1, always the same ones for a seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** A text of so many characters, another one for everybody; nothing where none are asked for. */
function bulk(size: number, i: number): { readonly [key: string]: Json } {
  return size === 0 ? {} : { bulk: String.fromCharCode(97 + (i % 26)).repeat(size) }
}

function nested(depth: number): Json {
  return depth === 0 ? 'deep' : depth % 2 === 0 ? [nested(depth - 1)] : { in: nested(depth - 1) }
}

// Saying what is wrong

function hold(held: boolean, message: string): asserts held {
  if (!held) throw new Error(message)
}

/** JSON says whether two values are the same: with the order of keys, and every unit of every text. */
function same(actual: unknown, expected: unknown, what: string): void {
  const is = write(actual)
  const wanted = write(expected)
  if (is !== wanted)
    throw new Error(`${what} should be ${shortened(wanted, is)}, got ${shortened(is, wanted)}`)
}

function write(value: unknown): string {
  if (value === undefined) return 'undefined'
  if (Array.isArray(value)) return `[${value.map(write).join()}]`
  if (isEntry(value)) return `{"value":${write(value.value)},"revision":${write(value.revision)}}`
  return JSON.stringify(value)
}

function isEntry(value: unknown): value is { readonly value: unknown; readonly revision: unknown } {
  return typeof value === 'object' && value !== null && 'revision' in value && 'value' in value
}

/** The part of a long text where it begins to differ from another. */
function shortened(text: string, other: string): string {
  let start = 0
  while (start < text.length && text[start] === other[start]) start++
  start = Math.max(0, start - 60)
  return `${start > 0 ? '…' : ''}${text.slice(start, start + 200)}${start + 200 < text.length ? '…' : ''}`
}

function show(value: unknown): string {
  return shortened(write(value), '')
}

function present<T>(value: T | undefined): T {
  hold(value !== undefined, 'a document that nobody removed is missing')
  return value
}

// Values are given and wanted frozen

function frozen<T extends Json | undefined>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  for (const inner of Object.values(value)) frozen(inner as Json)
  return Object.freeze(value)
}

function requireFrozen(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  hold(Object.isFrozen(value), `not frozen: ${show(value)}`)
  for (const inner of Object.values(value)) requireFrozen(inner)
}

/** Changes whatever lets itself be changed; frozen things refuse by throwing. */
function tamper(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const inner of Object.values(value)) tamper(inner)
  for (const key of [...Object.keys(value), 'added']) {
    try {
      Object.defineProperty(value, key, { value: 'tampered', enumerable: true })
    } catch {
      // As it should be.
    }
  }
}
