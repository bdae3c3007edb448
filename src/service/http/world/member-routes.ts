/** The endpoints of members and bans. */
import { objectOf, optional, partial } from '../../../core/rules/readers.ts'
import { compareSnowflakes } from '../../../core/snowflake.ts'
import { completeUser } from '../../../interactions/usage/complete.ts'
import type { ServerBan, ServerUser } from '../../../model/server.ts'
import { changeMember, changeOwnMember } from '../../world/acts/member-changes.ts'
import {
  banFields,
  banUser,
  banUsers,
  giveRole,
  kickMember,
  takeRole,
  unbanUser,
} from '../../world/acts/member-acts.ts'
import { banOf } from '../../world/members.ts'
import { guildMember } from '../../world/wire.ts'
import { Refused } from '../../refusals.ts'
import { GUILD, MEMBER } from './paths.ts'
import { bodyId, integerIn, textBetween } from '../../world/body-fields.ts'
import { actRow, row, type Visit, type WorldRoute } from './visit.ts'

const MEMBERS = `${GUILD}/members`
const BANS = `${GUILD}/bans`
const BAN = `${BANS}/{user.id}`

/** A page of a list, by the id of the user of each item. */
function pageOf<T extends { readonly user: ServerUser }>(
  list: readonly T[],
  visit: Visit,
  usual: number,
): readonly T[] {
  const page = objectOf(partial(optional, { limit: integerIn(1, 1000), after: bodyId, before: bodyId }))
  const { limit = usual, after, before } = visit.query(page)
  const inside = [...list]
    .sort((a, b) => compareSnowflakes(a.user.id, b.user.id))
    .filter(({ user }) => after === undefined || compareSnowflakes(user.id, after) > 0)
    .filter(({ user }) => before === undefined || compareSnowflakes(user.id, before) < 0)
  return before === undefined ? inside.slice(0, limit) : inside.slice(-limit)
}

const banPage = ({ user, reason }: ServerBan) => ({ reason, user: completeUser(user) })

function knownBan(visit: Visit): ServerBan {
  const found = banOf(visit.world, visit.server.id, visit.path('user'))
  if (found === undefined) throw new Refused('unknown_ban')
  return found
}

export const memberRoutes: readonly WorldRoute[] = [
  row('GET', MEMBERS, 'Members of a server, by id', {}, (visit) => {
    if (!visit.usesPrivilege('GUILD_MEMBERS'))
      throw new Refused('missing_access', 'the application does not have the intent GUILD_MEMBERS')
    return pageOf(visit.server.members, visit, 1).map(guildMember)
  }),
  row('GET', `${MEMBERS}/search`, 'The members whose name begins with a text', {}, (visit) => {
    const search = objectOf({ query: textBetween(1, 100), limit: optional(integerIn(1, 1000)) })
    const { query, limit = 1 } = visit.query(search)
    const begins = (name?: string | null) => name?.toLowerCase().startsWith(query.toLowerCase())
    const found = visit.server.members.filter(({ user, nick }) =>
      [user.username, user.global_name, nick].some(begins),
    )
    return found.slice(0, limit).map(guildMember)
  }),
  row('GET', MEMBER, 'A member', {}, ({ member }) => guildMember(member)),
  actRow('PATCH', MEMBER, changeMember, guildMember),
  actRow('PATCH', `${MEMBERS}/@me`, changeOwnMember, guildMember),
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
  actRow('POST', `${GUILD}/bulk-ban`, banUsers, ({ banned: banned_users, failed: failed_users }) => ({
    banned_users,
    failed_users,
  })),
  actRow('DELETE', BAN, unbanUser),
]
