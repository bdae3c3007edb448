/** What people and channels had at first, such as before a ban. */
import { sameJson } from '../../core/json.ts'
import type { ServerSettings } from '../../model/server.ts'
import { addChannel, setChannel } from '../../service/world/channels.ts'
import { addMember, setMember, unban } from '../../service/world/members.ts'
import type { World } from '../../service/world/world.ts'

export function restoreServer(world: World, server: ServerSettings): void {
  for (const { user, ...first } of server.members) {
    unban(world, server.id, user.id)
    const member = world.member(server.id, user.id)
    const { roles, nick = null, communication_disabled_until = null } = first
    const changes = { roles, nick, communication_disabled_until }
    if (member === undefined) addMember(world, server.id, user, roles)
    else if (differs(member, changes)) setMember(world, server.id, user.id, changes)
  }
  for (const first of server.channels) {
    const { id, permission_overwrites = [], rate_limit_per_user = 0 } = first
    const channel = world.channel(id)
    const changes = { permission_overwrites, rate_limit_per_user }
    if (channel === undefined) addChannel(world, server.id, first)
    else if (differs(channel, changes)) setChannel(world, id, changes)
  }
}

/** Whether an object has other values than these; null, 0 and an empty list are as absent. */
function differs(object: object, values: object): boolean {
  const given = (value: unknown) => (value === 0 || sameJson(value, []) ? null : (value ?? null))
  return Object.entries(values).some(
    ([key, value]) => !sameJson(given((object as Readonly<Record<string, unknown>>)[key]), given(value)),
  )
}
