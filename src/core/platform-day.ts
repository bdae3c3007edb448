/** The day as of which this library describes Discord; `model/platform.ts` has what changed before it. */
export const DISCORD_AS_OF = '2026-11-25'

/** Whether a value is a day such as `2026-11-16`. */
export function isDay(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\d$/.test(value) &&
    new Date(`${value}T00:00:00Z`).toJSON()?.slice(0, 10) === value
  )
}
