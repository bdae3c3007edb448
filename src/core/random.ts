/** What differs by chance and is not secret: names that never repeat, and spread. The only file that draws it. */

/** A text that never repeats: in no other process, not after a restart, and not after a database is restored. */
export function uniqueText(): string {
  return crypto.randomUUID()
}

/** A number from 0 up to but without 1. */
export function chance(): number {
  return Math.random()
}

/** A whole number from 0 up to but without `count`. */
export function chanceBelow(count: number): number {
  return Math.floor(chance() * count)
}
