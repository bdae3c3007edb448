/** The texts of commands in several languages. */
import { definitionsText } from '../../authoring/definitions.ts'
import { typedName } from '../../authoring/words.ts'
import type { ApplicationCommand, CommandOption, Localizations } from '../../command/definition.ts'
import { LocalizationResolver } from '../../command/localization-resolver.ts'
import { isObject } from '../../core/json.ts'
import type { Path } from '../../core/rule.ts'
import { locales } from '../../locale/locales.ts'
import { scopeOfQuery, type Context, type Query } from '../query.ts'

const resolver = new LocalizationResolver()

/**
 * All texts of a scope's commands as readers of two languages see them, with the language that each text comes from (null
 * for the default text); and how complete every language is, the most complete first.
 */
export async function translations(query: Query, { registry }: Context) {
  const commands = await registry.list(scopeOfQuery(query))
  const coverage = resolver.coverage(commands, locales).map(({ locale, texts, translated }) => {
    const percent = texts === 0 ? 100 : Math.floor((100 * translated) / texts)
    return { locale, percent, missing: texts - translated }
  })
  const rowOf = ({ label, text, localizations }: Text) => {
    const inLanguage = (locale: string) => {
      const shown = resolver.resolve(text, localizations, locale)
      return { text: shown.text, from: shown.locale }
    }
    return { label, left: inLanguage(query.text('left')), right: inLanguage(query.text('right')) }
  }
  return {
    coverage: coverage.sort((a, b) => b.percent - a.percent),
    commands: commands.map((command, index) => {
      return { name: typedName(command), rows: Array.from(textsOf(command, [index]), rowOf) }
    }),
  }
}

/** The definitions of a scope with texts of a language put in, as the Editor shows them. */
export async function translate(query: Query, { registry }: Context) {
  const commands = await registry.list(scopeOfQuery(query))
  const texts = query.value('texts')
  const bodies: unknown = JSON.parse(definitionsText(commands))
  for (const [index, command] of commands.entries()) {
    const given = own(texts, typedName(command))
    for (const { label, path } of textsOf(command, [index])) {
      const text = own(given, label)
      if (typeof text === 'string' && text !== '') put(bodies, path, query.text('locale'), text)
    }
  }
  return JSON.stringify(bodies, null, 2)
}

function own(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

function put(bodies: any, path: Path, locale: string, text: string): void {
  const holder = path.slice(0, -1).reduce((value, step) => value[step], bodies)
  const key = `${String(path.at(-1))}_localizations`
  holder[key] = { ...holder[key], [locale]: text }
}

/** A text that can be translated; its label is `option days, description`. */
interface Text {
  readonly label: string
  readonly path: Path
  readonly text: string
  readonly localizations: Localizations | null
}

/** Every text of a command that can be translated, in the order of the document. */
function* textsOf(holder: ApplicationCommand | CommandOption, path: Path, place = ''): Generator<Text> {
  const text = (label: string, at: Path, text: string, localizations: Localizations | null): Text => {
    return { label: place === '' ? label : `${place}, ${label}`, path: [...path, ...at], text, localizations }
  }
  yield text('name', ['name'], holder.name, holder.name_localizations)
  if (holder.description !== '')
    yield text('description', ['description'], holder.description, holder.description_localizations)
  const choices = ('choices' in holder ? holder.choices : undefined) ?? []
  for (const [i, choice] of choices.entries())
    yield text(`choice ${i + 1}`, ['choices', i, 'name'], choice.name, choice.name_localizations)
  for (const [i, option] of (holder.options ?? []).entries())
    yield* textsOf(option, [...path, 'options', i], `${place} ${option.name}`.trimStart())
}
