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

/** A command, option or choice in one locale. Copied key by key: rest and spread cost several times more. */
function localized(
  source: ApplicationCommand | CommandOption | CommandChoice,
  locale: Locale | null,
): object {
  const copy: Writable = {}
  const fields = source as unknown as Writable
  for (const key in fields) {
    const value = fields[key]
    switch (key) {
      case 'name_localizations':
        put(copy, 'name_localized', value as Localizations | null, locale)
        break
      case 'description_localizations':
        put(copy, 'description_localized', value as Localizations | null, locale)
        break
      case 'options':
      case 'choices':
        copy[key] = Object.freeze(
          (value as readonly (CommandOption | CommandChoice)[]).map((each) => localized(each, locale)),
        )
        break
      default:
        copy[key] = value
    }
  }
  return Object.freeze(copy)
}

function put(copy: Writable, key: string, dictionary: Localizations | null, locale: Locale | null): void {
  if (dictionary === null || locale === null || !Object.hasOwn(dictionary, locale)) return
  copy[key] = dictionary[locale]
}
