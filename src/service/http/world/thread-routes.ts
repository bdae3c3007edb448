/** The endpoints of threads and posts. */
import { objectOf, optional, orNull, partial } from '../../../core/rules/readers.ts'
import { isObject } from '../../../core/json.ts'
import { ChannelType } from '../../../model/command-types.ts'
import type { Thread, WorldChannel } from '../../world/entities.ts'
import { startFromMessage, startPost, startThread } from '../../world/posts.ts'
import { isForum, ownMember, setThreadMembers, threadMember } from '../../world/threads.ts'
import { threadChannel } from '../../world/wire.ts'
import { messageFor } from '../../world/world-message.ts'
import { invalidField, Refused } from '../respond.ts'
import { CHANNEL, GUILD, MESSAGE } from './paths.ts'
import { flag, id, integer, isTrue, oneOfNumbers, time } from './request-fields.ts'
import { checkSending, readMessage } from './sending.ts'
import { checkTags, threadFields, withoutNulls } from './thread-fields.ts'
import { lacks, row, type Visit, type WorldRoute } from './visit.ts'

const THREADS = `${CHANNEL}/threads`
const MEMBERS = `${CHANNEL}/thread-members`
const MEMBER = `${MEMBERS}/{user.id}`
const READ_HISTORY = ['READ_MESSAGE_HISTORY'] as const
const MAX_ACTIVE = 1_000

const fromMessage = objectOf(threadFields)
const fromNothing = objectOf({
  ...threadFields,
  type: optional(orNull(oneOfNumbers(10, 11, 12))),
  invitable: optional(orNull(flag)),
})

const HOLDERS: readonly unknown[] = [ChannelType.GUILD_TEXT, ChannelType.GUILD_ANNOUNCEMENT]

/** The channel of the path, in which one more thread can be. @throws Refused */
function parentOf({ serverChannel: channel, server: { threads } }: Visit): WorldChannel {
  if (threads.filter((one) => !one.thread_metadata.archived).length >= MAX_ACTIVE)
    throw new Refused('too_many_threads')
  return channel
}

function createFromMessage(visit: Visit): object {
  const { world, message, bot } = visit
  const parent = parentOf(visit)
  if (!HOLDERS.includes(parent.type ?? 0)) throw new Refused('wrong_channel_type')
  if (world.thread(message.id) !== undefined) throw new Refused('thread_exists')
  const { applied_tags: _tags, ...fields } = withoutNulls(visit.body(fromMessage))
  return threadChannel(startFromMessage(world, parent, message, bot, fields), bot.id)
}

/** A thread without a message, or a post of a forum, whose body has the message. */
function createAlone(visit: Visit): object {
  const { world, bot } = visit
  const parent = parentOf(visit)
  if (isForum(parent)) return createPost(visit, parent)
  if (!HOLDERS.includes(parent.type ?? 0)) throw new Refused('wrong_channel_type')
  const given = withoutNulls(visit.body(fromNothing))
  const { type = ChannelType.PRIVATE_THREAD, applied_tags: _tags, ...fields } = given
  const isPrivate = type === ChannelType.PRIVATE_THREAD
  if ((type === ChannelType.ANNOUNCEMENT_THREAD) !== (parent.type === ChannelType.GUILD_ANNOUNCEMENT))
    throw invalidField('type', 'The channel does not have threads of this type.')
  visit.need(isPrivate ? 'CREATE_PRIVATE_THREADS' : 'CREATE_PUBLIC_THREADS')
  return threadChannel(startThread(world, parent, bot, { ...fields, type }), bot.id)
}

function createPost(visit: Visit, forum: WorldChannel): object {
  const { world, call, bot } = visit
  visit.need('SEND_MESSAGES')
  const { applied_tags: tags = [], ...fields } = withoutNulls(visit.body(fromMessage))
  checkTags(visit, forum, tags, true)
  const given = isObject(call.body) && isObject(call.body.message) ? call.body.message : {}
  const body = readMessage(given, call.files, null)
  checkSending(visit, { ...forum, type: ChannelType.PUBLIC_THREAD, id: '0' }, body)
  const post = startPost(world, forum, bot, { ...fields, applied_tags: tags }, body, call.files)
  return { ...threadChannel(post.thread, bot.id), message: messageFor(post.message, bot.id) }
}

function changeMembers(visit: Visit, userId: string, isIn: boolean): void {
  const { world, thread, server } = visit
  visit.needOpen()
  if (isIn && world.member(server.id, userId) === undefined) throw new Refused('unknown_member')
  setThreadMembers(world, thread.id, [userId], isIn)
}

/** Threads in the form of the wire, with the memberships of the bot. */
function listOfThreads({ world, botId }: Visit, threads: readonly Thread[]) {
  const members = threads.flatMap((thread) => {
    const own = thread.members.find(({ user_id }) => user_id === botId)
    return own === undefined ? [] : [threadMember(world, thread, own)]
  })
  return { threads: threads.map((thread) => threadChannel(thread, botId)), members }
}

