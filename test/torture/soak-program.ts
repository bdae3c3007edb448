/** The soak as a process: the search for the order of a history holds its own process for seconds. */
import { startSoak } from './soak.ts'

const soak = await startSoak()

async function stop(): Promise<void> {
  const result = await soak.stop().then(
    (outcome) => ({ outcome }),
    (error: unknown) => ({ failure: error instanceof Error ? error.message : String(error) }),
  )
  if (process.connected) process.send!(result, () => process.exit())
  else process.exit()
}

process.once('message', stop)
process.once('disconnect', stop)
process.send!('started')
