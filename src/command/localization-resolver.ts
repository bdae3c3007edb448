/** Which of its texts a reader is shown, and what is still to be translated (clauses 2.10-01 to 2.10-05). */
import { deepFreeze } from '../core/freeze.ts'
import type { Path } from '../core/rule.ts'
import { describeValue } from '../core/text.ts'
import { fallbacks as serviceFallbacks, isLocale, localeIndex, type Locale } from '../locale/locales.ts'
import type {
  ApplicationCommand,
  CommandChoice,
  CommandDefinition,
  CommandOption,
  Localizations,
} from './definition.ts'

/** One key that was looked for in a dictionary. */
export interface ResolutionStep {
  readonly key: string
  readonly found: boolean
}

/** The text a reader is shown, and why. */
export interface ResolvedText {
  readonly text: string
  /** The key of the dictionary the text is from; null for the default. */
  readonly locale: string | null
  /** The keys that were looked for, in order, up to the first that was found: one or two. */
  readonly trace: readonly ResolutionStep[]
}

/** Where the readers of each locale are sent when their own text is missing. */
export type LocaleFallbacks = Readonly<Record<string, Locale>> | ReadonlyMap<string, Locale>

export interface LocalizationResolverOptions {
  /** Takes the place of the service's own table, which is the default; `{}` means no fallback at all. */
  readonly fallbacks?: LocaleFallbacks
}

type Dictionary = 'name_localizations' | 'description_localizations'

/** A choice as one reader sees it. */
export interface LocalizedChoice extends Omit<CommandChoice, Dictionary> {
  /** The default. */
  readonly name_default: string
}

/** An option, subcommand or group as one reader sees it. */
export interface LocalizedOption extends Omit<CommandOption, Dictionary | 'choices' | 'options'> {
  /** The default, which interactions carry (clause 2.10-07). */
  readonly name_default: string
  readonly description_default: string
  readonly choices?: readonly LocalizedChoice[]
  readonly options?: readonly LocalizedOption[]
}

/**
 * A command as one reader sees it: `name` and `description` hold the text that is shown, `name_default` and
 * `description_default` the default, at every depth. There are no dictionaries; all other keys are as they were.
 */
export type LocalizedCommand<Command extends CommandDefinition | ApplicationCommand = CommandDefinition> =
  Omit<Command, Dictionary | 'name' | 'description' | 'options'> & {
    readonly name: string
    readonly description: string
    /** The default, which interactions carry (clause 2.10-07). */
    readonly name_default: string
    readonly description_default: string
    readonly options?: readonly LocalizedOption[]
  }

/** A text that has no entry of its own in a locale. */
export interface MissingText {
  /** From the list of commands to the default: `[0, 'options', 2, 'description']`. */
  readonly path: Path
  readonly defaultText: string
  /** What readers of the locale see instead. */
  readonly shown: string
  /** The key that is from; null for the default. */
  readonly from: string | null
}

/** How far a set of commands is translated into one locale. */
export interface LocaleCoverage {
  readonly locale: string
  /** How many texts the commands have: names, descriptions that are not empty, names of choices. */
  readonly texts: number
  /** How many of them have an entry under this very locale. */
  readonly translated: number
  /** The others, in document order. */
  readonly missing: readonly MissingText[]
}

/**
 * Finds the text a reader is shown: the entry of their locale, else the entry of the one locale theirs falls
 * back to, else the default (clauses 2.10-02, 2.10-03). A fallback is never followed by another. An entry counts
 * even when it is equal to the default or empty (2.10-04), so the default under its own key stops the fallback
 * (2.10-05).
 */
export class LocalizationResolver {
  // A Map and not an object, because locales come from outside.
  readonly #fallbacks: ReadonlyMap<string, Locale>

  /** @throws TypeError when a fallback is no locale of the service */
  constructor({ fallbacks = serviceFallbacks }: LocalizationResolverOptions = {}) {
    this.#fallbacks = new Map(fallbacks instanceof Map ? fallbacks : Object.entries(fallbacks))
    for (const [reader, shown] of this.#fallbacks) {
      if (!isLocale(shown)) {
        throw new TypeError(
          `fallbacks.${reader}: expected a locale of the service, got ${describeValue(shown)}`,
        )
      }
    }
  }

  /** The text readers of `locale` are shown. Any string will do as a locale; an unknown one has the default. */
  resolve(
    defaultText: string,
    localizations: Localizations | null | undefined,
    locale: string,
  ): ResolvedText {
    const trace: ResolutionStep[] = []
    for (const key of this.#keys(locale)) {
      const text = entry(localizations, key)
      trace.push({ key, found: text !== undefined })
      if (text !== undefined) return deepFreeze({ text, locale: key, trace })
    }
    return deepFreeze({ text: defaultText, locale: null, trace })
  }

