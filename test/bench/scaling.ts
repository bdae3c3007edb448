/**
 * The numbers of docs/scaling.md: `DATABASE_URL=… REDIS_URL=… node test/bench/run.mjs scaling`.
 * Parts by name: throughput, http, cost, notify, failover, cutoff. `taskset -c 0 node test/bench/run.mjs scaling --apart`
 * starts a PostgreSQL server of its own: databases and HTTP clients have core 0, the processes that call the store core 1.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { connect, createServer, type AddressInfo } from 'node:net'
import { availableParallelism, cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { Cluster } from 'ioredis'
import pg from 'pg'
import { CommandRegistry, guildScope, type Store } from 'commandry'
import { postgresStore } from 'commandry/storage/postgres'
import { redisStore } from 'commandry/storage/redis'
import { openPlace, type Place } from '../storage/place.ts'
import { startPostgresServer } from '../storage/postgres-server.ts'
import { seeded } from '../support/random.ts'
import { startBenchCluster, type BenchCluster } from './cluster.ts'
import { send } from './contest.ts'
import { APPLICATIONS, COMMANDS, openBenchPlace, rateOf } from './scaling-process.ts'
import type { BenchPlace, Task } from './scaling-process.ts'

const [program = '', ...options] = process.argv.slice(2)
const parts = options.filter((option) => !option.startsWith('--'))
const isApart = options.includes('--apart')
const wants = (part: string) => parts.length === 0 || parts.includes(part)
const ownServer = isApart ? await startPostgresServer() : undefined
const databaseUrl = ownServer?.url ?? process.env['DATABASE_URL']!
const onCore1 = { execPath: 'taskset', execArgv: ['-c', '1', process.execPath, '--no-warnings'] }
const redisUrl = process.env['REDIS_URL']!
const table = `commandry_bench_${process.pid}`
const postgres: Place = { kind: 'postgres', url: databaseUrl, table }
const bodies = Array.from({ length: COMMANDS }, (_, j) => ({
  name: `c${j}`,
  description: 'as it was at first',
}))

console.log(
  `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.version}`,
)

async function fill(place: BenchPlace): Promise<void> {
  const { store, close } = await openBenchPlace(place)
  const registry = new CommandRegistry({ store })
  for (let i = 0; i < APPLICATIONS; i++)
    await registry.overwrite(guildScope(String(1000 + i), '2001'), bodies)
  await close()
}

/** Processes that are ready, and their first messages. */
async function start(place: BenchPlace, kind: Task['kind'], count: number) {
  const children = Array.from({ length: count }, (_, i) =>
    fork(program, [JSON.stringify({ place, kind, seed: i + 1 } satisfies Task)], isApart ? onCore1 : {}),
  )
  return { children, messages: await Promise.all(children.map(messageOf)) }
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  return ((await once(child, 'message')) as [unknown])[0]
}

/** Prints the calls in a second of 1, 2 and 4 processes. */
async function printRates(
  place: BenchPlace,
  where: string,
  measure: (kind: 'read' | 'write', processes: number) => Promise<number>,
): Promise<void> {
  await fill(place)
  for (const kind of ['read', 'write'] as const)
    for (const processes of [1, 2, 4])
      console.log(
        `${place.kind}${where} ${kind} ${processes}: ${Math.round(await measure(kind, processes))}/s`,
      )
}

const printThroughput = (place: BenchPlace) =>
  printRates(place, '', async (kind, processes) => {
    const { children } = await start(place, kind, processes)
    const rates = children.map(messageOf)
    for (const child of children) child.send('begin')
    return ((await Promise.all(rates)) as number[]).reduce((sum, rate) => sum + rate)
  })

/** 32 requests under way, spread over the servers in turn. */
const printHttp = (place: BenchPlace) =>
  printRates(place, ' over HTTP', async (kind, processes) => {
    const { children, messages: urls } = await start(place, 'serve', processes)
    const agent = new Agent({ keepAlive: true, maxSockets: 32 })
    const random = seeded(processes)
    const headers = { authorization: 'Bot bench', 'content-type': 'application/json' }
    const rate = await rateOf(32, async (turn) => {
      const application = 1000 + random.below(APPLICATIONS)
      const path = `/api/v10/applications/${application}/guilds/2001/commands`
      const body = JSON.stringify({ name: `c${random.below(COMMANDS)}`, description: `call ${turn}` })
      const sent =
        kind === 'read' ? { method: 'GET', path, headers } : { method: 'POST', path, headers, body }
      const status = await send(agent, String(urls[turn % urls.length]), sent)
      if (status !== 200) throw new Error(`${kind}: answered ${status}`)
    })
    agent.destroy()
    for (const server of children) server.disconnect()
    return rate
  })

