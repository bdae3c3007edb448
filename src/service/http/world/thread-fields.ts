/** The fields of threads in bodies, and what of them a bot may change. */
import { listOf, objectOf, optional, orNull, partial } from '../../../core/rules/readers.ts'
import { ChannelType } from '../../../model/command-types.ts'
import type { ChannelState } from '../../world/entities.ts'
import { isForum, setThread, type ThreadChanges } from '../../world/threads.ts'
import { invalidField, Refused } from '../respond.ts'
import { flag, id, integer, oneOfNumbers, text } from './request-fields.ts'
import type { Visit } from './visit.ts'

export const threadFields = {
  name: text(1, 100),
  ...partial(optional, {
    auto_archive_duration: orNull(oneOfNumbers(60, 1440, 4320, 10_080)),
    rate_limit_per_user: orNull(integer(0, 21_600)),
    applied_tags: orNull(listOf(id, undefined, 5)),
  }),
} as const

const changes = objectOf({
  ...threadFields,
  name: optional(threadFields.name),
  ...partial(optional, { archived: flag, locked: flag, invitable: flag, flags: integer(0, 0xffff) }),
})

const REQUIRE_TAG = 1 << 4

/** The fields without those that are null. */
export function withoutNulls<T extends object>(fields: T): { [Name in keyof T]: Exclude<T[Name], null> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as never
}

/** @throws Refused for tags that the forum does not have, for moderated ones, and for none where one is required */
export function checkTags(visit: Visit, forum: ChannelState, tags: readonly string[], isNew: boolean): void {
  const { available_tags: available = [], flags = 0 } = forum
  if (!isForum(forum) || tags.length > 5)
    throw invalidField('applied_tags', 'Only posts have tags, at most 5.')
  for (const tagId of tags) {
    const tag = available.find((one) => one.id === tagId)
    if (tag === undefined) throw new Refused('unknown_tag')
    if (tag.moderated) visit.need('MANAGE_CHANNELS')
  }
  if (isNew && tags.length === 0 && (flags & REQUIRE_TAG) !== 0) throw new Refused('tag_required')
}

/** Changes a thread by the body. Without MANAGE_THREADS, its owner cannot lock it or open a locked one. */
export function changeThread(visit: Visit): void {
  const { world, thread } = visit
  const given: ThreadChanges = withoutNulls(visit.body(changes))
  const { archived, locked, invitable, applied_tags: tags, flags } = given
  const { thread_metadata: metadata } = thread
  if (locked !== undefined || flags !== undefined || (metadata.locked && archived !== undefined))
    visit.need('MANAGE_CHANNELS')
  if (metadata.archived && archived !== false) visit.needOpen()
  if (invitable !== undefined && thread.type !== ChannelType.PRIVATE_THREAD)
    throw invalidField('invitable', 'Only private threads have it.')
  const parent = visit.server.channels.find((one) => one.id === thread.parent_id)
  if (tags !== undefined) checkTags(visit, parent!, tags, false)
  setThread(world, thread.id, given)
}
