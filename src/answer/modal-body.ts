/** Rules about modals of apps (service facts 7.3). */
import type { Reading } from '../command/reading.ts'
import * as shape from '../command/shape.ts'
import type { JsonObject } from '../core/json.ts'
import type { Broken } from '../core/rule.ts'
import { InteractionCallbackType } from '../interaction/types.ts'
import { readComponents } from './component-body.ts'
import { invalidAnswer } from './examples.ts'
import { answerListLength, answerTextLength } from './limits.ts'

const CUSTOM_ID_MIN = 1
const CUSTOM_ID_MAX = 100
const TITLE_MAX = 45
const COMPONENTS_MIN = 1
const COMPONENTS_MAX = 5

const input = { type: 1, components: [{ type: 4, custom_id: 'i', style: 1, label: 'l' }] }

/** A modal with an invalid field. */
function modalWith(field: string, value: unknown): Broken {
  const data = { custom_id: 'c', title: 't', components: [input], [field]: value }
  return invalidAnswer({ type: InteractionCallbackType.MODAL, data }, 'data', field)
}

export const modalId = answerTextLength(
  'modal.custom_id',
  'The id of a modal',
  CUSTOM_ID_MIN,
  CUSTOM_ID_MAX,
  (text) => modalWith('custom_id', text),
)

export const modalTitle = answerTextLength('modal.title', 'The title of a modal', 0, TITLE_MAX, (text) =>
  modalWith('title', text),
)

export const modalComponents = answerListLength(
  'modal.components',
  'A modal',
  COMPONENTS_MIN,
  COMPONENTS_MAX,
  'component',
  input,
  (inputs) => modalWith('components', inputs),
)

/** Rules about modals. */
export const modalRules = [modalId, modalTitle, modalComponents] as const

/** Reads the data of a MODAL answer. */
export function readModal(reading: Reading, { custom_id, title, components }: JsonObject): void {
  if (reading.required(shape.string, custom_id, 'custom_id')) reading.run(modalId, custom_id, 'custom_id')
  if (reading.required(shape.string, title, 'title')) reading.run(modalTitle, title, 'title')
  if (reading.required(shape.list, components, 'components')) {
    reading.run(modalComponents, components, 'components')
    readComponents(reading, components)
  }
}
