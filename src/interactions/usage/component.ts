/** Using the components of a message and the inputs of a modal: interactions of types 3 and 5. */
import { errorJson } from '../../core/error-json.ts'
import { isObject } from '../../core/json.ts'
import { processIds, takeId } from '../../model/id-source.ts'
import { isSnowflake } from '../../core/snowflake.ts'
import { anyObject, argument, aString, demand, listArgument } from '../../core/rules/arguments.ts'
import { counted, countCharacters, describeValue, listed, quoted } from '../../core/text.ts'
import { isOfFileType } from '../../model/file-types.ts'
import { idOfName, namesText } from './known-names.ts'
import { notInDirectMessage, otherFileType, type MentionKind } from './usage-rules.ts'
import {
  completeAttachment,
  completeMember,
  completeUser,
  jsonCopy,
  ResolvedObjects,
  type AttachedFile,
} from './complete.ts'
import { takeToken, type InteractionRequest } from './create.ts'
import { findInput, initialItems, inputName, inputsOf, objectsIn, type NamedInput } from './modal-inputs.ts'
import {
  comesWithUser,
  knownFields,
  userOf,
  type AnyInteraction,
  type ComponentInteraction,
  type ComponentMessage,
  type ModalInteraction,
  type SubmittedComponent,
} from '../../model/interaction-payload.ts'
import {
  ButtonStyle,
  ComponentType,
  hasFlag,
  InteractionType,
  MessageFlag,
} from '../../model/interaction-types.ts'

/** Why a component cannot be used. */
export type ComponentErrorCode =
  /** The message or the modal has no such component. */
  | 'unknown_component'
  /** The component is disabled. */
  | 'disabled'
  /** Link and premium buttons send nothing to the app. */
  | 'not_interactive'
  /** The values do not fit the menu or the input. */
  | 'invalid_values'
  /** The message is ephemeral, or in a place where the user is not. */
  | 'not_visible'
  /** The member is timed out, and uses nothing meanwhile. */
  | 'timed_out'

/** A component cannot be used like this. The message lists the alternatives. */
export class ComponentError extends Error {
  override readonly name = 'ComponentError'
  readonly code: ComponentErrorCode

  constructor(code: ComponentErrorCode, message: string) {
    super(message)
    this.code = code
  }

  /** Plain JSON with `name`, `message`, `code` and all details, for logs and `postMessage`. */
  toJSON(): Readonly<Record<string, unknown>> {
    return errorJson(this)
  }
}

/** Who uses a component. The default user and language are those of the interaction. */
export interface ComponentUse extends Pick<
  InteractionRequest,
  'ids' | 'tokens' | 'member' | 'user' | 'locale' | 'resolved'
> {
  /** The interaction that the message answers or that opened the modal. Its place and installation are kept. */
  readonly interaction: AnyInteraction
}

interface OpenModal {
  readonly custom_id: string
  readonly components: readonly object[]
}

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

/**
 * Presses a button of a message.
 *
 * @param button its label or its custom_id; labels take precedence
 * @throws ComponentError if the message has no such button, or it cannot be pressed
 * @throws TypeError if an argument has another type
 */
export function press(message: ComponentMessage, button: string, use: ComponentUse): ComponentInteraction {
  checkMessage(message, 'message')
  checkButton(button, 'button')
  checkUse(use, 'use')
  const buttons = componentsOf(message.components).filter(({ type }) => type === ComponentType.BUTTON)
  const found = findUsable(buttons, ['label', 'custom_id'], 'button', button)
  return useComponent(message, found, {}, use)
}

/**
 * Chooses from a select menu of a message.
 *
 * @param menu its custom_id or its placeholder
 * @param values values or labels of a string menu; for the other menus ids, or names of known objects such as `@alan`
 * @throws ComponentError if the message has no such menu, or it does not accept the values
 * @throws TypeError if an argument has another type
 */
