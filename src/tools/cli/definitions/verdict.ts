/** Decides whether a value of a module or a JSON file is a command, for every command of the program. */
import { isObject, type JsonObject } from '../../../core/json.ts'
import type { Path } from '../../../core/rules/rule.ts'
import { isSnowflake } from '../../../core/snowflake.ts'

/**
 * `command` is read and deployed. `unsure` is never deployed and always listed as not seen. `other` is left out: it may
 * contain commands.
 */
export type ExportKind = 'command' | 'unsure' | 'other'

export interface ExportSite {
  /** The keys from the exports of the module, or from the JSON, to the value. */
  readonly path: Path
  /** Whether its file is given by name, or has a name of commands. */
  readonly isCommandFile: boolean
  /** What the function beside it handles: uses of commands, or messages such as `!ping`. */
  readonly handles?: 'uses' | 'messages' | undefined
  /** Whether the author exports it as a command, with mistakes perhaps: as default, as `data`, or beside a command. */
  readonly isExpected: boolean
  /** Whether a key is a field of commands or options, perhaps with a typing mistake. */
  readonly isLikeField: (key: string) => boolean
}

/** Names of files and folders of commands. */
const COMMAND_FILE = /command|slash|cmds?\b|context.?menu|menus?\b|interaction/i

/** Whether the path of a file, from the current folder, has the name of a place for commands. */
export function isCommandFile(path: string): boolean {
  return COMMAND_FILE.test(path)
}

/** Keys of commands, and keys of other values with names. The later one of a key decides. */
const HOLDER = /command|slash|^cmds?$|context_?menu|^data$|builder/gi
const OTHER_HOLDER =
  /activit|presence|status|channel|column|field|role|option|choice|button|modal|component|embed|emoji|entries|faq|feature|help|categor|event|tool|metadata|badge|item/gi

/** The types of commands; discord.js 13 takes their names. */
const TYPES: readonly unknown[] = [1, 2, 3, 4, 'CHAT_INPUT', 'USER', 'MESSAGE']
/** The types of options that are not types of commands. */
const isOptionType = (type: unknown) => typeof type === 'number' && type > 4 && type < 12

/** Fields that only commands have. */
const COMMAND_ONLY = `default_member_permissions defaultMemberPermissions default_permission defaultPermission
  dm_permission dmPermission contexts integration_types integrationTypes`.split(/\s+/)

/** Fields of components, events, tasks, tools and files, which may have a name, a description and a function. */
const NEVER = 'custom_id customId once event emitter cron schedule inputSchema input_schema attachment'.split(
  ' ',
)

/** Fields of other values with a name and a description. Frameworks keep some of them beside a handler. */
const NEVER_ALONE = `url icon icons emoji color colour style state label value price image version main
  dependencies author license prefix token enabled usage aliases title position topic bitrate
  parent hoist mentionable key start_url display short_name theme_color manifest_version
  min_value max_value min_length max_length channel_types channelTypes choices required
  autocomplete`.split(/\s+/)

/** Functions that handle a use, by their names or their parameters. */
const HANDLER = /exec|run|handle|callback|slash|interact|respon|reply|command|autocomplete|invoke|action/i
const INTERACTION = /interaction|\b(?:ctx|context|inter|i)\b/i

/** Functions that decide about something, such as whether an achievement is earned. */
const PREDICATE = /^(?:condition|check|when|filter|valid|predicate|guard|matches|is[A-Z]|has[A-Z]|can[A-Z])/

