import { described } from '../core/text.ts'

// Timers of every host turn what is longer into no time at all.
const MOST = 2 ** 31 - 1

/** @throws TypeError when it is no time that a timer can wait; `Infinity`, for no timer, is one */
export function checkMilliseconds(name: string, value: unknown): void {
  if (value === Infinity || (Number.isInteger(value) && (value as number) > 0 && (value as number) <= MOST))
    return
  throw new TypeError(
    `${name}: expected whole milliseconds from 1 to ${MOST}, or Infinity for no limit, got ${described(value)}`,
  )
}
