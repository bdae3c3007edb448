/** The text of the Editor, kept in the browser: one for each source. */
import { bodiesIn } from '../../authoring/definitions.ts'
import { parsedJson } from '../../core/json.ts'
import type { DefinitionFile } from '../query.ts'
import { ask, Source } from './ask.ts'
import { draw } from './dom.ts'
import { json, remember } from './parts.ts'
import { go, place } from './place.ts'

export const draft = {
  /** `Draft`, `Deployed`, or the name of a file. */
  source: 'Draft',
  /** The server whose commands these are; empty for the global ones. */
  server: '',
  text: '',
  /** The text of the source, as it was before it was edited. */
  original: '',
  isOpen: false,
  /** Modules are shown and not edited. */
  isReadOnly: false,
}

export const files = new Source('files', false)

/** The files, and with several of them the set that they make, which is read-only. */
function filesAndSet(): readonly DefinitionFile[] {
  const all = files.ask({}) ?? []
  if (all.length < 2) return all
  const bodies = all.flatMap(({ text }) => bodiesIn(parsedJson(text) ?? []))
  return [{ name: 'All files', text: json(bodies), isReadOnly: true, errors: [] }, ...all]
}

export const sources = (): readonly string[] =>
  [...filesAndSet(), { name: 'Draft' }, { name: 'Deployed' }].map(({ name }) => name)

/** Opens the first source, and follows changes of an open file on disk unless it is edited here. */
export function followSource(): void {
  const file = filesAndSet().find(({ name }) => name === draft.source)
  if (!draft.isOpen && files.isSettled) void openSource(sources()[0]!)
  if (file === undefined || file.text === draft.original) return
  if (draft.text === draft.original) draft.text = file.text
  draft.original = file.text
}

setInterval(() => {
  if (files.value?.length && !document.hidden) files.retry()
}, 1_000)

const key = (): string => `commandry ${place.app} ${draft.server} ${draft.source}`

export function keep(text: string): void {
  draft.text = text
  remember(key(), text === draft.original ? null : text)
  draw()
}

/** Opens a source, with the text that was kept for it. */
export async function openSource(source: string, server = draft.server): Promise<void> {
  Object.assign(draft, { source, server, isOpen: true })
  const file = filesAndSet().find(({ name }) => name === source)
  const isDeployed = source === 'Deployed' && place.app !== ''
  draft.isReadOnly = file?.isReadOnly ?? false
  draft.original = file?.text ?? (isDeployed ? await ask('deployed', { app: place.app, server }) : '')
  draft.text = localStorage.getItem(key()) ?? draft.original
  draw()
}

export async function openInEditor(source: string, server: string, text: string): Promise<void> {
  await openSource(source, server)
  keep(text)
  go({ view: 'editor' })
}

export function isOneOfFiles(): boolean {
  const all = files.value ?? []
  return all.length > 1 && all.some(({ name }) => name === draft.source)
}

/** What a deploy sends: with a file all other files too, because it deletes the rest. Null while a text is not JSON. */
export function definitions(): readonly unknown[] | null {
  const texts = isOneOfFiles()
    ? files.value!.map(({ name, text }) => (name === draft.source ? draft.text : text))
    : [draft.text]
  const bodies = texts.map((text) => parsedJson(text))
  return bodies.includes(undefined) ? null : bodies.flatMap(bodiesIn)
}
