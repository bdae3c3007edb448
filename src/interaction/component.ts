/** Using the components of a message and the inputs of a modal: interactions of types 3 and 5. */
import { isObject } from '../core/json.ts'
import { isSnowflake, processIds, takeId } from '../core/snowflake.ts'
import { countCharacters, describeValue, listed, quoted } from '../core/text.ts'
import type { Locale } from '../locale/locales.ts'
import {
  completeMember,
  completeRole,
  completeUser,
  jsonCopy,
  resolvedChannel,
  resolvedMember,
  usualType,
  type KnownObjects,
  ResolvedMaps,
} from './complete.ts'
import type { MemberInput, Partly } from '../world/server.ts'
import {
  knownFields,
  userOf,
  type KnownFields,
  type AnyInteraction,
  type ComponentInteraction,
  type ComponentMessage,
  type InteractionUser,
  type ModalInteraction,
  type SubmittedComponent,
} from './payload.ts'
import { takeToken, type InteractionSources } from './sources.ts'
import { ButtonStyle, ComponentType, hasFlag, InteractionType, MessageFlag } from './types.ts'

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

/** A component cannot be used like this. The message lists the alternatives. */
export class ComponentError extends Error {
  /** Always `ComponentError`. */
  override readonly name = 'ComponentError'
  readonly code: ComponentErrorCode