async function printCosts(place: Extract<Place, { readonly url: string }>): Promise<void> {
  const count = { trips: 0, sent: 0, received: 0 }
  const url = new URL(place.url)
  const { hostname, port } = url
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    let isAsking = false
    client.pipe(upstream).pipe(client)
    client.on('data', (data) => {
      if (!isAsking) count.trips++
      isAsking = true
      count.sent += data.length
    })
    upstream.on('data', (data) => {
      isAsking = false
      count.received += data.length
    })
    client.on('error', () => upstream.destroy())
    upstream.on('error', () => client.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const { store, close } = await openPlace({ ...place, url: url.href } as Place)
  const registry = new CommandRegistry({ store })
  const app = '999'
  const scope = guildScope(app, '2001')
  const [first] = await registry.overwrite(scope, bodies)
  const { id } = first!
  const permit = (role: number) =>
    registry.setPermissions(app, '2001', id, [{ id: String(role), type: 1, permission: true }])
  await permit(5)
  const moves: Record<string, (round: number) => Promise<unknown>> = {
    list: () => registry.list(scope),
    get: () => registry.get(scope, id),
    'upsert of one of 20': (round) => registry.upsert(scope, { name: 'c3', description: `now ${round}` }),
    'edit of one of 20': (round) => registry.edit(scope, id, { description: `edited ${round}` }),
    'overwrite of 20': (round) => {
      const changed = bodies.map((body, i) => ({ ...body, description: `now ${i} in ${round}` }))
      return registry.overwrite(scope, changed)
    },
    'overwrite, nothing changed': () => registry.overwrite(scope, bodies),
    listPermissions: () => registry.listPermissions(app, '2001'),
    setPermissions: (round) => permit(100 + round),
  }
  const TIMES = 20
  for (const [name, move] of Object.entries(moves)) {
    await move(TIMES)
    await move(TIMES + 1)
    Object.assign(count, { trips: 0, sent: 0, received: 0 })
    for (let round = 0; round < TIMES; round++) await move(round)
    const [trips, sent, received] = [count.trips, count.sent, count.received].map((sum) => sum / TIMES)
    console.log(
      `${place.kind} ${name}: ${trips} round trips, ${Math.round(sent!)} bytes out, ${Math.round(received!)} bytes in`,
    )
  }
  const [entry] = await store.read([`scope/${app}/guild/2001`])
  console.log(`the document: ${JSON.stringify(entry!.value).length} bytes for ${COMMANDS} commands`)
  for (const prefix of [`scope/${app}/`, `permissions/${app}/`])
    for await (const key of store.keys(prefix)) {
      const [found] = await store.read([key])
      if (found !== undefined) await store.write(key, found.revision, undefined)
    }
  await close()
  server.close()
}

async function printFanOut(): Promise<void> {
  const listener = new pg.Client({ connectionString: databaseUrl })
  await listener.connect()
  const channel = `${table}_changes`
  await listener.query(`LISTEN ${channel}`)
  for (const notify of [false, true]) {
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 8 })
    const store = postgresStore(pool, { table, ...(notify && { notify: channel }) })
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
    const rate = await rateOf(8, (turn) => {
      const scope = guildScope(String(1000 + (turn % 8)), '2001')
      return registry.upsert(scope, { name: 'c1', description: `n ${turn}` })
    })
    await listener.query('SELECT 1')
    const delays = [...acknowledged]
      .flatMap(([revision, at]) => (heard.has(revision) ? [heard.get(revision)! - at] : []))
      .sort((a, b) => a - b)
    const at = (share: number) => delays[Math.floor(delays.length * share)]!.toFixed(1)
    const found = () =>
      `heard ${delays.length} of ${acknowledged.size}, median ${at(0.5)} ms after the acknowledgement, p99 ${at(0.99)} ms`
    console.log(
      `postgres write, 1 process, notify ${notify}: ${Math.round(rate)}/s${notify ? `; ${found()}` : ''}`,
    )
    await pool.end()
  }
  await listener.end()
}

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
      retryDelayOnFailover: 0,
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
  const store = redisStore(cluster, { prefix })
  const tally: Tally = { acknowledged: 0, lost: 0, longestGap: 0 }
  let isRunning = true
  let lastAnswer = performance.now()
  async function read(key: string): Promise<{ readonly value: number; readonly revision: string | null }> {
    const [entry] = await store.read([key])
    return { value: (entry?.value as number | undefined) ?? 0, revision: entry?.revision ?? null }
  }

  /** Counts up in a document, and compares what is stored with what was acknowledged. */
  async function countUp(key: string): Promise<void> {
    let acknowledged = 0
    let known: Awaited<ReturnType<typeof read>> | undefined
    const compare = (value: number) => {
      tally.lost += Math.max(0, acknowledged - value)
      acknowledged = Math.min(acknowledged, value)
    }
    while (isRunning) {
      try {
        if (known === undefined) {
          known = await read(key)
          compare(known.value)
        }
        const value = known.value + 1
        const written = await store.write(key, known.revision, value)
        known = written.ok ? { value, revision: written.revision } : undefined
        if (!written.ok) continue
        if (!wait || (await isReplicated())) {
          tally.acknowledged++
          acknowledged = value
        }
        const now = performance.now()
        tally.longestGap = Math.max(tally.longestGap, now - lastAnswer)
        lastAnswer = now
      } catch {
        known = undefined
        await pause(10)
      }
    }
    compare((await read(key)).value)
  }
  const counting = keys.map(countUp)
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
  isRunning = false
  await Promise.all(counting)
  cluster.disconnect()
  await servers.restart(masterPort)
  await servers.whole()
  return tally
}

if (wants('throughput')) await printThroughput(postgres)
if (wants('http')) await printHttp(postgres)
if (wants('cost')) {
  await printCosts(postgres)
  await printCosts({ kind: 'redis', url: redisUrl, prefix: `${table}:` })
}
if (wants('notify')) {
  await fill(postgres)
  await printFanOut()
}
const client = new pg.Client({ connectionString: databaseUrl })
await client.connect()
const { rows } = await client.query(
  "SELECT name, setting FROM pg_settings WHERE name IN ('server_version', 'fsync', 'synchronous_commit')",
)
console.log(rows.map(({ name, setting }) => `${name} ${setting}`).join(', '))
await client.query(`DROP TABLE IF EXISTS ${table}`)
await client.end()
await ownServer?.stop()

if (['throughput', 'http', 'failover', 'cutoff'].some(wants)) {
  const servers = await startBenchCluster(1000)
  try {
    const cluster: BenchPlace = { kind: 'cluster', ports: servers.ports, prefix: 'bench:' }
    if (wants('throughput')) await printThroughput(cluster)
    if (wants('http')) await printHttp(cluster)
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
