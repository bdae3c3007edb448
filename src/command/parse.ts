/** Parses bodies: each function takes an unknown body and returns a definition, or every issue. */
import { jsonValue } from '../core/json.ts'
import type { Note } from '../core/report.ts'
import { validation, type Validation } from '../core/validation.ts'
import type { ApplicationCommand, CommandDefinition } from './definition.ts'
import { patchType } from './command-rules.ts'
import { commandFields, readCommand, readFields, type CommandFields } from './command.ts'
import { Reading, type ValidationContext } from './reading.ts'
import {
  commandCount,
  commandIdUnique,
  commandUnique,
  COMMANDS_MAX,
  countRules,
  listMax,
  surplus,
} from './commands.ts'
import * as shape from './shape.ts'
import type { CommandType } from './types.ts'

/** Reads the body of a create. */
export function parseCommand(body: unknown, context?: ValidationContext): Validation<CommandDefinition> {
  const reading = new Reading(context)
  const source = jsonValue(body)
  return validation(readCommand(reading, source, false), reading, source)
}

/**
 * Reads the body of a bulk overwrite. Items beyond the limit are counted but not read.
 *
 * @param counts whether the limits of each type are checked too; the registry checks them later, on the whole scope
 */
export function parseCommands(
  bodies: unknown,
  context: ValidationContext | undefined,
  counts: boolean,
): Validation<readonly CommandDefinition[]> {
  const reading = new Reading(context)
  const source = jsonValue(bodies)
  if (!reading.run(shape.list, source))
    return validation<readonly CommandDefinition[]>(undefined, reading, source)
  const isShort = reading.run(commandCount, source.length, reading.guild)
  const definitions = reading.each(source, listMax(reading.guild), (item) => readCommand(reading, item, true))
  checkDistinct(reading, definitions)
  if (counts && isShort) {
    for (const { index, type } of surplus(definitions))
      reading.run(countRules[type], COMMANDS_MAX[type] + 1, index)
  }
  return validation(definitions, reading, source)
}

function checkDistinct(reading: Reading, definitions: readonly CommandDefinition[]): void {
  // The name alone is the key: joining type and name into one text costs more than reading a small command.
  const byName = new Map<CommandType, Map<string, number>>()
  const byId = new Map<string, number>()
  definitions.forEach((definition, index) => {
    const { id, type, name } = definition
    if (type !== undefined && name !== '') {
      let names = byName.get(type)
      if (names === undefined) byName.set(type, (names = new Map()))
      if (reading.run(commandUnique, names.get(name), definition, index)) names.set(name, index)
    }
    if (id === undefined) return
    const first = byId.get(id)
    if (reading.run(commandIdUnique, first, id, index, 'id')) byId.set(id, index)
  })
}

/**
 * Reads the body of an edit against the command it edits: a given field replaces the whole value, an absent one is kept,
 * and the result is checked as a whole (clause 4.1-04). Rules that depend on the application's settings apply to given
 * fields only, since the settings may have changed after the others were stored (clause 2.1-25).
 */
export function parsePatch(
  body: unknown,
  current: ApplicationCommand,
  context?: ValidationContext,
): Validation<CommandDefinition> {
  const reading = new Reading({ ...context, scope: current.guild_id === undefined ? 'global' : 'guild' })
  const source = jsonValue(body)
  if (!reading.run(shape.object, source)) return validation<CommandDefinition>(undefined, reading, source)
  const fields = commandFields(reading, source)
  reading.run(patchType, fields.type, current.type, 'type')
  for (const key of Object.keys(fields) as (keyof CommandFields)[])
    if (fields[key] === undefined || key === 'type') fields[key] = current[key]
  const definition = readFields(reading, fields, false)
  const isGiven = ({ path: [field = ''] }: Note) => Object.hasOwn(source, field)
  const dependsOnSettings = ({ rule }: Note) => rule.context?.application !== undefined
  reading.errors = kept(reading.errors, (note) => isGiven(note) || !dependsOnSettings(note))
  reading.warnings = kept(reading.warnings, isGiven)
  return validation(definition, reading, source)
}

/** The notes for which a predicate is true; null for none, as in a report. */
function kept(notes: Note[] | null, isKept: (note: Note) => boolean): Note[] | null {
  const some = notes?.filter(isKept) ?? []
  return some.length === 0 ? null : some
}
