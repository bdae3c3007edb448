/** Reads one command: unknown JSON in, a definition out, every problem reported (clauses 2.1 to 2.8). */
import { availabilityRules } from '../rules/availability-rules.ts'
import { isObject, type JsonObject } from '../../../core/json.ts'
import {
  known,
  lenient,
  nullable,
  optional,
  warnNull,
  wholeOf,
  type Fields,
} from '../../../core/rules/readers.ts'
import { availabilityFields, completeAvailability, placeFields } from './availability-fields.ts'
import { commandRules, descriptionRules } from '../rules/command-rules.ts'
import type {
  ApplicationCommand,
  CommandDefinition,
  ListedTexts,
  Localizations,
} from '../../../model/command-definition.ts'
import type { Reading } from '../rules/reading.ts'
import { checkText, ownText, readLocalizations, readText, strictName, textKind } from './localized-text.ts'
import { nameRules } from '../rules/name-rules.ts'
import { checkNames } from '../rules/option-names.ts'
import { slashDescription, readOptionList } from './option.ts'
import * as shape from '../../../core/rules/shape-rules.ts'
import { commandSize, SIZE_MAX, sizeOf } from '../rules/size-rules.ts'
import { CommandType, commandTypeNames } from '../../../model/command-types.ts'

const { CHAT_INPUT, USER, MESSAGE, PRIMARY_ENTRY_POINT } = CommandType

const freeName = /* @__PURE__ */ textKind(nameRules.nameLength)
const optionalDescription = /* @__PURE__ */ textKind(descriptionRules.entryPointDescription)

const nameKind = (type: CommandType) => (type === CHAT_INPUT ? strictName : freeName)

function readType(reading: Reading, value: unknown): CommandType | undefined {
  if (typeof value !== 'number' || commandTypeNames[value as CommandType] === undefined)
    return void reading.check(commandRules.commandType, value)
  if (reading.guild) reading.check(availabilityRules.entryPointGlobal, true, value as CommandType)
  return value as CommandType
}

/** The description of a slash command is required, that of an entry point is optional, and the others have none. */
function readDescription(reading: Reading, value: unknown, { type }: CommandDefinition): string | undefined {
  if (type === CHAT_INPUT) return readText(reading, value, slashDescription)
  if (value === undefined) return undefined
  if (value === null) return warnNull(reading)
  if (!reading.check(shape.string, value)) return undefined
  // If the type is invalid, what no type allows is reported: a longer one.
  if (type === undefined || type === PRIMARY_ENTRY_POINT) checkText(reading, value, optionalDescription, null)
  else reading.check(descriptionRules.descriptionForbidden, value !== '')
  return value
}

function readDescriptions(
  reading: Reading,
  value: unknown,
  whole: CommandDefinition,
  body: JsonObject,
): Localizations | null {
  const { type } = whole
  const own = ownText(whole, body, 'description') ?? ''
  if (type === USER || type === MESSAGE) {
    if (reading.check(shape.dictionary, value))
      reading.check(
        descriptionRules.descriptionForbidden,
        Object.values(value).some((text) => text !== undefined),
      )
    return null
  }
  // The description of an entry point may be empty, a translation may not.
  return readLocalizations(reading, value, own, slashDescription)
}

/** The fields of a command. */
export const commandFields = {
  id: optional((reading, value) => {
    if (!reading.isItem) return undefined
    if (value === null) return warnNull(reading)
    return reading.check(shape.snowflake, value) ? value : undefined
  }),
  application_id: known,
  version: known,
  default_member_permissions: availabilityFields.default_member_permissions,
  type: lenient(readType),
  name: (reading, value, { type }) => readText(reading, value, nameKind(type)),
  name_localizations: nullable((reading, value, whole, body) =>
    readLocalizations(reading, value, ownText(whole, body, 'name') ?? '', nameKind(whole.type)),
  ),
  description: readDescription,
  description_localizations: nullable(readDescriptions),
  guild_id: known,
  dm_permission: availabilityFields.dm_permission,
  contexts: availabilityFields.contexts,
  integration_types: availabilityFields.integration_types,
  options: lenient((reading, value, { type }) => {
    // An empty list is tolerated on every type (2.1-23). If the type is invalid, options that no type allows are reported.
    if (!reading.check(shape.list, value) || value.length === 0) return undefined
    if (type !== undefined && !reading.check(commandRules.optionsForbidden, type)) return undefined
    const options = readOptionList(reading, value, 'command')
    checkNames(reading, options)
    return options
  }),
  nsfw: availabilityFields.nsfw,
  handler: availabilityFields.handler,
  default_permission: availabilityFields.default_permission,
  name_localized: known,
  description_localized: known,
} as const satisfies Fields<CommandDefinition & ApplicationCommand & ListedTexts, Reading>

export const commandKeys = /* @__PURE__ */ Object.keys(commandFields) as readonly (keyof ApplicationCommand)[]

/** The fields of responses that authors do not write. */
export const assignedKeys: readonly string[] = /* @__PURE__ */ [
  'id',
  ...commandKeys.filter((key) => commandFields[key] === known),
]

/** A global command before it is read: what absent fields stand for. */
export const startOfGlobal = () => ({
  default_member_permissions: null,
  type: CHAT_INPUT,
  name: '',
  name_localizations: null,
  description: '',
  description_localizations: null,
  dm_permission: true,
  contexts: null,
  integration_types: undefined,
  nsfw: false,
})

const readGlobal = /* @__PURE__ */ wholeOf<CommandDefinition, Reading>(commandFields, startOfGlobal)

const readOfGuild = /* @__PURE__ */ wholeOf<CommandDefinition, Reading>(
  { ...commandFields, ...placeFields },
  () => ({
    default_member_permissions: null,
    type: CHAT_INPUT,
    name: '',
    name_localizations: null,
    description: '',
    description_localizations: null,
    nsfw: false,
  }),
)

/** Reads the command at the current path. The result is a definition only if the reading has no errors. */
export function readCommand(reading: Reading, body: unknown): CommandDefinition {
  reading.units = 0
  const definition = (reading.guild ? readOfGuild : readGlobal)(reading, body)
  if (!isObject(body)) return definition
  completeAvailability(reading, definition)
  const { type } = definition
  if (type !== undefined && type !== CHAT_INPUT) warnAboutName(reading, definition)
  else if (reading.units > SIZE_MAX) reading.check(commandSize, sizeOf(definition))
  return definition
}

/** Warns of what people cannot see in the name of a command that is not a slash command. */
function warnAboutName(reading: Reading, { name, name_localizations }: CommandDefinition): void {
  const warn = (text: string) => {
    reading.check(nameRules.nameSpace, text)
    reading.check(nameRules.nameInvisible, text)
  }
  reading.at('name', () => warn(name))
  for (const [locale, text] of Object.entries(name_localizations ?? {}))
    reading.at(['name_localizations', locale], () => warn(text))
}
