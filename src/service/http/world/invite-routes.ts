/** The endpoints of invites. */
import { objectOf } from '../../../core/rules/readers.ts'
import type { ServerChannel } from '../../../model/server.ts'
import { createInvite, deleteInvite } from '../../world/acts/invite-acts.ts'
import type { Invite, ServerState, WorldChannel } from '../../world/entities.ts'
import { invitesOf } from '../../world/invites.ts'
import { inviteOf, memberCounts } from '../../world/wire.ts'
import { known } from '../../world/world.ts'
import { CHANNEL, GUILD } from './paths.ts'
import { isTrue } from '../../world/body-fields.ts'
import { actRow, row, type Visit, type WorldRoute } from './visit.ts'

const INVITE = '/invites/{invite.code}'

const inviteQuery = objectOf({ with_counts: isTrue })

function page(server: ServerState, invite: Invite) {
  return inviteOf(server, invite, server.channels.find(({ id }) => id === invite.channel_id) as ServerChannel)
}

/** An invite without its metadata. */
const withoutUses = ({
  uses: _uses,
  max_uses: _max,
  max_age: _age,
  temporary: _temporary,
  created_at: _created,
  ...invite
}: ReturnType<typeof page>) => invite

const placeOf = ({ world, invite }: Visit) => world.channel(invite.channel_id) as WorldChannel

const pageOf = (invite: Invite, { world }: Visit) =>
  page(known(world.server(known(world.guildOf(invite.channel_id)))), invite)

export const inviteRoutes: readonly WorldRoute[] = [
  actRow('POST', `${CHANNEL}/invites`, createInvite, pageOf),
  row('GET', `${CHANNEL}/invites`, 'The invites to a channel', { needs: ['MANAGE_CHANNELS'] }, (visit) => {
    const { world, server, channel } = visit
    const all = invitesOf(server, world.now()).filter((one) => one.channel_id === channel.id)
    return all.map((one) => page(server, one))
  }),
  row(
    'GET',
    `${GUILD}/invites`,
    'The invites to a server',
    {
      needs: ['MANAGE_GUILD'],
      // Those who read the audit log see the invites, and not how they are used.
      exempt: (visit, server) =>
        !visit.hasIn(server, 'MANAGE_GUILD') && visit.hasInstead(server, 'VIEW_AUDIT_LOG'),
    },
    (visit) => {
      const { world, server } = visit
      const all = invitesOf(server, world.now()).map((one) => page(server, one))
      return visit.has('MANAGE_GUILD') ? all : all.map(withoutUses)
    },
  ),
  row('GET', INVITE, 'An invite', {}, (visit) => {
    const { world, invite } = visit
    const { with_counts: withCounts = false } = visit.query(inviteQuery)
    const server = known(world.server(placeOf(visit).guild_id))
    return { ...page(server, invite), ...(withCounts && memberCounts(server)) }
  }),
  actRow('DELETE', INVITE, deleteInvite, pageOf, { place: placeOf }),
]
