/** Threads and programs that a bot has started, whose clocks stay where they are. */
import type { ChildProcess } from 'node:child_process'
import type { Worker } from 'node:worker_threads'

/** The key of programs that a testbed has started. It may be of another build than the clock. */
export const OF_TESTBED = Symbol.for('commandry.program')

const named = new Set<string>()

/**
 * Warns once of each thread and program that is alive and does not follow the clock of this process.
 *
 * @param started those that this process has started; the programs of `bed.run` are known elsewhere
 * @param isFollower whether this process follows a clock itself: then threads and programs of Node do as well
 */
export function warnOfStanding(started: Iterable<Worker | ChildProcess>, isFollower: boolean): void {
  for (const one of started) {
    const isProgram = 'spawnargs' in one
    if (OF_TESTBED in one) continue
    const isNode = !isProgram || /(?:^|[\\/])node(?:\.exe)?$/.test(one.spawnfile)
    if (!(isNode && isFollower)) warnOfProgram(nameOf(one))
  }
}

/** Warns once of a program. */
export function warnOfProgram(name: string): void {
  if (named.has(name)) return
  named.add(name)
  process.emitWarning(`advance does not move the timers and dates of ${name}`, { code: 'COMMANDRY_CLOCK' })
}

function nameOf(one: Worker | ChildProcess): string {
  if (!('spawnargs' in one)) return `worker thread ${one.threadId}`
  return `the program "${one.spawnargs.join(' ').slice(0, 100)}"`
}
