/** What a test changes about a server: with `bed.server`, and below `/people/`. */
import { permissionBit } from '../../../model/permission-bits.ts'
import { PermissionFlag } from '../../../model/permission-flags.ts'
import { isThread } from '../../../model/server.ts'
import { hasFields, isObject } from '../../../core/json.ts'
import {
  aFlag,
  argument,
  aString,
  demand,
  listArgument,
  objectArgument,
} from '../../../core/rules/arguments.ts'
import { optional, type AnyFields } from '../../../core/rules/readers.ts'
import { nearest } from '../../../core/nearest.ts'
import { quoted } from '../../../core/text.ts'
import { MAX_TIMEOUT } from '../../../service/world/acts/member-changes.ts'
import { putOverwrite } from '../../../service/world/channels.ts'
import { addMember, removeMember, setMember } from '../../../service/world/members.ts'
import { setAvailable } from '../../../service/world/servers.ts'
import { setVoice } from '../../../service/world/voice.ts'
import { milliseconds, millisecondsIn } from '../../samples/test-clock.ts'
import type { World } from '../../../service/world/world.ts'
import { InputError, roleIds, type People, type Person, type PersonName } from './people.ts'
import { serverView, type ServerView } from './server-view.ts'
import { verbPath } from './verbs.ts'

/** Permissions that a channel allows (true), denies (false), or leaves to the roles (null). */
export type ChannelPermissions = { readonly [Name in keyof typeof PermissionFlag]?: boolean | null }

/** What a test changes about a server; names are those of the server. */
export interface ServerActions {
  /** Adds a member, with roles by name or id. A person who has left joins again. @throws TypeError for a member, and an unknown role */
  addPerson(username: string, roles?: readonly string[]): Person
  /** Gives a member these roles, by name or id, and takes the others away. @throws TypeError for an unknown name */
  setRoles(name: PersonName, roles: readonly string[]): void
  /** Removes a member, as if they left; by its name `testbed` the bot, with its commands of the server. @throws TypeError for an unknown name */
  leave(name: PersonName): void
  /** Times a member out for milliseconds or a text such as `'5m'`; null ends it. @throws TypeError for an unknown name */
  timeout(name: PersonName, duration: number | string | null): void
  /** Mutes a member in voice channels, as a moderator does, or ends it (false). @throws TypeError for an unknown name */
  mute(name: PersonName, isMuted?: boolean): void
  /** Begins an outage of the server (false), whose events bots do not get meanwhile, or ends it. */
  setAvailable(isAvailable: boolean): void
  /**
   * Allows (true) or denies (false) permissions to a role or a person in a channel; null leaves them to the roles.
   *
   * @throws TypeError for an unknown name
   */
  setPermissions(channel: string, name: string, permissions: ChannelPermissions): void
}

/** The server that an action changes. */
interface ChangedServer {
  readonly people: People
  readonly world: World
  readonly serverId: string
  /** The id of a member. @throws InputError for an unknown name */
  idOf(name: string): string
}

interface ServerVerb<Method extends (...given: any[]) => unknown = (...given: any[]) => unknown> {
  /** Its name below `/people/`. Default: that of the method. */
  readonly path?: string
  /** Its arguments, in their order. */
  readonly takes: AnyFields
  /** Whether the first argument is a member. */
  readonly isAboutMember?: true
  do(server: ChangedServer, ...given: Parameters<Method>): ReturnType<Method>
}

const roleNames = /* @__PURE__ */ listArgument(aString, 'a list of strings')
const aDuration = /* @__PURE__ */ argument(
  'milliseconds, a whole number with ms, s, m, h or d, such as "5m", or null',
  (value) => value === null || millisecondsIn(value) !== undefined,
)
const aName = /* @__PURE__ */ argument(
  'the name of a person',
  (name) => typeof name === 'string' && name.trim() !== '',
)
const channelPermissions = /* @__PURE__ */ argument(
  'an object with true, false or null for each permission',
  (value) => hasFields(value) && Object.values(value).every((one) => one == null || typeof one === 'boolean'),
)

export type ServerVerbName = keyof ServerActions

