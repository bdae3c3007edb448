/** A bot that runs in the process of the testbed. */
import type { FuzzedBot } from './fuzz-options.ts'

/** The unhandled errors of this process, for a bot that runs in it. Its own listeners come back at the end. */
export const thisProcess: FuzzedBot = {
  watch(report) {
    const events = ['uncaughtException', 'unhandledRejection'] as const
    const ends = events.map((event) => {
      // Also the wrappers of listeners that are called once.
      const others = process.rawListeners(event)
      const listener = (error: unknown) =>
        report(error instanceof Error ? (error.stack ?? error.message) : String(error))
      process.removeAllListeners(event)
      process.on(event, listener)
      return () => {
        process.off(event, listener)
        for (const other of others) process.on(event, other as () => void)
      }
    })
    return () => {
      for (const end of ends) end()
    }
  },
}
