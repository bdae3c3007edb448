/**
 * The peers of the readers: libraries with the published JSON Schema, and after it, by hand, every rule of a command set that
 * a schema cannot express. They answer only whether a body is valid: no warnings, paths or messages.
 */
import { matcherOf, type Library, type Matches } from './peer-libraries.ts'
import { lengthOf } from './peer-schemas.ts'

type Dictionary = Readonly<Record<string, string>> | null | undefined

interface Texts {
  readonly name: string
  readonly name_localizations?: Dictionary
  readonly description?: string | null
  readonly description_localizations?: Dictionary
}

interface Option extends Texts {
  readonly type: number
  readonly required?: boolean | null
  readonly autocomplete?: boolean | null
  readonly options?: readonly Option[] | null
  readonly choices?: readonly (Texts & { readonly value: string | number })[] | null
  readonly channel_types?: readonly number[] | null
  readonly file_types?: readonly string[] | null
  readonly min_value?: number | null
  readonly max_value?: number | null
  readonly min_length?: number | null
  readonly max_length?: number | null
}

interface Command extends Texts {
  readonly id?: string | null
  readonly type?: number | null
  readonly options?: readonly Option[] | null
  readonly default_member_permissions?: string | number | null
  readonly handler?: number | null
}

const SIZE_MAX = 8000
const SUB_COMMAND = 1
const GROUP = 2
const STRING = 3
const INTEGER = 4
const CHANNEL = 7
const ATTACHMENT = 11
const NUMBER = 10
const ASCII_NAME = /^[-_'a-z0-9]+$/
const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]+$/u

/** A check of bodies, or of lists of them, with the schema in a library and the rest by hand. */
export async function peerOf(library: Library, isList: boolean): Promise<Matches> {
  const matches = await matcherOf(library)
  return isList
    ? (bodies) => areValid(bodies as readonly unknown[], matches)
    : (body) => isValid(body, matches)
}

function isValid(body: unknown, matches: Matches): boolean {
  return matches(body) && followsRules(body as Command)
}

/** What a schema cannot express. */
function followsRules(body: Command): boolean {
  const type = body.type ?? 1
  if (!hasPermissionBits(body.default_member_permissions)) return false
  if (type !== 4 && (body.handler ?? null) !== null) return false
  if (type === 1) return isSlashCommand(body)
  if ((body.options ?? null) !== null && (type !== 4 || body.options!.length > 0))
    return body.options!.length === 0
  return type === 4 || ((body.description ?? '') === '' && !hasEntries(body.description_localizations))
}

/** Whether the bodies are valid as all commands of one scope. */
function areValid(bodies: readonly unknown[], matches: Matches): boolean {
  const counts = [0, 0, 0, 0, 0]
  const names = new Set<string>()
  const ids = new Set<string>()
  for (const body of bodies) {
    if (!isValid(body, matches)) return false
    const { type, name, id } = body as Command
    counts[type ?? 1]!++
    names.add(`${type ?? 1} ${name}`)
    if (typeof id === 'string' && ids.size === ids.add(id).size) return false
  }
  return names.size === bodies.length && [0, 100, 15, 15, 1].every((most, type) => counts[type]! <= most)
}

function hasEntries(dictionary: object | null | undefined): boolean {
  for (const _ in dictionary) return true
  return false
}

function hasPermissionBits(value: string | number | null | undefined): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value)
  return typeof value !== 'string' || value.length < 20 || BigInt(value) < 1n << 64n
}

function isSlashCommand(command: Command): boolean {
  if ((command.description ?? '') === '') return false
  if (!hasNames(command)) return false
  const { options } = command
  if (!options) return true
  const hasSubcommands = options.some(isNested)
  if (hasSubcommands && !options.every(isNested)) return false
  for (const option of options) {
    if (!isNested(option)) continue
    if (!isOptionList(option.options ?? [], option.type)) return false
    for (const inner of option.options ?? [])
      if (inner.type === SUB_COMMAND && !isOptionList(inner.options ?? [], SUB_COMMAND)) return false
  }
  return isOptionList(options, 0) && sizeOf(command) <= SIZE_MAX
}

const isNested = ({ type }: Option) => type === SUB_COMMAND || type === GROUP

/** @param parent the type of the option that has the list; 0 for a command */
function isOptionList(options: readonly Option[], parent: number): boolean {
  const names = new Set<string>()
  let isOptional = false
  for (const option of options) {
    if (parent === SUB_COMMAND && isNested(option)) return false
    if (parent === GROUP && option.type !== SUB_COMMAND) return false
    if (!hasNames(option) || !isOption(option)) return false
    if (option.required === true && isOptional) return false
    if (option.required !== true) isOptional = true
    names.add(option.name)
  }
  return names.size === options.length && areLocalizedNamesUnique(options, names)
}

function areLocalizedNamesUnique(options: readonly Option[], names: ReadonlySet<string>): boolean {
  const taken = new Map<string, Set<string>>()
  for (const { name, name_localizations } of options) {
    for (const locale in name_localizations) {
      const localized = name_localizations[locale]!
      if (localized !== name && names.has(localized)) return false
      let used = taken.get(locale)
      if (used === undefined) taken.set(locale, (used = new Set()))
      if (used.size === used.add(localized).size) return false
    }
  }
  return true
}

function hasNames({ name, name_localizations }: Texts): boolean {
  if (!isName(name)) return false
  for (const locale in name_localizations) if (!isName(name_localizations[locale]!)) return false
  return true
}

const isName = (name: string) => ASCII_NAME.test(name) || (NAME.test(name) && name === name.toLowerCase())
const isGiven = (value: unknown) => value !== undefined && value !== null

function isOption(option: Option): boolean {
  const { type, choices, min_value, max_value } = option
  const isNumeric = type === INTEGER || type === NUMBER
  const isTyped = type === STRING || isNumeric
  if (isNested(option) ? isGiven(option.required) : isGiven(option.options)) return false
  if (!isTyped && (isGiven(choices) || isGiven(option.autocomplete))) return false
  if (type !== CHANNEL && isGiven(option.channel_types)) return false
  if (type !== ATTACHMENT && isGiven(option.file_types)) return false
  if (!isNumeric && (isGiven(min_value) || isGiven(max_value))) return false
  if (type !== STRING && (isGiven(option.min_length) || isGiven(option.max_length))) return false
  if (type === INTEGER && !(isInteger(min_value) && isInteger(max_value))) return false
  if (!choices) return true
  if (option.autocomplete === true && choices.length > 0) return false
  for (const { value } of choices) {
    if (type === STRING ? typeof value !== 'string' : typeof value !== 'number') return false
    if (type === INTEGER && !isInteger(value as number)) return false
  }
  return true
}

const isInteger = (value: number | null | undefined) => !isGiven(value) || Number.isSafeInteger(value)

/** The characters that count toward the limit: of a localized text its longest variant. */
function sizeOf(body: Texts & { readonly options?: readonly Option[] | null }): number {
  const description = longest(body.description ?? '', body.description_localizations)
  let size = longest(body.name, body.name_localizations) + description
  for (const option of body.options ?? []) {
    size += sizeOf(option)
    for (const choice of option.choices ?? []) {
      size += longest(choice.name, choice.name_localizations)
      if (typeof choice.value === 'string') size += lengthOf(choice.value)
    }
  }
  return size
}

function longest(text: string, localizations: Dictionary): number {
  let most = lengthOf(text)
  for (const locale in localizations) {
    const localized = localizations[locale]!
    if (localized.length > most) most = Math.max(most, lengthOf(localized))
  }
  return most
}
