/**
 * The numbers of docs/scaling.md: `DATABASE_URL=… REDIS_URL=… node test/bench/run.mjs scaling`.
 * Parts by name: throughput, http, cost, notify, failover, cutoff.
 */
import { fork } from 'node:child_process'
import { Agent, request } from 'node:http'
import { connect, createServer, type AddressInfo } from 'node:net'
import { availableParallelism, cpus } from 'node:os'
import { Cluster } from 'ioredis'
import pg from 'pg'
import { CommandRegistry, guildScope, type Store } from '../../src/index.ts'
import { postgresStore } from '../../src/storage/postgres.ts'
import { redisStore } from '../../src/storage/redis.ts'
import { openPlace, type Place } from '../storage/place.ts'
import { seeded } from '../support/random.ts'
import { startBenchCluster, type BenchCluster } from './cluster.ts'
import type { Load, LoadResult } from './load.ts'
import { openBenchPlace, type BenchPlace } from './places.ts'

const [loadProgram = '', serverProgram = '', ...parts] = process.argv.slice(2)
const wants = (part: string) => parts.length === 0 || parts.includes(part)
const databaseUrl = process.env['DATABASE_URL']!
const redisUrl = process.env['REDIS_URL']!
const APPLICATIONS = 64
const COMMANDS = 20
const table = `commandry_bench_${process.pid}`
const postgres: Place = { kind: 'postgres', url: databaseUrl, table }

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))

console.log(
  `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.version}`,
)

async function fill(place: BenchPlace): Promise<void> {
  const { store, close } = await openBenchPlace(place)
  const registry = new CommandRegistry({ store })
  for (let i = 0; i < APPLICATIONS; i++) {
    const bodies = Array.from({ length: COMMANDS }, (_, j) => ({
      name: `c${j}`,
      description: 'as it was at first',
    }))
    await registry.overwrite(guildScope(String(1000 + i), '2001'), bodies)
  }
  await close()
}

async function together(place: BenchPlace, kind: Load['kind'], processes: number): Promise<void> {
  const children = Array.from({ length: processes }, (_, i) => {
    const load: Load = {
      place,
      kind,
      milliseconds: 4000,
      inFlight: 8,
      applications: APPLICATIONS,
      seed: i + 1,
    }
    return fork(loadProgram, [JSON.stringify(load)])
  })
  const heard = () =>
    children.map((child) => new Promise<unknown>((resolve) => child.once('message', resolve)))
  await Promise.all(heard())
  const results = heard()
  for (const child of children) child.send('begin')
  const all = (await Promise.all(results)) as LoadResult[]
  const rate = all.reduce((sum, { calls }) => sum + calls, 0) / 4
  const worst = (of: 'median' | 'p99') => Math.max(...all.map((one) => one[of])).toFixed(1)
  console.log(
    `${place.kind} ${kind} ${processes}: ${Math.round(rate)}/s, median ${worst('median')} ms, p99 ${worst('p99')} ms`,
  )
}

async function throughput(place: BenchPlace): Promise<void> {
  await fill(place)
  for (const kind of ['read', 'write'] as const)
    for (const processes of [1, 2, 4]) await together(place, kind, processes)
}

// --- Servers over HTTP ----------------------------------------------------------------------------------------------

/** Keeps 32 requests under way for four seconds, spread over the servers in turn, and counts the answers. */
async function overHttp(place: BenchPlace, kind: Load['kind'], processes: number): Promise<void> {
  const servers = Array.from({ length: processes }, () => fork(serverProgram, [JSON.stringify(place)]))
  const urls = (await Promise.all(
    servers.map((server) => new Promise<unknown>((resolve) => server.once('message', resolve))),
  )) as string[]
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const random = seeded(processes)
  const times: number[] = []
  const until = performance.now() + 4000
  async function keepBusy(first: number): Promise<void> {
    for (let call = first; ; call++) {
      const start = performance.now()
      if (start >= until) return
      const app = 1000 + random.below(APPLICATIONS)
      const url = `${urls[call % urls.length]}/api/v10/applications/${app}/guilds/2001/commands`
      const status = await (kind === 'read'
        ? ask(agent, 'GET', url)
        : ask(agent, 'POST', url, { name: `c${random.below(COMMANDS)}`, description: `at ${start}` }))
      if (status !== 200) throw new Error(`${kind}: answered ${status}`)
      times.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: 32 }, (_, i) => keepBusy(i)))
  agent.destroy()
  for (const server of servers) server.disconnect()
  times.sort((a, b) => a - b)
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(1)
  console.log(
    `${place.kind} over HTTP ${kind} ${processes}: ${Math.round(times.length / 4)}/s, median ${at(0.5)} ms, p99 ${at(0.99)} ms`,
  )
}

