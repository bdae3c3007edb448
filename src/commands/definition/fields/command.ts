/** Reads one command: unknown JSON in, a definition out, every problem reported (clauses 2.1 to 2.8). */
import { availabilityRules } from '../rules/availability-rules.ts'
import { isObject } from '../../../core/json.ts'
import { availabilityFields, completeAvailability } from './availability-fields.ts'
import { commandRules, descriptionRules } from '../rules/command-rules.ts'
import type {
  ApplicationCommand,
  CommandDefinition,
  Localizations,
} from '../../../model/command-definition.ts'
import { type Fields, type Reading, readObject, table, warnNull } from './reading.ts'
import {
  checkText,
  ownText,
  readLocalizations,
  readText,
  strictName,
  textKind,
} from '../../localization/localized-text.ts'
import { nameRules } from '../rules/name-rules.ts'
import { checkNames } from '../rules/option-names.ts'
import { description as slashDescription, readOptions } from './option.ts'
import * as shape from '../../../core/rules/shape-rules.ts'
import { commandSize, SIZE_MAX, sizeOf } from '../rules/size-rules.ts'
import { CommandType, commandTypeNames } from '../../../model/command-types.ts'

const { CHAT_INPUT, PRIMARY_ENTRY_POINT } = CommandType

const freeName = /* @__PURE__ */ textKind(nameRules.nameLength)
const optionalDescription = /* @__PURE__ */ textKind(descriptionRules.entryPointDescription)

const nameKind = ({ type }: CommandDefinition) => (type === CHAT_INPUT ? strictName : freeName)

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
  if (!reading.check(shape.string, value) || type === undefined) return undefined
  if (type === PRIMARY_ENTRY_POINT) checkText(reading, value, optionalDescription, null)
  else reading.check(descriptionRules.descriptionForbidden, value)
  return value
}

function readDescriptions(
  reading: Reading,
  value: unknown,
  { type }: CommandDefinition,
  description: string | undefined,
): Localizations | null {
  if (type === CHAT_INPUT) return readLocalizations(reading, value, description, slashDescription)
  if (type === PRIMARY_ENTRY_POINT) return readLocalizations(reading, value, description, optionalDescription)
  if (type !== undefined && reading.check(shape.object, value))
    reading.check(descriptionRules.descriptionForbidden, Object.keys(value).join())
  return null
}

/** The fields of a command. Those without a reader are of responses only; clients send them back. */
export const commandFields = {
  id: {
    read(reading, value, command) {
      if (!reading.isItem) return
      if (value === null) warnNull(reading)
      else if (reading.check(shape.snowflake, value)) command.id = value
    },
    null: 'read',
  },
  application_id: {},
  version: {},
  default_member_permissions: availabilityFields.default_member_permissions,
  type: {
    read: (reading, value, command) => void (command.type = readType(reading, value)!),
  },
  name: {
    read: (reading, value, command) =>
      void (command.name = readText(reading, value, nameKind(command)) ?? ''),
    required: true,
  },
  name_localizations: {
    read(reading, value, command, body) {
      command.name_localizations = readLocalizations(
        reading,
        value,
        ownText(body.name) ?? '',
        nameKind(command),
      )
    },
    null: 'absent',
    listed: 'name_localized',
  },
  description: {
    read: (reading, value, command) =>
      void (command.description = readDescription(reading, value, command) ?? ''),
    required: true,
  },
  description_localizations: {
    read(reading, value, command, body) {
      command.description_localizations = readDescriptions(
        reading,
        value,
        command,
        ownText(body.description) ?? '',
      )
    },
    null: 'absent',
    listed: 'description_localized',
  },
  guild_id: {},
  dm_permission: availabilityFields.dm_permission,
  contexts: availabilityFields.contexts,
  integration_types: availabilityFields.integration_types,
  options: {
    read(reading, value, command) {
      const { type } = command
      // An empty list is tolerated on every type (2.1-23). If the type is invalid, its rules are not known.
      if (!reading.check(shape.list, value) || value.length === 0 || type === undefined) return
      if (!reading.check(commandRules.optionsForbidden, type)) return
      command.options = readOptions(reading, value, 'command')
      checkNames(reading, command.options)
    },
  },
  nsfw: availabilityFields.nsfw,
  handler: availabilityFields.handler,
  default_permission: availabilityFields.default_permission,
  name_localized: {},
  description_localized: {},
} as const satisfies Fields<CommandDefinition & ApplicationCommand>

export const commandKeys = /* @__PURE__ */ Object.keys(commandFields) as readonly (keyof ApplicationCommand)[]

const commandTable = /* @__PURE__ */ table<CommandDefinition>(commandFields, (isGuild) =>
  isGuild
    ? {
        default_member_permissions: null,
        type: CHAT_INPUT,
        name: '',
        name_localizations: null,
        description: '',
        description_localizations: null,
        nsfw: false,
      }
    : {
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
      },
)

/** Reads the command at the current path. The result is a definition only if the reading has no errors. */
export function readCommand(reading: Reading, body: unknown): CommandDefinition {
  reading.units = 0
  const definition = readObject(reading, body, commandTable)
  if (!isObject(body)) return definition
  completeAvailability(reading, definition)
  if (definition.type !== CHAT_INPUT) warnAboutName(reading, definition)
  else if (reading.units > SIZE_MAX) reading.check(commandSize, sizeOf(definition))
  return definition
}

/** Warns of what people cannot see in the name of a command that is not a slash command. */
function warnAboutName(reading: Reading, { type, name, name_localizations }: CommandDefinition): void {
  if (type === undefined) return
  const warn = (text: string) => {
    reading.check(nameRules.nameSpace, text)
    reading.check(nameRules.nameInvisible, text)
  }
  reading.at('name', () => warn(name))
  for (const [locale, text] of Object.entries(name_localizations ?? {}))
    reading.at(['name_localizations', locale], () => warn(text))
}
