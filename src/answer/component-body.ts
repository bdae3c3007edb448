/** Rules about the components of a message or a modal (gateway facts 4, service facts 7.3). */
import type { Reading } from '../command/reading.ts'
import * as shape from '../command/shape.ts'
import { isObject, type JsonObject } from '../core/json.ts'
import { rule } from '../core/rule.ts'
import { counted } from '../core/text.ts'
import { badLength, required } from '../core/wire.ts'
import { ButtonStyle, ComponentType } from '../interaction/types.ts'
import { messageWith } from './examples.ts'
import { textLength } from './text-length.ts'

const ROW_MIN = 1
const ROW_MAX = 5
const CUSTOM_ID_MIN = 1
const CUSTOM_ID_MAX = 100

const button = { type: ComponentType.BUTTON, style: ButtonStyle.PRIMARY, label: 'l', custom_id: 'c' }
const row = (...components: object[]) => ({ components: [{ type: ComponentType.ACTION_ROW, components }] })

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
  breaks: (_, pick) => {
    const { type: _type, ...without } = button
    return pick(2) === 0
      ? messageWith({ components: [{ components: [button] }] }, 'components', 0, 'type')
      : messageWith(row(without), 'components', 0, 'components', 0, 'type')
  },
})

export const componentRow = rule({
  code: 'component.row',
  clause: '2.11-09',
  limit: { min: ROW_MIN, max: ROW_MAX },
  summary: `An action row has ${ROW_MIN} to ${ROW_MAX} components.`,
  on: 'callback',
  check: ({ length }: readonly unknown[]) =>
    length >= ROW_MIN && length <= ROW_MAX ? undefined : { actual: length },
  message: ({ actual }: { actual: number }) =>
    `has ${counted(actual, 'component')}; ${ROW_MIN} to ${ROW_MAX} are allowed in a row`,
  wire: badLength(ROW_MIN, ROW_MAX),
  breaks: (_, pick) => {
    const buttons = Array.from({ length: ROW_MAX + 1 }, (_, i) => ({ ...button, custom_id: `${i}` }))
    return messageWith(row(...(pick(2) === 0 ? [] : buttons)), 'components', 0, 'components')
  },
})

export const componentIdMissing = rule({
  code: 'component.custom_id_required',
  clause: '2.11-09',
  summary: 'Buttons that are not links, select menus and inputs have a custom_id.',
  on: 'callback',
  check: (value: unknown) => (value === undefined || value === null ? shape.found(value) : undefined),
  message: ({ actual }: shape.Found) => `is ${actual}; the app needs it to identify the component`,
  wire: required,
  breaks: (_, pick) => {
    const types = [...INTERACTIVE]
    const type = types[pick(types.length)]!
    return messageWith(
      row({ ...button, type, custom_id: undefined }),
      'components',
      0,
      'components',
      0,
      'custom_id',
    )
  },
})

export const componentId = textLength(
  'component.custom_id',
  'The custom_id of a component',
  CUSTOM_ID_MIN,
  CUSTOM_ID_MAX,
  (custom_id) => messageWith(row({ ...button, custom_id }), 'components', 0, 'components', 0, 'custom_id'),
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
export function readComponents(reading: Reading, components: readonly unknown[], key = 'components'): void {
  const at = reading.depth
  reading.path[at] = key
  reading.depth += 2
  components.forEach((component, index) => {
    reading.path[at + 1] = index
    readComponent(reading, component)
  })
  reading.depth = at
}

function readComponent(reading: Reading, component: unknown): void {
  if (!reading.run(shape.object, component)) return
  reading.run(componentType, component.type, 'type')
  const { custom_id } = component
  if (needsId(component)) reading.run(componentIdMissing, custom_id, 'custom_id')
  if (custom_id !== undefined && custom_id !== null && reading.run(shape.string, custom_id, 'custom_id')) {
    reading.run(componentId, custom_id, 'custom_id')
  }
  const { components, accessory, component: labelled } = component
  if (component.type === ComponentType.ACTION_ROW && reading.run(shape.present, components, 'components')) {
    if (Array.isArray(components)) reading.run(componentRow, components, 'components')
  }
  if (components !== undefined && components !== null && reading.run(shape.list, components, 'components')) {
    readComponents(reading, components)
  }
  readNested(reading, accessory, 'accessory')
  readNested(reading, labelled, 'component')
}

/** A component in a field of another: the accessory of a section, the input of a label. */
function readNested(reading: Reading, value: unknown, key: string): void {
  if (!isObject(value)) return
  reading.path[reading.depth++] = key
  readComponent(reading, value)
  reading.depth--
}
