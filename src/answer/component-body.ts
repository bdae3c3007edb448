/** Rules about the components of a message or a modal (gateway facts 4, service facts 7.3). */
import type { Reading } from '../command/reading.ts'
import * as shape from '../command/shape.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import { rule } from '../core/rule.ts'
import { required } from '../core/wire.ts'
import { ButtonStyle, ComponentType } from '../interaction/types.ts'
import { messageWith } from './examples.ts'
import { answerListLength, answerTextLength } from './limits.ts'

const ROW_MIN = 1
const ROW_MAX = 5
const CUSTOM_ID_MIN = 1
const CUSTOM_ID_MAX = 100

const button = { type: ComponentType.BUTTON, style: ButtonStyle.PRIMARY, label: 'l', custom_id: 'c' }
const row = (...components: object[]) => ({ components: [{ type: ComponentType.ACTION_ROW, components }] })

/** A message with one component in a row, and an invalid field of it. */
const withComponent = (component: object, field: string) =>
  messageWith(row(component), 'components', 0, 'components', 0, field)

export const componentType = rule({
  code: 'component.type',
  clause: '2.11-09',
  summary: 'A component has a type.',
  on: 'callback',
  check: (type: unknown) =>
    typeof type === 'number' && Number.isInteger(type) && type > 0 ? undefined : shape.found(type),
  message: ({ actual }: shape.Found) =>
    `is ${actual}; give a type such as 1 ACTION_ROW, 2 BUTTON or 3 STRING_SELECT`,
  wire: required,
  breaks: (_, pick) =>
    pick(2) === 0
      ? messageWith({ components: [{ components: [button] }] }, 'components', 0, 'type')
      : withComponent({ ...button, type: undefined }, 'type'),
})

export const componentRow = answerListLength(
  'component.row',
  'An action row',
  ROW_MIN,
  ROW_MAX,
  'component',
  button,
  (buttons) => messageWith(row(...buttons), 'components', 0, 'components'),
)

export const componentIdMissing = rule({
  code: 'component.custom_id_required',
  clause: '2.11-09',
  summary: 'Buttons that are not links, select menus and inputs have a custom_id.',
  on: 'callback',
  check: shape.present.check,
  message: ({ actual }: shape.Found) => `is ${actual}; the app needs it to identify the component`,
  wire: required,
  breaks: (_, pick) => {
    const types = [...INTERACTIVE]
    return withComponent({ ...button, type: types[pick(types.length)], custom_id: undefined }, 'custom_id')
  },
})

export const componentId = answerTextLength(
  'component.custom_id',
  'The custom_id of a component',
  CUSTOM_ID_MIN,
  CUSTOM_ID_MAX,
  (custom_id) => withComponent({ ...button, custom_id }, 'custom_id'),
)

/** Rules about components. */
export const componentRules = [componentType, componentRow, componentIdMissing, componentId] as const

const INTERACTIVE: ReadonlySet<unknown> = new Set([
  ComponentType.BUTTON,
  ComponentType.STRING_SELECT,
  ComponentType.TEXT_INPUT,
  ComponentType.USER_SELECT,
  ComponentType.ROLE_SELECT,
  ComponentType.MENTIONABLE_SELECT,
  ComponentType.CHANNEL_SELECT,
  ComponentType.FILE_UPLOAD,
])

/** Link and premium buttons send nothing to the app. */
function needsId({ type, style }: JsonObject): boolean {
  if (type === ComponentType.BUTTON) return style !== ButtonStyle.LINK && style !== ButtonStyle.PREMIUM
  return INTERACTIVE.has(type)
}

/**
 * Reads a list of components, including nested ones. Unknown types are kept. The depth was checked before: see
 * `callbackDepth`.
 */
export function readComponents(reading: Reading, components: readonly unknown[]): void {
  reading.each(components, components.length, (item) => readComponent(reading, item), 'components')
}

function readComponent(reading: Reading, component: unknown): void {
  if (!reading.run(shape.object, component)) return
  const { type, custom_id, components, accessory, component: labelled } = component
  reading.run(componentType, type, 'type')
  if (needsId(component)) reading.run(componentIdMissing, custom_id, 'custom_id')
  if (reading.optional(shape.string, custom_id, 'custom_id')) reading.run(componentId, custom_id, 'custom_id')
  const isRow = type === ComponentType.ACTION_ROW
  if (isRow) reading.run(shape.present, components, 'components')
  if (reading.optional(shape.list, components, 'components')) {
    if (isRow) reading.run(componentRow, components, 'components')
    readComponents(reading, components)
  }
  // The accessory of a section, and the input of a label.
  if (isObject(accessory)) reading.at(['accessory'], () => readComponent(reading, accessory))
  if (isObject(labelled)) reading.at(['component'], () => readComponent(reading, labelled))
}
