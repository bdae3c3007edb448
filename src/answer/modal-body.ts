/** Reads modals of apps. */
import type { Reading } from '../command/reading.ts'
import type { JsonObject } from '../core/json.ts'
import { readModalComponents } from './component-body.ts'
import { modalId, modalTitle } from './component-rules.ts'
import { readFields, text } from './fields.ts'

const fields = {
  custom_id: text(modalId),
  title: text(modalTitle),
  components: readModalComponents,
}

/** Reads the data of a MODAL answer. */
export function readModal(reading: Reading, data: JsonObject): void {
  readFields(reading, data, fields, Object.keys(fields))
}
