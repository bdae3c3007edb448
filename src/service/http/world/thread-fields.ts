/** The fields of threads in bodies, and what of them a bot may change. */
import { objectOf, optional, partial } from '../../../core/rules/readers.ts'
import { ChannelType } from '../../../model/command-types.ts'
import { setThread, type ThreadChanges } from '../../world/threads.ts'
import { invalidField } from '../../refusals.ts'
import { threadFields, withoutNulls } from '../../world/acts/thread-body.ts'
import { checkTags } from '../../world/acts/threads.ts'
import { flag, integer } from '../../world/body-fields.ts'
import type { Visit } from './visit.ts'

const changes = objectOf({
  ...threadFields,
  name: optional(threadFields.name),
  ...partial(optional, { archived: flag, locked: flag, invitable: flag, flags: integer(0, 0xffff) }),
})

/** Changes a thread by the body. Without MANAGE_THREADS, its owner cannot lock it or open a locked one. */
export function changeThread(visit: Visit): void {
  const { world, thread } = visit
  const given: ThreadChanges = withoutNulls(visit.body(changes))
  const { archived, locked, invitable, applied_tags: tags, flags } = given
  const { thread_metadata: metadata } = thread
  if (locked !== undefined || flags !== undefined || (metadata.locked && archived !== undefined))
    visit.need('MANAGE_CHANNELS')
  if (metadata.archived && archived !== false) visit.needOpen(thread)
  if (invitable !== undefined && thread.type !== ChannelType.PRIVATE_THREAD)
    throw invalidField('invitable', 'Only private threads have it.')
  const parent = visit.server.channels.find((one) => one.id === thread.parent_id)
  if (tags !== undefined) checkTags(visit, { ...parent!, guild_id: thread.guild_id }, tags, false)
  setThread(world, thread.id, given)
}
