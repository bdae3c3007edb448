/**
 * Tests of the contract. Each wrong store differs from a correct one in one way that a real adapter could; the contract
 * must catch it, and every promise must catch a store.
 */
import { expect, test } from 'vitest'
import { memoryStore, type Entry, type Store } from 'commandry'
import { type OpenedStore, storeContract } from 'commandry/testing'
import { read } from '../../support/markdown.ts'
import { AdjustableStore } from './wrong-stores/adjustable-store.ts'
import { wrongDocuments } from './wrong-stores/documents.ts'
import { MediumStore, openOn, wrongFaults, wrongListings } from './wrong-stores/faults.ts'
import { wrongKeys } from './wrong-stores/keys.ts'
import { wrongRaces } from './wrong-stores/races.ts'
import { wrongValues } from './wrong-stores/values.ts'
import { storePromises } from '../../../src/testing/store-contract/store-contract.ts'

const wrongStores = [
  ...wrongDocuments,
  ...wrongRaces,
  ...wrongKeys,
  ...wrongListings,
  ...wrongFaults,
  ...wrongValues,
]

/** What a store that is opened can do. */
const kindOf = (opened: Store | OpenedStore) => ({
  durable: 'reopen' in opened,
  restorable: 'backUp' in opened,
  failing: 'fail' in opened,
})

/** The titles of the given promises that the store breaks; by default of all promises. */
async function broken(open: () => Store | OpenedStore, promises = storePromises()): Promise<string[]> {
  const declared: [string, () => Promise<void>][] = []
  storeContract({ test: (title, body) => declared.push([title, body]), open, ...kindOf(open()) })
  const titles: string[] = []
  for (const [title, body] of declared)
    if (promises.includes(title)) await body().catch(() => titles.push(title))
  return titles
}

test('accepts the correct store that the wrong ones are made from', async () => {
  const open = () => {
    const store = new AdjustableStore()
    return { store, peers: [store], reopen: () => store, backUp: async () => store.keep() }
  }
  expect(await broken(open)).toEqual([])
})

test('accepts the correct store whose medium fails, which further wrong ones are made from', async () => {
  // The promises that they break; the other correct store keeps all of them.
  const promises = [...wrongFaults, ...wrongListings].flatMap(({ breaks }) => breaks)
  expect(await broken(() => openOn(MediumStore), promises)).toEqual([])
})

for (const { name, open, breaks } of wrongStores) {
  // Only the promises that are asserted: two of the others take most of the time of a run.
  test(`catches a store that ${name}`, async () => {
    expect(new Set(await broken(open, breaks))).toEqual(new Set(breaks))
  })
}

test('has no promise that every wrong store keeps, and a different title for each', () => {
  const broken = new Set(wrongStores.flatMap(({ breaks }) => breaks))
  expect([...broken].sort()).toEqual(storePromises().toSorted())
})

test('declares its tests through the given runner, the durable ones only on request', async () => {
  const declared = new Map<string, () => Promise<void>>()
  const collect = (title: string, body: () => Promise<void>) => declared.set(title, body)
  storeContract({ test: collect, open: () => memoryStore() })
  const lasting = 'keeps acknowledged writes through a restart'
  const restored = 'never repeats a revision after its documents were restored from a backup'
  const failed = 'rejects a read that the medium refuses, and never takes it for a missing document'
  const further = new Set(storePromises().filter((title) => !declared.has(title)))
  expect(further.size).toBe(8)
  for (const title of [lasting, restored, failed]) expect(further).toContain(title)
  declared.clear()
  storeContract({ test: collect, open: () => memoryStore(), durable: true, restorable: true, failing: true })
  await expect(declared.get(failed)!()).rejects.toThrow('`open` must return `fail` for a failing store')
  await expect(declared.get(restored)!()).rejects.toThrow(
    '`open` must return `backUp` for a restorable store',
  )
  expect([...declared.keys()]).toEqual(storePromises())
  await expect(declared.get(lasting)!()).rejects.toThrow('`open` must return `reopen` for a durable store')
  const misspelt = { test: collect, open: memoryStore, lasting: true }
  expect(() => storeContract(misspelt as never)).toThrow('storeContract: unknown option "lasting"')
})

test('closes a store after its test, also when the test fails', async () => {
  let open = 0
  const bodies: (() => Promise<void>)[] = []
  storeContract({
    test: (_, body) => bodies.push(body),
    open: () => {
      open++
      const broken = () => Promise.reject(new Error('broken'))
      return { store: { ...memoryStore(), read: broken, write: broken }, close: () => open-- }
    },
  })
  const ends = await Promise.allSettled(bodies.map((body) => body()))
  expect(ends.every((end) => end.status === 'rejected')).toBe(true)
  expect(open).toBe(0)
})

test('shows 60 characters before the first difference of long texts, and 140 from there', async () => {
  const large = 'keeps a document of several megabytes'
  const messageAfter = async (change: (value: any) => object) => {
    const open = () => new AdjustableStore({ decode: (text) => change(JSON.parse(text)) as Entry['value'] })
    const bodies: (() => Promise<void>)[] = []
    storeContract({ test: (title, body) => title === large && bodies.push(body), open })
    return bodies[0]!().then(
      () => '',
      (error: Error) => error.message,
    )
  }
  const x = (count: number) => 'x'.repeat(count)
  expect(
    await messageAfter((value) => ({ ...value, long: `${x(2_000_000)}y${value.long.slice(2_000_001)}` })),
  ).toBe(`the document: expected …${x(200)}…, got …${x(60)}y${x(139)}…`)
  const early = (id: string) => {
    const items = Array.from({ length: 4 }, (_, i) => ({ id: String(i), name: `name-${i} é😀`, n: i / 7 }))
    return JSON.stringify({ value: { items: [{ ...items[0], id }, ...items.slice(1)] } }).slice(0, 200)
  }
  expect(
    await messageAfter(({ items: [first, ...others], ...rest }) => ({
      items: [{ ...first, id: 'y' }, ...others],
      ...rest,
    })),
  ).toBe(`the document: expected ${early('0')}…, got ${early('y')}…`)
  const late = await messageAfter((value) => ({ ...value, end: 'END' }))
  expect(late).toMatch(
    /^the document: expected …[^…]{53}"end":"end"\},"revision":"revision-1"\}, got …[^…]{53}"end":"END/,
  )
  expect(late.endsWith('}')).toBe(true)
})

test('docs/storage.md lists every promise of the contract, and the docs count the wrong stores', () => {
  const [, section = ''] = read('docs/storage.md').split('\n## The promises\n')
  expect(section.replace(/\s+/g, ' ')).toContain(
    `The ${storePromises().length} promises of \`storeContract\` reject each of ${wrongStores.length} wrong stores`,
  )
  expect(read('docs/embed.md')).toContain(`its [${storePromises().length} promises](storage.md#the-promises)`)
  expect(read('docs/reliability.md')).toContain(`rejects each of ${wrongStores.length} wrong stores`)
  const items = section.split('\n## ')[0]!.matchAll(/^- (.+)$/gm)
  expect(Array.from(items, ([, title]) => title)).toEqual(storePromises())
})
