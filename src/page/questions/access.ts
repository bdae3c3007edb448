import type { ApplicationCommand } from '../../command/definition.ts'
import { CommandType } from '../../command/types.ts'
import { explainAvailability, type Availability } from '../../permission/availability.ts'
import { explainAccess } from '../../permission/evaluate.ts'
import { PermissionTargetType, type CommandPermission } from '../../permission/entry.ts'
import { parsePermissions } from '../../permission/entry-list.ts'
import type { ServerSettings } from '../../permission/server.ts'
import type { AccessExplanation } from '../../permission/trace.ts'
import { viewerPlace, type GuildViewer, type PickerSource } from '../../picker/picker.ts'
import { isObject } from '../../core/json.ts'
import type { Query } from '../query.ts'
import { typedName } from '../typed-name.ts'
import { accessRequest, lookOf, serverOf, type Context } from '../viewer.ts'
import { requiredPermissions } from './command.ts'
import type { AccessAnswer, AccessRow, CellState, Column } from '../answers.ts'
import { stepsOf, unavailable } from './picker.ts'

const { ROLE, USER, CHANNEL } = PermissionTargetType

/** Who may use which command in a channel, with staged overrides in place of the stored ones. */
export async function access(query: Query, context: Context): Promise<AccessAnswer> {
  const { viewer, source } = await lookOf(query, context)
  if (viewer.guildId === undefined)
    throw new TypeError('channel is a DM, where there are no permissions; choose a channel of a server')
  const server = serverOf(viewer.guildId, context)
  const columns = columnsOf(query.text('by'), server)
  const viewers = columns.map((column) => viewerFor(column, viewer, server))
  const staged = stagedOf(query, source)
  const entriesOf = (id: string) => staged.get(id) ?? storedFor(id, source)
  const decide = (command: ApplicationCommand, who: GuildViewer) =>
    explainAccess(accessRequest(who, source, command, staged))
  const rows = [appCommand(viewer.applicationId), ...source.commands].map((command): AccessRow => ({
    id: command.id,
    name: command.name === '' ? '' : typedName(command),
    note: noteOf(command, reasonsFor(command, viewer, source)),
    subcommands: (command.options ?? []).filter(({ type }) => type <= 2).map(({ name }) => name),
    stored: storedFor(command.id, source),
    entries: entriesOf(command.id),
    cells: viewers.map((who) => stateOf(reasonsFor(command, who, source), decide(command, who))),
  }))
  const [row, column] = query.text('sel').split('.')
  const command = [appCommand(viewer.applicationId), ...source.commands].find(({ id }) => id === row)
  const who = viewers[columns.findIndex(({ id }) => id === column)]
  const selected =
    command === undefined || who === undefined
      ? null
      : {
          why: reasonsFor(command, who, source).map(({ text }) => text),
          trace: stepsOf(decide(command, who)),
        }
  return { columns, rows, selected }
}

/** What a command requires, or why it is not available in the chosen channel. */
function noteOf(command: ApplicationCommand, [reason]: Reasons): string {
  if (command.name === '') return ''
  if (reason !== undefined) return unavailable(reason.code, command)
  return command.default_member_permissions === null
    ? ''
    : `needs ${requiredPermissions(command.default_member_permissions)}`
}

/** The app as a whole: what its own overrides say about a command that asks for nothing. */
function appCommand(id: string): ApplicationCommand {
  return {
    ...{ id, application_id: id, version: '0', type: CommandType.CHAT_INPUT, name: '', description: '' },
    ...{ name_localizations: null, description_localizations: null, nsfw: false, contexts: null },
    ...{ default_member_permissions: null },
  } as ApplicationCommand
}

function columnsOf(by: string, { roles, members, channels }: ServerSettings): readonly Column[] {
  if (by === 'people') {
    return members.map(({ user }) => ({ id: user.id, name: user.global_name ?? user.username, type: USER }))
  }
  if (by === 'channels') return channels.map(({ id, name }) => ({ id, name: `#${name}`, type: CHANNEL }))
  return roles.map(({ id, name }) => ({ id, name, type: ROLE }))
}

/** A column as a viewer: a member with that role alone, a person, or the chosen person in a channel. */
function viewerFor(
  { id, type }: Column,
  viewer: GuildViewer,
  { members, channels }: ServerSettings,
): GuildViewer {
  if (type === CHANNEL) return { ...viewer, channel: channels.find((channel) => channel.id === id)! }
  if (type === USER) {
    const { user, roles } = members.find((member) => member.user.id === id)!
    return { ...viewer, member: { user, roles } }
  }
  // Nobody's id, so that what is set for a person, or owning the server, does not count.
  return { ...viewer, member: { user: { id: '1' }, roles: id === viewer.guildId ? [] : [id] } }
}

/** Why a command is not available at a place, whatever their permissions. */
function reasonsFor(
  command: ApplicationCommand,
  viewer: GuildViewer,
  { application }: PickerSource,
): Reasons {
  if (command.name === '') return []
  return explainAvailability({ command, place: viewerPlace(viewer, application), user: viewer }).reasons
}

type Reasons = Availability['reasons']

function stateOf(reasons: Reasons, { allowed, trace }: AccessExplanation): CellState {
  if (reasons.length > 0) return 'unavailable'
  const isOverride = ['channel', 'command', 'application'].includes(trace[trace.length - 1]!.step)
  if (allowed) return isOverride ? 'override' : 'allowed'
  return isOverride ? 'denied' : 'lacks'
}

/** Staged entries in place of the stored ones of the same targets. */
function stagedOf(query: Query, source: PickerSource): ReadonlyMap<string, readonly CommandPermission[]> {
  const sets = query.list('staged').filter(isObject)
  return new Map(
    sets.flatMap(({ id, permissions }) => {
      const read = parsePermissions(permissions)
      if (typeof id !== 'string' || !read.ok) return []
      const isStaged = (stored: CommandPermission) =>
        read.value.some((one) => one.id === stored.id && one.type === stored.type)
      return [[id, [...storedFor(id, source).filter((stored) => !isStaged(stored)), ...read.value]] as const]
    }),
  )
}

const storedFor = (id: string, { permissions }: PickerSource): readonly CommandPermission[] =>
  permissions.find((set) => set.id === id)?.permissions ?? []
