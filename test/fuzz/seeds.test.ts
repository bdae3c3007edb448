/** Many uses of a bot without a fault; by itself, because it takes most of a minute. */
import { expect, it } from 'vitest'
import { fuzzBot } from './bot.ts'

it.each(Array.from({ length: 10 }, (_, seed) => seed))(
  'finds nothing in a bot without a fault, with the seed %i',
  async (seed) => {
    const report = await fuzzBot(undefined, { seed, runs: 30 })
    expect(report).toMatchObject({ ok: true, seed, failures: [], missing_routes: [] })
  },
)
