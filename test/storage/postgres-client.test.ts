/** The use of a client, without a server. */
import { expect, test } from 'vitest'
import { type PostgresClient, postgresStore } from 'commandry/storage/postgres'

/** A client that fails with the given errors in turn, and then succeeds. */
function failing(...failures: readonly (object | undefined)[]): {
  client: PostgresClient
  asked: () => number
} {
  let asked = 0
  return {
    asked: () => asked,
    client: {
      async query() {
        const failure = failures[asked++]
        if (failure !== undefined) throw Object.assign(new Error('failed'), failure)
        return { rows: [{}] }
      },
    },
  }
}

test('sends one query at a time to a connection, and many to a pool', async () => {
  const busiest = async (nature: object) => {
    let busy = 0
    let most = 0
    const client = {
      ...nature,
      async query() {
        most = Math.max(most, ++busy)
        await Promise.resolve()
        busy--
        if (most === 1) throw new Error('one that fails does not hold up the others')
        return { rows: [] }
      },
    }
    const store = postgresStore(client)
    await Promise.allSettled(Array.from({ length: 5 }, () => store.read(['key'])))
    return most
  }
  // The members that distinguish a Client of pg from its Pool.
  expect(await busiest({ connection: {} })).toBe(1)
  expect(await busiest({ totalCount: 4 })).toBe(5)
  expect(await busiest({})).toBe(5)
})

test.each([
  ['retries serialization failures', ['40001', '40P01', '40001']],
  // 42P01 is a missing table. An empty code is a success.
  ...['42P07', '42710', '23505', 'XX000'].map((code) => ['uses a table that exists by now', ['42P01', code]]),
  ...['42704', '42601', '0A000', '22023'].map((code) => [
    'creates the table without an unknown collation',
    ['42P01', code, ''],
  ]),
  ['sends ASCII to a database that lacks a character', ['22P05']],
] as [string, string[]][])('%s: %j', async (_, codes) => {
  const { client, asked } = failing(...codes.map((code) => (code === '' ? undefined : { code })))
  expect((await postgresStore(client).write('key', null, 'ä')).ok).toBe(true)
  expect(asked()).toBe(codes.length + 1)
})

test('creates a table once when the database refuses it', async () => {
  const { client, asked } = failing({ code: '42P01' }, { code: '42501' })
  await expect(postgresStore(client).write('key', null, 1)).rejects.toMatchObject({ mayHaveHappened: false })
  expect(asked()).toBe(2)
})

test('reports that nothing was written when serialization keeps failing', async () => {
  const { client, asked } = failing(...Array<object>(100).fill({ code: '40001' }))
  await expect(postgresStore(client).write('key', null, 1)).rejects.toMatchObject({ mayHaveHappened: false })
  expect(asked()).toBe(10)
})

test.each<[object, boolean]>([
  ...['40003', '08006', 'ECONNRESET', 'EPIPE'].map((code): [object, boolean] => [{ code }, true]),
  [{ code: '57P01', severity: 'FATAL' }, true],
  [{ code: '53100', severity: 'PANIC' }, true],
  [{ code: 'XX000', severity: 'ERROR' }, true],
  [{}, true],
  [{ code: '53100', severity: 'ERROR' }, false],
  [{ code: '53300', severity: 'FATAL' }, false],
  ...'57014 57P03 25006 42501 22021 ENOTFOUND EAI_AGAIN CONNECT_TIMEOUT'
    .split(' ')
    .map((code): [object, boolean] => [{ code }, false]),
  [{ code: 'ERR_POSTGRES_SERVER_ERROR', errno: '42501' }, false],
])('reports, for %j, mayHaveHappened %s', async (properties, mayHaveHappened) => {
  const { client } = failing(properties)
  await expect(postgresStore(client).write('key', null, 1)).rejects.toMatchObject({ mayHaveHappened })
})

test('sends ASCII from the first character that the database cannot store', async () => {
  const sent: string[] = []
  const client: PostgresClient = {
    async query(_: string, values: string[]) {
      const [, , json = ''] = values
      if (sent.push(json) === 1) throw Object.assign(new Error('failed'), { code: '22P05' })
      return { rows: [{}] }
    },
  }
  const store = postgresStore(client)
  for (const key of ['a', 'b']) await store.write(key, null, 'ä')
  expect(sent).toEqual(['"ä"', '"\\u00e4"', '"\\u00e4"'])
})

test('reports no announcement after the end, even if postgres listens again', async () => {
  const reported: string[] = []
  let announce = (_: string) => {}
  let listenAgain = () => {}
  const client = {
    query: async () => ({ rows: [] }),
    async listen(_: string, received: (message: string) => void, listening: () => void) {
      announce = received
      listenAgain = listening
      listening()
      return { unlisten: async () => {} }
    },
  }
  const { announcements } = postgresStore(client, { notify: 'changes' })
  const end = await announcements!.listen({
    received: (message) => reported.push(message),
    lost: () => reported.push('lost'),
    again: () => reported.push('again'),
  })
  const happen = () => {
    listenAgain()
    announce('message')
  }
  happen()
  expect(reported).toEqual(['again', 'message'])
  end()
  happen()
  expect(reported).toEqual(['again', 'message'])
})
