/** The texts of commands in several languages. */
import { definitionsText } from '../../authoring/definitions-text.ts'
import { typedName } from '../../authoring/words.ts'
import type { ApplicationCommand, CommandOption } from '../../../model/command-definition.ts'
import {
  LocalizationResolver,
  textsOf,
  type LocalizableText,
} from '../../../commands/definition/localization-resolver.ts'
import { valueAt } from '../../../core/json.ts'
import type { Path } from '../../../core/rules/rule.ts'
import { locales } from '../../../model/locales.ts'
import { scopeOfQuery, type Context, type Query } from './query.ts'

const resolver = new LocalizationResolver()

/**
 * The texts of a scope's commands as readers of two languages see them, each with its language (null for the default
 * text); and how complete every language is, the most complete first.
 */
export async function translations(query: Query, { registry }: Context) {
  const commands = await registry.list(scopeOfQuery(query))
  const coverage = resolver.coverage(commands, locales).map(({ locale, texts, translated }) => {
    const percent = texts === 0 ? 100 : Math.floor((100 * translated) / texts)
    return { locale, percent, missing: texts - translated }
  })
  const shownIn = (locale: string, { text, localizations }: LocalizableText) => {
    const shown = resolver.resolve(text, localizations, locale)
    return { text: shown.text, from: shown.locale }
  }
  return {
    coverage: coverage.sort((a, b) => b.percent - a.percent),
    commands: commands.map((command, index) => ({
      name: typedName(command),
      rows: Array.from(textsOf(command, [index]), (text) => ({
        label: textLabel(command, text.path),
        left: shownIn(query.text('left'), text),
        right: shownIn(query.text('right'), text),
      })),
    })),
  }
}

/** The definitions of a scope with texts of a language put in, as the Editor shows them. */
export async function translate(query: Query, { registry }: Context) {
  const commands = await registry.list(scopeOfQuery(query))
  const texts = query.value('texts')
  const bodies: unknown = JSON.parse(definitionsText(commands))
  for (const [index, command] of commands.entries()) {
    for (const { path } of textsOf(command, [index])) {
      const text = valueAt(texts, [typedName(command), textLabel(command, path)])
      if (typeof text === 'string' && text !== '') put(bodies, path, query.text('locale'), text)
    }
  }
  return JSON.stringify(bodies, null, 2)
}

function put(bodies: any, path: Path, locale: string, text: string): void {
  const holder = path.slice(0, -1).reduce((value, step) => value[step], bodies)
  const key = `${String(path.at(-1))}_localizations`
  holder[key] = { ...holder[key], [locale]: text }
}

/** The place of a text in a command: `days, choice 1`. */
function textLabel(command: ApplicationCommand, [, ...path]: Path): string {
  const names: string[] = []
  let holder: ApplicationCommand | CommandOption = command
  for (; path[0] === 'options'; path.splice(0, 2)) {
    holder = holder.options![path[1] as number]!
    names.push(holder.name)
  }
  const text = path[0] === 'choices' ? `choice ${Number(path[1]) + 1}` : String(path[0])
  return names.length === 0 ? text : `${names.join(' ')}, ${text}`
}
