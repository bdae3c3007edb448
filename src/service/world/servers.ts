/** The settings of servers. */
import { logChange } from './audit-log.ts'
import type { ServerState } from './entities.ts'
import { guildOf } from './wire.ts'
import { known, type World } from './world.ts'

/** Changes the name and the further fields of a server. */
export function setServer(
  world: World,
  serverId: string,
  { name, ...fields }: { readonly name?: string; readonly [field: string]: unknown },
): ServerState {
  const before = known(world.server(serverId))
  const server = world.change(serverId, (old) => ({
    ...(name !== undefined && { name }),
    fields: { ...old.fields, ...fields },
  }))
  const { channels, members, threads, voice_states, ...guild } = guildOf(server, '0')
  world.publish('GUILD_UPDATE', serverId, guild)
  const [old, next] = [before, server].map((one) => ({ name: one.name, ...one.fields }))
  logChange(world, serverId, 'GUILD_UPDATE', serverId, old!, next!)
  return server
}

/** Begins an outage of a server, or ends it: its bots lose it, and get it again. */
export function setAvailable(world: World, serverId: string, isAvailable: boolean): void {
  if (world.unavailable.has(serverId) !== isAvailable) return
  if (!isAvailable) {
    world.publish('GUILD_DELETE', serverId, { id: serverId, unavailable: true })
    world.unavailable.add(serverId)
    return
  }
  world.unavailable.delete(serverId)
  for (const { user } of known(world.server(serverId)).members)
    if (user.bot === true)
      world.publish(
        'GUILD_CREATE',
        serverId,
        guildOf(known(world.server(serverId)), user.id),
        (id) => id === user.id,
      )
}
