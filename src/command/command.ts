/** Reads one command: unknown JSON in, a definition out, every problem noted (clauses 2.1 to 2.8). */
import { jsonValue, type Convertible, type JsonObject } from '../core/json.ts'
import { commandType, optionsForbidden } from './command-rules.ts'
import type { CommandDefinition, CommandOption, Fields, Localizations, Writable } from './definition.ts'
import { descriptionForbidden, entryPointDescription } from './description.ts'
import * as availability from './availability-fields.ts'
import { CommandType } from './types.ts'
import {
  checkLength,
  readLocalizations,
  readStrictName,
  readText,
  strictName,
  textKind,
} from './localized-text.ts'
import { nameInvisible, nameLength, nameSpace } from './name.ts'
import { requiredDescription } from './option.ts'
import { readCommandOptions } from './options.ts'
import type { Reading } from './reading.ts'
import * as shape from './shape.ts'
import { commandSize, SIZE_MAX, sizeOf } from './size.ts'

const { CHAT_INPUT, PRIMARY_ENTRY_POINT } = CommandType

const freeName = textKind('name', nameLength, false)
const optionalDescription = textKind('description', entryPointDescription, false)

export type CommandFields = Fields<CommandDefinition>

/** Placeholder for a command that is not an object. */
const UNREADABLE = {} as CommandDefinition

/**
 * Reads a command at the current path.
 *
 * @param isItem whether the body is an item of a bulk overwrite, whose `id` names the command it replaces
 * @returns what could be read; it is a definition only if the reading has no errors
 */
export function readCommand(reading: Reading, body: unknown, isItem: boolean): CommandDefinition {
  if (!reading.object(body)) return UNREADABLE
  return readFields(reading, commandFields(reading, body), isItem)
}

/** Reads a command from its fields; see `readCommand`. */
export function readFields(reading: Reading, fields: CommandFields, isItem: boolean): CommandDefinition {
  reading.units = 0
  const type = readType(reading, fields.type)
  const isSlash = type === CHAT_INPUT
  const name =
    (isSlash ? readStrictName(reading, fields.name) : readText(reading, fields.name, freeName)) ?? ''
  const nameKind = isSlash ? strictName : freeName
  const name_localizations = readLocalizations(reading, fields.name_localizations, name, nameKind)
  if (type !== undefined && !isSlash) warnAboutName(reading, name, name_localizations)
  const description = isSlash
    ? (readText(reading, fields.description, requiredDescription) ?? '')
    : readOtherDescription(reading, type, fields.description)
  const description_localizations = isSlash
    ? readLocalizations(reading, fields.description_localizations, description, requiredDescription)
    : readOtherDescriptions(reading, type, fields.description_localizations, description)
  const default_member_permissions = availability.readMemberPermissions(
    reading,
    fields.default_member_permissions,
  )
  const definition = {
    type,
    name,
    name_localizations,
    description,
    description_localizations,
    default_member_permissions,
    nsfw: fields.nsfw !== undefined && availability.readNsfw(reading, fields.nsfw),
  } as Writable<CommandDefinition>
  if (reading.guild) availability.checkGuildPlaces(reading, type, fields)
  else availability.readPlaces(reading, definition, fields)
  if (fields.default_permission !== undefined)
    availability.readDefaultPermission(reading, definition, fields.default_permission)
  if (isItem) readId(reading, definition, fields.id)
  const options = fields.options === undefined ? undefined : readOptions(reading, fields.options, type)
  if (options !== undefined) definition.options = options
  if (fields.handler !== undefined || type === PRIMARY_ENTRY_POINT)
    availability.readHandler(reading, definition, fields.handler, type)
  // The exact size is counted once the cheap one has passed the limit.
  if (isSlash && reading.units > SIZE_MAX) reading.run(commandSize, sizeOf(definition))
  return definition
}

/** The fields that only the service's answers have; clients send them back. */
const ANSWERED: ReadonlySet<string> = new Set([
  'application_id',
  'guild_id',
  'version',
  'name_localized',
  'description_localized',
])

