/** The texts of commands in several languages. */
import { bodiesIn } from '../../authoring/definitions-in-body.ts'
import { definitionsText } from '../../authoring/definitions-text.ts'
import { typedName } from '../../authoring/words.ts'
import type { ApplicationCommand } from '../../../model/command-definition.ts'
import { CommandType } from '../../../model/command-types.ts'
import {
  LocalizationResolver,
  textsOf,
  type LocalizableText,
} from '../../../commands/definition/localization-resolver.ts'
import { choiceRules } from '../../../commands/definition/rules/choice-rules.ts'
import { descriptionRules } from '../../../commands/definition/rules/command-rules.ts'
import { nameRules } from '../../../commands/definition/rules/name-rules.ts'
import { validateCommands } from '../../../commands/validate.ts'
import { isObject, parsedJson, type JsonObject } from '../../../core/json.ts'
import type { Limit, Path } from '../../../core/rules/rule.ts'
import { isLocale, locales } from '../../../model/locales.ts'
import { scopeOfQuery, type Context, type Query } from './query.ts'

const resolver = new LocalizationResolver()

/** A text for a place: the locale, the command as it is typed, the place in the command, and the text; empty for none. */
export type PlacedText = readonly [locale: string, command: string, label: string, text: string]

/** A text of the commands, with its place in words. */
interface Row extends LocalizableText {
  readonly command: string
  /** The place in the command: `days, choice 1`. */
  readonly label: string
  /** The most characters that it may have. */
  readonly most: number
}

/** Definitions with their texts, and the JSON that they stand in. */
interface Base {
  readonly whole: unknown
  readonly bodies: readonly unknown[]
  readonly rows: readonly Row[]
}

/**
 * The texts of commands as readers of several languages see them, each with its language (null for the default text),
 * with the texts of the question put in; and how complete every language is, the most complete first.
 */
export async function translations(query: Query, context: Context) {
  const before = await baseOf(query, context)
  const own = new Map(before.rows.map((row) => [keyOf(row.path), row.localizations]))
  const base = withTexts(before, textsOfQuery(query))
  const commands = commandsOf(base.bodies)
  const coverage = resolver.coverage(commands, locales).map(({ locale, texts, translated }) => {
    const percent = texts === 0 ? 100 : Math.floor((100 * translated) / texts)
    return { locale, percent, missing: texts - translated }
  })
  const problems = problemsIn(base.bodies)
  const shownIn = (locale: string, { text, localizations }: LocalizableText) => {
    const shown = resolver.resolve(text, localizations, locale)
    return { text: shown.text, from: shown.locale }
  }
  const names = base.rows.filter(({ label }) => label === 'name')
  const typeOf = ({ path }: Row) => commands[Number(path[0])]!.type
  /** Another command of the type whose readers see the same name. Discord allows it. */
  const sameNameAs = (locale: string, row: Row) => {
    const isSame = (one: Row) =>
      typeOf(one) === typeOf(row) && shownIn(locale, one).text === shownIn(locale, row).text
    return names.includes(row) ? names.find((one) => one !== row && isSame(one)) : undefined
  }
  const cellOf = (locale: string, row: Row) => ({
    locale,
    ...shownIn(locale, row),
    /** The other command that has this name in the language; empty for none. */
    sameNameAs: sameNameAs(locale, row)?.command ?? '',
    /** The text before those of the question; null for none. */
    own: untranslated(own.get(keyOf(row.path)), locale),
    problem: problems.get(keyOf(localized(row.path, locale))) ?? '',
  })
  const shown = query.list('locales').filter((one) => typeof one === 'string')
  const rowsOf = (index: number) =>
    base.rows
      .filter(({ path }) => path[0] === index)
      .map((row) => ({
        label: row.label,
        most: row.most,
        left: shownIn(query.text('left'), row),
        cells: shown.map((locale) => cellOf(locale, row)),
      }))
  return {
    coverage: coverage.sort((a, b) => b.percent - a.percent),
    commands: commands.map((command, index) => ({
      name: typedName(command),
      rows: rowsOf(index),
    })),
  }
}

