import type { ServerSettings } from '../../world/server.ts'
import { pick, type HiddenCommand, type PickerEntry } from '../../picker/picker.ts'
import type { CommandEntry, HiddenEntry, PickerAnswer } from '../answers.ts'
import type { Query } from '../query.ts'
import { pickerInput, type Context } from '../viewer.ts'
import { hiddenReason, stepsOf } from '../wording.ts'
import { withNames } from '../../authoring/words.ts'

/** The commands that a person sees at a place in a language, and the hidden ones. */
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
    id,
    type,
    name,
    path,
    description,
    reason: hiddenReason(hidden),
    why: hidden.why.map((sentence) => withNames(sentence, server)),
    trace: stepsOf(hidden.access, server),
  }
}
