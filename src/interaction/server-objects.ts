import type { ServerSettings } from '../permission/server.ts'
import type { KnownObjects } from './complete.ts'

/** The members, roles and channels of a server as known objects, for the `resolved` data of interactions. */
export function serverObjects({ members, roles, channels }: ServerSettings): KnownObjects {
  return {
    users: objectsById(members.map(({ user }) => user)),
    members: Object.fromEntries(members.map(({ user, voice_channel_id: _voice, ...own }) => [user.id, own])),
    roles: objectsById(roles),
    channels: objectsById(channels) as KnownObjects['channels'] & object,
  }
}

export function objectsById<T extends { readonly id: string }>(
  objects: readonly T[],
): { readonly [id: string]: T } {
  return Object.fromEntries(objects.map((one) => [one.id, one]))
}
