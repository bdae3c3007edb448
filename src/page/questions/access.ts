import type { ApplicationCommand } from '../../command/definition.ts'
import { subcommandsOf } from '../../interaction/match.ts'
import { explainAvailability, type Availability } from '../../permission/availability.ts'
import { PermissionTargetType, type CommandPermission } from '../../permission/entry.ts'
import { parsePermissions } from '../../permission/entry-list.ts'
import { displayName, type ServerSettings } from '../../world/server.ts'
import type { AccessExplanation } from '../../permission/trace.ts'
import { viewerPlace, type GuildViewer, type PickerSource } from '../../picker/picker.ts'
import { isObject } from '../../core/json.ts'
import type { Query } from '../query.ts'
import { typedName } from '../../authoring/words.ts'
import { entriesOf, explainCommand, pickerInput, type Context } from '../viewer.ts'
import type { AccessAnswer, AccessRow, CellState } from '../answers.ts'
import { isOverride, requiredPermissions, stepsOf, unavailable } from '../wording.ts'

const { ROLE, USER, CHANNEL } = PermissionTargetType

/** The permissions of all commands in a channel, with staged overrides in place of the stored ones. */
export async function access(query: Query, context: Context): Promise<AccessAnswer> {
  const { viewer, server, source: stored } = await pickerInput(query, context)
  if (viewer.guildId === undefined || server === null)
    throw new TypeError('channel is a DM, where there are no permissions; choose a channel of a server')
  const source = withStaged(stored, query.list('staged'), viewer)
  const columns = columnsOf(query.text('by'), viewer, server)
  const subjects = [wholeApp(viewer.applicationId), ...source.commands]
  const rows = subjects.map((subject): AccessRow => ({
    id: subject.id,
    name: isCommand(subject) ? typedName(subject) : '',
    note: noteOf(subject, decide(subject, viewer, source)),
    subcommands: isCommand(subject) ? subcommandsOf(subject) : [],
    stored: entriesOf(subject.id, stored),
    entries: entriesOf(subject.id, source),
    cells: columns.map((column) => stateOf(decide(subject, column.viewer, source))),
  }))
  const [rowId, columnId] = query.text('sel').split('.')
  const subject = subjects.find(({ id }) => id === rowId)
  const column = columns.find(({ id }) => id === columnId)
  const shared = { columns: columns.map(({ id, name, type }) => ({ id, name, type })), rows }
  if (subject === undefined || column === undefined) return { ...shared, selected: null }
  const { reasons, explanation } = decide(subject, column.viewer, source)
  const selected = { why: reasons.map(({ text }) => text), trace: stepsOf(explanation, server) }
  return { ...shared, selected }
}

/** The subject of a row: a command, or the app as a whole, which has no name. */
type Subject = ApplicationCommand | WholeApp
type WholeApp = Pick<ApplicationCommand, 'id' | 'default_member_permissions'>

/** The app as a command that requires nothing, so that only its own entries decide. */
const wholeApp = (id: string): WholeApp => ({ id, default_member_permissions: null })

const isCommand = (subject: Subject): subject is ApplicationCommand => 'name' in subject

/** The required permissions of a command, or the reason why it is not available. */
function noteOf(subject: Subject, { reasons: [reason] }: Decision): string {
  if (!isCommand(subject)) return ''
  if (reason !== undefined) return unavailable(reason.code, subject)
  const required = subject.default_member_permissions
  if (required === null) return ''
  return required === '0' ? requiredPermissions(required) : `needs ${requiredPermissions(required)}`
}

/** The columns with their viewers: a member with one role, a person, or the chosen person in a channel. */
function columnsOf(by: string, viewer: GuildViewer, { roles, members, channels }: ServerSettings) {
  if (by === 'people') {
    return members.map((member) => ({
      id: member.user.id,
      name: displayName(member.user),
      type: USER,
      viewer: { ...viewer, member },
    }))
  }
  if (by === 'channels') {
    return channels.map((channel) => ({
      id: channel.id,
      name: `#${channel.name}`,
      type: CHANNEL,
      viewer: { ...viewer, channel },
    }))
  }
  // No user has the id 1, so neither entries for users nor owning the server count.
  const memberWith = (id: string) => ({ user: { id: '1' }, roles: id === viewer.guildId ? [] : [id] })
  return roles.map(({ id, name }) => ({
    id,
    name,
    type: ROLE,
    viewer: { ...viewer, member: memberWith(id) },
  }))
}

interface Decision {
  /** Why the command is not available at the place, whatever the permissions. */
  readonly reasons: Availability['reasons']
  readonly explanation: AccessExplanation
}

function decide(subject: Subject, viewer: GuildViewer, source: PickerSource): Decision {
  const explanation = explainCommand(viewer, source, subject)
  if (!isCommand(subject)) return { reasons: [], explanation }
  const place = viewerPlace(viewer, source.application)
  return { reasons: explainAvailability({ command: subject, place, user: viewer }).reasons, explanation }
}

function stateOf({ reasons, explanation: { allowed, trace } }: Decision): CellState {
  if (reasons.length > 0) return 'unavailable'
  const isByOverride = isOverride(trace[trace.length - 1]!)
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
    const entries = [...entriesOf(id, source).filter(isKept), ...read.value]
    return { id, application_id: applicationId, guild_id: guildId, permissions: entries }
  })
  // The first set of an id counts.
  return { ...source, permissions: [...staged, ...source.permissions] }
}