/** Decides what a value is. A function in it counts as a handler. */
export function verdictOf(value: unknown, place: ExportSite): ExportKind {
  if (!isObject(value) || isPartOfCommand(value)) return 'other'
  if (!isPlain(value)) return isBuiltCommand(value) && !isTextCommand(value) ? 'command' : 'other'
  const fields = readableFields(value)
  if (hasAny(fields, NEVER) || isObject(fields.parameters) || isTextCommand(fields)) return 'other'
  const hasHandler = isWithFunction(fields)
  const isSure = hasAny(fields, COMMAND_ONLY) || isOptionList(fields.options)
  if (!hasHandler && !isSure && hasAny(fields, NEVER_ALONE)) return foreignVerdict(fields, place)
  if (isOfOtherType(fields)) return otherTypeVerdict(fields, place, hasHandler || isSure)
  if (!('name' in fields)) return namelessVerdict(fields, place, hasHandler, isSure)
  if (hasHandler) return handledVerdict(fields, place, isSure)
  return isSure ? sureVerdict(fields, place) : dataVerdict(fields, place)
}

/** Whether an instance, or what a builder returns, has a name and a field that commands have; other instances have a name too. */
export function isBuiltCommand(value: unknown): value is JsonObject {
  if (!isObject(value) || !('name' in value) || hasAny(value, NEVER)) return false
  // The descriptions of text commands have parts.
  if ('description' in value) return !isObject(value.description)
  return Array.isArray(value.options) || TYPES.includes(value.type)
}

/** Whether the type is a text of another kind, such as that of a column. */
const isOfOtherType = ({ type }: JsonObject) => typeof type === 'string' && !TYPES.includes(type)

/** Data with a field of other values, such as that of a command in a help page. */
function foreignVerdict(fields: JsonObject, place: ExportSite): ExportKind {
  if (!('name' in fields && 'description' in fields) || holdingOf(place, {}) !== 'commands') return 'other'
  const isDefinition = place.handles === 'uses' || (place.isExpected && lastKey(place) === 'data')
  return isDefinition ? 'command' : 'unsure'
}

/** A framework may have types of its own; columns and connections have a type too. */
function otherTypeVerdict(fields: JsonObject, place: ExportSite, isLikely: boolean): ExportKind {
  if (typeof fields.description !== 'string') return 'other'
  const isHeld = 'name' in fields && (place.isExpected || holdingOf(place, {}) === 'commands')
  return isLikely || isHeld ? 'unsure' : 'other'
}

/** The name is missing, or only the program knows it, such as that of the file. */
function namelessVerdict(
  fields: JsonObject,
  place: ExportSite,
  hasHandler: boolean,
  isSure: boolean,
): ExportKind {
  const { description, options, components } = fields
  const isDescribed = typeof description === 'string'
  if (hasHandler) return isDescribed || isSure || isCompletedByProgram(fields, place) ? 'unsure' : 'other'
  if (Array.isArray(components)) return 'other'
  if (!place.isExpected) return isDescribed && (isSure || Array.isArray(options)) ? 'unsure' : 'other'
  if (isOfFields(fields, place, 0.5)) return 'command'
  return isDescribed ? 'unsure' : 'other'
}

/** Whether its program makes a command of it: a file of commands has its name one level deeper, beside a handler. */
function isCompletedByProgram(fields: JsonObject, place: ExportSite): boolean {
  const isNamed = Object.values(fields).some((each) => isObject(each) && typeof each.name === 'string')
  return place.isCommandFile && isNamed && handlesUses(fields)
}

/** Whether a function of it has the parameters of a handler of uses. */
function handlesUses(fields: JsonObject): boolean {
  return Object.entries(fields).some(
    ([key, each]) =>
      typeof each === 'function' && !PREDICATE.test(key) && INTERACTION.test(parametersOf(each)),
  )
}

function handledVerdict(fields: JsonObject, place: ExportSite, isSure: boolean): ExportKind {
  const { description, options, type } = fields
  if (isSure || !('description' in fields))
    return isSure || Array.isArray(options) || TYPES.includes(type) ? 'command' : 'other'
  const holding = holdingOf(place, fields)
  // Commands have the ids of the service.
  const isOfOtherId = typeof fields.id === 'string' && !isSnowflake(fields.id)
  if (isObject(description) || holding === 'others' || isOfOtherId) return 'unsure'
  const hasHandler = Object.entries(fields).some(
    ([key, each]) => typeof each === 'function' && HANDLER.test(key),
  )
  return hasHandler || handlesUses(fields) || holding === 'commands' ? 'command' : 'unsure'
}

