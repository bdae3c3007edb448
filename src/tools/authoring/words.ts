/** Commands, paths and the targets of permissions in words. */
import { CommandType, commandTypeNames } from '../../model/command-types.ts'
import { isObject } from '../../core/json.ts'
import type { Path } from '../../core/rules/rule.ts'
import { quoted } from '../../core/text.ts'
import { PermissionTargetType, allChannelsId, type CommandPermission } from '../../model/permission-entry.ts'
import { displayName, type ServerSettings } from '../../model/server.ts'

/** A command in words: `/ping`, `user command "Report"`, `command 3`. */
export function commandLabel(body: unknown, index = 0): string {
  if (!isObject(body) || typeof body.name !== 'string' || body.name === '') return `command ${index + 1}`
  const { name, type = CommandType.CHAT_INPUT } = body
  if (type === CommandType.CHAT_INPUT && !/[\p{C}\p{Z}]/u.test(name)) return `/${name}`
  const kind = commandTypeNames[type as CommandType]
  return `${kind === undefined ? 'command' : `${kind} command`} ${quoted(name, 40)}`
}

/** The name of a command as people know it: with a slash where it is typed. */
export function typedName({ type, name }: { readonly type?: CommandType; readonly name: string }): string {
  return type === CommandType.CHAT_INPUT ? `/${name}` : name
}

/** A place in a file: `scopes[0].commands[3].name`. */
export function pathText(path: Path): string {
  const place = path.map((step) =>
    typeof step === 'number' ? `[${step}]` : /^\w+$/.test(step) ? `.${step}` : `[${quoted(step, 40)}]`,
  )
  return place.length === 0 ? 'the file' : place.join('').replace(/^\./, '')
}

// --- Targets of permissions -----------------------------------------------------------------------------------

const { ROLE, USER } = PermissionTargetType

/** What names the targets of a server has; without them, targets have their ids. */
export type Names = Pick<ServerSettings, 'id'> &
  Partial<Pick<ServerSettings, 'roles' | 'members' | 'channels'>>

/** The role, user or channel of a permission entry by name: `role Moderators`; by id if the name is unknown. */
export function targetName({ type, id }: Omit<CommandPermission, 'permission'>, server: Names): string {
  if (type === ROLE) {
    if (id === server.id) return '@everyone'
    return `role ${server.roles?.find((role) => role.id === id)?.name ?? id}`
  }
  if (type === USER) {
    const user = server.members?.find((member) => member.user.id === id)?.user
    return `user ${user === undefined ? id : displayName(user)}`
  }
  if (id === allChannelsId(server.id)) return 'all channels'
  const channel = server.channels?.find((each) => each.id === id)
  return channel === undefined ? `channel ${id}` : `channel #${channel.name}`
}

/** A permission entry in words: `role Moderators denied`. */
export function entryText(entry: CommandPermission, server: Names): string {
  return `${targetName(entry, server)} ${entry.permission ? 'allowed' : 'denied'}`
}
