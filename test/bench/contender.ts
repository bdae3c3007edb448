/** The process of a contender: prepares it, then measures it each time it is asked. */
import {
  isQuick,
  processorTime,
  type Operation,
  type Prepared,
  type Preparation,
  type Reading,
  type Served,
  type Turn,
} from './contest.ts'
import { contestRows } from './contests.ts'

const { figure, name } = JSON.parse(process.argv[2]!) as Preparation
const ROUND_MICROSECONDS = 5_000
const MAX_WARM_UP_MICROSECONDS = isQuick ? 0 : 2_500_000
const WARM_UP_MICROSECONDS = 375_000

const kept = { last: undefined as unknown }

let turn = 0

async function cost(prepared: Operation | Reading, times: number): Promise<number> {
  if (typeof prepared === 'object') return costOfReading(prepared, times)
  const before = processorTime()
  kept.last = prepared(turn++)
  if (kept.last instanceof Promise) {
    await kept.last
    for (let i = 1; i < times; i++) kept.last = await prepared(turn++)
  } else repeat(prepared, times - 1)
  return (processorTime() - before) / times
}

/** Not a loop of the async function: V8 inlines fewer constructors there. */
function repeat(run: Operation, times: number): void {
  for (let i = 0; i < times; i++) kept.last = run(turn++)
}

function costOfReading({ make, read }: Reading, times: number): number {
  const values = Array.from({ length: times }, make)
  const before = processorTime()
  for (const value of values) kept.last = read(value)
  return (processorTime() - before) / times
}

/**
 * Warms an operation up until it has not become faster for a while: a request passes through so much code that it is
 * compiled only after seconds. Returns how often the operation runs in one round.
 */
async function calibrate(prepared: Operation | Reading): Promise<number> {
  const begun = processorTime()
  let fasterAt = begun
  let least = Infinity
  let times = 1
  do {
    const each = await cost(prepared, times)
    if (each < 0.95 * least) fasterAt = processorTime()
    least = Math.min(least, each)
    if (each * times < ROUND_MICROSECONDS) times *= 2
  } while (
    processorTime() - fasterAt < WARM_UP_MICROSECONDS &&
    processorTime() - begun < MAX_WARM_UP_MICROSECONDS
  )
  return Math.max(1, Math.round(ROUND_MICROSECONDS / least))
}

const isServed = (prepared: Prepared): prepared is Served => typeof prepared === 'object' && 'url' in prepared

const prepared = await contestRows.find((row) => row.figure === figure)!.contest()[name]!()
const served = isServed(prepared) ? prepared : null
const measure = isServed(prepared) ? betweenMessages() : await repeated(prepared)

/** What the process did between `begin` and `end`. */
function betweenMessages(): (turn: Turn) => number {
  let begun = 0
  return (turn) => {
    if (turn === 'begin') begun = processorTime()
    return processorTime() - begun
  }
}

async function repeated(prepared: Operation | Reading): Promise<() => Promise<number>> {
  const times = await calibrate(prepared)
  return () => cost(prepared, times)
}

process.on('message', async (turn: Turn) => process.send!(String(await measure(turn))))
// After what others still send on that event.
process.once('disconnect', () => setImmediate(() => process.exit()))
process.send!(JSON.stringify(served))
