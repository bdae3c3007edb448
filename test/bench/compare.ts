/**
 * Contenders against a floor. Each round runs them all in an order of its own; what counts is the ratio inside a
 * round, and of those the median: absolute times on shared machines say little.
 */
import { seeded } from '../support/random.ts'

/** One thing to time. What it returns is kept, so that nothing can be left out as unused. */
export type Contender = () => unknown

export interface Figures {
  /** Microseconds of the floor, the median of the rounds. */
  readonly floor: number
  /** Each contender, x the floor. */
  readonly ratios: ReadonlyMap<string, number>
}

const ROUNDS = 25
const ROUND_MILLISECONDS = 12

/** @param contenders by name; the first is the floor */
export function compare(contenders: Readonly<Record<string, Contender>>, rounds = ROUNDS): Figures {
  const random = seeded(1)
  const entries = Object.entries(contenders).map(([name, run]) => ({ name, run, times: calibrate(run) }))
  const measured = new Map(entries.map(({ name }) => [name, [] as number[]]))
  for (let round = 0; round < rounds; round++) {
    const order = entries.map((entry) => ({ entry, at: random.next() })).sort((a, b) => a.at - b.at)
    for (const { entry } of order) measured.get(entry.name)!.push(time(entry.run, entry.times))
  }
  const [floor] = measured.values()
  const ratios = [...measured].map(([name, times]): [string, number] => [
    name,
    median(times.map((each, round) => each / floor![round]!)),
  ])
  return { floor: median(floor!), ratios: new Map(ratios) }
}

/** Awaits each contender; for what is asynchronous. */
export async function compareAsync(
  contenders: Readonly<Record<string, () => Promise<unknown>>>,
  rounds = ROUNDS,
): Promise<Figures> {
  const random = seeded(1)
  const names = Object.keys(contenders)
  const measured = new Map(names.map((name) => [name, [] as number[]]))
  const times = new Map<string, number>()
  for (const name of names) {
    let count = 1
    while ((await timeAsync(contenders[name]!, count)) * count < ROUND_MILLISECONDS * 1000) count *= 2
    times.set(name, count)
  }
  for (let round = 0; round < rounds; round++) {
    const order = names.map((name) => ({ name, at: random.next() })).sort((a, b) => a.at - b.at)
    for (const { name } of order)
      measured.get(name)!.push(await timeAsync(contenders[name]!, times.get(name)!))
  }
  const [floor] = measured.values()
  return {
    floor: median(floor!),
    ratios: new Map(
      names.map((name) => [name, median(measured.get(name)!.map((each, i) => each / floor![i]!))]),
    ),
  }
}

const kept = { last: undefined as unknown }

/** How often a contender runs in one round; its code is hot afterwards. */
function calibrate(run: Contender): number {
  const start = performance.now()
  let count = 0
  while (performance.now() - start < 200) {
    kept.last = run()
    count++
  }
  return Math.max(1, Math.round((count / 200) * ROUND_MILLISECONDS))
}

function time(run: Contender, times: number): number {
  const start = performance.now()
  for (let i = 0; i < times; i++) kept.last = run()
  return ((performance.now() - start) * 1000) / times
}

async function timeAsync(run: () => Promise<unknown>, times: number): Promise<number> {
  const start = performance.now()
  for (let i = 0; i < times; i++) kept.last = await run()
  return ((performance.now() - start) * 1000) / times
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}

/** A row of a table for a terminal. */
export function row(...cells: readonly (string | number)[]): string {
  return cells
    .map((cell, i) =>
      (typeof cell === 'number' ? figure(cell) : cell)[i === 0 ? 'padEnd' : 'padStart'](i === 0 ? 34 : 11),
    )
    .join('')
}

function figure(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3)
}
