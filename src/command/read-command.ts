/** Reads one command: unknown JSON in, a definition out, everything wrong noted (clauses 2.1 to 2.8). */
import { isObject } from '../core/json.ts'
import { rule } from '../core/rule.ts'
import { oneOfNumbers } from '../core/wire.ts'
import { broken, contextMenu, entryPoint, type Body } from './breaking.ts'
import type { CommandDefinition, CommandOption, Localizations } from './definition.ts'
import { descriptionForbidden, entryPointDescription } from './description.ts'
import * as exposure from './exposure.ts'
import { CommandType, OptionType } from './kinds.ts'
import { checkText, readLocalizations, textSort, type TextSort } from './localized.ts'
import { nameLength, nameSpace } from './name.ts'
import { description, readOptions, strictName } from './read-options.ts'
import type { Reading } from './reading.ts'
import * as shape from './shape.ts'
import { commandSize, SIZE_MAX, sizeOf } from './size.ts'

const { CHAT_INPUT, PRIMARY_ENTRY_POINT } = CommandType

const typeWords = Object.entries(CommandType).map(([name, value]) => `${value} ${name}`)

export const commandType = rule({
  code: 'command.type',
  clause: '2.2-01',
  summary: 'The type of a command is one of 1 to 4.',
  check: (type: unknown) => type === 1 || type === 2 || type === 3 || type === 4,
  message: ({ actual }: shape.Found) => `is ${actual}; the types are ${typeWords.join(', ')}`,
  wire: oneOfNumbers(Object.values(CommandType)),
  breaks: (body: Body, pick) => broken(body, ['type'], [0, 5, '1', 1.5][pick(4)]),
})

export const optionsForbidden = rule({
  code: 'command.options',
  clause: '2.1-11',
  summary: 'Only slash commands have options.',
  check: (type: CommandType) => type === CHAT_INPUT,
  message: () => 'is for slash commands only: user, message and entry point commands take no options',
  wire: {
    code: 'APPLICATION_COMMAND_CONTEXT_MENU_OPTIONS_INVALID',
    message: 'Context menu commands cannot have options',
  },
  breaks: (body: Body, pick) =>
    broken(
      pick(2) === 0 ? contextMenu(body) : entryPoint(body),
      ['options'],
      [{ type: OptionType.STRING, name: 'a', description: 'b' }],
    ),
})

export const commandRules = [commandType, optionsForbidden] as const

const freeName = textSort(nameLength, false)
const entryDescription = textSort(entryPointDescription, false)

const known: ReadonlySet<string> = new Set([
  'id',
  'type',
  'name',
  'name_localizations',
  'description',
  'description_localizations',
  'options',
  'default_member_permissions',
  'dm_permission',
  'default_permission',
  'nsfw',
  'integration_types',
  'contexts',
  'handler',
])

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

/**
 * Reads a command at the present place of a reading.
 *
 * @param item whether the body is an item of a bulk overwrite, where an `id` names the command it replaces
 * @returns what could be read; it is a definition only if the reading has no issues
 */
