/** Who may use which command in a channel. */
import { typedName } from '../../authoring/words.ts'
import type { ApplicationCommand } from '../../../model/command-definition.ts'
import { isObject } from '../../../core/json.ts'
import { subcommandsOf } from '../../../interactions/usage/match.ts'
import { explainAvailability } from '../../../commands/access/availability.ts'
import { PermissionTargetType, type CommandPermission } from '../../../model/permission-entry.ts'
import { parsePermissions } from '../../../commands/access/entry-list.ts'
import { checksOf, type GuildViewer, type PickerSource } from '../../../commands/access/picker.ts'
import { displayName, type ServerSettings } from '../../../model/server.ts'
import { permissionsFor, readViewer, type Context, type Query } from './query.ts'
import { isOverride, requiredPermissions, stepsOf, unavailable } from './decision-words.ts'

const { ROLE, USER, CHANNEL } = PermissionTargetType

/** The matrix of permissions in a channel with staged overrides, and why the selected cell is as it is. */
export async function access(query: Query, context: Context) {
  const { viewer, server, source: stored } = await readViewer(query, context)
  if (viewer.guildId === undefined || server === null)
    throw new TypeError('channel is a DM, where there are no permissions; choose a channel of a server')
  const source = withStaged(stored, query.list('staged'), viewer)
  const columns = columnsOf(query.text('by'), viewer, server, source)
  // The app is like a command that requires nothing, so that only its own entries decide.
  const wholeApp: Subject = { id: viewer.applicationId, default_member_permissions: null }
  const subjects = [wholeApp, ...source.commands]
  const checks = checksOf(viewer, source)
  const rows = subjects.map((subject) => ({
    id: subject.id,
    name: isCommand(subject) ? typedName(subject) : '',
    note: decisionNote(subject, decide(subject, checks)),
    subcommands: isCommand(subject) ? subcommandsOf(subject) : [],
    stored: permissionsFor(subject.id, stored),
    /** Stored and staged; without any the command is synced with the app. */
    entries: permissionsFor(subject.id, source),
    cells: columns.map((column) => stateOf(decide(subject, column.checks))),
  }))
  const [rowId, columnId] = query.text('sel').split('.')
  const subject = subjects.find(({ id }) => id === rowId)
  const column = columns.find(({ id }) => id === columnId)
  const shared = { columns: columns.map(({ id, name, type }) => ({ id, name, type })), rows }
  if (subject === undefined || column === undefined) return { ...shared, selected: null }
  const { reasons, explanation } = decide(subject, column.checks)
  return {
    ...shared,
    selected: { why: reasons.map(({ text }) => text), trace: stepsOf(explanation, server) },
  }
}

/** A command, or the app as a whole, which has no name. */
type Subject = ApplicationCommand | Pick<ApplicationCommand, 'id' | 'default_member_permissions'>

const isCommand = (subject: Subject): subject is ApplicationCommand => 'name' in subject

function decisionNote(subject: Subject, { reasons: [reason] }: Decision): string {
  if (!isCommand(subject)) return ''
  if (reason !== undefined) return unavailable(reason.code, subject)
  const required = subject.default_member_permissions
  if (required === null) return ''
  return required === '0' ? requiredPermissions(required) : `needs ${requiredPermissions(required)}`
}

/** The columns with their checks: members with one role, people, or the chosen person in channels. */
function columnsOf(
  by: string,
  viewer: GuildViewer,
  { roles, members, channels }: ServerSettings,
  source: PickerSource,
) {
  const column = (id: string, name: string, type: PermissionTargetType, changed: Partial<GuildViewer>) => {
    return { id, name, type, checks: checksOf({ ...viewer, ...changed }, source) }
  }
  if (by === 'people')
    return members.map((member) => column(member.user.id, displayName(member.user), USER, { member }))
  if (by === 'channels')
    return channels.map((channel) => column(channel.id, `#${channel.name}`, CHANNEL, { channel }))
  // No user has the id 1, so neither entries for users nor owning the server count.
  const memberWith = (id: string) => ({ user: { id: '1' }, roles: id === viewer.guildId ? [] : [id] })
  return roles.map(({ id, name }) => column(id, name, ROLE, { member: memberWith(id) }))
}

type Decision = ReturnType<typeof decide>

/** Why a command is not available at a place whatever the permissions, and whether a member may use it. */
function decide(subject: Subject, { availability, access }: ReturnType<typeof checksOf>) {
  const reasons = isCommand(subject) ? explainAvailability(availability(subject)).reasons : []
  return { reasons, explanation: access(subject)! }
}

/** Whether a viewer may use a command: by default, by an override, or not at all because it is not available. */
function stateOf({ reasons, explanation: { allowed, trace } }: Decision) {
  if (reasons.length > 0) return 'unavailable'
  const isByOverride = isOverride(trace.at(-1)!)
  if (allowed) return isByOverride ? 'override' : 'allowed'
  return isByOverride ? 'denied' : 'lacks'
}

/** The source with staged entries in place of the stored ones of the same targets. */
function withStaged(
  source: PickerSource,
  sets: readonly unknown[],
  { applicationId, guildId }: GuildViewer,
): PickerSource {
  const staged = sets.filter(isObject).flatMap(({ id, permissions }) => {
    const read = parsePermissions(permissions)
    if (typeof id !== 'string' || !read.ok) return []
    const isKept = (stored: CommandPermission) =>
      !read.value.some((one) => one.id === stored.id && one.type === stored.type)
    const entries = [...permissionsFor(id, source).filter(isKept), ...read.value]
    return { id, application_id: applicationId, guild_id: guildId, permissions: entries }
  })
  const kept = source.permissions.filter(({ id }) => !staged.some((set) => set.id === id))
  return { ...source, permissions: [...kept, ...staged] }
}
