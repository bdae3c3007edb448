import { describe, expect, it, vi } from 'vitest'
import { snowflakes } from 'commandry'
import { compareSnowflakes, laterSnowflake, isSnowflake, snowflakeTime } from '../../src/core/snowflake.ts'
import { idsBy, processIds } from '../../src/model/id-source.ts'
import { several } from '../support/bodies.ts'
import { DAY, handClock } from '../support/clock.ts'
import { words } from '../support/words.ts'
import { fc, forAny } from '../support/properties.ts'

const epoch = Date.UTC(2015, 0, 1)

describe('isSnowflake, snowflakeTime and compareSnowflakes', () => {
  const ids = ['0', '1', '10', '1029384756', '9007199254740993', '999999999999999999', '9223372036854775807']
  it.each(ids)('[2.1-01] accept %s', (id) => {
    expect(isSnowflake(id)).toBe(true)
  })

  it.each([
    ...['', ' ', '00', '01', '-1', '+1', '1.0', '1e3', '0x1', '1n', '1 ', ' 1', '1\n', '١', 'abc', '1_000'],
    ...['9223372036854775808', '9999999999999999999', '10000000000000000000', '1'.repeat(100)],
    ...[0, 1, 1n, null, undefined, true, ['1'], {}],
  ])('[2.1-01] reject %o', (id) => {
    expect(isSnowflake(id)).toBe(false)
  })

  it('[2.1-01] return the time to the millisecond', () => {
    expect(snowflakeTime('0')).toBe(epoch)
    expect(snowflakeTime('4194303')).toBe(epoch)
    expect(snowflakeTime('4194304')).toBe(epoch + 1)
    expect(snowflakeTime('175928847299117063')).toBe(1_462_015_105_796)
    expect(snowflakeTime('9223372036854775807')).toBe(epoch + 2 ** 41 - 1)
  })

  it('[2.1-01] compare ids by number, without rounding', () => {
    const ascending = words('0 1 9 10 99 100 9007199254740992 9007199254740993 9223372036854775807')
    for (const [i, a] of ascending.entries()) {
      for (const [j, b] of ascending.entries())
        expect(Math.sign(compareSnowflakes(a, b))).toBe(Math.sign(i - j))
    }
  })
})

