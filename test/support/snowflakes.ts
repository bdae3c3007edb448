/** The milliseconds of a snowflake: its upper 42 bits, which count from 2015. */
export function snowflakeTime(id: string): number {
  return Number(BigInt(id) >> 22n) + Date.UTC(2015, 0)
}
