import { connect, type NatsConnection } from '@nats-io/transport-node'
import { jetstream } from '@nats-io/jetstream'
import { Kvm } from '@nats-io/kv'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { CommandRegistry } from 'commandry'
import { here as scope } from '../support/fixtures.ts'
import { expectCreatedOnce, put } from './checks.ts'
import { natsBackUp } from './backups.ts'
import { proxyTo } from './proxy.ts'
import { natsStore } from '../../docs/examples/nats-store.ts'
import { storeContract } from 'commandry/testing'
import { failingMedium, throughMedium } from './outages.ts'
import { contractTest, fastContractTest, missing, needing, ownName } from './servers.ts'

const url = process.env['NATS_URL']
const { title, skip } = needing('the NATS adapter of docs/storage.md', missing('NATS_URL'))

describe.skipIf(skip)(title, () => {
  const connections: NatsConnection[] = []
  beforeAll(async () => {
    if (url === undefined) expect.fail('no NATS_URL')
    for (let i = 0; i < 2; i++) connections.push(await connect({ servers: url }))
  })
  afterAll(async () => {
    for (const connection of connections) await connection.close()
  })

  async function open() {
    const name = ownName()
    const options = { history: 1, allow_direct: false }
    const first = await new Kvm(connections[0]!).create(name, options)
    const second = await new Kvm(connections[1]!).create(name, options)
    return {
      store: natsStore(first),
      peers: [natsStore(second)],
      reopen: async () => natsStore(await new Kvm(connections[1]!).open(name)),
      backUp: natsBackUp(connections[0]!, name, options),
      close: () => first.destroy(),
      bucket: first,
      name,
    }
  }

  storeContract({ test: contractTest, durable: true, restorable: true, open })

  describe('whose medium fails', () => {
    storeContract({
      test: fastContractTest,
      failing: true,
      async open() {
        const bucket = await new Kvm(connections[0]!).create(ownName(), { history: 1, allow_direct: false })
        const medium = failingMedium()
        const connect = () =>
          natsStore(throughMedium(bucket, medium, 'get', 'put', 'delete', 'purge', 'keys'))
        return { store: connect(), peers: [connect()], fail: medium.fail, close: () => bucket.destroy() }
      },
    })
  })

  test('removes all parts of a replaced or removed large document', async () => {
    const { store, bucket, close } = await open()
    const large = 'é'.repeat(1_500_000)
    const first = await put(store, 'key', null, large)
    const second = await put(store, 'key', first, `${large}!`)
    expect((await store.read(['key']))[0]?.value).toBe(`${large}!`)
    expect(await store.write('key', first, large)).toEqual({ ok: false })
    await put(store, 'key', second, undefined)
    const left: string[] = []
    for await (const name of await bucket.keys()) left.push(name)
    expect(left).toEqual([])
    await close()
  })

  test('does not create a document again that was removed before the lost answer', async () => {
    const { store: direct, name, close } = await open()
    const proxy = await proxyTo(url!)
    const connection = await connect({ servers: proxy.url, reconnectTimeWait: 10 })
    onTestFinished(() => connection.close())
    const kv = await new Kvm(jetstream(connection, { timeout: 2_000 })).open(name)
    await expectCreatedOnce(proxy, natsStore(kv), direct, 'PUB $KV.')
    await close()
  })

  test('creates a removed document, of which a marker is left, once', async () => {
    const { store, peers, close } = await open()
    await put(store, 'key', await put(store, 'key', null, 1), undefined)
    const written = await Promise.all([store, ...peers].map((each, i) => each.write('key', null, i)))
    expect(written.filter(({ ok }) => ok)).toHaveLength(1)
    await close()
  })

  test('supports several registries', async () => {
    const { store, peers, close } = await open()
    const registries = [store, ...peers].map((each) => new CommandRegistry({ store: each }))
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        registries[i % 2]!.upsert(scope, { name: `c${i}`, description: 'b' }),
      ),
    )
    expect(await registries[0]!.list(scope)).toHaveLength(20)
    expect(await registries[1]!.list(scope)).toEqual(await registries[0]!.list(scope))
    await close()
  })
})
