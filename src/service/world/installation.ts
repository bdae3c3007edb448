/** Where an app is: in a server with its bot, or along with a person who installed it (clause 2.8-07). */
import { IntegrationType } from '../../model/command-types.ts'
import type { World } from './world.ts'

/** Whether the bot of an app is in a server. */
export function hasBot(world: World, serverId: string, applicationId: string): boolean {
  return world.member(serverId, applicationId) !== undefined
}

/** Whether an app is in a server. One whose bot was never seen joins all that take bots, with its first login. */
export function isAppIn(world: World, serverId: string, applicationId: string): boolean {
  const isExpected = world.server(serverId)?.bot !== false && world.user(applicationId) === undefined
  return isExpected || hasBot(world, serverId, applicationId)
}

/** Whether an app shares a server with a person. */
export function sharesServer(world: World, applicationId: string, userId: string): boolean {
  return world.servers.some(
    ({ id }) => world.member(id, userId) !== undefined && isAppIn(world, id, applicationId),
  )
}

/** What a person uses of an app: its installation in the server, or their own. */
export type InstalledTo = 'server' | 'user'

/**
 * How an app is installed for a person in a server, or in a DM (null).
 *
 * @param only the one installation that counts. Default: both, as everybody has installed the app
 */
export function installedFor(
  world: World,
  applicationId: string,
  userId: string,
  serverId: string | null,
  only?: InstalledTo,
): readonly IntegrationType[] {
  const isHere =
    serverId === null ? sharesServer(world, applicationId, userId) : isAppIn(world, serverId, applicationId)
  return [
    ...(isHere && only !== 'user' ? [IntegrationType.GUILD_INSTALL] : []),
    ...(only === 'server' ? [] : [IntegrationType.USER_INSTALL]),
  ]
}
