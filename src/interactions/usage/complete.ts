/** Completes the users, members, roles, channels, messages and attachments of an interaction with default values. */
import { once } from '../../core/once.ts'
import { ChannelType } from '../../model/command-types.ts'
import type { NamedFile } from '../../model/file-types.ts'
import { snowflakeTime } from '../../core/snowflake.ts'
import { memberPermissions } from '../../commands/access/effective.ts'
import {
  isThread,
  memberInChannel,
  type GuildChannel,
  type GuildMember,
  type MemberInChannel,
  type MemberInput,
  type Partly,
  type ServerChannel,
  type ServerMember,
  type ServerSettings,
  type ServerUser,
} from '../../model/server.ts'
import type { ObjectKind } from './usage-rules.ts'
import type {
  InteractionAttachment,
  InteractionChannel,
  InteractionMember,
  InteractionMessage,
  InteractionRole,
  InteractionUser,
  Resolved,
  ResolvedChannel,
  ResolvedMember,
} from '../../model/interaction-payload.ts'

/** The known fields of a message; the others get default values. */
export type MessageInput = Omit<Partly<InteractionMessage>, 'author'> & {
  readonly author?: Partly<InteractionUser>
}

/** Known objects by id. Missing objects and fields get default values. */
export interface KnownObjects {
  /** Users by id. */
  readonly users?: { readonly [id: string]: Partly<InteractionUser> }
  /** Members by user id; null for a user who is not a member of the guild. */
  readonly members?: { readonly [id: string]: Omit<MemberInput, 'user'> | null }
  /** Roles by id. */
  readonly roles?: { readonly [id: string]: Partly<InteractionRole> }
  /** Channels by id. */
  readonly channels?: { readonly [id: string]: Partly<ResolvedChannel> }
  /** Messages by id. */
  readonly messages?: { readonly [id: string]: MessageInput }
  /** Attachments by id. */
  readonly attachments?: { readonly [id: string]: Partly<InteractionAttachment> }
  /** The fields that members and channels have in the place of the interaction. Default: none beside the known ones. */
  readonly inPlace?: ObjectsInPlace
}

/** A member in a channel of their server, at a time in milliseconds since 1970. */
export interface PlaceInServer extends Pick<MemberInChannel, 'member' | 'channel'> {
  readonly now: number
  /** The member of the app in the server. */
  readonly app?: GuildMember | undefined
  /** A channel as payloads have it, such as a thread with its parent. Default: as it is. */
  readonly complete?: (channel: ServerChannel) => ServerChannel
}

/**
 * The members, roles and channels of a server, whose lists never change. With a place, members of a payload have their permissions in its channel,
 * and channels those of its member.
 */
export function serverObjects(server: ServerSettings, place?: PlaceInServer): KnownObjects {
  const { members, roles, channels } = server
  return {
    users: usersById(members),
    members: membersById(members),
    roles: rolesById(roles),
    channels: channelsById(channels) as KnownObjects['channels'] & object,
    ...(place && { inPlace: objectsInPlace(server, place) }),
  }
}

const usersById = /* @__PURE__ */ once((members: ServerSettings['members']) =>
  objectsById(members.map(({ user }) => user)),
)
const membersById = /* @__PURE__ */ once((members: ServerSettings['members']) =>
  Object.fromEntries(members.map((one) => [one.user.id, one])),
)
const rolesById = /* @__PURE__ */ once((roles: ServerSettings['roles']) => objectsById(roles))
const channelsById = /* @__PURE__ */ once((channels: ServerSettings['channels']) => objectsById(channels))

/** What payloads add to known objects. It is computed for the few that a payload has: a server has thousands of threads. */
export interface ObjectsInPlace {
  member(id: string): object
  channel(id: string): object
}

function objectsInPlace(server: ServerSettings, { member, channel, now, app, ...place }: PlaceInServer) {
  const { members, channels, roles } = server
  const permissionsOf = (of: GuildMember, where: GuildChannel) =>
    String(memberPermissions(of, roles, where, { ...memberInChannel(server, of, where), now }))
  return {
    member(id) {
      const found = members.find(({ user }) => user.id === id)
      return found === undefined ? {} : { permissions: permissionsOf(found, channel) }
    },
    channel(id) {
      const position = channels.findIndex((one) => one.id === id)
      const found = channels[position]
      if (found === undefined) return {}
      const whole = place.complete?.(found) ?? found
      return {
        ...(!isThread(found) && { position }),
        ...whole,
        permissions: permissionsOf(member, whole),
        ...(app && { app_permissions: permissionsOf(app, whole) }),
      }
    },
  } satisfies ObjectsInPlace
}

