/** The endpoints of servers, members, roles and bans. They exist only where there is a world. */
import { listOf, nullable, objectOf, optional, orNull, partial } from '../../core/rules/readers.ts'
import { PermissionFlag } from '../../model/permission-flags.ts'
import { compareSnowflakes } from '../../core/snowflake.ts'
import { completeRole, completeUser } from '../../interactions/usage/complete.ts'
import type { ServerBan, ServerRole, ServerUser } from '../../model/server.ts'
import { guildChannel, guildMember, guildOf, directChannel } from '../world/wire.ts'
import type { MemberChanges } from '../world/world.ts'
import { bits, flag, id, integer, text, time } from './request-fields.ts'
import { invalidField, Refused } from './respond.ts'
import { lacks, row, type Visit, type WorldRoute } from './visit.ts'

const GUILD = '/guilds/{guild.id}'
const MEMBERS = `${GUILD}/members`
const MEMBER = `${MEMBERS}/{user.id}`
const ROLES = `${GUILD}/roles`
const ROLE = `${ROLES}/{role.id}`
const BANS = `${GUILD}/bans`
const BAN = `${BANS}/{user.id}`

/** A page of a list, by the id of the user of each item. */
function pageOf<T extends { readonly user: ServerUser }>(
  list: readonly T[],
  visit: Visit,
  usual: number,
): readonly T[] {
  const page = objectOf(partial(optional, { limit: integer(1, 1000), after: id, before: id }))
  const { limit = usual, after, before } = visit.query(page)
  const inside = [...list]
    .sort((a, b) => compareSnowflakes(a.user.id, b.user.id))
    .filter(({ user }) => after === undefined || compareSnowflakes(user.id, after) > 0)
    .filter(({ user }) => before === undefined || compareSnowflakes(user.id, before) < 0)
  return before === undefined ? inside.slice(0, limit) : inside.slice(-limit)
}

const MAX_TIMEOUT = 28 * 86_400_000

const nickname = { nick: orNull(text(0, 32)) } as const

const memberFields = objectOf(
  partial(optional, {
    ...nickname,
    roles: orNull(listOf(id)),
    communication_disabled_until: orNull(time),
    channel_id: orNull(id),
  }),
)

/** Changes a member of the server. Each field needs a permission of its own. */
function changeMember(visit: Visit, userId: string, given: typeof memberFields): object {
  const { server, world } = visit
  const member = visit.memberOf(userId)
  const { nick, roles, communication_disabled_until: until, channel_id: voice } = visit.body(given)
  const changes: { -readonly [Name in keyof MemberChanges]: MemberChanges[Name] } = {}
  if (nick !== undefined) {
    const isOwn = userId === visit.botId
    visit.need(isOwn ? 'CHANGE_NICKNAME' : 'MANAGE_NICKNAMES')
    if (!isOwn) visit.needAbove(member)
    changes.nick = nick === '' ? null : nick
  }
  if (roles !== undefined) {
    visit.need('MANAGE_ROLES')
    const wanted = new Set(roles)
    const changed = new Set(
      [...wanted, ...member.roles].filter((one) => !(wanted.has(one) && member.roles.includes(one))),
    )
    for (const one of changed) visit.needGivable(visit.roleOf(one))
    changes.roles = [...wanted]
  }
  if (until !== undefined) {
    visit.need('MODERATE_MEMBERS')
    visit.needAbove(member)
    if ((world.permissions(server.id, userId) & PermissionFlag.ADMINISTRATOR) !== 0n)
      throw lacks(`${member.user.username} is an administrator, who cannot be timed out`)
    if (until !== null && Date.parse(until) > world.now() + MAX_TIMEOUT)
      throw invalidField('communication_disabled_until', 'A timeout ends within 28 days.')
    changes.communication_disabled_until = until
  }
  if (voice !== undefined) {
    visit.need('MOVE_MEMBERS')
    if (!member.voice_channel_id) throw new Refused('not_in_voice')
    if (voice !== null && !server.channels.some((channel) => channel.id === voice))
      throw new Refused('unknown_channel')
    changes.voice_channel_id = voice
  }
  return guildMember(world.setMember(server.id, userId, changes))
}

function changeRole(visit: Visit, has: boolean): void {
  const { server, member, role } = visit
  visit.needGivable(role)
  if (member.roles.includes(role.id) === has) return
  const others = member.roles.filter((one) => one !== role.id)
  visit.world.setMember(server.id, member.user.id, { roles: has ? [...others, role.id] : others })
}

const color = integer(0, 0xffffff)

const roleFields = objectOf(
  partial(nullable, {
    name: text(1, 100),
    permissions: bits,
    color,
    colors: objectOf({ primary_color: optional(color) }),
    hoist: flag,
    mentionable: flag,
  }),
)

function readRole(visit: Visit): Partial<Omit<ServerRole, 'id'>> {
  const { colors, ...given } = visit.body(roleFields)
  if (given.permissions !== undefined) visit.needAll(given.permissions)
  const color = given.color ?? colors?.primary_color
  return { ...given, ...(color !== undefined && { color }) }
}

const WEEK = 604_800
const banFields = objectOf(
  partial(nullable, { delete_message_seconds: integer(0, WEEK), delete_message_days: integer(0, 7) }),
)

const banOf = ({ user, reason }: ServerBan) => ({ reason, user: completeUser(user) })

function knownBan(visit: Visit): ServerBan {
  const ban = visit.world.banOf(visit.server.id, visit.path('user'))
  if (ban === undefined) throw new Refused('unknown_ban')
  return ban
}

