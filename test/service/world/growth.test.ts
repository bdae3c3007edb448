/** Lists of a place that grow. */
import { expect, it } from 'vitest'
import { completeServer, World } from '../../support/worlds.ts'
import { memberOf, withChangedMember, withMember } from '../../../src/service/world/member-lists.ts'
import { handClock } from '../../support/clock.ts'

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
