/** The text of the Editor: that of its source, until it is edited. Edited texts are kept in the browser. */
import { bodiesIn } from '../../authoring/definitions.ts'
import { parsedJson } from '../../core/json.ts'
import type { DefinitionFile } from '../query.ts'
import { Source } from './ask.ts'
import { json, recall, remember } from './parts.ts'
import { go, place } from './place.ts'

export const draft = {
  /** `Draft`, `Deployed`, or the name of a file; empty until the files are loaded. */
  source: '',
  /** The server whose commands these are; empty for the global ones. */
  server: '',
}

export const files = new Source('files', false)
const deployed = new Source('deployed')

setInterval(() => {
  if (files.value?.length && !document.hidden) files.retry()
}, 1_000)

/** The files, with several of them the set that they make, and the two sources that are always there. */
export function sources(): readonly DefinitionFile[] {
  const all = files.ask({}) ?? []
  const set: DefinitionFile = {
    ...{ name: 'All files', isReadOnly: true, errors: [] },
    get text() {
      return json(all.flatMap(({ text }) => bodiesIn(parsedJson(text) ?? [])))
    },
  }
  const own = { text: '', isReadOnly: false, errors: [] }
  return [...(all.length > 1 ? [set] : []), ...all, { name: 'Draft', ...own }, { name: 'Deployed', ...own }]
}

/** The open source, at first the first one; undefined while it is loaded. */
export function openSource(): DefinitionFile | undefined {
  const all = sources()
  if (files.value === undefined && files.error === '') return undefined
  const found = all.find(({ name }) => name === draft.source) ?? all[0]!
  draft.source = found.name
  if (found.name !== 'Deployed' || place.app === '') return found
  const text = deployed.ask({ app: place.app, server: draft.server })
  return text === undefined ? undefined : { ...found, text }
}

/** The texts that were edited in this tab, by their keys. */
const edited = new Map<string, string>()

const key = (): string => `commandry ${place.app} ${draft.server} ${draft.source}`

export function draftText(): string {
  const source = openSource()
  return edited.get(key()) ?? recall(key()) ?? source?.text ?? ''
}

export function keep(text: string): void {
  const isEdited = text !== openSource()?.text
  if (isEdited) edited.set(key(), text)
  else edited.delete(key())
  remember(key(), isEdited ? text : null)
}

export function openInEditor(source: string, server: string, text: string): void {
  Object.assign(draft, { source, server })
  keep(text)
  go({ view: 'editor' })
}

export function isOneOfFiles(): boolean {
  const all = files.value ?? []
  return all.length > 1 && all.some(({ name }) => name === draft.source)
}

/** What a deploy sends: with a file all other files too, because it deletes the rest. Null while a text is not JSON. */
export function definitions(): readonly unknown[] | null {
  const own = draftText()
  const texts = isOneOfFiles()
    ? files.value!.map(({ name, text }) => (name === draft.source ? own : text))
    : [own]
  const bodies = texts.map((text) => parsedJson(text))
  return bodies.includes(undefined) ? null : bodies.flatMap(bodiesIn)
}
