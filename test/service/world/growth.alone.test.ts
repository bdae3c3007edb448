/** What a place keeps and how long a use takes while the place grows. */
import { expect, it, onTestFinished } from 'vitest'
import { testbed } from 'commandry/testbed'
import { heap } from '../../support/heap.ts'

const ping = {
  name: 'ping',
  description: 'x',
  options: [{ type: 6, name: 'user', description: 'x' }],
} as const

async function open(members: number) {
  const people = Array.from({ length: members }, (_, index) => ({
    user: { id: String(50_000 + index), username: `p${index}` },
  }))
  const servers = [{ id: '2001', name: 'Large', members: people }]
  const endpoint = async () => Response.json({ type: 4, data: { content: 'x' } })
  const bed = await testbed({ commands: [ping], servers, endpoint })
  onTestFinished(() => bed.close())
  return bed
}

it('a person keeps no earlier state of a server', async () => {
  const bed = await open(2_000)
  const actors = []
  const before = heap()
  for (let index = 0; index < 500; index++) {
    actors.push(bed.as('p1'))
    bed.server.timeout('p0', index % 2 === 0 ? '1m' : null)
  }
  // Each state has a list of 2,000 members, which takes 16 kB.
  expect((heap() - before) / actors.length).toBeLessThan(8_000)
})

it('a use in a server with thousands of members takes about as long as in a small one', async () => {
  /** The milliseconds of the processor for a use; the median of many. */
  async function timeOf(members: number): Promise<number> {
    const bed = await open(members)
    const times: number[] = []
    for (let index = 0; index < 30; index++) {
      const before = process.cpuUsage()
      await bed.as('p1').use('/ping user:@p2')
      const { user, system } = process.cpuUsage(before)
      times.push(user + system)
    }
    return times.sort((a, b) => a - b)[15]!
  }
  await timeOf(10)
  const small = await timeOf(10)
  // With copies of all members it takes more than twenty times as long.
  expect((await timeOf(10_000)) / small).toBeLessThan(8)
})
