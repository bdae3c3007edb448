/** The definitions that are being written: kept in the browser, one text for each place it came from. */
import { json } from './parts.ts'
import type { DefinitionFile } from '../viewer.ts'
import { ask, draw, place, Source } from './state.ts'

/** What is in the editor. */
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

/** The files of the command line. */
export const files = new Source<readonly DefinitionFile[]>(false)

/** Takes over what was saved to the open file elsewhere, unless it is being edited here. */
export function followFile(): void {
  const file = files.ask('files', {})?.find(({ name }) => name === draft.source)
  if (file === undefined || file.text === draft.original) return
  if (draft.text === draft.original) draft.text = file.text
  draft.original = file.text
}

setInterval(() => {
  if (place.view === 'editor' && files.value?.length && !document.hidden) files.retry()
}, 1_000)

const key = (): string => `commandry ${place.app} ${draft.server} ${draft.source}`

/** Keeps what was written, so that it survives a reload. */
export function keep(text: string): void {
  draft.text = text
  try {
    if (text === draft.original) localStorage.removeItem(key())
    else localStorage.setItem(key(), text)
  } catch {
    // A full or forbidden store loses the draft at the end of the session, and nothing else.
  }
  draw()
}

async function deployedText(): Promise<string> {
  if (draft.source !== 'Deployed' || place.app === '') return ''
  return ask<string>('deployed', { app: place.app, server: draft.server })
}

/** Opens a source, with what was written there before. */
export async function openSource(source: string, server = draft.server): Promise<void> {
  Object.assign(draft, { source, server, isOpen: true })
  const file = files.value?.find(({ name }) => name === source)
  draft.isReadOnly = file?.isReadOnly ?? false
  draft.original = file?.text ?? (await deployedText())
  draft.text = localStorage.getItem(key()) ?? draft.original
  draw()
}

/** What a deploy sends; null while the text is not JSON. */
export function definitions(): readonly object[] | null {
  try {
    const body = JSON.parse(draft.text) as object | object[]
    return Array.isArray(body) ? body : [body]
  } catch {
    return null
  }
}

export function format(text: string): string {
  try {
    return json(JSON.parse(text))
  } catch {
    return text
  }
}
