/** Threads of channels and posts of forums. */
import { ChannelType } from '../../model/command-types.ts'
import { logChange } from './audit-log.ts'
import type { ChannelState, ServerState, Thread, ThreadMember } from './entities.ts'
import { seesChannel } from './visibility.ts'
import { guildMember, threadChannel } from './wire.ts'
import { known, type World } from './world.ts'

export interface ThreadFields extends Pick<ChannelState, 'rate_limit_per_user'> {
  /** The id of the message that it starts from. Default: a new id. */
  readonly id?: string
  readonly name: string
  readonly type: number
  readonly owner_id: string
  /** Minutes. Default: that of the channel, else 1440. */
  readonly auto_archive_duration?: number
  readonly invitable?: boolean
  readonly applied_tags?: readonly string[]
}

/** The fields of a thread that PATCH changes, those of its metadata among them. */
export type ThreadChanges = Partial<
  Pick<Thread, 'name' | 'rate_limit_per_user' | 'applied_tags' | 'flags'> &
    Pick<Thread['thread_metadata'], 'archived' | 'locked' | 'auto_archive_duration' | 'invitable'>
>

const METADATA = ['archived', 'locked', 'auto_archive_duration', 'invitable']

/** Whether posts are the only messages of a channel. */
export function isForum({ type }: { readonly type?: number }): boolean {
  return type === ChannelType.GUILD_FORUM || type === ChannelType.GUILD_MEDIA
}

/** Creates a thread, whose owner is its first member. */
export function addThread(
  world: World,
  parent: ChannelState & { readonly guild_id: string },
  fields: ThreadFields,
): Thread {
  const { auto_archive_duration, invitable, id = world.nextId(), ...own } = fields
  const now = new Date(world.now()).toISOString()
  const slow = parent.default_thread_rate_limit_per_user ?? 0
  const thread: Thread = {
    rate_limit_per_user: slow,
    flags: 0,
    ...own,
    id,
    guild_id: parent.guild_id,
    parent_id: parent.id,
    thread_metadata: {
      archived: false,
      locked: false,
      auto_archive_duration: auto_archive_duration ?? parent.default_auto_archive_duration ?? 1_440,
      archive_timestamp: now,
      create_timestamp: now,
      ...(fields.type === ChannelType.PRIVATE_THREAD && { invitable: invitable ?? true }),
    },
    members: [{ user_id: fields.owner_id, join_timestamp: now }],
    message_count: 0,
    total_message_sent: 0,
    last_message_id: null,
    active_at: world.now(),
  }
  world.change(parent.guild_id, ({ threads, channels }) => ({
    threads: [...threads, thread],
    ...(isForum(parent) && { channels: withLastMessage(channels, parent.id, id) }),
  }))
  forgetOldThreads(world, parent.guild_id)
  world.publishIn(id, 'THREAD_CREATE', { ...threadChannel(thread), newly_created: true })
  publishOwnMembers(world, thread, thread.members)
  logChange(world, parent.guild_id, 'THREAD_CREATE', id, null, loggedFields(thread))
  return thread
}

// The oldest archived threads of a server beyond this number are forgotten, with their messages.
const MAX_ARCHIVED = 1_000

function forgetOldThreads(world: World, serverId: string): void {
  const { threads } = known(world.server(serverId))
  const archived = threads.filter(({ thread_metadata: { archived } }) => archived)
  const old = archived.slice(0, Math.max(0, archived.length - MAX_ARCHIVED))
  if (old.length === 0) return
  world.change(serverId, () => ({ threads: threads.filter((one) => !old.includes(one)) }))
  for (const { id } of old) world.log.clear(id)
}

const loggedFields = ({ name, type, rate_limit_per_user, flags, applied_tags, thread_metadata }: Thread) => {
  const { archived, locked, auto_archive_duration, invitable } = thread_metadata
  return {
    name,
    type,
    rate_limit_per_user,
    flags,
    applied_tags,
    archived,
    locked,
    auto_archive_duration,
    invitable,
  }
}

/** Puts a thread in the place of the old one, without an event. */
function replaceThread(world: World, thread: Thread): Thread {
  world.change(thread.guild_id, ({ threads }) => ({
    threads: threads.map((one) => (one.id === thread.id ? thread : one)),
  }))
  return thread
}

export function setThread(world: World, id: string, changes: ThreadChanges): Thread {
  const before = known(world.thread(id))
  const given = Object.entries(changes)
  const metadata = Object.fromEntries(given.filter(([name]) => METADATA.includes(name)))
  const others = Object.fromEntries(given.filter(([name]) => !METADATA.includes(name)))
  const isMoved = metadata.archived !== undefined && metadata.archived !== before.thread_metadata.archived
  const thread = replaceThread(world, {
    ...before,
    ...others,
    // A thread that is opened again stays open for its whole time.
    ...(isMoved && { active_at: world.now() }),
    thread_metadata: {
      ...before.thread_metadata,
      ...metadata,
      ...(isMoved && { archive_timestamp: world.stamp() }),
    },
  })
  world.publishIn(id, 'THREAD_UPDATE', threadChannel(thread))
  logChange(world, thread.guild_id, 'THREAD_UPDATE', id, loggedFields(before), loggedFields(thread))
  return thread
}