  constructor(code: ComponentErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

/** The user of a component, and known objects. */
export interface ComponentUse extends InteractionSources {
  /** The interaction that the message answers or that opened the modal. Its place, language and installation are kept. */
  readonly interaction: AnyInteraction
  /** The member who uses it, in a guild. Default: that of the interaction. */
  readonly member?: MemberInput
  /** The user who uses it, in a DM. Default: that of the interaction. */
  readonly user?: Partly<InteractionUser>
  /** The language of the user's client. Default: that of the interaction. */
  readonly locale?: Locale
  /** Known users, members, roles and channels, by id, for select menus. */
  readonly resolved?: KnownObjects
}

/** A modal of an app. */
export interface OpenModal {
  readonly custom_id: string
  readonly components: readonly object[]
}

/** The values of a modal by custom_id: the text of an input, or the choices of a menu. */
export interface ModalValues {
  readonly [customId: string]: string | readonly string[]
}

export interface Component {
  readonly type?: unknown
  readonly [field: string]: unknown
}

/**
 * Presses a button of a message.
 *
 * @param button its label or its custom_id; labels take precedence
 * @throws ComponentError if the message has no such button, or it cannot be pressed
 * @throws TypeError if an argument has another type
 */
export function press(message: ComponentMessage, button: string, use: ComponentUse): ComponentInteraction {
  check('message', 'a message', message, isObject)
  check('button', 'a label or a custom_id', button, isText)
  checkUse(use)
  const buttons = componentsOf(message.components).filter(({ type }) => type === ComponentType.BUTTON)
  const found = findUsable(buttons, ['label', 'custom_id'], 'button', button)
  return componentInteraction(message, found, {}, use)
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
  check('message', 'a message', message, isObject)
  check('menu', 'a custom_id or a placeholder', menu, isText)
  check('values', 'a list of strings', values, isTexts)
  checkUse(use)
  const menus = componentsOf(message.components).filter(isMenu)
  const found = findUsable(menus, ['custom_id', 'placeholder'], 'select menu', menu)
  const chosen = chosenValues(found, menu, values, use)
  const objects = new ResolvedMaps()
  resolve(objects, found, chosen, use)
  const resolved = objects.get()
  return componentInteraction(message, found, { values: chosen, ...(resolved && { resolved }) }, use)
}

/**
 * Submits a modal. Inputs and menus without a value keep that of the modal.
 *
 * @param values by custom_id
 * @throws ComponentError if the modal has no such input, or an input does not accept its value
 * @throws TypeError if an argument has another type
 */
export function submit(modal: OpenModal, values: ModalValues, use: ComponentUse): ModalInteraction {
  check('modal', 'a modal with components', modal, (one) => isObject(one) && Array.isArray(one.components))
  check('values', 'an object of values by custom_id', values, isObject)
  for (const [name, value] of Object.entries(values))
    check(`values.${name}`, 'a string or a list of strings', value, (one) => isText(one) || isTexts(one))
  checkUse(use)
  const inputs = componentsOf(modal.components).filter(isInput)
  for (const name of Object.keys(values)) {
    if (!inputs.some(({ custom_id }) => custom_id === name)) throw unknownComponent('input', name, inputs)
  }
  const objects = new ResolvedMaps()
  const components = modal.components.map((one) => submitComponent(one as Component, values, objects, use))
  const resolved = objects.get()
  const { message } = use.interaction as { readonly message?: object }
  return Object.freeze({
    ...envelope(use, InteractionType.MODAL_SUBMIT),
    data: { custom_id: modal.custom_id, components, ...(resolved && { resolved }) },
    // A modal that a component opened has the message of the component.
    ...(message !== undefined && { message: jsonCopy(message) }),
  }) as unknown as ModalInteraction
}

// --- Arguments ----------------------------------------------------------------------------------------------

/** @throws TypeError that names the argument */
function check(name: string, words: string, value: unknown, accepts: (value: unknown) => boolean): void {
  if (!accepts(value)) throw new TypeError(`${name}: expected ${words}, got ${describeValue(value)}`)
}

function checkUse(use: unknown): void {
  check(
    'use',
    'an object with the interaction',
    use,
    (value) => isObject(value) && isObject(value.interaction),
  )
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText)
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

const MENUS: ReadonlySet<unknown> = new Set([
  ComponentType.STRING_SELECT,
  ComponentType.USER_SELECT,
  ComponentType.ROLE_SELECT,
  ComponentType.MENTIONABLE_SELECT,
  ComponentType.CHANNEL_SELECT,
])

function isMenu({ type }: Component): boolean {
  return MENUS.has(type)
}

function isInput(component: Component): boolean {
  return component.type === ComponentType.TEXT_INPUT || isMenu(component)
}

function nameOf({ label, custom_id, placeholder }: Component): string {
  return String(label ?? custom_id ?? placeholder)
}

/**
 * The component with a name in the first of two fields, or otherwise in the second.
 *
 * @throws ComponentError if no component has the name, or it cannot be used
 */
function findUsable(
  components: readonly Component[],
  [first, second]: readonly [string, string],
  kind: string,
  name: string,
): Component {
  const found =
    components.find((one) => one[first] === name) ?? components.find((one) => one[second] === name)
  if (found === undefined) throw unknownComponent(kind, name, components)
  checkUsable(found, kind, name)
  return found
}

function unknownComponent(kind: string, name: string, others: readonly Component[]): ComponentError {
  const instead =
    others.length === 0
      ? `there is no ${kind}`
      : `there ${others.length === 1 ? 'is' : 'are'} ${listed(others.map((one) => quoted(nameOf(one))))}`
  return new ComponentError('unknown_component', `no ${kind} ${quoted(name)}; ${instead}`)
}

function checkUsable(component: Component, kind: string, name: string): void {
  if (component.disabled === true) {
    throw new ComponentError('disabled', `the ${kind} ${quoted(name)} is disabled`)
  }
  const { type, style } = component
  if (type === ComponentType.BUTTON && (style === ButtonStyle.LINK || style === ButtonStyle.PREMIUM)) {
    const what = style === ButtonStyle.LINK ? 'a link' : 'a premium button'
    throw new ComponentError(
      'not_interactive',
      `the button ${quoted(name)} is ${what}; it sends nothing to the app`,
    )
  }
}

// --- Values -------------------------------------------------------------------------------------------------

function invalidValues(message: string): ComponentError {
  return new ComponentError('invalid_values', message)
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise
}

function chosenValues(
  menu: Component,
  name: string,
  values: readonly string[],
  use: ComponentUse,
): readonly string[] {
  const min = numberOf(menu.min_values, 1)
  const max = numberOf(menu.max_values, 1)
  if (values.length < min || values.length > max) {
    const range = min === max ? `${min}` : `${min} to ${max}`
    throw invalidValues(`the select menu ${quoted(name)} takes ${range} values, got ${values.length}`)
  }
  const chosen = values.map((value) =>
    menu.type === ComponentType.STRING_SELECT
      ? optionValue(menu, name, value)
      : idValue(menu, name, value, use),
  )
  if (new Set(chosen).size < chosen.length) {
    throw invalidValues(`the select menu ${quoted(name)} takes each value once`)
  }
  return chosen
}

function optionValue(menu: Component, name: string, value: string): string {
  const options = (Array.isArray(menu.options) ? menu.options : []).filter(isObject)
  const found = options.find((one) => one.value === value) ?? options.find((one) => one.label === value)
  if (found !== undefined) return String(found.value)
  const offered = listed(options.map((one) => quoted(String(one.label))))
  throw invalidValues(`the select menu ${quoted(name)} has no option ${quoted(value)}; it has ${offered}`)
}

function idValue(menu: Component, name: string, value: string, use: ComponentUse): string {
  const id = isSnowflake(value) ? value : idOfName(menu, value, use)
  if (id === undefined) {
    throw invalidValues(
      `the select menu ${quoted(name)} takes ids such as "1029384756" and names, got the unknown ${quoted(value)}`,
    )
  }
  const channel = use.resolved?.channels?.[id]
  const { channel_types: types } = menu
  const isRefused = Array.isArray(types) && types.length > 0 && channel && !types.includes(channel.type)
  if (menu.type !== ComponentType.CHANNEL_SELECT || !isRefused) return id
  throw invalidValues(
    `the select menu ${quoted(name)} takes channels of type ${listed(types.map(String), 'or')}; ${quoted(value)} has type ${channel.type}`,
  )
}

/** The id of a name such as `@alan`, `Moderators` or `#general`; undefined if no known object of the menu has it. */
function idOfName({ type }: Component, name: string, use: ComponentUse): string | undefined {
  const { users = {}, members = {}, roles = {}, channels = {} } = use.resolved ?? {}
  const word = name.replace(type === ComponentType.CHANNEL_SELECT ? /^#/ : /^@/, '')
  const isCalled = (one: string | null | undefined) => one === word || one === name
  // Null marks the people who are not in the server.
  const people = Object.values(users).filter(({ id }) => members[id] !== null)
  const person =
    people.find(({ username }) => isCalled(username)) ??
    people.find(({ global_name: display }) => isCalled(display))
  const role = Object.values(roles).find((one) => isCalled(one.name))
  if (type === ComponentType.CHANNEL_SELECT)
    return Object.values(channels).find((one) => isCalled(one.name))?.id
  if (type === ComponentType.ROLE_SELECT) return role?.id
  return (type === ComponentType.USER_SELECT ? person : (person ?? role))?.id
}

/** The values that a menu of a modal has before a person chooses; undefined for none. */
function defaultValues({ type, options, default_values: objects }: Component): readonly string[] | undefined {
  const listOf = (value: unknown) => (Array.isArray(value) ? value.filter(isObject) : [])
  const chosen =
    type === ComponentType.STRING_SELECT
      ? listOf(options).flatMap((one) => (one.default === true ? [one.value] : []))
      : listOf(objects).map(({ id }) => id)
  return chosen.length === 0 ? undefined : chosen.map(String)
}

/**
 * A submitted component: of the same shape, with a value instead of labels.
 *
 * @param objects receives the objects of chosen ids
 */
function submitComponent(
  component: Component,
  values: ModalValues,
  objects: ResolvedMaps,
  use: ComponentUse,
): SubmittedComponent {
  const { id, components, component: labelled } = component
  const submitNested = (one: unknown) => submitComponent(one as Component, values, objects, use)
  const shared = { type: component.type as ComponentType, ...(typeof id === 'number' && { id }) }
  if (Array.isArray(components)) return { ...shared, components: components.map(submitNested) }
  if (isObject(labelled)) return { ...shared, component: submitNested(labelled) }
  if (!isInput(component)) return shared
  const custom_id = String(component.custom_id)
  const given = Object.hasOwn(values, custom_id) ? values[custom_id] : undefined
  if (component.type === ComponentType.TEXT_INPUT) {
    return { ...shared, custom_id, value: textValue(component, custom_id, given) }
  }
  const picked = typeof given === 'string' ? [given] : (given ?? defaultValues(component))
  if (component.required === false && picked === undefined) return { ...shared, custom_id, values: [] }
  const chosen = chosenValues(component, custom_id, picked ?? [], use)
  resolve(objects, component, chosen, use)
  return { ...shared, custom_id, values: chosen }
}

const TEXT_MAX = 4_000

function textValue(input: Component, name: string, given: string | readonly string[] | undefined): string {
  const value = given ?? (typeof input.value === 'string' ? input.value : '')
  if (typeof value !== 'string') {
    throw invalidValues(`the input ${quoted(name)} takes a text, got ${describeValue(value)}`)
  }
  const count = countCharacters(value)
  if (count === 0) {
    if (input.required === false) return value
    throw invalidValues(`the input ${quoted(name)} is required`)
  }
  const min = numberOf(input.min_length, 0)
  const max = numberOf(input.max_length, TEXT_MAX)
  if (count >= min && count <= max) return value
  throw invalidValues(`the input ${quoted(name)} takes ${min} to ${max} characters, got ${count}`)
}

/** Adds the objects of the chosen ids. */
function resolve(objects: ResolvedMaps, menu: Component, ids: readonly string[], use: ComponentUse): void {
  if (menu.type === ComponentType.STRING_SELECT) return
  const { users, members, roles, channels } = use.resolved ?? {}
  const isInServer = knownFields(use.interaction).guild_id !== undefined
  for (const id of ids) {
    if (menu.type === ComponentType.CHANNEL_SELECT) {
      objects.put('channels', id, resolvedChannel({ type: usualType(!isInServer), ...channels?.[id], id }))
    } else if (menu.type === ComponentType.ROLE_SELECT || isRole(menu, id, use)) {
      objects.put('roles', id, completeRole({ ...roles?.[id], id }))
    } else {
      objects.put('users', id, completeUser({ ...users?.[id], id }))
      const member = members?.[id]
      if (isInServer && member !== null) objects.put('members', id, resolvedMember(id, member ?? {}))
    }
  }
}

function isRole({ type }: Component, id: string, { resolved = {} }: ComponentUse): boolean {
  return type === ComponentType.MENTIONABLE_SELECT && Object.hasOwn(resolved.roles ?? {}, id)
}

// --- The payload --------------------------------------------------------------------------------------------

function componentInteraction(
  message: ComponentMessage,
  component: Component,
  data: object,
  use: ComponentUse,
): ComponentInteraction {
  const payload = envelope(use, InteractionType.MESSAGE_COMPONENT)
  const isEphemeral = hasFlag(message.flags, MessageFlag.EPHEMERAL)
  if (isEphemeral && userOf(payload)?.id !== userOf(use.interaction)?.id) {
    throw new ComponentError(
      'not_visible',
      'the message is ephemeral: only the person who used the command sees it',
    )
  }
  return Object.freeze({
    ...payload,
    data: {
      ...(typeof component.id === 'number' && { id: component.id }),
      custom_id: String(component.custom_id),
      component_type: component.type as ComponentType,
      ...data,
    },
    message: jsonCopy(message),
  }) as unknown as ComponentInteraction
}

/** The user of the component, if it is not that of the earlier interaction. */
function otherUser({ interaction, member, user }: ComponentUse): KnownFields {
  if (knownFields(interaction).guild_id === undefined) return user ? { user: completeUser(user) } : {}
  const other = member ?? (user && { user })
  return other ? { member: completeMember(other) } : {}
}

/** All fields except the data: those of the earlier interaction, with a new id, token and user. */
function envelope(use: ComponentUse, type: number): AnyInteraction {
  const { interaction, ids = processIds, tokens, locale } = use
  const {
    data: _data,
    message: _message,
    ...place
  } = jsonCopy(interaction as AnyInteraction & { message?: unknown })
  const id = takeId(ids)
  return {
    ...place,
    id,
    type,
    token: takeToken(tokens, id),
    ...otherUser(use),
    ...(locale !== undefined && { locale }),
  }
}
