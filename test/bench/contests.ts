/** All contests by name. A contest is prepared only in the processes of its contenders. */
import type { Contest } from './contest.ts'
import { httpContests } from './http.ts'
import { readingContests } from './reading.ts'
import { registryContests } from './registry.ts'
import { storeContests } from './stores.ts'

export const contests: Readonly<Record<string, () => Contest>> = {
  ...readingContests,
  ...registryContests,
  ...httpContests,
  ...storeContests,
}
