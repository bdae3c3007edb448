/** Acts on the channels of servers: creating, changing, ordering and deleting them. Those on threads are in `threads`. */
import { Refused } from '../../refusals.ts'
import { addChannel, dropChannel, setChannel } from '../channels.ts'
import type { AnyChannel, WorldChannel } from '../entities.ts'
import { known } from '../world.ts'
import { channelAct, serverAct } from './act.ts'
import {
  checkCategory,
  checkChannel,
  fieldsOfChannel,
  ofChangedChannel,
  ofChannelOrder,
  ofNewChannel,
} from './channel-body.ts'
import { checkOverwrites } from './overwrite-acts.ts'

const MAX_CHANNELS = 500
const needs = ['MANAGE_CHANNELS'] as const

export const createChannel = serverAct({
  summary: 'Create a channel',
  needs,
  event: 'CHANNEL_CREATE',
  logs: 'CHANNEL_CREATE',
  on: [],
  body: ofNewChannel,
  check(by, { body }, server) {
    if (server.channels.length >= MAX_CHANNELS) throw new Refused('too_many_channels', `${MAX_CHANNELS}`)
    checkChannel(body, server)
    checkOverwrites(by, server, body.permission_overwrites ?? [])
  },
  do({ world }, { body }, { id, channels }): WorldChannel {
    const category = channels.find((one) => one.id === body.parent_id)
    // A channel without overwrites of its own has those of its category.
    const { permission_overwrites: inherited = [] } = category ?? {}
    const fields = { name: '', permission_overwrites: inherited, ...fieldsOfChannel(world, body) }
    return { ...addChannel(world, id, fields), guild_id: id }
  },
})

const changing = { needs, event: 'CHANNEL_UPDATE', logs: 'CHANNEL_UPDATE' } as const

export const changeChannel = channelAct({
  ...changing,
  summary: 'Change a channel',
  on: [],
  body: ofChangedChannel,
  further: [
    {
      permission: 'MANAGE_ROLES',
      for: 'overwrites',
      when: ({ body }) => body.permission_overwrites !== undefined,
    },
  ],
  check(by, { body }, place) {
    const server = by.serverOf(place)
    checkChannel(body, server, place)
    checkOverwrites(by, server, body.permission_overwrites ?? [], place)
  },
  do({ world }, { body }, place): AnyChannel {
    setChannel(world, place.id, fieldsOfChannel(world, body, place))
    return known(world.channel(place.id))
  },
})

/** Moves channels, with the overwrites of their new category if the body says so. */
export const moveChannels = serverAct({
  ...changing,
  summary: 'Change the order of channels',
  on: [],
  body: ofChannelOrder,
  further: [
    {
      permission: 'MANAGE_ROLES',
      for: 'the overwrites of the category',
      when: ({ body }) =>
        body.some(({ lock_permissions: isLocked, parent_id: parent }) => isLocked === true && parent != null),
    },
  ],
  check(_, { body }, server) {
    for (const { id, parent_id: parent } of body) {
      const channel = server.channels.find((one) => one.id === id)
      if (channel === undefined) throw new Refused('unknown_channel')
      checkCategory(server, parent, channel.type)
    }
  },
  do({ world }, { body }, { id: serverId }) {
    for (const { id, position, parent_id: parent, lock_permissions: isLocked } of body) {
      const { channels } = known(world.server(serverId))
      const category = isLocked === true && channels.find((one) => one.id === parent)
      setChannel(world, id, {
        ...(position != null && { position }),
        ...(parent !== undefined && { parent_id: parent }),
        ...(category && { permission_overwrites: category.permission_overwrites ?? [] }),
      })
    }
  },
})

export const deleteChannel = channelAct({
  summary: 'Delete a channel',
  needs,
  event: 'CHANNEL_DELETE',
  logs: 'CHANNEL_DELETE',
  on: [],
  do: ({ world }, _, place) => dropChannel(world, place.id),
})
