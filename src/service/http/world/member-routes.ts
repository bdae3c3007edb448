/** The endpoints of members and bans. */
import {
  listOf,
  nullable,
  objectOf,
  optional,
  orNull,
  partial,
  type Reader,
} from '../../../core/rules/readers.ts'
import { compareSnowflakes } from '../../../core/snowflake.ts'
import { completeUser } from '../../../interactions/usage/complete.ts'
import { PermissionFlag } from '../../../model/permission-flags.ts'
import type { ServerBan, ServerMember, ServerUser } from '../../../model/server.ts'
import { banFields, banUser, giveRole, kickMember, takeRole, unbanUser } from '../../world/acts/members.ts'
import { ban, banOf, setMember, type MemberChanges } from '../../world/members.ts'
import { moveMember, setVoice } from '../../world/voice.ts'
import { guildMember } from '../../world/wire.ts'
import { invalidField, Refused } from '../../refusals.ts'
import { GUILD, MEMBER } from './paths.ts'
import { flag, id, ids, integer, picture, text, time } from '../../world/body-fields.ts'
import { actRow, lacks, row, type Visit, type WorldRoute } from './visit.ts'

const MEMBERS = `${GUILD}/members`
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

interface Given {
  readonly nick?: string | null
  readonly roles?: readonly string[] | null
  readonly communication_disabled_until?: string | null
  readonly channel_id?: string | null
  readonly mute?: boolean | null
  readonly deaf?: boolean | null
  readonly avatar?: string | null
  readonly banner?: string | null
}

const nick = orNull(text(0, 32))

const memberFields: Reader<Given> = objectOf(
  partial(optional, {
    nick,
    roles: orNull(listOf(id)),
    communication_disabled_until: orNull(time),
    channel_id: orNull(id),
    mute: orNull(flag),
    deaf: orNull(flag),
  }),
)

const ownFields = objectOf({
  ...partial(optional, { nick, bio: orNull(text(0, 190)) }),
  ...{ avatar: picture, banner: picture },
})

/** Changes a member of the server. Each field needs a permission of its own. */
function changeMember(visit: Visit, userId: string, given: Reader<Given>): object {
  const { server, world } = visit
  const member = visit.memberOf(userId)
  const fields = visit.body(given)
  const changes = {
    ...nickOf(visit, member, fields),
    ...rolesOf(visit, member, fields),
    ...timeoutOf(visit, member, fields),
    ...visit.hashesOf({ avatar: fields.avatar, banner: fields.banner }),
  }
  const voice = voiceOf(visit, member, fields)
  const { channel_id: channel } = fields
  setMember(world, server.id, userId, changes)
  if (Object.keys(voice).length > 0) setVoice(world, server.id, userId, voice)
  if (channel !== undefined) moveMember(world, server.id, userId, channel)
  return guildMember(world.member(server.id, userId)!)
}

function nickOf(visit: Visit, member: ServerMember, { nick }: Given): MemberChanges {
  if (nick === undefined) return {}
  const isOwn = member.user.id === visit.botId
  visit.need(isOwn ? 'CHANGE_NICKNAME' : 'MANAGE_NICKNAMES')
  if (!isOwn) visit.needAbove(visit.server, member)
  return { nick: nick === '' ? null : nick }
}

function rolesOf(visit: Visit, member: ServerMember, { roles }: Given): MemberChanges {
  if (roles === undefined) return {}
  visit.need('MANAGE_ROLES')
  // Libraries send the lists that they have, in which @everyone is a role like the others.
  const wanted = new Set(roles?.filter((one) => one !== visit.server.id))
  const changed = new Set(
    [...wanted, ...member.roles].filter((one) => !(wanted.has(one) && member.roles.includes(one))),
  )
  for (const one of changed) visit.needGivable(visit.server, visit.roleOf(one))
  return { roles: [...wanted] }
}

function timeoutOf(
  visit: Visit,
  member: ServerMember,
  { communication_disabled_until: until }: Given,
): MemberChanges {
  if (until === undefined) return {}
  const { world, server } = visit
  visit.need('MODERATE_MEMBERS')
  visit.needAbove(visit.server, member)
  if ((world.permissions(server.id, member.user.id) & PermissionFlag.ADMINISTRATOR) !== 0n)
    throw lacks(`${member.user.username} is an administrator, who cannot be timed out`)
  if (until !== null && Date.parse(until) > world.now() + MAX_TIMEOUT)
    throw invalidField('communication_disabled_until', 'A timeout ends within 28 days.')
  return { communication_disabled_until: until }
}

