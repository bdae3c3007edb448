/** The bodies of new threads. */
import { listOf, objectOf, optional, orNull, partial, type Reader } from '../../../core/rules/readers.ts'
import { bodyFlag, bodyId, integerIn, aNumberOf, textBetween } from '../body-fields.ts'
import type { ThreadChanges } from '../threads.ts'

export const threadFields = {
  name: textBetween(1, 100),
  ...partial(optional, {
    auto_archive_duration: orNull(aNumberOf(60, 1440, 4320, 10_080)),
    rate_limit_per_user: orNull(integerIn(0, 21_600)),
    applied_tags: orNull(listOf(bodyId, undefined, 5)),
  }),
} as const

export const ofNewThread = objectOf(threadFields)

export const ofThreadAlone = objectOf({
  ...threadFields,
  type: optional(orNull(aNumberOf(10, 11, 12))),
  invitable: optional(orNull(bodyFlag)),
})

const changes = objectOf({
  ...threadFields,
  name: optional(threadFields.name),
  ...partial(optional, {
    archived: bodyFlag,
    locked: bodyFlag,
    invitable: bodyFlag,
    flags: integerIn(0, 0xffff),
  }),
})

export const ofThreadChanges: Reader<ThreadChanges> = (report, value) => {
  const given = changes(report, value)
  return given && withoutNulls(given)
}

/** The fields without those that are null. */
export function withoutNulls<T extends object>(fields: T): { [Name in keyof T]: Exclude<T[Name], null> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as never
}
