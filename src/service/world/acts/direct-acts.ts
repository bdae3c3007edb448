/** Acts of people on what reaches them: DMs from bots. */
import { act } from './act.ts'

export const closeDirects = act({
  summary: 'Take no DMs from bots',
  on: [],
  do: ({ world, user }) => void world.closed.add(user.id),
})

export const openDirects = act({
  summary: 'Take DMs from bots again',
  on: [],
  do: ({ world, user }) => void world.closed.delete(user.id),
})

export const blockBots = act({
  summary: 'Block bots, whose DMs and reactions are refused',
  on: [],
  do: ({ world, user }) => void world.blocking.add(user.id),
})

export const unblockBots = act({
  summary: 'End the block of bots',
  on: [],
  do: ({ world, user }) => void world.blocking.delete(user.id),
})
