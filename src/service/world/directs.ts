/** Whom a bot can write to: people who share a server with it, and have neither closed their DMs nor blocked it. */
import { hasBot } from './installation.ts'
import type { DirectChannel } from './entities.ts'
import type { World } from './world.ts'

/** Whether a bot can write in a DM. */
export function canReach(world: World, { botId, user }: DirectChannel): boolean {
  if (user.bot || world.closed.has(user.id) || world.blocking.has(user.id)) return false
  return world.servers.some(({ id }) => world.member(id, user.id) !== undefined && hasBot(world, id, botId))
}
