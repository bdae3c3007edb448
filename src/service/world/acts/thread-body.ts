/** The bodies of new threads. */
import { listOf, objectOf, optional, orNull, partial, type Reader } from '../../../core/rules/readers.ts'
import { flag, id, integer, oneOfNumbers, textBetween } from '../body-fields.ts'
import type { ThreadChanges } from '../threads.ts'

export const threadFields = {
  name: textBetween(1, 100),
  ...partial(optional, {
    auto_archive_duration: orNull(oneOfNumbers(60, 1440, 4320, 10_080)),
    rate_limit_per_user: orNull(integer(0, 21_600)),
    applied_tags: orNull(listOf(id, undefined, 5)),
  }),
} as const

export const ofNewThread = objectOf(threadFields)

export const ofThreadAlone = objectOf({
  ...threadFields,
  type: optional(orNull(oneOfNumbers(10, 11, 12))),
  invitable: optional(orNull(flag)),
})

const changes = objectOf({
  ...threadFields,
  name: optional(threadFields.name),
  ...partial(optional, { archived: flag, locked: flag, invitable: flag, flags: integer(0, 0xffff) }),
})

export const ofThreadChanges: Reader<ThreadChanges> = (report, value) => {
  const given = changes(report, value)
  return given && withoutNulls(given)
}

/** The fields without those that are null. */
export function withoutNulls<T extends object>(fields: T): { [Name in keyof T]: Exclude<T[Name], null> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as never
}
