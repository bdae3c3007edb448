/** Who acts in the world, a bot or a person: what they may see and do, and why not. The one answer for REST, people and the page. */
import { isTimedOut } from '../../commands/access/effective.ts'
import type { Issue } from '../../core/rules/report.ts'
import { CONTENT_OF_APPS } from '../../interactions/answer/message-rules.ts'
import { permissionNames } from '../../model/permission-bits.ts'
import { PermissionFlag } from '../../model/permission-flags.ts'
import { everyoneId } from '../../model/permission-entry.ts'
import { isThread, type ServerMember, type ServerRole, type ServerUser } from '../../model/server.ts'
import { Refused, type RefusalName } from '../refusals.ts'
import { isAnimated } from './body-fields.ts'
import {
  isDirect,
  type AnyChannel,
  type ChannelState,
  type ServerState,
  type Thread,
  type WorldChannel,
} from './entities.ts'
import type { WorldMessage } from './world-message.ts'
import { compareRoles, type World } from './world.ts'

export type Permission = keyof typeof PermissionFlag

/** The place of an act: a channel, a DM, or a server as a whole. */
export type Place = AnyChannel | ServerState

const isServer = (place: Place): place is ServerState => 'channels' in place

/** What stands in a thread for a permission of its channel. */
const IN_THREADS: { readonly [Name in Permission]?: Permission } = {
  SEND_MESSAGES: 'SEND_MESSAGES_IN_THREADS',
  MANAGE_CHANNELS: 'MANAGE_THREADS',
}

export abstract class Party {
  readonly world: World

  constructor(world: World) {
    this.world = world
  }

  abstract get user(): ServerUser
  /** In messages: `the bot`, or a username. */
  abstract get name(): string
  /** For the audit log. */
  abstract get reason(): string | null

  /** The most characters of a message of theirs. */
  get maxContent(): number {
    return CONTENT_OF_APPS
  }

  /** Whether they may use a custom emoji. Undefined: any. */
  get hasEmoji(): ((id: string) => boolean) | undefined {
    return undefined
  }

  /** Whether they may read the content of a message that they see. */
  readsContent(_message: WorldMessage): boolean {
    return true
  }

