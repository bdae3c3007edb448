/** The text of the Editor: what it comes from, what a person has made of it, and what a deploy sends. */
import { bodiesIn } from '../../../authoring/definitions-in-body.ts'
import { parsedJson } from '../../../../core/json.ts'
import type { DefinitionFile } from '../../questions/query.ts'
import { ask, Source } from '../parts/ask.ts'
import { draw } from '../parts/dom.ts'
import { Drafts, textForm } from '../parts/drafts.ts'
import { download, asJson } from '../parts/parts.ts'
import { go, place } from '../parts/place.ts'
import { sendTexts, typedAll } from './translated-texts.ts'

export const files = new Source('files', false)
export const deployed = new Source('deployed')
export const translated = new Source('translate')

setInterval(() => {
  if (files.value?.length && !document.hidden) files.retry()
}, 1_000)

/** The source of what is deployed with the texts that were typed for it, until they are sent. */
export const TRANSLATIONS = 'Translations'

/** The files, with several of them the set that they make, the two sources that are always there, and the translations. */
export function sources(): readonly DefinitionFile[] {
  const all = files.ask({}) ?? []
  const set: DefinitionFile = {
    ...{ name: 'All files', isReadOnly: true, errors: [] },
    get text() {
      return asJson(all.flatMap(({ text }) => bodiesIn(parsedJson(text) ?? [])))
    },
  }
  const isTyped = place.scope === '' && typedAll().length > 0
  const others = ['Draft', 'Deployed', ...(isTyped ? [TRANSLATIONS] : [])]
  const own = (name: string) => ({ name, text: '', isReadOnly: name === TRANSLATIONS, errors: [] })
  return [...(all.length > 1 ? [set] : []), ...all, ...others.map(own)]
}

const areFilesLoaded = (): boolean => files.value !== undefined || files.error !== ''

/** The name of the open source: that of the address, else the first one. Plan shows translations in place of an empty draft. */
export function sourceName(): string {
  if (!areFilesLoaded()) return place.source || 'Draft'
  const names = sources().map(({ name }) => name)
  if (names.includes(place.source)) return place.source
  const isEmpty = names[0] === 'Draft' && edited.isEmpty(keyOf('Draft', place.scope))
  return place.view === 'plan' && isEmpty && names.includes(TRANSLATIONS) ? TRANSLATIONS : names[0]!
}

/** The open source; undefined while it is loaded. */
export function openSource(): DefinitionFile | undefined {
  const all = sources()
  if (!areFilesLoaded()) return undefined
  const name = sourceName()
  const found = all.find((one) => one.name === name)!
  if (place.app === '' || (name !== 'Deployed' && name !== TRANSLATIONS)) return found
  const own = { app: place.app, server: place.scope }
  const texts = translating({ texts: typedAll() })
  const text = name === 'Deployed' ? deployed.exactly(own) : translated.exactly(texts)
  return text === undefined ? undefined : { ...found, text }
}

export const isReadOnly = (): boolean => openSource()?.isReadOnly ?? false

/** The texts that were edited; null where a source is as it was. */
const edited = new Drafts<string | null>('', textForm('Editor'))

/** A draft is for any application: it may be there before the first one is. */
const keyOf = (source: string, scope: string): string =>
  [source === 'Draft' ? '' : place.app, scope, source].join(' ')
const key = (): string => keyOf(sourceName(), place.scope)

export function draftText(): string {
  return edited.at(key()) ?? openSource()?.text ?? ''
}

/** What the Editor has of the deployed global commands; empty where that is what is deployed. */
export const editedCommands = (): string => edited.at(keyOf('Deployed', '')) ?? ''

/** A question about the commands that are translated. */
export const translating = (more: object): object =>
  Object.assign({ app: place.app, server: '', text: editedCommands() }, more)

/** Saves the commands as definitions, with the texts that were typed. */
export const saveTranslated = async () => download('commands.json', await translatedCommands())

const translatedCommands = (): Promise<string> => ask('translate', translating({ texts: typedAll() }))

/** Puts the texts of all languages into the Editor, in one step that can be undone there. */
export const sendToEditor = (): Promise<void> =>
  sendTexts(async () => openInEditor('Deployed', '', await translatedCommands()))

export function keepEdited(text: string): void {
  // What is typed before the files are loaded does not belong to them.
  if (!areFilesLoaded() && place.source === '') go({ source: 'Draft' }, true)
  edited.put(key(), text === openSource()?.text ? null : text)
}

/**
 * Deploys the open source, once at a time. A text of what is deployed is then not a draft, nor are the translations of it;
 * that of a file is one until the file has it.
 */
export function sendText<R>(post: () => Promise<R>): Promise<R | undefined> {
  if (sourceName() === TRANSLATIONS) return sendTexts(() => edited.send(keyOf('Deployed', ''), post))
  const isOfDeployed = sourceName() === 'Deployed'
  return edited.send(key(), post, () => isOfDeployed)
}

/** Puts a text into the Editor as typing would, so that undo brings back the one before. */
export async function openInEditor(source: string, scope: string, text: string): Promise<void> {
  go({ view: 'editor', source, scope })
  while (openSource() === undefined && !(deployed.isSettled && files.isSettled))
    await Promise.all([deployed.settled, files.settled])
  draw()
  // The page is drawn in a task of its own that stands before this one.
  await Promise.resolve()
  replaceText(text)
}

export const area = (): HTMLTextAreaElement => document.getElementById('source') as HTMLTextAreaElement

/** Replaces only the characters of the field that differ, as typing would, so that undo works. */
export function replaceText(next: string): void {
  const { value } = area()
  const shorter = Math.min(value.length, next.length)
  let start = 0
  while (start < shorter && value[start] === next[start]) start++
  let end = 0
  while (end < shorter - start && value.at(-1 - end) === next.at(-1 - end)) end++
  area().focus()
  area().setSelectionRange(start, value.length - end)
  const inserted = next.slice(start, next.length - end)
  const [name, argument] = inserted === '' ? ['delete'] : ['insertText', inserted]
  if (value === next || document.execCommand(name!, false, argument)) return
  area().setRangeText(inserted, start, value.length - end, 'end')
  area().dispatchEvent(new Event('input'))
}

export function isOneOfFiles(): boolean {
  const all = files.value ?? []
  return all.length > 1 && all.some(({ name }) => name === sourceName())
}

/** What a deploy sends: with a file all other files too, because it deletes the rest. Null while a text is not JSON. */
export function definitions(): readonly unknown[] | null {
  const own = draftText()
  const texts = isOneOfFiles()
    ? files.value!.map(({ name, text }) => (name === sourceName() ? own : text))
    : [own]
  const bodies = texts.map((text) => parsedJson(text))
  return bodies.includes(undefined) ? null : bodies.flatMap(bodiesIn)
}
