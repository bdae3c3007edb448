/** What work costs in time of the processor: other processes do not count, however busy they are. */

/** The milliseconds for which this process works on a call. */
export function cpuMilliseconds(call: () => unknown): number {
  const before = process.cpuUsage()
  call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** What work on an input of a size costs: steps that are counted, or microseconds of the processor. */
export type Cost = (size: number) => Promise<number>

/** The least of so many times: other work on the machine, compilation and garbage only add to them. */
const TIMES = 7
/** A busy machine may slow all times of one size. */
const TRIALS = 5

/** How many times as much twice the input may cost. Where each step looks at all earlier ones, it costs four times as much. */
export const LINEAR = 2.2
/** The same for an input that is so small, or so large, that the machine itself makes it cost a third more. */
export const BELOW_SQUARE = 3

/** The microseconds of the processor for a call on an input. */
export function timeOf<Input>(make: (size: number) => Input, work: (input: Input) => unknown): Cost {
  return async (size) => {
    let least = Infinity
    for (let time = 0; time < TIMES; time++) {
      // Made anew: what has been read once may be known.
      const input = make(size)
      const before = process.cpuUsage()
      await work(input)
      const { user, system } = process.cpuUsage(before)
      least = Math.min(least, user + system)
    }
    return least
  }
}

/**
 * How many times as much twice the input costs, on average over three doublings: other work on the machine may change a
 * single one by a fifth.
 *
 * @param enough measured again while it is above
 */
export async function growth(size: number, cost: Cost, enough = LINEAR): Promise<number> {
  let [small, large] = [Infinity, Infinity]
  const ratio = () => Math.cbrt(large / small)
  for (let trial = 0; trial < TRIALS && !(ratio() <= enough); trial++) {
    small = Math.min(small, await cost(size))
    large = Math.min(large, await cost(8 * size))
  }
  return ratio()
}
