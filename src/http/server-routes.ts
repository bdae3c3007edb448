/** The endpoints of servers, members, roles and bans. They exist only where there is a world. */
import { PermissionFlag } from '../command/permission-flags.ts'
import { compareSnowflakes } from '../core/snowflake.ts'
import { completeRole, completeUser } from '../interaction/complete.ts'
import type { ServerBan, ServerMember, ServerRole, ServerSettings } from '../world/server.ts'
import { guildChannel, guildMember, guildOf, directChannel } from '../world/wire.ts'
import { bits, flag, id, integer, listOf, orNull, record, text, time, type ValueOf } from './fields.ts'
import type { ServedRoute } from './route.ts'
import { Refused, row, type Visit } from './visit.ts'

const GUILD = '/guilds/{guild.id}'
const MEMBERS = `${GUILD}/members`
const MEMBER = `${MEMBERS}/{user.id}`
const ROLES = `${GUILD}/roles`
const BANS = `${GUILD}/bans`

/** A page of a list, by the id of each item. */
function pageOf<T>(list: readonly T[], idOf: (item: T) => string, visit: Visit, usual: number): readonly T[] {
  const page = record({ limit: integer(1, 1000), after: id, before: id })
  const { limit = usual, after, before } = visit.query(page)
  const inside = [...list]
    .sort((a, b) => compareSnowflakes(idOf(a), idOf(b)))
    .filter((item) => after === undefined || compareSnowflakes(idOf(item), after) > 0)
    .filter((item) => before === undefined || compareSnowflakes(idOf(item), before) < 0)
  return before === undefined ? inside.slice(0, limit) : inside.slice(-limit)
}

const ownServerRoutes: readonly ServedRoute[] = [
  row('GET', '/users/{user.id}', 'A user', (visit) => completeUser(visit.user())),
  row('GET', '/users/@me/guilds', 'The servers the bot is in', ({ world, botId }) =>
    world.servers
      .filter((server) => world.member(server.id, botId) !== undefined)
      .map((server) => ({
        id: server.id,
        name: server.name,
        icon: null,
        banner: null,
        owner: server.owner_id === botId,
        permissions: String(world.permissions(server.id, botId)),
        features: [],
      })),
  ),
  row('DELETE', '/users/@me/guilds/{guild.id}', 'Leave a server', (visit) => {
    visit.world.removeMember(visit.server().id, visit.botId)
  }),
  row('POST', '/users/@me/channels', 'Open the DM channel with a user', (visit) => {
    const { recipient_id: userId = '' } = visit.body(record({ recipient_id: id }, ['recipient_id']))
    if (visit.world.user(userId) === undefined || userId === visit.botId)
      throw new Refused('invalid_recipient')
    return directChannel(visit.world.openDirectMessage(visit.botId, userId))
  }),
  row('GET', GUILD, 'A server with its roles', (visit) => {
    const server = visit.server()
    const { channels, members, voice_states, ...guild } = guildOf(server, visit.botId)
    return { ...guild, approximate_member_count: server.members.length, approximate_presence_count: 0 }
  }),
  row('GET', `${GUILD}/channels`, 'The channels of a server', (visit) => {
    const { channels, id: guildId } = visit.server()
    return channels.map((channel, index) => guildChannel(channel, guildId, index))
  }),
]

// --- Members ----------------------------------------------------------------------------------------------------

const DAY = 86_400_000
const LONGEST_TIMEOUT = 28 * DAY

const memberChanges = record({
  nick: orNull(text(0, 32)),
  roles: orNull(listOf(id)),
  communication_disabled_until: orNull(time),
  channel_id: orNull(id),
})

type MemberChanges = ValueOf<typeof memberChanges>

/** Checks the permission that each change of a member needs, and returns the changes. */
function checkedChanges(visit: Visit, server: ServerSettings, member: ServerMember, changes: MemberChanges) {
  const { nick, roles, communication_disabled_until: until, channel_id: voice } = changes
  if (nick !== undefined) checkNick(visit, server, member)
  if (roles !== undefined) checkRoles(visit, server, member, roles ?? [])
  if (until !== undefined) checkTimeout(visit, server, member, until)
  if (voice !== undefined) checkMove(visit, server, member, voice)
  return {
    ...(nick !== undefined && { nick: nick === '' ? null : nick }),
    ...(roles !== undefined && { roles: [...new Set(roles ?? [])] }),
    ...(until !== undefined && { communication_disabled_until: until }),
    ...(voice !== undefined && { voice_channel_id: voice }),
  }
}

