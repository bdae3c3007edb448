/** The process of one contender, or of all of a row: prepares them, then measures each time it is asked. */
import { processorTime, type Operation, type Preparation, type Turn } from './contest.ts'
import { contestRows } from './contests.ts'

const { figure, names, beside } = JSON.parse(process.argv[2]!) as Preparation
const ROUND_MICROSECONDS = 5_000
const WARM_UP_MICROSECONDS = 600_000
const MAX_WARM_UP_MICROSECONDS = 6_000_000

const kept = { last: undefined as unknown }

let turn = 0

async function cost(run: Operation, times: number): Promise<number> {
  const before = processorTime()
  kept.last = run(turn++)
  if (kept.last instanceof Promise) {
    await kept.last
    for (let i = 1; i < times; i++) kept.last = await run(turn++)
  } else repeat(run, times - 1)
  return (processorTime() - before) / times
}

/** Not a loop of the async function: V8 inlines fewer constructors there. */
function repeat(run: Operation, times: number): void {
  for (let i = 0; i < times; i++) kept.last = run(turn++)
}

/**
 * Warms an operation up until it has not become faster for a while: a request passes through so much code that it is
 * compiled only after seconds. Returns how often the operation runs in one round.
 */
async function calibrate(run: Operation): Promise<number> {
  const begun = processorTime()
  let fasterAt = begun
  let least = Infinity
  let times = 1
  while (
    processorTime() - fasterAt < WARM_UP_MICROSECONDS &&
    processorTime() - begun < MAX_WARM_UP_MICROSECONDS
  ) {
    const each = await cost(run, times)
    if (each < 0.95 * least) fasterAt = processorTime()
    least = Math.min(least, each)
    if (each * times < ROUND_MICROSECONDS) times *= 2
  }
  return Math.max(1, Math.round(ROUND_MICROSECONDS / least))
}

const contestOf = (figure: string) => contestRows.find((row) => row.figure === figure)!.contest()

// Until V8 has optimized what all contenders of the process share, for the values of all of them.
for (const contender of beside
  .filter((other) => other !== figure)
  .flatMap((other) => Object.values(contestOf(other)))) {
  const other = await contender()
  if (typeof other === 'function') await calibrate(other)
}

const measures = new Map<string, (part: Turn['part']) => Promise<number>>()
const served = []
for (const name of names) {
  const prepared = await contestOf(figure)[name]!()
  const isOperation = typeof prepared === 'function'
  const times = isOperation ? await calibrate(prepared) : 0
  let begun = 0
  measures.set(name, async (part) => {
    if (isOperation) return cost(prepared, times)
    if (part === 'begin') begun = processorTime()
    return processorTime() - begun
  })
  served.push(isOperation ? null : prepared)
}
process.on('message', ({ name, part }: Turn) => {
  void measures.get(name)!(part).then((each) => process.send!(String(each)))
})
// After what others still send on that event.
process.once('disconnect', () => setImmediate(() => process.exit()))
process.send!(JSON.stringify(served))
