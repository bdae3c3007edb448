/** Backups that are restored below running registries, and servers that fail over to their replicas. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Kvm } from '@nats-io/kv'
import { connect } from '@nats-io/transport-node'
import { Redis } from 'ioredis'
import pg from 'pg'
import { natsStore } from '../../docs/examples/nats-store.ts'
import { newDirectory } from '../support/directory.ts'
import { onFreePort } from '../support/ports.ts'
import { seeded } from '../support/random.ts'
import { restoreRepeatedly, workUnderRestores, type WriteHistory } from '../support/restored-history.ts'
import { redisBackUp, tableBackUp, type BackUp } from '../storage/backups.ts'
import { grounds, type Ground } from '../storage/grounds.ts'
import { connectSqlite, openPlace, type OpenPlace, type Place } from '../storage/place.ts'
import { postgresPrograms, startReplicatedPostgres } from '../storage/postgres-server.ts'
import { hasRedisServer, startReplicatedRedis } from '../storage/redis-servers.ts'
import { openProxy } from '../storage/tcp-proxy.ts'
import { hasProgram } from '../support/programs.ts'
import type { Outcome, Trial } from './trial.ts'
import { passed } from '../support/waiting.ts'

const REGISTRIES = 6
const RESTORES = 12

interface Opened {
  readonly stores: readonly OpenPlace[]
  readonly backUp: BackUp
  close(): Promise<unknown>
}

/** The way to back up a place, over a connection of its own. */
async function backUpOf(place: Exclude<Place, { kind: 'nats' }>): Promise<Pick<Opened, 'backUp' | 'close'>> {
  switch (place.kind) {
    case 'sqlite':
    case 'd1': {
      const connection = connectSqlite(place.file)
      connection.exec('PRAGMA busy_timeout = 60000')
      const run = (statements: readonly string[]) =>
        connection.exec(['BEGIN IMMEDIATE', ...statements, 'COMMIT'].join(';'))
      return { backUp: tableBackUp(run, 'commandry_documents'), close: async () => void connection.close() }
    }
    case 'postgres': {
      const pool = new pg.Pool({ connectionString: place.url, max: 1 })
      const copies: string[] = []
      const run = (statements: readonly string[]) => {
        for (const one of statements) copies.push(...(/CREATE TABLE (\w+)/.exec(one)?.slice(1) ?? []))
        return pool.query(statements.join(';'))
      }
      const close = async () => {
        for (const copy of copies) await pool.query(`DROP TABLE IF EXISTS ${copy}`)
        await pool.end()
      }
      return { backUp: tableBackUp(run, place.table, [`LOCK TABLE ${place.table}`]), close }
    }
    case 'redis': {
      const client = new Redis(place.url)
      return { backUp: redisBackUp(client, place.prefix), close: async () => client.disconnect() }
    }
    case 'mariadb': {
      const { createConnection } = createRequire(import.meta.url)('mysql2/promise')
      const uri = new URL(place.name, place.url).href
      const connection = await createConnection({ uri, multipleStatements: true })
      const run = async (statements: readonly string[]) => {
        const isCopy = statements.length === 1
        // Writers wait: they need the table.
        const all = isCopy ? statements : [...statements.slice(0, -2), ...locked(statements.slice(-2))]
        await connection.query(all.join(';'))
      }
      return { backUp: tableBackUp(run, 'commandry_documents'), close: () => connection.end() }
    }
  }
}

function locked([remove = '', insert = '']: readonly string[]): readonly string[] {
  const copy = /FROM (\w+)$/.exec(insert)![1]
  return [`LOCK TABLES commandry_documents WRITE, ${copy} READ`, remove, insert, 'UNLOCK TABLES']
}

async function openAt(ground: Ground): Promise<Opened> {
  const { place, remove } = ground.place()
  assert.ok(place.kind !== 'nats')
  const stores: OpenPlace[] = []
  for (let i = 0; i < REGISTRIES; i++) stores.push(await openPlace(place))
  // The first read makes the table.
  await stores[0]!.store.read(['x'])
  const { backUp, close } = await backUpOf(place)
  return {
    stores,
    backUp,
    async close() {
      await close()
      await Promise.all(stores.map((one) => one.close()))
      await remove()
    },
  }
}

