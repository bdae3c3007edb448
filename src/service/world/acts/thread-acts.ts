/** Acts on threads: starting them, and adding and removing their members. */
import { ChannelType } from '../../../model/command-types.ts'
import { isThread } from '../../../model/server.ts'
import { invalidField, Refused } from '../../refusals.ts'
import { isDirect, type AnyChannel, type Thread, type WorldChannel } from '../entities.ts'
import { lacks, type Party } from '../party.ts'
import { addThreadOf, addPost, addLoneThread } from '../posts.ts'
import { dropThread, isForum, setThread, setThreadMembers, type ThreadChanges } from '../threads.ts'
import { isObject } from '../../../core/json.ts'
import { readFields } from '../body-fields.ts'
import { act, channelAct, type ActInput, type Sent } from './act.ts'
import { checkSending, partsOfMessage, readMessage } from './message-acts.ts'
import { ofNewThread, ofThreadAlone, ofThreadChanges, withoutNulls } from './thread-body.ts'

const { GUILD_TEXT, GUILD_ANNOUNCEMENT, ANNOUNCEMENT_THREAD, PRIVATE_THREAD } = ChannelType
const MAX_ACTIVE = 1_000
const HOLDERS: readonly unknown[] = [GUILD_TEXT, GUILD_ANNOUNCEMENT]

/** Of a post of a forum. */
const PINNED = 1 << 1
const isPinned = ({ flags = 0 }: Pick<ThreadChanges, 'flags'>) => (flags & PINNED) !== 0

const typeOf = (place: AnyChannel) => (isDirect(place) ? ChannelType.DM : (place.type ?? GUILD_TEXT))

/** @throws Refused for a server with too many threads */
export function needRoom(by: Party, place: AnyChannel): void {
  if (isDirect(place)) return
  const active = by.serverOf(place).threads.filter((one) => !one.thread_metadata.archived)
  if (active.length >= MAX_ACTIVE) throw new Refused('too_many_threads')
}

function checkHolder(by: Party, place: AnyChannel): void {
  needRoom(by, place)
  if (!HOLDERS.includes(typeOf(place))) throw new Refused('wrong_channel_type')
}

const starting = { event: 'THREAD_CREATE', logs: 'THREAD_CREATE' } as const

export const startThreadFrom = act({
  ...starting,
  summary: 'Start a thread from a message',
  needs: ['CREATE_PUBLIC_THREADS'],
  on: ['message'],
  body: ofNewThread,
  check(by, { message }, place) {
    checkHolder(by, place)
    if (by.world.thread(message.id) !== undefined) throw new Refused('thread_exists')
  },
  do(by, { message, body }, place) {
    const { applied_tags: _tags, ...fields } = withoutNulls(body)
    return addThreadOf(by.world, place as WorldChannel, message, by.user, fields)
  },
})

export const startThread = act({
  ...starting,
  summary: 'Start a thread',
  on: [],
  body: ofThreadAlone,
  further: [
    {
      permission: 'CREATE_PRIVATE_THREADS',
      for: 'a private thread',
      when: ({ body }) => (body.type ?? PRIVATE_THREAD) === PRIVATE_THREAD,
    },
    {
      permission: 'CREATE_PUBLIC_THREADS',
      for: 'an open thread',
      when: ({ body }) => (body.type ?? PRIVATE_THREAD) !== PRIVATE_THREAD,
    },
  ],
  check(by, { body }, place) {
    checkHolder(by, place)
    if ((body.type === ANNOUNCEMENT_THREAD) !== (typeOf(place) === GUILD_ANNOUNCEMENT))
      throw invalidField('type', 'The channel does not have threads of this type.')
  },
  do(by, { body }, place) {
    const { type = PRIVATE_THREAD, applied_tags: _tags, ...fields } = withoutNulls(body)
    return addLoneThread(by.world, place as WorldChannel, by.user, { ...fields, type })
  },
})

const REQUIRE_TAG = 1 << 4

/** @throws Refused for tags that the forum does not have, for moderated ones, and for none where one is required */
export function checkTags(by: Party, forum: WorldChannel, tags: readonly string[], isNew: boolean): void {
  const { available_tags: available = [], flags = 0 } = forum
  if (!isForum(forum) || tags.length > 5)
    throw invalidField('applied_tags', 'Only posts have tags, at most 5.')
  for (const tagId of tags) {
    const tag = available.find((one) => one.id === tagId)
    if (tag === undefined) throw new Refused('unknown_tag')
    if (tag.moderated) by.needIn(forum, 'MANAGE_CHANNELS')
  }
  if (isNew && tags.length === 0 && (flags & REQUIRE_TAG) !== 0) throw new Refused('tag_required')
}

function readPost({ fields, files = [] }: Sent, by: Party) {
  const { applied_tags = [], ...thread } = withoutNulls(readFields(ofNewThread, fields))
  const message = isObject(fields) && isObject(fields.message) ? fields.message : {}
  return { ...readMessage({ fields: message, files }, by), thread: { ...thread, applied_tags } }
}