/** The definitions with texts of any languages put in, as the Editor shows them. @throws TypeError without definitions */
export async function translate(query: Query, context: Context) {
  const base = await baseOf(query, context)
  return JSON.stringify(withTexts(base, textsOfQuery(query)).whole, null, 2)
}

/**
 * The texts of the question, or of a JSON: of commands by name, of languages with such commands, or of definitions; those that are empty or
 * as before are left out. `unused` names the texts that no command has, and those of unknown languages.
 */
export async function texts(query: Query, context: Context) {
  const { rows } = await baseOf(query, context)
  const placed = textsOfQuery(query)
  const all = placed.length > 0 ? placed : textsIn(query.value('given'), query.text('locale'), rows)
  const rowOf = (text: PlacedText) => rows.find((row) => isLocale(text[0]) && isPlaceOf(row, text))
  const found = all.map((text) => ({ text, row: rowOf(text) }))
  const isNew = ([locale, , , text]: PlacedText, row: Row) =>
    (untranslated(row.localizations, locale) ?? '') !== text
  return {
    texts: found.flatMap(({ text, row }) => (row !== undefined && isNew(text, row) ? [text] : [])),
    unused: found.flatMap(({ text: [locale, ...place], row }) =>
      row ? [] : [[...(isLocale(locale) ? [] : [locale]), ...place.slice(0, 2)].join(', ')],
    ),
  }
}

const isPlaceOf = (row: Row, [, command, label]: PlacedText) => row.command === command && row.label === label

function textsIn(given: unknown, locale: string, rows: readonly Row[]): readonly PlacedText[] {
  if (!isObject(given)) return definitionTexts(given)
  if (Array.isArray(given.commands) || typeof given.name === 'string') return definitionTexts(given)
  const placed = (of: string, command: string, labels: unknown): readonly PlacedText[] =>
    Object.entries(isObject(labels) ? labels : {}).flatMap(([label, text]) =>
      typeof text === 'string' && text !== '' ? [[of, command, label, text] as const] : [],
    )
  return Object.entries(given).flatMap(([key, value]) => {
    const isOfCommand = Object.values(isObject(value) ? value : {}).every((one) => !isObject(one))
    const isCommand = (isOfCommand && !isLocale(key)) || rows.some(({ command }) => command === key)
    if (isCommand) return placed(locale, key, value)
    return Object.entries(isObject(value) ? value : {}).flatMap(([name, own]) => placed(key, name, own))
  })
}

/** The translations of definitions. */
function definitionTexts(given: unknown): readonly PlacedText[] {
  return baseIn(given).rows.flatMap(({ command, label, localizations }) =>
    Object.entries(localizations ?? {}).map(([locale, text]) => [locale, command, label, text] as const),
  )
}

// --- The definitions --------------------------------------------------------------------------------------------

/** Those of the Editor, else those of the scope. @throws TypeError when the Editor has none */
async function baseOf(query: Query, { registry }: Context): Promise<Base> {
  const text = query.text('text') || definitionsText(await registry.list(scopeOfQuery(query)))
  return baseIn(parsedJson(text))
}

/** @throws TypeError when there are no definitions in it */
function baseIn(whole: unknown): Base {
  const bodies = bodiesIn(whole)
  if (!bodies.every(hasTexts))
    throw new TypeError(
      'These are not definitions of commands: correct them in the Editor, or revert them there',
    )
  const rows = commandsOf(bodies).flatMap((command, index) =>
    Array.from(textsOf(command, [index]), (text) => ({
      ...text,
      command: typedName(command),
      label: textLabel(command, text.path),
      most: mostOf(text.path),
    })),
  )
  return { whole, bodies, rows }
}

/** Whether the texts of a definition can be read, whatever else is wrong with it. */
function hasTexts(holder: unknown): boolean {
  if (!isObject(holder) || typeof holder.name !== 'string') return false
  const { description = '', name_localizations: names, description_localizations: descriptions } = holder
  const isDictionary = (value: unknown) => value === undefined || value === null || isObject(value)
  const isList = (value: unknown) =>
    value === undefined || value === null || (Array.isArray(value) && value.every(hasTexts))
  return (
    (description === null || typeof description === 'string') &&
    [names, descriptions].every(isDictionary) &&
    [holder.choices, holder.options].every(isList)
  )
}

