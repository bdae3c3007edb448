/** What happens in the world because time passes. */
import { endPolls } from './polls.ts'
import { archiveIdleThreads } from './threads.ts'
import type { World } from './world.ts'

/** Archives threads and ends polls whose time is over. */
export function passTime(world: World): void {
  archiveIdleThreads(world)
  endPolls(world)
}
