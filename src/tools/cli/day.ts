/** Days of Discord on the command line. */
import { isDay } from '../../core/platform-day.ts'
import { quoted } from '../../core/text.ts'
import { usageError } from './errors.ts'

/** @throws CommandError for a text that is not a day */
export function day(text: string, name: string): string {
  if (isDay(text)) return text
  throw usageError(`--${name} ${quoted(text, 40)} is not a day such as 2026-11-16`)
}