function ask(agent: Agent, method: string, url: string, body?: unknown): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: 'Bot bench', 'content-type': 'application/json' }
    const sent = request(url, { agent, method, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode))
    })
    sent.once('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

async function served(place: BenchPlace): Promise<void> {
  await fill(place)
  for (const kind of ['read', 'write'] as const)
    for (const processes of [1, 2, 4]) await overHttp(place, kind, processes)
}

// --- Round trips and bytes ------------------------------------------------------------------------------------------

async function counted(place: Exclude<Place, { readonly kind: 'sqlite' }>): Promise<void> {
  let trips = 0
  let sent = 0
  let received = 0
  const { hostname, port } = new URL(place.url)
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    let asking = false
    client.on('data', (data) => {
      if (!asking) trips++
      asking = true
      sent += data.length
      upstream.write(data)
    })
    upstream.on('data', (data) => {
      asking = false
      received += data.length
      client.write(data)
    })
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(place.url)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  const { store, close } = await openPlace(
    place.kind === 'postgres' ? { ...place, url: url.href } : { ...place, url: url.href },
  )
  const registry = new CommandRegistry({ store })
  const app = '999'
  const scope = guildScope(app, '2001')
  const bodies = Array.from({ length: COMMANDS }, (_, j) => ({
    name: `c${j}`,
    description: 'as it was at first',
  }))
  const commands = await registry.overwrite(scope, bodies)
  const [first] = commands
  const entries = [{ id: '5', type: 1, permission: true }]
  await registry.setPermissions(app, '2001', first!.id, entries)
  let round = 0
  const moves: Record<string, () => Promise<unknown>> = {
    list: () => registry.list(scope),
    get: () => registry.get(scope, first!.id),
    'upsert of one of 20': () => registry.upsert(scope, { name: 'c3', description: `now ${round++}` }),
    'edit of one of 20': () => registry.edit(scope, first!.id, { description: `now ${round++}` }),
    'overwrite of 20': () =>
      registry.overwrite(
        scope,
        bodies.map((body) => ({ ...body, description: `now ${round++}` })),
      ),
    'overwrite, nothing changed': () => registry.overwrite(scope, bodies),
    listPermissions: () => registry.listPermissions(app, '2001'),
    setPermissions: () =>
      registry.setPermissions(app, '2001', first!.id, [{ id: String(++round), type: 1, permission: true }]),
  }
  for (const [name, move] of Object.entries(moves)) {
    await move()
    await move()
    ;[trips, sent, received] = [0, 0, 0]
    const times = 20
    for (let i = 0; i < times; i++) await move()
    console.log(
      `${place.kind} ${name}: ${trips / times} round trips, ${Math.round(sent / times)} bytes out, ${Math.round(received / times)} bytes in`,
    )
  }
  const [entry] = await store.read([`scope/${app}/guild/2001`])
  console.log(`the document: ${JSON.stringify(entry!.value).length} bytes for ${COMMANDS} commands`)
  for await (const key of store.keys(`scope/${app}/`)) await remove(store, key)
  for await (const key of store.keys(`permissions/${app}/`)) await remove(store, key)
  await close()
  server.close()
}

async function remove(store: Store, key: string): Promise<void> {
  const [entry] = await store.read([key])
  if (entry !== undefined) await store.write(key, entry.revision, undefined)
}

// --- Fan-out ----------------------------------------------------------------------------------------------------------

async function fanOut(): Promise<void> {
  const listener = new pg.Client({ connectionString: databaseUrl })
  await listener.connect()
  const channel = `${table}_changes`
  await listener.query(`LISTEN ${channel}`)
  for (const notify of [false, true]) {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 8 })
    const store = postgresStore(pool, { table, ...(notify && { notify: channel }) })
    const delays: number[] = []
    const acknowledged = new Map<string, number>()
    const heard = new Map<string, number>()
    listener.on('notification', ({ payload }) => {
      heard.set((JSON.parse(payload!) as { revision: string }).revision, performance.now())
    })
    const timed: Store = {
      ...store,
      async write(...args) {
        const written = await store.write(...args)
        if (written.ok) acknowledged.set(written.revision, performance.now())
        return written
      },
    }
    const registry = new CommandRegistry({ store: timed })
    const until = performance.now() + 4000
    let calls = 0
    await Promise.all(
      Array.from({ length: 8 }, async (_, i) => {
        while (performance.now() < until) {
          await registry.upsert(guildScope(String(1000 + i), '2001'), {
            name: 'c1',
            description: `n ${calls++}`,
          })
        }
      }),
    )
    await listener.query('SELECT 1')
    for (const [revision, at] of acknowledged) {
      const then = heard.get(revision)
      if (then !== undefined) delays.push(then - at)
    }
    delays.sort((a, b) => a - b)
    console.log(
      `postgres write, 1 process, notify ${notify}: ${Math.round(calls / 4)}/s` +
        (notify
          ? `; heard ${delays.length} of ${acknowledged.size}, median ${delays[delays.length >> 1]!.toFixed(1)} ms after the acknowledgement, p99 ${delays[Math.floor(delays.length * 0.99)]!.toFixed(1)} ms`
          : ''),
    )
    await pool.end()
  }
  await listener.end()
}