export const serverRoutes: readonly WorldRoute[] = [
  row('GET', '/users/{user.id}', 'A user', [], ({ user }) => completeUser(user)),
  row('GET', '/users/@me/guilds', 'The servers the bot is in', [], ({ world, botId }) =>
    world.servers
      .filter(({ id: serverId }) => world.member(serverId, botId) !== undefined)
      .map(({ id: serverId, name, owner_id: owner }) => ({
        ...{ id: serverId, name, icon: null, banner: null, owner: owner === botId, features: [] },
        permissions: String(world.permissions(serverId, botId)),
      })),
  ),
  row('DELETE', '/users/@me/guilds/{guild.id}', 'Leave a server', [], ({ world, server, botId }) => {
    world.removeMember(server.id, botId)
  }),
  row('POST', '/users/@me/channels', 'Open the DM channel with a user', [], (visit) => {
    const { world, botId } = visit
    const { recipient_id: userId } = visit.body(objectOf({ recipient_id: id }))
    if (world.user(userId) === undefined || userId === botId) throw new Refused('invalid_recipient')
    return directChannel(world.openDirectMessage(botId, userId))
  }),
  row('GET', GUILD, 'A server with its roles', [], ({ server, botId }) => {
    const { channels, members, voice_states, ...guild } = guildOf(server, botId)
    return { ...guild, approximate_member_count: server.members.length, approximate_presence_count: 0 }
  }),
  row('GET', `${GUILD}/channels`, 'The channels of a server', [], ({ server }) =>
    server.channels.map((channel, index) => guildChannel(channel, server.id, index)),
  ),

  row('GET', MEMBERS, 'Members of a server, by id', [], (visit) =>
    pageOf(visit.server.members, visit, 1).map(guildMember),
  ),
  row('GET', `${MEMBERS}/search`, 'The members whose name begins with a text', [], (visit) => {
    const search = objectOf({ query: text(1, 100), limit: optional(integer(1, 1000)) })
    const { query, limit = 1 } = visit.query(search)
    const begins = (name?: string | null) => name?.toLowerCase().startsWith(query.toLowerCase())
    const found = visit.server.members.filter(({ user, nick }) =>
      [user.username, user.global_name, nick].some(begins),
    )
    return found.slice(0, limit).map(guildMember)
  }),
  row('GET', MEMBER, 'A member', [], ({ member }) => guildMember(member)),
  row('PATCH', MEMBER, 'Change the nickname, roles, timeout or voice channel of a member', [], (visit) =>
    changeMember(visit, visit.path('user'), memberFields),
  ),
  row('PATCH', `${MEMBERS}/@me`, 'Change the nickname of the bot', [], (visit) =>
    changeMember(visit, visit.botId, objectOf(partial(optional, nickname))),
  ),
  row('DELETE', MEMBER, 'Kick a member', ['KICK_MEMBERS'], (visit) => {
    visit.needAbove(visit.member)
    visit.world.removeMember(visit.server.id, visit.path('user'))
  }),
  row('PUT', `${MEMBER}/roles/{role.id}`, 'Give a member a role', ['MANAGE_ROLES'], (visit) =>
    changeRole(visit, true),
  ),
  row('DELETE', `${MEMBER}/roles/{role.id}`, 'Take a role from a member', ['MANAGE_ROLES'], (visit) =>
    changeRole(visit, false),
  ),

  row('GET', ROLES, 'The roles of a server', [], ({ server }) => server.roles.map(completeRole)),
  row('GET', ROLE, 'A role', [], ({ role }) => completeRole(role)),
  row('POST', ROLES, 'Create a role', ['MANAGE_ROLES'], (visit) => {
    const { id: serverId } = visit.server
    const { permissions } = visit.roleOf(serverId)
    return completeRole(visit.world.createRole(serverId, { permissions, ...readRole(visit) }))
  }),
  row('PATCH', ROLE, 'Change a role', ['MANAGE_ROLES'], (visit) => {
    visit.needRoleBelow(visit.role)
    return completeRole(visit.world.setRole(visit.server.id, visit.role, readRole(visit)))
  }),
  row('DELETE', ROLE, 'Delete a role', ['MANAGE_ROLES'], (visit) => {
    const { server, role } = visit
    visit.needRoleBelow(role)
    if (role.id === server.id || role.managed) throw new Refused('invalid_role')
    visit.world.deleteRole(server.id, role.id)
  }),

  row('GET', BANS, 'The bans of a server', ['BAN_MEMBERS'], (visit) =>
    pageOf(visit.server.bans ?? [], visit, 1000).map(banOf),
  ),
  row('GET', BAN, 'A ban', ['BAN_MEMBERS'], (visit) => banOf(knownBan(visit))),
  row('PUT', BAN, 'Ban a user', ['BAN_MEMBERS'], (visit) => {
    const { world, server, user } = visit
    const member = world.member(server.id, user.id)
    if (member !== undefined) visit.needAbove(member)
    // Some libraries send the fields as a query.
    const given = { ...visit.query(banFields), ...visit.body(banFields) }
    const seconds = given.delete_message_seconds ?? (given.delete_message_days ?? 0) * 86_400
    world.ban(server.id, user.id, visit.reason, seconds)
  }),
  row('DELETE', BAN, 'End a ban', ['BAN_MEMBERS'], (visit) => {
    visit.world.unban(visit.server.id, knownBan(visit).user.id)
  }),
]
