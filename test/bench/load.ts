/** One process of a bench: keeps a number of calls under way for a while and tells how many were answered. */
import { CommandRegistry, guildScope } from '../../src/index.ts'
import { openBenchPlace, type BenchPlace } from './places.ts'
import { seeded } from '../support/random.ts'

export interface Load {
  readonly place: BenchPlace
  readonly kind: 'read' | 'write'
  readonly milliseconds: number
  readonly inFlight: number
  readonly applications: number
  readonly seed: number
}

export interface LoadResult {
  readonly calls: number
  readonly median: number
  readonly p99: number
}

const load = JSON.parse(process.argv[2]!) as Load
const random = seeded(load.seed)
const { store, close } = await openBenchPlace(load.place)
const registry = new CommandRegistry({ store })
await store.read(['ready'])
await new Promise<void>((resolve) => {
  process.once('message', () => resolve())
  process.send?.('ready')
})

const times: number[] = []
const until = performance.now() + load.milliseconds
async function keepBusy(): Promise<void> {
  for (let call = 0; ; call++) {
    const start = performance.now()
    if (start >= until) return
    const scope = guildScope(String(1000 + random.below(load.applications)), '2001')
    if (load.kind === 'read') await registry.list(scope)
    else
      await registry.upsert(scope, {
        name: `c${random.below(20)}`,
        description: `at ${start} in ${load.seed}`,
      })
    times.push(performance.now() - start)
  }
}
await Promise.all(Array.from({ length: load.inFlight }, keepBusy))
times.sort((a, b) => a - b)
const result: LoadResult = {
  calls: times.length,
  median: times[times.length >> 1] ?? 0,
  p99: times[Math.floor(times.length * 0.99)] ?? 0,
}
process.send?.(result)
process.disconnect()
await close()
