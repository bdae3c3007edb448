/** How threads begin: from a message, from nothing, or as a post of a forum. */
import type { AnswerFile, AnswerMessage } from '../../model/answer-types.ts'
import type { ServerUser } from '../../model/server.ts'
import { ChannelType } from '../../model/command-types.ts'
import type { Thread, WorldChannel } from './entities.ts'
import { addSystemMessage, postMessage, replaceMessage, THREAD_STARTER_MESSAGE } from './messages.ts'
import { addThread, type ThreadFields } from './threads.ts'
import { threadChannel } from './wire.ts'
import type { WorldMessage } from './world-message.ts'
import { known, type World } from './world.ts'

const THREAD_CREATED = 18
const HAS_THREAD = 1 << 5

type Given = Omit<ThreadFields, 'owner_id' | 'type' | 'id'>

/** Starts a thread from a message, whose id it gets. */
export function addThreadOf(
  world: World,
  parent: WorldChannel,
  message: WorldMessage,
  owner: ServerUser,
  fields: Given,
): Thread {
  const isNews = parent.type === ChannelType.GUILD_ANNOUNCEMENT
  const type = isNews ? ChannelType.ANNOUNCEMENT_THREAD : ChannelType.PUBLIC_THREAD
  const thread = addThread(world, parent, { ...fields, type, id: message.id, owner_id: owner.id })
  const withThread = { flags: message.flags | HAS_THREAD, thread: threadChannel(thread) }
  replaceMessage(world, { ...message, ...withThread })
  addSystemMessage(world, thread.id, owner, {
    type: THREAD_STARTER_MESSAGE,
    ...referenceTo(parent, message.id),
  })
  return known(world.thread(thread.id))
}

/** Starts a thread without a message. One that is not private is announced in its channel. */
export function addLoneThread(
  world: World,
  parent: WorldChannel,
  owner: ServerUser,
  fields: Given & Pick<ThreadFields, 'type'>,
): Thread {
  const thread = addThread(world, parent, { ...fields, owner_id: owner.id })
  const about = { type: THREAD_CREATED, content: fields.name, ...referenceTo(thread) }
  if (fields.type !== ChannelType.PRIVATE_THREAD) addSystemMessage(world, parent.id, owner, about)
  return thread
}

/** Starts a post of a forum with its first message, which has the id of the thread. */
export function addPost(
  world: World,
  forum: WorldChannel,
  owner: ServerUser,
  fields: Given,
  body: AnswerMessage,
  files: readonly AnswerFile[],
): { readonly thread: Thread; readonly message: WorldMessage } {
  const { id } = addThread(world, forum, {
    ...fields,
    type: ChannelType.PUBLIC_THREAD,
    owner_id: owner.id,
  })
  const message = postMessage(world, id, owner, body, files, id)
  return { thread: known(world.thread(id)), message }
}

const referenceTo = ({ id, guild_id }: WorldChannel, message_id?: string) =>
  ({ message_reference: { type: 0, channel_id: id, guild_id, message_id } }) as object
