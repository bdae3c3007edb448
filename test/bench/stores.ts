/**
 * Contests of the stores: the processor time that a registry's calls cost its process, times that of the same
 * statements sent through the driver by itself. Calls of eight applications run at once, as in a server: a process that
 * waits for one answer at a time falls asleep or not by chance, and to wake up costs as much as the call. `DATABASE_URL`
 * and `REDIS_URL` say where.
 */
import { randomUUID } from 'node:crypto'
import type { Store } from 'commandry'
import type { Contender, ContestRow, Operation } from './contest.ts'
import { small } from './payloads.ts'

const APPLICATIONS = Array.from({ length: 8 }, (_, i) => String(1001 + i))
const COMMANDS = 20

type Statement = readonly [text: string, values: string[]]

interface Driver {
  send(...statement: Statement): PromiseLike<unknown>
  /** A store over the driver, or over one that records what the store sends. */
  store(record?: (statement: Statement) => void): Promise<Store>
}

async function postgres(): Promise<Driver> {
  const { default: pg } = await import('pg')
  const { postgresStore } = await import('commandry/storage/postgres')
  const client = new pg.Client({ connectionString: process.env['DATABASE_URL'] })
  await client.connect()
  const send: Driver['send'] = (text, values) => client.query(text, values)
  // A temporary table belongs to this connection and ends with it.
  const options = { table: 'pg_temp.commandry_bench' }
  return {
    send,
    store: async (record) =>
      postgresStore(
        record === undefined ? client : { query: (...it) => (record(it), client.query(...it)) },
        options,
      ),
  }
}

async function redis(): Promise<Driver> {
  const { Redis } = await import('ioredis')
  const { redisStore } = await import('commandry/storage/redis')
  const client = new Redis(process.env['REDIS_URL']!, { autoResendUnfulfilledCommands: false })
  const prefix = `commandry:bench:${process.pid}:`
  const keys = APPLICATIONS.map((id) => `${prefix}scope/${id}/global`)
  process.prependOnceListener('disconnect', () => void client.del(...keys))
  const send: Driver['send'] = (command, args) => client.call(command, args)
  const recording = (record: (statement: Statement) => void) =>
    Object.assign(Object.create(client) as typeof client, {
      call: (...statement: Statement) => (record(statement), send(...statement)),
    })
  return {
    send,
    store: async (record) => redisStore(record === undefined ? client : recording(record), { prefix }),
  }
}

/** A scope in a store, and what reads or changes it. */
async function prepare(store: Store, applicationId: string) {
  const { CommandRegistry, globalScope } = await import('commandry')
  const registry = new CommandRegistry({ store })
  const scope = globalScope(applicationId)
  const bodies = Array.from({ length: COMMANDS }, (_, i) => ({ ...small, name: `command_${i}` }))
  await registry.overwrite(scope, bodies)
  const read = () => registry.list(scope)
  const write = (turn: number) => registry.upsert(scope, { ...bodies[3], description: `changed ${turn & 1}` })
  await write(0)
  return { read, write }
}

const calling =
  (open: () => Promise<Driver>, isWrite: boolean): Contender =>
  async () => {
    const store = await (await open()).store()
    const scopes = await Promise.all(APPLICATIONS.map((id) => prepare(store, id)))
    return warm(together(scopes.map(({ read, write }) => (isWrite ? write : read))))
  }

const replaying =
  (open: () => Promise<Driver>, isWrite: boolean): Contender =>
  async () => {
    const driver = await open()
    const operations: Operation[] = []
    for (const applicationId of APPLICATIONS) operations.push(await replay(driver, applicationId, isWrite))
    return warm(together(operations))
  }

/** Sends the statements of a call again. */
async function replay(driver: Driver, applicationId: string, isWrite: boolean): Promise<Operation> {
  const sent: Statement[] = []
  const { read, write } = await prepare(
    await driver.store((statement) => sent.push(statement)),
    applicationId,
  )
  sent.length = 0
  if (!isWrite) {
    await read()
    return () => driver.send(...sent[0]!)
  }
  await write(1)
  await write(0)
  const [reading, first, , second] = sent as [Statement, Statement, Statement, Statement]
  // Each write expects the revision of the one before, which the first of two has as its own.
  const known = new Set(first[1])
  const [before, after] = second[1].filter((value) => UUID.test(value)).sort((a) => (known.has(a) ? -1 : 1))
  let current = after!
  return async () => {
    const next = randomUUID()
    const values = second[1].map((value) => (value === before ? current : value === after ? next : value))
    await driver.send(...reading)
    await driver.send(second[0], values)
    current = next
  }
}

const together =
  (operations: readonly Operation[]): Operation =>
  (turn) =>
    Promise.all(operations.map((run) => run(turn)))

const WARM_UP = 2_000

/** Runs an operation until V8 has compiled it: that takes calls, of which few fit into the time for warming up. */
async function warm(operation: Operation): Promise<Operation> {
  for (let turn = 0; turn < WARM_UP; turn++) await operation(turn)
  return operation
}

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/

const row = (figure: string, goal: number, open: () => Promise<Driver>, isWrite: boolean): ContestRow => ({
  figure,
  goal,
  contest: () => ({ driver: replaying(open, isWrite), commandry: calling(open, isWrite) }),
})

export const storeRows: readonly ContestRow[] = [
  row('PostgreSQL `list`', 1.3, postgres, false),
  row('PostgreSQL `upsert`', 1.5, postgres, true),
  row('Redis `list`', 1.3, redis, false),
  row('Redis `upsert`', 2, redis, true),
]
