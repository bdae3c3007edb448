/** A text with its translations, which obey the rules of the default (clauses 2.1-08, 2.1-10, 2.4-04, 2.6-01). */
import { jsonValue, ownField, type JsonObject } from '../../../core/json.ts'
import type { Rule } from '../../../core/rules/rule.ts'
import { isInvisible } from '../../../core/text.ts'
import { isLocale } from '../../../model/locales.ts'
import type { Localizations } from '../../../model/command-definition.ts'
import { localizedRules } from '../rules/localized-text-rules.ts'
import { classifyName, DECOMPOSED } from '../rules/name-characters.ts'
import { nameRules } from '../rules/name-rules.ts'
import type { FieldReader } from '../../../core/rules/readers.ts'
import type { Reading } from '../rules/reading.ts'
import * as shape from '../../../core/rules/shape-rules.ts'

/** One kind of text: its rules beside being a string. */
export interface TextKind {
  readonly length: Rule<string, { actual: number }, [text: string]>
  /** The limits of the length rule: a text well within them is not counted. */
  readonly min: number
  readonly max: number
  /** Follows the alphabet and the letter case of slash command and option names. */
  readonly isStrict: boolean
  /** A text of white space and invisible characters counts as empty. */
  readonly isVisible: boolean
}

/* @__NO_SIDE_EFFECTS__ */
export function textKind(
  length: TextKind['length'],
  { isStrict = false, isVisible = false }: Partial<Pick<TextKind, 'isStrict' | 'isVisible'>> = {},
): TextKind {
  const { min = 0, max = Infinity } = length.limit ?? {}
  return { length, min: Number(min), max: Number(max), isStrict, isVisible }
}

/** The names of slash commands and of options. */
export const strictName = /* @__PURE__ */ textKind(nameRules.nameLength, { isStrict: true })

/** Reads a text that has to be given; `undefined` if it is missing or not a text. */
export function readText(reading: Reading, value: unknown, kind: TextKind): string | undefined {
  if (typeof value !== 'string') return void reading.required(shape.string, value)
  reading.units += value.length
  checkText(reading, value, kind, null)
  return value
}

/** A text that has to be given. */
/* @__NO_SIDE_EFFECTS__ */
export function textReader(kind: TextKind): FieldReader<string, Reading> {
  return (reading, value) => readText(reading, value, kind)
}

type LocalizedField = 'name' | 'description'

/** The translations of another field. */
/* @__NO_SIDE_EFFECTS__ */
export function translationsOf(
  field: LocalizedField,
  kind: TextKind,
): FieldReader<Localizations | null, Reading, Texts> {
  return (reading, value, whole, body) => readLocalizations(reading, value, ownText(whole, body, field), kind)
}

type Texts = { readonly [Field in LocalizedField]?: string | undefined }

/** The default of a localized text; `undefined` if it is not a text. It may stand after its translations. */
export function ownText(whole: Texts, body: JsonObject, field: LocalizedField): string | undefined {
  const text = whole[field] || jsonValue(ownField(body, field), field)
  return typeof text === 'string' ? text : undefined
}

/** @param locale the locale of a localized text; null for the default */
export function checkText(reading: Reading, value: string, kind: TextKind, locale: string | null): void {
  if (value.length > kind.max || value.length < kind.min || (kind.isVisible && isInvisible(value)))
    reading.check(kind.length, value)
  const found = kind.isStrict ? classifyName(value) : 0
  if (found === 0) return
  // Combining marks are outside the alphabet, and that rule names the form too.
  if (reading.check(nameRules.nameCharacters, value, locale) && (found & DECOMPOSED) !== 0)
    reading.check(nameRules.nameDecomposed, value)
  reading.check(nameRules.nameCase, value, locale)
  reading.check(nameRules.nameApostrophe, value)
}

/** Reads the translations of a text; null for an empty dictionary (2.1-23). `own` is the text, if it could be read. */
export function readLocalizations(
  reading: Reading,
  value: unknown,
  own: string | undefined,
  kind: TextKind,
): Localizations | null {
  if (!reading.check(shape.dictionary, value)) return null
  const units = own?.length ?? 0
  let longest = units
  let count = 0
  // A spread copy is much faster than one made key by key, and smaller. Unknown keys may be many, and are not copied.
  const texts: Record<string, unknown> = hasOnlyLocales(value) ? { ...value } : readEntries(reading, value)
  const { min, max, isStrict, isVisible } = kind
  for (const locale in texts) {
    let text = texts[locale] as string | undefined
    if (typeof text !== 'string') {
      text = reading.at(locale, readEntry, text, locale)
      if (text === undefined) {
        delete texts[locale]
        continue
      }
      texts[locale] = text
    }
    count++
    if (text.length > longest) longest = text.length
    if (
      text.length > max ||
      text.length < min ||
      (isStrict && classifyName(text) !== 0) ||
      (isVisible && isInvisible(text))
    )
      checkEntry(reading, text, kind, locale)
    if (own !== undefined && text === own) warnIfIdle(reading, value, own, locale)
  }
  reading.units += longest - units
  if (value['en-GB'] !== undefined || value['en-US'] !== undefined)
    warnAboutFallback(reading, value, own, texts)
  return count === 0 ? null : (texts as Localizations)
}

/** The entries of a dictionary with unknown keys, which are reported. */
function readEntries(reading: Reading, source: JsonObject): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const locale of Object.keys(source)) {
    const text = reading.at(locale, readEntry, source[locale], locale)
    if (text !== undefined) texts[locale] = text
  }
  return texts
}

function hasOnlyLocales(dictionary: JsonObject): boolean {
  for (const locale in dictionary) if (!isLocale(locale)) return false
  return true
}

function warnAboutFallback(
  reading: Reading,
  dictionary: JsonObject,
  own: string | undefined,
  texts: JsonObject,
): void {
  const {
    'en-GB': british = ownField(dictionary, 'en-GB'),
    'en-US': american = ownField(dictionary, 'en-US'),
  } = texts
  reading.check(localizedRules.localizationFallback, british, american, own)
}

function checkEntry(reading: Reading, text: string, kind: TextKind, locale: string): void {
  reading.at(locale, () => checkText(reading, text, kind, locale))
}

function warnIfIdle(reading: Reading, dictionary: JsonObject, own: string, locale: string): void {
  reading.at(locale, () => reading.check(localizedRules.localizationDefault, locale, dictionary, own))
}

/** A text under a locale, or what becomes one by `toJSON`; reports others. */
function readEntry(reading: Reading, value: unknown, locale: string): string | undefined {
  if (!isLocale(locale)) {
    // Suggestions cost too much to make for a flood of keys.
    if (value !== undefined && !reading.isFull('error')) reading.check(localizedRules.localeKnown, locale)
    return undefined
  }
  const text = jsonValue(value, locale)
  if (text === undefined || typeof text === 'string') return text
  return void reading.required(shape.string, text)
}
