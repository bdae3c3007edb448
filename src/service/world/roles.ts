/** Roles. */
import { completeRole } from '../../interactions/usage/complete.ts'
import type { ServerRole } from '../../model/server.ts'
import { logChange } from './audit-log.ts'
import { syncThreads } from './threads.ts'
import { known, type World } from './world.ts'

export type RoleFields = Partial<Omit<ServerRole, 'id'>>

/** Creates a role above `@everyone`. */
export function addRole(world: World, serverId: string, fields: RoleFields): ServerRole {
  const role = { name: 'new role', permissions: '0', position: 1, ...fields, id: world.nextId() }
  world.change(serverId, ({ roles }) => ({ roles: [...roles, role] }))
  world.publish('GUILD_ROLE_CREATE', serverId, { guild_id: serverId, role: completeRole(role) })
  logChange(world, serverId, 'ROLE_CREATE', role.id, null, role)
  return role
}

export function setRole(world: World, serverId: string, before: ServerRole, changes: RoleFields): ServerRole {
  const role = { ...before, ...changes }
  const server = known(world.server(serverId))
  world.change(serverId, ({ roles }) => ({ roles: roles.map((one) => (one.id === role.id ? role : one)) }))
  world.publish('GUILD_ROLE_UPDATE', serverId, { guild_id: serverId, role: completeRole(role) })
  logChange(world, serverId, 'ROLE_UPDATE', role.id, before, role)
  syncThreads(world, server)
  return role
}

/** Puts roles at these positions; the others keep their order around them. */
export function setPositions(world: World, serverId: string, positions: ReadonlyMap<string, number>): void {
  const { roles } = world.server(serverId)!
  for (const role of roles) {
    const position = positions.get(role.id)
    if (position !== undefined && position !== role.position) setRole(world, serverId, role, { position })
  }
}

/** Deletes a role, which its members lose. */
export function dropRole(world: World, serverId: string, role: ServerRole): void {
  const server = known(world.server(serverId))
  world.change(serverId, ({ roles, members }) => ({
    roles: roles.filter(({ id }) => id !== role.id),
    members: members.map((member) => ({ ...member, roles: member.roles.filter((id) => id !== role.id) })),
  }))
  world.publish('GUILD_ROLE_DELETE', serverId, { guild_id: serverId, role_id: role.id })
  logChange(world, serverId, 'ROLE_DELETE', role.id, role, null)
  syncThreads(world, server)
}
