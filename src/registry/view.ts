/** What a list returns: the commands with all their dictionaries, or with the texts of one locale. */
import type {
  ApplicationCommand,
  CommandChoice,
  CommandOption,
  Localizations,
} from '../command/definition.ts'
import type { Locale } from '../locale/locales.ts'

/** Asks for a list in one locale (clause 2.10-08). */
export interface ListView {
  /** The locale whose texts replace the dictionaries; null for no locale, which only leaves the dictionaries out. */
  readonly locale: Locale | null
}

interface ListedName {
  /** Present only if the dictionary has the locale: a list has no fallback. */
  readonly name_localized?: string
}

interface ListedTexts extends ListedName {
  /** Present only if the dictionary has the locale. */
  readonly description_localized?: string
}

/** A choice in a localized list. */
export type ListedChoice = Omit<CommandChoice, 'name_localizations'> & ListedName

/** An option in a localized list. */
export type ListedOption = Omit<
  CommandOption,
  'name_localizations' | 'description_localizations' | 'options' | 'choices'
> &
  ListedTexts & {
    /** The options of a subcommand, or the subcommands of a group. */
    readonly options?: readonly ListedOption[]
    /** The only allowed values. */
    readonly choices?: readonly ListedChoice[]
  }

/** A command in a localized list: the texts of one locale instead of the dictionaries. */
export type ListedCommand = Omit<
  ApplicationCommand,
  'name_localizations' | 'description_localizations' | 'options'
> &
  ListedTexts & {
    /** The options of the command; absent for a command without options. */
    readonly options?: readonly ListedOption[]
  }

/** A command as a list in a locale returns it. */
export function listing(command: ApplicationCommand, locale: Locale | null): ListedCommand {
  return localized(command, locale) as ListedCommand
}

type Writable = Record<string, unknown>

/**
 * A command or an option in one locale. Copied key by key: rest and spread cost several times more. The fields that
 * most options have are stored by their names, which costs a quarter of storing under a variable key.
 */
function localized(source: ApplicationCommand | CommandOption, locale: Locale | null): object {
  const copy: Writable = {}
  const fields = source as unknown as Writable
  for (const key in fields) {
    const value = fields[key]
    switch (key) {
      case 'type':
        copy.type = value
        break
      case 'name':
        copy.name = value
        break
      case 'description':
        copy.description = value
        break
      case 'required':
        copy.required = value
        break
      case 'name_localizations': {
        const text = textIn(value as Localizations | null, locale)
        if (text !== undefined) copy.name_localized = text
        break
      }
      case 'description_localizations': {
        const text = textIn(value as Localizations | null, locale)
        if (text !== undefined) copy.description_localized = text
        break
      }
      case 'options':
        copy.options = localizedList(value as readonly CommandOption[], localized, locale)
        break
      case 'choices':
        copy.choices = localizedList(value as readonly CommandChoice[], localizedChoice, locale)
        break
      default:
        copy[key] = value
    }
  }
  return Object.freeze(copy)
}

function localizedChoice(
  { name, name_localizations, value }: CommandChoice,
  locale: Locale | null,
): ListedChoice {
  const name_localized = textIn(name_localizations, locale)
  return Object.freeze(name_localized === undefined ? { name, value } : { name, name_localized, value })
}

/** In a loop: `map` is slow for frozen lists. */
function localizedList<T>(
  sources: readonly T[],
  localize: (source: T, locale: Locale | null) => object,
  locale: Locale | null,
): readonly object[] {
  const list: object[] = []
  for (let i = 0; i < sources.length; i++) list.push(localize(sources[i]!, locale))
  return Object.freeze(list)
}

function textIn(dictionary: Localizations | null, locale: Locale | null): string | undefined {
  // What a locale that does not exist may find on the prototype is not a text.
  const text: unknown = locale === null ? undefined : dictionary?.[locale]
  return typeof text === 'string' ? text : undefined
}
