import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose_gc')
/** Collects garbage. */
export const collect = runInNewContext('gc') as () => void

/** The bytes in use, without garbage. */
export function heap(): number {
  collect()
  return process.memoryUsage().heapUsed
}
