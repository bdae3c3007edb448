/** Completes the users, members, roles, channels, messages and attachments of an interaction with default values. */
import { ChannelType } from '../command/types.ts'
import { snowflakeTime } from '../core/snowflake.ts'
import type { MemberInput, Partly, ServerMember, ServerSettings } from '../world/server.ts'
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
} from './payload.ts'

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
}

/** The members, roles and channels of a server. */
export function serverObjects({ members, roles, channels }: ServerSettings): KnownObjects {
  return {
    users: objectsById(members.map(({ user }) => user)),
    members: Object.fromEntries(members.map((member) => [member.user.id, member])),
    roles: objectsById(roles),
    channels: objectsById(channels) as KnownObjects['channels'] & object,
  }
}

export function objectsById<T extends { readonly id: string }>(
  objects: readonly T[],
): { readonly [id: string]: T } {
  return Object.fromEntries(objects.map((one) => [one.id, one]))
}

/** The maps of known objects. */
export const objectMaps = ['users', 'members', 'roles', 'channels', 'messages', 'attachments'] as const

/** The maps of `resolved`. Keys are ids, so they cannot be names of inherited properties. */
export class ResolvedMaps {
  readonly #maps: { [Kind in keyof Resolved]?: { [id: string]: object } } = {}

  /** Adds an object. */
  put<Kind extends keyof Resolved>(
    kind: Kind,
    id: string,
    object: NonNullable<Resolved[Kind]>[string],
  ): void {
    const map: { [id: string]: object } = (this.#maps[kind] ??= {})
    map[id] = object
  }

  /** The maps that have entries; undefined if none has. */
  get(): Resolved | undefined {
    const filled = objectMaps.filter((kind) => this.#maps[kind] !== undefined)
    if (filled.length === 0) return undefined
    return Object.fromEntries(filled.map((kind) => [kind, this.#maps[kind]])) as Resolved
  }
}

/** A copy through JSON, so that the caller's objects are neither frozen nor shared. */
export function jsonCopy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}

export function completeUser(known: Partly<InteractionUser>): InteractionUser {
  return {
    username: `user${known.id}`,
    discriminator: '0',
    global_name: null,
    avatar: null,
    ...jsonCopy(known),
  }
}

/** The time of an id, as ISO 8601. */
function timestampOf(id: string): string {
  return new Date(snowflakeTime(id)).toISOString()
}

/** A member without its user. The default of `joined_at` is the time of the user's id. */
export function resolvedMember(userId: string, known: Omit<MemberInput, 'user'>): ResolvedMember {
  const { permissions = 0n, ...rest } = known
  const {
    mute: _mute,
    deaf: _deaf,
    user: _user,
    is_pending: _pending,
    voice_channel_id: _voice,
    ...copy
  } = jsonCopy(rest) as Partial<InteractionMember & ServerMember>
  return {
    roles: [],
    nick: null,
    avatar: null,
    joined_at: timestampOf(userId),
    premium_since: null,
    pending: false,
    communication_disabled_until: null,
    flags: 0,
    ...copy,
    permissions: String(permissions),
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
    position: 1,
    permissions: '0',
    managed: false,
    mentionable: false,
    flags: 0,
    ...jsonCopy(known),
  }
}

/** The channel of an interaction, without `parent` and `permission_overwrites`, which interactions do not contain. */
export function completeChannel(
  known: { readonly id: string; readonly type?: number },
  direct: boolean,
): InteractionChannel {
  const {
    parent: _parent,
    permission_overwrites: _overwrites,
    ...rest
  } = known as {
    readonly id: string
    readonly parent?: unknown
    readonly permission_overwrites?: unknown
  }
  return { type: usualType(direct), ...jsonCopy(rest) }
}

/** The default type of a channel. */
export function usualType(direct: boolean): ChannelType {
  return direct ? ChannelType.DM : ChannelType.GUILD_TEXT
}

/** A channel with the user's permissions in it. */
export function resolvedChannel(
  known: { readonly id: string; readonly type: number },
  permissions = '0',
): ResolvedChannel {
  const channel = completeChannel(known, false)
  return { permissions, ...channel, name: channel.name ?? `channel${known.id}` }
}

export function completeAttachment(known: Partly<InteractionAttachment>): InteractionAttachment {
  const { filename = 'file' } = known
  const url = `https://cdn.example/attachments/${known.id}/${encodeURIComponent(filename)}`
  return { filename, size: 0, url, proxy_url: url, ...jsonCopy(known) }
}

/** A message with default values for what is not known of it. */
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
