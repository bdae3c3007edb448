/** Acts on invites. */
import { nullable, objectOf, partial } from '../../../core/rules/readers.ts'
import { Refused } from '../../refusals.ts'
import { bodyFlag, integerIn } from '../body-fields.ts'
import { addInvite, dropInvite, invitesOf } from '../invites.ts'
import { channelAct } from './act.ts'

const DAY = 86_400
const MAX_INVITES = 1_000

const inviteFields = objectOf(
  partial(nullable, {
    max_age: integerIn(0, 7 * DAY),
    max_uses: integerIn(0, 100),
    temporary: bodyFlag,
    unique: bodyFlag,
  }),
)

export const createInvite = channelAct({
  summary: 'Create an invite',
  needs: ['CREATE_INSTANT_INVITE'],
  event: 'INVITE_CREATE',
  logs: 'INVITE_CREATE',
  isOfChannels: true,
  on: [],
  body: inviteFields,
  do(by, { body }, place) {
    const { world, user } = by
    const server = by.serverOf(place)
    const { max_age = DAY, max_uses = 0, temporary = false, unique = false } = body
    const all = invitesOf(server, world.now())
    const similar = all.find(
      (one) =>
        one.channel_id === place.id &&
        one.inviter.id === user.id &&
        one.max_age === max_age &&
        one.max_uses === max_uses &&
        one.temporary === temporary,
    )
    if (similar !== undefined && !unique) return similar
    if (all.length >= MAX_INVITES) throw new Refused('too_many_invites', `${MAX_INVITES}`)
    const fields = { channel_id: place.id, inviter: user, max_age, max_uses, temporary }
    return addInvite(world, server.id, fields)
  },
})

export const deleteInvite = channelAct({
  summary: 'Delete an invite',
  needs: ['MANAGE_CHANNELS'],
  // Who manages the server deletes the invites to all of its channels.
  exempt: (by, place) => by.hasInstead(place, 'MANAGE_GUILD'),
  event: 'INVITE_DELETE',
  logs: 'INVITE_DELETE',
  on: ['invite'],
  do({ world }, { invite }) {
    dropInvite(world, invite.code)
    return invite
  },
})