function checkNick(visit: Visit, server: ServerSettings, member: ServerMember): void {
  if (member.user.id === visit.botId) return visit.need(server, ['CHANGE_NICKNAME'])
  visit.need(server, ['MANAGE_NICKNAMES'])
  visit.needAbove(server, member)
}

function checkRoles(
  visit: Visit,
  server: ServerSettings,
  member: ServerMember,
  roles: readonly string[],
): void {
  visit.need(server, ['MANAGE_ROLES'])
  const added = roles.filter((one) => !member.roles.includes(one))
  const removed = member.roles.filter((one) => !roles.includes(one))
  for (const one of [...added, ...removed]) visit.needGivable(server, visit.role(server, one))
}

function checkTimeout(
  visit: Visit,
  server: ServerSettings,
  member: ServerMember,
  until: string | null,
): void {
  visit.need(server, ['MODERATE_MEMBERS'])
  visit.needAbove(server, member)
  const { username, id: userId } = member.user
  if ((visit.world.permissions(server.id, userId) & PermissionFlag.ADMINISTRATOR) !== 0n)
    throw new Refused('lacks_permissions', `${username} is an administrator, who cannot be timed out`)
  if (until !== null && Date.parse(until) > visit.world.now() + LONGEST_TIMEOUT)
    throw visit.invalid('communication_disabled_until', 'A timeout ends within 28 days.')
}

function checkMove(visit: Visit, server: ServerSettings, member: ServerMember, voice: string | null): void {
  visit.need(server, ['MOVE_MEMBERS'])
  if (!member.voice_channel_id) throw new Refused('not_in_voice')
  if (voice !== null && !server.channels.some((channel) => channel.id === voice))
    throw new Refused('unknown_channel')
}

function changeMember(visit: Visit, member: ServerMember, changes: MemberChanges): object {
  const server = visit.server()
  const checked = checkedChanges(visit, server, member, changes)
  return guildMember(visit.world.setMember(server.id, member.user.id, checked))
}

/** Gives or takes one role. */
function changeRole(visit: Visit, has: boolean): undefined {
  const server = visit.server()
  const member = visit.member(server)
  const role = visit.role(server)
  visit.need(server, ['MANAGE_ROLES'])
  visit.needGivable(server, role)
  if (member.roles.includes(role.id) === has) return
  const others = member.roles.filter((one) => one !== role.id)
  visit.world.setMember(server.id, member.user.id, { roles: has ? [...others, role.id] : others })
}

const memberRoutes: readonly ServedRoute[] = [
  row('GET', MEMBERS, 'Members of a server, by id', (visit) =>
    pageOf(visit.server().members, ({ user }) => user.id, visit, 1).map(guildMember),
  ),
  row('GET', `${MEMBERS}/search`, 'The members whose name begins with a text', (visit) => {
    const search = record({ query: text(1, 100), limit: integer(1, 1000) }, ['query'])
    const { query = '', limit = 1 } = visit.query(search)
    const begins = (name?: string | null) => name?.toLowerCase().startsWith(query.toLowerCase())
    const found = visit
      .server()
      .members.filter(({ user, nick }) => [user.username, user.global_name, nick].some(begins))
    return found.slice(0, limit).map(guildMember)
  }),
  row('GET', MEMBER, 'A member', (visit) => guildMember(visit.member(visit.server()))),
  row('PATCH', MEMBER, 'Change the nickname, roles, timeout or voice channel of a member', (visit) => {
    const member = visit.member(visit.server())
    return changeMember(visit, member, visit.body(memberChanges))
  }),
  row('PATCH', `${MEMBERS}/@me`, 'Change the nickname of the bot', (visit) => {
    const member = visit.member(visit.server(), visit.botId)
    const { nick } = visit.body(memberChanges)
    return changeMember(visit, member, nick === undefined ? {} : { nick })
  }),
  row('DELETE', MEMBER, 'Kick a member', (visit) => {
    const server = visit.server()
    const member = visit.member(server)
    visit.need(server, ['KICK_MEMBERS'])
    visit.needAbove(server, member)
    visit.world.removeMember(server.id, member.user.id)
  }),
  row('PUT', `${MEMBER}/roles/{role.id}`, 'Give a member a role', (visit) => changeRole(visit, true)),
  row('DELETE', `${MEMBER}/roles/{role.id}`, 'Take a role from a member', (visit) =>
    changeRole(visit, false),
  ),
]

