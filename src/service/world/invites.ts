/** Invites to servers. */
import { equalsSecret, newSecret } from '../../core/secrets.ts'
import { completeUser } from '../../interactions/usage/complete.ts'
import { PermissionFlag } from '../../model/permission-flags.ts'
import { logChange } from './audit-log.ts'
import type { Invite, ServerState } from './entities.ts'
import { known, type World } from './world.ts'

type InviteFields = Pick<Invite, 'channel_id' | 'inviter' | 'max_age' | 'max_uses' | 'temporary'>

/** The invites of a server that have not expired. */
export function invitesOf({ invites }: ServerState, now: number): readonly Invite[] {
  return invites.filter(({ max_age, created_at }) => max_age === 0 || created_at + max_age * 1_000 > now)
}

/** An invite with its server; undefined for one that is unknown or has expired. */
export function findInvite(
  world: World,
  code: string,
): { readonly server: ServerState; readonly invite: Invite } | undefined {
  for (const server of world.servers) {
    const invite = invitesOf(server, world.now()).find((one) => equalsSecret(code, one.code))
    if (invite !== undefined) return { server, invite }
  }
  return undefined
}

export function addInvite(world: World, serverId: string, fields: InviteFields): Invite {
  const code = newSecret(8)
  const invite = { ...fields, code, uses: 0, created_at: world.now() }
  world.change(serverId, (server) => ({ invites: [...invitesOf(server, world.now()), invite] }))
  const { channel_id, inviter, created_at, ...rest } = invite
  publishIn(world, serverId, channel_id, 'INVITE_CREATE', {
    ...rest,
    inviter: completeUser(inviter),
    created_at: new Date(created_at).toISOString(),
  })
  logChange(world, serverId, 'INVITE_CREATE', null, null, loggedFields(invite))
  return invite
}

export function dropInvite(world: World, code: string): void {
  const { server, invite } = known(findInvite(world, code))
  world.change(server.id, ({ invites }) => ({ invites: invites.filter((one) => one !== invite) }))
  publishIn(world, server.id, invite.channel_id, 'INVITE_DELETE', { code })
  logChange(world, server.id, 'INVITE_DELETE', null, loggedFields(invite), null)
}

const loggedFields = ({ code, channel_id, inviter, max_age, max_uses, temporary, uses }: Invite) => ({
  ...{ code, channel_id, inviter_id: inviter.id, max_age, max_uses, temporary, uses },
})

/** Bots that manage the channel hear of its invites. */
function publishIn(
  world: World,
  guild_id: string,
  channel_id: string,
  name: 'INVITE_CREATE' | 'INVITE_DELETE',
  data: object,
): void {
  const channel = world.channel(channel_id) as never
  const isManager = (botId: string) =>
    (world.permissions(guild_id, botId, channel) & PermissionFlag.MANAGE_CHANNELS) !== 0n
  world.publish(name, guild_id, { ...data, guild_id, channel_id }, isManager, () => ['MANAGE_CHANNELS'])
}