describe('an id source', () => {
  const now = Date.UTC(2026, 0, 1)

  it('[2.1-01] returns snowflakes of the current time, each greater than the previous one', () => {
    const clock = handClock(now)
    const ids = snowflakes({ clock })
    let previous = '0'
    for (let i = 0; i < 20_000; i++) {
      if (i % 100 === 0) clock.advance(7)
      const id = ids.next()
      expect(isSnowflake(id)).toBe(true)
      if (compareSnowflakes(id, previous) <= 0) expect.fail(`${id} after ${previous}`)
      previous = id
    }
    expect(snowflakeTime(snowflakes({ clock: handClock(now) }).next())).toBe(now)
  })

  it('[2.1-01] never repeats an id when the clock stops or goes back', () => {
    const clock = handClock(now)
    const ids = snowflakes({ clock })
    const first = several(10_000, () => ids.next())
    clock.advance(-DAY)
    const second = several(10_000, () => ids.next())
    clock.advance(-clock.now())
    const all = [...first, ...second, ids.next()]
    expect(new Set(all).size).toBe(all.length)
    expect(all.toSorted(compareSnowflakes)).toEqual(all)
  })

  it('[2.1-01] [5-06] starts the ids of a process at a random worker and sequence number', async () => {
    // The low 22 bits of an id hold both numbers; each fresh module draws its own.
    const starts = new Set<bigint>()
    for (let i = 0; i < 6; i++) {
      vi.resetModules()
      const { processIds } = await import('../../src/model/id-source.ts')
      starts.add(BigInt(processIds().next()) & 0x3fffffn)
    }
    expect(new Set([...starts].map((start) => start >> 12n)).size).toBeGreaterThan(1)
    expect(new Set([...starts].map((start) => start & 0xfffn)).size).toBeGreaterThan(1)
  })

  it('[5-06] gives all that makes ids by one clock of a process one source, and each clock another worker', () => {
    const clocks = several(20, () => handClock(now))
    const all = clocks.flatMap((clock) => [idsBy(clock), processIds(clock), processIds(clock), idsBy(clock)])
    const made = [...all, processIds(), idsBy(undefined)].map((ids) => ids.next())
    expect(new Set(made.slice(0, 4)).size).toBe(4)
    expect(processIds(clocks[0])).toBe(processIds(clocks[0]))
    expect(idsBy(undefined)).toBe(processIds())
    const workers = clocks.map((clock) => (BigInt(processIds(clock).next()) >> 12n) & 1023n)
    expect(new Set([...workers, 0n]).size).toBe(21)
    // Only a run with a clock of its own can be repeated.
    expect(idsBy(handClock(now)).next()).toBe(idsBy(handClock(now)).next())
  })

  it('[2.1-01] continues after an id that is at most ten minutes ahead', () => {
    const clock = handClock(now)
    const minutes = 600_000
    const later = (milliseconds: number) =>
      snowflakeTime(idsBy(clock).next(String(BigInt(now + milliseconds - epoch) << 22n)))
    expect(later(minutes)).toBe(now)
    expect(later(minutes - 1)).toBe(now + minutes)
  })

  it('[2.1-01] accepts a clock with fractions of milliseconds', () => {
    expect(snowflakeTime(snowflakes({ clock: handClock(now + 0.75) }).next())).toBe(now)
  })

  it('[2.1-01] never returns an id of another worker at the same time', () => {
    const clock = handClock(now)
    const all = [0, 1, 512, 1023].flatMap((worker) => {
      const ids = snowflakes({ clock, worker })
      return several(4096, () => ids.next())
    })
    expect(new Set(all).size).toBe(all.length)
  })

  it('[2.1-01] keeps the number of its worker beyond the ids of a millisecond', () => {
    const ids = snowflakes({ clock: handClock(now), worker: 4 })
    const workers = several(9_000, () => (BigInt(ids.next()) >> 12n) & 1023n)
    expect(new Set(workers)).toEqual(new Set([4n]))
  })

  it.each([-1, 1024, 0.5, Number.NaN, '1'])('[2.1-01] rejects the worker %j', (worker) => {
    const make = () => snowflakes({ worker: worker as number })
    expect(make).toThrow(TypeError)
    expect(make).toThrow(`worker: expected an integer from 0 to 1023, got `)
  })
})

it('[2.1-01] sources that follow each other never return the same id, whichever clock is ahead', () => {
  forAny(
    [
      fc.array(fc.tuple(fc.nat(2), fc.nat(3), fc.boolean()), { maxLength: 200 }),
      fc.array(fc.nat(50), { minLength: 3, maxLength: 3 }),
    ],
    100,
    (moves, ahead) => {
      let time = Date.UTC(2026, 0, 1)
      const sources = ahead.map((by, worker) => snowflakes({ clock: { now: () => time + by }, worker }))
      const given = new Set<string>()
      // Every source writes every document; each id must follow the latest one of its document.
      const latest = ['0', '0', '0', '0']
      for (const [who, where, isLater] of moves) {
        if (isLater) time++
        const id = sources[who]!.next(latest[where])
        expect(compareSnowflakes(id, latest[where]!)).toBeGreaterThan(0)
        expect(given).not.toContain(id)
        given.add(id)
        latest[where] = id
      }
    },
  )
})

it('[2.1-01] sources that follow each other use the next sequence number after their own ids', () => {
  const source = snowflakes({ clock: { now: () => Date.UTC(2026, 0, 1) }, worker: 3 })
  const [first, second] = [source.next(), source.next()]
  expect(BigInt(source.next(second)) - BigInt(second)).toBe(1n)
  expect(BigInt(source.next(first)) - BigInt(second)).toBe(2n)
})

it.each([
  ['20', '10', '20'],
  ['10', '20', '21'],
  ['20', '20', '21'],
  ['9', '10', '11'],
  ['1', '9007199254740992', '9007199254740993'],
])('[9-02] laterSnowflake returns for %s after %s the version %s', (proposed, previous, version) => {
  expect(laterSnowflake(proposed, previous)).toBe(version)
  expect(compareSnowflakes(version, previous)).toBeGreaterThan(0)
})