export function choose(
  message: ComponentMessage,
  menu: string,
  values: readonly string[],
  use: ComponentUse,
): ComponentInteraction {
  checkMessage(message, 'message')
  checkMenu(menu, 'menu')
  checkTexts(values, 'values')
  checkUse(use, 'use')
  const menus = componentsOf(message.components).filter(isMenu)
  const found = findUsable(menus, ['custom_id', 'placeholder'], 'select menu', menu)
  const objects = objectsOf(use)
  const subject = `the select menu ${quoted(menu)}`
  // Messages ignore `required`.
  const chosen = listValue({ input: found, subject, isOptional: false, use, objects }, values)
  return useComponent(message, found, { values: chosen, ...objects.get() }, use)
}

/**
 * Submits a modal. Inputs without a value keep that of the modal.
 *
 * @param values by the label or the custom_id of the input, which takes precedence; choices are values or labels of options, or ids or names of known objects
 * @throws ComponentError if the modal has no such input, or an input does not accept its value
 * @throws TypeError if an argument has another type
 */
export function submit(modal: OpenModal, values: ModalValues, use: ComponentUse): ModalInteraction {
  checkModal(modal, 'modal')
  checkValues(values, 'values')
  for (const [name, value] of Object.entries(values)) checkInputValue(value, `values.${name}`)
  checkUse(use, 'use')
  const inputs = inputsOf(modal.components, (one) => nounOf(one) !== undefined)
  const given = valuesByInput(inputs, values)
  const objects = objectsOf(use)
  // A submitted component has the shape of the one in the modal, with a value instead of labels.
  const submitted = (component: Component): SubmittedComponent => {
    const { id, type, components, component: labelled } = component
    const shared = { type: type as ComponentType, ...(typeof id === 'number' && { id }) }
    if (Array.isArray(components)) return { ...shared, components: components.map(submitted) }
    if (isObject(labelled)) return { ...shared, component: submitted(labelled) }
    const noun = nounOf(component)
    if (noun === undefined) return shared
    const custom_id = String(component.custom_id)
    const subject = `the ${noun} ${quoted(inputName(component, inputs))}`
    const filling = { input: component, subject, isOptional: component.required === false, use, objects }
    const value = given.get(component) ?? initialValue(component)
    return { ...shared, custom_id, ...sentValue(filling, value) }
  }
  const components = modal.components.map((one) => submitted(one as Component))
  const data = { custom_id: modal.custom_id, components, ...objects.get() }
  // A modal that a component opened has the message of the component.
  const { message } = use.interaction as { readonly message?: object }
  return nextInteraction<ModalInteraction>(use, InteractionType.MODAL_SUBMIT, data, message)
}

// --- Arguments ----------------------------------------------------------------------------------------------

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean'
}

function isFile(value: unknown): value is AttachedFile {
  return isObject(value) && isText(value.filename) && (value.id === undefined || isSnowflake(value.id))
}

export function isInputValue(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((one) => isText(one) || isFile(one))
  return isText(value) || isFlag(value) || isFile(value)
}

const checkMessage = demand(anyObject('a message'))
const checkModal = demand(
  argument('a modal with components', (modal) => isObject(modal) && Array.isArray(modal.components)),
)
const checkButton = demand(argument('a label or a custom_id', isText))
const checkMenu = demand(argument('a custom_id or a placeholder', isText))
const checkTexts = demand(listArgument(aString, 'a list of strings'))
const checkValues = demand(anyObject('an object of values by label or custom_id'))
const checkInputValue = demand(
  argument('a string, true or false, or a list of strings or files', isInputValue),
)
const checkUse = demand(
  argument('an object with the interaction', (use) => isObject(use) && isObject(use.interaction)),
)

function refuse(code: ComponentErrorCode, message: string): never {
  throw new ComponentError(code, message)
}

// --- Finding ------------------------------------------------------------------------------------------------

/** All components of a list, including nested ones, in display order. */
export function componentsOf(list: unknown): readonly Component[] {
  if (!Array.isArray(list)) return []
  return list
    .filter(isObject)
    .flatMap((one) => [
      one,
      ...componentsOf([one.component]),
      ...componentsOf(one.components),
      ...componentsOf([one.accessory]),
    ])
}

function isMenu({ type }: Component): boolean {
  return Object.hasOwn(menuKinds, String(type))
}

