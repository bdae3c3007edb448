/** Moves the timers of a bot with the service: `setupFiles: ['commandry/clock']`, or `node --import commandry/clock`. */
import { installClock } from './testing/clock/moved-clock.ts'
import { FOLLOW_VARIABLE, followClock, isTestRunner, readFollowed } from './testing/clock/follow.ts'

const followed = readFollowed(process.env[FOLLOW_VARIABLE])
// Bun and Deno have timers of their own, which it cannot replace.
const isNode = !('bun' in process.versions) && !('deno' in process.versions)
const isOfRunner = followed !== undefined && isTestRunner(process.argv[1])
if (isNode && !isOfRunner) {
  const clock = installClock(followed?.offset)
  if (followed !== undefined) followClock(clock, followed)
}
