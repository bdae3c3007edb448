/** Using the components of a message and the inputs of a modal: interactions of types 3 and 5. */
import { isObject } from '../../core/json.ts'
import { anyObject, argument, aString, demand, listArgument } from '../../core/rules/arguments.ts'
import { listed, quoted } from '../../core/text.ts'
import { processIds, takeId } from '../../model/id-source.ts'
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
import { completeMember, completeUser, jsonCopy, ResolvedObjects } from './complete.ts'
import { refuseUse } from './component-error.ts'
import {
  initialValue,
  isInputValue,
  isSelectMenu,
  isString,
  listValue,
  nounOf,
  sentValue,
  type Component,
  type InputValue,
  type ModalValues,
} from './component-values.ts'
import { takeToken, type InteractionRequest } from './create.ts'
import { findInput, inputName, inputsOf, type NamedInput } from './modal-inputs.ts'

const verbs = ['press', 'choose', 'submit'] as const

/** A use of an answer, by the name of its function. */
export type AnswerVerb = (typeof verbs)[number]

export const isAnswerVerb = (name: string): name is AnswerVerb => verbs.some((verb) => verb === name)

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
  const menus = componentsOf(message.components).filter(isSelectMenu)
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

const checkMessage = demand(anyObject('a message'))
const checkModal = demand(
  argument('a modal with components', (modal) => isObject(modal) && Array.isArray(modal.components)),
)
const checkButton = demand(argument('a label or a custom_id', isString))
const checkMenu = demand(argument('a custom_id or a placeholder', isString))
const checkTexts = demand(listArgument(aString, 'a list of strings'))
const checkValues = demand(anyObject('an object of values by label or custom_id'))
const checkInputValue = demand(
  argument('a string, true or false, or a list of strings or files', isInputValue),
)
const checkUse = demand(
  argument('an object with the interaction', (use) => isObject(use) && isObject(use.interaction)),
)

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

/** @throws ComponentError for a name of no input, or of several, and for an input with two values */
function valuesByInput(
  inputs: readonly NamedInput[],
  values: ModalValues,
): ReadonlyMap<Component, InputValue> {
  const given = new Map<Component, InputValue>()
  for (const [name, value] of Object.entries(values)) {
    const found = findInput(name, inputs)
    if (typeof found === 'string') refuseUse('unknown_component', found)
    if (given.has(found))
      refuseUse('invalid_values', `the input ${quoted(name)} is given twice, by its label and its custom_id`)
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
  if (found.disabled === true) refuseUse('disabled', `the ${kind} ${quoted(name)} is disabled`)
  const { type, style } = found
  if (type === ComponentType.BUTTON && (style === ButtonStyle.LINK || style === ButtonStyle.PREMIUM)) {
    const what = style === ButtonStyle.LINK ? 'a link' : 'a premium button'
    refuseUse('not_interactive', `the button ${quoted(name)} is ${what}; it sends nothing to the app`)
  }
  return found
}

function refuseUnknown(kind: string, name: string, others: readonly Component[]): never {
  const names = others.map(({ label, custom_id, placeholder }) =>
    quoted(String(label ?? custom_id ?? placeholder)),
  )
  const verb = names.length === 1 ? 'is' : 'are'
  const instead = names.length === 0 ? `there is no ${kind}` : `there ${verb} ${listed(names)}`
  return refuseUse('unknown_component', `no ${kind} ${quoted(name)}; ${instead}`)
}

// --- The payload --------------------------------------------------------------------------------------------

function objectsOf({ interaction, resolved = {} }: ComponentUse): ResolvedObjects {
  const { guild_id: guildId, app_permissions: appPermissions } = knownFields(interaction)
  const isHere = guildId === undefined || !comesWithUser(interaction)
  return new ResolvedObjects(resolved, guildId, undefined, isHere ? appPermissions : null)
}

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
    refuseUse('not_visible', 'the message is ephemeral: only the person who used the command sees it')
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