export function readCommand(reading: Reading, body: unknown, item: boolean): CommandDefinition {
  if (!isObject(body)) {
    reading.add(shape.object, shape.found(body))
    return {} as CommandDefinition
  }
  // One pass over what is there, for the reason given in read-options.ts.
  let id: unknown
  let givenType: unknown
  let name: unknown
  let nameTexts: unknown
  let text: unknown
  let texts: unknown
  let options: unknown
  let memberPermissions: unknown
  let dmPermission: unknown
  let defaultPermission: unknown
  let nsfw: unknown
  let integrationTypes: unknown
  let contexts: unknown
  let handler: unknown
  for (const key in body) {
    const field = body[key]
    switch (key) {
      case 'id':
        id = field
        break
      case 'type':
        givenType = field
        break
      case 'name':
        name = field
        break
      case 'name_localizations':
        nameTexts = field
        break
      case 'description':
        text = field
        break
      case 'description_localizations':
        texts = field
        break
      case 'options':
        options = field
        break
      case 'default_member_permissions':
        memberPermissions = field
        break
      case 'dm_permission':
        dmPermission = field
        break
      case 'default_permission':
        defaultPermission = field
        break
      case 'nsfw':
        nsfw = field
        break
      case 'integration_types':
        integrationTypes = field
        break
      case 'contexts':
        contexts = field
        break
      case 'handler':
        handler = field
        break
      case 'application_id':
      case 'guild_id':
      case 'version':
      case 'name_localized':
      case 'description_localized':
        break // What the service answers; clients send it back.
      default:
        if (field !== undefined) reading.unknown(known, key)
    }
  }

  reading.units = 0
  const type = readType(reading, givenType)
  // Where the type is unknown, so are its rules: only what every type shares is looked at.
  const isSlash = type === CHAT_INPUT
  const nameSort = isSlash ? strictName : freeName
  if (typeof name === 'string') checkText(reading, name, nameSort, 'name')
  else if (reading.is(shape.present, name, 'name')) reading.is(shape.string, name, 'name')
  const defaultName = typeof name === 'string' ? name : ''
  const name_localizations = readLocalizations(
    reading,
    nameTexts,
    'name_localizations',
    defaultName,
    nameSort,
  )
  if (type !== undefined && !isSlash) warnOfSpace(reading, defaultName, name_localizations)

  const described = readDescription(reading, type, text, texts)

  const definition = {
    type,
    name: defaultName,
    name_localizations,
    description: described.text,
    description_localizations: described.texts,
    default_member_permissions: exposure.readMemberPermissions(reading, memberPermissions),
    nsfw: exposure.readNsfw(reading, nsfw),
  } as Writable<CommandDefinition>

  if (item && id !== undefined) {
    if (id === null) reading.nothing('id')
    else if (reading.is<string>(shape.snowflake, id, 'id')) definition.id = id
  }
  if (options !== undefined) {
    const list = readList(reading, options, type)
    if (list.length > 0) definition.options = list
  }
  exposure.warnOfDeprecated(reading, defaultPermission, 'default_permission')
  if (defaultPermission != null && reading.flag(defaultPermission, 'default_permission') === false) {
    definition.default_permission = false
  }
  if (reading.guild) {
    if (type !== undefined && !exposure.entryPointGlobal.check(true, type)) {
      reading.add(exposure.entryPointGlobal, {}, 'type')
    }
    exposure.warnOfIdle(reading, dmPermission, 'dm_permission')
    exposure.warnOfIdle(reading, contexts, 'contexts')
    exposure.warnOfIdle(reading, integrationTypes, 'integration_types')
  } else {
    exposure.warnOfDeprecated(reading, dmPermission, 'dm_permission')
    const dms = dmPermission == null ? undefined : reading.flag(dmPermission, 'dm_permission')
    definition.dm_permission = dms ?? true
    definition.contexts = exposure.readContexts(reading, contexts)
    definition.integration_types = exposure.readInstallations(reading, integrationTypes)
    if (
      definition.contexts !== null &&
      !exposure.contextPrivate.check(definition.contexts, definition.integration_types)
    ) {
      reading.add(exposure.contextPrivate, {}, 'contexts', definition.contexts.indexOf(2))
    }
  }
  if (type !== undefined) {
    const read = exposure.readHandler(reading, handler, type)
    if (read !== undefined) definition.handler = read
  }
  if (isSlash && reading.units > SIZE_MAX) checkSize(reading, definition)
  return definition
}

function warnOfSpace(reading: Reading, name: string, localizations: Localizations | null): void {
  if (!nameSpace.check(name)) reading.add(nameSpace, { text: name }, 'name')
  for (const [locale, text] of Object.entries(localizations ?? {})) {
    if (!nameSpace.check(text)) reading.add(nameSpace, { text }, 'name_localizations', locale)
  }
}

function readType(reading: Reading, value: unknown): CommandType | undefined {
  if (value === undefined) return CHAT_INPUT
  if (value === null) {
    reading.nothing('type')
    return CHAT_INPUT
  }
  if (commandType.check(value)) return value as CommandType
  reading.add(commandType, shape.found(value), 'type')
  return undefined
}

/** A description and its dictionary, under the rules of the command's type. */
function readDescription(
  reading: Reading,
  type: CommandType | undefined,
  text: unknown,
  texts: unknown,
): { text: string; texts: Localizations | null } {
  const isSlash = type === CHAT_INPUT
  if (isSlash) {
    if (reading.is(shape.present, text, 'description')) reading.is(shape.string, text, 'description')
  } else if (text === null) reading.nothing('description')
  else if (text !== undefined) reading.is(shape.string, text, 'description')
  const read = typeof text === 'string' ? text : ''
  if (type === undefined) return { text: read, texts: null }

  if (isSlash || type === PRIMARY_ENTRY_POINT) {
    const sort: TextSort = isSlash ? description : entryDescription
    if (typeof text === 'string') checkText(reading, text, sort, 'description')
    return { text: read, texts: readLocalizations(reading, texts, 'description_localizations', read, sort) }
  }
  if (!descriptionForbidden.check(read)) reading.add(descriptionForbidden, {}, 'description')
  const says = isObject(texts) ? Object.keys(texts).length > 0 : texts !== undefined && texts !== null
  if (says && reading.is(shape.object, texts, 'description_localizations')) {
    reading.add(descriptionForbidden, {}, 'description_localizations')
  }
  return { text: '', texts: null }
}

function readList(reading: Reading, value: unknown, type: CommandType | undefined): readonly CommandOption[] {
  const list = reading.items(value, 'options')
  // An empty list says nothing and is tolerated on every type (2.1-23).
  if (list === undefined || list.length === 0 || type === undefined) return []
  if (!optionsForbidden.check(type)) {
    reading.add(optionsForbidden, {}, 'options')
    return []
  }
  return readOptions(reading, list, 'command')
}

/** The exact count, once the cheap one has passed the limit. What could not be read counts as empty. */
function checkSize(reading: Reading, definition: CommandDefinition): void {
  const actual = sizeOf(definition)
  if (!commandSize.check(actual)) reading.add(commandSize, { actual })
}
