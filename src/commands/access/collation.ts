/** Sorting and searching of texts by the rules of a language. */
import { CommandType } from '../../model/command-types.ts'
import { BoundedMap } from '../../core/bounded-map.ts'
import { isLocale } from '../../model/locales.ts'

interface Language {
  readonly tag: string
  readonly order: Intl.Collator
  /** Compares letters without case and accents: in Swedish `a` and `å` differ, in German they do not. */
  readonly base: Intl.Collator
  readonly folded: BoundedMap<string, string>
}

// The largest cache of a language. Texts come from outside and can contain a million different characters.
const MAX_FOLDED = 4_096

const languages = new Map<string, Language>()

/** The language of a locale; English for an unknown locale. */
function languageOf(locale: string): Language {
  const tag = isLocale(locale) ? locale : 'en-US'
  let language = languages.get(tag)
  if (language === undefined) {
    language = {
      tag,
      order: new Intl.Collator(tag, { numeric: true }),
      base: new Intl.Collator(tag, { sensitivity: 'base' }),
      folded: new BoundedMap(MAX_FOLDED),
    }
    languages.set(tag, language)
  }
  return language
}

/**
 * A comparison function that sorts texts by the rules of a locale: `Ä` beside `A` in German and after `Z` in Swedish,
 * `2` before `10`. English for an unknown locale.
 */
export function comparer(locale: string): (a: string, b: string) => number {
  return languageOf(locale).order.compare
}

/**
 * A text without case, and without accents that the language does not treat as letters of their own. Korean syllables
 * are split into letters, so that searches match incomplete syllables.
 */
export function foldText(text: string, locale: string): string {
  const language = languageOf(locale)
  let folded = ''
  for (const character of text.normalize('NFC')) folded += foldCharacter(character, language)
  return folded
}

/**
 * The form of a text that searches compare: folded, trimmed, with single spaces. The dotless ı equals i in every
 * language, because a capital I can be either: in Turkish, `INVITE` is `invite` and `IŞIK` is `ışık`.
 */
export function searchForm(text: string, locale: string): string {
  return foldText(text, locale).replaceAll('ı', 'i').replace(/\s+/gu, ' ').trim()
}

function foldCharacter(character: string, language: Language): string {
  const known = language.folded.get(character)
  if (known !== undefined) return known
  const { tag, base, folded } = language
  const lower = character.toLocaleLowerCase(tag)
  // Through capital letters, which normalize more: ß becomes SS.
  const capital = lower.toLocaleUpperCase(tag).normalize('NFKD')
  const plain = capital.replace(/\p{M}/gu, '').toLocaleLowerCase(tag)
  // Some marks must stay, such as vowel signs of Devanagari: then the language treats the two forms as different.
  const result = base.compare(lower, plain) === 0 ? plain : lower
  folded.set(character, result)
  return result
}

// Longer than any path, which has at most three names of 32 characters.
const SEARCH_MAX = 200

/** The search of a picker: see `Picker.search`. */
export function searchOf<
  Entry extends { readonly type: CommandType; readonly name: string; readonly path: string },
>(entries: readonly Entry[], locale: string): (text: string) => readonly Entry[] {
  let forms: readonly (readonly [localized: string, byDefault: string])[] | undefined
  return (text) => {
    // Computed on the first search; most pickers are never searched.
    forms ??= entries.map(({ name, path }) => [searchForm(name, locale), searchForm(path, locale)])
    const isSlash = text.startsWith('/')
    const typed = searchForm(text.slice(isSlash ? 1 : 0, SEARCH_MAX), locale)
    const starting: Entry[] = []
    const containing: Entry[] = []
    for (const [i, entry] of entries.entries()) {
      if (isSlash && entry.type !== CommandType.CHAT_INPUT) continue
      const names = forms[i]!
      if (names.some((name) => name.startsWith(typed))) starting.push(entry)
      else if (names.some((name) => name.includes(typed))) containing.push(entry)
    }
    return Object.freeze([...starting, ...containing])
  }
}
