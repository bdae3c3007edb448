/** The clock of the bot: what it shows, and moving it. */
import { milliseconds } from '../../../testing/samples/test-clock.ts'
import type { Context, Query } from './query.ts'

/** The time of the service, and whether bots follow it. */
export function clock(_query: Query, { people, bots }: Context) {
  return { now: people.world.now(), movesBots: bots?.clock.movesBots ?? false }
}

/** Moves the clock of the service and of the bots. @throws TypeError when no bot follows it */
export async function advance(query: Query, context: Context) {
  const duration = milliseconds(query.text('duration'))
  if (context.bots?.clock.movesBots !== true)
    throw new TypeError('no bot follows the clock; start it with commandry serve -- node bot.js')
  await context.bots.clock.advance(duration)
  return clock(query, context)
}