/** @throws ComponentError for a name of no input, or of several, and for an input with two values */
function valuesByInput(
  inputs: readonly NamedInput[],
  values: ModalValues,
): ReadonlyMap<Component, InputValue> {
  const given = new Map<Component, InputValue>()
  for (const [name, value] of Object.entries(values)) {
    const found = findInput(name, inputs)
    if (typeof found === 'string') refuse('unknown_component', found)
    if (given.has(found))
      refuse('invalid_values', `the input ${quoted(name)} is given twice, by its label and its custom_id`)
    given.set(found, value)
  }
  return given
}

/** The component with a name in one of the fields; the first field takes precedence. */
function findUsable(
  components: readonly Component[],
  fields: string[],
  kind: string,
  name: string,
): Component {
  const found =
    fields.map((field) => components.find((one) => one[field] === name)).find(isObject) ??
    refuseUnknown(kind, name, components)
  if (found.disabled === true) refuse('disabled', `the ${kind} ${quoted(name)} is disabled`)
  const { type, style } = found
  if (type === ComponentType.BUTTON && (style === ButtonStyle.LINK || style === ButtonStyle.PREMIUM)) {
    const what = style === ButtonStyle.LINK ? 'a link' : 'a premium button'
    refuse('not_interactive', `the button ${quoted(name)} is ${what}; it sends nothing to the app`)
  }
  return found
}

function refuseUnknown(kind: string, name: string, others: readonly Component[]): never {
  const names = others.map(({ label, custom_id, placeholder }) =>
    quoted(String(label ?? custom_id ?? placeholder)),
  )
  const verb = names.length === 1 ? 'is' : 'are'
  const instead = names.length === 0 ? `there is no ${kind}` : `there ${verb} ${listed(names)}`
  return refuse('unknown_component', `no ${kind} ${quoted(name)}; ${instead}`)
}

// --- Values -------------------------------------------------------------------------------------------------

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}

function objectsOf({ interaction, resolved = {} }: ComponentUse): ResolvedObjects {
  const { guild_id: guildId, app_permissions: appPermissions } = knownFields(interaction)
  const isHere = guildId === undefined || !comesWithUser(interaction)
  return new ResolvedObjects(resolved, guildId, undefined, isHere ? appPermissions : null)
}

