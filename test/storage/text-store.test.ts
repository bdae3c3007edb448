import { describe, expect, it, test } from 'vitest'
import { keyPages, textStore, type TextEngine, type TextRow } from 'commandry/storage/text'
import { storeContract } from 'commandry/testing'
import { failingMedium } from './outages.ts'

/** The smallest engine: rows in a `Map`, sorted by their bytes. */
function mapEngine(rows = new Map<string, TextRow>()): TextEngine {
  return {
    rows: async (keys) => keys.flatMap((key) => rows.get(key) ?? []),
    keys: (prefix) =>
      keyPages(prefix, async (from, to, limit) =>
        [...rows.values()]
          .filter(({ key }) => Buffer.compare(Buffer.from(key), Buffer.from(from)) >= 0)
          .filter(({ key }) => Buffer.compare(Buffer.from(key), Buffer.from(to)) < 0)
          .sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)))
          .slice(0, limit),
      ),
    async write({ key, expected, revision, text }) {
      if ((rows.get(key)?.revision ?? null) !== expected) return false
      if (text === undefined) rows.delete(key)
      else rows.set(key, { key, revision, text })
      return true
    },
  }
}

describe('a store over an engine of text', () => {
  storeContract({
    test,
    failing: true,
    open() {
      const { rows, keys, write } = mapEngine()
      const medium = failingMedium()
      const engine: TextEngine = {
        rows: (asked) => medium.ask(() => rows(asked)),
        async *keys(prefix) {
          // Each key is a request.
          const listing = keys(prefix)[Symbol.asyncIterator]()
          for (let next; !(next = await medium.ask(() => listing.next())).done;) yield next.value
        },
        write: (change) => medium.ask(() => write(change)),
        nothingWritten: (cause) => (cause as { code?: string }).code === 'ECONNREFUSED',
      }
      return { store: textStore(engine), peers: [textStore(engine)], fail: medium.fail }
    },
  })

  it('gives the engine keys and revisions in printable ASCII, and JSON', async () => {
    const rows = new Map<string, TextRow>()
    const store = textStore(mapEngine(rows))
    await store.write('a/é\0 ', null, { text: 'é\0' })
    const [row] = rows.values()
    expect([row!.key, row!.text]).toEqual(['a/~00e9 0000 0020', '{"text":"é\\u0000"}'])
    expect(row!.revision).toMatch(/^[!-~]{36}$/)
  })

  it('names the document of a write, for announcements', async () => {
    const written: unknown[] = []
    const engine = mapEngine()
    const store = textStore({ ...engine, write: (change) => (written.push(change), engine.write(change)) })
    await store.write('é', null, 1)
    expect(written).toMatchObject([{ key: '~00e9', documentKey: 'é', expected: null, text: '1' }])
  })

  it('reports a failed write as one that may have happened, unless the engine is certain', async () => {
    const cause = new Error('down')
    const failing = { ...mapEngine(), write: () => Promise.reject(cause) }
    const message = 'writing key failed: down'
    const doubtful = textStore(failing).write('key', null, 1)
    await expect(doubtful).rejects.toMatchObject({
      name: 'StoreError',
      message,
      cause,
      mayHaveHappened: true,
    })
    const certain = textStore({ ...failing, nothingWritten: (error) => error === cause })
    await expect(certain.write('key', null, 1)).rejects.toMatchObject({ mayHaveHappened: false })
  })

  it('names a missing function of the engine', () => {
    const { rows, keys } = mapEngine()
    expect(() => textStore({ rows, keys } as never)).toThrow(
      new TypeError('textStore: expected an engine with the function write'),
    )
    expect(() => textStore(undefined as never)).toThrow(
      'textStore: expected an engine with the function rows',
    )
  })
})

test('a page of keys without their rows is named as what it is', async () => {
  const { rows, write } = mapEngine()
  const keys = (prefix: string) => keyPages(prefix, async () => ['a'] as never)
  const listing = async () => {
    for await (const key of textStore({ rows, write, keys }).keys('')) expect(key).toBeDefined()
  }
  await expect(listing()).rejects.toThrow(
    `listing keys failed: keyPages: expected rows with a text as key, such as { key: 'a' }, got "a"`,
  )
})
