/** Reads the data of a MODAL answer. */
import { readModalComponents } from './component-body.ts'
import { modalId, modalTitle } from './component-rules.ts'
import { part, text } from './fields.ts'

export const readModal = part(
  { custom_id: text(modalId), title: text(modalTitle), components: readModalComponents },
  'custom_id',
  'title',
  'components',
)
