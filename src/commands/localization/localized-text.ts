/** A text with its translations, which obey the rules of the default (clauses 2.1-08, 2.1-10, 2.4-04, 2.6-01). */
import { jsonValue, ownField, type JsonObject } from '../../core/json.ts'
import type { Rule } from '../../core/rules/rule.ts'
import { isInvisible } from '../../core/text.ts'
import { isLocale } from '../../model/locales.ts'
import type { Localizations } from '../../model/command-definition.ts'
import { localizedRules } from './localized-text-rules.ts'
import { classifyName, DECOMPOSED } from '../definition/rules/name-characters.ts'
import { nameRules } from '../definition/rules/name-rules.ts'
import { given, type FieldReader } from '../../core/rules/readers.ts'
import type { Reading } from '../definition/fields/reading.ts'
import * as shape from '../../core/rules/shape-rules.ts'

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
export function text(kind: TextKind): FieldReader<string, Reading> {
  return (reading, value) => readText(reading, value, kind)
}

/** The translations of another field. */
/* @__NO_SIDE_EFFECTS__ */
export function translationsOf(field: string, kind: TextKind): FieldReader<Localizations | null, Reading> {
  return (reading, value, _, body) => readLocalizations(reading, value, ownText(body, field), kind)
}

/** The default of a localized text; `undefined` if it is not a text. */
export function ownText(body: JsonObject, field: string): string | undefined {
  const text = given(ownField(body, field), field)
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
  if (!reading.check(shape.object, value)) return null
  const units = own?.length ?? 0
  let longest = units
  let count = 0
  // Copied key by key: when frozen, V8 11 gives each spread copy a hidden class of its own.
  const texts: Record<string, string> = {}
  for (const locale of Object.keys(value)) {
    let text = value[locale]
    if (typeof text !== 'string' || !isLocale(locale)) text = reading.at(locale, readEntry, text, locale)
    if (typeof text !== 'string') continue
    texts[locale] = text
    count++
    if (text.length > longest) longest = text.length
    if (!isPlainly(text, kind)) checkEntry(reading, text, kind, locale)
    if (text === own) warnIfIdle(reading, value, own, locale)
  }
  reading.units += longest - units
  const [british, american] = [ownField(value, 'en-GB'), ownField(value, 'en-US')]
  if (british !== undefined || american !== undefined)
    reading.check(localizedRules.localizationFallback, british, american, own)
  return count === 0 ? null : texts
}

/** Whether a text needs no further check. */
function isPlainly(text: string, { min, max, isStrict, isVisible }: TextKind): boolean {
  return (
    text.length <= max &&
    text.length >= min &&
    !(isStrict && classifyName(text) !== 0) &&
    !(isVisible && isInvisible(text))
  )
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