  /**
   * A command as readers of `locale` see it, at every depth (clause 2.10-01). The command is left as it is; the
   * answer is read-only.
   */
  localize<Command extends CommandDefinition | ApplicationCommand>(
    command: Command,
    locale: string,
  ): LocalizedCommand<Command> {
    const { name, name_localizations, description, description_localizations, options, ...rest } = command
    const localized: LocalizedCommand<Command> = {
      ...this.#texts(command, locale),
      ...rest,
      ...(options && { options: this.#options(options, locale) }),
    }
    Object.freeze(localized)
    return localized
  }

  /**
   * How far commands are translated into every locale that any of their dictionaries has, in the order of
   * `locales`; or into the locales asked for, in the order asked.
   */
  coverage(
    commands: readonly (CommandDefinition | ApplicationCommand)[],
    locales?: readonly string[],
  ): readonly LocaleCoverage[] {
    const texts = commands.flatMap((command, index) => [...textsOf(command, [index])])
    return deepFreeze((locales ?? usedLocales(texts)).map((locale) => this.#coverageOf(texts, locale)))
  }

  #coverageOf(texts: readonly LocalizableText[], locale: string): LocaleCoverage {
    const missing: MissingText[] = []
    for (const { path, text, localizations } of texts) {
      if (entry(localizations, locale) !== undefined) continue
      const resolved = this.resolve(text, localizations, locale)
      missing.push({ path, defaultText: text, shown: resolved.text, from: resolved.locale })
    }
    return { locale, texts: texts.length, translated: texts.length - missing.length, missing }
  }

  #keys(locale: string): readonly string[] {
    const next = this.#fallbacks.get(locale)
    return next === undefined || next === locale ? [locale] : [locale, next]
  }

  #texts(holder: CommandDefinition | ApplicationCommand | CommandOption, locale: string) {
    return {
      name: this.resolve(holder.name, holder.name_localizations, locale).text,
      name_default: holder.name,
      description: this.resolve(holder.description, holder.description_localizations, locale).text,
      description_default: holder.description,
    }
  }

  #options(options: readonly CommandOption[], locale: string): readonly LocalizedOption[] {
    return Object.freeze(
      options.map((option) => {
        const {
          name,
          name_localizations,
          description,
          description_localizations,
          choices,
          options: nested,
          ...rest
        } = option
        return Object.freeze({
          ...this.#texts(option, locale),
          ...rest,
          ...(choices && { choices: this.#choices(choices, locale) }),
          ...(nested && { options: this.#options(nested, locale) }),
        })
      }),
    )
  }

  #choices(choices: readonly CommandChoice[], locale: string): readonly LocalizedChoice[] {
    return Object.freeze(
      choices.map(({ name, name_localizations, ...rest }) =>
        Object.freeze({
          name: this.resolve(name, name_localizations, locale).text,
          name_default: name,
          ...rest,
        }),
      ),
    )
  }
}

/** What a dictionary itself holds under a key. What it inherits, such as `constructor`, is nothing of a reader's. */
function entry(localizations: Localizations | null | undefined, key: string): string | undefined {
  if (localizations === null || localizations === undefined || !Object.hasOwn(localizations, key)) {
    return undefined
  }
  const text: unknown = (localizations as Readonly<Record<string, unknown>>)[key]
  return typeof text === 'string' ? text : undefined
}

interface LocalizableText {
  readonly path: Path
  readonly text: string
  readonly localizations: Localizations | null
}

/** Every text of a command that can be translated, in document order. */
function* textsOf(
  holder: CommandDefinition | ApplicationCommand | CommandOption,
  path: Path,
): Generator<LocalizableText> {
  yield { path: [...path, 'name'], text: holder.name, localizations: holder.name_localizations }
  // The descriptions of user and message commands are empty: nobody has to translate them.
  if (holder.description !== '') {
    yield {
      path: [...path, 'description'],
      text: holder.description,
      localizations: holder.description_localizations,
    }
  }
  for (const [index, choice] of ('choices' in holder ? (holder.choices ?? []) : []).entries()) {
    yield {
      path: [...path, 'choices', index, 'name'],
      text: choice.name,
      localizations: choice.name_localizations,
    }
  }
  for (const [index, option] of (holder.options ?? []).entries()) {
    yield* textsOf(option, [...path, 'options', index])
  }
}

/** The locales of all dictionaries, in the service's order. */
function usedLocales(texts: readonly LocalizableText[]): string[] {
  const used = new Set<string>()
  for (const { localizations } of texts) {
    for (const key of Object.keys(localizations ?? {})) if (isLocale(key)) used.add(key)
  }
  return [...used].sort((a, b) => localeIndex(a) - localeIndex(b))
}
