/** Rules about modals of apps (service facts 7.3). */
import type { Reading } from '../command/reading.ts'
import * as shape from '../command/shape.ts'
import type { JsonObject } from '../core/json.ts'
import { rule } from '../core/rule.ts'
import { counted } from '../core/text.ts'
import { badLength } from '../core/wire.ts'
import { InteractionCallbackType } from '../interaction/types.ts'
import { readComponents } from './component-body.ts'
import { slash } from './examples.ts'
import { textLength } from './text-length.ts'

const CUSTOM_ID_MIN = 1
const CUSTOM_ID_MAX = 100
const TITLE_MAX = 45
const COMPONENTS_MIN = 1
const COMPONENTS_MAX = 5

const input = { type: 1, components: [{ type: 4, custom_id: 'i', style: 1, label: 'l' }] }
const modal = {
  type: InteractionCallbackType.MODAL,
  data: { custom_id: 'c', title: 't', components: [input] },
}

function modalWith(field: string, value: unknown) {
  return {
    body: { interaction: slash, callback: { ...modal, data: { ...modal.data, [field]: value } } },
    path: ['data', field],
  }
}

export const modalId = textLength(
  'modal.custom_id',
  'The id of a modal',
  CUSTOM_ID_MIN,
  CUSTOM_ID_MAX,
  (text) => modalWith('custom_id', text),
)
export const modalTitle = textLength('modal.title', 'The title of a modal', 0, TITLE_MAX, (text) =>
  modalWith('title', text),
)

export const modalComponents = rule({
  code: 'modal.components',
  clause: '2.11-09',
  limit: { min: COMPONENTS_MIN, max: COMPONENTS_MAX },
  summary: `A modal has ${COMPONENTS_MIN} to ${COMPONENTS_MAX} components.`,
  on: 'callback',
  check: ({ length }: readonly unknown[]) =>
    length >= COMPONENTS_MIN && length <= COMPONENTS_MAX ? undefined : { actual: length },
  message: ({ actual }: { actual: number }) =>
    `has ${counted(actual, 'component')}; ${COMPONENTS_MIN} to ${COMPONENTS_MAX} are allowed`,
  wire: badLength(COMPONENTS_MIN, COMPONENTS_MAX),
  breaks: (_, pick) =>
    modalWith(
      'components',
      Array.from({ length: pick(2) === 0 ? 0 : COMPONENTS_MAX + 1 }, () => input),
    ),
})

/** Rules about modals. */
export const modalRules = [modalId, modalTitle, modalComponents] as const

/** Reads the data of a MODAL answer. */
export function readModal(reading: Reading, { custom_id, title, components }: JsonObject): void {
  for (const [key, value, length] of [
    ['custom_id', custom_id, modalId],
    ['title', title, modalTitle],
  ] as const) {
    if (reading.run(shape.present, value, key) && reading.run(shape.string, value, key))
      reading.run(length, value, key)
  }
  if (
    reading.run(shape.present, components, 'components') &&
    reading.run(shape.list, components, 'components')
  ) {
    reading.run(modalComponents, components, 'components')
    readComponents(reading, components)
  }
}
