/** Reads the data of a MODAL answer. */
import { readModalComponents } from './component-body.ts'
import { componentRules } from './component-rules.ts'
import { part, text } from './fields.ts'

export const readModal = part(
  {
    custom_id: text(componentRules.modalId),
    title: text(componentRules.modalTitle),
    components: readModalComponents,
  },
  'custom_id',
  'title',
  'components',
)
