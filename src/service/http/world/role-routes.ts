/** The endpoints of roles. */
import { listOf, nullable, objectOf, optional, orNull, partial } from '../../../core/rules/readers.ts'
import { completeRole } from '../../../interactions/usage/complete.ts'
import type { ServerRole } from '../../../model/server.ts'
import { compareRoles } from '../../world/world.ts'
import type { RoleFields } from '../../world/roles.ts'
import { createRole, deleteRole, moveRoles, setRole } from '../../world/roles.ts'
import { Refused } from '../../refusals.ts'
import { GUILD } from './paths.ts'
import { bits, flag, id, integer, picture, text } from '../../world/body-fields.ts'
import { lacks, row, type Visit, type WorldRoute } from './visit.ts'

const ROLES = `${GUILD}/roles`
const ROLE = `${ROLES}/{role.id}`
const MAX_ROLES = 250

const color = integer(0, 0xffffff)

const roleFields = objectOf({
  ...partial(nullable, {
    name: text(1, 100),
    permissions: bits,
    color,
    colors: objectOf({ primary_color: optional(color) }),
    hoist: flag,
    mentionable: flag,
  }),
  icon: picture,
  unicode_emoji: optional(orNull(text(1, 100))),
})

const positions = listOf(objectOf({ id, position: nullable(orNull(integer(0, 10_000))) }))

function readRole(visit: Visit): RoleFields {
  const { colors, icon, ...given } = visit.body(roleFields)
  if (given.permissions !== undefined) visit.needAll(visit.server, given.permissions)
  const color = given.color ?? colors?.primary_color
  return { ...given, ...(color !== undefined && { color }), ...visit.hashesOf({ icon }) }
}

/** @throws Refused unless all roles that change places are below the bot's highest one, before and after */
function checkOrder(visit: Visit, moved: readonly ServerRole[]): void {
  const { server, world, botId } = visit
  const idsOf = (roles: readonly ServerRole[]) => [...roles].sort(compareRoles).map(({ id }) => id)
  const before = idsOf(server.roles)
  const after = idsOf(server.roles.map((role) => moved.find(({ id }) => id === role.id) ?? role))
  const own = after.indexOf(world.highestRole(server.id, botId).id)
  for (const role of server.roles) {
    const place = after.indexOf(role.id)
    if (place === before.indexOf(role.id)) continue
    visit.needRoleBelow(visit.server, role)
    if (place > own && server.owner_id !== botId)
      throw lacks(`the role ${role.name} would be above the bot's highest role in ${server.name}`)
  }
}

const needs = ['MANAGE_ROLES'] as const

export const roleRoutes: readonly WorldRoute[] = [
  row('GET', ROLES, 'The roles of a server', {}, ({ server }) => server.roles.map(completeRole)),
  row('GET', `${ROLES}/member-counts`, 'The number of members of each role but @everyone', {}, ({ server }) =>
    Object.fromEntries(
      server.roles
        .filter((role) => role.id !== server.id)
        .map((role) => [role.id, server.members.filter(({ roles }) => roles.includes(role.id)).length]),
    ),
  ),
  row('GET', ROLE, 'A role', {}, ({ role }) => completeRole(role)),
  row('POST', ROLES, 'Create a role', { needs, event: 'GUILD_ROLE_CREATE', logs: 'ROLE_CREATE' }, (visit) => {
    const { id: serverId, roles } = visit.server
    if (roles.length >= MAX_ROLES) throw new Refused('too_many_roles', `${MAX_ROLES}`)
    const { permissions } = visit.roleOf(serverId)
    return completeRole(createRole(visit.world, serverId, { permissions, ...readRole(visit) }))
  }),
  row(
    'PATCH',
    ROLES,
    'Change the order of roles',
    { needs, body: 'list', event: 'GUILD_ROLE_UPDATE', logs: 'ROLE_UPDATE' },
    (visit) => {
      const { world, server } = visit
      const moved = visit.body(positions).map(({ id, position }) => ({
        ...visit.roleOf(id),
        ...(position != null && { position }),
      }))
      checkOrder(visit, moved)
      moveRoles(world, server.id, new Map(moved.map(({ id, position = 0 }) => [id, position])))
      return visit.server.roles.map(completeRole)
    },
  ),
  row('PATCH', ROLE, 'Change a role', { needs, event: 'GUILD_ROLE_UPDATE', logs: 'ROLE_UPDATE' }, (visit) => {
    visit.needRoleBelow(visit.server, visit.role)
    return completeRole(setRole(visit.world, visit.server.id, visit.role, readRole(visit)))
  }),
  row(
    'DELETE',
    ROLE,
    'Delete a role',
    { needs, event: 'GUILD_ROLE_DELETE', logs: 'ROLE_DELETE' },
    (visit) => {
      const { server, role } = visit
      visit.needRoleBelow(visit.server, role)
      if (role.id === server.id || role.managed) throw new Refused('invalid_role')
      deleteRole(visit.world, server.id, role)
    },
  ),
]
