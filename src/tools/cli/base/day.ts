/** Days of Discord on the command line. */
import { isDay } from '../../../core/platform-day.ts'
import { quoted } from '../../../core/text.ts'
import { usageError } from './errors.ts'

/** @throws CommandError for a text that is not a day */
export function day(text: string, name: string): string {
  if (isDay(text)) return text
  throw usageError(`--${name} ${quoted(text, 40)} is not a day such as 2026-11-16`)
}

/** One day, or the two of `2026-11-15..2026-11-16`. @throws CommandError for other texts, and days in the wrong order */
export function dayOrTwo(text: string, name: string): readonly [string] | readonly [string, string] {
  const [first, second, ...rest] = text.split('..')
  if (second === undefined) return [day(first!, name)]
  const days = [day(first!, name), day(second, name)] as const
  if (rest.length === 0 && days[0] < days[1]) return days
  throw usageError(
    `--${name} ${quoted(text, 40)} is not an earlier and a later day, such as 2026-11-15..2026-11-16`,
  )
}
