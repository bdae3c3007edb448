/** Chooses the texts of a command for a locale, and finds missing translations (clauses 2.10-01 to 2.10-05). */
import { isObject } from '../../core/json.ts'
import {
  anObject,
  argument,
  demand,
  demandList,
  demandObject,
  demandText,
  listArgument,
  optionsOf,
} from '../../core/rules/arguments.ts'
import { optional } from '../../core/rules/readers.ts'
import { deepFreeze } from '../../core/freeze.ts'
import type { Path } from '../../core/rules/rule.ts'
import { describeValue } from '../../core/text.ts'
import { serviceFallbacks, isLocale, locales, type Locale } from '../../model/locales.ts'
import type {
  ApplicationCommand,
  CommandChoice,
  CommandDefinition,
  CommandOption,
  Localizations,
} from '../../model/command-definition.ts'

/** A locale that was looked up in a dictionary. */
export interface ResolutionStep {
  readonly key: string
  readonly found: boolean
}

/** The text for a locale, and how it was chosen. */
export interface ResolvedText {
  readonly text: string
  /** The locale of the text; null for the default. */
  readonly locale: string | null
  /** The locales that were looked up, one or two, in order; the last one may have been found. */
  readonly trace: readonly ResolutionStep[]
}

/** The fallback of each locale, for missing texts. */
export type LocaleFallbacks = Readonly<Record<string, Locale>> | ReadonlyMap<string, Locale>

/** The options of a `LocalizationResolver`. */
export interface LocalizationResolverOptions {
  /** The fallbacks; `{}` for none. Default: those of the service. */
  readonly fallbacks?: LocaleFallbacks
}

type Dictionary = 'name_localizations' | 'description_localizations'

/** A choice with the texts of one locale. */
export interface LocalizedChoice extends Omit<CommandChoice, Dictionary> {
  readonly name_default: string
}

/** An option, subcommand or group with the texts of one locale. */
export interface LocalizedOption extends Omit<CommandOption, Dictionary | 'choices' | 'options'> {
  /** The default, which interactions carry (clause 2.10-07). */
  readonly name_default: string
  readonly description_default: string
  /** Absent: the option has none. */
  readonly choices?: readonly LocalizedChoice[]
  /** Of a subcommand or a group. Absent: it has none. */
  readonly options?: readonly LocalizedOption[]
}

/** A command with the texts of one locale, at every depth. There are no dictionaries. */
export type LocalizedCommand<Command extends CommandDefinition | ApplicationCommand = CommandDefinition> =
  Omit<Command, Dictionary | 'name' | 'description' | 'options'> & {
    readonly name: string
    readonly description: string
    /** The default, which interactions carry (clause 2.10-07). */
    readonly name_default: string
    readonly description_default: string
    /** The options with the texts of the locale. */
    readonly options?: readonly LocalizedOption[]
  }

/** A text without a translation into a locale. */
export interface MissingText {
  /** The path of the default in the list of commands: `[0, 'options', 2, 'description']`. */
  readonly path: Path
  readonly defaultText: string
  /** The text that is shown instead. */
  readonly shown: string
  /** The locale of that text; null for the default. */
  readonly from: string | null
}

/** The translation of commands into one locale. */
export interface LocaleCoverage {
  readonly locale: string
  /** The number of texts: names, descriptions that are not empty, names of choices. */
  readonly texts: number
  /** The number of texts with a translation into this locale itself. */
  readonly translated: number
  /** The texts without one, in document order. */
  readonly missing: readonly MissingText[]
}

const checkedOptions = /* @__PURE__ */ optionsOf<LocalizationResolverOptions>('LocalizationResolver', {
  fallbacks: optional(argument('an object or a Map of locales by locale', isObject)),
})

const checkCommands = /* @__PURE__ */ demand(listArgument(anObject, 'a list of commands'))

/**
 * Chooses the text for a locale: its own entry, otherwise that of its fallback, otherwise the default (clauses 2.10-02,
 * 2.10-03). A fallback has no fallback of its own. An entry counts even if it is empty or equal to the default
 * (2.10-04), so a copy of the default prevents the fallback (2.10-05).
 */
export class LocalizationResolver {
  // A Map instead of an object: a locale can be any string, such as `__proto__`.
  readonly #fallbacks: ReadonlyMap<string, Locale>