/** Whether the member is muted and deafened, after the checks of all that is about voice. */
function voiceOf(visit: Visit, member: ServerMember, { channel_id: channel, mute, deaf }: Given) {
  if (mute !== undefined) visit.need('MUTE_MEMBERS')
  if (deaf !== undefined) visit.need('DEAFEN_MEMBERS')
  if (channel !== undefined) visit.need('MOVE_MEMBERS')
  if (mute === undefined && deaf === undefined && channel === undefined) return {}
  if (!member.voice_channel_id) throw new Refused('not_in_voice')
  if (channel && !visit.server.channels.some((one) => one.id === channel))
    throw new Refused('unknown_channel')
  return {
    ...(mute !== undefined && { mute: mute ?? false }),
    ...(deaf !== undefined && { deaf: deaf ?? false }),
  }
}

const WEEK = 604_800
const bulkFields = objectOf({ user_ids: ids(1, 200), delete_message_seconds: nullable(integer(0, WEEK)) })

const banPage = ({ user, reason }: ServerBan) => ({ reason, user: completeUser(user) })

function knownBan(visit: Visit): ServerBan {
  const found = banOf(visit.world, visit.server.id, visit.path('user'))
  if (found === undefined) throw new Refused('unknown_ban')
  return found
}

/** Bans users that exist, are not banned, and are below the bot. @returns whether the user is banned now */
function tryBan(visit: Visit, userId: string, seconds: number): boolean {
  const { world, server, reason } = visit
  const member = world.member(server.id, userId)
  if (world.user(userId) === undefined || banOf(world, server.id, userId) !== undefined) return false
  try {
    if (member !== undefined) visit.needAbove(visit.server, member)
  } catch {
    return false
  }
  ban(world, server.id, userId, reason, seconds)
  return true
}

export const memberRoutes: readonly WorldRoute[] = [
  row('GET', MEMBERS, 'Members of a server, by id', {}, (visit) => {
    if (!visit.hasPrivilege('GUILD_MEMBERS'))
      throw new Refused('missing_access', 'the application does not have the intent GUILD_MEMBERS')
    return pageOf(visit.server.members, visit, 1).map(guildMember)
  }),
  row('GET', `${MEMBERS}/search`, 'The members whose name begins with a text', {}, (visit) => {
    const search = objectOf({ query: text(1, 100), limit: optional(integer(1, 1000)) })
    const { query, limit = 1 } = visit.query(search)
    const begins = (name?: string | null) => name?.toLowerCase().startsWith(query.toLowerCase())
    const found = visit.server.members.filter(({ user, nick }) =>
      [user.username, user.global_name, nick].some(begins),
    )
    return found.slice(0, limit).map(guildMember)
  }),
  row('GET', MEMBER, 'A member', {}, ({ member }) => guildMember(member)),
  row(
    'PATCH',
    MEMBER,
    'Change the nickname, roles, timeout or voice channel of a member',
    { event: 'GUILD_MEMBER_UPDATE', logs: 'MEMBER_UPDATE' },
    (visit) => changeMember(visit, visit.path('user'), memberFields),
  ),
  row(
    'PATCH',
    `${MEMBERS}/@me`,
    'Change the nickname or the pictures of the bot',
    { event: 'GUILD_MEMBER_UPDATE', logs: 'MEMBER_UPDATE' },
    (visit) => changeMember(visit, visit.botId, ownFields),
  ),
  actRow('DELETE', MEMBER, kickMember),
  actRow('PUT', `${MEMBER}/roles/{role.id}`, giveRole),
  actRow('DELETE', `${MEMBER}/roles/{role.id}`, takeRole),

  row('GET', BANS, 'The bans of a server', { needs: ['BAN_MEMBERS'] }, (visit) =>
    pageOf(visit.server.bans, visit, 1000).map(banPage),
  ),
  row('GET', BAN, 'A ban', { needs: ['BAN_MEMBERS'] }, (visit) => banPage(knownBan(visit))),
  actRow('PUT', BAN, banUser, undefined, {
    // Some libraries send the fields as a query.
    sent: (visit) => ({ fields: { ...visit.query(banFields), ...visit.body(banFields) } }),
  }),
  row(
    'POST',
    `${GUILD}/bulk-ban`,
    'Ban up to 200 users',
    { needs: ['BAN_MEMBERS', 'MANAGE_GUILD'], event: 'GUILD_BAN_ADD', logs: 'MEMBER_BAN_ADD' },
    (visit) => {
      const { user_ids: users, delete_message_seconds: seconds = 0 } = visit.body(bulkFields)
      const banned_users = users.filter((one) => tryBan(visit, one, seconds))
      return { banned_users, failed_users: users.filter((one) => !banned_users.includes(one)) }
    },
  ),
  actRow('DELETE', BAN, unbanUser),
]
