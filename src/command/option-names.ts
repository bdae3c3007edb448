/** Finds options with the same name, by default and in each locale (clauses 2.4-03, 2.10-06). */
import type { Path } from '../core/rule.ts'
import type { CommandOption } from './definition.ts'
import { optionListRules, quoteOption } from './option-rules.ts'
import type { Reading } from './reading.ts'

const { localizedElsewhere, optionLocalizedUnique, optionUnique } = optionListRules

/** A list of options, and its path from the list of the command. */
interface List {
  readonly options: readonly CommandOption[]
  readonly path: Path
}

/** An option, and the list that has it. */
interface User {
  readonly option: CommandOption
  readonly index: number
  readonly list: List
}

/** The options that have a name in a locale, as far as later ones are compared with them. */
interface Users {
  readonly first: User
  /** The first one whose default name differs from that of `first`. */
  other: User | null
  /** The first one of the last list that has any. */
  latest: User
}

/**
 * Runs the rules about names on all options of a command. A clash is reported once: at the later of two options, or at the
 * localized name.
 */
export function checkNames(reading: Reading, options: readonly CommandOption[]): void {
  const lists = listsOf({ options, path: [] })
  const defaults = new Map<string, User>()
  for (const list of lists) addDefaults(reading, list, defaults)
  // Users of names by locale. Lists follow one another, so the last list that has a name is this one or an earlier one.
  const locales = new Map<string, Map<string, Users>>()
  for (const list of lists)
    list.options.forEach((option, index) => {
      const user = { option, index, list }
      const names = option.name_localizations as Readonly<Record<string, string>> | null
      for (const locale in names) {
        let users = locales.get(locale)
        if (users === undefined) locales.set(locale, (users = new Map()))
        addLocalized(reading, user, names[locale]!, locale, defaults, users)
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

function addLocalized(
  reading: Reading,
  user: User,
  name: string,
  locale: string,
  defaults: ReadonlyMap<string, User>,
  localized: Map<string, Users>,
): void {
  const byDefault = defaults.get(name)
  const users = localized.get(name)
  // Of other lists, only warnings can follow.
  const isNear = byDefault !== undefined || users?.latest.list === user.list
  if (isNear || (users !== undefined && !reading.isFull('warning'))) {
    const path = [...user.list.path, user.index, 'name_localizations', locale]
    reading.at(path, () => compare(reading, user, name, locale, byDefault, users))
  }
  if (users === undefined) {
    if (name !== '') localized.set(name, { first: user, other: null, latest: user })
    return
  }
  if (users.latest.list !== user.list) users.latest = user
  if (users.first.option.name !== user.option.name) users.other ??= user
}

/** Compares a localized name with the options that have it: those of its own list first. */
function compare(
  reading: Reading,
  { option, index, list }: User,
  name: string,
  locale: string,
  byDefault: User | undefined,
  users: Users | undefined,
): void {
  if (byDefault !== undefined) {
    const other = list.options.findIndex((each, i) => each.name === name && i !== index)
    if (other >= 0) {
      reading.check(optionLocalizedUnique, name, quoteOption(list.options[other]!, other), null)
      return
    }
  }
  if (users?.latest.list === list) {
    reading.check(optionLocalizedUnique, name, quote(users.latest), locale)
    return
  }
  // In other lists, options of one default name may also share their translations.
  if (byDefault !== undefined && name !== option.name) {
    reading.check(localizedElsewhere, name, quote(byDefault), null)
    return
  }
  const elsewhere = users?.first.option.name === option.name ? users.other : users?.first
  if (elsewhere) reading.check(localizedElsewhere, name, quote(elsewhere), locale)
}

function quote({ option, index }: User): string {
  return quoteOption(option, index)
}