// --- Failover ----------------------------------------------------------------------------------------------------------

interface Tally {
  acknowledged: number
  lost: number
  longestGap: number
}

/** The ports of the master that serves a slot and of its replica. */
async function ownersOf(servers: BenchCluster, slot: number): Promise<readonly [number, number]> {
  for (let asked = 0; asked < 1000; asked++) {
    const text = await servers.cli(servers.ports[asked % servers.ports.length]!, 'cluster', 'nodes')
    const nodes = text
      .trim()
      .split('\n')
      .map((line) => line.split(' '))
    const port = (node: readonly string[]) => Number(/:(\d+)@/.exec(node[1]!)![1])
    const serves = (range: string) => {
      const [from, to = from] = range.split('-').map(Number)
      return slot >= from! && slot <= to!
    }
    const master = nodes.find((node) => node[2]!.includes('master') && node.slice(8).some(serves))
    const replica = nodes.find((node) => node[3] === master?.[0] && !node[2]!.includes('fail'))
    if (master !== undefined && replica !== undefined) return [port(master), port(replica)]
  }
  throw new Error('the nodes do not agree about who serves what')
}

/** Writes counters without a pause while a master is killed, and counts what was acknowledged and is gone. */
async function failover(servers: BenchCluster, wait: boolean, lag: boolean, round: number): Promise<Tally> {
  const cluster = new Cluster(
    servers.ports.map((port) => ({ host: '127.0.0.1', port })),
    {
      redisOptions: { maxRetriesPerRequest: 0, connectTimeout: 500 },
      clusterRetryStrategy: () => 50,
      slotsRefreshInterval: 200,
      maxRedirections: 2,
    },
  )
  cluster.on('error', () => undefined)
  const prefix = `bench:${round}:${wait}:${lag}:`
  // Keys of one master: they share the part between the braces, and so the slot.
  const keys = Array.from({ length: 8 }, (_, i) => `{one}/${i}`)
  const slot = Number(await servers.cli(servers.ports[0]!, 'cluster', 'keyslot', `${prefix}${keys[0]}`))
  const [masterPort, replicaPort] = await ownersOf(servers, slot)

  async function isReplicated(): Promise<boolean> {
    const node = cluster
      .nodes('master')
      .find(({ options }) => options.port === masterPort || options.port === replicaPort)
    return node !== undefined && Number(await node.call('WAIT', '1', '100')) >= 1
  }
  const isAcknowledged = wait ? isReplicated : async () => true
  const counters = new Counters(redisStore(cluster, { prefix }), isAcknowledged)
  const counting = keys.map((key) => counters.count(key))
  await pause(1000)
  if (lag) {
    // A replica that has lost its master, and cannot come back in time. What was sent to one that only stands
    // still would wait for it in the network.
    servers.child(replicaPort).kill('SIGSTOP')
    await servers.cli(masterPort, 'client', 'kill', 'type', 'replica')
    await pause(100)
  }
  servers.child(masterPort).kill('SIGKILL')
  if (lag) servers.child(replicaPort).kill('SIGCONT')
  await pause(6000)
  counters.isRunning = false
  await Promise.all(counting)
  cluster.disconnect()
  await servers.restart(masterPort)
  await servers.whole()
  return counters.tally
}

