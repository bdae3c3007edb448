/**
 * Prints the heap of a testbed after many uses and presses whose interactions have expired, times that after a third of
 * them. The clock of the service is moved, so that it takes no twenty minutes.
 */
import { testbed } from 'commandry/testbed'
import { isQuick, median } from './contest.ts'

const collect = (globalThis as unknown as { gc(): void }).gc
const BATCHES = isQuick ? 6 : 24
const USES = isQuick ? 5 : 150

const button = { type: 2, style: 1, label: 'Vote', custom_id: 'vote' }
const endpoint = async (request: Request): Promise<Response> => {
  const { type } = (await request.json()) as { readonly type: number }
  if (type === 1) return Response.json({ type: 1 })
  const data = { content: 'x'.repeat(500), components: [{ type: 1, components: [button] }] }
  return Response.json({ type: type === 3 ? 7 : 4, data })
}

const bed = await testbed({ commands: [{ name: 'poll', description: 'Starts a poll' }], endpoint })
const ada = bed.as('ada')
const heaps: number[] = []
for (let batch = 0; batch < BATCHES; batch++) {
  for (let use = 0; use < USES; use++) {
    const shown = await ada.use('/poll')
    if (use % 3 === 0) await shown.press('Vote')
  }
  await bed.advance(31 * 60_000)
  bed.reset()
  collect()
  collect()
  heaps.push(process.memoryUsage().heapUsed)
}
await bed.close()
const third = BATCHES / 3
if (process.env['BENCH_HEAPS'] !== undefined)
  console.error(heaps.map((bytes) => Math.round(bytes / 1024 ** 2)).join(' '))
console.log(median(heaps.slice(2 * third)) / median(heaps.slice(third, 2 * third)))
process.exit()
