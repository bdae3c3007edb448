/** The state of servers and channels as plain data with names, for the assertions of a test. */
import { compareRoles, known, type World } from '../../../service/world/world.ts'
import { pollIn, withResults } from '../../../service/world/poll-results.ts'
import type { WorldMessage } from '../../../service/world/world-message.ts'
import type { MessagePoll } from '../../../model/answer-types.ts'
import { ChannelType } from '../../../model/command-types.ts'
import type { ServerChannel, ServerRole } from '../../../model/server.ts'
import type { Thread, WorldChannel } from '../../../service/world/entities.ts'

/** A member as it is now. */
export interface MemberView {
  readonly id: string
  readonly username: string
  readonly nick: string | null
  /** The names of the roles without `@everyone`, the highest first. */
  readonly roles: readonly string[]
  /** Until when the member is timed out, as ISO 8601; null if not. */
  readonly timeout: string | null
  /** The name of the voice channel that the member is in; null for none. */
  readonly voice: string | null
}

/** A banned user. */
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
  /** The threads, oldest first. */
  readonly threads: readonly ThreadView[]
}

/** A thread, or a post of a forum. */
export interface ThreadView {
  readonly id: string
  readonly name: string
  /** The name of its channel. */
  readonly parent: string
  readonly archived: boolean
  readonly locked: boolean
  readonly private: boolean
  /** The user names of its members. */
  readonly members: readonly string[]
  /** The names of the tags of a post. */
  readonly tags: readonly string[]
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
  /** Its poll with the votes so far; null for none. */
  readonly poll: MessagePoll | null
  /** The names of the files. */
  readonly files: readonly string[]
  /** The user names of those who reacted, by the name of the emoji. */
  readonly reactions: { readonly [emoji: string]: readonly string[] }
  readonly edited: boolean
  readonly pinned: boolean
}

/** A channel as it is now, with its messages. */
export interface ChannelView extends ServerChannel {
  readonly messages: readonly MessageView[]
}

export function serverView(world: World, id: string): ServerView {
  const { name, members, bans, roles, channels, threads } = known(world.server(id))
  const sorted = [...roles].sort(compareRoles).reverse()
  return {
    id,
    name,
    members: members.map(
      ({
        user,
        nick = null,
        roles: own,
        communication_disabled_until: timeout = null,
        voice_channel_id,
      }) => ({
        id: user.id,
        username: user.username,
        nick,
        roles: sorted.filter((role) => own.includes(role.id)).map((role) => role.name),
        timeout,
        voice: channels.find((one) => one.id === voice_channel_id)?.name ?? null,
      }),
    ),
    bans: bans.map(({ user, reason }) => ({ id: user.id, username: user.username, reason })),
    roles: sorted,
    channels,
    threads: threads.map((thread) => threadView(world, thread)),
  }
}

function threadView(world: World, thread: Thread): ThreadView {
  const { id, name, type, members, applied_tags = [], thread_metadata } = thread
  const parent = world.channel(thread.parent_id) as WorldChannel
  const { available_tags: tags = [] } = parent
  return {
    id,
    name,
    parent: parent.name,
    archived: thread_metadata.archived,
    locked: thread_metadata.locked,
    private: type === ChannelType.PRIVATE_THREAD,
    members: members.map(({ user_id }) => world.user(user_id)!.username),
    tags: tags.filter((tag) => applied_tags.includes(tag.id)).map((tag) => tag.name),
  }
}

export function channelView(world: World, { parent, ...channel }: ServerChannel): ChannelView {
  return { ...channel, messages: messageViews(world, channel.id) }
}

export function messageViews(world: World, channelId: string): readonly MessageView[] {
  return world.messages(channelId).map((message) => messageView(world, message))
}

/** Several emojis can have one name. */
function namesByEmoji(
  reactions: WorldMessage['reactions'],
  usernameOf: (id: string) => string,
): MessageView['reactions'] {
  const all = new Map<string, Set<string>>()
  for (const { emoji, users } of reactions) {
    const names = all.get(emoji.name) ?? new Set()
    all.set(emoji.name, names)
    for (const user of users) names.add(usernameOf(user))
  }
  return Object.fromEntries([...all].map(([emoji, names]) => [emoji, [...names]]))
}

export function messageView(world: World, message: WorldMessage): MessageView {
  const { id, channel_id, author, content, embeds, components, attachments, reactions } = message
  const usernameOf = (user: string) => world.user(user)!.username
  const poll = pollIn(message)
  return {
    id,
    channel_id,
    // Of a bot the answers have only the id.
    author: world.user(author.id)?.username ?? author.username,
    content,
    embeds,
    components,
    poll: poll === undefined ? null : withResults(poll, message.votes ?? [], ''),
    files: attachments.map(({ filename }) => filename),
    reactions: namesByEmoji(reactions, usernameOf),
    edited: message.edited_timestamp !== null,
    pinned: message.pinned,
  }
}