/** A server of NATS of the trial's own, which is stopped for a copy of its files. */
async function openNats(): Promise<Opened> {
  const directory = newDirectory()
  const [data, copies] = [join(directory, 'data'), join(directory, 'copy')]
  const run = (port: number) =>
    spawn('nats-server', ['-js', '-sd', data, '-p', `${port}`, '-a', '127.0.0.1'], { stdio: 'ignore' })
  const options = { maxReconnectAttempts: -1, reconnectTimeWait: 50 }
  const start = async (port: number) => {
    const child = run(port)
    const servers = `127.0.0.1:${port}`
    for (let tries = 0; ; tries++) {
      assert.ok(child.exitCode === null && tries < 600, 'nats-server ended')
      const connection = await connect({ servers, reconnect: false }).catch(() => undefined)
      // It answers before it has read its files.
      const isReady = await connection?.request('$JS.API.INFO', '').then(
        () => true,
        () => false,
      )
      await connection?.close()
      if (isReady === true) return { child, port, servers }
      await passed(50)
    }
  }
  let server = await onFreePort(start)
  const stop = async () => {
    server.child.kill('SIGTERM')
    if (server.child.exitCode === null) await once(server.child, 'exit')
  }
  const stores: OpenPlace[] = []
  for (let i = 0; i < REGISTRIES; i++) {
    const connection = await connect({ servers: server.servers, ...options })
    const kv = await new Kvm(connection).create('commandry', { history: 1, allow_direct: false })
    stores.push({ store: natsStore(kv), close: () => connection.close() })
  }
  let count = 0
  return {
    stores,
    async backUp() {
      const copy = `${copies}${++count}`
      await stop()
      cpSync(data, copy, { recursive: true })
      server = await start(server.port)
      return async () => {
        await stop()
        rmSync(data, { recursive: true })
        cpSync(copy, data, { recursive: true })
        server = await start(server.port)
      }
    },
    async close() {
      await Promise.all(stores.map((one) => one.close()))
      await stop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function restored(store: string, missing: string | undefined, open: () => Promise<Opened>): Trial {
  return {
    what: 'backups restored below registries',
    store,
    missing,
    async run(seed): Promise<Outcome> {
      const { stores, backUp, close } = await open()
      try {
        const random = seeded(seed)
        // Clients need seconds until they have found a server that was started again.
        const rounds = store === 'NATS' ? 2 : RESTORES
        const disturb = (history: WriteHistory) => restoreRepeatedly(history, backUp, random, rounds)
        const worked = await workUnderRestores({ stores: stores.map((one) => one.store), random, disturb })
        const { history, calls, unread } = worked
        return { calls, faults: history.restores.length, note: `${unread} writes of a round without a read` }
      } finally {
        await close()
      }
    },
  }
}

// --- Failover -----------------------------------------------------------------------------------------------------

interface Replicated {
  readonly url: string
  failOver(): Promise<number>
  stop(): Promise<unknown>
}

interface Failing {
  readonly what: string
  readonly store: string
  readonly missing: string | undefined
  start(): Promise<Replicated>
  place(url: string): Place
  /** Whether no acknowledged write may be lost. */
  readonly keepsAll: boolean
}

const noPostgres = postgresPrograms() === undefined ? 'no programs of PostgreSQL' : undefined
const postgresPlace = (url: string): Place => ({ kind: 'postgres', url, table: 'documents' })

const failing: readonly Failing[] = [
  {
    what: 'replica promoted',
    store: 'Redis',
    missing: hasRedisServer() ? undefined : 'no redis-server',
    start: startReplicatedRedis,
    place: (url) => ({ kind: 'redis', url, prefix: 'torture:' }),
    keepsAll: false,
  },
  {
    what: 'synchronous standby promoted',
    store: 'PostgreSQL',
    missing: noPostgres,
    start: () => startReplicatedPostgres(true),
    place: postgresPlace,
    keepsAll: true,
  },
  {
    what: 'standby promoted',
    store: 'PostgreSQL',
    missing: noPostgres,
    start: () => startReplicatedPostgres(false),
    place: postgresPlace,
    keepsAll: false,
  },
]

/** Registries go on over a proxy, which leads to the replica once that has taken over. */
function failedOver({ what, store, missing, start, place, keepsAll }: Failing): Trial {
  let most = 0
  return {
    what,
    store,
    missing,
    async run(seed): Promise<Outcome> {
      const servers = await start()
      const proxy = await openProxy(servers.url)
      const stores: OpenPlace[] = []
      try {
        for (let i = 0; i < REGISTRIES; i++) stores.push(await openPlace(place(proxy.url)))
        await stores[0]!.store.read(['x'])
        const random = seeded(seed)
        let lost = 0
        const disturb = async (history: WriteHistory) => {
          await history.someWrites(200 + random.below(400))
          const begin = performance.now()
          const port = await servers.failOver()
          const url = new URL(servers.url)
          url.port = `${port}`
          const replica = await openPlace(place(url.href))
          lost = await history.lostIn(replica.store)
          await replica.close()
          history.restores.push({ start: begin, end: performance.now() })
          proxy.leadTo(port)
          await history.someWrites(200)
        }
        const { calls } = await workUnderRestores({ stores: stores.map((one) => one.store), random, disturb })
        assert.ok(!keepsAll || lost === 0, `${lost} acknowledged writes are not on the standby`)
        most = Math.max(most, lost)
        return { calls, faults: 1, note: `acknowledged and not on the replica: at most ${most}` }
      } finally {
        await Promise.all(stores.map((one) => one.close()))
        await proxy.close()
        await servers.stop()
      }
    },
  }
}

const noNats = hasProgram('nats-server') ? undefined : 'no nats-server'

export const restores = (): readonly Trial[] => [
  ...grounds
    .filter(({ name }) => name !== 'NATS')
    .map((ground) => restored(ground.name, ground.missing, () => openAt(ground))),
  restored('NATS', noNats, openNats),
  ...failing.map(failedOver),
]