/** The fields of a command, all absent. */
function noFields(): CommandFields {
  return {
    id: undefined,
    type: undefined,
    name: undefined,
    name_localizations: undefined,
    description: undefined,
    description_localizations: undefined,
    options: undefined,
    default_member_permissions: undefined,
    dm_permission: undefined,
    default_permission: undefined,
    nsfw: undefined,
    integration_types: undefined,
    contexts: undefined,
    handler: undefined,
  }
}

/** The fields of a command that are given. Asking for each by name is slower, the more shapes of bodies were seen. */
export function commandFields(reading: Reading, body: JsonObject): CommandFields {
  const fields = noFields()
  for (const key in body) {
    const given = body[key] as Convertible
    const hasJson = typeof given === 'object' && given?.toJSON !== undefined
    const field: unknown = hasJson ? jsonValue(given, key) : given
    if (key === 'id') fields.id = field
    else if (key === 'type') fields.type = field
    else if (key === 'name') fields.name = field
    else if (key === 'name_localizations') fields.name_localizations = field
    else if (key === 'description') fields.description = field
    else if (key === 'description_localizations') fields.description_localizations = field
    else if (key === 'options') fields.options = field
    else if (key === 'default_member_permissions') fields.default_member_permissions = field
    else if (key === 'dm_permission') fields.dm_permission = field
    else if (key === 'default_permission') fields.default_permission = field
    else if (key === 'nsfw') fields.nsfw = field
    else if (key === 'integration_types') fields.integration_types = field
    else if (key === 'contexts') fields.contexts = field
    else if (key === 'handler') fields.handler = field
    else if (field !== undefined && !ANSWERED.has(key)) reading.warnUnknownKey(key, noFields)
  }
  return fields
}

function readType(reading: Reading, value: unknown): CommandType | undefined {
  if (value === undefined || value === CHAT_INPUT) return CHAT_INPUT
  if (value === null) return reading.nullAsAbsent('type') ?? CHAT_INPUT
  return reading.run(commandType, value, 'type') ? (value as CommandType) : undefined
}

function readId(reading: Reading, definition: Writable<CommandDefinition>, id: unknown): void {
  if (id === null) reading.nullAsAbsent('id')
  else if (id !== undefined && reading.run(shape.snowflake, id, 'id')) definition.id = id
}

function warnAboutName(reading: Reading, name: string, localizations: Localizations | null): void {
  reading.run(nameSpace, name, 'name')
  reading.run(nameInvisible, name, 'name')
  for (const [locale, text] of Object.entries(localizations ?? {})) {
    reading.run(nameSpace, text, 'name_localizations', locale)
    reading.run(nameInvisible, text, 'name_localizations', locale)
  }
}

/** The description of a command of another type than slash command: optional for entry points, forbidden for the rest. */
function readOtherDescription(reading: Reading, type: CommandType | undefined, value: unknown): string {
  if (value === undefined) return ''
  if (value === null) return reading.nullAsAbsent('description') ?? ''
  if (!reading.run(shape.string, value, 'description') || type === undefined) return ''
  if (type === PRIMARY_ENTRY_POINT) checkLength(reading, value, optionalDescription)
  else reading.run(descriptionForbidden, value, 'description')
  return value
}

function readOtherDescriptions(
  reading: Reading,
  type: CommandType | undefined,
  value: unknown,
  text: string,
): Localizations | null {
  const key = 'description_localizations'
  if (type === PRIMARY_ENTRY_POINT) return readLocalizations(reading, value, text, optionalDescription)
  if (type === undefined || value === undefined || value === null) return null
  if (reading.run(shape.object, value, key)) reading.run(descriptionForbidden, Object.keys(value).join(), key)
  return null
}

function readOptions(
  reading: Reading,
  value: unknown,
  type: CommandType | undefined,
): readonly CommandOption[] | undefined {
  if (value === undefined) return undefined
  const list = reading.list(value, 'options')
  // An empty list is tolerated on every type (2.1-23). If the type is invalid, its rules are not known.
  if (list === undefined || list.length === 0 || type === undefined) return undefined
  return reading.run(optionsForbidden, type, 'options') ? readCommandOptions(reading, list) : undefined
}
