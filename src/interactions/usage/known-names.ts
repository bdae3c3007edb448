/** The people, roles and channels that an option or a menu takes, by the names that people see. */
import { didYouMean, nearest } from '../../core/nearest.ts'
import { listed, sameText } from '../../core/text.ts'
import type { KnownObjects } from './complete.ts'
import type { MentionKind } from './usage-rules.ts'

/** The id of a name such as `@alan`, `Moderators` or `#general`; undefined if no known object of these kinds has it. */
export function idOfName(
  kinds: readonly MentionKind[],
  name: string,
  { users = {}, members = {}, roles = {}, channels = {} }: KnownObjects = {},
): string | undefined {
  const word = name.replace(kinds.includes('channels') ? /^#/ : /^@/, '')
  const isCalled = (one: string | null | undefined) =>
    one != null && (sameText(one, word) || sameText(one, name))
  // Null marks the people who are not in the server.
  const person = (field: 'username' | 'global_name') =>
    Object.values(users).find((one) => members[one.id] !== null && isCalled(one[field]))
  const find: { readonly [Kind in MentionKind]: () => { readonly id: string } | undefined } = {
    users: () => person('username') ?? person('global_name'),
    roles: () => Object.values(roles).find((one) => isCalled(one.name)),
    channels: () => Object.values(channels).find((one) => isCalled(one.name)),
  }
  for (const kind of kinds) {
    const found = find[kind]()
    if (found !== undefined) return found.id
  }
  return undefined
}

const SHOWN_NAMES = 12

/** What is there in place of an unknown name, to append to a message; empty where nothing is known. */
export function namesText(
  kinds: readonly MentionKind[],
  name: string,
  { users = {}, members = {}, roles = {}, channels = {} }: KnownObjects = {},
): string {
  const all: { readonly [Kind in MentionKind]: () => readonly (string | null | undefined)[] } = {
    users: () => Object.values(users).map((one) => (members[one.id] === null ? null : `@${one.username}`)),
    roles: () => Object.values(roles).map((one) => one.name && `@${one.name.replace(/^@/, '')}`),
    channels: () => Object.values(channels).map((one) => one.name && `#${one.name}`),
  }
  const names = kinds.flatMap((kind) => all[kind]().filter((one) => typeof one === 'string'))
  const mark = kinds.includes('channels') ? '#' : '@'
  const meant = nearest(`${mark}${name.replace(/^[@#]/, '')}`, names)
  if (meant !== undefined) return `; ${didYouMean(meant)}`
  const more = names.length > SHOWN_NAMES ? [`${names.length - SHOWN_NAMES} more`] : []
  return names.length === 0 ? '' : `; there are ${listed([...names.slice(0, SHOWN_NAMES), ...more])}`
}
