/** The endpoints of roles. */
import { completeRole } from '../../../interactions/usage/complete.ts'
import { changeRole, createRole, deleteRole, moveRoles } from '../../world/acts/role-acts.ts'
import { GUILD } from './paths.ts'
import { actRow, row, type WorldRoute } from './visit.ts'

const ROLES = `${GUILD}/roles`
const ROLE = `${ROLES}/{role.id}`

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
  actRow('POST', ROLES, createRole, completeRole),
  actRow('PATCH', ROLES, moveRoles, (_, { server }) => server.roles.map(completeRole), { body: 'list' }),
  actRow('PATCH', ROLE, changeRole, completeRole),
  actRow('DELETE', ROLE, deleteRole),
]
