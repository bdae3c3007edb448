/**
 * Prints what calls cost as a store fills up, as JSON: microseconds and bytes allocated for one call, by the number of
 * applications. In memory and in SQLite it is processor time, in PostgreSQL the time until the answer.
 */
import { setTimeout } from 'node:timers/promises'
import { CommandRegistry, globalScope, memoryStore, type Store } from 'commandry'
import { postgresStore } from 'commandry/storage/postgres'
import { sqliteStore } from 'commandry/storage/sqlite'
import { connectSqlite } from '../storage/place.ts'
import { seeded } from '../support/random.ts'
import { median, processorTime } from './contest.ts'
import { fillStore, otherApplication, sqlOfOtherApplication } from './fill.ts'
import { small } from './payloads.ts'

/** One point of a curve. */
export interface Cost {
  readonly applications: number
  readonly call: string
  readonly microseconds: number
  readonly bytes: number
}

interface Filled {
  readonly store: Store
  readonly most: number
  /** Adds the other applications with these numbers. */
  fill(from: number, to: number): Promise<unknown>
  close(): Promise<unknown>
  now(): number
}

const APPLICATION = '1001'
const KEY = `scope/${APPLICATION}/global`
const collect = (globalThis as unknown as { gc(): void }).gc

/** Waits while threads of the collector still sweep: they would count as time of the calls. */
async function settled(): Promise<void> {
  let before: number
  do {
    before = processorTime()
    await setTimeout(200)
  } while (processorTime() - before > 10_000)
}

async function memory(): Promise<Filled> {
  const store = memoryStore()
  return {
    store,
    most: 1_000_000,
    fill: (from, to) => fillStore(store, APPLICATION, from, to),
    close: async () => undefined,
    now: processorTime,
  }
}

const ID = sqlOfOtherApplication('n')

/** Copies the row of the first application for other ones; `numbers` has theirs as `n`. */
const copyRows = (numbers: string, revision: string) =>
  `INSERT INTO commandry_bench (key, revision, value)
  SELECT 'scope/' || ${ID} || '/global', ${revision}, replace(value, '"${APPLICATION}"', '"' || ${ID} || '"')
  FROM commandry_bench, ${numbers} WHERE key = '${KEY}'`

async function sqlite(): Promise<Filled> {
  const database = connectSqlite(':memory:')
  const series = (from: number, to: number) =>
    `(WITH RECURSIVE s(n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM s WHERE n < ${to - 1}) SELECT n FROM s)`
  return {
    store: sqliteStore(database, { table: 'commandry_bench' }),
    most: 100_000,
    fill: async (from, to) => void database.exec(copyRows(series(from, to), 'lower(hex(randomblob(18)))')),
    close: async () => void database.close(),
    now: processorTime,
  }
}

async function postgres(): Promise<Filled> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: process.env['DATABASE_URL'] })
  await client.connect()
  await client.query(`CREATE SCHEMA commandry_bench_${process.pid}`)
  await client.query(`SET search_path TO commandry_bench_${process.pid}`)
  return {
    store: postgresStore(client, { table: 'commandry_bench' }),
    most: 100_000,
    async fill(from, to) {
      await client.query(
        copyRows(`generate_series(${from}::bigint, ${to - 1}::bigint) AS s(n)`, 'gen_random_uuid()'),
      )
      await client.query('ANALYZE commandry_bench')
    },
    async close() {
      await client.query(`DROP SCHEMA commandry_bench_${process.pid} CASCADE`)
      await client.end()
    },
    now: () => performance.now() * 1000,
  }
}

const stores: Readonly<Record<string, () => Promise<Filled>>> = { memory, sqlite, postgres }
const { store, most, fill, close, now } = await stores[process.argv[2]!]!()
const registry = new CommandRegistry({ store })
const bodies = Array.from({ length: 3 }, (_, i) => ({ ...small, name: `command_${i}` }))
const commands = await registry.overwrite(globalScope(APPLICATION), bodies)
const viewer = (applicationId: string) => ({
  applicationId,
  guildId: '2001',
  channel: { id: '4001', type: 0 },
  member: { user: { id: '5001' }, roles: [], permissions: '2147483648' },
  locale: 'de',
})

let turn = 0
const calls: Readonly<Record<string, (application: string) => Promise<unknown>>> = {
  get: (application) => registry.get(globalScope(application), commands[1]!.id),
  upsert: (application) =>
    registry.upsert(globalScope(application), { ...bodies[1], description: `changed ${turn++}` }),
  list: (application) => registry.list(globalScope(application)),
  commandsFor: (application) => registry.commandsFor(viewer(application) as never),
}

const BATCHES = 25
// Each write of PostgreSQL waits for the disk.
const BATCH = process.argv[2] === 'postgres' ? 20 : 200

async function measure(applications: number, call: string): Promise<Cost> {
  const random = seeded(applications)
  const run = calls[call]!
  const any = () => (applications === 1 ? APPLICATION : otherApplication(random.below(applications - 1)))
  for (let i = 0; i < 5 * BATCH; i++) await run(any())
  collect()
  await settled()
  const microseconds: number[] = []
  const bytes: number[] = []
  for (let batch = 0; batch < BATCHES; batch++) {
    const chosen = Array.from({ length: BATCH }, any)
    const used = process.memoryUsage().heapUsed
    const start = now()
    for (const application of chosen) await run(application)
    microseconds.push((now() - start) / BATCH)
    // A collection in between makes it negative; most batches have none.
    bytes.push((process.memoryUsage().heapUsed - used) / BATCH)
  }
  return { applications, call, microseconds: median(microseconds), bytes: median(bytes) }
}

const costs: Cost[] = []
try {
  for (let applications = 1, filled = 0; applications <= most; applications *= 10) {
    if (applications > 1) await fill(filled, applications - 1)
    filled = applications - 1
    for (const call of Object.keys(calls)) costs.push(await measure(applications, call))
  }
} finally {
  await close()
}
process.stdout.write(JSON.stringify(costs))