export function objectsById<T extends { readonly id: string }>(
  objects: readonly T[],
): { readonly [id: string]: T } {
  return Object.fromEntries(objects.map((one) => [one.id, one]))
}

/** A file that a person attaches, or an attachment. Missing fields get default values. */
export interface AttachedFile extends Partial<InteractionAttachment> {
  readonly filename: string
  /** The size in bytes. Default 0. */
  readonly size?: number
  /** The media type, such as `image/png`. Default: none. */
  readonly content_type?: string
}

export const objectMaps = ['users', 'members', 'roles', 'channels', 'messages', 'attachments'] as const

/** The objects of the ids in a payload. Keys are valid ids, so they cannot be names of inherited properties. */
export class ResolvedObjects {
  readonly #known: KnownObjects
  readonly #guildId: string | undefined
  readonly #permissions: string
  readonly #appPermissions: string | null
  readonly #maps: { [Kind in keyof Resolved]?: { readonly [id: string]: object } } = {}

  /**
   * @param guildId the guild of the payload; undefined in DMs
   * @param permissions the user's permissions in channels
   * @param appPermissions those of the app; null for one that is not in the server
   */
  constructor(
    known: KnownObjects,
    guildId: string | undefined,
    permissions = '0',
    appPermissions: string | null = '0',
  ) {
    this.#known = known
    this.#guildId = guildId
    this.#permissions = permissions
    this.#appPermissions = appPermissions
  }

