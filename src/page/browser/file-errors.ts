/** The errors of the files of the command line, above every view. */
import { counted } from '../../core/text.ts'
import { h, type Child } from './dom.ts'
import { files } from './draft.ts'
import { openFile } from './editor.ts'
import { button } from './parts.ts'

export function fileErrors(): Child {
  const all = (files.ask('files', {}) ?? []).flatMap(({ name, errors }) =>
    errors.map((one) => ({ name, ...one })),
  )
  const [first] = all
  if (first === undefined) return null
  const { name, line, text } = first
  return h`<p class="notice bad" role="alert" key="files">
    <span>${counted(all.length, 'error')} in your files. ${name}${line !== null && `:${line}`} ${text}</span>
    ${button('Open the line', () => void openFile(name, line), { class: 'quiet' })}
  </p>`
}
