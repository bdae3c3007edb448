/** Finds options with the same name, by default and in each locale (clauses 2.4-03, 2.10-06). */
import type { Path } from '../../../core/rules/rule.ts'
import type { CommandOption } from '../../../model/command-definition.ts'
import { optionListRules, quoteOption } from './option-rules.ts'
import type { Reading } from './reading.ts'

const { localizedElsewhere, optionLocalizedUnique, optionUnique } = optionListRules

/** A list of options, and its path from the list of the command. */
interface List {
  readonly options: readonly CommandOption[]
  readonly path: Path
}

interface User {
  readonly option: CommandOption
  readonly index: number
  readonly list: List
}

/** The name of an option in one locale. */
interface LocalizedName {
  readonly user: User
  readonly name: string
  readonly locale: string
}

/** The options read so far: by default name, and by name in the locale. */
interface NamesBefore {
  readonly defaults: ReadonlyMap<string, User>
  readonly names: Map<string, Users>
}

/** The options that have one name in a locale, as far as later ones are compared with them. */
interface Users {
  readonly first: User
  /** The first one whose default name differs from that of `first`. */
  other: User | null
  /** The first one of the last list that has any. */
  latest: User
}

/** Runs the rules about names on all options. A clash is reported at the later option, or at the localized name. */
export function checkNames(reading: Reading, options: readonly CommandOption[]): void {
  const lists = listsOf({ options, path: [] })
  const defaults = new Map<string, User>()
  for (const list of lists) addDefaults(reading, list, defaults)
  // Lists follow one another, so the last list that has a name is this one or an earlier one.
  const locales = new Map<string, NamesBefore>()
  for (const list of lists)
    list.options.forEach((option, index) => {
      const user = { option, index, list }
      const texts = option.name_localizations as Readonly<Record<string, string>> | null
      for (const locale in texts) {
        let before = locales.get(locale)
        if (before === undefined) locales.set(locale, (before = { defaults, names: new Map() }))
        addLocalized(reading, { user, name: texts[locale]!, locale }, before)
      }
    })
}

function listsOf(list: List): readonly List[] {
  const nested = list.options.flatMap(({ options }, index) =>
    options === undefined ? [] : listsOf({ options, path: [...list.path, index, 'options'] }),
  )
  return [list, ...nested]
}

function addDefaults(reading: Reading, list: List, defaults: Map<string, User>): void {
  const earlier = new Map<string, number>()
  list.options.forEach((option, index) => {
    const { name } = option
    // A missing or empty name is reported already.
    if (!name) return
    if (!defaults.has(name)) defaults.set(name, { option, index, list })
    if (!earlier.has(name)) earlier.set(name, index)
    else reading.at([...list.path, index], () => reading.check(optionUnique, name, earlier))
  })
}

function addLocalized(reading: Reading, localized: LocalizedName, { defaults, names }: NamesBefore): void {
  const { user, name } = localized
  const byDefault = defaults.get(name)
  const users = names.get(name)
  // Of other lists, only warnings can follow.
  const isNear = byDefault !== undefined || users?.latest.list === user.list
  if (isNear || (users !== undefined && !reading.isFull('warning')))
    reportClash(reading, localized, clashOf(localized, byDefault, users))
  if (users === undefined) {
    if (name !== '') names.set(name, { first: user, other: null, latest: user })
    return
  }
  if (users.latest.list !== user.list) users.latest = user
  if (users.first.option.name !== user.option.name) users.other ??= user
}

function reportClash(
  reading: Reading,
  { user: { list, index }, name, locale }: LocalizedName,
  clash: ReturnType<typeof clashOf>,
): void {
  if (clash === null) return
  const path = [...list.path, index, 'name_localizations', locale]
  reading.at(path, () =>
    reading.check(clash.rule, name, quoteOption(clash.option, clash.index), clash.locale),
  )
}

/** The option that has a name already: one of the same list first, which is an error. Null for none. */
function clashOf(
  { user: { option, index, list }, name, locale }: LocalizedName,
  byDefault: User | undefined,
  users: Users | undefined,
) {
  if (byDefault !== undefined) {
    const other = list.options.findIndex((each, i) => each.name === name && i !== index)
    if (other >= 0)
      return { rule: optionLocalizedUnique, option: list.options[other]!, index: other, locale: null }
  }
  if (users?.latest.list === list) return { rule: optionLocalizedUnique, ...users.latest, locale }
  // In other lists, options of one default name may also share their translations.
  if (byDefault !== undefined && name !== option.name)
    return { rule: localizedElsewhere, ...byDefault, locale: null }
  const elsewhere = users?.first.option.name === option.name ? users.other : users?.first
  return elsewhere ? { rule: localizedElsewhere, ...elsewhere, locale } : null
}
