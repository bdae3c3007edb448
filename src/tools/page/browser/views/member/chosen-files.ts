/** The files that people attach to messages, options and modals. */
import { processIds, takeId } from '../../../../../model/id-source.ts'
import { h, type Child } from '../../parts/dom.ts'
import { button } from '../../parts/parts.ts'

/** A file with its content in base64, as it is sent. */
export async function encoded(file: File): Promise<object> {
  const { name: filename, size, type } = file
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return { filename, size, base64: btoa(text), ...(type && { content_type: type }) }
}

/** The id of a file that is sent with a command. */
export const nextFileId = (): string => takeId(processIds())

export function sizeText(bytes: number): string {
  if (bytes < 1_024) return `${bytes} bytes`
  return bytes < 1_048_576 ? `${(bytes / 1_024).toFixed(1)} KB` : `${(bytes / 1_048_576).toFixed(1)} MB`
}

export function fileChip({ name, size }: File, remove: () => unknown): Child {
  const more = { class: 'quiet', 'aria-label': `Remove ${name}` }
  return h`<span class="box">${name} · ${sizeText(size)} ${button('×', remove, more)}</span>`
}
