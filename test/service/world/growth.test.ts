/** What a place keeps and how long a use takes while the place grows. */
import { expect, it, onTestFinished } from 'vitest'
import { testbed } from 'commandry/testbed'
import { completeServer } from '../../../src/model/demo-server.ts'
import { memberOf, withChangedMember, withMember } from '../../../src/service/world/member-lists.ts'
import { World } from '../../../src/service/world/world.ts'
import { handClock } from '../../support/clock.ts'
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

it('finds the members of lists that follow each other', () => {
  const member = (id: string, nick: string | null = null) => ({ user: { id, username: id }, roles: [], nick })
  const first = [member('1'), member('2')]
  expect(memberOf(first, '2')).toBe(first[1])
  const changed = member('2', 'two')
  const second = withChangedMember(first, first[1]!, changed)
  const [third, other] = [withMember(second, member('3')), withMember(second, member('4'))]
  const found = (list: typeof first | typeof second) =>
    ['1', '2', '3', '4'].map((id) => memberOf(list, id)?.nick)
  expect([first, second, third, other].map(found)).toEqual([
    [null, null, undefined, undefined],
    [null, 'two', undefined, undefined],
    [null, 'two', null, undefined],
    [null, 'two', undefined, null],
  ])
  expect(memberOf(third.slice(1), '1')).toBeUndefined()
})

it('keeps the newest entries of audit logs: 1,000 and 4 MiB of a server, 32 MiB of all', () => {
  const ids = Array.from({ length: 12 }, (_, index) => String(2_001 + index))
  const servers = ids.map((id) => completeServer({ id, name: id }))
  const world = new World(servers, handClock(Date.now()))
  const log = (serverId: string, count: number, size = 0) =>
    world.acting({ userId: '3001', reason: null }, () => {
      for (let index = 0; index < count; index++)
        world.record(serverId, { action_type: 1, target_id: String(index), options: { x: 'x'.repeat(size) } })
    })
  const lengths = () => ids.map((id) => world.auditLog(id).length)
  log(ids[0]!, 3_000)
  expect([lengths()[0], world.auditLog(ids[0]!).at(-1)!.target_id]).toEqual([1_000, '2999'])
  log(ids[1]!, 1_000, 16_000)
  expect(lengths()[1]).toBeLessThan(140)
  for (const id of ids.slice(2)) log(id, 1_000)
  expect(lengths().slice(-7)).toEqual(Array(7).fill(1_000))
  expect(lengths()[0]).toBe(0)
  expect(lengths().reduce((sum, length) => sum + length)).toBeLessThan(8_200)
})
