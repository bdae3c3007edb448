import { IntegrationType, InteractionContext } from '../../command/types.ts'
import { listed } from '../../core/text.ts'
import type { UnavailableCode } from '../../permission/availability.ts'
import type { ServerSettings } from '../../permission/server.ts'
import type { AccessExplanation, AccessStep } from '../../permission/trace.ts'
import { pick, type HiddenCommand, type PickerEntry } from '../../picker/picker.ts'
import type { CommandEntry, HiddenEntry, PickerAnswer, TraceStep } from '../answers.ts'
import type { Query } from '../query.ts'
import { pickerInput, type Context } from '../viewer.ts'
import { withNames } from './target-names.ts'

const stepNames: Readonly<Record<AccessStep['step'], string>> = {
  administrator: 'Administrator',
  use_application_commands: 'Use commands',
  channel: 'Channel',
  command: 'Command overrides',
  application: 'App-wide overrides',
  default_member_permissions: 'Required permissions',
}

/** What a person sees at a place in a language, and what is hidden from them. */
export async function picker(query: Query, context: Context): Promise<PickerAnswer> {
  const { viewer, server, source, installable } = await pickerInput(query, context)
  const { entries, hidden } = pick(viewer, source, { explain: true })
  return {
    entries: entries.map(entryJson),
    hidden: hidden.map((one) => hiddenJson(one, server)),
    installable,
  }
}

/** The places in `picker`'s entries of those that a typed text leaves, best first. */
export async function search(query: Query, context: Context): Promise<readonly number[]> {
  const { viewer, source } = await pickerInput(query, context)
  const { entries, search } = pick(viewer, source)
  const places = new Map(entries.map((entry, index) => [entry, index]))
  return search(query.text('text')).map((entry) => places.get(entry)!)
}

function entryJson({ command, ...entry }: PickerEntry): CommandEntry {
  return { ...entry, id: command.id, local: command.guild_id !== undefined }
}

function hiddenJson(hidden: HiddenCommand, server: ServerSettings | null): HiddenEntry {
  const { id, type, name, name_default: path, description } = hidden.command
  return {
    ...{ id, type, name, path, description, reason: hiddenReason(hidden) },
    why: hidden.why.map((sentence) => withNames(sentence, server)),
    trace: stepsOf(hidden.access, server),
  }
}

/** Why a command is hidden, in a few words. */
export function hiddenReason({ command, availability, access }: HiddenCommand): string {
  const [reason] = availability.reasons
  return reason === undefined ? accessReason(access) : unavailable(reason.code, command)
}

/** The steps of a decision, with the names of a server. */
export function stepsOf(
  access: AccessExplanation | null,
  server: ServerSettings | null,
): readonly TraceStep[] {
  return (access?.trace ?? []).map(({ step, outcome, text, otherwise }) => ({
    ...{ step, name: stepNames[step], outcome, text: withNames(text, server) },
    otherwise: otherwise && withNames(otherwise.text, server),
  }))
}

const contexts = ['servers', 'bot DM', 'group DMs'] as const

/** Why a command is not available somewhere, in a few words. */
export function unavailable(
  code: UnavailableCode,
  {
    contexts: places,
    integration_types: ways,
  }: Pick<HiddenCommand['command'], 'contexts' | 'integration_types'>,
): string {
  switch (code) {
    case 'other_guild':
      return 'for another server'
    case 'guild_only':
      return 'for servers only'
    case 'context':
      return `for ${listed((places ?? [InteractionContext.GUILD, InteractionContext.BOT_DM]).map((place) => contexts[place]))} only`
    case 'installation':
      return ways?.includes(IntegrationType.USER_INSTALL) === true
        ? 'app not installed'
        : 'not installed here'
    default:
      return 'age-restricted'
  }
}

function accessReason(access: AccessExplanation | null): string {
  const last = access?.trace[access.trace.length - 1]
  if (last === undefined) return 'nothing to choose'
  if (last.step !== 'default_member_permissions') return 'denied by an override'
  return last.missing.length === 0 ? 'for administrators' : `needs ${listed(last.missing)}`
}
