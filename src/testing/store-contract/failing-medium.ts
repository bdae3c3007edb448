/** Promises about a medium that fails: what failed is an error, and nothing is guessed, repeated or remembered. */
import {
  expectSame,
  expectTrue,
  firstKeys,
  outcome,
  shortText,
  type Outage,
  type Promises,
} from './checked-store.ts'

const outages: readonly Outage[] = ['refuse', 'lose', 'hang']

/** The promises of stores whose medium a test can make fail. */
export const failingPromises: Promises = {
  async 'rejects a read that the medium refuses, and never takes it for a missing document'(store) {
    await store.create('kept', 'kept')
    await store.during('refuse', async () => {
      for (const keys of [['kept'], ['absent'], ['kept', 'absent'], ['absent', 'kept', 'kept']])
        for (const reader of store.all)
          await expectRejection(reader.read(keys), `a read of ${shortText(keys)} that the medium refused`)
    })
    await store.expectDocuments(['kept', 'absent'])
  },

  async 'rejects a listing that the medium refuses, at its start or later, and never ends it early'(store) {
    const keys = Array.from({ length: 1300 }, (_, i) => `key/${String(i).padStart(4, '0')}`)
    await Promise.all(keys.map((key) => store.create(key, 0)))
    await store.during('refuse', () =>
      expectRejection(firstKeys(store.list('key/'), keys.length), 'a refused listing'),
    )
    for (const taken of [1, 700, 1299]) {
      const listing = store.list('key/')[Symbol.asyncIterator]()
      const found: string[] = []
      for (let i = 0; i < taken; i++) found.push((await listing.next()).value as string)
      // A store that has the other keys in memory may list them.
      await store.during('refuse', async () => {
        const rest = await outcome(firstKeys({ [Symbol.asyncIterator]: () => listing }, keys.length))
        if (rest.ok) expectSame([...found, ...rest.value], keys, `a listing that failed after ${taken} keys`)
      })
    }
    await store.expectKeys('key/')
  },

  async 'changes nothing by a write that the medium refuses, neither then nor later'(store) {
    await store.create('replaced', 'before')
    await store.create('removed', 'before')
    await store.failWrite('refuse', 'created', 'refused')
    await store.failWrite('refuse', 'replaced', 'refused')
    await store.failWrite('refuse', 'removed', undefined)
    for (let i = 0; i < 3; i++) {
      await store.create(`other/${i}`, i)
      await store.expectDocuments(['created', 'replaced', 'removed'])
    }
    await store.create('created', 'after')
    await store.replace('replaced', 'after')
    await store.remove('removed')
  },

  async 'rejects a write whose answer is lost, and never repeats it'(store) {
    for (const writer of store.all) {
      await store.failWrite('lose', 'created', 'lost')
      await store.removeIfPresent('created', writer)
      await store.create('replaced', 'before')
      await store.failWrite('lose', 'replaced', 'lost')
      await store.replace('replaced', 'after', writer)
      await store.failWrite('lose', 'replaced', undefined)
      await store.removeIfPresent('replaced', writer)
      for (let i = 0; i < 3; i++) await store.expectDocuments(['created', 'replaced', `other/${i}`])
    }
  },

  async 'answers a call that hung only with the truth'(store) {
    await store.create('kept', 'kept')
    const pending = await store.during('hang', async () => [
      outcome(store.all[0]!.read(['kept', 'absent'])),
      outcome(firstKeys(store.list(''), 1)),
    ])
    const [read, list] = await Promise.all(pending)
    if (read!.ok) {
      const [kept, absent] = read!.value as readonly { readonly value: unknown }[]
      expectSame([kept?.value, absent], ['kept', undefined], 'the documents of a read that hung')
    }
    if (list!.ok) expectSame(list!.value, ['kept'], 'the keys of a listing that hung')
    await store.failWrite('hang', 'kept', 'replaced')
    await store.failWrite('hang', 'created', 'created')
    await store.expectKeys()
  },

  async 'answers the next call after one that failed, on every connection'(store) {
    for (const [i, outage] of outages.entries()) {
      await store.create(`key/${i}`, 'before')
      // Several calls fail at once: each must leave its connection as it was.
      const failed = await store.during(outage, async () => {
        const calls = store.writers.map((writer) => outcome(writer.read(['key/0', 'key/1'])))
        if (outage !== 'hang') await Promise.all(calls)
        return calls
      })
      await Promise.all(failed)
      for (const connection of store.all) {
        await store.expectDocument(`key/${i}`, `a document after the medium failed (${outage})`, connection)
        await store.replace(`key/${i}`, `after ${outage}`, connection)
        await store.expectKeys('key/', `the keys after the medium failed (${outage})`, connection)
      }
    }
  },
}

async function expectRejection(call: Promise<unknown>, what: string): Promise<void> {
  const ended = await outcome(call)
  expectTrue(!ended.ok, `${what} must reject; it resolved with ${shortText(ended.ok && ended.value)}`)
}
