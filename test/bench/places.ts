import { Cluster } from 'ioredis'
import { redisStore } from '../../src/storage/redis.ts'
import { openPlace, type OpenPlace, type Place } from '../storage/place.ts'

export type BenchPlace =
  Place | { readonly kind: 'cluster'; readonly ports: readonly number[]; readonly prefix: string }

export async function openBenchPlace(place: BenchPlace): Promise<OpenPlace> {
  if (place.kind !== 'cluster') return openPlace(place)
  const cluster = new Cluster(place.ports.map((port) => ({ host: '127.0.0.1', port })))
  cluster.on('error', () => undefined)
  const store = redisStore(cluster, { prefix: place.prefix })
  return { store, close: async () => cluster.disconnect() }
}