/** Data with fields or options that only commands have; subcommands have options too. */
function sureVerdict(fields: JsonObject, place: ExportSite): ExportKind {
  const { type, description } = fields
  if (hasAny(fields, COMMAND_ONLY) || place.isExpected) return 'command'
  const isGroup = type === 2 && description !== undefined
  return isGroup || isOptionType(type) || isSubcommand(place) ? 'other' : 'command'
}

/** Data with a name, and at most a description and a type. */
function dataVerdict(fields: JsonObject, place: ExportSite): ExportKind {
  const { name, description, type } = fields
  const holding = holdingOf(place, fields)
  const hasOnlyFields = isOfFields(fields, place, 1)
  const isHeld = holding === 'commands'
  if (typeof name === 'string' && name.startsWith('/')) return 'other'
  if (type !== undefined && !TYPES.includes(type)) {
    if (isOptionType(type) && 'description' in fields) return 'other'
    const isMistake = place.isExpected && hasOnlyFields && 'description' in fields
    return isHeld || isMistake ? 'command' : 'other'
  }
  if (holding === 'others') return 'other'
  // Options have these types too, with a description.
  if ((type === 2 || type === 3) && description && !place.isExpected) return 'unsure'
  if (type === undefined && !('description' in fields)) return nameVerdict(place, isHeld, hasOnlyFields)
  if (isHeld && isSubcommand(place)) return 'other'
  const isDefinition = place.isExpected || place.handles === 'uses'
  if (isHeld) return isDefinition || isOfFields(fields, place, 0.5) ? 'command' : 'unsure'
  const isDefault = place.path.every((step) => typeof step === 'number')
  if (!hasOnlyFields)
    return 'description' in fields && (isDefault || place.isCommandFile) ? 'unsure' : 'other'
  if (place.isExpected && place.path.length > 0) return 'command'
  if (!('description' in fields)) return place.path.length === 0 && type === 1 ? 'command' : 'unsure'
  const isSlash = type === 1 && !isSubcommand(place)
  return isSlash || (isDefault && !isObject(description)) ? 'command' : 'unsure'
}

/** Data with a name alone, whose description is forgotten, or whose type is that of its folder. */
function nameVerdict(place: ExportSite, isHeld: boolean, hasOnlyFields: boolean): ExportKind {
  if (!hasOnlyFields || !(isHeld || place.isExpected)) return 'other'
  return isHeld && place.handles === 'uses' ? 'unsure' : 'command'
}

/** Fields that Discord assigns; much else has them too. */
const ASSIGNED = ['id', 'application_id', 'guild_id', 'version']

/** @param share the least part of the keys that are fields of commands */
function isOfFields(fields: JsonObject, { isLikeField }: ExportSite, share: number): boolean {
  const keys = Object.keys(fields)
  const known = keys.filter((key) => !ASSIGNED.includes(key) && isLikeField(key)).length
  return known > 0 && known >= keys.length * share
}

const lastKey = ({ path }: ExportSite) => path.filter((step) => typeof step === 'string').at(-1) ?? ''
const isSubcommand = (place: ExportSite) => /sub/i.test(lastKey(place))

