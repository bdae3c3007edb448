/** The process of contenders: prepares them, then measures one each time it is asked. */
import {
  isQuick,
  processorTime,
  type Operation,
  type Prepared,
  type Preparation,
  type Reading,
  type Turn,
} from './contest.ts'
import { contestRows } from './contests.ts'

const { contenders, warmUp } = JSON.parse(process.argv[2]!) as Preparation
const ROUND_MICROSECONDS = 5_000
const MAX_WARM_UP_MICROSECONDS = isQuick ? 0 : warmUp
const WARM_UP_MICROSECONDS = 0.15 * warmUp

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

const isServed = (prepared: Prepared) => typeof prepared === 'object' && 'url' in prepared

const measures: ((part: Turn['part']) => Promise<number>)[] = []
const served = []
for (const [figure, name] of contenders) {
  const prepared = await contestRows.find((row) => row.figure === figure)!.contest()[name]!()
  if (isServed(prepared)) {
    let begun = 0
    measures.push(async (part) => {
      if (part === 'begin') begun = processorTime()
      return processorTime() - begun
    })
    served.push(prepared)
  } else {
    const times = await calibrate(prepared as Operation | Reading)
    measures.push(() => cost(prepared as Operation | Reading, times))
    served.push(null)
  }
}
process.on('message', ({ index, part }: Turn) => {
  void measures[index]!(part).then((each) => process.send!(String(each)))
})
// After what others still send on that event.
process.once('disconnect', () => setImmediate(() => process.exit()))
process.send!(JSON.stringify(served))
