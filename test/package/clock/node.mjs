import 'commandry/clock'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import cases from './cases.cjs'

cases({ test, before, after, equal: assert.equal })

test('an endless timer is named', async () => {
  const clock = globalThis[Symbol.for('commandry.clock')]
  const interval = setInterval(() => {}, 1)
  await assert.rejects(clock.advance(10 * 86_400_000), /RangeError: advance: more than 200000 timers .* 1 ms/)
  clearInterval(interval)
})
