/** The lists of members of servers: how a member is found in them, and how they are followed by new ones. */
import type { ServerMember } from '../../model/server.ts'

type Members = readonly ServerMember[]

/**
 * The positions of members by the ids of their users. Lists that follow each other share them, so a position counts only
 * where the list has that member.
 */
const positions = new WeakMap<Members, Map<string, number>>()

/** A member of a list that never changes. */
export function memberOf(members: Members, userId: string): ServerMember | undefined {
  const known = positions.get(members) ?? new Map(members.map(({ user }, index) => [user.id, index]))
  positions.set(members, known)
  const found = members[known.get(userId) ?? -1]
  return found?.user.id === userId ? found : undefined
}

/** The list with one more member. */
export function withMember(members: Members, member: ServerMember): Members {
  return following(members, [...members, member], member, members.length)
}

/** The list with a member in the place of the old one. */
export function withChangedMember(members: Members, before: ServerMember, after: ServerMember): Members {
  const index = members.indexOf(before)
  return following(members, members.with(index, after), after, index)
}

function following(before: Members, after: Members, { user }: ServerMember, index: number): Members {
  const known = positions.get(before)
  if (known !== undefined) positions.set(after, known.set(user.id, index))
  return after
}
