/** What a gateway keeps for bots that are away. */
import { expect, it } from 'vitest'
import { heap } from '../../support/heap.ts'
import { anyBot, answerTo, large, MIB } from './missed-events.ts'

it('keeps 32 MiB of events for an application, whose sessions share their texts', async () => {
  const running = anyBot()
  const before = heap()
  for (let session = 0; session < 45; session++) {
    if (session % 15 === 0) running.time.advance(5_000)
    ;(await running.login({ token: '1' })).connection.closed()
  }
  ;(await running.login({ token: '2' })).connection.closed()
  running.gateway.dispatch(large('2', 1_000))
  for (let event = 0; event < 100; event++) running.gateway.dispatch(large('1', MIB))
  expect((heap() - before) / MIB).toBeLessThan(60)
  expect(await answerTo(running, 1, '1')).toEqual([9])
  expect(await answerTo(running, 46, '2')).toEqual(['INTERACTION_CREATE', 'RESUMED'])
  // A session that was there for all of the kept events gets them.
  ;(await running.login({ token: '1' })).connection.closed()
  for (let event = 0; event < 10; event++) running.gateway.dispatch(large('1', MIB))
  expect(await answerTo(running, 47, '1')).toEqual([...Array(10).fill('INTERACTION_CREATE'), 'RESUMED'])
})

it('keeps 96 MiB of events for all applications, and those of no session that has ended', async () => {
  const running = anyBot()
  const all = ['1', '2', '3', '4', '5']
  for (const token of all) (await running.login({ token })).connection.closed()
  for (const token of all)
    for (let event = 0; event < 14; event++) running.gateway.dispatch(large(token, MIB))
  const missed = [...Array(14).fill('INTERACTION_CREATE'), 'RESUMED']
  expect(await answerTo(running, 1, '1')).toEqual([9])
  expect(await answerTo(running, 5, '5')).toEqual(missed)
  running.time.advance(300_000)
  const before = heap()
  for (const token of all) (await running.login({ token })).connection.closed(1000)
  expect(Math.abs(heap() - before) / MIB).toBeLessThan(1)
})
