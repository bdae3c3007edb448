/** Acts on the roles of servers. */
import { listOf, nullable, objectOf, optional, orNull, partial } from '../../../core/rules/readers.ts'
import type { ServerRole } from '../../../model/server.ts'
import { Refused } from '../../refusals.ts'
import { bits, bodyFlag, bodyId, integerIn, orNoImage, textBetween } from '../body-fields.ts'
import type { ServerState } from '../entities.ts'
import { lacks, type Party } from '../party.ts'
import { addRole, dropRole, setPositions, setRole, type RoleFields } from '../roles.ts'
import { compareRoles, known } from '../world.ts'
import { serverAct, type ActInput } from './act.ts'

const MAX_ROLES = 250
const needs = ['MANAGE_ROLES'] as const
const color = integerIn(0, 0xffffff)

const roleFields = objectOf({
  ...partial(nullable, {
    name: textBetween(1, 100),
    permissions: bits,
    color,
    colors: objectOf({ primary_color: optional(color) }),
    hoist: bodyFlag,
    mentionable: bodyFlag,
  }),
  icon: orNoImage,
  unicode_emoji: optional(orNull(textBetween(1, 100))),
})

type RoleBody = NonNullable<ReturnType<typeof roleFields>>

const positions = listOf(objectOf({ id: bodyId, position: nullable(orNull(integerIn(0, 10_000))) }))

type Positions = NonNullable<ReturnType<typeof positions>>

/** @param kept the permissions that the role has already: to keep one is not to give it */
function checkPermissions(by: Party, { permissions = '0' }: RoleBody, server: ServerState, kept = '0'): void {
  by.needAll(server, BigInt(permissions) & ~BigInt(kept))
}

function givenFields(by: Party, { colors, icon, ...given }: RoleBody): RoleFields {
  const color = given.color ?? colors?.primary_color
  return { ...given, ...(color !== undefined && { color }), ...by.hashesOf({ icon }) }
}

export const createRole = serverAct({
  summary: 'Create a role',
  needs,
  event: 'GUILD_ROLE_CREATE',
  logs: 'ROLE_CREATE',
  on: [],
  body: roleFields,
  check(by, { body }, server) {
    if (server.roles.length >= MAX_ROLES) throw new Refused('too_many_roles', `${MAX_ROLES}`)
    checkPermissions(by, body, server)
  },
  do(by, { body }, { id: serverId, roles }) {
    const { permissions } = known(roles.find((role) => role.id === serverId))
    return addRole(by.world, serverId, { permissions, ...givenFields(by, body) })
  },
})

const changing = { needs, event: 'GUILD_ROLE_UPDATE', logs: 'ROLE_UPDATE' } as const

export const changeRole = serverAct({
  ...changing,
  summary: 'Change a role',
  on: ['role'],
  body: roleFields,
  check(by, { role, body }, server) {
    by.needRoleBelow(server, role)
    checkPermissions(by, body, server, role.permissions)
  },
  do: (by, { role, body }, server) => setRole(by.world, server.id, role, givenFields(by, body)),
})

/** The roles of a body at their new positions. @throws Refused for an unknown one */
const movedIn = (given: Positions, { roles }: ServerState) =>
  given.map(({ id, position }): ServerRole => {
    const role = roles.find((one) => one.id === id)
    if (role === undefined) throw new Refused('unknown_role')
    return { ...role, ...(position != null && { position }) }
  })

/** @throws Refused unless all roles that change places are below the party's highest one, before and after */
function checkOrder(by: Party, { body }: ActInput<never, Positions>, server: ServerState): void {
  const moved = movedIn(body, server)
  const idsOf = (roles: readonly ServerRole[]) => [...roles].sort(compareRoles).map((role) => role.id)
  const before = idsOf(server.roles)
  const after = idsOf(server.roles.map((role) => moved.find((one) => one.id === role.id) ?? role))
  const own = after.indexOf(by.world.highestRole(server.id, by.user.id).id)
  for (const role of server.roles) {
    const place = after.indexOf(role.id)
    if (place === before.indexOf(role.id)) continue
    by.needRoleBelow(server, role)
    if (place > own && server.owner_id !== by.user.id)
      throw lacks(`the role ${role.name} would be above ${by.name}'s highest role in ${server.name}`)
  }
}

export const moveRoles = serverAct({
  ...changing,
  summary: 'Change the order of roles',
  on: [],
  body: positions,
  check: checkOrder,
  do({ world }, { body }, server) {
    const moved = movedIn(body, server)
    setPositions(world, server.id, new Map(moved.map(({ id, position = 0 }) => [id, position])))
  },
})

export const deleteRole = serverAct({
  summary: 'Delete a role',
  needs,
  event: 'GUILD_ROLE_DELETE',
  logs: 'ROLE_DELETE',
  on: ['role'],
  check(by, { role }, server) {
    by.needRoleBelow(server, role)
    if (role.id === server.id || role.managed) throw new Refused('invalid_role')
  },
  do: ({ world }, { role }, server) => dropRole(world, server.id, role),
})