  /** Takes what is ignored in a body of theirs, or may surprise. */
  noteIssues(_issues: readonly Issue[]): void {}
  /** Keeps uploaded images, so that they can be fetched. @returns the hashes in their addresses; null for no image */
  hashesOf<const Name extends string>(
    images: Readonly<Record<Name, string | null | undefined>>,
  ): { readonly [Key in Name]?: string | null } {
    const given = Object.entries<string | null | undefined>(images)
    return Object.fromEntries(
      given.flatMap(([name, image]) => (image === undefined ? [] : [[name, image && this.#hashOf(image)]])),
    ) as { readonly [Key in Name]?: string | null }
  }

  #hashOf(image: string): string {
    const digits = BigInt(this.world.nextId()).toString(16).padStart(32, '0')
    const hash = isAnimated(image) ? `a_${digits}` : digits
    this.keepImage(hash, image)
    return hash
  }

  /** Keeps an uploaded image under its hash or the id of its emoji. */
  keepImage(name: string, image: string): void {
    this.world.answers?.files.addImage(name, image)
  }

  /** Notes permissions that they needed, for the report of what a bot needs. */
  protected noteUse(_permissions: readonly Permission[]): void {}

  /** Notes permissions that they lacked, and where. */
  protected noteLack(_permissions: readonly Permission[], _place: string): void {}

  /** Carries out changes in their name. */
  acting<T>(act: () => T): T {
    return this.world.acting({ userId: this.user.id, reason: this.reason }, act)
  }

  /** The server of a channel. @throws Refused 50001 for one that they are not in */
  serverOf({ guild_id: id }: Pick<WorldChannel, 'guild_id'>): ServerState {
    const server = this.world.server(id) ?? throwRefusal('unknown_guild')
    if (this.world.member(id, this.user.id) !== undefined) return server
    throw new Refused('missing_access', `${this.name} is not in ${server.name}`)
  }

  /** Whether they have a permission in a place. DMs have no permissions. */
  hasIn(place: Place, permission: Permission): boolean {
    if (isServer(place)) return (this.#heldIn(place, null) & PermissionFlag[permission]) !== 0n
    if (isDirect(place)) return true
    return (
      (this.#heldIn(this.serverOf(place), place) & PermissionFlag[permissionIn(place, permission)]) !== 0n
    )
  }

  #heldIn({ id }: ServerState, channel: WorldChannel | null): bigint {
    return this.world.permissions(id, this.user.id, channel)
  }

  /**
   * @throws Refused 50013, naming all missing permissions and the place; 50001 for a channel that they do not see; 50003 in
   *   a DM for permissions to manage
   */
  needIn(place: Place, ...permissions: readonly Permission[]): void {
    if (isServer(place)) this.#needAt(place, null, permissions)
    else if (!isDirect(place)) this.#needAt(this.serverOf(place), place, permissions)
    else if (permissions.some((name) => name.startsWith('MANAGE_'))) throw new Refused('not_in_dms')
  }

  /** Notes a permission without which an act does less, and is not refused. */
  uses(place: Place, permission: Permission): void {
    if (isServer(place)) this.noteUse([permission])
    else if (!isDirect(place)) this.noteUse([permissionIn(place, permission)])
  }

  /** Whether they have a permission that stands in for another one, which is then what they needed. */
  hasInstead(place: Place, permission: Permission): boolean {
    const isHeld = this.hasIn(place, permission)
    if (isHeld) this.uses(place, permission)
    return isHeld
  }

  /** Notes a permission that they lack, for a refusal with a code of its own. @returns who lacks it, where, and who has it */
  lacked(place: Place, permission: Permission): string {
    if (isDirect(place)) return ''
    const [server, channel] = isServer(place) ? [place, null] : [this.serverOf(place), place]
    const needed = permissionIn(channel, permission)
    this.noteUse([needed])
    return this.#noteLacks(server, channel, [needed])
  }

  /** @returns who lacks which permissions where, and the role that has them, or that they are timed out */
  #noteLacks(server: ServerState, channel: WorldChannel | null, missing: readonly Permission[]): string {
    const place = nameOf(server, channel)
    this.noteLack(missing, place)
    const member = this.world.member(server.id, this.user.id)
    const isSilenced = member !== undefined && isTimedOut(member, this.world.now())
    const why = isSilenced ? `: ${this.name} is timed out` : roleWith(server, missing)
    return `${this.name} lacks ${missing.join(' and ')} in ${place}${why}`
  }

  #needAt(server: ServerState, channel: WorldChannel | null, permissions: readonly Permission[]): void {
    const held = this.#heldIn(server, channel)
    if (channel !== null) this.needSight(channel)
    const needed = permissions.map((permission) => permissionIn(channel, permission))
    const missing = needed.filter((name) => (held & PermissionFlag[name]) === 0n)
    this.noteUse([...(channel === null ? [] : this.world.sightOf(this.user.id, channel)), ...needed])
    if (missing.length > 0) throw lacks(this.#noteLacks(server, channel, missing))
  }

  /** @throws Refused 50001 for a channel that they do not see, where they have no permissions */
  needSight(channel: WorldChannel): void {
    const server = this.serverOf(channel)
    if ((this.#heldIn(server, channel) & PermissionFlag.VIEW_CHANNEL) !== 0n) return
    const place = nameOf(server, channel)
    const [, instead] = this.world.sightOf(this.user.id, channel)
    this.noteLack([instead ?? 'VIEW_CHANNEL'], place)
    const reason =
      instead === undefined ? 'lacks VIEW_CHANNEL in' : `lacks ${instead} and is not in the private thread`
    throw new Refused('missing_access', `${this.name} ${reason} ${place}`)
  }

  /** @throws Refused for a change in an archived thread */
  needOpen(channel: AnyChannel | null): void {
    if (channel === null || isDirect(channel) || !isThread(channel)) return
    if ((channel as Thread).thread_metadata.archived) throw new Refused('archived_thread')
  }

  /** @throws Refused 50013 unless their highest role is above that of the member, who does not own the server */
  needAbove(server: ServerState, { user }: ServerMember): void {
    if (user.id === server.owner_id && user.id !== this.user.id)
      throw lacks(`${user.username} owns ${server.name}`)
    this.needRoleBelow(server, this.world.highestRole(server.id, user.id), `, which ${user.username} has`)
  }

  /** @throws Refused for a role that is not below their highest one */
  needRoleBelow({ id, name, owner_id: owner }: ServerState, role: ServerRole, why = ''): void {
    const own = this.world.highestRole(id, this.user.id)
    if (owner === this.user.id || compareRoles(role, own) < 0) return
    const reason =
      own.name === role.name
        ? `the role ${role.name} is ${this.name}'s own highest role in ${name}`
        : `${this.name}'s highest role in ${name}, ${own.name}, is not above the role ${role.name}`
    throw lacks(reason + why)
  }

  /** @throws Refused for a role that cannot be given or taken */
  needGivable(server: ServerState, role: ServerRole): void {
    if (role.id === everyoneId(server.id)) throw new Refused('invalid_role', 'everyone has @everyone')
    if (role.managed) throw new Refused('invalid_role', `${role.name} belongs to an app`)
    this.needRoleBelow(server, role)
  }

  /** @throws Refused when a set has permissions that they have neither in the server nor in the category */
  needAll(server: ServerState, wanted: bigint, category?: ChannelState): void {
    const held = (channel?: ChannelState) => this.world.permissions(server.id, this.user.id, channel)
    const beyond = wanted & ~held() & ~(category === undefined ? 0n : held(category))
    const names = permissionNames(beyond)
    this.noteUse(knownPermissions(wanted))
    this.noteLack(knownPermissions(beyond), server.name)
    if (beyond !== 0n)
      throw lacks(
        `${this.name} cannot give ${names.join(' and ')} without having ${names.length === 1 ? 'it' : 'them'}`,
      )
  }
}

const knownPermissions = (bits: bigint) =>
  permissionNames(bits).filter((name): name is Permission => name in PermissionFlag)

const nameOf = ({ name }: ServerState, channel: WorldChannel | null) =>
  channel === null ? name : `#${channel.name} of ${name}`

function permissionIn(channel: WorldChannel | null, permission: Permission): Permission {
  return (channel !== null && isThread(channel) && IN_THREADS[permission]) || permission
}

/** The lowest role with the missing permissions, if there is one: `; the role Moderators has it`. */
function roleWith({ roles, id }: ServerState, missing: readonly Permission[]): string {
  const bits = missing.reduce((all, name) => all | PermissionFlag[name], 0n)
  const held = ({ permissions }: ServerRole) => (BigInt(permissions) & bits) === bits
  const [role] = roles.filter((one) => one.id !== id && held(one)).sort((a, b) => compareRoles(a, b))
  return role === undefined ? '' : `; the role ${role.name} has ${missing.length === 1 ? 'it' : 'them'}`
}

export function lacks(reason: string): Refused {
  return new Refused('lacks_permissions', reason)
}

export function throwRefusal(refusal: RefusalName): never {
  throw new Refused(refusal)
}