/** Counts up in documents, and compares what is stored with what was acknowledged. */
class Counters {
  readonly tally: Tally = { acknowledged: 0, lost: 0, longestGap: 0 }
  isRunning = true
  readonly #store: Store
  readonly #isAcknowledged: () => Promise<boolean>
  #lastAnswer = performance.now()

  constructor(store: Store, isAcknowledged: () => Promise<boolean>) {
    this.#store = store
    this.#isAcknowledged = isAcknowledged
  }

  async count(key: string): Promise<void> {
    let acknowledged = 0
    let revision: string | null | undefined
    let value = 0
    while (this.isRunning) {
      try {
        if (revision === undefined) {
          ;({ value, revision } = await this.#read(key))
          if (value < acknowledged) {
            this.tally.lost += acknowledged - value
            acknowledged = value
          }
        }
        const written = await this.#store.write(key, revision, value + 1)
        if (!written.ok) {
          revision = undefined
          continue
        }
        revision = written.revision
        value++
        if (await this.#isAcknowledged()) {
          this.tally.acknowledged++
          acknowledged = value
        }
        this.#noteAnswer()
      } catch {
        revision = undefined
        await pause(10)
      }
    }
    const { value: end } = await this.#read(key)
    this.tally.lost += Math.max(0, acknowledged - end)
  }

  async #read(key: string): Promise<{ readonly value: number; readonly revision: string | null }> {
    const [entry] = await this.#store.read([key])
    return { value: (entry?.value as number | undefined) ?? 0, revision: entry?.revision ?? null }
  }

  #noteAnswer(): void {
    const now = performance.now()
    this.tally.longestGap = Math.max(this.tally.longestGap, now - this.#lastAnswer)
    this.#lastAnswer = now
  }
}

// --- All of it ----------------------------------------------------------------------------------------------------------

if (wants('throughput')) await throughput(postgres)
if (wants('http')) await served(postgres)
if (wants('cost')) {
  await counted(postgres)
  await counted({ kind: 'redis', url: redisUrl, prefix: `${table}:` })
}
if (wants('notify')) {
  await fill(postgres)
  await fanOut()
}
const client = new pg.Client({ connectionString: databaseUrl })
await client.connect()
const { rows } = await client.query(
  "SELECT name, setting FROM pg_settings WHERE name IN ('server_version', 'fsync', 'synchronous_commit')",
)
console.log(rows.map(({ name, setting }) => `${name} ${setting}`).join(', '))
await client.query(`DROP TABLE IF EXISTS ${table}`)
await client.end()

if (['throughput', 'http', 'failover', 'cutoff'].some(wants)) {
  const servers = await startBenchCluster(1000)
  try {
    const cluster: BenchPlace = { kind: 'cluster', ports: servers.ports, prefix: 'bench:' }
    if (wants('throughput')) await throughput(cluster)
    if (wants('http')) await served(cluster)
    for (const lag of [false, true]) {
      if (!wants(lag ? 'cutoff' : 'failover')) continue
      for (const wait of [false, true]) {
        for (let round = 0; round < 3; round++) {
          const { acknowledged, lost, longestGap } = await failover(servers, wait, lag, round)
          console.log(
            `failover${lag ? ', replica cut off 100 ms before' : ''}${wait ? ', WAIT 1' : ''}: ${acknowledged} acknowledged, ${lost} of them lost, nothing answered for ${(longestGap / 1000).toFixed(1)} s`,
          )
        }
      }
    }
  } finally {
    await servers.stop()
  }
}
