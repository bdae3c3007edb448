import { PermissionTargetType, allChannelsId, type CommandPermission } from '../permission/entry.ts'
import { displayName, type ServerSettings } from '../world/server.ts'

const { ROLE, USER, CHANNEL } = PermissionTargetType

/** The role, user or channel of a permission entry by name: `role Moderators`; by id if the name is unknown. */
export function targetName(
  { type, id }: Omit<CommandPermission, 'permission'>,
  server: ServerSettings,
): string {
  if (type === ROLE) {
    if (id === server.id) return '@everyone'
    return `role ${server.roles.find((role) => role.id === id)?.name ?? id}`
  }
  if (type === USER) {
    const member = server.members.find(({ user }) => user.id === id)
    return `user ${member === undefined ? id : displayName(member.user)}`
  }
  if (id === allChannelsId(server.id)) return 'all channels'
  const channel = server.channels.find((channel) => channel.id === id)
  return channel === undefined ? `channel ${id}` : `channel #${channel.name}`
}

const targetTypes = { role: ROLE, user: USER, channel: CHANNEL }

/** A sentence of the library, which contains `role 5001`, with the names of a server in place of the ids. */
export function withNames(sentence: string, server: ServerSettings | null): string {
  if (server === null) return sentence
  return sentence.replace(
    /\b(role|user|channel) ([0-9]+)/g,
    (_target, type: keyof typeof targetTypes, id: string) =>
      targetName({ id, type: targetTypes[type] }, server),
  )
}
