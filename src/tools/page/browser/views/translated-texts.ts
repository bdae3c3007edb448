/** The texts that a translator has typed, in all languages, and where they are sent. */
import type { Answer } from '../../questions/questions.ts'
import type { PlacedText } from '../../questions/translations-questions.ts'
import { counted } from '../../../../core/text.ts'
import { ask } from '../parts/ask.ts'
import { announce, notify } from '../parts/dom.ts'
import { Drafts } from '../parts/drafts.ts'
import { place } from '../parts/place.ts'
import { editedCommands, openInEditor } from './edited-text.ts'

type Texts = ReadonlyMap<string, PlacedText>

/** The texts of all languages, by application: they are sent together. */
const typedTexts = new Drafts<Texts>('texts', {
  empty: () => new Map(),
  isEmpty: ({ size }) => size === 0,
  text: {
    write: (texts) => JSON.stringify([...texts.values()]),
    read: (text) => byPlace(JSON.parse(text)),
  },
})

type Cell = Answer<'translations'>['commands'][number]['rows'][number]['cells'][number]

/** The place of a text, in the commands and among the languages. */
export interface TextPlace extends Pick<Cell, 'locale' | 'own'> {
  readonly command: string
  readonly label: string
}

const keyOf = (...[locale, command, label]: readonly string[]): string => [locale, command, label].join('\n')

const byPlace = (texts: readonly PlacedText[]): Texts => new Map(texts.map((one) => [keyOf(...one), one]))

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

/** What was discarded last, until something is typed again. */
const discarded = new Drafts<Texts>('discarded', {
  empty: () => new Map(),
  isEmpty: ({ size }) => size === 0,
})

export function discardTexts(): void {
  discarded.put(place.app, typedTexts.at(place.app))
  typedTexts.drop(place.app)
  announce('The texts are discarded')
}

/** Brings the discarded texts back; undefined where there are none. */
export function bringBack(): (() => void) | undefined {
  const { app } = place
  return discarded.isEmpty(app) ? undefined : () => typedTexts.put(app, discarded.at(app))
}

const question = (more: object): object => ({ app: place.app, server: '', text: editedCommands(), ...more })

/** Fills the cells from a JSON, and names what was not used. @param locale that of texts without a language */
export async function fillFrom(text: string, locale: string): Promise<void> {
  try {
    const { app } = place
    const given: unknown = JSON.parse(text)
    const { texts, unused } = await ask('texts', question({ given, locale }))
    typedTexts.put(app, new Map([...typedTexts.at(app), ...byPlace(texts)]))
    announce(`${counted(texts.length, 'text')} filled in`)
    if (unused.length > 0)
      notify(`${unused.length} texts were not used, no command or language has them: ${unused.join('; ')}`)
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
