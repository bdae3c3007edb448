import { LONGEST_TIMER } from '../core/clock.ts'
import { describeValue } from '../core/text.ts'

/** @throws TypeError when it is neither a time that a timer supports nor `Infinity`, which means no timer */
export function checkMilliseconds(name: string, value: unknown): void {
  const isTime = Number.isInteger(value) && (value as number) > 0 && (value as number) <= LONGEST_TIMER
  if (isTime || value === Infinity) return
  throw new TypeError(
    `${name}: expected an integer of milliseconds from 1 to ${LONGEST_TIMER}, or Infinity for no limit, got ${describeValue(value)}`,
  )
}
