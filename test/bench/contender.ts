/** The process of one contender: prepares it, then measures each time it is asked. */
import { processorTime, type Operation } from './contest.ts'
import { contestRows } from './contests.ts'

const [figure, name] = process.argv.slice(2) as [string, string]
const ROUND_MICROSECONDS = 5_000
const WARM_UP_MICROSECONDS = 600_000
const MAX_WARM_UP_MICROSECONDS = 6_000_000

const answer = (value: unknown) => process.send!(typeof value === 'string' ? value : JSON.stringify(value))
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

const prepared = await contestRows.find((row) => row.figure === figure)!.contest()[name]!()
const isOperation = typeof prepared === 'function'
const times = isOperation ? await calibrate(prepared) : 0
let begun = 0
process.on('message', (message) => {
  if (message === 'begin') answer(String((begun = processorTime())))
  else if (message === 'end') answer(String(processorTime() - begun))
  else if (isOperation) void cost(prepared, times).then((each) => answer(String(each)))
})
// After what others still send on that event.
process.once('disconnect', () => setImmediate(() => process.exit()))
answer(isOperation ? null : prepared)
