/** The endpoints of threads and posts. */
import { objectOf, optional, partial } from '../../../core/rules/readers.ts'
import { ChannelType } from '../../../model/command-types.ts'
import type { Thread } from '../../world/entities.ts'
import {
  addToThread,
  joinThread,
  leaveThread,
  removeFromThread,
  startPost,
  startThread,
  startThreadFrom,
} from '../../world/acts/thread-acts.ts'
import { isForum, ownMember, threadMember } from '../../world/threads.ts'
import { threadChannel } from '../../world/wire.ts'
import { messageFor } from '../../world/world-message.ts'
import { Refused } from '../../refusals.ts'
import { CHANNEL, GUILD, MESSAGE } from './paths.ts'
import { bodyId, integerIn, isTrue, bodyTime } from '../../world/body-fields.ts'
import { actRow, carryOutFor, factsOf, row, type Visit, type WorldRoute } from './visit.ts'

const THREADS = `${CHANNEL}/threads`
const MEMBERS = `${CHANNEL}/thread-members`
const MEMBER = `${MEMBERS}/{user.id}`
const READ_HISTORY = ['READ_MESSAGE_HISTORY'] as const

/** A thread without a message, or a post of a forum, whose body has the message. */
function createAlone(visit: Visit): object {
  const { serverChannel: parent, botId } = visit
  if (!isForum(parent)) return threadChannel(carryOutFor(startThread, visit), botId)
  const { thread, message } = carryOutFor(startPost, visit)
  return { ...threadChannel(thread, botId), message: messageFor(message, botId) }
}

/** Threads in the form of the wire, with the memberships of the bot. */
function listOfThreads({ world, botId }: Visit, threads: readonly Thread[]) {
  const members = threads.flatMap((thread) => {
    const own = thread.members.find(({ user_id }) => user_id === botId)
    return own === undefined ? [] : [threadMember(world, thread, own)]
  })
  return { threads: threads.map((thread) => threadChannel(thread, botId)), members }
}

const page = objectOf(partial(optional, { before: bodyTime, limit: integerIn(1, 100) }))
const ownPage = objectOf(partial(optional, { before: bodyId, limit: integerIn(1, 100) }))

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
const memberQuery = objectOf({ with_member: isTrue })

export const threadRoutes: readonly WorldRoute[] = [
  actRow('POST', `${MESSAGE}/threads`, startThreadFrom, (thread, { bot }) => threadChannel(thread, bot.id), {
    outcome: 'created',
  }),
  row(
    'POST',
    THREADS,
    startPost.summary,
    { ...factsOf(startThread, startPost), body: 'Message', outcome: 'created' },
    createAlone,
  ),
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
  actRow('PUT', `${MEMBERS}/@me`, joinThread),
  { ...actRow('POST', `${MEMBERS}/@me`, joinThread), summary: 'Join a thread, as discord.py asks for it' },
  actRow('DELETE', `${MEMBERS}/@me`, leaveThread),
  actRow('PUT', MEMBER, addToThread),
  actRow('DELETE', MEMBER, removeFromThread),
]
