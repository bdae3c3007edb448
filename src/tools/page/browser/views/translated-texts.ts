/** The texts that a translator has typed, in all languages. They stay here until a deploy or the Editor has them. */
import type { Answer } from '../../questions/questions.ts'
import type { PlacedText } from '../../questions/translations-questions.ts'
import { Source } from '../parts/ask.ts'
import { announce } from '../parts/dom.ts'
import { Drafts, type DraftFields } from '../parts/drafts.ts'
import { place } from '../parts/place.ts'

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
  const write = (texts: Texts): DraftFields =>
    new Map(Array.from(texts, ([key, [, , , text]]) => [key, text]))
  // The texts were kept with their places once.
  const placed = ([key, text]: readonly [string, unknown]) =>
    (Array.isArray(text) ? text : [...key.split('\n'), text]) as unknown as PlacedText
  const read = (fields: DraftFields): Texts => byPlace([...fields].map(placed))
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

/** Puts texts into the cells. They replace those of the same places. */
export function addTexts(texts: readonly PlacedText[]): void {
  typedTexts.put(place.app, new Map([...typedTexts.at(place.app), ...byPlace(texts)]))
}

/** What was deployed or given to the Editor, so that it can be brought back when a bot overwrites it. */
const sent = new Drafts('sent texts', formOf())

/** Sends the texts, once at a time. They end when that has succeeded. */
export function sendTexts<R>(post: () => Promise<R>): Promise<R | undefined> {
  const { app } = place
  return typedTexts.send(app, async (texts) => {
    const result = await post()
    sent.put(app, new Map([...sent.at(app), ...texts]))
    return result
  })
}

const replaced = new Source('texts')

/** The sent texts that the deployed commands do not have. */
export function replacedTexts(): readonly PlacedText[] {
  const { app } = place
  if (sent.isEmpty(app)) return []
  const missing = replaced.exactly({ app, server: '', texts: [...sent.at(app).values()] })?.texts ?? []
  return missing.filter((one) => !typedTexts.at(app).has(keyOf(...one)))
}

export const forgetSent = (): void => sent.drop(place.app)
