/** What a test changes in a world: roles, timeouts, permissions in channels, and who is a member. */
import { PermissionFlag } from '../command/permission-flags.ts'
import type { Clock } from '../core/clock.ts'
import { listed, quoted } from '../core/text.ts'
import { nearest } from '../core/nearest.ts'
import { milliseconds } from '../testing/clock.ts'
import { InputError, roleIds, type People } from './people.ts'

/** The server in which something changes. */
export interface ServerOption {
  /** A server by name or id. Default: the first one, or the first one that has the person. */
  readonly server?: string
}

/** Permissions that a channel allows (true), denies (false), or leaves to the roles (null). */
export type ChannelPermissions = { readonly [Name in keyof typeof PermissionFlag]?: boolean | null }

/** The changes of a world, with names in place of ids. */
export class Changes {
  readonly #people: People
  readonly #clock: Clock

  constructor(people: People, clock: Clock) {
    this.#people = people
    this.#clock = clock
  }

  setRoles(name: string, roles: readonly string[], { server: serverName }: ServerOption = {}): void {
    const { person, server } = this.#people.find(name, serverName)
    this.#people.world.setMember(server.id, person.id, { roles: roleIds(server, roles) })
  }

  leave(name: string, { server: serverName }: ServerOption = {}): void {
    const { person, server } = this.#people.find(name, serverName)
    this.#people.world.removeMember(server.id, person.id)
  }

  /** @param duration null ends the timeout */
  timeout(name: string, duration: number | string | null, { server: serverName }: ServerOption = {}): void {
    const { person, server } = this.#people.find(name, serverName)
    const until =
      duration === null ? null : new Date(this.#clock.now() + milliseconds(duration)).toISOString()
    this.#people.world.setMember(server.id, person.id, { communication_disabled_until: until })
  }

  setPermissions(
    channelName: string,
    name: string,
    permissions: ChannelPermissions,
    { server: serverName }: ServerOption = {},
  ): void {
    const server = this.#people.server(serverName)
    const channel = this.#people.channel(channelName, server)
    const id = this.#people.idOfMention(name, ['roles', 'users'], server, true)
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
    const changed = { id, type, allow: String(allow), deny: String(deny) }
    const others = overwrites.filter((one) => one.id !== id)
    this.#people.world.setChannel(channel.id, { permission_overwrites: [...others, changed] })
  }
}

function bitOf(name: string): bigint {
  const bit = (PermissionFlag as { readonly [name: string]: bigint })[name]
  if (bit !== undefined && Object.hasOwn(PermissionFlag, name)) return bit
  const names = Object.keys(PermissionFlag)
  throw new InputError(
    `unknown permission ${quoted(name)}; did you mean ${nearest(name, names) ?? listed(['SEND_MESSAGES', 'VIEW_CHANNEL'], 'or')}?`,
  )
}
