/** The rules about the keys and the entries of a dictionary (clauses 2.1-08, 2.10-04, 2.10-05). */
import { didYouMean } from '../../../core/nearest.ts'
import { renameToSuggestion, type UnknownKeyParams } from '../../../core/rules/rule-kinds.ts'
import { rule, warning } from '../../../core/rules/rule.ts'
import { quoted } from '../../../core/text.ts'
import { mustBeOneOf } from '../../../core/rules/wire-errors.ts'
import { closestLocale } from '../../../model/closest-locale.ts'
import { isLocale, locales } from '../../../model/locales.ts'

export const localizedRules = {
  localeKnown: rule({
    code: 'localization.locale',
    clause: '2.1-08',
    summary: 'The keys of a dictionary are supported locales.',
    check: (key: string): UnknownKeyParams | undefined =>
      isLocale(key) ? undefined : { key, suggestion: meantLocale(key) },
    about: 'key',
    message: ({ key, suggestion }) =>
      suggestion === null
        ? `${quoted(key)} is not a supported locale; \`Locale\` lists them all`
        : `${quoted(key)} is not a supported locale; ${didYouMean(quoted(suggestion))}`,
    wire: mustBeOneOf(locales),
    fix: renameToSuggestion,
  }),
  localizationFallback: warning({
    code: 'localization.fallback',
    clause: '2.10-05',
    summary:
      'A default in English also stands under its own key; otherwise its readers see the other English text.',
    check(british: unknown, american: unknown, text: string | undefined) {
      if ((british === undefined) === (american === undefined) || (british ?? american) === text)
        return undefined
      return american === undefined
        ? { reader: 'en-US', shown: 'en-GB' }
        : { reader: 'en-GB', shown: 'en-US' }
    },
    message: ({ reader, shown }) =>
      `has no ${reader}, so readers in ${reader} see the ${shown} text and not the default; add ${reader} if they should not`,
  }),
  localizationDefault: warning({
    code: 'localization.default',
    clause: '2.10-04',
    summary: 'A localization differs from the default, or keeps a fallback from being shown.',
    check: (locale: string, dictionary: Readonly<Record<string, unknown>>, text: string | undefined) =>
      text !== undefined && dictionary[locale] === text && isIdle(locale, dictionary) ? { text } : undefined,
    message: ({ text }) => `repeats the default ${quoted(text)}; you can omit it`,
  }),
} as const

/**
 * Whether a text equal to the default has no effect. In English it is what clause 2.10-05 advises; in es-419 it
 * keeps es-ES from being shown.
 */
function isIdle(locale: string, dictionary: Readonly<Record<string, unknown>>): boolean {
  if (locale === 'en-US' || locale === 'en-GB') return false
  return locale !== 'es-419' || dictionary['es-ES'] === undefined
}

// The codes of countries that people write for the languages spoken there.
const countries: ReadonlyMap<string, string> = new Map([
  ['br', 'pt-BR'],
  ['cn', 'zh-CN'],
  ['cz', 'cs'],
  ['dk', 'da'],
  ['gr', 'el'],
  ['jp', 'ja'],
  ['kr', 'ko'],
  ['se', 'sv-SE'],
  ['tw', 'zh-TW'],
  ['ua', 'uk'],
  ['vn', 'vi'],
])

/** The locale an author may have meant by an unsupported key. */
function meantLocale(key: string): string | null {
  return countries.get(key.slice(0, 3).toLowerCase()) ?? closestLocale(key)
}
