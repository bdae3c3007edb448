/** What a reader of a list sees: the commands with all their dictionaries, or with one locale's texts. */
import type {
  ApplicationCommand,
  CommandChoice,
  CommandOption,
  Localizations,
} from '../command/definition.ts'
import type { Locale } from '../locale/locales.ts'

/** How a list is to be answered (clause 2.10-08). */
export interface ListView {
  /**
   * The locale whose texts stand beside the defaults in place of the dictionaries. Null when the reader has none:
   * then the dictionaries are left out all the same.
   */
  readonly locale: Locale | null
}

interface Localized {
  /** Present only if the dictionary has the reader's locale; there is no fallback here. */
  readonly name_localized?: string
}

interface Described extends Localized {
  readonly description_localized?: string
}

export type LocalizedChoice = Omit<CommandChoice, 'name_localizations'> & Localized

export type LocalizedOption = Omit<
  CommandOption,
  'name_localizations' | 'description_localizations' | 'options' | 'choices'
> &
  Described & { readonly options?: readonly LocalizedOption[]; readonly choices?: readonly LocalizedChoice[] }

/** A command as a list answers it: one locale's texts in place of the dictionaries. */
export type LocalizedListing = Omit<
  ApplicationCommand,
  'name_localizations' | 'description_localizations' | 'options'
> &
  Described & { readonly options?: readonly LocalizedOption[] }

/** A command as a reader in a locale finds it in a list, at every depth. */
export function listing(command: ApplicationCommand, locale: Locale | null): LocalizedListing {
  return localized(command, locale) as LocalizedListing
}

type Writable = Record<string, unknown>

/**
 * A command, option or choice with one locale's texts. Copied key by key: these are many, and to take two keys out
 * and put one in by rest and spread costs several times more.
 */
function localized(
  source: ApplicationCommand | CommandOption | CommandChoice,
  locale: Locale | null,
): object {
  const copy: Writable = {}
  const held = source as unknown as Writable
  for (const key in held) {
    const value = held[key]
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
