import { describeValue } from '../core/text.ts'

// Timers fire at once for a longer time.
const MOST = 2 ** 31 - 1

/** @throws TypeError when it is neither a time that a timer supports nor `Infinity`, which means no timer */
export function checkMilliseconds(name: string, value: unknown): void {
  if (value === Infinity || (Number.isInteger(value) && (value as number) > 0 && (value as number) <= MOST))
    return
  throw new TypeError(
    `${name}: expected an integer of milliseconds from 1 to ${MOST}, or Infinity for no limit, got ${describeValue(value)}`,
  )
}