/** Definitions as commands, with defaults for what `textsOf` reads. */
function commandsOf(bodies: readonly unknown[]): readonly ApplicationCommand[] {
  const complete = ({ choices, options, description, ...rest }: JsonObject): JsonObject => ({
    ...rest,
    description: description ?? '',
    choices: ((choices ?? []) as readonly JsonObject[]).map(complete),
    options: ((options ?? []) as readonly JsonObject[]).map(complete),
  })
  return bodies.map((body) => ({
    type: CommandType.CHAT_INPUT,
    ...complete(body as JsonObject),
  })) as unknown as readonly ApplicationCommand[]
}

const maxOf = ({ limit }: { readonly limit: Limit | null }): number => Number(limit?.max)

const limits = {
  name: maxOf(nameRules.nameLength),
  description: maxOf(descriptionRules.descriptionLength),
  choice: maxOf(choiceRules.choiceName),
}

const mostOf = (path: Path): number =>
  path.at(-3) === 'choices' ? limits.choice : limits[path.at(-1) as 'name' | 'description']

const keyOf = (path: Path): string => path.join('\n')
const localized = (path: Path, locale: string): Path => [
  ...path.slice(0, -1),
  `${path.at(-1)}_localizations`,
  locale,
]

function untranslated(localizations: Row['localizations'] | undefined, locale: string): string | null {
  const own: unknown = localizations && Object.hasOwn(localizations, locale) && localizations[locale as 'de']
  return typeof own === 'string' ? own : null
}

function problemsIn(bodies: readonly unknown[]): ReadonlyMap<string, string> {
  const read = validateCommands(bodies)
  const issues = read.ok ? [] : read.issues
  return new Map(issues.toReversed().map(({ path, message }) => [keyOf(path), message]))
}

function textsOfQuery(query: Query): readonly PlacedText[] {
  const isPlaced = (value: unknown): value is PlacedText =>
    Array.isArray(value) && value.length === 4 && value.every((one) => typeof one === 'string')
  return query.list('texts').filter(isPlaced)
}

/** A copy with texts put in; an empty one removes the translation. */
function withTexts({ whole, rows }: Base, placed: readonly PlacedText[]): Base {
  const copy: unknown = structuredClone(whole)
  const bodies = bodiesIn(copy)
  const byPlace = new Map<string, PlacedText[]>()
  for (const one of placed) {
    const place = `${one[1]}\n${one[2]}`
    byPlace.set(place, [...(byPlace.get(place) ?? []), one])
  }
  for (const { path, command, label } of rows)
    for (const [locale, , , text] of byPlace.get(`${command}\n${label}`) ?? [])
      put(bodies, path, locale, text)
  return baseIn(copy)
}

function put(bodies: any, path: Path, locale: string, text: string): void {
  if (!isLocale(locale)) return
  const holder = path.slice(0, -1).reduce((value, step) => value[step], bodies)
  const key = `${String(path.at(-1))}_localizations`
  const { [locale]: _before, ...others } = holder[key] ?? {}
  const next = text === '' ? others : { ...holder[key], [locale]: text }
  if (Object.keys(next).length > 0) holder[key] = next
  else delete holder[key]
}

/** The place of a text in a command: `days, choice 1`. */
function textLabel(command: ApplicationCommand, [, ...given]: Path): string {
  const names: string[] = []
  const path = [...given]
  let holder: Pick<ApplicationCommand, 'options'> = command
  for (; path[0] === 'options'; path.splice(0, 2)) {
    const option = holder.options![path[1] as number]!
    names.push(option.name)
    holder = option as Pick<ApplicationCommand, 'options'>
  }
  const text = path[0] === 'choices' ? `choice ${Number(path[1]) + 1}` : String(path[0])
  return names.length === 0 ? text : `${names.join(' ')}, ${text}`
}