  get #isInGuild(): boolean {
    return this.#guildId !== undefined
  }

  /** The kinds of objects that an id is known for; empty if unknown. A known member is a known user. */
  kindsOf(id: string): readonly ObjectKind[] {
    const maps = objectMaps.filter((map) => this.#known[map]?.[id] !== undefined)
    return [...new Set(maps.map((map) => (map === 'members' ? 'users' : map)))]
  }

  /** `channel` or `role` for the id of one of a server, while the payload is of a DM; otherwise null. */
  elsewhere(id: string): 'channel' | 'role' | null {
    if (this.#isInGuild) return null
    if (this.#known.roles?.[id] !== undefined) return 'role'
    const type = this.channelType(id)
    return type === undefined || type === ChannelType.DM || type === ChannelType.GROUP_DM ? null : 'channel'
  }

  channelType(id: string): number | undefined {
    return this.#known.channels?.[id]?.type
  }

  /** The name of a known attachment. */
  file(id: string): NamedFile | undefined {
    const { filename } = this.#known.attachments?.[id] ?? {}
    return filename === undefined ? undefined : { filename }
  }

  /**
   * Adds the object of an id.
   *
   * @param kinds an unknown object is of the first kind
   * @param channelTypes an unknown channel has the first type
   */
  add(id: string, kinds: readonly ObjectKind[], channelTypes: readonly number[] = []): void {
    const { users, members, roles, channels, attachments, inPlace } = this.#known
    const known = this.kindsOf(id)
    const kind = kinds.find((one) => known.includes(one)) ?? kinds[0]
    if (kind === 'roles') this.put('roles', id, completeRole({ id, ...roles?.[id] }))
    if (kind === 'attachments') this.put('attachments', id, completeAttachment({ id, ...attachments?.[id] }))
    if (kind === 'users') {
      this.put('users', id, completeUser({ id, ...users?.[id] }))
      if (this.#isInGuild && members?.[id] !== null)
        this.put('members', id, resolvedMember(id, { ...members?.[id], ...inPlace?.member(id) }))
    }
    if (kind === 'channels') {
      // An unknown type is assumed to be one that the client offered.
      const type = this.channelType(id) ?? channelTypes[0] ?? usualType(!this.#isInGuild)
      const channel = completeChannel({ ...channels?.[id], ...inPlace?.channel(id), id, type })
      const name = channel.name ?? `channel${id}`
      this.put('channels', id, {
        permissions: this.#permissions,
        // An app whose bot is not in the server has none.
        ...(this.#appPermissions !== null &&
          inPlace === undefined && { app_permissions: this.#appPermissions }),
        flags: 0,
        ...(this.#guildId !== undefined && { ...guildChannelFields(type), guild_id: this.#guildId }),
        ...channel,
        name,
      })
    }
  }

  put<Kind extends keyof Resolved>(
    kind: Kind,
    id: string,
    object: NonNullable<Resolved[Kind]>[string],
  ): void {
    this.#maps[kind] = { ...this.#maps[kind], [id]: object }
  }

  /** The maps that have entries, as a field of the data; no field if none has. */
  get(): { readonly resolved?: Resolved } {
    const filled = objectMaps.filter((kind) => this.#maps[kind] !== undefined)
    if (filled.length === 0) return {}
    return { resolved: Object.fromEntries(filled.map((kind) => [kind, this.#maps[kind]])) as Resolved }
  }
}

/** A copy through JSON, so that the caller's objects are neither frozen nor shared. */
export function jsonCopy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}

export function completeUser(
  known: Partly<InteractionUser> & Partial<Pick<ServerUser, 'premium_type'>>,
): InteractionUser {
  const { premium_type: _ofPeople, ...shown } = known
  return {
    username: `user${known.id}`,
    discriminator: '0',
    global_name: null,
    avatar: null,
    ...jsonCopy(shown),
  }
}

/** The time of an id, as ISO 8601. */
function timestampOf(id: string): string {
  return new Date(snowflakeTime(id)).toISOString()
}

/** A member without its user. The default of `joined_at` is the time of the user's id. */
function resolvedMember(userId: string, known: Omit<MemberInput, 'user'>): ResolvedMember {
  const { user, mute, deaf, is_pending, voice_channel_id, permissions, ...fields } = known as Partial<
    InteractionMember & ServerMember
  >
  return {
    roles: [],
    nick: null,
    avatar: null,
    banner: null,
    joined_at: timestampOf(userId),
    premium_since: null,
    pending: false,
    communication_disabled_until: null,
    flags: 0,
    ...jsonCopy(fields),
    permissions: String(permissions ?? 0),
  }
}

export function completeMember(known: MemberInput): InteractionMember {
  const member = resolvedMember(known.user.id, known)
  return {
    ...member,
    user: completeUser(known.user),
    is_pending: member.pending,
    mute: known.mute ?? false,
    deaf: known.deaf ?? false,
  }
}

export function completeRole(known: Partly<InteractionRole>): InteractionRole {
  return {
    name: `role${known.id}`,
    color: 0,
    colors: { primary_color: known.color ?? 0, secondary_color: null, tertiary_color: null },
    hoist: false,
    icon: null,
    unicode_emoji: null,
    position: 1,
    permissions: '0',
    managed: false,
    mentionable: false,
    flags: 0,
    ...jsonCopy(known),
  }
}

/** The channel of an interaction, without `parent` and `permission_overwrites`, which interactions do not contain. */
export function completeChannel(known: GuildChannel, isDirect = false): InteractionChannel {
  const { parent, permission_overwrites, ...rest } = known
  return { type: usualType(isDirect), ...jsonCopy(rest as Partly<InteractionChannel>) }
}

const SILENT_TYPES: readonly number[] = [ChannelType.GUILD_CATEGORY, ChannelType.GUILD_DIRECTORY]

/** The fields of a resolved channel of a server, with their defaults; those about messages only where it has messages. */
function guildChannelFields(type: number): object {
  if (isThread({ type })) return {}
  return {
    nsfw: false,
    parent_id: null,
    position: 0,
    ...(!SILENT_TYPES.includes(type) && { topic: null, last_message_id: null, rate_limit_per_user: 0 }),
  }
}

function usualType(isDirect: boolean): ChannelType {
  return isDirect ? ChannelType.DM : ChannelType.GUILD_TEXT
}

export function completeAttachment(known: Partly<InteractionAttachment>): InteractionAttachment {
  const { filename = 'file' } = known
  const url = `https://cdn.example/attachments/${known.id}/${encodeURIComponent(filename)}`
  return { filename, size: 0, url, proxy_url: url, ...jsonCopy(known) }
}

export function completeMessage(
  known: MessageInput,
  channelId: string,
  author: InteractionUser,
): InteractionMessage {
  const { id, author: knownAuthor, ...fields } = jsonCopy(known)
  return {
    id,
    channel_id: channelId,
    type: 0,
    content: '',
    author: knownAuthor === undefined ? author : completeUser(knownAuthor),
    timestamp: timestampOf(id),
    edited_timestamp: null,
    tts: false,
    mention_everyone: false,
    mentions: [],
    mention_roles: [],
    attachments: [],
    embeds: [],
    pinned: false,
    flags: 0,
    ...fields,
  }
}
