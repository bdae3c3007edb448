/** The order people of a language expect, and texts as they are compared while somebody types. */
import { isLocale } from './locales.ts'

interface Language {
  readonly tag: string
  readonly order: Intl.Collator
  /** Tells whether two letters differ by more than case and accents: in Swedish `a` and `å` do, in German not. */
  readonly base: Intl.Collator
  /** The folded form of every character met so far. */
  readonly folded: Map<string, string>
}

// Characters that are remembered for a language; texts come from outside, and there are a million characters.
const MOST_FOLDED = 4_096

const languages = new Map<string, Language>()

/** Anything but a locale of the service counts as English. */
function languageOf(locale: string): Language {
  const tag = isLocale(locale) ? locale : 'en-US'
  let language = languages.get(tag)
  if (language === undefined) {
    language = {
      tag,
      order: new Intl.Collator(tag, { numeric: true }),
      base: new Intl.Collator(tag, { sensitivity: 'base' }),
      folded: new Map(),
    }
    languages.set(tag, language)
  }
  return language
}

/**
 * Compares texts for sorting, as readers of a locale expect it: `Ä` beside `A` in German and after `Z` in Swedish,
 * `2` before `10`. Any string will do as a locale; an unknown one is taken for English.
 */
export function comparer(locale: string): (a: string, b: string) => number {
  return languageOf(locale).order.compare
}

/**
 * A text in a form in which one contains the other when a reader of the locale would say so: without case and
 * accents, as far as the language takes them for the same letter. Korean syllables come apart into their letters,
 * so that a syllable that is still being typed is found.
 */
export function foldText(text: string, locale: string): string {
  const language = languageOf(locale)
  let folded = ''
  for (const character of text.normalize('NFC')) folded += foldCharacter(character, language)
  return folded
}

/**
 * A text as it is looked for and looked through while somebody types: folded, with one space where there are several
 * and none at either end. The dotless ı counts as an i in every language, because a capital I may be either: to a
 * reader of Turkish, `INVITE` is `invite` and `IŞIK` is `ışık`.
 */
export function searchForm(text: string, locale: string): string {
  return foldText(text, locale).replaceAll('ı', 'i').replace(/\s+/gu, ' ').trim()
}

function foldCharacter(character: string, language: Language): string {
  const known = language.folded.get(character)
  if (known !== undefined) return known
  const { tag, base, folded } = language
  const lower = character.toLocaleLowerCase(tag)
  // By way of the capital letters, which take more apart: ß becomes SS.
  const capital = lower.toLocaleUpperCase(tag).normalize('NFKD')
  const plain = capital.replace(/\p{M}/gu, '').toLocaleLowerCase(tag)
  // A vowel sign of Devanagari is a mark too, and not one to lose: the language knows.
  const result = base.compare(lower, plain) === 0 ? plain : lower
  if (folded.size >= MOST_FOLDED) folded.clear()
  folded.set(character, result)
  return result
}