/** The compiler compares each row with its method. */
export const serverVerbs: Readonly<Record<ServerVerbName, ServerVerb>> = {
  addPerson: {
    path: 'join',
    takes: { username: aName, roles: optional(roleNames) },
    do({ people, world, serverId }, username, roles = []) {
      const server = people.server(serverId)
      if (server.members.some(({ user }) => user.username === username))
        throw new InputError(
          `username: ${quoted(server.name)} has a member ${quoted(username)}; choose another name`,
        )
      const ids = roleIds(server, roles)
      // A person of another server, or who left, joins as the same user.
      const known = world.users.find((one) => one.username === username)
      const user = known ?? { id: newId(world), username }
      addMember(world, serverId, user, ids)
      return user
    },
  },
  setRoles: {
    takes: { name: aString, roles: roleNames },
    isAboutMember: true,
    do: ({ people, world, serverId, idOf }, name, roles) =>
      setMember(world, serverId, idOf(name), { roles: roleIds(people.server(serverId), roles) }),
  },
  leave: {
    takes: { name: aString },
    isAboutMember: true,
    do: ({ world, serverId, idOf }, name) => removeMember(world, serverId, idOf(name)),
  },
  timeout: {
    takes: { name: aString, duration: aDuration },
    isAboutMember: true,
    do({ world, serverId, idOf }, name, duration) {
      const span = duration === null ? 0 : milliseconds(duration)
      if (span > MAX_TIMEOUT) throw new InputError('duration: a person is timed out for 28 days at most')
      const end = duration === null ? null : new Date(world.now() + span).toISOString()
      setMember(world, serverId, idOf(name), { communication_disabled_until: end })
    },
  },
  mute: {
    takes: { name: aString, isMuted: optional(aFlag) },
    isAboutMember: true,
    do({ people, world, serverId }, name, isMuted = true) {
      const { person } = people.find(name, serverId)
      const { voice_channel_id: voice } = world.member(serverId, person.id)!
      if (!voice)
        throw new InputError(`${person.username} is in no voice channel; let them join one with joinVoice`)
      setVoice(world, serverId, person.id, { mute: isMuted })
    },
  },
  setAvailable: {
    takes: { isAvailable: aFlag },
    do: ({ world, serverId }, isAvailable) => setAvailable(world, serverId, isAvailable),
  },
  setPermissions: {
    takes: { channel: aString, name: aString, permissions: channelPermissions },
    do({ people, world, serverId }, channelName, name, permissions) {
      const server = people.server(serverId)
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
      putOverwrite(world, channel, id, { id, type, allow: String(allow), deny: String(deny) })
    },
  },
} satisfies { readonly [Name in ServerVerbName]: ServerVerb<ServerActions[Name]> }

/** The names of fields below `/people/` that differ from those of the arguments. */
const fieldNames: Readonly<Record<string, string>> = {
  username: 'name',
  isMuted: 'muted',
  isAvailable: 'available',
}

/** The action below `/people/` that does the same, and its fields in the order of the arguments. */
export function serverPost(name: ServerVerbName): { readonly action: string; readonly fields: AnyFields } {
  const { path = verbPath(name), takes } = serverVerbs[name]
  const fields = Object.entries(takes).map(([argument, field]) => [fieldNames[argument] ?? argument, field])
  return { action: path, fields: Object.fromEntries(fields) }
}

/** The actions on a server. Each also publishes what it did, with the username of the person. */
export function serverActions(people: People, serverId: string): ServerActions {
  const { world } = people
  const server = { people, world, serverId, idOf: (name: string) => people.find(name, serverId).person.id }
  const actionOf =
    (verb: ServerVerbName) =>
    (...given: readonly unknown[]) => {
      const row = serverVerbs[verb]
      // An argument too many would be ignored, and the action done to the wrong server.
      if (given.some((one) => isObject(one) && 'server' in one))
        throw new InputError(`${verb}: takes no server; write bed.servers[1].${verb}(…) for the second one`)
      const names = Object.keys(row.takes)
      demand(objectArgument(row.takes))(Object.fromEntries(names.map((name, at) => [name, given[at]])), '')
      const known = row.isAboutMember ? [people.person(String(given[0])).username] : []
      const result = row.do(server, ...given)
      const values = [...known, ...given.slice(known.length)].filter((one) => one !== undefined)
      const { action, fields } = serverPost(verb)
      const post = { action, fields: Object.keys(fields) }
      people.acts.publish([{ by: null, serverId, post, verb, values }])
      return result
    }
  const actions = (Object.keys(serverVerbs) as ServerVerbName[]).map((verb) => [verb, actionOf(verb)])
  return Object.freeze(Object.fromEntries(actions)) as ServerActions
}

/** A server as it was when it was read, and what a test changes about it. */
export interface TestbedServer extends ServerView, ServerActions {}

export function testbedServer(people: People, id: string): TestbedServer {
  const server = Object.create(serverActions(people, id)) as ServerActions
  return Object.assign(server, serverView(people.world, id))
}

/** An id that no user has. */
function newId(world: World): string {
  let id = 3900n
  while (world.user(String(id)) !== undefined) id++
  return String(id)
}

/** @throws InputError for an unknown permission */
function bitOf(name: string): bigint {
  const bit = permissionBit(name)
  if (bit !== undefined) return bit
  const close = nearest(name, Object.keys(PermissionFlag)) ?? 'SEND_MESSAGES or VIEW_CHANNEL'
  throw new InputError(`unknown permission ${quoted(name)}; did you mean ${close}?`)
}
