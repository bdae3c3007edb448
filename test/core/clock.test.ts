import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { secondsToNextDay, utcDay, systemClock } from '../../src/core/clock.ts'

const day = Date.UTC(2026, 10, 21)
const length = 86_400_000

it('[8-02] the clock returns milliseconds since 1970 by default', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: day })
  onTestFinished(() => void vi.useRealTimers())
  expect(systemClock.now()).toBe(day)
})

describe('a UTC day', () => {
  it.each([
    [day, '2026-11-21'],
    [day + length - 1, '2026-11-21'],
    [day + length, '2026-11-22'],
    [day - 1, '2026-11-20'],
    [Date.UTC(2028, 1, 29, 23, 59), '2028-02-29'],
    [0, '1970-01-01'],
    [-1, '1969-12-31'],
  ])('[8-02] is, for %i, %s', (time, name) => {
    expect(utcDay(time)).toBe(name)
  })

  it.each([
    [day, 86_400],
    [day + 1, 86_399.999],
    [day + length - 1000, 1],
    [day + length - 1, 0.001],
    [day + length, 86_400],
    [-1, 0.001],
  ])('[8-02] ends, after %i, in %d seconds', (time, seconds) => {
    expect(secondsToNextDay(time)).toBe(seconds)
  })

  it('[8-02] changes exactly after those seconds', () => {
    for (const time of [day, day + 12_345, day + length - 1]) {
      const next = time + secondsToNextDay(time) * 1000
      expect(utcDay(next)).not.toBe(utcDay(time))
      expect(utcDay(next - 1)).toBe(utcDay(time))
    }
  })
})
