/** The endpoints of invites. */
import { nullable, objectOf, partial } from '../../../core/rules/readers.ts'
import type { ServerChannel } from '../../../model/server.ts'
import type { Invite, ServerState, WorldChannel } from '../../world/entities.ts'
import { createInvite, deleteInvite, findInvite, invitesOf } from '../../world/invites.ts'
import { inviteOf, memberCounts } from '../../world/wire.ts'
import { Refused } from '../../refusals.ts'
import { CHANNEL, GUILD } from './paths.ts'
import { flag, integer, isTrue } from '../../world/body-fields.ts'
import { row, type Visit, type WorldRoute } from './visit.ts'

const INVITE = '/invites/{invite.code}'
const DAY = 86_400
const MAX_INVITES = 1_000

const inviteFields = objectOf(
  partial(nullable, {
    max_age: integer(0, 7 * DAY),
    max_uses: integer(0, 100),
    temporary: flag,
    unique: flag,
  }),
)

const inviteQuery = objectOf({ with_counts: isTrue })

function knownInvite(visit: Visit) {
  const found = findInvite(visit.world, visit.path('invite_code'))
  if (found === undefined) throw new Refused('unknown_invite')
  return found
}

function page(server: ServerState, invite: Invite): object {
  return inviteOf(server, invite, server.channels.find(({ id }) => id === invite.channel_id) as ServerChannel)
}

const placeOf = (visit: Visit) => visit.world.channel(knownInvite(visit).invite.channel_id) as WorldChannel

export const inviteRoutes: readonly WorldRoute[] = [
  row(
    'POST',
    `${CHANNEL}/invites`,
    'Create an invite',
    { needs: ['CREATE_INSTANT_INVITE'], event: 'INVITE_CREATE', logs: 'INVITE_CREATE' },
    (visit) => {
      const { world, server, serverChannel: channel, bot } = visit
      const given = visit.body(inviteFields)
      const { max_age = DAY, max_uses = 0, temporary = false, unique = false } = given
      const all = invitesOf(server, world.now())
      const similar = all.find(
        (one) =>
          one.channel_id === channel.id &&
          one.inviter.id === bot.id &&
          one.max_age === max_age &&
          one.max_uses === max_uses &&
          one.temporary === temporary,
      )
      if (similar !== undefined && !unique) return page(server, similar)
      if (all.length >= MAX_INVITES) throw new Refused('too_many_invites', `${MAX_INVITES}`)
      const fields = { channel_id: channel.id, inviter: bot, max_age, max_uses, temporary }
      return page(visit.server, createInvite(world, server.id, fields))
    },
  ),
  row('GET', `${CHANNEL}/invites`, 'The invites to a channel', { needs: ['MANAGE_CHANNELS'] }, (visit) => {
    const { world, server, channel } = visit
    const all = invitesOf(server, world.now()).filter((one) => one.channel_id === channel.id)
    return all.map((one) => page(server, one))
  }),
  row(
    'GET',
    `${GUILD}/invites`,
    'The invites to a server',
    { needs: ['MANAGE_GUILD'] },
    ({ world, server }) => invitesOf(server, world.now()).map((one) => page(server, one)),
  ),
  row('GET', INVITE, 'An invite', {}, (visit) => {
    const { server, invite } = knownInvite(visit)
    const { with_counts: withCounts = false } = visit.query(inviteQuery)
    return { ...page(server, invite), ...(withCounts && memberCounts(server)) }
  }),
  row(
    'DELETE',
    INVITE,
    'Delete an invite',
    { needs: ['MANAGE_CHANNELS'], place: placeOf, event: 'INVITE_DELETE', logs: 'INVITE_DELETE' },
    (visit) => {
      const { server, invite } = knownInvite(visit)
      const deleted = page(server, invite)
      deleteInvite(visit.world, invite.code)
      return deleted
    },
  ),
]
