/** Using the components of a message and the inputs of a modal: interactions of types 3 and 5. */
import { isObject } from '../core/json.ts'
import { isSnowflake, processIds, takeId } from '../core/snowflake.ts'
import { countCharacters, describeValue, listed, quoted } from '../core/text.ts'
import type { Locale } from '../locale/locales.ts'
import {
  completeChannel,
  completeMember,
  completeRole,
  completeUser,
  jsonCopy,
  type KnownObjects,
  type MemberInput,
  type Partly,
} from './complete.ts'
import { takeToken, type InteractionSources } from './sources.ts'
import type {
  AnyInteraction,
  ComponentInteraction,
  ComponentMessage,
  InteractionMember,
  InteractionUser,
  ModalInteraction,
  Resolved,
  SubmittedComponent,
} from './payload.ts'
import { ButtonStyle, ComponentType, InteractionType, MessageFlag } from './types.ts'

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
  /** The message is ephemeral, and another user used the command. */
  | 'not_visible'

/** A component cannot be used like this. The message lists the alternatives. */
export class ComponentError extends Error {
  /** Always `ComponentError`. */
  override readonly name = 'ComponentError'
  /** The reason, for programs. */
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
  /** The custom_id of the modal. */
  readonly custom_id: string
  /** The components of the modal. */
  readonly components: readonly object[]
}

/** The values of a modal by custom_id: the text of an input, or the choices of a menu. */
export interface ModalValues {
  readonly [customId: string]: string | readonly string[]
}

interface Component {
  readonly type?: unknown
  readonly [field: string]: unknown
}

/**
 * Presses a button of a message.
 *
 * @param button its label or its custom_id; labels take precedence
 * @throws ComponentError if the message has no such button, or it cannot be pressed
 */
export function press(message: ComponentMessage, button: string, use: ComponentUse): ComponentInteraction {
  const buttons = componentsOf(message.components).filter(({ type }) => type === ComponentType.BUTTON)
  const found =
    buttons.find(({ label }) => label === button) ?? buttons.find(({ custom_id }) => custom_id === button)
  if (found === undefined) throw unknownComponent('button', button, buttons)
  checkUsable(found, 'button', button)
  return componentInteraction(message, found, {}, use)
}

/**
 * Chooses from a select menu of a message.
 *
 * @param menu its custom_id or its placeholder
 * @param values values or labels of a string menu; ids for the other menus
 * @throws ComponentError if the message has no such menu, or it does not accept the values
 */
export function choose(
  message: ComponentMessage,
  menu: string,
  values: readonly string[],
  use: ComponentUse,
): ComponentInteraction {
  const menus = componentsOf(message.components).filter(isMenu)
  const found =
    menus.find(({ custom_id }) => custom_id === menu) ?? menus.find(({ placeholder }) => placeholder === menu)
  if (found === undefined) throw unknownComponent('select menu', menu, menus)
  checkUsable(found, 'select menu', menu)
  const chosen = chosenValues(found, menu, values)
  return componentInteraction(message, found, { values: chosen, ...resolvedOf(found, chosen, use) }, use)
}

/**
 * Submits a modal. Inputs without a value keep that of the modal.
 *
 * @param values by custom_id
 * @throws ComponentError if the modal has no such input, or an input does not accept its value
 */
export function submit(modal: OpenModal, values: ModalValues, use: ComponentUse): ModalInteraction {
  const inputs = componentsOf(modal.components).filter(isInput)
  for (const name of Object.keys(values)) {
    if (!inputs.some(({ custom_id }) => custom_id === name)) throw unknownComponent('input', name, inputs)
  }
  const chosen = new Map<Component, readonly string[]>()
  const components = modal.components.map((one) => submitComponent(one as Component, values, chosen))
  const { message } = use.interaction as { readonly message?: object }
  const resolved: Resolved = Object.assign(
    {},
    ...[...chosen].map(([menu, ids]) => resolvedOf(menu, ids, use).resolved ?? {}),
  )
  const { personId: _id, ...payload } = envelope(use, InteractionType.MODAL_SUBMIT)
  return Object.freeze({
    ...payload,
    data: {
      custom_id: modal.custom_id,
      components,
      ...(Object.keys(resolved).length > 0 && { resolved }),
    },
    // A modal that a component opened has the message of the component.
    ...(message !== undefined && { message: jsonCopy(message) }),
  }) as unknown as ModalInteraction
}

// --- Finding ------------------------------------------------------------------------------------------------

