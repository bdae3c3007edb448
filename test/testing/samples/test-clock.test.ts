import { expect, it } from 'vitest'
import { CommandRegistry, globalScope } from 'commandry'
import { slashCommand, testClock } from 'commandry/testing'

it('testClock stands still until it is advanced', () => {
  const clock = testClock(5)
  expect([clock.now(), clock.now()]).toEqual([5, 5])
  clock.advance(10)
  expect(clock.now()).toBe(15)
  expect(testClock().now()).toBe(Date.UTC(2026, 0, 1))
  expect(testClock(new Date(7)).now()).toBe(7)
})

it.each([
  ['500ms', 500],
  ['3s', 3_000],
  ['15m', 900_000],
  ['24h', 86_400_000],
  ['7d', 604_800_000],
  [0, 0],
] as const)('testClock advances by %s', (duration, expected) => {
  const clock = testClock(0)
  clock.advance(duration)
  expect(clock.now()).toBe(expected)
})

it.each(['', '3', '3 s', '-1s', '1.5h', 'soon', -1, NaN, Infinity])('testClock rejects %s', (duration) => {
  const clock = testClock(0)
  expect(() => clock.advance(duration)).toThrow(/^duration: expected milliseconds/)
  expect(clock.now()).toBe(0)
})

it('testClock rejects a start that is not a time', () => {
  expect(() => testClock(NaN)).toThrow('start: expected')
})

it('[8-02] testClock advances a registry to the next day', async () => {
  const clock = testClock()
  const registry = new CommandRegistry({ clock })
  const scope = globalScope('1001')
  const left = async () => (await registry.plan(scope, [])).createsLeft
  await registry.upsert(scope, slashCommand())
  expect(await left()).toBe(199)
  clock.advance('24h')
  expect(await left()).toBe(200)
})
