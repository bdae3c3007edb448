/** Acts on members: kicks, bans, and changes of their roles. */
import { nullable, objectOf, partial } from '../../../core/rules/readers.ts'
import { Refused } from '../../refusals.ts'
import { idList, integerIn } from '../body-fields.ts'
import type { ServerState } from '../entities.ts'
import { ban, banOf, kick, setMember, unban } from '../members.ts'
import type { Party } from '../party.ts'
import { serverAct, type ActInput } from './act.ts'

export const kickMember = serverAct({
  summary: 'Kick a member',
  needs: ['KICK_MEMBERS'],
  event: 'GUILD_MEMBER_REMOVE',
  logs: 'MEMBER_KICK',
  on: ['member'],
  check: (by, { member }, server) => by.needAbove(server, member),
  do: ({ world }, { member }, server) => kick(world, server.id, member.user.id),
})

const WEEK = 604_800
export const banFields = objectOf(
  partial(nullable, { delete_message_seconds: integerIn(0, WEEK), delete_message_days: integerIn(0, 7) }),
)

export const banUser = serverAct({
  summary: 'Ban a user',
  needs: ['BAN_MEMBERS'],
  event: 'GUILD_BAN_ADD',
  logs: 'MEMBER_BAN_ADD',
  on: ['target'],
  body: banFields,
  check(by, { target }, server) {
    const member = by.world.member(server.id, target.id)
    if (member !== undefined) by.needAbove(server, member)
  },
  do({ world, reason }, { target, body }, server) {
    const seconds = body.delete_message_seconds ?? (body.delete_message_days ?? 0) * 86_400
    ban(world, server.id, target.id, reason, seconds)
  },
})

/** Bans users that exist, are not banned, and are below the party. @returns whether the user is banned now */
function tryBan(by: Party, server: ServerState, userId: string, seconds: number): boolean {
  const { world, reason } = by
  const member = world.member(server.id, userId)
  if (world.user(userId) === undefined || banOf(world, server.id, userId) !== undefined) return false
  try {
    if (member !== undefined) by.needAbove(server, member)
  } catch {
    return false
  }
  ban(world, server.id, userId, reason, seconds)
  return true
}

const usersToBan = objectOf({
  user_ids: idList(1, 200),
  delete_message_seconds: nullable(integerIn(0, WEEK)),
})

export const banUsers = serverAct({
  summary: 'Ban up to 200 users',
  needs: ['BAN_MEMBERS', 'MANAGE_GUILD'],
  event: 'GUILD_BAN_ADD',
  logs: 'MEMBER_BAN_ADD',
  on: [],
  body: usersToBan,
  do(by, { body: { user_ids: users, delete_message_seconds: seconds = 0 } }, server) {
    const banned = users.filter((one) => tryBan(by, server, one, seconds))
    return { banned, failed: users.filter((one) => !banned.includes(one)) }
  },
})

export const unbanUser = serverAct({
  summary: 'End a ban',
  needs: ['BAN_MEMBERS'],
  event: 'GUILD_BAN_REMOVE',
  logs: 'MEMBER_BAN_REMOVE',
  on: ['userId'],
  check({ world }, { userId }, server) {
    if (banOf(world, server.id, userId) === undefined) throw new Refused('unknown_ban')
  },
  do: ({ world }, { userId }, server) => unban(world, server.id, userId),
})

const roleChange = {
  needs: ['MANAGE_ROLES'],
  event: 'GUILD_MEMBER_UPDATE',
  logs: 'MEMBER_ROLE_UPDATE',
  on: ['member', 'role'],
} as const

type OfRole = ActInput<'member' | 'role', undefined>

const checkRole = (by: Party, { role }: OfRole, server: ServerState) => by.needGivable(server, role)

function changeRole({ world }: Party, { member, role }: OfRole, server: ServerState, has: boolean): void {
  if (member.roles.includes(role.id) === has) return
  const others = member.roles.filter((one) => one !== role.id)
  setMember(world, server.id, member.user.id, { roles: has ? [...others, role.id] : others })
}

export const giveRole = serverAct({
  ...roleChange,
  summary: 'Give a member a role',
  check: checkRole,
  do: (by, given, server) => changeRole(by, given, server, true),
})

export const takeRole = serverAct({
  ...roleChange,
  summary: 'Take a role from a member',
  check: checkRole,
  do: (by, given, server) => changeRole(by, given, server, false),
})