/** All components of a list, including nested ones, in display order. */
function componentsOf(list: unknown): readonly Component[] {
  const found: Component[] = []
  const open: unknown[] = Array.isArray(list) ? [...list].reverse() : []
  while (open.length > 0) {
    const one = open.pop()
    if (!isObject(one)) continue
    found.push(one)
    const held = [one.component, ...(Array.isArray(one.components) ? one.components : []), one.accessory]
    open.push(...held.reverse())
  }
  return found
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

function chosenValues(menu: Component, name: string, values: readonly string[]): readonly string[] {
  const min = numberOf(menu.min_values, 1)
  const max = numberOf(menu.max_values, 1)
  if (values.length < min || values.length > max) {
    const range = min === max ? `${min}` : `${min} to ${max}`
    throw invalidValues(`the select menu ${quoted(name)} takes ${range} values, got ${values.length}`)
  }
  const chosen = values.map((value) =>
    menu.type === ComponentType.STRING_SELECT ? optionValue(menu, name, value) : idValue(name, value),
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

function idValue(name: string, value: string): string {
  if (isSnowflake(value)) return value
  throw invalidValues(
    `the select menu ${quoted(name)} takes ids such as "1029384756", got ${describeValue(value)}`,
  )
}

/** A submitted component: of the same shape, with a value instead of labels. */
function submitComponent(
  component: Component,
  values: ModalValues,
  chosen: Map<Component, readonly string[]>,
): SubmittedComponent {
  const { type, custom_id, components, component: held } = component
  const id = typeof component.id === 'number' ? { id: component.id } : {}
  if (Array.isArray(components)) {
    return {
      type,
      ...id,
      components: components.map((one) => submitComponent(one, values, chosen)),
    } as SubmittedComponent
  }
  if (isObject(held))
    return { type, ...id, component: submitComponent(held, values, chosen) } as SubmittedComponent
  if (!isInput(component)) return { type, ...id } as SubmittedComponent
  const name = String(custom_id)
  const given = Object.hasOwn(values, name) ? values[name] : undefined
  if (type === ComponentType.TEXT_INPUT) {
    return { type, ...id, custom_id: name, value: textValue(component, name, given) } as SubmittedComponent
  }
  const isOptional = component.required === false && given === undefined
  const list = isOptional
    ? []
    : chosenValues(component, name, typeof given === 'string' ? [given] : (given ?? []))
  chosen.set(component, list)
  return { type, ...id, custom_id: name, values: list } as SubmittedComponent
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

/** The objects of the chosen ids. */
function resolvedOf(
  menu: Component,
  ids: readonly string[],
  use: ComponentUse,
): { readonly resolved?: Resolved } {
  if (menu.type === ComponentType.STRING_SELECT || ids.length === 0) return {}
  const known = use.resolved ?? {}
  const users: { [id: string]: object } = {}
  const members: { [id: string]: object } = {}
  const roles: { [id: string]: object } = {}
  const channels: { [id: string]: object } = {}
  const isInServer = (use.interaction as { readonly guild_id?: string }).guild_id !== undefined
  for (const id of ids) {
    if (menu.type === ComponentType.CHANNEL_SELECT) {
      const channel = completeChannel({ ...known.channels?.[id], id }, !isInServer)
      channels[id] = { permissions: '0', ...channel, name: channel.name ?? `channel${id}` }
    } else if (menu.type === ComponentType.ROLE_SELECT || isRole(menu, id, use)) {
      roles[id] = completeRole({ ...known.roles?.[id], id })
    } else {
      users[id] = completeUser({ ...known.users?.[id], id })
      const member = known.members?.[id]
      if (isInServer && member !== null) {
        const {
          user: _user,
          mute: _mute,
          deaf: _deaf,
          is_pending: _pending,
          ...rest
        } = completeMember({
          ...member,
          user: { id },
        })
        members[id] = rest
      }
    }
  }
  const maps = Object.entries({ users, members, roles, channels })
  return { resolved: Object.fromEntries(maps.filter(([, map]) => Object.keys(map).length > 0)) as Resolved }
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
  const isEphemeral = ((message.flags ?? 0) & MessageFlag.EPHEMERAL) !== 0
  if (isEphemeral && payload.personId !== personId(use.interaction)) {
    throw new ComponentError(
      'not_visible',
      'the message is ephemeral: only the person who used the command sees it',
    )
  }
  const { personId: _id, ...rest } = payload
  return Object.freeze({
    ...rest,
    data: {
      ...(typeof component.id === 'number' && { id: component.id }),
      custom_id: String(component.custom_id),
      component_type: component.type as ComponentType,
      ...data,
    },
    message: jsonCopy(message),
  }) as unknown as ComponentInteraction
}

interface People {
  readonly member?: InteractionMember
  readonly user?: InteractionUser
}

export function personId(interaction: AnyInteraction): string | undefined {
  const { member, user } = interaction as People
  return member?.user.id ?? user?.id
}

/** The user of the component, if it is not that of the earlier interaction. */
function personOf({ interaction, member, user }: ComponentUse): People {
  if ((interaction as { readonly guild_id?: string }).guild_id === undefined) {
    return user === undefined ? {} : { user: completeUser(user) }
  }
  const other = member ?? (user && { user })
  return other === undefined ? {} : { member: completeMember(other) }
}

/** All fields except the data: those of the earlier interaction, with a new id, token and user. */
function envelope(use: ComponentUse, type: number) {
  const { interaction, ids = processIds, tokens, locale } = use
  const {
    data: _data,
    message: _message,
    ...place
  } = jsonCopy(interaction) as AnyInteraction & {
    readonly message?: unknown
  } & People
  const id = takeId(ids)
  const person = personOf(use)
  return {
    ...place,
    id,
    type,
    token: takeToken(tokens, id),
    ...person,
    ...(locale !== undefined && { locale }),
    personId: person.member?.user.id ?? person.user?.id ?? personId(interaction),
  }
}
