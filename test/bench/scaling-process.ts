/** One process of the bench `scaling`: a server over HTTP, or calls that are kept under way for a while. */
import { Cluster } from 'ioredis'
import { createHandler, openAccess } from 'commandry/http'
import { serve } from 'commandry/node'
import { CommandRegistry, guildScope } from 'commandry'
import { redisStore } from 'commandry/storage/redis'
import { openPlace, type OpenPlace, type Place } from '../storage/place.ts'
import { seeded } from '../support/random.ts'

export type BenchPlace =
  Place | { readonly kind: 'cluster'; readonly ports: readonly number[]; readonly prefix: string }

export const APPLICATIONS = 64
export const COMMANDS = 20
const SECONDS = 4

export async function openBenchPlace(place: BenchPlace): Promise<OpenPlace> {
  if (place.kind !== 'cluster') return openPlace(place)
  const nodes = place.ports.map((port) => ({ host: '127.0.0.1', port }))
  const cluster = new Cluster(nodes, { retryDelayOnFailover: 0 })
  cluster.on('error', () => undefined)
  const store = redisStore(cluster, { prefix: place.prefix })
  return { store, close: async () => cluster.disconnect() }
}

/** Keeps calls under way for a while. Returns how many were answered in a second. */
export async function rateOf(inFlight: number, call: (turn: number) => Promise<unknown>): Promise<number> {
  const until = performance.now() + SECONDS * 1000
  let calls = 0
  async function keepBusy(): Promise<void> {
    while (performance.now() < until) await call(calls++)
  }
  await Promise.all(Array.from({ length: inFlight }, keepBusy))
  return calls / SECONDS
}

/** What a process does: `serve`, `read` or `write`. */
export interface Task {
  readonly place: BenchPlace
  readonly kind: 'serve' | 'read' | 'write'
  readonly seed: number
}

if (process.send !== undefined) {
  const { place, kind, seed } = JSON.parse(process.argv[2]!) as Task
  const { store, close } = await openBenchPlace(place)
  const registry = new CommandRegistry({ store })
  if (kind === 'serve') {
    const server = await serve({ handler: createHandler({ registry, authenticate: openAccess() }) })
    process.once('disconnect', () => void server.close().then(close))
    process.send(server.url)
  } else {
    const random = seeded(seed)
    await store.read(['ready'])
    process.once('message', async () => {
      const rate = await rateOf(8, (turn) => {
        const scope = guildScope(String(1000 + random.below(APPLICATIONS)), '2001')
        const name = `c${random.below(COMMANDS)}`
        const description = `call ${turn} of ${seed}`
        return kind === 'read' ? registry.list(scope) : registry.upsert(scope, { name, description })
      })
      process.send!(rate)
      process.disconnect()
      await close()
    })
    process.send('ready')
  }
}
