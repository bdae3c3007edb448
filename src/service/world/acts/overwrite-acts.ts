/** Acts on the overwrites of channels: what a channel allows and denies a role or a member. */
import { nullable, objectOf, type ValuesOf } from '../../../core/rules/readers.ts'
import { PermissionFlag } from '../../../model/permission-flags.ts'
import type { ChannelOverwrite } from '../../../model/server.ts'
import { Refused } from '../../refusals.ts'
import { bits, bodyId, aNumberOf } from '../body-fields.ts'
import { putOverwrite } from '../channels.ts'
import type { ServerState, WorldChannel } from '../entities.ts'
import { lacks, type Party } from '../party.ts'
import { known } from '../world.ts'
import { channelAct } from './act.ts'

const MAX_OVERWRITES = 1_000

const overwriteFields = { type: aNumberOf(0, 1), allow: nullable(bits), deny: nullable(bits) } as const
const ofOverwrite = objectOf(overwriteFields)

/** An overwrite in the body of a channel. */
export const overwriteOfList = objectOf({ id: bodyId, ...overwriteFields })

type GivenOverwrite = ValuesOf<typeof overwriteFields & { id: typeof bodyId }>

export const completeOverwrites = (given: readonly GivenOverwrite[]): readonly ChannelOverwrite[] =>
  given.map(({ id, type, allow = '0', deny = '0' }) => ({ id, type, allow, deny }))

/**
 * @param channel the channel that has them, unless it is still to be created
 * @throws Refused for too many overwrites, and for a change of permissions that the party may not give there: those that it
 *   has in neither the server nor the category, and in a new channel MANAGE_ROLES, which needs an administrator. In a
 *   channel whose overwrites give it MANAGE_ROLES, the party may change any.
 */
export function checkOverwrites(
  by: Party,
  server: ServerState,
  given: readonly GivenOverwrite[],
  channel?: Pick<WorldChannel, 'parent_id' | 'permission_overwrites'>,
): void {
  if (given.length > MAX_OVERWRITES) throw new Refused('too_many_overwrites', `${MAX_OVERWRITES}`)
  const { permission_overwrites: before = [], parent_id: category } = channel ?? {}
  const own = [by.user.id, ...known(by.world.member(server.id, by.user.id)).roles]
  const manages = ({ id, allow }: ChannelOverwrite) =>
    own.includes(id) && (BigInt(allow) & PermissionFlag.MANAGE_ROLES) !== 0n
  if (before.some(manages)) return
  let changed = 0n
  for (const { id, allow, deny } of completeOverwrites(given)) {
    const old = before.find((one) => one.id === id)
    changed |= (BigInt(allow) ^ BigInt(old?.allow ?? 0)) | (BigInt(deny) ^ BigInt(old?.deny ?? 0))
  }
  const isManaging = channel === undefined && (changed & PermissionFlag.MANAGE_ROLES) !== 0n
  if (isManaging && !by.hasInstead(server, 'ADMINISTRATOR'))
    throw lacks(
      `MANAGE_ROLES in the overwrites of a new channel needs ADMINISTRATOR: ${by.lacked(server, 'ADMINISTRATOR')}`,
    )
  by.needAll(
    server,
    changed,
    server.channels.find(({ id }) => id === category),
  )
}

const setting = { needs: ['MANAGE_ROLES'], event: 'CHANNEL_UPDATE', isOfChannels: true } as const

export const setOverwrite = channelAct({
  ...setting,
  summary: 'Set the permissions of a role or a member in a channel',
  logs: 'CHANNEL_OVERWRITE_CREATE',
  on: ['overwriteId'],
  body: ofOverwrite,
  check(by, { overwriteId: id, body }, place) {
    const { permission_overwrites: before = [] } = place
    if (before.length >= MAX_OVERWRITES && !before.some((one) => one.id === id))
      throw new Refused('too_many_overwrites', `${MAX_OVERWRITES}`)
    checkOverwrites(by, by.serverOf(place), [{ ...body, id }], place)
  },
  do({ world }, { overwriteId: id, body }, place) {
    const [changed] = completeOverwrites([{ ...body, id }])
    putOverwrite(world, place, id, changed!)
  },
})

export const removeOverwrite = channelAct({
  ...setting,
  summary: 'Remove the permissions of a role or a member in a channel',
  logs: 'CHANNEL_OVERWRITE_DELETE',
  on: ['overwriteId'],
  do: ({ world }, { overwriteId: id }, place) => putOverwrite(world, place, id, null),
})
