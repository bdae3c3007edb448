/** What a person may choose in a menu, and enter in the input of a modal. */
import { isObject } from '../../core/json.ts'
import { isSnowflake } from '../../core/snowflake.ts'
import { counted, countCharacters, describeValue, listed, quoted } from '../../core/text.ts'
import { isOfFileType } from '../../model/file-types.ts'
import { processIds, takeId } from '../../model/id-source.ts'
import type { SubmittedComponent } from '../../model/interaction-payload.ts'
import { ComponentType } from '../../model/interaction-types.ts'
import { completeAttachment, type AttachedFile, type ResolvedObjects } from './complete.ts'
import { refuseUse } from './component-error.ts'
import type { InteractionRequest } from './create.ts'
import { idOfName, namesText } from './known-names.ts'
import { initialItems, objectsIn } from './modal-inputs.ts'
import { notInDirectMessage, otherFileType, type MentionKind } from './usage-rules.ts'

/** The values of a modal by the label or the custom_id: texts, choices, whether a checkbox is checked, and files. */
export interface ModalValues {
  readonly [name: string]: string | boolean | AttachedFile | readonly string[] | readonly AttachedFile[]
}

export type InputValue = ModalValues[string]

export interface Component {
  readonly type?: unknown
  readonly [field: string]: unknown
}

/** The select menus, and the kinds of objects whose ids they send. */
export const menuKinds: { readonly [type: number]: readonly MentionKind[] } = {
  [ComponentType.STRING_SELECT]: [],
  [ComponentType.USER_SELECT]: ['users'],
  [ComponentType.ROLE_SELECT]: ['roles'],
  [ComponentType.MENTIONABLE_SELECT]: ['users', 'roles'],
  [ComponentType.CHANNEL_SELECT]: ['channels'],
}

export function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

function isFile(value: unknown): value is AttachedFile {
  return isObject(value) && isString(value.filename) && (value.id === undefined || isSnowflake(value.id))
}

export function isInputValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((one) => isString(one) || isFile(one))
  return isString(value) || isFlag(value) || isFile(value)
}

export function isSelectMenu({ type }: Component): boolean {
  return Object.hasOwn(menuKinds, String(type))
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}

/** An input that a person fills. */
export interface Filling {
  readonly input: Component
  readonly subject: string
  /** Whether it may stay empty. */
  readonly isOptional: boolean
  readonly use: Pick<InteractionRequest, 'ids' | 'resolved'>
  /** The objects of the ids that are sent. */
  readonly objects: ResolvedObjects
}

/** The inputs of modals, in messages. */
const nouns: { readonly [type: number]: string } = {
  [ComponentType.TEXT_INPUT]: 'input',
  [ComponentType.FILE_UPLOAD]: 'file upload',
  [ComponentType.RADIO_GROUP]: 'radio group',
  [ComponentType.CHECKBOX_GROUP]: 'checkbox group',
  [ComponentType.CHECKBOX]: 'checkbox',
}

/** An input in messages; undefined for other components. */
export function nounOf(component: Component): string | undefined {
  return isSelectMenu(component) ? 'select menu' : nouns[Number(component.type)]
}

/** The value before a person enters another one. */
export function initialValue(input: Component): InputValue {
  if (input.type === ComponentType.CHECKBOX) return input.default === true
  if (input.type !== ComponentType.TEXT_INPUT) return initialItems(input)
  return isString(input.value) ? input.value : ''
}

/** The field of the submitted component. @throws ComponentError `invalid_values` */
export function sentValue(filling: Filling, value: InputValue): Pick<SubmittedComponent, 'value' | 'values'> {
  switch (filling.input.type) {
    case ComponentType.TEXT_INPUT:
      return { value: textValue(filling, value) }
    case ComponentType.CHECKBOX:
      return { value: typed(filling, value, isFlag, 'true or false') }
    case ComponentType.RADIO_GROUP:
      return { value: listValue(filling, value)[0] ?? null }
    default:
      return { values: listValue(filling, value) }
  }
}

/** The value, if it has the type that the input takes. @throws ComponentError `invalid_values` for another type */
function typed<T>(
  { subject }: Filling,
  value: unknown,
  hasType: (value: unknown) => value is T,
  words: string,
): T {
  if (hasType(value)) return value
  return refuseUse('invalid_values', `${subject} takes ${words}, got ${describeValue(value)}`)
}