/** An input that a person fills. */
interface Filling {
  readonly input: Component
  readonly subject: string
  /** Whether it may stay empty. */
  readonly isOptional: boolean
  readonly use: ComponentUse
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
function nounOf(component: Component): string | undefined {
  return isMenu(component) ? 'select menu' : nouns[Number(component.type)]
}

/** The value before a person enters another one. */
function initialValue(input: Component): InputValue {
  if (input.type === ComponentType.CHECKBOX) return input.default === true
  if (input.type !== ComponentType.TEXT_INPUT) return initialItems(input)
  return isText(input.value) ? input.value : ''
}

/** The field of the submitted component. @throws ComponentError `invalid_values` */
function sentValue(filling: Filling, value: InputValue): Pick<SubmittedComponent, 'value' | 'values'> {
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
  return refuse('invalid_values', `${subject} takes ${words}, got ${describeValue(value)}`)
}

function listValue(filling: Filling, value: InputValue): readonly string[] {
  const { input, subject, isOptional } = filling
  const items: readonly unknown[] = Array.isArray(value) ? value : [value]
  if (isOptional && items.length === 0) return []
  const most = input.type === ComponentType.CHECKBOX_GROUP ? objectsIn(input.options).length : 1
  const min = numberOf(input.min_values, 1)
  const max = numberOf(input.max_values, most)
  if (items.length < min || items.length > max) {
    const range = min === max ? counted(min, 'value') : `${min} to ${max} values`
    const chosen = items.length === 1 ? '1 is' : `${items.length} are`
    refuse('invalid_values', `${subject} takes ${range}; ${chosen} chosen`)
  }
  const chosen = items.map((item) => itemValue(filling, item))
  if (new Set(chosen).size < chosen.length) refuse('invalid_values', `${subject} takes each value once`)
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
  const value = typed(filling, item, isText, 'values and labels of options')
  const options = objectsIn(input.options)
  const found = options.find((one) => one.value === value) ?? options.find((one) => one.label === value)
  if (found !== undefined) return String(found.value)
  const offered = listed(options.map((one) => quoted(String(one.label))))
  return refuse('invalid_values', `${subject} has no option ${quoted(value)}; it has ${offered}`)
}

function objectId(filling: Filling, item: unknown, kinds: readonly MentionKind[]): string {
  const { input, subject, use, objects } = filling
  const value = typed(filling, item, isText, 'ids and names')
  const id = isSnowflake(value) ? value : idOfName(kinds, value, use.resolved)
  if (id === undefined) {
    const got = `got the unknown ${quoted(value)}${namesText(kinds, value, use.resolved)}`
    return refuse('invalid_values', `${subject} takes ids such as "1029384756" and names, ${got}`)
  }
  const noun = objects.elsewhere(id)
  if (noun !== null) refuse('invalid_values', `${subject}: ${quoted(value)} ${notInDirectMessage(noun)}`)
  const channel = input.type === ComponentType.CHANNEL_SELECT ? use.resolved?.channels?.[id] : undefined
  const types: readonly unknown[] = Array.isArray(input.channel_types) ? input.channel_types : []
  if (channel !== undefined && types.length > 0 && !types.includes(channel.type)) {
    const wanted = listed(types.map(String), 'or')
    const got = `${quoted(value)} has type ${channel.type}`
    refuse('invalid_values', `${subject} takes channels of type ${wanted}; ${got}`)
  }
  objects.add(id, kinds)
  return id
}

function fileId(filling: Filling, item: unknown): string {
  const file = typed(filling, item, isFile, 'files with a filename')
  const types = filling.input.file_types
  if (Array.isArray(types) && types.length > 0 && !isOfFileType(file, types))
    refuse('invalid_values', `${filling.subject}: the value ${otherFileType(file.filename, types)}`)
  const { id = takeId(filling.use.ids ?? processIds()) } = file
  filling.objects.put('attachments', id, completeAttachment({ ...file, id }))
  return id
}

const TEXT_MAX = 4_000

function textValue(filling: Filling, given: InputValue): string {
  const { input, subject, isOptional } = filling
  const value = typed(filling, given, isText, 'a text')
  const count = countCharacters(value)
  if (count === 0) return isOptional ? value : refuse('invalid_values', `${subject} is required`)
  const min = numberOf(input.min_length, 0)
  const max = numberOf(input.max_length, TEXT_MAX)
  if (count >= min && count <= max) return value
  return refuse('invalid_values', `${subject} takes ${min} to ${max} characters, got ${count}`)
}

// --- The payload --------------------------------------------------------------------------------------------

function useComponent(
  message: ComponentMessage,
  { id, custom_id, type }: Component,
  values: object,
  use: ComponentUse,
): ComponentInteraction {
  const data = {
    ...(typeof id === 'number' && { id }),
    custom_id: String(custom_id),
    component_type: type,
    ...values,
  }
  const used = nextInteraction<ComponentInteraction>(use, InteractionType.MESSAGE_COMPONENT, data, message)
  if (hasFlag(message.flags, MessageFlag.EPHEMERAL) && userOf(used)?.id !== userOf(use.interaction)?.id)
    refuse('not_visible', 'the message is ephemeral: only the person who used the command sees it')
  return used
}

/** The fields of the earlier interaction, with a new id, type, token, user, data and message. */
function nextInteraction<Next extends AnyInteraction>(
  use: ComponentUse,
  type: Next['type'],
  newData: object,
  newMessage: object | undefined,
): Next {
  const { interaction, ids = processIds(), tokens, locale, user, member = user && { user } } = use
  const { data, message, ...place } = jsonCopy<AnyInteraction & { message?: unknown }>(interaction)
  const isInGuild = knownFields(interaction).guild_id !== undefined
  const id = takeId(ids)
  return Object.freeze({
    ...place,
    id,
    type,
    token: takeToken(tokens, id),
    ...(isInGuild && member && { member: completeMember(member) }),
    ...(!isInGuild && user && { user: completeUser(user) }),
    ...(locale !== undefined && { locale }),
    data: newData,
    ...(newMessage !== undefined && { message: jsonCopy(newMessage) }),
  } as unknown as Next)
}
