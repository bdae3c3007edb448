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
  const { name_localizations, description_localizations, options, ...rest } = command
  return Object.freeze({
    ...rest,
    ...texts(name_localizations, description_localizations, locale),
    ...(options === undefined ? undefined : { options: listed(options, locale) }),
  })
}

function listed(options: readonly CommandOption[], locale: Locale | null): readonly LocalizedOption[] {
  return Object.freeze(
    options.map((option) => {
      const { name_localizations, description_localizations, options: nested, choices, ...rest } = option
      return Object.freeze({
        ...rest,
        ...texts(name_localizations, description_localizations, locale),
        ...(choices === undefined
          ? undefined
          : { choices: Object.freeze(choices.map((c) => choice(c, locale))) }),
        ...(nested === undefined ? undefined : { options: listed(nested, locale) }),
      })
    }),
  )
}

function choice({ name_localizations, ...rest }: CommandChoice, locale: Locale | null): LocalizedChoice {
  return Object.freeze({ ...rest, ...texts(name_localizations, null, locale) })
}

function texts(
  names: Localizations | null,
  descriptions: Localizations | null,
  locale: Locale | null,
): Described {
  const name = own(names, locale)
  const description = own(descriptions, locale)
  return {
    ...(name === undefined ? undefined : { name_localized: name }),
    ...(description === undefined ? undefined : { description_localized: description }),
  }
}

function own(dictionary: Localizations | null, locale: Locale | null): string | undefined {
  return dictionary !== null && locale !== null && Object.hasOwn(dictionary, locale)
    ? dictionary[locale]
    : undefined
}