  /** @throws TypeError when a fallback is not a locale of the service */
  constructor(options: LocalizationResolverOptions = {}) {
    const { fallbacks = serviceFallbacks } = checkedOptions(options)
    this.#fallbacks = new Map(fallbacks instanceof Map ? fallbacks : Object.entries(fallbacks))
    for (const [reader, shown] of this.#fallbacks) {
      if (!isLocale(shown)) {
        throw new TypeError(
          `fallbacks.${reader}: expected a locale of the service, got ${describeValue(shown)}`,
        )
      }
    }
  }

  /** The text for `locale`, which can be any string; an unknown locale gets the default. */
  resolve(
    defaultText: string,
    localizations: Localizations | null | undefined,
    locale: string,
  ): ResolvedText {
    demandText(defaultText, 'defaultText')
    if (localizations != null) demandObject(localizations, 'localizations')
    demandText(locale, 'locale')
    return this.#resolved(defaultText, localizations, locale)
  }

  #resolved(
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

  /** A read-only command with the texts for `locale`, at every depth (clause 2.10-01). */
  localize<Command extends CommandDefinition | ApplicationCommand>(
    command: Command,
    locale: string,
  ): LocalizedCommand<Command> {
    demandObject(command, 'command')
    demandText(locale, 'locale')
    return this.#localized(command, locale) as LocalizedCommand<Command>
  }

  /** The translation of commands into locales, in their order. Default: every locale of the dictionaries. */
  coverage(
    commands: readonly (CommandDefinition | ApplicationCommand)[],
    locales?: readonly string[],
  ): readonly LocaleCoverage[] {
    checkCommands(commands, 'commands')
    if (locales !== undefined) demandList(locales, 'locales')
    const texts = commands.flatMap((command, index) => [...textsOf(command, [index])])
    return deepFreeze((locales ?? usedLocales(texts)).map((locale) => this.#coverageOf(texts, locale)))
  }

  #coverageOf(texts: readonly LocalizableText[], locale: string): LocaleCoverage {
    const missing = texts.flatMap(({ path, text, localizations }): MissingText[] => {
      const { text: shown, locale: from } = this.#resolved(text, localizations, locale)
      return from === locale ? [] : [{ path, defaultText: text, shown, from }]
    })
    return { locale, texts: texts.length, translated: texts.length - missing.length, missing }
  }

  #keys(locale: string): readonly string[] {
    const next = this.#fallbacks.get(locale)
    return next === undefined || next === locale ? [locale] : [locale, next]
  }

  #localized(holder: Holder, locale: string): object {
    const { name, name_localizations, description, description_localizations, choices, options, ...rest } =
      holder
    const localizedList = (list: readonly Holder[]) =>
      Object.freeze(list.map((item) => this.#localized(item, locale)))
    return Object.freeze({
      name: this.#resolved(name, name_localizations, locale).text,
      name_default: name,
      ...(description !== undefined && {
        description: this.#resolved(description, description_localizations, locale).text,
        description_default: description,
      }),
      ...rest,
      ...(choices && { choices: localizedList(choices) }),
      ...(options && { options: localizedList(options) }),
    })
  }
}

/** The text of a dictionary under a key; inherited properties are ignored. */
function entry(localizations: Localizations | null | undefined, key: string): string | undefined {
  if (!localizations || !Object.hasOwn(localizations, key)) return undefined
  const text: unknown = (localizations as Readonly<Record<string, unknown>>)[key]
  return typeof text === 'string' ? text : undefined
}

export interface LocalizableText {
  readonly path: Path
  readonly text: string
  readonly localizations: Localizations | null
}

interface Holder {
  readonly name: string
  readonly name_localizations: Localizations | null
  readonly description?: string
  readonly description_localizations?: Localizations | null
  readonly choices?: readonly Holder[]
  readonly options?: readonly Holder[]
}

/** Every text of a command that can be translated, in document order. */
export function* textsOf(holder: Holder, path: Path): Generator<LocalizableText> {
  const { name, description = '', choices = [], options = [] } = holder
  yield { path: [...path, 'name'], text: name, localizations: holder.name_localizations }
  // The empty descriptions of user and message commands need no translation.
  if (description !== '') {
    const localizations = holder.description_localizations ?? null
    yield { path: [...path, 'description'], text: description, localizations }
  }
  for (const [index, choice] of choices.entries()) yield* textsOf(choice, [...path, 'choices', index])
  for (const [index, option] of options.entries()) yield* textsOf(option, [...path, 'options', index])
}

function usedLocales(texts: readonly LocalizableText[]): string[] {
  const keys = new Set(texts.flatMap(({ localizations }) => Object.keys(localizations ?? {})))
  return locales.filter((locale) => keys.has(locale))
}
