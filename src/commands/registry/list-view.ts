/** What a list returns: the commands with all their dictionaries, or with the texts of one locale. */
import type {
  ApplicationCommand,
  CommandChoice,
  CommandOption,
  ListedName,
  ListedTexts,
  Localizations,
} from '../../model/command-definition.ts'
import { aSignal, argument, optionsOf } from '../../core/rules/arguments.ts'
import { optional, orNull } from '../../core/rules/readers.ts'
import { NONE, type CallOptions } from './call-options.ts'
import { isLocale, type Locale } from '../../model/locales.ts'

/** Asks for a list in one locale (clause 2.10-08). */
export interface ListView extends CallOptions {
  /** The locale whose texts replace the dictionaries; null for no locale, which only leaves the dictionaries out. */
  readonly locale: Locale | null
}

const checkedOptions = /* @__PURE__ */ optionsOf<CallOptions & Partial<ListView>>('list', {
  signal: optional(aSignal),
  locale: optional(orNull(argument<Locale>('a locale such as "en-US", or null', isLocale))),
})

/** The second argument of `list`, checked. A view without a locale would silently be none. */
export function readListing(options: CallOptions & Partial<ListView>): CallOptions & Partial<ListView> {
  return options === NONE ? options : checkedOptions(options)
}

type Dictionary = 'name_localizations' | 'description_localizations'

interface ListedOptions {
  readonly options?: readonly ListedOption[]
}

type ListedOption = Omit<CommandOption, Dictionary | 'options' | 'choices'> &
  ListedTexts &
  ListedOptions & { readonly choices?: readonly (Omit<CommandChoice, Dictionary> & ListedName)[] }

/** A command in a localized list: the texts of one locale instead of the dictionaries. */
export type ListedCommand = Omit<ApplicationCommand, Dictionary | 'options'> & ListedTexts & ListedOptions

export function listing(command: ApplicationCommand, locale: Locale | null): ListedCommand {
  return localized(command, locale) as ListedCommand
}

/** What a localized list has in place of each dictionary. */
const listedAs: ReadonlyMap<string, keyof ListedTexts> = /* @__PURE__ */ new Map<
  Dictionary,
  keyof ListedTexts
>([
  ['name_localizations', 'name_localized'],
  ['description_localizations', 'description_localized'],
])

function localized(source: object, locale: Locale | null): object {
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(source)) {
    const listed = listedAs.get(key)
    if (listed !== undefined) {
      const text = textIn(value as Localizations | null, locale)
      if (text !== undefined) copy[listed] = text
    } else if (key === 'options' || key === 'choices')
      copy[key] = Object.freeze((value as readonly object[]).map((item) => localized(item, locale)))
    else copy[key] = value
  }
  return Object.freeze(copy)
}

function textIn(dictionary: Localizations | null, locale: Locale | null): string | undefined {
  // What a locale that does not exist may find on the prototype is not a text.
  const text: unknown = locale === null ? undefined : dictionary?.[locale]
  return typeof text === 'string' ? text : undefined
}
