import type { ApplicationCommand, CommandOption, Localizations } from '../../command/definition.ts'
import { LocalizationResolver } from '../../command/localization-resolver.ts'
import { isObject } from '../../core/json.ts'
import { locales } from '../../locale/locales.ts'
import type { Path } from '../../core/rule.ts'
import type { ShownText, TranslationsAnswer } from '../answers.ts'
import { definitionsText } from '../../authoring/definitions.ts'
import type { Query } from '../query.ts'
import { typedName } from '../../authoring/words.ts'
import { scopeOfQuery, type Context } from '../viewer.ts'

const resolver = new LocalizationResolver()

/** All texts of a scope's commands in two languages. */
export async function translations(query: Query, { registry }: Context): Promise<TranslationsAnswer> {
  const commands = await registry.list(scopeOfQuery(query))
  const [left, right] = [query.text('left'), query.text('right')]
  const coverage = resolver.coverage(commands, locales).map(({ locale, texts, translated }) => ({
    locale,
    percent: texts === 0 ? 100 : Math.floor((100 * translated) / texts),
    missing: texts - translated,
  }))
  const shown = (
    text: string,
    localizations: Localizations | null | undefined,
    locale: string,
  ): ShownText => {
    const resolved = resolver.resolve(text, localizations, locale)
    return { text: resolved.text, from: resolved.locale }
  }
  return {
    coverage: coverage.sort((a, b) => b.percent - a.percent),
    commands: commands.map((command, index) => ({
      name: typedName(command),
      rows: Array.from(textsOf(command, [index], ''), ({ label, path, text, localizations }) => ({
        label,
        path,
        left: shown(text, localizations, left),
        right: shown(text, localizations, right),
      })),
    })),
  }
}

/** The definitions of a scope with texts of a language put in, as the Editor shows them. */
export async function translate(query: Query, { registry }: Context): Promise<string> {
  const commands = await registry.list(scopeOfQuery(query))
  const texts = query.value('texts')
  const bodies: unknown = JSON.parse(definitionsText(commands))
  for (const [index, command] of commands.entries()) {
    const given = own(texts, typedName(command))
    for (const { label, path } of textsOf(command, [index], '')) {
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
  const key = `${String(path[path.length - 1])}_localizations`
  holder[key] = { ...holder[key], [locale]: text }
}

interface Text {
  readonly label: string
  readonly path: Path
  readonly text: string
  readonly localizations: Localizations | null
}

/** Every text of a command that can be translated, in the order of the document. */
function* textsOf(holder: ApplicationCommand | CommandOption, path: Path, place: string): Generator<Text> {
  const at = (what: string) => (place === '' ? what : `${place}, ${what}`)
  const { name, description } = holder
  yield { label: at('name'), path: [...path, 'name'], text: name, localizations: holder.name_localizations }
  if (description !== '') {
    const localizations = holder.description_localizations
    yield { label: at('description'), path: [...path, 'description'], text: description, localizations }
  }
  for (const [i, choice] of (('choices' in holder ? holder.choices : undefined) ?? []).entries()) {
    const { name: text, name_localizations: localizations } = choice
    yield { label: at(`choice ${i + 1}`), path: [...path, 'choices', i, 'name'], text, localizations }
  }
  for (const [i, option] of (holder.options ?? []).entries()) {
    yield* textsOf(option, [...path, 'options', i], `${place} ${option.name}`.trimStart())
  }
}
