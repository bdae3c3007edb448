/** The state of servers and channels as plain data with names, for the assertions of a test. */
import { compareRoles, type World } from '../../../service/world/world.ts'
import type { WorldMessage } from '../../../service/world/world-message.ts'
import type { ServerChannel, ServerRole, ServerSettings } from '../../../model/server.ts'

export interface MemberView {
  readonly id: string
  readonly username: string
  readonly nick: string | null
  /** The names of the roles without `@everyone`, the highest first. */
  readonly roles: readonly string[]
  /** Until when the member is timed out, as ISO 8601; null if not. */
  readonly timeout: string | null
}

export interface BanView {
  readonly id: string
  readonly username: string
  readonly reason: string | null
}

/** A server as it is now. */
export interface ServerView {
  readonly id: string
  readonly name: string
  /** The members, with the bot. */
  readonly members: readonly MemberView[]
  /** The bans, oldest first. */
  readonly bans: readonly BanView[]
  /** The roles, the highest first. */
  readonly roles: readonly ServerRole[]
  readonly channels: readonly ServerChannel[]
}

/** A message of a channel. Those that only one person sees are not in a channel. */
export interface MessageView {
  readonly id: string
  readonly channel_id: string
  /** The user name of its author. */
  readonly author: string
  readonly content: string
  readonly embeds: readonly object[]
  readonly components: readonly object[]
  /** The names of the files. */
  readonly files: readonly string[]
  /** The user names of those who reacted, by emoji. */
  readonly reactions: { readonly [emoji: string]: readonly string[] }
  readonly edited: boolean
}

export interface ChannelView extends ServerChannel {
  readonly messages: readonly MessageView[]
}

export function serverView(world: World, id: string): ServerView {
  const { name, members, bans = [], roles, channels } = world.server(id) as ServerSettings
  const sorted = [...roles].sort(compareRoles).reverse()
  return {
    id,
    name,
    members: members.map(
      ({ user, nick = null, roles: own, communication_disabled_until: timeout = null }) => ({
        id: user.id,
        username: user.username,
        nick,
        roles: sorted.filter((role) => own.includes(role.id)).map((role) => role.name),
        timeout,
      }),
    ),
    bans: bans.map(({ user, reason }) => ({ id: user.id, username: user.username, reason })),
    roles: sorted,
    channels,
  }
}

export function channelView(world: World, channel: ServerChannel): ChannelView {
  return { ...channel, messages: messageViews(world, channel.id) }
}

export function messageViews(world: World, channelId: string): readonly MessageView[] {
  return world.messages(channelId).map((message) => messageView(world, message))
}

export function messageView(world: World, message: WorldMessage): MessageView {
  const { id, channel_id, author, content, embeds, components, attachments, reactions } = message
  const usernameOf = (user: string) => world.user(user)!.username
  return {
    id,
    channel_id,
    // Of a bot the answers have only the id.
    author: world.user(author.id)?.username ?? author.username,
    content,
    embeds,
    components,
    files: attachments.map(({ filename }) => filename),
    reactions: Object.fromEntries(reactions.map(({ emoji, users }) => [emoji.name, users.map(usernameOf)])),
    edited: message.edited_timestamp !== null,
  }
}
