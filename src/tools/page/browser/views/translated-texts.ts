/** The texts that a translator has typed, in all languages, and where they are sent. */
import type { Answer } from '../../questions/questions.ts'
import type { PlacedText } from '../../questions/translations-questions.ts'
import { counted } from '../../../../core/text.ts'
import { ask } from '../parts/ask.ts'
import { announce, notify } from '../parts/dom.ts'
import { Drafts, type Fields } from '../parts/drafts.ts'
import { place } from '../parts/place.ts'
import { editedCommands, openInEditor } from './edited-text.ts'

type Texts = ReadonlyMap<string, PlacedText>

/** The texts of all languages, by application: they are sent together. */
const typedTexts = new Drafts('texts', formOf('Translations'))

type Cell = Answer<'translations'>['commands'][number]['rows'][number]['cells'][number]

/** The place of a text, in the commands and among the languages. */
export interface TextPlace extends Pick<Cell, 'locale' | 'own'> {
  readonly command: string
  readonly label: string
}

const keyOf = (...[locale, command, label]: readonly string[]): string => [locale, command, label].join('\n')

const byPlace = (texts: readonly PlacedText[]): Texts => new Map(texts.map((one) => [keyOf(...one), one]))

function formOf(title?: string) {
  const write = (texts: Texts): Fields => new Map(Array.from(texts, ([key, [, , , text]]) => [key, text]))
  // The texts were kept with their places once.
  const placed = ([key, text]: readonly [string, unknown]) =>
    (Array.isArray(text) ? text : [...key.split('\n'), text]) as unknown as PlacedText
  const read = (fields: Fields): Texts => byPlace([...fields].map(placed))
  const empty = (): Texts => new Map()
  return { empty, isEmpty: ({ size }: Texts) => size === 0, kept: { ...(title && { title }), write, read } }
}

export const typedAll = (): readonly PlacedText[] => [...typedTexts.at(place.app).values()]

/** The text that was typed for a place; undefined for none. */
export const typedAt = ({ locale, command, label }: TextPlace): string | undefined =>
  typedTexts.at(place.app).get(keyOf(locale, command, label))?.[3]

export const textAt = (at: TextPlace): string => typedAt(at) ?? at.own ?? ''

/** Keeps a text; one that is as before needs no keeping. */
export function typeText(at: TextPlace, text: string): void {
  const { locale, command, label, own } = at
  const texts = new Map(typedTexts.at(place.app))
  const key = keyOf(locale, command, label)
  if (text === (own ?? '')) texts.delete(key)
  else texts.set(key, [locale, command, label, text])
  typedTexts.put(place.app, texts)
  discarded.drop(place.app)
}

/** What was discarded, until something is typed again. */
const discarded = new Drafts('discarded', formOf())

export function discardTexts(): void {
  discarded.put(place.app, new Map([...discarded.at(place.app), ...typedTexts.at(place.app)]))
  typedTexts.drop(place.app)
  announce('The texts are discarded')
}

/** Brings the discarded texts back; undefined where there are none. */
export function bringBack(): (() => void) | undefined {
  const { app } = place
  return discarded.isEmpty(app) ? undefined : () => typedTexts.put(app, discarded.at(app))
}

const question = (more: object): object => ({ app: place.app, server: '', text: editedCommands(), ...more })

/** Fills the cells from a JSON, and names what was not used. @param locale that of texts without a language @returns the languages */
export async function fillFrom(text: string, locale: string): Promise<readonly string[]> {
  try {
    const { app } = place
    const given: unknown = JSON.parse(text)
    const { texts, unused } = await ask('texts', question({ given, locale }))
    typedTexts.put(app, new Map([...typedTexts.at(app), ...byPlace(texts)]))
    announce(`${counted(texts.length, 'text')} filled in`)
    if (unused.length > 0)
      notify(`${unused.length} texts were not used, no command or language has them: ${unused.join('; ')}`)
    return texts.map(([locale]) => locale)
  } catch (error) {
    throw new Error(`The translations cannot be used: ${(error as Error).message}`)
  }
}

/** The commands as definitions, with the texts that were typed. */
export const translatedCommands = (): Promise<string> => ask('translate', question({ texts: typedAll() }))

/** Puts the texts of all languages into the Editor, in one step that can be undone there. */
export async function sendBack(): Promise<boolean> {
  const sent = await typedTexts.send(place.app, async () => {
    await openInEditor('Deployed', '', await translatedCommands())
    return true
  })
  return sent === true
}