/** A post of a forum: a thread with its first message, which the body has. */
export const startPost = act({
  ...starting,
  summary: 'Start a thread, or a post of a forum',
  needs: ['SEND_MESSAGES'],
  on: [],
  read: readPost,
  further: partsOfMessage,
  check(by, { body }, place) {
    const forum = place as WorldChannel
    needRoom(by, forum)
    checkTags(by, forum, body.thread.applied_tags, true)
    checkSending(by, { body }, { ...forum, type: ChannelType.PUBLIC_THREAD, id: '0' })
  },
  do: ({ world, user }, { body: { thread, message, files } }, place) =>
    addPost(world, place as WorldChannel, user, thread, message, files),
})

const reopens = ({ archived, ...others }: ThreadChanges) =>
  archived === false && Object.keys(others).length === 0

/** Its owner changes a thread, but for locks and flags; everybody who may write in one that is not locked opens it again. */
const isManaged = (
  { thread, body }: ActInput<'thread', ThreadChanges>,
  place: WorldChannel,
  by: Party,
): boolean => {
  const { locked } = thread.thread_metadata
  if (body.locked !== undefined || body.flags !== undefined) return true
  if (locked && body.archived !== undefined) return true
  if (thread.owner_id === by.user.id) return false
  return !(reopens(body) && by.hasIn(place, 'SEND_MESSAGES'))
}

export const changeThread = channelAct({
  summary: 'Change a thread',
  event: 'THREAD_UPDATE',
  logs: 'THREAD_UPDATE',
  on: ['thread'],
  body: ofThreadChanges,
  further: [
    {
      permission: 'MANAGE_THREADS',
      for: 'a thread of another, locks, flags, and locked threads that are opened or archived',
      when: isManaged,
    },
    {
      permission: 'SEND_MESSAGES',
      for: 'opening an archived thread of another',
      when: (given, place, by) => given.thread.owner_id !== by.user.id && !isManaged(given, place, by),
    },
  ],
  check(by, { thread, body }, place) {
    const { archived, invitable, applied_tags: tags } = body
    if (thread.thread_metadata.archived && archived !== false) by.needOpen(thread)
    if (invitable !== undefined && thread.type !== PRIVATE_THREAD)
      throw invalidField('invitable', 'Only private threads have it.')
    const parent = by.serverOf(place).channels.find((one) => one.id === thread.parent_id)
    if (tags !== undefined) checkTags(by, { ...parent!, guild_id: thread.guild_id }, tags, false)
    const { id, parent_id: forum } = thread
    const others = by.serverOf(place).threads.filter((one) => one.parent_id === forum && one.id !== id)
    if (isPinned(body) && others.some(isPinned)) throw new Refused('too_many_pinned_posts')
  },
  do: ({ world }, { thread, body }) => setThread(world, thread.id, body),
})

export const deleteThread = channelAct({
  summary: 'Delete a thread',
  needs: ['MANAGE_THREADS'],
  event: 'THREAD_DELETE',
  logs: 'THREAD_DELETE',
  on: ['thread'],
  do: ({ world }, { thread }) => dropThread(world, thread.id),
})

const checkOpen = (by: Party, _: unknown, place: AnyChannel) => by.needOpen(place)

const members = { event: 'THREAD_MEMBERS_UPDATE' } as const

export const joinThread = act({
  ...members,
  summary: 'Join a thread',
  on: ['thread'],
  check: checkOpen,
  do: (by, { thread }) => setThreadMembers(by.world, thread.id, [by.user.id], true),
})

export const leaveThread = act({
  ...members,
  summary: 'Leave a thread',
  on: ['thread'],
  check: checkOpen,
  do: (by, { thread }) => setThreadMembers(by.world, thread.id, [by.user.id], false),
})

export const addToThread = act({
  ...members,
  summary: 'Add a member to a thread',
  needs: ['SEND_MESSAGES'],
  on: ['thread', 'userId'],
  check(by, { thread, userId }, place) {
    const isInvitable = thread.thread_metadata.invitable !== false || thread.owner_id === by.user.id
    if (!isInvitable && !by.hasInstead(place, 'MANAGE_THREADS'))
      throw lacks(`members may not add others to this thread: ${by.lacked(place, 'MANAGE_THREADS')}`)
    by.needOpen(place)
    if (by.world.member(thread.guild_id, userId) === undefined) throw new Refused('unknown_member')
  },
  do: (by, { thread, userId }) => setThreadMembers(by.world, thread.id, [userId], true),
})

const ownsPrivate = (place: AnyChannel, userId: string) =>
  !isDirect(place) &&
  isThread(place) &&
  place.type === PRIVATE_THREAD &&
  (place as Thread).owner_id === userId

export const removeFromThread = act({
  ...members,
  summary: 'Remove a member from a thread',
  needs: ['MANAGE_THREADS'],
  exempt: (by, place) => ownsPrivate(place, by.user.id),
  on: ['thread', 'userId'],
  check: checkOpen,
  do: (by, { thread, userId }) => setThreadMembers(by.world, thread.id, [userId], false),
})