export function listValue(filling: Filling, value: InputValue): readonly string[] {
  const { input, subject, isOptional } = filling
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (isOptional && items.length === 0) return []
  const most = input.type === ComponentType.CHECKBOX_GROUP ? objectsIn(input.options).length : 1
  const min = numberOr(input.min_values, 1)
  const max = numberOr(input.max_values, most)
  if (items.length < min || items.length > max) {
    const range = min === max ? counted(min, 'value') : `${min} to ${max} values`
    const chosen = items.length === 1 ? '1 is' : `${items.length} are`
    refuseUse('invalid_values', `${subject} takes ${range}; ${chosen} chosen`)
  }
  const chosen = items.map((item) => itemValue(filling, item))
  if (new Set(chosen).size < chosen.length) refuseUse('invalid_values', `${subject} takes each value once`)
  return chosen
}

/** The value of an option, or the id of an object or a file. */
function itemValue(filling: Filling, item: unknown): string {
  const { type } = filling.input
  if (type === ComponentType.FILE_UPLOAD) return fileId(filling, item)
  const kinds = menuKinds[Number(type)] ?? []
  return kinds.length === 0 ? optionValue(filling, item) : objectId(filling, item, kinds)
}

function optionValue(filling: Filling, item: unknown): string {
  const { input, subject } = filling
  const value = typed(filling, item, isString, 'values and labels of options')
  const options = objectsIn(input.options)
  const found = options.find((one) => one.value === value) ?? options.find((one) => one.label === value)
  if (found !== undefined) return String(found.value)
  const offered = listed(options.map((one) => quoted(String(one.label))))
  return refuseUse('invalid_values', `${subject} has no option ${quoted(value)}; it has ${offered}`)
}

function objectId(filling: Filling, item: unknown, kinds: readonly MentionKind[]): string {
  const { input, subject, use, objects } = filling
  const value = typed(filling, item, isString, 'ids and names')
  const id = isSnowflake(value) ? value : idOfName(kinds, value, use.resolved)
  if (id === undefined) {
    const got = `got the unknown ${quoted(value)}${namesText(kinds, value, use.resolved)}`
    return refuseUse('invalid_values', `${subject} takes ids such as "1029384756" and names, ${got}`)
  }
  const noun = objects.elsewhere(id)
  if (noun !== null) refuseUse('invalid_values', `${subject}: ${quoted(value)} ${notInDirectMessage(noun)}`)
  const channel = input.type === ComponentType.CHANNEL_SELECT ? use.resolved?.channels?.[id] : undefined
  const types: readonly unknown[] = Array.isArray(input.channel_types) ? input.channel_types : []
  if (channel !== undefined && types.length > 0 && !types.includes(channel.type)) {
    const wanted = listed(types.map(String), 'or')
    const got = `${quoted(value)} has type ${channel.type}`
    refuseUse('invalid_values', `${subject} takes channels of type ${wanted}; ${got}`)
  }
  objects.add(id, kinds)
  return id
}

function fileId(filling: Filling, item: unknown): string {
  const file = typed(filling, item, isFile, 'files with a filename')
  const types = filling.input.file_types
  if (Array.isArray(types) && types.length > 0 && !isOfFileType(file, types))
    refuseUse('invalid_values', `${filling.subject}: the value ${otherFileType(file.filename, types)}`)
  const { id = takeId(filling.use.ids ?? processIds()) } = file
  filling.objects.put('attachments', id, completeAttachment({ ...file, id }))
  return id
}

const TEXT_MAX = 4_000

function textValue(filling: Filling, given: InputValue): string {
  const { input, subject, isOptional } = filling
  const value = typed(filling, given, isString, 'a text')
  const count = countCharacters(value)
  if (count === 0) return isOptional ? value : refuseUse('invalid_values', `${subject} is required`)
  const min = numberOr(input.min_length, 0)
  const max = numberOr(input.max_length, TEXT_MAX)
  if (count >= min && count <= max) return value
  return refuseUse('invalid_values', `${subject} takes ${min} to ${max} characters, got ${count}`)
}
