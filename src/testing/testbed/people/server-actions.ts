/** What a test changes and reads in the servers, by name: with `bed`, and below `/people/`. */
import { permissionBit } from '../../../model/permission-bits.ts'
import { PermissionFlag } from '../../../model/permission-flags.ts'
import { isThread } from '../../../model/server.ts'
import { nearest } from '../../../core/nearest.ts'
import { quoted } from '../../../core/text.ts'
import { setOverwrite } from '../../../service/world/channels.ts'
import { addMember, removeMember, setMember } from '../../../service/world/members.ts'
import { setAvailable } from '../../../service/world/servers.ts'
import { setVoice } from '../../../service/world/voice.ts'
import { milliseconds } from '../../samples/test-clock.ts'
import {
  InputError,
  roleIds,
  serverOf,
  type People,
  type Person,
  type PersonName,
  type ServerOption,
} from './people.ts'
import { channelView, type ChannelView } from './server-view.ts'

/** Permissions that a channel allows (true), denies (false), or leaves to the roles (null). */
export type ChannelPermissions = { readonly [Name in keyof typeof PermissionFlag]?: boolean | null }

/** People who join, leave and change in the servers of a test. */
export interface ServerActions {
  /** A person by username or id, or the first of a rank. @throws TypeError for an unknown name */
  person(name: PersonName): Person
  /** A channel as it is now, with its messages. @throws TypeError for an unknown name */
  channel(name: string, options?: ServerOption): ChannelView
  /** Adds a member, with roles by name or id. A person who has left joins again. */
  addPerson(username: string, roles?: readonly string[], options?: ServerOption): Person
  /** Gives a member these roles, by name or id, and takes the others away. @throws TypeError for an unknown name */
  setRoles(name: PersonName, roles: readonly string[], options?: ServerOption): void
  /** Removes a member, as if they left; by its name `testbed` the bot, with its commands of the server. @throws TypeError for an unknown name */
  leave(name: PersonName, options?: ServerOption): void
  /** Times a member out for milliseconds or a text such as `'5m'`; null ends it. @throws TypeError for an unknown name */
  timeout(name: PersonName, duration: number | string | null, options?: ServerOption): void
  /** Mutes a member in voice channels, as a moderator does, or ends it (false). @throws TypeError for an unknown name */
  mute(name: PersonName, isMuted?: boolean, options?: ServerOption): void
  /** Begins an outage of a server (false), whose events bots do not get meanwhile, or ends it. @throws TypeError for an unknown name */
  setAvailable(isAvailable: boolean, options?: ServerOption): void
  /**
   * Allows (true) or denies (false) permissions to a role or a person in a channel; null leaves them to the roles.
   *
   * @throws TypeError for an unknown name
   */
  setPermissions(channel: string, name: string, permissions: ChannelPermissions, options?: ServerOption): void
}

export function serverActions(people: People): ServerActions {
  const { world } = people
  let nextId = 3900n
  const newId = () => {
    while (world.user(String(nextId)) !== undefined) nextId++
    return String(nextId)
  }
  return told(people, {
    person: (name) => people.person(name),
    channel: (name, options) =>
      channelView(world, people.channel(name, people.server(serverOf('channel', options)))),
    addPerson(username, roles = [], options) {
      const server = people.server(serverOf('addPerson', options))
      if (server.members.some(({ user }) => user.username === username))
        throw new InputError(
          `username: ${quoted(server.name)} has a member ${quoted(username)}; choose another name`,
        )
      const ids = roleIds(server, roles)
      // A person of another server, or who left, joins as the same user.
      const known = world.users.find((one) => one.username === username)
      const user = known ?? { id: newId(), username }
      addMember(world, server.id, user, ids)
      return user
    },
    setRoles(name, roles, options) {
      const { person, serverId } = people.find(name, serverOf('setRoles', options))
      setMember(world, serverId, person.id, { roles: roleIds(people.server(serverId), roles) })
    },
    leave(name, options) {
      const { person, serverId } = people.find(name, serverOf('leave', options))
      removeMember(world, serverId, person.id)
    },
    timeout(name, duration, options) {
      const { person, serverId } = people.find(name, serverOf('timeout', options))
      const end = duration === null ? null : new Date(world.now() + milliseconds(duration)).toISOString()
      setMember(world, serverId, person.id, { communication_disabled_until: end })
    },
    mute(name, isMuted = true, options) {
      const { person, serverId } = people.find(name, serverOf('mute', options))
      const { voice_channel_id: voice } = world.member(serverId, person.id)!
      if (!voice)
        throw new InputError(`${person.username} is in no voice channel; let them join one with joinVoice`)
      setVoice(world, serverId, person.id, { mute: isMuted })
    },
    setAvailable(isAvailable, options) {
      const { id } = people.server(serverOf('setAvailable', options))
      setAvailable(world, id, isAvailable)
    },
    setPermissions(channelName, name, permissions, options) {
      const server = people.server(serverOf('setPermissions', options))
      const channel = people.channel(channelName, server)
      if (isThread(channel)) throw new InputError('channel: a thread has the permissions of its channel')
      const id = people.idOfMention(name, ['roles', 'users'], server, true)
      if (id === undefined) throw new InputError(`unknown role or person ${quoted(name)}`)
      const { permission_overwrites: overwrites = [] } = channel
      const before = overwrites.find((one) => one.id === id)
      let [allow, deny] = [BigInt(before?.allow ?? 0), BigInt(before?.deny ?? 0)]
      for (const [permission, allowed] of Object.entries(permissions)) {
        const bit = bitOf(permission)
        allow = allowed === true ? allow | bit : allow & ~bit
        deny = allowed === false ? deny | bit : deny & ~bit
      }
      const type = server.roles.some((role) => role.id === id) ? (0 as const) : (1 as const)
      setOverwrite(world, channel, id, { id, type, allow: String(allow), deny: String(deny) })
    },
  })
}

const TOLD = ['addPerson', 'setRoles', 'leave', 'timeout', 'mute', 'setAvailable', 'setPermissions'] as const
/** Those that are not about a person whom the servers have. */
const WITHOUT_PERSON: readonly string[] = ['addPerson', 'setAvailable', 'setPermissions']

/** The same actions, which also tell what they did, with the username of the person. */
function told(people: People, actions: ServerActions): ServerActions {
  const telling =
    (verb: (typeof TOLD)[number]) =>
    (name: string, ...given: unknown[]) => {
      const known = WITHOUT_PERSON.includes(verb) ? undefined : people.person(name)
      const result = (actions[verb] as (...all: unknown[]) => unknown)(name, ...given)
      const isPlace = (one: unknown) =>
        typeof one === 'object' && one !== null && Object.keys(one).join() === 'server'
      const values = given.filter((one) => one !== undefined && !isPlace(one))
      people.acts.publish([{ by: null, verb, values: [known?.username ?? name, ...values] }])
      return result
    }
  return { ...actions, ...Object.fromEntries(TOLD.map((verb) => [verb, telling(verb)])) } as ServerActions
}

/** @throws InputError for an unknown permission */
function bitOf(name: string): bigint {
  const bit = permissionBit(name)
  if (bit !== undefined) return bit
  const close = nearest(name, Object.keys(PermissionFlag)) ?? 'SEND_MESSAGES or VIEW_CHANNEL'
  throw new InputError(`unknown permission ${quoted(name)}; did you mean ${close}?`)
}