/** Deletes a thread with its messages. */
export function dropThread(world: World, id: string): void {
  const thread = known(world.thread(id))
  const { guild_id, parent_id, type } = thread
  world.publishIn(id, 'THREAD_DELETE', { id, guild_id, parent_id, type })
  const messages = world.log.clear(id)
  world.change(guild_id, ({ threads }) => ({ threads: threads.filter((one) => one.id !== id) }))
  logChange(world, guild_id, 'THREAD_DELETE', id, loggedFields(thread), null)
  for (const message of messages) world.answers?.replace(message, null)
}

/** Adds users to a thread, or removes them. Nothing happens for those who are there, or not there, already. */
export function setThreadMembers(world: World, id: string, userIds: readonly string[], isIn: boolean): void {
  const thread = known(world.thread(id))
  const has = (userId: string) => thread.members.some(({ user_id }) => user_id === userId)
  const changed = [...new Set(userIds)].filter((userId) => has(userId) !== isIn)
  if (changed.length === 0) return
  const join_timestamp = new Date(world.now()).toISOString()
  const added = isIn ? changed.map((user_id): ThreadMember => ({ user_id, join_timestamp })) : []
  const kept = thread.members.filter(({ user_id }) => isIn || !changed.includes(user_id))
  const after = { ...thread, members: [...kept, ...added] }
  const { guild_id } = thread
  const sees = (botId: string) => world.sees(botId, thread) || changed.includes(botId)
  replaceThread(world, after)
  // A bot that is added to a private thread has not seen it before.
  if (thread.type === ChannelType.PRIVATE_THREAD)
    world.publish('THREAD_CREATE', guild_id, threadChannel(after), (botId) => isIn && changed.includes(botId))
  publishOwnMembers(world, thread, added)
  world.publish(
    'THREAD_MEMBERS_UPDATE',
    guild_id,
    {
      ...{ id, guild_id, member_count: after.members.length },
      ...(isIn
        ? { added_members: added.map((one) => threadMember(world, after, one)) }
        : { removed_member_ids: changed }),
    },
    sees,
    (botId) => world.sightOf(botId, after),
  )
}

/** Sends each bot among the members of a thread its own membership. */
function publishOwnMembers(world: World, { id, guild_id }: Thread, members: readonly ThreadMember[]): void {
  for (const member of members)
    world.publish(
      'THREAD_MEMBER_UPDATE',
      guild_id,
      { ...ownMember(id, member), guild_id },
      (botId) => botId === member.user_id,
    )
}

/**
 * Sends each bot the active threads of the channels that it sees since a change, and did not see before.
 *
 * @param before the server before the change
 */
export function syncThreads(world: World, before: ServerState): void {
  const { id: guild_id } = before
  const server = known(world.server(guild_id))
  const active = server.threads.filter((one) => !one.thread_metadata.archived)
  const parents = before.channels.filter(({ id }) => active.some((one) => one.parent_id === id))
  if (parents.length === 0) return
  const sees = (state: ServerState, botId: string, channelId: string) =>
    state.channels.some((one) => one.id === channelId && seesChannel(state, botId, one, world.now()))
  for (const { user } of server.members.filter((one) => one.user.bot === true)) {
    const channel_ids = parents
      .map(({ id }) => id)
      .filter((id) => !sees(before, user.id, id) && sees(server, user.id, id))
    const threads = active.filter(
      (one) => channel_ids.includes(one.parent_id) && seesChannel(server, user.id, one, world.now()),
    )
    if (channel_ids.length === 0) continue
    const members = threads.flatMap(({ id, members: all }) =>
      all.filter(({ user_id }) => user_id === user.id).map((one) => ownMember(id, one)),
    )
    const shown = threads.map((one) => threadChannel(one, user.id))
    const data = { guild_id, channel_ids, threads: shown, members }
    world.publish('THREAD_LIST_SYNC', guild_id, data, (botId) => botId === user.id)
  }
}

/** A membership in the form of the wire, without the member of the server. */
export function ownMember(threadId: string, member: ThreadMember): object {
  return { id: threadId, ...member, flags: 0 }
}

/** A member of a thread in the form of the wire. */
export function threadMember(world: World, { id, guild_id }: Thread, member: ThreadMember): object {
  const found = world.member(guild_id, member.user_id)
  return { ...ownMember(id, member), ...(found && { member: guildMember(found), presence: null }) }
}

/** Counts a message of a thread (1), or a deleted one (-1). A new message opens an archived thread. */
export function countMessage(world: World, channelId: string, messageId: string, by: 1 | -1): void {
  const thread = world.thread(channelId)
  // The first message of a post has its id, and is not counted.
  if (thread === undefined || thread.id === messageId) return
  replaceThread(world, {
    ...thread,
    message_count: Math.max(0, thread.message_count + by),
    total_message_sent: thread.total_message_sent + Math.max(0, by),
    ...(by === 1 && { last_message_id: messageId, active_at: world.now() }),
  })
  if (by === 1 && thread.thread_metadata.archived) setThread(world, channelId, { archived: false })
}

/** Channels with the last message of one, which for a forum is its last post. */
export function withLastMessage(
  channels: readonly ChannelState[],
  channelId: string,
  last_message_id: string,
): readonly ChannelState[] {
  return channels.map((one) => (one.id === channelId ? { ...one, last_message_id } : one))
}

/** Archives the threads whose time without a message is over. */
export function archiveIdleThreads(world: World): void {
  for (const { threads } of world.servers)
    for (const {
      id,
      active_at,
      thread_metadata: { archived, auto_archive_duration: minutes },
    } of threads)
      if (!archived && active_at + minutes * 60_000 <= world.now()) setThread(world, id, { archived: true })
}