/** What the keys around a value, and the name of its file, say that it is. */
function holdingOf(place: ExportSite, fields: JsonObject): 'commands' | 'others' | 'unknown' {
  const { path } = place
  if (place.handles === 'messages') return 'others'
  const isWhole = 'description' in fields || 'type' in fields
  if (
    isWhole &&
    isOfFields(fields, place, 1) &&
    typeof path.at(-1) === 'string' &&
    isNameOf(lastKey(place), fields.name)
  )
    return 'commands'
  for (const step of [...path].reverse()) {
    const [held, other] = [HOLDER, OTHER_HOLDER].map(
      (expected) => Array.from(String(step).matchAll(expected), ({ index }) => index).at(-1) ?? -1,
    ) as [number, number]
    if (held !== other) return held > other ? 'commands' : 'others'
  }
  return place.handles === 'uses' || (place.isCommandFile && path.length <= 1) ? 'commands' : 'unknown'
}

/** Whether a key is made of the name of a command, such as `PING_COMMAND`, or the name of the key. */
function isNameOf(key: string, name: unknown): boolean {
  const [one, other] = [key, String(name)].map((text) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''))
  if (one === other) return true
  return [one!, other!].every(({ length }) => length > 2) && (one!.includes(other!) || other!.includes(one!))
}

/** Whether a list has options of commands: objects with a name and a type. */
function isOptionList(options: unknown): boolean {
  const isType = (type: unknown) =>
    TYPES.includes(type) || isOptionType(type) || (typeof type === 'string' && /^[A-Z_]+$/.test(type))
  return (
    Array.isArray(options) && options.some((each) => isObject(each) && 'name' in each && isType(each.type))
  )
}

const hasAny = (value: JsonObject, keys: readonly string[]) => keys.some((key) => key in value)

/** The fields of an object; those that cannot be read are undefined. */
function readableFields(object: JsonObject): JsonObject {
  const entries = Object.keys(object).map((key) => {
    try {
      return [key, object[key]] as const
    } catch {
      return [key, undefined] as const
    }
  })
  return Object.fromEntries(entries)
}

/** An object of no class. */
export function isPlain(value: unknown): value is JsonObject {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

export function isWithFunction(object: JsonObject): boolean {
  return Object.keys(object).some((key) => {
    try {
      return typeof object[key] === 'function'
    } catch {
      return false
    }
  })
}

/** Whether an instance keeps the name of a command, or its options, outside of `data`, or options have a form of its own. */
export function hasPart(object: JsonObject): boolean {
  if (isPlain(object)) return isWithFunction(object) && [object.options].flat().some(isWrappedOption)
  const { data, options } = object
  if (!isPlain(data)) return false
  return Array.isArray(options) ? !('options' in data) : 'description' in data && !('name' in data)
}

/** An option below its type, such as `{ String: { name: 'text' } }`. */
function isWrappedOption(option: unknown): boolean {
  return (
    isObject(option) &&
    !('name' in option) &&
    Object.values(option).some((each) => isObject(each) && 'name' in each)
  )
}

/** An option or a subcommand of a builder, which a command takes up elsewhere. */
export function isPartOfCommand(value: unknown): boolean {
  return classesOf(value).some((name) => /Subcommand(?:Group)?Builder$|^SlashCommand\w+Option$/.test(name))
}

/** The names of the classes of an object, its own first. */
export function classesOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const prototype = Object.getPrototypeOf(value) as Partial<Object> | null
  return prototype === null ? [] : [prototype.constructor?.name ?? '', ...classesOf(prototype)]
}

/** A command that people write as a message, such as `!ping`. */
export function isTextCommand(object: JsonObject): boolean {
  const { slashCommand } = object
  if (isObject(slashCommand)) return slashCommand.enabled === false
  if (('type' in object && !isOfOtherType(object)) || 'options' in object) return false
  const parameters = Object.values(object).map(parametersOf).join()
  if (/interaction/i.test(parameters)) return false
  const hasAliases = [object, object.command].some((each) => isObject(each) && Array.isArray(each.aliases))
  return hasAliases || /\b(?:message|msg)\b/i.test(parameters)
}

function parametersOf(value: unknown): string {
  return typeof value === 'function' ? Function.prototype.toString.call(value).split(/\)|=>/, 1)[0]! : ''
}