const page = objectOf(partial(optional, { before: time, limit: integer(1, 100) }))
const ownPage = objectOf(partial(optional, { before: id, limit: integer(1, 100) }))

/** The archived threads of a channel, the last archived first. */
function archivedThreads(
  visit: Visit,
  isListed: (thread: Thread) => boolean,
  given: { limit?: number; before?: string },
): object {
  const { limit = 50, before } = given
  const timeOf = ({ thread_metadata: { archive_timestamp } }: Thread) => archive_timestamp
  const all = visit.server.threads
    .filter((thread) => thread.parent_id === visit.channel.id && thread.thread_metadata.archived)
    .filter(isListed)
    .sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1))
    .filter((thread) => before === undefined || timeOf(thread) < before)
  return { ...listOfThreads(visit, all.slice(0, limit)), has_more: all.length > limit }
}

function memberPage(visit: Visit, userId: string): object {
  const { world, thread } = visit
  const { with_member: isWhole = false } = visit.query(memberQuery)
  const found = thread.members.find(({ user_id }) => user_id === userId)
  if (found === undefined) throw new Refused('unknown_member')
  return isWhole ? threadMember(world, thread, found) : ownMember(thread.id, found)
}

const isPrivate = ({ type }: Thread) => type === ChannelType.PRIVATE_THREAD
const event = 'THREAD_CREATE'
const logs = 'THREAD_CREATE'
const members = { event: 'THREAD_MEMBERS_UPDATE' } as const
const memberQuery = objectOf({ with_member: isTrue })

export const threadRoutes: readonly WorldRoute[] = [
  row(
    'POST',
    `${MESSAGE}/threads`,
    'Start a thread from a message',
    { needs: ['CREATE_PUBLIC_THREADS'], event, logs },
    createFromMessage,
  ),
  row('POST', THREADS, 'Start a thread, or a post of a forum', { body: 'Message', event, logs }, createAlone),
  row('GET', `${GUILD}/threads/active`, 'The threads of a server that are not archived', {}, (visit) => {
    const { world, server, botId } = visit
    const open = server.threads.filter((one) => !one.thread_metadata.archived && world.sees(botId, one))
    return listOfThreads(visit, open)
  }),
  row(
    'GET',
    `${THREADS}/archived/public`,
    'The archived threads of a channel',
    { needs: READ_HISTORY },
    (visit) => archivedThreads(visit, (thread) => !isPrivate(thread), visit.query(page)),
  ),
  row(
    'GET',
    `${THREADS}/archived/private`,
    'The archived private threads of a channel',
    { needs: ['READ_MESSAGE_HISTORY', 'MANAGE_THREADS'] },
    (visit) => archivedThreads(visit, isPrivate, visit.query(page)),
  ),
  row(
    'GET',
    `${CHANNEL}/users/@me/threads/archived/private`,
    'The archived private threads that the bot is in',
    { needs: READ_HISTORY },
    (visit) => {
      const isOwn = (thread: Thread) => thread.members.some(({ user_id }) => user_id === visit.botId)
      const { limit } = visit.query(ownPage)
      return archivedThreads(visit, (thread) => isPrivate(thread) && isOwn(thread), {
        ...(limit && { limit }),
      })
    },
  ),
  row('GET', MEMBERS, 'The members of a thread', {}, ({ world, thread }) =>
    thread.members.map((one) => threadMember(world, thread, one)),
  ),
  row('GET', MEMBER, 'A member of a thread', {}, (visit) => memberPage(visit, visit.path('user'))),
  row('GET', `${MEMBERS}/@me`, 'The bot as a member of a thread', {}, (visit) =>
    memberPage(visit, visit.botId),
  ),
  row('PUT', `${MEMBERS}/@me`, 'Join a thread', members, (visit) => changeMembers(visit, visit.botId, true)),
  row('POST', `${MEMBERS}/@me`, 'Join a thread, as discord.py asks for it', members, (visit) =>
    changeMembers(visit, visit.botId, true),
  ),
  row('DELETE', `${MEMBERS}/@me`, 'Leave a thread', members, (visit) =>
    changeMembers(visit, visit.botId, false),
  ),
  row('PUT', MEMBER, 'Add a member to a thread', { needs: ['SEND_MESSAGES'], ...members }, (visit) => {
    const { thread, botId } = visit
    const isInvitable = thread.thread_metadata.invitable !== false || thread.owner_id === botId
    if (!isInvitable && !visit.has('MANAGE_THREADS')) throw lacks('members may not add others to this thread')
    changeMembers(visit, visit.path('user'), true)
  }),
  row(
    'DELETE',
    MEMBER,
    'Remove a member from a thread',
    {
      needs: ['MANAGE_THREADS'],
      exempt: ({ thread, botId }) => isPrivate(thread) && thread.owner_id === botId,
      ...members,
    },
    (visit) => changeMembers(visit, visit.path('user'), false),
  ),
]