// --- Roles ------------------------------------------------------------------------------------------------------

const color = integer(0, 0xffffff)

const roleFields = record({
  name: orNull(text(1, 100)),
  permissions: orNull(bits),
  color: orNull(color),
  colors: orNull(record({ primary_color: color })),
  hoist: orNull(flag),
  mentionable: orNull(flag),
})

/** The fields of a role in a body; a null counts as absent. */
function readRole(visit: Visit, server: ServerSettings): Partial<Omit<ServerRole, 'id'>> {
  const { colors, ...body } = visit.body(roleFields)
  const given = Object.entries({ ...body, color: body.color ?? colors?.primary_color })
  const fields: Partial<Omit<ServerRole, 'id'>> = Object.fromEntries(
    given.filter(([, value]) => value != null),
  )
  if (fields.permissions !== undefined) visit.needAll(server, fields.permissions)
  return fields
}

/** The server and the role of the path, which the bot may change. */
function ownRole(visit: Visit): readonly [ServerSettings, ServerRole] {
  const server = visit.server()
  const role = visit.role(server)
  visit.need(server, ['MANAGE_ROLES'])
  visit.needRoleBelow(server, role)
  return [server, role]
}

const roleRoutes: readonly ServedRoute[] = [
  row('GET', ROLES, 'The roles of a server', (visit) => visit.server().roles.map(completeRole)),
  row('GET', `${ROLES}/{role.id}`, 'A role', (visit) => completeRole(visit.role(visit.server()))),
  row('POST', ROLES, 'Create a role', (visit) => {
    const server = visit.server()
    visit.need(server, ['MANAGE_ROLES'])
    const everyone = server.roles.find((role) => role.id === server.id)!
    const { permissions } = everyone
    return completeRole(visit.world.createRole(server.id, { permissions, ...readRole(visit, server) }))
  }),
  row('PATCH', `${ROLES}/{role.id}`, 'Change a role', (visit) => {
    const [server, role] = ownRole(visit)
    return completeRole(visit.world.setRole(server.id, role.id, readRole(visit, server)))
  }),
  row('DELETE', `${ROLES}/{role.id}`, 'Delete a role', (visit) => {
    const [server, role] = ownRole(visit)
    if (role.id === server.id || role.managed) throw new Refused('invalid_role')
    visit.world.deleteRole(server.id, role.id)
  }),
]

// --- Bans -------------------------------------------------------------------------------------------------------

const WEEK = 604_800
const banFields = record({
  delete_message_seconds: orNull(integer(0, WEEK)),
  delete_message_days: orNull(integer(0, 7)),
})

const banOf = ({ user, reason }: ServerBan) => ({ reason, user: completeUser(user) })

function banningServer(visit: Visit): ServerSettings {
  const server = visit.server()
  visit.need(server, ['BAN_MEMBERS'])
  return server
}

function knownBan(visit: Visit): ServerBan {
  const ban = visit.world.banOf(banningServer(visit).id, visit.path('user'))
  if (ban === undefined) throw new Refused('unknown_ban')
  return ban
}

const banRoutes: readonly ServedRoute[] = [
  row('GET', BANS, 'The bans of a server', (visit) => {
    const { bans = [] } = banningServer(visit)
    return pageOf(bans, ({ user }) => user.id, visit, 1000).map(banOf)
  }),
  row('GET', `${BANS}/{user.id}`, 'A ban', (visit) => banOf(knownBan(visit))),
  row('PUT', `${BANS}/{user.id}`, 'Ban a user', (visit) => {
    const server = banningServer(visit)
    const { id: userId } = visit.user()
    const member = visit.world.member(server.id, userId)
    if (member !== undefined) visit.needAbove(server, member)
    // Some libraries send the fields as a query.
    const given = { ...visit.query(banFields), ...visit.body(banFields) }
    const seconds = given.delete_message_seconds ?? (given.delete_message_days ?? 0) * 86_400
    visit.world.ban(server.id, userId, visit.reason, seconds)
  }),
  row('DELETE', `${BANS}/{user.id}`, 'End a ban', (visit) => {
    visit.world.unban(visit.server().id, knownBan(visit).user.id)
  }),
]

/** Every endpoint of servers. */
export const serverRoutes: readonly ServedRoute[] = [
  ...ownServerRoutes,
  ...memberRoutes,
  ...roleRoutes,
  ...banRoutes,
]
