/** The deadlines of the product that pass in real time, which a busy machine misses. */
import { onTestFinished } from 'vitest'
import { deadlines } from '../../src/core/deadlines.ts'

export { deadlines }

type Name = keyof typeof deadlines

/** How many times longer they are in tests. */
const FACTOR = 20

// RESUME_TIMEOUT is missing: it passes by the clock of a gateway, and is longer than a test.
const realTime = [
  ...(['HEADERS_TIMEOUT', 'REQUEST_TIMEOUT', 'BODY_TIMEOUT', 'IDLE_TIMEOUT'] as const),
  ...(['ANSWER_TIMEOUT', 'STORE_TIMEOUT', 'CLOSE_TIMEOUT', 'READY_TIMEOUT', 'REACTION_TIMEOUT'] as const),
]

/** Those that users have. */
const given: Readonly<Record<Name, number>> = { ...deadlines }

/** Makes them longer, however often it is called. */
export function lengthenDeadlines(): void {
  for (const name of realTime) deadlines[name] = FACTOR * given[name]
}

/** Sets a deadline for the time of a test that waits for its end. */
export function setDeadline(name: Name, milliseconds: number): void {
  const before = deadlines[name]
  deadlines[name] = milliseconds
  onTestFinished(() => void (deadlines[name] = before))
}
